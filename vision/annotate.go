package vision

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"

	"golang.org/x/image/font/basicfont"

	"harness/dom"
)

// Mark is something to be shown on a screenshot: a box with its number and
// label, a point, or both.
type Mark struct {
	Box    dom.Rect   // CSS px; an empty box is not drawn
	Number int        // shown before the label; 0 shows none
	Label  string     // the kind, for one; letters outside ASCII show as a box
	Chosen bool       // the one that was taken: drawn thick, in a colour of its own, and last
	Point  *dom.Point // CSS px; drawn as a crosshair
}

// The colours of marks: one a label, so that kinds are told apart, and those
// of the chosen one and of the point.
var (
	palette = []color.RGBA{{0, 92, 197, 255}, {130, 60, 180, 255}, {0, 120, 90, 255}, {170, 80, 0, 255}, {90, 90, 90, 255}, {0, 115, 140, 255}, {140, 20, 90, 255}}
	chosen  = color.RGBA{20, 140, 40, 255}
	pressed = color.RGBA{220, 0, 30, 255}
	halo    = color.RGBA{255, 255, 255, 255}
)

// Annotate draws the marks on a copy of the screenshot and encodes it as PNG.
// Marks outside the screenshot are left out. It fails where the screenshot is
// no PNG image. Encoding is fast rather than small.
func Annotate(shot *dom.Shot, marks []Mark) ([]byte, error) {
	src, err := png.Decode(bytes.NewReader(shot.PNG))
	if err != nil {
		return nil, fmt.Errorf("annotate: screenshot: %v", err)
	}
	if shot.View.Empty() {
		return nil, fmt.Errorf("annotate: the screenshot shows nothing of the page")
	}
	c := newCanvas(src, shot.View)
	for _, m := range marks {
		if !m.Chosen {
			c.box(m)
		}
	}
	for _, m := range marks {
		if m.Chosen {
			c.box(m)
		}
	}
	for _, m := range marks {
		if m.Point != nil {
			c.crosshair(*m.Point)
		}
	}
	return encodeFast(c.img)
}

// canvas is the image that is drawn on, with what maps CSS px to it.
type canvas struct {
	img    *image.RGBA
	view   dom.Rect
	kx, ky float64
	unit   int // px of a line's width and of a letter's dot
	labels []image.Rectangle
}

func newCanvas(src image.Image, view dom.Rect) *canvas {
	b := src.Bounds()
	img, ok := src.(*image.RGBA)
	if n, is := src.(*image.NRGBA); is && n.Opaque() {
		img, ok = &image.RGBA{Pix: n.Pix, Stride: n.Stride, Rect: n.Rect}, true // opaque: the same bytes
	}
	if !ok {
		img = image.NewRGBA(b)
		draw.Draw(img, b, src, b.Min, draw.Src)
	}
	kx, ky := float64(b.Dx())/view.W, float64(b.Dy())/view.H
	return &canvas{img: img, view: view, kx: kx, ky: ky, unit: max(1, int(math.Round(kx)))}
}

// px is a CSS box on the image.
func (c *canvas) px(r dom.Rect) image.Rectangle {
	f := func(v float64) int { return int(math.Round(min(max(v, -1e6), 1e6))) }
	return image.Rect(f((r.X-c.view.X)*c.kx), f((r.Y-c.view.Y)*c.ky), f((r.Right()-c.view.X)*c.kx), f((r.Bottom()-c.view.Y)*c.ky))
}

func (c *canvas) fill(r image.Rectangle, col color.RGBA) {
	r = r.Intersect(c.img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.img.Pix[c.img.PixOffset(r.Min.X, y):]
		for i := 0; i < r.Dx()*4; i += 4 {
			row[i], row[i+1], row[i+2], row[i+3] = col.R, col.G, col.B, 255
		}
	}
}

// frame draws the outline of a box, inside it.
func (c *canvas) frame(r image.Rectangle, w int, col color.RGBA) {
	c.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+w), col)
	c.fill(image.Rect(r.Min.X, r.Max.Y-w, r.Max.X, r.Max.Y), col)
	c.fill(image.Rect(r.Min.X, r.Min.Y, r.Min.X+w, r.Max.Y), col)
	c.fill(image.Rect(r.Max.X-w, r.Min.Y, r.Max.X, r.Max.Y), col)
}

