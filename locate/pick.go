package locate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"harness/dom"
)

// Pick puts a day, or a range, with an optional time of day, into a date field
// or an inline calendar, whatever widget draws it, and reads back what the
// field then holds. t names the field or the calendar; nil: the page has exactly
// one, otherwise it is an *AmbiguousError.
//
// A day that does not exist is ErrUsage. ErrDateUnavailable says that the day is
// disabled, past, or in a month that the calendar does not reach;
// ErrValueMismatch that the field holds another date after the pick. Every act
// on the page stands in Resolution.Acts; there are at most the months to go plus
// eight that turn pages.
func (a *Actor) Pick(ctx context.Context, t *Target, w When, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	r := &Resolution{Verb: "pick"}
	if t != nil {
		r.Words, r.Target = t.String(), *t
	}
	info, err := a.page.Info(ctx)
	if err != nil {
		return r, err
	}
	words := newDateWords(info.Lang)
	want, err := readWhen(w, info.Now, words)
	if err != nil {
		return r, err
	}
	r, n, err := a.dateTarget(ctx, t, want, words, info.Now, h)
	a.before(ctx, r)
	if err != nil {
		return r, err
	}
	p := &picker{a: a, page: a.page, r: r, how: h, words: words, now: info.Now, want: want, learnt: map[string]int{}, dead: map[string]int{}}
	p.aimAt(n)
	err = p.run(ctx)
	if err != nil && !isTold(err) {
		err = a.explainPick(ctx, r, n, err)
	}
	return r, err
}

// isTold reports errors that already say what a person needs.
func isTold(err error) bool {
	for _, e := range []error{ErrUsage, ErrDateUnavailable, ErrValueMismatch, ErrAmbiguous, ErrNotFound, ErrNoEffect, ErrDialog, ErrPageClosed, ErrLimit, ErrReply} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func (a *Actor) explainPick(ctx context.Context, r *Resolution, n *dom.Node, err error) error {
	if n == nil {
		return err
	}
	return a.explain(ctx, r.Target, "pick", n, err)
}

// picker is one pick. Its snapshot is the page as last read; nodes of it are
// found again by their refs after every act.
type picker struct {
	a     *Actor
	page  Page
	r     *Resolution
	how   How
	words *dateWords
	now   time.Time
	want  asked

	s         *dom.Snapshot
	calendars []calendar
	field     *dom.Node // in s; nil where the target is an inline calendar or has gone
	fieldRef  dom.Ref
	fieldWas  string           // what the field showed before
	order     string           // of day, month and year in the field; "" unknown
	before    map[dom.Ref]bool // grids and wheels that stood in the page before
	inline    bool             // the calendar stood in the page before the pick
	grid      dom.Ref
	learnt    map[string]int   // months that a control was seen to move
	linked    bool             // all months shown turn together, as last seen
	dead      map[string]int   // times a control moved nothing
	looks     map[civil]string // how the days looked before they were pressed
	paired    bool             // two months were shown when the calendar opened
	halves    bool             // each end of a range is picked in a month of its own
	second    bool             // the end of the range is being picked
	reopened  bool             // the popup went away and was opened again
	heading   dom.Ref          // that was pressed last to choose a year or month
	drilled   bool
}

// aimAt makes the node the target.
func (p *picker) aimAt(n *dom.Node) {
	p.s, p.field, p.fieldRef = n.Snapshot(), n, n.Ref
}

// read takes a snapshot and reads its calendars.
func (p *picker) read(ctx context.Context) error {
	s, err := p.page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return err
	}
	p.s = s
	p.calendars = readCalendars(s, p.words, p.now)
	p.field = s.ByRef(p.fieldRef)
	return nil
}

