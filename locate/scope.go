package locate

import (
	"math"
	"sort"
	"strings"

	"harness/dom"
)

// within keeps the hits that stand in the container of the reading. ok is false
// where the page has no such container: the caller decides what that means.
func (f *finder) within(hits []hit, in reading, row bool) (kept []hit, ok bool) {
	if in.name == "" && in.in != nil && in.noun != nil && in.noun.area { // "the row of Bob" is the row named Bob
		in.name, in.quoted, in.in = in.in.name, in.in.quoted, nil
	}
	if scopes := f.containers(in); len(scopes) > 0 && !row {
		for _, h := range hits {
			for _, c := range scopes {
				if h.n != c && h.n.Within(c) {
					kept = append(kept, h)
					break
				}
			}
		}
		if len(kept) > 0 {
			return kept, true
		}
	}
	return f.byAnchor(hits, in, row)
}

// containers are the visible areas that the reading names: by noun alone
// ("the dialog"), or by noun and name (their accessible name, heading or code names).
func (f *finder) containers(in reading) []*dom.Node {
	if in.noun == nil || !in.noun.area {
		return nil
	}
	var out []*dom.Node
	for _, n := range f.s.Nodes {
		if !n.IsElement() || n.Tag == "html" || n.Tag == "body" || n.Tag == "label" || len(n.Children) == 0 {
			continue
		}
		if ok, _ := n.Visible(); !ok {
			continue
		}
		if f.isArea(n, in) {
			out = append(out, n)
		}
	}
	return smallest(out)
}

func (f *finder) isArea(n *dom.Node, in reading) bool {
	fits := in.noun.fit(n) >= .6 || in.noun.key == "dialog" && overlay(n) || in.noun.key == "calendar" && f.isCalendar(n)
	if in.name == "" {
		return fits && (in.noun.fit(n) >= .8 || in.noun.key != "section")
	}
	named := f.areaNamed(n, in.name)
	if fits && named {
		return true
	}
	return f.codeNamed(n, in) || tellsOf(n, in)
}

// codeNamed: "the cookie banner" is an element whose id or classes say cookie and banner.
func (f *finder) codeNamed(n *dom.Node, in reading) bool {
	own := map[string]bool{}
	for _, a := range []string{"id", "class", "data-testid"} {
		for _, w := range identifierWords(n.Attr(a)) {
			own[w] = true
		}
	}
	if len(own) == 0 {
		return false
	}
	want := tokens(in.name)
	for _, w := range want {
		if !own[w] && !own[w+"s"] && !own[strings.TrimSuffix(w, "s")] {
			return false
		}
	}
	if len(want) == 0 {
		return false
	}
	return in.noun.fit(n) >= .6 || own[in.noun.key] || overlay(n)
}

// tellsOf: an overlay that is small enough to be read at a glance is called by
// what it tells of: "the cookie banner" asks to accept cookies.
func tellsOf(n *dom.Node, in reading) bool {
	if in.noun.key != "banner" && in.noun.key != "dialog" || !overlay(n) {
		return false
	}
	text := Fold(n.InnerText())
	if len(text) > maxText*2 {
		return false
	}
	for _, w := range contentWords(in.name) {
		if indexWord(text, w) < 0 && indexWord(text, w+"s") < 0 {
			return false
		}
	}
	return true
}

func (f *finder) areaNamed(n *dom.Node, name string) bool {
	if m := matchText(name, Fold(n.Name())); m.kind != noMatch {
		return true
	}
	if m := matchText(name, Fold(n.Attr("aria-label"))); m.kind != noMatch {
		return true
	}
	found := false
	count := 0
	n.Walk(func(c *dom.Node) bool {
		count++
		if found || count > 400 {
			return false
		}
		if c.Role() == "heading" || c.Tag == "legend" || c.Tag == "caption" || c.Role() == "rowheader" {
			if m := matchText(name, Fold(c.InnerText())); m.kind != noMatch {
				found = true
			}
		}
		return true
	})
	return found
}

