package locate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/browser"
	"harness/locate"
	"harness/vision"
)

// seer is a model that sees one thing: where the screenshot is magenta. It
// answers with the middle of that.
type seer struct {
	asked  []vision.Request
	before func(n int)                                                        // called before the n-th answer, from 1
	answer func(n int, found vision.Point, err error) (*vision.Answer, error) // nil: what was found
}

func (s *seer) Name() string { return "seer" }

func (s *seer) Locate(_ context.Context, r vision.Request) (*vision.Answer, error) {
	s.asked = append(s.asked, r)
	p, err := magenta(r.Shot.PNG)
	if s.before != nil {
		s.before(len(s.asked))
	}
	if s.answer != nil {
		return s.answer(len(s.asked), p, err)
	}
	if err != nil {
		return nil, err
	}
	return &vision.Answer{Point: p, Model: s.Name()}, nil
}

// magenta is the middle of the magenta px.
func magenta(data []byte) (vision.Point, error) {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return vision.Point{}, err
	}
	var sum vision.Point
	n := 0.0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 > 250 && g>>8 < 5 && b>>8 > 250 {
				sum.X, sum.Y, n = sum.X+float64(x)+.5, sum.Y+float64(y)+.5, n+1
			}
		}
	}
	if n == 0 {
		return sum, fmt.Errorf("%w: nothing is magenta", vision.ErrAbsent)
	}
	return vision.Point{X: sum.X / n, Y: sum.Y / n}, nil
}

// see gives the bench an actor with the model.
func (b *bench) see(m vision.Model, timeout time.Duration) *bench {
	b.Actor = locate.New(b.page, locate.Options{Timeout: timeout, Vision: m})
	return b
}

// shows reports whether anything magenta is in sight.
func (b *bench) shows() bool {
	shot, err := b.page.Shot(b.t.Context())
	if err != nil {
		return false
	}
	_, err = magenta(shot.PNG)
	return err == nil
}

// painting draws a magenta dot of 12 CSS px at 240,150 of a canvas. A press on
// it is kept in the top window's hit and makes the dot green.
const painting = `<canvas id=c width=300 height=200 style="display:block"></canvas><script>
const x = c.getContext('2d');
function paint(color) { x.fillStyle = '#eee'; x.fillRect(0, 0, 300, 200); x.fillStyle = color; x.fillRect(234, 144, 12, 12); }
paint('#f0f');
c.addEventListener('click', e => { const m = e.offsetX + ',' + e.offsetY; parent.postMessage(m, '*'); paint('#0a0'); });
</script>`

const listen = `<body style="margin:0"><script>window.hit = ''; addEventListener('message', e => { window.hit = e.data })</script>`

func TestVisionPressesWhatItSees(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		for _, tc := range []struct {
			name  string
			world world
			after string
		}{
			{"plain", world{"https://a.test/": listen + `<div style="padding:33px 0 0 71px">` + painting}, ""},
			{"scrolled", world{"https://a.test/": listen + `<div style="padding:933px 0 2000px 71px">` + painting}, "scrollTo(0, 803.5)"},
			{"in a frame", world{"https://a.test/": listen + `<div style="padding:733px 0 2000px 71px"><iframe src="https://b.test/" width=500 height=300 style="border:7px solid"></iframe>`,
				"https://b.test/": `<body style="margin:0"><div style="padding:411px 0 900px 27px">` + painting + `<script>scrollTo(0, 390)</script>`}, "scrollTo(0, 650)"},
		} {
			t.Run(fmt.Sprintf("%s at %g", tc.name, scale), func(t *testing.T) {
				b := openWorld(t, tc.world, browser.ContextOptions{Scale: scale}).see(&seer{}, 5*time.Second)
				if tc.after != "" {
					b.eval(tc.after)
				}
				require.Eventually(t, func() bool { return b.shows() }, 10*time.Second, 50*time.Millisecond, "a frame of another origin is painted late")
				r, err := b.VisionClick(t.Context(), "the magenta dot", locate.ClickOptions{}, locate.How{Effect: true})
				require.NoError(t, err)
				var x, y float64
				_, err = fmt.Sscanf(b.eval("hit"), "%g,%g", &x, &y)
				require.NoError(t, err, b.eval("hit"))
				assert.InDelta(t, 240, x, 1)
				assert.InDelta(t, 150, y, 1)
				assert.Equal(t, locate.Vision, r.Layer)
				assert.Equal(t, "the picture changed", r.Effect)
				assert.Empty(t, r.Stable)
			})
		}
	}
}

