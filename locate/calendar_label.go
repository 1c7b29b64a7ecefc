package locate

import (
	"cmp"
	"slices"

	"harness/dom"
)

// monthLabel is something that may say which month is shown.
type monthLabel struct {
	node        *dom.Node
	year, month int // 0: not said
	seen        bool
}

// monthField is a native control for the month or the year.
type monthField struct {
	node    *dom.Node
	year    bool        // for the year; else for the month
	options map[int]int // by month (1-12) or year: index of the option; nil for an input
}

// monthGuess is a month that a label may give to a grid.
type monthGuess struct {
	is    yearMonth
	score int
	label *dom.Node
}

const maxClimb = 10 // levelsUp from a grid to its heading

// name works out which months the calendar shows, and finds its panel.
func (r *calendarReader) name(c *calendar, groups [][]monthPage, own int) {
	lists := make([][]monthGuess, len(c.months))
	c.panel = c.months[0].grid
	for i := range c.months {
		m := &c.months[i]
		c.panel = commonAncestor(c.panel, m.grid)
		m.start = r.weekStart(m)
		lists[i] = r.guesses(m, groups, own)
		if r.nameByCells(m) {
			for _, g := range lists[i] {
				if g.is == m.is {
					m.label = g.label
					break
				}
			}
		}
	}
	assignMonths(c.months, lists)
	for i := range c.months {
		if l := c.months[i].label; l != nil {
			if up := commonAncestor(c.panel, l); up != nil && levelsUp(c.panel, up) <= maxClimb {
				c.panel = up
			}
		}
	}
}

// nameByCells reads the month from whole dates that the cells carry.
func (r *calendarReader) nameByCells(m *monthPage) bool {
	votes, best := map[yearMonth]int{}, yearMonth(0)
	for d := 1; d <= m.length; d++ {
		s := m.at(d)
		if s == nil {
			continue
		}
		for _, c := range s.dates {
			if c.Day == d {
				if votes[c.in()]++; votes[c.in()] > votes[best] {
					best = c.in()
				}
			}
		}
	}
	if votes[best] < 10 || best.days() < m.length {
		return false
	}
	m.is, m.sure, m.dated, m.length = best, 98, true, min(m.length, best.days())
	return true
}

// guesses are the months that the labels around the grid allow, best first,
// from the lowest level that has any.
func (r *calendarReader) guesses(m *monthPage, groups [][]monthPage, own int) []monthGuess {
	var carried []monthLabel // a month without a year, or the other way round
	up := m.grid
	for range maxClimb {
		if up == nil || up.Tag == dom.DocumentTag || up.Tag == "html" || r.foreign(up, groups, own) {
			break
		}
		labels := dropMenus(r.labels(up, groups), len(monthsIn(up, groups)))
		if gs := r.fitting(m, labels); len(gs) > 0 {
			return gs
		}
		carried = labels
		up = up.Parent
	}
	return r.withoutYear(m, carried)
}

// foreign reports an element that holds another calendar's months.
func (r *calendarReader) foreign(up *dom.Node, groups [][]monthPage, own int) bool {
	for i, g := range groups {
		if i != own && g[0].grid.Within(up) {
			return true
		}
	}
	return false
}

func monthsIn(up *dom.Node, groups [][]monthPage) []*monthPage {
	var out []*monthPage
	for _, g := range groups {
		for i := range g {
			if g[i].grid.Within(up) {
				out = append(out, &g[i])
			}
		}
	}
	return out
}

