package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"harness/dom"
	"harness/locate"
)

// box is a Rect as page scripts write it.
type box struct{ X, Y, W, H float64 }

func (b box) rect() dom.Rect { return dom.Rect{X: b.X, Y: b.Y, W: b.W, H: b.H} }

// place is where the content of a frame element lies in its parent's viewport.
type place struct {
	Stale  bool
	X, Y   float64 // of the frame's viewport
	SX, SY float64 // parent's px per the frame's px
	Turned bool    // rotated or skewed: points cannot be mapped
	Box    box     // of the frame element
}

func (at place) point(p dom.Point) dom.Point {
	return dom.Point{X: at.X + p.X*at.SX, Y: at.Y + p.Y*at.SY}
}

func (at place) rect(r dom.Rect) dom.Rect {
	o := at.point(dom.Point{X: r.X, Y: r.Y})
	return dom.Rect{X: o.X, Y: o.Y, W: r.W * at.SX, H: r.H * at.SY}
}

var errTurned = fmt.Errorf("%w: its frame is rotated", locate.ErrNotActionable)

// place asks where the frame lies in its parent's viewport.
func (p *Page) place(ctx context.Context, f *frame) (place, error) {
	var at place
	if err := p.call(ctx, f.parent, &at, "place", f.owner); err != nil {
		return at, err
	}
	if at.Stale {
		return at, locate.ErrStale
	}
	return at, nil
}

// Aim scrolls the element into view and says where a press would go.
func (p *Page) Aim(ctx context.Context, ref dom.Ref) (locate.Aim, error) {
	a, err := p.aim(ctx, ref)
	if err != nil {
		return a, fmt.Errorf("aim at %s: %w", ref, err)
	}
	return a, nil
}

// aimLimit bounds the wait for an element to come to rest.
const aimLimit = 2 * time.Second

func (p *Page) aim(ctx context.Context, ref dom.Ref) (locate.Aim, error) {
	f, _, err := p.target(ref)
	if err != nil {
		return locate.Aim{}, err
	}
	if f.index == 0 {
		s, err := p.sight(ctx, f, ref, "")
		return s.Aim, err
	}
	s, err := p.sightThroughFrames(ctx, f, ref)
	return s.Aim, err
}

// sight is an Aim with what only we need of it.
type sight struct {
	locate.Aim
	disabled bool
	out      bool // not in view
}

func (s sight) good() bool { return s.Covered.IsZero() && !s.out }

// sight asks the frame of the element, and its parents. block is aim's.
func (p *Page) sight(ctx context.Context, f *frame, ref dom.Ref, block string) (sight, error) {
	var s sight
	limit := aimLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = max(0, min(limit, time.Until(deadline)-200*time.Millisecond))
	}
	var got struct {
		Stale, Rest, Disabled bool
		Point                 *dom.Point
		Box                   box
		By                    int
	}
	if err := p.call(ctx, f, &got, "aim", ref.ID, limit.Milliseconds(), block); err != nil {
		return s, err
	}
	if got.Stale {
		return s, locate.ErrStale
	}
	s.Box, s.Rest, s.disabled = got.Box.rect(), got.Rest, got.Disabled
	if got.Point == nil {
		if block == "none" {
			s.out = true
			return s, nil
		}
		return s, fmt.Errorf("%w: no part of it can be seen", locate.ErrNotActionable)
	}
	s.Point = *got.Point
	if got.By != 0 {
		s.Covered = dom.Ref{Frame: ref.Frame, ID: got.By}
	}
	return s, p.outwards(ctx, f, &s)
}

// sightThroughFrames scrolls the frames around the element too. Frames of
// other origins scroll a little later.
func (p *Page) sightThroughFrames(ctx context.Context, f *frame, ref dom.Ref) (sight, error) {
	s, err := p.sight(ctx, f, ref, "none")
	for _, block := range []string{"nearest", "center", "start", "end"} {
		if err != nil || s.good() {
			return s, err
		}
		if _, err := p.sight(ctx, f, ref, block); err != nil {
			return s, err
		}
		for range 4 {
			if err := wait(ctx, 20*time.Millisecond); err != nil {
				return s, err
			}
			if s, err = p.sight(ctx, f, ref, "none"); err != nil || s.good() {
				return s, err
			}
		}
	}
	if s.out {
		return s, fmt.Errorf("%w: no part of it can be seen", locate.ErrNotActionable)
	}
	return s, nil
}

