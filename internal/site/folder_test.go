package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

func ask(h http.Handler, method, url, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, url, strings.NewReader(body)))
	return w
}

func TestFolderServesFilesByPath(t *testing.T) {
	dir := write(t, map[string]string{
		"index.html": "home", "a b.txt": "größe", "app/index.html": "app", "js/x.js": "1", "x.css": "", "p.svg": "<svg/>", "d.json": "{}", "raw": "\x00\x01",
	})
	s, err := Load(dir)
	require.NoError(t, err)
	assert.Equal(t, "https://shop.test/", s.Start)
	assert.Equal(t, []string{"https://shop.test"}, s.Origins())
	h := s.Handler()
	for _, tc := range []struct{ url, body, kind string }{
		{"https://shop.test/", "home", "text/html; charset=utf-8"},
		{"https://shop.test", "home", "text/html; charset=utf-8"},
		{"https://shop.test/?q=1&t=2", "home", "text/html; charset=utf-8"},
		{"https://SHOP.test:443/index.html", "home", "text/html; charset=utf-8"},
		{"https://shop.test/a%20b.txt", "größe", "text/plain; charset=utf-8"},
		{"https://shop.test/app/", "app", "text/html; charset=utf-8"},
		{"https://shop.test/js/x.js?v=3", "1", "text/javascript; charset=utf-8"},
		{"https://shop.test/x.css", "", "text/css; charset=utf-8"},
		{"https://shop.test/p.svg", "<svg/>", "image/svg+xml; charset=utf-8"},
		{"https://shop.test/d.json", "{}", "application/json; charset=utf-8"},
		{"https://shop.test/raw", "\x00\x01", "application/octet-stream"},
	} {
		w := ask(h, "GET", tc.url, "")
		assert.Equal(t, http.StatusOK, w.Code, tc.url)
		assert.Equal(t, tc.body, w.Body.String(), tc.url)
		assert.Equal(t, tc.kind, w.Header().Get("Content-Type"), tc.url)
		assert.Empty(t, w.Header().Get(Refused), tc.url)
	}
	w := ask(h, "GET", "https://shop.test/app?x=1", "")
	assert.Equal(t, http.StatusMovedPermanently, w.Code)
	assert.Equal(t, "/app/?x=1", w.Header().Get("Location"))
}

func TestFolderRefusesAndNames(t *testing.T) {
	dir := write(t, map[string]string{"index.html": "home", "site.yaml": "locale: de", "sub/page.html": ""})
	outside := filepath.Join(filepath.Dir(dir), "secret.txt")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link.txt")))
	require.NoError(t, os.Symlink(filepath.Dir(dir), filepath.Join(dir, "up")))
	s, err := Load(dir)
	require.NoError(t, err)
	h := s.Handler()
	for _, tc := range []struct{ method, url, reason string }{
		{"GET", "https://shop.test/nothing.html", "/nothing.html in site shop: no such file"},
		{"GET", "https://shop.test/indx.html", `did you mean "index.html"?`},
		{"GET", "https://shop.test/sub/", "no such file"},
		{"GET", "https://other.test/", "site shop has no origin https://other.test"},
		{"GET", "http://shop.test/", "site shop has no origin http://shop.test"},
		{"GET", "https://shop.test/site.yaml", "no such file"},
		{"GET", "https://shop.test/link.txt", "leads out of the site"},
		{"GET", "https://shop.test/up/secret.txt", "leads out of the site"},
		{"GET", "https://shop.test/..%2fsecret.txt", "leads out of the site"},
		{"GET", "https://shop.test/sub/%2e%2e/%2e%2e/secret.txt", "leads out of the site"},
		{"GET", `https://shop.test/..%5csecret.txt`, "not a path of a file"},
		{"DELETE", "https://shop.test/", "does not answer DELETE"},
	} {
		w := ask(h, tc.method, tc.url, "")
		assert.Equal(t, http.StatusNotFound, w.Code, tc.url)
		assert.Contains(t, w.Header().Get(Refused), tc.reason, tc.url)
		assert.NotContains(t, w.Body.String(), "secret\n", tc.url)
	}
}

func TestManifest(t *testing.T) {
	dir := write(t, map[string]string{"one/index.html": "one", "two/x.html": "two", "site.yaml": `
start: https://a.test/index.html?x=1
origins: {https://a.test: one, "https://b.test/": two}
viewport: 800x600
dpr: 1.5
locale: zh-CN
timezone: Asia/Shanghai
clock: "2026-01-21T22:20:25+08:00"
clock_frozen: true
user_agent: tester
`})
	s, err := Load(dir)
	require.NoError(t, err)
	assert.Equal(t, "https://a.test/index.html?x=1", s.Start)
	assert.Equal(t, []string{"https://a.test", "https://b.test"}, s.Origins())
	assert.Equal(t, "two", ask(s.Handler(), "GET", "https://b.test/x.html", "").Body.String())
	d := s.Defaults
	assert.Equal(t, Size{800, 600}, d.Viewport)
	assert.True(t, d.Clock.Equal(time.Date(2026, 1, 21, 14, 20, 25, 0, time.UTC)))
	assert.Equal(t, []any{1.5, "zh-CN", "Asia/Shanghai", true, "tester"}, []any{d.DPR, d.Locale, d.Timezone, d.ClockFrozen, d.UserAgent})
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	for _, tc := range []struct{ name, yaml, want string }{
		{"unknown field", "start: https://shop.test/\nlocal: de", `site.yaml:2:1: unknown field "local" (did you mean "locale"?)`},
		{"not a size", "viewport: 12", `site.yaml:1:11: not a size: "12" (write 1280x800)`},
		{"not a time", "clock: tomorrow", "site.yaml:1:8: not an RFC 3339 time"},
		{"no such folder", "origins:\n  https://a.test: nowhere", `site.yaml:2:19: no such folder: "nowhere"`},
		{"folder outside", "origins:\n  https://a.test: ../", `site.yaml:2:19: not a folder of the site: "../"`},
		{"not an origin", "origins:\n  a.test: .", `site.yaml:2:3: not an origin: "a.test"`},
		{"origin twice", "origins:\n  https://a.test: .\n  https://A.test: .", "https://a.test stands here twice"},
		{"start elsewhere", "start: https://b.test/", "start https://b.test/ is not an address of the site (https://shop.test)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(write(t, map[string]string{"site.yaml": tc.yaml}))
			require.Error(t, err)
			assert.Contains(t, err.Error(), tc.want)
		})
	}
	dir := write(t, nil)
	_, err := Load(filepath.Join(filepath.Dir(dir), "shup"))
	require.ErrorIs(t, err, ErrNoSite)
	assert.Contains(t, err.Error(), "holds shop")
}