// overlay: laid over the page as a layer of its own.
func overlay(n *dom.Node) bool {
	if n.Facts.Has(dom.Modal) || n.Attr("aria-modal") == "true" {
		return true
	}
	if !n.Facts.Has(dom.Fixed) && !n.Facts.Has(dom.Absolute) {
		return false
	}
	return n.Box.W > 80 && n.Box.H > 40 && len(elements(n)) > 0
}

// smallest drops every element that holds another one of the list.
func smallest(list []*dom.Node) []*dom.Node {
	in := map[*dom.Node]bool{}
	for _, n := range list {
		for a := n.Parent; a != nil; a = a.Parent {
			in[a] = true
		}
	}
	var out []*dom.Node
	for _, n := range list {
		if !in[n] {
			out = append(out, n)
		}
	}
	return out
}

// byAnchor keeps the hits that belong to the anchor text: from the anchor
// upwards, the first element that holds a hit is the container, but never past
// the item (row, card, field set) that the anchor stands in, so that a
// neighbour's element is not taken.
func (f *finder) byAnchor(hits []hit, in reading, row bool) ([]hit, bool) {
	anchors := f.anchors(in)
	if len(anchors) == 0 {
		return nil, false
	}
	seen := map[*dom.Node]bool{}
	var kept []hit
	for _, a := range anchors {
		for _, h := range f.around(hits, a, row) {
			if !seen[h.n] {
				seen[h.n] = true
				kept = append(kept, h)
			}
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].n.Index < kept[j].n.Index })
	return kept, true
}

// anchors are the visible elements that the reading names by their text: the
// whole text if any has it, otherwise those that contain it.
func (f *finder) anchors(in reading) []*dom.Node {
	name := in.name
	if name == "" {
		return nil
	}
	var whole, part []*dom.Node
	for _, n := range f.s.Nodes {
		if !n.IsElement() || n.Tag == "html" || n.Tag == "body" || (!hasOwnText(n) && !operable(n) && n.Role() != "heading") {
			continue
		}
		if ok, _ := n.Visible(); !ok {
			continue
		}
		best := noMatch
		for _, t := range f.texts(n) {
			if t.name == "value" && n.TakesText() || t.layer1 || t.name == "nearby label" {
				best = max(best, matchText(name, t.text).kind)
			}
		}
		switch {
		case best == exactly:
			whole = append(whole, n)
		case best >= contains && !in.quoted:
			part = append(part, n)
		}
	}
	if len(whole) > 0 {
		return smallest(whole)
	}
	return smallest(part)
}

// around are the hits in the item of one anchor.
func (f *finder) around(hits []hit, anchor *dom.Node, row bool) []hit {
	for a := anchor; a != nil && a.Tag != "html" && a.Tag != dom.DocumentTag; a = a.Parent {
		var in []hit
		for _, h := range hits {
			if h.n != anchor && h.n.Within(a) {
				in = append(in, h)
			}
		}
		if row {
			in = sameLine(in, anchor, a)
		}
		if len(in) > 0 {
			return f.bySection(in, anchor, a)
		}
		if isItem(a) {
			return nil
		}
	}
	return nil
}

func sameLine(in []hit, anchor, a *dom.Node) []hit {
	if a.Role() == "row" || a.Tag == "tr" || anchor.Box.Empty() {
		return in
	}
	var out []hit
	for _, h := range in {
		if min(h.n.Box.Bottom(), anchor.Box.Bottom())-max(h.n.Box.Y, anchor.Box.Y) > 0 || a.Role() == "listitem" {
			out = append(out, h)
		}
	}
	return out
}

