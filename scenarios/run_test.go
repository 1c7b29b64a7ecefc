package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/locate"
)

// suite reads a suite whose scenarios stand in the text.
func suite(t *testing.T, scenarios string) *Suite {
	t.Helper()
	s, err := Parse(folder(t), []byte("suite: s\nsite: site\ndefaults: {start: https://s.test/, viewport: 800x600}\nscenarios:\n"+scenarios))
	require.NoError(t, err)
	return s
}

// options are those of a run on fake pages.
func options(log *fakeLog, suites ...*Suite) Options {
	return Options{
		Suites: suites, Workers: 1,
		Open: func(_ context.Context, o PageOptions) (Page, error) {
			log.add("open %s worker %d", o.Viewport, o.Worker)
			return &fakePage{seen: map[string]bool{"Home": true, "on": true}, script: map[string]string{"1": "1", "0": "0"}, log: log}, nil
		},
		NewActor: func(p Page, _ locate.Options) Actor { return fakeActor{page: p.(*fakePage)} },
	}
}

func play1(t *testing.T, scenario string) *Result {
	t.Helper()
	res, err := Run(t.Context(), options(&fakeLog{}, suite(t, scenario)))
	require.NoError(t, err)
	require.Len(t, res.Scenarios, 1)
	return res.Scenarios[0]
}

func TestRunPasses(t *testing.T) {
	log := &fakeLog{}
	res, err := Run(t.Context(), options(log, suite(t, `
  - name: one
    before: prepare()
    steps:
      - click: open Results
      - type: {into: code, text: 007}
      - {click: twins, error: ambiguous}
      - expect: [visible: Results]
    expect:
      - url: {is: https://s.test/, contains: s.test, matches: "^https"}
      - visible: Results
      - absent: Error
      - text: {of: Home, is: text of Home}
      - value: {of: Home, contains: value}
      - checked: "on"
      - checked: {of: Home, is: false}
      - script: "1"
`)))
	require.NoError(t, err)
	r := res.Scenarios[0]
	require.Equal(t, Passed, r.Status, r.Failure)
	require.Len(t, r.Steps, 4)
	assert.Equal(t, StepResult{Verb: "click", Words: "open Results", Layer: locate.Locators, Confidence: 97, Status: Passed, MS: r.Steps[0].MS}, r.Steps[0])
	assert.Equal(t, "ambiguous", r.Steps[2].Error.Kind, "a refusal that was asked for is shown")
	assert.Equal(t, Passed, r.Steps[2].Status)
	assert.Equal(t, "open 800x600 worker 0\ngoto https://s.test/\neval prepare()\nclick open Results\ntype code\nclick twins\neval 1\nclose", log.String())
	assert.True(t, res.OK())
	assert.Equal(t, 1, res.Totals.Passed)
	assert.Equal(t, map[locate.LayerName]int{locate.Locators: 3}, res.Totals.Layers)
}

func TestRunFails(t *testing.T) {
	for _, tt := range []struct {
		name, scenario string
		status         Status
		kind           string // of the last step's error, "" if none failed
		failure        string
	}{
		{"step", "  - {name: a, steps: [click: nothing]}", Failed, "not_found", `step 1, click nothing: locate "nothing": no matching element`},
		{"acted where it had to be refused", "  - {name: a, steps: [{click: x, error: ambiguous}]}", Failed, "not_refused", `step 1, click x: .*had to be refused with ambiguous`},
		{"refused otherwise", "  - {name: a, steps: [{click: nothing, error: ambiguous}]}", Failed, "not_found", `step 1, click nothing: refused with not_found in place of ambiguous.*`},
		{"no step after a failed one", "  - {name: a, steps: [{click: nothing}, {click: x}]}", Failed, "not_found", `step 1, .*`},
		{"final expectation", "  - {name: a, steps: [click: x], expect: [{visible: Gone, timeout: 1ms}]}", Failed, "", `expect visible "Gone": .*`},
		{"expectation in a step", "  - {name: a, steps: [{expect: [{script: '0', timeout: 1ms}]}]}", Failed, "expectation", `step 1: expect script 0: is 0 .*`},
		{"start", "  - {name: a, start: https://missing.test/, steps: [click: x]}", Errored, "", `start https://missing.test/: .*not in the site`},
		{"before", "  - {name: a, before: throw, steps: [click: x]}", Errored, "", `before: script: Error: thrown`},
		{"limit of steps", "  - {name: a, limits: {steps: 1}, steps: [{click: x}, {click: y}]}", Failed, "", `stopped: limit reached: steps \(1\)`},
		{"limit of time in a step", "  - {name: a, limits: {time: 50ms}, steps: [{click: hang}]}", Failed, "limit", `step 1, click hang: limit reached: time \(50ms\)`},
		{"limit of time in an expectation", "  - {name: a, limits: {time: 50ms}, steps: [{click: x}], expect: [visible: Gone]}", Failed, "", `limit reached: time \(50ms\)`},
		{"crash in a step", "  - {name: a, steps: [{click: crash}, {click: x}]}", Errored, "page_closed", `step 1, click crash: .*browser crashed`},
		{"no model", "  - {name: a, task: do it}", Errored, "", `policy model: no model is configured .*`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := play1(t, tt.scenario)
			assert.Equal(t, tt.status, r.Status)
			assert.Regexp(t, "^"+tt.failure+"$", r.Failure)
			if tt.kind == "" {
				for _, s := range r.Steps {
					assert.Equal(t, Passed, s.Status)
				}
				return
			}
			last := r.Steps[len(r.Steps)-1]
			require.NotNil(t, last.Error)
			assert.Equal(t, tt.kind, last.Error.Kind)
			assert.Equal(t, Failed, last.Status)
		})
	}
}

