package locate

import (
	"slices"
	"strings"

	"harness/dom"
)

// dateAttrs are attributes that may carry a cell's whole date; data-* come too.
var dateAttrs = []string{"aria-label", "datetime", "title", "abbr", "aria-description", "value", "name", "id"}

// placeDates are the whole dates that the place or its content carries,
// corrected by the number it shows: a date kept in UTC may lie a day beside.
func (r *calendarReader) placeDates(n *dom.Node) []civil {
	var out []civil
	shown := placeDays(n, nil)
	seen := 0
	n.Walk(func(c *dom.Node) bool {
		if seen++; seen > 12 || !c.IsElement() {
			return seen <= 12
		}
		for _, d := range r.attrDates(c) {
			if d, ok := agree(d, shown); ok && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
		return true
	})
	return out
}

// agree moves the date by at most a day to where it has a shown number.
func agree(d civil, shown []int) (civil, bool) {
	if len(shown) == 0 {
		return d, true
	}
	for _, by := range []int{0, 1, -1} {
		if c := d.plus(by); slices.Contains(shown, c.Day) {
			return c, true
		}
	}
	return d, false
}

// attrDates are the whole dates in the attributes of the element itself, where
// they can be read in one way only.
func (r *calendarReader) attrDates(n *dom.Node) []civil {
	var out []civil
	for name, v := range n.Attrs {
		if len(v) < 6 || len(v) > 80 || !strings.ContainsFunc(plainDigits(v), func(c rune) bool { return c >= '0' && c <= '9' }) {
			continue
		}
		if !strings.HasPrefix(name, "data-") && !slices.Contains(dateAttrs, name) {
			continue
		}
		if d, ok := r.fullDate(v); ok && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b civil) int { return a.time().Compare(b.time()) })
	return out
}

// fullDate reads a text as one whole date, in only one way.
func (r *calendarReader) fullDate(s string) (civil, bool) {
	var found civil
	for _, rd := range r.words.readings(s) {
		if !rd.full() {
			continue
		}
		if !found.isZero() && found != rd.civil() {
			return civil{}, false
		}
		found = rd.civil()
	}
	return found, !found.isZero()
}

// cell is the day's place with what is known of its state, or nil.
func (c *calendar) cell(m *monthPage, day int) *dayCell {
	s := m.at(day)
	if s == nil {
		return nil
	}
	d := &dayCell{node: s.node, press: pressOf(s.node, day), selected: markedPlace(s.node)}
	d.disabled = c.whyDisabled(s, d)
	return d
}

// pressOf is what takes the press in a place: the outermost element in it that
// is a control, on the way to its number; the place itself where there is none.
func pressOf(n *dom.Node, day int) *dom.Node {
	var path []*dom.Node
	n.Walk(func(c *dom.Node) bool {
		if path != nil {
			return false
		}
		if c.Tag == dom.TextTag {
			if d, ok := dayNum(c.Text); ok && d == day {
				path = pathDown(n, c)
			}
		}
		return true
	})
	if path == nil {
		n.Walk(func(c *dom.Node) bool {
			if path == nil && c != n && takesPress(c) {
				path = pathDown(n, c)
			}
			return path == nil
		})
	}
	for _, c := range path {
		if takesPress(c) && !c.Facts.Has(dom.NoPointer) {
			return c
		}
	}
	return n
}

// takesPress reports an element that is made to be pressed.
func takesPress(n *dom.Node) bool {
	switch n.Tag {
	case "button", "a":
		return true
	case "input":
		return n.InputType() == "button" || n.InputType() == "radio"
	}
	switch n.Role() {
	case "button", "link", "option", "radio":
		return true
	}
	return n.Facts.Has(dom.Listener)
}

func pathDown(from, to *dom.Node) []*dom.Node {
	var path []*dom.Node
	for n := to; n != nil; n = n.Parent {
		if n.IsElement() {
			path = append(path, n)
		}
		if n == from {
			break
		}
	}
	slices.Reverse(path)
	return path
}

