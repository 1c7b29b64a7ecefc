package agent

import (
	"strings"

	"harness/dom"
)

// maxCaption is the length of the longest text that is taken for the caption of
// a field, in characters; longer ones are prose.
const maxCaption = 24

// caption is the text that stands before a field without a label: the last one
// in the innermost box that holds the field and text, where that box holds no
// other field.
func caption(n *dom.Node) string {
	for box, depth := n.Parent, 0; box != nil && depth < 3; box, depth = box.Parent, depth+1 {
		fields, before, done := 0, "", false
		box.Walk(func(c *dom.Node) bool {
			switch {
			case c == n:
				done = true
			case c.Tag == dom.TextTag && !done:
				if t := dom.Squash(c.Text); t != "" {
					before = t
				}
			}
			if c.IsElement() && (c.TakesText() || c.Tag == "select") {
				fields++
			}
			return true
		})
		if fields > 1 {
			return ""
		}
		if before != "" {
			if len([]rune(before)) > maxCaption {
				return ""
			}
			return before
		}
	}
	return ""
}

// elementName is the accessible name, or the text, or what the surroundings and
// attributes say.
func elementName(n *dom.Node) string {
	name := dom.Squash(n.Name())
	if n.TakesText() || n.Tag == "select" {
		if n.Label() == "" {
			if c := caption(n); c != "" && !strings.Contains(name, c) {
				name = strings.TrimSpace(c + " " + hintText(name))
			}
		}
		return firstFull(name, n.Attr("placeholder"), n.Attr("name"))
	}
	return firstFull(name, n.Label(), n.InnerText(), n.Attr("title"), n.Attr("name"))
}

// hintText is a placeholder beside the caption.
func hintText(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

func firstFull(texts ...string) string {
	for _, s := range texts {
		if s = dom.Squash(s); s != "" {
			return s
		}
	}
	return ""
}
