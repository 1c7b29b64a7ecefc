// Package report shows what a run of scenarios came to: while it runs on a
// terminal or in plain lines, afterwards as a summary, as JUnit XML and as one
// HTML page.
//
// The way is events → State → pure functions of it: Progress writes what Live
// and Line make of the events; Summary, JUnit and HTML make their text from
// Results alone. Times are in seconds, sizes in characters or bytes.
//
// The package judges nothing: what passed and what drifted stands in the
// results.
package report

import (
	"slices"
	"time"

	"harness/scenarios"
)

// State is a run as far as its events tell.
type State struct {
	Total   int // scenarios
	Done    int
	Passed  int
	Failed  int // failed and error
	Skipped int
	Began   time.Time
	Running []Running // in the order in which they began
	Results *scenarios.Results
}

// Running is a scenario that is being played.
type Running struct {
	ID    int
	Title string // suite/name
	Step  string // verb and words of the step under way, "" before the first
	Steps int    // ended so far
	Began time.Time
}

// Apply takes one event up.
func (s *State) Apply(e scenarios.Event) {
	switch e.Kind {
	case scenarios.RunBegan:
		s.Total, s.Began = e.Total, e.At
	case scenarios.ScenarioBegan:
		s.Running = append(s.Running, Running{ID: e.ID, Title: title(e), Began: e.At})
	case scenarios.StepBegan:
		s.at(e.ID, func(r *Running) { r.Step = join(e.Step.Verb, e.Step.Words) })
	case scenarios.StepEnded:
		s.at(e.ID, func(r *Running) { r.Steps++ })
	case scenarios.ScenarioEnded:
		s.end(e)
	case scenarios.RunEnded:
		s.Results = e.Results
	}
}

func (s *State) at(id int, change func(*Running)) {
	for i := range s.Running {
		if s.Running[i].ID == id {
			change(&s.Running[i])
		}
	}
}

func (s *State) end(e scenarios.Event) {
	s.Running = slices.DeleteFunc(s.Running, func(r Running) bool { return r.ID == e.ID })
	s.Done++
	switch e.Result.Status {
	case scenarios.Passed:
		s.Passed++
	case scenarios.Skipped:
		s.Skipped++
	default:
		s.Failed++
	}
}

func title(e scenarios.Event) string { return e.Suite + "/" + e.Name }

func join(verb, words string) string {
	if words == "" {
		return verb
	}
	return verb + " " + words
}
