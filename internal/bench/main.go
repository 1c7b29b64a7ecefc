// Command bench measures the harness against its peers in one run: a click by
// words against Playwright's own clicks, the inventory of a page against
// Playwright's aria snapshot, and the demo suites with evidence against the same
// without. Ours and the peer's take turns in one browser, so that what else the
// machine does falls on both.
//
// It prints medians with the 10th and 90th percentile, the ratio to the peer and
// the target. A missed target is printed as missed; the exit code says only
// whether everything could be measured.
//
//	go run ./internal/bench [-json] [-only click,inventory,demo] [-n 33] [suite.yaml …]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"harness/browser"
)

// options are the command line's.
type options struct {
	json   bool
	only   []string // parts; empty: all
	n      int      // samples of a figure
	seed   uint64   // of the order in which rows are pressed
	suites []string // files and folders; empty: scenarios
}

// parts are what is measured, in this order.
var parts = []string{"click", "inventory", "demo"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := readOptions(args, stderr)
	if err != nil {
		return 2
	}
	began := time.Now()
	rep := &report{Seed: o.seed}
	err = measure(ctx, o, rep, stderr)
	rep.Seconds = time.Since(began).Seconds()
	if o.json {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		if jerr := e.Encode(rep); err == nil {
			err = jerr
		}
	} else {
		rep.print(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

func readOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.IntVar(&o.n, "n", 33, "samples of each figure")
	f.Uint64Var(&o.seed, "seed", 1, "of the order in which rows are pressed")
	only := f.String("only", "", "measure these parts alone: "+strings.Join(parts, ","))
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.suites = f.Args()
	if len(o.suites) == 0 {
		o.suites = []string{"scenarios"}
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	for _, p := range o.only {
		if !slices.Contains(parts, p) {
			err := fmt.Errorf("-only %s: one of %s", p, strings.Join(parts, ", "))
			fmt.Fprintln(stderr, "bench:", err)
			return o, err
		}
	}
	if o.n < 1 {
		err := fmt.Errorf("-n %d: at least 1", o.n)
		fmt.Fprintln(stderr, "bench:", err)
		return o, err
	}
	return o, nil
}

func (o options) wants(part string) bool { return len(o.only) == 0 || slices.Contains(o.only, part) }

// measure fills the report; what was measured before an error stays in it.
func measure(ctx context.Context, o options, rep *report, stderr io.Writer) error {
	progress := func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	if o.wants("click") || o.wants("inventory") {
		if err := onRows(ctx, o, rep, progress); err != nil {
			return err
		}
	}
	if o.wants("demo") {
		return demo(ctx, o, rep, progress)
	}
	return nil
}

// onRows measures on the pages of table rows.
func onRows(ctx context.Context, o options, rep *report, progress func(string, ...any)) error {
	br, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		return err
	}
	defer br.Close()
	rep.Browser = br.Version()
	for _, rows := range []int{100, 1000, 5000} {
		if !o.wants("click") {
			break
		}
		progress("click by words, %d rows …", rows)
		if err := clicks(ctx, br, o, rows, rep); err != nil {
			return err
		}
	}
	if !o.wants("inventory") {
		return nil
	}
	progress("inventory, 5,000 rows …")
	return inventory(ctx, br, o, 5000, rep)
}
