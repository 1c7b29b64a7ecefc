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
	tryWait    = 1500 * time.Millisecond // for a press on a control to be possible
	turnWait   = 900 * time.Millisecond  // for the month to change after an act
)

// showMonth pages the calendar to the month, by whatever control gets there
// soonest, and verifies after each act that the month moved as it should. The
// acts are bounded by the months to go plus spareTurns.
func (p *picker) showMonth(ctx context.Context, to yearMonth) (*calendar, error) {
	for acts, limit := 0, -1; ; acts++ {
		c := p.calendar()
		if c == nil {
			return nil, p.unavailable("the calendar went away")
		}
		if c.month(to) != nil {
			return c, nil
		}
		first, last := c.span()
		if first == 0 {
			return nil, p.unavailable("the calendar does not say which month it shows")
		}
		if limit < 0 {
			limit = monthsTo(to, first, last) + spareTurns
		}
		if acts >= limit {
			return nil, p.unavailable("not reached in %d acts: the calendar shows %s", acts, c.says())
		}
		if err := p.turn(ctx, c, to); err != nil {
			return nil, err
		}
	}
}

// monthsTo is how far the month is from what is shown.
func monthsTo(to, first, last yearMonth) int {
	if to < first {
		return int(first - to)
	}
	return max(0, int(to-last))
}

// signedTo is how many months the calendar must move.
func signedTo(to, first, last yearMonth) int {
	if to < first {
		return int(to - first)
	}
	return int(to - last)
}

// turn does one act towards the month.
func (p *picker) turn(ctx context.Context, c *calendar, to yearMonth) error {
	first, last := c.span()
	ahead := signedTo(to, first, last)
	if f, value := p.fieldStep(c, to); f != nil && (ahead > 1 || ahead < -1 || p.turner(c, ahead) == nil) {
		return p.setMonthField(ctx, c, f, value)
	}
	k := p.turner(c, ahead)
	if k == nil {
		if moved, err := p.scrollMonths(ctx, c, ahead); moved || err != nil {
			return err
		}
	}
	if far := ahead > 4 || ahead < -4; (far && (k == nil || p.moves(c, k)*p.moves(c, k) == 1) || k == nil) && !p.drilled {
		return p.drill(ctx, c, to)
	}
	if k != nil {
		return p.press(ctx, c, k, ahead)
	}
	return p.cannotTurn(c, to)
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
	if m, ok := p.learnt[p.key(c, k)]; ok {
		return m
	}
	return k.by
}

// turner is the control that gets nearest to the month.
func (p *picker) turner(c *calendar, ahead int) *pageControl {
	var best *pageControl
	left, sure := absInt(ahead), -1
	for i := range c.controls {
		k := &c.controls[i]
		if k.kind != turns || k.off || p.dead[p.key(c, k)] > 0 {
			continue
		}
		by := p.moves(c, k)
		_, seen := p.learnt[p.key(c, k)]
		rest := absInt(ahead - by)
		// An untried control for years may be one for months; it must pay well.
		if by == 0 || by*ahead < 0 || absInt(by) > 1 && rest >= absInt(ahead)-3 {
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
	return best
}

func absInt(n int) int { return max(n, -n) }

// press presses a control and learns how far it moved.
func (p *picker) press(ctx context.Context, c *calendar, k *pageControl, ahead int) error {
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
	moved, err := p.movedFrom(ctx, was)
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

// movedFrom waits until the calendar shows other months, all of them named, and
// says how far it moved; 0 where it did not.
func (p *picker) movedFrom(ctx context.Context, was []yearMonth) (int, error) {
	end := time.Now().Add(turnWait)
	for {
		if err := p.read(ctx); err != nil {
			return 0, err
		}
		c := p.calendar()
		if c != nil && len(was) > 0 {
			if d := difference(was, spans(c)); d != 0 {
				return d, p.steady(ctx)
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

// steady waits until two looks in a row see the same: a transition shows both
// pages, and a page that slides is no place to press.
func (p *picker) steady(ctx context.Context) error {
	for range 25 {
		c := p.calendar()
		if c == nil {
			return nil
		}
		was, box := spans(c), c.months[0].box()
		if err := pause(ctx, lookStep/2); err != nil {
			return err
		}
		if err := p.read(ctx); err != nil {
			return err
		}
		if c = p.calendar(); c != nil && slices.Equal(was, spans(c)) && c.months[0].box() == box {
			return nil
		}
	}
	return nil
}

// difference is how far the months moved: of the first that changed.
func difference(was, is []yearMonth) int {
	for i := range min(len(was), len(is)) {
		if is[i] == 0 {
			return 0
		}
		if was[i] != is[i] && was[i] != 0 {
			return int(is[i] - was[i])
		}
	}
	return 0
}

// fieldStep is the native control of the calendar that must be set next, with
// its value; nil where there is none, or the value is not among its options.
func (p *picker) fieldStep(c *calendar, to yearMonth) (*monthField, int) {
	first, _ := c.span()
	for _, want := range []struct {
		year  bool
		value int
		is    int
	}{{true, to.year(), first.year()}, {false, to.month(), first.month()}} {
		if want.value == want.is {
			continue
		}
		for i := range c.fields {
			f := &c.fields[i]
			if f.year != want.year || p.dead[f.node.Ref.String()] > 0 {
				continue
			}
			if f.options == nil {
				return f, want.value
			}
			if _, ok := f.options[want.value]; ok {
				return f, want.value
			}
		}
	}
	return nil, 0
}

// setMonthField sets a native select or input for the month or year.
func (p *picker) setMonthField(ctx context.Context, c *calendar, f *monthField, value int) error {
	was, name := spans(c), describe(f.node)
	var err error
	if f.options != nil {
		err = p.page.Select(ctx, f.node.Ref, []int{f.options[value]})
	} else {
		err = p.page.Fill(ctx, f.node.Ref, fmt.Sprint(value))
		if err == nil {
			err = p.commitInput(ctx, f.node.Ref, was)
		}
	}
	if errors.Is(err, ErrStale) {
		return p.read(ctx)
	}
	if err != nil {
		return err
	}
	moved, err := p.movedFrom(ctx, was)
	if err != nil {
		return err
	}
	if moved == 0 {
		p.dead[f.node.Ref.String()]++
	}
	p.note("set %s to %d: %s", name, value, p.saysNow())
	return nil
}

// commitInput presses Enter where filling alone changed nothing.
func (p *picker) commitInput(ctx context.Context, ref dom.Ref, was []yearMonth) error {
	if err := p.read(ctx); err != nil {
		return err
	}
	if c := p.calendar(); c != nil && difference(was, spans(c)) != 0 {
		return nil
	}
	return p.page.Press(ctx, ref, "Enter")
}
