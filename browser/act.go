package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"harness/dom"
	"harness/locate"
)

// target is the frame of a ref and the selector of its element there.
func (p *Page) target(ref dom.Ref) (*frame, string, error) {
	f := p.frameOf(ref.Frame)
	if f == nil || ref.ID <= 0 {
		return nil, "", locate.ErrStale
	}
	return f, fmt.Sprintf("%s=%d", engineName, ref.ID), nil
}

// act runs one of Playwright's acts on an element.
func (p *Page) act(ctx context.Context, verb string, ref dom.Ref, do func(f playwright.Frame, selector string, timeout *float64) error) error {
	f, selector, err := p.target(ref)
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, ref, err)
	}
	err = acting(ctx, p, func() error { return p.actError(do(f.pw, selector, p.timeout(ctx))) })
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, ref, err)
	}
	return nil
}

// Click presses the element; see locate.Page.
func (p *Page) Click(ctx context.Context, ref dom.Ref, o locate.ClickOptions) error {
	button, err := button(o.Button)
	if err != nil {
		return fmt.Errorf("click %s: %w", ref, err)
	}
	if ref.Frame != 0 {
		return p.press(ctx, "click", ref, o)
	}
	err = p.act(ctx, "click", ref, func(f playwright.Frame, selector string, timeout *float64) error {
		opts := playwright.FrameClickOptions{Button: button, Timeout: timeout}
		if o.Count > 1 {
			opts.ClickCount = playwright.Int(o.Count)
		}
		if o.Offset != nil {
			opts.Position = &playwright.Position{X: o.Offset.X, Y: o.Offset.Y}
		}
		return f.Click(selector+"press", opts)
	})
	if errors.Is(err, errLabel) {
		return p.press(ctx, "click", ref, o)
	}
	return err
}

// press is Click by our own waiting.
func (p *Page) press(ctx context.Context, verb string, ref dom.Ref, o locate.ClickOptions) error {
	at, err := p.pressPoint(ctx, ref, true)
	if err == nil && o.Offset != nil {
		var a locate.Aim
		a, err = p.Aim(ctx, ref)
		at = dom.Point{X: a.Box.X + o.Offset.X, Y: a.Box.Y + o.Offset.Y}
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, ref, err)
	}
	return p.ClickAt(ctx, at, o)
}

// describe is an element for people.
func (p *Page) describe(ctx context.Context, ref dom.Ref) string {
	var got struct{ Text string }
	f := p.frameOf(ref.Frame)
	if f == nil || p.call(ctx, f, &got, "describe", ref.ID) != nil || got.Text == "" {
		return ref.String()
	}
	return got.Text
}

func button(name string) (*playwright.MouseButton, error) {
	switch name {
	case "", "left":
		return nil, nil
	case "right":
		return playwright.MouseButtonRight, nil
	case "middle":
		return playwright.MouseButtonMiddle, nil
	}
	return nil, fmt.Errorf("%w: no mouse button %q", locate.ErrUsage, name)
}

// ClickAt presses at a point without any check.
func (p *Page) ClickAt(ctx context.Context, at dom.Point, o locate.ClickOptions) error {
	button, err := button(o.Button)
	if err != nil {
		return fmt.Errorf("click at %v: %w", at, err)
	}
	err = acting(ctx, p, func() error {
		opts := playwright.MouseClickOptions{Button: button, ClickCount: playwright.Int(max(1, o.Count))}
		return p.scriptError(p.pw.Mouse().Click(at.X, at.Y, opts))
	})
	if err != nil {
		return fmt.Errorf("click at (%g, %g): %w", at.X, at.Y, err)
	}
	return nil
}

// Hover moves the mouse over the element.
func (p *Page) Hover(ctx context.Context, ref dom.Ref) error {
	if ref.Frame != 0 {
		at, err := p.pressPoint(ctx, ref, false)
		if err == nil {
			err = acting(ctx, p, func() error { return p.scriptError(p.pw.Mouse().Move(at.X, at.Y)) })
		}
		if err != nil {
			return fmt.Errorf("hover %s: %w", ref, err)
		}
		return nil
	}
	return p.act(ctx, "hover", ref, func(f playwright.Frame, selector string, timeout *float64) error {
		return f.Hover(selector, playwright.FrameHoverOptions{Timeout: timeout})
	})
}

