package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// clock is the time that a context's pages see: the real one moved by an
// offset, or standing still. The zero clock is the real one.
type clock struct {
	offset time.Duration
	frozen time.Time // zero: it runs
}

func newClock(at time.Time, frozen bool) clock {
	if at.IsZero() {
		return clock{}
	}
	c := clock{offset: time.Until(at).Round(time.Millisecond)}
	if frozen {
		c.frozen = at
	}
	return c
}

func (c clock) set() bool { return c != clock{} }

func (c clock) now() time.Time {
	if !c.frozen.IsZero() {
		return c.frozen
	}
	return time.Now().Add(c.offset)
}

// script is clock.js with its argument; "" for the real clock.
func (c clock) script() (string, error) {
	if !c.set() {
		return "", nil
	}
	arg := struct {
		Offset int64  `json:"offset"` // ms
		Frozen *int64 `json:"frozen"` // ms since 1970
	}{Offset: c.offset.Milliseconds()}
	if !c.frozen.IsZero() {
		ms := c.frozen.UnixMilli()
		arg.Frozen = &ms
	}
	b, err := json.Marshal(arg)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("(%s)(%s);\n", strings.TrimSpace(clockScript), b), nil
}

// answer passes a handler's answer on to the browser: never cached, since
// every run must ask the world anew; in the time of the page's clock; and with
// the clock in the scripts of workers, where no init script reaches.
type answer struct {
	http.ResponseWriter
	clock   clock
	request *http.Request
	started bool
	held    *bytes.Buffer // a worker's script, until it is whole
	status  int
}

// WriteHeader sends the head of the answer.
func (a *answer) WriteHeader(status int) {
	if a.started {
		return
	}
	a.started, a.status = true, status
	h := a.Header()
	h.Set("Cache-Control", "no-store")
	if a.clock.set() {
		// The browser reckons the expiry of cookies from this date.
		h.Set("Date", a.clock.now().UTC().Format(http.TimeFormat))
	}
	if a.clock.set() && status == http.StatusOK && isWorker(a.request) {
		a.held = &bytes.Buffer{}
		return
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (a *answer) Write(p []byte) (int, error) {
	if !a.started {
		if a.Header().Get("Content-Type") == "" {
			a.Header().Set("Content-Type", http.DetectContentType(p))
		}
		a.WriteHeader(http.StatusOK)
	}
	if a.held != nil {
		return a.held.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// Unwrap serves http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) finish() {
	if !a.started {
		a.WriteHeader(http.StatusOK)
	}
	if a.held == nil {
		return
	}
	script, err := a.clock.script()
	if err != nil {
		script = ""
	}
	a.Header().Del("Content-Length")
	a.ResponseWriter.WriteHeader(a.status)
	_, _ = a.ResponseWriter.Write(append([]byte(script), a.held.Bytes()...))
}

func isWorker(r *http.Request) bool {
	d := r.Header.Get("Sec-Fetch-Dest")
	return d == "worker" || d == "sharedworker"
}