func TestVisionSeesWhetherAPaintingAnswers(t *testing.T) {
	const dot = `<body style="margin:0"><canvas id=c width=300 height=200></canvas><script>const x=c.getContext('2d');x.fillStyle='#f0f';x.fillRect(100,100,12,12);`
	for _, tc := range []struct{ name, script, warning string }{
		{"no answer", ``, "no visible effect"},
		{"it moves by itself", `let n=0;setInterval(()=>{x.fillStyle='hsl('+(n+=40)+',80%,50%)';x.fillRect(10,10,40,40)},30)`, "no visible effect"},
		{"it answers the mouse, not the press", `c.onmousemove=()=>{x.fillStyle='#00f';x.fillRect(150,90,40,40)}`, "no visible effect"},
		{"a late answer", `c.onclick=()=>setTimeout(()=>{x.fillStyle='#00f';x.fillRect(150,90,8,8)},250)`, ""},
		{"an answer among what moves by itself", `let n=0;setInterval(()=>{x.fillStyle='hsl('+(n+=40)+',80%,50%)';x.fillRect(10,10,40,40)},30);c.onclick=()=>{x.fillStyle='#00f';x.fillRect(150,90,8,8)}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := open(t, dot+tc.script+`</script>`).see(&seer{}, 5*time.Second)
			r, err := b.VisionClick(t.Context(), "dot", locate.ClickOptions{}, locate.How{})
			require.NoError(t, err)
			assert.Equal(t, tc.warning, r.Warning, r.Effect)
			_, err = b.VisionClick(t.Context(), "dot", locate.ClickOptions{}, locate.How{Effect: true})
			if tc.warning != "" {
				assert.Equal(t, "no_effect", locate.Kind(err), "%v", err)
			}
		})
	}
}

func TestVisionRefusals(t *testing.T) {
	outside := func(x, y float64) func(int, vision.Point, error) (*vision.Answer, error) {
		return func(int, vision.Point, error) (*vision.Answer, error) {
			return &vision.Answer{Model: "seer", Point: vision.Point{X: x, Y: y}}, nil
		}
	}
	for _, tc := range []struct {
		name, kind, says string
		answer           func(int, vision.Point, error) (*vision.Answer, error)
	}{
		{"absent", "not_found", "nothing is magenta", nil},
		{"right of the image", "reply", "outside the screenshot of 1280x", outside(1280, 3)},
		{"above the image", "reply", "outside the screenshot", outside(3, -1)},
		{"unreadable", "reply", "no coordinates", func(int, vision.Point, error) (*vision.Answer, error) {
			return nil, fmt.Errorf("model: %w", &vision.ReplyError{Raw: "hm", Reason: "no coordinates"})
		}},
		{"the endpoint is down", "error", "connection refused", func(int, vision.Point, error) (*vision.Answer, error) {
			return nil, errors.New("connection refused")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := open(t, log+`<canvas data-log=c width=300 height=200></canvas>`).see(&seer{answer: tc.answer}, 2*time.Second)
			for verb, act := range map[string]func() (*locate.Resolution, error){
				"vision_click": func() (*locate.Resolution, error) {
					return b.VisionClick(t.Context(), "Delete button", locate.ClickOptions{}, locate.How{})
				},
				"click": func() (*locate.Resolution, error) {
					return b.Click(t.Context(), locate.Words("Delete button"), locate.ClickOptions{}, locate.How{})
				},
			} {
				r, err := act()
				require.Error(t, err, verb)
				assert.Equal(t, tc.kind, locate.Kind(err), "%s: %v", verb, err)
				require.NotEmpty(t, r.Attempts, verb)
				last := r.Attempts[len(r.Attempts)-1]
				assert.Equal(t, locate.Vision, last.Layer, verb)
				if verb == "click" && tc.kind == "not_found" {
					assert.ErrorContains(t, err, "vision: not seen on the screenshot")
				}
				if tc.kind != "not_found" {
					assert.ErrorContains(t, err, tc.says, verb)
				}
			}
			assert.Empty(t, b.eval("window.log"))
		})
	}
}

func TestVisionComparesWordsWithWhatLiesThere(t *testing.T) {
	const m = ` data-log=x style="background:#f0f;padding:20px"`
	for _, tc := range []struct{ name, html, words, says string }{
		{"another link", `<a href=#` + m + `>Help</a>`, "Confirm button", `link "Help"`},
		{"a field for a button", `<input aria-label=Confirm` + m + `>`, "Confirm button", "is no button"},
		{"the other way", `<button` + m + `>Previous month</button>`, "next month arrow", `no matching element`},
		{"one word of two", `<button` + m + `>Delete account</button>`, "Confirm account button", `is called "Delete account"`},
		{"another day", `<button` + m + `>29</button>`, "30 January", "is the day 29"},
		{"in Chinese", `<button` + m + `>取消</button>`, "确定按钮", `is called "取消"`},
		{"the bare page", `<style>html{background:#f0f}</style>`, "Confirm button", "is the bare page"},
		{"the name", `<button` + m + `>Confirm</button>`, "Confirm button", ""},
		{"a part of the button", `<button` + m + `><span style="background:#f0f">Confirm</span></button>`, "Confirm", ""},
		{"a longer name", `<button` + m + `>Confirm booking</button>`, "the blue Confirm button", ""},
		{"an icon is described", `<button aria-label=Search` + m + `></button>`, "magnifier icon", ""},
		{"another script", `<button` + m + `>确定</button>`, "Confirm button", ""},
		{"no name at all", `<div tabindex=0` + m + `></div>`, "Confirm button", ""},
		{"the day", `<button` + m + `>30</button>`, "30 January", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := open(t, log+tc.html).see(&seer{}, 5*time.Second)
			r, err := b.VisionClick(t.Context(), tc.words, locate.ClickOptions{}, locate.How{})
			if tc.says == "" {
				require.NoError(t, err)
				assert.Equal(t, "x", b.eval("window.log"))
				return
			}
			assert.Equal(t, "not_found", locate.Kind(err), "%v", err)
			assert.ErrorContains(t, err, tc.says)
			assert.ErrorContains(t, err, tc.words)
			assert.Empty(t, b.eval("window.log"))
			var c *locate.ContradictionError
			require.ErrorAs(t, err, &c)
			assert.NotEmpty(t, r.Attempts[0].Candidates[0].Refused)
		})
	}
}

