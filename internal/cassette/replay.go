package cassette

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Replay answers requests with the exchanges of a file, in their order. It is
// safe for concurrent use; the order is then that of arrival.
type Replay struct {
	file      string
	exchanges []Exchange

	mu     sync.Mutex
	asked  []Request
	drifts []Drift
	over   int // requests beyond the last exchange
}

// ExhaustedError is a request for which the file holds no answer.
type ExhaustedError struct {
	File string
	Have int // exchanges of the file
	Asks int // number of the request, from 1
}

func (e *ExhaustedError) Error() string {
	return fmt.Sprintf("cassette %s: request %d has no answer: the file holds %d", e.File, e.Asks, e.Have)
}

// Permanent says to clients that asking again does not help.
func (e *ExhaustedError) Permanent() bool { return true }

// RoundTrip answers with the next exchange. It fails with *ExhaustedError after
// the last one.
func (r *Replay) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, context.Cause(req.Context())
	}
	body, err := drain(req)
	if err != nil {
		return nil, err
	}
	asked := Request{Method: req.Method, Path: req.URL.Path, Body: scrub(body, secretsOf(req.Header))}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := len(r.asked)
	if i >= len(r.exchanges) {
		r.over++
		return nil, &ExhaustedError{File: r.file, Have: len(r.exchanges), Asks: i + r.over}
	}
	r.asked = append(r.asked, asked)
	x := r.exchanges[i]
	if lines := diff(x.Request, asked); len(lines) > 0 {
		r.drifts = append(r.drifts, Drift{File: r.file, Exchange: i + 1, Line: x.line, Diff: lines, ImagesOnly: imagesOnly(lines)})
	}
	return x.Response.http(req), nil
}

func (r Response) http(req *http.Request) *http.Response {
	b := r.bytes()
	h := http.Header{}
	for k, v := range r.Headers {
		h.Set(k, v)
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", contentType(b))
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status)), StatusCode: r.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)), Request: req,
	}
}

func contentType(b []byte) string {
	if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		return "application/json"
	}
	return "text/event-stream"
}

// drain reads the request's body and closes it, as a RoundTripper must.
func drain(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	defer req.Body.Close()
	b, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, fmt.Errorf("cassette: read request: %v", err)
	}
	return b, nil
}

// File is the name that was given to Open.
func (r *Replay) File() string { return r.file }

// Len is the number of exchanges in the file.
func (r *Replay) Len() int { return len(r.exchanges) }

// Unused is the number of exchanges that nobody has asked for yet.
func (r *Replay) Unused() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.exchanges) - len(r.asked)
}

// Unrecorded is the number of answered requests for which the file holds an
// answer but no request to compare with.
func (r *Replay) Unrecorded() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, x := range r.exchanges[:len(r.asked)] {
		if x.Request.Empty() {
			n++
		}
	}
	return n
}

// Drifts are the differences met so far, in order.
func (r *Replay) Drifts() []Drift {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Drift(nil), r.drifts...)
}

// Requests are the requests answered so far, scrubbed, as Rewrite takes them.
func (r *Replay) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Request(nil), r.asked...)
}

// Model is the name of the first model that the file names, in a request or
// else in an answer; "" where it names none.
func (r *Replay) Model() string {
	for _, x := range r.exchanges {
		if m := modelOf(x.Request.Body); m != "" {
			return m
		}
	}
	for _, x := range r.exchanges {
		for _, l := range strings.Split(string(x.Response.bytes()), "\n") {
			if m := modelOf([]byte(strings.TrimPrefix(l, "data:"))); m != "" {
				return m
			}
		}
		if m := modelOf(x.Response.bytes()); m != "" {
			return m
		}
	}
	return ""
}

func modelOf(body []byte) string {
	var b struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(body, &b) // what is not JSON names no model
	return b.Model
}
