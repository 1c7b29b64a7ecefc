package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"harness/internal/agent"
	"harness/internal/site"
	"harness/locate"
	"harness/scenarios"
	"harness/vision"
)

// doOptions are the flags of `harness do`.
type doOptions struct {
	task     string
	url      string        // where to begin; "" where the task says it or the site has a start
	site     string        // recorded site in place of the network
	model    string        // "": the configuration's, else plain language by rules
	json     bool          // the result as one JSON object
	headed   bool          // show the browser
	steps    int           // 0: the agent's default
	timeout  time.Duration // of the whole task; 0: none
	evidence string        // folder of the evidence; "": the configuration's; none: none is kept
	eyes     eyesFlags
}

// newDoCmd makes the command; open is how it gets its page.
func newDoCmd(a *app, open opener) *cobra.Command {
	var o doOptions
	cmd := &cobra.Command{
		Use:   `do "TASK"`,
		Short: "do a task on a web page and answer",
		Long: `do opens a page, works on it step by step and prints the answer.

With --model (or a model in the configuration) a model decides: any
OpenAI-compatible endpoint, OPENAI_API_KEY and OPENAI_BASE_URL. Without one the
task is read by rules: plain imperative words, English or Chinese, several steps
in a sentence. What is not understood is named before anything is done.

The exit code is 0 only where the task was done, as far as can be seen on the page.`,
		Example: `  harness do "click 单程, type 上海 into 出发地, type 北京 into 目的地, pick 2026-01-30 in 出发日期, click 搜索, and read the first flight" --site fixtures/sites/flights
  harness do "Which flight from Shanghai to Beijing on 30 January is the cheapest?" --url https://example.com/ --model gpt-4.1`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.task = args[0]
			return runDo(cmd.Context(), a, o, open)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.url, "url", "", "`address` at which to begin")
	f.StringVar(&o.site, "site", "", "recorded site (folder or HAR) in place of the network; its start is the default of --url")
	f.StringVar(&o.model, "model", "", "`name` of the model that decides; without one the task is read by rules")
	f.BoolVar(&o.json, "json", false, "print the result as one JSON object")
	f.BoolVar(&o.headed, "headed", false, "show the browser")
	f.IntVar(&o.steps, "max-steps", 0, "most acts of the run (default 25)")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "most time for the whole task")
	f.StringVar(&o.evidence, "evidence", "", "`folder` of the evidence, or none (default debug_html)")
	o.eyes.add(cmd)
	return cmd
}

// opener opens a page for a task.
type opener func(ctx context.Context, o scenarios.PageOptions) (scenarios.Page, error)

// doResult is what `harness do --json` prints.
type doResult struct {
	Status agent.Status `json:"status"`
	Reason string       `json:"reason"`
	Answer string       `json:"answer"`
	Steps  []doStep     `json:"steps"`
	Run    string       `json:"run"` // folder of the evidence, "" if none was kept
	Usage  agent.Usage  `json:"usage"`
}

// doStep is one act of the run.
type doStep struct {
	Verb       string           `json:"verb"`
	Words      string           `json:"words"`
	Layer      locate.LayerName `json:"layer,omitempty"`
	Confidence int              `json:"confidence,omitempty"`
	Status     string           `json:"status"` // passed, failed
	Error      *doError         `json:"error,omitempty"`
	MS         int64            `json:"ms"`
}

type doError struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// runDo does the task and prints what came of it.
func runDo(ctx context.Context, a *app, o doOptions, open opener) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	policy, err := doPolicy(o, c)
	if res, is := unclear(err); is {
		return a.printDo(o, res)
	}
	if err != nil {
		return err
	}
	world, err := doSite(&o)
	if err != nil {
		return err
	}
	if o.url == "" && !opensItself(policy) {
		return usagef("--url is missing: where does the task begin?")
	}
	opts := scenarios.PageOptions{Site: world, Headed: o.headed}
	if world != nil {
		opts.Settings = scenarios.SettingsOf(world)
	}
	page, err := open(ctx, opts)
	if err != nil {
		return err
	}
	defer page.Close()
	ev, err := newDoEvidence(o, c)
	if err != nil {
		return err
	}
	t := doTask{doOptions: o, policy: policy, page: page, evidence: ev, log: a.err}
	if t.eyes, err = doEyes(o, c); err != nil {
		return err
	}
	res, err := t.run(ctx)
	if printed := a.printDo(o, res); err == nil {
		return printed
	}
	return err
}

// doSite loads the recorded site, nil where none is named, and takes its start
// as the address where none is given.
func doSite(o *doOptions) (*site.Site, error) {
	if o.site == "" {
		return nil, nil
	}
	s, err := site.Load(o.site)
	if err != nil {
		return nil, &inputError{err}
	}
	o.url = cmp.Or(o.url, s.Start)
	return s, nil
}

// doEyes is layer 3 where a vision model is configured.
func doEyes(o doOptions, c config) (vision.Model, error) {
	c, err := c.with(o.eyes)
	if err != nil {
		return nil, err
	}
	m, err := c.models()
	return m.Vision, err
}

