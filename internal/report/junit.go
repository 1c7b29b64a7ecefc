package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"harness/scenarios"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Skipped *junitProblem `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes the results in the XML form that CI systems read: a suite is a
// testsuite, a scenario a testcase with its steps as output.
func JUnit(w io.Writer, r *scenarios.Results) error {
	t := r.Totals
	out := junitSuites{Tests: t.Scenarios, Failures: t.Failed, Errors: t.Error, Skipped: t.Skipped, Time: fmt.Sprintf("%.3f", t.Seconds)}
	for _, s := range suites(r) {
		out.Suites = append(out.Suites, junitOf(s))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitOf(s *suite) junitSuite {
	out := junitSuite{Name: s.Name, Tests: s.Scenarios, Time: fmt.Sprintf("%.3f", s.Seconds)}
	for _, res := range s.Results {
		c := junitCase{Name: res.Name, Class: s.Name, Time: fmt.Sprintf("%.3f", res.Seconds), Out: stepLines(res)}
		if res.Try > 0 {
			c.Name = fmt.Sprintf("%s (try %d)", res.Name, res.Try)
		}
		problem := &junitProblem{Message: firstLine(res.Failure), Type: errorKind(res), Text: res.Failure}
		switch res.Status {
		case scenarios.Failed:
			out.Failures++
			c.Failure = problem
		case scenarios.Errored:
			out.Errors++
			c.Error = problem
		case scenarios.Skipped:
			out.Skipped++
			c.Skipped = &junitProblem{Message: res.Failure}
		}
		out.Cases = append(out.Cases, c)
	}
	return out
}

// errorKind is the kind of the step that failed, "expectation" where none did.
func errorKind(r *scenarios.Result) string {
	if n := len(r.Steps); n > 0 && r.Steps[n-1].Status == scenarios.Failed && r.Steps[n-1].Error != nil {
		return r.Steps[n-1].Error.Kind
	}
	if r.Status == scenarios.Failed {
		return "expectation"
	}
	return ""
}

func stepLines(r *scenarios.Result) string {
	var b strings.Builder
	for i, s := range r.Steps {
		fmt.Fprintf(&b, "%d %s %s", i+1, s.Status, join(s.Verb, s.Words))
		if s.Layer != "" {
			fmt.Fprintf(&b, " [%s %d]", s.Layer, s.Confidence)
		}
		fmt.Fprintf(&b, " %d ms\n", s.MS)
	}
	if r.Evidence != "" {
		fmt.Fprintf(&b, "evidence: %s\n", r.Evidence)
	}
	return b.String()
}