func TestVisionSaysAtOnceWhatContradicts(t *testing.T) {
	b := open(t, log+`<a href=# data-log=x style="background:#f0f">Help</a>`).see(&seer{}, 20*time.Second)
	began := time.Now()
	err := b.click("Confirm button")
	assert.Less(t, time.Since(began), 10*time.Second)
	assert.ErrorContains(t, err, `link "Help"`)
}

func TestVisionNamesAStableLocator(t *testing.T) {
	for _, tc := range []struct{ html, want string }{
		{`<button style="background:#f0f">Order now</button>`, `getByRole("button", { name: "Order now", exact: true })`},
		{`<button style="background:#f0f">Order now</button><button>Order now</button>`, ``},
		{`<div tabindex=0 data-testid=order style="background:#f0f;height:20px"></div>`, `getByTestId("order")`},
	} {
		b := open(t, `<title>-</title>`+tc.html).see(&seer{}, 5*time.Second)
		r, err := b.VisionClick(t.Context(), "the magenta button", locate.ClickOptions{}, locate.How{})
		require.NoError(t, err)
		assert.Equal(t, tc.want, r.Stable, tc.html)
	}
}

func TestVisionDisabled(t *testing.T) {
	b := open(t, `<button disabled style="background:#f0f">Confirm</button>`).see(&seer{}, 5*time.Second)
	_, err := b.VisionClick(t.Context(), "Confirm", locate.ClickOptions{}, locate.How{})
	assert.Equal(t, "disabled", locate.Kind(err), "%v", err)
}

func TestVisionShootsAgainWhereThePageMoved(t *testing.T) {
	const page = log + `<body style="margin:0;height:3000px"><div id=banner></div><button data-log=x style="background:#f0f;position:relative;margin:300px;width:60px;height:30px"> </button>`
	for _, tc := range []struct{ name, move, kind string }{
		{"a banner", "if (n < 2) banner.style.height = '90px'", ""},
		{"scrolled", "if (n < 2) scrollTo(0, 120)", ""},
		{"for ever", "scrollTo(0, 50 * n)", "stale"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := open(t, page)
			m := &seer{before: func(n int) {
				b.eval(fmt.Sprintf("{const n = %d, banner = document.getElementById('banner'); %s; 1}", n, tc.move))
			}}
			r, err := b.see(m, 5*time.Second).VisionClick(t.Context(), "the magenta button", locate.ClickOptions{}, locate.How{})
			assert.Equal(t, tc.kind, locate.Kind(err), "%v", err)
			assert.Equal(t, "the page moved meanwhile", r.Attempts[0].Outcome)
			if tc.kind == "" {
				assert.Equal(t, "x", b.eval("window.log"))
				assert.Len(t, m.asked, 2)
				return
			}
			assert.Empty(t, b.eval("window.log"))
			assert.Len(t, m.asked, 3)
		})
	}
}

