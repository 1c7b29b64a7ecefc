package locate

import (
	"errors"
	"fmt"
	"strings"

	"harness/dom"
)

// What a caller branches on. Kind maps any error to the word of the suite format.
var (
	ErrNotFound        = errors.New("no matching element")
	ErrAmbiguous       = errors.New("more than one element matches")
	ErrNotActionable   = errors.New("not actionable")
	ErrDisabled        = fmt.Errorf("%w: disabled", ErrNotActionable)
	ErrCovered         = fmt.Errorf("%w: covered", ErrNotActionable)
	ErrStale           = errors.New("element is gone from the page")
	ErrDateUnavailable = errors.New("date cannot be picked")
	ErrNoEffect        = errors.New("no visible effect")
	ErrValueMismatch   = errors.New("field holds another value")
	ErrTimeout         = errors.New("timed out")
	ErrLimit           = errors.New("limit reached")
	ErrDialog          = errors.New("a dialog is open")
	ErrPageClosed      = errors.New("page is closed")
	ErrReply           = errors.New("unusable model reply")
	ErrUsage           = errors.New("bad request")
)

// Kinds are the names of errors in suites and results.
var kinds = []struct {
	err  error
	kind string
}{
	{ErrPageClosed, "page_closed"}, {ErrDialog, "dialog"}, {ErrLimit, "limit"}, {ErrReply, "reply"},
	{ErrDateUnavailable, "date_unavailable"}, {ErrValueMismatch, "value_mismatch"}, {ErrNoEffect, "no_effect"},
	{ErrCovered, "covered"}, {ErrDisabled, "disabled"}, {ErrAmbiguous, "ambiguous"}, {ErrNotFound, "not_found"},
	{ErrStale, "stale"}, {ErrUsage, "usage"}, {ErrTimeout, "timeout"},
}

// Kind is the suite format's word for the error: not_found, ambiguous,
// disabled, covered, stale, date_unavailable, no_effect, value_mismatch,
// timeout, limit, dialog, page_closed, reply, usage; "error" for anything else,
// "" for nil.
func Kind(err error) string {
	if err == nil {
		return ""
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.kind
		}
	}
	return "error"
}

// NotFoundError says what was looked for, what came nearest and why that was
// refused, and what the page has of that role.
type NotFoundError struct {
	Target   Target
	Nearest  []Candidate
	Present  []string // names of visible elements of the asked role
	Attempts []Attempt
}

func (e *NotFoundError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "locate %q: no matching element", e.Target.String())
	for i, c := range e.Nearest {
		if i == 3 {
			break
		}
		fmt.Fprintf(&b, "\n  nearest: %s: %s", c.Short(), c.Refused)
	}
	if len(e.Present) > 0 {
		fmt.Fprintf(&b, "\n  the page has: %s", strings.Join(e.Present, ", "))
	}
	for _, at := range visionTries(e.Attempts) {
		fmt.Fprintf(&b, "\n  vision: %s", at.Outcome)
	}
	return b.String()
}

func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// AmbiguousError lists the candidates that the words do not tell apart, and
// how to tell them apart.
type AmbiguousError struct {
	Target     Target
	Candidates []Candidate
	Hints      []string // for each candidate words that would name it alone, "" if none are known
}

func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "locate %q: %d elements match", e.Target.String(), len(e.Candidates))
	for i, c := range e.Candidates {
		if i == 6 {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Candidates)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s", c.Short())
		if i < len(e.Hints) && e.Hints[i] != "" {
			fmt.Fprintf(&b, " (say: %s)", e.Hints[i])
		}
	}
	return b.String()
}

func (e *AmbiguousError) Unwrap() error { return ErrAmbiguous }

// CoveredError names what lies over the element.
type CoveredError struct {
	Target Target
	By     string // the covering element, for people
	Ref    dom.Ref
}

func (e *CoveredError) Error() string {
	return fmt.Sprintf("locate %q: covered by %s", e.Target.String(), e.By)
}

func (e *CoveredError) Unwrap() error { return ErrCovered }

// ActError is an act that failed on an element that was found.
type ActError struct {
	Verb   string
	Target Target
	Err    error  // one of the sentinels, wrapped or not
	Detail string // object and cause, for people
}

func (e *ActError) Error() string {
	s := fmt.Sprintf("%s %q: %v", e.Verb, e.Target.String(), e.Err)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

func (e *ActError) Unwrap() error { return e.Err }
