package archtest

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/agent"
	"harness/scenarios"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	return string(text)
}

// row is what the README's layout says of a package's imports, sorted.
type row struct {
	ours    []string
	all     bool     // of ours whatever it likes
	outside []string // module paths
}

// table reads the cells of the first table below the heading, without its head.
func table(t *testing.T, heading string) [][]string {
	t.Helper()
	_, rest, ok := strings.Cut(readme(t), "\n"+heading+"\n")
	require.True(t, ok, "the README has no heading %q", heading)
	var rows [][]string
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if len(rows) > 0 {
				break
			}
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	require.Greater(t, len(rows), 2, "no table below %q", heading)
	return rows[2:]
}

// dependencies are the modules of the README's list, sorted.
func dependencies(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, cells := range table(t, "### What each dependency saves") {
		require.Len(t, cells, 2)
		assert.NotEmpty(t, cells[1], "%s: what does it save?", cells[0])
		out = append(out, cells[0])
	}
	slices.Sort(out)
	return out
}

// layout is the README's table of packages, by name.
func layout(t *testing.T) map[string]row {
	t.Helper()
	modules := dependencies(t)
	out := map[string]row{}
	for _, cells := range table(t, "## Layout") {
		require.Len(t, cells, 4, "%v", cells)
		name := strings.Trim(cells[0], "`")
		assert.NotContains(t, out, name, "two rows")
		assert.NotEmpty(t, cells[1], "%s: what is it for?", name)
		r := row{all: cells[2] == "all"}
		for _, p := range list(cells[2]) {
			r.ours = append(r.ours, strings.Trim(p, "`"))
		}
		for _, short := range list(cells[3]) {
			i := slices.IndexFunc(modules, func(m string) bool { return strings.HasSuffix(m, "/"+short) })
			require.GreaterOrEqual(t, i, 0, "%s: %q is not in the list of dependencies", name, short)
			r.outside = append(r.outside, modules[i])
		}
		slices.Sort(r.ours)
		slices.Sort(r.outside)
		out[name] = r
	}
	return out
}

// list are the entries of a cell; a dash is none.
func list(cell string) []string {
	if cell == "–" || cell == "" {
		return nil
	}
	return strings.Split(cell, ", ")
}

// fenced are the code blocks of the language.
func fenced(t *testing.T, language string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(readme(t), -1) {
		out = append(out, m[1])
	}
	require.NotEmpty(t, out, "the README has no %s", language)
	return out
}

func TestReadmeProgramCompiles(t *testing.T) {
	for _, text := range fenced(t, "go") {
		file := filepath.Join(t.TempDir(), "main.go")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		cmd := exec.Command("go", "vet", file)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}

func TestReadmeSuiteLoads(t *testing.T) {
	loaded := 0
	for _, text := range fenced(t, "yaml") {
		if strings.Contains(text, "\nscenarios:\n") {
			_, err := scenarios.Parse(filepath.Join(root, "README.md"), []byte(text))
			assert.NoError(t, err)
			loaded++
		}
	}
	assert.Positive(t, loaded, "the README has no suite")
}

// What a suite may say stands in the README: every field of the contract, every
// kind of error, every policy.
func TestReadmeKnowsTheSuiteFormat(t *testing.T) {
	fields, err := os.ReadFile(filepath.Join(root, "scenarios", "testdata", "fields.txt"))
	require.NoError(t, err)
	words := slices.Concat(agent.VerbNames(), agent.ErrorKinds(), scenarios.Policies())
	for field := range strings.Lines(string(fields)) {
		words = append(words, path.Ext("." + strings.TrimSpace(field))[1:])
	}
	code := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(readme(t), -1) {
		for _, w := range regexp.MustCompile(`[a-z_]+`).FindAllString(m[1], -1) {
			code[w] = true
		}
	}
	for _, w := range words {
		// Parts of definitions, and the long forms of what is written short.
		if !slices.Contains([]string{"expectation", "match", "step", "target", "answer"}, w) {
			assert.True(t, code[w], "the README does not name %q", w)
		}
	}
}
