package locate

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"harness/classify"
	"harness/dom"
)

// MaxCandidates is how many candidates of a try are kept.
const MaxCandidates = 8

// Decision is what a snapshot says about a target.
type Decision struct {
	Chosen     *Candidate  // nil where Err is set
	Candidates []Candidate // best first, refused ones with the reason
	Reading    string      // how the words were read
	Layer      LayerName   // the layer whose evidence decided
	Err        error       // *NotFoundError, *AmbiguousError or ErrUsage

	whole bool // the words are the whole of what the element is called
}

// Find decides which element of the snapshot a target means for a verb (click,
// type, pick, select, check, press, hover, scroll, upload, drag; "" for any
// use). It is pure: the same function serves live pages and saved HTML. layers
// limits the evidence to locators or js; nil allows both.
func Find(s *dom.Snapshot, t Target, verb string, layers ...LayerName) Decision {
	if t.IsZero() {
		return Decision{Err: fmt.Errorf("%w: the target says nothing", ErrUsage)}
	}
	f := newFinder(s, verb)
	f.layers = layers
	return f.decide(t)
}

// outcome is what one reading comes to.
type outcome struct {
	r    reading
	hits []hit // usable ones, best first
	all  []hit // with the hidden ones
	best float64
	many bool // the best cannot be told from the next
}

func (f *finder) decide(t Target) Decision {
	var found, tied, none *outcome
	for _, r := range t.readings() {
		o := f.read(r)
		switch {
		case o.best < acceptScore:
			if none == nil || len(o.all) > 0 && (len(none.all) == 0 || o.all[0].score > none.all[0].score) {
				none = &o
			}
		case o.many:
			if tied == nil || o.best > tied.best {
				tied = &o
			}
		case found == nil || o.best > found.best+.01:
			found = &o
		}
	}
	switch {
	case found != nil && (tied == nil || found.best >= tied.best-marginScore || found.r.in != nil || found.r.near != nil):
		return f.chose(t, *found)
	case tied != nil:
		return f.ambiguous(t, *tied)
	}
	if o := f.bySpread(t); o != nil {
		if o.many {
			return f.ambiguous(t, *o)
		}
		return f.chose(t, *o)
	}
	return f.missed(t, none)
}

// read scores one reading, relations, ordinal and margin included.
func (f *finder) read(r reading) outcome {
	all := f.allowed(f.scoreAll(r))
	o := outcome{r: r, all: all, hits: usable(all)}
	if len(o.hits) == 0 {
		return o
	}
	o.hits = f.prefer(o.hits)
	if r.nth != 0 {
		o.hits = pickNth(o.hits, r.nth)
	}
	if len(o.hits) == 0 {
		return o
	}
	o.best = o.hits[0].score
	if len(o.hits) > 1 && o.hits[1].score > o.best-marginScore {
		o.many = true
	}
	return o
}

// scoreAll scores a reading with its relations, but without its ordinal.
func (f *finder) scoreAll(r reading) []hit {
	hits := f.score(r)
	if r.in != nil {
		kept, ok := f.within(hits, *r.in, r.row)
		switch {
		case ok:
			hits = kept
			for i := range hits {
				hits[i].reasons = append(hits[i].reasons, "stands in "+r.in.String())
				hits[i].locator = ""
			}
		case r.quoted && r.in.name != "" && len(usable(hits)) == 1:
			hits = usable(hits)
			hits[0].score -= 8
			hits[0].reasons = append(hits[0].reasons, "nothing on the page is "+r.in.String()+", but the name alone is unique")
		default:
			return nil
		}
	}
	if r.near != nil {
		kept, ok := f.beside(hits, *r.near, r.side)
		if !ok {
			return nil
		}
		hits = kept
		for i := range hits {
			hits[i].score -= 2
			hits[i].locator = ""
			hits[i].reasons = append(hits[i].reasons, "lies "+r.side+" of "+r.near.String())
		}
	}
	sortHits(hits)
	return hits
}

// allowed drops evidence of layers that the caller excludes.
func (f *finder) allowed(hits []hit) []hit {
	if len(f.layers) == 0 {
		return hits
	}
	var out []hit
	for _, h := range hits {
		for _, l := range f.layers {
			if l == layerOf(h) {
				out = append(out, h)
			}
		}
	}
	return out
}

func layerOf(h hit) LayerName {
	if h.src.layer1 && h.locator != "" {
		return Locators
	}
	return JS
}

func usable(hits []hit) []hit {
	var out []hit
	for _, h := range hits {
		if h.hidden == "" {
			out = append(out, h)
		}
	}
	return out
}

// prefer breaks ties that a person would not see as ties: of equals, the one in
// the open dialog on top of the page, and of an enabled and a disabled twin the
// enabled one.
func (f *finder) prefer(hits []hit) []hit {
	if len(hits) < 2 || hits[1].score <= hits[0].score-marginScore {
		return hits
	}
	top := hits[0].score - marginScore
	for i := range hits {
		if hits[i].score <= top {
			break
		}
		if inModal(hits[i].n) {
			for j := range hits {
				if !inModal(hits[j].n) {
					hits[j].score -= 2 * marginScore
				}
			}
			break
		}
	}
	sortHits(hits)
	return hits
}

