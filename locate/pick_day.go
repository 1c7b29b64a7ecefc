package locate

import (
	"context"
	"errors"
	"strings"
	"time"

	"harness/dom"
)

const (
	dayQuiet  = 40 * time.Millisecond // of rest after a press on a day
	dayLimit  = 400 * time.Millisecond
	pressWait = 900 * time.Millisecond  // for a day to show that it was pressed
	holdWait  = 3000 * time.Millisecond // for the field to show what was picked
	minMonth  = 45                      // how surely a month must be known to press a day of it
	lookAgain = 3                       // times a day is sought again when the page replaced it
)

// pickDay presses the day, in the month that is its own.
func (p *picker) pickDay(ctx context.Context, d civil) error {
	for try := 1; ; try++ {
		c, err := p.showMonth(ctx, d.in())
		if err != nil {
			return err
		}
		m := c.month(d.in())
		if m.sure < minMonth {
			return p.unavailable("the calendar does not say surely which month it shows (%s?)", m.is)
		}
		cell := c.cell(m, d.Day)
		if cell == nil {
			return p.unavailable("the calendar has no place for %s", d)
		}
		if cell.disabled != "" {
			return p.offDay(d, cell)
		}
		p.mark(c, m, d)
		err = p.page.Click(ctx, cell.press.Ref, ClickOptions{})
		switch {
		case errors.Is(err, ErrStale) && try < lookAgain:
			if err := p.read(ctx); err != nil {
				return err
			}
			continue
		case errors.Is(err, ErrDisabled):
			cell.disabled = "disabled"
			return p.offDay(d, cell)
		case err != nil:
			return err
		}
		p.r.Confidence = min(p.r.Confidence, m.sure)
		p.note("press day %d of %s", d.Day, m.is)
		if took, err := p.tookPress(ctx, d); took || err != nil || try > 1 {
			return err
		}
	}
}

// tookPress waits for a sign that the press on the day arrived: the calendar is
// gone, the day looks otherwise, or the field shows something else. A page that
// moves may lose a press; it is then made once more.
func (p *picker) tookPress(ctx context.Context, d civil) (bool, error) {
	end := time.Now().Add(pressWait)
	for {
		if err := p.read(ctx); err != nil {
			return false, err
		}
		c := p.calendar()
		if c == nil || c.month(d.in()) == nil {
			return true, nil
		}
		s := c.month(d.in()).at(d.Day)
		if s == nil || look(s.node) != p.looks[d] || !p.inline && strings.Join(p.shown(), " ") != p.fieldWas {
			return true, nil
		}
		if time.Now().After(end) {
			return false, nil
		}
		if err := pause(ctx, lookStep/2); err != nil {
			return false, err
		}
	}
}

func (p *picker) offDay(d civil, cell *dayCell) error {
	if d.before(civilOf(p.now)) {
		return p.unavailable("%s is past, and the calendar takes no past days: %s", d, cell.disabled)
	}
	return p.unavailable("the day %s is %s", d, cell.disabled)
}

// mark keeps how the day looked before it was pressed.
func (p *picker) mark(c *calendar, m *monthPage, d civil) {
	if p.looks == nil {
		p.looks = map[civil]string{}
	}
	p.looks[d] = look(m.at(d.Day).node)
}

// look is what an author may change on a day that is chosen: classes and states.
func look(n *dom.Node) string {
	var b strings.Builder
	n.Walk(func(c *dom.Node) bool {
		if !c.IsElement() {
			return false
		}
		for _, a := range []string{"class", "aria-selected", "aria-pressed", "aria-checked", "aria-current", "aria-label", "data-selected", "data-state"} {
			b.WriteString(c.Attr(a))
			b.WriteByte('|')
		}
		return true
	})
	return b.String()
}

// readSoon reads the page once it has come to rest after a press.
func (p *picker) readSoon(ctx context.Context) error {
	if _, err := p.page.Settle(ctx, dayQuiet, dayLimit); err != nil {
		return err
	}
	return p.read(ctx)
}

