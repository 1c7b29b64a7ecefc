package locate

import (
	"strings"

	"harness/dom"
)

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
