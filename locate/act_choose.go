package locate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"harness/dom"
)

// Check checks (on) or unchecks a checkbox, radio or switch, native or drawn,
// and verifies its state.
func (a *Actor) Check(ctx context.Context, t Target, on bool, h How) (*Resolution, error) {
	verb := "check"
	if !on {
		verb = "uncheck"
	}
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	for try := 1; ; try++ {
		r, n, err := a.resolve(ctx, t, verb, h)
		if try == 1 {
			a.before(ctx, r)
		}
		if err != nil {
			return r, err
		}
		err = a.setChecked(ctx, r, n, on, h)
		if errors.Is(err, ErrStale) && try < maxStale {
			continue
		}
		return r, a.explain(ctx, t, verb, n, err)
	}
}

func (a *Actor) setChecked(ctx context.Context, r *Resolution, n *dom.Node, on bool, h How) error {
	if c := n.LabelControl(); c != nil {
		n = c
	}
	before, known := n.Checked()
	if known && before == on {
		r.note("it already was")
		r.Effect = "the state is as asked"
		return nil
	}
	if !known {
		return a.toggleDrawn(ctx, r, n, on)
	}
	if err := a.toggle(ctx, r, n, on); err != nil {
		return err
	}
	r.did(r.Verb + "ed")
	st, err := a.settledState(ctx, n.Ref, on)
	if err != nil {
		return err
	}
	if st.Checked != on {
		return &ActError{Verb: r.Verb, Target: r.Target, Err: ErrValueMismatch, Detail: "pressed, but its state is not the one asked for"}
	}
	r.Effect = "the state is as asked"
	return nil
}

// toggle presses the control itself, or what stands for it where it is hidden.
func (a *Actor) toggle(ctx context.Context, r *Resolution, n *dom.Node, on bool) error {
	ok, _ := n.Visible()
	native := n.InputType() == "checkbox" || n.InputType() == "radio"
	switch {
	case ok && native:
		return a.page.SetChecked(ctx, n.Ref, on)
	case ok:
		return a.page.Click(ctx, n.Ref, ClickOptions{})
	case native && n.Facts.Has(dom.Rendered) && n.InputType() == "checkbox":
		r.note("it is hidden behind its label: pressed the space bar on it") // a press on the label might meet a link in it
		return a.page.Press(ctx, n.Ref, "Space")
	}
	p := proxyOf(n)
	if p == nil {
		return ErrNotActionable
	}
	r.note("it is hidden: pressed " + describe(p))
	return a.page.Click(ctx, p.Ref, ClickOptions{})
}

// settledState reads the state until it is the one asked for, for a short time:
// frameworks set it a moment after the press.
func (a *Actor) settledState(ctx context.Context, ref dom.Ref, on bool) (State, error) {
	for i := 0; ; i++ {
		st, err := a.page.Read(ctx, ref)
		if err != nil || st.Checked == on || i == 8 {
			return st, err
		}
		if err := a.wait(ctx); err != nil {
			return st, err
		}
	}
}

// toggleDrawn presses a box that has no state a program could read; what changes
// is the only evidence, so no change is an error.
func (a *Actor) toggleDrawn(ctx context.Context, r *Resolution, n *dom.Node, on bool) error {
	err := a.effect(ctx, r, How{Effect: true}, &pressed{n, r.Point}, func(ctx context.Context, p *pressed) error { return a.pressIt(ctx, r, p.node) })
	if err != nil {
		return err
	}
	st, err := a.page.Read(ctx, n.Ref)
	if errors.Is(err, ErrStale) {
		return nil
	}
	if err != nil {
		return err
	}
	if st.Checked != on {
		r.Warning = "its state cannot be read: pressed once"
		r.Confidence = min(r.Confidence, 70)
	}
	return nil
}

// Select chooses options by their text (or value) in a native or drawn list.
func (a *Actor) Select(ctx context.Context, t Target, options []string, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	for try := 1; ; try++ {
		r, n, err := a.resolve(ctx, t, "select", h)
		if try == 1 {
			a.before(ctx, r)
		}
		if err != nil {
			return r, err
		}
		if n.Tag == "select" {
			err = a.selectNative(ctx, r, n, options)
		} else {
			err = a.selectDrawn(ctx, r, n, options, h)
		}
		if errors.Is(err, ErrStale) && try < maxStale {
			continue
		}
		return r, a.explain(ctx, t, "select", n, err)
	}
}

func (a *Actor) selectNative(ctx context.Context, r *Resolution, n *dom.Node, options []string) error {
	var all []*dom.Node
	n.Walk(func(o *dom.Node) bool {
		if o.Tag == "option" {
			all = append(all, o)
		}
		return true
	})
	var indexes []int
	var want []string
	for _, text := range options {
		i, err := matchOption(r.Target, all, text)
		if err != nil {
			return err
		}
		if all[i].Disabled() {
			return &ActError{Verb: "select", Target: r.Target, Err: ErrDisabled, Detail: fmt.Sprintf("the option %q", text)}
		}
		indexes, want = append(indexes, i), append(want, dom.Squash(optionText(all[i])))
	}
	if err := a.page.Select(ctx, n.Ref, indexes); err != nil {
		return err
	}
	r.did("selected in")
	st, err := a.page.Read(ctx, n.Ref)
	if err != nil {
		return err
	}
	r.Value = strings.Join(st.Options, ", ")
	for _, w := range want {
		if !containsSquashed(st.Options, w) {
			return &ActError{Verb: "select", Target: r.Target, Err: ErrValueMismatch, Detail: fmt.Sprintf("asked for %q, it holds %q", w, r.Value)}
		}
	}
	r.Effect = "the list holds the option"
	return nil
}

