package report

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"harness/scenarios"
)

// Progress shows a run while it lasts: on a terminal a bar and what is running,
// elsewhere a line for each scenario that has ended. It is told of one event at
// a time.
type Progress struct {
	w     io.Writer
	width func() int // of the terminal; nil: there is none
	state State
	drawn int // lines of the live part on the screen
}

// NewProgress makes a Progress that writes to w; where w is a terminal that can
// do it (not plain), it is redrawn in place.
func NewProgress(w io.Writer, plain bool) *Progress {
	p := &Progress{w: w}
	if f, ok := w.(*os.File); ok && !plain && term.IsTerminal(int(f.Fd())) {
		p.width = func() int {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 80
			}
			return width
		}
	}
	return p
}

// Event shows what happened.
func (p *Progress) Event(e scenarios.Event) {
	p.state.Apply(e)
	for _, note := range e.Notes {
		fmt.Fprintln(p.w, "note: "+note)
	}
	if p.width == nil {
		if e.Kind == scenarios.ScenarioEnded {
			fmt.Fprintln(p.w, Line(e, p.state.Done, p.state.Total))
		}
		return
	}
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\x1b[J", p.drawn)
	}
	p.drawn = 0
	if e.Kind == scenarios.ScenarioEnded && e.Result.Status != scenarios.Passed {
		b.WriteString(Line(e, p.state.Done, p.state.Total) + "\n")
	}
	if e.Kind != scenarios.RunEnded {
		lines := Live(&p.state, p.width(), e.At)
		p.drawn = len(lines)
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	io.WriteString(p.w, b.String())
}

// Line is the plain line of a scenario that has ended, with its place among
// all.
func Line(e scenarios.Event, done, total int) string {
	r := e.Result
	line := fmt.Sprintf("%s %*d/%d %s", marks[r.Status], len(fmt.Sprint(total)), done, total, title(e))
	if r.Status != scenarios.Skipped {
		line += fmt.Sprintf(" (%.1f s)", r.Seconds)
	}
	if r.Failure != "" {
		line += ": " + firstLine(r.Failure)
	}
	return line
}

var marks = map[scenarios.Status]string{
	scenarios.Passed: "ok  ", scenarios.Failed: "FAIL", scenarios.Errored: "ERR ", scenarios.Skipped: "skip",
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

const barWidth = 30

// Live are the lines of the live part: a bar with the counts, then a line for
// each scenario that is running. None is wider than the terminal.
func Live(s *State, width int, now time.Time) []string {
	full := 0
	if s.Total > 0 {
		full = barWidth * s.Done / s.Total
	}
	bar := strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
	head := fmt.Sprintf("%s %d/%d  %d passed", bar, s.Done, s.Total, s.Passed)
	if s.Failed > 0 {
		head += fmt.Sprintf("  %d failed", s.Failed)
	}
	if s.Skipped > 0 {
		head += fmt.Sprintf("  %d skipped", s.Skipped)
	}
	lines := []string{fit(fmt.Sprintf("%s  %s", head, now.Sub(s.Began).Round(time.Second)), width)}
	for _, r := range s.Running {
		line := "  " + r.Title
		if r.Step != "" {
			line += fmt.Sprintf(" · %d %s", r.Steps+1, r.Step)
		}
		lines = append(lines, fit(line, width))
	}
	return lines
}

// fit cuts a line to the width in columns; Chinese and the like take two.
func fit(s string, width int) string {
	used := 0
	for i, r := range s {
		w := columns(r)
		if used+w > width-1 {
			return s[:i] + "…"
		}
		used += w
	}
	return s
}

func columns(r rune) int {
	if r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300) {
		return 2
	}
	return 1
}
