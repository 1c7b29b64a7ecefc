package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"harness/dom"
	"harness/locate"
)

// Page is a tab. It implements locate.Page and is used by one goroutine at a
// time; the lists (Dialogs, Downloads, Console …) may be read from any.
type Page struct {
	c  *Context
	pw playwright.Page

	mu     sync.Mutex
	frames []*frame // by index; a detached frame leaves its place empty for good
	log    pageLog
	acts   [][2]time.Time // when earlier acts began and were done with
	cdp    playwright.CDPSession
	policy *DialogPolicy // for the next dialog; nil: none was asked for
	held   *heldDialog   // open, unanswered
	inAct  *running      // the act that is under way

	closed  chan struct{}
	crashed chan struct{}
	once    struct{ closed, crashed sync.Once }
}

var _ locate.Page = (*Page)(nil)

// frame is one of the page's frames for as long as it is attached.
type frame struct {
	index int
	pw    playwright.Frame
	last  int // the highest number that its documents ever gave out
	// Where the frame stands: the frame element's number in its parent.
	parent *frame
	owner  int
	name   string
}

func newPage(c *Context, pw playwright.Page) *Page {
	p := &Page{c: c, pw: pw, closed: make(chan struct{}), crashed: make(chan struct{})}
	p.log.pending = map[playwright.Request]time.Time{}
	p.frames = []*frame{{pw: pw.MainFrame()}}
	return p
}

func (p *Page) listen() {
	p.pw.OnClose(func(playwright.Page) {
		p.once.closed.Do(func() { close(p.closed) })
		p.c.forget(p)
	})
	p.pw.OnCrash(func(playwright.Page) { p.once.crashed.Do(func() { close(p.crashed) }) })
	p.pw.OnFrameDetached(p.detached)
	p.listenLog()
}

func (p *Page) detached(pw playwright.Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range p.frames {
		if f != nil && f.pw == pw && i != 0 {
			p.frames[i] = nil
		}
	}
}

// frameOf is the frame with that index, or nil.
func (p *Page) frameOf(index int) *frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	if index < 0 || index >= len(p.frames) {
		return nil
	}
	return p.frames[index]
}

// known is our frame of Playwright's, made at first sight.
func (p *Page) known(pw playwright.Frame) *frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		if f != nil && f.pw == pw {
			return f
		}
	}
	f := &frame{index: len(p.frames), pw: pw}
	p.frames = append(p.frames, f)
	return f
}

// Closed is closed when the page is.
func (p *Page) Closed() <-chan struct{} { return p.closed }

// running is an act under way, which a dialog ends.
type running struct {
	end  context.CancelCauseFunc
	done chan struct{}
}

// on runs one of Playwright's calls under ctx, and says why where the page is
// closed or has crashed meanwhile. A dialog that nothing answered goes first.
func on[T any](ctx context.Context, p *Page, f func() (T, error)) (T, error) {
	var zero T
	if err := p.why(nil); err != nil {
		return zero, err
	}
	if err := p.release(ctx); err != nil {
		return zero, err
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := p.endWith(cancel)
	defer stop()
	v, err := run(inner, p.c, f)
	if err == nil {
		return v, nil
	}
	if ctx.Err() != nil {
		return v, err
	}
	return v, p.why(err)
}

// acting is on for what a person does: where it opens a dialog that nobody has
// given an answer for, it is over, and the dialog stays for Dialog to answer.
func acting(ctx context.Context, p *Page, f func() error) error {
	if err := p.release(ctx); err != nil {
		return err
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	act := &running{end: cancel, done: make(chan struct{})}
	p.mu.Lock()
	p.inAct = act
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.inAct = nil
	}()
	_, err := on(inner, p, func() (struct{}, error) {
		defer close(act.done)
		return struct{}{}, f()
	})
	if errors.Is(err, errHeld) {
		return nil
	}
	return err
}

var errPageCrashed = fmt.Errorf("%w: it crashed", locate.ErrPageClosed)

// endWith cancels when the page closes or crashes.
func (p *Page) endWith(cancel context.CancelCauseFunc) (stop func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-p.closed:
			cancel(locate.ErrPageClosed)
		case <-p.crashed:
			cancel(errPageCrashed)
		case <-done:
		}
	}()
	return func() { close(done) }
}

// why sharpens an error of Playwright's: what happens to a browser is heard of
// after what that does to its pages.
func (p *Page) why(err error) error {
	select {
	case <-p.crashed:
		return errPageCrashed
	case <-p.closed:
	default:
		return err
	}
	select {
	case <-p.c.ended:
		return locate.ErrPageClosed
	case <-p.c.b.gone:
		return p.c.gone()
	case <-time.After(50 * time.Millisecond):
		return locate.ErrPageClosed
	}
}

// timeout is what Playwright is told: a little less than ctx has left, so that
// its reason is known before ctx ends.
func (p *Page) timeout(ctx context.Context) *float64 {
	left := p.c.opts.Timeout
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
		left -= min(left/4, 800*time.Millisecond)
	}
	return playwright.Float(max(1, ms(left)))
}

// call calls a function of the registry in a frame and decodes its answer.
func (p *Page) call(ctx context.Context, f *frame, out any, name string, arg ...any) error {
	s, err := p.ask(ctx, f, name, arg...)
	if err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(s), out); err != nil {
		return fmt.Errorf("page script %s: %v", name, err)
	}
	return nil
}

// ask is call with the answer as it came. A document that goes away meanwhile
// is followed by the next one, in which old numbers name nothing.
func (p *Page) ask(ctx context.Context, f *frame, name string, arg ...any) (string, error) {
	if arg == nil {
		arg = []any{}
	}
	for try := 0; ; try++ {
		v, err := on(ctx, p, func() (any, error) {
			v, err := f.pw.Evaluate(callScript, []any{name, p.last(f), arg})
			return v, p.scriptError(err)
		})
		switch {
		case err == nil:
			return p.answer(f, name, v)
		case err == errMissing && try < 3:
			if err := p.install(ctx, f); err != nil {
				return "", err
			}
		case err == errMoved && try < 50:
			if f.pw.IsDetached() {
				return "", locate.ErrStale
			}
			if err := wait(ctx, 10*time.Millisecond); err != nil {
				return "", err
			}
		default:
			return "", err
		}
	}
}

func (p *Page) last(f *frame) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f.last
}

func (p *Page) answer(f *frame, name string, v any) (string, error) {
	s, _ := v.(string)
	number, rest, ok := strings.Cut(s, "\n")
	last, err := strconv.Atoi(number)
	if !ok || err != nil {
		return "", fmt.Errorf("page script %s: malformed answer", name)
	}
	p.mu.Lock()
	f.last = max(f.last, last)
	p.mu.Unlock()
	return rest, nil
}

// install brings the page scripts into a document that was made before them.
func (p *Page) install(ctx context.Context, f *frame) error {
	_, err := on(ctx, p, func() (any, error) {
		for _, script := range []string{pageScript, actScript, watchScript, dom.Script} {
			if _, err := f.pw.Evaluate(script); err != nil {
				return nil, p.scriptError(err)
			}
		}
		return nil, nil
	})
	if err == errMoved {
		return nil
	}
	return err
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
