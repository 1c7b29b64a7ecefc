package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image/png"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"harness/dom"
	"harness/locate"
)

// Shot is a screenshot of the viewport, as large as the browser made it.
func (p *Page) Shot(ctx context.Context) (*dom.Shot, error) {
	b, err := on(ctx, p, p.capture)
	if err != nil {
		return nil, fmt.Errorf("screenshot: %w", err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("screenshot: %v", err)
	}
	info, err := p.Info(ctx)
	if err != nil {
		return nil, fmt.Errorf("screenshot: %w", err)
	}
	view := dom.Rect{W: info.Viewport.W, H: info.Viewport.H}
	if view.Empty() {
		return nil, errors.New("screenshot: the page has no size")
	}
	return &dom.Shot{PNG: b, Width: size.Width, Height: size.Height, View: view, Scale: float64(size.Width) / view.W}, nil
}

// captureTries is how often the browser is asked before Playwright is.
const captureTries = 4

// capture asks the browser itself: with optimizeForSpeed it encodes in a
// quarter of the time of Playwright's screenshot. A page that has not painted yet is
// asked again.
//
// At ratios other than 1 Playwright is asked at once: a session beside its own has
// a device of its own, and now and then the image that it gives is as large as the
// ratio says, but shows the page drawn at ratio 1, so that a point read from it is
// a wrong press.
func (p *Page) capture() ([]byte, error) {
	if scale := p.c.opts.Scale; scale != 0 && scale != 1 {
		return p.playwrightShot()
	}
	cdp, err := p.session()
	if err != nil {
		return nil, err
	}
	for range captureTries {
		v, err := cdp.Send("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": true})
		if err == nil {
			return pngOf(v)
		}
		if !strings.Contains(err.Error(), "Unable to capture screenshot") {
			return nil, p.scriptError(err)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-p.closed:
			return nil, locate.ErrPageClosed
		}
	}
	return p.playwrightShot()
}

// playwrightShot leaves the caret as it is: to hide it would change the page's styles.
func (p *Page) playwrightShot() ([]byte, error) {
	b, err := p.pw.Screenshot(playwright.PageScreenshotOptions{
		Timeout: playwright.Float(ms(p.c.opts.Timeout)), Caret: playwright.ScreenshotCaretInitial,
	})
	return b, p.scriptError(err)
}

// session is the page's line to the browser's own protocol.
func (p *Page) session() (playwright.CDPSession, error) {
	p.mu.Lock()
	cdp := p.cdp
	p.mu.Unlock()
	if cdp != nil {
		return cdp, nil
	}
	cdp, err := p.c.pw.NewCDPSession(p.pw)
	if err != nil {
		return nil, p.scriptError(err)
	}
	// A session has a device of its own, in which screenshots are taken; the
	// one in which Playwright set ours is Playwright's.
	if size := p.pw.ViewportSize(); size != nil {
		_, err = cdp.Send("Emulation.setDeviceMetricsOverride", map[string]any{
			"width": size.Width, "height": size.Height, "deviceScaleFactor": p.c.opts.Scale, "mobile": false,
		})
		if err != nil {
			return nil, p.scriptError(err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cdp = cdp
	return cdp, nil
}

func pngOf(v any) ([]byte, error) {
	data, ok := v.(string)
	if m, is := v.(map[string]any); is {
		data, ok = m["data"].(string)
	}
	if !ok {
		return nil, errors.New("no image in the browser's answer")
	}
	return base64.StdEncoding.DecodeString(data)
}
