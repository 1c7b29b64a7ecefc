package archtest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// walk calls f for every file below the folder that git would keep.
func walk(t *testing.T, folder string, f func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "dist") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			f(strings.TrimPrefix(path, root+"/"), string(text))
		}
		return err
	})
	require.NoError(t, err)
}

// secrets are what keys, tokens and credentials look like.
var secrets = regexp.MustCompile(`(?i)\bsk-[a-z0-9_-]{16,}|\b(ghp|gho|ghs|github_pat)_[a-z0-9_]{20,}|\bAKIA[0-9A-Z]{16}\b|\bxox[abp]-[0-9a-z-]{10,}|` +
	`-----BEGIN [A-Z ]*PRIVATE KEY-----|"?authorization"?\s*[:=]\s*"?(bearer|basic)\s+[a-z0-9+/=._-]{8,}|\bAIza[0-9A-Za-z_-]{30,}`)

func TestNoSecretsInFixtures(t *testing.T) {
	for _, folder := range []string{"fixtures", "scenarios"} {
		walk(t, folder, func(path, text string) {
			assert.Empty(t, secrets.FindString(text), "%s holds what looks like a secret", path)
		})
	}
	for _, s := range []string{"sk-abcdefghijklmnop1234", `"Authorization": "Bearer abcdefgh12345678"`, "AKIAABCDEFGHIJKLMNOP"} {
		assert.NotEmpty(t, secrets.FindString(s), "the test itself must see %q", s)
	}
}

// A recorded model answer names no host: it goes wherever the replay is.
func TestCassettesNameNoHost(t *testing.T) {
	host := regexp.MustCompile(`"(host|base_url|authorization|x-api-key)"\s*:`)
	walk(t, "fixtures", func(path, text string) {
		if strings.HasSuffix(path, ".jsonl") {
			assert.Empty(t, host.FindString(strings.ToLower(text)), path)
		}
	})
}

// products are widget libraries and the project's own sites. The engine
// recognises what a thing is, never whose it is.
var products = regexp.MustCompile(`(?i)flatpickr|pikaday|litepicker|daterangepicker|bootstrap-datepicker|ui-datepicker|jquery-ui|ant-picker|\bantd\b|el-date|el-picker|` +
	`element-plus|MuiPicker|MuiDate|\bmui\b|react-datepicker|react-day-picker|\brdp-|vaadin|duet-date|\bvant\b|air-datepicker|ctrip|miniwob|(flights|hotel|forms|nested|canvas)\.test`)

func TestEngineNamesNoProduct(t *testing.T) {
	for _, folder := range []string{"dom", "classify", "locate", "vision", "browser"} {
		walk(t, folder, func(path, text string) {
			if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata/") || strings.HasPrefix(path, "locate/locatetest/") {
				return
			}
			for i, line := range strings.Split(text, "\n") {
				assert.Empty(t, products.FindString(line), "%s:%d names a product", path, i+1)
			}
		})
	}
}

// goStarts are the packages that may start goroutines; each has an owner there
// that waits for it.
var goStarts = []string{"browser/", "scenarios/", "vision/ocr/", "internal/mcpserver/", "internal/bench/", "internal/cassette/", "cmd/harness/"}

func TestGoroutinesStartWhereTheyAreOwned(t *testing.T) {
	start := regexp.MustCompile(`(?m)^\s*go (func|[a-z]+[.(])`)
	for _, folder := range []string{"dom", "classify", "locate", "vision", "internal", "cmd"} {
		walk(t, folder, func(path, text string) {
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return
			}
			for _, ok := range goStarts {
				if strings.HasPrefix(path, ok) {
					return
				}
			}
			assert.Empty(t, start.FindString(text), "%s starts a goroutine", path)
		})
	}
}

// Only cmd/harness reads the environment, and nobody has an init function.
func TestEnvironmentAndInit(t *testing.T) {
	reads := regexp.MustCompile(`os\.(Getenv|LookupEnv)\(`)
	inits := regexp.MustCompile(`(?m)^func init\(\)`)
	for _, folder := range []string{"dom", "classify", "locate", "vision", "browser", "scenarios", "internal", "cmd"} {
		walk(t, folder, func(path, text string) {
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return
			}
			assert.Empty(t, inits.FindString(text), "%s has an init function", path)
			if !strings.HasPrefix(path, "cmd/") && !strings.HasPrefix(path, "internal/bench/") {
				assert.Empty(t, reads.FindString(text), "%s reads the environment", path)
			}
		})
	}
}

// places are folders of somebody's machine and hosts of package registries: what
// is committed must work anywhere.
var places = regexp.MustCompile(`(^|[\s"'(=:` + "`" + `])/(work|root|srv|mnt|Users)/|registry\.npmjs|registry\.npmmirror|proxy\.golang\.org|GOPROXY=https?://`)

func TestNoPlacesOfOneMachine(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skip("not a git checkout") // an exported tree
	}
	for _, file := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || file == "internal/archtest/rules_test.go" {
			continue // moved away and not yet committed, or this list
		}
		for i, line := range strings.Split(string(text), "\n") {
			assert.Empty(t, strings.TrimSpace(places.FindString(line)), "%s:%d names a place of one machine", file, i+1)
		}
	}
	for _, s := range []string{`"/root/x"`, "see /work/main", "https://registry.npmjs.org/a"} {
		assert.NotEmpty(t, places.FindString(s), "the test itself must see %q", s)
	}
}
