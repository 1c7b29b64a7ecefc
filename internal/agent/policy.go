package agent

import (
	"context"
	"time"
)

// Policy decides what comes next. The loop is the same for all: written steps,
// plain language, a model live or replayed.
type Policy interface {
	// Next decides on what was observed and done so far. The History belongs to
	// the loop and must not be changed. An error ends the run.
	Next(ctx context.Context, o *Observation, h *History) (*Decision, error)
}

// Blind is a Policy that does not look at the page: it gets a nil Observation,
// and the guards against a model that runs in circles do not apply to it.
type Blind interface {
	Policy
	Blind() bool
}

// Decision is one reply of a policy: calls, or only text.
type Decision struct {
	Calls []Call
	Text  string // prose beside or in place of calls
	Fault string // why the reply cannot be used at all ("empty answer"); "" if it can
	Usage Usage  // what this decision cost
}

// Call is one act of a decision: an action, the end, or what could not be read.
type Call struct {
	ID        string // the model's, "" for other policies
	Name      string // as the model gave it
	Arguments string // as the model gave them
	Action    *Action
	Done      *DoneArgs
	Err       error // why the call cannot be read; Action and Done are nil then
}

// DoneArgs are those of done, which ends the run.
type DoneArgs struct {
	Answer  string `json:"answer" jsonschema_description:"the answer to the task, as it stands on the pages seen; empty if nothing was asked"`
	Success *bool  `json:"success" jsonschema_description:"false: the task could not be done"`
}

func (a *DoneArgs) check() error {
	if a.Success == nil {
		return missing("success", "true or false")
	}
	return nil
}

func (a *DoneArgs) words() string { return quoted(a.Answer) }

// Usage counts what a run cost.
type Usage struct {
	Calls  int `json:"calls"`  // requests to a model that decides
	Tokens int `json:"tokens"` // prompt and completion
	Vision int `json:"vision"` // questions to a vision model
}

func (u *Usage) add(o Usage) {
	u.Calls += o.Calls
	u.Tokens += o.Tokens
	u.Vision += o.Vision
}

// History is a run so far.
type History struct {
	Task   string
	Began  time.Time // the page's clock at the first observation; zero for blind policies
	Rounds []Round
}

// Round is one observation with what was decided and done on it.
type Round struct {
	Decision Decision
	Results  []CallResult // as far as the calls were taken up
	Note     string       // what the loop tells the policy beside the results
}

// CallResult is what one call came to.
type CallResult struct {
	Step *Step  // nil where nothing was done
	Text string // for the model: what happened, or why nothing was done
	Err  error  // nil where it went well
}

// Last is the last step that was carried out, nil before the first.
func (h *History) Last() *Step {
	for i := len(h.Rounds) - 1; i >= 0; i-- {
		for j := len(h.Rounds[i].Results) - 1; j >= 0; j-- {
			if s := h.Rounds[i].Results[j].Step; s != nil {
				return s
			}
		}
	}
	return nil
}

// Step is one action with what it came to.
type Step struct {
	N       int // from 1
	Action  Action
	Outcome *Outcome
	Err     error // nil where the action did what was asked
	Took    time.Duration
}

// Status is "ok", "refused" (as the action asked) or "failed".
func (s *Step) Status() string {
	switch {
	case s.Err != nil:
		return "failed"
	case s.Outcome != nil && s.Outcome.Refused != nil:
		return "refused"
	}
	return "ok"
}
