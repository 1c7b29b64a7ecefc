package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"harness/dom"
	"harness/locate"
)

// Actor resolves targets and acts on them; *locate.Actor is the one in use. A
// Resolution comes with an error too: what was tried stands in it.
type Actor interface {
	Click(ctx context.Context, t locate.Target, o locate.ClickOptions, h locate.How) (*locate.Resolution, error)
	Type(ctx context.Context, t locate.Target, o locate.TypeOptions, h locate.How) (*locate.Resolution, error)
	Pick(ctx context.Context, t *locate.Target, w locate.When, h locate.How) (*locate.Resolution, error)
	Select(ctx context.Context, t locate.Target, options []string, h locate.How) (*locate.Resolution, error)
	Check(ctx context.Context, t locate.Target, on bool, h locate.How) (*locate.Resolution, error)
	Press(ctx context.Context, t *locate.Target, keys string, h locate.How) (*locate.Resolution, error)
	Hover(ctx context.Context, t locate.Target, h locate.How) (*locate.Resolution, error)
	Scroll(ctx context.Context, t *locate.Target, o locate.ScrollOptions, h locate.How) (*locate.Resolution, error)
	Upload(ctx context.Context, t locate.Target, files []string, h locate.How) (*locate.Resolution, error)
	Drag(ctx context.Context, from, to locate.Target, h locate.How) (*locate.Resolution, error)
	VisionClick(ctx context.Context, words string, o locate.ClickOptions, h locate.How) (*locate.Resolution, error)
	VisionType(ctx context.Context, words string, o locate.TypeOptions, h locate.How) (*locate.Resolution, error)
	Find(ctx context.Context, t locate.Target, h locate.How) (*locate.Resolution, error)
}

// Browser is what acts need of a page beyond locate.Page.
type Browser interface {
	// Goto opens an absolute address and waits until it has loaded.
	Goto(ctx context.Context, url string) error
	// Back goes back one entry of the history.
	Back(ctx context.Context) error
	// Eval runs JavaScript in the main frame; the value of the expression, or
	// what a function body returns, comes as JSON.
	Eval(ctx context.Context, js string) (json.RawMessage, error)
	// Dialog answers the dialog that is open, or else the next one.
	Dialog(ctx context.Context, accept bool, text string) error
	// SwitchTab makes another tab the current one: "2" is the second, other
	// words are looked for in title and address. Page and Actor speak to that
	// tab from then on.
	SwitchTab(ctx context.Context, which string) error
}

// Env is what an action works on. Actor and Page are required; a nil Browser
// refuses the verbs that need one, a nil Expect refuses expect.
type Env struct {
	Actor   Actor
	Page    locate.Page
	Browser Browser
	// Expect checks the arguments of an expect step.
	Expect func(ctx context.Context, args any) error
	// Folder is what relative paths of uploads start from; "" is the working directory.
	Folder string
	// Timeout bounds one wait for an element; 0 means 10 s.
	Timeout time.Duration
	// Refs are the elements behind the numbers of the last observation; Run sets
	// them. nil: there is none.
	Refs map[int]dom.Ref

	patience time.Duration // most time for an act on one element; 0: the Actor's
}

// Outcome is what an action came to.
type Outcome struct {
	Resolution *locate.Resolution // nil for verbs without a target
	Refused    error              // the error that the action asked for (Action.Error)
	Value      string             // what script returned or the field holds
}

// NotRefusedError is an action that went through where it had to be refused.
type NotRefusedError struct{ Action Action }

func (e *NotRefusedError) Error() string {
	return fmt.Sprintf("%s: done, but it had to be refused with %s", e.Action, e.Action.Error)
}

// Kind is locate.Kind with the kinds of this package: not_refused, and limit
// for a limit of the run.
func Kind(err error) string {
	var not *NotRefusedError
	if errors.As(err, &not) {
		return "not_refused"
	}
	return locate.Kind(err)
}

// Act carries the action out. The Outcome is never nil. An action that asks for
// an error (Action.Error) succeeds exactly when it is refused so; done instead
// is a *NotRefusedError, another error comes back as it is.
func Act(ctx context.Context, env Env, a Action) (*Outcome, error) {
	out := &Outcome{}
	if err := a.Validate(); err != nil {
		return out, err
	}
	err := perform(ctx, env, a, out)
	if a.Error == "" {
		return out, err
	}
	switch {
	case err == nil:
		return out, &NotRefusedError{a}
	case Kind(err) == a.Error:
		out.Refused = err
		return out, nil
	}
	return out, fmt.Errorf("refused with %s in place of %s: %w", Kind(err), a.Error, err)
}

func how(env Env, a Action) locate.How {
	h := locate.How{Layers: a.Layer, Effect: a.Effect == EffectRequired || a.Error == "no_effect", Refs: env.Refs}
	switch a.Verb {
	case "pick", "scroll", "upload", "wait": // they page, load and wait by nature
	default:
		if env.patience > 0 {
			h.Timeout = min(env.patience, env.timeout())
		}
	}
	return h
}

