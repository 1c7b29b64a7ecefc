package scenarios

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"harness/internal/agent"
	"harness/locate"
)

// object is a JSON object under way; encoding/json sorts its keys.
type object = map[string]any

// Schema is the JSON Schema (draft 2020-12) of a suite, made from the Go types:
// the fields of the structs, the agent's table of verbs, and the words that the
// loader checks.
func Schema() ([]byte, error) {
	g := generator{defs: object{}}
	root := g.structure(reflect.TypeFor[Suite]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "harness suite"
	root["required"] = []string{"scenarios"}
	root["$defs"] = g.defs
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return append(out, '\n'), nil
}

// generator collects the definitions of the types that it meets.
type generator struct{ defs object }

// special are the types whose form in a suite is not that of their Go fields.
func (g *generator) special(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return object{"type": "string", "pattern": `^([0-9.]+(ns|us|ms|s|m|h))+$`, "examples": []string{"300ms", "5s"}}
	case reflect.TypeFor[Size]():
		return object{"type": "string", "pattern": `^[0-9]+x[0-9]+$`, "examples": []string{"1280x800"}}
	case reflect.TypeFor[Clock]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[Regexp]():
		return object{"type": "string", "format": "regex"}
	case reflect.TypeFor[agent.Offset]():
		number := object{"type": "number"}
		return oneOf(number, object{"type": "array", "items": number, "minItems": 2, "maxItems": 2}, g.structure(t))
	case reflect.TypeFor[Policy]():
		return object{"enum": Policies()}
	case reflect.TypeFor[Step]():
		return g.def("step", g.step)
	case reflect.TypeFor[Expectation]():
		return g.def("expectation", g.expectation)
	case reflect.TypeFor[locate.Target](), reflect.TypeFor[Thing]():
		return g.def("target", func() object { return oneOf(text(), g.structure(reflect.TypeFor[locate.Target]())) })
	case reflect.TypeFor[Match]():
		return g.def("match", func() object { return oneOf(text(), g.structure(t)) })
	case reflect.TypeFor[CheckedOf]():
		return oneOf(g.of(reflect.TypeFor[locate.Target]()), g.structure(t))
	}
	return nil
}

// text is any scalar: scalars are taken as written.
func text() object { return object{"type": []string{"string", "number", "boolean", "null"}} }

func oneOf(forms ...object) object { return object{"anyOf": forms} }

// def makes a definition once and refers to it.
func (g *generator) def(name string, build func() object) object {
	if _, ok := g.defs[name]; !ok {
		g.defs[name] = object{} // for types that hold themselves
		g.defs[name] = build()
	}
	return object{"$ref": "#/$defs/" + name}
}

// of is the schema of a type.
func (g *generator) of(t reflect.Type) object {
	if s := g.special(t); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.Struct:
		return g.structure(t)
	case reflect.Slice:
		list := object{"type": "array", "items": g.of(t.Elem())}
		if t.Elem().Kind() == reflect.String {
			return oneOf(text(), list)
		}
		return list
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	return text()
}

// structure is the schema of a mapping with the struct's fields.
func (g *generator) structure(t reflect.Type) object {
	props := object{}
	g.fields(t, props)
	return object{"type": "object", "additionalProperties": false, "properties": props}
}

func (g *generator) fields(t reflect.Type, into object) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if rest == "inline" {
			g.fields(f.Type, into)
			continue
		}
		if name == "" || name == "-" || !f.IsExported() {
			continue
		}
		s := g.of(f.Type)
		doc := f.Tag.Get("doc")
		if doc == "" {
			doc = f.Tag.Get("jsonschema_description") // as the agent's verbs have it
		}
		if doc != "" {
			s["description"] = doc
		}
		into[name] = s
	}
}

// expectation is a mapping with exactly one kind.
func (g *generator) expectation() object {
	s := g.structure(reflect.TypeFor[Expectation]())
	var one []object
	for _, k := range expectationKinds {
		one = append(one, object{"required": []string{k}})
	}
	s["oneOf"] = one
	return s
}

// step is a mapping with exactly one verb and the modifiers, or a bare verb.
func (g *generator) step() object {
	props := object{
		"error":  object{"enum": agent.ErrorKinds(), "description": "the step must be refused with this kind of error"},
		"effect": object{"const": agent.EffectRequired, "description": "no effect is an error"},
		"layer": object{"type": "array", "items": object{"enum": []locate.LayerName{locate.Memory, locate.Locators, locate.JS, locate.Vision}},
			"description": "the layers that may resolve the target"},
	}
	var one []object
	var bare []string
	for _, v := range agent.Verbs() {
		props[v.Name] = g.verb(v)
		one = append(one, object{"required": []string{v.Name}})
		if v.New != nil && len(v.Fields()) == 0 {
			bare = append(bare, v.Name)
		}
	}
	return oneOf(
		object{"enum": bare},
		object{"type": "object", "additionalProperties": false, "properties": props, "oneOf": one},
	)
}

// verb is the schema of a verb's arguments with its short form.
func (g *generator) verb(v agent.Verb) object {
	if v.Open {
		return object{"type": "array", "items": g.of(reflect.TypeFor[Expectation]()), "description": v.Doc}
	}
	args := reflect.TypeOf(v.New()).Elem()
	forms := []object{g.structure(args)}
	for i := range args.NumField() {
		if v.Scalar != "" && args.Field(i).Tag.Get("yaml") == v.Scalar {
			forms = append(forms, g.of(args.Field(i).Type))
		}
	}
	if len(v.Fields()) == 0 {
		forms = append(forms, object{"type": "null"})
	}
	s := oneOf(forms...)
	s["description"] = v.Doc
	return s
}
