package locate

import (
	"context"
	"log/slog"
	"time"

	"harness/dom"
	"harness/vision"
)

// Options configure an Actor. The zero value acts on layers 1 and 2 with a
// deadline of 10 s an act.
type Options struct {
	Timeout time.Duration // of one act, waiting included; 0 means 10 s
	Vision  vision.Model  // layer 3; nil: there is none
	// MaxVision bounds the model calls of this Actor; 0 means 20, below 0 none.
	MaxVision int
	// Before is called when a target is resolved (or refused) and nothing has
	// been done to the page yet; evidence is taken here. nil: nothing is called.
	Before func(ctx context.Context, r *Resolution)
	Log    *slog.Logger // nil: silent
}

// How says what a caller asks of one act beyond its target.
type How struct {
	Layers  []LayerName   // the layers that may resolve the target; empty: all
	Effect  bool          // no effect is ErrNoEffect
	Timeout time.Duration // 0: the Actor's
	// Refs are the elements behind the numbers of the last observation, for
	// targets that give one (Target.Ref); nil: there was none.
	Refs map[int]dom.Ref
}

// When is what Pick puts in: a day, or a range, with an optional time of day.
type When struct {
	Date string // 2026-01-30; words ("30 January", "tomorrow") are read against the page's clock
	From string // of a range
	To   string
	Time string // 15:04
}

// Actor resolves targets on one page and acts on them. It is used by one
// goroutine at a time. Every method returns a Resolution, with an error too:
// what was tried stands in it.
//
//	Click(ctx, t, ClickOptions, How)            Type(ctx, t, TypeOptions, How)
//	Pick(ctx, t, When, How)                     Select(ctx, t, []string, How)
//	Check(ctx, t, on bool, How)                 Press(ctx, t, keys, How)
//	Hover(ctx, t, How)                          Scroll(ctx, t, ScrollOptions, How)
//	Upload(ctx, t, files, How)                  Drag(ctx, from, to, How)
//	Find(ctx, t, How)                           Visible / Read for expectations
type Actor struct {
	page Page
	opts Options
}

// New makes an Actor for the page.
func New(page Page, o Options) *Actor { return &Actor{page: page, opts: o} }

// TypeOptions say how text goes in.
type TypeOptions struct {
	Text   string
	Keep   bool // append to what the field holds, in place of replacing it
	Submit bool // press Enter afterwards
}

// ScrollOptions say how far; without a distance the target is brought into view.
type ScrollOptions struct {
	X, Y float64 // CSS px, down and right positive
}
