package dom

import "strings"

// Name is the accessible name as the "Accessible Name and Description
// Computation" specification computes it, white space folded to single blanks.
func (n *Node) Name() string {
	m := n.m()
	if !m.hasName {
		m.name, m.hasName = Squash((&namer{seen: map[*Node]bool{}}).of(n, false, false)), true
	}
	return m.name
}

// Label is the text that labels a control: aria-labelledby, aria-label, then its
// label elements, joined by blanks. "" where nothing labels it.
func (n *Node) Label() string {
	m := n.m()
	if !m.hasLabel {
		m.label, m.hasLabel = n.labelText(), true
	}
	return m.label
}

func (n *Node) labelText() string {
	if t := n.labelledBy(&namer{seen: map[*Node]bool{}}); t != "" {
		return Squash(t)
	}
	if t := strings.TrimSpace(n.Attr("aria-label")); t != "" {
		return Squash(t)
	}
	nm := &namer{seen: map[*Node]bool{n: true}}
	return Squash(nm.labels(n))
}

// InnerText is the rendered text of the element, white space folded: hidden
// parts are left out, text of controls too.
func (n *Node) InnerText() string {
	m := n.m()
	if !m.hasTxt {
		var b strings.Builder
		n.appendText(&b)
		m.text, m.hasTxt = Squash(b.String()), true
	}
	return m.text
}

func (n *Node) appendText(b *strings.Builder) {
	if n.Tag == TextTag {
		if n.Facts.Has(SpaceBefore) {
			b.WriteByte(' ')
		}
		b.WriteString(n.Text)
		return
	}
	if n.IsElement() {
		if n.Tag == "br" {
			b.WriteByte(' ')
			return
		}
		if n.Tag == "select" || n.Tag == "textarea" || n.Tag == "datalist" {
			return
		}
		if !n.Facts.Has(Rendered) && !n.Facts.Has(Inline) || n.Facts.Has(Invisible) && !n.anyChildVisible() {
			if n.Tag != "option" {
				return
			}
		}
	}
	space := !n.Facts.Has(Inline) || n.Facts.Has(SpaceBefore)
	if space {
		b.WriteByte(' ')
	}
	b.WriteString(n.Before)
	for _, c := range n.Children {
		c.appendText(b)
	}
	b.WriteString(n.After)
	if !n.Facts.Has(Inline) {
		b.WriteByte(' ')
	}
}

// Squash folds every run of white space to one blank and trims the ends.
func Squash(s string) string { return strings.Join(strings.Fields(s), " ") }

// namer computes one name; seen stops circles.
type namer struct{ seen map[*Node]bool }

// of is step 2 of the computation. ref: reached by aria-labelledby or a label;
// inside: part of another element's content.
func (nm *namer) of(n *Node, ref, inside bool) string {
	if n.Tag == TextTag {
		return n.Text
	}
	if nm.seen[n] {
		return ""
	}
	if !ref && nm.hidden(n) {
		return ""
	}
	if !ref { // one step of aria-labelledby only: an element may name itself among others
		if t := n.labelledBy(nm); t != "" {
			return t
		}
	}
	nm.seen[n] = true
	defer delete(nm.seen, n)
	role := n.Role()
	if inside || ref {
		if v, ok := nm.embedded(n, role); ok {
			return v
		}
	}
	if t := strings.TrimSpace(n.Attr("aria-label")); t != "" {
		return t
	}
	if t := nm.native(n, inside || ref); t != "" {
		return t
	}
	if nameFromContent[role] || ref || inside && (role == "" || contentInside[role]) || n.Tag == "label" || n.Tag == "legend" {
		if t := nm.content(n); strings.TrimSpace(t) != "" {
			return t
		}
	}
	if t := strings.TrimSpace(n.Attr("title")); t != "" {
		return t
	}
	if n.TakesText() {
		if t := strings.TrimSpace(n.Attr("placeholder")); t != "" {
			return t
		}
		return strings.TrimSpace(n.Attr("aria-placeholder"))
	}
	return ""
}

func (nm *namer) hidden(n *Node) bool {
	if n.Attr("aria-hidden") == "true" {
		return true
	}
	if n.Tag == "option" || n.Tag == "optgroup" {
		return false
	}
	return !n.Facts.Has(Rendered) && !n.Facts.Has(Inline) || n.Facts.Has(Invisible)
}

