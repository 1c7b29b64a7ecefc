package dom

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
)

// Script is the page script that makes the strings which Decode reads. It is
// evaluated once in every document of every frame; a second time does nothing.
var Script = queryScript + "\n" + walkScript + "\n" + packScript

var (
	//go:embed query.js
	queryScript string
	//go:embed snapshot.js
	walkScript string
	//go:embed pack.js
	packScript string
)

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
	JSON string // of snapshot(); see pack.js
}

// ErrSelector says that the query's CSS selector cannot be read.
var ErrSelector = errors.New("bad CSS selector")

// frameHead is the first line of what a frame's script returned.
type frameHead struct {
	V       int        `json:"v"`
	Nodes   int        `json:"nodes"`
	Strings int        `json:"strings"`
	Facts   []Facts    `json:"facts"` // that nodes have, by index
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
	s := &Snapshot{}
	made := map[int][]Node{} // by frame
	origins, zooms := map[int]Point{}, map[int]float64{0: 1}
	for i, f := range frames {
		data, err := unpack(f.JSON)
		if err != nil {
			return nil, fmt.Errorf("snapshot of frame %d: %w", f.Index, err)
		}
		var owner *Node
		if i == 0 {
			s.URL, s.Title, s.Lang, s.Scale, s.Height = data.URL, data.Title, data.Lang, data.Scale, data.Height
			s.Partial = data.Partial
			s.Viewport = Rect{data.View[0], data.View[1], data.View[2], data.View[3]}
		} else {
			owner = byNumber(made[f.Parent], f.Owner)
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
		nodes, err := data.nodes(place{s, f.Index, origins[f.Index], zooms[f.Index]})
		if err != nil {
			return nil, fmt.Errorf("snapshot of frame %d: %w", f.Index, err)
		}
		made[f.Index] = nodes
		s.addFrame(f, owner, data, nodes)
	}
	if s.Root == nil {
		return nil, fmt.Errorf("snapshot: no main frame")
	}
	total := 0
	for _, nodes := range made {
		total += len(nodes)
	}
	s.Nodes = make([]*Node, 0, total)
	s.number()
	return s, nil
}

func (s *Snapshot) addFrame(f FrameData, owner *Node, data *packed, nodes []Node) {
	s.Frames = append(s.Frames, Frame{Index: f.Index, URL: data.URL, Name: f.Name, Path: s.framePath(owner, f)})
	if len(data.Matches) > 0 {
		s.Matches = append(s.Matches, byNumbers(nodes, data.Matches)...)
	}
	root := &nodes[0]
	if owner == nil {
		s.Root = root
		return
	}
	root.Parent = owner
	owner.Children = append(owner.Children[:len(owner.Children):len(owner.Children)], root)
}

// byNumber is the element with that number; nil where it is not among the nodes.
func byNumber(nodes []Node, id int) *Node {
	for i := range nodes {
		if nodes[i].Ref.ID == id {
			return &nodes[i]
		}
	}
	return nil
}

// byNumbers are the elements with those numbers that are among the nodes.
func byNumbers(nodes []Node, ids []int) []*Node {
	at := make(map[int]*Node, len(nodes))
	for i := range nodes {
		if id := nodes[i].Ref.ID; id != 0 {
			at[id] = &nodes[i]
		}
	}
	var out []*Node
	for _, id := range ids {
		if n := at[id]; n != nil {
			out = append(out, n)
		}
	}
	return out
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

func readHead(line string) (frameHead, error) {
	var h frameHead
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		return h, err
	}
	if h.V != 2 {
		return h, fmt.Errorf("malformed data: version %d", h.V)
	}
	return h, nil
}
