package locate

import (
	"fmt"
	"sort"
	"time"

	"harness/dom"
)

// Thresholds of the decision, by the tiers of scoreText: an exact name on the
// right sort of element scores above 90, a name that contains the words 65-85.
const (
	acceptScore = 60 // below: not found
	marginScore = 6  // a rival closer than this makes it ambiguous
	wholeScore  = 86 // from here on the words are the whole name of the element
)

// finder works on one snapshot for one verb.
type finder struct {
	s       *dom.Snapshot
	verb    string
	cache   map[*dom.Node][]textOf
	near    map[*dom.Node]string
	heads   map[*dom.Node]*dom.Node
	layers  []LayerName
	plain   bool // whole and contained texts only: words spread over an element and its context do not count
	now     time.Time
	cals    []calendar
	hasCals bool
}

func newFinder(s *dom.Snapshot, verb string) *finder {
	return &finder{s: s, verb: verb, cache: map[*dom.Node][]textOf{}, heads: map[*dom.Node]*dom.Node{}}
}

// hit is a scored element.
type hit struct {
	n       *dom.Node
	score   float64
	src     source
	kind    matchKind
	locator string
	reasons []string
	hidden  string // why a person could not use it; "" if one could
}

// score finds the elements that a reading without its relations may mean, best first.
func (f *finder) score(r reading) []hit {
	if r.css != "" {
		return f.byCSS(r)
	}
	if r.day > 0 || r.date != "" {
		return f.byDay(r)
	}
	if r.turn != 0 {
		return f.byTurn(r)
	}
	if r.name == "" && r.noun == nil {
		return nil
	}
	var hits []hit
	for _, n := range f.s.Nodes {
		if !n.IsElement() || n.Tag == "html" || n.Tag == "body" {
			continue
		}
		if h, ok := f.scoreNode(n, r); ok {
			hits = addHit(hits, h)
		}
	}
	hits = dropNested(hits)
	sortHits(hits)
	return hits
}

// addHit keeps the better of two hits that came to one element.
func addHit(hits []hit, h hit) []hit {
	for i := len(hits) - 1; i >= 0 && i >= len(hits)-8; i-- {
		if hits[i].n == h.n {
			if h.score > hits[i].score {
				hits[i] = h
			}
			return hits
		}
	}
	return append(hits, h)
}

func sortHits(hits []hit) {
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
}

func (f *finder) scoreNode(n *dom.Node, r reading) (hit, bool) {
	if !f.stateHolds(n, r.state) {
		return hit{}, false
	}
	h := hit{n: n}
	if r.name == "" {
		if !r.noun.names(n) {
			return hit{}, false
		}
		h.score, h.kind = 92, exactly
		h.src = source{"role", 92, true}
		h.reasons = append(h.reasons, "is a "+r.noun.key)
		if n.Role() != "" {
			h.locator = fmt.Sprintf("getByRole(%q)", n.Role())
		}
	} else if !f.scoreText(&h, r) {
		return hit{}, false
	}
	fit := r.noun.fit(n)
	if fit < .4 {
		return hit{}, false
	}
	if fit < 1 {
		h.score -= (1 - fit) * 40
		h.reasons = append(h.reasons, fmt.Sprintf("is a %s, not quite a %s", describeRole(n), r.noun.key))
	} else if r.noun != nil && r.name != "" {
		h.reasons = append(h.reasons, "is a "+r.noun.key)
	}
	if !f.suitsVerb(&h) {
		return hit{}, false
	}
	h.hidden = f.unusable(n)
	return h, true
}

// names reports whether the noun alone can mean the element: only a good fit
// does, and text is too common to mean one.
func (n *noun) names(e *dom.Node) bool {
	return n.fit(e) >= .8 && n.roles[anything] == 0
}

func describeRole(n *dom.Node) string {
	if r := n.Role(); r != "" {
		return r
	}
	return n.Tag
}

// scoreText gives the hit the best score of the element's texts.
func (f *finder) scoreText(h *hit, r reading) bool {
	best := -1.0
	for _, t := range f.texts(h.n) {
		if r.source != "" && !sourceAllowed(r.source, t.name) {
			continue
		}
		m := matchText(r.name, t.text)
		if m.kind == noMatch || (r.quoted || r.literal || t.name == "testid" || t.name == "value") && m.kind != exactly {
			continue
		}
		s := float64(t.score)
		switch m.kind {
		case starts:
			s -= 12 + 12*(1-m.cover)
		case contains:
			s -= 15 + 14*(1-m.cover)
		}
		if s > best {
			best = s
			h.score, h.src, h.kind = s, t.source, m.kind
			h.locator = locator(h.n, t, m.kind, r.name)
			h.reasons = []string{fmt.Sprintf("%s %q %s", t.name, clip(t.raw, 60), kindWords(m.kind))}
		}
	}
	if best < 0 && r.source == "" && !r.literal && !r.quoted {
		return f.scoreSymbol(h, r)
	}
	if best < 0 && r.source == "" && r.quoted {
		return f.scoreSign(h, r)
	}
	return best >= 0
}

func sourceAllowed(want, have string) bool {
	switch want {
	case "text":
		return have == "text" || have == "name"
	case "label":
		return have == "label" || have == "name" || have == "nearby label"
	}
	return want == have
}

func kindWords(k matchKind) string {
	return map[matchKind]string{exactly: "is the whole of it", starts: "begins with it", contains: "contains it", spread: "has all its words"}[k]
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
