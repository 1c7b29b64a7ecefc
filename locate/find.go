package locate

import (
	"errors"
	"fmt"

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
