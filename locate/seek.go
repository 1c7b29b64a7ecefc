package locate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"harness/dom"
	"harness/vision"
)

// maxShots bounds the screenshots of one question: a page that has moved when
// the answer comes is shown anew.
const maxShots = 3

// mayAsk reports whether a vision model may be asked now.
func (a *Actor) mayAsk(h How) bool {
	return a.opts.Vision != nil && hasLayer(h.Layers, Vision) && a.visions < a.opts.MaxVision
}

// visionTries are the questions among the attempts.
func visionTries(as []Attempt) []Attempt {
	var out []Attempt
	for _, at := range as {
		if at.Layer == Vision {
			out = append(out, at)
		}
	}
	return out
}

// visionLast reports whether a model's miss ends the act: after "not there" the
// thing may yet appear for the other layers, after anything else it is said.
func visionLast(h How, err error) bool {
	return len(h.Layers) == 1 && h.Layers[0] == Vision || !errors.Is(err, vision.ErrAbsent)
}

// byVision asks the model for the target and tests what lies under its answer.
func (a *Actor) byVision(ctx context.Context, r *Resolution) (*dom.Node, error) {
	return a.seek(ctx, r, vision.Request{Words: r.Words, Hint: hintFor(r.Verb)})
}

func hintFor(verb string) string {
	switch verb {
	case "type":
		return "a field that takes text"
	case "check", "uncheck":
		return "a box to tick"
	case "select":
		return "a list to choose from"
	case "pick":
		return "a field for a date, or a calendar"
	}
	return ""
}

// seek asks the model where the words are and tests what a press there would
// reach. The Resolution gets every question as an attempt, the point, what lies
// under it. The error wraps ErrNotFound where the model sees
// no such thing and where the element under its point is another
// (*ContradictionError), ErrReply where its answer cannot be used, ErrStale
// where the page does not stand still, ErrLimit where no question is left.
func (a *Actor) seek(ctx context.Context, r *Resolution, q vision.Request) (*dom.Node, error) {
	for range maxShots {
		start := time.Now()
		n, at, err := a.ask(ctx, r, q)
		moved := err == nil && n == nil
		switch {
		case moved:
			at.Outcome = "the page moved meanwhile"
		case err != nil:
			at.Outcome = outcomeOf(err)
		}
		at.Took = time.Since(start)
		r.Attempts = append(r.Attempts, at)
		if !moved {
			return n, err
		}
	}
	return nil, fmt.Errorf("locate %q: vision: %w: the page moved under each of %d screenshots", q.Words, ErrStale, maxShots)
}

func outcomeOf(err error) string {
	if errors.Is(err, vision.ErrAbsent) {
		return "not seen on the screenshot"
	}
	return err.Error()
}

// ask is one question. Without a node and without an error the page has moved
// between screenshot and answer.
func (a *Actor) ask(ctx context.Context, r *Resolution, q vision.Request) (*dom.Node, Attempt, error) {
	at := Attempt{Layer: Vision, Outcome: "found"}
	if a.visions >= a.opts.MaxVision {
		return nil, at, fmt.Errorf("%w: %d vision calls", ErrLimit, a.visions)
	}
	was, err := a.page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return nil, at, err
	}
	if q.Shot, err = a.steadyShot(ctx); err != nil {
		return nil, at, err
	}
	if at.Vision, err = a.answer(ctx, q); err != nil {
		return nil, at, err
	}
	p := vision.ToCSS(q.Shot, at.Vision.Point)
	n, err := a.under(ctx, p)
	if err != nil {
		return nil, at, fmt.Errorf("locate %q: vision: %w", q.Words, err)
	}
	c := newFinder(n.Snapshot(), r.Verb).candidate(hit{n: n, score: float64(visionScore(at.Vision)), reasons: []string{"lies under the point that " + at.Vision.Model + " gave"}})
	at.Candidates = []Candidate{c}
	if moved(was.ByRef(n.Ref), n) || moved(smallestAt(was, p), smallestAt(n.Snapshot(), p)) {
		return nil, at, nil
	}
	if err := a.suits(r, q, at.Vision, p, n); err != nil {
		at.Candidates[0].Refused = err.Error()
		return nil, at, err
	}
	r.Layer, r.Chosen, r.Point, r.Confidence = Vision, &c, &p, c.Score
	r.Stable = stableLocator(n)
	return n, at, nil
}

