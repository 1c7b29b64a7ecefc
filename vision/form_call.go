package vision

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	toolCall  = regexp.MustCompile(`(?s)<(tool_call|function_call)>\s*(.*?)\s*(</(tool_call|function_call)>|$)`)
	xmlFunc   = regexp.MustCompile(`(?s)<function=([A-Za-z0-9_.-]+)>(.*?)(</function>|$)`)
	xmlParam  = regexp.MustCompile(`(?s)<parameter=([A-Za-z0-9_.-]+)>\s*(.*?)\s*</parameter>`)
	argPair   = regexp.MustCompile(`(?s)<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>\s*(.*?)\s*</arg_value>`)
	actionTag = regexp.MustCompile(`(?im)^\W*action\s*[:：]`)
	actionMid = regexp.MustCompile(`(?i)\baction\s*[:：]\s*`)
	callHead  = regexp.MustCompile("^(?:[-*`> \t]|\\d+\\.|(?i:action)\\s*[:：])*(?:pyautogui\\.|computer\\.)?([A-Za-z][A-Za-z0-9_]*)[ \t]*\\(")
)

// readToolCalls reads calls of tools that stand in the text: a JSON object in
// <tool_call>, or parameters as elements.
func readToolCalls(p Profile, s string) ([]Reading, error) {
	var out []Reading
	blocks := toolCall.FindAllStringSubmatch(s, -1)
	if len(blocks) == 0 && xmlFunc.MatchString(s) {
		blocks = [][]string{{"", "", s}}
	}
	for _, b := range blocks {
		v, err := callValue(b[2])
		if err != nil {
			return nil, fmt.Errorf("tool call: %w", err)
		}
		rs, err := p.fromValue(v)
		if err != nil {
			return nil, err
		}
		out = append(out, rs...)
	}
	if len(blocks) > 0 && len(out) == 0 {
		return nil, fmt.Errorf("a tool call without act or place")
	}
	return out, nil
}

func callValue(s string) (any, error) {
	if m := xmlFunc.FindStringSubmatch(s); m != nil {
		return callMap(m[1], xmlParam.FindAllStringSubmatch(m[2], -1)), nil
	}
	if pairs := argPair.FindAllStringSubmatch(s, -1); pairs != nil {
		return callMap(strings.TrimSpace(s[:strings.Index(s, "<arg_key>")]), pairs), nil
	}
	v, _, err := readValue(s, 0)
	return v, err
}

// callMap is a call whose arguments were texts; those that are values are read.
func callMap(name string, pairs [][]string) map[string]any {
	args := map[string]any{}
	for _, kv := range pairs {
		args[kv[1]] = argument(kv[2])
	}
	return map[string]any{"name": name, "arguments": args}
}

func argument(s string) any {
	v, end, err := readValue(s, 0)
	if err != nil || strings.TrimSpace(s[end:]) != "" {
		return s
	}
	return v
}

// readCalls reads acts written as function calls: click(start_box='(1,2)'),
// do(action="Tap", element=[1,2]), left_click(…). They stand after "Action:",
// or at the head of a line.
func readCalls(p Profile, s string) ([]Reading, error) {
	if at := actionTag.FindStringIndex(s); at != nil {
		s = strings.TrimLeft(s[at[0]:], "\r\n")
	} else if at := actionMid.FindStringIndex(s); at != nil {
		s = s[at[1]:]
	}
	var out []Reading
	for from := 0; from < len(s); {
		m := callHead.FindStringSubmatchIndex(s[from:])
		if m == nil || !callName(s[from+m[2]:from+m[3]]) {
			from = nextLine(s, from)
			continue
		}
		name := s[from+m[2] : from+m[3]]
		args, end, err := readArgs(s, from+m[1])
		if err != nil {
			return nil, err
		}
		r, err := p.fromCall(name, args)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
		from = end
		for from < len(s) && strings.IndexByte(" \t;,`)", s[from]) >= 0 {
			from++
		}
		if from < len(s) && s[from] == '\n' {
			from++
		}
	}
	return out, nil
}

func nextLine(s string, from int) int {
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(s)
}

func callName(name string) bool {
	_, ok := verbs[strings.ToLower(name)]
	return ok || strings.EqualFold(name, "do")
}

// readArgs reads "a=1, b='x', …)" from i on; values without a name are kept
// under "". A tag, as in point=<point>1 2</point>, is text up to a comma.
func readArgs(s string, i int) (map[string]any, int, error) {
	args := map[string]any{}
	var bare []any
	for {
		i += len(s[i:]) - len(strings.TrimLeft(s[i:], " \t\r\n,"))
		if i >= len(s) {
			return nil, i, &syntaxError{s, i, "the call does not end"}
		}
		if s[i] == ')' {
			if bare != nil {
				args[""] = bare
			}
			return args, i + 1, nil
		}
		name := ""
		if m := argName.FindStringSubmatch(s[i:]); m != nil {
			name = m[1]
			i += len(m[0])
		}
		v, end, err := argValue(s, i)
		if err != nil {
			return nil, i, err
		}
		if i = end; name != "" {
			args[name] = v
		} else {
			bare = append(bare, v)
		}
	}
}

var (
	argName = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*`)
	tagArg  = regexp.MustCompile(`^(?:<\|box_start\|>.*?<\|box_end\|>|<(?:point|bbox|box)>[^<]*</(?:point|bbox|box)>)`)
)

func argValue(s string, i int) (any, int, error) {
	if t := tagArg.FindString(s[i:]); t != "" {
		return t, i + len(t), nil
	}
	return readValue(s, i)
}

// fromCall is the reading of one call.
func (p Profile) fromCall(name string, args map[string]any) (Reading, error) {
	r := Reading{}
	act(&r, args)
	if !strings.EqualFold(name, "do") {
		r.Verb = verb(name)
	}
	if err := p.mapPlaces(&r, args); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	bare, _ := args[""].([]any)
	switch ns := flat(bare); {
	case bare == nil:
	case ns != nil && len(r.Places) == 0 && r.Verb != "wait":
		pl, err := p.place(ns)
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		r.Places = append(r.Places, pl)
	case r.Text == "":
		r.Text = fmt.Sprint(bare...)
	}
	// A line break at the end of typed text is how this grammar submits.
	if r.Verb == "type" && strings.HasSuffix(r.Text, "\n") {
		r.Text, r.Enter = strings.TrimRight(r.Text, "\n"), true
	}
	return r, nil
}
