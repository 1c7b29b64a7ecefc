package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/locate"
	"harness/scenarios"
)

// counterSite is a page with a counter, a field and a button that takes long.
const counterSite = `<!doctype html><title>Counter</title><img src="/missing.png">
<label>Code <input></label>
<button onclick="n.textContent=+n.textContent+1">Add</button> <output id="n">0</output>
<button onclick="setTimeout(()=>document.body.append('Ready'),400)">Prepare</button>
<div><span>Token</span> <input id="t"></div>
<button onclick="confirm('Sure?')&&document.body.append('Gone')">Remove</button>`

const counterSuite = `
suite: counter
site: counter
defaults: {viewport: 640x480, locale: en-GB, timezone: Asia/Tokyo, clock: "2026-01-15T10:00:00+09:00", timeout: 3s}
scenarios:
  - name: adds
    tags: [smoke]
    steps:
      - click: Add
      - type: {into: Code, text: 007}
      - {click: Subtract, error: not_found}
      - click: Prepare
    expect:
      - visible: Ready
      - value: {of: Code, is: 007}
      - script: document.querySelector('output').textContent === '1'
      - script: new Date().toISOString().startsWith('2026-01-15T01:00:0')
      - script: innerWidth === 640 && Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo' && navigator.language === 'en-GB'
  - name: each scenario begins anew
    expect: [script: document.querySelector('output').textContent === '0']
  - name: the dialog is answered, whether its step stands before or after the click
    steps: [{dialog: accept}, {click: Remove}, {expect: [visible: Gone]}, {script: "location.reload()"}, {wait: 300ms}, {click: Remove}, {dialog: accept}]
    expect: [visible: Gone]
  - name: does not hold
    steps: [click: Add]
    expect: [{visible: Ready, timeout: 300ms}]
  - {name: captioned, tags: [captioned], steps: [{type: {into: Token, text: x}}], expect: [script: t.value === 'x']}
  - {name: later, skip: not yet, steps: [click: Add]}
`

// harnessRun runs the command in a folder with the counter's suite.
func harnessRun(t *testing.T, ctx context.Context, args ...string) (outcome, *scenarios.Results) {
	t.Helper()
	got := call(ctx, append([]string{"run", "counter.yaml", "--json"}, args...)...)
	var r scenarios.Results
	require.NoError(t, json.Unmarshal([]byte(got.out), &r), "stdout is one JSON object: %s%s", got.out, got.err)
	return got, &r
}

func TestRunInABrowser(t *testing.T) {
	needBrowser(t)
	workDir(t, map[string]string{"counter.yaml": counterSuite, "counter/index.html": counterSite})
	got, r := harnessRun(t, t.Context(), "--report", "report", "--junit", "out/junit.xml", "--workers", "2")
	assert.Equal(t, exitFailed, got.code)
	var states []string
	for _, s := range r.Scenarios {
		states = append(states, string(s.Status))
	}
	require.Equal(t, []string{"passed", "passed", "passed", "failed", "passed", "skipped"}, states, got.err)
	first, failed := r.Scenarios[0], r.Scenarios[3]
	require.Len(t, first.Steps, 4)
	assert.NotEmpty(t, first.Steps[0].Layer)
	assert.Equal(t, "not_found", first.Steps[2].Error.Kind)
	assert.Contains(t, strings.Join(first.Refused, "\n"), "https://counter.test/missing.png", "what the site does not hold is named")
	assert.Regexp(t, `^expect visible "Ready": `, failed.Failure)
	for _, file := range []string{"01-click.html", "01-click.png", "01-click.json", "02-expect.png", "trace.zip"} {
		assert.FileExists(t, filepath.Join(failed.Evidence, file))
	}
	assert.NoFileExists(t, filepath.Join(first.Evidence, "trace.zip"))
	page, err := os.ReadFile("report/index.html")
	require.NoError(t, err)
	assert.Contains(t, string(page), "1 of 6 scenarios did not pass")
	assert.Contains(t, string(page), "data:image/jpeg;base64,")
	assert.FileExists(t, "out/junit.xml")
	assert.Contains(t, got.err, "report: report/index.html")
}

func TestRunFilters(t *testing.T) {
	needBrowser(t)
	workDir(t, map[string]string{"counter.yaml": counterSuite, "counter/index.html": counterSite})
	got, r := harnessRun(t, t.Context(), "--tags", "smoke", "--repeat", "2", "--workers", "1", "--update-baseline", "--evidence", "none")
	assert.Equal(t, exitPass, got.code, got.err)
	require.Len(t, r.Scenarios, 2)
	assert.Equal(t, 2, r.Scenarios[1].Try)
	assert.NoDirExists(t, "debug_html")
	assert.FileExists(t, "baselines/counter.json")
}

