package locate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"harness/dom"
	"harness/vision"
)

// Options configure an Actor. The zero value acts on layers 1 and 2 with a
// deadline of 10 s an act.
type Options struct {
	Timeout time.Duration // of one act, waiting included; 0 means 10 s
	Vision  vision.Model  // layer 3; nil: there is none
	// MaxVision bounds the model calls of this Actor; 0 means 20, below 0 none.
	MaxVision int
	// Before is called when a target is resolved (or refused) and nothing has
	// been done to the page yet; evidence is taken here. nil: nothing is called.
	Before func(ctx context.Context, r *Resolution)
	Log    *slog.Logger // nil: silent
}

// How says what a caller asks of one act beyond its target.
type How struct {
	Layers  []LayerName   // the layers that may resolve the target; empty: all
	Effect  bool          // no effect is ErrNoEffect
	Timeout time.Duration // 0: the Actor's
	// Refs are the elements behind the numbers of the last observation, for
	// targets that give one (Target.Ref); nil: there was none.
	Refs map[int]dom.Ref
}

// When is what Pick puts in: a day, or a range, with an optional time of day.
type When struct {
	Date string // 2026-01-30; words ("30 January", "tomorrow") are read against the page's clock
	From string // of a range
	To   string
	Time string // 15:04
}

// TypeOptions say how text goes in.
type TypeOptions struct {
	Text   string
	Keep   bool // append to what the field holds, in place of replacing it
	Submit bool // press Enter afterwards
}

// ScrollOptions say how far; without a distance the target is brought into view.
type ScrollOptions struct {
	X, Y float64 // CSS px, down and right positive
}

// Actor resolves targets on one page and acts on them. It is used by one
// goroutine at a time. Every act waits for its element until the deadline and
// returns a Resolution, with an error too: what was tried stands in it. Kind
// names the error for suites.
type Actor struct {
	page    Page
	opts    Options
	visions int // model calls so far
}

// New makes an Actor for the page.
func New(page Page, o Options) *Actor {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.MaxVision == 0 {
		o.MaxVision = 20
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Actor{page: page, opts: o}
}

// errDeadline is the cause of a context that an act's own deadline ended.
var errDeadline = fmt.Errorf("%w: the act's deadline passed", ErrTimeout)

// Click presses the element. Without a visible effect the Resolution carries a
// warning, or the act fails with ErrNoEffect where How asks for an effect.
func (a *Actor) Click(ctx context.Context, t Target, o ClickOptions, h How) (*Resolution, error) {
	verb := "click"
	if o.Count == 2 {
		verb = "dblclick"
	}
	return a.press(ctx, t, verb, h, func(ctx context.Context, p *pressed) error {
		if p.point != nil {
			return a.page.ClickAt(ctx, *p.point, o)
		}
		return a.page.Click(ctx, p.node.Ref, o)
	})
}

// Hover moves the mouse over the element.
func (a *Actor) Hover(ctx context.Context, t Target, h How) (*Resolution, error) {
	return a.press(ctx, t, "hover", h, func(ctx context.Context, p *pressed) error {
		if p.point != nil {
			return a.page.HoverAt(ctx, *p.point)
		}
		return a.page.Hover(ctx, p.node.Ref)
	})
}

// Press presses keys on the element, or on whatever has the focus if t is nil.
func (a *Actor) Press(ctx context.Context, t *Target, keys string, h How) (*Resolution, error) {
	press := func(ctx context.Context, p *pressed) error { return a.page.Press(ctx, p.node.Ref, keys) }
	if t != nil {
		return a.press(ctx, *t, "press", h, press)
	}
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	r := &Resolution{Verb: "press", Words: keys, Confidence: 100}
	a.before(ctx, r)
	return r, a.effect(ctx, r, h, &pressed{node: &dom.Node{}}, press)
}

// Find resolves a target for looking at; nothing is done to the page.
func (a *Actor) Find(ctx context.Context, t Target, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	r, _, err := a.resolve(ctx, t, "", h)
	return r, err
}

// pressed is what an act is carried out on: an element, or a point that vision found.
type pressed struct {
	node  *dom.Node
	point *dom.Point
}

// maxStale bounds how often an act starts again since the element it had found
// was replaced before the act reached it; from the quickStale-th time on the
// press goes to the element's point at once, since a page that renders anew
// faster than the browser's checks run would never let one pass.
const (
	maxStale   = 8
	quickStale = 2
)

// coverPatience is how long an act waits for what covers its element to go.
const coverPatience = 3 * time.Second

// press resolves and acts, once more where the page replaced the element in between.
func (a *Actor) press(ctx context.Context, t Target, verb string, h How, act func(context.Context, *pressed) error) (*Resolution, error) {
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
		p := &pressed{n, r.Point}
		if try > quickStale {
			p.point = a.pointOf(ctx, n)
		}
		err = a.effect(ctx, r, h, p, act)
		if errors.Is(err, ErrStale) && try < maxStale {
			r.note("the page replaced the element: looked for it again")
			continue
		}
		return r, a.explain(ctx, t, verb, n, err)
	}
}

