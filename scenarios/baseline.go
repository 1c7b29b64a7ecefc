package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"harness/internal/yaml"
	"harness/locate"
)

// Baseline says by which layer each step of a suite was resolved when it was
// last looked over. It is a committed file: <folder of the suite>/baselines/<suite>.json.
type Baseline struct {
	Suite     string                    `json:"suite"`
	Scenarios map[string][]BaselineStep `json:"scenarios"`
}

// BaselineStep is one step of a scenario that passed.
type BaselineStep struct {
	Step  string           `json:"step"` // verb and words
	Layer locate.LayerName `json:"layer,omitempty"`
}

// Drift is a step that was resolved by a later layer than in the baseline.
type Drift struct {
	Step int              `json:"step"` // from 1
	What string           `json:"what"` // verb and words
	Was  locate.LayerName `json:"was"`
	Now  locate.LayerName `json:"now"`
}

func (d Drift) String() string {
	return fmt.Sprintf("step %d, %s: %s before, now %s", d.Step, d.What, d.Was, d.Now)
}

// BaselineFile is where the suite's baseline is kept.
func BaselineFile(s *Suite) string {
	return filepath.Join(filepath.Dir(s.File), "baselines", s.Name+".json")
}

// ReadBaseline reads the suite's baseline; a suite that has none gets an empty
// one.
func ReadBaseline(s *Suite) (*Baseline, error) {
	b := &Baseline{Suite: s.Name, Scenarios: map[string][]BaselineStep{}}
	file := BaselineFile(s)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, fmt.Errorf("baseline %s: %w", file, cause(err))
	}
	if err := json.Unmarshal(data, b); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, jsonPlace(file, data, int(syntax.Offset)).Errorf("baseline: %v", err)
		}
		return nil, fmt.Errorf("baseline %s: %w", file, err)
	}
	return b, nil
}

// jsonPlace is the place of a byte.
func jsonPlace(file string, data []byte, offset int) yaml.Place {
	p := yaml.Place{File: file, Line: 1, Col: 1}
	for _, r := range string(data[:min(offset, len(data))]) {
		p.Col++
		if r == '\n' {
			p.Line, p.Col = p.Line+1, 1
		}
	}
	return p
}

// rank orders the layers by what they cost. What memory remembers came from a
// layer that it does not tell, so memory is as good as the first.
func rank(l locate.LayerName) int {
	switch l {
	case locate.JS:
		return 1
	case locate.Vision:
		return 2
	}
	return 0
}

// drifts compares a scenario's steps with the baseline; steps that were changed
// since are not compared.
func (b *Baseline) drifts(r *Result) []Drift {
	var out []Drift
	known := b.Scenarios[r.Name]
	for i, s := range r.Steps {
		what := title(s.Verb, s.Words)
		if i >= len(known) || known[i].Step != what || known[i].Layer == "" || s.Layer == "" {
			continue
		}
		if rank(s.Layer) > rank(known[i].Layer) {
			out = append(out, Drift{Step: i + 1, What: what, Was: known[i].Layer, Now: s.Layer})
		}
	}
	return out
}

// update takes the steps of a scenario that passed.
func (b *Baseline) update(r *Result) {
	steps := make([]BaselineStep, len(r.Steps))
	for i, s := range r.Steps {
		steps[i] = BaselineStep{Step: title(s.Verb, s.Words), Layer: s.Layer}
	}
	b.Scenarios[r.Name] = steps
}

// Compare finds the drifts of all results from the baselines of their suites,
// and counts them in the totals.
func (r *Results) Compare(suites []*Suite) error {
	return r.perSuite(suites, func(_ *Suite, b *Baseline, mine []*Result) error {
		for _, res := range mine {
			res.Drifts = b.drifts(res)
			r.Totals.Drifts += len(res.Drifts)
		}
		return nil
	})
}

// UpdateBaselines writes the baselines of the suites anew from the scenarios
// that passed. What did not is left as it was; scenarios that the suite no
// longer has are dropped.
func (r *Results) UpdateBaselines(suites []*Suite) error {
	return r.perSuite(suites, func(s *Suite, b *Baseline, mine []*Result) error {
		for _, res := range mine {
			if res.Status == Passed {
				b.update(res)
			}
		}
		for name := range b.Scenarios {
			if !s.has(name) {
				delete(b.Scenarios, name)
			}
		}
		return b.write(BaselineFile(s))
	})
}

func (r *Results) perSuite(suites []*Suite, do func(*Suite, *Baseline, []*Result) error) error {
	for _, s := range suites {
		b, err := ReadBaseline(s)
		if err != nil {
			return err
		}
		var mine []*Result
		for _, res := range r.Scenarios {
			if res.suite == s {
				mine = append(mine, res)
			}
		}
		if err := do(s, b, mine); err != nil {
			return err
		}
	}
	return nil
}

func (s *Suite) has(name string) bool {
	for i := range s.Scenarios {
		if s.Scenarios[i].Name == name {
			return true
		}
	}
	return false
}

func (b *Baseline) write(file string) error {
	if len(b.Scenarios) == 0 {
		return nil
	}
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return fmt.Errorf("baseline %s: %w", file, err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("baseline %s: %w", file, cause(err))
	}
	if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("baseline %s: %w", file, cause(err))
	}
	return nil
}
