package browser

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outside is a server that no sealed page may reach, and the list of what did.
type outside struct {
	addr string
	mu   sync.Mutex
	hits []string
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	o := &outside{addr: tcp.Addr().String()}
	udp, err := net.ListenPacket("udp", o.addr)
	require.NoError(t, err)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { o.hit(r.URL.String()) })}
	srv.ConnState = func(c net.Conn, s http.ConnState) {
		if s == http.StateNew {
			o.hit("a connection")
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { _ = srv.Serve(tcp) })
	wg.Go(func() {
		b := make([]byte, 1500)
		for {
			if _, _, err := udp.ReadFrom(b); err != nil {
				return
			}
			o.hit("a datagram")
		}
	})
	t.Cleanup(func() { _ = srv.Close(); _ = udp.Close(); wg.Wait() })
	return o
}

func (o *outside) hit(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hits = append(o.hits, what)
}

func (o *outside) all() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.hits...)
}

// ways are what a page can try; OUT is an address outside. silent ones open
// connections at most, and name no address.
var ways = []struct {
	name, html string
	silent     bool
}{
	{name: "image", html: `<img src="OUT">`},
	{name: "fetch", html: `<script>fetch("OUT").catch(()=>{})</script>`},
	{name: "fetch of a redirect", html: `<script>fetch("/redirect?to=OUT").catch(()=>{})</script>`},
	{name: "redirected page", html: `<iframe src="/redirect?to=OUT"></iframe>`},
	{name: "xhr post", html: `<script>{const x=new XMLHttpRequest();x.open("POST","OUT");x.send("a=1")}</script>`},
	{name: "worker fetch", html: `<script>new Worker(URL.createObjectURL(new Blob(['fetch("OUT").catch(()=>{})'])))</script>`},
	{name: "importScripts", html: `<script>new Worker(URL.createObjectURL(new Blob(['try{importScripts("OUT")}catch{}'])))</script>`},
	{name: "module worker import", html: `<script>new Worker(URL.createObjectURL(new Blob(['import "OUT"'],{type:'text/javascript'})),{type:'module'})</script>`},
	{name: "shared worker", html: `<script>new SharedWorker('/shared.js?out='+encodeURIComponent("OUT"))</script>`},
	{name: "service worker", html: `<script>navigator.serviceWorker.register('/sw.js?out='+encodeURIComponent("OUT")).catch(()=>{})</script>`, silent: true},
	{name: "websocket", html: `<script>new WebSocket("OUT".replace('http','ws'))</script>`},
	{name: "websocket in a worker", html: `<script>new Worker(URL.createObjectURL(new Blob(['new WebSocket("OUT".replace("http","ws"))'])))</script>`},
	{name: "ping", html: `<a id=ID href="#x" ping="OUT">a</a><script>addEventListener('load',()=>setTimeout(()=>ID.click(),50))</script>`},
	{name: "beacon", html: `<script>navigator.sendBeacon("OUT","x")</script>`},
	{name: "event source", html: `<script>new EventSource("OUT")</script>`},
	{name: "popup", html: `<script>window.open("OUT")</script>`},
	{name: "popup, no opener", html: `<a id=ID href="OUT" target=_blank rel=noopener>a</a><script>addEventListener('load',()=>setTimeout(()=>ID.click(),50))</script>`},
	{name: "meta refresh", html: `<iframe srcdoc='<meta http-equiv=refresh content="0;url=OUT">'></iframe>`},
	{name: "css import", html: `<style>@import url("OUT");</style>`},
	{name: "font", html: `<style>@font-face{font-family:f;src:url("OUT")}</style><p style="font-family:f">x`},
	{name: "background", html: `<p style="background:url('OUT')">x`},
	{name: "form post", html: `<form id=ID method=post action="OUT" target=_blank><input name=a value=1></form><script>ID.submit()</script>`},
	{name: "download", html: `<a id=ID href="OUT" download=x.bin>a</a><script>addEventListener('load',()=>setTimeout(()=>ID.click(),50))</script>`},
	{name: "preload", html: `<link rel=preload as=script href="OUT">`},
	{name: "modulepreload", html: `<link rel=modulepreload href="OUT">`},
	{name: "prefetch", html: `<link rel=prefetch href="OUT">`},
	{name: "dynamic import", html: `<script>import("OUT").catch(()=>{})</script>`},
	{name: "object", html: `<object data="OUT"></object>`},
	{name: "media", html: `<video src="OUT" preload=auto></video>`},
	{name: "keepalive fetch on leaving", html: `<script>addEventListener('pagehide',()=>fetch("OUT",{keepalive:true,mode:'no-cors'}));addEventListener('load',()=>setTimeout(()=>location='/empty',80))</script>`},
	{name: "csp report", html: `<meta http-equiv=Content-Security-Policy content="img-src 'none'"><img src="OUT">`, silent: true},
	{name: "preconnect", html: `<link rel=preconnect href="OUT"><link rel=dns-prefetch href="OUT">`, silent: true},
	{name: "speculation rules", html: `<script type=speculationrules>{"prefetch":[{"urls":["OUT"],"eagerness":"immediate"}],"prerender":[{"urls":["OUT"],"eagerness":"immediate"}]}</script>`, silent: true},
	{name: "webrtc", html: `<script>{const c=new RTCPeerConnection({iceServers:[{urls:"stun:HOST"},{urls:"turn:HOST?transport=tcp",username:"a",credential:"b"}]});c.createDataChannel("x");c.createOffer().then(o=>c.setLocalDescription(o))}</script>`, silent: true},
	{name: "webtransport", html: `<script>try{new WebTransport("https://HOST/x").ready.catch(()=>{})}catch{}</script>`, silent: true},
}

