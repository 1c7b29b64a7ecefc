package locate

import (
	"cmp"
	"slices"
	"strings"

	"harness/dom"
)

// controlKind is what a control of a calendar is for.
type controlKind int

const (
	turns    controlKind = iota // shows another month or year
	drills                      // shows a choice of months or years: a heading
	confirms                    // takes over what was chosen
	cancels
)

// pageControl is something in a calendar's panel that can be pressed, or set.
type pageControl struct {
	node  *dom.Node
	kind  controlKind
	by    int // of turns: months that it is thought to move, with its sign
	of    int // of turns: index of the month that it stands at
	score int // how sure, 0-100
	off   bool
}

const (
	maxControl     = 90.0 // CSS px, the sides of an icon that may turn pages
	maxControlText = 40   // bytes of a control's text
	maxRise        = 7    // levelsUp from the months to the edge of their panel
)

// control finds what turns the pages and what takes over the choice, and grows
// the panel to hold them.
func (r *calendarReader) control(c *calendar, groups [][]monthPage, own int) {
	up := c.panel
	for range maxRise {
		c.controls = c.collect(up, r.words)
		if c.turners() >= 2 {
			break
		}
		p := parentElement(up)
		if p == nil || p.Tag == "body" || p.Tag == "html" || r.foreign(p, groups, own) || tooWide(p, up) || popupRoot(up) && c.turners() > 0 {
			break
		}
		up = p
	}
	c.panel = up
	c.fields = r.monthFields(up)
}

// parentElement is the element above, over the borders of shadow trees, not of
// frames.
func parentElement(n *dom.Node) *dom.Node {
	if n.Parent == nil || !n.Parent.IsElement() {
		return nil
	}
	return n.Parent
}

// tooWide reports that the parent holds much that is no calendar: fields for
// text, or far more text than the months have.
func tooWide(p, inner *dom.Node) bool {
	fields := 0
	p.Walk(func(n *dom.Node) bool {
		if n == inner {
			return false
		}
		if n.TakesText() && n.InputType() != "number" && n.InputType() != "time" && n.Role() != "spinbutton" || n.Tag == "form" || n.Tag == "h1" {
			if ok, _ := n.Visible(); ok {
				fields++
			}
		}
		return true
	})
	return fields > 0
}

// popupRoot reports an element that lies over the page.
func popupRoot(n *dom.Node) bool {
	if n.Facts.Has(dom.Modal) || n.Facts.Has(dom.Fixed) || n.Facts.Has(dom.Absolute) {
		return true
	}
	r := n.Role()
	return r == "dialog" || r == "alertdialog" || r == "tooltip" || r == "menu"
}

func (c *calendar) turners() int {
	prev, next := 0, 0
	for _, k := range c.controls {
		switch {
		case k.kind != turns:
		case k.by < 0:
			prev = 1
		default:
			next = 1
		}
	}
	return prev + next
}

// collect judges every element of the panel that could be pressed.
func (c *calendar) collect(up *dom.Node, words *dateWords) []pageControl {
	places := map[*dom.Node]bool{}
	for i := range c.months {
		m := &c.months[i]
		for k := range m.slots {
			if k >= m.first || len(m.slots[k].days) > 0 {
				places[m.slots[k].node] = true
			}
		}
	}
	var out []pageControl
	up.Walk(func(n *dom.Node) bool {
		if places[n] || n.Tag == dom.TextTag {
			return false
		}
		if n == up || !n.IsElement() {
			return true
		}
		if n.Tag == "select" || n.Tag == "input" {
			return false
		}
		k, ok := c.judgeControl(n, words)
		if ok {
			out = append(out, k)
		}
		return !ok
	})
	if len(out) == 0 || !slices.ContainsFunc(out, func(k pageControl) bool { return k.kind == turns }) {
		out = append(out, c.unnamed(up, places)...)
	}
	slowDown(out)
	for i := range out {
		out[i].of = c.monthAt(out[i])
	}
	slices.SortStableFunc(out, func(a, b pageControl) int { return cmp.Compare(b.score, a.score) })
	return out
}

