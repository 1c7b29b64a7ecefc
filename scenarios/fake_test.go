package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"harness/dom"
	"harness/locate"
)

// fakePage is a page that is nothing but a few answers; what the runner must
// bear (a crash, a hang) is set off by the words of a step.
type fakePage struct {
	locate.Page // the methods that the runner never calls are nil
	url         string
	seen        map[string]bool // visible words
	script      map[string]string
	gone        error // every call fails with it once it is set
	log         *fakeLog
	refused     []string
	closed      bool
}

// fakeLog is what several pages share: a record of what was done.
type fakeLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *fakeLog) add(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func (l *fakeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

func (p *fakePage) Info(context.Context) (locate.Info, error) {
	return locate.Info{URL: p.url, Viewport: dom.Rect{W: 800, H: 600}}, p.gone
}

func (p *fakePage) Goto(_ context.Context, url string) error {
	if strings.Contains(url, "missing") {
		return fmt.Errorf("%s: not in the site", url)
	}
	p.url = url
	p.log.add("goto %s", url)
	return p.gone
}

func (p *fakePage) Back(context.Context) error { return p.gone }

func (p *fakePage) Eval(_ context.Context, js string) (json.RawMessage, error) {
	if strings.Contains(js, "throw") {
		return nil, fmt.Errorf("script: Error: thrown")
	}
	p.log.add("eval %s", js)
	return json.RawMessage(p.script[js]), p.gone
}

func (p *fakePage) Dialog(context.Context, bool, string) error { return p.gone }
func (p *fakePage) SwitchTab(context.Context, string) error    { return p.gone }
func (p *fakePage) HTML(context.Context) (string, error)       { return "<!doctype html>", p.gone }
func (p *fakePage) Shot(context.Context) (*dom.Shot, error) {
	return nil, fmt.Errorf("no screenshot of a fake")
}
func (p *fakePage) Refused() []string                           { return p.refused }
func (p *fakePage) SaveTrace(_ context.Context, _ string) error { return nil }
func (p *fakePage) Close() error                                { p.closed = true; p.log.add("close"); return nil }

// act does what the words ask for.
func (p *fakePage) act(ctx context.Context, verb string, t locate.Target) (*locate.Resolution, error) {
	w := t.String()
	p.log.add("%s %s", verb, w)
	r := &locate.Resolution{Verb: verb, Words: w, Layer: locate.Locators, Confidence: 97}
	switch {
	case p.gone != nil:
		return r, p.gone
	case w == "crash":
		p.gone = fmt.Errorf("%w: browser crashed", locate.ErrPageClosed)
		return r, p.gone
	case w == "hang":
		<-ctx.Done()
		return r, context.Cause(ctx)
	case w == "deaf": // does not even hear its context
		time.Sleep(5 * time.Second)
	case w == "twins":
		return r, &locate.AmbiguousError{Target: t}
	case w == "nothing":
		return r, &locate.NotFoundError{Target: t}
	case w == "painted":
		r.Layer, r.Confidence = locate.Vision, 71
	case strings.HasPrefix(w, "open "):
		p.seen[strings.TrimPrefix(w, "open ")] = true
	}
	return r, nil
}

// fakeActor acts on a fakePage.
type fakeActor struct {
	Actor // nil: acts that no test does
	page  *fakePage
}

func (a fakeActor) Click(ctx context.Context, t locate.Target, _ locate.ClickOptions, _ locate.How) (*locate.Resolution, error) {
	return a.page.act(ctx, "click", t)
}

func (a fakeActor) Type(ctx context.Context, t locate.Target, _ locate.TypeOptions, _ locate.How) (*locate.Resolution, error) {
	return a.page.act(ctx, "type", t)
}

func (a fakeActor) Hover(ctx context.Context, t locate.Target, _ locate.How) (*locate.Resolution, error) {
	return a.page.act(ctx, "hover", t)
}

func (a fakeActor) Visible(_ context.Context, t locate.Target) (bool, error) {
	return a.page.seen[t.String()], a.page.gone
}

func (a fakeActor) Look(_ context.Context, t locate.Target, _ string) (locate.State, error) {
	if !a.page.seen[t.String()] {
		return locate.State{}, locate.ErrNotFound
	}
	return locate.State{Value: "value of " + t.String(), Text: " text of " + t.String() + "\n", Checked: t.String() == "on"}, a.page.gone
}
