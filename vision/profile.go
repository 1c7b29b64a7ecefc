package vision

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Grid is what a model's numbers count in. The zero Grid is px of the image
// that the model sees.
type Grid struct {
	W float64 `json:"w,omitempty"` // largest x
	H float64 `json:"h,omitempty"` // largest y
	// Fractions says that numbers none of which is above 1 are fractions of the
	// image, whatever the grid is otherwise.
	Fractions bool `json:"fractions,omitempty"`
}

func (g Grid) px() bool { return g.W == 0 }

func (g Grid) String() string {
	switch {
	case g.px():
		return "px"
	case g.W == g.H:
		return fmt.Sprintf("0-%g", g.W)
	}
	return fmt.Sprintf("%gx%g", g.W, g.H)
}

// Shape is what a model is asked for and answers with.
type Shape string

// The shapes. An answer of the other shape is read too.
const (
	PointShape Shape = "point"
	BoxShape   Shape = "box"
)

// Zoom asks a second time with what lies around the first answer, enlarged.
// The zero Zoom asks once.
type Zoom struct {
	Under  float64 `json:"under,omitempty"`  // image px: a box with a shorter side is asked again, a point always
	Window float64 `json:"window,omitempty"` // side of the part shown the second time, as a share of the screenshot's
}

// Profile says how a family of models counts and writes coordinates. It is
// data: a profile of the user's own works like those that are shipped.
type Profile struct {
	Name   string         `json:"name"`
	Match  []string       `json:"match,omitempty"` // globs over the model's name, lower case, without its owner
	Grid   Grid           `json:"grid"`
	YFirst bool           `json:"y_first,omitempty"` // lists are y, x
	Shape  Shape          `json:"shape,omitempty"`   // "" means point
	Resize Resize         `json:"resize"`
	Pad    int            `json:"pad,omitempty"`    // pads right and below to a multiple, px; 0 does not
	Detail string         `json:"detail,omitempty"` // the image's detail field; "" leaves it out
	Params map[string]any `json:"params,omitempty"` // fields of the request's body
	Prompt string         `json:"prompt,omitempty"` // name of a prompt; "" means the one for the shape
	Parser string         `json:"parser,omitempty"` // "" reads every common form; doubao, molmo, molmo2 add rules of theirs
	// Reasoning allows an answer that stands in the reasoning field alone.
	Reasoning bool `json:"reasoning,omitempty"`
	Zoom      Zoom `json:"zoom"`
	// Native names the API that the family needs where chat completions do not
	// reach it; its answers are read and mapped all the same.
	Native string `json:"native,omitempty"`
}

// ErrUnknownModel says that no profile is known for a model.
var ErrUnknownModel = errors.New("coordinates of the model are not known")

// ProfileFor is the shipped profile for a model's name; an owner before a
// slash does not count. An unknown model wraps ErrUnknownModel: nothing is
// assumed of it.
func ProfileFor(model string) (Profile, error) {
	name := bareName(model)
	for _, p := range Profiles() {
		for _, glob := range p.Match {
			if ok, err := path.Match(glob, name); err == nil && ok {
				return p, nil
			}
		}
	}
	hint := "name a profile with --profile, or run: harness vision calibrate"
	if unchecked(name) {
		hint = "its makers' documents do not say; " + hint
	}
	return Profile{}, fmt.Errorf("model %q: %w (%s)", model, ErrUnknownModel, hint)
}

// bareName is the model's name without owner, in lower case.
func bareName(model string) string {
	s := strings.ToLower(strings.TrimSpace(model))
	return s[strings.LastIndexByte(s, '/')+1:]
}

// ProfileNamed is the shipped profile of that name.
func ProfileNamed(name string) (Profile, error) {
	var names []string
	for _, p := range Profiles() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("profile %q is not known (known: %s)", name, strings.Join(names, ", "))
}

// Check says what of a profile of the user's own cannot work.
func (p Profile) Check() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("profile %q: %s", p.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case p.Name == "":
		return errors.New("profile: name is missing")
	case p.Grid.W < 0 || p.Grid.H < 0 || (p.Grid.W == 0) != (p.Grid.H == 0):
		return fail("grid of %g by %g", p.Grid.W, p.Grid.H)
	case p.Shape != "" && p.Shape != PointShape && p.Shape != BoxShape:
		return fail("shape %q (known: point, box)", p.Shape)
	case p.Resize.Rule == Smart && (p.Resize.Factor < 1 || p.Resize.MaxPx < p.Resize.Factor*p.Resize.Factor || p.Resize.MinPx > p.Resize.MaxPx):
		return fail("resize: smart needs factor, min_px and max_px")
	case p.Resize.Rule == Downscale && (p.Resize.Edge < claudeTile || p.Resize.Tokens < 1):
		return fail("resize: claude needs edge and tokens")
	case p.Resize.Rule == Tiles && (p.Resize.Edge < 1 || p.Resize.Short < 1):
		return fail("resize: tiles needs edge and short")
	case p.Resize.Rule == PatchLimit && p.Resize.Factor < 1:
		return fail("resize: patch needs factor")
	case p.Pad < 0 || p.Zoom.Window < 0 || p.Zoom.Window > 1:
		return fail("pad of %d, zoom window of %g", p.Pad, p.Zoom.Window)
	}
	if _, err := p.Resize.Size(Size{1000, 1000}); err != nil {
		return fail("%v", err)
	}
	if _, ok := prompts[p.promptName()]; !ok {
		return fail("prompt %q is not known", p.Prompt)
	}
	if !parsers[p.Parser] {
		return fail("parser %q is not known", p.Parser)
	}
	return nil
}

// parsers are the names that Profile.Parser may bear.
var parsers = map[string]bool{"": true, "doubao": true, "molmo": true, "molmo2": true}
