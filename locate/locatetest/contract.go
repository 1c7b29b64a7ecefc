// Package locatetest holds the test that every locate.Page passes.
//
// The main entry is Contract: it is given a way to show HTML on a page and
// checks what the doc comments of locate.Page promise. Its pages hold no script, so that
// a Page without a script engine can pass. It checks behaviour, not speed.
package locatetest

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

// Open shows the HTML on a fresh page of 1280×720 CSS px and closes it when
// the test ends. It is called by several tests at once.
type Open func(t *testing.T, html string) locate.Page

// Contract checks that the pages keep what locate.Page promises.
func Contract(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, open Open)
	}{
		{"snapshot holds the tree and the live state", snapshot},
		{"refs last from one snapshot to the next", refsLast},
		{"read tells the live state", read},
		{"fill replaces and type appends or clears", text},
		{"what takes no text is not filled", noText},
		{"select goes by index", selects},
		{"set checked sets", checks},
		{"press goes to the element or to the focus", presses},
		{"click presses and focuses", clicks},
		{"click waits for what is disabled until the context ends", disabled},
		{"click refuses what is covered", covered},
		{"aim hits its element", aims},
		{"aim brings into view", aimsFarOff},
		{"aim goes for a line box", aimsAtLines},
		{"hit test finds the innermost element", hits},
		{"scroll tells whether anything moved", scrolls},
		{"frames have their own numbers and their place", frames},
		{"what does not exist is stale", stale},
		{"a shot is the viewport", shot},
		{"info tells the page", info},
		{"a page at rest settles", settles},
		{"a watch sees what an act changed", watches},
		{"a watch sees nothing where nothing happened", watchesNothing},
		{"every call ends with its context", contexts},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, open)
		})
	}
}

// Find is the ref of the element with that id attribute, in any frame.
func Find(t *testing.T, p locate.Page, id string) dom.Ref {
	t.Helper()
	return node(t, p, id).Ref
}

func node(t *testing.T, p locate.Page, id string) *dom.Node {
	t.Helper()
	s, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	for _, n := range s.Nodes {
		if n.Attr("id") == id {
			return n
		}
	}
	require.Failf(t, "no such element", "id %q", id)
	return nil
}

