package dom

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
)

// Script is the page script that makes the strings which Decode reads. It is
// evaluated once in every document of every frame; a second time does nothing.
//
//go:embed snapshot.js
var Script string

// FrameData is what one frame's script returned, with its place in the page.
type FrameData struct {
	Index  int   // as in Ref.Frame; 0 is the main frame
	Parent int   // Index of the parent frame; -1 for the main frame
	Owner  int   // registry number of the frame element in the parent's document
	Inset  Point // CSS px from the frame element's box to the frame's viewport: border and padding
	// Zoom is the parent's px for each of the frame's, where a transform scales
	// the frame element; 0 means 1.
	Zoom float64
	Name string // of the frame element: title, name or id
	JSON string // of snapshot()
}

// ErrSelector says that the query's CSS selector cannot be read.
var ErrSelector = errors.New("bad CSS selector")

const stride = 9 // numbers a node takes in frameJSON.N

type frameJSON struct {
	V       int        `json:"v"`
	N       []int32    `json:"n"` // id, parent, tag, facts, x, y, w, h (1/64 CSS px), text or value (-1: none)
	A       []int32    `json:"a"` // node, name, value
	S       []string   `json:"s"`
	URL     string     `json:"url"`
	Title   string     `json:"title"`
	Lang    string     `json:"lang"`
	Scale   float64    `json:"scale"`
	Partial bool       `json:"partial"`
	Matches []int      `json:"matches"` // ids of what the selector matches
	Error   string     `json:"error"`   // of a selector that cannot be read
	View    [4]float64 `json:"view"`    // scrollX, scrollY, innerWidth, innerHeight
	Height  float64    `json:"height"`
}

// Decode joins the frames of a page. Frames whose element is not in the
// parent's data (removed meanwhile, or not kept by the query) are left out. Frames
// must come parents first. It fails on data that the script cannot have made.
func Decode(frames []FrameData) (*Snapshot, error) {
	s := &Snapshot{byRef: map[Ref]*Node{}, byID: map[idKey]*Node{}}
	origins, zooms := map[int]Point{}, map[int]float64{0: 1}
	for i, f := range frames {
		var data frameJSON
		if err := json.Unmarshal([]byte(f.JSON), &data); err != nil {
			return nil, fmt.Errorf("snapshot of frame %d: %v", f.Index, err)
		}
		var owner *Node
		if i == 0 {
			s.URL, s.Title, s.Lang, s.Scale, s.Height = data.URL, data.Title, data.Lang, data.Scale, data.Height
			s.Partial = data.Partial
			s.Viewport = Rect{data.View[0], data.View[1], data.View[2], data.View[3]}
		} else {
			owner = s.byRef[Ref{f.Parent, f.Owner}]
			if owner == nil {
				continue
			}
			zoom := zooms[f.Parent]
			origins[f.Index] = Point{owner.Box.X + zoom*f.Inset.X, owner.Box.Y + zoom*f.Inset.Y}
			zooms[f.Index] = zoom
			if f.Zoom > 0 {
				zooms[f.Index] *= f.Zoom
			}
		}
		if data.Error != "" {
			return nil, fmt.Errorf("%w: %s", ErrSelector, data.Error)
		}
		root, err := s.addFrame(f.Index, data, origins[f.Index], zooms[f.Index])
		if err != nil {
			return nil, fmt.Errorf("snapshot of frame %d: %w", f.Index, err)
		}
		s.Frames = append(s.Frames, Frame{Index: f.Index, URL: data.URL, Name: f.Name, Path: s.framePath(owner, f)})
		for _, id := range data.Matches {
			if n := s.byRef[Ref{f.Index, id}]; n != nil {
				s.Matches = append(s.Matches, n)
			}
		}
		if owner == nil {
			s.Root = root
		} else {
			root.Parent, owner.Children = owner, append(owner.Children, root)
		}
	}
	if s.Root == nil {
		return nil, fmt.Errorf("snapshot: no main frame")
	}
	s.number()
	return s, nil
}

func (s *Snapshot) framePath(owner *Node, f FrameData) string {
	if owner == nil {
		return "main"
	}
	path := "main"
	for _, fr := range s.Frames {
		if fr.Index == f.Parent {
			path = fr.Path
		}
	}
	if f.Name == "" {
		return fmt.Sprintf("%s > iframe", path)
	}
	return fmt.Sprintf("%s > iframe %q", path, f.Name)
}

func (s *Snapshot) addFrame(index int, d frameJSON, origin Point, zoom float64) (*Node, error) {
	if d.V != 1 || len(d.N)%stride != 0 || len(d.A)%3 != 0 || len(d.N) == 0 {
		return nil, fmt.Errorf("malformed data: version %d, %d numbers, %d attributes", d.V, len(d.N), len(d.A))
	}
	str := func(i int32) (string, error) {
		if i < 0 || int(i) >= len(d.S) {
			return "", fmt.Errorf("malformed data: string %d of %d", i, len(d.S))
		}
		return d.S[i], nil
	}
	nodes := make([]Node, len(d.N)/stride)
	for i := range nodes {
		v := d.N[i*stride : i*stride+stride]
		n := &nodes[i]
		tag, err := str(v[2])
		if err != nil {
			return nil, err
		}
		n.snap, n.Tag, n.Facts = s, tag, Facts(v[3])
		n.Ref = Ref{index, int(v[0])}
		if n.Facts.Has(Rendered) {
			px := zoom / 64
			n.Box = Rect{origin.X + float64(v[4])*px, origin.Y + float64(v[5])*px, float64(v[6]) * px, float64(v[7]) * px}
		}
		if v[8] >= 0 {
			if err := n.setText(v[8], str); err != nil {
				return nil, err
			}
		}
		if p := v[1]; p >= 0 {
			if int(p) >= i {
				return nil, fmt.Errorf("malformed data: node %d has parent %d", i, p)
			}
			n.Parent = &nodes[p]
			nodes[p].Children = append(nodes[p].Children, n)
		} else if i != 0 {
			return nil, fmt.Errorf("malformed data: node %d has no parent", i)
		}
	}
	for i := 0; i < len(d.A); i += 3 {
		if err := setAttr(nodes, d.A[i:i+3], str); err != nil {
			return nil, err
		}
	}
	for i := range nodes {
		s.index(&nodes[i])
	}
	return &nodes[0], nil
}

func (n *Node) setText(at int32, str func(int32) (string, error)) error {
	text, err := str(at)
	if err != nil {
		return err
	}
	if n.Tag == TextTag {
		n.Text = text
	} else {
		n.Value = text
	}
	return nil
}

func setAttr(nodes []Node, v []int32, str func(int32) (string, error)) error {
	if v[0] < 0 || int(v[0]) >= len(nodes) {
		return fmt.Errorf("malformed data: attribute of node %d", v[0])
	}
	name, err := str(v[1])
	if err != nil {
		return err
	}
	value, err := str(v[2])
	if err != nil {
		return err
	}
	nodes[v[0]].setAttr(name, value)
	return nil
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

func (s *Snapshot) index(n *Node) {
	if n.Ref.ID != 0 {
		s.byRef[n.Ref] = n
	}
	if id := n.Attrs["id"]; id != "" {
		k := idKey{n.Ref.Frame, id}
		if s.byID[k] == nil {
			s.byID[k] = n
		}
	}
}

// number puts the nodes of all frames into document order.
func (s *Snapshot) number() {
	var walk func(n *Node)
	walk = func(n *Node) {
		n.Index = len(s.Nodes)
		s.Nodes = append(s.Nodes, n)
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(s.Root)
}