// trial is a world with one page that tries one way out, once to each address.
func trial(html string, out []string) pages {
	page, script := "<!doctype html>", ""
	for i, o := range out {
		_, host, _ := strings.Cut(o, "://")
		host, _, _ = strings.Cut(host, "/")
		page += strings.NewReplacer("OUT", o, "HOST", host, "ID", fmt.Sprintf("id%d", i)).Replace(html)
		script += fmt.Sprintf("fetch(%q).catch(()=>{});", o)
	}
	return pages{home: page, "https://a.test/empty": "empty", "https://a.test/shared.js": script, "https://a.test/sw.js": script}
}

func (m pages) redirecting() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); r.URL.Path == "/redirect" && to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		m.ServeHTTP(w, r)
	})
}

func TestSealedPageCannotReachOut(t *testing.T) {
	out := newOutside(t)
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			to := []string{"http://" + out.addr + "/" + slug(way.name), "https://outside.example/" + slug(way.name)}
			c := testContext(t, ContextOptions{Handler: trial(way.html, to).redirecting()})
			p, err := c.Page(t.Context())
			require.NoError(t, err)
			require.NoError(t, p.Goto(t.Context(), home))
			if way.silent {
				time.Sleep(300 * time.Millisecond)
			} else {
				assert.Eventually(t, func() bool { return named(c.Refused(), to[0]) && named(c.Refused(), to[1]) },
					10*time.Second, 10*time.Millisecond, "not named: %v", c.Refused())
			}
			assert.Empty(t, out.all())
		})
	}
}

func slug(name string) string { return strings.NewReplacer(" ", "-", ",", "").Replace(name) }

func named(list []Refusal, url string) bool {
	for _, r := range list {
		if strings.Replace(r.URL, "ws", "http", 1) == url || r.URL == url {
			return true
		}
	}
	return false
}

func TestServiceWorkersAreRefusedAndNamed(t *testing.T) {
	c := testContext(t, ContextOptions{Handler: pages{home: `x`, "https://a.test/sw.js": `1`}})
	p, err := c.Page(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.Goto(t.Context(), home))
	assert.Equal(t, `"refused"`, eval(t, p, `navigator.serviceWorker.register('/sw.js').then(() => 'registered', () => 'refused')`))
	require.NotEmpty(t, c.Refused())
	assert.Contains(t, c.Refused()[0].Reason, "service worker")
}

