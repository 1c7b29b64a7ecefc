package yaml

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type inner struct {
	Text string `yaml:"text"`
	Nth  int    `yaml:"nth"`
}

type shared struct {
	Wait time.Duration `yaml:"wait"`
	DPR  float64       `yaml:"dpr"`
	On   *bool         `yaml:"on"`
}

type size struct{ w, h string }

func (s *size) DecodeYAML(n *Node, _ *Options) error {
	if len(n.Text) != 3 {
		return n.Errorf("not a size: %q", n.Text)
	}
	s.w, s.h = n.Text[:1], n.Text[2:]
	return nil
}

type outer struct {
	shared `yaml:",inline"`
	Name   string            `yaml:"name"`
	List   []inner           `yaml:"list"`
	Tags   []string          `yaml:"tags"`
	Map    map[string]string `yaml:"map"`
	Ptr    *inner            `yaml:"ptr"`
	Size   size              `yaml:"size"`
	Hooked int64             `yaml:"hooked"`
}

func TestDecode(t *testing.T) {
	var got outer
	err := Unmarshal("a.yaml", []byte(`
wait: 300ms
dpr: 1.5
on: false
name: 007
list:
  - text: 2026-01-30
    nth: 2
  - {text: "a: b", nth: -1}
  - text: |
      two
      lines
tags: one
map: {https://a.test: dir, b: 0x10}
ptr:
  text: null
size: 3x4
`), &got, nil)
	require.NoError(t, err)
	off := false
	assert.Equal(t, shared{300 * time.Millisecond, 1.5, &off}, got.shared)
	assert.Equal(t, "007", got.Name, "scalars stay as written")
	assert.Equal(t, []inner{{"2026-01-30", 2}, {"a: b", -1}, {"two\nlines\n", 0}}, got.List)
	assert.Equal(t, []string{"one"}, got.Tags)
	assert.Equal(t, map[string]string{"https://a.test": "dir", "b": "0x10"}, got.Map)
	assert.Equal(t, &inner{Text: "null"}, got.Ptr)
	assert.Equal(t, size{"3", "4"}, got.Size)
}

func TestDecodeErrors(t *testing.T) {
	run := func(in string) string {
		t.Helper()
		var v outer
		err := Unmarshal("dir/a.yaml", []byte(in), &v, &Options{Hooks: map[reflect.Type]func(*Node, reflect.Value) error{
			reflect.TypeFor[int64](): func(n *Node, _ reflect.Value) error { return n.Errorf("hook saw %s", n.Text) },
		}})
		require.Error(t, err, in)
		return err.Error()
	}
	for _, tt := range []struct{ name, in, want string }{
		{"unknown field", "name: a\nlsit: []\n", `dir/a.yaml:2:1: unknown field "lsit" (did you mean "list"?)`},
		{"nested", "list:\n  - text: a\n    nht: 1\n", `dir/a.yaml:3:5: unknown field "nht" (did you mean "nth"?)`},
		{"nothing near", "zzzzzz: 1", `dir/a.yaml:1:1: unknown field "zzzzzz"`},
		{"number", "list: [{nth: many}]", `dir/a.yaml:1:14: a whole number is wanted here, not "many"`},
		{"float", "dpr: x", `dir/a.yaml:1:6: a number is wanted here, not "x"`},
		{"bool", "on: yes", `dir/a.yaml:1:5: true or false is wanted here, not "yes"`},
		{"duration", "wait: 5", `dir/a.yaml:1:7: not a duration: "5" (write 300ms, 5s, 2m)`},
		{"duration below zero", "wait: -5s", `dir/a.yaml:1:7: a duration below zero: -5s`},
		{"duration list", "wait: [1s]", `dir/a.yaml:1:7: a duration is wanted here, such as 300ms or 5s, not a list`},
		{"list for text", "name: [a]", `dir/a.yaml:1:7: text is wanted here, not a list`},
		{"value for list", "list: a", `dir/a.yaml:1:7: a list is wanted here, not a value`},
		{"value for mapping", "ptr: a", `dir/a.yaml:1:6: a mapping is wanted here, not a value`},
		{"own decoder", "size: 1234", `dir/a.yaml:1:7: not a size: "1234"`},
		{"hook", "hooked: 5", `dir/a.yaml:1:9: hook saw 5`},
		{"two errors", "on: 1\nnam: a", "dir/a.yaml:1:5: true or false is wanted here, not \"1\"\ndir/a.yaml:2:1: unknown field \"nam\" (did you mean \"name\"?)"},
		{"duplicate key", "name: a\nname: b\n", `dir/a.yaml:2:1: mapping key "name" already defined at [1:1]`},
		{"alias", "name: *x", `dir/a.yaml:1:7: alias of no anchor "x"`},
		{"tag", "name: !!str x", `dir/a.yaml:1:7: tags have no meaning here: !!str`},
		{"second document", "name: a\n---\nname: b\n", `dir/a.yaml:3:1: a second document (one a file)`},
		{"top level", "- a", `dir/a.yaml:1:1: a mapping is wanted here, not a list`},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, run(tt.in)) })
	}
	assert.Regexp(t, `^dir/a\.yaml:\d+:\d+: .+`, run("name: \"open\nlist: [\n"), "a syntax error has its place")
	assert.Regexp(t, `^dir/a\.yaml:2:\d+: .+`, run("name: a\n\tb: c\n"), "tabs")
}

func TestAnchors(t *testing.T) {
	var got outer
	require.NoError(t, Unmarshal("a.yaml", []byte("ptr: &p {text: x, nth: 1}\nlist:\n  - *p\n  - <<: *p\n    nth: 2\n"), &got, nil))
	assert.Equal(t, []inner{{"x", 1}, {"x", 2}}, got.List)
}

func TestParsePlaces(t *testing.T) {
	n, err := Parse("a.yaml", []byte("a:\n  - b: 1\n    c: {d: e}\n"))
	require.NoError(t, err)
	require.Equal(t, Map, n.Kind)
	first := n.Get("a").Items[0]
	assert.Equal(t, Place{"a.yaml", 2, 5}, first.Place)
	assert.Equal(t, Place{"a.yaml", 3, 5}, first.Pairs[1].Place)
	assert.Equal(t, Place{"a.yaml", 3, 12}, first.Get("c").Get("d").Place)
	empty, err := Parse("a.yaml", nil)
	require.NoError(t, err)
	assert.Equal(t, Null, empty.Kind)
}

func TestNearest(t *testing.T) {
	known := []string{"click", "check", "type", "pick", "dblclick"}
	for in, want := range map[string]string{"clik": "click", "tpye": "type", "Click": "click", "zoom": "", "pik": "pick", "doubleclick": "", "dbclick": "dblclick"} {
		assert.Equal(t, want, Nearest(in, known), in)
	}
}
