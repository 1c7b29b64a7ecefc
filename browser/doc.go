// Package browser drives a real Chromium through Playwright.
//
// The main entries are Launch, Browser.Context and Context.Page; a Page
// implements locate.Page. Install and Check set up and look over what is needed:
// node, Playwright's driver, a browser.
//
// The rule that everything here keeps: a call returns when its ctx ends, with
// context.Cause(ctx), whatever the page does. Playwright's own calls take no
// ctx, so each runs in a goroutine of its own (see Context.run); a call that was given up
// ends at the latest when its context is closed, and Context.Close waits for it.
//
// A context with a Handler is sealed: the Handler is the whole world of its
// pages, and what it does not hold is refused and named (Context.Refused).
// Points and boxes are CSS px in the main frame's viewport.
//
// The package alone imports Playwright and exports none of its types. It reads
// no environment and knows no site.
package browser
