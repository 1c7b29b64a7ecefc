package chat

import (
	"fmt"
	"sync"
	"time"
)

// OpenError says that the endpoint failed so often in a row that it is left
// alone for a while. No call was made.
type OpenError struct {
	Failures int
	Until    time.Duration // from now until the next try
	Last     error
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("not asked: %d failures in a row, next try in %s; the last: %v", e.Failures, e.Until.Round(100*time.Millisecond), e.Last)
}

// Unwrap is the last failure.
func (e *OpenError) Unwrap() error { return e.Last }

// breaker lets one call through after its rest; that one decides.
type breaker struct {
	after int           // failures in a row that open it; below 1 never
	rest  time.Duration // while open

	mu       sync.Mutex
	failures int
	last     error
	until    time.Time
}

func (b *breaker) allow(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.after < 1 || b.failures < b.after {
		return nil
	}
	if now.Before(b.until) {
		return &OpenError{b.failures, b.until.Sub(now), b.last}
	}
	b.until = now.Add(b.rest) // others wait for the outcome of this try
	return nil
}

func (b *breaker) ok() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.last = 0, nil
}

func (b *breaker) failed(err error, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures++
	b.last, b.until = err, now.Add(b.rest)
}
