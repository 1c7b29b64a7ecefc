package vision

import (
	"fmt"

	"harness/dom"
)

// Geometry is how a screenshot became the image that the model saw. All of it
// is read from the images themselves.
type Geometry struct {
	Shot   Size     // screenshot px
	View   dom.Rect // what the screenshot shows, CSS px
	Crop   Rect     // the part of the screenshot that was sent, screenshot px
	Scaled Size     // that part after scaling
	Sent   Size     // with padding right and below: the image of the request
	Model  Size     // what px mean to the model: Sent after the server's own resizing
}

// Rect is a part of an image, px.
type Rect struct {
	X, Y, W, H float64
}

// Box is a box on the screenshot, screenshot px.
type Box struct {
	Min, Max Point
}

// Mapped is where an answer points to.
type Mapped struct {
	Point Point // screenshot px, inside the screenshot
	Box   *Box  // nil where the answer was a point
	Chain []string
	Flags []string // what is suspicious; nothing was changed on its account
}

// Map follows the numbers of an answer back to the screenshot: model → sent
// image → screenshot → CSS px. Every step stands in Chain. A number outside
// the grid, a point in the padding, a box whose sides are in the wrong order
// are errors that say so; nothing is clamped, except that the grid's largest
// number means the last pixel.
func (p Profile) Map(g Geometry, pl Place) (Mapped, error) {
	m := Mapped{Chain: g.steps(p)}
	c, err := p.ordered(pl)
	if err != nil {
		return m, err
	}
	grid := p.gridOf(g, pl)
	m.step("model: %s on %s of %gx%g", pl, p.gridName(pl), grid.W, grid.H)
	if err := p.inGrid(c, grid); err != nil {
		return m, err
	}
	m.Flags = suspicions(c, grid)
	at := Point{(c.Min.X + c.Max.X) / 2, (c.Min.Y + c.Max.Y) / 2}
	if len(pl.Nums) == 4 {
		m.step("centre: %s", at)
	}
	if m.Point, err = g.back(at, grid, &m); err != nil {
		return m, err
	}
	if len(pl.Nums) == 4 {
		m.Box = &Box{g.corner(c.Min, grid), g.corner(c.Max, grid)}
	}
	m.step("screenshot: %s of %s px", m.Point, g.Shot)
	m.step("css: %s px", cssText(g, m.Point))
	return m, nil
}

// MapMark is where a numbered mark stands: the middle of its box. A number
// that no mark bears and a mark outside the screenshot are errors.
func MapMark(shot *dom.Shot, marks []Mark, number int) (Mapped, error) {
	for _, mk := range marks {
		if mk.Number != number {
			continue
		}
		lo := FromCSS(shot, dom.Point{X: mk.Box.X, Y: mk.Box.Y})
		hi := FromCSS(shot, dom.Point{X: mk.Box.Right(), Y: mk.Box.Bottom()})
		at := FromCSS(shot, mk.Box.Center())
		if at.X < 0 || at.Y < 0 || at.X >= float64(shot.Width) || at.Y >= float64(shot.Height) {
			return Mapped{}, fmt.Errorf("mark %d lies outside the screenshot", number)
		}
		m := Mapped{Point: at, Box: &Box{lo, hi}}
		m.step("mark: %d", number)
		m.step("screenshot: %s of %dx%d px", at, shot.Width, shot.Height)
		return m, nil
	}
	return Mapped{}, fmt.Errorf("no mark bears the number %d", number)
}

func (m *Mapped) step(format string, args ...any) {
	m.Chain = append(m.Chain, fmt.Sprintf(format, args...))
}

func (p Point) String() string { return numbers([]float64{p.X, p.Y}) }

func cssText(g Geometry, p Point) string {
	c := ToCSS(&dom.Shot{Width: g.Shot.W, Height: g.Shot.H, View: g.View}, p)
	return numbers([]float64{c.X, c.Y})
}

// steps say how the image came to the model.
func (g Geometry) steps(p Profile) []string {
	s := fmt.Sprintf("sent: %s px", g.Sent)
	if full := (Rect{0, 0, float64(g.Shot.W), float64(g.Shot.H)}); g.Crop != full {
		s += fmt.Sprintf(", the part %s %gx%g", Point{g.Crop.X, g.Crop.Y}, g.Crop.W, g.Crop.H)
	}
	if g.Scaled != g.Sent {
		s += fmt.Sprintf(", %s of it filled", g.Scaled)
	}
	if p.Resize.Rule != NoResize {
		s += ", by the rule " + string(p.Resize.Rule)
	}
	out := []string{fmt.Sprintf("shot: %s px", g.Shot), s}
	if g.Model != g.Sent {
		out = append(out, fmt.Sprintf("server: resizes to %s px", g.Model))
	}
	return out
}

