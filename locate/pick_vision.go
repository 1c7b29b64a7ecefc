package locate

import (
	"context"
	"errors"
	"fmt"

	"harness/dom"
	"harness/vision"
)

// maxPaintedTurns bounds the pages turned on a calendar that only a model can see.
const maxPaintedTurns = 30

// canvas picks in a calendar that is painted. It reports false where nothing
// painted is in sight.
func (p *picker) canvas(ctx context.Context) (bool, error) {
	painted := false
	for _, n := range p.s.Nodes {
		if n.Tag == "canvas" && n.Box.W >= 100 && n.Box.H >= 80 {
			if ok, _ := n.Visible(); ok {
				painted = true
				break
			}
		}
	}
	if !painted {
		return false, nil
	}
	if !p.a.mayAsk(p.how) {
		return true, p.unavailable("the calendar is painted, and there is no vision model to read it")
	}
	return true, p.pickByVision(ctx)
}

// pickByVision asks for the day and, as long as it is not seen, for the control
// that turns towards it. What month is painted only the model can tell.
func (p *picker) pickByVision(ctx context.Context) error {
	for _, d := range p.visionDays() {
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

func (p *picker) visionDays() []civil {
	if p.want.isRange {
		return []civil{p.want.from, p.want.to}
	}
	return []civil{p.want.from}
}

func (p *picker) pressPainted(ctx context.Context, d civil) error {
	arrow := "next month arrow"
	if d.before(civilOf(p.now)) && d.in() != civilOf(p.now).in() {
		arrow = "previous month arrow"
	}
	for range maxPaintedTurns {
		day := fmt.Sprintf("day cell %d of %s", d.Day, d.in())
		err := p.pressSeen(ctx, day, "a day of a calendar: "+d.long())
		if err == nil {
			return nil
		}
		if !errors.Is(err, ErrNotFound) || !errors.Is(err, vision.ErrAbsent) {
			return err
		}
		if err := p.pressSeen(ctx, arrow, "turns the calendar towards "+d.in().String()); err != nil {
			return err
		}
	}
	return p.unavailable("not seen on the calendar")
}

// pressSeen presses where the model sees the thing; something must change.
func (p *picker) pressSeen(ctx context.Context, words, hint string) error {
	kept := *p.r
	_, err := p.a.seek(ctx, p.r, vision.Request{Words: words, Hint: hint})
	at := p.r.Point
	if err != nil {
		return err
	}
	p.r.Confidence = min(kept.Confidence, p.r.Confidence)
	w, err := p.page.Watch(ctx, dom.Ref{})
	if err != nil {
		return err
	}
	if err := p.page.ClickAt(ctx, *at, ClickOptions{}); err != nil {
		return err
	}
	p.note("press %s at %.0f,%.0f", words, at.X, at.Y)
	_, err = w.Effect(ctx, effectWait)
	return err
}
