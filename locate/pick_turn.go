package locate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"harness/dom"
)

const (
	spareTurns = 8                       // acts beyond the months to go
	tryWait    = 3000 * time.Millisecond // for a press on a control to be possible
	turnWait   = 3000 * time.Millisecond // for the month to change after an act
)

// showMonth pages the calendar to the month, by whatever control gets there
// soonest, and reads after each act what is shown then. The acts are bounded by
// the months to go plus spareTurns.
func (p *picker) showMonth(ctx context.Context, to yearMonth) (*calendar, error) {
	refused := false
	for acts, limit := 0, -1; ; acts++ {
		c, err := p.present(ctx)
		if err != nil {
			return nil, err
		}
		if c.month(to) != nil {
			if acts == 0 || p.steady(ctx) && p.calendar() != nil && p.calendar().month(to) != nil {
				return p.calendar(), nil
			}
			continue
		}
		if limit < 0 {
			limit = absInt(c.gap(to)) + spareTurns
		}
		if acts >= limit {
			return nil, p.unavailable("not reached in %d acts: the calendar shows %s", acts, c.says())
		}
		switch err := p.turn(ctx, c, to); {
		case errors.Is(err, ErrDateUnavailable) && !refused:
			// A calendar that is still opening may not have its controls yet.
			refused = true
			if err := p.readSoon(ctx); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, err
		}
	}
}

// present is the calendar, waited for while a transition shows none; a popup
// that went away is opened once more.
func (p *picker) present(ctx context.Context) (*calendar, error) {
	end := time.Now().Add(turnWait)
	for {
		c := p.calendar()
		if c != nil {
			if first, _ := c.span(); first != 0 {
				return c, nil
			}
		}
		if time.Now().After(end) {
			switch {
			case c != nil:
				return nil, p.unavailable("the calendar does not say which month it shows")
			case p.inline || p.reopened || p.field == nil:
				return nil, p.unavailable("the calendar went away")
			}
			p.reopened = true
			if k, err := p.open(ctx); err != nil || k != popupCalendar {
				return nil, errors.Join(err, p.unavailable("the calendar went away"))
			}
			continue
		}
		if err := pause(ctx, lookStep); err != nil {
			return nil, err
		}
		if err := p.read(ctx); err != nil {
			return nil, err
		}
	}
}

// gap is how many months the nearest shown month must move.
func (c *calendar) gap(to yearMonth) int {
	best := 1 << 20
	for i := range c.months {
		if m := c.months[i].is; m != 0 && absInt(int(to-m)) < absInt(best) {
			best = int(to - m)
		}
	}
	return best
}

// turn does one act towards the month.
func (p *picker) turn(ctx context.Context, c *calendar, to yearMonth) error {
	ahead := c.gap(to)
	k := p.turner(c, to)
	if f, value := p.fieldStep(c, to); f != nil && (ahead > 1 || ahead < -1 || k == nil) {
		return p.setMonthField(ctx, c, f, value)
	}
	if k == nil {
		if moved, err := p.scrollMonths(ctx, c, ahead); moved || err != nil {
			return err
		}
	}
	far := absInt(ahead) > 4 && absInt(p.moves(c, k)) == 1 && len(c.months) == 1 && !p.halves
	if !p.drilled && (k == nil || far) && c.drills() {
		return p.drill(ctx, c, to)
	}
	if k != nil {
		return p.press(ctx, c, k, absInt(ahead) > 1)
	}
	return p.cannotTurn(c, to)
}

// drills reports a heading that may be pressed.
func (c *calendar) drills() bool {
	return slices.ContainsFunc(c.controls, func(k pageControl) bool { return k.kind == drills && !k.off })
}

// cannotTurn says why the month cannot be reached.
func (p *picker) cannotTurn(c *calendar, to yearMonth) error {
	if to < civilOf(p.now).in() {
		return p.unavailable("%s is past, and the calendar does not go back from %s", to, c.says())
	}
	return p.unavailable("out of reach: the calendar shows %s and cannot be turned to %s", c.says(), to)
}

// key names a control over the re-drawings of its calendar.
func (p *picker) key(c *calendar, k *pageControl) string {
	half := 0
	if b := c.panel.Box; !b.Empty() && !k.node.Box.Empty() {
		half = int(4 * (k.node.Box.Center().X - b.X) / b.W)
	}
	return fmt.Sprint(k.node.Tag, "|", k.node.Attr("class"), "|", spokenWords(k.node), "|", k.node.InnerText(), "|", half, "|", k.by)
}

// moves is how many months the control moves: as seen, otherwise as thought.
func (p *picker) moves(c *calendar, k *pageControl) int {
	if k == nil {
		return 0
	}
	if m, ok := p.learnt[p.key(c, k)]; ok {
		return m
	}
	return k.by
}

// turner is the control that brings a month nearest to the wanted one. Where
// months are turned one by one, each is turned by the control that stands at it.
func (p *picker) turner(c *calendar, to yearMonth) *pageControl {
	var best, untried *pageControl
	left, sure, alike := absInt(c.gap(to)), -1, 0
	for i := range c.controls {
		k := &c.controls[i]
		by := p.moves(c, k)
		if k.kind != turns || k.off || by == 0 || p.dead[p.key(c, k)] > 0 || k.of >= len(c.months) || c.months[k.of].is == 0 {
			continue
		}
		was, rest := p.gaps(c, k, by, to)
		_, seen := p.learnt[p.key(c, k)]
		// An untried control for years may be one for months; it must pay well.
		if rest >= was || !seen && absInt(by) > 1 && rest >= absInt(c.gap(to))-3 {
			if !seen && absInt(by) == 1 {
				untried, alike = k, alike+1
			}
			continue
		}
		trust := k.score
		if seen {
			trust += 100
		}
		if rest < left || rest == left && trust > sure {
			best, left, sure = k, rest, trust
		}
	}
	if best == nil && alike > 0 && c.oneSided() {
		return untried
	}
	return best
}

