// Package vision finds things on a screenshot by asking a Model.
//
// A Model is asked with words and a screenshot and answers with a point; the
// numbers that models write are in many grids, and a Profile says in which:
// ProfileFor knows the families by their models' names, and a profile's Prepare,
// Ask, ReadPlace and Map are the steps from a screenshot to a point on it. Read
// gives the acts of an agent's answer. Annotate draws what was found.
// The chain is always the same and is kept in the Answer number by number:
// screenshot px → sent image → the model's numbers → screenshot px → CSS px.
// A reply that cannot be read or points outside the image is a *ReplyError;
// nothing is clamped and nothing is rounded before the mouse.
//
// The package does not click: locate hit-tests the point first.
package vision

import (
	"context"
	"errors"

	"harness/dom"
)

// Point is a position in image px of the screenshot, from its top left corner.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Request asks where something is.
type Request struct {
	Shot  *dom.Shot
	Words string // what to find, as the user said it
	Hint  string // what is known of it: role, date in full, "" if nothing
	// Marks are numbered boxes to draw on the image; the model may then answer
	// with a number in place of coordinates. Empty: none are drawn.
	Marks []Mark
}

// Answer is where the thing is, with the way the numbers went.
type Answer struct {
	Point   Point    `json:"point"`           // screenshot px
	Model   string   `json:"model"`           // name of the model that answered
	Profile string   `json:"profile"`         // name of the profile that read the answer
	Raw     string   `json:"raw"`             // the model's text
	Chain   []string `json:"chain"`           // one line a mapping step, with its numbers
	Flags   []string `json:"flags,omitempty"` // what is suspicious of the answer; nothing was changed on its account
	Tokens  int      `json:"tokens"`          // prompt and completion, of all questions that it took
	Score   int      `json:"score,omitempty"` // 0-100 where the model says; 0 means it does not
}

// ErrAbsent says that the model sees no such thing.
var ErrAbsent = errors.New("not seen on the screenshot")

// Model finds things on screenshots. Implementations are safe for concurrent use.
type Model interface {
	// Name is the model's name, as the provider knows it.
	Name() string
	// Locate answers with a point inside the screenshot, wraps ErrAbsent where
	// the thing is not there, and returns *ReplyError for an unreadable answer.
	// An Answer that comes with an error holds what was said and spent.
	Locate(ctx context.Context, r Request) (*Answer, error)
}

// ReplyError is an answer that cannot be used.
type ReplyError struct {
	Raw    string // the model's text, whole
	Reason string
}

func (e *ReplyError) Error() string { return "vision reply: " + e.Reason + ": " + clip(e.Raw, 200) }

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// FromCSS maps a point of the page to the screenshot.
func FromCSS(s *dom.Shot, p dom.Point) Point {
	return Point{X: (p.X - s.View.X) * float64(s.Width) / s.View.W, Y: (p.Y - s.View.Y) * float64(s.Height) / s.View.H}
}

// ToCSS maps a point of the screenshot to CSS px.
func ToCSS(s *dom.Shot, p Point) dom.Point {
	return dom.Point{X: s.View.X + p.X*s.View.W/float64(s.Width), Y: s.View.Y + p.Y*s.View.H/float64(s.Height)}
}
