package agent

import (
	"encoding/json"
	"regexp"
	"strings"
)

// fenced is a reply that is one code block.
var fenced = regexp.MustCompile("(?s)^```[a-zA-Z]*[ \t]*\n?(.*?)\n?```$")

// unfenced is the text without the code fence around it.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if m := fenced.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	if strings.Trim(text, "`") == "" { // a fence that was opened and never filled
		return ""
	}
	return text
}

// textCalls reads the calls of a model that writes them as JSON into its text:
// one object or a list of objects, bare or in a code block. Text that is no
// JSON gives none; text that plainly means to be gives one Call with Err, which
// names the position.
func textCalls(text string) []Call {
	raw := unfenced(text)
	if !strings.HasPrefix(raw, "{") && !strings.HasPrefix(raw, "[") {
		return nil
	}
	tree, err := parseJSON([]byte(raw))
	if err != nil {
		mended, ok := otherBracket(raw)
		if !ok {
			return []Call{{Arguments: raw, Err: &ArgError{Problem: err.Error()}}}
		}
		tree = mended
	}
	list, ok := tree.([]any)
	if !ok {
		list = []any{tree}
	}
	var calls []Call
	for _, item := range list {
		calls = append(calls, objectCall(raw, item))
	}
	if len(calls) == 0 {
		return []Call{{Arguments: raw, Err: &ArgError{Problem: "an empty list of calls"}}}
	}
	return calls
}

// otherBracket mends an object whose first or last bracket is that of a list.
func otherBracket(raw string) (any, bool) {
	inner := strings.TrimSpace(strings.Trim(raw, "[]{}"))
	for _, try := range []string{"{" + raw[1:], "{" + inner + "}", raw[:len(raw)-1] + "}"} {
		tree, err := parseJSON([]byte(try))
		if err != nil {
			continue
		}
		if m, ok := tree.(map[string]any); ok && len(m) > 0 {
			return m, true
		}
	}
	return nil, false
}

// The keys under which models write name and arguments.
var (
	nameKeys = []string{"name", "tool", "action", "verb", "function"}
	argsKeys = []string{"arguments", "args", "parameters", "input"}
)

// objectCall reads one object as a call: {"name": …, "arguments": …}, the
// arguments beside the name, or {"click": …} as in suites.
func objectCall(raw string, item any) Call {
	m, ok := item.(map[string]any)
	if !ok {
		return Call{Arguments: raw, Err: &ArgError{Problem: "a call is an object with name and arguments"}}
	}
	for _, key := range nameKeys {
		name, ok := m[key].(string)
		if !ok || name == "" {
			continue
		}
		rest := map[string]any{}
		for k, v := range m {
			if k != key {
				rest[k] = v
			}
		}
		return Call{Name: name, Arguments: argsText(rest)}
	}
	if len(m) == 1 {
		for k, v := range m {
			return Call{Name: k, Arguments: jsonText(v)}
		}
	}
	return Call{Arguments: raw, Err: &ArgError{Problem: "a call without a name", Hint: `{"name": "click", "arguments": {…}}`}}
}

func argsText(rest map[string]any) string {
	for _, key := range argsKeys {
		v, ok := rest[key]
		if !ok || len(rest) > 1 {
			continue
		}
		if s, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
			return s
		}
		return jsonText(v)
	}
	return jsonText(rest)
}

func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