// ordered are the numbers as a box of x and y; a point is a box without extent.
func (p Profile) ordered(pl Place) (Box, error) {
	n := pl.Nums
	if len(n) != 2 && len(n) != 4 {
		return Box{}, fmt.Errorf("%d numbers: neither a point nor a box", len(n))
	}
	b := Box{Point{n[0], n[1]}, Point{n[len(n)-2], n[len(n)-1]}}
	if p.YFirst && !pl.Named {
		b = Box{Point{b.Min.Y, b.Min.X}, Point{b.Max.Y, b.Max.X}}
	}
	if b.Max.X < b.Min.X || b.Max.Y < b.Min.Y {
		return b, fmt.Errorf("%s: right is left of left, or bottom above top: another order of the numbers?", pl)
	}
	return b, nil
}

// gridOf is the extent of the numbers.
func (p Profile) gridOf(g Geometry, pl Place) Grid {
	switch {
	case p.Grid.Fractions && small(pl.Nums):
		return Grid{W: 1, H: 1}
	case p.Grid.px():
		return Grid{W: float64(g.Model.W), H: float64(g.Model.H)}
	}
	return p.Grid
}

func (p Profile) gridName(pl Place) string {
	if p.Grid.Fractions && small(pl.Nums) {
		return "fractions"
	}
	return p.Grid.String()
}

// small reports that no number is above 1.
func small(ns []float64) bool {
	for _, n := range ns {
		if n > 1 {
			return false
		}
	}
	return true
}

// inGrid refuses numbers outside the grid, and fractions where the grid has none.
func (p Profile) inGrid(b Box, grid Grid) error {
	broken := false
	for _, q := range []Point{b.Min, b.Max} {
		// The comparison is written so that NaN fails it.
		if !(q.X >= 0 && q.X <= grid.W && q.Y >= 0 && q.Y <= grid.H) {
			return fmt.Errorf("%s is outside the grid of %gx%g of profile %s", q, grid.W, grid.H, p.Name)
		}
		broken = broken || q.X != float64(int(q.X)) || q.Y != float64(int(q.Y))
	}
	if broken && grid.W > 1 && small([]float64{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y}) {
		return fmt.Errorf("%s looks like fractions of the image, but profile %s counts in %s", b.Max, p.Name, p.Grid)
	}
	return nil
}

// Limits of what is suspicious, as shares of the grid's area and in px of it.
const (
	largeBox = 0.6
	tinyBox  = 4.0
)

func suspicions(b Box, grid Grid) []string {
	var out []string
	w, h := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y
	switch {
	case grid.W > 1 && small([]float64{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y}):
		out = append(out, "no number is above 1: fractions?")
	case w*h > largeBox*grid.W*grid.H:
		out = append(out, fmt.Sprintf("the box covers %.0f%% of the image", 100*w*h/(grid.W*grid.H)))
	case grid.W > 100 && w > 0 && h > 0 && w*h < tinyBox:
		out = append(out, fmt.Sprintf("the box is only %.3gx%.3g", w, h))
	}
	return out
}

// back is the point of the screenshot for a point of the grid.
func (g Geometry) back(at Point, grid Grid, m *Mapped) (Point, error) {
	sent := Point{at.X / grid.W * float64(g.Sent.W), at.Y / grid.H * float64(g.Sent.H)}
	m.step("sent: %s of %s px", sent, g.Sent)
	x, okX := axis(sent.X, at.X == grid.W, g.Sent.W, g.Scaled.W, g.Crop.X, g.Crop.W)
	y, okY := axis(sent.Y, at.Y == grid.H, g.Sent.H, g.Scaled.H, g.Crop.Y, g.Crop.H)
	if !okX || !okY {
		return Point{}, fmt.Errorf("%s lies in the padding: the content ends at %s px", sent, g.Scaled)
	}
	return Point{x, y}, nil
}

// axis maps one coordinate of the sent image to the screenshot; false in the
// padding. The grid's end is the last pixel, and so is what rounding of floats
// would put there.
func axis(v float64, end bool, sent, filled int, from, extent float64) (float64, bool) {
	if v >= float64(filled) && sent > filled {
		return 0, false
	}
	out := from + v/float64(filled)*extent
	if end || out >= from+extent {
		out = from + extent - 1
	}
	return max(out, from), true
}

// corner is a corner of a box, which may lie on the image's far edge and is
// not pressed.
func (g Geometry) corner(at Point, grid Grid) Point {
	return Point{
		min(g.Crop.X+g.Crop.W, g.Crop.X+at.X/grid.W*float64(g.Sent.W)/float64(g.Scaled.W)*g.Crop.W),
		min(g.Crop.Y+g.Crop.H, g.Crop.Y+at.Y/grid.H*float64(g.Sent.H)/float64(g.Scaled.H)*g.Crop.H),
	}
}
