package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"harness/dom"
	"harness/locate"
)

// Step is the evidence of one step in the making.
type Step struct {
	sc      *Scenario
	n       int
	base    string // NN-verb
	started time.Time

	html     string
	shot     *dom.Shot
	missing  []string // what could not be captured, with the cause
	capture  time.Duration
	captured bool
	outcome  Outcome
	file     stepFile
}

// Number is the step's number in its scenario.
func (s *Step) Number() int { return s.n }

// Captured reports whether the page was captured.
func (s *Step) Captured() bool { return s.captured }

// Capture takes the page as it stands: call it before the act, once; a later
// call replaces what an earlier one took. What the page does not give is noted
// in the step's evidence; the step goes on.
func (s *Step) Capture(ctx context.Context, src Source) {
	start := s.sc.run.opts.Now()
	s.missing, s.captured = nil, true
	var err error
	if s.html, err = src.HTML(ctx); err != nil {
		s.missing = append(s.missing, fmt.Sprintf("no html: %v", err))
	}
	if s.shot, err = src.Shot(ctx); err != nil {
		s.shot = nil
		s.missing = append(s.missing, fmt.Sprintf("no screenshot: %v", err))
	}
	s.capture += s.sc.run.opts.Now().Sub(start)
}

// End closes the step; its files are written soon. Nothing in o may be changed
// afterwards.
func (s *Step) End(o Outcome) {
	now := s.sc.run.opts.Now()
	if o.Status == "" {
		o.Status = Passed
		if o.Err != nil {
			o.Status = Failed
		}
	}
	s.outcome = o
	line := StepFile{N: s.n, Verb: s.sc.verb(s.n), Status: o.Status, Started: s.started, Millis: millis(now.Sub(s.started)), URL: o.URL, Words: o.Words}
	line.Error = stepError(o.Err)
	if r := o.Resolution; r != nil {
		line.Words, line.Layer, line.Confidence, line.Warning = r.Words, string(r.Layer), r.Confidence, r.Warning
	}
	s.file = stepFile{StepFile: line, Timings: s.timings(), Evidence: s.missing}
	// The resolution is encoded now: its owner may go on to use it.
	if o.Resolution != nil {
		data, err := json.Marshal(o.Resolution)
		if err != nil {
			s.file.Evidence = append(s.file.Evidence, fmt.Sprintf("no resolution: %v", err))
		}
		s.file.Resolution = data
	}
	s.sc.mu.Lock()
	s.sc.file.Steps[s.n-1] = line
	s.sc.pending++
	s.sc.mu.Unlock()
	s.sc.run.queue(s)
}

func (sc *Scenario) verb(n int) string {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.file.Steps[n-1].Verb
}

func (s *Step) timings() map[string]float64 {
	t := map[string]float64{}
	for name, d := range s.outcome.Timings {
		t[name] = millis(d)
	}
	if s.captured {
		t["capture"] = millis(s.capture)
	}
	return t
}

func stepError(err error) *ErrorFile {
	if err == nil {
		return nil
	}
	return &ErrorFile{Kind: locate.Kind(err), Message: err.Error()}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// write makes the step's files. It is called once, by any goroutine.
func (s *Step) write() {
	defer s.done()
	var files []string
	put := func(ext string, data []byte) {
		if err := s.sc.run.put(filepath.Join(s.sc.dir, s.base+ext), data); err == nil {
			files = append(files, s.base+ext)
		}
	}
	m := s.sc.run.mask
	if s.html != "" {
		put(".html", []byte(m.html(s.html)))
	}
	if s.shot != nil && s.html == "" && m.any {
		s.shot = nil
		s.file.Evidence = append(s.file.Evidence, "no screenshot: without the html it is not known where secrets show")
	}
	if s.shot != nil {
		png, err := picture(s.shot, maskedBoxes(s.html), s.outcome.Resolution)
		if err != nil {
			s.file.Evidence = append(s.file.Evidence, fmt.Sprintf("no annotation: %v", err))
		}
		if png != nil {
			put(".png", png)
		}
	}
	s.html, s.shot = "", nil
	s.file.Files = append(files, s.base+".json")
	data, err := encodeJSON(s.file, m)
	if err != nil {
		s.sc.run.fail(fmt.Errorf("%s.json: %w", s.base, err))
		return
	}
	put(".json", data)
	s.sc.update(s.n, func(l *StepFile) { l.Files = files })
}

// done tells that the step is written and brings the run's files up to date.
func (s *Step) done() {
	s.sc.mu.Lock()
	s.sc.pending--
	s.sc.idle.Broadcast()
	s.sc.mu.Unlock()
	if s.sc.file.Dir == "" {
		s.sc.run.save(false)
	} else {
		s.sc.save()
		s.sc.run.save(false)
	}
}
