package locate

import (
	"harness/dom"
)

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
