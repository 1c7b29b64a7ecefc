package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/chat"
	"harness/vision"
)

// painter is an endpoint whose model sees: it finds what is not white on the
// image and says where that is in its own way of counting.
func painter(t *testing.T, say func(x, y float64, w, h int) string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, y, iw, ih, err := square(r)
		if !assert.NoError(t, err) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		assert.Equal(t, "Bearer secret-1", r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "1", "object": "chat.completion", "model": "eye-1",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": say(x, y, iw, ih)}}},
			"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
		})
	}))
	t.Cleanup(s.Close)
	return s
}

// square is the middle of what is painted on the image of a request, px, and
// the size of the image.
func square(r *http.Request) (x, y float64, w, h int, err error) {
	var body struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err = json.NewDecoder(r.Body).Decode(&body); err != nil {
		return
	}
	for _, m := range body.Messages {
		var parts []struct {
			Image struct{ URL string } `json:"image_url"`
		}
		if json.Unmarshal(m.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			if data, ok := strings.CutPrefix(p.Image.URL, "data:image/png;base64,"); ok {
				return middle(data)
			}
		}
	}
	return 0, 0, 0, 0, fmt.Errorf("no image in the request")
}

func middle(data string) (x, y float64, w, h int, err error) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return
	}
	n := 0.0
	w, h = img.Bounds().Dx(), img.Bounds().Dy()
	for j := range h {
		for i := range w {
			if r, g, b, _ := img.At(i, j).RGBA(); r+g+b < 3*0xffff {
				x, y, n = x+float64(i)+.5, y+float64(j)+.5, n+1
			}
		}
	}
	return x / n, y / n, w, h, nil
}

func TestCalibrateFindsHowAModelCounts(t *testing.T) {
	for _, tt := range []struct {
		name string
		say  func(x, y float64, w, h int) string
		grid vision.Grid
		y    bool
	}{
		{"thousand", func(x, y float64, w, h int) string {
			return fmt.Sprintf("```json\n{\"point_2d\": [%.0f, %.0f]}\n```", x/float64(w)*1000, y/float64(h)*1000)
		}, vision.Grid{W: 1000, H: 1000}, false},
		{"pixels", func(x, y float64, _, _ int) string { return fmt.Sprintf(`{"point_2d": [%.0f, %.0f]}`, x, y) }, vision.Grid{}, false},
		{"y first", func(x, y float64, w, h int) string {
			return fmt.Sprintf(`{"point_2d": [%.0f, %.0f]}`, y/float64(h)*1000, x/float64(w)*1000)
		}, vision.Grid{W: 1000, H: 1000}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := workDir(t, nil)
			t.Setenv("OPENAI_BASE_URL", painter(t, tt.say).URL+"/v1")
			t.Setenv("OPENAI_API_KEY", "secret-1")
			dry := call(t.Context(), "vision", "calibrate", "--model", "acme/Eye-1")
			require.Equal(t, exitPass, dry.code, dry.err)
			assert.Contains(t, dry.out, "not kept: add --write")
			assert.Contains(t, dry.out, "px off in the mean")
			assert.NoDirExists(t, filepath.Join(dir, "config"), "without --write nothing is written")

			got := call(t.Context(), "vision", "calibrate", "--model", "acme/Eye-1", "--profile", "mine", "--write", "--json")
			require.Equal(t, exitPass, got.code, got.err)
			var out calibration
			require.NoError(t, json.Unmarshal([]byte(got.out), &out))
			require.NotNil(t, out.Profile)
			assert.Equal(t, "mine", out.Profile.Name)
			assert.Equal(t, tt.grid, out.Profile.Grid)
			assert.Equal(t, tt.y, out.Profile.YFirst)
			assert.Less(t, out.Worst, 3.0, "px")
			assert.Len(t, out.Answers, 6)
			assert.Equal(t, 660, out.Tokens)
			assert.FileExists(t, out.File)
			assert.NotContains(t, got.out, "secret-1")

			own, err := ownProfiles()
			require.NoError(t, err)
			for _, by := range []string{"", "mine"} {
				p, err := profileOf(own, "acme/Eye-1", by)
				require.NoError(t, err, by)
				assert.Equal(t, *out.Profile, p)
			}
			client, err := chat.New(chat.Options{Model: "acme/Eye-1", BaseURL: "http://127.0.0.1:1/v1"})
			require.NoError(t, err)
			_, err = eyes(client, "")
			assert.NoError(t, err, "a model that was unknown is known now")
		})
	}
}

