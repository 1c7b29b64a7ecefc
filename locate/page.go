package locate

import (
	"context"
	"time"

	"harness/dom"
)

// Page is what the engine needs of a browser page. browser.Page implements it
// on Playwright, locatetest.Page on fixture HTML; both pass the same contract
// test (locatetest.Contract).
//
// Every method returns as soon as ctx ends, with context.Cause(ctx). A Ref that
// no longer stands in the page gives ErrStale, a closed page ErrPageClosed.
// Points and boxes are CSS px in the main frame's viewport. A Page is used by
// one goroutine at a time.
type Page interface {
	// Snapshot reads the composed tree of all frames.
	Snapshot(ctx context.Context, q dom.Query) (*dom.Snapshot, error)
	// Read is the live state of one element.
	Read(ctx context.Context, ref dom.Ref) (State, error)
	// Aim scrolls the element into view, waits until its box rests, and says
	// which point of it a press would reach and, where none would, what covers
	// it. It does not press.
	Aim(ctx context.Context, ref dom.Ref) (Aim, error)
	// HitTest says which element a press at the point would reach; a zero Ref
	// where there is none.
	HitTest(ctx context.Context, p dom.Point) (dom.Ref, error)
	// Shot is a screenshot of the viewport.
	Shot(ctx context.Context) (*dom.Shot, error)
	// Info is the address, title, clock and size of the page.
	Info(ctx context.Context) (Info, error)

	// Click presses the element with the browser's own checks (visible, at
	// rest, enabled, not covered) and waits for them until ctx ends.
	Click(ctx context.Context, ref dom.Ref, o ClickOptions) error
	// ClickAt presses at a point without any check.
	ClickAt(ctx context.Context, p dom.Point, o ClickOptions) error
	// Hover moves the mouse over the element.
	Hover(ctx context.Context, ref dom.Ref) error
	// HoverAt moves the mouse to a point without any check.
	HoverAt(ctx context.Context, p dom.Point) error
	// Fill sets the value of an input, textarea or editable element as one
	// edit, with the input events that an edit makes.
	Fill(ctx context.Context, ref dom.Ref, text string) error
	// Type focuses the element, clears it if asked, and types key by key.
	Type(ctx context.Context, ref dom.Ref, text string, clear bool) error
	// Press presses keys ("Enter", "Control+a") on the element, or on whatever
	// has the focus where ref is zero.
	Press(ctx context.Context, ref dom.Ref, keys string) error
	// Select chooses options of a native select by their indexes.
	Select(ctx context.Context, ref dom.Ref, indexes []int) error
	// SetChecked checks or unchecks a native checkbox or radio.
	SetChecked(ctx context.Context, ref dom.Ref, on bool) error
	// Scroll turns the wheel over the element (over the page's middle where
	// ref is zero) by CSS px and reports whether anything moved.
	Scroll(ctx context.Context, ref dom.Ref, dx, dy float64) (bool, error)
	// Upload puts files into a file input, or into the chooser that a click on
	// the element opens.
	Upload(ctx context.Context, ref dom.Ref, files []string) error
	// Drag drags one element to the middle of another.
	Drag(ctx context.Context, from, to dom.Ref) error

	// Watch starts to watch for changes; call it before the act.
	Watch(ctx context.Context, target dom.Ref) (Watch, error)
	// Settle waits until the page has not changed for the quiet time, at most
	// until the limit; it reports whether it came to rest.
	Settle(ctx context.Context, quiet, limit time.Duration) (bool, error)
}

// Watch is a watch over one act.
type Watch interface {
	// Effect waits for the first change since the watch began that was not
	// already under way before it (address, tree, state, request, focus beyond
	// the target), at most for the limit. An empty string is no effect.
	Effect(ctx context.Context, limit time.Duration) (string, error)
}

// State is the live state of an element.
type State struct {
	Value    string   // of a form control or editable element
	Text     string   // rendered text
	Checked  bool     // native, or aria-checked / aria-pressed / aria-selected
	Options  []string // texts of the chosen options of a select
	Disabled bool
	Editable bool // takes text: input, textarea, contenteditable, not read-only
	Focused  bool
}

// Aim is where a press on an element would go.
type Aim struct {
	Point   dom.Point
	Box     dom.Rect
	Covered dom.Ref // what receives the press in place of the element; zero if nothing does
	Rest    bool    // the box did not move between two frames
}

// Info is what a page says of itself.
type Info struct {
	URL      string
	Title    string
	Lang     string
	Now      time.Time // the page's clock in the page's time zone
	Viewport dom.Rect  // CSS px; X, Y are the scroll offset
	Scale    float64   // device pixel ratio
}

// ClickOptions say how to press. The zero value is one press of the left button.
type ClickOptions struct {
	Count  int        // 0 means 1
	Button string     // "" means left; left, middle, right
	Offset *dom.Point // from the element's top left corner; nil: where Aim says
}
