package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/classify"
	"harness/dom"
	"harness/internal/trace"
	"harness/locate"
)

// page is a Source with a page of its own.
type page struct {
	html    string
	htmlErr error
	shotErr error
}

func (p page) HTML(context.Context) (string, error) { return p.html, p.htmlErr }

func (p page) Shot(context.Context) (*dom.Shot, error) {
	if p.shotErr != nil {
		return nil, p.shotErr
	}
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return &dom.Shot{PNG: b.Bytes(), Width: 200, Height: 100, View: dom.Rect{W: 100, H: 50}, Scale: 2}, nil
}

func resolution() *locate.Resolution {
	c := locate.Candidate{Ref: dom.Ref{ID: 3}, Kind: classify.Button, Name: "Search", Box: dom.Rect{X: 10, Y: 10, W: 30, H: 10}, Score: 97}
	rival := locate.Candidate{Ref: dom.Ref{ID: 4}, Kind: classify.Link, Name: "Search help", Box: dom.Rect{X: 60, Y: 10, W: 30, H: 10}, Score: 40, Refused: "another name"}
	return &locate.Resolution{Verb: "click", Words: "Search button", Layer: locate.Locators, Chosen: &c, Point: &dom.Point{X: 25, Y: 15},
		Confidence: 97, Attempts: []locate.Attempt{{Layer: locate.Locators, Candidates: []locate.Candidate{c, rival}, Outcome: "found"}}}
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(data)
}

func step(sc *trace.Scenario, verb string, src trace.Source, o trace.Outcome) {
	s := sc.Begin(verb)
	if src != nil {
		s.Capture(context.Background(), src)
	}
	s.End(o)
}

func TestRunLeavesItsEvidence(t *testing.T) {
	dir := t.TempDir()
	run, err := trace.New(dir, trace.Options{Versions: map[string]string{"browser": "156"}})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{Suite: "flights", Name: "one way / 1月30日", Clock: "2026-01-21T22:20:25+08:00"})
	step(sc, "click", page{html: "<html><p>hello</p></html>"}, trace.Outcome{
		Resolution: resolution(), URL: "https://flights.test/", Timings: map[string]time.Duration{"locate": 12 * time.Millisecond}})
	step(sc, "pick", page{html: "<html>two</html>"}, trace.Outcome{Resolution: resolution(), Err: fmt.Errorf("pick: %w", locate.ErrDateUnavailable)})
	sc.End(trace.Failed, "date cannot be picked")
	require.NoError(t, run.Close(trace.Failed))

	folder := filepath.Join(run.Dir(), "flights-one-way-1月30日")
	assert.Equal(t, "<html><p>hello</p></html>", read(t, folder, "01-click.html"))
	cfg, err := png.DecodeConfig(strings.NewReader(read(t, folder, "01-click.png")))
	require.NoError(t, err)
	assert.Equal(t, 200, cfg.Width)
	var one struct {
		URL        string
		Timings    map[string]float64 `json:"timings_ms"`
		Resolution locate.Resolution
		Error      *trace.ErrorFile
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, folder, "01-click.json")), &one))
	assert.Equal(t, "https://flights.test/", one.URL)
	assert.Equal(t, 12.0, one.Timings["locate"])
	assert.Contains(t, one.Timings, "capture")
	assert.Equal(t, "Search", one.Resolution.Chosen.Name)
	assert.Nil(t, one.Error)

	f, err := trace.ReadRun(run.Dir())
	require.NoError(t, err)
	assert.Equal(t, trace.Failed, f.Status)
	assert.Equal(t, "156", f.Versions["browser"])
	require.Len(t, f.Scenarios, 1)
	assert.Equal(t, "2026-01-21T22:20:25+08:00", f.Scenarios[0].Clock)
	require.Len(t, f.Scenarios[0].Steps, 2)
	assert.Equal(t, []string{"01-click.html", "01-click.png", "01-click.json"}, f.Scenarios[0].Steps[0].Files)
	assert.Equal(t, "date_unavailable", f.Scenarios[0].Steps[1].Error.Kind)
	assert.Equal(t, trace.Failed, f.Scenarios[0].Steps[1].Status)
}

func TestAnnotationShowsTheCandidates(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{})
	step(sc, "click", page{html: "<p>"}, trace.Outcome{Resolution: resolution()})
	require.NoError(t, run.Close(trace.Passed))
	img, err := png.Decode(strings.NewReader(read(t, run.Dir(), "01-click.png")))
	require.NoError(t, err)
	// The page is white: whatever is coloured was drawn, near the two boxes (image px are twice CSS px).
	assert.True(t, coloured(img, image.Rect(14, 14, 86, 46)), "the chosen box")
	assert.True(t, coloured(img, image.Rect(114, 14, 186, 46)), "the rival's box")
	assert.False(t, coloured(img, image.Rect(0, 80, 200, 100)), "the rest of the page")
}

func coloured(img image.Image, r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if color.RGBAModel.Convert(img.At(x, y)) != (color.RGBA{255, 255, 255, 255}) {
				return true
			}
		}
	}
	return false
}

