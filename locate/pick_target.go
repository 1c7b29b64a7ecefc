package locate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"harness/classify"
	"harness/dom"
)

// dateTarget resolves the field or calendar that a pick is about.
func (a *Actor) dateTarget(ctx context.Context, t *Target, want asked, words *dateWords, now time.Time, h How) (*Resolution, *dom.Node, error) {
	if t != nil && !t.IsZero() {
		return a.resolve(ctx, *t, "pick", h)
	}
	r := &Resolution{Verb: "pick", Words: "the date field"}
	for try := 0; ; try++ {
		s, err := a.page.Snapshot(ctx, dom.Query{})
		if err != nil {
			return r, nil, err
		}
		found := soleTargets(s, words, now)
		if want.isRange && len(found) == 2 && sameGroup(found[0], found[1]) {
			found = found[:1]
		}
		if len(found) == 1 {
			f := newFinder(s, "pick")
			c := f.candidate(hit{n: found[0], score: 96, reasons: []string{"the only calendar or date field of the page"}})
			r.Layer, r.Chosen, r.Confidence = JS, &c, c.Score
			r.Attempts = []Attempt{{Layer: JS, Outcome: "found", Candidates: []Candidate{c}}}
			return r, found[0], nil
		}
		rest, err := a.page.Settle(ctx, restQuiet, restLimit)
		if len(found) > 1 && rest && try > 0 {
			return r, nil, a.manyDates(r, s, found)
		}
		if n := largestPainted(s); len(found) == 0 && n != nil && rest && try > 0 && a.mayAsk(h) {
			return r, n, nil // what is painted there only a model can tell
		}
		if err == nil {
			err = a.wait(ctx)
		}
		if err != nil {
			return r, nil, &NotFoundError{Target: Target{Words: "a date field or a calendar"}, Attempts: r.Attempts}
		}
	}
}

func (a *Actor) manyDates(r *Resolution, s *dom.Snapshot, found []*dom.Node) error {
	e := &AmbiguousError{Target: Target{Words: "the date field"}}
	f := newFinder(s, "pick")
	for _, n := range found {
		c := f.candidate(hit{n: n, score: 50, reasons: []string{"a calendar or date field"}})
		e.Candidates = append(e.Candidates, c)
		hint := ""
		if l := n.Name(); l != "" {
			hint = fmt.Sprintf("in %q", l)
		}
		e.Hints = append(e.Hints, hint)
	}
	r.Attempts = []Attempt{{Layer: JS, Outcome: "more than one calendar or date field", Candidates: e.Candidates}}
	return e
}

// soleTargets are the calendars that stand in the page and the fields for
// dates outside them.
func soleTargets(s *dom.Snapshot, words *dateWords, now time.Time) []*dom.Node {
	var out []*dom.Node
	calendars := readCalendars(s, words, now)
	for i := range calendars {
		out = append(out, calendars[i].panel)
	}
	for _, it := range classify.Page(s) {
		n := it.Node
		if it.Kind != classify.Date || inside(n, out) || n.Disabled() {
			continue
		}
		if ok, _ := n.Visible(); ok && (n.TakesText() || takesPress(n) || n.Facts.Has(dom.Focusable) || n.Facts.Has(dom.Pointer)) {
			out = append(out, n)
		}
	}
	return out
}

func inside(n *dom.Node, outer []*dom.Node) bool {
	for _, o := range outer {
		if n.Within(o) || o.Within(n) {
			return true
		}
	}
	return false
}

// sameGroup reports two fields that stand close together: the ends of a range.
func sameGroup(a, b *dom.Node) bool {
	up := commonAncestor(a, b)
	return up != nil && levelsUp(a, up) <= 4 && levelsUp(b, up) <= 4
}

