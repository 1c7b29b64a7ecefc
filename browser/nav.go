package browser

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"harness/dom"
	"harness/locate"
)

// Goto opens the address and waits until its document has loaded. It fails
// where the address is refused or the answer is no page.
func (p *Page) Goto(ctx context.Context, url string) error {
	return p.navigate(ctx, "go to "+url, func(timeout *float64) (playwright.Response, error) {
		return p.pw.Goto(url, playwright.PageGotoOptions{Timeout: timeout})
	})
}

// Back goes back in the tab's history; where there is nothing to go back to it
// fails.
func (p *Page) Back(ctx context.Context) error {
	before := p.URL()
	err := p.navigate(ctx, "back", func(timeout *float64) (playwright.Response, error) {
		return p.pw.GoBack(playwright.PageGoBackOptions{Timeout: timeout})
	})
	if err == nil && p.URL() == before {
		moved := false
		p.mu.Lock()
		for _, e := range p.log.events[max(0, len(p.log.events)-5):] {
			moved = moved || strings.HasPrefix(e.what, "address") && time.Since(e.at) < 5*time.Second
		}
		p.mu.Unlock()
		if !moved {
			return fmt.Errorf("back: %w: no earlier page", locate.ErrUsage)
		}
	}
	return err
}

// Reload loads the page again.
func (p *Page) Reload(ctx context.Context) error {
	return p.navigate(ctx, "reload", func(timeout *float64) (playwright.Response, error) {
		return p.pw.Reload(playwright.PageReloadOptions{Timeout: timeout})
	})
}

func (p *Page) navigate(ctx context.Context, what string, do func(timeout *float64) (playwright.Response, error)) error {
	began := time.Now()
	defer func() { p.acted(began, time.Now()) }()
	_, err := on(ctx, p, func() (struct{}, error) {
		r, err := do(p.timeout(ctx))
		if err != nil {
			return struct{}{}, p.navError(err)
		}
		if r == nil {
			return struct{}{}, nil
		}
		if reason := r.Headers()[strings.ToLower(RefusedHeader)]; reason != "" {
			return struct{}{}, &RefusedError{URL: r.URL(), Reason: reason}
		}
		return struct{}{}, nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// RefusedError is a navigation to an address that the context's Handler does
// not hold.
type RefusedError struct{ URL, Reason string }

func (e *RefusedError) Error() string { return "refused: " + e.Reason }

func (p *Page) navError(err error) error {
	switch s := err.Error(); {
	case errors.Is(err, playwright.ErrTimeout):
		return fmt.Errorf("%w: page did not load", locate.ErrTimeout)
	case strings.Contains(s, "net::ERR_NAME_NOT_RESOLVED"):
		return fmt.Errorf("no such host, or no way to it")
	case strings.Contains(s, "net::ERR_ABORTED"):
		return fmt.Errorf("navigation was given up (a download, or another navigation)")
	case strings.Contains(s, "invalid URL"), strings.Contains(s, "Cannot navigate to invalid URL"):
		return fmt.Errorf("%w: no such address", locate.ErrUsage)
	}
	return p.c.fail(err)
}

// Front brings the tab to the front.
func (p *Page) Front(ctx context.Context) error {
	_, err := on(ctx, p, func() (struct{}, error) { return struct{}{}, p.scriptError(p.pw.BringToFront()) })
	if err != nil {
		return fmt.Errorf("switch tab: %w", err)
	}
	return nil
}

// Close closes the tab without asking it.
func (p *Page) Close(ctx context.Context) error {
	select {
	case <-p.closed:
		return nil
	default:
	}
	_, err := run(ctx, p.c, func() (struct{}, error) { return struct{}{}, p.pw.Close() })
	if err != nil && !errors.Is(err, locate.ErrPageClosed) {
		return fmt.Errorf("close page: %w", err)
	}
	return nil
}

// Context is the context that the page belongs to.
func (p *Page) Context() *Context { return p.c }

// Upload puts files into a file input, or into the chooser that a click on the
// element opens.
func (p *Page) Upload(ctx context.Context, ref dom.Ref, files []string) error {
	f, selector, err := p.target(ref)
	if err != nil {
		return fmt.Errorf("upload into %s: %w", ref, err)
	}
	var is struct{ Stale, Yes bool }
	if err := p.call(ctx, f, &is, "isFileInput", ref.ID); err != nil {
		return fmt.Errorf("upload into %s: %w", ref, err)
	}
	if is.Stale {
		return fmt.Errorf("upload into %s: %w", ref, locate.ErrStale)
	}
	var what any = files
	if len(files) == 0 {
		what = []playwright.InputFile{}
	}
	_, err = on(ctx, p, func() (struct{}, error) {
		timeout := p.timeout(ctx)
		if is.Yes {
			return struct{}{}, p.fileError(f.pw.SetInputFiles(selector, what, playwright.FrameSetInputFilesOptions{Timeout: timeout}))
		}
		chooser, err := p.pw.ExpectFileChooser(func() error {
			return f.pw.Click(selector, playwright.FrameClickOptions{Timeout: timeout})
		}, playwright.PageExpectFileChooserOptions{Timeout: timeout})
		if err != nil {
			return struct{}{}, p.actError(err)
		}
		return struct{}{}, p.fileError(chooser.SetFiles(what, playwright.FileChooserSetFilesOptions{Timeout: timeout}))
	})
	if err != nil {
		return fmt.Errorf("upload into %s: %w", ref, err)
	}
	return nil
}

func (p *Page) fileError(err error) error {
	if err != nil && strings.Contains(err.Error(), "no such file") {
		return fmt.Errorf("%w: %s", locate.ErrUsage, firstLines(err, 1))
	}
	return p.actError(err)
}

func (p *Page) onDownload(d playwright.Download) {
	rec := Download{At: time.Now(), URL: d.URL(), Name: d.SuggestedFilename()}
	p.note(event{what: "a download began: " + rec.Name})
	p.mu.Lock()
	at := len(p.log.downloads)
	p.log.downloads = append(p.log.downloads, rec)
	p.mu.Unlock()
	if p.c.opts.Downloads == "" {
		return
	}
	p.c.goes(func() {
		path := filepath.Join(p.c.opts.Downloads, fmt.Sprintf("%d-%s", at+1, filepath.Base(rec.Name)))
		err := d.SaveAs(path)
		p.mu.Lock()
		defer p.mu.Unlock()
		if err != nil {
			p.log.downloads[at].Err = firstLines(err, 1)
			return
		}
		p.log.downloads[at].Path = path
	})
}

// StartTrace begins a Playwright trace of the whole context.
func (p *Page) StartTrace(ctx context.Context) error {
	_, err := on(ctx, p, func() (struct{}, error) {
		return struct{}{}, p.scriptError(p.c.pw.Tracing().Start(playwright.TracingStartOptions{
			Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true),
		}))
	})
	if err != nil {
		return fmt.Errorf("start trace: %w", err)
	}
	return nil
}

// StopTrace ends the trace and writes it to the zip file; "" drops it. It
// works on a closed page as long as the context is open.
func (p *Page) StopTrace(ctx context.Context, path string) error {
	_, err := run(ctx, p.c, func() (struct{}, error) {
		if path == "" {
			return struct{}{}, p.scriptError(p.c.pw.Tracing().Stop())
		}
		return struct{}{}, p.scriptError(p.c.pw.Tracing().Stop(path))
	})
	if err != nil {
		return fmt.Errorf("stop trace: %w", err)
	}
	return nil
}
