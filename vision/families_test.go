package vision

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

// viewport is what the screenshots of the tests show, CSS px.
var viewport = dom.Rect{W: 1280, H: 800}

// shotAt is a screenshot of the viewport at a device pixel ratio.
func shotAt(t testing.TB, dpr float64) *dom.Shot {
	w, h := int(viewport.W*dpr), int(viewport.H*dpr)
	return &dom.Shot{PNG: pngOf(t, w, h), Width: w, Height: h, View: viewport, Scale: dpr}
}

func profileNamed(t testing.TB, name string) Profile {
	p, err := ProfileNamed(name)
	require.NoError(t, err)
	return p
}

// Every shipped profile, from the raw answer to the CSS point, at four device
// pixel ratios. The tolerance is what rounding to the family's grid costs.
func TestEveryProfileFromAnswerToCSS(t *testing.T) {
	for _, p := range Profiles() {
		require.NotEmpty(t, sayings[p.Name], "profile %s has no answer in this test", p.Name)
		for _, dpr := range []float64{1, 1.5, 2, 3} {
			shot := shotAt(t, dpr)
			g, err := p.geometry(shot, nil)
			require.NoError(t, err)
			require.Equal(t, g.Sent, g.Model, "%s at %g: the server keeps the size", p.Name, dpr)
			for i, say := range sayings[p.Name] {
				raw := say(inUnits(p, g, 20))
				r, err := p.ReadPlace(raw)
				if !assert.NoError(t, err, "%s %d: %s", p.Name, i, raw) {
					continue
				}
				m, err := p.Map(g, r.Places[0])
				if !assert.NoError(t, err, "%s %d: %s", p.Name, i, raw) {
					continue
				}
				css := ToCSS(shot, m.Point)
				tol := tolerance(p, dpr)
				assert.InDelta(t, target.X, css.X, tol, "%s at %g: %s\n%v", p.Name, dpr, raw, m.Chain)
				assert.InDelta(t, target.Y, css.Y, tol, "%s at %g: %s\n%v", p.Name, dpr, raw, m.Chain)
				assert.Empty(t, m.Flags, raw)
			}
		}
	}
}

func tolerance(p Profile, dpr float64) float64 {
	switch {
	case p.Grid.px():
		return 1.2 // shrunk images count in px of more than one CSS px
	case p.Grid.W == 1:
		return 0.1
	}
	return viewport.W / p.Grid.W * 0.6
}

func TestTheChainSaysEveryNumber(t *testing.T) {
	p := profileNamed(t, "ui-tars-1.5")
	sent, err := p.Prepare(&dom.Shot{PNG: pngOf(t, 1920, 1080), Width: 1920, Height: 1080, View: dom.Rect{W: 1280, H: 720}}, nil)
	require.NoError(t, err)
	m, err := p.Map(sent.Geometry, Place{Nums: []float64{900, 480, 1100, 520}})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"shot: 1920x1080 px",
		"sent: 1932x1092 px, by the rule smart",
		"model: box (900, 480, 1100, 520) on px of 1932x1092",
		"centre: (1000, 500)",
		"sent: (1000, 500) of 1932x1092 px",
		"screenshot: (993.789, 494.505) of 1920x1080 px",
		"css: (662.526, 329.67) px",
	}, m.Chain)
	assert.InDelta(t, 894.41, m.Box.Min.X, 0.01)
}

// The rows V2, V3: one text, two points, by profile.
func TestSameTextTwoProfiles(t *testing.T) {
	const raw = "click(start_box='(1000,500)')"
	shot := &dom.Shot{PNG: pngOf(t, 1920, 1080), Width: 1920, Height: 1080, View: dom.Rect{W: 1920, H: 1080}}
	for name, want := range map[string]Point{"ui-tars-1.5": {993.789, 494.505}, "ui-tars-1.0": {1919, 540}} {
		p := profileNamed(t, name)
		sent, err := p.Prepare(shot, nil)
		require.NoError(t, err)
		r, err := p.ReadPlace(raw)
		require.NoError(t, err)
		m, err := p.Map(sent.Geometry, r.Places[0])
		require.NoError(t, err)
		assert.InDelta(t, want.X, m.Point.X, 0.001, name)
		assert.InDelta(t, want.Y, m.Point.Y, 0.001, name)
	}
}