func TestVisionTakesNoTimeOfTheAct(t *testing.T) {
	b := open(t, log+`<button data-log=x style="background:#f0f">Confirm</button>`)
	b.see(&seer{before: func(int) { time.Sleep(3500 * time.Millisecond) }}, 3*time.Second)
	_, err := b.VisionClick(t.Context(), "Confirm", locate.ClickOptions{}, locate.How{})
	require.NoError(t, err)
	assert.Equal(t, "x", b.eval("window.log"))
}

func TestVisionTypesIntoWhatItSees(t *testing.T) {
	b := open(t, `<input id=i style="background:#f0f;border:0">`).see(&seer{}, 5*time.Second)
	r, err := b.VisionType(t.Context(), "the magenta field", locate.TypeOptions{Text: "Ann"}, locate.How{})
	require.NoError(t, err)
	assert.Equal(t, "Ann", r.Value)
	b = open(t, `<button style="background:#f0f">Name</button>`).see(&seer{}, 5*time.Second)
	_, err = b.VisionType(t.Context(), "Name field", locate.TypeOptions{Text: "Ann"}, locate.How{})
	assert.ErrorContains(t, err, "takes no text")
}

// year is a painted calendar: the page's month in the top left corner, a day cell
// per press elsewhere. The reader below knows where what is.
const year = `<body style="margin:0"><canvas id=c width=400 height=300></canvas><script>
window.month = 0; window.day = ''; window.presses = 0;
const x = c.getContext('2d'), dead = %v;
function paint() { x.fillStyle = '#fff'; x.fillRect(0, 0, 400, 300); x.fillStyle = 'hsl(' + 30 * month + ',90%%,40%%)'; x.fillRect(0, 0, 40 + 5 * month, 40);
  if (day) { x.fillStyle = '#333'; x.fillRect(200, 150, 30, 30); } }
c.onclick = e => { presses++; if (e.offsetX > 300 && !dead) month++; else if (e.offsetX < 300 && month <= 2) day = '2026-0' + (month + 1); paint(); };
paint();</script>`

func TestPickInAPaintedCalendar(t *testing.T) {
	for _, tc := range []struct{ name, date, month, dead, day, kind, says string }{
		{"two months on", "2026-03-14", "2", "false", "2026-03", "", ""},
		{"a day that does not answer", "2026-04-14", "3", "false", "", "date_unavailable", "changed nothing"},
		{"an arrow that does not answer", "2026-03-14", "2", "true", "", "date_unavailable", "changed nothing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := openWorld(t, world{"https://a.test/": fmt.Sprintf(year, tc.dead)}, browser.ContextOptions{Clock: time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC), Timezone: "UTC"})
			r, err := b.see(readYear(b, tc.month), 5*time.Second).Pick(t.Context(), nil, locate.When{Date: tc.date}, locate.How{})
			assert.Equal(t, tc.kind, locate.Kind(err), "%v", err)
			assert.Equal(t, tc.day, b.eval("day"))
			if tc.says != "" {
				assert.ErrorContains(t, err, tc.says)
				return
			}
			assert.Equal(t, locate.Vision, r.Layer)
			assert.Equal(t, "3", b.eval("presses"), r.Acts)
			assert.NotEmpty(t, r.Warning, "what was chosen cannot be read back")
		})
	}
}

// reader is a model that answers by the words: a point of the screenshot, or
// that there is no such thing.
type reader func(words string) (vision.Point, bool)

func (reader) Name() string { return "reader" }

func (see reader) Locate(_ context.Context, r vision.Request) (*vision.Answer, error) {
	p, ok := see(r.Words)
	if !ok {
		return nil, fmt.Errorf("%w: %s", vision.ErrAbsent, r.Words)
	}
	return &vision.Answer{Point: p, Model: "reader"}, nil
}

// readYear sees the day in its month alone, and the arrow always.
func readYear(b *bench, month string) reader {
	return func(words string) (vision.Point, bool) {
		if !strings.HasPrefix(words, "day ") {
			return vision.Point{X: 350, Y: 100}, true
		}
		return vision.Point{X: 100, Y: 200}, b.eval("month") == month
	}
}

func TestPickTurnsAPaintedCalendarSoFarAndNoFurther(t *testing.T) {
	b := openWorld(t, world{"https://a.test/": fmt.Sprintf(year, "false")}, browser.ContextOptions{Clock: time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC), Timezone: "UTC"})
	_, err := b.see(readYear(b, "never"), 20*time.Second).Pick(t.Context(), nil, locate.When{Date: "2026-02-14"}, locate.How{})
	assert.Equal(t, "date_unavailable", locate.Kind(err), "%v", err)
	assert.Equal(t, "4", b.eval("presses"), "a month to go and three to spare")
}