// finish presses what takes the choice over, waits until the field shows it,
// closes what is still open, and says what the field holds.
func (p *picker) finish(ctx context.Context) error {
	end := time.Now().Add(holdWait)
	confirmed := map[string]bool{}
	for look := 0; ; look++ {
		if err := p.read(ctx); err != nil {
			return err
		}
		v := p.verdict()
		if k := p.confirmer(); k != nil && !confirmed[describe(k)] && (look > 0 || v.held) {
			confirmed[describe(k)] = true
			if err := p.confirm(ctx, k); err != nil {
				return err
			}
			end = time.Now().Add(holdWait)
			continue
		}
		if v.held {
			p.r.Value, p.r.Effect = v.text, "the field shows "+v.text
			return p.closeUp(ctx)
		}
		if time.Now().After(end) || v.other && p.gone() && look > 12 {
			return p.notHeld(v)
		}
		if err := pause(ctx, lookStep); err != nil {
			return p.notHeld(v)
		}
	}
}

func (p *picker) confirm(ctx context.Context, k *dom.Node) error {
	name := describe(k)
	err := p.page.Click(ctx, k.Ref, ClickOptions{})
	if err != nil && !errors.Is(err, ErrStale) && !errors.Is(err, ErrNotActionable) {
		return err
	}
	p.note("press %s", name)
	return nil
}

// gone reports that the calendar is no longer there.
func (p *picker) gone() bool { return p.calendar() == nil && p.freshWheels() == nil }

// notHeld is the error of a pick after which the field shows something else.
func (p *picker) notHeld(v verdictOf) error {
	switch {
	case v.other:
		return &ActError{Verb: "pick", Target: p.r.Target, Err: ErrValueMismatch, Detail: "picked " + p.want.String() + ", but it holds " + quoted(v.text)}
	case p.want.from.before(civilOf(p.now)) && !p.want.dateless:
		return p.unavailable("it is past, and the calendar took no press on it")
	case !v.changed:
		return p.unavailable("disabled, or the calendar took no press on it")
	}
	return &ActError{Verb: "pick", Target: p.r.Target, Err: ErrValueMismatch, Detail: "picked " + p.want.String() + ", but the field shows no date: " + quoted(v.text)}
}

func quoted(s string) string { return "\"" + clip(s, 80) + "\"" }

// confirmer is the control in the open popup that takes the choice over; nil
// where there is none that could be pressed.
func (p *picker) confirmer() *dom.Node {
	var root *dom.Node
	if c := p.calendar(); c != nil {
		root = c.panel
		if !p.inline {
			root = popupOf(c.panel)
		}
	} else if w := p.freshWheels(); w != nil {
		root = popupOf(w.panel)
	}
	if root == nil {
		return nil
	}
	var found *dom.Node
	root.Walk(func(n *dom.Node) bool {
		if found != nil || !n.IsElement() {
			return false
		}
		if n.Disabled() || !(takesPress(n) || n.Facts.Has(dom.Pointer)) || holdsPress(n) && !takesPress(n) {
			return true
		}
		if ok, _ := n.Visible(); !ok {
			return true
		}
		if t := confirmText(n); contained(okWords, t) {
			found = n
		}
		return true
	})
	return found
}

func confirmText(n *dom.Node) string {
	if t := Fold(n.InnerText()); t != "" {
		return t
	}
	if n.Tag == "input" {
		return Fold(n.Value)
	}
	return Fold(n.Name())
}

// popupOf is the popup that the element stands in: up to the nearest thing that
// lies over the page, or the element itself where nothing does.
func popupOf(n *dom.Node) *dom.Node {
	for a := n; a != nil && a.IsElement() && a.Tag != "body"; a = a.Parent {
		if popupRoot(a) {
			return a
		}
	}
	return n
}

// closeUp closes a popup that stays open after the choice: it would lie over
// what comes next. The field must hold its value afterwards.
func (p *picker) closeUp(ctx context.Context) error {
	if p.inline || p.gone() {
		return nil
	}
	if err := p.readSoon(ctx); err != nil || p.gone() {
		return err
	}
	if c := p.calendar(); c != nil && p.stood(c) {
		return nil
	}
	key := "Escape"
	if p.field != nil && p.field.Closest(func(n *dom.Node) bool { return n.Facts.Has(dom.Modal) || n.Role() == "dialog" }) != nil {
		key = "Tab"
	}
	if err := p.page.Press(ctx, dom.Ref{}, key); err != nil {
		return err
	}
	if err := p.readSoon(ctx); err != nil {
		return err
	}
	if v := p.verdict(); !v.held {
		return p.notHeld(v)
	}
	p.note("press %s to close the calendar", key)
	if !p.gone() {
		p.r.Warning = "the calendar stays open"
	}
	return nil
}
