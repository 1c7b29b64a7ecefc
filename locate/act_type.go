package locate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"harness/dom"
)

// keyLimit is how many characters are typed key by key; longer texts go in as
// one edit.
const keyLimit = 200

// Type puts text into a field as a person would and reads the field back: the
// value has to be the text, give or take what a mask adds (ErrValueMismatch).
func (a *Actor) Type(ctx context.Context, t Target, o TypeOptions, h How) (*Resolution, error) {
	ctx, cancel := a.deadline(ctx, h)
	defer cancel()
	for try := 1; ; try++ {
		r, n, err := a.resolve(ctx, t, "type", h)
		if try == 1 {
			a.before(ctx, r)
		}
		if err != nil {
			return r, err
		}
		err = a.typeInto(ctx, r, n, o)
		if errors.Is(err, ErrStale) && try < maxStale {
			r.note("the page replaced the field: looked for it again")
			continue
		}
		return r, a.explain(ctx, t, "type", n, err)
	}
}

func (a *Actor) typeInto(ctx context.Context, r *Resolution, n *dom.Node, o TypeOptions) error {
	n, err := a.textField(ctx, r, n)
	if err != nil {
		return err
	}
	if n.Facts.Has(dom.ReadOnly) {
		return &ActError{Verb: "type", Target: r.Target, Err: ErrDisabled, Detail: describe(n) + " is read-only"}
	}
	w, err := a.page.Watch(ctx, n.Ref)
	if err != nil {
		return err
	}
	if err := a.enter(ctx, n, o); err != nil {
		return err
	}
	r.did("typed into")
	if err := a.readBack(ctx, r, n, o); err != nil {
		return err
	}
	r.Effect = "the field holds the text"
	if !o.Submit {
		return nil
	}
	if err := a.page.Press(ctx, n.Ref, "Enter"); err != nil {
		return err
	}
	r.note("pressed Enter")
	if e, err := w.Effect(ctx, effectWait); err == nil && e != "" {
		r.Effect = e
	}
	return nil
}

// textField is the element that takes the text: the one found, the only control
// in it, or what gets the focus when it is pressed.
func (a *Actor) textField(ctx context.Context, r *Resolution, n *dom.Node) (*dom.Node, error) {
	if n.TakesText() || n.Tag == "input" {
		return n, nil
	}
	var inside []*dom.Node
	n.Walk(func(c *dom.Node) bool {
		if ok, _ := c.Visible(); ok && c.TakesText() && !c.Facts.Has(dom.ReadOnly) {
			inside = append(inside, c)
		}
		return true
	})
	if len(inside) == 1 {
		r.note("the field holds " + describe(inside[0]))
		return inside[0], nil
	}
	if err := a.pressIt(ctx, r, n); err != nil {
		return nil, err
	}
	r.did("pressed")
	if _, err := a.page.Settle(ctx, 100*time.Millisecond, restLimit); err != nil {
		return nil, err
	}
	s, err := a.page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return nil, err
	}
	for _, c := range s.Nodes {
		if c.Facts.Has(dom.Focused) && c.TakesText() {
			return c, nil
		}
	}
	return nil, &ActError{Verb: "type", Target: r.Target, Err: ErrNotActionable, Detail: describe(n) + " takes no text"}
}

// pressIt presses the element, or the point that vision found.
func (a *Actor) pressIt(ctx context.Context, r *Resolution, n *dom.Node) error {
	if r.Point != nil {
		return a.page.ClickAt(ctx, *r.Point, ClickOptions{})
	}
	return a.page.Click(ctx, n.Ref, ClickOptions{})
}

// enter puts the text in: fields with a format of their own as one edit, others
// key by key, so that masks, suggestions and controlled inputs see real input.
func (a *Actor) enter(ctx context.Context, n *dom.Node, o TypeOptions) error {
	if text, ok := nativeValue(n, o.Text); ok {
		return a.page.Fill(ctx, n.Ref, text)
	}
	if !o.Keep && len([]rune(o.Text)) > keyLimit {
		return a.page.Fill(ctx, n.Ref, o.Text)
	}
	return a.page.Type(ctx, n.Ref, o.Text, !o.Keep)
}

// nativeValue is the value of inputs whose value has a fixed format.
func nativeValue(n *dom.Node, text string) (string, bool) {
	switch n.InputType() {
	case "date", "time", "datetime-local", "month", "week", "color", "range":
	default:
		return "", false
	}
	text = strings.TrimSpace(text)
	if n.InputType() == "date" {
		for _, layout := range []string{time.DateOnly, "2006/1/2", "1/2/2006", "2.1.2006", "2 January 2006", "January 2, 2006", "2 Jan 2006", "Jan 2, 2006", "2006年1月2日"} {
			if d, err := time.Parse(layout, text); err == nil {
				return d.Format(time.DateOnly), true
			}
		}
	}
	if n.InputType() == "time" {
		for _, layout := range []string{"15:04", "15:04:05", "3:04 PM", "3:04PM", "3 PM"} {
			if d, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
				return d.Format("15:04"), true
			}
		}
	}
	return text, true
}

// readBack compares what the field holds with what was asked; where keys did
// not do it, the text goes in once more as one edit.
func (a *Actor) readBack(ctx context.Context, r *Resolution, n *dom.Node, o TypeOptions) error {
	st, err := a.page.Read(ctx, n.Ref)
	if err != nil {
		return err
	}
	want := o.Text
	if v, ok := nativeValue(n, o.Text); ok {
		want = v
	}
	held := func(v string) bool {
		return holdsText(v, want) || o.Keep && strings.HasSuffix(plainText(v), plainText(want))
	}
	if n.InputType() == "password" {
		r.Value = strings.Repeat("•", len([]rune(st.Value)))
		if len([]rune(st.Value)) == len([]rune(want)) || st.Value == want {
			return nil
		}
	} else if r.Value = st.Value; held(st.Value) {
		return nil
	}
	if !o.Keep && n.TakesText() {
		if err := a.page.Fill(ctx, n.Ref, want); err == nil {
			if st, err = a.page.Read(ctx, n.Ref); err != nil {
				return err
			}
			r.note("keys did not do it: filled in as one edit")
			if r.Value = st.Value; held(st.Value) {
				return nil
			}
		}
	}
	return &ActError{Verb: "type", Target: r.Target, Err: ErrValueMismatch, Detail: fmt.Sprintf("asked for %q, the field holds %q", o.Text, r.Value)}
}

// holdsText reports whether a field's value is the text that was asked for: the
// same, or the same letters and digits where a mask put signs between them or
// changed their case.
func holdsText(value, want string) bool {
	if value == want || strings.TrimRight(value, "\n") == want {
		return true
	}
	v, w := plainText(value), plainText(want)
	return v == w && v != ""
}

func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, Fold(s))
}