// HoverAt moves the mouse to a point.
func (p *Page) HoverAt(ctx context.Context, at dom.Point) error {
	err := acting(ctx, p, func() error { return p.scriptError(p.pw.Mouse().Move(at.X, at.Y)) })
	if err != nil {
		return fmt.Errorf("hover at (%g, %g): %w", at.X, at.Y, err)
	}
	return nil
}

// Fill sets the value in one edit.
func (p *Page) Fill(ctx context.Context, ref dom.Ref, text string) error {
	return p.act(ctx, "fill", ref, func(f playwright.Frame, selector string, timeout *float64) error {
		return f.Fill(selector, text, playwright.FrameFillOptions{Timeout: timeout})
	})
}

// Type types key by key.
func (p *Page) Type(ctx context.Context, ref dom.Ref, text string, clear bool) error {
	return p.act(ctx, "type", ref, func(f playwright.Frame, selector string, timeout *float64) error {
		if clear {
			if err := f.Fill(selector, "", playwright.FrameFillOptions{Timeout: timeout}); err != nil {
				return err
			}
		}
		return f.Type(selector, text, playwright.FrameTypeOptions{Timeout: timeout})
	})
}

// Press presses keys on the element, or on what has the focus. Several keys
// one after the other are set apart by spaces.
func (p *Page) Press(ctx context.Context, ref dom.Ref, keys string) error {
	list := strings.Fields(keys)
	if keys == " " {
		list = []string{"Space"}
	}
	if len(list) == 0 {
		return fmt.Errorf("press: %w: no keys", locate.ErrUsage)
	}
	if ref.IsZero() {
		err := acting(ctx, p, func() error {
			for _, k := range list {
				if err := p.pw.Keyboard().Press(k); err != nil {
					return p.keyError(k, err)
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("press %s: %w", keys, err)
		}
		return nil
	}
	return p.act(ctx, "press "+keys+" on", ref, func(f playwright.Frame, selector string, timeout *float64) error {
		if err := f.Press(selector, list[0], playwright.FramePressOptions{Timeout: timeout}); err != nil {
			return p.keyError(list[0], err)
		}
		for _, k := range list[1:] {
			if err := p.pw.Keyboard().Press(k); err != nil {
				return p.keyError(k, err)
			}
		}
		return nil
	})
}

func (p *Page) keyError(key string, err error) error {
	if strings.Contains(err.Error(), "Unknown key") {
		return fmt.Errorf("%w: no key %q", locate.ErrUsage, key)
	}
	return p.actError(err)
}

// Select chooses options of a native select by index.
func (p *Page) Select(ctx context.Context, ref dom.Ref, indexes []int) error {
	f, _, err := p.target(ref)
	if err != nil {
		return fmt.Errorf("select %s: %w", ref, err)
	}
	var can struct {
		Stale, Disabled bool
		Error           string
	}
	if err := p.call(ctx, f, &can, "select", ref.ID, indexes); err != nil {
		return fmt.Errorf("select %s: %w", ref, err)
	}
	switch {
	case can.Stale:
		return fmt.Errorf("select %s: %w", ref, locate.ErrStale)
	case can.Disabled:
		return fmt.Errorf("select %s: %w: %s", ref, locate.ErrDisabled, can.Error)
	case can.Error != "":
		return fmt.Errorf("select %s: %w: %s", ref, locate.ErrUsage, can.Error)
	}
	return p.act(ctx, "select", ref, func(f playwright.Frame, selector string, timeout *float64) error {
		_, err := f.SelectOption(selector, playwright.SelectOptionValues{Indexes: &indexes}, playwright.FrameSelectOptionOptions{Timeout: timeout})
		return err
	})
}

// SetChecked checks or unchecks a native checkbox or radio.
func (p *Page) SetChecked(ctx context.Context, ref dom.Ref, on bool) error {
	if ref.Frame == 0 {
		err := p.act(ctx, "check", ref, func(f playwright.Frame, selector string, timeout *float64) error {
			return f.SetChecked(selector+"press", on, playwright.FrameSetCheckedOptions{Timeout: timeout})
		})
		if !errors.Is(err, errLabel) {
			return err
		}
	}
	s, err := p.Read(ctx, ref)
	if err != nil || s.Checked == on {
		return err
	}
	if err := p.press(ctx, "check", ref, locate.ClickOptions{}); err != nil {
		return err
	}
	if s, err = p.Read(ctx, ref); err == nil && s.Checked != on {
		return fmt.Errorf("check %s: %w: a press did not change it", ref, locate.ErrNotActionable)
	}
	return err
}

// Drag drags one element to the middle of another.
func (p *Page) Drag(ctx context.Context, from, to dom.Ref) error {
	if from.Frame == 0 && to.Frame == 0 {
		return p.act(ctx, "drag", from, func(f playwright.Frame, selector string, timeout *float64) error {
			_, target, err := p.target(to)
			if err != nil {
				return err
			}
			return f.DragAndDrop(selector, target, playwright.FrameDragAndDropOptions{Timeout: timeout, Steps: playwright.Int(5)})
		})
	}
	return p.dragAcross(ctx, from, to)
}

// dragAcross drags between frames, by points.
func (p *Page) dragAcross(ctx context.Context, from, to dom.Ref) error {
	start, err := p.Aim(ctx, from)
	if err != nil {
		return fmt.Errorf("drag %s: %w", from, err)
	}
	end, err := p.Aim(ctx, to)
	if err != nil {
		return fmt.Errorf("drag to %s: %w", to, err)
	}
	err = acting(ctx, p, func() error {
		mouse := p.pw.Mouse()
		steps := []func() error{
			func() error { return mouse.Move(start.Point.X, start.Point.Y) },
			func() error { return mouse.Down() },
			func() error {
				return mouse.Move(end.Point.X, end.Point.Y, playwright.MouseMoveOptions{Steps: playwright.Int(5)})
			},
			func() error { return mouse.Up() },
		}
		for _, do := range steps {
			if err := do(); err != nil {
				return p.scriptError(err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("drag %s: %w", from, err)
	}
	return nil
}

// Scroll turns the wheel and reports whether anything moved.
func (p *Page) Scroll(ctx context.Context, ref dom.Ref, dx, dy float64) (bool, error) {
	moved, err := p.scroll(ctx, ref, dx, dy)
	if err != nil {
		return false, fmt.Errorf("scroll %s: %w", ref, err)
	}
	return moved, nil
}

func (p *Page) scroll(ctx context.Context, ref dom.Ref, dx, dy float64) (bool, error) {
	at, err := p.wheelPoint(ctx, ref)
	if err != nil {
		return false, err
	}
	before, err := p.offsets(ctx, ref, at)
	if err != nil {
		return false, err
	}
	_, err = on(ctx, p, func() (struct{}, error) {
		if err := p.pw.Mouse().Move(at.X, at.Y); err != nil {
			return struct{}{}, p.scriptError(err)
		}
		return struct{}{}, p.scriptError(p.pw.Mouse().Wheel(dx, dy))
	})
	if err != nil {
		return false, err
	}
	// The wheel answers before the page has scrolled; smooth scrolling takes a while.
	for end := time.Now().Add(400 * time.Millisecond); ; {
		after, err := p.offsets(ctx, ref, at)
		if err != nil {
			return false, err
		}
		if after != before {
			return true, p.untilStill(ctx, ref, at, after)
		}
		if time.Now().After(end) {
			return false, nil
		}
		if err := wait(ctx, 20*time.Millisecond); err != nil {
			return false, err
		}
	}
}

func (p *Page) untilStill(ctx context.Context, ref dom.Ref, at dom.Point, last string) error {
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		if err := wait(ctx, 35*time.Millisecond); err != nil {
			return err
		}
		now, err := p.offsets(ctx, ref, at)
		if err != nil {
			return err
		}
		if now == last {
			return nil
		}
		last = now
	}
	return nil
}

func (p *Page) wheelPoint(ctx context.Context, ref dom.Ref) (dom.Point, error) {
	if !ref.IsZero() {
		a, err := p.Aim(ctx, ref)
		return a.Point, err
	}
	info, err := p.Info(ctx)
	return dom.Point{X: info.Viewport.W / 2, Y: info.Viewport.H / 2}, err
}

// offsets tells the scroll offsets of the element and of all that it stands
// in; without one, of what lies under the point.
func (p *Page) offsets(ctx context.Context, ref dom.Ref, at dom.Point) (string, error) {
	if ref.IsZero() {
		hit, err := p.HitTest(ctx, at)
		if err != nil {
			return "", err
		}
		ref = hit
	}
	var out strings.Builder
	for f := p.frameOf(ref.Frame); f != nil; f = f.parent {
		s, err := p.ask(ctx, f, "offsets", ref.ID)
		if err != nil {
			return "", err
		}
		if strings.Contains(s, `"stale"`) {
			return "", locate.ErrStale
		}
		out.WriteString(s)
		ref.ID = f.owner
	}
	return out.String(), nil
}
