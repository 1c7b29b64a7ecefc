package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"harness/internal/chat"
)

// ModelOptions configure a ModelPolicy. Client is required.
type ModelOptions struct {
	Client *chat.Client
	Tools  []string // the verbs that the model gets; nil means DefaultTools
	// Reasoning takes the text of a reply that has only a reasoning field from
	// there: for models that are known to answer so.
	Reasoning bool
	// Rounds is how many rounds the model sees whole; older ones are one line
	// each. 0 means 8.
	Rounds int
}

// ModelPolicy has a model decide. Whether the model is live or replayed from a
// cassette is the matter of the client's HTTP transport.
type ModelPolicy struct {
	opts  ModelOptions
	tools []chat.ToolDef
}

// NewModel makes a ModelPolicy. It fails with an *ArgError for an unknown tool.
func NewModel(o ModelOptions) (*ModelPolicy, error) {
	if o.Tools == nil {
		o.Tools = DefaultTools()
	}
	if o.Rounds == 0 {
		o.Rounds = 8
	}
	tools, err := Tools(o.Tools)
	if err != nil {
		return nil, err
	}
	return &ModelPolicy{opts: o, tools: tools}, nil
}

// Next asks the model. What it says is input: a call that cannot be read comes
// back as a Call with Err, never as an error.
func (p *ModelPolicy) Next(ctx context.Context, o *Observation, h *History) (*Decision, error) {
	reply, err := p.opts.Client.Complete(ctx, chat.Request{Messages: p.messages(o, h), Tools: p.tools, Choice: "auto"})
	if err != nil {
		var limit *chat.LimitError
		if errors.As(err, &limit) {
			return nil, &LimitError{limit.What, fmt.Sprintf("%.6g", limit.Limit)}
		}
		return nil, err
	}
	d := p.decision(reply)
	d.Usage = Usage{Calls: 1 + reply.Usage.Retries, Tokens: reply.Usage.Tokens()}
	return d, nil
}

const emptyAnswer = "an empty answer"

// decision reads a reply.
func (p *ModelPolicy) decision(r *chat.Reply) *Decision {
	d := &Decision{Text: strings.TrimSpace(r.Text)}
	for _, c := range r.Calls {
		d.Calls = append(d.Calls, p.read(c.ID, c.Name, string(c.Args)))
	}
	if len(d.Calls) > 0 {
		return d
	}
	if d.Text == "" && p.opts.Reasoning {
		d.Text = strings.TrimSpace(r.Reasoning)
	}
	if unfenced(d.Text) == "" {
		d.Fault = emptyAnswer
		return d
	}
	for _, c := range textCalls(d.Text) {
		if c.Err == nil {
			c = p.read("", c.Name, c.Arguments)
		}
		d.Calls = append(d.Calls, c)
	}
	return d
}

// read makes a Call of a name and the text of arguments.
func (p *ModelPolicy) read(id, name, args string) Call {
	c := Call{ID: id, Name: name, Arguments: args}
	if name == doneTool {
		c.Done, c.Err = decodeDone([]byte(args))
		return c
	}
	if !slices.Contains(p.opts.Tools, name) {
		names := append([]string{doneTool}, p.opts.Tools...)
		slices.Sort(names)
		c.Err = &ArgError{Problem: fmt.Sprintf("unknown tool %q", name), Hint: hint(name, names)}
		return c
	}
	a, err := DecodeJSON(name, []byte(args))
	if err != nil {
		c.Err = err
		return c
	}
	c.Action = &a
	return c
}

func decodeDone(raw []byte) (*DoneArgs, error) {
	tree, err := parseJSON(raw)
	if err != nil {
		return nil, &ArgError{Verb: doneTool, Problem: err.Error()}
	}
	if tree == nil {
		tree = map[string]any{}
	}
	var d DoneArgs
	if err := assign(doneTool, &d, tree); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		var fault *ArgError
		if errors.As(err, &fault) {
			fault.Verb = doneTool
		}
		return nil, err
	}
	return &d, nil
}
