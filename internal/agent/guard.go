package agent

import (
	"cmp"
	"fmt"
	"strings"

	"harness/locate"
)

// When the guards speak. The first hint comes one repetition before the stop.
const (
	maxNoCall  = 3 // replies in a row without a call
	maxSame    = 3 // times the same fruitless act on an unchanged page
	maxCycles  = 3 // rounds of a cycle of two or three acts
	maxBlank   = 5 // acts on a page that stays blank
	maxNoMove  = 8 // acts without effect on a page that stays as it is
	longCycle  = 3 // acts in the longest cycle looked for
	hintBefore = 1
)

// guard watches over a policy that might run in circles.
type guard struct {
	repairs int  // unreadable calls in a row
	doubted bool // success was refused once

	silent   int    // replies in a row without a call
	lastText string // of the last of them

	deeds   []deed
	page    string // fingerprint of the last observation
	still   int    // acts in a row without effect on that page
	blank   int    // acts in a row on a blank page
	pending bool   // an act was made since the last observation
}

// deed is an act as the guard compares it.
type deed struct {
	key     string // page, act and result
	barren  bool   // it failed or had no effect
	display string
}

// look takes an observation note; it answers with the reason to stop, or "".
func (g *guard) look(o *Observation) string {
	if o == nil {
		return ""
	}
	print := o.Fingerprint()
	moved := print != g.page
	g.page = print
	if !g.pending {
		return ""
	}
	g.pending = false
	g.blank, g.still = g.blank+1, g.still+1
	if !o.Blank() {
		g.blank = 0
	}
	if moved || len(g.deeds) > 0 && !g.deeds[len(g.deeds)-1].barren {
		g.still = 0
	}
	if g.blank >= maxBlank {
		return fmt.Sprintf("page does not change: blank at %s after %d acts", o.URL, g.blank)
	}
	if g.still >= maxNoMove {
		return fmt.Sprintf("page does not change: %d acts without effect", g.still)
	}
	return ""
}

// called notes that a reply held a call.
func (g *guard) called() { g.silent, g.lastText = 0, "" }

// noCall answers a reply without a call: a note to the policy, and the reason
// to stop, "" to go on.
func (g *guard) noCall(d *Decision) (note, stop string) {
	g.silent++
	what := "a reply without a call"
	if d.Fault != "" {
		what = d.Fault
	} else if text := strings.TrimSpace(d.Text); text != "" {
		what = "the same text again"
		if text != g.lastText {
			what = "text without a call"
		}
		g.lastText = text
	}
	if g.silent >= maxNoCall {
		return "", fmt.Sprintf("no action: %d replies in a row without a call, the last: %s", g.silent, last(d, what))
	}
	return "That was " + what + ". Nothing was done. Call one of the tools; call done with the answer if the task is finished.", ""
}

func last(d *Decision, what string) string {
	if d.Fault != "" || strings.TrimSpace(d.Text) == "" {
		return what
	}
	return quoted(clip(strings.TrimSpace(d.Text), 80))
}

// acted takes note of a step; it answers with a hint for the policy and the
// reason to stop, "" for neither.
func (g *guard) acted(o *Observation, s *Step) (hint, stop string) {
	g.pending = true
	result := "ok"
	if s.Err != nil {
		result = Kind(s.Err) + s.Err.Error()
	}
	d := deed{display: s.Action.String(), barren: barren(s)}
	d.key = strings.Join([]string{g.page, s.Action.Verb, s.Action.Words(), result}, "\x00")
	g.deeds = append(g.deeds, d)
	for period := 1; period <= longCycle; period++ {
		times := g.repeats(period)
		most := maxCycles
		if period == 1 {
			most = maxSame
		}
		if times >= most {
			return "", fmt.Sprintf("stuck: %s, %d times on an unchanged page", g.cycle(period), times)
		}
		if times >= most-hintBefore && times > 1 {
			hint = fmt.Sprintf("%s was done %d times and the page is the same. Do something else.", g.cycle(period), times)
		}
	}
	return hint, ""
}

// barren reports whether a step left nothing behind. An act whose effect was
// seen is none, even where the observation looks alike (a canvas).
func barren(s *Step) bool {
	if s.Err != nil {
		return true
	}
	if s.Outcome == nil || s.Outcome.Resolution == nil {
		return s.Action.Verb == "wait" || s.Action.Verb == "script"
	}
	return s.Outcome.Resolution.Effect == ""
}

// repeats counts how often the last acts repeat with the period.
func (g *guard) repeats(period int) int {
	n := len(g.deeds)
	if period == 1 && n > 0 && !g.deeds[n-1].barren {
		return 0
	}
	if n < period || period > 1 && g.uniform(period) {
		return 0
	}
	same := period
	for i := n - period - 1; i >= 0 && g.deeds[i].key == g.deeds[i+period].key; i-- {
		same++
	}
	return same / period
}

// uniform reports whether the last acts of one period are all the same: that
// is a matter of a shorter period.
func (g *guard) uniform(period int) bool {
	n := len(g.deeds)
	for _, d := range g.deeds[n-period:] {
		if d.key != g.deeds[n-1].key {
			return false
		}
	}
	return true
}

func (g *guard) cycle(period int) string {
	var parts []string
	for _, d := range g.deeds[len(g.deeds)-period:] {
		parts = append(parts, d.display)
	}
	s := strings.Join(parts, ", then ")
	return s
}

// resultText is what the model is told of a step.
func resultText(s *Step) string {
	if s.Err != nil {
		return "error (" + Kind(s.Err) + "): " + clip(s.Err.Error(), 1200)
	}
	if s.Outcome.Refused != nil {
		return "refused: " + clip(s.Outcome.Refused.Error(), 400)
	}
	text := "ok"
	if r := s.Outcome.Resolution; r != nil {
		text += resolved(r)
	} else if s.Outcome.Value != "" {
		text += ": " + clip(s.Outcome.Value, 400)
	}
	return text
}

func resolved(r *locate.Resolution) string {
	var b strings.Builder
	if c := r.Chosen; c != nil {
		fmt.Fprintf(&b, ": %s %s", cmp.Or(c.Role, "element"), quoted(clip(cmp.Or(c.Name, c.Text), 80)))
	}
	if r.Value != "" {
		b.WriteString("; holds " + quoted(clip(r.Value, 120)))
	}
	if r.Effect != "" {
		b.WriteString("; " + r.Effect)
	}
	if r.Warning != "" {
		b.WriteString("; warning: " + r.Warning)
	}
	return b.String()
}