// perform runs the verb. Verbs with a target leave their Resolution in out.
func perform(ctx context.Context, env Env, a Action, out *Outcome) error {
	r, err, ok := onTarget(ctx, env, a)
	if !ok {
		return onPage(ctx, env, a, out)
	}
	out.Resolution = r
	if r != nil {
		out.Value = r.Value
	}
	return err
}

// onTarget runs the verbs that the Actor has; ok is false for any other.
func onTarget(ctx context.Context, env Env, a Action) (r *locate.Resolution, err error, ok bool) {
	h := how(env, a)
	switch args := a.Args.(type) {
	case *TargetArgs:
		r, err = onElement(ctx, env, a.Verb, args.Target, h)
	case *TypeArgs:
		r, err = env.Actor.Type(ctx, args.Into, locate.TypeOptions{Text: args.Text, Keep: args.Keep(), Submit: args.Submit}, h)
	case *PickArgs:
		r, err = env.Actor.Pick(ctx, args.In, args.When(), h)
	case *SelectArgs:
		r, err = env.Actor.Select(ctx, args.In, args.Wanted(), h)
	case *PressArgs:
		r, err = env.Actor.Press(ctx, args.On, args.Keys, h)
	case *ScrollArgs:
		r, err = scroll(ctx, env, args, h)
	case *UploadArgs:
		r, err = env.Actor.Upload(ctx, args.Into, paths(env.Folder, args.Files), h)
	case *DragArgs:
		r, err = env.Actor.Drag(ctx, args.From, args.To, h)
	case *VisionClickArgs:
		r, err = env.Actor.VisionClick(ctx, args.Words, locate.ClickOptions{}, h)
	case *VisionTypeArgs:
		r, err = env.Actor.VisionType(ctx, args.Into, locate.TypeOptions{Text: args.Text, Keep: args.Keep(), Submit: args.Submit}, h)
	case *WaitArgs:
		if args.For == nil {
			return nil, nil, false
		}
		r, err = waitFor(ctx, env, *args.For, h)
	default:
		return nil, nil, false
	}
	return r, err, true
}

func onElement(ctx context.Context, env Env, verb string, t locate.Target, h locate.How) (*locate.Resolution, error) {
	switch verb {
	case "hover":
		return env.Actor.Hover(ctx, t, h)
	case "check", "uncheck":
		return env.Actor.Check(ctx, t, verb == "check", h)
	case "dblclick":
		return env.Actor.Click(ctx, t, locate.ClickOptions{Count: 2}, h)
	}
	return env.Actor.Click(ctx, t, locate.ClickOptions{}, h)
}

func paths(folder string, files []string) []string {
	out := slices.Clone(files)
	for i, f := range out {
		if folder != "" && !filepath.IsAbs(f) {
			out[i] = filepath.Join(folder, f)
		}
	}
	return out
}

// onPage runs the verbs that need no element.
func onPage(ctx context.Context, env Env, a Action, out *Outcome) error {
	switch args := a.Args.(type) {
	case *WaitArgs:
		return sleep(ctx, args.Duration())
	case *GoArgs:
		return goTo(ctx, env, args.URL)
	}
	if a.Verb == "expect" {
		return expect(ctx, env, a)
	}
	if env.Browser == nil {
		return &ArgError{Verb: a.Verb, Problem: "there is no browser to do it"}
	}
	switch args := a.Args.(type) {
	case *BackArgs:
		return env.Browser.Back(ctx)
	case *DialogArgs:
		accept, text := args.Accepts()
		return env.Browser.Dialog(ctx, accept, text)
	case *TabArgs:
		return env.Browser.SwitchTab(ctx, args.Switch)
	case *ScriptArgs:
		value, err := env.Browser.Eval(ctx, args.JS)
		out.Value = string(value)
		return err
	}
	return unknownVerb(a.Verb, VerbNames())
}

func expect(ctx context.Context, env Env, a Action) error {
	if env.Expect == nil {
		return &ArgError{Verb: a.Verb, Problem: "nothing here checks expectations"}
	}
	return env.Expect(ctx, a.Args)
}

// goTo opens an address, a relative one against the page's. Addresses that are
// no web page (file:, data:, javascript:) are refused: what stands in them did
// not come over the network that the page was given.
func goTo(ctx context.Context, env Env, to string) error {
	u, err := url.Parse(strings.TrimSpace(to))
	if err != nil {
		return &ArgError{Verb: "go", Field: "url", Problem: fmt.Sprintf("%q is no address", to)}
	}
	if env.Browser == nil {
		return &ArgError{Verb: "go", Problem: "there is no browser to do it"}
	}
	if !u.IsAbs() {
		info, err := env.Page.Info(ctx)
		if err != nil {
			return err
		}
		base, err := url.Parse(info.URL)
		if err != nil {
			return fmt.Errorf("go %q: the page's address %q is none: %v", to, info.URL, err)
		}
		u = base.ResolveReference(u)
	}
	switch u.Scheme {
	case "http", "https":
	case "about":
		if u.Opaque != "blank" {
			return refusedScheme(to)
		}
	default:
		return refusedScheme(to)
	}
	return env.Browser.Goto(ctx, u.String())
}

func refusedScheme(to string) error {
	return &ArgError{Verb: "go", Field: "url", Problem: fmt.Sprintf("%q is refused", to), Hint: "http: and https: addresses are opened"}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
