package dom

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// Attributes that a saved page carries so that its snapshot is the one of the
// live page. Pages without them are read by their markup alone.
const (
	AttrBox      = "data-harness-box"      // "x y w h", CSS px in the main viewport
	AttrFacts    = "data-harness-facts"    // decimal Facts
	AttrURL      = "data-harness-url"      // on <html>: address
	AttrViewport = "data-harness-viewport" // on <html>: "scrollX scrollY width height"
	AttrScale    = "data-harness-scale"    // on <html>: device pixel ratio
	AttrBefore   = "data-harness-before"   // text that CSS generates before the content
	AttrAfter    = "data-harness-after"    // and after it
)

// ParseHTML reads a saved page: declarative shadow roots and srcdoc frames are
// part of the tree. Boxes and facts come from the page's data-harness-*
// attributes; without them only what the markup says is known (hidden, inline
// styles, simple rules of <style>), and boxes are empty. Refs count the elements
// in document order. It fails only where the reader fails: HTML has no errors.
func ParseHTML(r io.Reader) (*Snapshot, error) {
	s := &Snapshot{Saved: true, Scale: 1}
	p := &parser{s: s}
	root, err := p.document(r, nil)
	if err != nil {
		return nil, fmt.Errorf("saved page: %v", err)
	}
	s.Root = root
	s.number()
	return s, nil
}

type parser struct {
	s      *Snapshot
	frames int
	ids    int
}

// document parses one document; owner is its frame element, nil for the main one.
func (p *parser) document(r io.Reader, owner *Node) (*Node, error) {
	doc, err := goquery.NewDocumentFromReader(r)
	if err != nil {
		return nil, err
	}
	frame := p.frames
	p.frames++
	root := &Node{Tag: DocumentTag, Facts: Rendered, snap: p.s, Parent: owner, Ref: Ref{Frame: frame}}
	f := Frame{Index: frame, Path: "main"}
	h := doc.Find("html").First()
	f.URL = h.AttrOr(AttrURL, "")
	if owner != nil {
		f.Path = framePathOf(owner, p.s.Frames)
		f.Name = firstText(owner.Attr("title"), owner.Attr("name"), owner.Attr("id"))
	} else {
		p.head(h, doc)
	}
	p.s.Frames = append(p.s.Frames, f)
	w := &frameWalk{parser: p, frame: frame}
	if f.URL == "" { // saved by the browser, every element bears its facts
		w.rules = styleRules(doc)
	}
	for _, n := range doc.Selection.Nodes {
		w.children(n, root, markup{})
	}
	if w.err != nil {
		return nil, w.err
	}
	return root, nil
}

func framePathOf(owner *Node, frames []Frame) string {
	path := "main"
	for _, fr := range frames {
		if fr.Index == owner.Ref.Frame {
			path = fr.Path
		}
	}
	if name := firstText(owner.Attr("title"), owner.Attr("name"), owner.Attr("id")); name != "" {
		return fmt.Sprintf("%s > iframe %q", path, name)
	}
	return path + " > iframe"
}

func (p *parser) head(h *goquery.Selection, doc *goquery.Document) {
	p.s.URL = h.AttrOr(AttrURL, "")
	p.s.Title = Squash(doc.Find("title").First().Text())
	p.s.Lang = h.AttrOr("lang", "")
	if v, ok := parseRect(h.AttrOr(AttrViewport, "")); ok {
		p.s.Viewport = v
	}
	if v, err := strconv.ParseFloat(h.AttrOr(AttrScale, "1"), 64); err == nil {
		p.s.Scale = v
	}
}

func parseRect(v string) (Rect, bool) {
	f := strings.Fields(v)
	if len(f) != 4 {
		return Rect{}, false
	}
	var x [4]float64
	for i := range f {
		var err error
		if x[i], err = strconv.ParseFloat(f[i], 64); err != nil {
			return Rect{}, false
		}
	}
	return Rect{x[0], x[1], x[2], x[3]}, true
}

// markup is what an element hands down to its content.
type markup struct {
	hidden, invisible, transparent, disabled bool
}

type frameWalk struct {
	*parser
	frame int
	rules []rule
	err   error
}

var skipTags = setOf("script style noscript link meta head base param source track col colgroup title")

func (w *frameWalk) children(parent *html.Node, to *Node, m markup) {
	space := false
	for c := parent.FirstChild; c != nil; c = c.NextSibling {
		space = w.child(c, to, m, space)
	}
}

