package scenarios

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/agent"
	"harness/locate"
)

// folder makes a folder with a site and a cassette in it and gives the path of
// a suite file there.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "site"), 0o755))
	for _, name := range []string{"one.jsonl", "a.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	return filepath.Join(dir, "s.yaml")
}

const whole = `
suite: flights
site: site
memory: mem.json
defaults: {viewport: 1280x800, dpr: 1.5, locale: zh-CN, timezone: Asia/Shanghai, clock: "2026-01-21T22:20:25+08:00", clock_frozen: true, user_agent: UA, timeout: 5s, policy: steps}
scenarios:
  - name: all of it
    start: https://flights.test/
    task: 查询
    before: "window.x = 1"
    vision_cassette: one.jsonl
    viewport: 400x300
    steps:
      - click: 单程
      - dblclick: {role: button, name: Search, exact: true}
      - {click: Save, error: ambiguous}
      - {click: Save, effect: required, layer: [locators, js]}
      - type: {into: code, text: 007, clear: false, submit: true}
      - pick: {in: 出发日期, date: 2026-01-30}
      - pick: {from: 2026-01-28, to: 2026-02-03, time: "10:30"}
      - select: {in: list, options: [a, b]}
      - press: {keys: Enter, on: field}
      - press: Enter
      - scroll: {to: Footer}
      - scroll: {by: 300, in: list}
      - wait: 300ms
      - wait: {for: Results}
      - go: https://flights.test/x
      - back
      - upload: {into: file, files: [a.txt]}
      - drag: {from: a, to: b}
      - dialog: accept
      - dialog: {text: hello}
      - tab: {switch: 2}
      - vision_click: the red one
      - vision_type: {into: box, text: x}
      - script: "window.y = 2"
      - expect:
          - visible: 3U5163
            timeout: 2s
    expect:
      - url: {is: a, contains: b, matches: "c+"}
      - visible: 3U5163
      - absent: {text: Error}
      - text: {of: total, is: 007, contains: "0"}
      - value: {of: date, is: 2026-01-30}
      - checked: 单程
      - checked: {of: 往返, is: false}
      - script: window.y === 2
      - answer: {contains: 3U, matches: "\\d"}
      - answer: 3U
    limits: {steps: 10, time: 20s, vision: 0, tokens: 5000}
    tags: [demo, zh]
  - {name: recorded, cassette: one.jsonl, task: t}
  - {name: skipped, skip: not yet, steps: [{click: x}]}
`

func TestParseWhole(t *testing.T) {
	file := folder(t)
	s, err := Parse(file, []byte(whole))
	require.NoError(t, err)
	assert.Equal(t, "flights", s.Name)
	assert.Equal(t, filepath.Join(filepath.Dir(file), "site"), s.Site, "resolved from the suite's folder")
	require.Len(t, s.Scenarios, 3)
	sc := s.Scenarios[0]
	require.Len(t, sc.Steps, 25)
	assert.Equal(t, "007", sc.Steps[4].Args.(*agent.TypeArgs).Text, "scalars stay as written")
	assert.Equal(t, "2026-01-30", sc.Steps[5].Args.(*agent.PickArgs).Date)
	assert.Equal(t, []locate.LayerName{locate.Locators, locate.JS}, sc.Steps[3].Layer)
	assert.Equal(t, []string{filepath.Join(filepath.Dir(file), "a.txt")}, sc.Steps[16].Args.(*agent.UploadArgs).Files)
	assert.Equal(t, 2*time.Second, sc.Steps[24].Expect[0].Timeout)
	require.Len(t, sc.Expect, 10)
	assert.Equal(t, "007", *sc.Expect[3].Text.Test.Is)
	assert.Equal(t, "Error", sc.Expect[2].Absent.Target.Text)
	assert.False(t, *sc.Expect[6].Checked.Is)
	assert.Equal(t, "3U", *sc.Expect[9].Answer.Contains)
	assert.Equal(t, 0, *sc.Limits.Vision)
	m := sc.Merge(s.Defaults.Settings)
	assert.Equal(t, Size{400, 300}, m.Viewport, "the scenario's own comes first")
	assert.Equal(t, 1.5, m.DPR)
	assert.Equal(t, "2026-01-21T22:20:25+08:00", m.Clock.Format(time.RFC3339))
	assert.True(t, *m.ClockFrozen)
}

