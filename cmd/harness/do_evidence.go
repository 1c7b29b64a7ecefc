package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"harness/internal/agent"
	"harness/internal/trace"
	"harness/scenarios"
)

// doEvidence keeps the evidence of one task; a nil run keeps nothing.
type doEvidence struct {
	run      *trace.Run
	scenario *trace.Scenario
	step     *trace.Step
	url      string // of the page before the step
	encoders sync.WaitGroup
}

func newDoEvidence(o doOptions, c config) (*doEvidence, error) {
	e := &doEvidence{}
	run, err := evidenceOf(runOptions{evidence: o.evidence}, c)
	if run == nil {
		return e, err
	}
	e.run = run
	e.encoders.Go(func() { run.Encode(context.Background()) })
	e.scenario = run.Scenario(trace.About{Task: o.task, Start: o.url})
	return e, nil
}

// untargeted are the verbs that resolve no element, so that the actor does not
// call for evidence before their act.
var untargeted = []string{"back", "go", "tab", "wait"}

func (e *doEvidence) begin(ctx context.Context, page scenarios.Page, a agent.Action) {
	if e.run == nil {
		return
	}
	e.step, e.url = e.scenario.Begin(a.Verb), ""
	if slices.Contains(untargeted, a.Verb) {
		e.capture(ctx, page)
	}
}

func (e *doEvidence) capture(ctx context.Context, page scenarios.Page) {
	if e.step == nil || e.step.Captured() {
		return
	}
	if info, err := page.Info(ctx); err == nil {
		e.url = info.URL
	}
	e.step.Capture(ctx, page)
}

func (e *doEvidence) end(ctx context.Context, page scenarios.Page, s *agent.Step) {
	if e.step == nil {
		return
	}
	if s.Err != nil {
		e.capture(ctx, page)
	}
	status := trace.Passed
	if s.Err != nil {
		status = trace.Failed
	}
	e.step.End(trace.Outcome{
		Status: status, Err: s.Err, URL: e.url, Words: s.Action.Words(), Resolution: s.Outcome.Resolution,
		Timings: map[string]time.Duration{"step": s.Took},
	})
	e.step = nil
}

// close ends the evidence and answers with its folder.
func (e *doEvidence) close(out *agent.Result) string {
	if e.run == nil {
		return ""
	}
	status := trace.Passed
	if out.Status != agent.Done {
		status = trace.Failed
	}
	e.scenario.End(status, out.Reason)
	_ = e.run.Close(status) // run.json says what could not be written
	e.encoders.Wait()
	return e.run.Dir()
}
