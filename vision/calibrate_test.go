package vision

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlatesShowOneThingWhereTheySay(t *testing.T) {
	ps, err := Plates()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(ps), minSamples)
	for _, p := range ps {
		img, err := png.Decode(bytes.NewReader(p.Shot.PNG))
		require.NoError(t, err)
		require.Equal(t, image.Pt(plateSize.W, plateSize.H), img.Bounds().Size())
		var sum Point
		n := 0.0
		for y := range plateSize.H {
			for x := range plateSize.W {
				if img.(*image.RGBA).RGBAAt(x, y) != (color.RGBA{255, 255, 255, 255}) {
					sum, n = Point{sum.X + float64(x) + 0.5, sum.Y + float64(y) + 0.5}, n+1
				}
			}
		}
		assert.InDelta(t, p.At.X, sum.X/n, 0.01, p.Words)
		assert.InDelta(t, p.At.Y, sum.Y/n, 0.01, p.Words)
		assert.Greater(t, math.Abs(p.At.X-p.At.Y), 100.0, "x and y cannot be taken for each other")
	}
}

// answers are those of a model that counts in a way, with an aim that is off
// by some px, as aims are.
func answers(t *testing.T, grid func(Size) (w, h float64), yFirst bool, form string, noise float64) []Sample {
	ps, err := Plates()
	require.NoError(t, err)
	var out []Sample
	for i, p := range ps {
		w, h := grid(plateSize)
		off := noise * float64(i%3-1)
		x, y := (p.At.X+off)/float64(plateSize.W)*w, (p.At.Y-off)/float64(plateSize.H)*h
		if yFirst {
			x, y = y, x
		}
		out = append(out, Sample{p, fmt.Sprintf(form, x, y)})
	}
	return out
}

func TestFitFindsHowAModelCounts(t *testing.T) {
	fixed := func(w, h float64) func(Size) (float64, float64) {
		return func(Size) (float64, float64) { return w, h }
	}
	rule := func(r Resize) func(Size) (float64, float64) {
		return func(s Size) (float64, float64) {
			got, err := r.Size(s)
			require.NoError(t, err)
			return float64(got.W), float64(got.H)
		}
	}
	const ints, box = "[%.0f, %.0f]", `{"point_2d": [%.0f, %.0f]}`
	for name, tc := range map[string]struct {
		grid   func(Size) (float64, float64)
		yFirst bool
		form   string
		want   Profile
	}{
		"thousand":     {fixed(1000, 1000), false, box, Profile{Grid: thousand}},
		"thousand, y":  {fixed(1000, 1000), true, ints, Profile{Grid: thousand, YFirst: true}},
		"percent":      {fixed(100, 100), false, `<point x="%.1f" y="%.1f">a</point>`, Profile{Grid: percent}},
		"fractions":    {fixed(1, 1), false, "(%.3f, %.3f)", Profile{Grid: fractions}},
		"px as sent":   {rule(Resize{}), false, ints, Profile{}},
		"px, y":        {rule(Resize{}), true, ints, Profile{YFirst: true}},
		"px of 28":     {rule(smart(28, 3136, tokens1k)), false, ints, Profile{Resize: smart(28, 3136, tokens1k)}},
		"px of claude": {rule(claudeStd), false, ints, Profile{Resize: claudeStd}},
		"px of tiles":  {rule(gptTiles), false, ints, Profile{Resize: gptTiles}},
	} {
		got, err := Fit("Acme/New-Model-7B", answers(t, tc.grid, tc.yFirst, tc.form, 2))
		if !assert.NoError(t, err, name) {
			continue
		}
		assert.Equal(t, tc.want.Grid, got.Profile.Grid, name)
		assert.Equal(t, tc.want.YFirst, got.Profile.YFirst, name)
		assert.Equal(t, tc.want.Resize, got.Profile.Resize, name)
		assert.Less(t, got.Error, 6.0, name)
		assert.GreaterOrEqual(t, got.Worst, got.Error)
		assert.NoError(t, got.Profile.Check(), name)
		assert.Equal(t, []string{"new-model-7b"}, got.Profile.Match)
	}
}

func TestFitRefusesWhatItCannotExplain(t *testing.T) {
	thousandth := func(Size) (float64, float64) { return 1000, 1000 }
	_, err := Fit("m", answers(t, thousandth, false, "somewhere %[1]s", 0))
	assert.ErrorIs(t, err, ErrNoFit)
	wild := answers(t, thousandth, false, "[%.0f, %.0f]", 0)
	for i := range wild {
		wild[i].Raw = wild[(i+2)%len(wild)].Raw // right numbers, wrong things
	}
	_, err = Fit("m", wild)
	assert.ErrorIs(t, err, ErrNoFit)
	assert.ErrorContains(t, err, "misses by")
	few := answers(t, thousandth, false, "[%.0f, %.0f]", 0)
	for i := range few[:3] {
		few[i].Raw = "not found"
	}
	_, err = Fit("m", few)
	assert.ErrorContains(t, err, "fewer than 4 of 6")
}
