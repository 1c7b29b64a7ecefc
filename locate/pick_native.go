package locate

import (
	"context"
	"fmt"
	"time"

	"harness/dom"
)

// native fills a native date or time input in the format of its type, whatever
// the page's language, and reads its value back.
func (p *picker) native(ctx context.Context, in *dom.Node) error {
	if in.Disabled() || in.Facts.Has(dom.ReadOnly) {
		return &ActError{Verb: "pick", Target: p.r.Target, Err: ErrDisabled, Detail: describe(in)}
	}
	if err := p.fillNative(ctx, in, p.want.from); err != nil {
		return err
	}
	if !p.want.isRange {
		return nil
	}
	other := nativeBeside(p.s, in)
	if other == nil {
		return p.unavailable("the field takes one day, and no field for the other end stands beside it")
	}
	return p.fillNative(ctx, other, p.want.to)
}

func (p *picker) fillNative(ctx context.Context, in *dom.Node, d civil) error {
	text, err := nativeText(in, d, p.want)
	if err != nil {
		return err
	}
	for name, beyond := range map[string]bool{"min": in.Attr("min") != "" && text < in.Attr("min"), "max": in.Attr("max") != "" && text > in.Attr("max")} {
		if beyond && len(in.Attr(name)) == len(text) {
			return p.unavailable("the field takes nothing beyond its %s, %s", name, in.Attr(name))
		}
	}
	if err := p.page.Fill(ctx, in.Ref, text); err != nil {
		return err
	}
	p.note("fill %s with %s", describe(in), text)
	st, err := p.page.Read(ctx, in.Ref)
	if err != nil {
		return err
	}
	p.r.Value, p.r.Effect = st.Value, "the field holds "+st.Value
	if st.Value != text && st.Value != text+":00" {
		return &ActError{Verb: "pick", Target: p.r.Target, Err: ErrValueMismatch, Detail: fmt.Sprintf("put in %s, but it holds %s", text, quoted(st.Value))}
	}
	return nil
}

// nativeText is the value that stands for the day in an input of that type.
func nativeText(in *dom.Node, d civil, q asked) (string, error) {
	clock := q.clock
	switch in.InputType() {
	case "time":
		if clock == "" {
			return "", fmt.Errorf("%w: the field takes a time of day and none is given", ErrUsage)
		}
		return clock, nil
	case "month":
		return d.String()[:7], nil
	case "week":
		y, w := d.time().ISOWeek()
		return fmt.Sprintf("%04d-W%02d", y, w), nil
	case "datetime-local":
		if clock == "" {
			clock = "00:00"
			if len(in.Value) >= 16 {
				clock = in.Value[11:16]
			}
		}
		return d.String() + "T" + clock, nil
	}
	if q.dateless {
		return "", fmt.Errorf("%w: the field takes a date and none is given", ErrUsage)
	}
	return d.String(), nil
}

// nativeBeside is the next native input of the same type, close by.
func nativeBeside(s *dom.Snapshot, in *dom.Node) *dom.Node {
	for _, n := range s.Nodes[in.Index+1:] {
		if n.Tag != "input" || n.InputType() != in.InputType() {
			continue
		}
		if ok, _ := n.Visible(); ok && sameGroup(in, n) {
			return n
		}
	}
	return nil
}

// openCompanion opens the field for the other end of the range.
func (p *picker) openCompanion(ctx context.Context) error {
	if p.field == nil {
		return p.unavailable("the calendar closed after one end of the range")
	}
	first := p.field
	for _, n := range p.s.Nodes[first.Index+1:] {
		if n.Tag != "input" || !n.TakesText() || n.Within(first) {
			continue
		}
		if ok, _ := n.Visible(); !ok {
			continue
		}
		if !sameGroup(first, n) {
			break
		}
		p.field, p.fieldRef = n, n.Ref
		k, err := p.open(ctx)
		p.fieldRef = first.Ref
		p.field = p.s.ByRef(first.Ref)
		if err != nil {
			return err
		}
		if k == popupCalendar {
			return nil
		}
		break
	}
	return p.unavailable("the calendar closed after one end of the range, and no field for the other end opened one")
}

// finishBy is how long a field may take to show what was typed.
const finishBy = 600 * time.Millisecond
