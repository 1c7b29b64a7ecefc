package browser

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"harness/dom"
	"harness/locate"
)

//go:embed save.js
var saveScript string

// hiddenText stands for a secret in saved pages.
const hiddenText = "••••••"

// HTML is the page as it stands in one file that opens offline: shadow roots,
// frames, live form values and styles in it, scripts left out, and the facts of
// the snapshot as data-harness attributes, so that dom.ParseHTML gives the
// snapshot back. Values of password, one-time-code and card fields and the
// context's Secrets are masked; what shows one on the screenshot bears
// data-harness-masked with its box. Style sheets of other origins, large pictures
// and those that style sheets name stay addresses. A frame that goes away meanwhile is left empty.
func (p *Page) HTML(ctx context.Context) (string, error) {
	frames, err := p.attached(ctx)
	if err != nil {
		return "", fmt.Errorf("page html: %w", err)
	}
	at, err := p.origins(ctx, frames)
	if err != nil {
		return "", fmt.Errorf("page html: %w", err)
	}
	token := "harness-frame-" + rand.Text() + "-"
	docs := make([]string, len(frames))
	errs := make([]error, len(frames))
	secrets := secretForms(p.c.opts.Secrets)
	var wg sync.WaitGroup
	for i, f := range frames {
		wg.Go(func() {
			docs[i], errs[i] = p.save(ctx, f, map[string]any{
				"x": at[f].X, "y": at[f].Y, "token": token, "secrets": secrets, "hidden": hiddenText, "main": i == 0,
			})
		})
	}
	wg.Wait()
	for i := range frames {
		if errs[i] != nil && (i == 0 || ctx.Err() != nil) {
			return "", fmt.Errorf("page html: %w", errs[i])
		}
	}
	return assemble(frames, docs, token), nil
}

// origins are the places of the frames' viewports in the main one.
func (p *Page) origins(ctx context.Context, frames []*frame) (map[*frame]dom.Point, error) {
	at := map[*frame]dom.Point{}
	for _, f := range frames {
		if f.parent == nil {
			continue
		}
		in, err := p.place(ctx, f)
		if err != nil && (ctx.Err() != nil || err == locate.ErrPageClosed) {
			return nil, err
		}
		up := at[f.parent] // parents come first
		at[f] = dom.Point{X: up.X + in.X, Y: up.Y + in.Y}
	}
	return at, nil
}

// save calls the script, and brings it into the document where it is missing:
// pages that are never saved need not load it.
func (p *Page) save(ctx context.Context, f *frame, arg map[string]any) (string, error) {
	for try := 0; ; try++ {
		v, err := on(ctx, p, func() (any, error) {
			v, err := f.pw.Evaluate(callScript, []any{"save", p.last(f), []any{arg}})
			return v, p.scriptError(err)
		})
		switch {
		case err == nil:
			return p.answer(f, "save", v)
		case err == errMoved && try < 3:
			continue
		case err != errMissing || try >= 3:
			return "", err
		}
		if _, err := p.ask(ctx, f, "floor", 0); err != nil { // brings the other scripts
			return "", err
		}
		if _, err := on(ctx, p, func() (any, error) {
			v, err := f.pw.Evaluate(saveScript)
			return v, p.scriptError(err)
		}); err != nil && err != errMoved {
			return "", err
		}
	}
}

// assemble puts the frames' documents into their frame elements.
func assemble(frames []*frame, docs []string, token string) string {
	content := map[*frame]map[int]string{}
	for i := len(frames) - 1; i >= 0; i-- { // children first
		f, html := frames[i], fill(docs[i], token, content[frames[i]])
		if f.parent == nil {
			return html
		}
		if content[f.parent] == nil {
			content[f.parent] = map[int]string{}
		}
		content[f.parent][f.owner] = html
	}
	return ""
}

var quoteAttr = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// fill replaces every token with the quoted document of its frame.
func fill(html, token string, content map[int]string) string {
	parts := strings.Split(html, token)
	if len(parts) == 1 {
		return html
	}
	var b strings.Builder
	b.WriteString(parts[0])
	for _, part := range parts[1:] {
		number, rest, _ := strings.Cut(part, ";")
		if id, err := strconv.Atoi(number); err == nil {
			_, _ = quoteAttr.WriteString(&b, content[id])
		}
		b.WriteString(rest)
	}
	return b.String()
}

// secretForms are the secrets as they are and as addresses write them, the
// longest first, since one may hold another.
func secretForms(secrets []string) []string {
	forms := []string{}
	for _, s := range secrets {
		if s == "" {
			continue
		}
		for _, form := range []string{s, url.QueryEscape(s), url.PathEscape(s)} {
			if !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return forms
}
