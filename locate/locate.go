// Package locate finds the element that a description means, acts on it, and
// checks that the act had its effect.
//
// The main entry is Actor: New(page, Options) and then Click, Type, Pick,
// Select, Check, Press, Scroll, Hover. Each takes a Target, made from words
// (ParseTarget) or from fields, and answers with a Resolution that says what
// was found, by which layer, why, and what came second.
//
// The rule that every layer keeps: never act on a guess. A layer answers only
// where its best candidate clears the threshold and the margin to the next;
// candidates that the words do not tell apart are an *AmbiguousError, and a
// wrong click is worse than no click. Points and boxes are CSS px.
//
// The package knows no site and no widget library, starts no browser and talks
// to no model: a Page and a vision.Model are given to it.
package locate

import (
	"encoding/json"
	"time"

	"harness/classify"
	"harness/dom"
	"harness/vision"
)

// LayerName names one way to find an element.
type LayerName string

// The layers in the order in which their evidence counts.
const (
	Memory   LayerName = "memory"   // a locator that worked before, scored afresh
	Locators LayerName = "locators" // role, label, placeholder, text, alt, title, test id
	JS       LayerName = "js"       // everything else in the page
	Vision   LayerName = "vision"   // a model's or the OCR's point on the screenshot
)

// Candidate is an element that a layer considered.
type Candidate struct {
	Ref     dom.Ref       `json:"ref"`
	Kind    classify.Kind `json:"kind"`
	Role    string        `json:"role,omitempty"`
	Name    string        `json:"name,omitempty"`
	Text    string        `json:"text,omitempty"`
	Frame   string        `json:"frame,omitempty"` // path of frames, "" for the main frame
	Box     dom.Rect      `json:"box"`
	Score   int           `json:"score"` // 0-100
	Locator string        `json:"locator,omitempty"`
	Reasons []string      `json:"reasons,omitempty"`
	Refused string        `json:"refused,omitempty"` // why it was not taken

	Node *dom.Node `json:"-"`
}

// Attempt is one layer's try.
type Attempt struct {
	Layer      LayerName       `json:"layer"`
	Candidates []Candidate     `json:"candidates,omitempty"` // best first, at most MaxCandidates
	Outcome    string          `json:"outcome"`              // "found", or why the layer did not answer
	Vision     *vision.Answer  `json:"vision,omitempty"`
	Took       time.Duration   `json:"took_ns"`
	Err        json.RawMessage `json:"-"`
}

// Resolution is the way from a target to an element or point, and what the act
// on it did.
type Resolution struct {
	Verb       string     `json:"verb"`
	Words      string     `json:"words"`
	Target     Target     `json:"target"`
	Layer      LayerName  `json:"layer,omitempty"` // the layer that answered
	Chosen     *Candidate `json:"chosen,omitempty"`
	Point      *dom.Point `json:"point,omitempty"` // where the press went, CSS px
	Confidence int        `json:"confidence"`      // 0-100
	Attempts   []Attempt  `json:"attempts"`
	Acts       []string   `json:"acts,omitempty"`   // what was done, in order, for people
	Effect     string     `json:"effect,omitempty"` // what changed; "" if nothing was seen
	Warning    string     `json:"warning,omitempty"`
	Value      string     `json:"value,omitempty"` // what was read back
	// Stable is a locator that finds without a model what vision found; "" where
	// there is none.
	Stable string `json:"stable,omitempty"`
}
