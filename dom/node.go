package dom

import "strings"

// memo keeps what was worked out for a node. A snapshot is used by one
// goroutine at a time.
type memo struct {
	role, name, label, text            string
	hasRole, hasName, hasLabel, hasTxt bool
	vis                                int8 // 0 unknown, 1 visible, -1 not
	why                                string
}

func (n *Node) m() *memo {
	if n.memo == nil {
		n.memo = &memo{}
	}
	return n.memo
}

// Attr is the attribute's value, "" where it is missing.
func (n *Node) Attr(name string) string { return n.Attrs[name] }

// HasAttr reports whether the attribute is there, be it empty.
func (n *Node) HasAttr(name string) bool { _, ok := n.Attrs[name]; return ok }

// IsElement reports whether the node is an element.
func (n *Node) IsElement() bool { return n.Tag != TextTag && n.Tag != DocumentTag }

// Snapshot is the snapshot that the node belongs to.
func (n *Node) Snapshot() *Snapshot { return n.snap }

// Closest is the nearest of the node and its ancestors, over frame borders, for
// which f holds; nil if there is none.
func (n *Node) Closest(f func(*Node) bool) *Node {
	for ; n != nil; n = n.Parent {
		if f(n) {
			return n
		}
	}
	return nil
}

// Within reports whether the node is the ancestor or stands below it.
func (n *Node) Within(ancestor *Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}

// Walk visits the node and everything below it in document order; where f
// returns false, what is below that node is left out.
func (n *Node) Walk(f func(*Node) bool) {
	if !f(n) {
		return
	}
	for _, c := range n.Children {
		c.Walk(f)
	}
}

// ByID is the element with that id attribute in the node's frame, or nil.
func (n *Node) ByID(id string) *Node { return n.snap.withID(n.Ref.Frame, id) }

// FramePath names the frame of the node for people; "" for the main frame.
func (n *Node) FramePath() string {
	if n.Ref.Frame == 0 {
		return ""
	}
	for _, f := range n.snap.Frames {
		if f.Index == n.Ref.Frame {
			return f.Path
		}
	}
	return ""
}

// Disabled reports whether a person could not use the element: natively
// disabled, inert, or aria-disabled on it or an ancestor.
func (n *Node) Disabled() bool {
	if n.Facts.Has(Disabled) {
		return true
	}
	for a := n; a != nil; a = a.Parent {
		if strings.EqualFold(a.Attr("aria-disabled"), "true") {
			return true
		}
	}
	return false
}

// Checked reports the state of a checkbox, radio or switch, native or ARIA
// (aria-checked, aria-pressed); known is false where the element has no such state.
func (n *Node) Checked() (on, known bool) {
	if n.Tag == "input" && (n.Attr("type") == "checkbox" || n.Attr("type") == "radio") {
		return n.Facts.Has(Checked), true
	}
	for _, a := range []string{"aria-checked", "aria-pressed"} {
		if v := n.Attr(a); v == "true" || v == "false" || v == "mixed" {
			return v == "true", true
		}
	}
	return false, false
}

// IsSelected reports aria-selected, aria-current or an option's selectedness.
func (n *Node) IsSelected() (on, known bool) {
	if n.Tag == "option" {
		return n.Facts.Has(Selected), true
	}
	if v := n.Attr("aria-selected"); v == "true" || v == "false" {
		return v == "true", true
	}
	if v := n.Attr("aria-current"); v != "" {
		return v != "false", true
	}
	return false, false
}

// Expanded reports aria-expanded or the open state of <details>.
func (n *Node) Expanded() (on, known bool) {
	if v := n.Attr("aria-expanded"); v == "true" || v == "false" {
		return v == "true", true
	}
	if n.Tag == "details" {
		return n.HasAttr("open"), true
	}
	if n.Tag == "summary" && n.Parent != nil && n.Parent.Tag == "details" {
		return n.Parent.HasAttr("open"), true
	}
	return false, false
}

// InputType is the type of an input in lower case, "text" where none is given;
// "" for other elements.
func (n *Node) InputType() string {
	if n.Tag != "input" {
		return ""
	}
	if t := strings.ToLower(n.Attr("type")); t != "" {
		return t
	}
	return "text"
}

// TakesText reports whether text can be typed into the element.
func (n *Node) TakesText() bool {
	switch n.Tag {
	case "textarea":
		return true
	case "input":
		switch n.InputType() {
		case "checkbox", "radio", "button", "submit", "reset", "image", "file", "hidden", "range", "color":
			return false
		}
		return true
	}
	return n.Facts.Has(Editable)
}
