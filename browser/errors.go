package browser

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"harness/locate"
)

var (
	errMissing = errors.New("page scripts are missing")
	errMoved   = errors.New("document is gone")
	errLabel   = errors.New("its label lies over it")
)

// moved are Playwright's words for a document that went away under a call.
var moved = []string{"Execution context was destroyed", "Cannot find context", "frame was detached", "Frame was detached", "Unable to adopt element handle", "context with specified id"}

// scriptError sorts what an evaluation can end with.
func (p *Page) scriptError(err error) error {
	if err == nil {
		return nil
	}
	s := err.Error()
	switch {
	case strings.Contains(s, "harness: missing"):
		return errMissing
	case strings.Contains(s, "harness: stale"):
		return locate.ErrStale
	}
	for _, m := range moved {
		if strings.Contains(s, m) {
			return errMoved
		}
	}
	return p.c.fail(err)
}

// ours reports whether the error has been sorted already.
func ours(err error) bool { return locate.Kind(err) != "error" }

var (
	intercepts = regexp.MustCompile(`(?m)^\s*-?\s*(<.*) intercepts pointer events`)
	notState   = regexp.MustCompile(`(?m)element is (not \w+|outside of the viewport)`)
)

// actError says in our words why Playwright did not act: stale, covered,
// disabled, or timed out and what it waited for.
func (p *Page) actError(err error) error {
	if err == nil || ours(err) {
		return err
	}
	s := err.Error()
	if strings.Contains(s, "harness: label") {
		return errLabel
	}
	if strings.Contains(s, "harness: missing") || strings.Contains(s, "not attached") {
		return locate.ErrStale
	}
	if !errors.Is(err, playwright.ErrTimeout) {
		if err := p.scriptError(err); err != errMoved {
			return err
		}
		return locate.ErrStale
	}
	if m := intercepts.FindAllStringSubmatch(s, -1); m != nil && !strings.Contains(s[strings.LastIndex(s, "intercepts pointer events"):], "element is not") {
		return fmt.Errorf("%w by %s", locate.ErrCovered, m[len(m)-1][1])
	}
	m := notState.FindAllStringSubmatch(s, -1)
	if m == nil {
		return fmt.Errorf("%w: %s", locate.ErrTimeout, firstLines(err, 1))
	}
	switch state := m[len(m)-1][1]; state {
	case "not enabled", "not editable":
		return fmt.Errorf("%w: element is %s", locate.ErrDisabled, state)
	default:
		return fmt.Errorf("%w: element is %s", locate.ErrTimeout, state)
	}
}
