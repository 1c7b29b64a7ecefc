package main

import (
	"context"
	"errors"
	"fmt"
)

// Exit codes.
const (
	exitPass        = 0   // all passed
	exitFailed      = 1   // a scenario or task failed
	exitUsage       = 2   // the command line, a suite or the configuration is wrong
	exitFault       = 3   // the harness itself failed
	exitInterrupted = 130 // a signal ended the run
)

// errFailed says that the work was done and its result is a failure, which has
// been printed already: exit 1 and no further word.
var errFailed = errors.New("failed")

// usageError is a mistake on the command line: exit 2, and usage is printed.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// inputError is a mistake in a file that the user gave (a suite, the
// configuration): exit 2, and the message alone says where.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// exitCode maps what a command returned to the exit code.
func exitCode(ctx context.Context, err error) int {
	var usage *usageError
	var input *inputError
	switch {
	case err == nil:
		return exitPass
	case interrupted(ctx):
		return exitInterrupted
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &usage), errors.As(err, &input):
		return exitUsage
	}
	return exitFault
}

// errorText is what standard error says of err: "" where all was said already.
func errorText(ctx context.Context, err error) string {
	switch {
	case err == nil:
		return ""
	case interrupted(ctx):
		return "harness: interrupted"
	case errors.Is(err, errFailed):
		return ""
	}
	return "harness: " + err.Error()
}

// interrupted reports whether the program's context has ended: only a signal
// (or the caller of run) ends it.
func interrupted(ctx context.Context) bool { return ctx.Err() != nil }
