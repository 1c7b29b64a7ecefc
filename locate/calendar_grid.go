package locate

import (
	"math"
	"slices"
	"strings"

	"harness/dom"
)

// What makes a run of places a month.
const (
	minDays       = 20 // places of a month that must show their number
	maxDays       = 31 // days of a month
	maxOddDays    = 3  // places inside a month that may show another number
	maxPlaceDays  = 4  // day-like texts in one place
	maxPlaceDepth = 9  // levelsUp from the grid to its places
)

// gridFinder looks for months in one pass over the tree.
type gridFinder struct {
	*calendarReader
	months []monthPage
}

// walk returns the day-like texts below n and whether a month was found there:
// the lowest element that holds a whole month is its grid.
func (f *gridFinder) walk(n *dom.Node) (days int, taken bool) {
	switch n.Tag {
	case dom.TextTag:
		if _, ok := dayNum(n.Text); ok {
			return 1, false
		}
		return 0, false
	case "select", "svg", "datalist", "textarea":
		return 0, false
	}
	for _, c := range n.Children {
		d, t := f.walk(c)
		days, taken = days+d, taken || t
	}
	if days == 0 && n.IsElement() && (n.Before != "" || len(n.Attrs) > 0) && f.bearsDay(n) {
		days = 1
	}
	if taken || days < minDays || !n.IsElement() {
		return days, taken
	}
	if ok, _ := n.Visible(); !ok {
		return 0, false
	}
	found := f.readGrid(n)
	f.months = append(f.months, found...)
	return days, len(found) > 0
}

// bearsDay reports an element that shows no number but says its day otherwise.
func (f *gridFinder) bearsDay(n *dom.Node) bool {
	if _, ok := dayNum(n.Before); ok {
		return true
	}
	return len(f.attrDates(n)) > 0
}

// readGrid reads the element as the grid of one or more months.
func (f *gridFinder) readGrid(n *dom.Node) []monthPage {
	var best []monthPage
	bestScore := 0
	for _, slots := range f.layouts(n) {
		ms, score := f.align(n, slots)
		if score > bestScore {
			best, bestScore = ms, score
		}
	}
	return best
}

// layouts are the ways to read the places of n: the elements of one depth below
// it, with a oneColumn of week numbers left out.
func (f *gridFinder) layouts(n *dom.Node) [][]place {
	var out [][]place
	for depth := 1; depth <= maxPlaceDepth; depth++ {
		nodes := atDepth(n, depth, nil)
		if len(nodes) < minDays {
			continue
		}
		slots, ok := f.makeSlots(nodes)
		if !ok {
			continue
		}
		out = append(out, slots)
		for _, edge := range []int{0, 7} {
			if cut := dropColumn(slots, edge); cut != nil {
				out = append(out, cut)
			}
		}
		if len(out) >= 6 {
			break
		}
	}
	return out
}

// atDepth is the elements that many levelsUp below n. Slots and fragments of
// rows without a box of their own are levelsUp too.
func atDepth(n *dom.Node, depth int, out []*dom.Node) []*dom.Node {
	for _, c := range n.Children {
		if !c.IsElement() {
			if c.Tag == dom.DocumentTag {
				continue
			}
			continue
		}
		if depth > 1 {
			out = atDepth(c, depth-1, out)
		} else if hasBox(c) {
			out = append(out, c)
		}
	}
	return out
}

func hasBox(n *dom.Node) bool {
	return n.Facts.Has(dom.Rendered) || n.Facts.Has(dom.Inline) || n.Snapshot().Saved && !n.HasAttr("hidden")
}

// makeSlots reads the elements as places; it fails where an element holds more
// numbers than one place would, or too few places hold any.
func (f *gridFinder) makeSlots(nodes []*dom.Node) ([]place, bool) {
	slots := make([]place, len(nodes))
	full := 0
	for i, n := range nodes {
		s := place{node: n, col: -1}
		s.days = placeDays(n, nil)
		if len(s.days) > maxPlaceDays {
			return nil, false
		}
		s.dates = f.placeDates(n)
		if len(s.days) == 0 && len(s.dates) > 0 {
			s.days = []int{s.dates[0].Day}
		}
		if len(s.days) > 0 {
			full++
		}
		s.words = Fold(n.InnerText())
		slots[i] = s
	}
	if full < minDays {
		return nil, false
	}
	setColumns(slots)
	return slots, true
}

// placeDays are the numbers below n that may be its day.
func placeDays(n *dom.Node, days []int) []int {
	if len(days) > maxPlaceDays {
		return days
	}
	if n.Tag == dom.TextTag {
		if d, ok := dayNum(n.Text); ok {
			days = append(days, d)
		} else if d, ok := leadingDay(n.Text); ok {
			days = append(days, d)
		}
		return days
	}
	if d, ok := dayNum(n.Before); ok {
		days = append(days, d)
	}
	if !n.Facts.Has(dom.Rendered) && !n.Facts.Has(dom.Inline) {
		return days
	}
	for _, c := range n.Children {
		days = placeDays(c, days)
	}
	return days
}

// leadingDay reads "30 ¥480" and "30 Jan": a number with more behind a blank.
func leadingDay(s string) (int, bool) {
	head, rest, ok := strings.Cut(strings.TrimSpace(s), " ")
	if !ok || len(rest) > 24 || strings.HasPrefix(rest, "%") {
		return 0, false
	}
	return dayNum(head)
}

