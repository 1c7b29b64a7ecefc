package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"
	"time"

	"harness/scenarios"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

// HTMLOptions say what the page shows beside the results. The zero value makes
// a page without pictures and links.
type HTMLOptions struct {
	At time.Time // of the run; zero is left out
	// Image gives a screenshot as it goes into the page; nil: there are none.
	Image func(file string, width int) (template.URL, error)
	// Link is the address of a file of the evidence as seen from the page; nil:
	// nothing is linked.
	Link func(file string) string
}

// page is what the template shows.
type page struct {
	Title, State, Headline, Sub, Footer string
	Style                               template.CSS
	Tiles                               []tile
	Layers                              []layerCount
	Broken                              []scenario
	Drifts                              []drift
	Suites                              []suiteView
}

type tile struct{ Value, Label, Class string }

type layerCount struct {
	Name  string
	Count int
}

type drift struct{ Name, Text string }

type suiteView struct {
	Name, Passed, Layers, Time string
	Steps                      int
	Bad                        bool
	Scenarios                  []scenario
}

type scenario struct {
	Name, Status, Meta, Failure, Answer, Evidence string
	Open                                          bool
	Steps                                         []step
	Refused, Notes                                []string
	Image                                         template.URL
	ImageOf, ImageLink                            string
}

type step struct {
	N                          int
	Verb, Words, Layer, Status string
	Error, Warning             string
	Confidence                 int
	MS                         int64
	Link, Page                 string // of the screenshot and the saved page
}

// HTML writes the results as one page that needs nothing beside it: what did
// not pass first, then the suites with every step.
func HTML(w io.Writer, r *scenarios.Results, o HTMLOptions) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := t.Execute(w, o.page(r)); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

func (o HTMLOptions) page(r *scenarios.Results) page {
	t := r.Totals
	p := page{Style: template.CSS(pageStyle), State: "good", Headline: "All scenarios passed", Sub: totals(r)}
	if bad := t.Failed + t.Error; bad > 0 {
		p.State, p.Headline = "bad", fmt.Sprintf("%d of %d scenarios did not pass", bad, t.Scenarios)
	}
	p.Title = "harness: " + strings.ToLower(p.Headline[:1]) + p.Headline[1:]
	p.Tiles = tiles(t)
	for _, l := range layerOrder {
		if n := t.Layers[l]; n > 0 {
			p.Layers = append(p.Layers, layerCount{string(l), n})
		}
	}
	for _, res := range r.Scenarios {
		if res.Status == scenarios.Failed || res.Status == scenarios.Errored {
			v := o.scenario(res, 960)
			v.Name, v.Open = full(res), true
			p.Broken = append(p.Broken, v)
		}
		for _, d := range res.Drifts {
			p.Drifts = append(p.Drifts, drift{full(res), d.String()})
		}
	}
	for _, s := range suites(r) {
		p.Suites = append(p.Suites, o.suite(s))
	}
	p.Footer = "Made by harness run"
	if !o.At.IsZero() {
		p.Footer += o.At.Format(" on 2 January 2006 at 15:04:05 MST")
	}
	if r.EvidenceError != "" {
		p.Footer += ". Evidence is not whole: " + r.EvidenceError
	}
	return p
}

func tiles(t scenarios.Totals) []tile {
	out := []tile{
		{fmt.Sprint(t.Scenarios), "scenarios", ""},
		{fmt.Sprint(t.Passed), "passed", "good"},
	}
	for _, x := range []struct {
		n            int
		label, class string
	}{{t.Failed, "failed", "bad"}, {t.Error, "error", "bad"}, {t.Skipped, "skipped", ""}, {t.Drifts, "drifted", "warn"}} {
		if x.n > 0 {
			out = append(out, tile{fmt.Sprint(x.n), x.label, x.class})
		}
	}
	return append(out, tile{fmt.Sprintf("%.1f s", t.Seconds), "time", ""})
}

func (o HTMLOptions) suite(s *suite) suiteView {
	v := suiteView{
		Name: s.Name, Passed: fmt.Sprintf("%d/%d", s.Passed, s.Scenarios), Layers: layers(s.Layers),
		Time: fmt.Sprintf("%.1f s", s.Seconds), Steps: s.Steps,
	}
	for _, res := range s.Results {
		v.Bad = v.Bad || res.Status == scenarios.Failed || res.Status == scenarios.Errored
		if res.Status == scenarios.Failed || res.Status == scenarios.Errored {
			v.Scenarios = append(v.Scenarios, HTMLOptions{Link: o.Link}.scenario(res, 0)) // its picture stands above
			continue
		}
		v.Scenarios = append(v.Scenarios, o.scenario(res, 480))
	}
	return v
}

// scenario is one result with the last screenshot that it has, at most so wide.
func (o HTMLOptions) scenario(r *scenarios.Result, width int) scenario {
	v := scenario{Name: r.Name, Status: string(r.Status), Failure: r.Failure, Answer: r.Answer, Evidence: r.Evidence, Refused: r.Refused, Notes: r.Notes}
	if r.Try > 0 {
		v.Name = fmt.Sprintf("%s (try %d)", r.Name, r.Try)
	}
	if r.Status != scenarios.Skipped {
		v.Meta = fmt.Sprintf("%s · %.1f s", plural(len(r.Steps), "step"), r.Seconds)
	}
	shot, of := "", ""
	for i, s := range r.Steps {
		v.Steps = append(v.Steps, o.step(r, i, s))
		if s.Shot != "" {
			shot, of = s.Shot, fmt.Sprintf("step %d, before the act", i+1)
		}
	}
	if r.Shot != "" {
		shot, of = r.Shot, "the end"
	}
	if shot == "" || o.Image == nil {
		return v
	}
	file := filepath.Join(r.Evidence, shot)
	if image, err := o.Image(file, width); err == nil {
		v.Image, v.ImageOf = image, of
		v.ImageLink = o.link(file)
	}
	return v
}

func (o HTMLOptions) step(r *scenarios.Result, i int, s scenarios.StepResult) step {
	v := step{
		N: i + 1, Verb: s.Verb, Words: s.Words, Layer: string(s.Layer), Status: string(s.Status),
		Warning: s.Warning, Confidence: s.Confidence, MS: s.MS,
	}
	if s.Error != nil {
		v.Error = s.Error.Kind + ": " + s.Error.Message
		switch {
		case s.Status == scenarios.Passed:
			v.Error = "refused as asked: " + s.Error.Kind
		case strings.HasSuffix(r.Failure, s.Error.Message): // it stands above already
			v.Error = s.Error.Kind
		}
	}
	if s.Shot != "" {
		file := filepath.Join(r.Evidence, s.Shot)
		v.Link = o.link(file)
		v.Page = o.link(strings.TrimSuffix(file, ".png") + ".html")
	}
	return v
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func (o HTMLOptions) link(file string) string {
	if o.Link == nil {
		return ""
	}
	return o.Link(file)
}
