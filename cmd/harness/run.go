package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"harness/internal/report"
	"harness/internal/trace"
	"harness/scenarios"
)

// runOptions are the flags of `harness run`.
type runOptions struct {
	paths           []string // suites and folders of suites; empty: scenarios
	workers         int      // 0: the configuration's, else one a core
	filter          string
	tags            []string
	repeat          int
	json            bool
	junit           string // file, "": none
	report          string // folder, "": none
	headed          bool
	failFast        bool
	timeout         time.Duration // of one scenario; 0: the configuration's, else 5 min
	policy          string
	strict          bool   // drifts fail
	evidence        string // folder, or none
	updateCassettes bool
	updateBaseline  bool
	eyes            eyesFlags
}

func newRunCmd(a *app) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [PATH…]",
		Short: "run scenario suites on their recorded sites",
		Long: `run plays the scenarios of the suites in parallel, each in a browser context of
its own and without any network: what the recorded site does not hold is refused
and named. A PATH is a suite or a folder of suites; without one it is scenarios/.

The exit code is 0 where all passed, 1 where one did not, 2 for a mistake in a
suite or on the command line, 3 for a fault of the harness itself and 130 after an
interrupt.`,
		Example: `  harness run
  harness run scenarios/forms.yaml --filter "cookie" --headed --workers 1
  harness run --tags smoke --junit junit.xml --report report`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paths = args
			return runRun(cmd.Context(), a, o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.workers, "workers", 0, "play so `many` scenarios at a time (default: cores)")
	f.StringVar(&o.filter, "filter", "", "play scenarios whose suite/name holds the `text` or matches it as a regular expression")
	f.StringSliceVar(&o.tags, "tags", nil, "play scenarios with one of these `tags`")
	f.IntVar(&o.repeat, "repeat", 1, "play each scenario so `many` times, to find flakes")
	f.BoolVar(&o.json, "json", false, "print the results as one JSON object")
	f.StringVar(&o.junit, "junit", "", "write the results as JUnit XML to the `file`")
	f.StringVar(&o.report, "report", "", "write an HTML report to the `folder`")
	f.BoolVar(&o.headed, "headed", false, "show the browser")
	f.BoolVar(&o.failFast, "fail-fast", false, "begin no scenario after one that did not pass")
	f.DurationVar(&o.timeout, "timeout", 0, "most time for one scenario (default 5m)")
	f.StringVar(&o.policy, "policy", "", "`who` decides, in place of what the scenarios say: "+strings.Join(scenarios.Policies(), ", "))
	f.BoolVar(&o.strict, "strict", false, "a drift from the baseline fails the run")
	f.StringVar(&o.evidence, "evidence", "", "`folder` of the evidence, or none (default debug_html)")
	f.BoolVar(&o.updateCassettes, "update-cassettes", false, "write the requests of this run into the cassettes of scenarios that passed")
	f.BoolVar(&o.updateBaseline, "update-baseline", false, "take the layers of this run as the baseline")
	o.eyes.add(cmd)
	return cmd
}

// check says what is wrong with the flags.
func (o runOptions) check() error {
	switch {
	case o.workers < 0:
		return usagef("--workers %d: at least 1", o.workers)
	case o.repeat < 1:
		return usagef("--repeat %d: at least 1", o.repeat)
	case o.timeout < 0:
		return usagef("--timeout %s: below zero", o.timeout)
	case o.policy != "" && !slices.Contains(scenarios.Policies(), o.policy):
		return usagef("--policy %s: one of %s", o.policy, strings.Join(scenarios.Policies(), ", "))
	}
	return nil
}

// runRun plays the suites and tells what came of it.
func runRun(ctx context.Context, a *app, o runOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	c, err := a.config()
	if err != nil {
		return err
	}
	suites, err := loadSuites(o.paths)
	if err != nil {
		return &inputError{err}
	}
	return runSuites(ctx, a, o, c, suites)
}

