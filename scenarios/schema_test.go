package scenarios

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/agent"
)

var update = flag.Bool("update", false, "write golden files")

func TestSchema(t *testing.T) {
	got, err := Schema()
	require.NoError(t, err)
	const golden = "testdata/schema.json"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(got), "the format is a contract; -update where it was added to")
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
