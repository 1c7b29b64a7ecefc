package scenarios

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"harness/internal/agent"
	"harness/internal/site"
	"harness/internal/trace"
	"harness/locate"
)

// Page is a page of the scenario's site in a browser context of its own.
type Page interface {
	locate.Page
	agent.Browser
	// HTML is the page as it stands, one file that opens offline.
	HTML(ctx context.Context) (string, error)
	// Refused lists the requests that the site did not hold, for people.
	Refused() []string
	// SaveTrace ends the recording that PageOptions.Record asked for and keeps
	// it in the file; it is called at most once.
	SaveTrace(ctx context.Context, file string) error
	// Close ends the page and its context. A browser that has crashed is no error.
	Close() error
}

// Actor is what the runner needs of locate.Actor.
type Actor interface {
	agent.Actor
	Finder
}

// Options configure a run. Suites and Open are required.
type Options struct {
	Suites []*Suite
	// Open opens a page; it is called by several workers at once. After a page
	// of a worker's was lost with its browser, the next Open of that worker
	// starts a fresh one.
	Open func(ctx context.Context, o PageOptions) (Page, error)
	// NewActor makes the actor of a page; nil: locate.New.
	NewActor func(p Page, o locate.Options) Actor
	Models   Models
	// Trace begins the evidence, when the run does; Run closes it. nil, or a nil
	// trace: none is kept.
	Trace func() (*trace.Run, error)

	Workers  int           // scenarios at a time; 0 means one for each core
	Filter   string        // plays scenarios whose "suite/name" holds it, or matches it as a regular expression; "" all
	Tags     []string      // plays scenarios with at least one of these tags; empty: all
	Repeat   int           // how often each is played; 0 means once
	FailFast bool          // after the first that does not pass, no other is begun
	Timeout  time.Duration // of one scenario, against hangs; 0 means 5 min
	Policy   Policy        // in place of the scenarios' own; "": theirs
	Headed   bool          // show the browser
	// UpdateCassettes writes the requests that were asked into the cassettes of
	// scenarios that passed.
	UpdateCassettes bool
	Sink            func(Event) // is told of every event, one at a time; nil: nobody is
}

const (
	defaultTimeout = 5 * time.Minute
	// grace is how long a scenario may take to end after its context has: the
	// run must be over within two seconds of an interrupt.
	grace = 1500 * time.Millisecond
)

// ErrNoScenario says that the filters leave nothing to play.
var ErrNoScenario = errors.New("no scenario matches")

// TraceError says that the evidence could not be begun.
type TraceError struct{ Err error }

func (e *TraceError) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *TraceError) Unwrap() error { return e.Err }

// Run plays the scenarios and waits for all of them, at most grace longer than
// ctx lasts. The Results are complete whatever happened: what was not played
// is skipped with the reason. The error is about the options and the sites
// alone, or a *TraceError; nothing has been played then.
func Run(ctx context.Context, o Options) (*Results, error) {
	jobs := choose(o)
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%w: filter %q, tags %v", ErrNoScenario, o.Filter, o.Tags)
	}
	r := &runner{Options: o, jobs: jobs, results: make([]*Result, len(jobs)), sites: map[string]*site.Site{}}
	r.fill()
	if err := r.load(); err != nil {
		return nil, err
	}
	if o.Trace != nil {
		var err error
		if r.trace, err = o.Trace(); err != nil {
			return nil, &TraceError{err}
		}
	}
	began := time.Now()
	r.emit(Event{Kind: RunBegan, Total: len(jobs), Notes: r.notes})
	defer r.encode()()
	var next atomic.Int64
	var workers sync.WaitGroup
	for w := range min(r.Workers, len(jobs)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(jobs); i = int(next.Add(1)) - 1 {
				r.one(ctx, w, i)
			}
		})
	}
	workers.Wait()
	out := &Results{Scenarios: r.results, Notes: r.notes}
	out.total(time.Since(began))
	r.closeTrace(out)
	r.emit(Event{Kind: RunEnded, Results: out})
	return out, nil
}

// job is one try of one scenario.
type job struct {
	suite    *Suite
	scenario *Scenario
	try      int // from 1; 0 where scenarios are not repeated
}

func (j job) result(s Status, failure string) *Result {
	return &Result{Suite: j.suite.Name, Name: j.scenario.Name, Try: j.try, Status: s, Failure: failure, Steps: []StepResult{}, suite: j.suite}
}