// pointOf is the middle of the element where a press at it reaches the element; nil otherwise.
func (a *Actor) pointOf(ctx context.Context, n *dom.Node) *dom.Point {
	p := n.Box.Center()
	ref, err := a.page.HitTest(ctx, p)
	if err != nil {
		return nil
	}
	if hit := n.Snapshot().ByRef(ref); hit == nil || !hit.Within(n) {
		return nil
	}
	return &p
}

// before lets the caller take evidence; nothing has been done to the page yet.
func (a *Actor) before(ctx context.Context, r *Resolution) {
	if a.opts.Before == nil || r == nil {
		return
	}
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), errDeadline) { // a failed act needs its evidence most
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), evidenceGrace)
		defer cancel()
	}
	a.opts.Before(ctx, r)
}

// evidenceGrace is the time that evidence may take after an act's deadline.
const evidenceGrace = 5 * time.Second

// effectWait is how long an act waits for the first change that it made.
const effectWait = 500 * time.Millisecond

// effect carries the act out under a watch and notes what changed.
func (a *Actor) effect(ctx context.Context, r *Resolution, h How, p *pressed, act func(context.Context, *pressed) error) error {
	seen, err := a.gaze(ctx, r, p)
	if err != nil {
		return err
	}
	w, err := a.page.Watch(ctx, p.node.Ref)
	if err != nil {
		return err
	}
	short, cancel := context.WithTimeoutCause(ctx, coverPatience, errDeadline)
	defer cancel()
	if err := act(short, p); err != nil {
		return err
	}
	r.did(r.Verb)
	r.Effect, err = a.changed(ctx, w, seen)
	switch { // the act is done: what failed is the look at it, and it must not be done again
	case errors.Is(err, ErrPageClosed):
		r.Effect = "the page closed"
	case errors.Is(err, ErrStale):
		r.Effect = "the element is gone"
	case err != nil:
		return fmt.Errorf("%s %q: effect: %v", r.Verb, r.Words, err)
	}
	if r.Effect != "" || r.Verb == "hover" {
		return nil
	}
	r.Warning = "no visible effect"
	if h.Effect {
		return &ActError{Verb: r.Verb, Target: r.Target, Err: ErrNoEffect, Detail: fmt.Sprintf("nothing changed within %v", effectWait)}
	}
	return nil
}

// explain turns what the page said of a failed act into an error that says
// what stood in the way.
func (a *Actor) explain(ctx context.Context, t Target, verb string, n *dom.Node, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNoEffect), errors.Is(err, ErrPageClosed), errors.Is(err, ErrDialog):
		return err
	}
	look, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), 2*time.Second, errDeadline)
	defer cancel()
	if aim, aerr := a.page.Aim(look, n.Ref); aerr == nil && !aim.Covered.IsZero() {
		return a.covered(look, t, aim.Covered)
	}
	if errors.Is(err, ErrNotActionable) || errors.Is(err, ErrStale) || errors.Is(err, ErrTimeout) {
		return &ActError{Verb: verb, Target: t, Err: err, Detail: describe(n)}
	}
	return fmt.Errorf("%s %q: %w", verb, t.String(), err)
}

func (a *Actor) covered(ctx context.Context, t Target, by dom.Ref) error {
	e := &CoveredError{Target: t, By: "another element", Ref: by}
	s, err := a.page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return e
	}
	if n := s.ByRef(by); n != nil {
		e.By = describe(coverOf(n))
	}
	return e
}

// coverOf is the whole thing that covers: the layer that the hit element belongs to.
func coverOf(n *dom.Node) *dom.Node {
	for a := n; a != nil && a.IsElement() && a.Tag != "body" && a.Tag != "html"; a = a.Parent {
		if a.Facts.Has(dom.Fixed) || a.Facts.Has(dom.Modal) || a.Role() == "dialog" || a.Role() == "alertdialog" || a.Facts.Has(dom.Absolute) {
			return a
		}
	}
	return n
}

// describe names an element for people.
func describe(n *dom.Node) string {
	what := describeRole(n)
	name := n.Name()
	if name == "" {
		name = n.InnerText()
	}
	if name == "" {
		if id := n.Attr("id"); id != "" {
			return what + "#" + id
		}
		return what
	}
	return fmt.Sprintf("%s %q", what, clip(name, 60))
}

// did notes an act.
func (r *Resolution) did(what string) {
	if r.Chosen != nil {
		what += " " + r.Chosen.Short()
	}
	r.note(what)
}

func (r *Resolution) note(what string) { r.Acts = append(r.Acts, what) }