func value(t *testing.T, p locate.Page, ref dom.Ref) string {
	t.Helper()
	s, err := p.Read(t.Context(), ref)
	require.NoError(t, err)
	return s.Value
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func snapshot(t *testing.T, open Open) {
	p := open(t, `<html lang=en><title>A title</title><p id=p>some <b id=b>bold</b> text<input id=i value=v><input id=c type=checkbox checked>`)
	s, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	assert.Equal(t, "A title", s.Title)
	assert.Equal(t, "en", s.Lang)
	assert.Equal(t, []float64{1280, 720}, []float64{s.Viewport.W, s.Viewport.H})
	require.NotEmpty(t, s.Nodes)
	assert.Equal(t, dom.DocumentTag, s.Nodes[0].Tag)
	for i, n := range s.Nodes {
		assert.Equal(t, i, n.Index)
		if n.IsElement() {
			assert.Same(t, n, s.ByRef(n.Ref))
		}
	}
	b := node(t, p, "b")
	assert.Equal(t, "p", b.Parent.Tag)
	assert.True(t, b.Facts.Has(dom.Rendered))
	assert.False(t, b.Box.Empty())
	assert.Equal(t, "v", node(t, p, "i").Value)
	assert.True(t, node(t, p, "c").Facts.Has(dom.Checked))
}

func refsLast(t *testing.T, open Open) {
	p := open(t, `<button id=a>A</button><button id=b>B</button>`)
	a, b := Find(t, p, "a"), Find(t, p, "b")
	assert.NotEqual(t, a, b)
	assert.Positive(t, a.ID)
	assert.Equal(t, a, Find(t, p, "a"))
}

func read(t *testing.T, open Open) {
	p := open(t, `<input id=i value=v><input id=ro readonly value=r><input id=off disabled><textarea id=t>x
y</textarea><select id=s><option>one<option selected>two</select><select id=m multiple><option selected>a<option>b<option selected>c</select>
		<input type=checkbox id=c checked><div id=e contenteditable>edit</div><div id=r role=checkbox aria-checked=true>R</div><p id=p> some  text </p>`)
	for _, tc := range []struct {
		id   string
		want locate.State
	}{
		{"i", locate.State{Value: "v", Editable: true}},
		{"ro", locate.State{Value: "r"}},
		{"off", locate.State{Disabled: true}},
		{"t", locate.State{Value: "x\ny", Editable: true}},
		{"s", locate.State{Value: "two", Options: []string{"two"}}},
		{"m", locate.State{Value: "a, c", Options: []string{"a", "c"}}},
		{"c", locate.State{Value: "on", Checked: true}},
		{"e", locate.State{Value: "edit", Text: "edit", Editable: true}},
		{"r", locate.State{Text: "R", Checked: true}},
		{"p", locate.State{Text: "some text"}},
	} {
		got, err := p.Read(t.Context(), Find(t, p, tc.id))
		require.NoError(t, err, tc.id)
		if tc.want.Text == "" {
			got.Text = "" // what a control shows is said by its value
		}
		assert.Equal(t, tc.want, got, tc.id)
	}
}

func text(t *testing.T, open Open) {
	p := open(t, `<input id=i value=old><textarea id=t>old</textarea><div id=e contenteditable>old</div>`)
	ctx := t.Context()
	for _, id := range []string{"i", "t", "e"} {
		ref := Find(t, p, id)
		require.NoError(t, p.Fill(ctx, ref, "上海 x"), id)
		assert.Equal(t, "上海 x", value(t, p, ref), id)
		require.NoError(t, p.Type(ctx, ref, "ab", true), id)
		assert.Equal(t, "ab", value(t, p, ref), id)
		require.NoError(t, p.Fill(ctx, ref, ""), id)
		assert.Empty(t, value(t, p, ref), id)
	}
	ref := Find(t, p, "i")
	require.NoError(t, p.Fill(ctx, ref, "a"))
	require.NoError(t, p.Press(ctx, ref, "End"))
	require.NoError(t, p.Type(ctx, ref, "bc", false))
	assert.Equal(t, "abc", value(t, p, ref))
	s, err := p.Read(ctx, ref)
	require.NoError(t, err)
	assert.True(t, s.Focused, "typing focuses")
}

func noText(t *testing.T, open Open) {
	p := open(t, `<button id=b>B</button><input id=off disabled><input id=ro readonly value=r>`)
	for _, id := range []string{"b", "off", "ro"} {
		assert.Error(t, p.Fill(within(t, 2*time.Second), Find(t, p, id), "x"), id)
	}
	assert.Equal(t, "r", value(t, p, Find(t, p, "ro")))
}

func selects(t *testing.T, open Open) {
	p := open(t, `<select id=s><option value=1>one<option value=2>two<option value=3>three</select>
		<select id=m multiple><option>a<option>b<option>c</select><select id=d><option>x<option disabled>y</select>`)
	ctx := t.Context()
	s, m, d := Find(t, p, "s"), Find(t, p, "m"), Find(t, p, "d")
	require.NoError(t, p.Select(ctx, s, []int{2}))
	assert.Equal(t, "three", value(t, p, s))
	require.NoError(t, p.Select(ctx, m, []int{0, 2}))
	assert.Equal(t, "a, c", value(t, p, m))
	assert.Error(t, p.Select(within(t, 2*time.Second), s, []int{3}))
	assert.ErrorIs(t, p.Select(within(t, 2*time.Second), d, []int{1}), locate.ErrDisabled)
	assert.Equal(t, "x", value(t, p, d))
}

func checks(t *testing.T, open Open) {
	p := open(t, `<input type=checkbox id=c><input type=radio name=r id=r1 checked><input type=radio name=r id=r2>`)
	ctx := t.Context()
	is := func(id string) bool {
		s, err := p.Read(ctx, Find(t, p, id))
		require.NoError(t, err)
		return s.Checked
	}
	for _, on := range []bool{true, true, false, false} {
		require.NoError(t, p.SetChecked(ctx, Find(t, p, "c"), on))
		assert.Equal(t, on, is("c"))
	}
	require.NoError(t, p.SetChecked(ctx, Find(t, p, "r2"), true))
	assert.Equal(t, []bool{false, true}, []bool{is("r1"), is("r2")})
}

func presses(t *testing.T, open Open) {
	p := open(t, `<input id=i value=abc>`)
	ctx, ref := t.Context(), Find(t, p, "i")
	require.NoError(t, p.Press(ctx, ref, "End"))
	require.NoError(t, p.Press(ctx, dom.Ref{}, "Backspace"))
	assert.Equal(t, "ab", value(t, p, ref))
	assert.ErrorIs(t, p.Press(ctx, ref, "NoSuchKey"), locate.ErrUsage)
	assert.ErrorIs(t, p.Press(ctx, dom.Ref{}, ""), locate.ErrUsage)
}

func clicks(t *testing.T, open Open) {
	p := open(t, `<input type=checkbox id=c><label for=c id=l>label</label><input id=i>`)
	ctx := t.Context()
	require.NoError(t, p.Click(ctx, Find(t, p, "l"), locate.ClickOptions{}))
	s, err := p.Read(ctx, Find(t, p, "c"))
	require.NoError(t, err)
	assert.True(t, s.Checked, "a label presses its control")
	require.NoError(t, p.Click(ctx, Find(t, p, "i"), locate.ClickOptions{}))
	s, err = p.Read(ctx, Find(t, p, "i"))
	require.NoError(t, err)
	assert.True(t, s.Focused)
	assert.ErrorIs(t, p.Click(ctx, Find(t, p, "i"), locate.ClickOptions{Button: "fourth"}), locate.ErrUsage)
	c := Find(t, p, "c")
	a, err := p.Aim(ctx, c)
	require.NoError(t, err)
	require.NoError(t, p.ClickAt(ctx, a.Point, locate.ClickOptions{}))
	s, err = p.Read(ctx, c)
	require.NoError(t, err)
	assert.False(t, s.Checked, "pressed at a point")
}

func disabled(t *testing.T, open Open) {
	p := open(t, `<button id=b disabled>B</button>`)
	err := p.Click(within(t, 4*time.Second), Find(t, p, "b"), locate.ClickOptions{})
	assert.ErrorIs(t, err, locate.ErrDisabled)
	assert.ErrorIs(t, err, locate.ErrNotActionable)
}

const coveredPage = `<style>body{margin:0}</style><button id=b style="position:absolute;left:100px;top:100px;width:80px;height:30px">B</button>
	<div id=over style="position:fixed;inset:0;background:#eee">banner</div>`

func covered(t *testing.T, open Open) {
	p := open(t, coveredPage)
	b, over := Find(t, p, "b"), Find(t, p, "over")
	a, err := p.Aim(t.Context(), b)
	require.NoError(t, err)
	assert.Equal(t, over, a.Covered)
	err = p.Click(within(t, 2*time.Second), b, locate.ClickOptions{})
	assert.ErrorIs(t, err, locate.ErrCovered)
	assert.ErrorIs(t, err, locate.ErrNotActionable)
}

func stale(t *testing.T, open Open) {
	p := open(t, `<button id=b>B</button>`)
	ctx := within(t, 5*time.Second)
	for _, ref := range []dom.Ref{{ID: 9999}, {Frame: 77, ID: 1}} {
		for name, do := range map[string]func() error{
			"read":   func() error { _, err := p.Read(ctx, ref); return err },
			"aim":    func() error { _, err := p.Aim(ctx, ref); return err },
			"click":  func() error { return p.Click(ctx, ref, locate.ClickOptions{}) },
			"hover":  func() error { return p.Hover(ctx, ref) },
			"fill":   func() error { return p.Fill(ctx, ref, "x") },
			"type":   func() error { return p.Type(ctx, ref, "x", true) },
			"press":  func() error { return p.Press(ctx, ref, "Enter") },
			"select": func() error { return p.Select(ctx, ref, []int{0}) },
			"check":  func() error { return p.SetChecked(ctx, ref, true) },
			"scroll": func() error { _, err := p.Scroll(ctx, ref, 0, 10); return err },
			"upload": func() error { return p.Upload(ctx, ref, nil) },
			"drag":   func() error { return p.Drag(ctx, ref, ref) },
		} {
			assert.ErrorIs(t, do(), locate.ErrStale, "%s %v", name, ref)
		}
	}
}

func shot(t *testing.T, open Open) {
	p := open(t, `<body style="margin:0;background:#123456;height:2000px">`)
	s, err := p.Shot(t.Context())
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(s.PNG))
	require.NoError(t, err)
	assert.Equal(t, []int{s.Width, s.Height}, []int{img.Bounds().Dx(), img.Bounds().Dy()})
	assert.Equal(t, dom.Rect{W: 1280, H: 720}, s.View)
	assert.InDelta(t, float64(s.Width)/1280, s.Scale, 1e-9)
}

