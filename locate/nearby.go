package locate

import (
	"math"
	"strings"

	"harness/dom"
)

// nearby is the text that a person takes for the label of a control which
// nothing in the markup labels: the text left of it, above it, or, for boxes to
// tick, right of it. "" where there is none or the control has a label.
func (f *finder) nearby(n *dom.Node) string {
	if n.Label() != "" || !wantsLabel(n) {
		return ""
	}
	if f.near == nil {
		f.near = f.nearbyAll()
	}
	return f.near[n]
}

func wantsLabel(n *dom.Node) bool {
	switch n.Role() {
	case "textbox", "searchbox", "combobox", "spinbutton", "slider", "checkbox", "radio", "switch", "listbox":
		return true
	}
	if n.Facts.Has(dom.Editable) {
		return true
	}
	return n.InnerText() == "" && reacts(n) && n.Box.W > 30
}

// nearbyAll pairs unlabelled controls with label-like texts; a text goes to the
// control that it is closest to.
func (f *finder) nearbyAll() map[*dom.Node]string {
	out := map[*dom.Node]string{}
	var controls, texts []*dom.Node
	for _, n := range f.s.Nodes {
		if !n.IsElement() {
			if n.Tag == dom.TextTag && n.Parent != nil && labelLike(n) {
				texts = append(texts, n)
			}
			continue
		}
		if !wantsLabel(n) {
			continue
		}
		if ok, _ := n.Visible(); ok {
			controls = append(controls, n)
		}
	}
	if len(controls) == 0 || len(controls)*len(texts) > 4_000_000 {
		return out
	}
	best := map[*dom.Node]float64{}
	held := holders(controls)
	for _, t := range texts {
		var c *dom.Node
		d := math.Inf(1)
		if only := onlyControl(t, held); only != nil {
			if d = min(labelDistance(t, only), captionDistance(t, only)); !math.IsInf(d, 1) {
				c, d = only, d-1000 // what shares a box with one control alone belongs to it
			}
		} else {
			for _, n := range controls {
				if x := labelDistance(t, n); x < d {
					d, c = x, n
				}
			}
		}
		if c == nil || c.Label() != "" {
			continue
		}
		if old, ok := best[c]; !ok || d < old {
			best[c], out[c] = d, t.Text
		}
	}
	return out
}

// holders counts the controls in every element that holds one, and remembers the last.
func holders(controls []*dom.Node) map[*dom.Node]held {
	out := map[*dom.Node]held{}
	for _, c := range controls {
		for a := c; a != nil && a.Tag != "body"; a = a.Parent {
			h := out[a]
			out[a] = held{h.count + 1, c}
		}
	}
	return out
}

type held struct {
	count int
	last  *dom.Node
}

// onlyControl is the control with which a text shares a box that holds no other control.
func onlyControl(t *dom.Node, in map[*dom.Node]held) *dom.Node {
	for a := t.Parent; a != nil && a.Tag != "body"; a = a.Parent {
		if h := in[a]; h.count > 0 {
			if h.count == 1 {
				return h.last
			}
			return nil
		}
	}
	return nil
}

// captionDistance is how far a text stands below a control, as captions under
// fields do; +Inf where it stands elsewhere.
func captionDistance(t, c *dom.Node) float64 {
	tb, cb := textBox(t), c.Box
	if tb.Empty() || cb.Empty() {
		return math.Inf(1)
	}
	overlapX := min(tb.Right(), cb.Right()) - max(tb.X, cb.X)
	if gap := tb.Y - cb.Bottom(); overlapX > 0 && gap > -4 && gap < 20 {
		return gap + 10
	}
	overlapY := min(tb.Bottom(), cb.Bottom()) - max(tb.Y, cb.Y)
	if gap := tb.X - cb.Right(); overlapY > 0 && gap > -4 && gap < 40 {
		return gap + 20
	}
	return math.Inf(1)
}

