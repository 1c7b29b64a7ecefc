package site

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// harFile is the part of HAR 1.2 that is read.
type harFile struct {
	Log *struct {
		Pages   []struct{ Title string }
		Entries []harEntry
	}
}

type harEntry struct {
	Request  harRequest
	Response harResponse
}

type harRequest struct {
	Method, URL string
	Headers     []pair
	PostData    *struct {
		MimeType string
		Text     *string
		Params   []pair
		File     string `json:"_file"`
	}
}

type harResponse struct {
	Status      int
	Headers     []pair
	RedirectURL string
	Content     struct {
		Size     int
		MimeType string
		Text     *string
		Encoding string
		File     string `json:"_file"` // Playwright: the body stands beside the HAR or in the zip
	}
}

type pair struct{ Name, Value string }

// MaxHAR bounds the size of a HAR, bytes; larger ones are refused.
const MaxHAR = 1 << 30

func (s *Site) loadHAR() error {
	text, attached, err := readHAR(s.Path)
	if err != nil {
		return fmt.Errorf("site %s: %w", s.Path, err)
	}
	var h harFile
	if err := json.Unmarshal(text, &h); err != nil {
		return placed(s.Path, text, err)
	}
	if h.Log == nil {
		return fmt.Errorf("%s:1:1: not a HAR: it has no log", s.Path)
	}
	if len(h.Log.Entries) == 0 {
		return fmt.Errorf("site %s: the HAR has no entries", s.Path)
	}
	rec := &recording{site: s.Name, byKey: map[string][]*exchange{}}
	bodiless, unusable := 0, 0
	origins := map[string]bool{}
	for i := range h.Log.Entries {
		e := &h.Log.Entries[i]
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || e.Response.Status < 100 {
			unusable++ // data:, WebSockets, requests that got no answer
			continue
		}
		x, err := newExchange(e, u, attached)
		if err != nil {
			return fmt.Errorf("site %s: entry %d (%s %s): %w", s.Path, i+1, e.Request.Method, e.Request.URL, err)
		}
		if x.bodiless {
			bodiless++
		}
		if s.Start == "" && isDocument(x) {
			s.Start = e.Request.URL
		}
		origins[originOf(u)] = true
		rec.add(x)
	}
	for o := range origins {
		s.origins = append(s.origins, o)
	}
	if len(rec.all) == 0 {
		return fmt.Errorf("site %s: none of the HAR's %d entries can be served", s.Path, len(h.Log.Entries))
	}
	if s.Start == "" {
		s.Start = rec.all[0].url.String()
	}
	if bodiless > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %d entries without a body", bodiless, len(rec.all)))
	}
	if unusable > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d entries that cannot be served (no answer, data: or WebSocket)", unusable))
	}
	s.Notes = append(s.Notes, rec.weak()...)
	s.serve = func() http.Handler { return newPlayback(rec) }
	return nil
}

func isDocument(x *exchange) bool {
	return x.method == http.MethodGet && x.status < 400 && (x.status >= 300 || strings.HasPrefix(x.header.Get("Content-Type"), "text/html"))
}

// placed adds line and column to a JSON error.
func placed(file string, text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at, msg := int64(-1), err.Error()
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at, msg = kind.Offset, fmt.Sprintf("%s is a %s, not a %s", kind.Field, kind.Value, kind.Type)
	}
	if at < 0 || at > int64(len(text)) {
		return fmt.Errorf("%s: not a HAR: %s", file, msg)
	}
	before := text[:at]
	line := bytes.Count(before, []byte("\n")) + 1
	col := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:])))
	return fmt.Errorf("%s:%d:%d: not a HAR: %s", file, line, max(1, col), msg)
}

