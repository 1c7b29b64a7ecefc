package trace_test

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/trace"
)

func TestSecretsAreNeverWritten(t *testing.T) {
	secrets := []string{`pa"ss&<word>`, "hunter2", "hunter2 and more", "sk-密钥"}
	run, err := trace.New(t.TempDir(), trace.Options{Secrets: secrets})
	require.NoError(t, err)
	r := resolution()
	r.Words, r.Value = `type hunter2 and more`, `pa"ss&<word>`
	r.Chosen.Reasons = []string{"value sk-密钥"}
	sc := run.Scenario(trace.About{Suite: "s", Name: "login", Task: "log in with hunter2"})
	html := `<p title="pa&quot;ss&amp;&lt;word&gt;">hunter2 and more sk-密钥 pa"ss&amp;&lt;word&gt;</p><iframe srcdoc="&lt;p title=&quot;pa&amp;quot;ss&amp;amp;&amp;lt;word&amp;gt;&quot;&gt;"></iframe>`
	step(sc, "type", page{html: html}, trace.Outcome{Resolution: r, URL: "https://x.test/?k=sk-%E5%AF%86%E9%92%A5", Err: errors.New("no hunter2")})
	sc.End(trace.Failed, "hunter2 is wrong")
	require.NoError(t, run.Close(trace.Failed))
	files := 0
	err = filepath.WalkDir(run.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text := strings.ToLower(read(t, path))
		for _, bad := range []string{"hunter2", "密钥", "%e5%af%86", "ss&<word", `ss&amp;`, `ss\u0026`, "and more", "ss&amp;amp;"} {
			assert.NotContains(t, text, bad, path)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, 5, files)
}

func TestSecretsAreBlackenedOnTheScreenshot(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{Secrets: []string{"hunter2"}})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{})
	step(sc, "click", page{html: `<input value="••••••" data-harness-masked="20 20 40 10"><iframe srcdoc="&lt;p data-harness-masked=&quot;80 0 10 5&quot;&gt;"></iframe>`}, trace.Outcome{})
	require.NoError(t, run.Close(trace.Passed))
	img, err := png.Decode(strings.NewReader(read(t, run.Dir(), "01-click.png")))
	require.NoError(t, err)
	black := color.RGBA{A: 255}
	for _, p := range []image.Point{{40, 40}, {119, 59}, {165, 5}} {
		assert.Equal(t, black, color.RGBAModel.Convert(img.At(p.X, p.Y)), p)
	}
	assert.NotEqual(t, black, color.RGBAModel.Convert(img.At(10, 90)))
}

func TestScreenshotIsLeftOutWhereSecretsMayShow(t *testing.T) {
	run, err := trace.New(t.TempDir(), trace.Options{Secrets: []string{"hunter2"}})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{})
	step(sc, "click", page{htmlErr: errors.New("no page")}, trace.Outcome{})
	require.NoError(t, run.Close(trace.Passed))
	assert.NoFileExists(t, filepath.Join(run.Dir(), "01-click.png"))
	assert.Contains(t, read(t, run.Dir(), "01-click.json"), "secrets")
}

func TestShortSecretIsRefused(t *testing.T) {
	_, err := trace.New(t.TempDir(), trace.Options{Secrets: []string{"ab"}})
	require.EqualError(t, err, "evidence: a secret of 2 characters is too short to mask (at least 3)")
}
