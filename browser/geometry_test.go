package browser

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

// nest is a page that holds a frame of another origin that holds a third, at
// offsets, with borders, scrolled.
func nest() pages {
	return pages{
		home:              `<style>body{margin:0;height:3000px}</style><iframe id=f1 src="https://b.test/" style="position:absolute;left:100px;top:900px;width:600px;height:500px;border:10px solid;padding:5px"></iframe>`,
		"https://b.test/": `<style>body{margin:0;height:1500px}</style><iframe id=f2 src="https://c.test/" style="position:absolute;left:50px;top:600px;width:400px;height:300px;border:3px solid"></iframe>`,
		"https://c.test/": `<style>body{margin:0;height:900px}</style><button id=deep style="position:absolute;left:30px;top:500px;width:90px;height:40px" onclick="this.textContent='hit'">deep</button>
			<div id=host></div><script>const r=host.attachShadow({mode:'closed'});r.innerHTML='<button id=shut style="position:absolute;left:150px;top:520px" onclick="this.textContent=\'hit\'">shut</button>'</script>`,
	}
}

func TestPointsThroughFramesOfThreeOrigins(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			p := openIn(t, ContextOptions{Handler: nest(), Scale: scale})
			for _, id := range []string{"deep", "shut"} {
				ref := refOf(t, p, id)
				a, err := p.Aim(t.Context(), ref)
				require.NoError(t, err)
				assert.True(t, a.Covered.IsZero(), "%s is covered by %v", id, a.Covered)
				hit, err := p.HitTest(t.Context(), a.Point)
				require.NoError(t, err)
				assert.Equal(t, ref, hit, id)
				s, err := p.Snapshot(t.Context(), dom.Query{})
				require.NoError(t, err)
				box := s.ByRef(ref).Box
				assert.InDelta(t, a.Box.X, box.X, 0.05)
				assert.InDelta(t, a.Box.Y, box.Y, 0.05)
				require.NoError(t, p.ClickAt(t.Context(), a.Point, locate.ClickOptions{}))
				st, err := p.Read(t.Context(), ref)
				require.NoError(t, err)
				assert.Equal(t, "hit", st.Text, id)
			}
		})
	}
}

func TestClickThroughFramesAndClosedRoots(t *testing.T) {
	p := openIn(t, ContextOptions{Handler: nest()})
	for _, id := range []string{"deep", "shut"} {
		ref := refOf(t, p, id)
		require.NoError(t, p.Click(t.Context(), ref, locate.ClickOptions{}))
		st, err := p.Read(t.Context(), ref)
		require.NoError(t, err)
		assert.Equal(t, "hit", st.Text, id)
	}
}

func TestScaledFrame(t *testing.T) {
	p := open(t, `<style>body{margin:0}</style><div style="transform:scale(0.5);transform-origin:0 0;width:800px"><iframe id=f style="position:absolute;left:100px;top:80px;width:400px;height:300px;border:4px solid"
		srcdoc="<style>body{margin:0}</style><button id=b style='position:absolute;left:200px;top:200px;width:60px;height:40px'>b</button>"></iframe></div>`)
	ref := refOf(t, p, "b")
	want := dom.Rect{X: 52 + 100, Y: 42 + 100, W: 30, H: 20}
	a, err := p.Aim(t.Context(), ref)
	require.NoError(t, err)
	assert.Equal(t, want, a.Box)
	hit, err := p.HitTest(t.Context(), a.Point)
	require.NoError(t, err)
	assert.Equal(t, ref, hit)
	s, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	assert.Equal(t, want, s.ByRef(ref).Box)
	require.NoError(t, p.Click(t.Context(), ref, locate.ClickOptions{}))
}

func TestTurnedFrameIsRefused(t *testing.T) {
	p := open(t, `<iframe style="transform:rotate(20deg)" srcdoc="<button id=b>b</button>"></iframe>`)
	_, err := p.Aim(t.Context(), refOf(t, p, "b"))
	assert.ErrorIs(t, err, locate.ErrNotActionable)
	assert.ErrorContains(t, err, "rotated")
}

