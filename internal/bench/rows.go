package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"time"

	"harness/browser"
)

//go:embed rows.html
var rowsHTML string

// rowsSite serves /N as a page with a table of N rows: a text, a button, an
// input and a link in each, all names unique. A press on a button changes its
// row's text and is remembered for pressed.
func rowsSite() (http.Handler, error) {
	t, err := template.New("rows").Parse(rowsHTML)
	if err != nil {
		return nil, fmt.Errorf("rows page: %v", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			http.NotFound(w, r)
			return
		}
		ids := make([]string, n)
		for i := range ids {
			ids[i] = rowID(i)
		}
		var b bytes.Buffer
		if err := t.Execute(&b, ids); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(b.Bytes())
	}), nil
}

// rowID is the part of the names that is the row's own.
func rowID(i int) string { return strconv.Itoa(10001 + i) }

// patience is for peers on a busy machine: what they take is measured, not judged.
const patience = 3 * time.Minute

// openRows opens the page of n rows in a context of its own.
func openRows(ctx context.Context, br *browser.Browser, n int) (*browser.Page, func(), error) {
	site, err := rowsSite()
	if err != nil {
		return nil, nil, err
	}
	c, err := br.Context(ctx, browser.ContextOptions{Handler: site, Timeout: patience})
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = c.Close(context.WithoutCancel(ctx)) }
	p, err := c.Page(ctx)
	if err == nil {
		err = p.Goto(ctx, fmt.Sprintf("https://rows.test/%d", n))
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return p, end, nil
}

// pressed are the rows whose buttons were pressed since it was last asked; it
// comes back when the page has painted what that changed.
func pressed(ctx context.Context, p *browser.Page) ([]string, error) {
	raw, err := p.Eval(ctx, "await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); return pressed.splice(0)")
	if err != nil {
		return nil, err
	}
	var rows []string
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("rows page: %v", err)
	}
	return rows, nil
}
