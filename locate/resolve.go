package locate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"harness/dom"
)

// How long the page must have been at rest before a refusal is believed, and
// how often an unmoving page is read again.
const (
	restQuiet    = 150 * time.Millisecond
	restLimit    = 800 * time.Millisecond
	pollInterval = 120 * time.Millisecond
)

// resolve finds the element of a target, waiting until it is there, or says why
// there is none. Layers 1 and 2 are tried until the deadline; layer 3, where a
// model is given, once the page has come to rest without an answer.
func (a *Actor) resolve(ctx context.Context, t Target, verb string, h How) (*Resolution, *dom.Node, error) {
	r := &Resolution{Verb: verb, Words: t.String(), Target: t}
	if t.IsZero() {
		return r, nil, fmt.Errorf("%w: the target says nothing", ErrUsage)
	}
	if t.Ref != 0 {
		return a.byNumber(ctx, r, h)
	}
	start := time.Now()
	asked := false
	var last Decision
	for {
		d, err := a.look(ctx, t, verb, h)
		if err != nil && last.Err != nil && errors.Is(context.Cause(ctx), errDeadline) {
			return r, nil, a.atDeadline(ctx, r, last)
		}
		if err != nil {
			return r, nil, a.lastWord(ctx, r, err)
		}
		last = d
		r.Attempts = append(attempts(d, h, time.Since(start)), visionTries(r.Attempts)...)
		if d.Err == nil {
			if n, done, err := a.accept(ctx, r, d, h); done {
				return r, n, err
			}
		} else if r.Attempts != nil {
			if done, n, err := a.refused(ctx, r, d, h, &asked); done {
				return r, n, err
			}
		}
		if err := a.wait(ctx); err != nil {
			return r, nil, a.atDeadline(ctx, r, d)
		}
	}
}

// accept takes the decision unless the element is disabled: then the page gets
// the time until the deadline to enable it, as long as it is not at rest.
func (a *Actor) accept(ctx context.Context, r *Resolution, d Decision, h How) (*dom.Node, bool, error) {
	n := d.Chosen.Node
	if n.Disabled() && needsEnabled(r.Verb) && (r.Target.State == nil || r.Target.State.Disabled == nil) {
		rest, err := a.page.Settle(ctx, 8*restQuiet, 4*restLimit)
		if err != nil || rest {
			return n, true, a.disabled(ctx, r, d, err)
		}
		return nil, false, nil
	}
	r.Layer, r.Chosen, r.Confidence = d.Layer, d.Chosen, d.Chosen.Score
	return n, true, nil
}

// disabled is the refusal of a disabled element, said only after a last look.
func (a *Actor) disabled(ctx context.Context, r *Resolution, d Decision, err error) error {
	if err != nil && !errors.Is(err, ErrTimeout) {
		return err
	}
	if s, serr := a.page.Snapshot(ctx, dom.Query{}); serr == nil {
		if n := s.ByRef(d.Chosen.Ref); n != nil && !n.Disabled() {
			r.Layer, r.Chosen, r.Confidence = d.Layer, d.Chosen, d.Chosen.Score
			return nil
		}
	}
	d.Chosen.Refused = "disabled"
	return &ActError{Verb: r.Verb, Target: r.Target, Err: ErrDisabled, Detail: d.Chosen.Short()}
}

func needsEnabled(verb string) bool { return verb != "" && verb != "scroll" && verb != "hover" }

// refused deals with a decision that names no element. Ambiguity is believed
// once the page is at rest; a miss only at the deadline, but vision may be asked
// as soon as the page is at rest.
func (a *Actor) refused(ctx context.Context, r *Resolution, d Decision, h How, asked *bool) (bool, *dom.Node, error) {
	if errors.Is(d.Err, ErrUsage) {
		return true, nil, d.Err
	}
	rest, err := a.page.Settle(ctx, restQuiet, restLimit)
	if err != nil {
		return true, nil, a.atDeadline(ctx, r, d)
	}
	if errors.Is(d.Err, ErrAmbiguous) {
		again, err := a.look(ctx, r.Target, r.Verb, h)
		if err == nil && again.Err != nil && errors.Is(again.Err, ErrAmbiguous) {
			return true, nil, again.Err
		}
		return err != nil, nil, err
	}
	if !rest || *asked || !a.mayAsk(h) {
		return false, nil, nil
	}
	*asked = true
	n, verr := a.byVision(ctx, r)
	if verr == nil {
		return true, n, nil
	}
	if visionLast(h, verr) {
		return true, nil, verr
	}
	return false, nil, nil
}

// wait lets the page change before it is read again.
func (a *Actor) wait(ctx context.Context) error {
	t := time.NewTimer(pollInterval)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// atDeadline is the error of an act that did not find its element in time.
func (a *Actor) atDeadline(ctx context.Context, r *Resolution, d Decision) error {
	cause := context.Cause(ctx)
	if cause != nil && !errors.Is(cause, errDeadline) {
		return cause
	}
	var nf *NotFoundError
	if errors.As(d.Err, &nf) {
		nf.Attempts = r.Attempts
		return nf
	}
	if d.Err != nil {
		return d.Err
	}
	return a.lastWord(ctx, r, errDeadline)
}

func (a *Actor) lastWord(ctx context.Context, r *Resolution, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errDeadline) {
		return cause
	}
	return fmt.Errorf("locate %q: %w", r.Words, err)
}

