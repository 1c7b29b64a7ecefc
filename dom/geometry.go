package dom

// Point is a position in CSS px, measured from the top left corner of the
// viewport of the page's main frame. Values are never rounded.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Rect is a box in CSS px in the viewport of the page's main frame. A box of
// an element that is scrolled out of view has coordinates outside the viewport.
type Rect struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Center is the middle of the box.
func (r Rect) Center() Point { return Point{r.X + r.W/2, r.Y + r.H/2} }

// Right is the x of the box's right edge.
func (r Rect) Right() float64 { return r.X + r.W }

// Bottom is the y of the box's lower edge.
func (r Rect) Bottom() float64 { return r.Y + r.H }

// Empty reports whether the box has no area.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the point lies in the box, its left and upper edge
// included.
func (r Rect) Contains(p Point) bool {
	return p.X >= r.X && p.X < r.Right() && p.Y >= r.Y && p.Y < r.Bottom()
}

// Intersect is the part that both boxes share; it is empty where they are apart.
func (r Rect) Intersect(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	return Rect{x, y, max(0, min(r.Right(), o.Right())-x), max(0, min(r.Bottom(), o.Bottom())-y)}
}

// Union is the smallest box that holds both; an empty box adds nothing.
func (r Rect) Union(o Rect) Rect {
	if r.Empty() {
		return o
	}
	if o.Empty() {
		return r
	}
	x, y := min(r.X, o.X), min(r.Y, o.Y)
	return Rect{x, y, max(r.Right(), o.Right()) - x, max(r.Bottom(), o.Bottom()) - y}
}

// Shot is a screenshot of the viewport.
type Shot struct {
	PNG    []byte  // the image as the browser encoded it
	Width  int     // image px, read from the image itself
	Height int     // image px, read from the image itself
	View   Rect    // what the image shows, CSS px; X and Y are 0 for the viewport
	Scale  float64 // image px per CSS px
}
