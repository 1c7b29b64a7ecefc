package locate

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"harness/dom"
)

// wheels are columns of values that scroll: one for the year, one for the month,
// one for the day, or for hours and minutes.
type wheels struct {
	panel   *dom.Node // holds all the columns
	columns []wheelColumn
}

// wheelColumn is one column.
type wheelColumn struct {
	node  *dom.Node // the list of values
	view  dom.Rect  // what of it can be seen
	items []choice
	unit  string // what stands behind the numbers: 年, 月, 日, 时, 分
	part  byte   // y, m, d, h, i; 0 unknown
}

const (
	maxWheelTurns = 24 // acts on one column
	minItems      = 2  // values of a column
	minSeen       = 12 // CSS px of a value that must be in sight to press it
)

// readWheels finds groups of columns that hold a year, a month and a day.
func (p *picker) readWheels() []wheels {
	var out []wheels
	cols := p.columns(p.s.Root, nil)
	for i := 0; i < len(cols); {
		k := i + 1
		for k < len(cols) && k-i < 6 && beside(cols[i], cols[k]) {
			k++
		}
		if w := makeWheels(cols[i:k]); w != nil {
			out = append(out, *w)
		}
		i = k
	}
	return out
}

// beside reports columns of one wheel: side by side, close in the tree.
func beside(a, b wheelColumn) bool {
	up := commonAncestor(a.node, b.node)
	return up != nil && up.Tag != "body" && levelsUp(a.node, up) <= 5 && math.Abs(a.view.Y-b.view.Y) < 4 && b.view.X != a.view.X
}

func makeWheels(cols []wheelColumn) *wheels {
	setParts(cols)
	w := &wheels{columns: slices.Clone(cols), panel: cols[0].node}
	parts := ""
	for _, c := range cols {
		w.panel = commonAncestor(w.panel, c.node)
		if c.part != 0 {
			parts += string(c.part)
		}
	}
	if !strings.Contains(parts, "y") || !strings.Contains(parts, "m") || !strings.Contains(parts, "d") {
		return nil
	}
	return w
}

// columns collects lists of numbers or months whose items stand below one another.
func (p *picker) columns(n *dom.Node, out []wheelColumn) []wheelColumn {
	if n.Tag == "select" || n.Tag == "svg" || n.IsElement() && !hasBox(n) {
		return out
	}
	if c, ok := p.columnAt(n); ok {
		return append(out, c)
	}
	for _, k := range n.Children {
		if k.Tag != dom.TextTag {
			out = p.columns(k, out)
		}
	}
	return out
}

func (p *picker) columnAt(n *dom.Node) (wheelColumn, bool) {
	c := wheelColumn{node: n}
	last, blanks := math.Inf(-1), 0
	for _, k := range elementsOf(n) {
		if !hasBox(k) || k.Box.Empty() {
			continue
		}
		t := Fold(k.InnerText())
		if t == "" {
			if blanks++; blanks > 8 {
				return c, false
			}
			continue
		}
		v, unit, ok := p.wheelValue(t)
		if !ok || k.Box.Y <= last {
			return c, false
		}
		last = k.Box.Y
		c.unit = unit
		c.items = append(c.items, choice{k, v})
	}
	if len(c.items) < minItems || c.items[len(c.items)-1].value <= c.items[0].value {
		return c, false
	}
	for i := 1; i < len(c.items); i++ {
		if c.items[i].node.Box.X != c.items[0].node.Box.X {
			return c, false
		}
	}
	if ok, _ := n.Visible(); !ok {
		return c, false
	}
	c.view = viewOf(n)
	return c, !c.view.Empty()
}

