package classify

import (
	"fmt"
	"strings"

	"harness/dom"
)

// A calendar is recognised by what it is: a grid whose cells count 1, 2, 3 …
// up to the end of a month, under a row of seven weekdays or a heading that
// names a month or year, or with whole dates on its cells. How it is built
// (table, roles, plain elements, rows or one flat list) does not matter.
const (
	minDays     = 20  // cells of a month that must show their number
	maxDays     = 31  // days of a month
	maxTexts    = 220 // day-like texts in an element that may still be one month
	maxOdd      = 3   // cells of a month that may show another number
	maxPanelUp  = 7   // levels between the cells and their heading
	minCalendar = 60  // score from which a grid is a calendar
)

// cell is one place of a month's grid.
type cell struct {
	node *dom.Node
	days []int // numbers 1-31 that it shows, in order; empty for words and blanks
}

// month is a grid of days with what stands around it.
type month struct {
	grid    *dom.Node // holds the cells
	panel   *dom.Node // holds the grid, its heading and its weekdays
	cells   []cell
	first   int // place of day 1 in cells
	length  int // days of the month
	score   int
	reasons []string
}

// finder looks for months in one pass over a tree, each element once.
type finder struct{ months []*month }

// walk returns the number of day-like texts below n and whether a month was
// found there. The lowest element that holds a whole month is its grid.
func (f *finder) walk(n *dom.Node) (days int, taken bool) {
	switch n.Tag {
	case dom.TextTag:
		if len(n.Text) < 48 && isDayText(n.Text) {
			return 1, false
		}
		return 0, false
	case "select", "script", "style", "svg", "template":
		return 0, false
	}
	for _, c := range n.Children {
		d, t := f.walk(c)
		days += d
		taken = taken || t
	}
	if days == 0 && n.Before != "" && isDayText(n.Before) {
		days = 1
	}
	if taken || days < minDays || days > maxTexts {
		return days, taken
	}
	if m := readMonth(n); m != nil {
		f.months = append(f.months, m)
		return days, true
	}
	return days, false
}

func isDayText(s string) bool {
	_, ok := dayOf(strings.TrimSpace(s))
	return ok
}

// dayOf reads a day of the month at the head of a text: "30", "30日", "30 ¥480".
// Times, prices and decimals are none.
func dayOf(s string) (int, bool) {
	v, rest, ok := leadingNumber(s)
	if !ok || v < 1 || v > maxDays {
		return 0, false
	}
	switch {
	case rest == "", rest == ".":
		return v, true
	case strings.HasPrefix(rest, "日"), strings.HasPrefix(rest, "号"), strings.HasPrefix(rest, "일"):
		return v, true
	}
	return v, rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t'
}

// readMonth reads the element as the grid of one month, or returns nil.
func readMonth(n *dom.Node) *month {
	var best *month
	for _, cells := range layouts(n) {
		m := &month{grid: n, cells: cells}
		if m.align() && (best == nil || m.score > best.score) {
			best = m
		}
	}
	if best == nil || best.column() {
		return nil
	}
	best.judge()
	if best.score < minCalendar {
		return nil
	}
	return best
}

// layouts are the ways to read the cells of n: its children in a flat list, or
// its rows one after the other; with a column of week numbers left out where
// rows have eight places.
func layouts(n *dom.Node) [][]cell {
	kids := elements(n)
	if len(kids) >= minDays && kids[0].Tag != "tr" {
		flat := makeCells(kids)
		return [][]cell{flat, without(flat, 0), without(flat, 7)}
	}
	var all, noFirst, noLast []*dom.Node
	for _, k := range kids {
		row := elements(unwrap(k))
		if len(row) < 2 || len(row) > 9 {
			continue
		}
		all = append(all, row...)
		if len(row) == 8 {
			noFirst, noLast = append(noFirst, row[1:]...), append(noLast, row[:7]...)
		} else {
			noFirst, noLast = append(noFirst, row...), append(noLast, row...)
		}
	}
	if len(all) < minDays {
		return nil
	}
	if len(noFirst) == len(all) {
		return [][]cell{makeCells(all)}
	}
	return [][]cell{makeCells(noFirst), makeCells(noLast), makeCells(all)}
}

// without drops every eighth cell, from the place on.
func without(flat []cell, place int) []cell {
	list := make([]cell, 0, len(flat))
	for i, c := range flat {
		if i%8 != place {
			list = append(list, c)
		}
	}
	return list
}

func makeCells(nodes []*dom.Node) []cell {
	cells := make([]cell, len(nodes))
	for i, n := range nodes {
		cells[i] = cell{node: n, days: cellDays(n, nil)}
	}
	return cells
}

