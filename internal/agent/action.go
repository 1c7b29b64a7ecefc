// Package agent does a task on a page: it observes, decides and acts until the
// task is done, refused or out of bounds.
//
// The main entries are Act, which carries one Action out, and Run, the loop
// around it under a Policy: written steps, plain language, or a model. An
// Action is a verb of the suite format with its arguments; the same table of
// verbs serves suites, the model's tools and their schemas, so that they cannot
// differ.
//
// The rule that all keep: the loop says "done" only for what it has seen. A
// claim of success without support on an observed page is "unverified".
//
// The package starts no browser and opens no connection; both are given to it.
package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"harness/locate"
)

// Action is one step: a verb with its arguments, and what the caller expects of
// the step itself.
type Action struct {
	Verb string
	// Args is a pointer to the verb's argument struct (Verb.New), or for verbs
	// with open arguments whatever their owner put there.
	Args any
	// Error, if set, is the kind of error (locate.Kind) with which the step must
	// be refused.
	Error string
	// Effect is "" or "required".
	Effect string
	// Layer lists the layers that may resolve the target; empty: all.
	Layer []locate.LayerName
}

// EffectRequired is the one value of Action.Effect: no effect is an error.
const EffectRequired = "required"

// The kinds of error that a step may ask for.
var errorKinds = []string{
	"ambiguous", "covered", "date_unavailable", "dialog", "disabled", "limit", "no_effect", "not_found",
	"page_closed", "reply", "stale", "timeout", "value_mismatch",
}

// ErrorKinds are the kinds of error that a step may ask for, sorted.
func ErrorKinds() []string { return slices.Clone(errorKinds) }

var layerNames = []string{string(locate.JS), string(locate.Locators), string(locate.Memory), string(locate.Vision)}

// ArgError is a fault in an action as written: an unknown verb or field, a
// missing or unreadable value. Field is the key at fault in the arguments
// (dotted where it lies deeper), "" for the verb itself; a loader finds the
// line with it.
type ArgError struct {
	Verb    string
	Field   string
	Problem string
	Hint    string // the nearest right name, or how to say it; "" if there is none
}

func (e *ArgError) Error() string {
	s := e.Problem
	if e.Verb != "" {
		s = e.Verb + ": " + s
	}
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Unwrap makes every ArgError a locate.ErrUsage.
func (e *ArgError) Unwrap() error { return locate.ErrUsage }

// ParseAction reads one step as it stands in a suite: a mapping with one verb
// and the modifiers error, effect and layer, or the bare name of a verb without
// arguments ("back"). The value is a tree of map[string]any, []any, strings,
// numbers, bools and nil; scalars may all be strings as written. The error is an
// *ArgError.
func ParseAction(step any) (Action, error) {
	if name, ok := step.(string); ok {
		return Decode(strings.TrimSpace(name), nil)
	}
	m, ok := step.(map[string]any)
	if !ok {
		return Action{}, &ArgError{Problem: "a step is a mapping with one verb"}
	}
	verb, err := stepVerb(m)
	if err != nil {
		return Action{}, err
	}
	a, err := Decode(verb, m[verb])
	if err != nil {
		return Action{}, err
	}
	return a, a.modify(m)
}

// stepVerb finds the one verb among the keys of a step.
func stepVerb(m map[string]any) (string, error) {
	verb := ""
	for _, key := range sortedKeys(m) {
		switch {
		case slices.Contains(modifiers, key):
		case !isVerb(key):
			return "", unknownVerb(key, append(VerbNames(), modifiers...))
		case verb != "":
			return "", &ArgError{Verb: verb, Field: key, Problem: fmt.Sprintf("one verb a step, and %q is a second one", key)}
		default:
			verb = key
		}
	}
	if verb == "" {
		return "", &ArgError{Problem: "a step without a verb", Hint: "one of " + strings.Join(VerbNames(), ", ")}
	}
	return verb, nil
}

var modifiers = []string{"effect", "error", "layer"}

// modify reads the modifiers beside the verb.
func (a *Action) modify(m map[string]any) error {
	var mods struct {
		Error  string   `json:"error"`
		Effect string   `json:"effect"`
		Layer  []string `json:"layer"`
	}
	only := map[string]any{}
	for _, key := range modifiers {
		if v, ok := m[key]; ok {
			only[key] = v
		}
	}
	if err := assign(a.Verb, &mods, only); err != nil {
		return err
	}
	a.Error, a.Effect = mods.Error, mods.Effect
	for _, l := range mods.Layer {
		a.Layer = append(a.Layer, locate.LayerName(l))
	}
	return a.Validate()
}

// UnmarshalYAML reads a step of a suite. Scalars come as the YAML library types
// them; a loader that must keep them as written hands ParseAction the tree.
func (a *Action) UnmarshalYAML(unmarshal func(any) error) error {
	var tree any
	if err := unmarshal(&tree); err != nil {
		return err
	}
	got, err := ParseAction(tree)
	if err != nil {
		return err
	}
	*a = got
	return nil
}

// Validate says what is wrong with the action as an *ArgError, nil if nothing is.
func (a Action) Validate() error {
	v, ok := LookupVerb(a.Verb)
	if !ok {
		return unknownVerb(a.Verb, VerbNames())
	}
	if a.Error != "" && !slices.Contains(errorKinds, a.Error) {
		return &ArgError{Verb: a.Verb, Field: "error", Problem: fmt.Sprintf("unknown kind of error %q", a.Error), Hint: hint(a.Error, errorKinds)}
	}
	if a.Effect != "" && a.Effect != EffectRequired {
		return &ArgError{Verb: a.Verb, Field: "effect", Problem: fmt.Sprintf("effect is %q", a.Effect), Hint: "the one value is required"}
	}
	for _, l := range a.Layer {
		if !slices.Contains(layerNames, string(l)) {
			return &ArgError{Verb: a.Verb, Field: "layer", Problem: fmt.Sprintf("unknown layer %q", l), Hint: hint(string(l), layerNames)}
		}
	}
	if v.Open {
		return nil
	}
	args, ok := a.Args.(arguments)
	if !ok {
		return &ArgError{Verb: a.Verb, Problem: "no arguments"}
	}
	err := args.check()
	var fault *ArgError
	if errors.As(err, &fault) {
		fault.Verb = a.Verb
	}
	return err
}

// Words are the action's object for reports: the words of its target, and what
// goes into it. The verb is not part of them.
func (a Action) Words() string {
	if args, ok := a.Args.(arguments); ok {
		return args.words()
	}
	return ""
}

func (a Action) String() string {
	if w := a.Words(); w != "" {
		return a.Verb + " " + w
	}
	return a.Verb
}

func unknownVerb(name string, names []string) *ArgError {
	return &ArgError{Field: name, Problem: fmt.Sprintf("unknown verb %q", name), Hint: hint(name, names)}
}
