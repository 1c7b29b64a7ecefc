package dom

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// inlineTags are laid out inline where no style says otherwise.
var inlineTags = setOf(`a abbr b bdi bdo cite code data dfn em font i input kbd label mark q s samp select small span strong sub
sup textarea time u var button img svg slot output meter progress canvas br`)

// facts sets what the markup says of the element and returns what it hands down.
func (w *frameWalk) facts(c *html.Node, n *Node, m markup) markup {
	style := declarations(attrOf(c, "style"))
	for _, r := range w.rules {
		if r.nodes[c] {
			for k, v := range r.decl {
				if _, own := style[k]; !own {
					style[k] = v
				}
			}
		}
	}
	if n.HasAttr("hidden") || style["display"] == "none" || n.Tag == "dialog" && !n.HasAttr("open") || n.inClosedDetails() {
		m.hidden = true
	}
	if v, ok := style["visibility"]; ok {
		m.invisible = v != "visible"
	}
	m.transparent = m.transparent || style["opacity"] == "0"
	if n.disabledByMarkup() {
		m.disabled = true
	}
	n.setMarkupFacts(c, style, m)
	if v := attrOf(c, AttrFacts); v != "" {
		if bits, err := strconv.ParseUint(v, 10, 32); err == nil {
			n.Facts = Facts(bits)
		}
	}
	if box, ok := parseRect(attrOf(c, AttrBox)); ok {
		n.Box = box
	}
	return m
}

func (n *Node) inClosedDetails() bool {
	return n.Parent != nil && n.Parent.Tag == "details" && !n.Parent.HasAttr("open") && n.Tag != "summary"
}

func (n *Node) disabledByMarkup() bool {
	switch n.Tag {
	case "button", "input", "select", "textarea", "option", "optgroup", "fieldset":
		return n.HasAttr("disabled")
	}
	return n.HasAttr("inert")
}

func (n *Node) setMarkupFacts(c *html.Node, style map[string]string, m markup) {
	set := func(on bool, f Facts) {
		if on {
			n.Facts |= f
		}
	}
	set(!m.hidden, Rendered)
	set(m.invisible, Invisible)
	set(m.transparent, Transparent)
	set(m.disabled, Disabled)
	set(!m.hidden && inlineTags[n.Tag] && !strings.HasPrefix(style["display"], "block") && style["display"] != "flex", Inline)
	set(n.HasAttr("checked"), Checked)
	set(n.HasAttr("selected") || n.Tag == "option" && firstOfPlainSelect(c), Selected)
	set(n.HasAttr("readonly"), ReadOnly)
	set(n.HasAttr("required"), Required)
	set(style["cursor"] == "pointer", Pointer)
	set(style["position"] == "fixed", Fixed|Positioned)
	set(style["position"] == "absolute", Absolute|Positioned)
	ce := strings.ToLower(n.Attr("contenteditable"))
	set(n.HasAttr("contenteditable") && ce != "false", Editable)
	set(n.focusableByMarkup(), Focusable)
	set(n.Tag == "canvas" || n.Tag == "video" || n.Tag == "object" || n.Tag == "embed", Canvas)
	for k := range n.Attrs {
		if strings.HasPrefix(k, "on") {
			n.Facts |= Listener
			delete(n.Attrs, k)
		}
	}
}

func (n *Node) focusableByMarkup() bool {
	if t, err := strconv.Atoi(n.Attr("tabindex")); err == nil {
		return t >= 0
	}
	switch n.Tag {
	case "button", "select", "textarea", "summary":
		return true
	case "input":
		return n.InputType() != "hidden"
	case "a", "area":
		return n.HasAttr("href")
	}
	return n.HasAttr("contenteditable")
}

// firstOfPlainSelect: a drop-down with nothing selected shows its first option.
func firstOfPlainSelect(c *html.Node) bool {
	p := c.Parent
	if p == nil || p.Data != "select" || hasAttr(p, "multiple") {
		return false
	}
	first := true
	for o := p.FirstChild; o != nil; o = o.NextSibling {
		if o.Type != html.ElementNode {
			continue
		}
		if hasAttr(o, "selected") {
			return false
		}
		if o == c && !first {
			return false
		}
		first = false
	}
	return true
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// rule is a style rule that hides elements or changes the cursor, with what it matches.
type rule struct {
	decl  map[string]string
	nodes map[*html.Node]bool
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssRule    = regexp.MustCompile(`([^{}@]+)\{([^{}]*)\}`)
	cssAtBlock = regexp.MustCompile(`(?s)@[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|@[^{;]*;`)
)

// styleRules reads the plain rules of <style> elements, at-rules left out. It
// keeps the properties that visibility rests on.
func styleRules(doc *goquery.Document) []rule {
	var rules []rule
	doc.Find("style").Each(func(_ int, st *goquery.Selection) {
		css := cssAtBlock.ReplaceAllString(cssComment.ReplaceAllString(st.Text(), ""), "")
		for _, m := range cssRule.FindAllStringSubmatch(css, -1) {
			decl := declarations(m[2])
			if len(decl) == 0 {
				continue
			}
			nodes := map[*html.Node]bool{}
			for _, n := range doc.Find(strings.TrimSpace(m[1])).Nodes { // a selector that cannot be read matches nothing
				nodes[n] = true
			}
			if len(nodes) > 0 {
				rules = append([]rule{{decl, nodes}}, rules...) // later rules first
			}
		}
	})
	return rules
}

var styleKept = setOf("display visibility opacity cursor position")

func declarations(css string) map[string]string {
	out := map[string]string{}
	for _, d := range strings.Split(css, ";") {
		k, v, ok := strings.Cut(d, ":")
		k = strings.ToLower(strings.TrimSpace(k))
		if ok && styleKept[k] {
			out[k] = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(v, "!important", "")))
		}
	}
	return out
}