// A step that needs a later layer than in the baseline is shown, and fails the
// run where that is asked for.
func TestRunDrift(t *testing.T) {
	needBrowser(t)
	workDir(t, map[string]string{"counter.yaml": counterSuite, "counter/index.html": counterSite})
	got, r := harnessRun(t, t.Context(), "--tags", "captioned", "--update-baseline", "--evidence", "none", "--strict")
	require.Equal(t, exitPass, got.code, got.err)
	require.Equal(t, locate.JS, r.Scenarios[0].Steps[0].Layer, "a caption beside a field is the second layer's evidence")
	baseline, err := os.ReadFile("baselines/counter.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("baselines/counter.json", []byte(strings.ReplaceAll(string(baseline), `"js"`, `"locators"`)), 0o644))
	got, r = harnessRun(t, t.Context(), "--tags", "captioned", "--evidence", "none")
	assert.Equal(t, exitPass, got.code, got.err)
	assert.Equal(t, []scenarios.Drift{{Step: 1, What: `type "x" into Token`, Was: locate.Locators, Now: locate.JS}}, r.Scenarios[0].Drifts)
	got, _ = harnessRun(t, t.Context(), "--tags", "captioned", "--evidence", "none", "--strict")
	assert.Equal(t, exitFailed, got.code)
}

// A browser that crashes costs its scenario; the next gets a fresh one.
func TestRunSurvivesACrash(t *testing.T) {
	needBrowser(t)
	workDir(t, map[string]string{"counter/index.html": counterSite, "counter.yaml": `
site: counter
scenarios:
  - {name: crashed, steps: [{click: Add}, {wait: 30s}, {click: Add}]}
  - {name: next, steps: [click: Add]}
`})
	go func() { // once the first step is done, however slow the machine
		for range 600 {
			if done, _ := filepath.Glob("debug_html/*/*crashed*/01-*.json"); len(done) > 0 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		for _, pid := range browserProcesses() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}()
	got, r := harnessRun(t, t.Context(), "--workers", "1")
	assert.Equal(t, exitFailed, got.code)
	assert.Equal(t, scenarios.Errored, r.Scenarios[0].Status)
	assert.Contains(t, r.Scenarios[0].Failure, "browser crashed")
	assert.Equal(t, scenarios.Passed, r.Scenarios[1].Status, r.Scenarios[1].Failure)
	assert.Empty(t, browserProcesses(), "no browser is left behind")
}

// An interrupt ends the run within two seconds, with what there is, and leaves
// no process behind.
func TestRunInterrupted(t *testing.T) {
	needBrowser(t)
	workDir(t, map[string]string{"counter/index.html": counterSite, "counter.yaml": `
site: counter
scenarios:
  - {name: waits, steps: [{click: Add}, {wait: 30s}]}
  - {name: never, steps: [click: Add]}
`})
	ctx, cancel := context.WithCancel(t.Context())
	var at time.Time
	time.AfterFunc(4*time.Second, func() { at = time.Now(); cancel() })
	got, r := harnessRun(t, ctx, "--workers", "1")
	assert.Less(t, time.Since(at), 2*time.Second)
	assert.Equal(t, exitInterrupted, got.code)
	assert.Equal(t, scenarios.Errored, r.Scenarios[0].Status)
	assert.Equal(t, "not played: interrupted", r.Scenarios[1].Failure)
	assert.Empty(t, browserProcesses(), "no browser is left behind")
}

// browserProcesses are the browsers below this process.
func browserProcesses() []int {
	entries, _ := os.ReadDir("/proc")
	parents := map[int]int{}
	var browsers []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, after, ok := strings.Cut(string(stat), ") ")
		if f := strings.Fields(after); ok && len(f) > 1 && f[0] != "Z" {
			parents[pid], _ = strconv.Atoi(f[1])
		}
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(line), "--remote-debugging-pipe") && !strings.Contains(string(line), "--type=") {
			browsers = append(browsers, pid)
		}
	}
	var out []int
	for _, pid := range browsers {
		for p := parents[pid]; p > 1; p = parents[p] {
			if p == os.Getpid() {
				out = append(out, pid)
				break
			}
		}
	}
	return out
}
