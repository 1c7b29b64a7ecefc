package classify

import (
	"strings"

	"harness/dom"
)

// scene is an element that says nothing by tag or role, with what its
// surroundings tell. The parts that cost are worked out when asked for.
type scene struct {
	n     *dom.Node
	class []string
	press int      // points for being made to be pressed
	why   []string // of press
	text  string   // visible text, cut off
	read  bool
}

func newScene(n *dom.Node) *scene {
	sc := &scene{n: n, class: classWords(n)}
	sc.lookForPress()
	return sc
}

func (sc *scene) is(list map[string]bool) bool { return anyOf(sc.class, list) }

func (sc *scene) words() string {
	if !sc.read {
		sc.text, sc.read = words(sc.n, 80), true
	}
	return sc.text
}

// lookForPress adds up what says that the element is pressed.
func (sc *scene) lookForPress() {
	n := sc.n
	add := func(points int, why string) {
		sc.press += points
		sc.why = append(sc.why, why)
	}
	if n.Facts.Has(dom.Listener) {
		add(25, "it listens for presses")
	}
	if pointerRoot(n) {
		add(20, "the mouse shows a hand over it")
	}
	if t := attr(n, "tabindex"); t != "" && t[0] != '-' {
		add(20, "the Tab key reaches it")
	}
	if has(n, "aria-pressed") || has(n, "aria-expanded") || has(n, "aria-haspopup") {
		add(20, "it has the state of a control")
	}
}

// pointerRoot reports whether the hand cursor begins at n: descendants inherit it.
func pointerRoot(n *dom.Node) bool {
	if !n.Facts.Has(dom.Pointer) {
		return false
	}
	p := n.Parent
	return !isElement(p) || !p.Facts.Has(dom.Pointer) || big(p)
}

// big reports whether an element holds more than one thing to a person.
func big(n *dom.Node) bool {
	return count(n, 30) > 30 || !short(words(n, 100), 80) && len(n.Children) > 1
}

// marker is the small empty element beside a short text, as drawn checkboxes
// and radio buttons have; nil if there is none.
func marker(n *dom.Node) *dom.Node {
	if len(n.Children) < 2 || len(n.Children) > 3 {
		return nil
	}
	first, last := n.Children[0], n.Children[len(n.Children)-1]
	for _, pair := range [...][2]*dom.Node{{first, last}, {last, first}} {
		if isMarker(pair[0]) && short(words(pair[1], maxLabel), maxLabel) {
			return pair[0]
		}
	}
	return nil
}

func isMarker(n *dom.Node) bool {
	switch n.Tag {
	case "i", "span", "div", "em", "b", "s", "ins":
	default:
		return false
	}
	if n.Facts.Has(dom.Icon) || count(n, 4) > 3 || find(n, picture) != nil || anyOf(classWords(n), iconWords) {
		return false
	}
	if text := words(n, 8); text != "" && !strings.ContainsAny(text, "✓✔☑☐□■●○◉") {
		return false
	}
	return !measured(n) || (n.Box.W <= 60 && n.Box.H <= 40)
}

// tickSize reports whether a marker has the shape of a box or ring to tick.
func tickSize(n *dom.Node) (fits, known bool) {
	if !measured(n) {
		return false, false
	}
	b := n.Box
	diff := b.W - b.H
	return b.W >= 8 && b.W <= 30 && diff <= 3 && diff >= -3, true
}

var iconWords = set("icon", "ico", "svg", "img", "arrow", "close", "caret", "glyph", "badge", "avatar", "logo")

func picture(n *dom.Node) bool { return n.Tag == "svg" || n.Tag == "img" || n.Tag == "canvas" }

// group is a row of siblings built alike.
type group struct {
	members []*dom.Node
	on      int // place of the one member that is marked as chosen; -1
	onCount int
	texts   []string
}

// groupOf reads the siblings of n as a group; ok is false where they are not
// alike, too many or without short texts.
func groupOf(n *dom.Node, limit int) (g group, ok bool) {
	if n.Parent == nil || len(n.Parent.Children) > 2*limit+1 {
		return g, false
	}
	list := elements(n.Parent)
	if len(list) < 2 || len(list) > limit {
		return g, false
	}
	g = group{members: list, on: -1}
	for i, s := range list {
		text := words(s, maxLabel)
		if s.Tag != n.Tag || !short(text, 24) {
			return g, false
		}
		g.texts = append(g.texts, text)
		if chosen(s) {
			g.on = i
			g.onCount++
		}
	}
	return g, true
}

// chosen reports whether an element, or the only one in it, is marked as the
// chosen one of its group.
func chosen(n *dom.Node) bool {
	for range 2 {
		if attr(n, "aria-selected") == "true" || attr(n, "aria-checked") == "true" || attr(n, "aria-current") != "" && attr(n, "aria-current") != "false" {
			return true
		}
		if anyOf(classWords(n), onWords) {
			return true
		}
		if len(n.Children) != 1 || !isElement(n.Children[0]) {
			return false
		}
		n = n.Children[0]
	}
	return false
}

// pressable reports whether any member, or what they stand in, says that it is
// pressed.
func (g group) pressable() bool {
	if p := g.members[0].Parent; p != nil && p.Facts.Has(dom.Listener) && isElement(p) && p.Tag != "body" {
		return true
	}
	for _, m := range g.members {
		if m.Facts.Has(dom.Listener) || m.Facts.Has(dom.Pointer) || has(m, "tabindex") {
			return true
		}
	}
	return false
}

// inRow reports whether the members stand beside one another; known is false
// where there are no boxes.
func (g group) inRow() (row, known bool) {
	a, b := g.members[0], g.members[1]
	if !measured(a) || !measured(b) {
		return false, false
	}
	diff := a.Box.Y - b.Box.Y
	return diff < a.Box.H/2 && diff > -a.Box.H/2 && a.Box.X != b.Box.X, true
}

// numbered reports whether the members are all numbers, as pages of a list are.
func (g group) numbered() bool {
	plain := 0
	for _, t := range g.texts {
		if _, ok := number(t); ok {
			plain++
		}
	}
	return plain*2 > len(g.texts)
}

// ancestorIs looks for class words or roles on the next few ancestors.
func ancestorIs(n *dom.Node, levels int, list map[string]bool) bool {
	for p := n.Parent; isElement(p) && levels > 0; p, levels = p.Parent, levels-1 {
		if anyOf(classWords(p), list) {
			return true
		}
	}
	return false
}