// offWords are words of class attributes that authors give to days that cannot
// be chosen; they count only where nothing in the page's behaviour speaks.
var offWords = []string{"disabled", "disable", "unavailable", "blocked", "forbidden", "expired", "soldout", "invalid", "notallowed", "off"}

// whyDisabled says why the place cannot be chosen, "" where it can.
func (c *calendar) whyDisabled(s *place, d *dayCell) string {
	for n := d.press; n != nil; n = n.Parent {
		switch {
		case n.Facts.Has(dom.Disabled):
			return "disabled"
		case strings.EqualFold(n.Attr("aria-disabled"), "true"):
			return "disabled (aria-disabled)"
		case n == s.node && n.Facts.Has(dom.NoPointer) && !c.allOff():
			return "disabled (takes no pointer)"
		}
		if n == s.node {
			break
		}
	}
	off := false
	s.node.Walk(func(n *dom.Node) bool {
		if n.IsElement() && (n.Facts.Has(dom.Disabled) || strings.EqualFold(n.Attr("aria-disabled"), "true")) {
			off = true
		}
		return !off
	})
	if off {
		return "disabled"
	}
	if c.aliveElsewhere() && !livePlace(s.node) && !d.selected {
		return "disabled (unlike other days it takes no press)"
	}
	if c.namedOff(s.node) {
		return "disabled (by its style)"
	}
	return ""
}

// livePlace reports a sign in the place that it takes presses.
func livePlace(n *dom.Node) bool {
	found := false
	n.Walk(func(c *dom.Node) bool {
		if c.IsElement() && (c.Facts.Has(dom.Pointer) || takesPress(c) && !c.Facts.Has(dom.Disabled) || c.HasAttr("tabindex") && c.Facts.Has(dom.Focusable)) {
			found = true
		}
		return !found
	})
	return found
}

// allOff reports that no day takes a pointer: the popup is still opening.
func (c *calendar) allOff() bool {
	for i := range c.months {
		for k := range c.months[i].slots {
			if !c.months[i].slots[k].node.Facts.Has(dom.NoPointer) {
				return false
			}
		}
	}
	return true
}

// aliveElsewhere reports that days of the calendar show signsOnly of taking presses.
func (c *calendar) aliveElsewhere() bool {
	n := 0
	for i := range c.months {
		m := &c.months[i]
		for d := 1; d <= m.length; d++ {
			if s := m.at(d); s != nil && livePlace(s.node) {
				if n++; n >= 3 {
					return true
				}
			}
		}
	}
	return false
}

// namedOff reports a class word for unavailable days that other days lack.
func (c *calendar) namedOff(n *dom.Node) bool {
	off := func(n *dom.Node) bool {
		return slices.ContainsFunc(classWords(n), func(w string) bool { return slices.Contains(offWords, w) })
	}
	if !off(n) {
		return false
	}
	for i := range c.months {
		m := &c.months[i]
		for d := 1; d <= m.length; d++ {
			if s := m.at(d); s != nil && !off(s.node) {
				return true
			}
		}
	}
	return false
}

// classWords are the words in the class attribute: "day--is-disabled" has three.
func classWords(n *dom.Node) []string {
	return strings.FieldsFunc(strings.ToLower(splitCamel(n.Attr("class"))), func(r rune) bool {
		return !(r >= 'a' && r <= 'z')
	})
}

// splitCamel parts words that are told apart by capitals only.
func splitCamel(s string) string {
	var b strings.Builder
	lower := false
	for _, r := range s {
		up := r >= 'A' && r <= 'Z'
		if up && lower {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		lower = r >= 'a' && r <= 'z'
	}
	return b.String()
}

// markedPlace reports a place that is shown as chosen.
func markedPlace(n *dom.Node) bool {
	found := false
	n.Walk(func(c *dom.Node) bool {
		if !c.IsElement() {
			return false
		}
		for _, a := range []string{"aria-selected", "aria-pressed", "aria-checked"} {
			found = found || c.Attr(a) == "true"
		}
		return !found
	})
	return found
}
