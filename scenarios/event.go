package scenarios

import "time"

// EventKind says what happened.
type EventKind string

// The events of a run, in the order in which they come: one RunBegan, then of
// every scenario ScenarioBegan, StepEnded for each step and ScenarioEnded, and
// one RunEnded. A skipped scenario has ScenarioEnded alone.
const (
	RunBegan      EventKind = "run_began"
	ScenarioBegan EventKind = "scenario_began"
	StepBegan     EventKind = "step_began"
	StepEnded     EventKind = "step_ended"
	ScenarioEnded EventKind = "scenario_ended"
	RunEnded      EventKind = "run_ended"
)

// Event is something that happened in a run. Fields that do not belong to its
// kind are zero. Events of one run come one at a time.
type Event struct {
	Kind   EventKind
	At     time.Time
	Total  int      // RunBegan: scenarios that will be played or skipped
	ID     int      // of the scenario: its place in the results, from 0
	Suite  string   // of the scenario
	Name   string   // of the scenario, with its try where scenarios are repeated
	Worker int      // that plays it, from 0
	Notes  []string // RunBegan: what people should know of the sites before the run

	Step    *StepResult // StepBegan (verb and words only), StepEnded
	Result  *Result     // ScenarioEnded
	Results *Results    // RunEnded
}
