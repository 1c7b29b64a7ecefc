package browser

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

const asking = `<button id=confirm onclick="out.textContent=confirm('Delete?')">c</button>
	<button id=prompt onclick="out.textContent=prompt('Name?','Bob')">p</button>
	<button id=later onclick="setTimeout(()=>out.textContent=confirm('Late?'),50)">l</button><p id=out>`

func TestDialogs(t *testing.T) {
	p := open(t, asking)
	ctx := t.Context()
	out := func() string { return eval(t, p, `out.textContent`) }
	click := func(id string) {
		began := time.Now()
		require.NoError(t, p.Click(ctx, refOf(t, p, id), locate.ClickOptions{}))
		assert.Less(t, time.Since(began), 3*time.Second, "an act waits for a dialog")
	}
	click("confirm")
	assert.Equal(t, `"false"`, out(), "dismissed where nothing answers")

	click("confirm")
	require.NoError(t, p.Dialog(ctx, true, ""))
	assert.Equal(t, `"true"`, out(), "answered afterwards")

	require.NoError(t, p.Dialog(ctx, true, "Eve"))
	click("prompt")
	assert.Equal(t, `"Eve"`, out(), "answered beforehand")

	click("prompt")
	assert.Equal(t, `""`, out(), "the answer was for one dialog")

	click("later")
	assert.Eventually(t, func() bool { return out() == `"false"` }, 3*time.Second, 20*time.Millisecond)

	var got []string
	for _, d := range p.Dialogs() {
		got = append(got, d.Type+" "+d.Message+" "+d.Default+": "+d.Answer)
	}
	assert.Equal(t, []string{"confirm Delete? : dismissed", "confirm Delete? : accepted", `prompt Name? Bob: accepted with "Eve"`,
		"prompt Name? Bob: dismissed", "confirm Late? : dismissed"}, got)
}

func TestDialogIsAnEffect(t *testing.T) {
	p := open(t, asking)
	ctx := t.Context()
	ref := refOf(t, p, "confirm")
	w, err := p.Watch(ctx, ref)
	require.NoError(t, err)
	require.NoError(t, p.Click(ctx, ref, locate.ClickOptions{}))
	effect, err := w.Effect(ctx, time.Second)
	require.NoError(t, err)
	assert.Equal(t, `a dialog opened: confirm "Delete?"`, effect)
	require.NoError(t, p.Dialog(ctx, true, ""), "still open")
	assert.Equal(t, `"true"`, eval(t, p, `out.textContent`))
}

func TestBeforeUnload(t *testing.T) {
	p := open(t, `<button id=b>b</button><script>onbeforeunload=e=>{e.preventDefault();return 'stay'}</script>`)
	ctx := t.Context()
	require.NoError(t, p.Click(ctx, refOf(t, p, "b"), locate.ClickOptions{}), "a page asks only after it was used")
	require.NoError(t, p.Goto(ctx, home+"?2"))
	require.Len(t, p.Dialogs(), 1)
	assert.Equal(t, "accepted", p.Dialogs()[0].Answer)
}

