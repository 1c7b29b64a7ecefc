package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Statuses of runs, scenarios and steps while they last and after.
const (
	Running = "running"
	Passed  = "passed"
	Failed  = "failed"
	Error   = "error"
	Skipped = "skipped"
)

const runFile = "run.json"

// RunFile is run.json in the run's folder. A Status of "running" in a run that
// is over says that it was killed; what stands in the file happened.
type RunFile struct {
	V         int               `json:"v"`
	Run       string            `json:"run"`
	Status    string            `json:"status"`
	Started   time.Time         `json:"started"`
	Ended     time.Time         `json:"ended,omitzero"`
	Versions  map[string]string `json:"versions,omitempty"`
	Evidence  string            `json:"evidence_error,omitempty"` // what could not be written
	Scenarios []ScenarioFile    `json:"scenarios"`
}

// ScenarioFile is a scenario's part of run.json, and run.json in its folder.
type ScenarioFile struct {
	V       int        `json:"v"`
	Suite   string     `json:"suite,omitempty"`
	Name    string     `json:"name,omitempty"`
	Task    string     `json:"task,omitempty"`
	Start   string     `json:"start,omitempty"`
	Clock   string     `json:"clock,omitempty"`
	Dir     string     `json:"dir"` // below the run's folder; "" is that folder
	Status  string     `json:"status"`
	Failure string     `json:"failure,omitempty"`
	Started time.Time  `json:"started"`
	Ended   time.Time  `json:"ended,omitzero"`
	Steps   []StepFile `json:"steps"`
	Files   []string   `json:"files,omitempty"` // others than the steps'
}

// StepFile is a step's line.
type StepFile struct {
	N          int        `json:"n"`
	Verb       string     `json:"verb"`
	Words      string     `json:"words,omitempty"`
	Status     string     `json:"status"`
	Layer      string     `json:"layer,omitempty"`
	Confidence int        `json:"confidence,omitempty"` // 0-100
	Warning    string     `json:"warning,omitempty"`
	Error      *ErrorFile `json:"error,omitempty"`
	URL        string     `json:"url,omitempty"`
	Started    time.Time  `json:"started"`
	Millis     float64    `json:"ms"`
	Files      []string   `json:"files,omitempty"`
}

// ErrorFile is an error with the suite format's word for it.
type ErrorFile struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// stepFile is NN-verb.json.
type stepFile struct {
	StepFile
	Timings    map[string]float64 `json:"timings_ms,omitempty"`
	Evidence   []string           `json:"evidence,omitempty"` // what is missing of it, with the cause
	Resolution json.RawMessage    `json:"resolution,omitempty"`
}

// ReadRun reads the run.json of a run's folder, finished or not. Scenarios that
// the run's file does not know as well as their own files do (the run was
// killed) are brought up to date from those.
func ReadRun(dir string) (*RunFile, error) {
	var f RunFile
	if err := readJSON(filepath.Join(dir, runFile), &f); err != nil {
		return nil, fmt.Errorf("run %s: %w", dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", dir, err)
	}
	known := map[string]int{}
	for i, sc := range f.Scenarios {
		known[sc.Dir] = i
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		var sc ScenarioFile
		if readJSON(filepath.Join(dir, e.Name(), runFile), &sc) != nil {
			continue
		}
		sc.Dir = e.Name()
		if i, ok := known[sc.Dir]; ok {
			f.Scenarios[i] = sc
		} else {
			f.Scenarios = append(f.Scenarios, sc)
		}
	}
	return &f, nil
}

func readJSON(path string, to any) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 64<<20))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %v", path, err)
	}
	return nil
}

func encodeJSON(v any, m *mask) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(m.json(data), '\n'), nil
}

func writeJSON(files Files, path string, v any, m *mask) error {
	data, err := encodeJSON(v, m)
	if err != nil {
		return err
	}
	return writeWhole(files, path, data)
}
