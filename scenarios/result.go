package scenarios

import (
	"encoding/json"
	"io"
	"time"

	"harness/locate"
)

// Status is how a scenario or step ended.
type Status string

// The ends. A step has one of the first two.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"  // a step or an expectation did not hold
	Errored Status = "error"   // it could not be played: no page, a crash, an interrupt
	Skipped Status = "skipped" // it was not played
)

// Results are what a run came to, in the order of the suites whatever the
// workers did. It is the object that `harness run --json` prints.
type Results struct {
	Scenarios []*Result `json:"scenarios"`
	Totals    Totals    `json:"totals"`

	Notes         []string `json:"notes,omitempty"`          // what should be known of the sites
	Evidence      string   `json:"evidence,omitempty"`       // folder of the run's evidence
	EvidenceError string   `json:"evidence_error,omitempty"` // what of it could not be written
}

// Totals count scenarios by status, and steps by the layer that resolved them.
type Totals struct {
	Scenarios int     `json:"scenarios"`
	Passed    int     `json:"passed"`
	Failed    int     `json:"failed"`
	Error     int     `json:"error"`
	Skipped   int     `json:"skipped"`
	Drifts    int     `json:"drifts"`
	Seconds   float64 `json:"seconds"` // of the whole run by the wall clock

	Layers map[locate.LayerName]int `json:"layers"`
}

// Result is what one scenario came to.
type Result struct {
	Suite   string       `json:"suite"`
	Name    string       `json:"name"`
	Try     int          `json:"try,omitempty"` // from 1 where scenarios are repeated
	Status  Status       `json:"status"`
	Seconds float64      `json:"seconds"`
	Steps   []StepResult `json:"steps"`
	Failure string       `json:"failure"` // why it did not pass, or was skipped

	Answer   string   `json:"answer,omitempty"`   // what the agent answered
	Refused  []string `json:"refused,omitempty"`  // requests that the site does not hold
	Drifts   []Drift  `json:"drifts,omitempty"`   // steps that need a later layer than in the baseline
	Notes    []string `json:"notes,omitempty"`    // what else a reader should know
	Evidence string   `json:"evidence,omitempty"` // folder of the evidence
	Shot     string   `json:"shot,omitempty"`     // screenshot of the end, where an expectation did not hold
	Tokens   int      `json:"tokens,omitempty"`   // of all model calls

	suite *Suite
}

// StepResult is what one step came to.
type StepResult struct {
	Verb       string           `json:"verb"`
	Words      string           `json:"words"`
	Layer      locate.LayerName `json:"layer"`      // that resolved the target; "" where there is none
	Confidence int              `json:"confidence"` // 0-100
	Status     Status           `json:"status"`
	Error      *StepError       `json:"error,omitempty"` // of a passed step the refusal that it asked for
	MS         int64            `json:"ms"`
	Warning    string           `json:"warning,omitempty"`
	Shot       string           `json:"shot,omitempty"` // annotated screenshot, relative to the evidence
}

// StepError is why a step failed or was refused: a word of the suite format
// (locate.Kind, not_refused, expectation) and the message.
type StepError struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// OK reports whether nothing failed.
func (r *Results) OK() bool { return r.Totals.Failed == 0 && r.Totals.Error == 0 }

// WriteJSON writes the results as one indented object.
func (r *Results) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// total counts the scenarios; took is the run's time by the wall clock.
func (r *Results) total(took time.Duration) {
	t := Totals{Scenarios: len(r.Scenarios), Seconds: seconds(took), Layers: map[locate.LayerName]int{}}
	for _, s := range r.Scenarios {
		switch s.Status {
		case Passed:
			t.Passed++
		case Failed:
			t.Failed++
		case Errored:
			t.Error++
		case Skipped:
			t.Skipped++
		}
		t.Drifts += len(s.Drifts)
		for _, step := range s.Steps {
			if step.Layer != "" {
				t.Layers[step.Layer]++
			}
		}
	}
	r.Totals = t
}

// seconds is d in seconds, to the millisecond.
func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
