package agent

import (
	"regexp"
	"slices"
	"strings"

	"harness/dom"
)

// reading is something to read off the page: the n-th of the things that it
// lists, its title, or the row in which words stand.
type reading struct {
	words string
	nth   int // 1 is the first, -1 the last, 0: no position was named
}

var (
	ordinalForm = regexp.MustCompile(`(?i)^(?:the\s+)?(first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th))\b\s*`)
	chineseNth  = regexp.MustCompile(`^(?:第\s*([一二三四五六七八九十]|\d+)|(首|最后一?))\s*[个条项行班趟家件]?\s*`)
	numerals    = "一二三四五六七八九十"
	ordinals    = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
)

// newReading reads the ordinal off the words.
func newReading(words string) *reading {
	r := &reading{words: strings.TrimSpace(words)}
	if m := ordinalForm.FindStringSubmatch(r.words); m != nil {
		r.nth = ordinals[strings.ToLower(m[1])]
		if r.nth == 0 {
			r.nth = leadingNumber(m[1])
		}
	}
	if m := chineseNth.FindStringSubmatch(r.words); m != nil {
		r.nth = chineseOrdinal(m[1], m[2])
	}
	if inner, ok := unquote(r.words); ok {
		r.words = inner
	}
	return r
}

func chineseOrdinal(digits, word string) int {
	switch {
	case word == "首":
		return 1
	case word != "":
		return -1
	}
	if i := strings.Index(numerals, digits); i >= 0 {
		return i/len("一") + 1
	}
	return number(digits)
}

var titleWords = regexp.MustCompile(`(?i)^(?:the\s+)?(?:(?:page\s+)?title|(?:页面)?标题)$`)

// from is what the page says, ok is false where it does not show it.
func (r *reading) from(o *Observation) (string, bool) {
	switch {
	case titleWords.MatchString(r.words):
		return o.Title, o.Title != ""
	case o.Snapshot == nil || o.Snapshot.Root == nil:
		return "", false
	case r.nth != 0:
		return r.item(o.Snapshot)
	}
	return r.row(o.Snapshot)
}

// item is the n-th of the largest group of like elements that the page shows.
func (r *reading) item(s *dom.Snapshot) (string, bool) {
	items := mainList(s)
	i := r.nth - 1
	if r.nth < 0 {
		i = len(items) + r.nth
	}
	if i < 0 || i >= len(items) {
		return "", false
	}
	return clip(dom.Squash(items[i].InnerText()), 400), true
}

// minItemText is the length from which an item says something; shorter ones
// are menus and paging.
const minItemText = 12

// mainList is the group of like siblings that takes most room. It is the list
// of results on a page that has one.
func mainList(s *dom.Snapshot) []*dom.Node {
	var best []*dom.Node
	bestArea := 0.0
	for _, n := range s.Nodes {
		for _, group := range alike(n) {
			area := 0.0
			for _, it := range group {
				area += it.Box.W * it.Box.H
			}
			if s.Saved && area == 0 {
				area = float64(len(group))
			}
			if area > bestArea {
				best, bestArea = group, area
			}
		}
	}
	return best
}

// alike groups the children of n that are built alike and say something, two
// and more of a sort.
func alike(n *dom.Node) [][]*dom.Node {
	groups := map[string][]*dom.Node{}
	var order []string
	for _, c := range n.Children {
		if !c.IsElement() {
			continue
		}
		if ok, _ := c.Visible(); !ok || len([]rune(dom.Squash(c.InnerText()))) < minItemText {
			continue
		}
		key := build(c)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], c)
	}
	var out [][]*dom.Node
	for _, key := range order {
		if len(groups[key]) > 1 {
			out = append(out, groups[key])
		}
	}
	return out
}

// build is how an element is made: its tag and the first of its classes, which
// items of one list share while their states differ.
func build(n *dom.Node) string {
	classes := strings.Fields(n.Attr("class"))
	if len(classes) > 0 {
		return n.Tag + "." + classes[0]
	}
	return n.Tag
}

// row is the item of a list in which the words stand, else the smallest element
// that holds them and says more than they do.
func (r *reading) row(s *dom.Snapshot) (string, bool) {
	want := flat(article.ReplaceAllString(r.words, ""))
	hit := smallest(s, want)
	if hit == nil || want == "" {
		return "", false
	}
	if item := hit.Closest(isItem); item != nil {
		if text := dom.Squash(item.InnerText()); len([]rune(text)) <= maxRow {
			return text, true
		}
	}
	text := dom.Squash(hit.InnerText())
	for p := hit.Parent; p != nil && flat(text) == want; p = p.Parent {
		text = dom.Squash(p.InnerText())
	}
	return clip(text, maxRow), true
}

// maxRow is the length of the longest row that is read out, in characters.
const maxRow = 400

// smallest is the visible element with the shortest text that holds the words.
func smallest(s *dom.Snapshot, want string) *dom.Node {
	var best *dom.Node
	length := 0
	for _, n := range s.Nodes {
		if !n.IsElement() {
			continue
		}
		text := n.InnerText()
		if best != nil && len(text) >= length || !strings.Contains(flat(text), want) {
			continue
		}
		if ok, _ := n.Visible(); ok {
			best, length = n, len(text)
		}
	}
	return best
}

// isItem reports whether an element is one of three and more siblings that are
// built alike and say something: a row of results.
func isItem(n *dom.Node) bool {
	if n.Parent == nil {
		return false
	}
	for _, group := range alike(n.Parent) {
		if len(group) > 2 && slices.Contains(group, n) {
			return true
		}
	}
	return false
}
