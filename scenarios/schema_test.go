package scenarios

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/agent"
)

var update = flag.Bool("update", false, "write golden files")

// The names of the format are a contract: what stands in the golden file may be
// added to (-update), never renamed.
func TestSchemaFields(t *testing.T) {
	raw, err := Schema()
	require.NoError(t, err)
	var s any
	require.NoError(t, json.Unmarshal(raw, &s))
	lines := fieldPaths(s, "")
	slices.Sort(lines)
	got := strings.Join(slices.Compact(lines), "\n") + "\n"
	const golden = "testdata/fields.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// fieldPaths are the paths of all fields that a schema names.
func fieldPaths(v any, at string) []string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			out = append(out, fieldPaths(item, at)...)
		}
	case map[string]any:
		for key, item := range v {
			below, ok := item.(map[string]any)
			if !ok || key != "properties" && key != "$defs" {
				out = append(out, fieldPaths(item, at)...)
				continue
			}
			for name, field := range below {
				out = append(out, at+name)
				out = append(out, fieldPaths(field, at+name+".")...)
			}
		}
	}
	return out
}

// Every verb and every error kind that the loader knows stands in the schema.
func TestSchemaHasEveryVerb(t *testing.T) {
	raw, err := Schema()
	require.NoError(t, err)
	var s struct {
		Defs struct {
			Step struct {
				AnyOf []struct {
					Properties map[string]struct {
						Enum []string `json:"enum"`
					} `json:"properties"`
				} `json:"anyOf"`
			} `json:"step"`
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(raw, &s))
	props := s.Defs.Step.AnyOf[1].Properties
	for _, v := range agent.VerbNames() {
		assert.Contains(t, props, v)
	}
	assert.Equal(t, agent.ErrorKinds(), props["error"].Enum)
}
