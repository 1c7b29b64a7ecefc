package locate

import (
	"fmt"
	"strings"

	"harness/dom"
)

// scoreSymbol matches what has no words that a person reads: a sign (× for
// close), then the words of ids and classes.
func (f *finder) scoreSymbol(h *hit, r reading) bool {
	if !operable(h.n) && h.n.Role() != "img" && !h.n.Facts.Has(dom.Icon) {
		return false
	}
	if f.scoreSign(h, r) {
		return true
	}
	if readable(h.n) {
		return false
	}
	names := codeNames(h.n)
	want := tokens(r.name)
	for _, w := range want {
		if !names[w] && !names[strings.TrimSuffix(w, "s")] && !symbolInCode(names, w) {
			return false
		}
	}
	if len(want) == 0 {
		return false
	}
	h.score, h.src, h.kind = float64(fromCode.score), fromCode, exactly
	h.reasons = []string{"shows no text, and its code names say " + strings.Join(want, " ")}
	return true
}

// readable reports whether the element says something to a person.
func readable(n *dom.Node) bool {
	t := Fold(n.Name())
	if t == "" {
		t = Fold(n.InnerText())
	}
	return t != "" && symbolWords(t) == "" && len(tokens(t)) > 0
}

func symbolInCode(names map[string]bool, want string) bool {
	for _, s := range symbols {
		words := strings.Fields(s.words)
		if !contained(words, want) {
			continue
		}
		for _, w := range words {
			if names[w] {
				return true
			}
		}
	}
	return false
}

func contained(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (f *finder) scoreSign(h *hit, r reading) bool {
	if !operable(h.n) && !hasOwnText(h.n) {
		return false
	}
	text := Fold(h.n.InnerText())
	if text == "" {
		text = Fold(h.n.Name())
	}
	words := symbolWords(text)
	if words == "" {
		if r.name == "x" && contained([]string{"close", "关闭"}, Fold(h.n.Name())) {
			words = "x"
		} else {
			return false
		}
	}
	list := strings.Fields(words)
	ok := contained(list, r.name)
	for _, w := range tokens(r.name) {
		ok = ok || contained(list, w) && len(tokens(r.name)) <= 2
	}
	if !ok {
		return false
	}
	h.score, h.src, h.kind = float64(fromSymbol.score), fromSymbol, exactly
	h.reasons = []string{fmt.Sprintf("shows the sign %q", text)}
	return true
}
