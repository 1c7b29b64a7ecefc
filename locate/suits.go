package locate

import (
	"harness/dom"
)

func (f *finder) stateHolds(n *dom.Node, s StateIs) bool {
	is := func(want *bool, have func() (bool, bool)) bool {
		if want == nil {
			return true
		}
		on, known := have()
		return known && on == *want
	}
	return is(s.Checked, n.Checked) && is(s.Expanded, n.Expanded) &&
		is(s.Disabled, func() (bool, bool) { return n.Disabled(), operable(n) }) &&
		is(s.Selected, func() (bool, bool) {
			if on, known := n.IsSelected(); known {
				return on, true
			}
			return n.Checked()
		}) &&
		is(s.Empty, func() (bool, bool) { return n.Value == "", n.TakesText() || n.Tag == "select" })
}

// suitsVerb refuses elements that the verb cannot act on and prefers those that
// it is made for.
func (f *finder) suitsVerb(h *hit) bool {
	n := h.n
	switch f.verb {
	case "type":
		if n.TakesText() {
			return true
		}
		h.score -= 14
		return n.Role() == "combobox" && n.Tag != "select" || n.Role() == "textbox" || n.Role() == "searchbox" || n.Role() == "slider" && n.Tag == "input" || n.InputType() == "color" ||
			reacts(n) && holdsTextControl(n)
	case "check", "uncheck":
		if _, known := n.Checked(); known {
			return true
		}
		h.score -= 12
		return pressable(n) && n.Role() != "link" && !(n.Tag == "label" && n.LabelControl() != nil)
	case "select":
		switch n.Role() {
		case "combobox", "listbox", "radiogroup", "menu":
			return true
		}
		h.score -= 10
		return n.Role() == "button" || n.Role() == "textbox" || n.Role() == "" && pressable(n)
	case "upload":
		if n.InputType() == "file" {
			return true
		}
		h.score -= 8
		return operable(n)
	case "pick":
		return f.suitsPick(h)
	case "press":
		if in := onlyFocusable(n); !n.Facts.Has(dom.Focusable) && in != nil {
			h.n = in
			h.reasons = append(h.reasons, "what takes the keys in it")
		} else if !n.Facts.Has(dom.Focusable) {
			h.score -= 8
			h.reasons = append(h.reasons, "cannot have the focus")
		}
		return f.suitsPress(h)
	case "click", "dblclick", "hover":
		return f.suitsPress(h)
	}
	return true
}

// onlyFocusable is the one element inside that can have the focus, or nil.
func onlyFocusable(n *dom.Node) *dom.Node {
	var found []*dom.Node
	n.Walk(func(c *dom.Node) bool {
		if c != n && c.Facts.Has(dom.Focusable|dom.Rendered) {
			found = append(found, c)
		}
		return len(found) < 2
	})
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

func holdsTextControl(n *dom.Node) bool {
	found := 0
	n.Walk(func(c *dom.Node) bool {
		if c.TakesText() {
			found++
		}
		return true
	})
	return found == 1
}

func (f *finder) suitsPress(h *hit) bool {
	n := h.n
	if n.Tag == "label" && n.LabelControl() != nil {
		h.score -= 4
		return true
	}
	if !operable(n) {
		if !pressable(n) {
			h.score -= 12
			h.reasons = append(h.reasons, "nothing shows that it reacts to a press")
		} else {
			h.score -= 4
		}
	} else if !widgets[n.Role()] {
		h.score -= 2
	}
	if n.Tag == "option" && n.Parent != nil && f.verb == "click" {
		h.score -= 6
	}
	return true
}

func (f *finder) suitsPick(h *hit) bool {
	if in := fieldAround(h.n); in != nil {
		h.n = in
		h.reasons = append(h.reasons, "in the field that reacts")
	}
	n := h.n
	if n.TakesText() || n.Role() == "combobox" || n.Role() == "grid" || n.Role() == "group" {
		return true
	}
	if n.Role() == "heading" || n.Tag == "label" && n.LabelControl() != nil {
		h.score -= 20
		return true
	}
	h.score -= 5
	return true
}

// fieldAround is the small element that reacts and in which a text stands: a
// field drawn as a box with its caption inside; nil if there is none.
func fieldAround(n *dom.Node) *dom.Node {
	if operable(n) {
		return nil
	}
	for a, up := n.Parent, 0; a != nil && up < 4 && a.Tag != "body"; a, up = a.Parent, up+1 {
		if operable(a) {
			if len([]rune(a.InnerText())) > 120 {
				return nil
			}
			return a
		}
	}
	return nil
}

// unusable says why a person could not use the element now; "" if one could. A
// native control that is hidden behind its label is used through the label.
func (f *finder) unusable(n *dom.Node) string {
	ok, why := n.Visible()
	if ok {
		return ""
	}
	if f.verb == "upload" && n.InputType() == "file" {
		return ""
	}
	switch n.InputType() {
	case "checkbox", "radio", "file":
		if proxyOf(n) != nil {
			return ""
		}
	}
	return why
}

// proxyOf is what a person presses in place of a hidden checkbox or radio: its
// label, or the small box around it that reacts.
func proxyOf(n *dom.Node) *dom.Node {
	for _, l := range n.Snapshot().Nodes {
		if l.Tag == "label" && l.LabelControl() == n {
			if ok, _ := l.Visible(); ok {
				return l
			}
		}
	}
	for a, i := n.Parent, 0; a != nil && i < 3; a, i = a.Parent, i+1 {
		if ok, _ := a.Visible(); ok && pressable(a) && a.Box.W < 400 && a.Box.H < 120 {
			return a
		}
	}
	return nil
}