// setColumns numbers the columns by the places' boxes, or by their rows where
// there are none.
func setColumns(slots []place) {
	if !measuredPlaces(slots) {
		columnsByRows(slots)
		return
	}
	var xs []float64
	for _, s := range slots {
		x := s.node.Box.Center().X
		if !slices.ContainsFunc(xs, func(o float64) bool { return math.Abs(o-x) < s.node.Box.W/2 }) {
			xs = append(xs, x)
		}
	}
	if len(xs) < 2 || len(xs) > 16 {
		return
	}
	slices.Sort(xs)
	for i := range slots {
		for k, x := range xs {
			if math.Abs(x-slots[i].node.Box.Center().X) < slots[i].node.Box.W/2 {
				slots[i].col = k
				break
			}
		}
	}
	if backwards(slots) {
		for i := range slots {
			slots[i].col = len(xs) - 1 - slots[i].col
		}
	}
}

func measuredPlaces(slots []place) bool {
	for _, s := range slots {
		if s.node.Box.Empty() && (len(s.days) > 0) {
			return false
		}
	}
	return true
}

// backwards reports rows that run from right to left.
func backwards(slots []place) bool {
	left, right := 0, 0
	for i := 1; i < len(slots); i++ {
		a, b := slots[i-1].node.Box, slots[i].node.Box
		if math.Abs(a.Center().Y-b.Center().Y) > a.H/2 {
			continue
		}
		if b.X < a.X {
			left++
		} else if b.X > a.X {
			right++
		}
	}
	return left > right
}

// columnsByRows counts along the parents; places that span columns count as many.
func columnsByRows(slots []place) {
	col := 0
	for i := range slots {
		if i > 0 && slots[i].node.Parent != slots[i-1].node.Parent {
			col = 0
		}
		slots[i].col = col
		col += spanOf(slots[i].node)
	}
	if slots[0].node.Parent != slots[len(slots)-1].node.Parent {
		return
	}
	for i := range slots { // one flat list: only where it fills weeks of seven
		slots[i].col = -1
		if len(slots)%7 == 0 {
			slots[i].col = i % 7
		}
	}
}

func spanOf(n *dom.Node) int {
	if v := n.Attr("colspan"); len(v) == 1 && v[0] > '1' && v[0] <= '9' {
		return int(v[0] - '0')
	}
	return 1
}

// dropColumn leaves out the first or last of eight columns; nil where there are
// not eight.
func dropColumn(slots []place, edge int) []place {
	last := -1
	for _, s := range slots {
		last = max(last, s.col)
	}
	if last < 0 && len(slots)%8 == 0 {
		return dropEvery(slots, edge)
	}
	if last != 7 {
		return nil
	}
	out := make([]place, 0, len(slots))
	for _, s := range slots {
		if s.col == edge {
			continue
		}
		if edge == 0 {
			s.col--
		}
		out = append(out, s)
	}
	return out
}

func dropEvery(slots []place, edge int) []place {
	out := make([]place, 0, len(slots))
	for i, s := range slots {
		if i%8 == edge {
			continue
		}
		s.col = len(out) % 7
		out = append(out, s)
	}
	return out
}

// align finds the months that the places count, and how well they do: a point
// for each place that shows its day, less where one shows another.
func (f *gridFinder) align(n *dom.Node, slots []place) ([]monthPage, int) {
	votes := map[int]int{}
	for i, s := range slots {
		for _, d := range s.days {
			votes[i-d+1]++
		}
	}
	var firsts []int
	for at, v := range votes {
		if v >= minDays {
			firsts = append(firsts, at)
		}
	}
	slices.Sort(firsts)
	var out []monthPage
	score := 0
	for _, first := range firsts {
		m := monthPage{grid: n, slots: slots, first: first, start: -1}
		if s := m.count(); s > 0 && !m.oneColumn() {
			out, score = append(out, m), score+s
		}
	}
	return out, score
}

// count measures the month at m.first; 0 where it is none.
func (m *monthPage) count() int {
	agree, odd := 0, 0
	for day := 1; day <= maxDays; day++ {
		i := m.first + day - 1
		if i < 0 {
			continue
		}
		if i >= len(m.slots) {
			break
		}
		switch s := &m.slots[i]; {
		case slices.Contains(s.days, day):
			agree++
			m.length = day
		case len(s.days) > 0 && day <= 28:
			odd++
		}
	}
	m.stretch()
	if agree < minDays || odd > maxOddDays || m.length < 28 || m.goesOn() {
		return 0
	}
	return agree*2 - odd*3
}

// stretch takes in words at the month's end that stand in place of its last
// days: "New Year's Eve" for 31.
func (m *monthPage) stretch() {
	for m.length >= 26 && m.length < maxDays {
		i := m.first + m.length
		if i >= len(m.slots) || len(m.slots[i].days) > 0 || m.slots[i].words == "" || len(m.slots[i].dates) == 0 && m.length >= 28 {
			return
		}
		m.length++
	}
}

// goesOn reports a list that counts past 31: pages or seats, no days.
func (m *monthPage) goesOn() bool {
	i := m.first + maxDays
	if m.length < maxDays || i >= len(m.slots) {
		return false
	}
	return m.slots[i].words == "32"
}

// oneColumn reports days that all stand below one another, as in a wheel.
func (m *monthPage) oneColumn() bool {
	first := m.firstShown()
	if first == nil || first.node.Box.Empty() {
		return false
	}
	for d := 1; d <= m.length; d++ {
		if s := m.at(d); s != nil && math.Abs(s.node.Box.X-first.node.Box.X) > 2 {
			return false
		}
	}
	return true
}
