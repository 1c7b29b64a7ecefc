package locate

import (
	"context"
	"errors"
	"fmt"

	"harness/dom"
)

// fieldStep is the native control of the calendar that must be set next, with
// its value; nil where there is none, or the value is not among its options.
func (p *picker) fieldStep(c *calendar, to yearMonth) (*monthField, int) {
	first := to - yearMonth(c.gap(to))
	for _, want := range []struct {
		year  bool
		value int
		is    int
	}{{true, to.year(), first.year()}, {false, to.month(), first.month()}} {
		if want.value == want.is {
			continue
		}
		if !want.year && first.year() != to.year() {
			break // a month of another year is no step towards it
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
	moved, err := p.movedFrom(ctx, was, false)
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
