package site

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// entry is one HAR entry as JSON.
func entry(method, url, post string, status int, kind, content string) string {
	data := ""
	if post != "" {
		data = fmt.Sprintf(`,"postData":{"mimeType":"text/plain","text":%q}`, post)
	}
	return fmt.Sprintf(`{"request":{"method":%q,"url":%q,"headers":[]%s},"response":{"status":%d,"headers":[{"name":"content-type","value":%q}],"content":{%s}}}`,
		method, url, data, status, kind, content)
}

func text(s string) string { return fmt.Sprintf(`"size":%d,"text":%q`, len(s), s) }

func loadHAR(t *testing.T, entries ...string) *Site {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trip.har")
	require.NoError(t, os.WriteFile(file, []byte(`{"log":{"version":"1.2","entries":[`+strings.Join(entries, ",")+`]}}`), 0o644))
	s, err := Load(file)
	require.NoError(t, err)
	return s
}

func TestHARGivesTheNthAnswerAndKeepsTheLast(t *testing.T) {
	s := loadHAR(t,
		entry("GET", "https://a.test/n", "", 200, "text/plain", text("one")),
		entry("PUT", "https://a.test/n", "x", 204, "text/plain", ""),
		entry("GET", "https://a.test/n", "", 200, "text/plain", text("two")),
	)
	for range 2 { // every handler starts afresh
		h := s.Handler()
		for _, want := range []string{"one", "two", "two"} {
			assert.Equal(t, want, ask(h, "GET", "https://a.test/n", "").Body.String())
		}
		assert.Equal(t, http.StatusNoContent, ask(h, "PUT", "https://a.test/n", "x").Code)
	}
}

func TestHARMatchesByBody(t *testing.T) {
	s := loadHAR(t,
		entry("POST", "https://a.test/q", `{"day":1,"to":"PEK"}`, 200, "text/plain", text("first")),
		entry("POST", "https://a.test/q", `{"day":2}`, 200, "text/plain", text("second")),
		entry("POST", "https://a.test/f", "a=1&b=2", 200, "text/plain", text("form")),
	)
	h := s.Handler()
	assert.Equal(t, "second", ask(h, "POST", "https://a.test/q", `{"day":2}`).Body.String())
	assert.Equal(t, "first", ask(h, "POST", "https://a.test/q", `{ "to":"PEK", "day":1 }`).Body.String())
	assert.Equal(t, "form", ask(h, "POST", "https://a.test/f", "b=2&a=1").Body.String())
	w := ask(h, "POST", "https://a.test/q", `{"day":3}`)
	assert.Contains(t, w.Header().Get(Refused), "another body")
}

func TestHARSaysWhatIsWeak(t *testing.T) {
	s := loadHAR(t,
		entry("GET", "https://a.test/", "", 200, "text/html", `"size":10`),
		entry("GET", "https://a.test/x.js", "", 200, "text/javascript", text("1")),
		entry("POST", "https://a.test/q", "", 200, "text/plain", text("weak")),
		entry("GET", "https://a.test/gone", "", 204, "text/plain", `"size":0`),
	)
	assert.Equal(t, []string{"1 of 4 entries without a body", "1 requests without a recorded body: matched by address alone (weak)"}, s.Notes)
	h := s.Handler()
	assert.Contains(t, ask(h, "GET", "https://a.test/", "").Header().Get(Refused), "recorded in site trip without its body")
	assert.Equal(t, "weak", ask(h, "POST", "https://a.test/q", "anything").Body.String())
}

func TestHARNamesTheNearestEntry(t *testing.T) {
	s := loadHAR(t,
		entry("GET", "https://a.test/api/flights?from=SHA&to=PEK", "", 200, "text/plain", text("")),
		entry("GET", "https://b.test/other", "", 200, "text/plain", text("")),
	)
	h := s.Handler()
	for url, want := range map[string]string{
		"https://a.test/api/flights?from=SHA&to=CAN":       "nearest is GET https://a.test/api/flights?from=SHA&to=PEK: to=PEK, not CAN",
		"https://a.test/api/flights?from=SHA&to=PEK&t=17":  "t=17 is not in the recording",
		"https://a.test/api/flights?from=SHA":              "to=PEK is missing",
		"https://a.test/api/flight?from=SHA&to=PEK":        "path /api/flights, not /api/flight",
		"https://unheard.test/something/else?entirely=yes": "site trip has no GET https://unheard.test/something/else?entirely=yes",
	} {
		assert.Contains(t, ask(h, "GET", url, "").Header().Get(Refused), want)
	}
	assert.Equal(t, 200, ask(h, "GET", "https://a.test/api/flights?to=PEK&from=SHA", "").Code, "the order of parameters says nothing")
}

