// Package trace keeps the evidence of a run: for every step the page as it
// stood before the act (NN-verb.html), the annotated screenshot (NN-verb.png)
// and the resolution (NN-verb.json), and a run.json over all of them.
//
// The main entries are New, Run.Scenario, Scenario.Begin, and then on each Step
// Capture (before the act) and End (after it). Only Capture costs the page's
// time; annotating, encoding and writing happen later, in whatever goroutines
// the owner of the run gives to Run.Encode. Without any the files are written by End
// and Close themselves, so that nothing is ever lost.
//
// The rules that it keeps: evidence never fails a scenario, and what could not
// be written is told once, with the cause, by Options.Report and by Close; no
// secret that the Options name is written to any file; files appear whole or
// not at all; a run that is killed leaves what it has, readable.
//
// It does not look at pages by itself: a Source (browser.Page is one) is given
// to Capture.
package trace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"harness/dom"
)

// Source is a page to take evidence from.
type Source interface {
	// HTML is the page as it stands, one file that opens offline.
	HTML(ctx context.Context) (string, error)
	// Shot is a screenshot of the viewport.
	Shot(ctx context.Context) (*dom.Shot, error)
}

// Options configure a Run. The zero value keeps twenty runs and hides nothing.
type Options struct {
	// Name is the run's folder; "" makes one from the time.
	Name string
	// Keep is how many runs stay in the folder, this one among them; older ones
	// are deleted. 0 means 20, below 0 all.
	Keep int
	// Secrets are texts that are masked wherever they would be written. One of
	// fewer than MinSecret characters is refused: masking it would hide the page.
	Secrets []string
	// Versions are written to run.json: harness, browser, driver …
	Versions map[string]string
	// Queue bounds the steps that wait to be written; 0 means 16.
	Queue int
	// Report is called once, with the first thing that could not be written;
	// nil: only Close tells.
	Report func(error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Files is where files go; nil means the disk.
	Files Files
}

// MinSecret is the length of the shortest secret, in characters.
const MinSecret = 3

// Run is the evidence of one run. Its methods may be called by any number of
// goroutines.
type Run struct {
	dir   string
	opts  Options
	files Files
	mask  *mask
	jobs  chan *Step

	saving    sync.Mutex // one writer of run.json at a time
	mu        sync.Mutex
	file      RunFile
	scenarios []*Scenario
	names     map[string]int
	written   time.Time // of run.json
	failure   error     // the first write that failed
	dropped   int       // files that were not written because of it
	closed    bool
}

// New makes the folder of a run below dir and prunes older runs. It fails where
// the folder cannot be made or written.
func New(dir string, o Options) (*Run, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Files == nil {
		o.Files = disk{}
	}
	if o.Queue == 0 {
		o.Queue = 16
	}
	m, err := newMask(o.Secrets)
	if err != nil {
		return nil, fmt.Errorf("evidence: %w", err)
	}
	r := &Run{opts: o, files: o.Files, mask: m, jobs: make(chan *Step, o.Queue), names: map[string]int{}}
	if r.dir, err = makeRunDir(o.Files, dir, o.Name, o.Now()); err != nil {
		return nil, fmt.Errorf("evidence: %w", err)
	}
	r.file = RunFile{V: 1, Run: filepath.Base(r.dir), Status: Running, Started: o.Now(), Versions: o.Versions}
	if err := writeJSON(r.files, filepath.Join(r.dir, runFile), r.file, m); err != nil {
		return nil, fmt.Errorf("evidence: %w", err)
	}
	if err := prune(o.Files, dir, filepath.Base(r.dir), o.Keep, o.Now()); err != nil {
		r.fail(fmt.Errorf("prune old runs: %w", err))
	}
	return r, nil
}

// Dir is the run's folder.
func (r *Run) Dir() string { return r.dir }

// Encode writes steps until the run is closed or ctx ends; what is left then is
// written by Close. Call it in one goroutine or more; the caller waits for them
// after Close.
func (r *Run) Encode(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-r.jobs:
			if !ok {
				return
			}
			s.write()
		}
	}
}

// queue hands a step over to Encode; where the queue is full the caller writes.
func (r *Run) queue(s *Step) {
	r.mu.Lock()
	closed := r.closed
	if !closed {
		select {
		case r.jobs <- s:
			r.mu.Unlock()
			return
		default:
		}
	}
	r.mu.Unlock()
	s.write()
}

// Close writes what is left, waits for what others are writing, and ends the
// run with the status. It returns the first error of all writing, nil where the
// evidence is whole. A second Close does nothing.
func (r *Run) Close(status string) error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil
	}
	r.closed = true
	close(r.jobs)
	open := slices.Clone(r.scenarios)
	r.mu.Unlock()
	for s := range r.jobs {
		s.write()
	}
	for _, sc := range open {
		sc.wait()
		sc.save()
	}
	r.mu.Lock()
	r.file.Status, r.file.Ended = status, r.opts.Now()
	r.mu.Unlock()
	r.save(true)
	return r.Err()
}

// Err is the first thing that could not be written, with how much was lost.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.errLocked()
}

func (r *Run) errLocked() error {
	if r.failure == nil {
		return nil
	}
	if r.dropped == 0 {
		return fmt.Errorf("evidence %s: %w", r.dir, r.failure)
	}
	return fmt.Errorf("evidence %s: %w; %d more files were not written", r.dir, r.failure, r.dropped)
}

// fail keeps the first error and reports it.
func (r *Run) fail(err error) {
	if err == nil || errors.Is(err, errDropped) {
		return
	}
	r.mu.Lock()
	first := r.failure == nil
	if first {
		r.failure = err
	}
	told := r.errLocked()
	r.mu.Unlock()
	if first && r.opts.Report != nil {
		r.opts.Report(told)
	}
}

var errDropped = errors.New("not written after an earlier failure")

// put writes one file. After the first failure nothing more is tried: a full
// disk stays full, and half a run's files would mislead.
func (r *Run) put(path string, data []byte) error {
	r.mu.Lock()
	lost := r.failure != nil
	if lost {
		r.dropped++
	}
	r.mu.Unlock()
	if lost {
		return errDropped
	}
	err := writeWhole(r.files, path, data)
	r.fail(err)
	return err
}

// saveEvery is how often run.json is brought up to date while a run goes on;
// each scenario's own file is written at every step.
const saveEvery = 500 * time.Millisecond

// save writes run.json; unless it is due it waits for a later step.
func (r *Run) save(now bool) {
	r.mu.Lock()
	if !now && r.opts.Now().Sub(r.written) < saveEvery {
		r.mu.Unlock()
		return
	}
	r.written = r.opts.Now()
	r.mu.Unlock()
	r.saving.Lock()
	defer r.saving.Unlock()
	r.mu.Lock()
	f := r.file
	if err := r.errLocked(); err != nil {
		f.Evidence = err.Error()
	}
	list := slices.Clone(r.scenarios)
	r.mu.Unlock()
	for _, sc := range list {
		f.Scenarios = append(f.Scenarios, sc.snapshot())
	}
	// Tried even after a failure: it is small, and it says what is missing.
	r.fail(writeJSON(r.files, filepath.Join(r.dir, runFile), f, r.mask))
}
