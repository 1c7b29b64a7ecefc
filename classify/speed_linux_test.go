package classify_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/classify"
	"harness/dom"
)

// cpu is the time that this thread has worked: unlike the clock it does not
// depend on what else the machine does.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(thread, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// The budget is 100 ms for 40,000 nodes, and the cost must not grow faster
// than the page. The best of some runs counts.
func TestPageIsFast(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	best := func(page func() *dom.Snapshot) time.Duration {
		least := time.Hour
		for range 5 {
			s := page() // a fresh one: the calendars of a snapshot are looked for once
			start := cpu(t)
			classify.Page(s)
			least = min(least, cpu(t)-start)
		}
		return least
	}
	large := func() *dom.Snapshot { return rows(t, 3700) }
	require.Greater(t, len(large().Nodes), 40_000)
	assert.Less(t, best(large), 100*time.Millisecond)
	many := func(n int) func() *dom.Snapshot {
		return func() *dom.Snapshot {
			return parse(t, strings.Repeat(`<div class=a><span>12</span><span>x</span></div>`, n))
		}
	}
	assert.Less(t, best(many(5000)), 40*best(many(500))+5*time.Millisecond)
}
