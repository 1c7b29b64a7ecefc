package dom

import "strings"

// Role is the element's ARIA role: the first valid role of the role attribute,
// otherwise the one that HTML-AAM gives the tag. "" is no role (generic).
// presentation and none count as no role unless the element can be focused.
func (n *Node) Role() string {
	m := n.m()
	if !m.hasRole {
		m.role, m.hasRole = n.role(), true
	}
	return m.role
}

func (n *Node) role() string {
	if !n.IsElement() {
		return ""
	}
	for _, r := range strings.Fields(strings.ToLower(n.Attr("role"))) {
		if r == "presentation" || r == "none" {
			if n.Facts.Has(Focusable) || n.hasGlobalARIA() {
				break
			}
			return ""
		}
		if knownRoles[r] {
			return r
		}
	}
	return n.implicitRole()
}

func (n *Node) hasGlobalARIA() bool { return n.HasAttr("aria-label") || n.HasAttr("aria-labelledby") }

var tagRoles = map[string]string{
	"article": "article", "aside": "complementary", "blockquote": "blockquote", "button": "button", "caption": "caption",
	"code": "code", "datalist": "listbox", "dd": "definition", "del": "deletion", "details": "group", "dfn": "term",
	"dialog": "dialog", "dt": "term", "em": "emphasis", "fieldset": "group", "figure": "figure",
	"h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading", "hr": "separator",
	"html": "document", "ins": "insertion", "li": "listitem", "main": "main", "mark": "mark", "math": "math", "menu": "list",
	"meter": "meter", "nav": "navigation", "ol": "list", "ul": "list", "optgroup": "group", "option": "option", "output": "status",
	"p": "paragraph", "progress": "progressbar", "search": "search", "strong": "strong", "sub": "subscript", "sup": "superscript",
	"table": "table", "tbody": "rowgroup", "tfoot": "rowgroup", "thead": "rowgroup", "textarea": "textbox", "time": "time", "tr": "row",
	"svg": "img",
}

var inputRoles = map[string]string{
	"button": "button", "submit": "button", "reset": "button", "image": "button", "checkbox": "checkbox", "radio": "radio",
	"range": "slider", "number": "spinbutton", "search": "searchbox", "email": "textbox", "tel": "textbox", "text": "textbox",
	"url": "textbox", "password": "textbox", "date": "textbox", "time": "textbox", "datetime-local": "textbox", "month": "textbox",
	"week": "textbox", "file": "button", "color": "textbox",
}

func (n *Node) implicitRole() string {
	switch n.Tag {
	case "a", "area":
		if n.HasAttr("href") {
			return "link"
		}
		return ""
	case "input":
		return n.inputRole()
	case "select":
		if n.HasAttr("multiple") || (n.HasAttr("size") && n.Attr("size") != "1" && n.Attr("size") != "0") {
			return "listbox"
		}
		return "combobox"
	case "img":
		if n.HasAttr("alt") && n.Attr("alt") == "" && !n.hasGlobalARIA() && n.Attr("title") == "" {
			return ""
		}
		return "img"
	case "form", "section":
		if n.explicitName() {
			return map[string]string{"form": "form", "section": "region"}[n.Tag]
		}
		return ""
	case "header", "footer":
		if n.Closest(func(a *Node) bool {
			return a != n && (a.Tag == "article" || a.Tag == "aside" || a.Tag == "main" || a.Tag == "nav" || a.Tag == "section")
		}) != nil {
			return ""
		}
		return map[string]string{"header": "banner", "footer": "contentinfo"}[n.Tag]
	case "td", "th":
		return n.cellRole()
	case "summary":
		return "button"
	}
	return tagRoles[n.Tag]
}

func (n *Node) inputRole() string {
	t := n.InputType()
	if l := n.Attr("list"); l != "" && n.ByID(l) != nil {
		switch t {
		case "text", "search", "tel", "url", "email":
			return "combobox"
		}
	}
	if t == "hidden" {
		return ""
	}
	if r, ok := inputRoles[t]; ok {
		return r
	}
	return "textbox"
}

func (n *Node) cellRole() string {
	if n.Tag == "th" {
		switch n.Attr("scope") {
		case "row", "rowgroup":
			return "rowheader"
		case "col", "colgroup":
			return "columnheader"
		}
		if n.Parent != nil && n.Parent.Tag == "tr" && len(n.Parent.Children) > 1 && n.Parent.firstElement() == n && n.Parent.hasTag("td") {
			return "rowheader"
		}
		return "columnheader"
	}
	t := n.Closest(func(a *Node) bool { return a.Tag == "table" })
	if t != nil && (t.Role() == "grid" || t.Role() == "treegrid") {
		return "gridcell"
	}
	return "cell"
}

func (n *Node) firstElement() *Node {
	for _, c := range n.Children {
		if c.IsElement() {
			return c
		}
	}
	return nil
}

func (n *Node) hasTag(tag string) bool {
	for _, c := range n.Children {
		if c.Tag == tag {
			return true
		}
	}
	return false
}

func (n *Node) explicitName() bool {
	return strings.TrimSpace(n.Attr("aria-label")) != "" || n.Attr("aria-labelledby") != "" || strings.TrimSpace(n.Attr("title")) != ""
}

var knownRoles = setOf(`alert alertdialog application article banner blockquote button caption cell checkbox code
columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form
generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math meter menu menubar
menuitem menuitemcheckbox menuitemradio navigation note option paragraph progressbar radio radiogroup region row rowgroup
rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table
tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
