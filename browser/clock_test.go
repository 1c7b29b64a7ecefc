package browser

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/locate"
)

var noon = time.Date(2026, 1, 21, 14, 20, 25, 0, time.UTC)

// millis evaluates a number of milliseconds since 1970.
func millis(t *testing.T, p *Page, script string) time.Time {
	t.Helper()
	var ms float64
	require.NoError(t, json.Unmarshal([]byte(eval(t, p, script)), &ms))
	return time.UnixMilli(int64(ms)).UTC()
}

func TestClockStartsAtTheInstantAndRunsOn(t *testing.T) {
	p := openIn(t, ContextOptions{Clock: noon, Timezone: "Asia/Shanghai", Locale: "zh-CN", Handler: pages{
		home: `<iframe id=f srcdoc="x"></iframe><script>window.first = Date.now()</script>`, "https://b.test/": `<script>window.first = Date.now()</script>`,
	}})
	near := func(got time.Time, what string) {
		assert.WithinDuration(t, p.c.clock.now(), got, 1500*time.Millisecond, what)
	}
	assert.WithinDuration(t, noon, p.c.clock.now(), 20*time.Second, "begins with the context")
	for what, script := range map[string]string{
		"Date.now": `Date.now()`, "new Date": `new Date().getTime()`, "Date()": `Date.parse(Date())+500`,
		"in a frame": `f.contentWindow.Date.now()`, "in a new frame": `(()=>{const f=document.createElement('iframe');document.body.append(f);return f.contentWindow.Date.now()})()`,
		"Temporal": `globalThis.Temporal ? Temporal.Now.instant().epochMilliseconds : Date.now()`, "time origin": `performance.timeOrigin + performance.now()`,
		"while loading": `first`,
	} {
		near(millis(t, p, script), what)
	}
	assert.Equal(t, `"2026/1/21"`, eval(t, p, `new Intl.DateTimeFormat('zh-CN').format()`))
	assert.Equal(t, `"2026-01-21"`, eval(t, p, `globalThis.Temporal ? Temporal.Now.plainDateISO().toString() : '2026-01-21'`))
	assert.Equal(t, `22`, eval(t, p, `new Date().getHours()`))
	require.NoError(t, p.Goto(t.Context(), "https://b.test/"))
	near(millis(t, p, `first`), "after navigation")
	assert.Less(t, time.Duration(0), millis(t, p, `Date.now()`).Sub(noon))
	info, err := p.Info(t.Context())
	require.NoError(t, err)
	near(info.Now, "info")
	assert.Equal(t, "Asia/Shanghai", info.Now.Location().String())
}

func TestClockLeavesTheRestAlone(t *testing.T) {
	p := openIn(t, ContextOptions{Clock: noon, Handler: pages{home: `<button id=b onclick="window.e=[event.timeStamp,performance.now()]">b</button>`}})
	assert.Equal(t, `[true,true,true,true,true,true,"2020-05-05T00:00:00.000Z",2020,"Date",7]`, eval(t, p, `(()=>{
		class Sub extends Date {}
		const s = new Sub();
		return [new Date() instanceof Date, s instanceof Sub, s instanceof Date, Object.getPrototypeOf(new Date()) === Date.prototype,
			new Date().constructor === Date, typeof Date() === 'string', new Date('2020-05-05').toISOString(), new Date(2020,1,1).getFullYear(), Date.name, Date.length];
	})()`))
	began := time.Now()
	assert.InDelta(t, 100, ms(time.Duration(1e6*number(t, p, `new Promise(r=>{const s=Date.now();setTimeout(()=>r(Date.now()-s),100)})`))), 60)
	assert.Less(t, time.Since(began), 2*time.Second)
	assert.Equal(t, `true`, eval(t, p, `new Promise(r=>requestAnimationFrame(t=>r(Math.abs(t-performance.now())<100)))`))
	require.NoError(t, p.Click(t.Context(), refOf(t, p, "b"), locate.ClickOptions{}))
	assert.Equal(t, `true`, eval(t, p, `Math.abs(e[0]-e[1])<100`))
}

func number(t *testing.T, p *Page, script string) float64 {
	t.Helper()
	var n float64
	require.NoError(t, json.Unmarshal([]byte(eval(t, p, script)), &n))
	return n
}

func TestFrozenClockStandsStill(t *testing.T) {
	p := openIn(t, ContextOptions{Clock: noon, ClockFrozen: true, Handler: pages{home: `x`}})
	assert.Equal(t, noon, millis(t, p, `Date.now()`))
	assert.Equal(t, noon, millis(t, p, `new Promise(r=>setTimeout(()=>r(Date.now()),60))`), "timers run")
}

func TestCookiesLastByThePagesClock(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cookies" {
			_, _ = w.Write([]byte(r.Header.Get("Cookie")))
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "served", Value: "1", Expires: noon.Add(time.Hour)})
		http.SetCookie(w, &http.Cookie{Name: "past", Value: "1", Expires: noon.Add(-time.Hour)})
		_, _ = w.Write([]byte("x"))
	})
	p := openIn(t, ContextOptions{Clock: noon, Handler: handler})
	eval(t, p, `document.cookie = 'mine=1; expires=' + new Date(Date.now()+3600e3).toUTCString(), document.cookie = 'gone=1; expires=' + new Date(Date.now()-1e3).toUTCString()`)
	got := eval(t, p, `fetch('/cookies').then(r=>r.text())`)
	assert.Contains(t, got, "served=1")
	assert.Contains(t, got, "mine=1")
	assert.NotContains(t, got, "past")
	assert.NotContains(t, got, "gone")
}

func TestRealClockIsLeftAlone(t *testing.T) {
	p := open(t, `x`)
	assert.WithinDuration(t, time.Now(), millis(t, p, `Date.now()`), 2*time.Second)
	assert.Equal(t, `"function Date() { [native code] }"`, eval(t, p, `String(Date)`))
}
