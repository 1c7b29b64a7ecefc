package report

import (
	"bytes"
	"encoding/xml"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/locate"
	"harness/scenarios"
)

var update = flag.Bool("update", false, "write golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "%s; -update where the change is meant", file)
}

// sample has one of each: passed, failed, error, skipped, drifted, flaky.
func sample() *scenarios.Results {
	step := func(verb, words string, l locate.LayerName, c int, ms int64) scenarios.StepResult {
		return scenarios.StepResult{Verb: verb, Words: words, Layer: l, Confidence: c, Status: scenarios.Passed, MS: ms}
	}
	ambiguous := step("click", "Save", locate.Locators, 41, 33)
	ambiguous.Error = &scenarios.StepError{Kind: "ambiguous", Message: `locate "Save": 2 elements match`}
	covered := step("click", "搜索按钮", locate.JS, 88, 2010)
	covered.Status = scenarios.Failed
	covered.Error = &scenarios.StepError{Kind: "covered", Message: "locate \"搜索按钮\": covered by div \"We use <cookies>\"\n  dismiss it first"}
	painted := step("vision_click", "the 30th", locate.Vision, 71, 420)
	painted.Warning = "no visible effect"
	return &scenarios.Results{
		Scenarios: []*scenarios.Result{
			{Suite: "flights", Name: "one way on 30 January", Status: scenarios.Passed, Seconds: 3.21, Answer: "3U5163", Notes: []string{"request drift: one.jsonl:2: …", "request drift: one.jsonl:3: …"},
				Steps: []scenarios.StepResult{step("click", "单程", locate.Locators, 99, 61), step("pick", "2026-01-30 in 出发日期", locate.JS, 93, 812), ambiguous}},
			{Suite: "flights", Name: "covered <button>", Status: scenarios.Failed, Seconds: 2.4, Steps: []scenarios.StepResult{covered},
				Failure: "step 1, click 搜索按钮: covered by div \"We use <cookies>\"\n  dismiss it first", Refused: []string{"https://cdn.test/x.js"}, Evidence: "debug_html/r/flights-covered"},
			{Suite: "canvas", Name: "painted", Try: 1, Status: scenarios.Passed, Seconds: 0.9, Steps: []scenarios.StepResult{painted},
				Drifts: []scenarios.Drift{{Step: 1, What: "vision_click the 30th", Was: locate.JS, Now: locate.Vision}}},
			{Suite: "canvas", Name: "painted", Try: 2, Status: scenarios.Errored, Seconds: 0.4, Steps: []scenarios.StepResult{}, Failure: "browser crashed"},
			{Suite: "canvas", Name: "later", Status: scenarios.Skipped, Steps: []scenarios.StepResult{}, Failure: "not yet"},
		},
		Totals: scenarios.Totals{Scenarios: 5, Passed: 2, Failed: 1, Error: 1, Skipped: 1, Drifts: 1, Seconds: 4.25,
			Layers: map[locate.LayerName]int{locate.Locators: 2, locate.JS: 2, locate.Vision: 1}},
	}
}

func TestGolden(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Summary(&b, sample()))
	golden(t, "summary.txt", b.Bytes())

	b.Reset()
	require.NoError(t, JUnit(&b, sample()))
	golden(t, "junit.xml", b.Bytes())
	var back junitSuites
	require.NoError(t, xml.Unmarshal(b.Bytes(), &back))
	assert.Equal(t, 5, back.Tests)
	assert.Len(t, back.Suites, 2)

	b.Reset()
	require.NoError(t, HTML(&b, sample(), HTMLOptions{At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}))
	golden(t, "report.html", b.Bytes())
	assert.NotContains(t, b.String(), "<cookies>", "what pages say is escaped")
	for _, far := range []string{"http://", "https://fonts", "src=\"http", "<script"} {
		assert.NotContains(t, b.String(), far, "works offline")
	}
}