func TestRunWaitsForExpectations(t *testing.T) {
	o := options(&fakeLog{}, suite(t, "  - {name: a, steps: [{click: x}], expect: [{script: late}]}"))
	looks := atomic.Int64{}
	o.Open = func(context.Context, PageOptions) (Page, error) {
		return &countingPage{fakePage{log: &fakeLog{}}, &looks}, nil
	}
	o.NewActor = func(p Page, _ locate.Options) Actor { return fakeActor{page: &p.(*countingPage).fakePage} }
	res, err := Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, Passed, res.Scenarios[0].Status, res.Scenarios[0].Failure)
	assert.EqualValues(t, 3, looks.Load())
}

// countingPage is truthy at the third look.
type countingPage struct {
	fakePage
	looks *atomic.Int64
}

func (p *countingPage) Eval(context.Context, string) (json.RawMessage, error) {
	return fmt.Append(nil, p.looks.Add(1) >= 3), nil
}

func TestOthersGoOnAfterACrash(t *testing.T) {
	res, err := Run(t.Context(), options(&fakeLog{}, suite(t, `
  - {name: a, steps: [click: crash]}
  - {name: b, steps: [click: x]}
`)))
	require.NoError(t, err)
	assert.Equal(t, Errored, res.Scenarios[0].Status)
	assert.Equal(t, Passed, res.Scenarios[1].Status)
	assert.False(t, res.OK())
}

func TestInterrupt(t *testing.T) {
	for _, words := range []string{"hang", "deaf"} {
		t.Run(words, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(100*time.Millisecond, func() { cancel(errors.New("interrupted")) })
			began := time.Now()
			res, err := Run(ctx, options(&fakeLog{}, suite(t, `
  - {name: a, steps: [{click: x}, {click: `+words+`}]}
  - {name: b, steps: [click: x]}
`)))
			require.NoError(t, err)
			assert.Less(t, time.Since(began), 2*time.Second)
			assert.Equal(t, Errored, res.Scenarios[0].Status)
			assert.Contains(t, res.Scenarios[0].Failure, "interrupted")
			assert.NotEmpty(t, res.Scenarios[0].Steps, "what was reached is kept")
			assert.Equal(t, Skipped, res.Scenarios[1].Status)
			assert.Equal(t, "not played: interrupted", res.Scenarios[1].Failure)
		})
	}
}

func TestHangCostsItsScenario(t *testing.T) {
	o := options(&fakeLog{}, suite(t, "  - {name: a, steps: [click: hang]}\n  - {name: b, steps: [click: x]}\n"))
	o.Timeout = 100 * time.Millisecond
	res, err := Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, Errored, res.Scenarios[0].Status)
	assert.Contains(t, res.Scenarios[0].Failure, "timed out after 100ms")
	assert.Equal(t, Passed, res.Scenarios[1].Status)
}

func TestOpenFails(t *testing.T) {
	o := options(&fakeLog{}, suite(t, "  - {name: a, steps: [click: x]}\n"))
	o.Open = func(context.Context, PageOptions) (Page, error) { return nil, errors.New("no browser") }
	res, err := Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, Errored, res.Scenarios[0].Status)
	assert.Equal(t, "no browser", res.Scenarios[0].Failure)
}

func TestChoose(t *testing.T) {
	s := suite(t, `
  - {name: "Log in (a)", tags: [smoke, auth], steps: [click: x]}
  - {name: log out, tags: [auth], steps: [click: x]}
  - {name: later, skip: not yet, steps: [click: x]}
`)
	run := func(change func(*Options)) (names []string) {
		o := options(&fakeLog{}, s)
		change(&o)
		res, err := Run(t.Context(), o)
		if err != nil {
			return []string{err.Error()}
		}
		for _, r := range res.Scenarios {
			names = append(names, r.Name+" "+string(r.Status))
		}
		return names
	}
	assert.Equal(t, []string{"Log in (a) passed", "log out passed", "later skipped"}, run(func(*Options) {}))
	assert.Equal(t, []string{"Log in (a) passed"}, run(func(o *Options) { o.Filter = "log in (a" }), "plain text")
	assert.Equal(t, []string{"Log in (a) passed", "log out passed"}, run(func(o *Options) { o.Filter = "^s/log (in|out)" }), "regular expression")
	assert.Equal(t, []string{"Log in (a) passed"}, run(func(o *Options) { o.Tags = []string{"smoke"} }))
	assert.Equal(t, []string{`no scenario matches: filter "zzz", tags []`}, run(func(o *Options) { o.Filter = "zzz" }))
	assert.Len(t, run(func(o *Options) { o.Repeat, o.Filter = 3, "log out" }), 3)
}

