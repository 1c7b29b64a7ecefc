package locate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"harness/dom"
)

func clockParts(clock string) (hour, minute int) {
	h, m, _ := strings.Cut(clock, ":")
	hour, _ = strconv.Atoi(h)
	minute, _ = strconv.Atoi(m)
	return hour, minute
}

// timeRoot is where the time of day is chosen: the popup of the calendar, or
// what took its place.
func (p *picker) timeRoot() *dom.Node {
	if c := p.calendar(); c != nil {
		if p.inline {
			return c.panel
		}
		return popupOf(c.panel)
	}
	var root *dom.Node
	p.s.Root.Walk(func(n *dom.Node) bool {
		if n.IsElement() && popupRoot(n) {
			if ok, _ := n.Visible(); ok && len(n.InnerText()) > 0 {
				root = n
				return false
			}
		}
		return true
	})
	return root
}

// setClock sets the time of day by whatever the popup has for it: a native
// input, spin buttons, select boxes, columns or a list of times.
func (p *picker) setClock(ctx context.Context) error {
	if err := p.readSoon(ctx); err != nil {
		return err
	}
	if p.verdict().held {
		return nil
	}
	root := p.timeRoot()
	if root == nil {
		return p.unavailable("nothing takes a time of day")
	}
	for _, way := range []func(context.Context, *dom.Node) (bool, error){p.clockInput, p.clockFields, p.clockColumns, p.clockList} {
		if done, err := way(ctx, root); done || err != nil {
			return err
		}
	}
	return p.unavailable("nothing in the calendar takes a time of day")
}

// timesOpen reports that something for a time of day appeared.
func (p *picker) timesOpen() bool {
	root := p.timeRoot()
	return root != nil && (len(p.clockColumnsIn(root)) > 1 || len(p.timesIn(root)) > 2)
}

func (p *picker) onlyTime(ctx context.Context) error {
	if err := p.setClock(ctx); err != nil {
		return err
	}
	return p.finish(ctx)
}

// clockInput fills one input that takes the whole time.
func (p *picker) clockInput(ctx context.Context, root *dom.Node) (bool, error) {
	var in *dom.Node
	root.Walk(func(n *dom.Node) bool {
		if in == nil && n.Tag == "input" && !n.Disabled() && !n.Facts.Has(dom.ReadOnly) && n.Ref != p.fieldRef {
			if ok, _ := n.Visible(); ok && (n.InputType() == "time" || clockText.MatchString(n.Value) && len(n.Value) < 9 || strings.Contains(strings.ToLower(n.Attr("placeholder")), "time")) {
				in = n
			}
		}
		return in == nil
	})
	if in == nil {
		return false, nil
	}
	if err := p.page.Fill(ctx, in.Ref, p.want.clock); err != nil {
		return false, err
	}
	p.note("fill %s with %s", describe(in), p.want.clock)
	if in.InputType() == "time" {
		return true, nil
	}
	return true, p.page.Press(ctx, in.Ref, "Enter")
}

// clockFields sets spin buttons, small inputs or select boxes for hour and minute.
func (p *picker) clockFields(ctx context.Context, root *dom.Node) (bool, error) {
	var fields []*dom.Node
	root.Walk(func(n *dom.Node) bool {
		if n.Tag == "select" || n.Tag == "input" && n.TakesText() || n.Role() == "spinbutton" || n.Role() == "slider" && n.Tag == "input" {
			ok, _ := n.Visible()
			y, m, isMonth := p.words.monthYear(n.Value)
			if ok && !n.Disabled() && n.Ref != p.fieldRef && !(isMonth && (y > 0 || m > 0)) {
				fields = append(fields, n)
			}
			return false
		}
		return true
	})
	if len(fields) < 2 {
		return false, nil
	}
	h, m := clockParts(p.want.clock)
	half := p.halfOfDay(root)
	hour := h
	if half != nil {
		hour = (h+11)%12 + 1
	}
	for i, v := range []int{hour, m} {
		if err := p.setNumber(ctx, fields[i], v); err != nil {
			return false, err
		}
	}
	return true, p.setHalf(ctx, root, h)
}

func (p *picker) setNumber(ctx context.Context, n *dom.Node, v int) error {
	p.note("set %s to %02d", describe(n), v)
	switch {
	case n.Tag == "select":
		for i, o := range optionsOf(n) {
			if d, err := strconv.Atoi(strings.TrimSpace(o.InnerText())); err == nil && d == v {
				return p.page.Select(ctx, n.Ref, []int{i})
			}
		}
		return p.unavailable("no %d among %s", v, describe(n))
	case n.Tag == "input":
		text := fmt.Sprintf("%02d", v)
		if n.InputType() == "range" {
			text = strconv.Itoa(v)
		}
		if err := p.page.Fill(ctx, n.Ref, text); err != nil {
			return err
		}
		return nil
	}
	return p.page.Type(ctx, n.Ref, fmt.Sprintf("%02d", v), false)
}

