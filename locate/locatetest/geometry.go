package locatetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

func aims(t *testing.T, open Open) {
	p := open(t, `<style>body{margin:0}</style><button id=b style="position:absolute;left:100px;top:50px;width:80px;height:30px">B</button>`)
	ref := Find(t, p, "b")
	a, err := p.Aim(t.Context(), ref)
	require.NoError(t, err)
	assert.Equal(t, dom.Rect{X: 100, Y: 50, W: 80, H: 30}, a.Box)
	assert.True(t, a.Box.Contains(a.Point))
	assert.True(t, a.Covered.IsZero())
	assert.True(t, a.Rest)
	hit, err := p.HitTest(t.Context(), a.Point)
	require.NoError(t, err)
	assert.Equal(t, ref, hit)
}

func aimsFarOff(t *testing.T, open Open) {
	p := open(t, `<style>body{margin:0;height:5000px}</style><header style="position:fixed;top:0;left:0;right:0;height:120px;background:#ddd">head</header>
		<button id=b style="position:absolute;left:10px;top:3000px;width:80px;height:30px">B</button>`)
	ref := Find(t, p, "b")
	a, err := p.Aim(t.Context(), ref)
	require.NoError(t, err)
	assert.True(t, a.Covered.IsZero())
	assert.True(t, dom.Rect{W: 1280, H: 720}.Contains(a.Point), "%v", a.Point)
	hit, err := p.HitTest(t.Context(), a.Point)
	require.NoError(t, err)
	assert.Equal(t, ref, hit)
}

func aimsAtLines(t *testing.T, open Open) {
	p := open(t, `<p style="width:200px;font:16px monospace;margin:0" id=p>aaaaaaaaaaaaaa <a id=a href="#x">bbbb cccc</a> dddddddddddddd</p>`)
	ref := Find(t, p, "a")
	a, err := p.Aim(t.Context(), ref)
	require.NoError(t, err)
	hit, err := p.HitTest(t.Context(), a.Point)
	require.NoError(t, err)
	assert.Equal(t, ref, hit)
	assert.True(t, a.Covered.IsZero())
}

func hits(t *testing.T, open Open) {
	p := open(t, `<style>body{margin:0}</style><div id=d style="position:absolute;left:0;top:0;width:100px;height:100px"><button id=b style="position:absolute;left:10px;top:10px;width:50px;height:20px">B</button></div>`)
	for at, id := range map[dom.Point]string{{X: 30, Y: 20}: "b", {X: 80, Y: 80}: "d"} {
		hit, err := p.HitTest(t.Context(), at)
		require.NoError(t, err)
		assert.Equal(t, Find(t, p, id), hit, id)
	}
	hit, err := p.HitTest(t.Context(), dom.Point{X: 5000, Y: 5000})
	require.NoError(t, err)
	assert.True(t, hit.IsZero())
}

func scrolls(t *testing.T, open Open) {
	p := open(t, `<style>body{margin:0;height:3000px}</style><div id=box style="width:200px;height:100px;overflow:auto"><div style="height:150px">x</div></div>`)
	ctx, box := t.Context(), Find(t, p, "box")
	moved, err := p.Scroll(ctx, dom.Ref{}, 0, 300)
	require.NoError(t, err)
	assert.True(t, moved)
	i, err := p.Info(ctx)
	require.NoError(t, err)
	assert.Equal(t, 300.0, i.Viewport.Y)
	moved, err = p.Scroll(ctx, box, 0, 20)
	require.NoError(t, err)
	assert.True(t, moved)
	moved, err = p.Scroll(ctx, dom.Ref{}, 400, 0)
	require.NoError(t, err)
	assert.False(t, moved, "nothing to the right")
}

func frames(t *testing.T, open Open) {
	p := open(t, `<style>body{margin:0}</style><iframe id=f title=Inner style="position:absolute;left:200px;top:100px;width:300px;height:200px;border:5px solid;padding:7px"
		srcdoc="<style>body{margin:0}</style><button id=b style='position:absolute;left:20px;top:30px;width:80px;height:30px'>B</button><input id=i>"></iframe>`)
	n := node(t, p, "b")
	assert.NotZero(t, n.Ref.Frame)
	want := dom.Rect{X: 232, Y: 142, W: 80, H: 30}
	assert.Equal(t, want, n.Box)
	assert.Contains(t, n.FramePath(), "Inner")
	a, err := p.Aim(t.Context(), n.Ref)
	require.NoError(t, err)
	assert.Equal(t, want, a.Box)
	hit, err := p.HitTest(t.Context(), a.Point)
	require.NoError(t, err)
	assert.Equal(t, n.Ref, hit)
	require.NoError(t, p.Click(t.Context(), n.Ref, locate.ClickOptions{}))
	i := Find(t, p, "i")
	require.NoError(t, p.Fill(t.Context(), i, "in the frame"))
	assert.Equal(t, "in the frame", value(t, p, i))
}
