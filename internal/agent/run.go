package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"harness/locate"
)

// Status says how a run ended.
type Status string

// The four ends of a run.
const (
	Done       Status = "done"       // the task was done, as far as the loop can see
	Unverified Status = "unverified" // success was claimed without support
	Failed     Status = "failed"     // the policy gave up or cannot go on
	Stopped    Status = "stopped"    // a guard or a limit ended it
)

// Limits bound a run. Each ends it with its name.
type Limits struct {
	Steps  int           // actions; 0 means 25, and none for a blind policy
	Time   time.Duration // 0: none
	Tokens int           // prompt and completion; 0: none
	Calls  int           // requests to the model that decides; 0: none
	Vision int           // questions to a vision model; 0: none, below 0: not one
}

const defaultSteps = 25

// LimitError is a limit that was reached. It is a locate.ErrLimit.
type LimitError struct {
	Name string // steps, time, tokens, calls, vision
	Max  string
}

func (e *LimitError) Error() string { return fmt.Sprintf("limit reached: %s (%s)", e.Name, e.Max) }

// Unwrap makes it a locate.ErrLimit.
func (e *LimitError) Unwrap() error { return locate.ErrLimit }

// Options configure a run. Task, Policy and Env are required.
type Options struct {
	Task   string
	Policy Policy
	Env    Env
	Limits Limits
	// Before is called before each action is carried out, n from 1; After when
	// it has been. nil: nothing is called.
	Before func(ctx context.Context, n int, a Action)
	After  func(ctx context.Context, s *Step)
}

// Result is how a run ended.
type Result struct {
	Status Status
	Reason string // why it is not done, "" if it is
	Answer string
	Steps  []*Step
	Usage  Usage
	Err    error // the cause behind Reason where there is one
}

// Run observes, decides and acts until the policy says done, a guard stops it
// or ctx ends. The Result is never nil; the error is non-nil only where ctx
// ended or the page was lost, and the Result then holds what was reached.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Limits.Time > 0 {
		var cancel context.CancelFunc
		limit := &LimitError{"time", o.Limits.Time.String()}
		ctx, cancel = context.WithTimeoutCause(ctx, o.Limits.Time, limit)
		defer cancel()
	}
	r := &run{Options: o, history: &History{Task: o.Task}, seen: newSeen(o.Task)}
	if b, ok := o.Policy.(Blind); ok {
		r.blind = b.Blind()
	}
	for r.result.Status == "" {
		if err := r.round(ctx); err != nil {
			return r.fail(ctx, err)
		}
	}
	return &r.result, nil
}

// run is the state of one Run.
type run struct {
	Options
	history *History
	result  Result
	guard   guard
	seen    *seen
	blind   bool
	numbers Numbers
	url     string // of the last observation
}

// fail ends the run with an error: a limit is a stop, the rest a failure.
func (r *run) fail(ctx context.Context, err error) (*Result, error) {
	var limit *LimitError
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if errors.As(err, &limit) {
		r.end(Stopped, limit.Error(), limit)
		return &r.result, nil
	}
	if ctx.Err() != nil {
		r.end(Stopped, err.Error(), err)
		return &r.result, err
	}
	r.end(Failed, err.Error(), err)
	if errors.Is(err, locate.ErrPageClosed) {
		return &r.result, err
	}
	return &r.result, nil
}

func (r *run) end(s Status, reason string, err error) {
	r.result.Status, r.result.Reason, r.result.Err = s, reason, err
}

// round is one turn of the loop.
func (r *run) round(ctx context.Context) error {
	if err := r.spent(); err != nil {
		return err
	}
	obs, err := r.observe(ctx)
	if err != nil {
		return err
	}
	if reason := r.guard.look(obs); reason != "" {
		r.end(Stopped, reason, nil)
		return nil
	}
	d, err := r.Policy.Next(ctx, obs, r.history)
	if d != nil {
		r.result.Usage.add(d.Usage)
	}
	if err != nil {
		return err
	}
	r.history.Rounds = append(r.history.Rounds, Round{Decision: *d})
	return r.take(ctx, obs, d)
}

func (r *run) last() *Round { return &r.history.Rounds[len(r.history.Rounds)-1] }

// take carries a decision out.
func (r *run) take(ctx context.Context, obs *Observation, d *Decision) error {
	if len(d.Calls) == 0 {
		note, reason := r.guard.noCall(d)
		r.last().Note = note
		if reason != "" {
			r.end(Stopped, reason, nil)
		}
		return nil
	}
	r.guard.called()
	for i, c := range d.Calls {
		res, err := r.call(ctx, obs, c)
		if err != nil {
			return err
		}
		r.last().Results = append(r.last().Results, res)
		if r.result.Status != "" {
			return nil
		}
		if res.Err != nil {
			r.skip(d.Calls[i+1:])
			return nil
		}
	}
	return nil
}

// skip answers the calls of a reply after one that failed.
func (r *run) skip(rest []Call) {
	for range rest {
		r.last().Results = append(r.last().Results, CallResult{
			Text: "not run: an earlier call of the same reply failed",
			Err:  errSkipped,
		})
	}
}

var errSkipped = errors.New("not run")

