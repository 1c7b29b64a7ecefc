package yaml

import (
	"encoding"
	"errors"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Decoder is a type that reads itself from a node.
type Decoder interface {
	// DecodeYAML fills the receiver; o is what Decode was given. Its errors
	// should be made with n.Errorf, so that they have a place.
	DecodeYAML(n *Node, o *Options) error
}

// Options say how Decode reads what it cannot know by itself. The zero value
// has no hooks.
type Options struct {
	// Hooks read types that cannot be Decoders themselves.
	Hooks map[reflect.Type]func(n *Node, into reflect.Value) error
}

// Decode fills the value that v points to. Struct fields go by their `yaml`
// tag; `yaml:",inline"` takes the fields of a struct as one's own. Types with
// a hook, Decoders and text unmarshalers read themselves; durations are
// written 300ms, 5s, 2m. All that is wrong is reported, joined, in the order
// of the file; what could be read is set even then.
func Decode(n *Node, v any, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	d := &decoding{o: o}
	d.value(n, reflect.ValueOf(v).Elem())
	sort.SliceStable(d.errs, func(i, j int) bool { return before(d.errs[i], d.errs[j]) })
	return errors.Join(d.errs...)
}

// Unmarshal is Parse and Decode.
func Unmarshal(file string, data []byte, v any, o *Options) error {
	n, err := Parse(file, data)
	if err != nil {
		return err
	}
	return Decode(n, v, o)
}

func before(a, b error) bool {
	var x, y *Error
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return false
	}
	return x.Line < y.Line || x.Line == y.Line && x.Col < y.Col
}

type decoding struct {
	o    *Options
	errs []error
}

// fail keeps an error, giving it the node's place where it has none.
func (d *decoding) fail(n *Node, err error) {
	var joined interface{ Unwrap() []error }
	var placed *Error
	switch {
	case errors.As(err, &joined):
		for _, e := range joined.Unwrap() {
			d.fail(n, e)
		}
	case errors.As(err, &placed):
		d.errs = append(d.errs, err)
	default:
		d.errs = append(d.errs, n.Errorf("%v", err))
	}
}

func (d *decoding) value(n *Node, v reflect.Value) {
	if d.special(n, v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if n.empty() {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.value(n, v.Elem())
	case reflect.Struct:
		d.structure(n, v)
	case reflect.Slice:
		d.list(n, v)
	case reflect.Map:
		d.mapping(n, v)
	default:
		d.scalar(n, v)
	}
}

// special reads the types that read themselves.
func (d *decoding) special(n *Node, v reflect.Value) bool {
	if hook := d.o.Hooks[v.Type()]; hook != nil {
		if err := hook(n, v); err != nil {
			d.fail(n, err)
		}
		return true
	}
	if !v.CanAddr() {
		return false
	}
	switch t := v.Addr().Interface().(type) {
	case Decoder:
		if err := t.DecodeYAML(n, d.o); err != nil {
			d.fail(n, err)
		}
		return true
	case encoding.TextUnmarshaler:
		if n.Kind != Scalar {
			d.fail(n, n.Errorf("a value is wanted here, not %v", n.Kind))
		} else if err := t.UnmarshalText([]byte(n.Text)); err != nil {
			d.fail(n, err)
		}
		return true
	case *time.Duration:
		d.duration(n, t)
		return true
	}
	return false
}

func (d *decoding) duration(n *Node, into *time.Duration) {
	got, err := time.ParseDuration(n.Text)
	switch {
	case n.Kind != Scalar:
		d.fail(n, n.Errorf("a duration is wanted here, such as 300ms or 5s, not %v", n.Kind))
	case err != nil:
		d.fail(n, n.Errorf("not a duration: %q (write 300ms, 5s, 2m)", n.Text))
	case got < 0:
		d.fail(n, n.Errorf("a duration below zero: %s", n.Text))
	default:
		*into = got
	}
}

func (d *decoding) structure(n *Node, v reflect.Value) {
	if n.Kind == Null {
		return
	}
	if n.Kind != Map {
		d.fail(n, n.Errorf("a mapping is wanted here, not %v", n.Kind))
		return
	}
	known := map[string]reflect.Value{}
	fields(v, known)
	for _, p := range n.Pairs {
		field, ok := known[p.Key]
		if !ok {
			d.errs = append(d.errs, p.Errorf("unknown field %q%s", p.Key, DidYouMean(p.Key, names(known))))
			continue
		}
		d.value(p.Value, field)
	}
}

// fields collects the settable fields of a struct by their names.
func fields(v reflect.Value, into map[string]reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if rest == "inline" {
			fields(v.Field(i), into)
			continue
		}
		if name == "" || name == "-" || !f.IsExported() {
			continue
		}
		into[name] = v.Field(i)
	}
}

func names(m map[string]reflect.Value) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

func (d *decoding) list(n *Node, v reflect.Value) {
	switch n.Kind {
	case Null:
		return
	case List:
	default: // one item in place of a list of one
		if n.Kind == Scalar && v.Type().Elem().Kind() == reflect.String {
			n = &Node{Place: n.Place, Kind: List, Items: []*Node{n}}
			break
		}
		d.fail(n, n.Errorf("a list is wanted here, not %v", n.Kind))
		return
	}
	out := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
	for i, item := range n.Items {
		d.value(item, out.Index(i))
	}
	v.Set(out)
}

func (d *decoding) mapping(n *Node, v reflect.Value) {
	if n.Kind == Null {
		return
	}
	if n.Kind != Map {
		d.fail(n, n.Errorf("a mapping is wanted here, not %v", n.Kind))
		return
	}
	out := reflect.MakeMapWithSize(v.Type(), len(n.Pairs))
	for _, p := range n.Pairs {
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(p.Value, item)
		out.SetMapIndex(reflect.ValueOf(p.Key).Convert(v.Type().Key()), item)
	}
	v.Set(out)
}

func (d *decoding) scalar(n *Node, v reflect.Value) {
	text := n.Text
	if n.empty() {
		return
	}
	if n.Kind == List || n.Kind == Map {
		d.fail(n, n.Errorf("%s is wanted here, not %v", wanted(v.Kind()), n.Kind))
		return
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		err = setBool(v, text)
	case reflect.Int, reflect.Int64:
		var i int64
		if i, err = strconv.ParseInt(text, 10, 64); err == nil {
			v.SetInt(i)
		}
	case reflect.Float64:
		var f float64
		if f, err = strconv.ParseFloat(text, 64); err == nil {
			v.SetFloat(f)
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(text))
	default:
		err = errors.New("unsupported type " + v.Type().String())
	}
	if err != nil {
		d.fail(n, n.Errorf("%s is wanted here, not %q", wanted(v.Kind()), text))
	}
}

func setBool(v reflect.Value, text string) error {
	switch text {
	case "true":
		v.SetBool(true)
	case "false":
		v.SetBool(false)
	default:
		return strconv.ErrSyntax
	}
	return nil
}

func wanted(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return "text"
}
