package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image/png"

	"harness/dom"
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

// capture asks the browser itself: with optimizeForSpeed it encodes in a
// quarter of the time of Playwright's screenshot.
func (p *Page) capture() ([]byte, error) {
	p.mu.Lock()
	cdp := p.cdp
	p.mu.Unlock()
	if cdp == nil {
		var err error
		if cdp, err = p.c.pw.NewCDPSession(p.pw); err != nil {
			return nil, p.scriptError(err)
		}
		p.mu.Lock()
		p.cdp = cdp
		p.mu.Unlock()
	}
	v, err := cdp.Send("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": true})
	if err != nil {
		return nil, p.scriptError(err)
	}
	m, _ := v.(map[string]any)
	data, ok := m["data"].(string)
	if !ok {
		if data, ok = v.(string); !ok {
			return nil, errors.New("no image in the browser's answer")
		}
	}
	return base64.StdEncoding.DecodeString(data)
}