// child adds one node and reports whether white space is pending after it.
func (w *frameWalk) child(c *html.Node, to *Node, m markup, space bool) bool {
	switch c.Type {
	case html.TextNode:
		t := squashBlank(c.Data)
		if t == "" {
			return space || c.Data != ""
		}
		n := &Node{Tag: TextTag, Text: keepEnds(c.Data, t), snap: w.s, Parent: to, Ref: Ref{Frame: w.frame}}
		if space {
			n.Facts = SpaceBefore
		}
		to.Children = append(to.Children, n)
	case html.ElementNode:
		if !skipTags[c.Data] && c.Data != "template" {
			w.element(c, to, m, space)
		}
	default:
		return space
	}
	return false
}

// squashBlank folds the white space that layout folds, as the page script does;
// no-break spaces stay.
func squashBlank(s string) string {
	blank := func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' || r == '\f' }
	return strings.Join(strings.FieldsFunc(s, blank), " ")
}

func keepEnds(raw, squashed string) string {
	if strings.TrimLeft(raw, " \t\r\n\f") != raw {
		squashed = " " + squashed
	}
	if strings.TrimRight(raw, " \t\r\n\f") != raw {
		squashed += " "
	}
	return squashed
}

func (w *frameWalk) element(c *html.Node, to *Node, m markup, space bool) {
	w.ids++
	n := &Node{Tag: c.Data, snap: w.s, Parent: to, Ref: Ref{w.frame, w.ids}}
	for _, a := range c.Attr {
		switch {
		case a.Key == AttrBefore:
			n.Before = a.Val
		case a.Key == AttrAfter:
			n.After = a.Val
		case !strings.HasPrefix(a.Key, "data-harness-"):
			n.setAttr(a.Key, a.Val)
		}
	}
	to.Children = append(to.Children, n)
	below := w.facts(c, n, m)
	delete(n.Attrs, "style")
	if space {
		n.Facts |= SpaceBefore
	}
	w.content(c, n, below)
	n.setSavedValue(c)
}

// content walks into the shadow root, the frame or the children.
func (w *frameWalk) content(c *html.Node, n *Node, m markup) {
	switch n.Tag {
	case "iframe", "frame":
		if src := n.Attr("srcdoc"); src != "" {
			root, err := w.document(strings.NewReader(src), n)
			if err != nil {
				w.err = err
				return
			}
			n.Children = append(n.Children, root)
		}
		return
	case "textarea", "svg":
		return
	}
	if t := shadowTemplate(c); t != nil {
		n.Facts |= ShadowHost
		w.shadow(t, c, n, m)
		return
	}
	w.children(c, n, m)
}

func shadowTemplate(c *html.Node) *html.Node {
	for t := c.FirstChild; t != nil; t = t.NextSibling {
		if t.Type == html.ElementNode && t.Data == "template" && attrOf(t, "shadowrootmode") != "" {
			return t
		}
	}
	return nil
}

func attrOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// shadow walks the shadow tree with the host's children in its slots.
func (w *frameWalk) shadow(t, host *html.Node, n *Node, m markup) {
	given := map[string][]*html.Node{}
	for c := host.FirstChild; c != nil; c = c.NextSibling {
		if c != t {
			given[attrOf(c, "slot")] = append(given[attrOf(c, "slot")], c)
		}
	}
	fillSlots(t, given)
	w.children(t, n, m)
}

// fillSlots puts the given nodes in place of the slots' own content.
func fillSlots(t *html.Node, given map[string][]*html.Node) {
	for c := t.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || c.Data != "slot" {
			fillSlots(c, given)
			continue
		}
		nodes := given[attrOf(c, "name")]
		if len(nodes) == 0 {
			continue
		}
		for c.FirstChild != nil {
			c.RemoveChild(c.FirstChild)
		}
		for _, g := range nodes {
			g.Parent.RemoveChild(g)
			c.AppendChild(g)
		}
	}
}

// setSavedValue takes the live value that a saved control carries in its markup.
func (n *Node) setSavedValue(c *html.Node) {
	switch n.Tag {
	case "input":
		n.Value = n.Attr("value")
		switch t := n.InputType(); {
		case (t == "checkbox" || t == "radio") && !n.HasAttr("value"):
			n.Value = "on"
		case t == "password":
			n.Value = strings.Repeat("•", len([]rune(n.Value)))
		}
	case "textarea":
		n.Value = goquery.NewDocumentFromNode(c).Text()
	case "select":
		var texts []string
		n.Walk(func(o *Node) bool {
			if o.Tag == "option" && o.Facts.Has(Selected) {
				texts = append(texts, Squash(o.allText()))
			}
			return true
		})
		n.Value = strings.Join(texts, ", ")
	}
}

func (n *Node) allText() string {
	var b strings.Builder
	n.Walk(func(c *Node) bool { b.WriteString(c.Text); return true })
	return b.String()
}
