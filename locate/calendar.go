package locate

import (
	"strings"
	"time"

	"harness/dom"
)

// A calendar is recognised by what it is, however it is built: places that
// count the days of a month, under something that says which month. All the
// months of one widget are one calendar. Nothing here keys on a widget library.
type calendar struct {
	panel    *dom.Node     // holds the months, their headings and their controls
	months   []monthPage   // as they stand in the page
	controls []pageControl // what may turn the pages
	fields   []monthField
	rtl      bool // the page is read from right to left here
}

// monthPage is one month that a calendar shows.
type monthPage struct {
	grid   *dom.Node // the lowest element that holds all its places
	is     yearMonth // 0: nothing says which month it is
	sure   int       // 0-100: how well the month is known
	length int       // days that the grid counts
	slots  []place   // all the places of the grid, those of neighbouring months too
	first  int       // index in slots of day 1; below 0 where earlier days are left out
	label  *dom.Node // what says the month; nil where the cells say it
	dated  bool      // its cells carry whole dates
	start  int       // weekday of the first oneColumn, -1 unknown
}

// place is one spot of a grid.
type place struct {
	node  *dom.Node
	days  []int   // numbers 1-31 that it shows, in order
	dates []civil // whole dates that it carries
	col   int     // oneColumn, from 0; -1 unknown
	words string  // text, folded
}

// dayCell is the place of one day of a month.
type dayCell struct {
	node     *dom.Node // the whole place
	press    *dom.Node // what takes the press
	disabled string    // why a person could not choose it; ""
	selected bool
}

// at is the place of the day in the month, or nil.
func (m *monthPage) at(day int) *place {
	i := m.first + day - 1
	if day < 1 || day > m.length || i < 0 || i >= len(m.slots) {
		return nil
	}
	return &m.slots[i]
}

// span is the first and the last month that the calendar shows, 0 for none.
func (c *calendar) span() (first, last yearMonth) {
	for i := range c.months {
		m := c.months[i].is
		if m == 0 {
			continue
		}
		if first == 0 || m < first {
			first = m
		}
		last = max(last, m)
	}
	return first, last
}

// month is the calendar's page for that month, or nil.
func (c *calendar) month(ym yearMonth) *monthPage {
	for i := range c.months {
		if c.months[i].is == ym {
			return &c.months[i]
		}
	}
	return nil
}

// says names the months shown, for messages.
func (c *calendar) says() string {
	first, last := c.span()
	switch {
	case first == 0:
		return "a month that it does not name"
	case first == last:
		return first.String()
	}
	return first.String() + " to " + last.String()
}

// calendarReader reads the calendars of one snapshot.
type calendarReader struct {
	s     *dom.Snapshot
	words *dateWords
	now   civil // the page's today
}

// readCalendars finds every calendar that a person could see, in document order.
func readCalendars(s *dom.Snapshot, words *dateWords, now time.Time) []calendar {
	r := &calendarReader{s: s, words: words, now: civilOf(now)}
	f := &gridFinder{calendarReader: r}
	f.walk(s.Root)
	if len(f.months) == 0 {
		return nil
	}
	groups := r.group(f.months)
	out := make([]calendar, 0, len(groups))
	for i, g := range groups {
		c := calendar{months: g, rtl: rightToLeft(g[0].grid)}
		r.name(&c, groups, i)
		r.control(&c, groups, i)
		out = append(out, c)
	}
	return out
}

// group puts the months of one widget together: those whose grids are nearer to
// one another than to the rest of the page. Their commonAncestor ancestor holds nothing
// but months, headings and controls: no field that takes free text, and no
// second month of the same name.
func (r *calendarReader) group(months []monthPage) [][]monthPage {
	var out [][]monthPage
	for i := range months {
		m := months[i]
		if n := len(out); n > 0 && r.together(out[n-1], m) {
			out[n-1] = append(out[n-1], m)
			continue
		}
		out = append(out, []monthPage{m})
	}
	return out
}

// maxApart bounds the levelsUp between a month and what it shares with the next.
const maxApart = 8

func (r *calendarReader) together(group []monthPage, m monthPage) bool {
	last := group[len(group)-1]
	if last.grid == m.grid {
		return true
	}
	if last.grid.Ref.Frame != m.grid.Ref.Frame {
		return false
	}
	up := commonAncestor(last.grid, m.grid)
	if up == nil || up.Tag == "body" || up.Tag == "html" || up.Tag == dom.DocumentTag {
		return false
	}
	if levelsUp(last.grid, up) > maxApart || levelsUp(m.grid, up) > maxApart {
		return false
	}
	return !labelledBetween(up, last.grid, m.grid)
}

// labelledBetween reports whether a field that takes free text, or a heading
// that is no month, parts the two grids.
func labelledBetween(up, a, b *dom.Node) bool {
	found := false
	up.Walk(func(n *dom.Node) bool {
		if found || n == a || n == b || n.Tag == "select" {
			return false
		}
		if n.Index > a.Index && n.Index < b.Index && n.Tag == "label" {
			found = true
		}
		return !found
	})
	return found
}

func levelsUp(n, up *dom.Node) int {
	k := 0
	for ; n != nil && n != up; n = n.Parent {
		k++
	}
	return k
}

// commonAncestor is the lowest node that holds both.
func commonAncestor(a, b *dom.Node) *dom.Node {
	for ; a != nil; a = a.Parent {
		if b.Within(a) {
			return a
		}
	}
	return nil
}

// rightToLeft reads the direction that holds at the element.
func rightToLeft(n *dom.Node) bool {
	a := n.Closest(func(a *dom.Node) bool {
		d := strings.ToLower(a.Attr("dir"))
		return d == "rtl" || d == "ltr"
	})
	return a != nil && strings.EqualFold(a.Attr("dir"), "rtl")
}
