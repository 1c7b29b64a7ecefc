package browser

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

func TestPageActs(t *testing.T) {
	p := open(t, `<title>Acts</title><html lang=en>
		<button id=b onclick="document.title='clicked'">Press</button>
		<input id=i oninput="this.dataset.seen=this.value"><select id=s><option>one<option>two</select>
		<input type=checkbox id=c>`)
	ctx := t.Context()
	require.NoError(t, p.Click(ctx, refOf(t, p, "b"), locate.ClickOptions{}))
	info, err := p.Info(ctx)
	require.NoError(t, err)
	assert.Equal(t, "clicked", info.Title)
	assert.Equal(t, home, info.URL)
	assert.Equal(t, dom.Rect{W: 1280, H: 720}, info.Viewport)

	input := refOf(t, p, "i")
	require.NoError(t, p.Fill(ctx, input, "上海"))
	state, err := p.Read(ctx, input)
	require.NoError(t, err)
	assert.Equal(t, "上海", state.Value)
	assert.True(t, state.Editable)
	assert.Equal(t, `"上海"`, eval(t, p, `document.getElementById('i').dataset.seen`))
	require.NoError(t, p.Type(ctx, input, "ab", true))
	require.NoError(t, p.Press(ctx, dom.Ref{}, "Backspace"))
	assert.Equal(t, `"a"`, eval(t, p, `i.value`))

	require.NoError(t, p.Select(ctx, refOf(t, p, "s"), []int{1}))
	assert.Equal(t, `"two"`, eval(t, p, `s.value`))
	require.NoError(t, p.SetChecked(ctx, refOf(t, p, "c"), true))
	assert.Equal(t, `true`, eval(t, p, `c.checked`))

	shot, err := p.Shot(ctx)
	require.NoError(t, err)
	assert.Equal(t, []int{1280, 720}, []int{shot.Width, shot.Height})
}

func TestPageSaysStaleAndNamesNothingOfANewDocument(t *testing.T) {
	p := open(t, `<button id=b>One</button>`)
	ctx := t.Context()
	old := refOf(t, p, "b")
	require.NoError(t, p.Reload(ctx))
	fresh := refOf(t, p, "b")
	assert.NotEqual(t, old, fresh, "a number of an old document was given out again")
	for name, do := range map[string]func() error{
		"click": func() error { return p.Click(ctx, old, locate.ClickOptions{}) },
		"read":  func() error { _, err := p.Read(ctx, old); return err },
		"aim":   func() error { _, err := p.Aim(ctx, old); return err },
		"fill":  func() error { return p.Fill(ctx, old, "x") },
	} {
		began := time.Now()
		assert.ErrorIs(t, do(), locate.ErrStale, name)
		assert.Less(t, time.Since(began), 2*time.Second, name)
	}
	eval(t, p, `b.remove()`)
	assert.ErrorIs(t, p.Click(ctx, fresh, locate.ClickOptions{}), locate.ErrStale)
}

func TestPageReturnsWhenItsContextEnds(t *testing.T) {
	p := open(t, `<button id=b>One</button>`)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := assert.AnError
	time.AfterFunc(100*time.Millisecond, func() { cancel(why) })
	_, err := p.Eval(ctx, `new Promise(() => {})`)
	assert.ErrorIs(t, err, why)
}
