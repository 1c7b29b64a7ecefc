package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"harness/internal/agent"
	"harness/internal/yaml"
	"harness/locate"
)

// hooks read the types of other packages.
func hooks() *yaml.Options {
	return &yaml.Options{Hooks: map[reflect.Type]func(*yaml.Node, reflect.Value) error{
		reflect.TypeFor[locate.Target](): decodeTarget,
	}}
}

// decodeTarget reads a target through the agent's table of verbs, so that
// expectations and steps know the same targets.
func decodeTarget(n *yaml.Node, into reflect.Value) error {
	a, err := agent.Decode("hover", tree(n))
	if err != nil {
		return placed(err, "hover", n)
	}
	into.Set(reflect.ValueOf(a.Args.(*agent.TargetArgs).Target))
	return nil
}

// DecodeYAML reads a suite and keeps its node.
func (s *Suite) DecodeYAML(n *yaml.Node, o *yaml.Options) error {
	type plain Suite
	s.node = n
	return yaml.Decode(n, (*plain)(s), o)
}

// DecodeYAML reads a scenario and keeps its node for the places of errors that
// are found later.
func (s *Scenario) DecodeYAML(n *yaml.Node, o *yaml.Options) error {
	type plain Scenario
	s.node = n
	return yaml.Decode(n, (*plain)(s), o)
}

// Step is one act of a scenario. Of the verb expect, Expect holds the arguments.
type Step struct {
	agent.Action
	Expect []Expectation

	at yaml.Place
}

// DecodeYAML reads a step: a mapping with one verb and the modifiers, or the
// bare name of a verb.
func (s *Step) DecodeYAML(n *yaml.Node, o *yaml.Options) error {
	s.at = n.Place
	if len(n.Pairs) > 0 {
		s.at = n.Pairs[0].Place
	}
	a, err := agent.ParseAction(tree(n))
	if err != nil {
		return placed(err, "", n)
	}
	s.Action = a
	if a.Verb != "expect" {
		return nil
	}
	if a.Effect != "" || len(a.Layer) > 0 {
		return n.Errorf("expect takes neither effect nor layer")
	}
	if err := yaml.Decode(n.Get("expect"), &s.Expect, o); err != nil {
		return err
	}
	s.Args = s.Expect
	return nil
}

// tree is the node as the agent's decoder takes it: scalars are strings as
// written.
func tree(n *yaml.Node) any {
	switch n.Kind {
	case yaml.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = tree(item)
		}
		return out
	case yaml.Map:
		out := make(map[string]any, len(n.Pairs))
		for _, p := range n.Pairs {
			out[p.Key] = tree(p.Value)
		}
		return out
	case yaml.Null:
		if n.Text != "null" {
			return nil
		}
	}
	return n.Text
}

// placed gives an *agent.ArgError its place: the key that it names, in the
// step itself or below its verb.
func placed(err error, hide string, n *yaml.Node) error {
	var fault *agent.ArgError
	if !errors.As(err, &fault) {
		return n.Errorf("%v", err)
	}
	at := n.Place
	if len(n.Pairs) > 0 {
		at = n.Pairs[0].Place
	}
	path := strings.FieldsFunc(fault.Field, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	if below := n.Get(fault.Verb); fault.Verb != hide && below != nil && (len(path) == 0 || n.Get(path[0]) == nil) {
		at, n = below.Place, below
	}
	msg := fault.Problem
	if fault.Verb != "" && fault.Verb != hide {
		msg = fault.Verb + ": " + msg
	}
	if fault.Hint != "" {
		msg += " (" + fault.Hint + ")"
	}
	return follow(n, at, path).Errorf("%s", msg)
}

// follow walks the path of keys and list positions and is the place of the
// last that the node has; of a key that has a scalar, the value's. A key that
// stands in the path only (the implied field of a short form) is passed over.
func follow(n *yaml.Node, at yaml.Place, path []string) yaml.Place {
	for _, key := range path {
		if j, err := strconv.Atoi(key); err == nil && j < len(n.Items) {
			n = n.Items[j]
			at = n.Place
			continue
		}
		j := slices.IndexFunc(n.Pairs, func(p yaml.Pair) bool { return p.Key == key })
		if j < 0 {
			continue
		}
		at, n = n.Pairs[j].Place, n.Pairs[j].Value
	}
	return at
}

// UnmarshalText reads WIDTHxHEIGHT.
func (s *Size) UnmarshalText(text []byte) error {
	w, h, ok := strings.Cut(string(text), "x")
	var errW, errH error
	s.W, errW = strconv.Atoi(w)
	s.H, errH = strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || s.W < 1 || s.H < 1 || s.W > 16384 || s.H > 16384 {
		return fmt.Errorf("not a size: %q (write 1280x800)", text)
	}
	return nil
}

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.W, s.H) }

// UnmarshalText reads an RFC 3339 time.
func (c *Clock) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339, string(text))
	var parse *time.ParseError
	switch {
	case errors.As(err, &parse) && strings.Contains(parse.Message, "out of range"):
		return fmt.Errorf("no such time: %q%s", text, strings.TrimPrefix(parse.Message, ":"))
	case err != nil:
		return fmt.Errorf("not an RFC 3339 time: %q (write 2026-01-21T22:20:25+08:00)", text)
	}
	c.Time = t
	return nil
}

// UnmarshalText reads the name of a policy.
func (p *Policy) UnmarshalText(text []byte) error {
	if !slices.Contains(Policies(), string(text)) {
		return fmt.Errorf("unknown policy %q%s", text, yaml.DidYouMean(string(text), Policies()))
	}
	*p = Policy(text)
	return nil
}
