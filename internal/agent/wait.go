package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"harness/locate"
)

// Bounds of waiting and scrolling.
const (
	defaultTimeout = 10 * time.Second
	pollEvery      = 100 * time.Millisecond // between two looks for an element
	lookFor        = 700 * time.Millisecond // one look at a time while scrolling
	maxScrolls     = 40                     // screens that scroll-to turns; lists without end must end
	settleQuiet    = 150 * time.Millisecond
	settleLimit    = 3 * time.Second
)

func (e Env) timeout() time.Duration {
	if e.Timeout > 0 {
		return e.Timeout
	}
	return defaultTimeout
}

// waitFor waits until the target is found. Where the time runs out the error is
// locate.ErrTimeout, with the last cause in its text.
func waitFor(ctx context.Context, env Env, t locate.Target, h locate.How) (*locate.Resolution, error) {
	limit := env.timeout()
	ctx2, cancel := context.WithTimeoutCause(ctx, limit, locate.ErrTimeout)
	defer cancel()
	h.Timeout = limit
	var last *locate.Resolution
	var cause error
	for {
		r, err := env.Actor.Find(ctx2, t, h)
		if err == nil {
			return r, nil
		}
		if r != nil {
			last = r
		}
		if cause == nil || ctx2.Err() == nil {
			cause = err
		}
		if !errors.Is(err, locate.ErrNotFound) && !errors.Is(err, locate.ErrStale) && ctx2.Err() == nil {
			return last, err
		}
		if sleep(ctx2, pollEvery) != nil {
			break
		}
	}
	if ctx.Err() != nil {
		return last, context.Cause(ctx)
	}
	return last, fmt.Errorf("wait for %q: %w after %s: %v", t.String(), locate.ErrTimeout, limit, cause)
}

// scroll brings a target into view or turns the wheel. A target that is not in
// the page yet is scrolled for, screen by screen, until the page no longer moves.
func scroll(ctx context.Context, env Env, a *ScrollArgs, h locate.How) (*locate.Resolution, error) {
	if a.By != nil {
		return env.Actor.Scroll(ctx, a.In, locate.ScrollOptions{X: a.By.X, Y: a.By.Y}, h)
	}
	look := h
	look.Timeout = min(lookFor, env.timeout())
	for range maxScrolls {
		r, err := env.Actor.Scroll(ctx, a.To, locate.ScrollOptions{}, look)
		if !errors.Is(err, locate.ErrNotFound) || ctx.Err() != nil {
			return r, err
		}
		moved, moveErr := turnScreen(ctx, env, a.In)
		if moveErr != nil {
			return r, moveErr
		}
		if !moved {
			return r, err
		}
	}
	return env.Actor.Scroll(ctx, a.To, locate.ScrollOptions{}, look)
}

// turnScreen scrolls down by most of a screen and waits for what that loads.
func turnScreen(ctx context.Context, env Env, in *locate.Target) (moved bool, err error) {
	info, err := env.Page.Info(ctx)
	if err != nil {
		return false, err
	}
	r, err := env.Actor.Scroll(ctx, in, locate.ScrollOptions{Y: 0.8 * info.Viewport.H}, locate.How{})
	if err != nil {
		return false, err
	}
	if _, err := env.Page.Settle(ctx, settleQuiet, settleLimit); err != nil {
		return false, err
	}
	return r != nil && r.Effect != "", nil
}
