package classify

import (
	"strings"

	"harness/dom"
)

// hintWords are the class words that make an element worth a closer look.
var hintWords = union(tabWords, checkWords, radioWords, buttonWords, selectWords, optionWords, menuWords, sliderWords)

func union(sets ...map[string]bool) map[string]bool {
	m := map[string]bool{}
	for _, s := range sets {
		for w := range s {
			m[w] = true
		}
	}
	return m
}

// areaReason marks a large clickable area, which is listed though it is OTHER.
const areaReason = "a large area that is pressed as a whole"

// drawn judges elements that scripts and styles turn into controls. The rules
// go from the special to the general; the first that applies answers.
func drawn(n *dom.Node) verdict {
	if n.Tag == "label" {
		return label(n)
	}
	sc := newScene(n)
	if sc.press == 0 && !sc.is(hintWords) && n.Tag != "li" && !has(n, "aria-checked") {
		if v := dateBox(sc); v.ok() {
			return v
		}
		return member(sc)
	}
	for _, rule := range [...]func(*scene) verdict{slider, toggle, dateBox, choice, tab, menuItem, press} {
		if v := rule(sc); v.ok() {
			return v
		}
	}
	return none
}

// member judges an element without any mark of its own by the group that it
// stands in or by the word that it bears.
func member(sc *scene) verdict {
	n := sc.n
	if len(n.Children) == 0 || len(n.Children) > 3 || n.Parent == nil {
		return none
	}
	if v := toggle(sc); v.ok() {
		return v
	}
	if v := tab(sc); v.ok() {
		return v
	}
	if len(n.Children) == 1 && n.Children[0].Tag == dom.TextTag && len(n.Children[0].Text) < 24 && loneText(n) {
		if actWords[strings.ToLower(strings.TrimSpace(n.Children[0].Text))] {
			return is(Button, 35, "it bears a word of buttons")
		}
	}
	return none
}

// loneText leaves out the tags whose text is only text.
func loneText(n *dom.Node) bool {
	switch n.Tag {
	case "div", "span", "a", "i", "b":
		return true
	}
	return false
}

// label judges <label>: it stands for its control where that is hidden.
func label(n *dom.Node) verdict {
	c := n.LabelControl()
	if c == nil || c.Tag != "input" {
		return none
	}
	k := inputTypes[strings.ToLower(attr(c, "type"))]
	if k != Checkbox && k != Radio {
		return none
	}
	what := strings.ToLower(string(k))
	if visible, why := c.Visible(); visible && !tiny(c) {
		return is(Other, 85, "the label of a "+what+" that is visible itself")
	} else if why != "" {
		return firmly(k, 90, "the label of a hidden "+what, why)
	}
	return firmly(k, 85, "the label of a "+what+" that is too small to see")
}

func tiny(n *dom.Node) bool { return measured(n) && (n.Box.W <= 2 || n.Box.H <= 2) }

// toggle judges drawn checkboxes, switches and radio buttons.
func toggle(sc *scene) verdict {
	n := sc.n
	if has(n, "aria-checked") {
		return is(Checkbox, 80, "it is checked or not")
	}
	if v := hiddenInput(n); v.ok() {
		return v
	}
	if sc.is(switchWords) && sc.press > 0 && len(sc.words()) <= 12 && len(elements(n)) <= 3 && sc.words() == "" {
		return is(Checkbox, 60, "it is called a switch and has no words").plus(min(20, sc.press), "")
	}
	m := marker(n)
	if m == nil {
		return none
	}
	if actWords[strings.ToLower(sc.words())] {
		return none
	}
	if v := radioByGroup(sc, m); v.ok() {
		return v
	}
	return checkByMarker(sc, m)
}

// hiddenInput finds the native input that a drawn toggle wraps and hides.
func hiddenInput(n *dom.Node) verdict {
	if len(n.Children) > 4 || n.Tag == "form" || n.Tag == "li" || n.Tag == "td" || count(n, 12) > 12 {
		return none
	}
	kind := func(c *dom.Node) Kind {
		if c.Tag != "input" {
			return ""
		}
		return inputTypes[strings.ToLower(attr(c, "type"))]
	}
	c := find(n, func(c *dom.Node) bool { k := kind(c); return k == Checkbox || k == Radio })
	if c == nil || c.Closest(func(p *dom.Node) bool { return p == n || p.Tag == "label" }) != n {
		return none
	}
	if visible, why := c.Visible(); !visible {
		return is(kind(c), 75, "it is drawn over a hidden "+strings.ToLower(string(kind(c))), why)
	}
	return none
}

// radioByGroup judges an element with a marker and a text among others of the
// same build, one of which is marked as chosen.
func radioByGroup(sc *scene, m *dom.Node) verdict {
	g, ok := groupOf(sc.n, 10)
	named := sc.is(radioWords)
	if !ok || g.onCount > 1 {
		return none
	}
	for _, s := range g.members {
		if marker(s) == nil {
			return none
		}
	}
	if g.on < 0 && !named {
		return none
	}
	v := is(Radio, 62, "a mark and a text, one of several built alike")
	if g.on >= 0 {
		v = v.plus(8, "one of them is chosen")
	}
	return tick(sc, m, v, named, "it is called a radio button")
}

