package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"harness/dom"
	"harness/locate"
)

// ContextOptions say what the pages of a context see. The zero value is a
// 1280×720 page at device pixel ratio 1 in the browser's own language, time zone
// and time.
type ContextOptions struct {
	Width, Height int       // of the viewport, CSS px; 0 means 1280×720
	Scale         float64   // device pixel ratio; 0 means 1
	Locale        string    // BCP 47; "" means en-US
	Timezone      string    // IANA; "" means the machine's
	UserAgent     string    // "" means the browser's
	Clock         time.Time // the instant at which the pages' clock starts; it runs on over all navigations. Zero: the real time
	ClockFrozen   bool      // the clock stands at Clock
	// Handler, if any, is the whole network of the pages: see RefusedHeader for
	// how it refuses. It is called from many goroutines.
	Handler   http.Handler
	Timeout   time.Duration // of a call whose ctx has no deadline; 0 means 30 s
	Downloads string        // folder for downloads; "" means that they are listed and dropped
	Secrets   []string      // texts that Page.HTML masks wherever they stand
}

// Context is a set of pages with cookies, storage, clock and network of their
// own. Close it, or its pages stay until the browser is closed.
type Context struct {
	b     *Browser
	pw    playwright.BrowserContext
	opts  ContextOptions
	clock clock
	world *world // nil without a Handler

	ended   chan struct{}
	endOnce sync.Once
	calls   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	pages  []*Page // open ones, in the order in which they opened
	opened chan struct{}
}

// Context makes a context. It fails with ErrCrashed where the browser is gone.
func (b *Browser) Context(ctx context.Context, o ContextOptions) (*Context, error) {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	c := &Context{b: b, opts: o, ended: make(chan struct{}), clock: newClock(o.Clock, o.ClockFrozen), opened: make(chan struct{}, 1)}
	if o.Handler != nil {
		w, err := newWorld(o.Handler, b.issuer, c.clock)
		if err != nil {
			return nil, fmt.Errorf("context: %w", err)
		}
		c.world = w
	}
	b.mu.Lock()
	b.contexts[c] = struct{}{}
	b.mu.Unlock()
	if _, err := run(ctx, c, c.open); err != nil {
		c.end()
		return nil, fmt.Errorf("context: %w", err)
	}
	return c, nil
}

func (c *Context) open() (struct{}, error) {
	pw, err := c.b.browser.NewContext(c.options())
	if err != nil {
		return struct{}{}, c.fail(err)
	}
	c.mu.Lock()
	c.pw = pw
	late := c.closed
	c.mu.Unlock()
	if late {
		_ = pw.Close()
		return struct{}{}, locate.ErrPageClosed
	}
	pw.SetDefaultTimeout(ms(c.opts.Timeout))
	clock, err := c.clock.script()
	if err != nil {
		return struct{}{}, err
	}
	for _, script := range []string{pageScript, clock, actScript, watchScript, dom.Script} {
		if script == "" {
			continue
		}
		if err := pw.AddInitScript(playwright.Script{Content: playwright.String(script)}); err != nil {
			return struct{}{}, c.fail(err)
		}
	}
	pw.OnPage(func(p playwright.Page) { c.page(p) })
	return struct{}{}, nil
}

func (c *Context) options() playwright.BrowserNewContextOptions {
	o := c.opts
	if o.Locale == "" {
		o.Locale = "en-US"
	}
	out := playwright.BrowserNewContextOptions{
		Viewport:          &playwright.Size{Width: o.Width, Height: o.Height},
		DeviceScaleFactor: playwright.Float(o.Scale),
		Locale:            playwright.String(o.Locale),
		AcceptDownloads:   playwright.Bool(o.Downloads != ""),
	}
	if o.Timezone != "" {
		out.TimezoneId = playwright.String(o.Timezone)
	}
	if o.UserAgent != "" {
		out.UserAgent = playwright.String(o.UserAgent)
	}
	if c.world != nil {
		out.Proxy = &playwright.Proxy{Server: c.world.address(), Bypass: playwright.String("<-loopback>")}
	}
	return out
}

