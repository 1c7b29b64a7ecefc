package browser

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

// headed serves one page with headers of its own.
func headed(html string, headers map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for k, v := range headers {
			w.Header().Set(k, v)
		}
		pages{home: html}.ServeHTTP(w, r)
	})
}

func TestStrictPolicies(t *testing.T) {
	p := openIn(t, ContextOptions{Clock: noon, Handler: headed(`<button id=b>b</button>`, map[string]string{
		"Content-Security-Policy": "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; sandbox allow-scripts",
	})})
	ctx := t.Context()
	assert.Equal(t, `2026`, eval(t, p, `new Date().getFullYear()`))
	assert.Equal(t, `3`, eval(t, p, `const a = 1; return a + 2`))
	require.NoError(t, p.Click(ctx, refOf(t, p, "b"), locate.ClickOptions{}))
	_, err := p.Shot(ctx)
	assert.NoError(t, err)
}

func TestEval(t *testing.T) {
	p := open(t, `<p id=o>x</p>`)
	for script, want := range map[string]string{
		`1+1`: `2`, `({a:[1,"x",null]})`: `{"a":[1,"x",null]}`, `o.textContent`: `"x"`, `undefined`: `null`, `void 0`: `null`,
		`Promise.resolve(7)`: `7`, `const x=2; return x*2`: `4`, `if (o) return 'yes'`: `"yes"`, `await 5`: `5`, `o`: `{}`,
		"// a comment\n9": `9`, `10n`: `"10"`, `() => 1`: `null`,
	} {
		assert.Equal(t, want, eval(t, p, script), script)
	}
	_, err := p.Eval(t.Context(), `throw new Error('no such thing')`)
	assert.ErrorContains(t, err, "no such thing")
	_, err = p.Eval(t.Context(), `)(`)
	assert.ErrorContains(t, err, "SyntaxError")
}

func TestPagesThatChangeTheGroundUnderUs(t *testing.T) {
	for name, html := range map[string]string{
		"document.write":        `<script>document.open();document.write('<button id=b onclick="this.textContent=1">b</button>');document.close()</script>`,
		"toJSON everywhere":     `<script>Array.prototype.toJSON=function(){return 'mine'};Object.prototype.extra=1</script><button id=b onclick="this.textContent=1">b</button>`,
		"no console, no timers": `<script>window.console=null;window.WeakRef=null;window.setTimeout=null;window.requestAnimationFrame=null</script><button id=b onclick="this.textContent=1">b</button>`,
		"xhtml":                 `<!doctype html><body><button id=b onclick="this.textContent=1">b</button>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, html)
			ref := refOf(t, p, "b")
			w, err := p.Watch(t.Context(), ref)
			require.NoError(t, err)
			require.NoError(t, p.Click(t.Context(), ref, locate.ClickOptions{}))
			effect, err := w.Effect(t.Context(), time.Second)
			require.NoError(t, err)
			assert.NotEmpty(t, effect)
			s, err := p.Read(t.Context(), ref)
			require.NoError(t, err)
			assert.Equal(t, "1", s.Text)
		})
	}
}

func TestFactsThatOnlyTheScriptsKnow(t *testing.T) {
	p := open(t, `<div id=a>a</div><div id=b>b</div><div id=c>c</div><div id=host></div><script>
		a.addEventListener('click',()=>{}); b.addEventListener('click',f=()=>{}); b.removeEventListener('click',f); c.onclick=()=>{};
		host.attachShadow({mode:'closed'}).innerHTML='<button id=in>in</button>'</script>`)
	s, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	listens := map[string]bool{}
	for _, n := range s.Nodes {
		listens[n.Attr("id")] = n.Facts.Has(dom.Listener)
	}
	assert.Equal(t, []bool{true, false, true}, []bool{listens["a"], listens["b"], listens["c"]})
	assert.Contains(t, listens, "in", "closed shadow roots are part of the page")
}

func TestFrameThatComesAndGoes(t *testing.T) {
	p := openIn(t, ContextOptions{Handler: pages{home: `<iframe id=f src="/in"></iframe><iframe id=g src="/in2"></iframe>`,
		"https://a.test/in": `<button id=x>x</button>`, "https://a.test/in2": `<button id=y>y</button>`}})
	ctx := t.Context()
	x, y := refOf(t, p, "x"), refOf(t, p, "y")
	eval(t, p, `f.remove()`)
	assert.Equal(t, y, refOf(t, p, "y"), "the other frame keeps its index")
	_, err := p.Read(ctx, x)
	assert.ErrorIs(t, err, locate.ErrStale)
	assert.ErrorIs(t, p.Click(ctx, x, locate.ClickOptions{}), locate.ErrStale)
	eval(t, p, `new Promise(r=>{const n=document.createElement('iframe');n.src='/in';n.onload=r;document.body.append(n)})`)
	assert.NotEqual(t, x.Frame, refOf(t, p, "x").Frame, "an index is not given out again")
	eval(t, p, `new Promise(r=>{g.onload=r;g.src='/in'})`)
	_, err = p.Read(ctx, y)
	assert.ErrorIs(t, err, locate.ErrStale, "the frame lives on with another document")
}

func TestSnapshotWhileThePageMoves(t *testing.T) {
	p := openIn(t, ContextOptions{Handler: pages{home: `<p>home</p><script>setTimeout(()=>location.reload(),30)</script>`}})
	for range 15 {
		s, err := p.Snapshot(t.Context(), dom.Query{})
		require.NoError(t, err)
		assert.NotEmpty(t, s.Nodes)
	}
}
