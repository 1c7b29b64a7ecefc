package classify_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/classify"
	"harness/dom"
)

// cpu is the time that this thread has worked: unlike the clock it does not
// depend on what else the machine does.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	const threadTime = 3 // CLOCK_THREAD_CPUTIME_ID
	var at syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadTime, uintptr(unsafe.Pointer(&at)), 0)
	require.Zero(t, errno)
	return time.Duration(at.Nano())
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
			require.Positive(t, least)
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
	assert.Less(t, best(many(5000)), 30*best(many(500)))
}
