package vision

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors were computed with the makers' own rule.
func TestSmartResizeGolden(t *testing.T) {
	rules := []Resize{
		smart(28, 3136, tokens16k), smart(28, 3136, tokens1k), smart(32, 4096, tokens16k), smart(32, 4096, tokens1k), uiTars28,
	}
	for _, tc := range []struct {
		in   Size
		want [5]Size
	}{
		{Size{1280, 720}, [5]Size{{1288, 728}, {1288, 728}, {1280, 704}, {1280, 704}, {1288, 728}}},
		{Size{1280, 800}, [5]Size{{1288, 812}, {1260, 784}, {1280, 800}, {1280, 800}, {1288, 812}}},
		{Size{1366, 768}, [5]Size{{1372, 756}, {1316, 728}, {1376, 768}, {1376, 768}, {1372, 756}}},
		{Size{1440, 900}, [5]Size{{1428, 896}, {1260, 784}, {1440, 896}, {1440, 896}, {1428, 896}}},
		{Size{1920, 1080}, [5]Size{{1932, 1092}, {1316, 728}, {1920, 1088}, {1504, 832}, {1932, 1092}}},
		{Size{2560, 1440}, [5]Size{{2548, 1428}, {1316, 728}, {2560, 1440}, {1504, 832}, {2548, 1428}}},
		{Size{3008, 1758}, [5]Size{{2996, 1764}, {1288, 756}, {3008, 1760}, {1472, 864}, {2996, 1764}}},
		// V1: half-up rounding would give 1512x1036.
		{Size{1522, 1022}, [5]Size{{1512, 1008}, {1204, 812}, {1536, 1024}, {1376, 928}, {1512, 1008}}},
		{Size{375, 667}, [5]Size{{364, 672}, {364, 672}, {384, 672}, {384, 672}, {364, 672}}},
		{Size{70, 42}, [5]Size{{56, 56}, {56, 56}, {96, 64}, {96, 64}, {364, 224}}},
	} {
		for i, r := range rules {
			got, err := r.Size(tc.in)
			require.NoError(t, err)
			assert.Equal(t, tc.want[i], got, "%s under rule %d", tc.in, i)
			again, err := r.Size(got)
			require.NoError(t, err)
			assert.Equal(t, got, again, "the server finds nothing left to do")
		}
	}
	// 107 * 63 squares and two end marks are the image tokens that the maker's sample prints.
	s, err := qwen28.Size(Size{3008, 1758})
	require.NoError(t, err)
	assert.Equal(t, 6743, s.W/28*s.H/28+2)
}

func TestClaudeResizeGolden(t *testing.T) {
	for _, tc := range []struct {
		in, std, high Size
	}{
		{Size{1075, 1520}, Size{924, 1307}, Size{1075, 1520}},
		{Size{1920, 1080}, Size{1456, 819}, Size{1920, 1080}},
		{Size{1440, 900}, Size{1389, 868}, Size{1440, 900}},
		{Size{2560, 1440}, Size{1456, 819}, Size{2560, 1440}},
		{Size{1280, 800}, Size{1280, 800}, Size{1280, 800}},
		{Size{1366, 768}, Size{1366, 768}, Size{1366, 768}},
		{Size{1024, 768}, Size{1024, 768}, Size{1024, 768}},
		{Size{3840, 2160}, Size{1456, 819}, Size{2576, 1449}},
	} {
		std, err := claudeStd.Size(tc.in)
		require.NoError(t, err)
		high, err := claudeHigh.Size(tc.in)
		require.NoError(t, err)
		assert.Equal(t, tc.std, std, tc.in)
		assert.Equal(t, tc.high, high, tc.in)
		again, err := claudeStd.Size(std)
		require.NoError(t, err)
		assert.Equal(t, std, again)
	}
}

func TestTilesAndPatches(t *testing.T) {
	for _, tc := range []struct {
		rule     Resize
		in, want Size
	}{
		{gptTiles, Size{1280, 720}, Size{1280, 720}},
		{gptTiles, Size{1280, 800}, Size{1228, 768}},
		{gptTiles, Size{4096, 1024}, Size{2048, 512}},
		{gptTiles, Size{3000, 3000}, Size{768, 768}},
		{gptPatches, Size{1280, 800}, Size{1280, 800}},
		{gptOriginal, Size{2560, 1600}, Size{2560, 1600}},
		{gptOriginal, Size{7000, 700}, Size{6000, 600}},
	} {
		got, err := tc.rule.Size(tc.in)
		require.NoError(t, err)
		assert.Equal(t, tc.want, got)
	}
	for _, in := range []Size{{1920, 1080}, {3840, 2160}, {2560, 1600}, {1000, 5000}, {1537, 1024}} {
		got, err := gptPatches.Size(in)
		require.NoError(t, err)
		n := ceilDiv(got.W, 32) * ceilDiv(got.H, 32)
		assert.LessOrEqual(t, n, 1536)
		assert.True(t, n > 1300 || max(got.W, got.H) == 2048, "no smaller than it must be: %s -> %s", in, got)
		assert.InDelta(t, float64(in.W)/float64(in.H), float64(got.W)/float64(got.H), 0.01, "the aspect is kept")
		again, err := gptPatches.Size(got)
		require.NoError(t, err)
		assert.Equal(t, got, again)
	}
}

func TestResizeRefuses(t *testing.T) {
	_, err := qwen28.Size(Size{20100, 100})
	assert.ErrorContains(t, err, "image of 20100x100 px is too narrow")
	_, err = qwen28.Size(Size{0, 10})
	assert.ErrorContains(t, err, "no area")
	_, err = Resize{Rule: "odd"}.Size(Size{1, 1})
	assert.ErrorContains(t, err, `rule "odd" is not known`)
}
