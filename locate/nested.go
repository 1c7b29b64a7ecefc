package locate

import (
	"math"
	"strings"

	"harness/dom"
)

// dropNested keeps one of elements that stand in each other and match by the
// same words: the one that a person would say is meant.
func dropNested(hits []hit) []hit {
	at := map[*dom.Node]int{}
	for i, h := range hits {
		at[h.n] = i
	}
	drop := make([]bool, len(hits))
	for i, h := range hits {
		for a := h.n.Parent; a != nil; a = a.Parent {
			j, ok := at[a]
			if !ok || drop[i] || drop[j] {
				continue
			}
			if k := lesser(hits[j], h); k > 0 {
				drop[i] = true
			} else if k < 0 {
				drop[j] = true
			}
		}
		for _, c := range labelledBy(h.n, hits) {
			if j := at[c]; !drop[j] && hits[j].hidden == "" {
				drop[i] = true
			}
		}
	}
	var out []hit
	for i, h := range hits {
		if !drop[i] {
			out = append(out, h)
		}
	}
	return out
}

// labelledBy are the hits that the element lends its text to as a label: who
// says the text means them.
func labelledBy(n *dom.Node, hits []hit) []*dom.Node {
	var out []*dom.Node
	c, id := n.LabelControl(), n.Attr("id")
	for _, h := range hits {
		if h.n == n {
			continue
		}
		if h.n == c || id != "" && h.n.Ref.Frame == n.Ref.Frame && contained(strings.Fields(h.n.Attr("aria-labelledby")), id) {
			out = append(out, h.n)
		}
	}
	return out
}

// lesser says which of an outer and an inner element goes: -1 the outer, 1 the
// inner, 0 both stay since they match differently.
func lesser(outer, inner hit) int {
	if (outer.hidden == "") != (inner.hidden == "") {
		if outer.hidden != "" {
			return -1
		}
		return 1
	}
	ow, iw := widgets[outer.n.Role()], widgets[inner.n.Role()]
	switch {
	case math.Abs(outer.score-inner.score) >= 25:
		if outer.score > inner.score {
			return 1
		}
		return -1
	case ow && !iw:
		return 1
	case iw && !ow:
		return -1
	case ow && iw: // a link in a list item that is an option: the inner one, unless the outer is the one that acts
		if outer.n.Tag == "button" || outer.n.Tag == "a" || outer.n.Role() == "button" {
			return 1
		}
		if inner.n.Role() == "combobox" || inner.n.TakesText() || inner.n.Tag == "a" || inner.n.Tag == "button" {
			return -1
		}
		if outer.score >= inner.score {
			return 1
		}
		return -1
	case operable(outer.n) && !operable(inner.n):
		if inner.kind > outer.kind {
			return -1
		}
		return 1
	case outer.score > inner.score+1:
		return 1
	}
	return -1
}
