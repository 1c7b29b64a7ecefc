package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"harness/browser"
	"harness/scenarios"
)

// session is a scenario's page in a browser context of its own.
type session struct {
	*browser.Page
	context   *browser.Context
	recording bool // Playwright's trace runs
}

func openPage(ctx context.Context, br *browser.Browser, o scenarios.PageOptions, recording bool) (scenarios.Page, error) {
	co := browser.ContextOptions{
		Width: o.Viewport.W, Height: o.Viewport.H, Scale: o.DPR, Locale: o.Locale, Timezone: o.Timezone, UserAgent: o.UserAgent,
		Clock: o.Clock.Time, ClockFrozen: o.ClockFrozen != nil && *o.ClockFrozen,
	}
	if o.Site != nil {
		co.Handler = o.Site.Handler()
	}
	c, err := br.Context(ctx, co)
	if err != nil {
		return nil, err
	}
	s := &session{context: c}
	if s.Page, err = c.Page(ctx); err == nil && recording {
		err = s.StartTrace(ctx)
		s.recording = err == nil
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Dialog says what is done with the next dialog.
func (s *session) Dialog(_ context.Context, accept bool, text string) error {
	s.SetDialog(browser.DialogPolicy{Accept: accept, Dismiss: !accept, Text: text})
	return nil
}

// SwitchTab makes another tab the current one, by number or by words of its
// title or address.
func (s *session) SwitchTab(ctx context.Context, which string) error {
	n, err := strconv.Atoi(which)
	for i, p := range s.context.Pages() {
		if err == nil && i+1 != n {
			continue
		}
		info, ierr := p.Info(ctx)
		if err != nil && (ierr != nil || !strings.Contains(strings.ToLower(info.Title+" "+info.URL), strings.ToLower(which))) {
			continue
		}
		if err := p.Front(ctx); err != nil {
			return err
		}
		s.Page = p
		return nil
	}
	return fmt.Errorf("tab %q: there is none", which)
}

// Refused lists the requests that the site did not hold.
func (s *session) Refused() []string {
	var out []string
	for _, r := range s.context.Refused() {
		out = append(out, r.String())
	}
	return out
}

// SaveTrace keeps Playwright's trace where it was recorded.
func (s *session) SaveTrace(ctx context.Context, file string) error {
	if !s.recording {
		return nil
	}
	s.recording = false
	return s.StopTrace(ctx, file)
}

// Close ends the context.
func (s *session) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if s.recording {
		_ = s.StopTrace(ctx, "")
	}
	return s.context.Close(ctx)
}