func TestFailFast(t *testing.T) {
	o := options(&fakeLog{}, suite(t, "  - {name: a, steps: [click: nothing]}\n  - {name: b, steps: [click: x]}\n"))
	o.FailFast = true
	res, err := Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, Failed, res.Scenarios[0].Status)
	assert.Equal(t, Skipped, res.Scenarios[1].Status)
}

func TestWorkersAndEvents(t *testing.T) {
	o := options(&fakeLog{}, suite(t, "  - {name: a, steps: [click: x]}\n  - {name: b, steps: [click: y]}\n  - {name: c, skip: no, steps: [click: z]}\n"))
	o.Workers = 3
	var kinds []EventKind
	o.Sink = func(e Event) { kinds = append(kinds, e.Kind) } // not guarded: events come one at a time
	res, err := Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, "a", res.Scenarios[0].Name, "results stand in the order of the suite")
	assert.Equal(t, RunBegan, kinds[0])
	assert.Equal(t, RunEnded, kinds[len(kinds)-1])
	assert.ElementsMatch(t, []EventKind{RunBegan, ScenarioBegan, StepBegan, StepEnded, ScenarioEnded, ScenarioBegan, StepBegan, StepEnded, ScenarioEnded, ScenarioEnded, RunEnded}, kinds)
}

func TestResultsJSON(t *testing.T) {
	res, err := Run(t.Context(), options(&fakeLog{}, suite(t, "  - {name: a <b>, steps: [click: x]}\n")))
	require.NoError(t, err)
	var b fixed
	res.Totals.Seconds, res.Scenarios[0].Seconds, res.Scenarios[0].Steps[0].MS = 1.5, 1.25, 12
	require.NoError(t, res.WriteJSON(&b))
	assert.JSONEq(t, `{"scenarios":[{"suite":"s","name":"a <b>","status":"passed","seconds":1.25,"failure":"",
		"steps":[{"verb":"click","words":"x","layer":"locators","confidence":97,"status":"passed","ms":12}]}],
		"totals":{"scenarios":1,"passed":1,"failed":0,"error":0,"skipped":0,"drifts":0,"seconds":1.5,"layers":{"locators":1}}}`, string(b))
}

type fixed []byte

func (f *fixed) Write(p []byte) (int, error) { *f = append(*f, p...); return len(p), nil }

func TestBaseline(t *testing.T) {
	s := suite(t, "  - {name: a, steps: [{click: x}, {click: y}]}\n  - {name: b, steps: [click: nothing]}\n")
	res, err := Run(t.Context(), options(&fakeLog{}, s))
	require.NoError(t, err)
	require.NoError(t, res.Compare([]*Suite{s}))
	assert.Zero(t, res.Totals.Drifts, "without a baseline nothing has drifted")
	require.NoError(t, res.UpdateBaselines([]*Suite{s}))

	res.Scenarios[0].Steps[1].Layer = locate.Vision
	require.NoError(t, res.Compare([]*Suite{s}))
	want := Drift{Step: 2, What: "click y", Was: locate.Locators, Now: locate.Vision}
	assert.Equal(t, []Drift{want}, res.Scenarios[0].Drifts)
	assert.Equal(t, "step 2, click y: locators before, now vision", want.String())
	assert.Equal(t, 1, res.Totals.Drifts)

	b, err := ReadBaseline(s)
	require.NoError(t, err)
	assert.Equal(t, map[string][]BaselineStep{"a": {{"click x", locate.Locators}, {"click y", locate.Locators}}}, b.Scenarios, "what failed is not taken")
}

// What a recording lacks is said before the run.
func TestSiteNotes(t *testing.T) {
	file := folder(t)
	har := `{"log":{"entries":[{"request":{"method":"GET","url":"https://s.test/"},"response":{"status":200,"content":{"size":5}}}]}}`
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), "s.har"), []byte(har), 0o644))
	s, err := Parse(file, []byte("site: s.har\nscenarios: [{name: a, steps: [click: x]}]"))
	require.NoError(t, err)
	o := options(&fakeLog{}, s)
	var said []string
	o.Sink = func(e Event) { said = append(said, e.Notes...) }
	res, err := Run(t.Context(), o)
	require.NoError(t, err)
	require.NotEmpty(t, said)
	assert.Contains(t, said[0], "site s: ")
	assert.Contains(t, said[0], "without a body")
	assert.Equal(t, said, res.Notes)
}