// call takes up one call. The error is one that ends the run.
func (r *run) call(ctx context.Context, obs *Observation, c Call) (CallResult, error) {
	switch {
	case c.Err != nil:
		return r.unreadable(c), nil
	case c.Done != nil:
		r.guard.repairs = 0
		return r.done(ctx, c.Done)
	}
	r.guard.repairs = 0
	if err := r.full(); err != nil {
		return CallResult{}, err
	}
	s := r.act(ctx, *c.Action)
	if err := r.lost(ctx, s); err != nil {
		return CallResult{}, err
	}
	note, reason := "", ""
	if !r.blind {
		note, reason = r.guard.acted(obs, s)
	}
	if reason != "" {
		r.end(Stopped, reason, s.Err)
	}
	r.last().Note = note
	return CallResult{Step: s, Text: resultText(s), Err: s.Err}, nil
}

// lost says that the run cannot go on after a step: its time is up, the page is
// closed, vision was asked too often.
func (r *run) lost(ctx context.Context, s *Step) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if errors.Is(s.Err, locate.ErrPageClosed) {
		return s.Err
	}
	return r.overlooked()
}

// act carries one action out and keeps the step.
func (r *run) act(ctx context.Context, a Action) *Step {
	s := &Step{N: len(r.result.Steps) + 1, Action: a}
	if r.Before != nil {
		r.Before(ctx, s.N, a)
	}
	from := time.Now()
	env := r.Env
	env.Refs = r.numbers.elements()
	if !r.blind {
		env.patience = patience
	}
	s.Outcome, s.Err = Act(ctx, env, a)
	s.Took = time.Since(from)
	r.result.Steps = append(r.result.Steps, s)
	r.result.Usage.Vision += visionCalls(s.Outcome.Resolution)
	r.seen.typed(a)
	if r.After != nil {
		r.After(ctx, s)
	}
	return s
}

func visionCalls(res *locate.Resolution) int {
	n := 0
	if res != nil {
		for _, a := range res.Attempts {
			if a.Vision != nil {
				n++
			}
		}
	}
	return n
}

// maxRepairs is how often in a row a model may mend an unreadable call.
const maxRepairs = 2

// unreadable answers a call that could not be read: the model sees its error,
// and after maxRepairs the step fails and with it the run.
func (r *run) unreadable(c Call) CallResult {
	r.guard.repairs++
	if r.guard.repairs > maxRepairs {
		err := fmt.Errorf("%w: %w", locate.ErrReply, c.Err)
		r.end(Failed, fmt.Sprintf("unusable reply after %d repairs: %v", maxRepairs, c.Err), err)
	}
	return CallResult{Text: "error: " + c.Err.Error(), Err: c.Err}
}

// done takes up the policy's claim that the task is done. Success without
// support goes back once. What acts of the same reply brought up counts as seen.
func (r *run) done(ctx context.Context, d *DoneArgs) (CallResult, error) {
	r.result.Answer = d.Answer
	if len(r.last().Results) > 0 {
		if _, err := r.observe(ctx); err != nil {
			return CallResult{}, err
		}
	}
	if d.Success == nil || !*d.Success {
		r.end(Failed, gaveUp(d.Answer, r.history.Last()), lastErr(r.history.Last()))
		return CallResult{Text: "ended"}, nil
	}
	doubt := r.doubt(d)
	if doubt == "" {
		r.end(Done, "", nil)
		return CallResult{Text: "ended"}, nil
	}
	if r.guard.doubted || r.blind {
		r.end(Unverified, doubt, nil)
		return CallResult{Text: "ended"}, nil
	}
	r.guard.doubted = true
	err := fmt.Errorf("not accepted: %s", doubt)
	return CallResult{Text: err.Error() + "; mend it, or say done with success false or with an answer that stands on a page that you have seen", Err: err}, nil
}

func gaveUp(answer string, last *Step) string {
	switch {
	case last != nil && last.Err != nil:
		return last.Err.Error()
	case answer != "":
		return "gave up: " + answer
	}
	return "gave up"
}

func lastErr(s *Step) error {
	if s == nil {
		return nil
	}
	return s.Err
}

// doubt says why success cannot be believed, "" if it can.
func (r *run) doubt(d *DoneArgs) string {
	if last := r.history.Last(); last != nil && last.Err != nil && !r.blind {
		return fmt.Sprintf("the last act failed (%s: %s)", last.Action, Kind(last.Err))
	}
	if r.blind {
		return ""
	}
	return r.seen.unsupported(d.Answer)
}

// spent says which limit on requests is used up.
func (r *run) spent() error {
	u, l := r.result.Usage, r.Limits
	switch {
	case l.Calls > 0 && u.Calls >= l.Calls:
		return &LimitError{"calls", fmt.Sprint(l.Calls)}
	case l.Tokens > 0 && u.Tokens >= l.Tokens:
		return &LimitError{"tokens", fmt.Sprint(l.Tokens)}
	}
	return nil
}

// full says whether there is no step left to act in.
func (r *run) full() error {
	most := r.Limits.Steps
	if most == 0 && !r.blind {
		most = defaultSteps
	}
	if most > 0 && len(r.result.Steps) >= most {
		return &LimitError{"steps", fmt.Sprint(most)}
	}
	return nil
}

// overlooked says whether vision was asked more often than allowed.
func (r *run) overlooked() error {
	l, used := r.Limits.Vision, r.result.Usage.Vision
	if l > 0 && used > l || l < 0 && used > 0 {
		return &LimitError{"vision", fmt.Sprint(max(0, l))}
	}
	return nil
}
