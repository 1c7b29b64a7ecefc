package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"harness/internal/agent"
	"harness/internal/chat"
	"harness/internal/site"
	"harness/locate"
	"harness/scenarios"
)

// doOptions are the flags of `harness do`.
type doOptions struct {
	task     string
	url      string        // where to begin; "" where the task says it or the site has a start
	site     string        // recorded site in place of the network
	model    string        // "": plain language, by rules
	json     bool          // the result as one JSON object
	headed   bool          // show the browser
	steps    int           // 0: the agent's default
	timeout  time.Duration // of the whole task; 0: none
	evidence string        // folder of the evidence; "": none is kept

	key, base string // of the endpoint, from the environment
}

// newDoCmd makes the command; open is how it gets its page.
func newDoCmd(a *app, open opener) *cobra.Command {
	var o doOptions
	cmd := &cobra.Command{
		Use:   `do "TASK"`,
		Short: "do a task on a web page and answer",
		Long: `do opens a page, works on it step by step and prints the answer.

With --model a model decides (any OpenAI-compatible endpoint: OPENAI_API_KEY,
OPENAI_BASE_URL). Without one the task is read by rules: plain imperative words,
English or Chinese, several steps in a sentence. What is not understood is named
before anything is done.

The exit code is 0 only where the task was done, as far as can be seen on the page.`,
		Example: `  harness do "click 单程, type 上海 into 出发地, pick 2026-01-30 in 出发日期, click 搜索" --site fixtures/sites/flights --url https://flights.test/
  harness do "cheapest flight from Shanghai to Beijing on 30 January" --url https://example.com/ --model gpt-4.1`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.task = args[0]
			o.key, o.base = os.Getenv("OPENAI_API_KEY"), os.Getenv("OPENAI_BASE_URL")
			if o.model == "" {
				o.model = os.Getenv("HARNESS_MODEL")
			}
			return runDo(cmd.Context(), a, o, open)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.url, "url", "", "`address` at which to begin")
	f.StringVar(&o.site, "site", "", "recorded site (folder or HAR) in place of the network")
	f.StringVar(&o.model, "model", "", "`name` of the model that decides; without one the task is read by rules")
	f.BoolVar(&o.json, "json", false, "print the result as one JSON object")
	f.BoolVar(&o.headed, "headed", false, "show the browser")
	f.IntVar(&o.steps, "max-steps", 0, "most acts of the run (default 25)")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "most time for the whole task")
	f.StringVar(&o.evidence, "evidence", "debug_html", "`folder` of the evidence; empty keeps none")
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
	policy, err := doPolicy(o)
	if res, is := unclear(err); is {
		return a.printDo(o, res)
	}
	if err != nil {
		return err
	}
	if o.url == "" && !opensItself(policy) {
		return usagef("--url is missing: where does the task begin?")
	}
	res, err := doTask(ctx, a.err, o, policy, open)
	if res == nil {
		return err
	}
	if printed := a.printDo(o, res); err == nil || printed == nil {
		return printed
	}
	return err
}

// doTask is the part of `harness do` that needs a page: it begins, runs the
// loop and keeps the evidence.
func doTask(ctx context.Context, log io.Writer, o doOptions, policy agent.Policy, open opener) (*doResult, error) {
	where, err := o.page()
	if err != nil {
		return nil, err
	}
	page, err := open(ctx, where)
	if err != nil {
		return nil, err
	}
	defer page.Close()
	if o.url != "" {
		if err := page.Goto(ctx, o.url); err != nil {
			return nil, fmt.Errorf("start %s: %w", o.url, err)
		}
	}
	ev, err := newDoEvidence(o)
	if err != nil {
		return nil, err
	}
	actor := locate.New(page, locate.Options{Before: func(ctx context.Context, _ *locate.Resolution) { ev.capture(ctx, page) }})
	out, err := agent.Run(ctx, agent.Options{
		Task: o.task, Policy: policy,
		Env:    agent.Env{Actor: actor, Page: page, Browser: page},
		Limits: agent.Limits{Steps: o.steps, Time: o.timeout},
		Before: func(ctx context.Context, _ int, a agent.Action) { ev.begin(ctx, page, a) },
		After: func(ctx context.Context, s *agent.Step) {
			ev.end(ctx, page, s)
			fmt.Fprintln(log, stepLine(s))
		},
	})
	res := result(out)
	res.Run = ev.close(out)
	return res, err
}

// page says which page the task needs: live, or one of a recorded site.
func (o doOptions) page() (scenarios.PageOptions, error) {
	out := scenarios.PageOptions{Headed: o.headed}
	if o.site == "" {
		return out, nil
	}
	s, err := site.Load(o.site)
	if err != nil {
		return out, &inputError{err}
	}
	out.Site, out.Settings = s, scenarios.SettingsOf(s)
	return out, nil
}

func result(out *agent.Result) *doResult {
	res := &doResult{Status: out.Status, Reason: out.Reason, Answer: out.Answer, Steps: []doStep{}, Usage: out.Usage}
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

// doPolicy is who decides: the model that is named, else the rules. An
// *agent.UnclearError names what the rules do not understand.
func doPolicy(o doOptions) (agent.Policy, error) {
	if o.model == "" {
		return agent.NewPlain(o.task)
	}
	if o.key == "" && o.base == "" {
		return nil, usagef("--model %s: set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint without a key", o.model)
	}
	client, err := chat.New(chat.Options{Model: o.model, Key: o.key, BaseURL: o.base})
	if err != nil {
		return nil, usagef("%v", err)
	}
	return agent.NewModel(agent.ModelOptions{Client: client})
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

// print writes the answer (or the JSON object) to stdout, and why it is not
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
