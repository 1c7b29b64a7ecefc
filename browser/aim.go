package browser

import (
	"context"
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
	var a locate.Aim
	f, _, err := p.target(ref)
	if err != nil {
		return a, err
	}
	limit := aimLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = max(0, min(limit, time.Until(deadline)-200*time.Millisecond))
	}
	var got struct {
		Stale, Rest bool
		Point       *dom.Point
		Box         box
		By          int
	}
	if err := p.call(ctx, f, &got, "aim", ref.ID, limit.Milliseconds()); err != nil {
		return a, err
	}
	if got.Stale {
		return a, locate.ErrStale
	}
	a.Box, a.Rest = got.Box.rect(), got.Rest
	if got.Point == nil {
		return a, fmt.Errorf("%w: no part of it can be seen", locate.ErrNotActionable)
	}
	a.Point = *got.Point
	if got.By != 0 {
		a.Covered = dom.Ref{Frame: ref.Frame, ID: got.By}
	}
	return a, p.outwards(ctx, f, &a)
}

// outwards maps what holds in a frame to the main frame's viewport, and asks
// every parent whether the press reaches the frame at all.
func (p *Page) outwards(ctx context.Context, f *frame, a *locate.Aim) error {
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
		a.Point, a.Box = at.point(a.Point), at.rect(a.Box)
		var over struct {
			Stale bool
			By    int
		}
		if err := p.call(ctx, f.parent, &over, "over", f.owner, a.Point.X, a.Point.Y); err != nil {
			return err
		}
		if over.Stale {
			return locate.ErrStale
		}
		if over.By != 0 {
			a.Covered = dom.Ref{Frame: f.parent.index, ID: over.By}
		}
	}
	return nil
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