// events are those of a run of two scenarios, one of them failing.
func events() []scenarios.Event {
	at := func(s int) time.Time { return time.Date(2026, 1, 2, 3, 4, s, 0, time.UTC) }
	r := sample()
	step := &scenarios.StepResult{Verb: "click", Words: "单程"}
	return []scenarios.Event{
		{Kind: scenarios.RunBegan, At: at(0), Total: 3},
		{Kind: scenarios.ScenarioBegan, At: at(0), ID: 0, Suite: "flights", Name: "one way on 30 January"},
		{Kind: scenarios.ScenarioBegan, At: at(1), ID: 1, Suite: "flights", Name: "covered <button>"},
		{Kind: scenarios.StepBegan, At: at(1), ID: 0, Step: step},
		{Kind: scenarios.StepEnded, At: at(2), ID: 0, Step: step},
		{Kind: scenarios.StepBegan, At: at(2), ID: 0, Step: &scenarios.StepResult{Verb: "pick", Words: "2026-01-30 in 出发日期"}},
		{Kind: scenarios.ScenarioEnded, At: at(3), ID: 1, Suite: "flights", Name: "covered <button>", Result: r.Scenarios[1]},
		{Kind: scenarios.ScenarioEnded, At: at(4), ID: 0, Suite: "flights", Name: "one way on 30 January", Result: r.Scenarios[0]},
		{Kind: scenarios.ScenarioEnded, At: at(4), ID: 2, Suite: "canvas", Name: "later", Result: r.Scenarios[4]},
		{Kind: scenarios.RunEnded, At: at(4), Results: r},
	}
}

func TestPlainProgress(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, false)
	list := events()
	list[0].Notes = []string{"site shop: 3 entries without a body"}
	for _, e := range list {
		p.Event(e)
	}
	assert.Equal(t, `note: site shop: 3 entries without a body
FAIL 1/3 flights/covered <button> (2.4 s): step 1, click 搜索按钮: covered by div "We use <cookies>"
ok   2/3 flights/one way on 30 January (3.2 s)
skip 3/3 canvas/later: not yet
`, b.String())
}

func TestLiveProgress(t *testing.T) {
	var b bytes.Buffer
	p := &Progress{w: &b, width: func() int { return 60 }}
	list := events()
	for _, e := range list[:6] {
		p.Event(e)
	}
	assert.Equal(t, []string{
		"░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0/3  0 passed  2s",
		"  flights/one way on 30 January · 2 pick 2026-01-30 in 出发…",
		"  flights/covered <button>",
	}, Live(&p.state, 60, list[5].At))
	b.Reset()
	p.Event(list[6])
	assert.True(t, strings.HasPrefix(b.String(), "\x1b[3A\x1b[JFAIL 1/3 flights/covered"), "the live part is wiped, the line stays: %q", b.String())
	for _, e := range list[7:] {
		p.Event(e)
	}
	assert.True(t, strings.HasSuffix(b.String(), "\x1b[1A\x1b[J"), "nothing live is left: %q", b.String())
}

func TestWriteFolder(t *testing.T) {
	dir := t.TempDir()
	shot := image.NewRGBA(image.Rect(0, 0, 1280, 800))
	for i := range shot.Pix {
		shot.Pix[i] = 200
	}
	shot.SetRGBA(0, 0, color.RGBA{255, 0, 0, 255})
	var raw bytes.Buffer
	require.NoError(t, png.Encode(&raw, shot))
	evidence := filepath.Join(dir, "evidence", "a")
	require.NoError(t, os.MkdirAll(evidence, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(evidence, "01-click.png"), raw.Bytes(), 0o644))
	r := sample()
	r.Scenarios[1].Evidence, r.Scenarios[1].Steps[0].Shot = evidence, "01-click.png"

	file, err := WriteFolder(filepath.Join(dir, "report"), r, time.Time{})
	require.NoError(t, err)
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(page), `src="data:image/jpeg;base64,`)
	assert.Contains(t, string(page), `href="../evidence/a/01-click.png"`)
	assert.NotContains(t, string(page), `01-click.html"`, "what is not there is not linked")

	_, err = WriteFolder(file, r, time.Time{})
	assert.ErrorContains(t, err, "not a directory")
}

func TestShrinkAverages(t *testing.T) {
	in := image.NewRGBA(image.Rect(0, 0, 4, 2))
	for x := range 4 {
		for y := range 2 {
			in.SetRGBA(x, y, color.RGBA{uint8(40 * x), 100, 0, 255})
		}
	}
	out := shrink(in, 2)
	assert.Equal(t, image.Rect(0, 0, 2, 1), out.Bounds())
	assert.Equal(t, color.RGBA{20, 100, 0, 255}, out.At(0, 0))
	assert.Equal(t, in, shrink(in, 4))
}