// readHAR reads the HAR, and says how to get at bodies that stand in files of
// their own.
func readHAR(file string) ([]byte, func(name string) ([]byte, error), error) {
	if !strings.HasSuffix(strings.ToLower(file), ".zip") {
		if info, err := os.Stat(file); err == nil && info.Size() > MaxHAR {
			return nil, nil, fmt.Errorf("%d bytes are more than %d", info.Size(), MaxHAR)
		}
		text, err := os.ReadFile(file)
		dir := os.DirFS(filepath.Dir(file))
		return text, func(name string) ([]byte, error) {
			f, err := dir.Open(path.Clean(name))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return io.ReadAll(f)
		}, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, fmt.Errorf("not a zip file: %v", err)
	}
	for _, f := range z.File {
		if strings.HasSuffix(strings.ToLower(f.Name), ".har") {
			text, err := unzip(f)
			return text, func(name string) ([]byte, error) { return member(z, name) }, err
		}
	}
	return nil, nil, errors.New("the zip file holds no .har")
}

func member(z *zip.Reader, name string) ([]byte, error) {
	for _, f := range z.File {
		if f.Name == name {
			return unzip(f)
		}
	}
	return nil, fmt.Errorf("the zip file holds no %s", name)
}

func unzip(f *zip.File) ([]byte, error) {
	if f.UncompressedSize64 > MaxHAR {
		return nil, fmt.Errorf("%s: %d bytes are more than %d", f.Name, f.UncompressedSize64, MaxHAR)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, MaxHAR))
}

// exchange is one recorded request with its answer.
type exchange struct {
	method   string
	url      *url.URL
	body     []byte // of the request
	hasBody  bool   // the request's body is recorded
	sent     bool   // the request had a body
	status   int
	header   http.Header
	answer   []byte
	bodiless bool // the answer had a body that is not recorded
}

// dropped are headers that describe a transfer that is over.
var dropped = map[string]bool{
	"Content-Encoding": true, "Content-Length": true, "Transfer-Encoding": true, "Connection": true, "Keep-Alive": true,
	"Alt-Svc": true, "Strict-Transport-Security": true, "Trailer": true, "Upgrade": true, "Report-To": true, "Nel": true,
}

func newExchange(e *harEntry, u *url.URL, attached func(string) ([]byte, error)) (*exchange, error) {
	x := &exchange{method: strings.ToUpper(e.Request.Method), url: u, status: e.Response.Status, header: http.Header{}}
	for _, h := range e.Response.Headers {
		name := http.CanonicalHeaderKey(h.Name)
		if strings.HasPrefix(name, ":") || dropped[name] {
			continue
		}
		for _, v := range strings.Split(h.Value, "\n") { // HAR writers join repeated headers by line feeds
			x.header.Add(name, v)
		}
	}
	c := e.Response.Content
	if x.header.Get("Content-Type") == "" && c.MimeType != "" {
		x.header.Set("Content-Type", c.MimeType)
	}
	if x.header.Get("Location") == "" && e.Response.RedirectURL != "" {
		x.header.Set("Location", e.Response.RedirectURL)
	}
	var err error
	switch {
	case c.File != "":
		x.answer, err = attached(c.File)
	case c.Text != nil && c.Encoding == "base64":
		x.answer, err = base64.StdEncoding.DecodeString(*c.Text)
	case c.Text != nil:
		x.answer = []byte(*c.Text)
	default:
		x.bodiless = c.Size > 0 && x.status >= 200 && x.status != 204 && x.status != 304 && x.status/100 != 3 && x.method != http.MethodHead
	}
	if err != nil {
		return nil, fmt.Errorf("body: %v", err)
	}
	return x, x.request(e, attached)
}

func (x *exchange) request(e *harEntry, attached func(string) ([]byte, error)) error {
	p := e.Request.PostData
	x.sent = x.method != http.MethodGet && x.method != http.MethodHead && x.method != http.MethodOptions
	switch {
	case p == nil:
		x.hasBody = declared(e.Request.Headers) == "0" || !x.sent
		return nil
	case p.File != "":
		var err error
		x.body, err = attached(p.File)
		x.hasBody = err == nil
		return err
	case p.Text != nil:
		x.body, x.hasBody = []byte(*p.Text), true
	case len(p.Params) > 0:
		form := url.Values{}
		for _, q := range p.Params {
			form.Add(q.Name, q.Value)
		}
		x.body, x.hasBody = []byte(form.Encode()), true
	}
	return nil
}

func declared(headers []pair) string {
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Content-Length") {
			return h.Value
		}
	}
	return ""
}