func checkByMarker(sc *scene, m *dom.Node) verdict {
	named := sc.is(checkWords) || anyOf(classWords(m), checkWords)
	ticked := strings.ContainsAny(words(m, 4)+m.Before+m.After, "✓✔☑☐")
	if sc.is(radioWords) {
		return tick(sc, m, is(Radio, 60, "a mark and a text"), true, "it is called a radio button")
	}
	if fits, known := tickSize(m); !named && !ticked && (sc.press == 0 || known && !fits) {
		return none
	}
	v := is(Checkbox, 50, "a mark and a text")
	if ticked {
		v = v.plus(20, "the mark is a tick")
	}
	return tick(sc, m, v, named, "it is called a checkbox")
}

// tick adds what all marks to tick have in common.
func tick(sc *scene, m *dom.Node, v verdict, named bool, why string) verdict {
	if named {
		v = v.plus(12, why)
	}
	if fits, known := tickSize(m); fits {
		v = v.plus(10, "the mark has the size of a box to tick")
	} else if known {
		v = v.plus(-10, "the mark has not the size of a box to tick")
	}
	if sc.press > 0 {
		v = v.plus(8, sc.why[0])
	}
	return v
}

// tab judges one of a row of short texts of which one is the current one.
func tab(sc *scene) verdict {
	n := sc.n
	g, ok := groupOf(n, 12)
	if !ok || g.numbered() {
		if n.Tag == "a" && n.Parent != nil && n.Parent.Tag == "li" {
			return tabInItem(n)
		}
		return none
	}
	named := sc.is(tabWords) || ancestorIs(n, 2, tabWords)
	controls := has(n, "aria-controls") || has(n, "aria-selected")
	if (g.onCount != 1 && !named) || (!g.pressable() && !named && !controls) || noTab(n) {
		return none
	}
	if n.Tag == "button" && !named && !has(n, "aria-selected") {
		return none
	}
	v := is(Tab, 40, "one of a row of short texts")
	if g.onCount == 1 {
		v = v.plus(18, "one of them is the current one")
	}
	if named {
		v = v.plus(18, "they are called tabs")
	}
	if controls {
		v = v.plus(12, "it controls another part of the page")
	}
	if row, known := g.inRow(); row {
		v = v.plus(5, "they stand beside one another")
	} else if known && !named {
		return none
	}
	if g.pressable() {
		v = v.plus(8, "they are pressed")
	}
	return v
}

// tabInItem judges <li><a href="#part">: the items are the group.
func tabInItem(a *dom.Node) verdict {
	if len(a.Parent.Children) > 1 {
		return none
	}
	g, ok := groupOf(a.Parent, 12)
	named := ancestorIs(a, 3, tabWords) || has(a, "aria-controls")
	if !ok || !named || g.numbered() {
		return none
	}
	v := is(Tab, 65, "one of a row of items that are called tabs")
	if g.onCount == 1 || chosen(a) {
		v = v.plus(10, "one of them is the current one")
	}
	return v
}

// noTab leaves out what stands in rows without being a tab.
func noTab(n *dom.Node) bool {
	switch n.Tag {
	case "option", "td", "th", "tr", "p", "h1", "h2", "h3", "label", "dt", "dd":
		return true
	}
	return find(n, formControl) != nil
}

// press judges what is left: whatever is made to be pressed is a button,
// unless it holds more than one thing.
func press(sc *scene) verdict {
	n := sc.n
	named := sc.is(buttonWords)
	if sc.press == 0 && !named {
		return none
	}
	if holdsControl(n) || delegates(n) {
		return none
	}
	if big(n) {
		if sc.press < 20 {
			return none
		}
		return is(Other, 40, areaReason).plus(0, sc.why[0])
	}
	v := is(Button, 35+min(40, sc.press), sc.why...)
	if named {
		v = v.plus(15, "it is called a button")
	}
	text := strings.ToLower(sc.words())
	switch {
	case actWords[text]:
		v = v.plus(12, "it bears a word of buttons")
	case text == "" && len(n.Children) == 0 && !named && !n.Facts.Has(dom.Icon) && !has(n, "aria-label") && !has(n, "title"):
		if n.Box.W > 160 {
			return none
		}
		v = v.plus(-15, "it shows nothing")
	case short(text, 16):
		v = v.plus(5, "it bears a short text")
	}
	return v
}

// delegates reports whether an element listens for presses on what is in it:
// several things of its own, of which one is the current one or which alone
// show the hand.
func delegates(n *dom.Node) bool {
	kids := elements(n)
	if len(kids) < 2 || n.Facts.Has(dom.Pointer) {
		return false
	}
	if kids[0].Tag == "li" {
		return true
	}
	for _, k := range kids {
		if k.Facts.Has(dom.Pointer) {
			return true
		}
	}
	g, ok := groupOf(kids[0], 12)
	return ok && g.onCount == 1
}

func holdsControl(n *dom.Node) bool { return find(n, isControl) != nil }

// isControl reports whether tag or role make n something that is used.
func isControl(n *dom.Node) bool {
	switch n.Tag {
	case "input", "select", "textarea", "button":
		return true
	case "a":
		return has(n, "href")
	}
	return roleKinds[role(n)] != ""
}
