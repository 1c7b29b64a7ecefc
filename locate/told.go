package locate

import (
	"fmt"
	"math"
	"strings"

	"harness/classify"
	"harness/dom"
)

func (f *finder) chose(t Target, o outcome) Decision {
	d := f.decision(o)
	h := o.hits[0]
	d.Layer, d.whole = layerOf(h), h.kind == exactly && h.score >= wholeScore
	c := f.candidate(h)
	c.Refused = ""
	c.Score = confidence(o)
	d.Chosen = &c
	d.Candidates = append([]Candidate{c}, without(d.Candidates, c.Ref)...)
	return d
}

// confidence is what a score and the distance to the next are worth: 0-100.
func confidence(o outcome) int {
	s := o.hits[0].score
	if len(o.hits) > 1 {
		if gap := s - o.hits[1].score; gap < 12 {
			s -= (12 - gap) / 2
		}
	}
	return int(math.Round(max(0, min(99, s))))
}

func without(cs []Candidate, ref dom.Ref) []Candidate {
	var out []Candidate
	for _, c := range cs {
		if c.Ref != ref {
			out = append(out, c)
		}
	}
	return out
}

// decision lists the candidates of an outcome with why each was refused.
func (f *finder) decision(o outcome) Decision {
	d := Decision{Reading: o.r.String()}
	for i, h := range o.all {
		if i == MaxCandidates {
			break
		}
		c := f.candidate(h)
		switch {
		case h.hidden != "":
			c.Refused = "hidden: " + h.hidden
		case h.score < acceptScore:
			c.Refused = fmt.Sprintf("score %d is below %d", c.Score, acceptScore)
		default:
			c.Refused = "scored lower"
		}
		d.Candidates = append(d.Candidates, c)
	}
	return d
}

func (f *finder) ambiguous(t Target, o outcome) Decision {
	d := f.decision(o)
	e := &AmbiguousError{Target: t}
	for _, h := range o.hits {
		if h.score > o.best-marginScore {
			c := f.candidate(h)
			c.Refused = "not told apart from the others"
			e.Candidates = append(e.Candidates, c)
			e.Hints = append(e.Hints, f.hint(t, o, h))
		}
	}
	d.Err = e
	if len(e.Candidates) > 0 {
		d.Candidates = e.Candidates[:min(len(e.Candidates), MaxCandidates)]
	}
	return d
}

// hint says which words would mean this one alone.
func (f *finder) hint(t Target, o outcome, h hit) string {
	words := t.String()
	if t.Words == "" && o.r.name != "" {
		words = o.r.name
	}
	if row := h.n.Closest(func(a *dom.Node) bool { return a.Role() == "row" || a.Role() == "listitem" }); row != nil {
		for _, c := range elements(row) {
			if text := c.InnerText(); text != "" && !h.n.Within(c) && len([]rune(text)) < 40 {
				return fmt.Sprintf("%s in the row of %q", words, text)
			}
		}
	}
	group := h.n.Closest(func(a *dom.Node) bool {
		return (a.Role() == "group" || a.Role() == "region" || a.Role() == "dialog" || a.Role() == "form") && a.Name() != ""
	})
	if group != nil {
		return fmt.Sprintf("%s in %q", words, group.Name())
	}
	for i, x := range o.hits {
		if x.n == h.n && i < 10 {
			return fmt.Sprintf("the %s %s", [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}[rank(o.hits, h)], strings.TrimPrefix(words, "the "))
		}
	}
	return ""
}

// rank is the place of a hit among the tied ones in document order.
func rank(hits []hit, h hit) int {
	n := 0
	for _, x := range hits {
		if x.n.Index < h.n.Index && x.score > hits[0].score-marginScore {
			n++
		}
	}
	return min(n, 9)
}

func (f *finder) missed(t Target, o *outcome) Decision {
	d := Decision{}
	e := &NotFoundError{Target: t}
	if o != nil {
		d = f.decision(*o)
		e.Nearest = d.Candidates
		if o.r.noun != nil {
			e.Present = f.present(o.r.noun)
		}
	}
	if e.Present == nil {
		for _, r := range t.readings() {
			if r.noun != nil && len(e.Present) == 0 {
				e.Present = f.present(r.noun)
			}
		}
	}
	d.Err = e
	return d
}

// present names what the page has of that sort.
func (f *finder) present(n *noun) []string {
	var out []string
	for _, e := range f.s.Nodes {
		if len(out) == 8 {
			break
		}
		if !e.IsElement() || !n.names(e) {
			continue
		}
		if ok, _ := e.Visible(); !ok {
			continue
		}
		if name := e.Name(); name != "" {
			out = append(out, fmt.Sprintf("%s %q", n.key, clip(name, 40)))
		}
	}
	return out
}

func (f *finder) candidate(h hit) Candidate {
	k := classify.Classify(h.n)
	return Candidate{Ref: h.n.Ref, Kind: k.Kind, Role: h.n.Role(), Name: clip(h.n.Name(), 120), Text: clip(h.n.InnerText(), 120), Frame: h.n.FramePath(),
		Box: h.n.Box, Score: int(math.Round(max(0, min(100, h.score)))), Locator: h.locator, Reasons: h.reasons, Node: h.n}
}

// Short names a candidate for people.
func (c Candidate) Short() string {
	kind := c.Role
	if kind == "" {
		kind = strings.ToLower(string(c.Kind))
	}
	name := c.Name
	if name == "" {
		name = c.Text
	}
	s := fmt.Sprintf("%s %q", kind, clip(name, 60))
	if !c.Box.Empty() {
		s += fmt.Sprintf(" at %.0f,%.0f", c.Box.X, c.Box.Y)
	}
	if c.Frame != "" {
		s += " in " + c.Frame
	}
	return s
}
