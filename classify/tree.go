package classify

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"harness/dom"
)

// Bounds of the looks around an element; they keep the cost of one element
// constant however large the page is.
const (
	maxLook  = 60   // nodes looked at below an element
	maxLabel = 40   // runes of a text that is taken as a label
	maxUnit  = 3000 // nodes up to which the parts of a calendar are counted
)

func isElement(n *dom.Node) bool {
	return n != nil && n.Tag != dom.TextTag && n.Tag != dom.DocumentTag
}

func attr(n *dom.Node, name string) string { return n.Attrs[name] }

func has(n *dom.Node, name string) bool {
	_, ok := n.Attrs[name]
	return ok
}

func role(n *dom.Node) string {
	r := attr(n, "role")
	if r == "" {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(r), " ")
	return strings.ToLower(first)
}

// unread are the tags whose text nobody reads on the page.
func unread(tag string) bool {
	switch tag {
	case "script", "style", "template", "noscript", "head", "option", "optgroup", "datalist", "svg":
		return true
	}
	return false
}

// elements are the children of n that are elements.
func elements(n *dom.Node) []*dom.Node {
	for i, c := range n.Children {
		if !isElement(c) {
			list := append(make([]*dom.Node, 0, len(n.Children)), n.Children[:i]...)
			for _, c := range n.Children[i:] {
				if isElement(c) {
					list = append(list, c)
				}
			}
			return list
		}
	}
	return n.Children
}

// unwrap goes down through elements that hold one element and no text.
func unwrap(n *dom.Node) *dom.Node {
	for range 4 {
		if len(n.Children) != 1 || !isElement(n.Children[0]) {
			break
		}
		n = n.Children[0]
	}
	return n
}

// words is the visible text below n with single spaces, at most limit runes
// and a little more; looking ends with maxLook nodes.
func words(n *dom.Node, limit int) string {
	var b strings.Builder
	left := maxLook
	collect(n, &b, limit, &left)
	return b.String()
}

func collect(n *dom.Node, b *strings.Builder, limit int, left *int) {
	if *left--; *left < 0 || b.Len() > limit*4 {
		return
	}
	if n.Tag == dom.TextTag {
		addWords(b, n.Text)
		return
	}
	if unread(n.Tag) || hidden(n) {
		return
	}
	addWords(b, n.Before)
	for _, c := range n.Children {
		collect(c, b, limit, left)
	}
	addWords(b, n.After)
}

func addWords(b *strings.Builder, s string) {
	for _, w := range strings.Fields(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
}

// hidden reports what both a live page and any saved page tell of hiding by
// themselves.
func hidden(n *dom.Node) bool { return has(n, "hidden") }

// short reports whether s is a label: some text, at most limit runes.
func short(s string, limit int) bool { return s != "" && utf8.RuneCountInString(s) <= limit }

// count is the number of nodes below n, n included; it stops above limit.
func count(n *dom.Node, limit int) int {
	total := 1
	for _, c := range n.Children {
		if total > limit {
			break
		}
		total += count(c, limit-total)
	}
	return total
}

// find is the first element below n that fits, in document order, among the
// first maxLook nodes.
func find(n *dom.Node, fits func(*dom.Node) bool) *dom.Node {
	left := maxLook
	return findIn(n, fits, &left)
}

func findIn(n *dom.Node, fits func(*dom.Node) bool, left *int) *dom.Node {
	for _, c := range n.Children {
		if *left--; *left < 0 {
			return nil
		}
		if !isElement(c) {
			continue
		}
		if fits(c) {
			return c
		}
		if d := findIn(c, fits, left); d != nil {
			return d
		}
	}
	return nil
}

// siblings are the elements beside n, n among them, and its place in them.
func siblings(n *dom.Node) ([]*dom.Node, int) {
	if n.Parent == nil {
		return []*dom.Node{n}, 0
	}
	list := elements(n.Parent)
	return list, place(list, n)
}

// place is where n stands in a list of siblings. Siblings are in document
// order, so that long lists are halved.
func place(list []*dom.Node, n *dom.Node) int {
	at, found := slices.BinarySearchFunc(list, n, func(a, b *dom.Node) int { return a.Index - b.Index })
	if !found {
		return 0
	}
	return at
}

// alike reports whether at least two siblings of n, n among them, have its tag.
func alike(n *dom.Node) bool {
	same := 0
	for _, s := range n.Parent.Children {
		if s.Tag == n.Tag {
			if same++; same == 2 {
				return true
			}
		}
	}
	return false
}

// classWords are the words of the class attribute in lower case, split at
// dashes, underscores and capitals: weak evidence of what an author meant.
func classWords(n *dom.Node) []string { return nameWords(attr(n, "class")) }

// nameWords splits an identifier into its words.
func nameWords(s string) []string {
	if s == "" {
		return nil
	}
	list := make([]string, 0, 8)
	start, prevLower := -1, false
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start >= 0 && (!letter || (prevLower && unicode.IsUpper(r))) {
			list = append(list, strings.ToLower(s[start:i]))
			start = -1
		}
		if letter && start < 0 {
			start = i
		}
		prevLower = unicode.IsLower(r)
	}
	if start >= 0 {
		list = append(list, strings.ToLower(s[start:]))
	}
	return list
}

// anyOf reports whether one of the words is in the set.
func anyOf(list []string, set map[string]bool) bool {
	for _, w := range list {
		if set[w] {
			return true
		}
	}
	return false
}

func set(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, w := range list {
		m[w] = true
	}
	return m
}

// measured reports whether the snapshot knows boxes.
func measured(n *dom.Node) bool { return !n.Box.Empty() }

// number reads s as one number of at most four digits of any script.
func number(s string) (int, bool) {
	v, rest, ok := leadingNumber(s)
	return v, ok && rest == ""
}

// leadingNumber reads the digits, of any script, at the head of s.
func leadingNumber(s string) (value int, rest string, ok bool) {
	digits := 0
	for i, r := range s {
		d, isDigit := digit(r)
		if !isDigit {
			return value, s[i:], digits > 0 && digits <= 4
		}
		if digits++; digits > 4 {
			return 0, "", false
		}
		value = value*10 + d
	}
	return value, "", digits > 0
}

// digitZeros are the zeros of the scripts whose digits pages show.
var digitZeros = [...]rune{'0', '٠', '۰', '०', '০', '๐', '၀', '០', '0'}

func digit(r rune) (int, bool) {
	for _, zero := range digitZeros {
		if r >= zero && r <= zero+9 {
			return int(r - zero), true
		}
	}
	return 0, false
}
