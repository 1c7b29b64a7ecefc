package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outcome is what one call of the program left.
type outcome struct {
	code     int
	out, err string
}

// call runs the program in process.
func call(ctx context.Context, args ...string) outcome {
	var out, errs bytes.Buffer
	code := run(ctx, args, strings.NewReader(""), &out, &errs)
	return outcome{code, out.String(), errs.String()}
}

// workDir makes a working directory with the files and goes there; the
// configuration of whoever runs the tests is out of reach.
func workDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	for _, name := range []string{"HARNESS_WORKERS", "HARNESS_TIMEOUT", "HARNESS_HEADED", "HARNESS_EVIDENCE", "HARNESS_MODEL", "HARNESS_VISION_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		t.Setenv(name, "")
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

const shop = "site: shop\nscenarios:\n  - name: one\n    steps: [{click: Go}]\n"

func TestUsageErrors(t *testing.T) {
	workDir(t, nil)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"rnu"}, `harness: unknown command "rnu" (did you mean run?)`},
		{[]string{"frobnicate"}, `harness: unknown command "frobnicate"`},
		{[]string{"run", "--filtre", "x"}, "harness: unknown flag: --filtre"},
		{[]string{"run", "--workers", "many"}, `invalid argument "many"`},
		{[]string{"run", "--workers", "-1"}, "harness: --workers -1: at least 1"},
		{[]string{"run", "--repeat", "0"}, "harness: --repeat 0: at least 1"},
		{[]string{"run", "--timeout", "-1s"}, "harness: --timeout -1s: below zero"},
		{[]string{"run", "--policy", "guess"}, "harness: --policy guess: one of steps, cassette, plain, model"},
		{[]string{"schema", "x"}, "harness: unknown command"},
		{[]string{"doctor", "x"}, "harness: unknown command"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			got := call(t.Context(), tt.args...)
			assert.Equal(t, exitUsage, got.code)
			assert.Contains(t, got.err, tt.want)
			assert.Contains(t, got.err, "Usage:", "a usage error prints usage")
			assert.Empty(t, got.out)
		})
	}
}

func TestBadInput(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		args  []string
		want  string
	}{
		{"no such path", nil, []string{"run", "nowhere.yaml"}, "harness: suite nowhere.yaml: no such file or directory"},
		{"no scenarios folder", nil, []string{"run"}, "harness: suite scenarios: no such file or directory"},
		{"unknown verb", map[string]string{"s.yaml": strings.Replace(shop, "click", "clik", 1), "shop/index.html": ""}, []string{"run", "s.yaml"}, `harness: s.yaml:4:14: unknown verb "clik" (did you mean "click"?)`},
		{"missing site", map[string]string{"s.yaml": shop}, []string{"run", "s.yaml"}, "harness: s.yaml:1:7: site shop: there is no such file or folder"},
		{"bad site.yaml", map[string]string{"s.yaml": shop, "shop/site.yaml": "local: de"}, []string{"run", "s.yaml"}, `site.yaml:1:1: unknown field "local" (did you mean "locale"?)`},
		{"two faults in two suites", map[string]string{"a/1.yaml": "scenarios: 5", "a/2.yaml": "x: 1"}, []string{"run", "a"}, "harness: a/1.yaml:1:12: a list is wanted here, not a value\na/2.yaml:1:1: unknown field \"x\""},
		{"two suites of one name", map[string]string{"a/1.yaml": "suite: s\n" + shop, "a/2.yaml": "suite: s\n" + shop, "shop/index.html": ""}, []string{"run", "a"}, `harness: a/2.yaml: a second suite "s" (the first is a/1.yaml)`},
		{"nothing matches", map[string]string{"s.yaml": shop, "shop/index.html": ""}, []string{"run", "s.yaml", "--filter", "zzz"}, `harness: no scenario matches: filter "zzz"`},
		{"unknown key of the configuration", map[string]string{"s.yaml": shop, "shop/index.html": "", "harness.yaml": "workers: 2\nmodle: x\n"}, []string{"run", "s.yaml"}, `harness: harness.yaml:2:1: unknown field "modle" (did you mean "models"?)`},
		{"a key in the configuration", map[string]string{"s.yaml": shop, "shop/index.html": "", "harness.yaml": "models: [{model: m, api_key: sk-1}]"}, []string{"run", "s.yaml"}, `harness: harness.yaml:1:21: unknown field "api_key"`},
		{"configuration by flag", map[string]string{"s.yaml": shop, "shop/index.html": ""}, []string{"run", "s.yaml", "--config", "no.yaml"}, "harness: configuration: open no.yaml"},
		{"unknown vision model", map[string]string{"s.yaml": shop, "shop/index.html": "", "harness.yaml": "vision: [{model: nobody-knows-it, base_url: http://127.0.0.1:1/v1}]"}, []string{"run", "s.yaml"}, "nobody-knows-it"},
		{"bad baseline", map[string]string{"s.yaml": shop, "shop/index.html": "", "baselines/s.json": "{\n  x"}, []string{"run", "s.yaml", "--evidence", "none"}, "harness: baselines/s.json:2:4: baseline: invalid character"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			workDir(t, tt.files)
			got := call(t.Context(), tt.args...)
			assert.Equal(t, exitUsage, got.code, got.err)
			assert.Contains(t, got.err, tt.want)
			assert.NotContains(t, got.err, "Usage:", "the command line was right")
			assert.NoDirExists(t, "debug_html", "nothing was played")
		})
	}
}

