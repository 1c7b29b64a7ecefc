package vision

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

var pngs sync.Map // Size → []byte: encoding large images takes most of the tests' time

// pngOf is an image of a page-like pattern.
func pngOf(t testing.TB, w, h int) []byte {
	if b, ok := pngs.Load(Size{w, h}); ok {
		return b.([]byte)
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{255, 255, 255, 255}
			if y/40%4 == 0 || x%97 < 12 && y%23 < 9 {
				c = color.RGBA{uint8(x * 200 / w), uint8(y * 200 / h), 90, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img))
	pngs.Store(Size{w, h}, b.Bytes())
	return b.Bytes()
}

func TestPrepareDrawsWhatTheGeometrySays(t *testing.T) {
	// four quarters in four colours
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	quarter := func(x, y int) color.RGBA { return color.RGBA{uint8(x / 100 * 255), uint8(y / 50 * 255), 0, 255} }
	for y := range 100 {
		for x := range 200 {
			img.SetRGBA(x, y, quarter(x, y))
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	shot := &dom.Shot{PNG: b.Bytes(), Width: 200, Height: 100, View: dom.Rect{W: 200, H: 100}}
	at := func(s *Sent, x, y int) color.RGBA {
		m, err := png.Decode(bytes.NewReader(s.PNG))
		require.NoError(t, err)
		return color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
	}

	same, err := Profile{Name: "a"}.Prepare(shot, nil)
	require.NoError(t, err)
	assert.Equal(t, shot.PNG, same.PNG, "nothing to do, nothing done")

	pad, err := Profile{Name: "a", Pad: 64}.Prepare(shot, nil)
	require.NoError(t, err)
	assert.Equal(t, Size{256, 128}, pad.Sent)
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, at(pad, 250, 120), "white")
	assert.Equal(t, quarter(150, 75), at(pad, 150, 75), "in its place")

	big, err := Profile{Name: "a", Resize: Resize{Rule: Smart, Factor: 100, MinPx: 80000, MaxPx: 1e6}}.Prepare(shot, nil)
	require.NoError(t, err)
	assert.Equal(t, Size{400, 200}, big.Sent)
	assert.Equal(t, quarter(150, 75), at(big, 300, 150))

	part, err := Profile{Name: "a"}.Prepare(shot, &Rect{100.4, 50.2, 60, 40})
	require.NoError(t, err)
	assert.Equal(t, Rect{100, 50, 60, 40}, part.Crop)
	assert.Equal(t, Size{240, 160}, part.Sent)
	assert.Equal(t, quarter(150, 75), at(part, 5, 5))
}

func TestTheSentImageIsAsLargeAsTheGeometrySays(t *testing.T) {
	shot := shotAt(t, 1)
	seen := map[Geometry]bool{}
	for _, p := range Profiles() {
		s, err := p.Prepare(shot, nil)
		require.NoError(t, err)
		if seen[s.Geometry] {
			continue
		}
		seen[s.Geometry] = true
		got, err := PNGSize(s.PNG)
		require.NoError(t, err)
		assert.Equal(t, s.Sent, got, p.Name)
	}
	assert.Len(t, seen, 4, "as it is, scaled by two rules, padded")
}
