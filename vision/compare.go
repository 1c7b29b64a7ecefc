package vision

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"

	"harness/dom"
)

// What counts as a change between two screenshots. Two shots of a page at rest
// are equal to the bit; the smallest painted answer to a press that was seen, a
// tick of 6x6 CSS px, changes about 20 px, and a blinking caret is taken out by
// the shots before the act.
const (
	pixelStep  = 24 // least difference of a channel, of 255
	changedMin = 6  // least number of px
)

// Changes says whether the last of the screenshots shows something else than
// the one before it in the area (CSS px): what had already changed among the
// earlier ones, such as an animation, does not count. Shots of different sizes
// differ. It takes two shots at least.
func Changes(area dom.Rect, shots ...*dom.Shot) (bool, error) {
	if len(shots) < 2 {
		return false, fmt.Errorf("compare: %d screenshots", len(shots))
	}
	last, before := shots[len(shots)-1], shots[len(shots)-2]
	if bytes.Equal(last.PNG, before.PNG) {
		return false, nil
	}
	var imgs []*image.NRGBA
	for _, s := range shots {
		if s.Width != last.Width || s.Height != last.Height {
			return true, nil
		}
		img, err := pixels(s)
		if err != nil {
			return false, err
		}
		imgs = append(imgs, img)
	}
	lo, hi := FromCSS(last, dom.Point{X: area.X, Y: area.Y}), FromCSS(last, dom.Point{X: area.Right(), Y: area.Bottom()})
	part := image.Rect(int(math.Floor(lo.X)), int(math.Floor(lo.Y)), int(math.Ceil(hi.X)), int(math.Ceil(hi.Y)))
	return changed(part.Intersect(imgs[0].Rect), imgs), nil
}

func changed(part image.Rectangle, imgs []*image.NRGBA) bool {
	n, found := len(imgs), 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			i := imgs[0].PixOffset(x, y)
			if !apart(imgs[n-2].Pix[i:i+3], imgs[n-1].Pix[i:i+3]) || restless(imgs[:n-1], i) {
				continue
			}
			if found++; found >= changedMin {
				return true
			}
		}
	}
	return false
}

// restless reports a px that changed before the act.
func restless(imgs []*image.NRGBA, i int) bool {
	for k := 1; k < len(imgs); k++ {
		if apart(imgs[k-1].Pix[i:i+3], imgs[k].Pix[i:i+3]) {
			return true
		}
	}
	return false
}

func apart(a, b []uint8) bool {
	for i := range a {
		if d := int(a[i]) - int(b[i]); d >= pixelStep || d <= -pixelStep {
			return true
		}
	}
	return false
}

// pixels decodes a screenshot.
func pixels(s *dom.Shot) (*image.NRGBA, error) {
	img, err := png.Decode(bytes.NewReader(s.PNG))
	if err != nil {
		return nil, fmt.Errorf("screenshot: %v", err)
	}
	switch src := img.(type) {
	case *image.NRGBA:
		return src, nil
	case *image.RGBA: // opaque, so that both mean the same
		return &image.NRGBA{Pix: src.Pix, Stride: src.Stride, Rect: src.Rect}, nil
	}
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Set(x, y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return out, nil
}
