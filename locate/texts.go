package locate

import (
	"fmt"
	"strings"

	"harness/dom"
)

// source says where a text of an element comes from. Those of layer 1 are the
// ones that Playwright's getBy… locators match.
type source struct {
	name   string
	score  int // of an element whose whole text of this source is the wanted one
	layer1 bool
}

// The sources, with the scores that the demo and widget suites were tuned on:
// what a person reads on the element counts most, what only the code shows least.
var (
	fromName        = source{"name", 98, true}
	fromLabel       = source{"label", 97, true}
	fromText        = source{"text", 94, true}
	fromPlaceholder = source{"placeholder", 95, true}
	fromAlt         = source{"alt", 93, true}
	fromTitle       = source{"title", 92, true}
	fromTestID      = source{"testid", 90, true}
	fromNearby      = source{"nearby label", 88, false}
	fromHeader      = source{"table header", 84, false}
	fromSymbol      = source{"symbol", 85, false}
	fromLegend      = source{"described by", 78, false}
	fromCode        = source{"code names", 78, false}
	fromValue       = source{"value", 72, false}
)

// textOf is one text of an element, folded.
type textOf struct {
	source
	text string
	raw  string
}

const maxText = 300 // runes of a text that is matched as a whole

// texts are the element's texts, most telling first.
func (f *finder) texts(n *dom.Node) []textOf {
	if t, ok := f.cache[n]; ok {
		return t
	}
	var out []textOf
	add := func(src source, raw string) {
		if folded := Fold(raw); folded != "" && len(folded) < maxText*3 {
			for _, t := range out {
				if t.text == folded {
					return
				}
			}
			out = append(out, textOf{src, folded, raw})
		}
	}
	role := n.Role()
	op := operable(n)
	if op || role == "heading" || role == "img" || landmarks[role] {
		add(fromName, n.Name())
	}
	if op && n.Tag != "label" {
		add(fromLabel, n.Label())
	}
	add(fromPlaceholder, n.Attr("placeholder"))
	add(fromPlaceholder, n.Attr("aria-placeholder"))
	if op || hasOwnText(n) || role == "heading" || role == "cell" || role == "row" || role == "listitem" {
		add(fromText, n.InnerText())
	}
	add(fromAlt, n.Attr("alt"))
	add(fromAlt, n.Attr("svg-title"))
	add(fromTitle, n.Attr("title"))
	for _, a := range testIDs {
		add(fromTestID, n.Attr(a))
	}
	if op {
		add(fromNearby, f.nearby(n))
		add(fromHeader, f.columnHeader(n))
		for _, id := range strings.Fields(n.Attr("aria-describedby")) {
			if d := n.ByID(id); d != nil {
				add(fromLegend, d.InnerText())
			}
		}
		add(fromLegend, n.Attr("aria-description"))
		if n.InputType() != "password" {
			add(fromValue, n.Value)
		}
	}
	f.cache[n] = out
	return out
}

var testIDs = []string{"data-testid", "data-test-id", "data-test", "data-qa", "data-cy"}

var landmarks = setOf("region navigation dialog alertdialog banner main form search group tabpanel table grid list complementary contentinfo alert status")

// symbols are signs that stand for words on buttons, in the languages of the grammar.
var symbols = []struct{ words, signs string }{
	{"close dismiss exit 关闭", "× ✕ ✖ ✗ ╳ x ⨯ 🗙"},
	{"next forward 下一个 下一页 下个 下月 下一月 下个月", "› » → > ❯ ▶ ► ▸ ⟩ ≫ ⏵"},
	{"previous prev back backward 上一个 上一页 上个 上月 上一月 上个月", "‹ « ← < ❮ ◀ ◄ ◂ ⟨ ≪ ⏴"},
	{"up increase", "↑ ▲ ▴ ⌃"}, {"down decrease expand", "↓ ▼ ▾ ⌄"},
	{"plus add increase more 加 增加 添加", "+ ➕"}, {"minus remove decrease less subtract 减 减少", "- ➖ −"},
	{"menu hamburger 菜单", "☰ ≡ ⋮ ⋯ … …"}, {"search magnifier 搜索 查询", "🔍 🔎 ⌕"},
	{"settings gear options 设置", "⚙"}, {"home 首页 主页", "🏠 ⌂"}, {"delete trash bin remove 删除", "🗑"},
	{"edit pencil 编辑", "✎ ✏ 🖉"}, {"favorite favourite star like 收藏", "★ ☆ ♥ ♡ ❤"}, {"calendar 日历", "📅 📆 🗓"},
	{"play 播放", "▶ ►"}, {"pause 暂停", "⏸"}, {"cart basket 购物车", "🛒"}, {"refresh reload 刷新", "↻ ⟳ 🔄"}, {"help 帮助", "? ⓘ"},
	{"yes ok check tick confirm 确定", "✓ ✔"},
}

