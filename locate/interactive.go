package locate

import "harness/dom"

// widgets are the roles of things that a person operates.
var widgets = setOf(`button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider spinbutton textbox
searchbox combobox listbox treeitem gridcell scrollbar`)

// operable reports whether the element is made to be operated: a widget role, a
// native control, or an element that reacts by itself.
func operable(n *dom.Node) bool {
	return widgets[n.Role()] || n.Facts.Has(dom.Editable) || n.Tag == "label" && n.LabelControl() != nil || reacts(n)
}

// reacts reports whether a press on the element does something by what can be
// seen: a listener, a pointer cursor that begins here, a tab stop.
func reacts(n *dom.Node) bool {
	if n.Facts.Has(dom.Listener) && n.Tag != "body" && n.Tag != "html" {
		return true
	}
	if n.Facts.Has(dom.Focusable) {
		return n.Tag != "body" && n.Tag != "html" && n.Tag != "iframe" && !scrollOnly(n)
	}
	return n.Facts.Has(dom.Pointer) && (n.Parent == nil || !n.Parent.Facts.Has(dom.Pointer))
}

// scrollOnly: browsers make scroll containers focusable.
func scrollOnly(n *dom.Node) bool {
	return !n.HasAttr("tabindex") && (n.Facts.Has(dom.ScrollsX) || n.Facts.Has(dom.ScrollsY)) && !widgets[n.Role()]
}

// pressable reports whether a press on the element reaches something that
// reacts: itself or an ancestor that the cursor or a listener shows.
func pressable(n *dom.Node) bool {
	if n.Facts.Has(dom.Pointer) {
		return true
	}
	for a := n; a != nil && a.Tag != "body" && a.Tag != dom.DocumentTag; a = a.Parent {
		if operable(a) {
			return true
		}
	}
	return false
}

// hasOwnText reports whether text stands directly in the element.
func hasOwnText(n *dom.Node) bool {
	for _, c := range n.Children {
		if c.Tag == dom.TextTag {
			return true
		}
	}
	return false
}