// The rows V5 and V8: the scale is that of the images themselves.
func TestScaleFromTheImageItself(t *testing.T) {
	p := profileNamed(t, "grid-1000")
	for name, tc := range map[string]struct {
		w, h int
		view dom.Rect
		want dom.Point
	}{
		"a short page in a tall viewport": {1280, 300, dom.Rect{W: 1280, H: 300}, dom.Point{X: 640, Y: 150}},
		"an emulated scale of 0.8":        {1024, 640, dom.Rect{W: 1280, H: 800}, dom.Point{X: 640, Y: 400}},
		"a clip of the viewport":          {200, 100, dom.Rect{X: 30, Y: 40, W: 100, H: 50}, dom.Point{X: 80, Y: 65}},
		"another scale each way":          {640, 800, dom.Rect{W: 1280, H: 800}, dom.Point{X: 640, Y: 400}},
	} {
		shot := &dom.Shot{PNG: pngOf(t, tc.w, tc.h), Width: tc.w, Height: tc.h, View: tc.view}
		sent, err := p.Prepare(shot, nil)
		require.NoError(t, err)
		m, err := p.Map(sent.Geometry, Place{Nums: []float64{500, 500}})
		require.NoError(t, err)
		css := ToCSS(shot, m.Point)
		assert.InDelta(t, tc.want.X, css.X, 0.001, name)
		assert.InDelta(t, tc.want.Y, css.Y, 0.001, name)
	}
	_, err := p.Prepare(&dom.Shot{PNG: pngOf(t, 640, 400), Width: 1280, Height: 800, View: viewport}, nil)
	assert.ErrorContains(t, err, "640x400 px in the image, 1280x800 px declared")
	_, err = p.Prepare(&dom.Shot{PNG: pngOf(t, 64, 40), Width: 64, Height: 40}, nil)
	assert.ErrorContains(t, err, "shows nothing")
	_, err = p.Prepare(&dom.Shot{PNG: []byte("GIF89a"), View: viewport}, nil)
	assert.ErrorContains(t, err, "not a PNG")
}

// The row V7: at a ratio of 2 a target of 60 by 60 is hit in every grid.
func TestSmallTargetsAreHit(t *testing.T) {
	for _, p := range Profiles() {
		shot := shotAt(t, 2)
		g, err := p.geometry(shot, nil)
		require.NoError(t, err)
		r, err := p.ReadPlace(sayings[p.Name][0](inUnits(p, g, 15)))
		require.NoError(t, err)
		m, err := p.Map(g, r.Places[0])
		require.NoError(t, err)
		box := dom.Rect{X: target.X - 15, Y: target.Y - 15, W: 30, H: 30}
		assert.True(t, box.Contains(ToCSS(shot, m.Point)), p.Name)
	}
}

// The row V11: 999 means the last pixel under one profile, and not under the other.
func TestThousandOrNines(t *testing.T) {
	g := Geometry{Shot: Size{5000, 100}, View: dom.Rect{W: 5000, H: 100}, Crop: Rect{0, 0, 5000, 100}, Scaled: Size{5000, 100}, Sent: Size{5000, 100}, Model: Size{5000, 100}}
	for name, want := range map[string]float64{"qwen3-vl": 4995, "qwen3-vl-999": 4999, "deepseek-vl2": 4999} {
		m, err := profileNamed(t, name).Map(g, Place{Nums: []float64{999, 999}})
		require.NoError(t, err)
		assert.InDelta(t, want, m.Point.X, 0.001, name)
		assert.Less(t, m.Point.Y, 100.0)
	}
}