// halfOfDay is the control for the half of the day, or nil.
func (p *picker) halfOfDay(root *dom.Node) *dom.Node {
	var found *dom.Node
	root.Walk(func(n *dom.Node) bool {
		if found == nil && n.IsElement() && len(elementsOf(n)) == 0 {
			switch Fold(n.InnerText()) {
			case "am", "pm", "a.m.", "p.m.", "上午", "下午":
				if ok, _ := n.Visible(); ok {
					found = n
				}
			}
		}
		return found == nil
	})
	return found
}

// setHalf chooses the half of the day, where there is such a choice.
func (p *picker) setHalf(ctx context.Context, root *dom.Node, hour int) error {
	root = p.s.ByRef(root.Ref)
	if root == nil {
		return nil
	}
	half := p.halfOfDay(root)
	if half == nil {
		return nil
	}
	want := []string{"am", "a.m.", "上午"}
	if hour >= 12 {
		want = []string{"pm", "p.m.", "下午"}
	}
	var choices []*dom.Node
	root.Walk(func(n *dom.Node) bool {
		if n.IsElement() && len(elementsOf(n)) == 0 && contained(want, Fold(n.InnerText())) {
			choices = append(choices, n)
		}
		return true
	})
	shows := contained(want, Fold(half.InnerText()))
	switch {
	case len(choices) == 0: // one button that shows the other half
		return p.page.Click(ctx, half.Ref, ClickOptions{})
	case shows && len(choices) == 1 && half == choices[0]:
		return nil
	}
	return p.page.Click(ctx, choices[0].Ref, ClickOptions{})
}

// clockColumnsIn are columns of hours and minutes.
func (p *picker) clockColumnsIn(root *dom.Node) []wheelColumn {
	var out []wheelColumn
	for _, c := range p.columns(root, nil) {
		if lo, hi := c.items[0].value, c.items[len(c.items)-1].value; lo >= 0 && hi <= 59 && len(c.items) >= 2 {
			out = append(out, c)
		}
	}
	return out
}

// clockColumns presses the hour and the minute in their columns.
func (p *picker) clockColumns(ctx context.Context, root *dom.Node) (bool, error) {
	cols := p.clockColumnsIn(root)
	if len(cols) < 2 {
		return false, nil
	}
	h, m := clockParts(p.want.clock)
	hour := h
	if last := cols[0].items[len(cols[0].items)-1].value; last <= 12 {
		hour = (h+11)%12 + 1
	}
	for i, v := range []int{hour, m} {
		cols = p.clockColumnsIn(p.s.ByRef(root.Ref))
		if len(cols) < 2 {
			return false, nil
		}
		n := pickChoice(cols[i].items, v)
		if n == nil {
			return false, p.unavailable("no %02d among the times", v)
		}
		if err := p.page.Click(ctx, n.Ref, ClickOptions{}); err != nil {
			return false, err
		}
		p.note("press %02d", v)
		if err := p.readSoon(ctx); err != nil {
			return false, err
		}
		if p.s.ByRef(root.Ref) == nil {
			return true, nil
		}
	}
	return true, p.setHalf(ctx, root, h)
}

// timesIn are elements that each show one whole time of day.
func (p *picker) timesIn(root *dom.Node) []*dom.Node {
	var out []*dom.Node
	root.Walk(func(n *dom.Node) bool {
		t := n.InnerText()
		if n.IsElement() && len(t) < 12 && len(elementsOf(n)) == 0 && clockText.MatchString(strings.ToLower(plainDigits(t))) {
			out = append(out, n)
		}
		return n.Tag != "select"
	})
	return out
}

// clockList presses the time in a list of times.
func (p *picker) clockList(ctx context.Context, root *dom.Node) (bool, error) {
	for _, n := range p.timesIn(root) {
		if !p.saysClock(n.InnerText()) {
			continue
		}
		if n.Disabled() {
			return false, p.unavailable("the time %s is disabled", p.want.clock)
		}
		if err := p.page.Click(ctx, n.Ref, ClickOptions{}); err != nil {
			return false, err
		}
		p.note("press %s", quoted(n.InnerText()))
		return true, nil
	}
	return false, nil
}
