package cassette

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
)

// FormatError is a line that is not an exchange. Line and Col count from 1;
// Col counts bytes.
type FormatError struct {
	File      string
	Line, Col int
	Reason    string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Reason)
}

// Open reads a cassette. A line that is no exchange is a *FormatError; a file
// without any exchange is one too.
func Open(file string) (*Replay, error) {
	xs, err := read(file)
	if err != nil {
		return nil, err
	}
	return &Replay{file: file, exchanges: xs}, nil
}

func read(file string) ([]Exchange, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cassette: %w", err)
	}
	return parse(file, data)
}

func parse(file string, data []byte) ([]Exchange, error) {
	var xs []Exchange
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for i, text := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		x, err := parseLine(text)
		var p *posError
		if errors.As(err, &p) {
			return nil, &FormatError{File: file, Line: i + 1, Col: p.offset + 1, Reason: p.reason}
		}
		x.line = i + 1
		xs = append(xs, *x)
	}
	if len(xs) == 0 {
		return nil, &FormatError{File: file, Line: 1, Col: 1, Reason: "no exchange in the file"}
	}
	return xs, nil
}

// posError is a fault at a byte of a line.
type posError struct {
	offset int
	reason string
}

func (e *posError) Error() string { return e.reason }

func fault(offset int, format string, args ...any) *posError {
	return &posError{offset, fmt.Sprintf(format, args...)}
}

// field is a member of a JSON object and where it stands in the line.
type field struct {
	name     string
	at       int // of the name
	value    json.RawMessage
	valuePos int
}

// fields splits one JSON object, refusing names that are not known or stand twice.
func fields(object []byte, base int, what string, known ...string) (map[string]field, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	t, err := dec.Token()
	if err != nil {
		return nil, syntax(err, object, base)
	}
	if t != json.Delim('{') {
		return nil, fault(base, "%s is not a JSON object", what)
	}
	found := map[string]field{}
	for dec.More() {
		at := base + skip(object, int(dec.InputOffset()))
		t, err := dec.Token()
		if err != nil {
			return nil, syntax(err, object, base)
		}
		name, _ := t.(string)
		if err := allowed(found, name, at, what, known); err != nil {
			return nil, err
		}
		var v json.RawMessage
		start := skip(object, int(dec.InputOffset()))
		if err := dec.Decode(&v); err != nil {
			return nil, syntax(err, object, base)
		}
		found[name] = field{name, at, v, base + start}
	}
	if _, err := dec.Token(); err != nil {
		return nil, syntax(err, object, base)
	}
	if rest := bytes.TrimSpace(object[dec.InputOffset():]); len(rest) > 0 {
		return nil, fault(base+int(dec.InputOffset()), "text after the exchange (one exchange a line)")
	}
	return found, nil
}

func allowed(found map[string]field, name string, at int, what string, known []string) error {
	if _, twice := found[name]; twice {
		return fault(at, "%s: %q stands twice", what, name)
	}
	for _, k := range known {
		if k == name {
			return nil
		}
	}
	return fault(at, "%s: unknown field %q (known: %s)", what, name, strings.Join(known, ", "))
}

// skip is the offset of the next value or name from i on.
func skip(b []byte, i int) int {
	for i < len(b) && strings.ContainsRune(" \t\r,:", rune(b[i])) {
		i++
	}
	return i
}

func syntax(err error, object []byte, base int) error {
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return fault(base+max(0, int(s.Offset)-1), "not JSON: %v", err)
	}
	return fault(base+len(object), "not JSON: the line ends in the middle of a value (one exchange a line)")
}

func parseLine(text []byte) (*Exchange, error) {
	// A syntax error inside a value is found here, with its place.
	if err := json.Unmarshal(text, new(any)); err != nil {
		return nil, syntax(err, text, 0)
	}
	top, err := fields(text, 0, "exchange", "v", "synthetic", "request", "response")
	if err != nil {
		return nil, err
	}
	if v, ok := top["v"]; !ok {
		return nil, fault(0, `exchange: "v" is missing`)
	} else if string(v.value) != fmt.Sprint(Version) {
		return nil, fault(v.valuePos, "version %s is not known (this build reads %d)", v.value, Version)
	}
	x := &Exchange{}
	if s, ok := top["synthetic"]; ok && json.Unmarshal(s.value, &x.Synthetic) != nil {
		return nil, fault(s.valuePos, `"synthetic" is neither true nor false`)
	}
	if r, ok := top["request"]; ok && string(r.value) != "null" {
		if x.Request, err = parseRequest(r); err != nil {
			return nil, err
		}
	}
	r, ok := top["response"]
	if !ok {
		return nil, fault(0, `exchange: "response" is missing`)
	}
	x.raw = r.value
	x.Response, err = parseResponse(r)
	return x, err
}

func parseRequest(f field) (Request, error) {
	m, err := fields(f.value, f.valuePos, "request", "method", "path", "body")
	if err != nil {
		return Request{}, err
	}
	var r Request
	for name, to := range map[string]*string{"method": &r.Method, "path": &r.Path} {
		if v, ok := m[name]; ok && json.Unmarshal(v.value, to) != nil {
			return Request{}, fault(v.valuePos, "request: %q is not a string", name)
		}
	}
	if strings.Contains(r.Path, "://") {
		return Request{}, fault(m["path"].valuePos, "request: the path names a host; keep the path alone")
	}
	if b, ok := m["body"]; ok && string(b.value) != "null" && string(b.value) != "{}" {
		r.Body = b.value
	}
	return r, nil
}

func parseResponse(f field) (Response, error) {
	m, err := fields(f.value, f.valuePos, "response", "status", "headers", "body")
	if err != nil {
		return Response{}, err
	}
	r := Response{Status: http.StatusOK}
	if s, ok := m["status"]; ok && (json.Unmarshal(s.value, &r.Status) != nil || r.Status < 200 || r.Status > 599) {
		return Response{}, fault(s.valuePos, "response: status %s is no final HTTP status", s.value)
	}
	if h, ok := m["headers"]; ok && json.Unmarshal(h.value, &r.Headers) != nil {
		return Response{}, fault(h.valuePos, "response: headers are not a mapping of strings")
	}
	b, ok := m["body"]
	if !ok {
		return Response{}, fault(f.valuePos, `response: "body" is missing`)
	}
	r.Body = b.value
	return r, checkBody(b)
}

var streamLine = regexp.MustCompile(`^(data|event|id|retry)?:`)

// checkBody refuses what is neither JSON nor an event stream.
func checkBody(b field) error {
	var s string
	if json.Unmarshal(b.value, &s) != nil || b.value[0] == 'n' {
		if c := b.value[0]; c == '{' || c == '[' {
			return nil
		}
		return fault(b.valuePos, "response: the body is neither a JSON object nor an event stream")
	}
	if json.Valid([]byte(s)) && strings.HasPrefix(strings.TrimSpace(s), "{") {
		return nil
	}
	return checkStream(s, b.valuePos)
}

func checkStream(s string, at int) error {
	data := false
	for _, l := range strings.Split(s, "\n") {
		l = strings.TrimRight(l, "\r")
		if l != "" && !streamLine.MatchString(l) {
			return fault(at, "response: the body is neither JSON nor an event stream: %.40q", l)
		}
		d, is := strings.CutPrefix(l, "data:")
		d = strings.TrimSpace(d)
		if is && d != "[DONE]" && !json.Valid([]byte(d)) {
			return fault(at, "response: an event of the stream is not JSON: %.40q", d)
		}
		data = data || is
	}
	if !data {
		return fault(at, "response: the event stream has no data")
	}
	return nil
}
