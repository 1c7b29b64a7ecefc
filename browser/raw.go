package browser

import (
	"context"
	"fmt"

	"github.com/mxschmitt/playwright-go"
)

// Raw is Playwright's own way of doing things on the same page: the peer that
// benchmarks set the harness against. Nothing else uses it, and nothing of ours
// stands between a call and Playwright but its ctx.
type Raw struct{ p *Page }

// Raw is Playwright's page.
func (p *Page) Raw() Raw { return Raw{p} }

// ClickCSS is page.locator(css).click().
func (r Raw) ClickCSS(ctx context.Context, css string) error {
	return r.click(ctx, r.p.pw.Locator(css))
}

// ClickRole is page.getByRole(role, {name, exact: true}).click().
func (r Raw) ClickRole(ctx context.Context, role, name string) error {
	return r.click(ctx, r.p.pw.GetByRole(playwright.AriaRole(role), playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)}))
}

func (r Raw) click(ctx context.Context, l playwright.Locator) error {
	_, err := on(ctx, r.p, func() (struct{}, error) {
		return struct{}{}, l.Click(playwright.LocatorClickOptions{Timeout: r.p.timeout(ctx)})
	})
	if err != nil {
		return fmt.Errorf("raw click: %v", err)
	}
	return nil
}

// AriaSnapshot is page.ariaSnapshot({mode: "ai", boxes: true}).
func (r Raw) AriaSnapshot(ctx context.Context) (string, error) {
	s, err := on(ctx, r.p, func() (string, error) {
		return r.p.pw.AriaSnapshot(playwright.PageAriaSnapshotOptions{
			Mode: playwright.AriaSnapshotModeAi, Boxes: playwright.Bool(true), Timeout: r.p.timeout(ctx),
		})
	})
	if err != nil {
		return "", fmt.Errorf("raw aria snapshot: %v", err)
	}
	return s, nil
}
