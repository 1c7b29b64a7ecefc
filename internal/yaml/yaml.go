// Package yaml reads the project's YAML files strictly: suites, recorded sites
// and the configuration.
//
// Parse gives a tree of Nodes with positions; Decode fills Go values from it.
// Every error is an *Error that names file, line and column, and a wrong name
// brings the nearest right one. The rule of the package is that scalars stay
// as they were written: `007` and `2026-01-30` read into a string are just
// that. Lines and columns count from 1, columns in characters.
//
// The package does not write YAML and knows nothing of what it reads.
package yaml

import (
	"errors"
	"fmt"
	"strings"

	goyaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Kind is the shape of a Node.
type Kind int

// The kinds of nodes. Null is a value that was left out, `~` or `null`; read
// into text, the last is what it says.
const (
	Null Kind = iota
	Scalar
	List
	Map
)

func (k Kind) String() string {
	return [...]string{"nothing", "a value", "a list", "a mapping"}[k]
}

// Node is a value of a YAML file with its place. A Node that an alias stands
// for is shared: nodes must not be changed.
type Node struct {
	Place
	Kind  Kind
	Text  string  // of a Scalar or Null: as written, quotes and escapes undone
	Items []*Node // of a List
	Pairs []Pair  // of a Map, in the order of the file
}

// Pair is one entry of a mapping. Place is the key's.
type Pair struct {
	Place
	Key   string
	Value *Node
}

// Place is a position in a file.
type Place struct {
	File      string
	Line, Col int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Errorf is an *Error at the place.
func (p Place) Errorf(format string, args ...any) error {
	return &Error{Place: p, Msg: fmt.Sprintf(format, args...)}
}

// Error is what is wrong at a place.
type Error struct {
	Place
	Msg string
}

func (e *Error) Error() string { return e.Place.String() + ": " + e.Msg }

// empty reports whether the value was left out, or is `~`.
func (n *Node) empty() bool { return n.Kind == Null && n.Text != "null" }

// Get is the value of the key in a Map, or nil.
func (n *Node) Get(key string) *Node {
	for _, p := range n.Pairs {
		if p.Key == key {
			return p.Value
		}
	}
	return nil
}

// Parse reads one document. file stands in errors and places only.
func Parse(file string, data []byte) (*Node, error) {
	f, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	b := &builder{file: file, anchors: map[string]*Node{}}
	var root *Node
	for _, doc := range f.Docs {
		if doc.Body == nil {
			continue
		}
		n, err := b.node(doc.Body)
		if err != nil {
			return nil, err
		}
		if root != nil {
			return nil, n.Errorf("a second document (one a file)")
		}
		root = n
	}
	if root == nil {
		root = &Node{Place: Place{file, 1, 1}}
	}
	return root, nil
}

func syntaxError(file string, err error) error {
	var e goyaml.Error
	if !errors.As(err, &e) || e.GetToken() == nil {
		return &Error{Place{file, 1, 1}, err.Error()}
	}
	return &Error{place(file, e.GetToken()), strings.TrimSpace(e.GetMessage())}
}

func place(file string, t *token.Token) Place {
	if t == nil || t.Position == nil {
		return Place{file, 1, 1}
	}
	return Place{file, t.Position.Line, t.Position.Column}
}

// builder turns the library's tree into Nodes.
type builder struct {
	file    string
	anchors map[string]*Node
}

func (b *builder) node(in ast.Node) (*Node, error) {
	at := place(b.file, in.GetToken())
	switch v := in.(type) {
	case *ast.MappingNode:
		return b.mapping(at, v.Values)
	case *ast.MappingValueNode:
		return b.mapping(at, []*ast.MappingValueNode{v})
	case *ast.SequenceNode:
		return b.list(at, v.Values)
	case *ast.AnchorNode:
		n, err := b.node(v.Value)
		if err == nil {
			b.anchors[v.Name.GetToken().Value] = n
		}
		return n, err
	case *ast.AliasNode:
		name := v.Value.GetToken().Value
		if n := b.anchors[name]; n != nil {
			return n, nil
		}
		return nil, at.Errorf("alias of no anchor %q", name)
	case *ast.TagNode:
		return nil, at.Errorf("tags have no meaning here: %s", v.GetToken().Value)
	}
	return scalar(at, in), nil
}

func scalar(at Place, in ast.Node) *Node {
	n := &Node{Place: at, Kind: Scalar}
	switch v := in.(type) {
	case *ast.LiteralNode:
		n.Text = v.Value.Value
	case *ast.StringNode:
		n.Text = v.Value
	case *ast.NullNode:
		n.Kind = Null
		if v.Token != nil && v.Token.Type != token.ImplicitNullType {
			n.Text = v.Token.Value
		}
	default:
		n.Text = in.GetToken().Value
	}
	return n
}

func (b *builder) list(at Place, values []ast.Node) (*Node, error) {
	n := &Node{Place: at, Kind: List}
	for _, v := range values {
		item, err := b.node(v)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	return n, nil
}

func (b *builder) mapping(at Place, values []*ast.MappingValueNode) (*Node, error) {
	n := &Node{Place: at, Kind: Map}
	var merged []Pair
	for i, mv := range values {
		key := mv.Key.GetToken()
		if i == 0 {
			n.Place = place(b.file, key)
		}
		value, err := b.node(mv.Value)
		if err != nil {
			return nil, err
		}
		if mv.Key.IsMergeKey() {
			if value.Kind != Map {
				return nil, value.Errorf("only a mapping can be merged, not %v", value.Kind)
			}
			merged = append(merged, value.Pairs...)
			continue
		}
		n.Pairs = append(n.Pairs, Pair{Place: place(b.file, key), Key: key.Value, Value: value})
	}
	for _, p := range merged {
		if n.Get(p.Key) == nil {
			n.Pairs = append(n.Pairs, p)
		}
	}
	return n, nil
}
