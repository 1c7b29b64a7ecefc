package locate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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

// monthInput is the month in an input that takes its number, 0 for others.
func monthInput(n *dom.Node) int {
	v, err := strconv.Atoi(strings.TrimSpace(plainDigits(n.Value)))
	if err != nil || v < 1 || v > 12 || !n.TakesText() {
		return 0
	}
	if n.Attr("max") == "12" || n.Attr("aria-valuemax") == "12" || partOf(n) == 'm' {
		return v
	}
	return 0
}

func holdsSelect(n *dom.Node) bool {
	found := false
	n.Walk(func(c *dom.Node) bool {
		found = found || c.Tag == "select" || c.Tag == "input"
		return !found
	})
	return found
}

// selectField reads a native select as one for months or years.
func (r *calendarReader) selectField(n *dom.Node) (monthField, bool) {
	f := monthField{node: n, options: map[int]int{}}
	months, years, total := map[int]int{}, map[int]int{}, 0
	for i, o := range optionsOf(n) {
		total++
		t := o.InnerText()
		if t == "" {
			t = o.Attr("label")
		}
		y, mo, _ := r.words.monthYear(t)
		if v, err := strconv.Atoi(strings.TrimSpace(plainDigits(t))); err == nil && v >= 1 && v <= 12 {
			mo = v
		}
		if y > 0 && mo == 0 {
			years[y] = i
		} else if mo > 0 && y == 0 {
			months[mo] = i
		}
	}
	switch {
	case len(years) > 0 && len(years) >= total-1:
		f.year, f.options = true, years
		return f, true
	case len(months) > 0 && len(months) >= total-1 && len(months) <= 12:
		f.options = months
		return f, true
	}
	return f, false
}

func optionsOf(n *dom.Node) []*dom.Node {
	var out []*dom.Node
	n.Walk(func(c *dom.Node) bool {
		if c.Tag == "option" {
			out = append(out, c)
		}
		return true
	})
	return out
}

// selectedOf is the month or year that the select shows.
func selectedOf(n *dom.Node, f monthField) int {
	for i, o := range optionsOf(n) {
		if o.Facts.Has(dom.Selected) {
			for v, at := range f.options {
				if at == i {
					return v
				}
			}
		}
	}
	return 0
}

// dropMenus leaves out lists of months or years to choose from: more labels of
// one kind under one element than there are grids.
func dropMenus(labels []monthLabel, grids int) []monthLabel {
	count := map[*dom.Node]int{}
	list := func(l monthLabel) *dom.Node {
		if l.year > 0 && l.month > 0 || l.node.Parent == nil {
			return nil
		}
		return l.node.Parent
	}
	for _, l := range labels {
		if p := list(l); p != nil {
			count[p]++
			if p.Parent != nil {
				count[p.Parent]++
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(labels), func(l monthLabel) bool {
		p := list(l)
		return p != nil && (count[p] > 2*grids+3 || count[p.Parent] > 2*grids+5)
	})
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

// assignMonths gives every grid its best monthGuess; no two grids the same month.
func assignMonths(months []monthPage, lists [][]monthGuess) {
	taken := map[yearMonth]bool{}
	for i := range months {
		if months[i].is != 0 {
			taken[months[i].is] = true
		}
	}
	for range months {
		at, best := -1, monthGuess{score: -1}
		for i, list := range lists {
			for _, g := range list {
				if months[i].is == 0 && !taken[g.is] && g.score > best.score {
					at, best = i, g
				}
			}
		}
		if at < 0 {
			return
		}
		months[at].is, months[at].sure, months[at].label = best.is, min(95, best.score+10), best.label
		taken[best.is] = true
	}
}

// weekStart reads the row of weekday names above the grid; -1 where there is
// none that can be read.
func (r *calendarReader) weekStart(m *monthPage) int {
	s := m.firstShown()
	if s == nil {
		return -1
	}
	start, up := -1, s.node.Parent
	for range maxClimb {
		if up == nil || up.Tag == "body" || up.Tag == dom.DocumentTag {
			return -1
		}
		up.Walk(func(n *dom.Node) bool {
			if n.Index >= s.node.Index {
				return false
			}
			if n.IsElement() && hasBox(n) {
				if v := r.rowStart(n); v >= 0 {
					start = v
				}
			}
			return true
		})
		if start >= 0 {
			return start
		}
		up = up.Parent
	}
	return -1
}

func (m *monthPage) firstShown() *place {
	for d := 1; d <= m.length; d++ {
		if s := m.at(d); s != nil && len(s.days) > 0 {
			return s
		}
	}
	return nil
}

// rowStart reads the children of the element as seven weekdays.
func (r *calendarReader) rowStart(n *dom.Node) int {
	var kids []*dom.Node
	for _, c := range n.Children {
		if c.IsElement() && hasBox(c) {
			kids = append(kids, c)
		}
	}
	if len(kids) == 8 {
		if len(Fold(kids[0].InnerText())) <= 2 || r.words.weekday(Fold(kids[0].InnerText())) < 0 {
			kids = kids[1:]
		} else {
			kids = kids[:7]
		}
	}
	if len(kids) < 7 || len(kids) > 70 {
		return -1
	}
	kids = kids[:7]
	texts, names := make([]string, 7), make([]string, 7)
	for i, k := range kids {
		texts[i] = Fold(k.InnerText())
		names[i] = texts[i]
		for _, a := range []string{"abbr", "aria-label", "title"} {
			if v := labelIn(k, a); v != "" {
				names[i] = Fold(v)
				break
			}
		}
		if len(texts[i]) > 40 || strings.ContainsAny(plainDigits(texts[i]), "0123456789") {
			return -1
		}
	}
	if v := r.words.weekStart(texts); v >= 0 {
		return v
	}
	return r.words.weekStart(names)
}

// labelIn is the attribute of the element or of its only child.
func labelIn(n *dom.Node, attr string) string {
	for range 3 {
		if v := n.Attr(attr); v != "" {
			return v
		}
		var next *dom.Node
		for _, c := range n.Children {
			if c.IsElement() {
				next = c
				break
			}
		}
		if next == nil {
			return ""
		}
		n = next
	}
	return ""
}
