package vision

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/disintegration/imaging"

	"harness/dom"
)

// Sent is the image of a request with the way back to the screenshot.
type Sent struct {
	Geometry
	PNG []byte
}

// PNGSize reads the size of an image from its header.
func PNGSize(data []byte) (Size, error) {
	const header = "\x89PNG\r\n\x1a\n"
	if len(data) < 24 || string(data[:8]) != header || string(data[12:16]) != "IHDR" {
		return Size{}, errors.New("screenshot: not a PNG image")
	}
	s := Size{int(binary.BigEndian.Uint32(data[16:])), int(binary.BigEndian.Uint32(data[20:]))}
	if s.W <= 0 || s.H <= 0 || s.W > 1<<15 || s.H > 1<<15 {
		return Size{}, fmt.Errorf("screenshot: a size of %s px", s)
	}
	return s, nil
}

// Prepare makes the image for a request: the whole screenshot, or the part of
// it that crop names, at the size that the family's server keeps.
func (p Profile) Prepare(shot *dom.Shot, crop *Rect) (*Sent, error) {
	g, err := p.geometry(shot, crop)
	if err != nil {
		return nil, err
	}
	s := &Sent{Geometry: g, PNG: shot.PNG}
	if g.Sent == g.Shot && crop == nil {
		return s, nil
	}
	s.PNG, err = redraw(shot.PNG, g)
	return s, err
}

func (p Profile) geometry(shot *dom.Shot, crop *Rect) (Geometry, error) {
	size, err := PNGSize(shot.PNG)
	if err != nil {
		return Geometry{}, err
	}
	if size.W != shot.Width || size.H != shot.Height {
		return Geometry{}, fmt.Errorf("screenshot: %s px in the image, %dx%d px declared", size, shot.Width, shot.Height)
	}
	if shot.View.Empty() {
		return Geometry{}, errors.New("screenshot: it shows nothing of the page")
	}
	g := Geometry{Shot: size, View: shot.View, Crop: Rect{0, 0, float64(size.W), float64(size.H)}}
	part := size
	if crop != nil {
		g.Crop = crop.whole(size)
		part = Size{int(g.Crop.W), int(g.Crop.H)}
	}
	return g, p.sizes(&g, part, crop != nil)
}

// zoomTo is the least width and height of an enlarged part, px.
const zoomTo = 800

// sizes fills in what the image will measure.
func (p Profile) sizes(g *Geometry, part Size, zoomed bool) error {
	if zoomed {
		part = part.enlarged()
	}
	var err error
	if g.Scaled, err = p.Resize.Size(part); err != nil {
		return fmt.Errorf("screenshot: %w", err)
	}
	// Padding alone is better than scaling where the server keeps the outcome.
	if pad := part.padded(p.Pad); p.Pad > 0 {
		if kept, err := p.Resize.Size(pad); err == nil && kept == pad {
			g.Scaled = part
		}
	}
	g.Sent = g.Scaled.padded(p.Pad)
	if g.Model, err = p.Resize.Size(g.Sent); err != nil {
		return fmt.Errorf("screenshot: %w", err)
	}
	return nil
}

// enlarged is a whole multiple of s with sides of at least zoomTo.
func (s Size) enlarged() Size {
	k := 1
	for k < 4 && min(s.W, s.H)*k < zoomTo {
		k++
	}
	return Size{s.W * k, s.H * k}
}

// whole is r on whole px inside the image, at least one px large.
func (r Rect) whole(s Size) Rect {
	x := min(max(0, int(r.X)), s.W-1)
	y := min(max(0, int(r.Y)), s.H-1)
	w := min(max(1, int(r.X+r.W+0.5)-x), s.W-x)
	h := min(max(1, int(r.Y+r.H+0.5)-y), s.H-y)
	return Rect{float64(x), float64(y), float64(w), float64(h)}
}

// redraw cuts, scales and pads.
func redraw(data []byte, g Geometry) ([]byte, error) {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("screenshot: %v", err)
	}
	c := image.Rect(int(g.Crop.X), int(g.Crop.Y), int(g.Crop.X+g.Crop.W), int(g.Crop.Y+g.Crop.H))
	if c != img.Bounds() {
		img = imaging.Crop(img, c)
	}
	if (Size{c.Dx(), c.Dy()}) != g.Scaled {
		img = imaging.Resize(img, g.Scaled.W, g.Scaled.H, imaging.CatmullRom)
	}
	if g.Sent != g.Scaled {
		img = imaging.Paste(imaging.New(g.Sent.W, g.Sent.H, color.White), img, image.Point{})
	}
	return encode(img)
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("image: %v", err)
	}
	return b.Bytes(), nil
}

// Around is the part of the screenshot for a second, closer look at an answer,
// and whether the profile asks for one.
func (p Profile) Around(g Geometry, m Mapped) (Rect, bool) {
	if p.Zoom.Window <= 0 {
		return Rect{}, false
	}
	if m.Box != nil && min(m.Box.Max.X-m.Box.Min.X, m.Box.Max.Y-m.Box.Min.Y) >= p.Zoom.Under {
		return Rect{}, false
	}
	w, h := p.Zoom.Window*float64(g.Shot.W), p.Zoom.Window*float64(g.Shot.H)
	x := min(max(0, m.Point.X-w/2), float64(g.Shot.W)-w)
	y := min(max(0, m.Point.Y-h/2), float64(g.Shot.H)-h)
	return Rect{x, y, w, h}, true
}
