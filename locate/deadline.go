package locate

import (
	"context"
	"sync"
	"time"
)

// actTime is the context of one act. Its time is the page's: it stands still
// while a model is asked, which has time limits of its own.
type actTime struct {
	context.Context // ends with errDeadline as its cause

	mu    sync.Mutex
	ends  time.Time
	timer *time.Timer
}

type actTimeKey struct{}

// deadline bounds one act.
func (a *Actor) deadline(ctx context.Context, h How) (context.Context, context.CancelFunc) {
	d := h.Timeout
	if d <= 0 {
		d = a.opts.Timeout
	}
	inner, cancel := context.WithCancelCause(ctx)
	t := &actTime{Context: inner, ends: time.Now().Add(d)}
	t.timer = time.AfterFunc(d, func() { cancel(errDeadline) })
	return t, func() {
		t.timer.Stop()
		cancel(context.Canceled)
	}
}

// Deadline is when the act's time is up.
func (t *actTime) Deadline() (time.Time, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if outer, ok := t.Context.Deadline(); ok && outer.Before(t.ends) {
		return outer, true
	}
	return t.ends, true
}

// Value finds the act's time.
func (t *actTime) Value(key any) any {
	if key == (actTimeKey{}) {
		return t
	}
	return t.Context.Value(key)
}

// holdTime stops the act's time until the returned function is called. The
// context must be the act's or one derived from it.
func holdTime(ctx context.Context) (goOn func()) {
	t, ok := ctx.Value(actTimeKey{}).(*actTime)
	if !ok || !t.timer.Stop() {
		return func() {}
	}
	began := time.Now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.ends = t.ends.Add(time.Since(began))
		t.timer.Reset(time.Until(t.ends))
	}
}
