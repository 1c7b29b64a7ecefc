package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

const savedPage = `<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Saved & sound</title>
<style>body{font:14px sans-serif} .hand{cursor:pointer} .gone{display:none} .q::after{content:"?"}</style>
<link rel=stylesheet href=/s.css><meta http-equiv=Content-Security-Policy content="img-src 'self' data:">
<script>window.ran = 1</script><script src=/x.js></script></head><body>
<h1 onclick="x()">A &lt;b&gt; &amp; "c"</h1>
<label>Name <input id=name></label><input type=password id=pw value=old><input type=checkbox id=c checked><input type=radio name=r id=r1><input type=radio name=r id=r2>
<select id=s><option>one<option>two<option>three</select><textarea id=ta>
old</textarea><input id=ro readonly value="2026-01-30"><button disabled id=off>Off</button>
<div class=hand id=hand>Go</div><div class="hand q" id=q>Why</div><div class=gone id=gone>gone</div><a href="javascript:alert(1)" id=js>js</a>
<p id=blue class=blue>blue</p><canvas id=cv width=40 height=30></canvas><details><summary>more</summary>inside</details>
<img id=img alt=dot src="/dot.svg" width=10 height=10>
<my-box id=host><span slot=s>slotted</span></my-box>
<iframe id=fr title=Picker style="border:3px solid;padding:4px;margin-left:30px" src="https://b.test/frame.html"></iframe>
<script>
  customElements.define('my-box', class extends HTMLElement { connectedCallback() {
    const r = this.attachShadow({mode: 'closed'}); r.innerHTML = '<style>b{color:red}</style><b id=in>shadow</b><slot name=s></slot>';
    const sheet = new CSSStyleSheet(); sheet.replaceSync('b{letter-spacing:3px}'); r.adoptedStyleSheets = [sheet]; } });
  cv.getContext('2d').fillStyle = 'rgb(1,200,3)'; cv.getContext('2d').fillRect(0, 0, 40, 30);
  document.getElementById('name').value = 'typed "live" <v>'; pw.value = 'hunter2'; c.checked = false; r2.checked = true; s.selectedIndex = 2; ta.value = '\nnew <text>';
  q.addEventListener('click', () => {});
  const css = document.createElement('style'); document.head.append(css); css.sheet.insertRule('#blue{font-weight:700}');
</script></body></html>`

