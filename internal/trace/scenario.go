package trace

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"harness/locate"
)

// Scenario is the evidence of one scenario or task: a folder of its own, or
// the run's where it has no name. One goroutine at a time begins, captures and
// ends its steps.
type Scenario struct {
	run *Run
	dir string

	saving  sync.Mutex // one writer of the scenario's run.json at a time
	mu      sync.Mutex
	idle    *sync.Cond // signalled when a step was written
	file    ScenarioFile
	pending int
}

// About says what a scenario is.
type About struct {
	Suite string
	Name  string
	Task  string
	Start string // address of the first page
	Clock string // the page's clock, RFC 3339; "" is the real one
}

// Scenario opens a scenario's folder, <suite>-<name> made safe and unique. A
// scenario without both stands in the run's own folder. Where the folder cannot
// be made, that is reported as any failed write; the scenario goes on.
func (r *Run) Scenario(a About) *Scenario {
	sc := &Scenario{run: r, file: ScenarioFile{
		V: 1, Suite: a.Suite, Name: a.Name, Task: a.Task, Start: a.Start, Clock: a.Clock, Status: Running, Started: r.opts.Now(),
	}}
	sc.idle = sync.NewCond(&sc.mu)
	r.mu.Lock()
	sc.file.Dir = r.folder(a)
	sc.dir = filepath.Join(r.dir, sc.file.Dir)
	r.scenarios = append(r.scenarios, sc)
	r.mu.Unlock()
	if sc.file.Dir != "" {
		r.fail(r.files.MkdirAll(sc.dir))
	}
	r.save(false)
	return sc
}

// folder is the name of the scenario's folder in the run; r.mu is held.
func (r *Run) folder(a About) string {
	if a.Suite == "" && a.Name == "" {
		if r.names[""]++; r.names[""] == 1 {
			return ""
		}
		a.Name = "task"
	}
	name := safeName(a.Suite + "-" + a.Name)
	r.names[name]++
	for n := r.names[name]; n > 1; n++ {
		next := fmt.Sprintf("%s-%d", name, n)
		if r.names[next] == 0 {
			r.names[next]++
			return next
		}
	}
	return name
}

// Dir is the scenario's folder; further files (a Playwright trace) may be put there.
func (sc *Scenario) Dir() string { return sc.dir }

// Begin opens the next step. Numbers start at 1.
func (sc *Scenario) Begin(verb string) *Step {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	n := len(sc.file.Steps) + 1
	now := sc.run.opts.Now()
	sc.file.Steps = append(sc.file.Steps, StepFile{N: n, Verb: verb, Status: Running, Started: now})
	return &Step{sc: sc, n: n, base: fmt.Sprintf("%02d-%s", n, safeName(verb)), started: now}
}

// Note adds a file that others put into the scenario's folder.
func (sc *Scenario) Note(file string) {
	sc.mu.Lock()
	sc.file.Files = append(sc.file.Files, file)
	sc.mu.Unlock()
}

// End closes the scenario with its status ("passed", "failed", "error" …) and,
// where it failed, why.
func (sc *Scenario) End(status, failure string) {
	sc.mu.Lock()
	sc.file.Status, sc.file.Failure, sc.file.Ended = status, failure, sc.run.opts.Now()
	sc.mu.Unlock()
	sc.save()
	sc.run.save(false)
}

// wait returns when no step waits to be written.
func (sc *Scenario) wait() {
	sc.mu.Lock()
	for sc.pending > 0 {
		sc.idle.Wait()
	}
	sc.mu.Unlock()
}

// save writes the scenario's own run.json; a scenario in the run's folder is
// written with the run.
func (sc *Scenario) save() {
	if sc.file.Dir == "" {
		sc.run.save(true)
		return
	}
	sc.saving.Lock()
	defer sc.saving.Unlock()
	data, err := encodeJSON(sc.snapshot(), sc.run.mask)
	if err != nil {
		sc.run.fail(err)
		return
	}
	_ = sc.run.put(filepath.Join(sc.dir, runFile), data) // put keeps the error
}

func (sc *Scenario) snapshot() ScenarioFile {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	f := sc.file
	f.Steps, f.Files = slices.Clone(f.Steps), slices.Clone(f.Files)
	return f
}

// update changes the step's line in the scenario's file.
func (sc *Scenario) update(n int, change func(*StepFile)) {
	sc.mu.Lock()
	change(&sc.file.Steps[n-1])
	sc.mu.Unlock()
}

// Outcome is how a step ended.
type Outcome struct {
	Resolution *locate.Resolution // nil where the step resolves nothing
	Status     string             // "passed", "failed", "error" or "skipped"; "" follows from Err
	Err        error
	URL        string // the page's address before the act
	Words      string // for steps without a Resolution
	// Timings are parts of the step by name ("locate", "act", "effect").
	Timings map[string]time.Duration
}
