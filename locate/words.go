package locate

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// reading is one way to read a target: a head (noun, name, state, ordinal) and
// where it is to be looked for.
type reading struct {
	noun     *noun
	name     string // folded; "" asks for the noun alone
	quoted   bool   // the name stood in quotes: only the whole name counts
	literal  bool   // the words taken as they stand: only an element that is called so counts
	source   string // which text must match: "", text, label, testid
	css      string
	nth      int
	state    StateIs
	in       *reading // container
	near     *reading // anchor
	side     string
	row      bool   // the container is a row
	date     string // ISO date of a day cell
	day      int    // day number of a day cell, month not said
	month    int    // with day
	year     int    // with day and month, 0: not said
	turn     int    // a calendar control that moves by so many months
	numbered bool   // a page number: its container says nothing
	words    string // what was read, for people
}

// Explain says in words what a description is read as, in the order in which
// the readings are tried.
func Explain(words string) []string {
	var out []string
	for _, r := range readWords(words) {
		out = append(out, r.String())
	}
	return out
}

func (r reading) String() string {
	var parts []string
	add := func(ok bool, s string) {
		if ok {
			parts = append(parts, s)
		}
	}
	add(r.literal, "literally")
	add(r.nth > 0, "number "+strconv.Itoa(r.nth))
	add(r.nth < 0, "the last")
	if r.noun != nil {
		parts = append(parts, r.noun.key)
	}
	add(r.name != "" && r.quoted, "named exactly \""+r.name+"\"")
	add(r.name != "" && !r.quoted, "named \""+r.name+"\"")
	add(r.state.Checked != nil, "in a given checked state")
	add(r.state.Disabled != nil, "in a given disabled state")
	add(r.state.Selected != nil, "in a given selected state")
	add(r.state.Expanded != nil, "in a given expanded state")
	add(r.state.Empty != nil, "in a given empty state")
	add(r.day > 0, "day "+strconv.Itoa(r.day))
	add(r.turn != 0, "a calendar control that turns by "+strconv.Itoa(r.turn)+" months")
	add(r.month > 0, "of month "+strconv.Itoa(r.month))
	add(r.year > 0, "of "+strconv.Itoa(r.year))
	if r.in != nil {
		parts = append(parts, "inside ["+r.in.String()+"]")
	}
	if r.near != nil {
		parts = append(parts, r.side+" of ["+r.near.String()+"]")
	}
	return strings.Join(parts, " ")
}

// readings are the ways to read a target. Fields are read in one way only.
func (t Target) readings() []reading {
	if t.Words != "" {
		return readWords(t.Words)
	}
	r := reading{name: Fold(t.Name), quoted: t.Exact, nth: t.Nth, side: t.Side, words: t.String(), css: t.CSS, date: t.Date}
	switch {
	case t.Text != "":
		r.name, r.source = Fold(t.Text), "text"
	case t.Label != "":
		r.name, r.source = Fold(t.Label), "label"
	case t.Testid != "":
		r.name, r.source, r.quoted = Fold(t.Testid), "testid", true
	}
	if t.Role != "" {
		r.noun = ariaNoun(t.Role)
	}
	if t.State != nil {
		r.state = *t.State
	}
	out := []reading{r}
	if t.In != nil {
		out = withSub(out, t.In.readings(), func(r *reading, s reading) { r.in = &s; r.row = s.noun != nil && s.noun.key == "row" })
	}
	if t.Near != nil {
		out = withSub(out, t.Near.readings(), func(r *reading, s reading) {
			r.near = &s
			if r.side == "" {
				r.side = "near"
			}
		})
	}
	return out
}

func withSub(rs, subs []reading, put func(*reading, reading)) []reading {
	var out []reading
	for _, r := range rs {
		for _, s := range subs {
			c := r
			put(&c, s)
			out = append(out, c)
		}
	}
	return out
}

// readWords reads a description in every way the grammar allows, the most
// literal first: the words as a name; a head with a noun; a head and a relation.
func readWords(words string) []reading {
	q := quoteOut(words)
	folded := Fold(q.text)
	var out []reading
	if len(q.names) == 0 {
		out = append(out, reading{name: folded, literal: true, words: words})
	}
	out = append(out, q.readPhrase(folded, 0)...)
	for i := range out {
		out[i].words = words
	}
	return dedupe(out)
}

func dedupe(rs []reading) []reading {
	seen := map[string]bool{}
	var out []reading
	for _, r := range rs {
		key := r.String()
		if !seen[key] {
			seen[key] = true
			out = append(out, r)
		}
	}
	return out
}

// quotedWords are words with the quoted parts put aside, so that nothing in
// them is taken for grammar.
type quotedWords struct {
	text  string
	names []string // folded
}

var quotes = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|「([^」]+)」|『([^』]+)』|《([^》]+)》|«([^»]+)»|‘([^’]+)’|(?:^|[\s(])'([^']+)'(?:[\s),.]|$)`)

func quoteOut(words string) *quotedWords {
	q := &quotedWords{}
	q.text = quotes.ReplaceAllStringFunc(words, func(m string) string {
		sub := quotes.FindStringSubmatch(m)
		for _, s := range sub[1:] {
			if s != "" {
				q.names = append(q.names, Fold(s))
				return " \x01" + strconv.Itoa(len(q.names)-1) + "\x02 "
			}
		}
		return m
	})
	return q
}

