package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"harness/locate"
	"harness/scenarios"
)

// layerOrder is the order in which layers are named.
var layerOrder = []locate.LayerName{locate.Memory, locate.Locators, locate.JS, locate.Vision}

// Summary writes what a run came to: a table of the suites, then what did not
// pass with its reason and evidence, drifts, flaky scenarios, notes and the totals.
func Summary(w io.Writer, r *scenarios.Results) error {
	var b strings.Builder
	suiteTable(&b, r)
	failures(&b, r)
	drifts(&b, r)
	flakes(&b, r)
	notes(&b, r)
	fmt.Fprintf(&b, "\n%s\n", totals(r))
	_, err := io.WriteString(w, b.String())
	return err
}

// suite is a suite's row in summaries.
type suite struct {
	Name                     string
	Scenarios, Passed, Steps int
	Layers                   map[locate.LayerName]int
	Seconds                  float64 // of its scenarios, added up
	Results                  []*scenarios.Result
}

// suites are the rows in the order of the results.
func suites(r *scenarios.Results) []*suite {
	var out []*suite
	for _, res := range r.Scenarios {
		i := slices.IndexFunc(out, func(s *suite) bool { return s.Name == res.Suite })
		if i < 0 {
			i = len(out)
			out = append(out, &suite{Name: res.Suite, Layers: map[locate.LayerName]int{}})
		}
		s := out[i]
		s.Results = append(s.Results, res)
		s.Scenarios++
		if res.Status == scenarios.Passed {
			s.Passed++
		}
		s.Steps += len(res.Steps)
		s.Seconds += res.Seconds
		for _, step := range res.Steps {
			if step.Layer != "" {
				s.Layers[step.Layer]++
			}
		}
	}
	return out
}

func suiteTable(b *strings.Builder, r *scenarios.Results) {
	rows := [][]string{{"suite", "passed", "steps", "by layer", "time"}}
	for _, s := range suites(r) {
		rows = append(rows, []string{s.Name, fmt.Sprintf("%d/%d", s.Passed, s.Scenarios), fmt.Sprint(s.Steps), layers(s.Layers), fmt.Sprintf("%.1f s", s.Seconds)})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], wide(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-wide(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func wide(s string) int {
	n := 0
	for _, r := range s {
		n += columns(r)
	}
	return n
}

// layers is "12 locators, 3 js".
func layers(m map[locate.LayerName]int) string {
	var parts []string
	for _, l := range layerOrder {
		if m[l] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", m[l], l))
		}
	}
	if len(parts) == 0 {
		return "–"
	}
	return strings.Join(parts, ", ")
}

func failures(b *strings.Builder, r *scenarios.Results) {
	for _, res := range r.Scenarios {
		if res.Status != scenarios.Failed && res.Status != scenarios.Errored {
			continue
		}
		fmt.Fprintf(b, "\n%s %s\n", strings.TrimSpace(marks[res.Status]), full(res))
		fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(res.Failure, "\n", "\n  "))
		if len(res.Refused) > 0 {
			fmt.Fprintf(b, "  not in the site: %s\n", strings.Join(res.Refused, ", "))
		}
		if res.Evidence != "" {
			fmt.Fprintf(b, "  evidence: %s\n", res.Evidence)
		}
	}
}

// full is suite/name with the try.
func full(r *scenarios.Result) string {
	if r.Try > 0 {
		return fmt.Sprintf("%s/%s (try %d)", r.Suite, r.Name, r.Try)
	}
	return r.Suite + "/" + r.Name
}

func drifts(b *strings.Builder, r *scenarios.Results) {
	for _, res := range r.Scenarios {
		for _, d := range res.Drifts {
			fmt.Fprintf(b, "\ndrift %s: %s", full(res), d)
		}
	}
	if r.Totals.Drifts > 0 {
		b.WriteString("\n")
	}
}

// noteWidth is how much of a note the summary shows; the report has it whole.
const noteWidth = 200

// notes tells of each scenario the first thing that a reader should know beside
// its result, and how many more there are.
func notes(b *strings.Builder, r *scenarios.Results) {
	for _, res := range r.Scenarios {
		if len(res.Notes) == 0 {
			continue
		}
		fmt.Fprintf(b, "\nnote %s: %s", full(res), fit(firstLine(res.Notes[0]), noteWidth))
		if more := len(res.Notes) - 1; more > 0 {
			fmt.Fprintf(b, " (and %d more)", more)
		}
		b.WriteString("\n")
	}
}

// flakes names the scenarios that passed in some tries only.
func flakes(b *strings.Builder, r *scenarios.Results) {
	type count struct{ passed, tries int }
	counts, order := map[string]*count{}, []string{}
	for _, res := range r.Scenarios {
		if res.Try == 0 || res.Status == scenarios.Skipped {
			continue
		}
		key := res.Suite + "/" + res.Name
		if counts[key] == nil {
			counts[key] = &count{}
			order = append(order, key)
		}
		counts[key].tries++
		if res.Status == scenarios.Passed {
			counts[key].passed++
		}
	}
	for _, key := range order {
		if c := counts[key]; c.passed > 0 && c.passed < c.tries {
			fmt.Fprintf(b, "\nflaky %s: passed %d of %d tries\n", key, c.passed, c.tries)
		}
	}
}

func totals(r *scenarios.Results) string {
	t := r.Totals
	parts := []string{fmt.Sprintf("%d passed", t.Passed)}
	for _, p := range []struct {
		n    int
		word string
	}{{t.Failed, "failed"}, {t.Error, "error"}, {t.Skipped, "skipped"}, {t.Drifts, "drifted"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return fmt.Sprintf("%d scenarios: %s in %.1f s (steps: %s)", t.Scenarios, strings.Join(parts, ", "), t.Seconds, layers(t.Layers))
}
