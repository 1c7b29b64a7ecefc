package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Dialog is a JavaScript dialog that opened.
type Dialog struct {
	At      time.Time
	Type    string // alert, confirm, prompt, beforeunload
	Message string
	Default string // what a prompt offered
	Answer  string // what was done: "accepted", "dismissed", `accepted with "…"`; "" while it is open
}

// DialogPolicy says what to do with a dialog. The zero policy dismisses it (a
// beforeunload is accepted: whoever leaves a page wants to).
type DialogPolicy struct {
	Accept  bool
	Dismiss bool   // dismisses a beforeunload too
	Text    string // for a prompt; it is accepted where this is not empty
}

// heldDialog is one that an act opened and nothing has answered yet. The act
// returns; the page stands still until the dialog is answered.
type heldDialog struct {
	pw   playwright.Dialog
	at   int             // place in the list
	done <-chan struct{} // closed when the act's own call has ended
}

// errHeld ends the wait of an act that opened a dialog.
var errHeld = errors.New("the act opened a dialog")

// holdLimit is how long a page stands still for an answer.
const holdLimit = 10 * time.Second

// SetDialog says what to do with the next dialog that opens.
func (p *Page) SetDialog(policy DialogPolicy) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.policy = &policy
}

// Dialog answers the dialog that the last act opened, or else the next one: a
// prompt is accepted with the text. A dialog that nothing answers is dismissed as soon as
// the page is asked for anything else.
func (p *Page) Dialog(ctx context.Context, accept bool, text string) error {
	policy := DialogPolicy{Accept: accept, Dismiss: !accept, Text: text}
	p.mu.Lock()
	held := p.held
	p.held = nil
	if held == nil {
		p.policy = &policy
	}
	p.mu.Unlock()
	if held == nil {
		return nil
	}
	if err := p.answerHeld(ctx, held, policy); err != nil {
		return fmt.Errorf("dialog: %w", err)
	}
	return nil
}

// release dismisses what nothing has answered, so that the page goes on.
func (p *Page) release(ctx context.Context) error {
	p.mu.Lock()
	held := p.held
	p.held = nil
	p.mu.Unlock()
	if held == nil {
		return nil
	}
	return p.answerHeld(ctx, held, DialogPolicy{})
}

func (p *Page) answerHeld(ctx context.Context, held *heldDialog, policy DialogPolicy) error {
	_, err := run(ctx, p.c, func() (struct{}, error) {
		p.answerDialog(held.pw, held.at, policy)
		return struct{}{}, nil
	})
	if err != nil {
		return err
	}
	select { // the act that opened it comes to its end
	case <-held.done:
	case <-time.After(time.Second):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

func (p *Page) onDialog(d playwright.Dialog) {
	rec := Dialog{At: time.Now(), Type: d.Type(), Message: d.Message(), Default: d.DefaultValue()}
	p.mu.Lock()
	at := len(p.log.dialogs)
	if at < kept { // a page may open them for ever
		p.log.dialogs = append(p.log.dialogs, rec)
	}
	policy, act := p.policy, p.inAct
	p.policy = nil
	hold := policy == nil && act != nil && rec.Type != "beforeunload" && p.held == nil
	if hold {
		p.held = &heldDialog{pw: d, at: at, done: act.done}
	}
	p.mu.Unlock()
	p.note(event{what: fmt.Sprintf("a dialog opened: %s %q", rec.Type, rec.Message)})
	if hold {
		act.end(errHeld)
		p.releaseLater()
		return
	}
	if policy == nil {
		policy = &DialogPolicy{}
	}
	p.answerDialog(d, at, *policy)
}

// releaseLater keeps a page from standing still for good.
func (p *Page) releaseLater() {
	p.c.goes(func() {
		t := time.NewTimer(holdLimit)
		defer t.Stop()
		select {
		case <-t.C:
			_ = p.release(context.Background())
		case <-p.closed:
		case <-p.c.ended:
		}
	})
}

// answerDialog does what the policy says and records it.
func (p *Page) answerDialog(d playwright.Dialog, at int, policy DialogPolicy) {
	kind := d.Type()
	accept := policy.Accept || policy.Text != "" || kind == "beforeunload" && !policy.Dismiss
	text, answer := "", "dismissed"
	switch {
	case accept && kind == "prompt" && policy.Text != "":
		text, answer = policy.Text, fmt.Sprintf("accepted with %q", policy.Text)
	case accept && kind == "prompt":
		text, answer = d.DefaultValue(), "accepted"
	case accept:
		answer = "accepted"
	}
	p.mu.Lock()
	if at < len(p.log.dialogs) {
		p.log.dialogs[at].Answer = answer
	}
	p.mu.Unlock()
	// An error means that the page went away, and the dialog with it.
	switch {
	case accept && kind == "prompt":
		_ = d.Accept(text)
	case accept:
		_ = d.Accept()
	default:
		_ = d.Dismiss()
	}
}