// outwards maps what holds in a frame to the main frame's viewport, and asks
// every parent whether the press reaches the frame at all.
func (p *Page) outwards(ctx context.Context, f *frame, s *sight) error {
	for ; f.index != 0; f = f.parent {
		if err := p.own(ctx, f); err != nil {
			return err
		}
		at, err := p.place(ctx, f)
		if err != nil {
			return err
		}
		if at.Turned {
			return errTurned
		}
		s.Point, s.Box = at.point(s.Point), at.rect(s.Box)
		var over struct {
			Stale, Out bool
			By         int
		}
		if err := p.call(ctx, f.parent, &over, "over", f.owner, s.Point.X, s.Point.Y); err != nil {
			return err
		}
		if over.Stale {
			return locate.ErrStale
		}
		s.out = s.out || over.Out
		if over.By != 0 {
			s.Covered = dom.Ref{Frame: f.parent.index, ID: over.By}
		}
	}
	return nil
}

// pressPoint waits until a press would reach the element: in view, at rest,
// enabled, not covered. Where Playwright is of no help (in frames, whose borders
// it leaves out, and under labels), this stands in for its own waiting.
func (p *Page) pressPoint(ctx context.Context, ref dom.Ref, enabled bool) (dom.Point, error) {
	f, _, err := p.target(ref)
	if err != nil {
		return dom.Point{}, err
	}
	look := func() (sight, error) {
		if f.index == 0 {
			return p.sight(ctx, f, ref, "")
		}
		return p.sightThroughFrames(ctx, f, ref)
	}
	end := time.Now().Add(time.Duration(*p.timeout(ctx) * float64(time.Millisecond)))
	for {
		s, err := look()
		switch {
		case ctx.Err() != nil:
			return s.Point, context.Cause(ctx)
		case err != nil && !errors.Is(err, locate.ErrNotActionable):
			return s.Point, err
		case err != nil:
		case enabled && s.disabled:
			err = locate.ErrDisabled
		case !s.Covered.IsZero():
			err = fmt.Errorf("%w by %s", locate.ErrCovered, p.describe(ctx, s.Covered))
		case !s.Rest:
			err = fmt.Errorf("%w: element is not stable", locate.ErrTimeout)
		default:
			return s.Point, nil
		}
		if left := time.Until(end); left < 100*time.Millisecond {
			return s.Point, err
		}
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return s.Point, err
		}
	}
}

// HitTest says which element a press at the point would reach, through frames
// and shadow roots.
func (p *Page) HitTest(ctx context.Context, at dom.Point) (dom.Ref, error) {
	ref, err := p.hitTest(ctx, at)
	if err != nil {
		return dom.Ref{}, fmt.Errorf("hit test at (%g, %g): %w", at.X, at.Y, err)
	}
	return ref, nil
}

func (p *Page) hitTest(ctx context.Context, at dom.Point) (dom.Ref, error) {
	for f := p.frameOf(0); ; {
		var hit struct {
			ID    int
			Frame bool
			Box   *place
		}
		if err := p.call(ctx, f, &hit, "hit", at.X, at.Y); err != nil {
			return dom.Ref{}, err
		}
		ref := dom.Ref{Frame: f.index, ID: hit.ID}
		if !hit.Frame || hit.Box == nil {
			return ref, nil
		}
		inner, err := p.frameIn(ctx, f, hit.ID)
		if err != nil {
			return dom.Ref{}, err
		}
		in := dom.Point{X: (at.X - hit.Box.X) / hit.Box.SX, Y: (at.Y - hit.Box.Y) / hit.Box.SY}
		if inner == nil || in.X < 0 || in.Y < 0 {
			return ref, nil
		}
		if hit.Box.Turned {
			return dom.Ref{}, errTurned
		}
		f, at = inner, in
	}
}

// frameIn is the frame that stands in the frame element; nil if none does.
func (p *Page) frameIn(ctx context.Context, parent *frame, owner int) (*frame, error) {
	all, err := p.attached(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.parent == parent && f.owner == owner {
			return f, nil
		}
	}
	return nil, nil
}