// look reads the page and decides. A name that is rare on the page needs only a
// part of it; whatever is not decided by a whole name is decided on the whole page.
func (a *Actor) look(ctx context.Context, t Target, verb string, h How) (Decision, error) {
	layers := evidence(h.Layers)
	if layers == nil && len(h.Layers) > 0 {
		return Decision{Err: &NotFoundError{Target: t}}, nil
	}
	if needles := t.needles(); len(needles) > 0 {
		s, err := a.page.Snapshot(ctx, dom.Query{Needles: needles})
		if err != nil {
			return Decision{}, err
		}
		if d := Find(s, t, verb, layers...); d.Err == nil && d.whole {
			return d, nil
		}
	}
	s, err := a.page.Snapshot(ctx, dom.Query{CSS: t.css()})
	if errors.Is(err, dom.ErrSelector) {
		return Decision{Err: fmt.Errorf("%w: %w", ErrUsage, err)}, nil
	}
	if err != nil {
		return Decision{}, err
	}
	f := newFinder(s, verb)
	f.layers = layers
	if t.asksDay() {
		info, err := a.page.Info(ctx)
		if err != nil {
			return Decision{}, err
		}
		f.now = info.Now
	}
	return f.decide(t), nil
}

// evidence are the layers of a snapshot that the caller allows; nil with a list
// given means none of them.
func evidence(ls []LayerName) []LayerName {
	if len(ls) == 0 {
		return []LayerName{Locators, JS}
	}
	var out []LayerName
	for _, l := range ls {
		if l == Locators || l == JS {
			out = append(out, l)
		}
	}
	return out
}

// needles are the words that an element must hold to be called what the target
// says; none where the target asks for more than a name.
func (t Target) needles() []string {
	if t.CSS != "" || t.In != nil || t.Near != nil || t.Nth != 0 || t.State != nil || t.Date != "" {
		return nil
	}
	var out []string
	for _, r := range t.readings() {
		if r.day > 0 || r.turn != 0 || r.nth != 0 || r.in != nil || r.near != nil || r.state != (StateIs{}) {
			return nil
		}
		if r.name == "" {
			continue
		}
		if b := bare(r.name); !containsString(out, b) {
			out = append(out, b)
		}
	}
	if len(out) > 4 {
		return nil
	}
	return out
}

func containsString(list []string, s string) bool { return contained(list, s) }

func (t Target) css() string {
	for c := &t; c != nil; c = c.In {
		if c.CSS != "" {
			return c.CSS
		}
	}
	return ""
}

func (t Target) asksDay() bool {
	for _, r := range t.readings() {
		if r.day > 0 || r.date != "" || r.turn != 0 || r.in != nil && r.in.noun != nil && r.in.noun.key == "calendar" {
			return true
		}
	}
	return false
}

// attempts are the tries of layers 1 and 2 that a decision stands for.
func attempts(d Decision, h How, took time.Duration) []Attempt {
	outcome := func(l LayerName) string {
		if d.Err == nil && d.Layer == l {
			return "found"
		}
		if d.Err != nil {
			return firstLine(d.Err.Error())
		}
		return "no better match"
	}
	var out []Attempt
	for _, l := range []LayerName{Locators, JS} {
		if !hasLayer(h.Layers, l) {
			continue
		}
		at := Attempt{Layer: l, Outcome: outcome(l), Took: took}
		for _, c := range d.Candidates {
			if (c.Locator != "") == (l == Locators) {
				at.Candidates = append(at.Candidates, c)
			}
		}
		out = append(out, at)
		if l == Locators && d.Err == nil && d.Layer == l {
			break
		}
	}
	if out == nil {
		out = []Attempt{}
	}
	return out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// byNumber resolves a target that gives the number of an observed element.
func (a *Actor) byNumber(ctx context.Context, r *Resolution, h How) (*Resolution, *dom.Node, error) {
	ref, ok := h.Refs[r.Target.Ref]
	if !ok {
		return r, nil, fmt.Errorf("%w: the last observation has no element %d", ErrStale, r.Target.Ref)
	}
	s, err := a.page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return r, nil, a.lastWord(ctx, r, err)
	}
	n := s.ByRef(ref)
	if n == nil {
		return r, nil, fmt.Errorf("%w: element %d of the last observation", ErrStale, r.Target.Ref)
	}
	f := newFinder(s, r.Verb)
	c := f.candidate(hit{n: n, score: 99, reasons: []string{fmt.Sprintf("is element %d of the observation", r.Target.Ref)}})
	if why := f.unusable(n); why != "" {
		return r, nil, fmt.Errorf("%w: element %d is hidden: %s", ErrNotFound, r.Target.Ref, why)
	}
	r.Layer, r.Chosen, r.Confidence = JS, &c, 99
	r.Attempts = []Attempt{{Layer: JS, Outcome: "found", Candidates: []Candidate{c}}}
	if n.Disabled() && needsEnabled(r.Verb) {
		return r, n, &ActError{Verb: r.Verb, Target: r.Target, Err: ErrDisabled, Detail: c.Short()}
	}
	return r, n, nil
}