// cellDays are the numbers of a cell that may be its day; a label or generated
// text stands in where the cell shows none.
func cellDays(n *dom.Node, days []int) []int {
	days = textDays(n, days)
	if len(days) > 0 {
		return days
	}
	for _, s := range []string{n.Before, attr(n, "aria-label")} {
		if d, ok := dayOf(strings.TrimSpace(s)); ok {
			return append(days, d)
		}
	}
	return days
}

func textDays(n *dom.Node, days []int) []int {
	if len(days) >= 4 {
		return days
	}
	if n.Tag == dom.TextTag {
		if d, ok := dayOf(strings.TrimSpace(n.Text)); ok {
			days = append(days, d)
		}
		return days
	}
	if n.Before != "" {
		if d, ok := dayOf(strings.TrimSpace(n.Before)); ok {
			days = append(days, d)
		}
	}
	for _, c := range n.Children {
		days = textDays(c, days)
	}
	return days
}

// align finds where day 1 stands: the place that most numbers agree with. It
// fails where too few agree, where too many cells of the month show another
// number, or where the count goes on past a month's end.
func (m *month) align() bool {
	votes := map[int]int{}
	for i, c := range m.cells {
		for _, d := range c.days {
			votes[i-d+1]++
		}
	}
	best := 0
	for at, v := range votes {
		if at >= -maxDays && (v > votes[best] || (v == votes[best] && at < best)) {
			best = at
		}
	}
	if votes[best] < minDays {
		return false
	}
	m.first = best
	agree, odd := 0, 0
	for day := 1; day <= maxDays; day++ {
		switch c := m.at(day); {
		case c == nil:
		case c.shows(day):
			agree++
			m.length = day
		case len(c.days) > 0 && day <= 28:
			odd++
		}
	}
	if agree < minDays || odd > maxOdd || m.length < 28 || m.at(1) == nil {
		return false
	}
	m.score = 40 + agree - odd // the rest of the score is judged once
	return !m.goesOn()
}

// at is the cell where the day must stand, or nil.
func (m *month) at(day int) *cell {
	i := m.first + day - 1
	if i < 0 || i >= len(m.cells) {
		return nil
	}
	return &m.cells[i]
}

func (c *cell) shows(day int) bool {
	for _, d := range c.days {
		if d == day {
			return true
		}
	}
	return false
}

// goesOn reports whether the cell after the 31st shows 32: then it is a list
// of pages or seats, no month.
func (m *month) goesOn() bool {
	c := m.at(maxDays + 1)
	if c == nil || m.length < maxDays {
		return false
	}
	v, ok := number(words(c.node, maxLabel))
	return ok && v == maxDays+1
}

// column reports whether all cells stand below one another, as in a wheel.
func (m *month) column() bool {
	x, measuredCells := 0.0, 0
	for _, c := range m.cells {
		if !measured(c.node) {
			continue
		}
		if measuredCells++; measuredCells == 1 {
			x = c.node.Box.X
		} else if diff := c.node.Box.X - x; diff > 2 || diff < -2 {
			return false
		}
	}
	return measuredCells > maxDays/2
}

// judge looks around the grid for what makes numbers days. A grid with no
// weekdays, no heading and no dates on its cells stays below the threshold.
func (m *month) judge() {
	m.score = 40
	m.reasons = []string{fmt.Sprintf("cells count the days 1 to %d", m.length)}
	m.panel = m.grid
	evidence := 0
	add := func(points int, reason string) {
		evidence += points
		m.reasons = append(m.reasons, reason)
	}
	if at := weekdaysOf(m); at != nil {
		add(25, "a row of weekdays")
		m.widen(at)
	}
	if at, text := headingOf(m); at != nil {
		add(25, "under the heading "+quote(text))
		m.widen(at)
	}
	if datedCells(m) {
		add(25, "cells are labelled with whole dates")
	}
	if evidence == 0 {
		return
	}
	if r := role(m.grid); r == "grid" || r == "rowgroup" || m.grid.Tag == "tbody" || m.grid.Tag == "table" {
		add(5, "built as a grid")
	}
	m.score = min(99, m.score+evidence)
}

// widen makes the panel the lowest element that holds the grid and n.
func (m *month) widen(n *dom.Node) {
	m.panel = common(m.panel, n)
}

// common is the lowest element that holds both.
func common(a, b *dom.Node) *dom.Node {
	up := map[*dom.Node]bool{}
	for n := a; n != nil; n = n.Parent {
		up[n] = true
	}
	for n := b; n != nil; n = n.Parent {
		if up[n] {
			return n
		}
	}
	return a
}