func savedWorld() http.Handler {
	world := pages{
		home:                        savedPage,
		"https://a.test/s.css":      `.blue{color:rgb(0,0,255);background:url("x/y.png")}`,
		"https://b.test/frame.html": `<!DOCTYPE html><p id=inframe style="cursor:pointer">In the frame</p><iframe srcdoc="<button id=deep>Deep & down</button>"></iframe>`,
		"https://a.test/x.js":       `window.ran = 2`,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/dot.svg" {
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><circle cx="5" cy="5" r="5" fill="red"/></svg>`))
			return
		}
		world.ServeHTTP(w, r)
	})
}

// keptOf is what must be the same of a node of the live page and of the saved one.
func keptOf(n *dom.Node) string {
	s := fmt.Sprintf("%s facts=%b value=%q before=%q after=%q text=%q name=%q", n.Tag, n.Facts, n.Value, n.Before, n.After, dom.Squash(n.Text), n.Name())
	for _, a := range []string{"id", "class", "type", "placeholder", "role", "aria-label", "title", "slot", "for", "name"} {
		if v := n.Attr(a); v != "" {
			s += " " + a + "=" + v
		}
	}
	return s
}

func sameSnapshot(t *testing.T, live, saved *dom.Snapshot) {
	t.Helper()
	require.Equal(t, len(live.Nodes), len(saved.Nodes))
	assert.Equal(t, live.URL, saved.URL)
	assert.Equal(t, live.Title, saved.Title)
	assert.Equal(t, live.Viewport, saved.Viewport)
	assert.Equal(t, live.Scale, saved.Scale)
	require.Equal(t, len(live.Frames), len(saved.Frames))
	for i := range live.Nodes {
		a, b := live.Nodes[i], saved.Nodes[i]
		if a.IsElement() {
			assert.Equal(t, keptOf(a), keptOf(b), "node %d", i)
			for _, d := range []float64{a.Box.X - b.Box.X, a.Box.Y - b.Box.Y, a.Box.W - b.Box.W, a.Box.H - b.Box.H} {
				assert.Less(t, math.Abs(d), 0.02, "box of node %d <%s>: %v and %v", i, a.Tag, a.Box, b.Box)
			}
			av, aw := a.Visible()
			bv, bw := b.Visible()
			assert.Equal(t, fmt.Sprint(av, aw), fmt.Sprint(bv, bw), "node %d <%s>", i, a.Tag)
		} else {
			assert.Equal(t, a.Tag+dom.Squash(a.Text), b.Tag+dom.Squash(b.Text), "node %d", i)
		}
	}
}

func saveOf(t *testing.T, p *Page) (string, *dom.Snapshot) {
	t.Helper()
	html, err := p.HTML(t.Context())
	require.NoError(t, err)
	s, err := dom.ParseHTML(strings.NewReader(html))
	require.NoError(t, err)
	return html, s
}

func TestSavedPageGivesTheSnapshotBack(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			p := openIn(t, ContextOptions{Handler: savedWorld(), Scale: scale, Height: 500})
			_, err := p.Eval(t.Context(), "scrollTo(0, 40)")
			require.NoError(t, err)
			live, err := p.Snapshot(t.Context(), dom.Query{})
			require.NoError(t, err)
			require.Len(t, live.Frames, 3)
			_, saved := saveOf(t, p)
			sameSnapshot(t, live, saved)
		})
	}
}

func TestSavedPageOpensOfflineAndLooksTheSame(t *testing.T) {
	p := openIn(t, ContextOptions{Handler: savedWorld()})
	html, _ := saveOf(t, p)
	assert.NotContains(t, html, "window.ran")
	assert.NotContains(t, html, "hunter2")
	assert.NotContains(t, html, "onclick")
	assert.NotContains(t, html, "alert(1)")
	q := openIn(t, ContextOptions{Handler: pages{home: html}})
	assert.Equal(t, "null", eval(t, q, "window.ran"))
	assert.Equal(t, `"rgb(0, 0, 255) 700"`, eval(t, q, "getComputedStyle(blue).color + ' ' + getComputedStyle(blue).fontWeight"))
	assert.Equal(t, `"typed \"live\" \u003cv\u003e"`, strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(eval(t, q, "document.getElementById('name').value")))
	assert.Equal(t, `[false,true,"three","\nnew \u003ctext\u003e"]`, strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(eval(t, q, "[c.checked, r2.checked, s.value, ta.value]")))
	for _, r := range q.c.Refused() { // pictures of style sheets stay addresses; the browser has wishes of its own
		for _, held := range []string{"dot.svg", ".js", ".css", "frame.html"} {
			assert.NotContains(t, r.URL, held, "the saved page holds it: %s", r)
		}
	}
	before, err := p.Shot(t.Context())
	require.NoError(t, err)
	after, err := q.Shot(t.Context())
	require.NoError(t, err)
	assert.Less(t, difference(t, before, after), 0.002, "part of the picture that differs")
	if dir := os.Getenv("HARNESS_KEEP"); dir != "" { // to look at
		require.NoError(t, os.WriteFile(filepath.Join(dir, "live.png"), before.PNG, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "saved.png"), after.PNG, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "saved.html"), []byte(html), 0o644))
	}
}

// difference is the part of the pixels that differ clearly.
func difference(t *testing.T, a, b *dom.Shot) float64 {
	t.Helper()
	x, y := decode(t, a), decode(t, b)
	require.Equal(t, x.Bounds(), y.Bounds())
	n, r := 0, x.Bounds()
	for py := r.Min.Y; py < r.Max.Y; py++ {
		for px := r.Min.X; px < r.Max.X; px++ {
			r1, g1, b1, _ := x.At(px, py).RGBA()
			r2, g2, b2, _ := y.At(px, py).RGBA()
			if math.Abs(float64(r1)-float64(r2))+math.Abs(float64(g1)-float64(g2))+math.Abs(float64(b1)-float64(b2)) > 0x3000 {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

func TestSecretsAreMaskedInSavedPages(t *testing.T) {
	page := `<p id=p>Your key is sk-123<b>4</b> and sk-1234!</p><input id=a value="x sk-1234"><input id=otp autocomplete=one-time-code value=998877>
	<input autocomplete="section-a cc-number" value=4111111111111111><input type=text autocomplete=current-password value=shownpw>
	<textarea>sk-1234</textarea><a id=l href="/?k=sk-1234" title="sk-1234">x</a><iframe srcdoc="<p>sk-1234</p><input value='sk-1234'>"></iframe>`
	p := openIn(t, ContextOptions{Handler: pages{home: page}, Secrets: []string{"sk-1234"}})
	html, s := saveOf(t, p)
	for _, bad := range []string{"sk-1234", "998877", "4111", "shownpw"} {
		assert.NotContains(t, html, bad)
	}
	assert.GreaterOrEqual(t, strings.Count(html, "data-harness-masked="), 8)
	live, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	assert.Equal(t, len(live.Nodes), len(s.Nodes))
}

// To save a page costs little more than to read it: the budget is 40 ms for an
// ordinary page, but the clock of a busy machine says little, so the reading of
// the same page is the measure.
func TestSaveIsFast(t *testing.T) {
	p := open(t, `<table>`+strings.Repeat(`<tr><td><a href=/x>Row</a><td><button>Edit</button><td><input value=1></tr>`, 150)+`</table>`)
	best := func(f func() error) time.Duration {
		least := time.Hour
		for range 10 {
			start := time.Now()
			require.NoError(t, f())
			least = min(least, time.Since(start))
		}
		return least
	}
	save := best(func() error { _, err := p.HTML(t.Context()); return err })
	read := best(func() error { _, err := p.Snapshot(t.Context(), dom.Query{}); return err })
	t.Logf("save %v, read %v", save, read)
	assert.Less(t, save, 3*read+10*time.Millisecond)
}

func decode(t *testing.T, s *dom.Shot) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(s.PNG))
	require.NoError(t, err)
	return img
}
