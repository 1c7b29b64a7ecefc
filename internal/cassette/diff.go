package cassette

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"sort"
	"strings"
)

// Drift is a request that is not the recorded one.
type Drift struct {
	File       string   `json:"file"`
	Exchange   int      `json:"exchange"`              // from 1
	Line       int      `json:"line"`                  // of the file
	Diff       []string `json:"diff"`                  // for people, one difference a line, at most maxDiff
	ImagesOnly bool     `json:"images_only,omitempty"` // nothing differs but the pixels
}

func (d Drift) String() string {
	return fmt.Sprintf("%s:%d: exchange %d: %s", d.File, d.Line, d.Exchange, strings.Join(d.Diff, "; "))
}

// maxDiff bounds the lines of a Drift.
const maxDiff = 12

const otherImage = "another image"

// diff says in words how the request differs from the recorded one.
func diff(recorded, asked Request) []string {
	if recorded.Empty() {
		return nil
	}
	var d differ
	if recorded.Method != "" && recorded.Method != asked.Method {
		d.add("method", "%s, was %s", asked.Method, recorded.Method)
	}
	if recorded.Path != "" && tail(recorded.Path) != tail(asked.Path) {
		d.add("path", "%s, was %s", asked.Path, recorded.Path)
	}
	var was, is any
	if json.Unmarshal(recorded.Body, &was) != nil || json.Unmarshal(asked.Body, &is) != nil {
		d.add("body", "not JSON")
		return d.lines
	}
	d.value("", was, is)
	if n := len(d.lines) - maxDiff; n > 0 {
		d.lines = append(d.lines[:maxDiff], fmt.Sprintf("and %d more", n))
	}
	return d.lines
}

// tail is what names the call in a path: bases differ between providers.
func tail(p string) string { return path.Join(path.Base(path.Dir(p)), path.Base(p)) }

func imagesOnly(lines []string) bool {
	for _, l := range lines {
		if !strings.HasSuffix(l, otherImage) {
			return false
		}
	}
	return true
}

type differ struct{ lines []string }

func (d *differ) add(at, format string, args ...any) {
	d.lines = append(d.lines, at+": "+fmt.Sprintf(format, args...))
}

func (d *differ) value(at string, was, is any) {
	if reflect.DeepEqual(was, is) {
		return
	}
	switch w := was.(type) {
	case map[string]any:
		if i, ok := is.(map[string]any); ok {
			d.object(at, w, i)
			return
		}
	case []any:
		if i, ok := is.([]any); ok {
			d.list(at, w, i)
			return
		}
	case string:
		if i, ok := is.(string); ok {
			d.text(at, w, i)
			return
		}
	}
	d.add(at, "%s, was %s", show(is), show(was))
}

func (d *differ) object(at string, was, is map[string]any) {
	for _, k := range keys(was, is) {
		w, hadIt := was[k]
		i, hasIt := is[k]
		switch p := strings.TrimPrefix(at+"."+k, "."); {
		case !hadIt:
			d.add(p, "new: %s", show(i))
		case !hasIt:
			d.add(p, "gone, was %s", show(w))
		default:
			d.value(p, w, i)
		}
	}
}

// list compares lists by place; tools, which have names, by name.
func (d *differ) list(at string, was, is []any) {
	if w, i := named(was), named(is); w != nil && i != nil {
		d.object(at, w, i)
		return
	}
	for n := range max(len(was), len(is)) {
		p := fmt.Sprintf("%s[%d]", at, n)
		switch {
		case n >= len(was):
			d.add(p, "new: %s", show(is[n]))
		case n >= len(is):
			d.add(p, "gone, was %s", show(was[n]))
		default:
			d.value(p, was[n], is[n])
		}
	}
}

// named is a list of tools as a mapping from their names; nil where it is none.
func named(list []any) map[string]any {
	out := map[string]any{}
	for _, v := range list {
		m, _ := v.(map[string]any)
		f, _ := m["function"].(map[string]any)
		name, _ := f["name"].(string)
		if name == "" || m["id"] != nil || out[name] != nil {
			return nil
		}
		out[name] = v
	}
	return out
}

// text shows the first line that differs.
func (d *differ) text(at, was, is string) {
	if strings.HasPrefix(was, "sha256:") && strings.HasPrefix(is, "sha256:") {
		d.add(at, otherImage)
		return
	}
	w, i := strings.Split(was, "\n"), strings.Split(is, "\n")
	if len(w) == 1 && len(i) == 1 {
		d.add(at, "%s, was %s", show(is), show(was))
		return
	}
	n := 0
	for n < len(w) && n < len(i) && w[n] == i[n] {
		n++
	}
	d.add(at, "line %d: %s, was %s (%d lines, were %d)", n+1, lineAt(i, n), lineAt(w, n), len(i), len(w))
}

func lineAt(lines []string, n int) string {
	if n >= len(lines) {
		return "the end"
	}
	return show(lines[n])
}

func show(v any) string {
	b, err := marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return clip(string(b), 100)
}

func keys(ms ...map[string]any) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range ms {
		for k := range m {
			if !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
	}
	sort.Strings(out)
	return out
}
