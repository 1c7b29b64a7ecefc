package browser

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harness/dom"
)

// shared is the one browser of all tests that do not break theirs.
var shared struct {
	once sync.Once
	b    *Browser
	err  error
}

func TestMain(m *testing.M) {
	// A place of our own tells what is left behind, whatever else runs on the machine.
	temp, err := os.MkdirTemp("", "browser-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = os.Setenv("TMPDIR", temp)
	code := m.Run()
	if shared.b != nil {
		if err := shared.b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if left := descendants(); len(left) > 0 {
		fmt.Fprintf(os.Stderr, "processes left behind:\n%s\n", strings.Join(left, "\n"))
		code = 1
	}
	for end := time.Now().Add(3 * time.Second); len(left(temp)) > 0 && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	if names := left(temp); len(names) > 0 {
		fmt.Fprintf(os.Stderr, "left behind in the temporary folder: %s\n", strings.Join(names, ", "))
		code = 1
	}
	_ = os.RemoveAll(temp)
	os.Exit(code)
}

// testOptions finds the browser as a user's machine would; HARNESS_* names are
// for tests on machines where things stand elsewhere.
func testOptions() Options {
	return Options{Executable: os.Getenv("HARNESS_BROWSER"), DriverDir: os.Getenv("HARNESS_DRIVER_DIR")}
}

func requireSetup(t testing.TB) Options {
	t.Helper()
	o := testOptions()
	err := find(o).Err()
	if err == nil {
		return o
	}
	if os.Getenv("HARNESS_REQUIRE_BROWSER") == "1" {
		t.Fatalf("a browser is required: %v", err)
	}
	t.Skipf("no browser: %v", err)
	return o
}

func testBrowser(t testing.TB) *Browser {
	t.Helper()
	o := requireSetup(t)
	shared.once.Do(func() { shared.b, shared.err = Launch(context.Background(), o) })
	require.NoError(t, shared.err)
	return shared.b
}

func testContext(t testing.TB, o ContextOptions) *Context {
	t.Helper()
	c, err := testBrowser(t).Context(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		require.NoError(t, c.Close(ctx))
	})
	return c
}

// pages is a world of texts by URL without query; names ending in .js are scripts.
type pages map[string]string

func (m pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := m[r.URL.Scheme+"://"+r.URL.Host+r.URL.Path]
	if !ok {
		w.Header().Set(RefusedHeader, "not in the site")
		http.Error(w, "not in the site", http.StatusNotFound)
		return
	}
	types := map[string]string{".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
	kind := types[filepath.Ext(r.URL.Path)]
	if kind == "" {
		kind = "text/html"
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = w.Write([]byte(body))
}

const home = "https://a.test/"

// open shows HTML under https://a.test/.
func open(t testing.TB, html string) *Page {
	return openIn(t, ContextOptions{Handler: pages{home: html}})
}

func openIn(t testing.TB, o ContextOptions) *Page {
	t.Helper()
	p, err := testContext(t, o).Page(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.Goto(t.Context(), home))
	return p
}

// refOf is the ref of the element with that id attribute, in any frame.
func refOf(t testing.TB, p *Page, id string) dom.Ref {
	t.Helper()
	s, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	for _, n := range s.Nodes {
		if n.Attr("id") == id {
			return n.Ref
		}
	}
	require.Failf(t, "no such element", "%s", id)
	return dom.Ref{}
}

func eval(t testing.TB, p *Page, script string) string {
	t.Helper()
	v, err := p.Eval(t.Context(), script)
	require.NoError(t, err)
	return string(v)
}

// left lists what stands in the folder; go test's own folders are gone by then.
func left(folder string) []string {
	var names []string
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
