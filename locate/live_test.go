package locate_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/browser"
	"harness/locate"
)

// shared is the one browser of these tests.
var shared struct {
	once sync.Once
	b    *browser.Browser
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.b != nil {
		if err := shared.b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// world serves texts by URL; the rest does not exist.
type world map[string]string

func (w world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, ok := w[r.URL.Scheme+"://"+r.URL.Host+r.URL.Path]
	if !ok {
		http.NotFound(rw, r)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = rw.Write([]byte(body))
}

type bench struct {
	*locate.Actor
	page *browser.Page
	t    *testing.T
}

// open shows HTML in a real browser, or skips the test where there is none.
func open(t *testing.T, html string) *bench {
	return openWorld(t, world{"https://a.test/": html}, browser.ContextOptions{})
}

func openWorld(t *testing.T, w world, o browser.ContextOptions) *bench {
	t.Helper()
	opts := browser.Options{Executable: os.Getenv("HARNESS_BROWSER"), DriverDir: os.Getenv("HARNESS_DRIVER_DIR")}
	shared.once.Do(func() { shared.b, shared.err = browser.Launch(context.Background(), opts) })
	if shared.err != nil {
		if os.Getenv("HARNESS_REQUIRE_BROWSER") == "1" {
			t.Fatalf("a browser is required: %v", shared.err)
		}
		t.Skipf("no browser: %v", shared.err)
	}
	o.Handler = w
	c, err := shared.b.Context(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		assert.NoError(t, c.Close(ctx))
	})
	p, err := c.Page(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.Goto(t.Context(), "https://a.test/"))
	return &bench{locate.New(p, locate.Options{Timeout: 3 * time.Second}), p, t}
}

func (b *bench) click(words string) error {
	_, err := b.Click(b.t.Context(), locate.Words(words), locate.ClickOptions{}, locate.How{})
	return err
}

func (b *bench) eval(js string) string {
	b.t.Helper()
	v, err := b.page.Eval(b.t.Context(), js)
	require.NoError(b.t, err)
	return strings.Trim(string(v), `"`)
}

// log is page code: whatever is pressed appends its data-log to window.log.
const log = `<script>window.log='';document.addEventListener('click',e=>{const t=e.composedPath().find(n=>n.dataset&&n.dataset.log);
if(t){window.log+=t.dataset.log;document.title=window.log}})</script>`

func TestClickFindsTheElementThatIsMeant(t *testing.T) {
	days := ""
	for d := 31; d >= 1; d-- {
		days += fmt.Sprintf(`<button data-log=%d>%d Dec 2022</button>`, d, d)
	}
	for _, tc := range []struct{ name, html, words, want, kind string }{
		{"a day is not part of another day", days, "1 Dec", "1", ""},
		{"the whole name before a longer one", `<button data-log=g>Continue with Google</button><button data-log=c>Continue</button>`, "Continue", "c", ""},
		{"part of a word is no match", `<button data-log=g>Continue with Google</button><button data-log=c>Continue</button>`, "Continue wi", "", "not_found"},
		{"the visible twin", `<div hidden><a href=# data-log=h>Profile</a></div><a href=# data-log=v>Profile</a>`, "Profile", "v", ""},
		{"only a hidden one", `<div hidden><a href=# data-log=h>Profile</a></div>`, "Profile", "", "not_found"},
		{"twins in light tree and shadow root", `<button data-log=a>Go</button><x-y id=h></x-y><script>h.attachShadow({mode:'open'}).innerHTML='<button>Go</button>'</script>`, "Go", "", "ambiguous"},
		{"in an open shadow root", `<x-y id=h></x-y><script>h.attachShadow({mode:'open'}).innerHTML='<button data-log=s>Go</button>'</script>`, "Go", "s", ""},
		{"in the row of", `<table><tr><td>Ann<td><button data-log=a>Delete</button><tr><td>Bob<td><button data-log=b>Delete</button><tr><td>Bobby<td><button data-log=y>Delete</button></table>`, "Delete in the row of Bob", "b", ""},
		{"a row without it has none", `<table><tr><td>Ann<td><button data-log=a>Delete</button><tr><td>Bob<td></table>`, "Delete in the row of Bob", "", "not_found"},
		{"ordinal", `<button data-log=1>Delete</button><button data-log=2>Delete</button><button data-log=3>Delete</button>`, "the second Delete", "2", ""},
		{"ordinal in a row", `<table><tr><td>Ann<td><button data-log=1>Delete</button><tr><td>Bob<td><button data-log=2>Delete</button></table>`, "the last Delete button", "2", ""},
		{"several alike", `<button data-log=1>Delete</button><button data-log=2>Delete</button>`, "Delete", "", "ambiguous"},
		{"noun decides", `<h2>Search</h2><a href=# data-log=l>Search</a><button data-log=b>Search</button>`, "Search button", "b", ""},
		{"link", `<h2>Search</h2><a href=# data-log=l>Search</a><button data-log=b>Search</button>`, `"Search" link`, "l", ""},
		{"icon by sign", `<div role=dialog aria-label=Cookies>We use cookies <span style="cursor:pointer" data-log=x>×</span></div><button data-log=o>OK</button>`, "close icon of the cookies dialog", "x", ""},
		{"the dialog on top", `<button data-log=p>Save</button><dialog id=d><button data-log=d>Save</button></dialog><script>d.showModal()</script>`, "Save", "d", ""},
		{"Chinese row", `<ul><li><b>上海</b> <button data-log=s>删除</button></li><li><b>北京</b> <button data-log=b>删除</button></li></ul>`, "北京那一行的删除按钮", "b", ""},
		{"Chinese ordinal", `<button data-log=1>预订</button><button data-log=2>预订</button>`, "第二个预订按钮", "2", ""},
		{"full-width and curly", `<button data-log=q>“Save as…” （ＰＤＦ）</button>`, `Save as… (PDF) button`, "q", ""},
		{"tab", `<div role=tablist><div role=tab data-log=f tabindex=0>Fares</div><div role=tab tabindex=0>Rules</div></div><p>Fares</p>`, `tab "Fares"`, "f", ""},
		{"right of a label", `<style>td{padding:4px}</style><table><tr><td>From<td><input data-log=f><tr><td>To<td><input data-log=t></table>`, `input right of "To"`, "t", ""},
		{"a field under its text", `<div>Name</div><div><input data-log=n></div><div>City</div><div><input data-log=c></div>`, "City field", "c", ""},
		{"under a heading", `<h2>Billing</h2><button data-log=b>Edit</button><h2>Shipping</h2><button data-log=s>Edit</button>`, "Edit under the heading Shipping", "s", ""},
		{"fieldset", `<fieldset><legend>Billing</legend><label>Street <input data-log=b></label></fieldset><fieldset><legend>Shipping</legend><label>Street <input data-log=s></label></fieldset>`, "Street in Shipping", "s", ""},
		{"name with a relation word", `<button data-log=s>Sign in</button><button data-log=o>Out of stock</button>`, "Out of stock", "o", ""},
		{"first name is no ordinal", `<label>First name <input data-log=f></label><label>Last name <input data-log=l></label>`, "First name field", "f", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := open(t, log+tc.html)
			err := b.click(tc.words)
			assert.Equal(t, tc.kind, locate.Kind(err), "%v", err)
			assert.Equal(t, tc.want, b.eval("window.log"), "%v", err)
		})
	}
}

func TestClickMeetsWhatStandsInTheWay(t *testing.T) {
	t.Run("an inline link over two lines", func(t *testing.T) {
		b := open(t, log+`<div style="width:150px;font:16px monospace">some words first <a href="#x" data-log=a>a link that is broken</a> and more</div>`)
		require.NoError(t, b.click("a link that is broken"))
		assert.Equal(t, "a", b.eval("log"))
	})
	t.Run("a banner covers the button", func(t *testing.T) {
		b := open(t, log+`<button data-log=b style="margin-top:40px">Buy</button><div id=c style="position:fixed;inset:0 0 auto 0;height:200px;background:#ccc">We use cookies <button data-log=k onclick="c.remove()">Accept</button></div>`)
		err := b.click("Buy")
		require.ErrorIs(t, err, locate.ErrCovered)
		assert.Contains(t, err.Error(), "We use cookies")
		require.NoError(t, b.click("Accept"))
		require.NoError(t, b.click("Buy"))
		assert.Equal(t, "kb", b.eval("log"))
	})
	t.Run("a sticky header in a scrolling box", func(t *testing.T) {
		rows := ""
		for i := range 40 {
			rows += fmt.Sprintf(`<div style="height:30px"><button data-log="%d,">Item %d</button></div>`, i, i)
		}
		b := open(t, log+`<div style="height:150px;overflow:auto"><div style="position:sticky;top:0;height:60px;background:#fff">Head</div>`+rows+`</div>`)
		require.NoError(t, b.click("Item 30"))
		require.NoError(t, b.click("Item 3"))
		assert.Equal(t, "30,3,", b.eval("log"))
	})
	t.Run("a frame of another origin at an offset", func(t *testing.T) {
		b := openWorld(t, world{
			"https://a.test/": `<div style="height:120px"></div><iframe title=Outer src="https://b.test/" style="border:7px solid;margin:30px;width:400px;height:300px"></iframe>`,
			"https://b.test/": `<div style="height:50px"></div><iframe title=Inner srcdoc="<button onclick=&quot;top.postMessage('hit','*');this.textContent='done'&quot;>Press me</button>" style="padding:9px"></iframe>`,
		}, browser.ContextOptions{})
		b.eval(`window.hits=0,window.onmessage=()=>window.hits++`)
		r, err := b.Click(t.Context(), locate.Words("Press me"), locate.ClickOptions{}, locate.How{Effect: true})
		require.NoError(t, err, "%v", r.Acts)
		assert.Equal(t, `main > iframe "Outer" > iframe "Inner"`, r.Chosen.Frame)
		assert.Equal(t, "1", b.eval("window.hits"))
	})
	t.Run("a list that opens with a transition", func(t *testing.T) {
		b := open(t, log+`<style>#l{max-height:0;overflow:hidden;transition:max-height .4s}#l.o{max-height:200px}#l div{height:40px;cursor:pointer}</style>
			<button onclick="l.className='o'">Open</button><div id=l><div data-log=a>Alpha</div><div data-log=b>Beta</div><div data-log=c>Gamma</div></div>`)
		require.NoError(t, b.click("Open"))
		require.NoError(t, b.click("Gamma"))
		assert.Equal(t, "c", b.eval("log"))
	})
	t.Run("every click renders the list anew", func(t *testing.T) {
		b := open(t, `<div id=l></div><script>window.log='';function draw(){l.innerHTML='';for(const x of 'abc'){const e=document.createElement('button');e.textContent='Item '+x;e.onclick=()=>{log+=x;draw()};l.append(e)}}draw();setInterval(draw,40)</script>`)
		for _, w := range []string{"Item b", "Item a", "Item c"} {
			require.NoError(t, b.click(w))
		}
		assert.Equal(t, "bac", b.eval("log"))
	})
	t.Run("disabled", func(t *testing.T) {
		b := open(t, `<button disabled>Save</button>`)
		require.ErrorIs(t, b.click("Save"), locate.ErrDisabled)
	})
	t.Run("no effect", func(t *testing.T) {
		b := open(t, `<button>Dead</button><p id=p>0</p><script>setInterval(()=>p.textContent++,50)</script>`)
		time.Sleep(500 * time.Millisecond) // a page that has just loaded has not shown yet what changes by itself
		r, err := b.Click(t.Context(), locate.Words("Dead"), locate.ClickOptions{}, locate.How{})
		require.NoError(t, err)
		assert.Equal(t, "no visible effect", r.Warning, r.Effect)
		_, err = b.Click(t.Context(), locate.Words("Dead"), locate.ClickOptions{}, locate.How{Effect: true})
		require.ErrorIs(t, err, locate.ErrNoEffect)
	})
	t.Run("an element that comes late", func(t *testing.T) {
		b := open(t, log+`<script>setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<button data-log=z>Late</button>'),1200)</script>`)
		require.NoError(t, b.click("Late"))
		assert.Equal(t, "z", b.eval("log"))
	})
}

func TestAContainerInFields(t *testing.T) {
	b := open(t, log+`<table><tr><td>Ann<td><button data-log=a>Delete</button><tr><td>Bob<td><button data-log=b>Delete</button></table>`)
	for _, in := range []locate.Target{locate.Words("the row of Bob"), locate.Words("Bob"), {Role: "row", Name: "Bob"}} {
		_, err := b.Click(t.Context(), locate.Target{Role: "button", Name: "Delete", In: &in}, locate.ClickOptions{}, locate.How{})
		require.NoError(t, err, in.String())
	}
	assert.Equal(t, "bbb", b.eval("log"))
}

func TestTypeAndChoose(t *testing.T) {
	type_ := func(b *bench, into, text string) (*locate.Resolution, error) {
		return b.Type(b.t.Context(), locate.Words(into), locate.TypeOptions{Text: text}, locate.How{})
	}
	t.Run("a controlled input", func(t *testing.T) {
		b := open(t, `<label>Name <input id=i></label><script>window.state='';i.addEventListener('input',e=>{if(e.isTrusted)state=e.target.value;i.value=state})</script>`)
		_, err := type_(b, "Name", "Ada Lovelace")
		require.NoError(t, err)
		assert.Equal(t, "Ada Lovelace", b.eval("state"))
	})
	t.Run("a mask that inserts signs", func(t *testing.T) {
		b := open(t, `<label>Birth date <input id=i></label><script>i.addEventListener('input',()=>{let d=i.value.replace(/\D/g,'').slice(0,8);i.value=d.replace(/^(\d\d)(\d)/,'$1/$2').replace(/^(\d\d\/\d\d)(\d)/,'$1/$2');i.setSelectionRange(99,99)})</script>`)
		r, err := type_(b, "Birth date", "12121980")
		require.NoError(t, err)
		assert.Equal(t, "12/12/1980", r.Value)
	})
	for _, lang := range []string{"en", "de", "zh", "ar"} {
		t.Run("native date under "+lang, func(t *testing.T) {
			b := openWorld(t, world{"https://a.test/": `<html lang=` + lang + `><label>D <input type=date id=i></label>`}, browser.ContextOptions{Locale: lang})
			_, err := type_(b, "D field", "2012-12-25")
			require.NoError(t, err)
			assert.Equal(t, "2012-12-25", b.eval("i.value"))
		})
	}
	t.Run("a field that drops what is typed", func(t *testing.T) {
		b := open(t, `<label>Code <input id=i maxlength=3></label>`)
		_, err := type_(b, "Code", "12345")
		require.ErrorIs(t, err, locate.ErrValueMismatch)
	})
	t.Run("native select", func(t *testing.T) {
		b := open(t, `<label>Size <select id=s><option>S<option>M<option>L<option>XL<option>XXL</select></label>`)
		_, err := b.Select(t.Context(), locate.Words("Size"), []string{"L"}, locate.How{})
		require.NoError(t, err)
		assert.Equal(t, "L", b.eval("s.value"))
		_, err = b.Select(t.Context(), locate.Words("Size"), []string{"Huge"}, locate.How{})
		require.ErrorIs(t, err, locate.ErrNotFound)
	})
	t.Run("drawn select", func(t *testing.T) {
		b := open(t, `<div id=f role=combobox tabindex=0 aria-haspopup=listbox aria-expanded=false aria-controls=l aria-label=Colour>Red</div><div id=l role=listbox hidden><div role=option>Red</div><div role=option>Green</div><div role=option>Blue</div></div>
			<script>f.onclick=()=>{l.hidden=!l.hidden;f.setAttribute('aria-expanded',!l.hidden)};l.onclick=e=>{f.textContent=e.target.textContent;l.hidden=true}</script>`)
		_, err := b.Select(t.Context(), locate.Words("Colour"), []string{"Green"}, locate.How{})
		require.NoError(t, err)
		assert.Equal(t, "Green", b.eval("f.textContent"))
	})
	t.Run("a checkbox hidden under a label with a link", func(t *testing.T) {
		b := open(t, `<style>input{position:absolute;opacity:0}</style><input type=checkbox id=c><label for=c style="display:inline-block;padding:5px">I have read <a href="#terms">the terms</a> and agree</label>`)
		_, err := b.Check(t.Context(), locate.Words("I have read the terms and agree"), true, locate.How{})
		require.NoError(t, err)
		assert.Equal(t, "true", b.eval("c.checked"))
		assert.Equal(t, "", b.eval("location.hash"))
	})
	t.Run("a drawn switch", func(t *testing.T) {
		b := open(t, `<div role=switch aria-checked=false tabindex=0 id=s aria-label="Dark mode" onclick="s.setAttribute('aria-checked',s.getAttribute('aria-checked')!='true')">o</div>`)
		for range 2 {
			_, err := b.Check(t.Context(), locate.Words("Dark mode"), true, locate.How{})
			require.NoError(t, err)
			assert.Equal(t, "true", b.eval("s.getAttribute('aria-checked')"))
		}
	})
	t.Run("a list that is rendered as it scrolls", func(t *testing.T) {
		b := open(t, `<div id=v style="height:200px;overflow:auto"><div style="height:30000px;position:relative" id=w></div></div><script>
			function draw(){const a=Math.floor(v.scrollTop/30);w.innerHTML='';for(let i=a;i<a+8;i++)w.insertAdjacentHTML('beforeend','<div style="position:absolute;height:30px;top:'+i*30+'px">Row '+i+'</div>')}v.onscroll=draw;draw()</script>`)
		_, err := b.Scroll(t.Context(), ptr(locate.Words("Row 120")), locate.ScrollOptions{}, locate.How{Timeout: 20 * time.Second})
		require.NoError(t, err)
	})
}

func ptr[T any](v T) *T { return &v }