// symbolWords are the words that a text of signs alone stands for, "" if it says words itself.
func symbolWords(folded string) string {
	if folded == "" || len([]rune(folded)) > 3 {
		return ""
	}
	for _, s := range symbols {
		for _, sign := range strings.Fields(s.signs) {
			if folded == Fold(sign) || sign != "x" && bareSign(folded) == Fold(sign) {
				return s.words
			}
		}
	}
	return ""
}

func bareSign(s string) string { return strings.TrimSpace(s) }

// codeNames are the words in ids, classes and names, of the element and the icon
// in it. They count only where the element has no text that a person reads.
func codeNames(n *dom.Node) map[string]bool {
	words := map[string]bool{}
	add := func(s string) {
		for _, w := range identifierWords(s) {
			words[w] = true
		}
	}
	for _, a := range []string{"id", "name", "class", "data-icon", "data-action", "data-role", "itemprop", "autocomplete"} {
		add(n.Attr(a))
	}
	n.Walk(func(c *dom.Node) bool {
		if c != n && c.IsElement() {
			add(c.Attr("class"))
			add(c.Attr("data-icon"))
			add(c.Attr("href"))
			if c.Tag == "img" {
				add(lastPart(c.Attr("src")))
			}
		}
		return c == n || !operable(c)
	})
	return words
}

func lastPart(path string) string {
	if strings.HasPrefix(path, "data:") {
		return ""
	}
	return path[strings.LastIndex(path, "/")+1:]
}

// identifierWords cuts camelCase, kebab-case and snake_case.
func identifierWords(s string) []string {
	var out []string
	var cur strings.Builder
	flush := func() {
		if cur.Len() > 1 {
			out = append(out, strings.ToLower(cur.String()))
		}
		cur.Reset()
	}
	lower := false
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				flush()
			}
			cur.WriteRune(r)
			lower = false
		case r >= 'a' && r <= 'z':
			cur.WriteRune(r)
			lower = true
		default:
			flush()
			lower = false
		}
	}
	flush()
	return out
}

// locator is how Playwright would find the element by that text.
func locator(n *dom.Node, t textOf, kind matchKind, want string) string {
	name := t.raw
	exact := ""
	if kind == exactly {
		exact = "exact: true"
	} else {
		name = want
	}
	opt := ""
	if exact != "" {
		opt = ", { " + exact + " }"
	}
	name = dom.Squash(name)
	switch t.name {
	case "name":
		if n.Role() == "" {
			return fmt.Sprintf("getByText(%q%s)", name, opt)
		}
		if exact != "" {
			return fmt.Sprintf("getByRole(%q, { name: %q, exact: true })", n.Role(), name)
		}
		return fmt.Sprintf("getByRole(%q, { name: %q })", n.Role(), name)
	case "label":
		return fmt.Sprintf("getByLabel(%q%s)", name, opt)
	case "placeholder":
		return fmt.Sprintf("getByPlaceholder(%q%s)", name, opt)
	case "alt":
		return fmt.Sprintf("getByAltText(%q%s)", name, opt)
	case "title":
		return fmt.Sprintf("getByTitle(%q%s)", name, opt)
	case "testid":
		return fmt.Sprintf("getByTestId(%q)", t.raw)
	case "text":
		return fmt.Sprintf("getByText(%q%s)", name, opt)
	}
	return ""
}
