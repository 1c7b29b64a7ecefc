package locate

import (
	"context"
	"time"

	"harness/dom"
	"harness/vision"
)

// gaze looks at a painted element before a press: its document does not tell
// what the press changes, its picture does. nil for everything else.
type gaze struct {
	area  dom.Rect
	shots []*dom.Shot // before the press, oldest first
}

// gaze moves the mouse to where the press will go, so that what the element
// paints under a mouse does not count as the press's effect, and looks.
func (a *Actor) gaze(ctx context.Context, r *Resolution, p *pressed) (*gaze, error) {
	if p.point == nil || !painted(p.node) || r.Verb == "hover" {
		return nil, nil
	}
	g := &gaze{area: p.node.Box}
	if err := a.page.HoverAt(ctx, *p.point); err != nil {
		return nil, err
	}
	for i := range 3 { // what differs among them changes by itself; the gaps differ, so that a beat is not missed
		if i < 2 {
			if err := a.wait(ctx); err != nil {
				return nil, err
			}
		}
		shot, err := a.page.Shot(ctx)
		if err != nil {
			return nil, err
		}
		g.shots = append(g.shots, shot)
	}
	return g, nil
}

// paintQuick is how long the document is asked first: a press on a painted
// element that changes the document too does so at once.
const paintQuick = 50 * time.Millisecond

// changed waits for the first change: in the document, or in the picture of a
// painted element.
func (a *Actor) changed(ctx context.Context, w Watch, g *gaze) (string, error) {
	if g == nil {
		return w.Effect(ctx, effectWait)
	}
	end := time.Now().Add(effectWait)
	for {
		if what, err := w.Effect(ctx, paintQuick); what != "" || err != nil {
			return what, err
		}
		shot, err := a.page.Shot(ctx)
		if err != nil {
			return "", err
		}
		other, err := vision.Changes(g.area, append(g.shots[:len(g.shots):len(g.shots)], shot)...)
		if err != nil {
			return "", err
		}
		if other {
			return "the picture changed", nil
		}
		if time.Now().After(end) {
			return "", nil
		}
	}
}
