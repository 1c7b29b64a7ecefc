package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"harness/dom"
	"harness/locate"
)

// inspectOptions are the flags of `harness inspect`.
type inspectOptions struct {
	file string
	find string // words; "": only the kinds
	verb string // what the element is wanted for
	json bool
	all  bool
	why  bool
}

func newInspectCmd(a *app) *cobra.Command {
	var o inspectOptions
	cmd := &cobra.Command{
		Use:   "inspect FILE.html",
		Short: "look at a saved page without a browser",
		Long: `inspect reads a saved page, as debug_html holds for every step, and lists what it
has to use, grouped by kind. With --find it resolves words exactly as a run would
and prints the candidates with their scores and why each was taken or refused;
the exit code is then 1 where the words name no element or more than one.`,
		Example: `  harness inspect debug_html/20260130-150405/01-click.html
  harness inspect debug_html/20260130-150405/01-click.html --find "搜索按钮"`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			o.file = args[0]
			return runInspect(a, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.find, "find", "", "resolve `words` (or a target's fields as JSON) and show the candidates")
	f.StringVar(&o.verb, "verb", "click", "with --find: what the element is wanted for (click, type, pick, select, check …)")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.all, "all", false, "give every day of a calendar a line of its own")
	f.BoolVar(&o.why, "why", false, "print the reasons under each element")
	return cmd
}

func runInspect(a *app, o inspectOptions) error {
	s, err := readSaved(o.file)
	if err != nil {
		return err
	}
	if o.find != "" {
		return inspectFind(a, o, s)
	}
	if o.json {
		return writeJSONLine(a.out, pageJSON(s, o.file))
	}
	v := newView(a.out)
	v.page(s, o.file)
	v.kinds(s, o.all, o.why)
	return v.err
}

// findOut is what inspect --find --json prints.
type findOut struct {
	Page       string             `json:"page"`
	URL        string             `json:"url,omitempty"`
	Words      string             `json:"words"`
	Target     locate.Target      `json:"target"`
	Reading    string             `json:"reading,omitempty"`
	Layer      locate.LayerName   `json:"layer,omitempty"`
	Chosen     *locate.Candidate  `json:"chosen"`
	Candidates []locate.Candidate `json:"candidates"`
	Error      *doError           `json:"error,omitempty"`
}

func inspectFind(a *app, o inspectOptions, s *dom.Snapshot) error {
	t, err := findTarget(o.find)
	if err != nil {
		return usagef("--find: %v", err)
	}
	d := locate.Find(s, t, o.verb)
	if errors.Is(d.Err, locate.ErrUsage) {
		return usagef("--find: %v", d.Err)
	}
	if err := printFind(a, o, s, t, d); err != nil {
		return err
	}
	if d.Err != nil {
		return errFailed
	}
	return nil
}

// findTarget reads words, or a mapping of a target's fields as JSON.
func findTarget(s string) (locate.Target, error) {
	if !strings.HasPrefix(strings.TrimSpace(s), "{") {
		return locate.Words(s), nil
	}
	var t locate.Target
	err := json.Unmarshal([]byte(s), &t)
	return t, err
}

func printFind(a *app, o inspectOptions, s *dom.Snapshot, t locate.Target, d locate.Decision) error {
	if !o.json {
		v := newView(a.out)
		v.page(s, o.file)
		v.decision(o.find, d)
		return v.err
	}
	out := findOut{Page: o.file, URL: s.URL, Words: o.find, Target: t, Reading: d.Reading, Layer: d.Layer, Chosen: d.Chosen, Candidates: d.Candidates}
	if out.Candidates == nil {
		out.Candidates = []locate.Candidate{}
	}
	if d.Err != nil {
		out.Error = &doError{Kind: locate.Kind(d.Err), Message: d.Err.Error()}
	}
	return writeJSONLine(a.out, out)
}

func indentJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
