package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"harness/internal/agent"
	"harness/locate"
)

const (
	expectTimeout = 5 * time.Second // of an expectation that names none
	expectEvery   = 100 * time.Millisecond
)

// ExpectationError is an expectation that did not hold in its time.
type ExpectationError struct {
	What string        // the expectation, for people
	Why  string        // what was there in its place at the last look
	Took time.Duration // how long was waited
}

func (e *ExpectationError) Error() string {
	return fmt.Sprintf("expect %s: %s (after %s)", e.What, e.Why, e.Took.Round(100*time.Millisecond))
}

// Finder is what expectations need of an actor beside acting.
type Finder interface {
	// Visible reports whether at least one visible element matches the target,
	// or, for a target in words, at least one visible text holds the words.
	Visible(ctx context.Context, t locate.Target) (bool, error)
	// Look is the live state of the one element that matches and is fit for the
	// verb: type of a field, check of a box, "" of anything.
	Look(ctx context.Context, t locate.Target, verb string) (locate.State, error)
}

// judge checks expectations on one page.
type judge struct {
	page   locate.Page
	eval   agent.Browser
	finder Finder
	answer func() string // the agent's answer so far
}

// all checks the expectations one after the other; the first that does not hold
// is an *ExpectationError.
func (j judge) all(ctx context.Context, list []Expectation) error {
	for i := range list {
		if err := j.wait(ctx, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// wait looks until the expectation holds or its time is over. A page that is
// lost ends the wait; any other error of a look is a reason why it did not hold.
func (j judge) wait(ctx context.Context, e *Expectation) error {
	limit := e.Timeout
	if limit == 0 {
		limit = expectTimeout
	}
	began := time.Now()
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	why := "it was never looked at"
	for {
		got, err := j.look(inner, e)
		switch {
		case err == nil && got == "":
			return nil
		case errors.Is(err, locate.ErrPageClosed):
			return err
		case err == nil:
			why = got
		case inner.Err() == nil:
			why = err.Error()
		}
		if !pause(inner, expectEvery) {
			break
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &ExpectationError{What: e.String(), Why: why, Took: time.Since(began)}
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// look says why the expectation does not hold now, "" where it does.
func (j judge) look(ctx context.Context, e *Expectation) (string, error) {
	switch {
	case e.URL != nil:
		info, err := j.page.Info(ctx)
		return e.URL.test(info.URL), err
	case e.Visible != nil:
		ok, err := j.finder.Visible(ctx, e.Visible.Target)
		return unless(ok, "nothing that is visible matches"), err
	case e.Absent != nil:
		ok, err := j.finder.Visible(ctx, e.Absent.Target)
		return unless(!ok, "it is visible"), err
	case e.Text != nil:
		state, err := j.finder.Look(ctx, e.Text.Of, "")
		return e.Text.Test.test(strings.TrimSpace(state.Text)), err
	case e.Value != nil:
		state, err := j.finder.Look(ctx, e.Value.Of, "type")
		if errors.Is(err, locate.ErrNotFound) { // a select, a slider
			state, err = j.finder.Look(ctx, e.Value.Of, "")
		}
		return e.Value.Test.test(valueOf(state, e.Value.Test)), err
	case e.Checked != nil:
		state, err := j.finder.Look(ctx, e.Checked.Of, "check")
		return e.Checked.test(state.Checked), err
	case e.Answer != nil:
		return e.Answer.test(j.answer()), nil
	}
	return j.script(ctx, e.Script)
}

// valueOf is the value of a field; of a select, whose value people do not see,
// its chosen option where that is what is asked for.
func valueOf(s locate.State, m Match) string {
	if len(s.Options) == 0 || m.test(s.Value) == "" {
		return s.Value
	}
	return strings.Join(s.Options, ", ")
}

func (c CheckedOf) test(on bool) string {
	if want := c.Is == nil || *c.Is; on != want {
		return fmt.Sprintf("checked is %v", on)
	}
	return ""
}

func (j judge) script(ctx context.Context, js string) (string, error) {
	if j.eval == nil {
		return "", errors.New("there is no browser to run it")
	}
	raw, err := j.eval.Eval(ctx, js)
	if err != nil {
		return "", err
	}
	return unless(truthy(raw), "is "+strings.TrimSpace(string(raw))), nil
}

// truthy is JavaScript's truth of a JSON value; no value is false.
func truthy(raw json.RawMessage) bool {
	switch s := strings.TrimSpace(string(raw)); s {
	case "", "null", "undefined", "false", `""`, "0", "-0":
		return false
	}
	return true
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// String is the expectation for people, on one line.
func (e *Expectation) String() string {
	switch {
	case e.URL != nil:
		return "url " + e.URL.String()
	case e.Visible != nil:
		return fmt.Sprintf("visible %q", e.Visible.Target.String())
	case e.Absent != nil:
		return fmt.Sprintf("absent %q", e.Absent.Target.String())
	case e.Text != nil:
		return fmt.Sprintf("text of %q %s", e.Text.Of.String(), e.Text.Test)
	case e.Value != nil:
		return fmt.Sprintf("value of %q %s", e.Value.Of.String(), e.Value.Test)
	case e.Checked != nil:
		return fmt.Sprintf("checked %q", e.Checked.Of.String())
	case e.Answer != nil:
		return "answer " + e.Answer.String()
	}
	return "script " + clip(strings.Join(strings.Fields(e.Script), " "), 80)
}

// String is the test for people.
func (m Match) String() string {
	var parts []string
	if m.Is != nil {
		parts = append(parts, fmt.Sprintf("is %q", *m.Is))
	}
	if m.Contains != nil {
		parts = append(parts, fmt.Sprintf("contains %q", *m.Contains))
	}
	if m.Matches != nil {
		parts = append(parts, fmt.Sprintf("matches %s", m.Matches))
	}
	return strings.Join(parts, ", ")
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
