// Command harness runs scenario suites on recorded web pages, debugs saved
// pages and does tasks on live ones. Results go to standard output, all else
// to standard error; exit.go holds the exit codes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // suites name time zones on machines that have none
)

func main() {
	os.Exit(runSignals(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// runSignals is run under a context that ends with the first interrupt or
// termination signal; a second one ends the process at once.
func runSignals(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, args, stdin, stdout, stderr)
}

// run is the whole program: arguments in, exit code out. It reads the
// environment and the configuration files and nothing else of the process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCmd(&app{in: stdin, out: stdout, err: stderr})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	code := exitCode(ctx, err)
	if text := errorText(ctx, err); text != "" {
		fmt.Fprintln(stderr, text)
	}
	var usage *usageError
	if code == exitUsage && errors.As(err, &usage) {
		fmt.Fprint(stderr, "\n", cmd.UsageString())
	}
	return code
}