// Page opens a page in the context.
func (c *Context) Page(ctx context.Context) (*Page, error) {
	p, err := run(ctx, c, func() (*Page, error) {
		p, err := c.pw.NewPage()
		if err != nil {
			return nil, c.fail(err)
		}
		return c.page(p), nil
	})
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return p, nil
}

// page is the Page of Playwright's page, made at first sight.
func (c *Context) page(pw playwright.Page) *Page {
	c.mu.Lock()
	for _, p := range c.pages {
		if p.pw == pw {
			c.mu.Unlock()
			return p
		}
	}
	p := newPage(c, pw)
	c.pages = append(c.pages, p)
	c.mu.Unlock()
	p.listen()
	return p
}

// Pages are the open pages, in the order in which they opened.
func (c *Context) Pages() []*Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*Page(nil), c.pages...)
}

func (c *Context) forget(p *Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, q := range c.pages {
		if p == q {
			c.pages = append(c.pages[:i:i], c.pages[i+1:]...)
			return
		}
	}
}

// Refused lists the requests that the context's Handler did not serve, in the
// order in which they came. Without a Handler there are none.
func (c *Context) Refused() []Refusal {
	if c.world == nil {
		return nil
	}
	return c.world.refusals()
}

// Close ends the pages of the context and every call on them, and waits for
// those. It fails where the browser does not answer; the context is of no more use
// then either. A second Close does nothing.
func (c *Context) Close(ctx context.Context) error {
	done := make(chan struct{})
	go func() { c.end(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close context: %w", context.Cause(ctx))
	}
}

// end closes once and waits for all calls, whoever asks.
func (c *Context) end() {
	c.endOnce.Do(func() {
		c.mu.Lock()
		c.closed = true
		pw := c.pw
		c.mu.Unlock()
		close(c.ended)
		if pw != nil {
			c.closePages(pw)
		}
		if c.world != nil {
			c.world.close()
		}
		c.b.mu.Lock()
		delete(c.b.contexts, c)
		c.b.mu.Unlock()
	})
	c.calls.Wait()
}

// closePages closes Playwright's context, which may wait for ever on a browser
// that has gone meanwhile.
func (c *Context) closePages(pw playwright.BrowserContext) {
	closed := make(chan struct{})
	c.b.calls.Go(func() { _ = pw.Close(); close(closed) })
	select {
	case <-closed:
	case <-c.b.gone:
	}
}

// run calls f, which is one of Playwright's blocking calls, and returns when
// it does or when ctx ends. A call that was given up runs on in its goroutine
// until Playwright's own timeout or the end of the context; Context.Close waits.
func run[T any](ctx context.Context, c *Context, f func() (T, error)) (T, error) {
	var zero T
	if ctx.Err() != nil {
		return zero, context.Cause(ctx)
	}
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	if !c.goes(func() {
		v, err := f()
		done <- result{v, err}
	}) {
		return zero, locate.ErrPageClosed
	}
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return zero, context.Cause(ctx)
	case <-c.ended:
		return zero, locate.ErrPageClosed
	case <-c.b.gone:
		select {
		case r := <-done:
			return r.v, r.err
		default:
			return zero, c.gone()
		}
	}
}

// goes starts a goroutine that Close waits for; false where it is too late.
func (c *Context) goes(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.calls.Go(f)
	return true
}

// gone says why there is no browser any more.
func (c *Context) gone() error {
	if c.b.Crashed() {
		return ErrCrashed
	}
	return locate.ErrPageClosed
}

// fail turns a library error into one of ours.
func (c *Context) fail(err error) error {
	select {
	case <-c.b.gone:
		return c.gone()
	case <-c.ended:
		return locate.ErrPageClosed
	default:
	}
	if closedText(err) {
		return fmt.Errorf("%w: %s", locate.ErrPageClosed, firstLines(err, 1))
	}
	return fmt.Errorf("%s", firstLines(err, 3))
}

func closedText(err error) bool {
	s := err.Error()
	return strings.Contains(s, "has been closed") || strings.Contains(s, "target closed") || strings.Contains(s, "Target closed")
}

func firstLines(err error, n int) string {
	s := strings.TrimPrefix(err.Error(), "playwright: ")
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	if len(lines) > n {
		lines = lines[:n]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
