package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"harness/locate"
)

// assign puts a tree into the struct that dst points to. It is strict about
// keys and lenient about how scalars are typed ("12" for 12, 7 for "7", one
// value for a list of one): models and people write both. A key without a value
// counts as true for a yes/no field and as absent for any other.
func assign(verb string, dst any, tree any) error {
	err := setValue(reflect.ValueOf(dst).Elem(), tree, "")
	var fault *ArgError
	if errors.As(err, &fault) {
		fault.Verb = verb
	}
	return err
}

var (
	targetType = reflect.TypeFor[locate.Target]()
	offsetType = reflect.TypeFor[Offset]()
)

func setValue(dst reflect.Value, v any, path string) error {
	if v == nil {
		if dst.Kind() == reflect.Bool {
			dst.SetBool(true)
		}
		return nil
	}
	switch {
	case dst.Type() == targetType:
		return setTarget(dst.Addr().Interface().(*locate.Target), v, path)
	case dst.Type() == offsetType:
		return setOffset(dst.Addr().Interface().(*Offset), v, path)
	}
	switch dst.Kind() {
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		return setValue(dst.Elem(), v, path)
	case reflect.Struct:
		return setStruct(dst, v, path)
	case reflect.Slice:
		return setSlice(dst, v, path)
	}
	return setScalar(dst, v, path)
}

func setStruct(dst reflect.Value, v any, path string) error {
	m, ok := v.(map[string]any)
	names := fieldNames(dst.Type())
	if !ok {
		return &ArgError{Field: path, Problem: fmt.Sprintf("%s is wanted, not %s", strings.Join(names, ", "), sortOf(v)), Hint: "a mapping"}
	}
	for _, key := range sortedKeys(m) {
		i := slices.Index(names, key)
		if i < 0 {
			return &ArgError{Field: join(path, key), Problem: fmt.Sprintf("unknown field %q", key), Hint: hintOr(key, names, "it has "+strings.Join(names, ", "))}
		}
		if err := setValue(dst.Field(i), m[key], join(path, key)); err != nil {
			return err
		}
	}
	return nil
}

func setSlice(dst reflect.Value, v any, path string) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := reflect.MakeSlice(dst.Type(), len(list), len(list))
	for i, item := range list {
		if err := setValue(out.Index(i), item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	dst.Set(out)
	return nil
}

func setScalar(dst reflect.Value, v any, path string) error {
	text, ok := scalarText(v)
	if !ok {
		return &ArgError{Field: path, Problem: fmt.Sprintf("%q takes a %s, not %s", path, dst.Kind(), sortOf(v))}
	}
	switch dst.Kind() {
	case reflect.String:
		dst.SetString(text)
		return nil
	case reflect.Bool:
		b, err := strconv.ParseBool(strings.ToLower(text))
		if err == nil {
			dst.SetBool(b)
			return nil
		}
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err == nil {
			dst.SetInt(int64(n))
			return nil
		}
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err == nil {
			dst.SetFloat(f)
			return nil
		}
	}
	return &ArgError{Field: path, Problem: fmt.Sprintf("%q is %q, not a %s", path, text, kindWord(dst.Kind()))}
}

func kindWord(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "yes/no value (true or false)"
	case reflect.Int:
		return "whole number"
	}
	return "number"
}

// setTarget reads a target from words or a mapping. The target's own reading of
// its words is used where it has one.
func setTarget(dst *locate.Target, v any, path string) error {
	if m, ok := v.(map[string]any); ok {
		return setTargetFields(dst, m, path)
	}
	text, ok := scalarText(v)
	if !ok {
		return &ArgError{Field: path, Problem: fmt.Sprintf("%q takes a target, not %s", path, sortOf(v)), Hint: "words or a mapping of fields"}
	}
	if strings.TrimSpace(text) == "" {
		return &ArgError{Field: path, Problem: fmt.Sprintf("%q is empty", path), Hint: "words or fields of a target"}
	}
	return targetFromJSON(dst, text, path)
}

func setTargetFields(dst *locate.Target, m map[string]any, path string) error {
	if inner, ok := m["target"]; ok && len(m) == 1 { // {"into": {"target": …}}: models nest it so
		return setTarget(dst, inner, path)
	}
	if len(m) == 1 && m["words"] != nil {
		return setTarget(dst, m["words"], path)
	}
	return setStruct(reflect.ValueOf(dst).Elem(), m, path)
}

func targetFromJSON(dst *locate.Target, words, path string) error {
	own, ok := any(dst).(json.Unmarshaler)
	if !ok {
		dst.Words = words
		return nil
	}
	raw, err := json.Marshal(words)
	if err == nil {
		err = own.UnmarshalJSON(raw)
	}
	if err != nil {
		return &ArgError{Field: path, Problem: err.Error()}
	}
	return nil
}

func setOffset(dst *Offset, v any, path string) error {
	switch v := v.(type) {
	case map[string]any:
		return setStruct(reflect.ValueOf(dst).Elem(), v, path)
	case []any:
		if len(v) != 2 {
			return &ArgError{Field: path, Problem: fmt.Sprintf("%q has %d numbers", path, len(v)), Hint: "[right, down] in CSS px"}
		}
		return firstOf(setValue(reflect.ValueOf(&dst.X).Elem(), v[0], path), setValue(reflect.ValueOf(&dst.Y).Elem(), v[1], path))
	}
	return setValue(reflect.ValueOf(&dst.Y).Elem(), v, path)
}

// scalarText is a scalar as written.
func scalarText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case map[string]any, []any:
		return "", false
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return fmt.Sprint(v), true
}

// sortOf says what sort of value was given.
func sortOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return quoted(clip(v, 40))
	}
	return fmt.Sprint(v)
}

// fieldNames are the JSON names of the struct's fields, in order.
func fieldNames(t reflect.Type) []string {
	names := make([]string, 0, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func targetFields() []string { return fieldNames(targetType) }

func anyKey(m map[string]any, names []string) bool {
	for key := range m {
		if slices.Contains(names, key) {
			return true
		}
	}
	return false
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func asSyntax(err error, to **json.SyntaxError) bool { return errors.As(err, to) }

// excerpt is the text around a position.
func excerpt(raw []byte, at int) string {
	from, to := max(0, at-20), min(len(raw), at+20)
	if from >= to {
		return ""
	}
	return quoted(strings.ToValidUTF8(string(raw[from:to]), ""))
}