// labels are the texts, values and names below the element that say a month or
// a year, the places of grids left out.
func (r *calendarReader) labels(up *dom.Node, groups [][]monthPage) []monthLabel {
	places := map[*dom.Node]bool{}
	grids := map[*dom.Node]bool{}
	for _, m := range monthsIn(up, groups) {
		for n := m.grid; n != nil && n != up.Parent; n = n.Parent {
			grids[n] = true
		}
		for i := max(0, m.first); i < len(m.slots); i++ {
			places[m.slots[i].node] = true
		}
	}
	var out []monthLabel
	add := func(n *dom.Node, y, mo int) {
		ok, _ := n.Visible()
		out = append(out, monthLabel{n, y, mo, ok})
	}
	up.Walk(func(n *dom.Node) bool {
		if places[n] {
			return false
		}
		if n.Tag == dom.TextTag {
			if y, mo, ok := r.words.monthYear(n.Text); ok {
				add(n.Parent, y, mo)
			}
			return false
		}
		if !n.IsElement() {
			return true
		}
		if !hasBox(n) {
			return false
		}
		return r.elementLabel(n, grids[n], add)
	})
	return out
}

// elementLabel reads an element as a whole; it answers whether to look into it.
func (r *calendarReader) elementLabel(n *dom.Node, holdsGrid bool, add func(*dom.Node, int, int)) bool {
	switch n.Tag {
	case "select":
		if f, ok := r.selectField(n); ok {
			if f.year {
				add(n, selectedOf(n, f), 0)
			} else {
				add(n, 0, selectedOf(n, f))
			}
		}
		return false
	case "input":
		if y, mo, ok := r.words.monthYear(n.Value); ok && n.TakesText() {
			add(n, y, mo)
		} else if mo := monthInput(n); mo > 0 {
			add(n, 0, mo)
		}
		return false
	}
	if l := n.Attr("aria-label"); l != "" && len(l) < 60 {
		if y, mo, ok := r.words.monthYear(l); ok && mo > 0 && y > 0 {
			add(n, y, mo)
		}
	}
	if holdsGrid {
		return true
	}
	t := n.InnerText()
	if len(t) > 60 || t == "" || holdsSelect(n) {
		return true
	}
	if y, mo, ok := r.words.monthYear(t); ok && y > 0 && mo > 0 {
		add(r.narrow(n, y, mo), y, mo)
		return false
	}
	return true
}

