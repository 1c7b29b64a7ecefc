package locate

import (
	"slices"
	"strconv"
	"strings"

	"harness/dom"
)

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

// monthFields are the native controls for month and year in the panel.
func (r *calendarReader) monthFields(up *dom.Node) []monthField {
	var out []monthField
	up.Walk(func(n *dom.Node) bool {
		if ok, _ := n.Visible(); !ok && n.IsElement() {
			return n.Facts.Has(dom.Inline)
		}
		switch n.Tag {
		case "select":
			if f, ok := r.selectField(n); ok && !n.Disabled() {
				out = append(out, f)
			}
			return false
		case "input":
			if n.Disabled() || n.Facts.Has(dom.ReadOnly) {
				return false
			}
			if y, m, ok := r.words.monthYear(n.Value); ok && y > 0 && m == 0 && n.TakesText() {
				out = append(out, monthField{node: n, year: true})
			} else if monthInput(n) > 0 {
				out = append(out, monthField{node: n})
			}
			return false
		}
		return true
	})
	return out
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