// gaps is how far the wanted month is from what the control turns, and would be
// from it after a press.
func (p *picker) gaps(c *calendar, k *pageControl, by int, to yearMonth) (was, rest int) {
	if !p.linked {
		is := c.months[k.of].is
		return absInt(int(to - is)), absInt(int(to-is) - by)
	}
	was, rest = absInt(c.gap(to)), 1<<20
	for i := range c.months {
		rest = min(rest, absInt(int(to-c.months[i].is)-by))
	}
	return was, rest
}

// oneSided reports a calendar whose controls are all thought to turn one way:
// one of two must turn the other way.
func (c *calendar) oneSided() bool {
	prev, next := 0, 0
	for _, k := range c.controls {
		if k.kind == turns && k.by < 0 {
			prev++
		} else if k.kind == turns {
			next++
		}
	}
	return prev > 1 && next == 0 || next > 1 && prev == 0
}

func absInt(n int) int { return max(n, -n) }

// press presses a control and learns how far it moved.
func (p *picker) press(ctx context.Context, c *calendar, k *pageControl, more bool) error {
	key, was := p.key(c, k), spans(c)
	name := describe(k.node)
	err := p.try(ctx, k.node.Ref)
	switch {
	case errors.Is(err, ErrStale):
		return p.read(ctx)
	case errors.Is(err, ErrNotActionable), errors.Is(err, ErrTimeout):
		p.dead[key]++
		return p.read(ctx)
	case err != nil:
		return err
	}
	moved, err := p.movedFrom(ctx, was, more)
	if err != nil {
		return err
	}
	if moved == 0 {
		p.dead[key]++
		p.note("press %s: no month changed", name)
		return nil
	}
	p.learnt[key] = moved
	p.note("press %s: %s", name, p.saysNow())
	return nil
}

// try presses an element that may not be what it seems: it gets little time.
func (p *picker) try(ctx context.Context, ref dom.Ref) error {
	ctx, cancel := context.WithTimeoutCause(ctx, tryWait, errDeadline)
	defer cancel()
	return p.page.Click(ctx, ref, ClickOptions{})
}

func (p *picker) saysNow() string {
	if c := p.calendar(); c != nil {
		return c.says()
	}
	return "no calendar"
}

// spans is what a calendar shows, to be compared.
func spans(c *calendar) []yearMonth {
	var out []yearMonth
	for i := range c.months {
		out = append(out, c.months[i].is)
	}
	return out
}

// movedFrom waits until the calendar shows other months and says how far it
// moved; 0 where it did not. While two pages slide past one another both are
// there: that is enough where there is more to turn.
func (p *picker) movedFrom(ctx context.Context, was []yearMonth, more bool) (int, error) {
	end := time.Now().Add(turnWait)
	for {
		if err := p.read(ctx); err != nil {
			return 0, err
		}
		if c := p.calendar(); c != nil && len(was) > 0 {
			is := spans(c)
			if d := difference(was, is); d != 0 && (more || len(is) == len(was)) {
				p.linked = allMoved(was, is)
				return d, nil
			}
		}
		if time.Now().After(end) {
			return 0, nil
		}
		if err := pause(ctx, lookStep/2); err != nil {
			return 0, err
		}
	}
}

// allMoved reports months that were all turned at once.
func allMoved(was, is []yearMonth) bool {
	for i := range is {
		if i < len(was) && was[i] == is[i] {
			return false
		}
	}
	return true
}

// steady waits until two looks in a row see the same and no two months lie over
// one another: a page that slides or fades is no place to press.
func (p *picker) steady(ctx context.Context) bool {
	end := time.Now().Add(turnWait)
	for time.Now().Before(end) {
		c := p.calendar()
		if c == nil {
			return false
		}
		was, box := spans(c), c.months[0].box()
		if pause(ctx, lookStep/2) != nil || p.read(ctx) != nil {
			return false
		}
		if c = p.calendar(); c != nil && slices.Equal(was, spans(c)) && c.months[0].box() == box && !sliding(c) {
			return true
		}
	}
	return true
}

// sliding reports months that lie over one another.
func sliding(c *calendar) bool {
	for i := range c.months {
		for k := i + 1; k < len(c.months); k++ {
			a, b := c.months[i].box(), c.months[k].box()
			if o := a.Intersect(b); o.W*o.H > a.W*a.H/4 {
				return true
			}
		}
	}
	return false
}

// difference is how far the months moved: the first one that is another, or,
// where there are more or fewer now, the new one that lies beyond the old.
func difference(was, is []yearMonth) int {
	if len(was) == len(is) {
		for i := range is {
			if is[i] != 0 && was[i] != 0 && was[i] != is[i] {
				return int(is[i] - was[i])
			}
		}
		return 0
	}
	for _, m := range is {
		switch {
		case m == 0 || slices.Contains(was, m):
		case m > slices.Max(was):
			return int(m - slices.Max(was))
		case m < slices.Min(was):
			return int(m - slices.Min(was))
		}
	}
	return 0
}
