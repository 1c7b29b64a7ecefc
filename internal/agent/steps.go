package agent

import "context"

// StepsPolicy does written steps, in order, and is done after the last one. A
// step that fails ends the run.
type StepsPolicy struct {
	steps []Action
	next  int
}

// NewSteps makes a policy of written steps.
func NewSteps(steps []Action) *StepsPolicy { return &StepsPolicy{steps: steps} }

// Blind is true: what is written is done without a look.
func (p *StepsPolicy) Blind() bool { return true }

// Next is the next step.
func (p *StepsPolicy) Next(_ context.Context, _ *Observation, h *History) (*Decision, error) {
	if last := h.Last(); last != nil && last.Err != nil {
		return decideDone("", false), nil
	}
	if p.next == len(p.steps) {
		return decideDone("", true), nil
	}
	a := p.steps[p.next]
	p.next++
	return &Decision{Calls: []Call{{Name: a.Verb, Action: &a}}}, nil
}

func decideDone(answer string, success bool) *Decision {
	return &Decision{Calls: []Call{{Name: doneTool, Done: &DoneArgs{Answer: answer, Success: &success}}}}
}