func TestPageThatClosesItself(t *testing.T) {
	c := testContext(t, ContextOptions{Handler: pages{home: `<button id=o onclick="window.open('/pop')">o</button>`, "https://a.test/pop": `<title>Pop</title><button id=x onclick="window.close()">x</button>`}})
	s, err := c.Session(t.Context())
	require.NoError(t, err)
	ctx := t.Context()
	require.NoError(t, s.Goto(ctx, home))
	o := refOf(t, s.Page(), "o")
	w, err := s.Watch(ctx, o)
	require.NoError(t, err)
	require.NoError(t, s.Click(ctx, o, locate.ClickOptions{}))
	effect, err := w.Effect(ctx, time.Second)
	require.NoError(t, err)
	assert.Contains(t, effect, "a new tab open")
	require.Eventually(t, func() bool { return len(c.Pages()) == 2 }, 10*time.Second, 10*time.Millisecond)

	require.ErrorIs(t, s.SwitchTab(ctx, "nothing like it"), locate.ErrNotFound)
	require.ErrorIs(t, s.SwitchTab(ctx, "a.test"), locate.ErrAmbiguous)
	require.Eventually(t, func() bool { return s.SwitchTab(ctx, "pop") == nil }, 3*time.Second, 20*time.Millisecond)
	info, err := s.Info(ctx)
	require.NoError(t, err)
	assert.Equal(t, "Pop", info.Title)
	x := refOf(t, s.Page(), "x")
	err = s.Click(ctx, x, locate.ClickOptions{})
	if err != nil {
		require.ErrorIs(t, err, locate.ErrPageClosed)
	}
	require.Eventually(t, func() bool { return len(c.Pages()) == 1 }, 3*time.Second, 10*time.Millisecond)
	for name, do := range map[string]func() error{
		"click":    func() error { return s.Click(ctx, x, locate.ClickOptions{}) },
		"snapshot": func() error { _, err := s.Snapshot(ctx, dom.Query{}); return err },
		"goto":     func() error { return s.Goto(ctx, home) },
		"watch":    func() error { _, err := s.Watch(ctx, x); return err },
		"shot":     func() error { _, err := s.Shot(ctx); return err },
	} {
		assert.ErrorIs(t, do(), locate.ErrPageClosed, name)
	}
	require.NoError(t, s.SwitchTab(ctx, "1"))
	_, err = s.Info(ctx)
	require.NoError(t, err)
}

func TestPageThatHangs(t *testing.T) {
	p := open(t, `<button id=b onclick="for(;;);">b</button>`)
	ref := refOf(t, p, "b")
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	began := time.Now()
	_ = p.Click(ctx, ref, locate.ClickOptions{})
	_, err := p.Snapshot(ctx, dom.Query{})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(began), 2*time.Second)
	// testContext closes the context, which must end the calls that hang.
}

func TestPageThatCrashes(t *testing.T) {
	p := open(t, `x`)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_ = p.Goto(ctx, "chrome://crash")
	select {
	case <-p.crashed:
	case <-time.After(5 * time.Second):
		t.Fatal("no crash was heard of")
	}
	_, err := p.Snapshot(ctx, dom.Query{})
	assert.ErrorIs(t, err, locate.ErrPageClosed)
	assert.ErrorContains(t, err, "crashed")
}

func TestBrowserThatCrashes(t *testing.T) {
	b, err := Launch(t.Context(), requireSetup(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.Close() })
	c, err := b.Context(t.Context(), ContextOptions{Handler: pages{home: "x"}})
	require.NoError(t, err)
	p, err := c.Page(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.Goto(t.Context(), home))
	failed := make(chan error, 1)
	go func() { _, err := p.Eval(context.Background(), `new Promise(()=>{})`); failed <- err }()
	time.Sleep(100 * time.Millisecond)
	kill(t, b)
	select {
	case <-b.Gone():
	case <-time.After(10 * time.Second):
		t.Fatal("the browser did not go")
	}
	assert.True(t, b.Crashed())
	assert.ErrorIs(t, <-failed, ErrCrashed)
	_, err = p.Snapshot(t.Context(), dom.Query{})
	assert.Error(t, err)
	_, err = b.Context(t.Context(), ContextOptions{})
	assert.ErrorIs(t, err, ErrCrashed)
	began := time.Now()
	assert.NoError(t, c.Close(t.Context()))
	assert.NoError(t, b.Close())
	assert.Less(t, time.Since(began), 5*time.Second)
}

