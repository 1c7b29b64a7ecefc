package scenarios

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"harness/internal/agent"
	"harness/internal/site"
	"harness/locate"
)

// PageOptions say which page a scenario needs. The zero value is a live page
// in a headless browser with its own settings.
type PageOptions struct {
	Settings            // merged: scenario, suite, site
	Site     *site.Site // the whole world of the page; nil: the network
	Worker   int        // that asks; from 0
	Record   bool       // for SaveTrace
	Headed   bool       // show the browser
}

// play is one scenario being played.
type play struct {
	*runner
	job
	event    Event
	page     Page
	evidence evidence

	mu   sync.Mutex // of what follows: a play that hangs is given up
	res  *Result
	over bool
}

// run plays the scenario from the opening of the page to its end.
func (p *play) run(ctx context.Context) {
	sc := p.scenario
	world := p.sites[sc.Site]
	settings := sc.Merge(p.suite.Defaults.Settings).Merge(SettingsOf(world))
	limits := sc.Limits.Merge(p.suite.Defaults.Limits)
	p.evidence.begin(p, settings)
	defer func() { p.evidence.end(p.status()) }()
	page, err := p.Open(ctx, PageOptions{Settings: settings, Site: world, Worker: p.event.Worker, Record: p.trace != nil, Headed: p.Headed})
	if err != nil {
		p.fail(ctx, Errored, "", err)
		return
	}
	defer page.Close()
	defer func() { p.left(page) }()
	p.page = page
	if limits.Time > 0 {
		var cancel context.CancelFunc
		cause := &agent.LimitError{Name: "time", Max: limits.Time.String()}
		ctx, cancel = context.WithTimeoutCause(ctx, limits.Time, cause)
		defer cancel()
	}
	if err := p.begin(ctx); err != nil {
		p.fail(ctx, Errored, "", err)
		return
	}
	if file := cmp.Or(sc.Memory, p.suite.Memory); file != "" {
		p.set(func(r *Result) {
			r.Notes = append(r.Notes, "memory "+file+" is not read: every target was found afresh")
		})
	}
	p.act(ctx, settings, limits)
}

// left takes what is to be known of a page before it is closed.
func (p *play) left(page Page) {
	status, _ := p.status()
	if status == Failed || status == Errored {
		p.evidence.record(page)
	}
	p.set(func(r *Result) { r.Refused = page.Refused() })
}

// begin brings the page to where the scenario starts.
func (p *play) begin(ctx context.Context) error {
	start := p.start()
	if err := p.page.Goto(ctx, start); err != nil {
		return fmt.Errorf("start %s: %w", start, err)
	}
	if p.scenario.Before == "" {
		return nil
	}
	if _, err := p.page.Eval(ctx, p.scenario.Before); err != nil {
		return fmt.Errorf("before: %w", err)
	}
	return nil
}

// start is the address at which the scenario begins.
func (p *play) start() string {
	return cmp.Or(p.scenario.Start, p.suite.Defaults.Start, p.sites[p.scenario.Site].Start)
}

// SettingsOf are the settings that a site brings.
func SettingsOf(s *site.Site) Settings {
	d := s.Defaults
	out := Settings{Viewport: Size(d.Viewport), DPR: d.DPR, Locale: d.Locale, Timezone: d.Timezone, Clock: Clock(d.Clock), UserAgent: d.UserAgent}
	if d.ClockFrozen {
		out.ClockFrozen = &d.ClockFrozen
	}
	return out
}

// act runs the loop and then checks what must hold at the end.
func (p *play) act(ctx context.Context, settings Settings, limits Limits) {
	d, err := p.decide(settings)
	if err != nil {
		p.fail(ctx, Errored, "", err)
		return
	}
	defer p.replayed(d)
	actor := p.NewActor(p.page, locate.Options{
		Timeout: settings.Timeout, Vision: d.eyes, MaxVision: bound(limits.Vision),
		Before: func(ctx context.Context, _ *locate.Resolution) { p.evidence.capture(ctx, p.page) },
	})
	answer := ""
	j := judge{page: p.page, eval: p.page, finder: actor, answer: func() string { return answer }}
	out, err := agent.Run(ctx, agent.Options{
		Task:   p.scenario.Task,
		Policy: d.policy,
		Env: agent.Env{
			Actor: actor, Page: p.page, Browser: p.page, Folder: filepath.Dir(p.suite.File), Timeout: settings.Timeout,
			Expect: func(ctx context.Context, args any) error { return j.all(ctx, args.([]Expectation)) },
		},
		Limits: agent.Limits{Steps: limits.Steps, Tokens: limits.Tokens, Vision: bound(limits.Vision)},
		Before: p.stepBegan,
		After:  p.stepEnded,
	})
	answer = out.Answer
	p.set(func(r *Result) { r.Answer, r.Tokens = out.Answer, out.Usage.Tokens })
	switch {
	case err != nil:
		p.fail(ctx, Errored, p.lastStep(), err)
	case out.Status != agent.Done:
		p.fail(ctx, Failed, p.ending(out), outErr(out))
	default:
		if err := j.all(ctx, p.scenario.Expect); err != nil {
			p.fail(ctx, statusOf(err), "", err)
			p.evidence.expectation(ctx, p.page, err)
		}
	}
}