func inModal(n *dom.Node) bool {
	return n.Closest(func(a *dom.Node) bool { return a.Facts.Has(dom.Modal) || a.Attr("aria-modal") == "true" }) != nil
}

// pickNth takes the n-th in document order of those that match as well as the
// best: the same way of matching, not a weaker one.
func pickNth(hits []hit, nth int) []hit {
	top := hits[0].score
	var same []hit
	for _, h := range hits {
		if h.score > top-3*marginScore {
			same = append(same, h)
		}
	}
	for i := 1; i < len(same); i++ {
		for j := i; j > 0 && same[j].n.Index < same[j-1].n.Index; j-- {
			same[j], same[j-1] = same[j-1], same[j]
		}
	}
	i := nth - 1
	if nth < 0 {
		i = len(same) + nth
	}
	if i < 0 || i >= len(same) {
		return nil
	}
	h := same[i]
	h.locator = ""
	h.reasons = append(h.reasons, fmt.Sprintf("number %d of %d in document order", i+1, len(same)))
	return []hit{h}
}

// bySpread is the last resort of layer 2: elements whose texts and context hold
// all the words, at least one of them in a text of their own.
func (f *finder) bySpread(t Target) *outcome {
	if f.plain || t.Words == "" || len(f.layers) > 0 && !hasLayer(f.layers, JS) {
		return nil
	}
	q := quoteOut(t.Words)
	if len(q.names) > 0 {
		return nil
	}
	var best *outcome
	for _, r := range q.readHead(Fold(q.text)) {
		want := contentWords(r.name)
		if len(want) < 2 || r.day > 0 {
			continue
		}
		o := f.spreadReading(r, want)
		if len(o.hits) > 0 && (best == nil || o.best > best.best) {
			best = &o
		}
	}
	return best
}

func (f *finder) spreadReading(r reading, want []string) outcome {
	var hits []hit
	for _, n := range f.s.Nodes {
		if !n.IsElement() || !operable(n) || n.Tag == "body" || !f.stateHolds(n, r.state) || r.noun.fit(n) < .6 {
			continue
		}
		h := hit{n: n, src: fromCode, kind: spread}
		var own []string
		for _, t := range f.texts(n) {
			own = append(own, t.text)
		}
		if !anyIn(want, own) {
			continue
		}
		switch {
		case matchSpread(want, own...):
			h.score = 74
			h.reasons = []string{"its texts have all the words"}
		case matchSpread(want, append(own, f.context(n)...)...):
			h.score = 68
			h.reasons = []string{"its texts and what stands around it have all the words"}
		default:
			continue
		}
		h.score -= (1 - r.noun.fit(n)) * 22
		if f.suitsVerb(&h) {
			h.hidden = f.unusable(n)
			hits = append(hits, h)
		}
	}
	hits = dropNested(hits)
	sortHits(hits)
	o := outcome{r: r, all: hits, hits: usable(hits)}
	if r.nth != 0 && len(o.hits) > 0 {
		o.hits = pickNth(o.hits, r.nth)
	}
	if len(o.hits) > 0 && o.hits[0].score >= acceptScore {
		o.best = o.hits[0].score
		o.many = len(o.hits) > 1 && o.hits[1].score > o.best-marginScore/2
	} else {
		o.hits = nil
	}
	return o
}

var stopWords = setOf("the a an to for of in on at and or with by is your my this that its")

func contentWords(folded string) []string {
	var out []string
	for _, w := range tokens(folded) {
		if !stopWords[w] {
			out = append(out, w)
		}
	}
	return out
}

func anyIn(want, texts []string) bool {
	for _, w := range want {
		for _, t := range texts {
			if indexWord(t, w) >= 0 {
				return true
			}
		}
	}
	return false
}

// context are the texts that say where an element stands: its row, section
// heading, legend and dialog.
func (f *finder) context(n *dom.Node) []string {
	var out []string
	for a, depth := n.Parent, 0; a != nil && a.Tag != "body" && depth < 12; a, depth = a.Parent, depth+1 {
		switch {
		case a.Role() == "row" || a.Role() == "listitem":
			out = append(out, Fold(clip(a.InnerText(), maxText)))
		case landmarks[a.Role()]:
			out = append(out, Fold(a.Name()))
		}
		for _, c := range a.Children {
			if c.IsElement() && (c.Role() == "heading" || c.Tag == "legend") && c.Index < n.Index {
				out = append(out, Fold(c.InnerText()))
			}
		}
	}
	return out
}

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

func hasLayer(ls []LayerName, l LayerName) bool {
	for _, x := range ls {
		if x == l {
			return true
		}
	}
	return len(ls) == 0
}

// isMiss reports whether waiting may help: nothing was found yet.
func isMiss(err error) bool { return errors.Is(err, ErrNotFound) }