func (c *canvas) box(m Mark) {
	if m.Box.Empty() {
		return
	}
	r := c.px(m.Box)
	if r.Dx() < 1 || r.Dy() < 1 {
		r = image.Rect(r.Min.X, r.Min.Y, r.Min.X+max(1, r.Dx()), r.Min.Y+max(1, r.Dy()))
	}
	if !r.Overlaps(c.img.Rect) {
		return
	}
	col, w := colorOf(m.Label), c.unit
	if m.Chosen {
		col, w = chosen, 3*c.unit
		c.frame(r.Inset(-w-c.unit), c.unit, halo)
		c.frame(r.Inset(-w), w, col)
	} else {
		c.frame(r, w, col)
	}
	c.label(r, m, col)
}

func colorOf(label string) color.RGBA {
	sum := 0
	for i := range len(label) {
		sum = sum*31 + int(label[i])
	}
	return palette[uint(sum)%uint(len(palette))]
}

// label writes number and label at the box: above it, else inside, below, or
// to its right, wherever no other label stands.
func (c *canvas) label(r image.Rectangle, m Mark, col color.RGBA) {
	text := m.Label
	if m.Number > 0 {
		text = strings.TrimSpace(fmt.Sprintf("%d %s", m.Number, m.Label))
	}
	if text == "" {
		return
	}
	face := basicfont.Face7x13
	size := image.Pt((len([]rune(text))*face.Advance+4)*c.unit, (face.Height+1)*c.unit)
	spots := []image.Point{
		{r.Min.X, r.Min.Y - size.Y}, r.Min, {r.Min.X, r.Max.Y}, {r.Max.X, r.Min.Y}, {r.Max.X - size.X, r.Max.Y - size.Y},
	}
	at := c.inside(spots[0], size)
	for _, s := range spots {
		if q := c.inside(s, size); c.free(q) {
			at = q
			break
		}
	}
	c.labels = append(c.labels, at)
	c.fill(at, col)
	c.text(at.Min.Add(image.Pt(2*c.unit, c.unit)), text)
}

// inside is a rectangle of the size, pushed into the image.
func (c *canvas) inside(p, size image.Point) image.Rectangle {
	p.X = max(c.img.Rect.Min.X, min(p.X, c.img.Rect.Max.X-size.X))
	p.Y = max(c.img.Rect.Min.Y, min(p.Y, c.img.Rect.Max.Y-size.Y))
	return image.Rectangle{p, p.Add(size)}
}

func (c *canvas) free(r image.Rectangle) bool {
	for _, l := range c.labels {
		if l.Overlaps(r) {
			return false
		}
	}
	return true
}

// text writes in white, each dot of a letter as large as a CSS px.
func (c *canvas) text(p image.Point, s string) {
	face := basicfont.Face7x13
	mask, ok := face.Mask.(*image.Alpha)
	if !ok {
		return // basicfont's masks have always been of this type
	}
	for _, r := range s {
		row := glyph(face, r)
		for y := range face.Height {
			for x := range face.Width {
				if row+y < mask.Rect.Dy() && mask.Pix[(row+y)*mask.Stride+x] > 0 {
					q := p.Add(image.Pt((x+face.Left)*c.unit, y*c.unit))
					c.fill(image.Rectangle{q, q.Add(image.Pt(c.unit, c.unit))}, halo)
				}
			}
		}
		p.X += face.Advance * c.unit
	}
}

// glyph is the row of the mask at which the letter begins.
func glyph(face *basicfont.Face, r rune) int {
	for _, try := range []rune{r, '\ufffd'} {
		for _, rng := range face.Ranges {
			if try >= rng.Low && try < rng.High {
				return (int(try-rng.Low) + rng.Offset) * (face.Ascent + face.Descent)
			}
		}
	}
	return 0
}

// crosshair is a ring with a dot in its middle.
func (c *canvas) crosshair(p dom.Point) {
	r := c.px(dom.Rect{X: p.X, Y: p.Y})
	u := c.unit
	for y := -11 * u; y <= 11*u; y++ {
		for x := -11 * u; x <= 11*u; x++ {
			d := math.Hypot(float64(x), float64(y)) / float64(u)
			q := r.Min.Add(image.Pt(x, y))
			switch {
			case !q.In(c.img.Rect):
			case d <= 2 || d >= 7 && d <= 9.5:
				c.img.SetRGBA(q.X, q.Y, pressed)
			case d <= 3 || d >= 6 && d <= 10.5:
				c.img.SetRGBA(q.X, q.Y, halo)
			}
		}
	}
}