// loadSuites reads all suites; the error joins what is wrong with each.
func loadSuites(paths []string) ([]*scenarios.Suite, error) {
	if len(paths) == 0 {
		paths = []string{"scenarios"}
	}
	files, err := scenarios.Find(paths)
	if err != nil {
		return nil, err
	}
	var suites []*scenarios.Suite
	var errs []error
	names := map[string]string{}
	for _, file := range files {
		s, err := scenarios.Load(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if _, err := scenarios.ReadBaseline(s); err != nil {
			errs = append(errs, err)
		}
		if first, ok := names[s.Name]; ok {
			errs = append(errs, fmt.Errorf("%s: a second suite %q (the first is %s)", file, s.Name, first))
		}
		names[s.Name] = file
		suites = append(suites, s)
	}
	return suites, errors.Join(errs...)
}

func runSuites(ctx context.Context, a *app, o runOptions, c config, suites []*scenarios.Suite) error {
	c, err := c.with(o.eyes)
	if err != nil {
		return err
	}
	models, err := c.models()
	if err != nil {
		return &inputError{err}
	}
	pages := newBrowsers(c)
	progress := report.NewProgress(a.err, os.Getenv("TERM") == "dumb")
	began := time.Now()
	results, err := scenarios.Run(ctx, scenarios.Options{
		Suites: suites, Open: pages.page, Models: models, Trace: func() (*trace.Run, error) { return evidenceOf(o, c) },
		Workers: first(o.workers, c.Workers), Filter: o.filter, Tags: o.tags, Repeat: o.repeat, FailFast: o.failFast,
		Timeout: first(o.timeout, c.Timeout), Policy: scenarios.Policy(o.policy), Headed: o.headed || c.Headed != nil && *c.Headed,
		UpdateCassettes: o.updateCassettes,
		Sink:            progress.Event,
	})
	if closeErr := pages.close(); closeErr != nil && ctx.Err() == nil {
		slog.New(slog.NewTextHandler(a.err, nil)).Warn("browsers did not end", "err", closeErr)
	}
	if err != nil {
		return runError(err)
	}
	return finish(ctx, a, o, suites, results, began)
}

// runError tells what keeps a run from beginning: a fault of ours, or of what
// was given.
func runError(err error) error {
	var fault *scenarios.TraceError
	if errors.As(err, &fault) {
		return err
	}
	return &inputError{err}
}

func first[T comparable](values ...T) T {
	var zero T
	for _, v := range values {
		if v != zero {
			return v
		}
	}
	return zero
}

// noEvidence is the word for no folder.
const noEvidence = "none"

func evidenceOf(o runOptions, c config) (*trace.Run, error) {
	dir := first(o.evidence, c.Evidence, "debug_html")
	if dir == noEvidence {
		return nil, nil
	}
	return trace.New(dir, trace.Options{Versions: map[string]string{"harness": version()}})
}

// finish compares with the baselines and writes all that was asked for, whether
// the run was interrupted or not.
func finish(ctx context.Context, a *app, o runOptions, suites []*scenarios.Suite, r *scenarios.Results, at time.Time) error {
	if err := r.Compare(suites); err != nil {
		return &inputError{err}
	}
	if o.updateBaseline {
		if err := r.UpdateBaselines(suites); err != nil {
			return err
		}
	}
	page, err := writeReports(o, r, at)
	if err != nil {
		return err
	}
	if o.json {
		err = r.WriteJSON(a.out)
	} else {
		err = report.Summary(a.out, r)
	}
	if err != nil {
		return err
	}
	if r.EvidenceError != "" {
		fmt.Fprintf(a.err, "harness: the evidence is not whole: %s\n", r.EvidenceError)
	}
	if page != "" {
		fmt.Fprintf(a.err, "report: %s\n", page)
	}
	switch {
	case interrupted(ctx), !r.OK(), o.strict && r.Totals.Drifts > 0:
		return errFailed
	}
	return nil
}

// writeReports writes the files that the flags ask for; the path is that of the
// HTML report, "" where none was asked for.
func writeReports(o runOptions, r *scenarios.Results, at time.Time) (string, error) {
	if o.junit != "" {
		if err := writeFile(o.junit, func(w io.Writer) error { return report.JUnit(w, r) }); err != nil {
			return "", err
		}
	}
	if o.report == "" {
		return "", nil
	}
	return report.WriteFolder(o.report, r, at)
}

// writeFile writes a file, whole or not at all.
func writeFile(file string, write func(w io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".harness-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}
