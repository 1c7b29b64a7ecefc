package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"harness/dom"
	"harness/locate"
)

// Tab is an open tab of a context.
type Tab struct {
	Number  int // from 1, in the order in which the tabs opened
	URL     string
	Title   string
	Current bool
}

// Session is a context with a current tab: what a person has before them. It
// implements locate.Page on the current tab. Where that tab closes itself, the
// acts on it say so; SwitchTab goes on with another.
type Session struct {
	c *Context

	mu  sync.Mutex
	cur *Page
}

var _ locate.Page = (*Session)(nil)

// Session opens a page in the context and makes it the current one.
func (c *Context) Session(ctx context.Context) (*Session, error) {
	p, err := c.Page(ctx)
	if err != nil {
		return nil, err
	}
	return &Session{c: c, cur: p}, nil
}

// Page is the current tab.
func (s *Session) Page() *Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur
}

// Context is the context of all tabs.
func (s *Session) Context() *Context { return s.c }

// Tabs lists the open tabs.
func (s *Session) Tabs(ctx context.Context) ([]Tab, error) {
	current := s.Page()
	var out []Tab
	for i, p := range s.c.Pages() {
		info, err := p.Info(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("tabs: %w", context.Cause(ctx))
		}
		if err != nil {
			info.URL = p.URL()
		}
		out = append(out, Tab{Number: i + 1, URL: info.URL, Title: info.Title, Current: p == current})
	}
	return out, nil
}

// SwitchTab makes another tab the current one: "2" is the second, other words
// are looked for in title and address and must fit one tab alone.
func (s *Session) SwitchTab(ctx context.Context, which string) error {
	tabs, err := s.Tabs(ctx)
	if err != nil {
		return err
	}
	pages := s.c.Pages()
	var fits []int
	number, err := strconv.Atoi(strings.TrimSpace(which))
	for i, t := range tabs {
		words := strings.ToLower(t.Title + "\n" + t.URL)
		if err == nil && number == t.Number || err != nil && strings.Contains(words, strings.ToLower(strings.TrimSpace(which))) {
			fits = append(fits, i)
		}
	}
	if len(fits) != 1 || fits[0] >= len(pages) {
		kind := locate.ErrNotFound
		if len(fits) > 1 {
			kind = locate.ErrAmbiguous
		}
		return fmt.Errorf("tab %q: %w%s", which, kind, listed(tabs))
	}
	p := pages[fits[0]]
	if err := p.Front(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cur = p
	return nil
}

func listed(tabs []Tab) string {
	var b strings.Builder
	for _, t := range tabs {
		fmt.Fprintf(&b, "\n  tab %d: %q %s", t.Number, t.Title, t.URL)
	}
	return b.String()
}

// Goto is Page.Goto of the current tab; likewise the methods below.
func (s *Session) Goto(ctx context.Context, url string) error { return s.Page().Goto(ctx, url) }

// Back is Page.Back.
func (s *Session) Back(ctx context.Context) error { return s.Page().Back(ctx) }

// Eval is Page.Eval.
func (s *Session) Eval(ctx context.Context, js string) (json.RawMessage, error) {
	return s.Page().Eval(ctx, js)
}

// Dialog is Page.Dialog.
func (s *Session) Dialog(ctx context.Context, accept bool, text string) error {
	return s.Page().Dialog(ctx, accept, text)
}

// Snapshot is Page.Snapshot.
func (s *Session) Snapshot(ctx context.Context, q dom.Query) (*dom.Snapshot, error) {
	return s.Page().Snapshot(ctx, q)
}

// Read is Page.Read.
func (s *Session) Read(ctx context.Context, ref dom.Ref) (locate.State, error) {
	return s.Page().Read(ctx, ref)
}

// Aim is Page.Aim.
func (s *Session) Aim(ctx context.Context, ref dom.Ref) (locate.Aim, error) {
	return s.Page().Aim(ctx, ref)
}

// HitTest is Page.HitTest.
func (s *Session) HitTest(ctx context.Context, at dom.Point) (dom.Ref, error) {
	return s.Page().HitTest(ctx, at)
}

// Shot is Page.Shot.
func (s *Session) Shot(ctx context.Context) (*dom.Shot, error) { return s.Page().Shot(ctx) }

// Info is Page.Info.
func (s *Session) Info(ctx context.Context) (locate.Info, error) { return s.Page().Info(ctx) }

// Click is Page.Click.
func (s *Session) Click(ctx context.Context, ref dom.Ref, o locate.ClickOptions) error {
	return s.Page().Click(ctx, ref, o)
}

// ClickAt is Page.ClickAt.
func (s *Session) ClickAt(ctx context.Context, at dom.Point, o locate.ClickOptions) error {
	return s.Page().ClickAt(ctx, at, o)
}

// Hover is Page.Hover.
func (s *Session) Hover(ctx context.Context, ref dom.Ref) error { return s.Page().Hover(ctx, ref) }

// HoverAt is Page.HoverAt.
func (s *Session) HoverAt(ctx context.Context, at dom.Point) error { return s.Page().HoverAt(ctx, at) }

// Fill is Page.Fill.
func (s *Session) Fill(ctx context.Context, ref dom.Ref, text string) error {
	return s.Page().Fill(ctx, ref, text)
}

// Type is Page.Type.
func (s *Session) Type(ctx context.Context, ref dom.Ref, text string, clear bool) error {
	return s.Page().Type(ctx, ref, text, clear)
}

// Press is Page.Press.
func (s *Session) Press(ctx context.Context, ref dom.Ref, keys string) error {
	return s.Page().Press(ctx, ref, keys)
}

// Select is Page.Select.
func (s *Session) Select(ctx context.Context, ref dom.Ref, indexes []int) error {
	return s.Page().Select(ctx, ref, indexes)
}

// SetChecked is Page.SetChecked.
func (s *Session) SetChecked(ctx context.Context, ref dom.Ref, on bool) error {
	return s.Page().SetChecked(ctx, ref, on)
}

// Scroll is Page.Scroll.
func (s *Session) Scroll(ctx context.Context, ref dom.Ref, dx, dy float64) (bool, error) {
	return s.Page().Scroll(ctx, ref, dx, dy)
}

// Upload is Page.Upload.
func (s *Session) Upload(ctx context.Context, ref dom.Ref, files []string) error {
	return s.Page().Upload(ctx, ref, files)
}

// Drag is Page.Drag.
func (s *Session) Drag(ctx context.Context, from, to dom.Ref) error {
	return s.Page().Drag(ctx, from, to)
}

// Watch is Page.Watch.
func (s *Session) Watch(ctx context.Context, target dom.Ref) (locate.Watch, error) {
	return s.Page().Watch(ctx, target)
}

// Settle is Page.Settle.
func (s *Session) Settle(ctx context.Context, quiet, limit time.Duration) (bool, error) {
	return s.Page().Settle(ctx, quiet, limit)
}