// wheelValue reads "2026", "01", "1月", "30日", "January", "09时".
func (p *picker) wheelValue(t string) (v int, unit string, ok bool) {
	parts := cutText(t)
	if len(parts) >= 1 && parts[0].width > 0 && parts[0].width <= 4 && len(parts) <= 3 {
		return parts[0].num, strings.TrimSpace(strings.TrimPrefix(t, parts[0].text)), true
	}
	if m := p.words.month(t); m > 0 {
		return m, "month", true
	}
	return 0, "", false
}

// viewOf is the window through which the list is seen: the nearest container
// that clips it.
func viewOf(n *dom.Node) dom.Rect {
	for a := n; a != nil && a.IsElement() && a.Tag != "body"; a = a.Parent {
		if a.Facts.Has(dom.Clips) && a.Box.H > 0 {
			return a.Box
		}
	}
	return n.Box
}

// setParts says which column is for what: by units, by values, by order.
func setParts(cols []wheelColumn) {
	rest := "md"
	for i := range cols {
		c := &cols[i]
		lo, hi := c.items[0].value, c.items[len(c.items)-1].value
		switch {
		case lo >= 1900 && hi <= 2200:
			c.part = 'y'
		case strings.HasPrefix(c.unit, "月") || c.unit == "month" || strings.HasPrefix(c.unit, "월"):
			c.part = 'm'
		case strings.HasPrefix(c.unit, "日") || strings.HasPrefix(c.unit, "일") || strings.HasPrefix(c.unit, "号"):
			c.part = 'd'
		case strings.HasPrefix(c.unit, "时") || strings.HasPrefix(c.unit, "時") || strings.HasPrefix(c.unit, "点"):
			c.part = 'h'
		case strings.HasPrefix(c.unit, "分"):
			c.part = 'i'
		case lo >= 1 && hi > 12 && hi <= 31:
			c.part = 'd'
		default:
			continue
		}
		rest = strings.ReplaceAll(rest, string(c.part), "")
	}
	for i := range cols {
		if c := &cols[i]; c.part == 0 && rest != "" && c.items[len(c.items)-1].value <= 31 {
			c.part, rest = rest[0], rest[1:]
		}
	}
}

// freshWheels are the wheels that did not stand in the page before the pick.
func (p *picker) freshWheels() *wheels {
	ws := p.readWheels()
	for i := range ws {
		if !p.before[ws[i].columns[0].node.Ref] {
			return &ws[i]
		}
	}
	return nil
}

// inWheels turns the wheels to the date: the year first, since the months and
// days to choose from depend on it.
func (p *picker) inWheels(ctx context.Context) error {
	if p.want.isRange {
		return p.unavailable("wheels take one day, not a range")
	}
	d := p.want.from
	for _, part := range []struct {
		part  byte
		value int
	}{{'y', d.Year}, {'m', d.Month}, {'d', d.Day}} {
		if err := p.turnWheel(ctx, part.part, part.value); err != nil {
			return err
		}
	}
	if p.want.clock != "" {
		if err := p.clockWheels(ctx); err != nil {
			return err
		}
	}
	return p.finish(ctx)
}

func (p *picker) clockWheels(ctx context.Context) error {
	h, m := clockParts(p.want.clock)
	if err := p.turnWheel(ctx, 'h', h); err != nil {
		return err
	}
	return p.turnWheel(ctx, 'i', m)
}

// turnWheel brings the value into the middle of its column.
func (p *picker) turnWheel(ctx context.Context, part byte, value int) error {
	stuck, way := 0, 0
	for range maxWheelTurns {
		c := p.wheelOf(part)
		if c == nil {
			return p.unavailable("the wheels have no column for it")
		}
		at, to := c.current(), -1
		for i, it := range c.items {
			if it.value == value {
				to = i
			}
		}
		if to < 0 {
			if value < c.items[0].value && civilOf(p.now).Year <= p.want.from.Year && p.want.from.before(civilOf(p.now)) {
				return p.unavailable("it is past, and the wheel begins at %d", c.items[0].value)
			}
			return p.unavailable("the wheel goes from %d to %d", c.items[0].value, c.items[len(c.items)-1].value)
		}
		if at == to {
			return nil
		}
		if stuck >= 2 {
			way, stuck = way+1, 0
		}
		if err := p.nudge(ctx, c, at, to, way); err != nil {
			return err
		}
		moved, err := p.wheelRests(ctx, part, c.items[at].node.Box)
		if err != nil {
			return err
		}
		if !moved {
			stuck++
		} else {
			stuck = 0
			p.note("turn the wheel towards %d", value)
		}
	}
	return p.unavailable("the wheel does not turn to %d", value)
}