// replayed takes what is to be known of the cassettes, and writes them anew
// where that was asked for and the scenario passed.
func (p *play) replayed(d *decider) {
	notes := d.notes()
	if status, _ := p.status(); p.UpdateCassettes && status == Passed {
		notes = d.rewrite()
	}
	p.set(func(r *Result) { r.Notes = append(r.Notes, notes...) })
}

// bound is the agent's form of a limit that may be 0: none.
func bound(n *int) int {
	switch {
	case n == nil:
		return 0
	case *n == 0:
		return -1
	}
	return *n
}

// statusOf tells a page that shows something else from one that is lost.
func statusOf(err error) Status {
	if errors.Is(err, locate.ErrPageClosed) {
		return Errored
	}
	return Failed
}

// ending names what the loop ended at: the step that failed, else the loop.
func (p *play) ending(out *agent.Result) string {
	if n := len(out.Steps); n > 0 && out.Err != nil && out.Steps[n-1].Err == out.Err {
		return p.lastStep()
	}
	return string(out.Status)
}

func (p *play) lastStep() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.res.Steps)
	if n == 0 || p.res.Steps[n-1].Status != Failed {
		return ""
	}
	s := p.res.Steps[n-1]
	if s.Verb == "expect" { // the error says which
		return fmt.Sprintf("step %d", n)
	}
	return fmt.Sprintf("step %d, %s", n, title(s.Verb, s.Words))
}

func title(verb, words string) string {
	if words == "" {
		return verb
	}
	return verb + " " + words
}

func outErr(out *agent.Result) error {
	if out.Err != nil {
		return out.Err
	}
	return errors.New(out.Reason)
}

// stepResult is the step as results show it.
func stepResult(s *agent.Step) StepResult {
	out := StepResult{Verb: s.Action.Verb, Words: words(s.Action), Status: Passed, MS: s.Took.Milliseconds()}
	err := s.Err
	if err != nil {
		out.Status = Failed
	} else if s.Outcome != nil {
		err = s.Outcome.Refused
	}
	if err != nil {
		out.Error = &StepError{Kind: kind(err), Message: err.Error()}
	}
	if s.Outcome == nil || s.Outcome.Resolution == nil {
		return out
	}
	r := s.Outcome.Resolution
	out.Layer, out.Confidence, out.Warning = r.Layer, r.Confidence, r.Warning
	return out
}

// words are the action's words; those of expectations are this package's.
func words(a agent.Action) string {
	list, ok := a.Args.([]Expectation)
	if !ok {
		return a.Words()
	}
	s := ""
	for i := range list {
		if i > 0 {
			s += "; "
		}
		s += list[i].String()
	}
	return s
}

// kind is the word for a step's error in results.
func kind(err error) string {
	var e *ExpectationError
	if errors.As(err, &e) {
		return "expectation"
	}
	return agent.Kind(err)
}

func (p *play) stepBegan(ctx context.Context, _ int, a agent.Action) {
	p.evidence.stepBegan(ctx, p.page, a)
	p.tell(StepBegan, StepResult{Verb: a.Verb, Words: words(a)})
}

func (p *play) stepEnded(ctx context.Context, s *agent.Step) {
	step := stepResult(s)
	p.evidence.stepEnded(ctx, p.page, s, step)
	p.set(func(r *Result) { r.Steps = append(r.Steps, step) })
	p.tell(StepEnded, step)
}

// tell emits an event of a step, unless the play was given up.
func (p *play) tell(k EventKind, s StepResult) {
	p.mu.Lock()
	over := p.over
	p.mu.Unlock()
	if over {
		return
	}
	e := p.event
	e.Kind, e.Step = k, &s
	p.emit(e)
}

// set changes the result, unless the play was given up.
func (p *play) set(change func(r *Result)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		change(p.res)
	}
}

// status is how the play stands, and why.
func (p *play) status() (Status, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.res.Status, p.res.Failure
}

// fail sets how the scenario ended; only the first word counts. at says where,
// "" if the error does. Where the run ended the scenario, that is the reason.
func (p *play) fail(ctx context.Context, s Status, at string, err error) {
	text := err.Error()
	var limit *agent.LimitError
	switch {
	case errors.As(err, &limit):
		s = Failed
	case ctx.Err() != nil:
		s, text = Errored, why(ctx)
	}
	if at != "" {
		text = at + ": " + text
	}
	p.set(func(r *Result) {
		if r.Status == Passed {
			r.Status, r.Failure = s, text
		}
	})
}

// end closes the result; a reason says that the play was given up.
func (p *play) end(reason string) *Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	out := *p.res
	out.Steps = append([]StepResult{}, p.res.Steps...)
	if reason != "" && out.Status == Passed {
		out.Status, out.Failure = Errored, reason
	}
	return &out
}
