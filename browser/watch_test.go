package browser

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

// effectOf clicks and tells the effect.
func effectOf(t *testing.T, p *Page, ref dom.Ref) (string, time.Duration) {
	t.Helper()
	w, err := p.Watch(t.Context(), ref)
	require.NoError(t, err)
	require.NoError(t, p.Click(t.Context(), ref, locate.ClickOptions{}))
	began := time.Now()
	effect, err := w.Effect(t.Context(), 500*time.Millisecond)
	require.NoError(t, err)
	return effect, time.Since(began)
}

func TestEffects(t *testing.T) {
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") })
	for _, tc := range []struct {
		name, html, want string
		after            time.Duration // long enough for what goes on by itself to show
	}{
		{name: "nothing", html: `<button id=b>b</button>`, want: ""},
		{name: "text", html: `<button id=b onclick="o.firstChild.data='new'">b</button><p id=o>old</p>`, want: "text of <p o> changed"},
		{name: "content, late", html: `<button id=b onclick="setTimeout(()=>o.append('x'),200)">b</button><p id=o></p>`, want: "content of <p o> changed"},
		{name: "state", html: `<button id=b aria-expanded=false onclick="this.setAttribute('aria-expanded','true')">b</button>`, want: `aria-expanded of <button b> is now "true"`},
		{name: "focus beyond", html: `<button id=b onclick="i.focus()">b</button><input id=i>`, want: "focus is on <input i>"},
		{name: "own focus", html: `<input id=b>`, want: ""},
		{name: "value by script", html: `<input type=checkbox id=b>`, want: "value of <input b> changed"},
		{name: "hash", html: `<a id=b href="#x">b</a>`, want: "address is now https://a.test/#x"},
		{name: "navigation", html: `<a id=b href="/next">b</a>`, want: "a.test/next"},
		{name: "late navigation", html: `<button id=b onclick="setTimeout(()=>location='/next',200)">b</button>`, want: "a.test/next"},
		{name: "push state", html: `<button id=b onclick="history.pushState(0,'','/p')">b</button>`, want: "address is now https://a.test/p"},
		{name: "request", html: `<button id=b onclick="fetch('/data')">b</button>`, want: "request: GET a.test/data"},
		{name: "scroll", html: `<body style="height:4000px"><button id=b onclick="window.scrollTo(0,500)">b</button>`, want: "scrolled"},
		{name: "open shadow root", html: `<button id=b onclick="h.shadowRoot.firstChild.textContent='new'">b</button><div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>old</p>'</script>`, want: "content of <p> changed"},
		{name: "class", html: `<button id=b onclick="o.className='open'">b</button><p id=o></p>`, want: `class of <p o> is now "open"`},
		{name: "new tab", html: `<a id=b href="/next" target=_blank>b</a>`, want: "a new tab open"},
		{name: "console alone", html: `<button id=b onclick="console.log('x')">b</button>`, want: ""},
		{name: "hover alone", html: `<button id=b onmousemove="o.append('x')">b</button><p id=o></p>`, want: ""},
		{name: "ticker that went on before", html: `<button id=b>b</button><p id=o></p><script>setInterval(()=>o.textContent=Date.now(),60)</script>`, want: "", after: time.Second},
		{name: "beside a ticker", html: `<button id=b onclick="q.textContent='x'">b</button><p id=o></p><p id=q></p><script>setInterval(()=>o.textContent=Date.now(),60)</script>`, want: "content of <p q> changed", after: time.Second},
		{name: "polling that went on before", html: `<button id=b>b</button><script>setInterval(()=>fetch('/poll'),100)</script>`, want: "", after: time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			world := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" {
					pages{home: tc.html}.ServeHTTP(w, r)
					return
				}
				slow.ServeHTTP(w, r)
			})
			t.Parallel()
			p := openIn(t, ContextOptions{Handler: world})
			ref := refOf(t, p, "b")
			time.Sleep(tc.after)
			got, took := effectOf(t, p, ref)
			if tc.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.Contains(t, got, tc.want)
			assert.Less(t, took, 450*time.Millisecond, "waited beyond the first change")
		})
	}
}

func TestEffectsOfQuickActsAreSeen(t *testing.T) {
	p := open(t, `<button id=b onclick="o.textContent=+o.textContent+1">b</button><p id=o>0</p>`)
	ref := refOf(t, p, "b")
	for range 6 {
		got, _ := effectOf(t, p, ref)
		assert.Equal(t, "content of <p o> changed", got, "an act's own change is no noise for the next")
	}
}

func TestEffectInAFrameOfAnotherOrigin(t *testing.T) {
	p := openIn(t, ContextOptions{Handler: pages{home: `<iframe src="https://b.test/"></iframe>`, "https://b.test/": `<button id=b onclick="o.textContent='x'">b</button><p id=o></p>`}})
	got, _ := effectOf(t, p, refOf(t, p, "b"))
	assert.Equal(t, "content of <p o> changed", got)
}

func TestSettle(t *testing.T) {
	ctx := t.Context()
	p := open(t, `<p id=o></p><script>let n=0;const k=setInterval(()=>{o.textContent=++n;if(n>20)clearInterval(k)},40)</script>`)
	rest, err := p.Settle(ctx, 200*time.Millisecond, 5*time.Second)
	require.NoError(t, err)
	assert.True(t, rest)
	assert.Equal(t, `"21"`, eval(t, p, `o.textContent`))

	p = open(t, `<p id=o></p><script>setInterval(()=>o.textContent=Date.now(),30)</script>`)
	began := time.Now()
	rest, err = p.Settle(ctx, 200*time.Millisecond, 600*time.Millisecond)
	require.NoError(t, err)
	assert.False(t, rest)
	assert.InDelta(t, 0.6, time.Since(began).Seconds(), 0.4)
}

func TestSettleWaitsForRequests(t *testing.T) {
	gate := make(chan struct{})
	p := openIn(t, ContextOptions{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-gate
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<p id=o>old</p>`)
	})})
	time.AfterFunc(400*time.Millisecond, func() { close(gate) })
	eval(t, p, `void fetch('/slow').then(()=>o.textContent='new')`)
	rest, err := p.Settle(t.Context(), 100*time.Millisecond, 3*time.Second)
	require.NoError(t, err)
	assert.True(t, rest)
	assert.Equal(t, `"new"`, eval(t, p, `o.textContent`))
}
