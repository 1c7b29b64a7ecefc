package locate

import (
	"fmt"
	"math"
	"sort"
	"strings"
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

// scoreSymbol matches what has no words that a person reads: a sign (× for
// close), then the words of ids and classes.
func (f *finder) scoreSymbol(h *hit, r reading) bool {
	if !operable(h.n) && h.n.Role() != "img" && !h.n.Facts.Has(dom.Icon) {
		return false
	}
	if f.scoreSign(h, r) {
		return true
	}
	if readable(h.n) {
		return false
	}
	names := codeNames(h.n)
	want := tokens(r.name)
	for _, w := range want {
		if !names[w] && !names[strings.TrimSuffix(w, "s")] && !symbolInCode(names, w) {
			return false
		}
	}
	if len(want) == 0 {
		return false
	}
	h.score, h.src, h.kind = float64(fromCode.score), fromCode, exactly
	h.reasons = []string{"shows no text, and its code names say " + strings.Join(want, " ")}
	return true
}

// readable reports whether the element says something to a person.
func readable(n *dom.Node) bool {
	t := Fold(n.Name())
	if t == "" {
		t = Fold(n.InnerText())
	}
	return t != "" && symbolWords(t) == "" && len(tokens(t)) > 0
}

func symbolInCode(names map[string]bool, want string) bool {
	for _, s := range symbols {
		words := strings.Fields(s.words)
		if !contained(words, want) {
			continue
		}
		for _, w := range words {
			if names[w] {
				return true
			}
		}
	}
	return false
}

func contained(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (f *finder) scoreSign(h *hit, r reading) bool {
	if !operable(h.n) && !hasOwnText(h.n) {
		return false
	}
	text := Fold(h.n.InnerText())
	if text == "" {
		text = Fold(h.n.Name())
	}
	words := symbolWords(text)
	if words == "" {
		if r.name == "x" && contained([]string{"close", "关闭"}, Fold(h.n.Name())) {
			words = "x"
		} else {
			return false
		}
	}
	list := strings.Fields(words)
	ok := contained(list, r.name)
	for _, w := range tokens(r.name) {
		ok = ok || contained(list, w) && len(tokens(r.name)) <= 2
	}
	if !ok {
		return false
	}
	h.score, h.src, h.kind = float64(fromSymbol.score), fromSymbol, exactly
	h.reasons = []string{fmt.Sprintf("shows the sign %q", text)}
	return true
}

func (f *finder) stateHolds(n *dom.Node, s StateIs) bool {
	is := func(want *bool, have func() (bool, bool)) bool {
		if want == nil {
			return true
		}
		on, known := have()
		return known && on == *want
	}
	return is(s.Checked, n.Checked) && is(s.Expanded, n.Expanded) &&
		is(s.Disabled, func() (bool, bool) { return n.Disabled(), operable(n) }) &&
		is(s.Selected, func() (bool, bool) {
			if on, known := n.IsSelected(); known {
				return on, true
			}
			return n.Checked()
		}) &&
		is(s.Empty, func() (bool, bool) { return n.Value == "", n.TakesText() || n.Tag == "select" })
}

// suitsVerb refuses elements that the verb cannot act on and prefers those that
// it is made for.
func (f *finder) suitsVerb(h *hit) bool {
	n := h.n
	switch f.verb {
	case "type":
		if n.TakesText() {
			return true
		}
		h.score -= 14
		return n.Role() == "combobox" && n.Tag != "select" || n.Role() == "textbox" || n.Role() == "searchbox" || n.Role() == "slider" && n.Tag == "input" || n.InputType() == "color" ||
			reacts(n) && holdsTextControl(n)
	case "check", "uncheck":
		if _, known := n.Checked(); known {
			return true
		}
		h.score -= 12
		return pressable(n) && n.Role() != "link" && !(n.Tag == "label" && n.LabelControl() != nil)
	case "select":
		switch n.Role() {
		case "combobox", "listbox", "radiogroup", "menu":
			return true
		}
		h.score -= 10
		return n.Role() == "button" || n.Role() == "textbox" || n.Role() == "" && pressable(n)
	case "upload":
		if n.InputType() == "file" {
			return true
		}
		h.score -= 8
		return operable(n)
	case "pick":
		return f.suitsPick(h)
	case "press":
		if in := onlyFocusable(n); !n.Facts.Has(dom.Focusable) && in != nil {
			h.n = in
			h.reasons = append(h.reasons, "what takes the keys in it")
		} else if !n.Facts.Has(dom.Focusable) {
			h.score -= 8
			h.reasons = append(h.reasons, "cannot have the focus")
		}
		return f.suitsPress(h)
	case "click", "dblclick", "hover":
		return f.suitsPress(h)
	}
	return true
}

// onlyFocusable is the one element inside that can have the focus, or nil.
func onlyFocusable(n *dom.Node) *dom.Node {
	var found []*dom.Node
	n.Walk(func(c *dom.Node) bool {
		if c != n && c.Facts.Has(dom.Focusable|dom.Rendered) {
			found = append(found, c)
		}
		return len(found) < 2
	})
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

func holdsTextControl(n *dom.Node) bool {
	found := 0
	n.Walk(func(c *dom.Node) bool {
		if c.TakesText() {
			found++
		}
		return true
	})
	return found == 1
}

func (f *finder) suitsPress(h *hit) bool {
	n := h.n
	if n.Tag == "label" && n.LabelControl() != nil {
		h.score -= 4
		return true
	}
	if !operable(n) {
		if !pressable(n) {
			h.score -= 12
			h.reasons = append(h.reasons, "nothing shows that it reacts to a press")
		} else {
			h.score -= 4
		}
	} else if !widgets[n.Role()] {
		h.score -= 2
	}
	if n.Tag == "option" && n.Parent != nil && f.verb == "click" {
		h.score -= 6
	}
	return true
}

func (f *finder) suitsPick(h *hit) bool {
	if in := fieldAround(h.n); in != nil {
		h.n = in
		h.reasons = append(h.reasons, "in the field that reacts")
	}
	n := h.n
	if n.TakesText() || n.Role() == "combobox" || n.Role() == "grid" || n.Role() == "group" {
		return true
	}
	if n.Role() == "heading" || n.Tag == "label" && n.LabelControl() != nil {
		h.score -= 20
		return true
	}
	h.score -= 5
	return true
}

// fieldAround is the small element that reacts and in which a text stands: a
// field drawn as a box with its caption inside; nil if there is none.
func fieldAround(n *dom.Node) *dom.Node {
	if operable(n) {
		return nil
	}
	for a, up := n.Parent, 0; a != nil && up < 4 && a.Tag != "body"; a, up = a.Parent, up+1 {
		if operable(a) {
			if len([]rune(a.InnerText())) > 120 {
				return nil
			}
			return a
		}
	}
	return nil
}

// unusable says why a person could not use the element now; "" if one could. A
// native control that is hidden behind its label is used through the label.
func (f *finder) unusable(n *dom.Node) string {
	ok, why := n.Visible()
	if ok {
		return ""
	}
	if f.verb == "upload" && n.InputType() == "file" {
		return ""
	}
	switch n.InputType() {
	case "checkbox", "radio", "file":
		if proxyOf(n) != nil {
			return ""
		}
	}
	return why
}

// proxyOf is what a person presses in place of a hidden checkbox or radio: its
// label, or the small box around it that reacts.
func proxyOf(n *dom.Node) *dom.Node {
	for _, l := range n.Snapshot().Nodes {
		if l.Tag == "label" && l.LabelControl() == n {
			if ok, _ := l.Visible(); ok {
				return l
			}
		}
	}
	for a, i := n.Parent, 0; a != nil && i < 3; a, i = a.Parent, i+1 {
		if ok, _ := a.Visible(); ok && pressable(a) && a.Box.W < 400 && a.Box.H < 120 {
			return a
		}
	}
	return nil
}

// dropNested keeps one of elements that stand in each other and match by the
// same words: the one that a person would say is meant.
func dropNested(hits []hit) []hit {
	at := map[*dom.Node]int{}
	for i, h := range hits {
		at[h.n] = i
	}
	drop := make([]bool, len(hits))
	for i, h := range hits {
		for a := h.n.Parent; a != nil; a = a.Parent {
			j, ok := at[a]
			if !ok || drop[i] || drop[j] {
				continue
			}
			if k := lesser(hits[j], h); k > 0 {
				drop[i] = true
			} else if k < 0 {
				drop[j] = true
			}
		}
		for _, c := range labelledBy(h.n, hits) {
			if j := at[c]; !drop[j] && hits[j].hidden == "" {
				drop[i] = true
			}
		}
	}
	var out []hit
	for i, h := range hits {
		if !drop[i] {
			out = append(out, h)
		}
	}
	return out
}

// labelledBy are the hits that the element lends its text to as a label: who
// says the text means them.
func labelledBy(n *dom.Node, hits []hit) []*dom.Node {
	var out []*dom.Node
	c, id := n.LabelControl(), n.Attr("id")
	for _, h := range hits {
		if h.n == n {
			continue
		}
		if h.n == c || id != "" && h.n.Ref.Frame == n.Ref.Frame && contained(strings.Fields(h.n.Attr("aria-labelledby")), id) {
			out = append(out, h.n)
		}
	}
	return out
}

// lesser says which of an outer and an inner element goes: -1 the outer, 1 the
// inner, 0 both stay since they match differently.
func lesser(outer, inner hit) int {
	if (outer.hidden == "") != (inner.hidden == "") {
		if outer.hidden != "" {
			return -1
		}
		return 1
	}
	ow, iw := widgets[outer.n.Role()], widgets[inner.n.Role()]
	switch {
	case math.Abs(outer.score-inner.score) >= 25:
		if outer.score > inner.score {
			return 1
		}
		return -1
	case ow && !iw:
		return 1
	case iw && !ow:
		return -1
	case ow && iw: // a link in a list item that is an option: the inner one, unless the outer is the one that acts
		if outer.n.Tag == "button" || outer.n.Tag == "a" || outer.n.Role() == "button" {
			return 1
		}
		if inner.n.Role() == "combobox" || inner.n.TakesText() || inner.n.Tag == "a" || inner.n.Tag == "button" {
			return -1
		}
		if outer.score >= inner.score {
			return 1
		}
		return -1
	case operable(outer.n) && !operable(inner.n):
		if inner.kind > outer.kind {
			return -1
		}
		return 1
	case outer.score > inner.score+1:
		return 1
	}
	return -1
}