func TestRedirectsStayInTheWorld(t *testing.T) {
	world := pages{
		home: "home", "https://b.test/end": "the end", "https://a.test/dir/style.css": `body{color:rgb(1,2,3)}`,
		"https://a.test/page": `<link rel=stylesheet href="/redirect?to=/dir/style.css"><p>x`,
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hop":
			http.Redirect(w, r, "https://b.test/hop2", http.StatusMovedPermanently)
		case "/hop2":
			http.Redirect(w, r, "/end", http.StatusSeeOther)
		case "/keep":
			http.Redirect(w, r, "/echo", http.StatusTemporaryRedirect)
		case "/echo":
			fmt.Fprintf(w, "%s %d", r.Method, r.ContentLength)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			world.redirecting().ServeHTTP(w, r)
		}
	})
	p := openIn(t, ContextOptions{Handler: handler})
	ctx := t.Context()
	assert.Equal(t, `["https://a.test/echo",true,"POST 3"]`, eval(t, p, `fetch('/keep',{method:'POST',body:'abc'}).then(async r=>[r.url,r.redirected,await r.text()])`))
	assert.Equal(t, `"opaqueredirect"`, eval(t, p, `fetch('/keep',{redirect:'manual'}).then(r=>r.type)`))
	require.NoError(t, p.Goto(ctx, "https://a.test/hop"))
	assert.Equal(t, "https://b.test/end", p.URL())
	assert.Equal(t, `"the end"`, eval(t, p, `document.body.textContent`))
	require.NoError(t, p.Goto(ctx, "https://a.test/page"))
	assert.Equal(t, `"rgb(1, 2, 3)"`, eval(t, p, `getComputedStyle(document.body).color`))
	assert.Error(t, p.Goto(ctx, "https://a.test/loop"))
	assert.Empty(t, p.Context().Refused())
}

func TestSharedWorkersAndWorkersSeeTheWorld(t *testing.T) {
	at := time.Date(2026, 1, 21, 14, 20, 25, 0, time.UTC)
	p := openIn(t, ContextOptions{Clock: at, Handler: pages{
		home:                       "home",
		"https://a.test/shared.js": `onconnect=async e=>e.ports[0].postMessage([await (await fetch('/data.json')).json(), new Date().getFullYear()])`,
		"https://a.test/worker.js": `fetch('/data.json').then(r=>r.json()).then(d=>postMessage([d, new Date().getFullYear()]))`,
		"https://a.test/data.json": `{"n":7}`,
	}})
	assert.Equal(t, `[{"n":7},2026]`, eval(t, p, `new Promise(r=>{const w=new SharedWorker('/shared.js');w.port.onmessage=e=>r(e.data);w.port.start()})`))
	assert.Equal(t, `[{"n":7},2026]`, eval(t, p, `new Promise(r=>{new Worker('/worker.js').onmessage=e=>r(e.data)})`))
	assert.Equal(t, `2026`, eval(t, p, `new Date().getFullYear()`))
}

func TestGotoSaysWhatIsRefused(t *testing.T) {
	p := open(t, "home")
	err := p.Goto(t.Context(), "https://nowhere.test/x")
	var refused *RefusedError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "go to https://nowhere.test/x: refused: not in the site", err.Error())
	require.Len(t, p.Context().Refused(), 1)
	assert.Equal(t, Refusal{URL: "https://nowhere.test/x", Method: "GET", Reason: "not in the site", By: "document"}, p.Context().Refused()[0])
	assert.NoError(t, p.Goto(t.Context(), home), "the page lives on")
}

func TestOriginsShareNothingAndFollowCORS(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/open" {
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}
		fmt.Fprint(w, r.URL.Host)
	})
	p := openIn(t, ContextOptions{Handler: handler})
	assert.Equal(t, `"b.test"`, eval(t, p, `fetch('https://b.test/open').then(r=>r.text())`))
	assert.Equal(t, `"blocked"`, eval(t, p, `fetch('https://b.test/shut').then(r=>r.text(),()=>'blocked')`))
	assert.Equal(t, `"http:"`, eval(t, p, `new Promise(r=>{const i=new Image();i.onerror=()=>r('http:');i.src='http://plain.test/'})`))
}

func TestTwoContextsHaveTwoWorlds(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 3 {
		c := testContext(t, ContextOptions{Handler: pages{home: fmt.Sprintf("world %d", i)}})
		wg.Go(func() {
			p, err := c.Page(context.Background())
			if assert.NoError(t, err) && assert.NoError(t, p.Goto(context.Background(), home)) {
				v, err := p.Eval(context.Background(), `document.body.textContent`)
				assert.NoError(t, err)
				assert.Equal(t, fmt.Sprintf(`"world %d"`, i), string(v))
			}
		})
	}
	wg.Wait()
}
