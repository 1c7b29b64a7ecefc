package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxBody bounds an answer, in bytes. The longest seen are under 1 MB.
const maxBody = 32 << 20

// doer stands between the library and the HTTP client: it adds the fields that
// the library does not know to the request, and brings the answers of other
// endpoints into the shape that the library reads.
type doer struct {
	http  *http.Client
	extra map[string]any
	now   func() time.Time
	after time.Duration // what the last answer asked to wait
}

// badReply is an answer that is no chat completion.
type badReply struct {
	reason string
	status int
	retry  bool
}

func (e *badReply) Error() string { return e.reason }

// Do sends one request.
func (d *doer) Do(req *http.Request) (*http.Response, error) {
	if err := d.extend(req); err != nil {
		return nil, err
	}
	res, err := d.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	d.after = retryAfter(res.Header, d.now())
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxBody {
		return nil, &badReply{reason: fmt.Sprintf("the answer is longer than %d bytes", maxBody)}
	}
	if res.StatusCode < 400 {
		if body, err = normal(body); err != nil {
			return nil, err
		}
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// extend puts the extra fields into the request's body.
func (d *doer) extend(req *http.Request) error {
	if len(d.extra) == 0 {
		return nil
	}
	old, err := io.ReadAll(req.Body)
	if err != nil {
		return err
	}
	body := map[string]json.RawMessage{}
	if err := json.Unmarshal(old, &body); err != nil {
		return err
	}
	for k, v := range d.extra {
		if body[k], err = json.Marshal(v); err != nil {
			return fmt.Errorf("extra parameter %s: %v", k, err)
		}
	}
	out, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req.Body = io.NopCloser(bytes.NewReader(out))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(out)), nil }
	req.ContentLength = int64(len(out))
	return nil
}

// retryAfter is what the answer asks to wait; 0 where it does not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}

// normal is the answer as one JSON chat completion of the shape that the
// library reads.
func normal(body []byte) ([]byte, error) {
	text := bytes.TrimSpace(body)
	if len(text) == 0 {
		return nil, &badReply{reason: "the answer is empty", retry: true}
	}
	if text[0] != '{' {
		joined, err := join(text)
		if err != nil {
			return nil, err
		}
		text = joined
	}
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&m); err != nil {
		return nil, &badReply{reason: fmt.Sprintf("the answer is not JSON: %v", err), retry: true}
	}
	choices, _ := m["choices"].([]any)
	if e := m["error"]; e != nil && len(choices) == 0 {
		return nil, hidden(e)
	}
	for _, c := range choices {
		if c, ok := c.(map[string]any); ok {
			tidy(c)
		}
	}
	return json.Marshal(m)
}

// hidden is an error that came with status 200, as routers send them.
func hidden(e any) error {
	m, _ := e.(map[string]any)
	reason, _ := m["message"].(string)
	if reason == "" {
		reason = fmt.Sprint(e)
	}
	status, _ := strconv.Atoi(fmt.Sprint(m["code"])) // a code in words is no status
	return &badReply{reason: reason, status: status, retry: retryable(status)}
}

// tidy brings one choice into shape: content in parts, reasoning under another
// name, arguments as an object, a finish reason of null.
func tidy(choice map[string]any) {
	msg, _ := choice["message"].(map[string]any)
	if msg == nil {
		return
	}
	if parts, ok := msg["content"].([]any); ok {
		msg["content"] = joinParts(parts)
	}
	if _, ok := msg["reasoning_content"].(string); !ok {
		msg["reasoning_content"], _ = msg["reasoning"].(string)
	}
	calls, _ := msg["tool_calls"].([]any)
	if f, ok := msg["function_call"].(map[string]any); ok && len(calls) == 0 {
		calls = []any{map[string]any{"type": "function", "function": f}}
		msg["tool_calls"] = calls
	}
	delete(msg, "function_call")
	for i, c := range calls {
		tidyCall(c, i)
	}
}

func tidyCall(call any, n int) {
	c, _ := call.(map[string]any)
	f, _ := c["function"].(map[string]any)
	if f == nil {
		return
	}
	if id, _ := c["id"].(string); id == "" {
		c["id"] = fmt.Sprintf("call_%d", n+1)
	}
	if _, ok := f["arguments"].(string); !ok && f["arguments"] != nil {
		if b, err := json.Marshal(f["arguments"]); err == nil {
			f["arguments"] = string(b)
		}
	}
}

func joinParts(parts []any) string {
	var b strings.Builder
	for _, p := range parts {
		m, _ := p.(map[string]any)
		if s, ok := m["text"].(string); ok {
			b.WriteString(s)
		}
	}
	return b.String()
}
