package locate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"harness/dom"
	"harness/vision"
)

// endQuiet is how long a page must be at rest at its end before the end is
// believed: what loads there may need a moment to begin.
const endQuiet = 900 * time.Millisecond

// maxScrolls bounds how far a list is scrolled in search of an element.
const maxScrolls = 60

// Scroll brings the target into view, scrolling the page or a list until it is
// rendered, or turns the wheel over it (over the page if t is nil) by the distance.
func (a *Actor) Scroll(ctx context.Context, t *Target, o ScrollOptions, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	if o.X == 0 && o.Y == 0 {
		if t == nil {
			return &Resolution{Verb: "scroll"}, fmt.Errorf("%w: scroll needs a target or a distance", ErrUsage)
		}
		return a.scrollTo(ctx, *t, h)
	}
	r, ref := &Resolution{Verb: "scroll", Confidence: 100}, dom.Ref{}
	if t != nil {
		var n *dom.Node
		var err error
		if r, n, err = a.resolve(ctx, *t, "scroll", h); err != nil {
			a.before(ctx, r)
			return r, err
		}
		ref = n.Ref
	}
	a.before(ctx, r)
	moved, err := a.page.Scroll(ctx, ref, o.X, o.Y)
	if err != nil {
		return r, err
	}
	r.note(fmt.Sprintf("turned the wheel by %.0f,%.0f", o.X, o.Y))
	if moved {
		r.Effect = "scrolled"
		return r, nil
	}
	r.Warning = "no visible effect"
	if h.Effect {
		return r, &ActError{Verb: "scroll", Target: r.Target, Err: ErrNoEffect, Detail: "nothing moved"}
	}
	return r, nil
}

// scrollTo looks for the target while it scrolls the page down to its end.
func (a *Actor) scrollTo(ctx context.Context, t Target, h How) (*Resolution, error) {
	r := &Resolution{Verb: "scroll", Words: t.String(), Target: t}
	for i := 0; ; i++ {
		d, err := a.look(ctx, t, "scroll", h)
		if err != nil {
			return r, a.lastWord(ctx, r, err)
		}
		r.Attempts = attempts(d, h, 0)
		if i == 0 {
			a.before(ctx, r)
		}
		if d.Err == nil {
			r.Layer, r.Chosen, r.Confidence = d.Layer, d.Chosen, d.Chosen.Score
			if _, err := a.page.Aim(ctx, d.Chosen.Ref); err != nil && !errors.Is(err, ErrNotActionable) {
				return r, err
			}
			r.did("scrolled to")
			r.Effect = "in view"
			return r, nil
		}
		if !isMiss(d.Err) {
			return r, d.Err
		}
		moved, err := a.onward(ctx, i)
		if err != nil {
			return r, a.atDeadline(ctx, r, d)
		}
		if !moved || i == maxScrolls {
			r.note(fmt.Sprintf("scrolled %d times to the end", i))
			return r, d.Err
		}
	}
}

// onward scrolls every list that scrolls, the page last, by most of its height,
// and waits for what loads then.
func (a *Actor) onward(ctx context.Context, round int) (bool, error) {
	s, err := a.page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return false, err
	}
	moved := false
	if round > 0 || s.Height <= s.Viewport.H+1 {
		for _, n := range s.Nodes {
			if !n.Facts.Has(dom.ScrollsY) || n.Tag == "html" || n.Tag == "body" {
				continue
			}
			if ok, _ := n.Visible(); !ok {
				continue
			}
			m, err := a.page.Scroll(ctx, n.Ref, 0, n.Box.H*.8)
			if err != nil && !errors.Is(err, ErrNotActionable) && !errors.Is(err, ErrStale) {
				return false, err
			}
			moved = moved || m
		}
	}
	m, err := a.page.Scroll(ctx, dom.Ref{}, 0, s.Viewport.H*.8)
	if err != nil {
		return false, err
	}
	_, err = a.page.Settle(ctx, 120*time.Millisecond, restLimit)
	if err != nil || moved || m {
		return moved || m, err
	}
	// At the end something may still be loading: the page then grows.
	if _, err := a.page.Settle(ctx, endQuiet, 4*time.Second); err != nil {
		return false, err
	}
	after, err := a.page.Snapshot(ctx, dom.Query{})
	return err == nil && after.Height > s.Height+1, err
}

// Upload puts files into a file input or into the chooser that the element opens.
func (a *Actor) Upload(ctx context.Context, t Target, files []string, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	r, n, err := a.resolve(ctx, t, "upload", h)
	a.before(ctx, r)
	if err != nil {
		return r, err
	}
	if c := n.LabelControl(); c != nil {
		n = c
	}
	if err := a.page.Upload(ctx, n.Ref, files); err != nil {
		return r, a.explain(ctx, t, "upload", n, err)
	}
	r.did("uploaded to")
	r.Effect = "the files are in"
	return r, nil
}

