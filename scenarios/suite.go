// Package scenarios reads scenario suites, runs them and judges the results.
//
// Load reads a suite of the format that the README describes; Run plays its
// scenarios in parallel, each in a browser context of its own, through the
// same loop whatever the policy; the Results are what `harness run --json`
// prints, and a Baseline shows where a step came to need a later layer.
//
// The field names of the format are a contract: they may be added to, never
// renamed. What is wrong with a suite is said with file, line and column and
// all at once. Scalars are taken as written. Durations are Go durations, sizes
// and offsets CSS px.
//
// The package starts no browser: a page comes from Options.Open.
package scenarios

import (
	"time"

	"harness/internal/yaml"
)

// Suite is one file of scenarios.
type Suite struct {
	Name      string     `yaml:"suite" doc:"name of the suite; the file's name where it is left out"`
	Site      string     `yaml:"site" doc:"recorded site: a folder or a .har, .har.zip; looked up from the suite's folder, then from the working directory"`
	Defaults  Defaults   `yaml:"defaults" doc:"settings of all scenarios that do not set them"`
	Memory    string     `yaml:"memory" doc:"file of remembered locators that all scenarios read and write"`
	Scenarios []Scenario `yaml:"scenarios" doc:"the scenarios, played each in a browser context of its own"`

	File string `yaml:"-"` // path as given to Load
	node *yaml.Node
}

// Settings are the keys that the defaults of a suite and a scenario share. A
// zero field says nothing; Merge fills it from the next place that does.
type Settings struct {
	Viewport    Size          `yaml:"viewport" doc:"WIDTHxHEIGHT in CSS px"`
	DPR         float64       `yaml:"dpr" doc:"device pixel ratio"`
	Locale      string        `yaml:"locale" doc:"BCP 47 tag, such as zh-CN"`
	Timezone    string        `yaml:"timezone" doc:"IANA name, such as Asia/Shanghai"`
	Clock       Clock         `yaml:"clock" doc:"RFC 3339 time at which the page's clock starts; it runs on"`
	ClockFrozen *bool         `yaml:"clock_frozen" doc:"the clock stands still"`
	UserAgent   string        `yaml:"user_agent" doc:"User-Agent in place of the browser's own"`
	Timeout     time.Duration `yaml:"timeout" doc:"of one act, waiting included"`
	Policy      Policy        `yaml:"policy" doc:"who decides: steps, cassette, plain or model"`
}

// Defaults are what a suite sets for all its scenarios.
type Defaults struct {
	Settings `yaml:",inline"`
	Start    string   `yaml:"start" doc:"address at which scenarios begin"`
	Limits   Limits   `yaml:"limits" doc:"bounds of every scenario"`
	Tags     []string `yaml:"tags" doc:"words that every scenario can be chosen by"`
}

// Scenario is one task on a page and what must come of it.
type Scenario struct {
	Name     string `yaml:"name" doc:"unique in the suite"`
	Site     string `yaml:"site" doc:"in place of the suite's site"`
	Settings `yaml:",inline"`

	Start          string        `yaml:"start" doc:"address at which the scenario begins; the site's start where it is left out"`
	Task           string        `yaml:"task" doc:"what a model is asked to do"`
	Before         string        `yaml:"before" doc:"JavaScript, run in the page after it has loaded"`
	Steps          []Step        `yaml:"steps" doc:"the acts, in order"`
	Cassette       string        `yaml:"cassette" doc:"recorded model answers (JSON lines) that decide in place of steps"`
	VisionCassette string        `yaml:"vision_cassette" doc:"recorded vision answers, in order"`
	Memory         string        `yaml:"memory" doc:"in place of the suite's memory"`
	Expect         []Expectation `yaml:"expect" doc:"what must hold at the end"`
	Limits         Limits        `yaml:"limits" doc:"bounds; passing one is an error"`
	Tags           []string      `yaml:"tags" doc:"words that the scenario can be chosen by"`
	Skip           string        `yaml:"skip" doc:"reason for which the scenario is not run"`

	node *yaml.Node
}

// Limits bound a scenario. Zero fields do not bound.
type Limits struct {
	Steps  int           `yaml:"steps" doc:"acts"`
	Time   time.Duration `yaml:"time" doc:"from load to the last expectation"`
	Vision *int          `yaml:"vision" doc:"calls of a vision model; 0 allows none"`
	Tokens int           `yaml:"tokens" doc:"tokens of model calls"`
}

// Policy says who decides what is done next.
type Policy string

// The policies. An empty Policy is the one that the scenario's own fields ask
// for: steps where it has some, else its cassette, else a model.
const (
	PolicySteps    Policy = "steps"    // the written steps
	PolicyCassette Policy = "cassette" // recorded model answers
	PolicyPlain    Policy = "plain"    // the task's words, read by rules
	PolicyModel    Policy = "model"    // a live model
)

// Policies are the names of all policies.
func Policies() []string {
	return []string{string(PolicySteps), string(PolicyCassette), string(PolicyPlain), string(PolicyModel)}
}

// Size is a viewport's size in CSS px.
type Size struct{ W, H int }

// Clock is an instant with the zone in which it was written; the zero Clock is
// the real time.
type Clock struct{ time.Time }

// Merge is s with what it leaves open taken from o.
func (s Settings) Merge(o Settings) Settings {
	if s.Viewport == (Size{}) {
		s.Viewport = o.Viewport
	}
	if s.DPR == 0 {
		s.DPR = o.DPR
	}
	if s.Locale == "" {
		s.Locale = o.Locale
	}
	if s.Timezone == "" {
		s.Timezone = o.Timezone
	}
	if s.Clock.IsZero() {
		s.Clock = o.Clock
	}
	if s.ClockFrozen == nil {
		s.ClockFrozen = o.ClockFrozen
	}
	if s.UserAgent == "" {
		s.UserAgent = o.UserAgent
	}
	if s.Timeout == 0 {
		s.Timeout = o.Timeout
	}
	if s.Policy == "" {
		s.Policy = o.Policy
	}
	return s
}

// Merge is l with what it leaves open taken from o.
func (l Limits) Merge(o Limits) Limits {
	if l.Steps == 0 {
		l.Steps = o.Steps
	}
	if l.Time == 0 {
		l.Time = o.Time
	}
	if l.Vision == nil {
		l.Vision = o.Vision
	}
	if l.Tokens == 0 {
		l.Tokens = o.Tokens
	}
	return l
}
