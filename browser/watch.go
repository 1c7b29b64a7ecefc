package browser

import (
	"context"
	"fmt"
	"time"

	"harness/dom"
	"harness/locate"
)

// watch is a watch over one act. The page scripts keep the log of changes all
// the time, so that beginning to watch costs nothing.
type watch struct {
	p      *Page
	target dom.Ref
	begin  time.Time
	acts   [][2]time.Time // earlier acts
}

const (
	// afterAct is how long after an act its changes may still be its own.
	afterAct = 500 * time.Millisecond
)

// Watch starts to watch for changes.
func (p *Page) Watch(ctx context.Context, target dom.Ref) (locate.Watch, error) {
	if err := p.why(nil); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	w := &watch{p: p, target: target, begin: time.Now()}
	p.mu.Lock()
	defer p.mu.Unlock()
	recent := p.acts[:0]
	for _, a := range p.acts {
		if w.begin.Sub(a[1]) < 10*time.Second {
			recent = append(recent, a)
		}
	}
	p.acts = recent
	w.acts = append(w.acts, recent...)
	return w, nil
}

// acted records that changes in this time were not by themselves.
func (p *Page) acted(from, to time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts = append(p.acts, [2]time.Time{from, to.Add(afterAct)})
}

// Effect waits for the first change; see locate.Watch.
func (w *watch) Effect(ctx context.Context, limit time.Duration) (string, error) {
	defer func() { w.p.acted(w.begin, time.Now()) }()
	if what := w.event(); what != "" {
		return what, nil
	}
	what, err := w.wait(ctx, limit)
	if what == "" {
		// An event tells better why a document went away than the error that followed.
		what = w.event()
	}
	if what != "" {
		return what, nil
	}
	if err != nil {
		return "", fmt.Errorf("effect: %w", err)
	}
	return "", nil
}

// event is what the Go side saw since the watch began.
func (w *watch) event() string {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	for _, e := range w.p.log.events {
		if e.at.Before(w.begin) || w.polled(e) {
			continue
		}
		return e.what
	}
	select {
	case <-w.p.closed:
		return "the page closed itself"
	default:
		return ""
	}
}

// polledWithin is how often a page that asks the same again and again does so.
const polledWithin = 5 * time.Second

// polled reports whether the event is a request that was going on by itself:
// the same address was asked for before, outside our acts.
func (w *watch) polled(e event) bool {
	for _, o := range w.p.log.events {
		if o.where != "" && o.where == e.where && o.at.Before(w.begin) && w.begin.Sub(o.at) < polledWithin && !w.ours(o.at) {
			return true
		}
	}
	return false
}

// ours reports whether the time lies in an earlier act.
func (w *watch) ours(at time.Time) bool {
	for _, a := range w.acts {
		if !at.Before(a[0]) && !at.After(a[1]) {
			return true
		}
	}
	return false
}

// wait asks every frame and looks at the events meanwhile.
func (w *watch) wait(ctx context.Context, limit time.Duration) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		what string
		err  error
	}
	frames := w.p.present()
	answers := make(chan answer, len(frames))
	for _, f := range frames {
		go func() {
			what, err := w.ask(ctx, f, limit)
			answers <- answer{what, err}
		}()
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var mainErr error
	for left := len(frames); left > 0; {
		select {
		case a := <-answers:
			left--
			if a.what != "" {
				return a.what, nil
			}
			if a.err != nil && mainErr == nil {
				mainErr = a.err
			}
		case <-tick.C:
			if what := w.event(); what != "" {
				return what, nil
			}
		}
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return "", mainErr
}

// ask waits in one frame. A document that went away is an effect by itself.
func (w *watch) ask(ctx context.Context, f *frame, limit time.Duration) (string, error) {
	acts := make([]any, 0, len(w.acts)) // slices all the way down: the library turns a Go array into nothing
	for _, a := range w.acts {
		acts = append(acts, []any{stamp(a[0]), stamp(a[1])})
	}
	id := 0
	if f.index == w.target.Frame {
		id = w.target.ID
	}
	var got struct{ Text string }
	err := w.p.call(ctx, f, &got, "effect", stamp(w.begin), id, acts, limit.Milliseconds())
	return got.Text, err
}

func stamp(t time.Time) float64 { return float64(t.UnixMicro()) / 1000 }

// present are the frames seen so far that are still attached.
func (p *Page) present() []*frame {
	var out []*frame
	for _, pw := range p.pw.Frames() {
		out = append(out, p.known(pw))
	}
	return out
}

// Settle waits until the page has not changed for the quiet time and no young
// request is under way.
func (p *Page) Settle(ctx context.Context, quiet, limit time.Duration) (bool, error) {
	end := time.Now().Add(limit)
	for {
		left := time.Until(end)
		if left <= 0 {
			return false, nil
		}
		rest, err := p.settleFrames(ctx, quiet, left)
		if err != nil {
			return false, fmt.Errorf("settle: %w", err)
		}
		if rest && !p.loading() {
			return true, nil
		}
		if err := wait(ctx, min(10*time.Millisecond, max(0, time.Until(end)))); err != nil {
			return false, fmt.Errorf("settle: %w", err)
		}
	}
}

func (p *Page) settleFrames(ctx context.Context, quiet, limit time.Duration) (bool, error) {
	type answer struct {
		rest bool
		err  error
	}
	frames := p.present()
	answers := make(chan answer, len(frames))
	for _, f := range frames {
		go func() {
			var got struct{ Rest bool }
			err := p.call(ctx, f, &got, "settle", quiet.Milliseconds(), limit.Milliseconds())
			if f.index != 0 && ctx.Err() == nil && err != nil {
				got.Rest, err = true, nil // a frame that went away is at rest
			}
			answers <- answer{got.Rest, err}
		}()
	}
	rest := true
	var err error
	for range frames {
		a := <-answers
		rest = rest && a.rest
		if a.err != nil {
			err = a.err
		}
	}
	return rest, err
}

// pendingLimit is how long a request may keep a page from rest; streams and
// long polls never end.
const pendingLimit = 3 * time.Second

func (p *Page) loading() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range p.log.pending {
		if time.Since(at) < pendingLimit {
			return true
		}
	}
	return false
}