func TestHARAnswersAreWhole(t *testing.T) {
	s := loadHAR(t,
		`{"request":{"method":"GET","url":"http://a.test/","headers":[]},"response":{"status":302,"redirectURL":"https://a.test/home","headers":[{"name":"set-cookie","value":"a=1\nb=2"}],"content":{"size":0}}}`,
		`{"request":{"method":"GET","url":"https://a.test/home","headers":[]},"response":{"status":200,"headers":[{"name":"Content-Encoding","value":"br"},{"name":"content-length","value":"3"},{"name":"x-y","value":"z"}],"content":{"size":8,"mimeType":"text/html; charset=gbk","encoding":"base64","text":"PGgxPmhp"}}}`,
		`{"request":{"method":"GET","url":"data:text/plain,x","headers":[]},"response":{"status":200,"headers":[],"content":{"size":1}}}`,
		`{"request":{"method":"GET","url":"https://a.test/aborted","headers":[]},"response":{"status":-1,"headers":[],"content":{"size":0}}}`,
	)
	assert.Equal(t, "http://a.test/", s.Start)
	assert.Equal(t, []string{"http://a.test", "https://a.test"}, s.Origins())
	assert.Equal(t, []string{"2 entries that cannot be served (no answer, data: or WebSocket)"}, s.Notes)
	h := s.Handler()
	w := ask(h, "GET", "http://a.test/", "")
	assert.Equal(t, 302, w.Code)
	assert.Equal(t, "https://a.test/home", w.Header().Get("Location"))
	assert.Equal(t, []string{"a=1", "b=2"}, w.Header().Values("Set-Cookie"))
	w = ask(h, "GET", "https://a.test/home", "")
	assert.Equal(t, "<h1>hi", w.Body.String())
	assert.Equal(t, http.Header{"Content-Type": {"text/html; charset=gbk"}, "X-Y": {"z"}}, w.Header())
	r := ask(h, "HEAD", "https://a.test/home", "")
	assert.Equal(t, 200, r.Code)
}

func TestHARZip(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, body := range map[string]string{
		"har.har":  `{"log":{"entries":[` + entry("GET", "https://a.test/", "", 200, "text/html", `"size":4,"_file":"abc.html"`) + `]}}`,
		"abc.html": "<h1>",
	} {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(body))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	file := filepath.Join(t.TempDir(), "trip.har.zip")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
	s, err := Load(file)
	require.NoError(t, err)
	assert.Equal(t, "trip", s.Name)
	assert.Equal(t, "<h1>", ask(s.Handler(), "GET", "https://a.test/", "").Body.String())
}

func TestBrokenHAR(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"{\n  \"log\": {\n    \"entries\": [,]", "x.har:3:17: not a HAR"},
		{`{"log":{"entries":[{"request":{"method":7}}]}}`, "x.har:1:"},
		{`{"logs":{}}`, "not a HAR: it has no log"},
		{`{"log":{"entries":[]}}`, "no entries"},
		{`{"log":{"entries":[{"request":{"method":"GET","url":"https://a.test/"},"response":{"status":200,"content":{"text":"%%","encoding":"base64"}}}]}}`, "entry 1 (GET https://a.test/): body"},
	} {
		file := filepath.Join(t.TempDir(), "x.har")
		require.NoError(t, os.WriteFile(file, []byte(tc.text), 0o644))
		_, err := Load(file)
		require.Error(t, err, tc.text)
		assert.Contains(t, err.Error(), tc.want)
	}
	file := filepath.Join(t.TempDir(), "x.har.zip")
	require.NoError(t, os.WriteFile(file, []byte("PK no"), 0o644))
	_, err := Load(file)
	require.ErrorContains(t, err, "not a zip file")
}
