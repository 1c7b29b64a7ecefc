package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Verb is a row of the table of verbs.
type Verb struct {
	Name string
	Doc  string // one sentence, for the schema, the prompt and the help
	// Scalar is the field that a bare value stands for (`go: URL`); "" if the
	// verb takes none.
	Scalar string
	// Open marks a verb whose arguments belong to another package (expect);
	// New is nil and Action.Args holds the tree as it was read.
	Open bool
	// New makes an empty argument struct and returns the pointer to it.
	New func() any
}

// arguments is what every argument struct can do.
type arguments interface {
	check() error  // *ArgError without Verb
	words() string // for reports
}

// verbs is the table, sorted by name.
var verbs = []Verb{
	{Name: "back", Doc: "Go back one page in the history.", New: func() any { return new(BackArgs) }},
	{Name: "check", Doc: "Check a checkbox, radio button or switch.", Scalar: "target", New: func() any { return new(TargetArgs) }},
	{Name: "click", Doc: "Click an element.", Scalar: "target", New: func() any { return new(TargetArgs) }},
	{Name: "dblclick", Doc: "Double-click an element.", Scalar: "target", New: func() any { return new(TargetArgs) }},
	{Name: "dialog", Doc: "Answer the dialog (alert, confirm, prompt) that is open, or the next one.", Scalar: "answer", New: func() any { return new(DialogArgs) }},
	{Name: "drag", Doc: "Drag one element onto another.", New: func() any { return new(DragArgs) }},
	{Name: "expect", Doc: "Check what the page shows.", Open: true},
	{Name: "go", Doc: "Open an address.", Scalar: "url", New: func() any { return new(GoArgs) }},
	{Name: "hover", Doc: "Move the mouse over an element.", Scalar: "target", New: func() any { return new(TargetArgs) }},
	{Name: "pick", Doc: "Put a date, a range of dates or a date with a time into a date field or calendar; opens it, pages and reads the value back.", New: func() any { return new(PickArgs) }},
	{Name: "press", Doc: "Press a key or a chord, such as Enter or Control+a.", Scalar: "keys", New: func() any { return new(PressArgs) }},
	{Name: "script", Doc: "Run JavaScript in the page.", Scalar: "js", New: func() any { return new(ScriptArgs) }},
	{Name: "scroll", Doc: "Scroll until a target is in view, or by a distance.", Scalar: "to", New: func() any { return new(ScrollArgs) }},
	{Name: "select", Doc: "Choose one or more options of a select or list.", New: func() any { return new(SelectArgs) }},
	{Name: "tab", Doc: "Switch to another tab.", Scalar: "switch", New: func() any { return new(TabArgs) }},
	{Name: "type", Doc: "Type text into a field, replacing what it holds.", New: func() any { return new(TypeArgs) }},
	{Name: "uncheck", Doc: "Uncheck a checkbox or switch.", Scalar: "target", New: func() any { return new(TargetArgs) }},
	{Name: "upload", Doc: "Put files into a file field.", New: func() any { return new(UploadArgs) }},
	{Name: "vision_click", Doc: "Click what the words describe, found on the screenshot.", Scalar: "words", New: func() any { return new(VisionClickArgs) }},
	{Name: "vision_type", Doc: "Type into the field that the words describe, found on the screenshot.", New: func() any { return new(VisionTypeArgs) }},
	{Name: "wait", Doc: "Wait for an element to appear, or for a time.", Scalar: "time", New: func() any { return new(WaitArgs) }},
}

// Verbs is a copy of the table of verbs, sorted by name.
func Verbs() []Verb { return slices.Clone(verbs) }

// VerbNames are the names of all verbs, sorted.
func VerbNames() []string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = v.Name
	}
	return names
}

// LookupVerb finds a verb by its exact name.
func LookupVerb(name string) (Verb, bool) {
	i, ok := slices.BinarySearchFunc(verbs, name, func(v Verb, n string) int { return strings.Compare(v.Name, n) })
	if !ok {
		return Verb{}, false
	}
	return verbs[i], true
}

func isVerb(name string) bool { _, ok := LookupVerb(name); return ok }

// Fields are the names of the verb's arguments in their order; nil for an open verb.
func (v Verb) Fields() []string {
	if v.New == nil {
		return nil
	}
	return fieldNames(reflect.TypeOf(v.New()).Elem())
}

// Decode reads the arguments of a verb from a tree (see ParseAction), checks
// them and makes the action. A scalar stands for the verb's scalar field; where
// that is a target, a mapping of target fields does too. The error is an
// *ArgError.
func Decode(verb string, args any) (Action, error) {
	v, ok := LookupVerb(verb)
	if !ok {
		return Action{}, unknownVerb(verb, VerbNames())
	}
	if v.Open {
		return Action{Verb: verb, Args: args}, nil
	}
	dst := v.New()
	if err := assign(verb, dst, v.object(args)); err != nil {
		return Action{}, err
	}
	a := Action{Verb: verb, Args: dst}
	return a, a.Validate()
}

// object brings the scalar form of the arguments into the object form.
func (v Verb) object(args any) any {
	m, isMap := args.(map[string]any)
	switch {
	case args == nil:
		return map[string]any{}
	case v.Scalar == "" && !isMap:
		if v.Name == "back" {
			return map[string]any{}
		}
		return args
	case !isMap:
		return map[string]any{v.Scalar: args}
	case v.Scalar == "target" && len(m) > 0 && m["target"] == nil && anyKey(m, targetFields()):
		return map[string]any{"target": m}
	}
	return m
}

// DecodeJSON reads the arguments of a tool call. Empty arguments are an empty
// object. The error is an *ArgError, for text that is no JSON too.
func DecodeJSON(verb string, raw []byte) (Action, error) {
	tree, err := parseJSON(raw)
	if err != nil {
		return Action{}, &ArgError{Verb: verb, Problem: err.Error()}
	}
	return Decode(verb, tree)
}

// parseJSON reads one JSON value, numbers as written. A syntax error names its
// position.
func parseJSON(raw []byte) (any, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		var syntax *json.SyntaxError
		if ok := asSyntax(err, &syntax); ok {
			return nil, fmt.Errorf("arguments are no JSON: %v at byte %d: %s", syntax, syntax.Offset, excerpt(raw, int(syntax.Offset)))
		}
		return nil, fmt.Errorf("arguments are no JSON: %v after %d bytes", err, len(raw))
	}
	if d.More() {
		at := int(d.InputOffset())
		return nil, fmt.Errorf("arguments are no JSON: text after the value at byte %d: %s", at, excerpt(raw, at))
	}
	return tree, nil
}