func TestCalibrateRefusesWhatNothingExplains(t *testing.T) {
	dir := workDir(t, nil)
	n := 0
	s := painter(t, func(float64, float64, int, int) string {
		n++
		return fmt.Sprintf(`{"point_2d": [%d, %d]}`, 37*n%900, 911*n%700)
	})
	t.Setenv("OPENAI_BASE_URL", s.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", "secret-1")
	got := call(t.Context(), "vision", "calibrate", "--model", "eye-1", "--write")
	assert.Equal(t, exitFailed, got.code)
	assert.Contains(t, got.out, "no grid explains the answers")
	assert.NoDirExists(t, filepath.Join(dir, "config"))
}

func TestVisionFlagErrors(t *testing.T) {
	bad := func(text string) map[string]string {
		return map[string]string{"s.yaml": shop, "shop/index.html": "", "config/harness/profiles/mine.json": text}
	}
	run := []string{"run", "s.yaml", "--vision-model", "eye-1", "--evidence", "none"}
	for _, tt := range []struct {
		name  string
		files map[string]string
		args  []string
		want  string
	}{
		{"no model", nil, []string{"vision", "calibrate"}, "no vision model"},
		{"no word", nil, []string{"vision", "calibrat"}, `unknown command "calibrat"`},
		{"no file name", nil, []string{"vision", "calibrate", "--model", "m", "--profile", "../x"}, "small letters"},
		{"a shipped name", nil, []string{"vision", "calibrate", "--model", "m", "--profile", "qwen3-vl"}, "a shipped profile bears that name"},
		{"a profile of no model", bad(`{"name":"mine","grid":{},"resize":{},"zoom":{}}`), []string{"run", "s.yaml", "--profile", "mine"}, "of which model"},
		{"an unknown model", bad(`{"name":"mine","grid":{},"resize":{},"zoom":{}}`), run, "harness vision calibrate"},
		{"an unknown profile", bad(`{"name":"mine","grid":{},"resize":{},"zoom":{}}`), append(run, "--profile", "yours"), `profile "yours" is not known`},
		{"a broken file", bad(`{`), run, "mine.json: no profile"},
		{"an unknown field", bad(`{"name":"mine","gird":{}}`), run, `unknown field "gird"`},
		{"another name", bad(`{"name":"yours"}`), run, `mine.json: the profile is named "yours"`},
		{"it cannot work", bad(`{"name":"mine","grid":{"w":10}}`), run, "grid of 10 by 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			workDir(t, tt.files)
			t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
			got := call(t.Context(), tt.args...)
			assert.Equal(t, exitUsage, got.code, got.err)
			assert.Contains(t, got.err, tt.want)
			assert.Empty(t, got.out)
		})
	}
}

func TestRecordedAnswersMeanTheSameEverywhere(t *testing.T) {
	dir := workDir(t, nil)
	file := filepath.Join(dir, "config", "harness", "profiles", "mine.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(`{"name":"mine","match":["qwen3-vl*"],"grid":{},"resize":{},"zoom":{}}`), 0o644))
	own, err := ownProfiles()
	require.NoError(t, err)
	p, err := profileOf(own, "qwen3-vl-plus", "")
	require.NoError(t, err)
	assert.Equal(t, "qwen3-vl", p.Name, "a profile of one's own does not change what a known model means")
	p, err = profileOf(own, "qwen3-vl-plus", "mine")
	require.NoError(t, err)
	assert.Equal(t, "mine", p.Name)
}
