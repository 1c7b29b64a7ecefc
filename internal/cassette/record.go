package cassette

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// kept are the response headers that a recording keeps.
var kept = []string{"Content-Type", "Retry-After"}

// Recorder passes requests on and writes the exchanges down. It is safe for
// concurrent use.
type Recorder struct {
	next    http.RoundTripper
	secrets []string

	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewRecorder records what goes through next (nil: http.DefaultTransport) to
// w, one line an exchange. Secrets are strings that must not reach w; the
// credentials in the headers of a request are known without being named.
func NewRecorder(next http.RoundTripper, w io.Writer, secrets ...string) *Recorder {
	if next == nil {
		next = http.DefaultTransport
	}
	return &Recorder{next: next, w: w, secrets: secrets}
}

// RoundTrip passes the request on. An exchange that cannot be written does not
// fail the request; Err tells.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := drain(req)
	if err != nil {
		return nil, err
	}
	out := req.Clone(req.Context())
	out.Body = io.NopCloser(bytes.NewReader(body))
	res, err := r.next.RoundTrip(out)
	if err != nil {
		return nil, err // no answer, no exchange
	}
	answer, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("read response: %w", err)
	}
	res.Body = io.NopCloser(bytes.NewReader(answer))
	r.write(req, body, res, answer)
	return res, nil
}

func (r *Recorder) write(req *http.Request, body []byte, res *http.Response, answer []byte) {
	secrets := append(secretsOf(req.Header), r.secrets...)
	asked := Request{Method: req.Method, Path: req.URL.Path, Body: scrub(body, secrets)}
	resp := Response{Status: res.StatusCode, Headers: map[string]string{}, Body: recordable(answer, secrets)}
	for _, k := range kept {
		if v := res.Header.Get(k); v != "" {
			resp.Headers[k] = v
		}
	}
	b, err := marshal(resp)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		err = writeLine(r.w, asked, b, false)
	}
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("cassette: record: %w", err)
	}
}

// Err is the first failure to write, or nil.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// recordable is the answer as a body of the format. What is neither JSON nor
// an event stream (a proxy's error page) is kept as an error object with the
// beginning of its text.
func recordable(answer []byte, secrets []string) json.RawMessage {
	if b := scrub(answer, secrets); b != nil && json.Valid(answer) && (b[0] == '{' || b[0] == '[') {
		return b
	}
	s := string(answer)
	var v any = scrubStream(s, secrets)
	if checkStream(s, 0) != nil {
		v = map[string]any{"error": map[string]any{"message": scrubString(clip(s, 400), secrets)}}
	}
	b, err := marshal(v)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return b
}

func scrubStream(s string, secrets []string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		d, is := strings.CutPrefix(l, "data:")
		if b := scrub([]byte(d), secrets); is && b != nil {
			lines[i] = "data: " + string(b)
		}
	}
	return strings.Join(lines, "\n")
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