func TestParseFaults(t *testing.T) {
	scenario := func(lines string) string {
		return "site: site\nscenarios:\n  - name: one\n    steps:\n      - click: x\n" + lines
	}
	step := func(s string) string { return scenario("      - " + s + "\n") }
	for _, tt := range []struct{ name, in, want string }{
		{"yaml", "site: [", `s\.yaml:1:\d+: .+`},
		{"unknown field of the suite", "sites: site\nscenarios: []", `s.yaml:1:1: unknown field "sites" \(did you mean "site"\?\)`},
		{"unknown field of the scenario", scenario("    expects: []\n"), `s.yaml:6:5: unknown field "expects" \(did you mean "expect"\?\)`},
		{"unknown field of the defaults", "site: site\ndefaults: {zone: x}\nscenarios: [{name: a, task: t}]", `s.yaml:2:12: unknown field "zone"`},
		{"unknown verb", step("clik: x"), `s.yaml:6:9: unknown verb "clik" \(did you mean "click"\?\)`},
		{"two verbs", step("{click: x, hover: y}"), `s.yaml:6:\d+: click: one verb a step`},
		{"no verb", step("{error: stale}"), `s.yaml:6:\d+: a step without a verb`},
		{"unknown argument", step("type: {into: a, txt: b}"), `s.yaml:6:25: type: unknown field "txt" \(did you mean "text"\?\)`},
		{"unknown field of a target", step("click: {role: button, nmae: x}"), `s.yaml:6:31: click: unknown field "nmae" \(did you mean "name"\?\)`},
		{"unknown error kind", step("{click: x, error: ambigous}"), `s.yaml:6:20: click: unknown kind of error "ambigous" \(did you mean "ambiguous"\?\)`},
		{"unknown layer", step("{click: x, layer: [js, vison]}"), `s.yaml:6:\d+: click: unknown layer "vison" \(did you mean "vision"\?\)`},
		{"unknown effect", step("{click: x, effect: wanted}"), `s.yaml:6:20: click: effect is "wanted"`},
		{"30 February", step("pick: {in: a, date: 2026-02-30}"), `s.yaml:6:23: pick: .*30`},
		{"31 April in a range", step("pick: {in: a, from: 2026-04-31, to: 2026-05-02}"), `s.yaml:6:23: pick: .*31`},
		{"30 February as the clock", scenario("    clock: 2026-02-30T10:00:00Z\n"), `s.yaml:6:12: no such time: "2026-02-30T10:00:00Z" day out of range`},
		{"clock", scenario("    clock: yesterday\n"), `s.yaml:6:12: not an RFC 3339 time: "yesterday" .*`},
		{"viewport", scenario("    viewport: 1280\n"), `s.yaml:6:15: not a size: "1280" \(write 1280x800\)`},
		{"time zone", scenario("    timezone: Asia/Shanghia\n"), `s.yaml:6:15: unknown time zone "Asia/Shanghia" .*`},
		{"time zone of the defaults", "site: site\ndefaults: {timezone: X/Y}\nscenarios: [{name: a, task: t}]", `s.yaml:2:22: unknown time zone "X/Y" .*`},
		{"locale", scenario("    locale: 中文\n"), `s.yaml:6:13: not a locale: .*`},
		{"dpr", scenario("    dpr: -1\n"), `s.yaml:6:10: a device pixel ratio of -1 .*`},
		{"policy", scenario("    policy: modl\n"), `s.yaml:6:13: unknown policy "modl" \(did you mean "model"\?\)`},
		{"limit", scenario("    limits: {steps: -1}\n"), `s.yaml:6:14: a limit below zero`},
		{"two of one name", scenario("  - {name: one, task: t}\n"), `s.yaml:6:12: a second scenario "one" \(the first is at line 3\)`},
		{"no name", scenario("  - {task: t}\n"), `s.yaml:6:6: a scenario without a name`},
		{"missing site", "site: nowhere\nscenarios: [{name: a, task: t}]", `s.yaml:1:7: site nowhere: there is no such file or folder .*`},
		{"no site at all", "scenarios: [{name: a, task: t}]", `s.yaml:1:\d+: scenario "a" has no site, and the suite has none`},
		{"missing site of a scenario", scenario("    site: nowhere\n"), `s.yaml:6:11: site nowhere: there is no such .*`},
		{"missing cassette", scenario("  - {name: two, cassette: no.jsonl}\n"), `s.yaml:6:27: cassette no.jsonl: there is no such .*`},
		{"missing vision cassette", scenario("    vision_cassette: no.jsonl\n"), `s.yaml:6:22: vision cassette no.jsonl: .*`},
		{"steps and cassette", scenario("    cassette: one.jsonl\n"), `s.yaml:6:15: steps and a cassette in one scenario`},
		{"nothing to do", scenario("  - {name: two}\n"), `s.yaml:6:6: scenario "two" does nothing .*`},
		{"no scenarios", "site: site\n", `s.yaml:1:1: a suite without scenarios`},
		{"unknown expectation", scenario("    expect: [{visble: x}]\n"), `s.yaml:6:15: unknown field "visble" \(did you mean "visible"\?\)`},
		{"two expectations in one", scenario("    expect: [{visible: x, absent: y}]\n"), `s.yaml:6:27: one kind an expectation, .*`},
		{"empty expectation", scenario("    expect: [{timeout: 1s}]\n"), `s.yaml:6:15: an expectation needs one of .*`},
		{"expectation of nothing", scenario("    expect:\n      - visible:\n"), `s.yaml:7:9: visible: nothing is expected`},
		{"text without an element", scenario("    expect: [text: {is: x}]\n"), `s.yaml:6:\d+: text: the element is missing \(of\)`},
		{"text without a test", scenario("    expect: [text: {of: x}]\n"), `s.yaml:6:\d+: text: nothing is expected of it .*`},
		{"regular expression", scenario("    expect: [url: {matches: '('}]\n"), `s.yaml:6:29: bad regular expression: missing closing \): .*`},
		{"unknown test", scenario("    expect: [url: {contain: a}]\n"), `s.yaml:6:20: unknown field "contain" \(did you mean "contains"\?\)`},
		{"missing file to upload", step("upload: {into: a, files: [no.txt]}"), `s.yaml:6:9: file no.txt: there is no such .*`},
		{"expectation in a step", step("expect: [{visble: x}]"), `s.yaml:6:19: unknown field "visble" .*`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := folder(t)
			_, err := Parse(file, []byte(tt.in))
			require.Error(t, err)
			assert.Regexp(t, "^"+filepath.Dir(file)+"/"+tt.want, err.Error())
			assert.NotContains(t, err.Error(), "\n", "one fault, one line")
		})
	}
}

func TestLoadJoinsFaults(t *testing.T) {
	file := folder(t)
	_, err := Parse(file, []byte("site: site\nscenarios:\n  - name: a\n    steps: [{clik: x}, {hovr: y}]\n    dpi: 2\n"))
	require.Error(t, err)
	assert.Regexp(t, `4:14: unknown verb "clik".*\n.*4:25: unknown verb "hovr".*\n.*5:5: unknown field "dpi" \(did you mean "dpr"\?\)$`, err.Error())
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"b.yaml", "a.yml", "c.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f), nil, 0o644))
	}
	got, err := Find([]string{dir, filepath.Join(dir, "c.json")})
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "a.yml"), filepath.Join(dir, "b.yaml"), filepath.Join(dir, "c.json")}, got)
	_, err = Find([]string{filepath.Join(dir, "no")})
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = Find([]string{t.TempDir()})
	assert.ErrorContains(t, err, "there is no *.yaml")
}