func info(t *testing.T, open Open) {
	p := open(t, `<html lang=de><title>Titel</title>`)
	i, err := p.Info(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "Titel", i.Title)
	assert.Equal(t, "de", i.Lang)
	assert.NotEmpty(t, i.URL)
	assert.False(t, i.Now.IsZero())
	assert.Positive(t, i.Scale)
	assert.Equal(t, dom.Rect{W: 1280, H: 720}, i.Viewport)
}

func settles(t *testing.T, open Open) {
	p := open(t, `<p>still</p>`)
	rest, err := p.Settle(t.Context(), 50*time.Millisecond, 5*time.Second)
	require.NoError(t, err)
	assert.True(t, rest)
}

func watches(t *testing.T, open Open) {
	p := open(t, `<input type=checkbox id=c><details id=d><summary id=s>more</summary>text</details>`)
	for _, id := range []string{"c", "s"} {
		ref := Find(t, p, id)
		w, err := p.Watch(t.Context(), ref)
		require.NoError(t, err)
		require.NoError(t, p.Click(t.Context(), ref, locate.ClickOptions{}))
		effect, err := w.Effect(t.Context(), time.Second)
		require.NoError(t, err)
		assert.NotEmpty(t, effect, id)
	}
}

func watchesNothing(t *testing.T, open Open) {
	p := open(t, `<button id=b>B</button>`)
	ref := Find(t, p, "b")
	w, err := p.Watch(t.Context(), ref)
	require.NoError(t, err)
	require.NoError(t, p.Click(t.Context(), ref, locate.ClickOptions{}))
	effect, err := w.Effect(t.Context(), 200*time.Millisecond)
	require.NoError(t, err)
	assert.Empty(t, effect, "focus on the target itself is no effect")
}