// monthAt is the month that a control stands at: the nearest one from side to
// side; where that does not tell, the first for turning back, the last for
// turning on.
func (c *calendar) monthAt(k pageControl) int {
	at := 0
	if k.by > 0 {
		at = len(c.months) - 1
	}
	if k.node.Box.Empty() || len(c.months) < 2 {
		return at
	}
	x := k.node.Box.Center().X
	for i := range c.months {
		if b := c.months[i].box(); x >= b.X && x <= b.Right() && !sharesColumn(c, i) {
			return i
		}
	}
	return at
}

// sharesColumn reports a month that stands in one column with another.
func sharesColumn(c *calendar, i int) bool {
	b := c.months[i].box()
	for k := range c.months {
		if o := c.months[k].box(); k != i && o.X < b.Right() && o.Right() > b.X {
			return true
		}
	}
	return false
}

// unnamed are icons in one row above the days that nothing names: of two, the
// first turns back and the second on; of four, the outer ones turn years.
func (c *calendar) unnamed(up *dom.Node, places map[*dom.Node]bool) []pageControl {
	grid := c.months[0].box()
	var row []*dom.Node
	up.Walk(func(n *dom.Node) bool {
		if places[n] || n.Tag == dom.TextTag || n.Tag == "select" {
			return false
		}
		ok, _ := n.Visible()
		small := n.Box.W <= maxControl/2 && n.Box.H <= maxControl/2 && !n.Box.Empty()
		if n.IsElement() && ok && small && (takesPress(n) || n.Facts.Has(dom.Pointer)) && n.InnerText() == "" && !closes(n) && n.Box.Bottom() <= grid.Y+2 {
			row = append(row, n)
			return false
		}
		return true
	})
	slices.SortStableFunc(row, func(a, b *dom.Node) int { return cmp.Compare(a.Box.X, b.Box.X) })
	if c.rtl {
		slices.Reverse(row)
	}
	by := map[int][]int{2: {-1, 1}, 4: {-12, -1, 1, 12}}[len(row)]
	var out []pageControl
	for i, m := range by {
		out = append(out, pageControl{node: row[i], kind: turns, by: m, score: 22, off: row[i].Disabled()})
	}
	return out
}

// slowDown takes a control for years as one for months where its direction has
// no other: a doubled arrow alone says nothing.
func slowDown(list []pageControl) {
	for _, dir := range []int{-1, 1} {
		if slices.ContainsFunc(list, func(k pageControl) bool { return k.kind == turns && k.by == dir }) {
			continue
		}
		for i := range list {
			if k := &list[i]; k.kind == turns && k.by == 12*dir && !named(spokenWords(k.node), yearWords) {
				k.by = dir
			}
		}
	}
}

func named(words string, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.Contains(words, w) })
}

// judgeControl says what the element is for, if it is a control.
func (c *calendar) judgeControl(n *dom.Node, words *dateWords) (pageControl, bool) {
	if ok, _ := n.Visible(); !ok {
		return pageControl{}, false
	}
	for i := range c.months {
		if c.months[i].grid.Within(n) {
			return pageControl{}, false
		}
	}
	text := Fold(n.InnerText())
	if len(text) > maxControlText {
		return pageControl{}, false
	}
	if !takesPress(n) && holdsPress(n) {
		return pageControl{}, false
	}
	k := pageControl{node: n, off: n.Disabled() || n.Facts.Has(dom.NoPointer) && !c.allOff()}
	touchable := takesPress(n) || n.Facts.Has(dom.Pointer) || n.Facts.Has(dom.Focusable)
	spoken := spokenWords(n)
	if _, m, ok := words.monthYear(text); ok && touchable && (m > 0 || len(text) >= 4) {
		k.kind, k.score = drills, 60
		return k, true
	}
	if touchable && slices.Contains(okWords, text) {
		k.kind, k.score = confirms, 80
		return k, true
	}
	if closes(n) && (text == "" || signsOnly(text)) {
		k.kind, k.score = cancels, 60
		return k, true
	}
	if touchable && (slices.Contains(cancelWords, text) || text == "" && slices.Contains(cancelWords, spoken)) {
		k.kind, k.score = cancels, 80
		return k, true
	}
	if slices.Contains(todayWords, text) || slices.Contains(todayWords, spoken) {
		return pageControl{}, false
	}
	return c.judgeTurn(k, text, spoken, touchable)
}

