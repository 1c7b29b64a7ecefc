package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"harness/browser"
	"harness/classify"
	"harness/dom"
)

// ariaLimit is the share of the aria snapshot's time that our inventory may take.
const ariaLimit = .10

// inventory measures the list of all interactive elements with kinds and boxes
// against the aria snapshot with boxes, in turns.
func inventory(ctx context.Context, br *browser.Browser, o options, rows int, rep *report) error {
	p, end, err := openRows(ctx, br, rows)
	if err != nil {
		return err
	}
	defer end()
	var ours, read, kinds, peer samples
	for round := range o.n + 1 {
		start := time.Now()
		s, err := p.Snapshot(ctx, dom.Query{})
		if err != nil {
			return err
		}
		mid := time.Now()
		items := classify.Page(s)
		done := time.Now()
		if err := complete(items, rows); err != nil {
			return err
		}
		ariaStart := time.Now()
		aria, err := p.Raw().AriaSnapshot(ctx)
		if err != nil {
			return err
		}
		ariaTook := time.Since(ariaStart)
		if n := strings.Count(aria, "- button "); n != rows {
			return fmt.Errorf("the aria snapshot has %d buttons, the page %d", n, rows)
		}
		if round == 0 {
			continue // warms up
		}
		ours, read, kinds = append(ours, done.Sub(start)), append(read, mid.Sub(start)), append(kinds, done.Sub(mid))
		peer = append(peer, ariaTook)
	}
	page := fmt.Sprintf("%d rows", rows)
	rep.figure("inventory", page, "ours: kinds and boxes", ours)
	rep.figure("inventory", page, "  of it the snapshot", read)
	rep.figure("inventory", page, "  of it the kinds", kinds)
	rep.figure("inventory", page, `raw: ariaSnapshot({mode: "ai", boxes})`, peer)
	rep.ratio("inventory", page, "ours", "ariaSnapshot", ms(ours.median())/ms(peer.median()), ariaLimit)
	return nil
}

// complete fails where the inventory lacks one of the page's elements, its kind
// or its box.
func complete(items []classify.Item, rows int) error {
	count := map[classify.Kind]int{}
	for _, it := range items {
		if it.Node.Box.Empty() {
			return fmt.Errorf("inventory: %s has no box", it.Kind)
		}
		count[it.Kind]++
	}
	for _, k := range []classify.Kind{classify.Button, classify.Input, classify.Link} {
		if count[k] != rows {
			return fmt.Errorf("inventory: %d of kind %s, the page has %d", count[k], k, rows)
		}
	}
	return nil
}
