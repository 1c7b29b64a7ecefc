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
	// patience bounds an act under a policy that looks first: the page has come
	// to rest by then, and what is not there will not come.
	patience     = 4 * time.Second
	arrivalQuiet = 600 * time.Millisecond // on a new page
	settleQuiet  = 150 * time.Millisecond
	settleLimit  = 3 * time.Second
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

// scroll turns the wheel by a distance, or brings a target into view; one that
// is yet to be rendered the Actor scrolls for.
func scroll(ctx context.Context, env Env, a *ScrollArgs, h locate.How) (*locate.Resolution, error) {
	if a.By != nil {
		return env.Actor.Scroll(ctx, a.In, locate.ScrollOptions{X: a.By.X, Y: a.By.Y}, h)
	}
	to := *a.To
	if a.In != nil && to.In == nil {
		if to.Words != "" {
			to = locate.Target{Name: to.Words}
		}
		to.In = a.In
	}
	return env.Actor.Scroll(ctx, &to, locate.ScrollOptions{}, h)
}
