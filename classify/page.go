package classify

import (
	"slices"
	"strings"

	"harness/dom"
)

// minListed is the confidence from which an element that only looks like a
// control is listed.
const minListed = 40

// Page lists the visible elements of a snapshot that a person could use, one
// for each thing (the button, not the text inside it), in the order of Kinds
// and in document order within a kind.
func Page(s *dom.Snapshot) []Item {
	l := &lister{index: Over(s)}
	if s.Root != nil {
		l.walk(s.Root, inside{})
	}
	order := make(map[Kind]int, len(Kinds))
	for i, k := range Kinds {
		order[k] = i
	}
	slices.SortStableFunc(l.items, func(a, b Item) int { return order[a.Kind] - order[b.Kind] })
	return l.items
}

type lister struct {
	index *Index
	items []Item
}

// inside says what a node stands in.
type inside struct {
	thing    *Item // the listed element that is one thing to a person; nil: none
	calendar bool
}

// walk lists n and what is below it.
func (l *lister) walk(n *dom.Node, in inside) {
	area := -1
	if isElement(n) {
		if unread(n.Tag) && n.Tag != "option" && n.Tag != "svg" {
			return
		}
		if it, ok := l.item(n, in); ok {
			if it.Kind == Other && !painted(n) {
				area = len(l.items)
			}
			l.items = append(l.items, it)
			in.calendar = in.calendar || it.Kind == Calendar
			if !container(it) {
				in.thing = &it
			}
		}
		if n.Tag == "select" {
			return
		}
	}
	for _, c := range n.Children {
		if c.Tag != dom.TextTag {
			l.walk(c, in)
		}
	}
	if area >= 0 && len(l.items) > area+1 { // it listens for the things in it
		l.items = slices.Delete(l.items, area, area+1)
	}
}

func (l *lister) item(n *dom.Node, in inside) (Item, bool) {
	v := l.index.verdict(n)
	switch {
	case v.Kind == Other:
		if v.Reasons[0] != areaReason && !(painted(n) && newScene(n).press > 0) {
			return Item{}, false
		}
	case in.thing != nil && swallows(*in.thing, v):
		return Item{}, false
	case v.Kind == Calendar && (in.calendar || in.thing != nil), !v.firm && v.Confidence < minListed:
		return Item{}, false
	}
	// The control in a day's cell is listed in place of the cell.
	if d, ok := l.index.days[n]; ok && (d.cell && holdsControl(n) || !d.cell && !isControl(n)) {
		return Item{}, false
	}
	if visible, why := n.Visible(); !visible && !(v.Reasons[0] == partsReason && strings.HasPrefix(why, "transparent")) {
		return Item{}, false // parts of an empty date are shown only once they have the focus
	}
	it := Item{Node: n, Result: v.Result, Day: -1}
	if d, ok := l.index.days[n]; ok {
		it.Day = d.number
	}
	return it, true
}

// container reports whether a listed element is a place that holds further
// things, no thing itself.
func container(it Item) bool {
	switch it.Kind {
	case Calendar:
		return true
	case Menu, Select:
		r := role(it.Node)
		return r == "menu" || r == "menubar" || r == "listbox" || r == "tree"
	case Other:
		return true
	}
	return false
}

// swallows reports whether something inside a listed thing is part of it.
func swallows(thing Item, inner verdict) bool {
	return !inner.firm || inner.Kind == thing.Kind
}