// narrow is the smallest element in n that says the same: a heading without the
// arrows beside it.
func (r *calendarReader) narrow(n *dom.Node, year, month int) *dom.Node {
	for {
		var next *dom.Node
		for _, c := range elementsOf(n) {
			if y, m, ok := r.words.monthYear(c.InnerText()); ok && y == year && m == month {
				next = c
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
}

func holdsSelect(n *dom.Node) bool {
	found := false
	n.Walk(func(c *dom.Node) bool {
		found = found || c.Tag == "select" || c.Tag == "input"
		return !found
	})
	return found
}

// fitting are the months which labels give and the grid bears out, best first.
func (r *calendarReader) fitting(m *monthPage, labels []monthLabel) []monthGuess {
	var out []monthGuess
	for _, l := range labels {
		if l.month == 0 {
			continue
		}
		y := l.year
		if y == 0 {
			y = nearestYear(l, labels)
		}
		if y == 0 {
			continue
		}
		if g, ok := m.judge(monthOf(y, l.month), l); ok {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b monthGuess) int { return cmp.Compare(b.score, a.score) })
	return out
}

// nearestYear is the year label that stands next to the month's.
func nearestYear(l monthLabel, labels []monthLabel) int {
	best, dist := 0, 1<<30
	for _, o := range labels {
		if o.year == 0 || o.month > 0 {
			continue
		}
		d := max(o.node.Index-l.node.Index, l.node.Index-o.node.Index)
		if !o.node.Box.Empty() && !l.node.Box.Empty() {
			a, b := o.node.Box.Center(), l.node.Box.Center()
			d += int(max(a.X-b.X, b.X-a.X)) + 2*int(max(a.Y-b.Y, b.Y-a.Y))
		}
		if d < dist {
			best, dist = o.year, d
		}
	}
	return best
}

// withoutYear takes a month that is said without any year: the year near today
// in which the weekdays fit.
func (r *calendarReader) withoutYear(m *monthPage, labels []monthLabel) []monthGuess {
	var out []monthGuess
	if slices.ContainsFunc(labels, func(l monthLabel) bool { return l.year > 0 && l.month == 0 }) {
		return nil // a year is said, but it does not fit: the page is being drawn
	}
	for _, l := range labels {
		if l.month == 0 || l.year > 0 {
			continue
		}
		for _, by := range []int{0, 1, -1, 2} {
			if g, ok := m.judge(monthOf(r.now.Year+by, l.month), l); ok {
				g.score -= 15 + 3*max(by, -by)
				if m.start < 0 {
					g.score -= 15
				}
				out = append(out, g)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b monthGuess) int { return cmp.Compare(b.score, a.score) })
	return out
}

// judge holds a month against the grid: its length and weekdays must agree.
func (m *monthPage) judge(is yearMonth, l monthLabel) (monthGuess, bool) {
	g := monthGuess{is: is, label: l.node, score: 50}
	if m.length != is.days() {
		return g, false
	}
	if start, ok := m.impliedStart(is); ok {
		switch {
		case m.start >= 0 && start != m.start:
			return g, false
		case m.start >= 0:
			g.score += 20
		case start <= 1 || start == 6:
			g.score += 8
		default:
			g.score -= 12
		}
	}
	if l.seen {
		g.score += 6
	}
	if l.year > 0 {
		g.score += 4
	}
	if l.node.Index < m.grid.Index || m.grid.Within(l.node) || l.node.Within(m.grid) {
		g.score += 6
	}
	return g.near(m, l.node.Box), true
}

// near adds what the places of label and grid say.
func (g monthGuess) near(m *monthPage, b dom.Rect) monthGuess {
	grid := m.box()
	if b.Empty() || grid.Empty() {
		return g
	}
	if x := b.Center().X; x > grid.X && x < grid.Right() {
		g.score += 10
	}
	if b.Bottom() <= grid.Y+grid.H/4 {
		g.score += 5
		g.score -= min(12, int(grid.Y-b.Bottom())/40)
	}
	return g
}

// box is what the days of the month take up.
func (m *monthPage) box() dom.Rect {
	var b dom.Rect
	for d := 1; d <= m.length; d++ {
		if s := m.at(d); s != nil {
			b = b.Union(s.node.Box)
		}
	}
	return b
}

// impliedStart is the weekday that the first oneColumn would have in that month.
func (m *monthPage) impliedStart(is yearMonth) (int, bool) {
	last := -1
	for d := 1; d <= m.length; d++ {
		if s := m.at(d); s != nil {
			last = max(last, s.col)
		}
	}
	if last != 6 {
		return 0, false
	}
	for d := 1; d <= m.length; d++ {
		if s := m.at(d); s != nil && s.col >= 0 {
			return (is.day(d).weekday() - s.col + 7) % 7, true
		}
	}
	return 0, false
}

// assignMonths gives every grid its best guess: no two the same month, unless
// each has a label of its own that says so.
func assignMonths(months []monthPage, lists [][]monthGuess) {
	taken, used := map[yearMonth]bool{}, map[*dom.Node]bool{}
	for i := range months {
		taken[months[i].is] = months[i].is != 0
	}
	give := func(free func(monthGuess) bool) bool {
		at, best := -1, monthGuess{score: -1}
		for i, list := range lists {
			for _, g := range list {
				if months[i].is == 0 && g.score > best.score && free(g) {
					at, best = i, g
				}
			}
		}
		if at < 0 {
			return false
		}
		months[at].is, months[at].sure, months[at].label = best.is, min(95, best.score+10), best.label
		taken[best.is], used[best.label] = true, true
		return true
	}
	for give(func(g monthGuess) bool { return !taken[g.is] }) {
	}
	for give(func(g monthGuess) bool { return !used[g.label] }) {
	}
}
