package classify

import (
	"strings"

	"harness/dom"
)

// choice judges drawn lists to choose from: what opens one, and its options.
func choice(sc *scene) verdict {
	if v := opener(sc); v.ok() {
		return v
	}
	return option(sc)
}

// opener judges an element that shows a value and opens a list.
func opener(sc *scene) verdict {
	n := sc.n
	text := strings.ToLower(sc.words())
	if !short(text, maxLabel) || n.Tag == "li" || n.Tag == "ul" || n.Tag == "a" || holdsControl(n) {
		return none
	}
	own := ownText(n)
	list := listBeside(n)
	caret := caretIn(n)
	asks := hasPhrase(strings.ToLower(own), pickPhrases)
	named := sc.is(selectWords)
	switch {
	case list != nil && listHolds(list, own):
		v := is(Select, 65, "it shows "+quote(own)+", one of the list beside it")
		return opens(v, sc, caret, named)
	case list != nil && asks:
		return opens(is(Select, 65, "it asks to choose, with a list beside it"), sc, caret, named)
	case caret && asks, caret && named:
		return opens(is(Select, 45, "a short text"), sc, caret, named)
	case named && asks && sc.press > 0:
		return opens(is(Select, 45, "it asks to choose"), sc, caret, named)
	}
	return none
}

func opens(v verdict, sc *scene, caret, named bool) verdict {
	if caret {
		v = v.plus(12, "an arrow that points down")
	}
	if named {
		v = v.plus(8, "it is called a select")
	}
	if sc.press > 0 {
		v = v.plus(8, sc.why[0])
	}
	return v
}

