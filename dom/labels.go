package dom

// labelElements are the <label> elements of a control: those that name its id
// and the one that it stands in without another control before it.
func (n *Node) labelElements() []*Node {
	return n.snap.labelsOf()[n]
}

// LabelControl is the control that a <label> element labels, or nil.
func (n *Node) LabelControl() *Node {
	if n.Tag != "label" {
		return nil
	}
	n.snap.labelsOf()
	return n.snap.labelFor[n]
}

func (s *Snapshot) labelsOf() map[*Node][]*Node {
	if s.labels != nil {
		return s.labels
	}
	s.labels, s.labelFor = map[*Node][]*Node{}, map[*Node]*Node{}
	for _, l := range s.Nodes {
		if l.Tag != "label" {
			continue
		}
		c := l.labelled()
		if c != nil {
			s.labels[c] = append(s.labels[c], l)
			s.labelFor[l] = c
		}
	}
	return s.labels
}

func (n *Node) labelled() *Node {
	if n.HasAttr("for") {
		if c := n.ByID(n.Attr("for")); c != nil && c.labelable() {
			return c
		}
		return nil
	}
	var found *Node
	n.Walk(func(c *Node) bool {
		if found == nil && c != n && c.labelable() {
			found = c
		}
		return found == nil
	})
	return found
}

func (n *Node) labelable() bool {
	switch n.Tag {
	case "button", "meter", "output", "progress", "select", "textarea":
		return true
	case "input":
		return n.InputType() != "hidden"
	}
	return len(n.Tag) > 0 && containsDash(n.Tag) // form-associated custom elements
}

func containsDash(s string) bool {
	for i := range len(s) {
		if s[i] == '-' {
			return true
		}
	}
	return false
}