// holdsPress reports an element with controls inside: it is no control itself.
func holdsPress(n *dom.Node) bool {
	found := false
	n.Walk(func(c *dom.Node) bool {
		if c != n && c.IsElement() && (takesPress(c) || c.Facts.Has(dom.Focusable) || c.Facts.Has(dom.Pointer) && !n.Facts.Has(dom.Pointer)) {
			found = true
		}
		return !found
	})
	return found
}

// closes reports an icon that is named for closing.
func closes(n *dom.Node) bool {
	return slices.ContainsFunc(classWords(n), func(w string) bool { return w == "close" || w == "cross" || w == "clear" || w == "dismiss" })
}

// spokenWords is how the element is named beside its text.
func spokenWords(n *dom.Node) string {
	for _, t := range []string{n.Attr("aria-label"), n.Attr("title"), iconName(n), n.Name()} {
		if t = Fold(t); t != "" {
			return t
		}
	}
	return ""
}

// iconName is the name that an icon inside the element gives it.
func iconName(n *dom.Node) string {
	var found string
	n.Walk(func(c *dom.Node) bool {
		if found == "" && c != n && c.IsElement() {
			for _, a := range []string{"aria-label", "title", "alt", "svg-title"} {
				if v := c.Attr(a); v != "" {
					found = v
					break
				}
			}
		}
		return found == ""
	})
	return found
}

// judgeTurn weighs what speaks for turning back and for turning on.
func (c *calendar) judgeTurn(k pageControl, text, spoken string, touchable bool) (pageControl, bool) {
	n := k.node
	plain := text == "" || signsOnly(text)
	dir, year := wordsTurn(spoken+" "+text, &plain)
	weak, weakYear := classTurn(n)
	side := c.side(n)
	strong := dir
	if s := signTurn(text); s != 0 {
		if c.rtl {
			dir += s * 10
		} else {
			dir += s * 35
		}
		year = year || strings.ContainsAny(text, fastSigns) || len([]rune(strings.ReplaceAll(text, " ", ""))) > 1
		strong = s
	}
	if !plain && (weak == 0 || side != weak) {
		return k, false
	}
	dir += weak*30 + side*20
	year = year || weakYear
	small := n.Box.W <= maxControl && n.Box.H <= maxControl*2
	switch {
	case dir == 0 || !small && strong == 0:
		return k, false
	case strong == 0 && weak == 0 && (!touchable || side == 0):
		return k, false
	case !touchable && strong == 0 && n.Box.Empty():
		return k, false
	case !touchable && strong == 0 && weak != 0 && side == 0:
		return k, false
	}
	k.kind, k.by, k.score = turns, 1, min(95, max(dir, -dir))
	if dir < 0 {
		k.by = -1
	}
	if year {
		k.by *= 12
	}
	if touchable {
		k.score = min(99, k.score+5)
	}
	return k, true
}

// side says where the element lies: -1 on the side of the past, 1 on that of
// the future, seen from the headings; 0 where it lies elsewhere.
func (c *calendar) side(n *dom.Node) int {
	b := n.Box
	if b.Empty() {
		return 0
	}
	var grids, heads dom.Rect
	for i := range c.months {
		grids = grids.Union(c.months[i].box())
		if l := c.months[i].label; l != nil && !l.Box.Empty() {
			heads = heads.Union(l.Box)
		}
	}
	s := 0
	x, y := b.Center().X, b.Center().Y
	switch {
	case heads.Empty() || grids.Empty():
		return 0
	case y > heads.Y-heads.H && y < heads.Bottom()+heads.H && y < grids.Y+heads.H:
		s = sideOf(x, heads)
	case y > grids.Y && y < grids.Bottom():
		s = sideOf(x, grids)
	}
	if c.rtl {
		s = -s
	}
	return s
}

func sideOf(x float64, of dom.Rect) int {
	switch {
	case x < of.Center().X-of.W/4 && x < of.X+of.W/2 && x <= of.X+1:
		return -1
	case x >= of.Right()-1:
		return 1
	case x < of.X:
		return -1
	}
	return 0
}