func TestShotShowsWhatThePageShows(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			p := openIn(t, ContextOptions{Scale: scale, Width: 801, Height: 601, Handler: pages{home: `<body style="margin:0;height:3000px"><div style="position:absolute;left:100px;top:1100px;width:60px;height:60px;background:rgb(255,0,0)"></div><script>scrollTo(0,1000);window.resized=0;addEventListener('resize',()=>resized++)</script>`}})
			s, err := p.Shot(t.Context())
			require.NoError(t, err)
			img, err := png.Decode(bytes.NewReader(s.PNG))
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprintf(`[0,%g,801,601]`, scale), eval(t, p, `[resized, devicePixelRatio, innerWidth, innerHeight]`), "the page notices")
			assert.InDelta(t, scale, s.Scale, 0.002)
			for _, c := range []struct {
				x, y float64
				red  bool
			}{{130, 130, true}, {104, 104, true}, {95, 130, false}, {165, 130, false}, {130, 165, false}} {
				r, g, b, _ := color.NRGBAModel.Convert(img.At(int(c.x*s.Scale), int(c.y*s.Scale))).RGBA()
				assert.Equal(t, c.red, r>>8 > 200 && g>>8 < 50 && b>>8 < 50, "%v", c)
			}
		})
	}
}

func TestStickyHeaderIsScrolledAround(t *testing.T) {
	p := open(t, `<style>body{margin:0}</style><div style="height:300px;overflow:auto"><div style="position:sticky;top:0;height:80px;background:#ccc">head</div>`+
		`<div style="height:600px">x</div><button id=b onclick="this.textContent='hit'">b</button><div style="height:600px">x</div></div>
		<script>document.querySelector('div').scrollTop=590</script>`)
	ref := refOf(t, p, "b")
	a, err := p.Aim(t.Context(), ref)
	require.NoError(t, err)
	assert.True(t, a.Covered.IsZero())
	require.NoError(t, p.Click(t.Context(), ref, locate.ClickOptions{}))
	st, err := p.Read(t.Context(), ref)
	require.NoError(t, err)
	assert.Equal(t, "hit", st.Text)
}

func TestAimWaitsForRest(t *testing.T) {
	p := open(t, `<style>body{margin:0}@keyframes k{from{left:0}to{left:600px}}#b{position:absolute;top:50px;left:600px;animation:k .6s linear}</style><button id=b>b</button>`)
	a, err := p.Aim(t.Context(), refOf(t, p, "b"))
	require.NoError(t, err)
	assert.Equal(t, 600.0, a.Box.X)
	assert.True(t, a.Rest)
}

func TestCoverInTheParentIsNamed(t *testing.T) {
	p := open(t, `<style>body{margin:0}</style><iframe style="width:300px;height:200px" srcdoc="<button id=b>b</button>"></iframe><div id=over style="position:fixed;inset:0;background:#eee"></div>`)
	a, err := p.Aim(t.Context(), refOf(t, p, "b"))
	require.NoError(t, err)
	assert.Equal(t, refOf(t, p, "over"), a.Covered)
}

func TestLabelCountsAsItsControl(t *testing.T) {
	p := open(t, `<label id=l style="position:relative;display:inline-block;width:200px;height:40px"><input id=c type=checkbox style="position:absolute;left:10px;top:10px"><span style="position:absolute;inset:0;background:#ddd">styled <a href="#followed">terms</a></span></label>`)
	a, err := p.Aim(t.Context(), refOf(t, p, "c"))
	require.NoError(t, err)
	assert.True(t, a.Covered.IsZero())
	require.NoError(t, p.SetChecked(t.Context(), refOf(t, p, "c"), true))
	assert.Equal(t, `[true,""]`, eval(t, p, `[c.checked, location.hash]`))
}

func TestShotOfAPopupHasItsSize(t *testing.T) {
	c := testContext(t, ContextOptions{Scale: 2, Handler: pages{home: "x", "https://a.test/pop": "pop"}})
	s, err := c.Session(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Goto(t.Context(), home))
	eval(t, s.Page(), `void window.open('/pop','','width=400,height=300')`)
	require.Eventually(t, func() bool { return s.SwitchTab(t.Context(), "/pop") == nil }, 10*time.Second, 20*time.Millisecond)
	shot, err := s.Shot(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int{800, 600}, []int{shot.Width, shot.Height})
	assert.Equal(t, `[400,300]`, eval(t, s.Page(), `[innerWidth,innerHeight]`))
}
