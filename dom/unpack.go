package dom

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// packed is one frame's data, read but not yet made into nodes; pack.js says how
// it is packed.
type packed struct {
	frameHead
	numbers []byte
	strings []string
	at      int // of the next number
	known   int // strings named so far, in the order of the list
	broken  bool
}

// parting stands between the strings; no page has it, the script sees to that.
const parting = "\u0091"

var errMalformed = errors.New("malformed data")

func unpack(data string) (*packed, error) {
	head, rest, ok := strings.Cut(data, "\n")
	if !ok {
		return nil, errMalformed
	}
	h, err := readHead(head)
	if err != nil {
		return nil, err
	}
	numbers, list, ok := strings.Cut(rest, "\n")
	if !ok {
		return nil, fmt.Errorf("%w: no strings", errMalformed)
	}
	p := &packed{frameHead: h, strings: strings.Split(list, parting)}
	if len(p.strings) != h.Strings {
		return nil, fmt.Errorf("%w: %d strings of %d", errMalformed, len(p.strings), h.Strings)
	}
	if p.numbers, err = base64.StdEncoding.DecodeString(numbers); err != nil {
		return nil, fmt.Errorf("%w: %v", errMalformed, err)
	}
	// Every node takes at least five numbers: what claims more is not read.
	if h.Nodes < 1 || h.Nodes > len(p.numbers)/5+1 {
		return nil, fmt.Errorf("%w: %d nodes in %d bytes", errMalformed, h.Nodes, len(p.numbers))
	}
	return p, nil
}

// number reads one; what is beyond the end is 0 and breaks the data.
func (p *packed) number() uint32 {
	var v uint32
	for shift := 0; p.at < len(p.numbers) && shift < 35; shift += 7 {
		b := p.numbers[p.at]
		p.at++
		v |= uint32(b&127) << shift
		if b < 128 {
			return v
		}
	}
	p.broken = true
	return 0
}

func (p *packed) difference() int32 {
	v := p.number()
	return int32(v>>1) ^ -int32(v&1)
}

// text reads a string; ok is false where there is none.
func (p *packed) text() (s string, ok bool) {
	v := p.number()
	i := p.known
	switch {
	case v == 0:
		return "", false
	case v > 1:
		i = int(v - 2)
	}
	if i >= len(p.strings) {
		p.broken = true
		return "", false
	}
	p.known = max(p.known, i+1)
	return p.strings[i], true
}

// place is where a frame's nodes belong: its index, the page's px where its
// viewport begins, and the page's px for each of its own.
type place struct {
	snap   *Snapshot
	frame  int
	origin Point
	zoom   float64
}

// nodes makes the nodes, in document order.
func (p *packed) nodes(at place) ([]Node, error) {
	r := &reader{packed: p, place: at, nodes: make([]Node, p.Nodes), children: make([]int32, p.Nodes)}
	for i := range r.nodes {
		if err := r.read(i); err != nil {
			return nil, err
		}
	}
	if p.at != len(p.numbers) {
		return nil, fmt.Errorf("%w: %d bytes too many", errMalformed, len(p.numbers)-p.at)
	}
	r.adopt()
	return r.nodes, nil
}

// reader makes the nodes of one frame.
type reader struct {
	*packed
	place
	nodes      []Node
	children   []int32 // how many each has
	id         int32   // the last one
	x, y, w, h int32   // of the last box, 1/64 of the frame's px
}

func (r *reader) read(i int) error {
	n := &r.nodes[i]
	n.snap, n.Ref.Frame = r.snap, r.frame
	if i > 0 {
		n.Parent = &r.nodes[i-1]
		for up := r.number(); up > 0 && n.Parent != nil; up-- {
			n.Parent = n.Parent.Parent
		}
		if n.Parent == nil {
			return fmt.Errorf("%w: node %d has no parent", errMalformed, i)
		}
		r.children[n.Parent.Index]++ // the index within the frame, for now
	}
	n.Index = i
	tag, ok := r.text()
	kind := r.number()
	if !ok || tag == "" || int(kind) >= len(r.Facts) {
		return fmt.Errorf("%w: node %d", errMalformed, i)
	}
	n.Tag, n.Facts = tag, r.Facts[kind]
	if tag[0] != '#' {
		r.id += r.difference()
		n.Ref.ID = int(r.id)
	}
	if n.Facts.Has(Rendered) {
		n.Box = r.box()
	}
	if s, ok := r.text(); ok && n.Tag == TextTag {
		n.Text = s
	} else if ok {
		n.Value = s
	}
	r.attributes(n)
	if r.broken {
		return fmt.Errorf("%w: node %d of %d", errMalformed, i, len(r.nodes))
	}
	return nil
}

func (r *reader) box() Rect {
	r.x += r.difference()
	r.y += r.difference()
	r.w += r.difference()
	r.h += r.difference()
	px := r.zoom / 64
	return Rect{r.origin.X + float64(r.x)*px, r.origin.Y + float64(r.y)*px, float64(r.w) * px, float64(r.h) * px}
}

func (r *reader) attributes(n *Node) {
	count := r.number()
	for ; count > 0 && !r.broken; count-- {
		name, _ := r.text()
		value, _ := r.text()
		n.setAttr(name, value)
	}
}

func (n *Node) setAttr(name, value string) {
	switch name {
	case "::before":
		n.Before = value
		return
	case "::after":
		n.After = value
		return
	}
	if n.Attrs == nil {
		n.Attrs = make(map[string]string, 4)
	}
	n.Attrs[name] = value
}

// adopt gives every node its children; one array holds them all.
func (r *reader) adopt() {
	all := make([]*Node, len(r.nodes)-1)
	for i := range r.nodes {
		n := r.children[i]
		r.nodes[i].Children, all = all[:0:n], all[n:]
	}
	for i := range r.nodes[1:] {
		n := &r.nodes[i+1]
		n.Parent.Children = append(n.Parent.Children, n)
	}
}
