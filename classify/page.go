package classify

import (
	"slices"

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
	if isElement(n) {
		if unread(n.Tag) && n.Tag != "option" && n.Tag != "svg" {
			return
		}
		if it, ok := l.item(n, in); ok {
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
}

func (l *lister) item(n *dom.Node, in inside) (Item, bool) {
	v := l.index.verdict(n)
	switch {
	case v.Kind == Other:
		if v.Confidence >= minListed && v.Reasons[0] != areaReason && !painted(n) {
			return Item{}, false
		}
	case in.thing != nil && swallows(*in.thing, v):
		return Item{}, false
	case v.Kind == Calendar && (in.calendar || in.thing != nil), !v.firm && v.Confidence < minListed:
		return Item{}, false
	case v.Kind == Date && !v.firm && l.inDay(n):
		return Item{}, false
	}
	if visible, _ := n.Visible(); !visible {
		return Item{}, false
	}
	it := Item{Node: n, Result: v.Result, Day: -1}
	if d, ok := l.index.days[n]; ok {
		it.Day = d.number
	}
	return it, true
}

// inDay reports whether n is inside a day's cell: the cell itself is listed.
func (l *lister) inDay(n *dom.Node) bool {
	d, ok := l.index.days[n]
	return ok && !d.cell
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