var placeholder = regexp.MustCompile("\x01([0-9]+)\x02")

// unquote puts the quoted parts back into a piece of the words.
func (q *quotedWords) unquote(s string) string {
	return strings.TrimSpace(placeholder.ReplaceAllStringFunc(s, func(m string) string {
		i, _ := strconv.Atoi(placeholder.FindStringSubmatch(m)[1])
		return q.names[i]
	}))
}

const maxDepth = 3 // relations within relations

// readPhrase reads a folded phrase: first without a relation, then cut at every relation.
func (q *quotedWords) readPhrase(s string, depth int) []reading {
	s = strings.TrimSpace(s)
	out := q.readHead(s)
	if depth >= maxDepth {
		return out
	}
	var cut []reading
	for _, c := range relationsIn(s) {
		heads := q.readHead(c.head)
		anchors := q.readPhrase(c.anchor, depth+1)
		for _, h := range heads {
			for _, a := range anchors {
				r := h
				if !c.attach(&r, a) {
					continue
				}
				cut = append(cut, r)
			}
		}
	}
	return append(cut, out...)
}

type cutAt struct {
	head, anchor, rel string
}

func (c cutAt) attach(r *reading, a reading) bool {
	if r.name == "" && r.noun == nil && r.day == 0 && r.turn == 0 {
		return false
	}
	if r.numbered {
		return true
	}
	switch c.rel {
	case "in", "of":
		if a.noun != nil && a.noun.key == "page" && a.name == "" {
			return true // "on the page" says nothing
		}
		r.in, r.row = &a, a.noun != nil && a.noun.key == "row"
	case "row":
		r.in, r.row = &a, true
	default:
		r.near, r.side = &a, c.rel
	}
	return true
}

// relations are the English relation words, the longest first, and what they mean.
var relations = []struct{ words, rel string }{
	{" in the same row as ", "row"}, {" in the row with ", "row"}, {" in the row of ", "row"}, {" in the row for ", "row"}, {" in row ", "row"},
	{" to the right of ", "right"}, {" on the right of ", "right"}, {" right of ", "right"},
	{" to the left of ", "left"}, {" on the left of ", "left"}, {" left of ", "left"},
	{" under the heading ", "in"}, {" under heading ", "in"}, {" in the section ", "in"}, {" at the bottom of ", "in"}, {" at the top of ", "in"},
	{" underneath ", "below"}, {" beneath ", "below"}, {" below ", "below"}, {" under ", "below"}, {" above ", "above"}, {" over ", "above"},
	{" next to ", "near"}, {" close to ", "near"}, {" beside ", "near"}, {" near ", "near"},
	{" inside of ", "in"}, {" inside ", "in"}, {" within ", "in"}, {" from ", "in"}, {" in ", "in"}, {" on ", "in"}, {" of ", "of"}, {" for ", "of"},
}

// chinese relations stand after the anchor and before the head.
var chineseRelation = regexp.MustCompile(`^(.+?)(所在行(?:中|里|内)?的|那一?行(?:中|里|内)?的|这一?行(?:中|里|内)?的|行(?:中|里|内)的|一行的|右[边侧方面]的|左[边侧方面]的|上[边方面]的|下[边方面]的|旁边的|附近的|标题下的|里面的|里的|中的|内的|上的|的)(.+)$`)

func relationsIn(s string) []cutAt {
	var out []cutAt
	padded := s
	taken := map[int]bool{}
	for _, r := range relations {
		for from := 0; ; {
			i := strings.Index(padded[from:], r.words)
			if i < 0 {
				break
			}
			i += from
			from = i + 1
			if overlaps(taken, i, len(r.words)-1) {
				continue
			}
			for k := i; k < i+len(r.words)-1; k++ {
				taken[k] = true
			}
			out = append(out, cutAt{head: s[:i], anchor: s[i+len(r.words):], rel: r.rel})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].head) < len(out[j].head) })
	return append(out, chineseCuts(s)...)
}

func overlaps(taken map[int]bool, at, n int) bool {
	for k := at; k < at+n; k++ {
		if taken[k] {
			return true
		}
	}
	return false
}

// chineseCuts cuts at every relation word; the plain 的 is tried last, since it
// stands in names too (目的地, 我的订单).
func chineseCuts(s string) []cutAt {
	var out []cutAt
	for from := 0; from < len(s); {
		m := chineseRelation.FindStringSubmatchIndex(s[from:])
		if m == nil {
			break
		}
		word := s[from+m[4] : from+m[5]]
		c := cutAt{anchor: s[:from+m[3]], head: s[from+m[6]:], rel: chineseSide(word)}
		out = append(out, c)
		from += m[5]
	}
	return out
}

func chineseSide(word string) string {
	switch {
	case strings.Contains(word, "行"):
		return "row"
	case strings.HasPrefix(word, "右"):
		return "right"
	case strings.HasPrefix(word, "左"):
		return "left"
	case strings.HasPrefix(word, "上") && word != "上的":
		return "above"
	case strings.HasPrefix(word, "下"):
		return "below"
	case strings.HasPrefix(word, "旁"), strings.HasPrefix(word, "附"):
		return "near"
	}
	return "in"
}
