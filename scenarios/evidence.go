package scenarios

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"harness/internal/agent"
	"harness/internal/trace"
)

// evidence is one scenario's in the run's evidence; the zero evidence keeps
// nothing.
type evidence struct {
	scenario *trace.Scenario
	step     *trace.Step
	url      string // of the page before the step
}

// encode starts what writes the evidence beside the scenarios; the function
// waits for it.
func (r *runner) encode() func() {
	if r.trace == nil {
		return func() {}
	}
	var encoders sync.WaitGroup
	encoders.Go(func() { r.trace.Encode(context.Background()) })
	return encoders.Wait
}

// closeTrace ends the evidence and tells the results where it lies.
func (r *runner) closeTrace(out *Results) {
	if r.trace == nil {
		return
	}
	status := trace.Passed
	if !out.OK() {
		status = trace.Failed
	}
	out.Evidence = r.trace.Dir()
	if err := r.trace.Close(status); err != nil {
		out.EvidenceError = err.Error()
	}
	file, err := trace.ReadRun(r.trace.Dir())
	if err != nil {
		return // Close has said what could not be written
	}
	for _, sc := range file.Scenarios {
		out.shots(filepath.Join(r.trace.Dir(), sc.Dir), sc.Steps)
	}
}

// shots names the screenshots of the steps of the scenario whose evidence lies
// in the folder.
func (r *Results) shots(dir string, steps []trace.StepFile) {
	i := slices.IndexFunc(r.Scenarios, func(s *Result) bool { return s.Evidence == dir })
	if i < 0 {
		return
	}
	res := r.Scenarios[i]
	for _, s := range steps {
		for _, f := range s.Files {
			switch {
			case !strings.HasSuffix(f, ".png"):
			case s.N <= len(res.Steps):
				res.Steps[s.N-1].Shot = f
			default:
				res.Shot = f
			}
		}
	}
}

func (e *evidence) begin(p *play, s Settings) {
	if p.trace == nil {
		return
	}
	clock := ""
	if !s.Clock.IsZero() {
		clock = s.Clock.Format(time.RFC3339)
	}
	e.scenario = p.trace.Scenario(trace.About{Suite: p.suite.Name, Name: p.name(), Task: p.scenario.Task, Start: p.start(), Clock: clock})
	p.set(func(r *Result) { r.Evidence = e.scenario.Dir() })
}

func (e *evidence) end(s Status, failure string) {
	if e.scenario != nil {
		e.scenario.End(string(s), failure)
	}
}

// blind are the verbs that resolve no target, so that the actor does not call
// for evidence before their act. A dialog is none of them: a look at the page
// would dismiss it.
var blind = []string{"back", "expect", "go", "script", "tab"}

func (e *evidence) stepBegan(ctx context.Context, page Page, a agent.Action) {
	if e.scenario == nil {
		return
	}
	e.step = e.scenario.Begin(a.Verb)
	e.url = ""
	if slices.Contains(blind, a.Verb) {
		e.capture(ctx, page)
	}
}

// capture takes the page as it stands, for the step that is under way.
func (e *evidence) capture(ctx context.Context, page Page) {
	if e.step == nil {
		return
	}
	if info, err := page.Info(ctx); err == nil {
		e.url = info.URL
	}
	e.step.Capture(ctx, page)
}

func (e *evidence) stepEnded(ctx context.Context, page Page, s *agent.Step, r StepResult) {
	if e.step == nil {
		return
	}
	if !e.step.Captured() && s.Err != nil {
		e.capture(ctx, page)
	}
	o := trace.Outcome{Status: string(r.Status), Err: s.Err, URL: e.url, Words: r.Words, Timings: map[string]time.Duration{"step": s.Took}}
	if s.Outcome != nil {
		o.Resolution = s.Outcome.Resolution
		if o.Err == nil {
			o.Err = s.Outcome.Refused
		}
	}
	e.step.End(o)
	e.step = nil
}

// expectation keeps the page on which an expectation at the end did not hold.
func (e *evidence) expectation(ctx context.Context, page Page, err error) {
	if e.scenario == nil || ctx.Err() != nil {
		return
	}
	e.step = e.scenario.Begin("expect")
	e.capture(ctx, page)
	e.step.End(trace.Outcome{Status: trace.Failed, Err: err, URL: e.url, Words: err.Error()})
	e.step = nil
}

// traceFile is Playwright's recording of a scenario that did not pass.
const traceFile = "trace.zip"

// record keeps Playwright's recording. What goes wrong costs the recording
// alone: a page that is lost has none.
func (e *evidence) record(page Page) {
	if e.scenario == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), grace/3)
	defer cancel()
	if err := page.SaveTrace(ctx, filepath.Join(e.scenario.Dir(), traceFile)); err == nil {
		e.scenario.Note(traceFile)
	}
}
