package scenarios

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/cassette"
	"harness/internal/chat"
)

// shown asks with an image and words.
func shown(image, words string) chat.Request {
	return chat.Request{Messages: []chat.Message{{Role: chat.User, Parts: []chat.Part{{Image: &chat.Image{Data: []byte(image)}}, {Text: words}}}}}
}

func TestOtherPixelsAreSaidSoftly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "eyes.jsonl")
	line := `{"v":1,"synthetic":true,"response":{"status":200,"body":{"model":"qwen3-vl-plus","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"[1, 2]"}}]}}}` + "\n"
	require.NoError(t, os.WriteFile(file, []byte(line+line), 0o644))
	play := func(first, second chat.Request) *decider {
		d := &decider{}
		c, err := d.replay(file)
		require.NoError(t, err)
		for _, r := range []chat.Request{first, second} {
			_, err := c.Complete(t.Context(), r)
			require.NoError(t, err)
		}
		return d
	}
	recorded := play(shown("\x89PNG one", "Where is Go"), shown("\x89PNG two", "Where is Stop"))
	assert.Empty(t, recorded.notes(), "nothing is recorded to compare with")
	recorded.rewrite()

	assert.Empty(t, play(shown("\x89PNG one", "Where is Go"), shown("\x89PNG two", "Where is Stop")).notes())
	soft := play(shown("\x89PNG uno", "Where is Go"), shown("\x89PNG due", "Where is Stop")).notes()
	assert.Equal(t, []string{file + ": 2 screenshots differ from the recorded ones, and nothing else of their requests"}, soft)
	hard := play(shown("\x89PNG uno", "Where is Go"), shown("\x89PNG two", "Where is Start")).notes()
	require.Len(t, hard, 2)
	assert.Contains(t, hard[0], "request drift: "+file+":2: exchange 2: ")
	assert.Contains(t, hard[1], "1 screenshots differ")

	r, err := cassette.Open(file)
	require.NoError(t, err)
	assert.Equal(t, "qwen3-vl-plus", r.Model())
}
