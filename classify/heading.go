package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"harness/dom"
)

// weekdaysOf finds the row of seven short labels above the days: the cells
// before the first day, a first row of the grid, or an element before it.
func weekdaysOf(m *month) *dom.Node {
	if n := leadingLabels(m); n != nil {
		return n
	}
	n := m.grid
	for range 4 {
		list, at := siblings(n)
		for i := at - 1; i >= 0 && i >= at-3; i-- {
			if row := weekdayRow(list[i]); row != nil {
				return row
			}
		}
		if n = n.Parent; n == nil || !isElement(n) {
			return nil
		}
	}
	return nil
}

// leadingLabels finds the weekdays among the grid's own cells.
func leadingLabels(m *month) *dom.Node {
	for _, k := range elements(m.grid) {
		if row := weekdayRow(k); row != nil {
			return row
		}
		if dayLike(k) {
			break
		}
	}
	if m.first < 7 {
		return nil
	}
	for at := 0; at+7 <= m.first && at < 14; at += 7 {
		nodes := make([]*dom.Node, 7)
		for i := range nodes {
			nodes[i] = m.cells[at+i].node
		}
		if areWeekdays(nodes) {
			return nodes[0]
		}
	}
	return nil
}

func dayLike(n *dom.Node) bool { return len(cellDays(n, nil)) > 0 }

// weekdayRow is the row of seven labels that n is or holds.
func weekdayRow(n *dom.Node) *dom.Node {
	n = unwrap(n)
	kids := elements(n)
	if len(kids) == 7 && areWeekdays(kids) {
		return n
	}
	if len(kids) == 8 && (areWeekdays(kids[1:]) || areWeekdays(kids[:7])) {
		return n
	}
	if len(kids) > 0 && len(kids) < 7 {
		if last := unwrap(kids[len(kids)-1]); last != n && len(elements(last)) >= 7 && len(elements(last)) <= 8 {
			return weekdayRow(last)
		}
	}
	return nil
}

// areWeekdays reports whether the seven elements are short words, as the names
// of weekdays are in every language; names known to the table are not needed.
func areWeekdays(nodes []*dom.Node) bool {
	kinds := map[string]bool{}
	for _, n := range nodes {
		s := words(n, 24)
		if s == "" {
			s = attr(n, "aria-label")
		}
		if !short(s, 24) || !unicode.IsLetter(firstRune(s)) {
			return false
		}
		kinds[s] = true
	}
	return len(kinds) >= 4 // S M T W T F S has five
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// headingOf finds the text before the grid, or on it, that names a month or a
// year. Many such texts beside one another are a list to choose from (a wheel
// of years), no heading.
func headingOf(m *month) (*dom.Node, string) {
	n := m.grid
	if at, text := headingInside(n); at != nil {
		return at, text
	}
	for range maxPanelUp {
		if s := attr(n, "aria-label"); isMonthHeading(s) {
			return n, s
		}
		list, at := siblings(n)
		h := headings{}
		for i := max(0, at-4); i < at; i++ {
			h.look(list[i])
		}
		if len(h.found) > 0 && len(h.found) <= 4 {
			return h.last()
		}
		if n = n.Parent; n == nil || !isElement(n) || n.Tag == "body" || n.Tag == "form" {
			return nil, ""
		}
	}
	return nil, ""
}

// headingInside looks among the grid's own children before the first days.
func headingInside(grid *dom.Node) (*dom.Node, string) {
	h := headings{}
	for i, k := range elements(grid) {
		if i >= 4 || len(h.found) > 0 {
			break
		}
		if isDayText(words(k, maxLabel)) {
			break
		}
		h.look(k)
	}
	if len(h.found) == 0 || len(h.found) > 4 {
		return nil, ""
	}
	return h.last()
}

// headings collects the texts that name a month or year.
type headings struct {
	seen  int
	found []*dom.Node
	texts []string
}

func (h *headings) last() (*dom.Node, string) {
	i := len(h.found) - 1
	return h.found[i], h.texts[i]
}

func (h *headings) look(n *dom.Node) {
	if h.seen++; h.seen > 200 || len(h.found) > 4 {
		return
	}
	switch n.Tag {
	case dom.TextTag:
		h.add(n.Parent, strings.TrimSpace(n.Text))
		return
	case "select", "input":
		h.add(n, n.Value)
		return
	case "script", "style", "svg":
		return
	}
	for _, c := range n.Children {
		h.look(c)
	}
}

func (h *headings) add(n *dom.Node, s string) {
	if isMonthHeading(s) {
		h.found = append(h.found, n)
		h.texts = append(h.texts, s)
	}
}

// isMonthHeading reports whether a short text names a month or holds a year.
func isMonthHeading(s string) bool {
	if len(s) < 2 || len(s) > 120 || utf8.RuneCountInString(s) > maxLabel {
		return false
	}
	return hasYear(s) || hasMonth(s)
}

// hasYear looks for a number of four digits that is a year of a calendar in
// use (Gregorian, Buddhist, Persian, Islamic, Jewish).
func hasYear(s string) bool {
	value, digits := 0, 0
	for _, r := range s + " " {
		if d, ok := digit(r); ok {
			value, digits = value*10+d, digits+1
			continue
		}
		if digits == 4 && isYear(value) {
			return true
		}
		value, digits = 0, 0
	}
	return false
}

func isYear(v int) bool {
	return (v >= 1900 && v <= 2199) || (v >= 2440 && v <= 2700) || (v >= 1340 && v <= 1500) || (v >= 5700 && v <= 5900)
}

// hasMonth looks for the name of a month, or 月/월 after a number.
func hasMonth(s string) bool {
	for _, mark := range []string{"月", "월"} {
		if i := strings.Index(s, mark); i > 0 && endsInMonthNumber(s[:i]) {
			return true
		}
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), notLetter) {
		if monthNames[w] {
			return true
		}
	}
	return false
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

func endsInMonthNumber(s string) bool {
	s = strings.TrimRight(s, " ")
	r, _ := utf8.DecodeLastRuneInString(s)
	_, isDigit := digit(r)
	return isDigit || strings.ContainsRune("一二三四五六七八九十", r)
}

// datedCells reports whether most days carry a whole date: in a label, a title,
// a <time>, or a data attribute.
func datedCells(m *month) bool {
	dated := 0
	for day := 1; day <= m.length; day++ {
		if c := m.at(day); c != nil && dated >= 0 && isDated(c.node) {
			dated++
		}
	}
	return dated >= minDays
}

func isDated(n *dom.Node) bool {
	for range 4 {
		for name, v := range n.Attrs {
			if name != "class" && name != "id" && name != "href" && len(v) < 60 && hasYear(v) {
				return true
			}
		}
		kids := elements(n)
		if len(kids) == 0 {
			return false
		}
		n = kids[0]
	}
	return false
}
