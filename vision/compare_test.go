package vision

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

// shotOf is a grey screenshot of 100x80 CSS px at two px each, with boxes
// (CSS px) painted black.
func shotOf(t *testing.T, boxes ...image.Rectangle) *dom.Shot {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 200, 160))
	draw.Draw(img, img.Rect, image.NewUniform(color.Gray{200}), image.Point{}, draw.Src)
	for _, b := range boxes {
		draw.Draw(img, image.Rect(2*b.Min.X, 2*b.Min.Y, 2*b.Max.X, 2*b.Max.Y), image.Black, image.Point{}, draw.Src)
	}
	data, err := encodeFast(img)
	require.NoError(t, err)
	return &dom.Shot{PNG: data, Width: 200, Height: 160, View: dom.Rect{W: 100, H: 80}, Scale: 2}
}

func TestChanges(t *testing.T) {
	area := dom.Rect{X: 50, Y: 40, W: 50, H: 40}
	in, out, edge := image.Rect(60, 50, 64, 54), image.Rect(10, 10, 20, 20), image.Rect(99, 79, 101, 81)
	for _, tt := range []struct {
		name  string
		shots []*dom.Shot
		want  bool
	}{
		{"the same", []*dom.Shot{shotOf(t), shotOf(t)}, false},
		{"in the area", []*dom.Shot{shotOf(t), shotOf(t, in)}, true},
		{"outside", []*dom.Shot{shotOf(t), shotOf(t, out)}, false},
		{"too little", []*dom.Shot{shotOf(t), shotOf(t, edge)}, false},
		{"gone again", []*dom.Shot{shotOf(t), shotOf(t, in), shotOf(t)}, false},
		{"before and besides", []*dom.Shot{shotOf(t), shotOf(t, in), shotOf(t, image.Rect(80, 60, 84, 64))}, true},
		{"only before", []*dom.Shot{shotOf(t), shotOf(t, in), shotOf(t, in)}, false},
		{"another size", []*dom.Shot{shotOf(t), {PNG: []byte("x"), Width: 100, Height: 80, View: dom.Rect{W: 100, H: 80}}}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Changes(area, tt.shots...)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
	_, err := Changes(area, shotOf(t))
	assert.Error(t, err, "one is not two")
	_, err = Changes(area, shotOf(t), &dom.Shot{PNG: []byte("x"), Width: 200, Height: 160, View: dom.Rect{W: 100, H: 80}})
	assert.Error(t, err, "no image")
}
