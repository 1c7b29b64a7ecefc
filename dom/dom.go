// Package dom holds the words that the other packages share: points and boxes
// in CSS px, the nodes of a page and the snapshot that they stand in.
//
// A Snapshot is the composed (flat) tree of a page as it stood at one moment:
// every frame hangs below its frame element, shadow trees hang below their
// hosts with slots filled. It holds raw facts only: tags, attributes, boxes,
// computed visibility, live form state. What follows from the facts (role,
// accessible name, label, visibility) is computed here, in Go, once for live
// pages (Decode) and saved HTML (ParseHTML) alike.
//
// The package neither talks to a browser nor decides anything.
package dom

import "fmt"

// Ref names an element of a live page: the frame (0 is the main frame) and the
// number that the page script gave to the element. The number stays with the
// element as long as its document lives, over any number of snapshots.
type Ref struct {
	Frame int `json:"frame"`
	ID    int `json:"id"`
}

func (r Ref) String() string { return fmt.Sprintf("f%de%d", r.Frame, r.ID) }

// IsZero reports whether the ref names nothing. IDs start at 1.
func (r Ref) IsZero() bool { return r.ID == 0 }

// Facts are yes/no observations about an element.
type Facts uint32

// The bits of Facts. The page script (snapshot.js) and the parser of saved
// HTML set the same bits.
const (
	Rendered    Facts = 1 << iota // has a box (not display:none, not in a closed <details>)
	Invisible                     // visibility: hidden or collapse
	Transparent                   // it or an ancestor has opacity 0
	Disabled                      // native :disabled (with an enclosing fieldset), or inert
	Checked                       // live checkedness of checkbox and radio
	Mixed                         // indeterminate checkbox
	Selected                      // live selectedness of <option>
	Listener                      // a click, mouse, pointer, touch or key listener sits on the element itself
	Pointer                       // cursor: pointer
	Focusable                     // tabIndex >= 0
	Editable                      // contenteditable
	ReadOnly                      // native readonly
	Required                      // native required
	Focused                       // it has the focus
	ShadowHost                    // it has a shadow root that is part of the snapshot
	ScrollsY                      // content overflows and can be scrolled vertically
	ScrollsX                      // content overflows and can be scrolled horizontally
	Clips                         // overflow is not visible: descendants are cut at its box
	Absolute                      // position: absolute
	Fixed                         // position: fixed
	Positioned                    // containing block for absolute descendants
	NoPointer                     // pointer-events: none
	Modal                         // in the top layer: an open modal dialog or popover
	Canvas                        // paints itself: <canvas>, <video>, <object>, <embed>, plugin
	Icon                          // paints an icon by style: icon-font glyph or background image
	SpaceBefore                   // white space stands before it in the page
	Inline                        // laid out inline: no space around its text
)

// Has reports whether all the bits of f are set.
func (fs Facts) Has(f Facts) bool { return fs&f == f }

// Node is one element, text or document of a snapshot. Text nodes have the Tag
// TextTag and their content in Text; the root of every frame has the Tag
// DocumentTag. Nodes belong to their snapshot and must not be changed.
type Node struct {
	Ref      Ref
	Tag      string            // lower case
	Text     string            // of a text node, as it stands in the page
	Attrs    map[string]string // lower-case names; nil where there are none
	Box      Rect              // CSS px in the main frame's viewport; empty if not rendered
	Facts    Facts
	Value    string // live value of input, textarea, select (of passwords: one • a character)
	Before   string // text that CSS generates before the content
	After    string // text that CSS generates after the content
	Parent   *Node  // nil for the root of the main frame
	Children []*Node
	Index    int // position in Snapshot.Nodes: document order

	snap *Snapshot
	memo *memo
}

// Tags of nodes that are no elements.
const (
	TextTag     = "#text"
	DocumentTag = "#document"
)

// Frame is one document of the page.
type Frame struct {
	Index int    // as in Ref.Frame
	URL   string // of the document
	Name  string // of the frame element, "" for the main frame
	Path  string // for people: `main`, `main > iframe "Picker"`
}

// Snapshot is a page at one moment.
type Snapshot struct {
	Root     *Node
	Nodes    []*Node // document order over all frames
	Frames   []Frame
	URL      string
	Title    string
	Lang     string
	Viewport Rect    // CSS px; X and Y are the scroll offset of the main frame
	Height   float64 // CSS px of the whole document
	Scale    float64 // device pixel ratio
	Saved    bool    // from saved HTML: boxes may be missing altogether
	Matches  []*Node // what the query's CSS selector matches, document order by frame
	Partial  bool    // holds only what a query asked for, with its surroundings

	byRef map[Ref]*Node   // made when first asked for
	byID  map[idKey]*Node // likewise: the first of each

	labels   map[*Node][]*Node // label elements by control
	labelFor map[*Node]*Node   // control by label element
	once     map[any]any       // see Once
}

type idKey struct {
	frame int
	id    string
}

// ByRef is the node of the ref, or nil.
func (s *Snapshot) ByRef(r Ref) *Node {
	if s.byRef == nil {
		s.byRef = make(map[Ref]*Node, len(s.Nodes))
		for _, n := range s.Nodes {
			if n.Ref.ID != 0 {
				s.byRef[n.Ref] = n
			}
		}
	}
	return s.byRef[r]
}

// withID is the first element of the frame with that id attribute, or nil.
func (s *Snapshot) withID(frame int, id string) *Node {
	if s.byID == nil {
		s.byID = map[idKey]*Node{}
		for _, n := range s.Nodes {
			k := idKey{n.Ref.Frame, n.Attrs["id"]}
			if k.id != "" && s.byID[k] == nil {
				s.byID[k] = n
			}
		}
	}
	return s.byID[idKey{frame, id}]
}

// Once is what work returns, worked out at the first call with the key and kept
// with the snapshot. Keys are of a type of the caller's own, as those of
// contexts are.
func (s *Snapshot) Once(key any, work func() any) any {
	if v, ok := s.once[key]; ok {
		return v
	}
	if s.once == nil {
		s.once = map[any]any{}
	}
	v := work()
	s.once[key] = v
	return v
}

// Query limits a snapshot. The zero Query takes the whole page.
type Query struct {
	// Needles, if any, are folded strings (see Fold); the page script keeps the
	// elements whose text or attributes hold one, with their surroundings. The
	// snapshot is then Partial.
	Needles []string `json:"needles,omitempty"`
	// CSS, if set, is a selector; the snapshot's Matches are the elements of all
	// frames and open shadow roots that it matches.
	CSS string `json:"css,omitempty"`
}