// nativeIn is the native date or time input that the node is or holds alone.
func nativeIn(n *dom.Node) *dom.Node {
	var found []*dom.Node
	n.Walk(func(c *dom.Node) bool {
		switch c.InputType() {
		case "date", "datetime-local", "time", "month", "week":
			if ok, _ := c.Visible(); ok {
				found = append(found, c)
			}
		}
		return len(found) < 2
	})
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

// inlineAt is the calendar that the target is, holds, stands in or labels.
func (p *picker) inlineAt(n *dom.Node) *calendar {
	var held, near []*calendar
	for i := range p.calendars {
		c := &p.calendars[i]
		switch {
		case n.Within(c.panel) && !n.TakesText(), c.panel.Within(n):
			held = append(held, c)
		case p.labels(n, c):
			near = append(near, c)
		}
	}
	if len(held) == 0 && !n.TakesText() && !takesPress(n) {
		held = near
	}
	if len(held) == 1 {
		return held[0]
	}
	return nil
}

// labels reports whether the node is a text that stands over the calendar.
func (p *picker) labels(n *dom.Node, c *calendar) bool {
	if n.Index > c.panel.Index || n.Facts.Has(dom.Focusable) || n.Facts.Has(dom.Pointer) {
		return false
	}
	up := commonAncestor(n, c.panel)
	return up != nil && up.Tag != "body" && levelsUp(n, up) <= 3 && levelsUp(c.panel, up) <= 4
}

// labelWait is how long a label may stand in a page before its control does.
const labelWait = 2 * time.Second

// fromLabel goes from a text to the control that it labels; a control that is
// yet to be drawn is waited for.
func (p *picker) fromLabel(ctx context.Context) error {
	end := time.Now().Add(labelWait)
	for {
		if n := labelledControl(p.field); n != nil {
			p.field, p.fieldRef = n, n.Ref
			return nil
		}
		if p.field.Tag != "label" || holdsControl(p.field) || time.Now().After(end) {
			return nil
		}
		if err := pause(ctx, lookStep*2); err != nil {
			return err
		}
		if err := p.read(ctx); err != nil {
			return err
		}
		if p.field == nil {
			return ErrStale
		}
	}
}

func holdsControl(n *dom.Node) bool {
	holds := false
	n.Walk(func(c *dom.Node) bool { holds = holds || serves(c); return !holds })
	return holds
}

// labelledControl is the control that a plain text labels: one that names the
// text as its label, otherwise the only one close behind it; nil where the node
// is or holds a control itself.
func labelledControl(n *dom.Node) *dom.Node {
	if serves(n) || n.Closest(serves) != nil && n.Closest(serves).InnerText() == n.InnerText() {
		return nil
	}
	if holdsControl(n) {
		return nil
	}
	if c := n.ByID(n.Attr("for")); n.Tag == "label" && c != nil && serves(c) {
		if ok, _ := c.Visible(); ok {
			return c
		}
	}
	if id := n.Attr("id"); id != "" {
		for _, c := range n.Snapshot().Nodes {
			if c != n && c.Ref.Frame == n.Ref.Frame && serves(c) && contained(strings.Fields(c.Attr("aria-labelledby")), id) {
				return c
			}
		}
	}
	for up, k := parentElement(n), 0; up != nil && k < 3 && up.Tag != "body" && up.Tag != "form"; up, k = parentElement(up), k+1 {
		var found []*dom.Node
		up.Walk(func(c *dom.Node) bool {
			if c.Index > n.Index && !c.Within(n) && serves(c) {
				if ok, _ := c.Visible(); ok {
					found = append(found, c)
					return false
				}
			}
			return true
		})
		if len(found) > 0 {
			return found[0]
		}
	}
	return nil
}

// serves reports an element that takes text or presses.
func serves(n *dom.Node) bool {
	return n.IsElement() && (n.TakesText() || takesPress(n) || n.Facts.Has(dom.Focusable) || n.Facts.Has(dom.Pointer) || n.Role() == "combobox") && n.Tag != "label"
}
