package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"harness/browser"
	"harness/locate"
)

// Names of the ways to click.
const (
	byWords  = "ours: click by words"
	byCSS    = "raw: locator(#id).click()"
	byRole   = "raw: getByRole(name).click()"
	warmUps  = 2   // rounds that do not count: caches and just-in-time code on all sides
	rawLimit = 1.1 // a click by words may take so many times a raw one
)

// way is one way to press the button of a row.
type way struct {
	name  string
	click func(ctx context.Context, row string) error
	took  samples
}

// clicks measures the ways in turns on one page, no row pressed twice. A press
// that reaches another row than the one that was meant is an error.
func clicks(ctx context.Context, br *browser.Browser, o options, rows int, rep *report) error {
	p, end, err := openRows(ctx, br, rows)
	if err != nil {
		return err
	}
	defer end()
	actor := locate.New(p, locate.Options{})
	ways := []*way{
		{name: byWords, click: func(ctx context.Context, row string) error {
			r, err := actor.Click(ctx, locate.Target{Words: "Act " + row + " button"}, locate.ClickOptions{}, locate.How{Effect: true})
			if err == nil && r.Effect == "" {
				return fmt.Errorf("click %s: no effect was seen", row)
			}
			return err
		}},
		{name: byCSS, click: func(ctx context.Context, row string) error { return p.Raw().ClickCSS(ctx, "#act-"+row) }},
		{name: byRole, click: func(ctx context.Context, row string) error { return p.Raw().ClickRole(ctx, "button", "Act "+row) }},
	}
	random := rand.New(rand.NewPCG(o.seed, uint64(rows)))
	order := random.Perm(rows)
	rounds := min(o.n+warmUps, rows/len(ways))
	for round := range rounds {
		for i := range ways {
			w := ways[(round+i)%len(ways)]
			row := rowID(order[round*len(ways)+i])
			took, err := timed(ctx, p, w, row)
			if err != nil {
				return fmt.Errorf("%d rows, %s: %w", rows, w.name, err)
			}
			if round >= warmUps {
				w.took = append(w.took, took)
			}
		}
	}
	page := fmt.Sprintf("%d rows", rows)
	for _, w := range ways {
		rep.figure("click", page, w.name, w.took)
	}
	against := func(peer *way, target float64) {
		rep.ratio("click", page, "words", peer.name, ms(ways[0].took.median())/ms(peer.took.median()), target)
	}
	against(ways[1], rawLimit)
	if rows >= 1000 {
		against(ways[2], 1)
	} else {
		against(ways[2], 0)
	}
	return nil
}

func timed(ctx context.Context, p *browser.Page, w *way, row string) (time.Duration, error) {
	start := time.Now()
	if err := w.click(ctx, row); err != nil {
		return 0, err
	}
	took := time.Since(start)
	hit, err := pressed(ctx, p)
	if err != nil {
		return 0, err
	}
	if len(hit) != 1 || hit[0] != row {
		return 0, fmt.Errorf("meant row %s, pressed %v", row, hit)
	}
	return took, nil
}