// Drag drags one element onto another.
func (a *Actor) Drag(ctx context.Context, from, to Target, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	rt, goal, err := a.resolve(ctx, to, "drag", h)
	if err != nil {
		a.before(ctx, rt)
		return rt, err
	}
	r, n, err := a.resolve(ctx, from, "drag", h)
	a.before(ctx, r)
	if err != nil {
		return r, err
	}
	return r, a.explain(ctx, from, "drag", n, a.effect(ctx, r, h, &pressed{node: n}, func(ctx context.Context, p *pressed) error {
		return a.page.Drag(ctx, p.node.Ref, goal.Ref)
	}))
}

// VisionClick presses what the vision model finds; the other layers are not asked.
func (a *Actor) VisionClick(ctx context.Context, words string, o ClickOptions, h How) (*Resolution, error) {
	h.Layers = []LayerName{Vision}
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	r, n, err := a.byModelAlone(ctx, words, "vision_click")
	a.before(ctx, r)
	if err != nil {
		return r, err
	}
	return r, a.effect(ctx, r, h, &pressed{n, r.Point}, func(ctx context.Context, p *pressed) error { return a.page.ClickAt(ctx, *p.point, o) })
}

// VisionType types into what the vision model finds.
func (a *Actor) VisionType(ctx context.Context, words string, o TypeOptions, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	r, n, err := a.byModelAlone(ctx, words, "vision_type")
	a.before(ctx, r)
	if err != nil {
		return r, err
	}
	return r, a.explain(ctx, r.Target, "vision_type", n, a.typeInto(ctx, r, n, o))
}

func (a *Actor) byModelAlone(ctx context.Context, words, verb string) (*Resolution, *dom.Node, error) {
	r := &Resolution{Verb: verb, Words: words, Target: Words(words)}
	if a.opts.Vision == nil {
		return r, nil, fmt.Errorf("%w: %s needs a vision model: name one with --model, or give the scenario a vision_cassette", ErrUsage, verb)
	}
	if _, err := a.page.Settle(ctx, restQuiet, restLimit); err != nil {
		return r, nil, err
	}
	n, err := a.seek(ctx, r, vision.Request{Words: words})
	return r, n, err
}

// Visible reports whether the page shows a target now: as an element, or as a
// text. It does not wait.
func (a *Actor) Visible(ctx context.Context, t Target) (bool, error) {
	s, err := a.page.Snapshot(ctx, dom.Query{CSS: t.css()})
	if err != nil {
		return false, err
	}
	f := newFinder(s, "")
	f.plain = true
	d := f.decide(t)
	if d.Err == nil || errors.Is(d.Err, ErrAmbiguous) {
		return true, nil
	}
	if errors.Is(d.Err, ErrUsage) {
		return false, d.Err
	}
	return t.Words != "" && showsText(s, t.Words), nil
}

// showsText reports whether the text stands on the page where a person sees it.
func showsText(s *dom.Snapshot, text string) bool {
	want := Fold(text)
	found := false
	s.Root.Walk(func(n *dom.Node) bool {
		if found || !n.IsElement() && n.Tag != dom.DocumentTag {
			return false
		}
		if n.IsElement() && hasOwnText(n) && (indexWord(Fold(n.InnerText()), want) >= 0 || textNodeHolds(n, want)) {
			if ok, _ := n.Visible(); ok {
				found = true
			}
		}
		return !found
	})
	if found || want == "" {
		return found
	}
	return indexWord(Fold(s.Root.InnerText()), want) >= 0
}

// textNodeHolds reports whether one text of the element holds the words, which
// in the whole text may be glued to those of a neighbour (<b>Remove</b>Ready).
func textNodeHolds(n *dom.Node, want string) bool {
	return slices.ContainsFunc(n.Children, func(c *dom.Node) bool {
		return c.Tag == dom.TextTag && indexWord(Fold(c.Text), want) >= 0
	})
}

// Look reads the live state of a target for expectations. The verb (see Find)
// says what is asked of it: type of a field, check of a box, "" of anything. It
// does not wait.
func (a *Actor) Look(ctx context.Context, t Target, verb string) (State, error) {
	s, err := a.page.Snapshot(ctx, dom.Query{CSS: t.css()})
	if err != nil {
		return State{}, err
	}
	d := Find(s, t, verb)
	if d.Err != nil {
		return State{}, d.Err
	}
	n := d.Chosen.Node
	if c := n.LabelControl(); c != nil {
		n = c
	}
	return a.page.Read(ctx, n.Ref)
}