// bySection: under a heading counts what follows it up to the next heading of its rank.
func (f *finder) bySection(in []hit, anchor, container *dom.Node) []hit {
	heading := anchor.Closest(func(n *dom.Node) bool { return n == container || n.Role() == "heading" || n.Tag == "legend" })
	if heading == nil || heading == container || heading.Role() != "heading" || len(in) < 2 {
		return in
	}
	end := math.MaxInt
	rank := headingRank(heading)
	container.Walk(func(n *dom.Node) bool {
		if n.Index > heading.Index && n.Index < end && n.Role() == "heading" && headingRank(n) <= rank {
			end = n.Index
		}
		return true
	})
	var out []hit
	for _, h := range in {
		if h.n.Index > heading.Index && h.n.Index < end {
			out = append(out, h)
		}
	}
	return out
}

func headingRank(n *dom.Node) int {
	if l := n.Attr("aria-level"); len(l) == 1 {
		return int(l[0] - '0')
	}
	if len(n.Tag) == 2 && n.Tag[0] == 'h' {
		return int(n.Tag[1] - '0')
	}
	return 2
}

// isItem reports whether the element is one of several like it: a table row, a
// list item, a card among cards, a field set, a dialog, a form.
func isItem(n *dom.Node) bool {
	switch n.Role() {
	case "row", "listitem", "article", "dialog", "alertdialog", "form", "group", "option", "treeitem", "tabpanel":
		return true
	}
	if n.Parent == nil || n.Tag == "td" || n.Tag == "th" {
		return false
	}
	if len(elements(n)) < 2 {
		return false
	}
	like := 0
	for _, s := range elements(n.Parent) {
		if s.Tag == n.Tag && sameClass(s, n) && len(elements(s)) > 0 {
			like++
		}
	}
	return like >= 2
}

func sameClass(a, b *dom.Node) bool {
	x, y := strings.Fields(a.Attr("class")), strings.Fields(b.Attr("class"))
	if len(x) == 0 || len(y) == 0 {
		return len(x) == len(y)
	}
	return x[0] == y[0]
}

// beside keeps the hits on the side of the anchor that the reading asks for, the
// nearest ones: others that are much farther away are dropped.
func (f *finder) beside(hits []hit, near reading, side string) ([]hit, bool) {
	anchors := f.anchors(near)
	if len(anchors) == 0 {
		for _, h := range usable(f.scoreAll(near)) {
			if h.score >= acceptScore {
				anchors = append(anchors, h.n)
			}
		}
	}
	if len(anchors) == 0 {
		return nil, false
	}
	type placed struct {
		h hit
		d float64
	}
	var list []placed
	for _, h := range hits {
		d := math.Inf(1)
		for _, a := range anchors {
			if a != h.n && !h.n.Within(a) && !a.Within(h.n) {
				d = min(d, sideDistance(a.Box, h.n.Box, side))
			}
		}
		if !math.IsInf(d, 1) {
			list = append(list, placed{h, d})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].d < list[j].d })
	var out []hit
	for _, p := range list {
		if p.d <= list[0].d*1.5+4 {
			out = append(out, p.h)
		}
	}
	return out, true
}

// sideDistance is how far b lies from a on that side, CSS px; +Inf if it does not.
func sideDistance(a, b dom.Rect, side string) float64 {
	dx := max(0, max(b.X-a.Right(), a.X-b.Right()))
	dy := max(0, max(b.Y-a.Bottom(), a.Y-b.Bottom()))
	ca, cb := a.Center(), b.Center()
	overY := min(a.Bottom(), b.Bottom()) - max(a.Y, b.Y)
	overX := min(a.Right(), b.Right()) - max(a.X, b.X)
	switch side {
	case "right":
		if overY > 0 && cb.X > ca.X && b.X >= a.Right()-a.W/2 {
			return dx
		}
	case "left":
		if overY > 0 && cb.X < ca.X && b.Right() <= a.X+a.W/2 {
			return dx
		}
	case "above":
		if overX > 0 && cb.Y < ca.Y && b.Bottom() <= a.Y+a.H/2 {
			return dy
		}
	case "below":
		if overX > 0 && cb.Y > ca.Y && b.Y >= a.Bottom()-a.H/2 {
			return dy
		}
	default:
		return math.Hypot(dx, dy)
	}
	return math.Inf(1)
}