func TestMapRefusesAndNeverClamps(t *testing.T) {
	shot := shotAt(t, 1)
	for name, tc := range map[string]struct {
		profile string
		nums    []float64
		want    string
	}{
		"V10: beyond the grid":   {"qwen3-vl", []float64{1102, 500}, "(1102, 500) is outside the grid of 1000x1000"},
		"below zero":             {"qwen3-vl", []float64{-1, 500}, "outside the grid"},
		"a corner beyond":        {"qwen3-vl", []float64{10, 10, 20, 1001}, "outside the grid"},
		"1000 of 999":            {"deepseek-vl2", []float64{1000, 10}, "outside the grid of 999x999"},
		"px beyond the image":    {"qwen2.5-vl", []float64{1289, 10}, "outside the grid of 1288x812"},
		"absolute in a relative": {"gui-plus-2026", []float64{2530, 314}, "outside the grid"},
		"percent above 100":      {"molmo", []float64{615, 406}, "outside the grid of 100x100"},
		"right before left":      {"qwen3-vl", []float64{20, 10, 10, 30}, "another order of the numbers?"},
		"below before above":     {"qwen3-vl", []float64{10, 30, 20, 10}, "another order of the numbers?"},
		"fractions in px":        {"qwen2.5-vl", []float64{0.51, 0.33}, "looks like fractions"},
		"fractions in 1000":      {"qwen3-vl", []float64{0.51, 0.33, 0.6, 0.4}, "looks like fractions"},
		"padding":                {"qwen2.5-vl-padded", []float64{1285, 400}, "lies in the padding"},
		"padding below":          {"qwen2.5-vl-padded", []float64{100, 805}, "lies in the padding"},
		"three numbers":          {"qwen3-vl", []float64{1, 2, 3}, "neither a point nor a box"},
	} {
		p := profileNamed(t, tc.profile)
		sent, err := p.Prepare(shot, nil)
		require.NoError(t, err)
		_, err = p.Map(sent.Geometry, Place{Nums: tc.nums})
		assert.ErrorContains(t, err, tc.want, name)
	}
}

func TestTheGridsEndIsTheLastPixel(t *testing.T) {
	for _, dpr := range []float64{1, 2} {
		shot := shotAt(t, dpr)
		for _, p := range Profiles() {
			g, err := p.geometry(shot, nil)
			require.NoError(t, err)
			end := Place{Nums: []float64{p.Grid.W, p.Grid.H}, Named: true}
			if p.Grid.px() {
				end.Nums = []float64{float64(g.Model.W), float64(g.Model.H)}
			}
			m, err := p.Map(g, end)
			if g.Sent != g.Scaled {
				assert.ErrorContains(t, err, "padding", p.Name)
				continue
			}
			require.NoError(t, err, p.Name)
			assert.Equal(t, Point{float64(shot.Width - 1), float64(shot.Height - 1)}, m.Point, p.Name)
			m, err = p.Map(g, Place{Nums: []float64{0, 0}})
			require.NoError(t, err, p.Name)
			assert.Equal(t, Point{}, m.Point, p.Name)
		}
	}
}

func TestSuspicionsAreFlagsOnly(t *testing.T) {
	p := profileNamed(t, "qwen3-vl")
	sent, err := p.Prepare(shotAt(t, 1), nil)
	require.NoError(t, err)
	for want, nums := range map[string][]float64{
		"fractions?":              {1, 1},
		"covers 81% of the image": {50, 50, 950, 950},
		"the box is only 1x2":     {50, 50, 51, 52},
	} {
		m, err := p.Map(sent.Geometry, Place{Nums: nums})
		require.NoError(t, err)
		require.Len(t, m.Flags, 1, want)
		assert.Contains(t, m.Flags[0], want)
	}
}

func TestASecondLookMapsBack(t *testing.T) {
	p := profileNamed(t, "pixels-zoom")
	shot := shotAt(t, 1.5)
	sent, err := p.Prepare(shot, nil)
	require.NoError(t, err)
	first, err := p.Map(sent.Geometry, Place{Nums: []float64{1900, 60}})
	require.NoError(t, err)
	part, ok := p.Around(sent.Geometry, first)
	require.True(t, ok)
	assert.Equal(t, Rect{1152, 0, 768, 480}, part, "as far to the right as the screenshot goes")

	close, err := p.Prepare(shot, &part)
	require.NoError(t, err)
	assert.Equal(t, Size{1536, 960}, close.Sent, "enlarged")
	m, err := p.Map(close.Geometry, Place{Nums: []float64{1000, 200}})
	require.NoError(t, err)
	assert.Equal(t, Point{1152 + 500, 100}, m.Point)
	assert.Contains(t, m.Chain[1], "the part (1152, 0) 768x480")

	_, ok = p.Around(sent.Geometry, Mapped{Box: &Box{Point{0, 0}, Point{60, 60}}})
	assert.False(t, ok, "large enough")
	_, ok = profileNamed(t, "pixels").Around(sent.Geometry, first)
	assert.False(t, ok, "the profile does not want it")
}

func TestErrAbsentIsNoReplyError(t *testing.T) {
	_, err := profileNamed(t, "qwen3-vl").ReadPlace("not found")
	require.ErrorIs(t, err, ErrAbsent)
	var re *ReplyError
	assert.False(t, errors.As(err, &re))
}
