package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"harness/browser"
	"harness/internal/chat"
	"harness/internal/trace"
	"harness/scenarios"
	"harness/vision"
	"harness/vision/openai"
)

// evidenceLimit is how many times as long a run with evidence may take.
const evidenceLimit = 1.7

// keeping says what evidence a run keeps.
type keeping struct {
	name      string
	evidence  bool
	recording bool // Playwright's own trace, which the target leaves out
}

var (
	without  = keeping{name: "without evidence"}
	with     = keeping{name: "with evidence", evidence: true}
	recorded = keeping{name: "with evidence and Playwright's trace", evidence: true, recording: true}
)

// played is what all suites came to in one way of keeping evidence.
type played struct {
	by    map[string]*scenarios.Result // by suite/name
	tails time.Duration                // what runs took beyond their scenarios: sites, the last writing
}

// demo plays every suite with one worker, without evidence and with it, in
// turns: the order changes from suite to suite. Playwright's trace, which is
// kept for failed scenarios but recorded for all, is measured on the first suite
// alone. Only scenarios that pass in every way count.
func demo(ctx context.Context, o options, rep *report, progress func(string, ...any)) error {
	suites, err := loadSuites(o.suites, rep)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "harness-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	br, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		return err
	}
	defer br.Close()
	rep.Browser = br.Version()
	player := &player{browser: br, dir: dir}
	all := map[string]*played{}
	for i, s := range suites {
		ways := []keeping{without, with}
		if i == 0 {
			ways = append(ways, recorded)
		}
		if i%2 == 1 {
			ways[0], ways[1] = ways[1], ways[0]
		}
		for _, k := range ways {
			progress("suite %s, %s …", s.Name, k.name)
			if all[k.name] == nil {
				all[k.name] = &played{by: map[string]*scenarios.Result{}}
			}
			if err := player.play(ctx, s, k, all[k.name]); err != nil {
				return err
			}
		}
	}
	compare(rep, "all suites", evidenceLimit, all[with.name], all[without.name], with.name, without.name)
	if len(suites) > 0 {
		compare(rep, suites[0].Name, 0, all[recorded.name], all[with.name], recorded.name, with.name)
	}
	return nil
}

// loadSuites reads the suites; one that cannot be read is left out and named.
func loadSuites(paths []string, rep *report) ([]*scenarios.Suite, error) {
	files, err := scenarios.Find(paths)
	if err != nil {
		return nil, err
	}
	var suites []*scenarios.Suite
	for _, f := range files {
		s, err := scenarios.Load(f)
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			rep.note("left out: %s", first)
			continue
		}
		suites = append(suites, s)
	}
	if len(suites) == 0 {
		return nil, errors.New("no suite can be played")
	}
	return suites, nil
}

// player plays suites in one browser.
type player struct {
	browser *browser.Browser
	dir     string // of the evidence
}

func (p *player) play(ctx context.Context, s *scenarios.Suite, k keeping, into *played) error {
	opts := scenarios.Options{
		Suites: []*scenarios.Suite{s}, Workers: 1,
		Open: func(ctx context.Context, o scenarios.PageOptions) (scenarios.Page, error) {
			return openPage(ctx, p.browser, o, k.recording)
		},
		Models: scenarios.Models{Replayed: replayed},
	}
	if k.evidence {
		opts.Trace = func() (*trace.Run, error) { return trace.New(p.dir, trace.Options{}) }
	}
	began := time.Now()
	out, err := scenarios.Run(ctx, opts)
	if err != nil {
		return fmt.Errorf("suite %s: %w", s.Name, err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tail := time.Since(began)
	for _, r := range out.Scenarios {
		into.by[r.Suite+"/"+r.Name] = r
		tail -= seconds(r)
	}
	into.tails += tail
	return nil
}

func seconds(r *scenarios.Result) time.Duration {
	return time.Duration(r.Seconds * float64(time.Second))
}

// replayed is layer 3 with recorded answers.
func replayed(c *chat.Client) (vision.Model, error) {
	p, err := vision.ProfileFor(c.Model())
	if err != nil {
		return nil, err
	}
	return openai.New(openai.Options{Chat: c, Profile: p})
}

// compare reports the scenarios that passed both ways: each one's time with its
// spread, and the ratio of the whole runs.
func compare(rep *report, page string, target float64, ours, peer *played, oursName, peerName string) {
	var a, b samples
	var sumA, sumB time.Duration
	for name, x := range ours.by {
		y := peer.by[name]
		if y == nil {
			continue
		}
		if x.Status != scenarios.Passed || y.Status != scenarios.Passed {
			rep.note("%s does not count: %s %s, %s %s", name, oursName, x.Status, peerName, y.Status)
			continue
		}
		a, b = append(a, seconds(x)), append(b, seconds(y))
		sumA, sumB = sumA+seconds(x), sumB+seconds(y)
	}
	if len(a) == len(peer.by) || target > 0 { // the tails are of the same suites
		sumA, sumB = sumA+ours.tails, sumB+peer.tails
	}
	rep.figure("a scenario", page, oursName, a)
	rep.figure("a scenario", page, peerName, b)
	if sumB == 0 {
		rep.note("%s: no scenario passed both ways", page)
		return
	}
	rep.note("%s: %.1f s %s, %.1f s %s", page, sumA.Seconds(), oursName, sumB.Seconds(), peerName)
	rep.ratio("whole run", page, oursName, peerName, sumA.Seconds()/sumB.Seconds(), target)
}
