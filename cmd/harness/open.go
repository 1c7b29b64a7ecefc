package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"harness/browser"
	"harness/scenarios"
)

// browsers opens pages for scenarios and tasks: each worker has a browser of
// its own, so that a crash costs one scenario, and gets a fresh one after it.
// Close it.
type browsers struct {
	options browser.Options

	mu   sync.Mutex
	open map[browserKey]*browser.Browser
}

// browserKey says what cannot be changed about a running browser.
type browserKey struct {
	worker          int
	headed, network bool
}

func newBrowsers(c config) *browsers {
	return &browsers{
		options: browser.Options{Executable: c.Browser, Node: c.Node},
		open:    map[browserKey]*browser.Browser{},
	}
}

// page opens a page in a context of its own.
func (b *browsers) page(ctx context.Context, o scenarios.PageOptions) (scenarios.Page, error) {
	br, err := b.browser(ctx, browserKey{o.Worker, o.Headed, o.Site == nil})
	if err != nil {
		return nil, err
	}
	co := browser.ContextOptions{
		Width: o.Viewport.W, Height: o.Viewport.H, Scale: o.DPR, Locale: o.Locale, Timezone: o.Timezone, UserAgent: o.UserAgent,
		Clock: o.Clock.Time, ClockFrozen: o.ClockFrozen != nil && *o.ClockFrozen,
	}
	if o.Site != nil {
		co.Handler = o.Site.Handler()
	}
	return newSession(ctx, br, co, o.Record)
}

// browser is the running browser of the key, launched where there is none or it
// has crashed.
func (b *browsers) browser(ctx context.Context, key browserKey) (*browser.Browser, error) {
	b.mu.Lock()
	br := b.open[key]
	b.mu.Unlock()
	if br != nil && !br.Crashed() {
		return br, nil
	}
	if br != nil {
		_ = br.Close() // it has crashed; its driver is still there
	}
	o := b.options
	o.Headed, o.Network = key.headed, key.network
	br, err := browser.Launch(ctx, o)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.open[key] = br
	b.mu.Unlock()
	return br, nil
}

// closeTime bounds the closing of browsers at the end of a run.
const closeTime = 1500 * time.Millisecond

// close ends all browsers.
func (b *browsers) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	ended := make(chan error, len(b.open))
	var all sync.WaitGroup
	for _, br := range b.open {
		all.Go(func() { ended <- br.Close() })
	}
	all.Wait()
	close(ended)
	clear(b.open)
	var errs []error
	for err := range ended {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// openOne opens a page in a browser of its own, which ends with the page.
func (a *app) openOne(ctx context.Context, o scenarios.PageOptions) (scenarios.Page, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	o.Headed = o.Headed || c.Headed != nil && *c.Headed
	b := newBrowsers(c)
	p, err := b.page(ctx, o)
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return &onlyPage{p, b}, nil
}

// onlyPage is the only page of its browser.
type onlyPage struct {
	scenarios.Page
	browsers *browsers
}

// Close ends the browser too.
func (p *onlyPage) Close() error { return errors.Join(p.Page.Close(), p.browsers.close()) }

// session is a scenarios.Page over a browser context of its own.
type session struct {
	*browser.Session
	traced bool
}

func newSession(ctx context.Context, br *browser.Browser, o browser.ContextOptions, record bool) (*session, error) {
	c, err := br.Context(ctx, o)
	if err != nil {
		return nil, err
	}
	tabs, err := c.Session(ctx)
	if err == nil && record {
		err = tabs.Page().StartTrace(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, closeContext(c))
	}
	return &session{Session: tabs, traced: record}, nil
}

// HTML is the current tab as it stands.
func (s *session) HTML(ctx context.Context) (string, error) { return s.Page().HTML(ctx) }

// ownService is what the browser itself asks for beside its pages; that it is
// refused is no news.
const ownService = ".googleapis.com/"

// Refused lists what the site did not hold, each once.
func (s *session) Refused() []string {
	var out []string
	for _, r := range s.Context().Refused() {
		text := fmt.Sprintf("%s %s: %s", r.Method, shorten(r.URL, 160), r.Reason)
		if !slices.Contains(out, text) && !strings.Contains(r.URL, ownService) {
			out = append(out, text)
		}
	}
	return out
}

// shorten cuts the middle out of a long text.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-n/2:])
}

// SaveTrace ends the recording and keeps it.
func (s *session) SaveTrace(ctx context.Context, file string) error {
	s.traced = false
	return s.Page().StopTrace(ctx, file)
}

// Close ends the context with all tabs.
func (s *session) Close() error {
	if s.traced {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		_ = s.Page().StopTrace(ctx, "") // what it costs to end it is not worth an error
	}
	return closeContext(s.Context())
}

// closeContext closes within closeTime; a browser that has crashed has closed it.
func closeContext(c *browser.Context) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return c.Close(ctx)
}
