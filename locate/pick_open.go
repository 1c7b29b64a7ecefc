package locate

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"harness/dom"
)

// What a press on a field brought up.
type popupKind int

const (
	popupNone popupKind = iota
	popupCalendar
	popupWheels
	popupTimes
)

const (
	openWait = 1200 * time.Millisecond // for a popup to appear after the press
	lookStep = 30 * time.Millisecond   // between two looks at a page that changes
)

// open brings the calendar of the field up: one that is open already, or by a
// press on the field, on the button beside it, or by keys.
func (p *picker) open(ctx context.Context) (popupKind, error) {
	p.standing()
	if k := p.alreadyOpen(); k != popupNone {
		p.note("the calendar was open")
		return k, nil
	}
	opener := p.openerBeside()
	field := p.field
	steps := []*dom.Node{field, opener}
	if opener != nil && saysOpens(opener) && takesPress(opener) && (!field.TakesText() || !field.Facts.Has(dom.ReadOnly)) {
		steps = []*dom.Node{opener, field}
	}
	for i, n := range steps {
		if n == nil || n.Disabled() {
			continue
		}
		if n == field && i > 0 && !takesPress(field) {
			continue
		}
		k, err := p.openBy(ctx, describe(n), func() error { return p.pressField(ctx, n) })
		if k != popupNone || err != nil && n == field {
			return k, err
		}
	}
	return p.openByKeys(ctx)
}

func (p *picker) pressField(ctx context.Context, n *dom.Node) error {
	if p.r.Layer == Vision && p.r.Point != nil && n.Ref == p.fieldRef {
		return p.page.ClickAt(ctx, *p.r.Point, ClickOptions{})
	}
	if n.Ref == p.fieldRef {
		return p.page.Click(ctx, n.Ref, ClickOptions{})
	}
	return p.try(ctx, n.Ref)
}

// openByKeys asks the field itself. Enter is left out where it may send a form.
func (p *picker) openByKeys(ctx context.Context) (popupKind, error) {
	if p.field == nil || !p.field.Facts.Has(dom.Focusable) {
		return popupNone, nil
	}
	keys := []string{"ArrowDown"}
	if !p.field.TakesText() {
		keys = append(keys, "Enter")
	}
	for _, key := range keys {
		k, err := p.openBy(ctx, key, func() error { return p.page.Press(ctx, p.fieldRef, key) })
		if k != popupNone || err != nil {
			return k, err
		}
	}
	return popupNone, nil
}

func (p *picker) openBy(ctx context.Context, what string, act func() error) (popupKind, error) {
	if err := act(); err != nil {
		if errors.Is(err, ErrStale) || errors.Is(err, ErrTimeout) && ctx.Err() == nil {
			return popupNone, p.read(ctx)
		}
		return popupNone, err
	}
	p.note("press %s", what)
	return p.appeared(ctx, openWait)
}

// appeared waits until a calendar that did not stand in the page is there.
func (p *picker) appeared(ctx context.Context, limit time.Duration) (popupKind, error) {
	end := time.Now().Add(limit)
	for {
		if err := p.read(ctx); err != nil {
			return popupNone, err
		}
		if c := p.fresh(); c != nil {
			p.grid = c.months[0].grid.Ref
			return popupCalendar, nil
		}
		if w := p.freshWheels(); w != nil {
			return popupWheels, nil
		}
		if p.want.dateless && p.timesOpen() {
			return popupTimes, nil
		}
		if time.Now().After(end) {
			return popupNone, nil
		}
		if err := pause(ctx, lookStep); err != nil {
			return popupNone, err
		}
	}
}

// pause waits, at most until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// standing keeps which calendars and wheels stood in the page before the pick.
func (p *picker) standing() {
	p.before = map[dom.Ref]bool{}
	for i := range p.calendars {
		for k := range p.calendars[i].months {
			p.before[p.calendars[i].months[k].grid.Ref] = true
		}
	}
	for _, w := range p.readWheels() {
		p.before[w.columns[0].node.Ref] = true
	}
}

func (p *picker) stood(c *calendar) bool {
	for i := range c.months {
		if !p.before[c.months[i].grid.Ref] {
			return false
		}
	}
	return true
}

// alreadyOpen finds a calendar that the field itself says it has open.
func (p *picker) alreadyOpen() popupKind {
	on, known := p.field.Expanded()
	for i := range p.calendars {
		c := &p.calendars[i]
		if known && on && p.controls(c) || !known && p.hangsOn(c) {
			p.forget(&p.calendars[i])
			p.grid = p.calendars[i].months[0].grid.Ref
			return popupCalendar
		}
	}
	return popupNone
}

// clingGap is how far a popup may lie from the field that it hangs on, CSS px.
const clingGap = 24

// hangsOn reports that the calendar is a layer over the page right at the field,
// and that the field has the focus: it was opened by a press on the field.
func (p *picker) hangsOn(c *calendar) bool {
	if !p.field.Facts.Has(dom.Focused) {
		return false
	}
	layer := c.panel.Closest(popupRoot)
	if layer == nil || layer.Tag == "body" || p.field.Within(layer) {
		return false
	}
	f, l := p.field.Box, layer.Box
	apart := max(l.Y-f.Bottom(), f.Y-l.Bottom())
	return apart > -f.H && apart < clingGap && min(f.Right(), l.Right()) > max(f.X, l.X)
}

func (p *picker) forget(c *calendar) {
	for i := range c.months {
		delete(p.before, c.months[i].grid.Ref)
	}
}