func (j job) name() string {
	if j.try > 0 {
		return fmt.Sprintf("%s (try %d)", j.scenario.Name, j.try)
	}
	return j.scenario.Name
}

// choose lists the scenarios to play, in the order of the suites.
func choose(o Options) []job {
	pattern, err := regexp.Compile("(?i)" + o.Filter)
	if err != nil {
		pattern = regexp.MustCompile("(?i)" + regexp.QuoteMeta(o.Filter))
	}
	var jobs []job
	for _, s := range o.Suites {
		for i := range s.Scenarios {
			sc := &s.Scenarios[i]
			full := s.Name + "/" + sc.Name
			if !pattern.MatchString(full) && !strings.Contains(strings.ToLower(full), strings.ToLower(o.Filter)) {
				continue
			}
			if len(o.Tags) > 0 && !overlap(o.Tags, sc.Tags) && !overlap(o.Tags, s.Defaults.Tags) {
				continue
			}
			if o.Repeat < 2 {
				jobs = append(jobs, job{s, sc, 0})
				continue
			}
			for try := range o.Repeat {
				jobs = append(jobs, job{s, sc, try + 1})
			}
		}
	}
	return jobs
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// runner is the state of one Run.
type runner struct {
	Options
	jobs    []job
	results []*Result
	sites   map[string]*site.Site // by path; read only once the run has begun
	trace   *trace.Run            // nil: no evidence is kept
	broken  atomic.Bool           // a scenario did not pass

	notes []string // of the sites

	mu sync.Mutex // of Sink
}

func (r *runner) fill() {
	if r.Workers < 1 {
		r.Workers = runtime.GOMAXPROCS(0)
	}
	if r.Timeout <= 0 {
		r.Timeout = defaultTimeout
	}
	if r.NewActor == nil {
		r.NewActor = func(p Page, o locate.Options) Actor { return locate.New(p, o) }
	}
}

// load reads the sites of all jobs, each once.
func (r *runner) load() error {
	var errs []error
	for _, j := range r.jobs {
		path := j.scenario.Site
		if _, ok := r.sites[path]; ok {
			continue
		}
		s, err := site.Load(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r.sites[path] = s
		for _, note := range s.Notes {
			r.notes = append(r.notes, fmt.Sprintf("site %s: %s", s.Name, note))
		}
	}
	return errors.Join(errs...)
}

func (r *runner) emit(e Event) {
	if r.Sink == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.At = time.Now()
	r.Sink(e)
}

// one plays or skips the i-th job.
func (r *runner) one(ctx context.Context, worker, i int) {
	j := r.jobs[i]
	e := Event{ID: i, Suite: j.suite.Name, Name: j.name(), Worker: worker}
	began := time.Now()
	res := r.skip(ctx, j)
	if res == nil {
		e.Kind = ScenarioBegan
		r.emit(e)
		res = r.bounded(ctx, j, e)
		res.Seconds = seconds(time.Since(began))
	}
	if res.Status == Failed || res.Status == Errored {
		r.broken.Store(true)
	}
	r.results[i] = res
	e.Kind, e.Result = ScenarioEnded, res
	r.emit(e)
}

// skip is the result of a job that is not played, nil for others.
func (r *runner) skip(ctx context.Context, j job) *Result {
	switch {
	case j.scenario.Skip != "":
		return j.result(Skipped, j.scenario.Skip)
	case ctx.Err() != nil:
		return j.result(Skipped, "not played: "+why(ctx))
	case r.FailFast && r.broken.Load():
		return j.result(Skipped, "not played: another scenario did not pass")
	}
	return nil
}

// why is the reason for which the context ended.
func why(ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause.Error()
	}
	return "interrupted"
}

// bounded plays a job and gives it up when it has not ended grace after its
// context: a page that hangs costs its scenario, not the run.
func (r *runner) bounded(ctx context.Context, j job, e Event) *Result {
	ctx, cancel := context.WithTimeoutCause(ctx, r.Timeout, fmt.Errorf("timed out after %s", r.Timeout))
	defer cancel()
	p := &play{runner: r, job: j, event: e, res: j.result(Passed, "")}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.run(ctx)
	}()
	select {
	case <-done:
		return p.end("")
	case <-ctx.Done():
	}
	select {
	case <-done:
		return p.end("")
	case <-time.After(grace):
		return p.end(why(ctx) + ", and the page did not let go")
	}
}