func (n *Node) labelledBy(nm *namer) string {
	ids := strings.Fields(n.Attr("aria-labelledby"))
	if len(ids) == 0 {
		return ""
	}
	var parts []string
	for _, id := range ids {
		r := n.ByID(id)
		if r == nil {
			continue
		}
		sub := &namer{seen: map[*Node]bool{}}
		for k := range nm.seen {
			sub.seen[k] = true
		}
		if t := sub.of(r, true, r != n); strings.TrimSpace(t) != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, " ")
}

// embedded is step 2C: a control inside a label lends its value.
func (nm *namer) embedded(n *Node, role string) (string, bool) {
	switch role {
	case "textbox", "searchbox":
		if n.Tag == "input" || n.Tag == "textarea" {
			return n.Value, true
		}
		return nm.content(n), true
	case "combobox", "listbox":
		if n.Tag == "select" || n.Tag == "input" {
			return n.Value, true
		}
		var sel string
		n.Walk(func(c *Node) bool {
			if on, _ := c.IsSelected(); on && c.Role() == "option" && sel == "" {
				sel = nm.content(c)
			}
			return sel == ""
		})
		return sel, true
	case "slider", "spinbutton", "progressbar", "scrollbar", "meter":
		for _, a := range []string{"aria-valuetext", "aria-valuenow"} {
			if v := n.Attr(a); v != "" {
				return v, true
			}
		}
		return n.Value, true
	}
	return "", false
}

// native is step 2D: what the host language says (labels, alt, caption, legend, value of buttons).
func (nm *namer) native(n *Node, inside bool) string {
	switch n.Tag {
	case "input":
		switch n.InputType() {
		case "button", "submit", "reset":
			if n.Attr("value") != "" {
				return n.Attr("value")
			}
			if t := nm.labels(n); t != "" {
				return t
			}
			return map[string]string{"submit": "Submit", "reset": "Reset"}[n.InputType()]
		case "image":
			if t := nm.labels(n); t != "" {
				return t
			}
			return firstText(n.Attr("alt"), n.Attr("title"), "Submit")
		case "file":
			return firstText(nm.labels(n), "Choose File")
		}
		return nm.labels(n)
	case "textarea", "select", "output", "meter", "progress":
		return nm.labels(n)
	case "button":
		return nm.labels(n)
	case "img", "area":
		return strings.TrimSpace(n.Attr("alt"))
	case "svg":
		return strings.TrimSpace(n.Attr("svg-title"))
	case "optgroup":
		return n.Attr("label")
	case "fieldset", "table", "figure":
		want := map[string]string{"fieldset": "legend", "table": "caption", "figure": "figcaption"}[n.Tag]
		for _, c := range n.Children {
			if c.Tag == want {
				return nm.of(c, true, true)
			}
		}
	}
	return ""
}

func firstText(ts ...string) string {
	for _, t := range ts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// labels joins the texts of the label elements of a control.
func (nm *namer) labels(n *Node) string {
	var parts []string
	for _, l := range n.labelElements() {
		sub := &namer{seen: map[*Node]bool{n: true}}
		if t := strings.TrimSpace(sub.of(l, true, true)); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, " ")
}

// content is step 2F: the text of the children.
func (nm *namer) content(n *Node) string {
	var b strings.Builder
	b.WriteString(n.Before)
	for _, c := range n.Children {
		t := nm.of(c, false, true)
		block := c.IsElement() && !c.Facts.Has(Inline)
		if c.Facts.Has(SpaceBefore) || block || c.Tag == "br" {
			b.WriteByte(' ')
		}
		b.WriteString(t)
		if block {
			b.WriteByte(' ')
		}
	}
	b.WriteString(n.After)
	return b.String()
}

var nameFromContent = setOf(`button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox
menuitemradio option radio row rowheader switch tab tooltip treeitem`)

// contentInside are roles whose content counts when they stand inside another element that is named by its content.
var contentInside = setOf(`caption code deletion emphasis generic insertion list listitem mark paragraph strong subscript superscript
term time table rowgroup group img definition blockquote figure status alert document presentation none navigation region section article form search note log dialog main`)