func TestBadEnvironment(t *testing.T) {
	for name, want := range map[string]string{
		"HARNESS_WORKERS": "HARNESS_WORKERS: not a number", "HARNESS_TIMEOUT": "HARNESS_TIMEOUT: not a duration", "HARNESS_HEADED": "HARNESS_HEADED: neither true nor false",
	} {
		workDir(t, map[string]string{"s.yaml": shop, "shop/index.html": ""})
		t.Setenv(name, "many")
		got := call(t.Context(), "run", "s.yaml")
		assert.Equal(t, exitUsage, got.code)
		assert.Contains(t, got.err, want)
		t.Setenv(name, "")
	}
}

func TestConfigurationOrder(t *testing.T) {
	workDir(t, map[string]string{
		"harness.yaml":               "workers: 2\nmodels: [{model: near}]\n",
		"config/harness/config.yaml": "workers: 9\ntimeout: 7s\nbrowser: far\nmodels: [{model: far}]\n",
	})
	t.Setenv("HARNESS_BROWSER", "env")
	t.Setenv("HARNESS_MODEL", "named")
	c, err := (&app{}).config()
	require.NoError(t, err)
	assert.Equal(t, []any{2, "7s", "env"}, []any{c.Workers, c.Timeout.String(), c.Browser})
	assert.Equal(t, []modelConfig{{Model: "named"}, {Model: "near"}, {Model: "far"}}, c.Models)
}

func TestHelpNamesEveryCommandAndHasExamples(t *testing.T) {
	got := call(t.Context())
	assert.Equal(t, exitPass, got.code)
	root := newRootCmd(&app{})
	for _, cmd := range root.Commands() {
		if cmd.Hidden || cmd.Name() == "completion" {
			continue
		}
		assert.Contains(t, got.out, "\n  "+cmd.Name()+" ")
		assert.NotEmpty(t, cmd.Example, cmd.Name())
		assert.NotEmpty(t, cmd.Short, cmd.Name())
	}
}

func TestSchemaIsPrinted(t *testing.T) {
	got := call(t.Context(), "schema")
	assert.Equal(t, exitPass, got.code)
	assert.Contains(t, got.out, `"title": "harness suite"`)
	assert.Empty(t, got.err)
}

func TestInterruptedBeforeItBegan(t *testing.T) {
	workDir(t, map[string]string{"s.yaml": shop, "shop/index.html": ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := call(ctx, "run", "s.yaml", "--json")
	assert.Equal(t, exitInterrupted, got.code)
	assert.Contains(t, got.err, "harness: interrupted")
	assert.Contains(t, got.out, `"failure": "not played: interrupted"`, "what there is is written")
}
