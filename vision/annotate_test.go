package vision

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

// annotated is the picture that Annotate draws on a white page.
func annotated(t *testing.T, dpr float64, marks ...Mark) *image.RGBA {
	t.Helper()
	w, h := int(400*dpr), int(300*dpr)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	data, err := encode(img)
	require.NoError(t, err)
	out, err := Annotate(&dom.Shot{PNG: data, Width: w, Height: h, View: dom.Rect{W: 400, H: 300}}, marks)
	require.NoError(t, err)
	got, err := png.Decode(bytes.NewReader(out))
	require.NoError(t, err)
	require.Equal(t, img.Rect, got.Bounds())
	rgba, ok := got.(*image.RGBA)
	require.True(t, ok)
	return rgba
}

func count(img *image.RGBA, r image.Rectangle, c color.RGBA) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.RGBAAt(x, y) == c {
				n++
			}
		}
	}
	return n
}

func TestAnnotateDrawsBoxesWhereTheyAre(t *testing.T) {
	for _, dpr := range []float64{1, 1.5, 2, 3} {
		at := func(x, y float64) image.Point { return image.Pt(int(x*dpr), int(y*dpr)) }
		img := annotated(t, dpr, Mark{Box: dom.Rect{X: 100, Y: 100, W: 60, H: 40}, Label: "BUTTON", Number: 7})
		col := colorOf("BUTTON")
		for _, p := range []image.Point{at(130, 100), at(100, 120), at(160, 120).Sub(image.Pt(1, 0)), at(130, 140).Sub(image.Pt(0, 1))} {
			assert.Equal(t, col, img.RGBAAt(p.X, p.Y), "the side at %v, ratio %g", p, dpr)
		}
		inside := image.Rectangle{at(104, 104), at(156, 136)}
		assert.Equal(t, inside.Dx()*inside.Dy(), count(img, inside, halo), "what is in the box stays as it was")
		above := image.Rectangle{at(100, 80), at(170, 99)}
		assert.Greater(t, count(img, above, col), above.Dx()*above.Dy()/4, "the label's ground")
	}
}

func TestAnnotateWritesTheLabel(t *testing.T) {
	// the same label twice gives the same dots, another one others
	dots := func(label string, n int) []byte {
		img := annotated(t, 1, Mark{Box: dom.Rect{X: 100, Y: 100, W: 60, H: 40}, Label: "X", Number: n}, Mark{Box: dom.Rect{X: 200, Y: 200, W: 9, H: 9}, Label: label})
		var b []byte
		for y := 185; y < 200; y++ {
			b = append(b, img.Pix[img.PixOffset(195, y):img.PixOffset(300, y)]...)
		}
		return b
	}
	assert.Equal(t, dots("TAB", 1), dots("TAB", 2))
	assert.NotEqual(t, dots("TAB", 1), dots("TAG", 1))
	assert.NotPanics(t, func() { dots("日期", 3) })
}

func TestAnnotateShowsTheChosenOneAndThePress(t *testing.T) {
	box := dom.Rect{X: 50, Y: 50, W: 100, H: 40}
	p := box.Center()
	img := annotated(t, 2, Mark{Box: box, Label: "LINK"}, Mark{Box: box, Label: "LINK", Chosen: true, Point: &p})
	assert.Equal(t, chosen, img.RGBAAt(200, 97), "thick, around the box")
	assert.Equal(t, pressed, img.RGBAAt(200, 140), "the press's middle")
	assert.Equal(t, pressed, img.RGBAAt(200+16, 140), "its ring")
	assert.Equal(t, halo, img.RGBAAt(200+9, 140), "free in between")
}

func TestLabelsDoNotCoverEachOther(t *testing.T) {
	c := newCanvas(image.NewRGBA(image.Rect(0, 0, 400, 300)), dom.Rect{W: 400, H: 300})
	for i := range 4 {
		c.box(Mark{Box: dom.Rect{X: 100, Y: 100, W: 80, H: 60}, Number: i + 1, Label: "BUTTON"})
	}
	require.Len(t, c.labels, 4)
	for i, a := range c.labels {
		for _, b := range c.labels[:i] {
			assert.False(t, a.Overlaps(b))
		}
	}
}

func TestAnnotateOddMarks(t *testing.T) {
	far := dom.Point{X: 5000, Y: -70}
	img := annotated(t, 1,
		Mark{Box: dom.Rect{X: -500, Y: 10, W: 20, H: 20}, Label: "A"},
		Mark{Box: dom.Rect{X: 390, Y: 290, W: 1e9, H: 1e9}, Label: "CORNER", Number: 1},
		Mark{Box: dom.Rect{X: 10, Y: 10, W: 0.2, H: 0.2}, Label: "TINY"},
		Mark{Point: &far}, Mark{})
	assert.Equal(t, colorOf("CORNER"), img.RGBAAt(395, 290))
	_, err := Annotate(&dom.Shot{PNG: []byte("x"), View: viewport}, nil)
	assert.ErrorContains(t, err, "annotate: screenshot")
	_, err = Annotate(&dom.Shot{PNG: pngOf(t, 10, 10)}, nil)
	assert.ErrorContains(t, err, "shows nothing")
}

func TestAnnotateMapsAClippedView(t *testing.T) {
	data := pngOf(t, 200, 100)
	out, err := Annotate(&dom.Shot{PNG: data, Width: 200, Height: 100, View: dom.Rect{X: 50, Y: 60, W: 100, H: 50}},
		[]Mark{{Box: dom.Rect{X: 60, Y: 70, W: 20, H: 10}, Label: "B"}})
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(out))
	require.NoError(t, err)
	assert.Equal(t, colorOf("B"), color.RGBAModel.Convert(img.At(40, 20)))
}

func TestFastEncoderKeepsEveryPixel(t *testing.T) {
	for _, s := range []Size{{1, 1}, {3, 2}, {1280, 37}} {
		img := image.NewRGBA(image.Rect(0, 0, s.W, s.H))
		for i := range img.Pix {
			img.Pix[i] = byte(i*i>>3 + i)
			if i%4 == 3 {
				img.Pix[i] = 255
			}
		}
		b, err := encodeFast(img)
		require.NoError(t, err)
		got, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		require.IsType(t, img, got)
		assert.Equal(t, img.Pix, got.(*image.RGBA).Pix)
	}
}

// Evidence of every step: on a quiet core 15-20 ms.
func BenchmarkAnnotate(b *testing.B) {
	shot := &dom.Shot{PNG: pngOf(b, 1280, 800), Width: 1280, Height: 800, View: viewport}
	var marks []Mark
	for i := range 100 {
		marks = append(marks, Mark{Box: dom.Rect{X: float64(20 + i%12*100), Y: float64(20 + i/12*60), W: 80, H: 30}, Number: i + 1, Label: "BUTTON", Chosen: i == 50})
	}
	for b.Loop() {
		_, err := Annotate(shot, marks)
		require.NoError(b, err)
	}
}