func contexts(t *testing.T, open Open) {
	p := open(t, `<button id=b>B</button>`)
	ref := Find(t, p, "b")
	why := errors.New("no time left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for name, do := range map[string]func() error{
		"snapshot": func() error { _, err := p.Snapshot(ctx, dom.Query{}); return err },
		"read":     func() error { _, err := p.Read(ctx, ref); return err },
		"aim":      func() error { _, err := p.Aim(ctx, ref); return err },
		"hit test": func() error { _, err := p.HitTest(ctx, dom.Point{}); return err },
		"shot":     func() error { _, err := p.Shot(ctx); return err },
		"info":     func() error { _, err := p.Info(ctx); return err },
		"click":    func() error { return p.Click(ctx, ref, locate.ClickOptions{}) },
		"click at": func() error { return p.ClickAt(ctx, dom.Point{}, locate.ClickOptions{}) },
		"hover":    func() error { return p.Hover(ctx, ref) },
		"press":    func() error { return p.Press(ctx, dom.Ref{}, "Enter") },
		"scroll":   func() error { _, err := p.Scroll(ctx, dom.Ref{}, 0, 1); return err },
		"watch":    func() error { _, err := p.Watch(ctx, ref); return err },
		"settle":   func() error { _, err := p.Settle(ctx, time.Millisecond, time.Second); return err },
	} {
		assert.ErrorIs(t, do(), why, name)
	}
}