const (
	wheelStart = 250 * time.Millisecond // for a wheel to begin to turn
	wheelStop  = 1500 * time.Millisecond
)

// wheelRests waits until the column has moved from where its item was and two
// looks see it in one place; it reports whether it moved at all.
func (p *picker) wheelRests(ctx context.Context, part byte, was dom.Rect) (bool, error) {
	began, last := time.Now(), -1.0
	first := 0.0
	if c := p.wheelOf(part); c != nil {
		first = c.items[0].node.Box.Y
	}
	for moved := false; ; {
		if err := pause(ctx, lookStep); err != nil {
			return moved, err
		}
		if err := p.read(ctx); err != nil {
			return moved, err
		}
		c := p.wheelOf(part)
		if c == nil {
			return moved, nil
		}
		y := c.items[0].node.Box.Y
		moved = moved || math.Abs(y-first) > was.H/4
		switch took := time.Since(began); {
		case moved && y == last, !moved && took > wheelStart, took > wheelStop:
			return moved, nil
		}
		last = y
	}
}

func (p *picker) wheelOf(part byte) *wheelColumn {
	w := p.freshWheels()
	if w == nil {
		return nil
	}
	for i := range w.columns {
		if w.columns[i].part == part {
			return &w.columns[i]
		}
	}
	return nil
}

// current is the item in the middle of the view.
func (c *wheelColumn) current() int {
	y := c.view.Center().Y
	best, dist := 0, math.Inf(1)
	for i, it := range c.items {
		if d := math.Abs(it.node.Box.Center().Y - y); d < dist {
			best, dist = i, d
		}
	}
	return best
}

// nudge moves the column: a press on the value or on the last one in sight; where
// presses do nothing, the mouse wheel; then keys.
func (p *picker) nudge(ctx context.Context, c *wheelColumn, at, to, way int) error {
	switch way {
	case 0:
		return p.pressInSight(ctx, c, at, to)
	case 1:
		dy := c.items[to].node.Box.Y - c.items[at].node.Box.Y
		_, err := p.page.Scroll(ctx, c.items[at].node.Ref, 0, dy)
		return err
	case 2:
		return p.page.Drag(ctx, c.items[at+sign(to-at)].node.Ref, c.items[at].node.Ref)
	}
	key := "ArrowDown"
	if to < at {
		key = "ArrowUp"
	}
	return p.page.Press(ctx, c.node.Ref, key)
}

// pressInSight presses the value, or the last one towards it that can be seen,
// where it can be seen: a wheel cuts its outer values.
func (p *picker) pressInSight(ctx context.Context, c *wheelColumn, at, to int) error {
	next, seen := at, dom.Rect{}
	for i := at + sign(to-at); i >= 0 && i < len(c.items); i += sign(to - at) {
		part := c.items[i].node.Box.Intersect(c.view)
		if part.H < minSeen {
			break
		}
		next, seen = i, part
		if i == to {
			break
		}
	}
	if next == at {
		return nil
	}
	point := seen.Center()
	ref, err := p.page.HitTest(ctx, point)
	if err != nil {
		return err
	}
	if hit := p.s.ByRef(ref); hit == nil || !hit.Within(c.items[next].node) && !c.items[next].node.Within(hit) {
		return nil
	}
	return p.page.ClickAt(ctx, point, ClickOptions{})
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
