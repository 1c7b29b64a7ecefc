package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"harness/dom"
	"harness/locate"
)

// Snapshot reads the composed tree of all frames.
func (p *Page) Snapshot(ctx context.Context, q dom.Query) (*dom.Snapshot, error) {
	frames, err := p.attached(ctx)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	arg := map[string]any{"needles": q.Needles, "css": q.CSS}
	data := make([]dom.FrameData, len(frames))
	errs := make([]error, len(frames))
	var wg sync.WaitGroup
	for i, f := range frames {
		wg.Go(func() {
			data[i] = dom.FrameData{Index: f.index, Parent: -1, Owner: f.owner, Name: f.name}
			data[i].JSON, errs[i] = p.ask(ctx, f, "snapshot", arg)
			if errs[i] == nil && f.parent != nil {
				data[i].Parent = f.parent.index
				errs[i] = p.inset(ctx, f, &data[i])
			}
		})
	}
	wg.Wait()
	kept := data[:0]
	for i := range data {
		switch {
		case errs[i] == nil:
			kept = append(kept, data[i])
		case i == 0 || ctx.Err() != nil:
			return nil, fmt.Errorf("snapshot: %w", errs[i])
		}
		// A frame that went away meanwhile is not part of the page.
	}
	s, err := dom.Decode(kept)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (p *Page) inset(ctx context.Context, f *frame, d *dom.FrameData) error {
	at, err := p.place(ctx, f)
	if err != nil {
		return err
	}
	d.Inset, d.Zoom = dom.Point{X: at.X - at.Box.X, Y: at.Y - at.Box.Y}, at.SX
	return nil
}

// attached lists the page's frames, parents first, each with its place.
func (p *Page) attached(ctx context.Context) ([]*frame, error) {
	all := p.pw.Frames()
	out := make([]*frame, 0, len(all))
	for _, pw := range all {
		f := p.known(pw)
		if f.index == 0 {
			out = append(out, f)
			continue
		}
		err := p.own(ctx, f)
		if ctx.Err() != nil || err == locate.ErrPageClosed {
			return nil, err
		}
		if err == nil {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, locate.ErrPageClosed
	}
	return out, nil
}

// own finds the frame element of a frame, once: it stays the same as long as
// the frame is attached.
func (p *Page) own(ctx context.Context, f *frame) error {
	if f.owner != 0 {
		return nil
	}
	parent := f.pw.ParentFrame()
	if parent == nil {
		return locate.ErrStale
	}
	up := p.known(parent)
	v, err := on(ctx, p, func() (any, error) {
		el, err := f.pw.FrameElement()
		if err != nil {
			return nil, p.scriptError(err)
		}
		defer func() { _ = el.Dispose() }()
		v, err := el.Evaluate(ownScript, p.last(up))
		return v, p.scriptError(err)
	})
	if err != nil {
		return err
	}
	s, err := p.answer(up, "own", v)
	if err != nil {
		return err
	}
	var owner struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	if err := json.Unmarshal([]byte(s), &owner); err != nil {
		return fmt.Errorf("page script own: %v", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f.parent, f.owner, f.name = up, owner.ID, owner.Name
	return nil
}