// steadyShot is a screenshot that the next one confirms: a picture taken while
// the browser still draws, once seen at another scale than the page's, would send
// the press elsewhere. A page that never stands still is taken as it is.
func (a *Actor) steadyShot(ctx context.Context) (*dom.Shot, error) {
	shot, err := a.page.Shot(ctx)
	for range maxShots {
		if err != nil {
			return nil, err
		}
		var next *dom.Shot
		if next, err = a.page.Shot(ctx); err == nil && bytes.Equal(next.PNG, shot.PNG) {
			return next, nil
		}
		shot = next
	}
	return shot, err
}

// answer asks the model; the act's time stands still meanwhile.
func (a *Actor) answer(ctx context.Context, q vision.Request) (*vision.Answer, error) {
	a.visions++
	goOn := holdTime(ctx)
	ans, err := a.opts.Vision.Locate(ctx, q)
	goOn()
	var reply *vision.ReplyError
	switch {
	case err == nil && !inShot(q.Shot, ans.Point):
		reply = &vision.ReplyError{Raw: ans.Raw, Reason: fmt.Sprintf("the point %s lies outside the screenshot of %dx%d px", ans.Point, q.Shot.Width, q.Shot.Height)}
		return ans, fmt.Errorf("locate %q: %w: %w", q.Words, ErrReply, reply)
	case err == nil:
		return ans, nil
	case errors.As(err, &reply):
		return ans, fmt.Errorf("locate %q: %w: %w", q.Words, ErrReply, err)
	case errors.Is(err, vision.ErrAbsent):
		return ans, fmt.Errorf("locate %q: %w: %w", q.Words, ErrNotFound, err)
	}
	return ans, fmt.Errorf("locate %q: %w", q.Words, err)
}

func inShot(s *dom.Shot, p vision.Point) bool {
	return p.X >= 0 && p.Y >= 0 && p.X < float64(s.Width) && p.Y < float64(s.Height)
}

// visionScore is the confidence of a point: what the model says, or 75, the
// share of right points that such models reach on pages.
func visionScore(ans *vision.Answer) int {
	if ans.Score > 0 {
		return ans.Score
	}
	return 75
}

// under is the element that a press at the point reaches.
func (a *Actor) under(ctx context.Context, p dom.Point) (*dom.Node, error) {
	ref, err := a.page.HitTest(ctx, p)
	if err != nil {
		return nil, err
	}
	if ref.IsZero() {
		return nil, fmt.Errorf("%w: nothing lies at %.1f,%.1f", ErrNotFound, p.X, p.Y)
	}
	s, err := a.page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return nil, err
	}
	n := s.ByRef(ref)
	if n == nil {
		return nil, ErrStale
	}
	return n, nil
}

// moved reports that something was not in the page, or elsewhere, when the
// screenshot was taken.
func moved(was, is *dom.Node) bool {
	const still = 0.5 // CSS px: less is how layouts round
	if was == nil || is == nil {
		return was != is
	}
	a, b := was.Box, is.Box
	return max(math.Abs(a.X-b.X), math.Abs(a.Y-b.Y), math.Abs(a.W-b.W), math.Abs(a.H-b.H)) > still
}

// smallestAt is the smallest thing that is laid out at the point; nil where that
// is the page itself, whose size says nothing of the point.
func smallestAt(s *dom.Snapshot, p dom.Point) *dom.Node {
	var best *dom.Node
	for _, n := range s.Nodes {
		if !n.IsElement() || !n.Facts.Has(dom.Rendered) || n.Tag == "html" || n.Tag == "body" || !n.Box.Contains(p) {
			continue
		}
		if best == nil || n.Box.W*n.Box.H <= best.Box.W*best.Box.H {
			best = n
		}
	}
	return best
}

// suits refuses what a press should not reach for these words.
func (a *Actor) suits(r *Resolution, q vision.Request, ans *vision.Answer, p dom.Point, n *dom.Node) error {
	if painted(n) {
		return nil
	}
	e := operated(n)
	if e.Disabled() && needsEnabled(r.Verb) {
		return &ActError{Verb: r.Verb, Target: r.Target, Err: ErrDisabled, Detail: describe(e)}
	}
	if why := contradicts(q.Words, r.Verb, e); why != "" {
		return &ContradictionError{Words: q.Words, Model: ans.Model, Point: p, Found: describe(e), Why: why}
	}
	return nil
}

// painted reports an element that draws itself: what can be seen on it stands
// nowhere in the document.
func painted(n *dom.Node) bool { return n.Facts.Has(dom.Canvas) }
