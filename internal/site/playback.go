package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"sort"
	"strings"
	"sync"
)

// recording is what a HAR holds, by method and URL.
type recording struct {
	site  string
	all   []*exchange
	byKey map[string][]*exchange
}

func (r *recording) add(x *exchange) {
	k := key(x.method, x.url)
	r.all = append(r.all, x)
	r.byKey[k] = append(r.byKey[k], x)
}

// key is how a request is looked up: the fragment is not sent, and the order
// of query parameters says nothing.
func key(method string, u *url.URL) string {
	p := u.EscapedPath()
	if p == "" {
		p = "/"
	}
	return method + " " + originOf(u) + p + "?" + u.Query().Encode()
}

// weak lists requests that are told apart by their address alone, since their
// bodies were not recorded.
func (r *recording) weak() []string {
	n := 0
	for _, list := range r.byKey {
		for _, x := range list {
			if x.sent && !x.hasBody {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d requests without a recorded body: matched by address alone (weak)", n)}
}

// playback answers from a recording: the n-th request of a kind gets the n-th
// answer, and the last one stays.
type playback struct {
	rec *recording

	mu    sync.Mutex
	taken map[*exchange]bool
}

func newPlayback(rec *recording) *playback {
	return &playback{rec: rec, taken: map[*exchange]bool{}}
}

func (p *playback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			refuse(w, "the request's body broke off")
			return
		}
	}
	x := p.next(r.Method, r.URL, body)
	if x == nil && r.Method == http.MethodHead {
		x = p.next(http.MethodGet, r.URL, nil)
	}
	if x == nil && r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		preflight(w, r)
		return
	}
	switch {
	case x == nil:
		refuse(w, p.miss(r.Method, r.URL, body))
	case x.bodiless:
		refuse(w, fmt.Sprintf("%s %s is recorded in site %s without its body", r.Method, r.URL, p.rec.site))
	default:
		x.write(w)
	}
}

// preflight answers what browsers ask before the request proper and recorders
// leave out.
func preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Access-Control-Allow-Methods", r.Header.Get("Access-Control-Request-Method"))
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	w.WriteHeader(http.StatusNoContent)
}

func (x *exchange) write(w http.ResponseWriter) {
	for name, values := range x.header {
		w.Header()[name] = append([]string(nil), values...)
	}
	status := x.status
	if status == http.StatusNotModified { // the body that the browser had then, it does not have now
		status = http.StatusOK
	}
	w.WriteHeader(status)
	if status != http.StatusNoContent && status >= 200 {
		_, _ = w.Write(x.answer)
	}
}

// next is the answer to a request; nil if none is recorded.
func (p *playback) next(method string, u *url.URL, body []byte) *exchange {
	k := key(method, u)
	fits := matching(p.rec.byKey[k], body)
	if len(fits) == 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range fits {
		if !p.taken[x] {
			p.taken[x] = true
			return x
		}
	}
	return fits[len(fits)-1]
}

// matching are the exchanges whose request has that body; where no body was
// recorded, the address decides alone.
func matching(list []*exchange, body []byte) []*exchange {
	var same, unknown []*exchange
	for _, x := range list {
		switch {
		case !x.sent:
			same = append(same, x)
		case !x.hasBody:
			unknown = append(unknown, x)
		case sameBody(x.body, body):
			same = append(same, x)
		}
	}
	if len(same) > 0 {
		return same
	}
	return unknown
}

// sameBody compares as JSON or as a form where both are one.
func sameBody(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil {
		return reflect.DeepEqual(x, y)
	}
	p, errP := url.ParseQuery(string(a))
	q, errQ := url.ParseQuery(string(b))
	form := bytes.ContainsRune(a, '=') && bytes.ContainsRune(b, '=')
	return form && errP == nil && errQ == nil && reflect.DeepEqual(p, q)
}

// miss says what comes nearest to a request that is not recorded, and how it
// differs.
func (p *playback) miss(method string, u *url.URL, body []byte) string {
	best, least, how := (*exchange)(nil), 1<<30, ""
	for _, x := range p.rec.all {
		n, diff := distance(x, method, u, body)
		if n < least {
			best, least, how = x, n, diff
		}
	}
	head := fmt.Sprintf("site %s has no %s %s", p.rec.site, method, u)
	if best == nil || least >= far {
		return head
	}
	return fmt.Sprintf("%s; nearest is %s %s: %s", head, best.method, best.url, how)
}

// far is the distance from which on two requests have nothing to do with each other.
const far = 1000

// distance weighs the differences between a recorded request and one that came.
func distance(x *exchange, method string, u *url.URL, body []byte) (int, string) {
	n := 0
	var diffs []string
	add := func(weight int, format string, args ...any) {
		n += weight
		diffs = append(diffs, fmt.Sprintf(format, args...))
	}
	if originOf(x.url) != originOf(u) {
		add(400, "origin %s, not %s", originOf(x.url), originOf(u))
	}
	if x.url.Path != u.Path {
		add(100+900*unlike(x.url.Path, u.Path)/100, "path %s, not %s", x.url.Path, u.Path)
	}
	if x.method != method {
		add(50, "method %s, not %s", x.method, method)
	}
	was, is := x.url.Query(), u.Query()
	for _, name := range union(was, is) {
		a, b := strings.Join(was[name], ","), strings.Join(is[name], ",")
		switch {
		case !was.Has(name):
			add(10, "%s=%s is not in the recording", name, b)
		case !is.Has(name):
			add(10, "%s=%s is missing", name, a)
		case a != b:
			add(8, "%s=%s, not %s", name, a, b)
		}
	}
	if n == 0 && x.sent && !sameBody(x.body, body) {
		add(5, "another body (%d bytes, not %d)", len(x.body), len(body))
	}
	return n, strings.Join(diffs, "; ")
}

// unlike is how much two paths differ by their parts, 0-100.
func unlike(a, b string) int {
	p, q := strings.Split(a, "/"), strings.Split(b, "/")
	same := 0
	for i := 0; i < min(len(p), len(q)); i++ {
		if p[i] == q[i] {
			same++
		}
	}
	return 100 - 100*same/max(len(p), len(q))
}

func union(a, b url.Values) []string {
	seen := map[string]bool{}
	for k := range a {
		seen[k] = true
	}
	for k := range b {
		seen[k] = true
	}
	var out []string
	for k := range seen {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