// run picks by the way that fits the field.
func (p *picker) run(ctx context.Context) error {
	if err := p.read(ctx); err != nil {
		return err
	}
	if p.field == nil {
		return ErrStale
	}
	if in := nativeIn(p.field); in != nil {
		return p.native(ctx, in)
	}
	if painted(p.field) {
		return p.paintedField(ctx)
	}
	if c := p.inlineAt(p.field); c != nil {
		p.inline, p.grid, p.field, p.fieldRef = true, c.months[0].grid.Ref, nil, dom.Ref{}
		return p.inCalendar(ctx)
	}
	if err := p.fromLabel(ctx); err != nil {
		return err
	}
	p.fieldWas = strings.Join(p.shown(), " ")
	p.order = orderOf(p.field)
	opened, err := p.open(ctx)
	switch {
	case err != nil:
		return err
	case opened == popupCalendar:
		p.paired = len(p.calendar().months) == 2
		return p.inHalves(ctx, p.inCalendar(ctx))
	case opened == popupWheels:
		return p.inWheels(ctx)
	case opened == popupTimes:
		return p.onlyTime(ctx)
	}
	if done, err := p.canvas(ctx); done {
		return err
	}
	if p.takesText() != nil {
		return p.typeIn(ctx)
	}
	return p.unavailable("nothing that could be read as a calendar opened")
}

// inCalendar picks in the calendar that is open.
func (p *picker) inCalendar(ctx context.Context) error {
	if err := p.pickDay(ctx, p.want.from); err != nil {
		return err
	}
	if p.want.isRange {
		if err := p.otherEnd(ctx); err != nil {
			return err
		}
	}
	if p.want.clock != "" {
		if err := p.setClock(ctx); err != nil {
			return err
		}
	}
	return p.finish(ctx)
}

// otherEnd picks the end of the range, in the same calendar or, where that is
// gone, in the field for the end.
func (p *picker) otherEnd(ctx context.Context) error {
	if err := p.readSoon(ctx); err != nil {
		return err
	}
	if p.calendar() == nil {
		if err := p.openCompanion(ctx); err != nil {
			return err
		}
	}
	p.second = true
	return p.pickDay(ctx, p.want.to)
}

// inHalves picks a range once more in a calendar of two months after the field
// came to hold another one: some have a half for each end.
func (p *picker) inHalves(ctx context.Context, cause error) error {
	if !p.want.isRange || p.halves || !p.paired || p.inline || !errors.Is(cause, ErrValueMismatch) {
		return cause
	}
	if err := p.read(ctx); err != nil || p.field == nil {
		return cause
	}
	p.halves, p.second = true, false
	if k, err := p.open(ctx); err != nil || k != popupCalendar {
		return cause
	}
	p.note("once more, with a half of the calendar for each end")
	return p.inCalendar(ctx)
}

func (p *picker) unavailable(format string, args ...any) error {
	return &ActError{Verb: "pick", Target: p.r.Target, Err: ErrDateUnavailable, Detail: p.want.String() + ": " + fmt.Sprintf(format, args...)}
}

func (p *picker) note(format string, args ...any) { p.r.note(fmt.Sprintf(format, args...)) }

// calendar is the one that the pick is about, as last read; nil where it is gone.
func (p *picker) calendar() *calendar {
	for i := range p.calendars {
		for k := range p.calendars[i].months {
			if p.calendars[i].months[k].grid.Ref == p.grid {
				return p.half(&p.calendars[i])
			}
		}
	}
	return p.successor()
}

// successor is the calendar that took the place of one whose nodes were replaced:
// the only one that was not in the page before the pick, or the only one at all.
func (p *picker) successor() *calendar {
	var found *calendar
	for i := range p.calendars {
		c := &p.calendars[i]
		if !p.inline && p.stood(c) {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	if found == nil {
		return nil
	}
	p.grid = found.months[0].grid.Ref
	return p.half(found)
}

// half is the part of the calendar that takes the end which is being picked:
// all of it, or, in calendars with a half for each end, its first or last month.
func (p *picker) half(c *calendar) *calendar {
	if !p.halves || len(c.months) < 2 {
		return c
	}
	at := 0
	if p.second {
		at = len(c.months) - 1
	}
	h := *c
	h.months = c.months[at : at+1]
	h.controls = nil
	for _, k := range c.controls {
		if k.of == at || k.kind != turns {
			k.of = 0
			h.controls = append(h.controls, k)
		}
	}
	return &h
}
