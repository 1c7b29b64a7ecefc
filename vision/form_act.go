package vision

import (
	"fmt"
	"math"
	"strings"
)

// act reads what an object says beside its places: the verb and its
// arguments, absence, a mark, how sure the model is.
func act(r *Reading, m map[string]any) {
	r.Verb = verbOf(m)
	r.Text = str(m, "text", "content", "answer", "message", "value", "reason", "url")
	r.Keys = keysOf(m)
	r.To = strings.ToLower(str(m, "direction"))
	r.Amount = str(m, "amount", "pixels", "scroll_y", "magnitude", "distance")
	r.Enter = isTrue(m, "needs_enter", "press_enter", "enter", "submit")
	r.Clear = isTrue(m, "clear", "clear_before_typing", "overwrite")
	if m["absent"] == true || m["found"] == false || m["visible"] == false || m["exists"] == false {
		r.Absent = true
	}
	if e, ok := m["error"].(string); ok && saysAbsent(e) {
		r.Absent = true
	}
	for _, k := range []string{"confidence", "score"} {
		if f, ok := number(m[k]); ok {
			r.Score = score(f)
		}
	}
	for _, k := range []string{"mark", "mark_id", "label_id"} {
		if f, ok := number(m[k]); ok && f >= 1 && f == math.Trunc(f) && f < 1e6 {
			r.Mark = int(f)
		}
	}
	if r.Verb == "done" && strings.EqualFold(str(m, "status"), "failure") {
		r.Verb = "fail"
	}
}

// score is how sure the model says it is, out of 100.
func score(f float64) int {
	switch {
	case f >= 0 && f <= 1:
		return int(f*100 + 0.5)
	case f > 1 && f <= 100:
		return int(f + 0.5)
	}
	return 0
}

// verbOf is the act that an object names. The name of a tool counts where its
// arguments name no act of their own.
func verbOf(m map[string]any) string {
	for _, k := range []string{"action", "action_type"} {
		if s, ok := m[k].(string); ok && s != "" && !strings.ContainsAny(s, "({") {
			return verb(s)
		}
	}
	for _, k := range []string{"type", "name"} { // words that mean other things too
		if s, ok := m[k].(string); ok && known(verb(s)) {
			return verb(s)
		}
	}
	return ""
}

// known reports whether the word is one of the acts.
func known(v string) bool {
	for _, w := range verbs {
		if w == v {
			return true
		}
	}
	return false
}

func str(m map[string]any, names ...string) string {
	for _, n := range names {
		switch v := m[n].(type) {
		case string:
			if v != "" {
				return v
			}
		case float64:
			return fmt.Sprintf("%g", v)
		}
	}
	return ""
}

func isTrue(m map[string]any, names ...string) bool {
	for _, n := range names {
		v := m[n]
		if s, ok := v.(string); ok && strings.EqualFold(s, "true") || v == true || v == 1.0 {
			return true
		}
	}
	return false
}

// keysOf are the keys of a press, joined as the browser names a chord.
func keysOf(m map[string]any) string {
	for _, n := range []string{"keys", "key"} {
		switch v := m[n].(type) {
		case string:
			return strings.Join(strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == '+' }), "+")
		case []any:
			var ks []string
			for _, k := range v {
				ks = append(ks, fmt.Sprint(k))
			}
			return strings.Join(ks, "+")
		}
	}
	return ""
}