func TestTaskStandsInTheRunsFolder(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{Name: "my run"})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{Task: "search"})
	step(sc, "click", page{html: "<p>"}, trace.Outcome{})
	sc.End(trace.Passed, "")
	require.NoError(t, run.Close(trace.Passed))
	assert.Equal(t, "my-run", filepath.Base(run.Dir()))
	assert.FileExists(t, filepath.Join(run.Dir(), "01-click.html"))
	f, err := trace.ReadRun(run.Dir())
	require.NoError(t, err)
	require.Len(t, f.Scenarios, 1)
	assert.Equal(t, "search", f.Scenarios[0].Task)
	assert.Len(t, f.Scenarios[0].Steps, 1)
}

func TestFoldersAreSafeAndUnique(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{})
	require.NoError(t, err)
	defer run.Close(trace.Passed)
	seen := map[string]bool{}
	for _, name := range []string{"../../etc", "a/b", "a b", "a-b", "A:B", "", "a-b-2", strings.Repeat("长", 300), "con\x00", "查 询"} {
		sc := run.Scenario(trace.About{Suite: "s", Name: name})
		base := filepath.Base(sc.Dir())
		assert.Equal(t, run.Dir(), filepath.Dir(sc.Dir()), "%q", name)
		assert.False(t, seen[base], "%q comes twice", base)
		assert.Less(t, len(base), 250)
		assert.NotContains(t, base, "..")
		assert.DirExists(t, sc.Dir())
		seen[base] = true
	}
}

func TestKilledRunIsReadable(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{Queue: 1})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{Suite: "a", Name: "b"})
	for range 3 { // the queue holds one: the others are written by End
		step(sc, "click", page{html: "<p>"}, trace.Outcome{})
	}
	// No Close: the process is gone here.
	f, err := trace.ReadRun(run.Dir())
	require.NoError(t, err)
	assert.Equal(t, trace.Running, f.Status)
	require.Len(t, f.Scenarios, 1)
	assert.Equal(t, "b", f.Scenarios[0].Name)
	assert.Len(t, f.Scenarios[0].Steps, 3)
}

func TestEncodersWriteWhileTheRunGoesOn(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{Queue: 4})
	require.NoError(t, err)
	var encoders, scenarios sync.WaitGroup
	for range 2 {
		encoders.Go(func() { run.Encode(context.Background()) })
	}
	for i := range 4 {
		scenarios.Go(func() {
			sc := run.Scenario(trace.About{Suite: "s", Name: fmt.Sprint(i)})
			for range 6 {
				step(sc, "type", page{html: "<p>"}, trace.Outcome{Resolution: resolution()})
			}
			sc.End(trace.Passed, "")
		})
	}
	scenarios.Wait()
	require.NoError(t, run.Close(trace.Passed))
	encoders.Wait()
	f, err := trace.ReadRun(run.Dir())
	require.NoError(t, err)
	require.Len(t, f.Scenarios, 4)
	for _, sc := range f.Scenarios {
		assert.Len(t, sc.Steps, 6)
		for _, st := range sc.Steps {
			assert.Len(t, st.Files, 3, "%s %d", sc.Name, st.N)
			for _, name := range st.Files {
				assert.FileExists(t, filepath.Join(run.Dir(), sc.Dir, name))
			}
		}
	}
	parts, err := filepath.Glob(filepath.Join(run.Dir(), "*", "*.part"))
	require.NoError(t, err)
	assert.Empty(t, parts)
	assert.NoError(t, run.Close(trace.Passed), "a second Close does nothing")
}

func TestEncodeEndsWithItsContext(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	run.Encode(ctx) // returns
	sc := run.Scenario(trace.About{})
	step(sc, "go", page{html: "<p>"}, trace.Outcome{})
	require.NoError(t, run.Close(trace.Passed))
	assert.FileExists(t, filepath.Join(run.Dir(), "01-go.html"))
}

func TestMissingCaptureIsNoted(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{})
	step(sc, "click", page{htmlErr: locate.ErrPageClosed, shotErr: locate.ErrPageClosed}, trace.Outcome{Err: locate.ErrPageClosed})
	require.NoError(t, run.Close(trace.Error))
	got := read(t, run.Dir(), "01-click.json")
	assert.Contains(t, got, "no html: page is closed")
	assert.Contains(t, got, "no screenshot: page is closed")
	assert.NoFileExists(t, filepath.Join(run.Dir(), "01-click.png"))
}

func TestOldRunsArePruned(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC)
	open := func(keep int) *trace.Run {
		now = now.Add(time.Minute)
		run, err := trace.New(dir, trace.Options{Keep: keep, Now: func() time.Time { return now }})
		require.NoError(t, err)
		return run
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "mine"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine", "run.json"), []byte(`{"other":true}`), 0o644))
	var runs []string
	for range 4 {
		r := open(-1)
		runs = append(runs, filepath.Base(r.Dir()))
		require.NoError(t, r.Close(trace.Passed))
	}
	going := open(-1) // never closed
	last := open(2)
	require.NoError(t, last.Close(trace.Passed))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.ElementsMatch(t, []string{"mine", runs[3], filepath.Base(going.Dir()), filepath.Base(last.Dir())}, names)
}

func TestTwoRunsOfOneSecondHaveTwoFolders(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	o := trace.Options{Now: func() time.Time { return now }}
	a, err := trace.New(dir, o)
	require.NoError(t, err)
	b, err := trace.New(dir, o)
	require.NoError(t, err)
	assert.NotEqual(t, a.Dir(), b.Dir())
}
