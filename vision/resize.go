package vision

import (
	"fmt"
	"math"
)

// Size is the extent of an image in px.
type Size struct {
	W int `json:"w"`
	H int `json:"h"`
}

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.W, s.H) }

// Rule names the way in which a family's server resizes an image. The same
// rule is applied here before sending, so that the server finds nothing to do.
type Rule string

// The rules. Their sources are the makers' own code and documents.
const (
	NoResize   Rule = ""       // sent as it is
	Smart      Rule = "smart"  // both sides to multiples of Factor, area in [MinPx, MaxPx]
	Downscale  Rule = "claude" // longest side Edge, at most Tokens tiles of 28 px, aspect kept
	Tiles      Rule = "tiles"  // fits Edge × Edge, then the short side at most Short
	PatchLimit Rule = "patch"  // at most Tokens patches of Factor px, longest side at most Edge
)

// Resize is a rule with its parameters, in px; those that a rule does not use
// are zero.
type Resize struct {
	Rule   Rule `json:"rule,omitempty"`
	Factor int  `json:"factor,omitempty"`
	MinPx  int  `json:"min_px,omitempty"`
	MaxPx  int  `json:"max_px,omitempty"`
	Edge   int  `json:"edge,omitempty"`
	Short  int  `json:"short,omitempty"`
	Tokens int  `json:"tokens,omitempty"`
}

// maxAspect is the ratio of sides beyond which the smart rule refuses.
const maxAspect = 200

// Size is the size that an image of size s has after the rule. It fails for an
// empty image and where the rule refuses the shape.
func (r Resize) Size(s Size) (Size, error) {
	if s.W <= 0 || s.H <= 0 {
		return s, fmt.Errorf("image of %s px has no area", s)
	}
	switch r.Rule {
	case NoResize:
		return s, nil
	case Smart:
		return r.smart(s)
	case Downscale:
		return r.downscale(s), nil
	case Tiles:
		return r.tiles(s), nil
	case PatchLimit:
		return r.patches(s), nil
	}
	return s, fmt.Errorf("resize rule %q is not known", r.Rule)
}

// smart is the rule of Qwen-VL and of what is made from it. Halves round to
// even, as Python's round does; anything else is off by a whole factor.
func (r Resize) smart(s Size) (Size, error) {
	w, h, f := float64(s.W), float64(s.H), float64(r.Factor)
	if max(w, h)/min(w, h) > maxAspect {
		return s, fmt.Errorf("image of %s px is too narrow for the model", s)
	}
	wb := max(f, math.RoundToEven(w/f)*f)
	hb := max(f, math.RoundToEven(h/f)*f)
	switch {
	case hb*wb > float64(r.MaxPx):
		b := math.Sqrt(h * w / float64(r.MaxPx))
		wb, hb = max(f, math.Floor(w/b/f)*f), max(f, math.Floor(h/b/f)*f)
	case hb*wb < float64(r.MinPx):
		b := math.Sqrt(float64(r.MinPx) / (h * w))
		wb, hb = math.Ceil(w*b/f)*f, math.Ceil(h*b/f)*f
	}
	return Size{int(wb), int(hb)}, nil
}

// claudeTile is the side of the square that costs one token.
const claudeTile = 28

func (r Resize) downscale(s Size) Size {
	fits := func(w, h int) bool {
		tw, th := ceilDiv(w, claudeTile), ceilDiv(h, claudeTile)
		return tw*claudeTile <= r.Edge && th*claudeTile <= r.Edge && tw*th <= r.Tokens
	}
	if fits(s.W, s.H) {
		return s
	}
	long, short := max(s.W, s.H), min(s.W, s.H)
	aspect := float64(long) / float64(short)
	other := func(l int) int { return max(1, int(math.RoundToEven(float64(l)/aspect))) }
	lo, hi := 1, long // lo fits, hi does not
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if fits(mid, other(mid)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	if s.W >= s.H {
		return Size{lo, other(lo)}
	}
	return Size{other(lo), lo}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func (r Resize) tiles(s Size) Size {
	k := min(1, float64(r.Edge)/float64(max(s.W, s.H)))
	k = min(k, float64(r.Short)/float64(min(s.W, s.H)))
	return s.scaled(k)
}

// patches shrinks until the patches that cover the image are few enough.
func (r Resize) patches(s Size) Size {
	k := 1.0
	if r.Edge > 0 {
		k = min(k, float64(r.Edge)/float64(max(s.W, s.H)))
	}
	t := s.scaled(k)
	few := func(t Size) bool {
		return r.Tokens <= 0 || ceilDiv(t.W, r.Factor)*ceilDiv(t.H, r.Factor) <= r.Tokens
	}
	if few(t) {
		return t
	}
	lo, hi := 0.0, k
	for range 40 {
		if mid := (lo + hi) / 2; few(s.scaled(mid)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return s.scaled(lo)
}

// scaled is s times k, rounded down, at least one px a side.
func (s Size) scaled(k float64) Size {
	if k >= 1 {
		return s
	}
	return Size{max(1, int(float64(s.W)*k+1e-9)), max(1, int(float64(s.H)*k+1e-9))}
}

// padded is s with both sides rounded up to a multiple of n.
func (s Size) padded(n int) Size {
	if n <= 1 {
		return s
	}
	return Size{ceilDiv(s.W, n) * n, ceilDiv(s.H, n) * n}
}