func TestLaunchSaysWhatIsMissing(t *testing.T) {
	_, err := Launch(t.Context(), Options{Executable: "no-such-browser", Node: "no-such-node", DriverDir: t.TempDir()})
	require.Error(t, err)
	for _, want := range []string{"node: no-such-node is no executable (", "driver: Playwright ", "(harness install)", "browser: no-such-browser is no executable ("} {
		assert.ErrorContains(t, err, want)
	}
	var setup *SetupError
	require.ErrorAs(t, err, &setup)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(assert.AnError)
	_, err = Launch(ctx, requireSetup(t))
	assert.ErrorIs(t, err, assert.AnError)
	broken := filepath.Join(t.TempDir(), "chromium")
	require.NoError(t, os.WriteFile(broken, []byte("#!/bin/sh\necho no such library >&2\nexit 1\n"), 0o755))
	o := requireSetup(t)
	o.Executable = broken
	_, err = Launch(t.Context(), o)
	assert.ErrorContains(t, err, "launch "+broken)
}

func TestDownloads(t *testing.T) {
	dir := t.TempDir()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", `attachment; filename="../data.csv"`)
			_, _ = w.Write([]byte("a,b\n"))
			return
		}
		pages{home: `<a id=a href=/file>get</a>`}.ServeHTTP(w, r)
	})
	p := openIn(t, ContextOptions{Handler: handler, Downloads: dir})
	require.NoError(t, p.Click(t.Context(), refOf(t, p, "a"), locate.ClickOptions{}))
	require.Eventually(t, func() bool { return len(p.Downloads()) == 1 && p.Downloads()[0].Path != "" }, 5*time.Second, 20*time.Millisecond, "%v", p.Downloads())
	d := p.Downloads()[0]
	assert.Equal(t, "https://a.test/file", d.URL)
	assert.Equal(t, dir, filepath.Dir(d.Path))
	b, err := os.ReadFile(d.Path)
	require.NoError(t, err)
	assert.Equal(t, "a,b\n", string(b))
}

func TestConsoleAndErrorsAreKept(t *testing.T) {
	p := open(t, `<script>console.warn('careful', 7); setTimeout(()=>{throw new Error('oops')})</script>`)
	require.Eventually(t, func() bool { return len(p.Console()) >= 2 }, 3*time.Second, 10*time.Millisecond)
	var got []string
	for _, m := range p.Console() {
		got = append(got, m.Type+": "+m.Text)
	}
	assert.Contains(t, got, "warning: careful 7")
	assert.Contains(t, got, "uncaught: oops")
}

func TestTrace(t *testing.T) {
	p := open(t, `<button id=b>b</button>`)
	ctx := t.Context()
	require.NoError(t, p.StartTrace(ctx))
	require.NoError(t, p.Click(ctx, refOf(t, p, "b"), locate.ClickOptions{}))
	require.NoError(t, p.Close(ctx))
	file := filepath.Join(t.TempDir(), "trace.zip")
	require.NoError(t, p.StopTrace(ctx, file))
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Greater(t, info.Size(), int64(1000))
}

func TestUpload(t *testing.T) {
	p := open(t, `<input type=file id=f multiple><button id=b onclick="f.click()">choose</button><p id=none>x</p>`)
	ctx := t.Context()
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.txt"), filepath.Join(dir, "two.txt")
	require.NoError(t, os.WriteFile(one, []byte("1"), 0o600))
	require.NoError(t, os.WriteFile(two, []byte("2"), 0o600))
	require.NoError(t, p.Upload(ctx, refOf(t, p, "f"), []string{one, two}))
	assert.Equal(t, `["one.txt","two.txt"]`, eval(t, p, `[...f.files].map(x=>x.name)`))
	require.NoError(t, p.Upload(ctx, refOf(t, p, "b"), []string{two}))
	assert.Equal(t, `["two.txt"]`, eval(t, p, `[...f.files].map(x=>x.name)`))
	err := p.Upload(ctx, refOf(t, p, "f"), []string{filepath.Join(dir, "missing")})
	assert.ErrorIs(t, err, locate.ErrUsage)
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err = p.Upload(short, refOf(t, p, "none"), []string{one})
	assert.ErrorIs(t, err, locate.ErrTimeout)
}
