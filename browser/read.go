package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"harness/dom"
	"harness/locate"
)

// Read is the live state of an element.
func (p *Page) Read(ctx context.Context, ref dom.Ref) (locate.State, error) {
	f, _, err := p.target(ref)
	if err != nil {
		return locate.State{}, fmt.Errorf("read %s: %w", ref, err)
	}
	var got struct {
		Stale bool
		locate.State
	}
	if err := p.call(ctx, f, &got, "read", ref.ID); err != nil {
		return locate.State{}, fmt.Errorf("read %s: %w", ref, err)
	}
	if got.Stale {
		return locate.State{}, fmt.Errorf("read %s: %w", ref, locate.ErrStale)
	}
	return got.State, nil
}

// Info is the address, title, clock and size of the page.
func (p *Page) Info(ctx context.Context) (locate.Info, error) {
	var got struct {
		URL, Title, Lang, Zone string
		Now                    int64 // ms since 1970
		Offset                 int   // s east of UTC
		View                   box
		Scale                  float64
	}
	if err := p.call(ctx, p.frameOf(0), &got, "info"); err != nil {
		return locate.Info{}, fmt.Errorf("page info: %w", err)
	}
	return locate.Info{
		URL: got.URL, Title: got.Title, Lang: got.Lang, Scale: got.Scale, Viewport: got.View.rect(),
		Now: time.UnixMilli(got.Now).In(zone(got.Zone, got.Offset)),
	}, nil
}

// zone is the page's time zone, by name where the machine knows it.
func zone(name string, offset int) *time.Location {
	if loc, err := time.LoadLocation(name); err == nil && name != "" {
		return loc
	}
	return time.FixedZone(name, offset)
}

// URL is the address of the main frame, as last heard.
func (p *Page) URL() string { return p.pw.URL() }

// Eval evaluates a script in the main frame: an expression, or statements with
// a return. A promise is awaited. The result is JSON; what JSON has no word for
// is null.
func (p *Page) Eval(ctx context.Context, script string) (json.RawMessage, error) {
	v, err := on(ctx, p, func() (any, error) {
		v, err := p.pw.Evaluate(evalScript, script)
		return v, p.scriptError(err)
	})
	if err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	s, _ := v.(string)
	return json.RawMessage(s), nil
}
