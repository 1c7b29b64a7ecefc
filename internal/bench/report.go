package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"
)

// report is what a run measured.
type report struct {
	Browser string   `json:"browser,omitempty"`
	Seed    uint64   `json:"seed"`
	Figures []figure `json:"figures"`
	Ratios  []ratio  `json:"ratios"`
	Notes   []string `json:"notes,omitempty"`
	Seconds float64  `json:"seconds"` // of the whole run
}

// figure is one thing measured many times, in milliseconds.
type figure struct {
	Part    string  `json:"part"`
	Page    string  `json:"page"`
	Variant string  `json:"variant"`
	N       int     `json:"n"`
	Median  float64 `json:"median_ms"`
	P10     float64 `json:"p10_ms"`
	P90     float64 `json:"p90_ms"`
}

// ratio sets ours against a peer.
type ratio struct {
	Part   string  `json:"part"`
	Page   string  `json:"page"`
	Ours   string  `json:"ours"`
	Peer   string  `json:"peer"`
	Value  float64 `json:"value"`
	Target float64 `json:"target"` // at most; 0: none is set
	Met    bool    `json:"met"`
}

// samples are measured times of one figure.
type samples []time.Duration

// quantile is the value below which the share q of the samples lies,
// interpolated between neighbours.
func (s samples) quantile(q float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	at := q * float64(len(sorted)-1)
	i := int(math.Floor(at))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + time.Duration((at-float64(i))*float64(sorted[i+1]-sorted[i]))
}

func (s samples) median() time.Duration { return s.quantile(.5) }

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (r *report) figure(part, page, variant string, s samples) {
	r.Figures = append(r.Figures, figure{part, page, variant, len(s), ms(s.median()), ms(s.quantile(.1)), ms(s.quantile(.9))})
}

func (r *report) ratio(part, page, ours, peer string, value, target float64) {
	r.Ratios = append(r.Ratios, ratio{part, page, ours, peer, value, target, target == 0 || value <= target})
}

func (r *report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *report) print(w io.Writer) {
	if r.Browser != "" {
		fmt.Fprintf(w, "Chromium %s, seed %d, %.0f s\n\n", r.Browser, r.Seed, r.Seconds)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tpage\tway\tn\tmedian ms\tp10\tp90")
	for _, f := range r.Figures {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.1f\t%.1f\t%.1f\n", f.Part, f.Page, f.Variant, f.N, f.Median, f.P10, f.P90)
	}
	fmt.Fprintln(t, "\t\t\t\t\t\t")
	fmt.Fprintln(t, "what\tpage\tours ÷ peer\tratio\ttarget\t\t")
	for _, x := range r.Ratios {
		target, verdict := "–", ""
		if x.Target > 0 {
			target, verdict = fmt.Sprintf("≤ %.2f", x.Target), "met"
			if !x.Met {
				verdict = "MISSED"
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s ÷ %s\t%.3f\t%s\t%s\t\n", x.Part, x.Page, x.Ours, x.Peer, x.Value, target, verdict)
	}
	t.Flush()
	for _, n := range r.Notes {
		fmt.Fprintln(w, "note:", n)
	}
}