// controls reports that the field names the calendar as its own.
func (p *picker) controls(c *calendar) bool {
	if p.field == nil {
		return false
	}
	for _, a := range []string{"aria-controls", "aria-owns"} {
		for _, id := range strings.Fields(p.field.Attr(a)) {
			if n := p.field.ByID(id); n != nil && (c.panel.Within(n) || n.Within(c.panel)) {
				return true
			}
		}
	}
	return false
}

// fresh is the calendar that appeared: the one that the field names as its own,
// otherwise the nearest.
func (p *picker) fresh() *calendar {
	var best *calendar
	dist := math.Inf(1)
	for i := range p.calendars {
		c := &p.calendars[i]
		if p.stood(c) {
			continue
		}
		if p.controls(c) {
			return c
		}
		d := 0.0
		if p.field != nil {
			d = apart(p.field.Box, c.months[0].box())
		}
		if d < dist {
			best, dist = c, d
		}
	}
	return best
}

// apart is the distance between two boxes, CSS px.
func apart(a, b dom.Rect) float64 {
	dx := max(0, a.X-b.Right(), b.X-a.Right())
	dy := max(0, a.Y-b.Bottom(), b.Y-a.Bottom())
	return math.Hypot(dx, dy)
}

var openerWords = []string{"calendar", "date", "日历", "日期", "日曆", "kalender", "datum", "calendrier", "calendario", "calendário", "fecha", "data", "календар", "дат", "تقويم", "تاريخ", "יומן", "תאריך",
	"takvim", "tarih", "달력", "날짜", "カレンダー", "日付", "kalendarz", "picker", "open", "toggle", "trigger"}

// saysOpens reports a button that is named for opening a calendar.
func saysOpens(n *dom.Node) bool {
	if h := n.Attr("aria-haspopup"); h == "dialog" || h == "grid" || h == "true" {
		return true
	}
	return named(spokenWords(n)+" "+Fold(n.InnerText()), openerWords)
}

// openerBeside is the button beside the field that opens its calendar: a small
// control or icon within the field's own wrapping that does not clear it.
func (p *picker) openerBeside() *dom.Node {
	if b := p.buttonIn(p.field, nil); b != nil && p.field.Tag != "button" {
		return b
	}
	inner := p.field
	for range 4 {
		up := parentElement(inner)
		if up == nil {
			return nil
		}
		if up.Tag == "body" || up.Tag == "form" || p.otherFields(up) {
			return besideIn(up, inner)
		}
		if b := p.buttonIn(up, inner); b != nil {
			return b
		}
		inner = up
	}
	return nil
}

// besideIn is an opener that stands right beside the inner element.
func besideIn(up, inner *dom.Node) *dom.Node {
	kids := elementsOf(up)
	at := slices.Index(kids, inner)
	if at < 0 {
		return nil
	}
	for _, k := range []int{at + 1, at - 1} {
		if k >= 0 && k < len(kids) && openerScore(kids[k]) > 0 && saysOpens(kids[k]) && apart(kids[k].Box, inner.Box) < 40 {
			return kids[k]
		}
	}
	return nil
}

// otherFields reports fields of others below up.
func (p *picker) otherFields(up *dom.Node) bool {
	other := 0
	up.Walk(func(n *dom.Node) bool {
		if n == p.field {
			return false
		}
		if n.TakesText() || n.Tag == "select" {
			if ok, _ := n.Visible(); ok && n.Role() != "spinbutton" && !p.sameLabel(n) {
				other++
			}
		}
		return true
	})
	return other > 1
}

func (p *picker) sameLabel(n *dom.Node) bool {
	return n.Label() != "" && n.Label() == p.field.Label()
}

func (p *picker) buttonIn(up, without *dom.Node) *dom.Node {
	var best *dom.Node
	score := 0
	up.Walk(func(n *dom.Node) bool {
		if n == without && n != up || !n.IsElement() {
			return n == up
		}
		if n == up {
			return true
		}
		if v := openerScore(n); v > score {
			best, score = n, v
		}
		return true
	})
	return best
}

// openerScore says how well the element would open a calendar; 0 not at all.
func openerScore(n *dom.Node) int {
	if ok, _ := n.Visible(); !ok || n.TakesText() || n.Tag == "label" || n.Facts.Has(dom.NoPointer) || n.Role() == "spinbutton" {
		return 0
	}
	text, spoken := Fold(n.InnerText()), spokenWords(n)
	words := classWords(n)
	if len(text) > maxControlText || slices.Contains(cancelWords, text) || slices.Contains(cancelWords, spoken) || closes(n) {
		return 0
	}
	v := 0
	if takesPress(n) {
		v += 30
	} else if n.Facts.Has(dom.Pointer) {
		v += 15
	}
	if saysOpens(n) {
		v += 30
	}
	if named(strings.Join(words, " "), []string{"calendar", "date", "picker", "icon", "addon", "toggle", "trigger"}) {
		v += 10
	}
	if n.Box.W <= maxControl && (n.Facts.Has(dom.Icon) || n.Tag == "svg" || n.Tag == "img" || iconInside(n)) {
		v += 15
	}
	if v < 25 {
		return 0
	}
	if !takesPress(n) && holdsPress(n) {
		return 0
	}
	return v
}

func iconInside(n *dom.Node) bool {
	found := false
	n.Walk(func(c *dom.Node) bool {
		if c != n && (c.Tag == "svg" || c.Tag == "img" || c.Facts.Has(dom.Icon)) {
			found = true
		}
		return !found
	})
	return found
}
