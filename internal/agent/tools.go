package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"harness/internal/chat"
	"harness/locate"
)

// doneTool ends a run.
const doneTool = "done"

const doneDoc = "End the task. Call it once the task is done, or when it cannot be done."

// closed are the verbs that a model does not get unless it is allowed to: they
// run code, read files of this machine, need a vision model or belong to suites.
var closed = []string{"expect", "script", "upload", "vision_click", "vision_type"}

// DefaultTools are the verbs that a model gets, sorted.
func DefaultTools() []string {
	var names []string
	for _, v := range verbs {
		if !slices.Contains(closed, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// Tools are the definitions of the named verbs and of done, sorted by name. The
// schemas come from the argument structs. An unknown name is an *ArgError.
func Tools(names []string) ([]chat.ToolDef, error) {
	done, err := Schema(new(DoneArgs))
	if err != nil {
		return nil, err
	}
	defs := []chat.ToolDef{{Name: doneTool, Description: doneDoc, Schema: done}}
	for _, name := range names {
		v, ok := LookupVerb(name)
		if !ok {
			return nil, unknownVerb(name, VerbNames())
		}
		if v.Open {
			return nil, &ArgError{Verb: name, Problem: "it is no tool for a model"}
		}
		schema, err := Schema(v.New())
		if err != nil {
			return nil, err
		}
		defs = append(defs, chat.ToolDef{Name: name, Description: v.Doc, Schema: schema})
	}
	slices.SortFunc(defs, func(a, b chat.ToolDef) int { return strings.Compare(a.Name, b.Name) })
	return defs, nil
}

// Schema is the JSON schema of the argument struct that args points to.
func Schema(args any) (json.RawMessage, error) {
	r := &jsonschema.Reflector{Anonymous: true, DoNotReference: true, Mapper: mapType}
	s := r.ReflectFromType(reflect.TypeOf(args).Elem())
	s.Version = ""
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("schema of %T: %v", args, err)
	}
	return b, nil
}

// mapType gives the types that are written in more than one way their schema.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[locate.Target](), reflect.TypeFor[*locate.Target]():
		return targetSchema()
	case reflect.TypeFor[Offset](), reflect.TypeFor[*Offset]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "number"},
			{Type: "array", Items: &jsonschema.Schema{Type: "number"}},
		}}
	}
	return nil
}

// targetSchema is words or a mapping. Containers and anchors are given in words
// there, so that the schema ends; the rules of the prompt say what the fields mean.
func targetSchema() *jsonschema.Schema {
	props := jsonschema.NewProperties()
	for _, f := range []struct{ name, kind string }{
		{"ref", "integer"}, {"role", "string"}, {"name", "string"}, {"nth", "integer"}, {"in", "string"}, {"near", "string"},
	} {
		props.Set(f.name, &jsonschema.Schema{Type: f.kind})
	}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "string"},
		{Type: "object", Properties: props, AdditionalProperties: jsonschema.FalseSchema},
	}}
}
