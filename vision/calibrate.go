package vision

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"harness/dom"
)

// Calibration finds the profile of an unknown model: it is shown generated
// images with one thing on each (Plates), and the grid, order and scale are
// those under which its answers come nearest (Fit).

// Plate is a generated image with one thing to find.
type Plate struct {
	Shot  *dom.Shot
	Words string // the thing
	At    Point  // its middle, px of the image
}

// Sample is a model's answer about a plate that it was shown as it is.
type Sample struct {
	Plate Plate
	Raw   string
}

// Miss is how far the answer is from the thing under a profile, px of the plate.
// It fails where the profile cannot read the answer.
func (s Sample) Miss(p Profile) (float64, error) {
	at, err := p.under(s)
	if err != nil {
		return 0, err
	}
	return math.Hypot(at.X-s.Plate.At.X, at.Y-s.Plate.At.Y), nil
}

// Fitted is a profile with how well it explains the answers.
type Fitted struct {
	Profile Profile
	Error   float64 // mean distance between answer and thing, px of the plate
	Worst   float64 // largest distance, px of the plate
}

// plateSize tells the rules of servers apart: each changes it in its own way.
var plateSize = Size{1700, 1100}

// CalibrationProfile asks without saying in what to count, and sends a plate
// as it is.
func CalibrationProfile() Profile { return Profile{Name: "calibration", Prompt: "calibrate"} }

// Plates are the images of a calibration. Their things lie off the diagonal
// and off the middle, so that x and y cannot be taken for each other.
func Plates() ([]Plate, error) {
	var out []Plate
	for _, p := range []struct {
		words string
		col   color.RGBA
		x, y  int
	}{
		{"the red square", color.RGBA{220, 30, 30, 255}, 210, 860}, {"the blue square", color.RGBA{20, 60, 220, 255}, 1540, 170},
		{"the green square", color.RGBA{20, 150, 60, 255}, 1310, 940}, {"the black square", color.RGBA{0, 0, 0, 255}, 140, 330},
		{"the orange square", color.RGBA{240, 140, 0, 255}, 760, 90}, {"the violet square", color.RGBA{130, 40, 190, 255}, 1620, 640},
	} {
		shot, err := plate(p.col, p.x, p.y)
		if err != nil {
			return nil, err
		}
		out = append(out, Plate{Shot: shot, Words: p.words, At: Point{float64(p.x), float64(p.y)}})
	}
	return out, nil
}

// plateHalf is half the side of the square, px.
const plateHalf = 22

func plate(col color.RGBA, x, y int) (*dom.Shot, error) {
	img := image.NewRGBA(image.Rectangle{Max: image.Pt(plateSize.W, plateSize.H)})
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(x-plateHalf, y-plateHalf, x+plateHalf, y+plateHalf), image.NewUniform(col), image.Point{}, draw.Src)
	data, err := encodeFast(img)
	if err != nil {
		return nil, err
	}
	view := dom.Rect{W: float64(plateSize.W), H: float64(plateSize.H)}
	return &dom.Shot{PNG: data, Width: plateSize.W, Height: plateSize.H, View: view, Scale: 1}, nil
}

// Limits of a fit, in px of a plate: a mean distance beyond maxMiss is no fit,
// and fits that are less than alike apart cannot be told apart (0-1000 and
// 0-999 differ by less than 2 px here).
const (
	maxMiss    = 30.0
	alike      = 0.75
	minSamples = 4
)

// ErrNoFit says that no grid explains a model's answers.
var ErrNoFit = errors.New("no grid explains the answers")

// Fit is the profile under which the answers come nearest to what was shown.
// It takes four readable answers at least, and wraps ErrNoFit where the best
// profile misses by more than maxMiss px in the mean.
func Fit(name string, samples []Sample) (Fitted, error) {
	var fits []Fitted
	for _, p := range candidates() {
		if f, ok := measure(p, samples); ok {
			fits = append(fits, f)
		}
	}
	if len(fits) == 0 {
		return Fitted{}, fmt.Errorf("calibrate %s: %w: fewer than %d of %d answers can be read in any one way", name, ErrNoFit, minSamples, len(samples))
	}
	least := slices.MinFunc(fits, func(a, b Fitted) int { return cmp.Compare(a.Error, b.Error) }).Error
	best := fits[slices.IndexFunc(fits, func(f Fitted) bool { return f.Error <= least+alike })] // the commonest of those
	if best.Error > maxMiss {
		return best, fmt.Errorf("calibrate %s: %w: the best, %s, misses by %.0f px in the mean", name, ErrNoFit, best.Profile.Name, best.Error)
	}
	best.Profile.Name = name
	best.Profile.Match = []string{bareName(name)}
	return best, nil
}

// candidates are all the ways of counting that are known, the commonest first.
func candidates() []Profile {
	var out []Profile
	for _, y := range []bool{false, true} {
		for _, g := range []Grid{thousand, nines, percent, fractions} {
			out = append(out, Profile{Name: "grid " + g.String(), Grid: g, YFirst: y})
		}
		for _, r := range []Resize{{}, qwen28, smart(28, 3136, tokens1k), smart(32, 4096, tokens16k), qwen32Small, claudeStd, gptTiles, gptPatches} {
			out = append(out, Profile{Name: "px " + string(r.Rule), Resize: r, YFirst: y})
		}
	}
	return out
}

// measure is how far the answers miss under a profile; false where too few can
// be read at all.
func measure(p Profile, samples []Sample) (Fitted, bool) {
	f := Fitted{Profile: p}
	read := 0
	for _, s := range samples {
		miss, err := s.Miss(p)
		if err != nil {
			continue
		}
		f.Error += miss
		f.Worst = max(f.Worst, miss)
		read++
	}
	if read < minSamples || read*4 < len(samples)*3 {
		return f, false
	}
	f.Error /= float64(read)
	return f, true
}

// under is the point of an answer if the model counts as the profile says.
func (p Profile) under(s Sample) (Point, error) {
	size := Size{s.Plate.Shot.Width, s.Plate.Shot.Height}
	g := Geometry{Shot: size, View: s.Plate.Shot.View, Crop: Rect{0, 0, float64(size.W), float64(size.H)}, Scaled: size, Sent: size}
	var err error
	if g.Model, err = p.Resize.Size(size); err != nil {
		return Point{}, err
	}
	r, err := p.ReadPlace(s.Raw)
	if err != nil {
		return Point{}, err
	}
	if len(r.Places) == 0 {
		return Point{}, ErrNoFit
	}
	m, err := p.Map(g, r.Places[0])
	return m.Point, err
}