// doTask is the part of `harness do` that has a page: it begins, runs the loop
// and keeps the evidence.
type doTask struct {
	doOptions
	policy   agent.Policy
	page     scenarios.Page
	evidence *doEvidence
	log      io.Writer
	eyes     vision.Model // nil: there is none
}

// run does the task. The result is never nil; the error is one that ended it
// from outside.
func (t doTask) run(ctx context.Context) (*doResult, error) {
	if t.url != "" {
		if err := t.page.Goto(ctx, t.url); err != nil {
			out := &agent.Result{Status: agent.Failed, Reason: fmt.Sprintf("start %s: %v", t.url, err)}
			return result(out, t.evidence.close(out)), context.Cause(ctx)
		}
	}
	actor := locate.New(t.page, locate.Options{
		Vision: t.eyes,
		Before: func(ctx context.Context, _ *locate.Resolution) { t.evidence.capture(ctx, t.page) },
	})
	out, err := agent.Run(ctx, agent.Options{
		Task: t.task, Policy: t.policy,
		Env:    agent.Env{Actor: actor, Page: t.page, Browser: t.page},
		Limits: agent.Limits{Steps: t.steps, Time: t.timeout},
		Before: func(ctx context.Context, _ int, a agent.Action) { t.evidence.begin(ctx, t.page, a) },
		After: func(ctx context.Context, s *agent.Step) {
			t.evidence.end(ctx, t.page, s)
			fmt.Fprintln(t.log, stepLine(s))
		},
	})
	return result(out, t.evidence.close(out)), err
}

// result is what is printed of a run whose evidence lies in the folder.
func result(out *agent.Result, run string) *doResult {
	res := &doResult{Status: out.Status, Reason: out.Reason, Answer: out.Answer, Steps: []doStep{}, Run: run, Usage: out.Usage}
	for _, s := range out.Steps {
		step := doStep{Verb: s.Action.Verb, Words: s.Action.Words(), Status: "passed", MS: s.Took.Milliseconds()}
		if s.Err != nil {
			step.Status, step.Error = "failed", &doError{agent.Kind(s.Err), s.Err.Error()}
		}
		if r := s.Outcome.Resolution; r != nil {
			step.Layer, step.Confidence = r.Layer, r.Confidence
		}
		res.Steps = append(res.Steps, step)
	}
	return res
}

// stepLine is a step for people: `3 pick 2026-01-30 in 出发日期: ok (locators, 97)`.
func stepLine(s *agent.Step) string {
	line := fmt.Sprintf("%2d %s: %s", s.N, s.Action, s.Status())
	if s.Err != nil {
		return line + ": " + s.Err.Error()
	}
	if r := s.Outcome.Resolution; r != nil && r.Layer != "" {
		line += fmt.Sprintf(" (%s, %d)", r.Layer, r.Confidence)
	}
	return line
}

// doPolicy is who decides: the model that is named or configured, else the
// rules. An *agent.UnclearError names what the rules do not understand.
func doPolicy(o doOptions, c config) (agent.Policy, error) {
	m, ok := doModel(o, c)
	if !ok {
		return agent.NewPlain(o.task)
	}
	client, err := m.client()
	if err != nil {
		return nil, err
	}
	return agent.NewModel(agent.ModelOptions{Client: client})
}

// doModel is the model of the flag, with what the configuration says of it, or
// the first of the configuration.
func doModel(o doOptions, c config) (modelConfig, bool) {
	for _, m := range c.Models {
		if o.model == "" || o.model == m.Model {
			return m, true
		}
	}
	return modelConfig{Model: o.model}, o.model != ""
}

// opensItself reports whether the task begins by going to an address.
func opensItself(p agent.Policy) bool {
	plain, ok := p.(*agent.PlainPolicy)
	if !ok {
		return false
	}
	acts := plain.Actions()
	return len(acts) > 0 && acts[0].Verb == "go"
}

// printDo writes the answer (or the JSON object) to stdout, and why it is not
// done to stderr; errFailed says that it is not.
func (a *app) printDo(o doOptions, res *doResult) error {
	if o.json {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(res); err != nil {
			return err
		}
	} else {
		if res.Answer != "" {
			fmt.Fprintln(a.out, res.Answer)
		}
		a.printEnd(res)
	}
	if res.Status != agent.Done {
		return errFailed
	}
	return nil
}

func (a *app) printEnd(res *doResult) {
	line := string(res.Status)
	if res.Reason != "" {
		line += ": " + res.Reason
	}
	fmt.Fprintln(a.err, line)
	if res.Run != "" {
		fmt.Fprintln(a.err, "evidence: "+res.Run)
	}
}

// unclear is the result of a task that the rules do not understand.
func unclear(err error) (*doResult, bool) {
	var u *agent.UnclearError
	if !errors.As(err, &u) {
		return nil, false
	}
	return &doResult{Status: agent.Failed, Reason: u.Error() + "; name a model with --model, or say it in plain steps", Steps: []doStep{}}, true
}
