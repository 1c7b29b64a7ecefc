package dom

// Visible reports whether a person could see the element after scrolling to
// it, and if not, why: it has no box, is hidden, transparent, without size, cut
// off by a container that cannot be scrolled, or lies outside the page.
// Whether something covers it is not known here: that is asked of the browser.
//
// In saved HTML without boxes only the markup counts (hidden, inline styles,
// closed details).
func (n *Node) Visible() (ok bool, reason string) {
	m := n.m()
	if m.vis == 0 {
		m.why = n.whyHidden()
		m.vis = 1
		if m.why != "" {
			m.vis = -1
		}
	}
	return m.vis > 0, m.why
}

func (n *Node) whyHidden() string {
	switch {
	case n.Tag == TextTag:
		if n.Parent == nil {
			return ""
		}
		_, why := n.Parent.Visible()
		return why
	case n.Tag == DocumentTag:
		if n.Parent == nil {
			return ""
		}
		_, why := n.Parent.Visible()
		return why
	case n.InputType() == "hidden":
		return "hidden input"
	case !n.Facts.Has(Rendered):
		if n.Tag == "option" || n.Tag == "optgroup" {
			return n.whyParentHidden()
		}
		if n.Facts.Has(Inline) && n.anyChildVisible() { // display: contents
			return ""
		}
		return "not rendered (display: none)"
	case n.Facts.Has(Invisible):
		return "visibility: hidden"
	case n.Facts.Has(Transparent):
		return "transparent (opacity: 0)"
	}
	if n.snap.Saved && n.Box == (Rect{}) {
		return ""
	}
	if n.Box.W <= 1 || n.Box.H <= 1 {
		if n.anyChildVisible() {
			return ""
		}
		if n.Box.W <= 0.5 || n.Box.H <= 0.5 || (n.Box.W <= 1 && n.Box.H <= 1) {
			return "has no size"
		}
	}
	return n.whyCut()
}

func (n *Node) whyParentHidden() string {
	if n.Parent == nil {
		return ""
	}
	_, why := n.Parent.Visible()
	return why
}

func (n *Node) anyChildVisible() bool {
	for _, c := range n.Children {
		if c.Tag == TextTag {
			continue
		}
		if ok, _ := c.Visible(); ok {
			return true
		}
	}
	return false
}

// whyCut follows the containers that cut their content off. A container that
// scrolls shows its content after scrolling: from there on its own box counts.
func (n *Node) whyCut() string {
	box, at := n.Box, n
	for a := n.Parent; a != nil && !at.Facts.Has(Fixed); a = a.Parent {
		if a.Tag == DocumentTag && a.Parent != nil {
			if ok, why := a.Parent.Visible(); !ok {
				return "in a frame that is " + why
			}
			return ""
		}
		if at.Facts.Has(Absolute) && !a.Facts.Has(Positioned) {
			continue
		}
		if a.Facts.Has(Rendered) && a.Tag != DocumentTag {
			at = a
		}
		if !a.Facts.Has(Clips) || a.Tag == "body" || a.Tag == "html" {
			continue
		}
		if in := box.Intersect(a.Box); in.W > 0.5 && in.H > 0.5 {
			box = in
			continue
		}
		if !a.Facts.Has(ScrollsX) && !a.Facts.Has(ScrollsY) {
			return "cut off by its container"
		}
		box = a.Box
	}
	v := n.snap.Viewport
	if box.Right()+v.X <= 0 || box.Bottom()+v.Y <= 0 {
		return "lies outside the page"
	}
	return ""
}