func containsSquashed(list []string, s string) bool {
	for _, x := range list {
		if dom.Squash(x) == s {
			return true
		}
	}
	return false
}

func optionText(o *dom.Node) string {
	var b strings.Builder
	for _, c := range o.Children {
		b.WriteString(c.Text)
	}
	if b.Len() == 0 {
		return o.Attr("label")
	}
	return b.String()
}

// matchOption is the index of the option with that text or value: the whole
// text first, then the only one that contains it.
func matchOption(t Target, all []*dom.Node, text string) (int, error) {
	want := Fold(text)
	var exact, part []int
	var names []string
	for i, o := range all {
		have := Fold(optionText(o))
		if len(names) < 12 {
			names = append(names, fmt.Sprintf("%q", clip(dom.Squash(optionText(o)), 40)))
		}
		switch m := matchText(want, have); {
		case m.kind == exactly || o.Attr("value") == text && text != "":
			exact = append(exact, i)
		case m.kind >= contains:
			part = append(part, i)
		}
	}
	found := exact
	if len(found) == 0 {
		found = part
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, &ActError{Verb: "select", Target: t, Err: ErrNotFound, Detail: fmt.Sprintf("no option %q among %s", text, strings.Join(names, ", "))}
	}
	return 0, &ActError{Verb: "select", Target: t, Err: ErrAmbiguous, Detail: fmt.Sprintf("%d options match %q", len(found), text)}
}

// selectDrawn opens a list that is drawn by the page and presses the option.
func (a *Actor) selectDrawn(ctx context.Context, r *Resolution, n *dom.Node, options []string, h How) error {
	for _, text := range options {
		if on, known := n.Expanded(); (!known || !on) && n.Role() != "listbox" && n.Role() != "radiogroup" && n.Role() != "menu" {
			if err := a.pressIt(ctx, r, n); err != nil {
				return err
			}
			r.did("opened")
			if _, err := a.page.Settle(ctx, 80*time.Millisecond, restLimit); err != nil {
				return err
			}
		}
		if err := a.chooseDrawn(ctx, r, n, text, h); err != nil {
			return err
		}
		s, err := a.page.Snapshot(ctx, dom.Query{})
		if err != nil {
			return err
		}
		if fresh := s.ByRef(n.Ref); fresh != nil {
			n = fresh
			r.Value = firstNonEmpty(n.Value, n.InnerText())
		}
	}
	return nil
}

func firstNonEmpty(ss ...string) string {
	for _, s := range ss {
		if s != "" {
			return s
		}
	}
	return ""
}

// chooseDrawn finds the option in the list that belongs to the field: the
// element that aria-controls or aria-owns names, or the field itself, or what
// appeared on the page.
func (a *Actor) chooseDrawn(ctx context.Context, r *Resolution, n *dom.Node, text string, h How) error {
	for {
		s, err := a.page.Snapshot(ctx, dom.Query{})
		if err != nil {
			return err
		}
		field := s.ByRef(n.Ref)
		if field == nil {
			return ErrStale
		}
		o, err := drawnOption(s, field, r.Target, text)
		if err == nil {
			return a.effect(ctx, r, How{Effect: true}, &pressed{node: o}, func(ctx context.Context, p *pressed) error {
				return a.page.Click(ctx, p.node.Ref, ClickOptions{})
			})
		}
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		if a.wait(ctx) != nil {
			return err
		}
	}
}

func drawnOption(s *dom.Snapshot, field *dom.Node, t Target, text string) (*dom.Node, error) {
	f := newFinder(s, "click")
	d := f.read(reading{noun: nounByKey("option"), name: Fold(text), words: text})
	hits := d.hits
	list := field
	for _, a := range []string{"aria-controls", "aria-owns"} {
		if l := field.ByID(field.Attr(a)); l != nil {
			list = l
		}
	}
	var in []hit
	for _, h := range hits {
		if h.n != field && h.score > d.best-marginScore && (list != field && h.n.Within(list) || list == field) {
			in = append(in, h)
		}
	}
	switch {
	case len(in) == 0:
		return nil, &ActError{Verb: "select", Target: t, Err: ErrNotFound, Detail: fmt.Sprintf("no option %q in the list", text)}
	case len(in) > 1:
		return nil, &ActError{Verb: "select", Target: t, Err: ErrAmbiguous, Detail: fmt.Sprintf("%d options match %q", len(in), text)}
	}
	return in[0].n, nil
}