// ownText is the text of n without a list that opens inside it.
func ownText(n *dom.Node) string {
	var parts []string
	for _, c := range n.Children {
		if isElement(c) && listIn(c) != nil {
			continue
		}
		if t := words(c, maxLabel); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.TrimRight(strings.Join(parts, " "), " ▾▼∨⌄")
}

// listBeside is the list that n opens: the next element or one inside n.
func listBeside(n *dom.Node) *dom.Node {
	list, at := siblings(n)
	if at+1 < len(list) {
		if l := listIn(list[at+1]); l != nil {
			return l
		}
	}
	for _, c := range elements(n) {
		if l := listIn(c); l != nil {
			return l
		}
	}
	return nil
}

// listIn is the element, n or the only one in it, that holds at least two
// short texts built alike and nothing else.
func listIn(n *dom.Node) *dom.Node {
	n = unwrap(n)
	kids := elements(n)
	if len(kids) < 2 || len(kids) > 300 {
		return nil
	}
	for _, k := range kids[:min(len(kids), 12)] {
		if k.Tag != kids[0].Tag || !short(words(k, maxLabel), maxLabel) {
			return nil
		}
	}
	switch {
	case kids[0].Tag == "li", role(kids[0]) == "option", n.Facts.Has(dom.Absolute), n.Facts.Has(dom.Fixed), hidden(n), !n.Facts.Has(dom.Rendered):
		return n
	}
	return nil
}

func listHolds(list *dom.Node, text string) bool {
	if text == "" {
		return false
	}
	for _, k := range elements(list) {
		if words(k, maxLabel) == text {
			return true
		}
	}
	return false
}

// caretIn looks for an arrow that points down: a sign, an empty element that is
// called so, or a small picture at the end.
func caretIn(n *dom.Node) bool {
	if strings.ContainsAny(n.After, "▾▼∨⌄") {
		return true
	}
	kids := n.Children
	if len(kids) == 0 {
		return false
	}
	last := kids[len(kids)-1]
	if last.Tag == dom.TextTag {
		return strings.ContainsAny(last.Text, "▾▼⌄")
	}
	return isCaret(last)
}

func isCaret(n *dom.Node) bool {
	t := words(n, 4)
	if t != "" {
		return strings.ContainsAny(t, "▾▼∨⌄")
	}
	if anyOf(classWords(n), caretWords) || anyOf(nameWords(attr(n, "aria-label")), caretWords) {
		return true
	}
	inner := find(n, func(c *dom.Node) bool { return anyOf(classWords(c), caretWords) })
	return inner != nil
}

// caretBeside looks for the arrow right after n.
func caretBeside(n *dom.Node) bool {
	list, at := siblings(n)
	return at+1 < len(list) && isCaret(list[at+1])
}

// option judges one of a list's texts. The list opens over the page from a
// field or opener before it, or is called so.
func option(sc *scene) verdict {
	n := sc.n
	if n.Tag == "a" && has(n, "href") || n.Parent == nil {
		return none
	}
	list := n.Parent
	if !alike(n) || !short(sc.words(), 60) || holdsControl(n) {
		return none
	}
	named := sc.is(optionWords) || anyOf(classWords(list), optionWords) || ancestorIs(list, 2, optionWords)
	field, over := fieldBefore(list)
	switch {
	case field && (over || named):
		v := is(Option, 60, "one of a list that opens from a field")
		return chosenOption(v, sc, named)
	case named && sc.press > 0:
		return chosenOption(is(Option, 48, "one of several built alike"), sc, named)
	case named && n.Tag == "li":
		return chosenOption(is(Option, 45, "an item of a list"), sc, named)
	}
	return none
}

func chosenOption(v verdict, sc *scene, named bool) verdict {
	if named {
		v = v.plus(10, "the list is called one to choose from")
	}
	if sc.press > 0 {
		v = v.plus(10, sc.why[0])
	}
	return v
}

// fieldBefore reports whether a field or opener stands right before the list
// (or before what the list alone stands in), and whether the list lies over
// the page.
func fieldBefore(list *dom.Node) (field, over bool) {
	for range 3 {
		if !isElement(list) {
			return field, over
		}
		if list.Facts.Has(dom.Absolute) || list.Facts.Has(dom.Fixed) || list.Facts.Has(dom.Modal) {
			over = true
		}
		beside, at := siblings(list)
		for i := max(0, at-2); i < at; i++ {
			if opensList(beside[i]) {
				return true, over
			}
		}
		if at > 2 || len(beside) > 4 {
			return false, over
		}
		list = list.Parent
	}
	return field, over
}

func opensList(n *dom.Node) bool {
	if n.Tag == "input" && typed(n) || attr(n, "aria-haspopup") == "listbox" || role(n) == "combobox" {
		return true
	}
	if n.Tag != "input" && find(n, func(c *dom.Node) bool { return c.Tag == "input" && typed(c) }) != nil && count(n, 16) < 16 {
		return true
	}
	return caretIn(n) && short(words(n, maxLabel), maxLabel)
}

// menuItem judges one of the entries of a drawn menu.
func menuItem(sc *scene) verdict {
	n := sc.n
	if n.Tag == "a" && has(n, "href") || n.Parent == nil || holdsControl(n) {
		return none
	}
	named := sc.is(menuWords) || ancestorIs(n, 2, menuWords)
	if !named || sc.press == 0 || !alike(n) || !short(sc.words(), maxLabel) {
		return none
	}
	return is(Menu, 55, "one of the entries of what is called a menu").plus(min(20, sc.press), sc.why[0])
}

// slider judges a track with a handle.
func slider(sc *scene) verdict {
	n := sc.n
	if sc.words() != "" && len(sc.words()) > 24 {
		return none
	}
	named := sc.is(sliderWords) && find(n, picture) == nil
	handle := find(n, func(c *dom.Node) bool { return isHandle(c, n) })
	switch {
	case named && handle != nil:
		v := is(Slider, 68, "a track with a handle", "it is called a slider")
		return trackShape(v, n)
	case handle != nil && measured(n) && isTrack(n) && handle.Facts.Has(dom.Absolute) && sc.words() == "" && thumbSize(handle) && handle.Box.H >= n.Box.H*0.8:
		return is(Slider, 55, "a long track with a small handle upon it")
	}
	return none
}

func isTrack(n *dom.Node) bool { return n.Box.W >= 60 && n.Box.H <= 40 && n.Box.W >= 4*n.Box.H }

func thumbSize(n *dom.Node) bool {
	return n.Box.W >= 6 && n.Box.W <= 40 && n.Box.H >= 6 && n.Box.H <= 40
}

func trackShape(v verdict, n *dom.Node) verdict {
	switch {
	case !measured(n):
		return v
	case isTrack(n):
		return v.plus(15, "it is long and thin")
	case n.Box.H > 120:
		return none
	}
	return v
}

// isHandle reports whether c may be the handle on the track n.
func isHandle(c, n *dom.Node) bool {
	if words(c, 8) != "" || count(c, 6) > 5 {
		return false
	}
	if anyOf(classWords(c), handleWords) && c.Tag != "a" {
		return true
	}
	return measured(c) && thumbSize(c) && c.Facts.Has(dom.Absolute) && c.Parent == n
}

// dateBox judges an element that shows a date or asks for one and is pressed.
func dateBox(sc *scene) verdict {
	n := sc.n
	if len(n.Children) == 0 || len(n.Children) > 6 || n.Tag == "li" || n.Tag == "td" || n.Tag == "time" {
		return none
	}
	if sc.press == 0 {
		return none
	}
	if !short(sc.words(), maxLabel) || holdsControl(n) {
		return none
	}
	v := dateText(n, 62)
	label := ""
	if !v.ok() {
		if label = innerLabel(n); namesDate(label) {
			v = is(Date, 62, "its label "+quote(label)+" names a date")
		} else {
			return none
		}
	}
	if label == "" && namesDate(textBefore(n)) {
		v = v.plus(15, "the text before it names a date")
	}
	if find(n, isCalendarIcon) != nil || iconBeside(n) {
		v = v.plus(12, "a calendar icon")
	}
	return v.plus(min(12, sc.press/2), sc.why[0])
}

// innerLabel is the first of two texts in n: the label over a value.
func innerLabel(n *dom.Node) string {
	kids := elements(n)
	if len(kids) != 2 {
		return ""
	}
	return words(kids[0], maxLabel)
}
