package locate

import (
	"context"
	"errors"
	"fmt"

	"harness/dom"
	"harness/vision"
)

// Bounds of a pick in a calendar that only a model can see: it may begin a few
// pages away from the month of the page's clock.
const (
	spareLooks = 3
	paintedMin = 80 // CSS px: a smaller element holds no calendar
)

// largestPainted is the largest painted element in sight; nil where there is none.
func largestPainted(s *dom.Snapshot) *dom.Node {
	var best *dom.Node
	for _, n := range s.Nodes {
		if !painted(n) || n.Box.W < paintedMin || n.Box.H < paintedMin {
			continue
		}
		if ok, _ := n.Visible(); ok && (best == nil || n.Box.W*n.Box.H > best.Box.W*best.Box.H) {
			best = n
		}
	}
	return best
}

// canvas picks in a calendar that is painted. It reports false where nothing
// painted is in sight.
func (p *picker) canvas(ctx context.Context) (bool, error) {
	if largestPainted(p.s) == nil || p.takesText() != nil && !p.a.mayAsk(p.how) {
		return false, nil
	}
	return true, p.pickByVision(ctx)
}

// paintedField picks where the target is painted itself: a field that a model
// saw is pressed first, so that it opens; a calendar is there already.
func (p *picker) paintedField(ctx context.Context) error {
	at := p.r.Point
	p.field, p.fieldRef = nil, dom.Ref{}
	if at != nil && !p.r.Target.namesCalendar() {
		if err := p.pressAt(ctx, p.r.Words, *at); err != nil {
			return err
		}
	}
	return p.pickByVision(ctx)
}

// namesCalendar reports that the target may be read as a calendar, not a field.
func (t Target) namesCalendar() bool {
	for _, r := range t.readings() {
		if r.noun != nil && (r.noun.key == "calendar" || r.noun.key == "table") {
			return true
		}
	}
	return t.IsZero()
}

// pickByVision asks for the day and, as long as it is not seen, for the control
// that turns towards it. What month is painted only the model can tell.
func (p *picker) pickByVision(ctx context.Context) error {
	switch {
	case !p.a.mayAsk(p.how):
		return p.unavailable("the calendar is painted, and there is no vision model to read it")
	case p.want.clock != "":
		return p.unavailable("the calendar is painted, and a time of day cannot be set in it")
	}
	days := []civil{p.want.from}
	if p.want.isRange {
		days = append(days, p.want.to)
	}
	for _, d := range days {
		if err := p.pressPainted(ctx, d); err != nil {
			return err
		}
	}
	if err := p.readSoon(ctx); err != nil {
		return err
	}
	v := p.verdict()
	p.r.Value = v.text
	switch {
	case v.held:
		p.r.Effect = "the field shows " + v.text
	case v.other:
		return p.notHeld(v)
	default:
		p.r.Warning, p.r.Confidence = "what was chosen cannot be read back", min(p.r.Confidence, 60)
	}
	return nil
}

// pressPainted presses the day; a calendar that does not show it is turned, at
// most the months to go by the page's clock and a few more.
func (p *picker) pressPainted(ctx context.Context, d civil) error {
	toGo := int(d.in() - civilOf(p.now).in())
	arrow := "next month arrow"
	if toGo < 0 {
		arrow, toGo = "previous month arrow", -toGo
	}
	day := fmt.Sprintf("day %d of %s", d.Day, monthName(d.in()))
	hint := fmt.Sprintf("the cell of %s in a calendar that shows %s; not there if the calendar shows another month", d.long(), monthName(d.in()))
	for turns := 0; ; turns++ {
		err := p.pressSeen(ctx, day, hint)
		if err == nil || !errors.Is(err, vision.ErrAbsent) {
			return err
		}
		if turns == toGo+spareLooks {
			return p.unavailable("not seen on the calendar after %d turns", turns)
		}
		if err := p.pressSeen(ctx, arrow, "turns the calendar towards "+monthName(d.in())); err != nil {
			return err
		}
	}
}

func monthName(m yearMonth) string { return m.day(1).time().Format("January 2006") }

// pressSeen presses where the model sees the thing; something must change.
func (p *picker) pressSeen(ctx context.Context, words, hint string) error {
	sure := p.r.Confidence
	if _, err := p.a.seek(ctx, p.r, vision.Request{Words: words, Hint: hint}); err != nil {
		return err
	}
	if sure > 0 {
		p.r.Confidence = min(sure, p.r.Confidence)
	}
	return p.pressAt(ctx, words, *p.r.Point)
}

func (p *picker) pressAt(ctx context.Context, words string, at dom.Point) error {
	n, err := p.a.under(ctx, at)
	if err != nil {
		return err
	}
	seen, err := p.a.gaze(ctx, p.r, &pressed{n, &at})
	if err != nil {
		return err
	}
	w, err := p.page.Watch(ctx, dom.Ref{})
	if err != nil {
		return err
	}
	if err := p.page.ClickAt(ctx, at, ClickOptions{}); err != nil {
		return err
	}
	p.note("press %s at %.0f,%.0f", words, at.X, at.Y)
	what, err := p.a.changed(ctx, w, seen)
	if err != nil {
		return err
	}
	if what == "" {
		return p.unavailable("a press on %q at %.0f,%.0f changed nothing: it may be disabled, or chosen already", words, at.X, at.Y)
	}
	p.r.Effect = what
	return nil
}