// labelLike: a short text with letters that is not itself part of a control.
func labelLike(t *dom.Node) bool {
	s := dom.Squash(t.Text)
	if len([]rune(s)) > 60 || strings.TrimFunc(s, func(r rune) bool { return !wordRune(r) && !isCJK(r) }) == "" {
		return false
	}
	if ok, _ := t.Parent.Visible(); !ok {
		return false
	}
	for a := t.Parent; a != nil && a.IsElement(); a = a.Parent {
		if a.Tag == "button" || a.Tag == "a" || a.Tag == "option" || a.Tag == "select" || a.Tag == "label" && a.LabelControl() != nil || a.Role() == "button" {
			return false
		}
	}
	return true
}

// textBox is the box of a text: its own where it stands in mixed content, else its element's.
func textBox(t *dom.Node) dom.Rect {
	if !t.Box.Empty() || t.Parent == nil {
		return t.Box
	}
	return t.Parent.Box
}

// labelDistance says how far a text is from where a label of the control would
// stand, in CSS px; +Inf where it cannot be one. Without boxes the order of the
// document decides: the distance is the number of nodes between.
func labelDistance(t, c *dom.Node) float64 {
	tb, cb := textBox(t), c.Box
	if tb.Empty() || cb.Empty() {
		if c.Index > t.Index && c.Index-t.Index < 6 {
			return float64(c.Index-t.Index) * 10
		}
		return math.Inf(1)
	}
	role := c.Role()
	tick := role == "checkbox" || role == "radio" || role == "switch"
	overlapY := min(tb.Bottom(), cb.Bottom()) - max(tb.Y, cb.Y)
	overlapX := min(tb.Right(), cb.Right()) - max(tb.X, cb.X)
	sameLine := overlapY > 0.5*min(tb.H, cb.H)
	switch {
	case sameLine && tb.Right() <= cb.X+4:
		gap := cb.X - tb.Right()
		if gap > 220 {
			return math.Inf(1)
		}
		if tick {
			return gap*2 + 12
		}
		return gap
	case sameLine && tick && tb.X >= cb.Right()-4:
		if gap := tb.X - cb.Right(); gap < 60 {
			return gap
		}
	case !tick && overlapX > 0 && tb.Bottom() <= cb.Y+4:
		if gap := cb.Y - tb.Bottom(); gap < 40 && math.Abs(tb.X-cb.X) < max(60, cb.W/2) {
			return gap + 3
		}
	}
	return math.Inf(1)
}

// columnHeader is the header text of the column in which the control stands.
func (f *finder) columnHeader(n *dom.Node) string {
	cell := n.Closest(func(a *dom.Node) bool { return a.Tag == "td" || a.Role() == "gridcell" || a.Tag == "table" })
	if cell == nil || cell.Tag == "table" || cell.Parent == nil || n.Role() == "gridcell" {
		return ""
	}
	if n.Name() != "" && n.Tag != "input" {
		return ""
	}
	col := childIndex(cell)
	table := cell.Closest(func(a *dom.Node) bool { return a.Tag == "table" || a.Role() == "grid" || a.Role() == "table" })
	if table == nil {
		return ""
	}
	head, ok := f.heads[table]
	if !ok {
		table.Walk(func(a *dom.Node) bool {
			if head == nil && a.Role() == "row" && hasHeaderCells(a) {
				head = a
			}
			return head == nil
		})
		f.heads[table] = head
	}
	if head == nil || head == cell.Parent {
		return ""
	}
	cells := elements(head)
	if col >= len(cells) {
		return ""
	}
	return cells[col].InnerText()
}

func hasHeaderCells(row *dom.Node) bool {
	n := 0
	for _, c := range elements(row) {
		if c.Role() == "columnheader" {
			n++
		}
	}
	return n >= 2
}

func elements(n *dom.Node) []*dom.Node {
	var out []*dom.Node
	for _, c := range n.Children {
		if c.IsElement() {
			out = append(out, c)
		}
	}
	return out
}

func childIndex(n *dom.Node) int {
	for i, c := range elements(n.Parent) {
		if c == n {
			return i
		}
	}
	return -1
}
