package classify

import (
	"slices"

	"harness/dom"
)

// Index holds what was found about a whole snapshot: its calendars.
type Index struct {
	months []*month
	days   map[*dom.Node]day  // day cells and what is inside them
	frames map[*dom.Node]area // calendars: from the widget down to the grid
}

// day is an element's place in a month.
type day struct {
	number int    // 1-31, or 0 for a word or neighbour that shows none
	cell   bool   // the cell itself; false for what is inside it
	beside bool   // of the month before or after
	month  *month // never nil
}

// area is a part of a calendar.
type area struct {
	month *month
	what  string // "widget", "month", "grid"
}

type onceKey struct{}

// Over looks the snapshot over; a snapshot is looked over once.
func Over(s *dom.Snapshot) *Index {
	return s.Once(onceKey{}, func() any { return over(s.Root) }).(*Index)
}

func over(root *dom.Node) *Index {
	x := &Index{days: map[*dom.Node]day{}, frames: map[*dom.Node]area{}}
	if root == nil {
		return x
	}
	f := &finder{}
	f.walk(root)
	x.months = f.months
	for _, m := range x.months {
		x.addMonth(m)
	}
	x.addWidgets()
	return x
}

func (x *Index) addMonth(m *month) {
	for n := m.grid; n != nil; n = n.Parent {
		what := "month"
		if n == m.grid {
			what = "grid"
		}
		x.frames[n] = area{m, what}
		if n == m.panel {
			break
		}
	}
	for i, c := range m.cells {
		d := day{number: i - m.first + 1, cell: true, month: m}
		if d.number < 1 || d.number > m.length {
			if len(c.days) == 0 {
				continue
			}
			d.number, d.beside = c.days[0], true
		} else if len(c.days) == 0 && words(c.node, 24) == "" {
			continue
		}
		x.days[c.node] = d
		d.cell = false
		x.addInside(c.node, d)
	}
}

func (x *Index) addInside(n *dom.Node, d day) {
	for _, c := range n.Children {
		if isElement(c) {
			x.days[c] = d
			x.addInside(c, d)
		}
	}
}

// addWidgets names the elements around one or more months that hold little
// else: the calendar with its arrows and its foot.
func (x *Index) addWidgets() {
	for i, m := range x.months {
		top := m.panel
		if i > 0 {
			if w := common(x.months[i-1].panel, m.panel); compact(w, x.monthsIn(w)) {
				top = w
			}
		}
		for p := top.Parent; isElement(p) && compact(p, x.monthsIn(p)); p = p.Parent {
			top = p
		}
		for n := m.panel; n != top && n != nil; n = n.Parent {
			if _, known := x.frames[n.Parent]; n.Parent != nil && !known {
				x.frames[n.Parent] = area{m, "widget"}
			}
		}
	}
}

func (x *Index) monthsIn(n *dom.Node) []*month {
	var list []*month
	for _, m := range x.months {
		for p := m.grid; p != nil; p = p.Parent {
			if p == n {
				list = append(list, m)
				break
			}
		}
	}
	return list
}

// compact reports whether n holds the months and little else: no field to type
// in, and few elements beside them.
func compact(n *dom.Node, months []*month) bool {
	switch n.Tag {
	case "body", "html", "form", "main", dom.DocumentTag:
		return false
	}
	size := 0
	for _, m := range months {
		size += count(m.panel, maxUnit)
	}
	if total := count(n, maxUnit); total > size+size/4+40 {
		return false
	}
	return len(months) > 0 && !holdsField(n, months)
}

// holdsField looks for a field to type in outside the months' own panels.
func holdsField(n *dom.Node, months []*month) bool {
	for _, c := range n.Children {
		if !isElement(c) || slices.ContainsFunc(months, func(m *month) bool { return m.panel == c }) {
			continue
		}
		if c.Tag == "textarea" || (c.Tag == "input" && typed(c)) || holdsField(c, months) {
			return true
		}
	}
	return false
}
