package locate

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// readHead reads a phrase without relations: [ordinal] [state] name noun, or
// noun name. Several readings arise where a word may be noun or part of a name.
func (q *quotedWords) readHead(s string) []reading {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil
	}
	base := reading{}
	s = articles.ReplaceAllString(s, "")
	full := s
	s, base.nth = ordinal(s)
	s, base.state = state(s)
	var out []reading
	if d, ok := dayHead(q.unquote(s)); ok {
		d.nth = base.nth
		out = append(out, d)
	}
	if m := pageNumber.FindStringSubmatch(full); m != nil {
		out = append(out, reading{noun: nounByKey("link"), name: m[1] + m[2], quoted: true, numbered: true})
	}
	if t, ok := turnHead(full); ok {
		out = append(out, t)
	}
	for _, split := range nounSplits(s) {
		r := base
		r.noun = split.noun
		r.name, r.quoted = q.headName(split.rest)
		out = append(out, r)
	}
	r := base
	r.name, r.quoted = q.headName(s)
	out = append(out, r)
	if s != full { // "First name" is no ordinal, "open orders" no state
		for _, split := range nounSplits(full) {
			r := reading{noun: split.noun}
			r.name, r.quoted = q.headName(split.rest)
			out = append(out, r)
		}
		r := reading{}
		r.name, r.quoted = q.headName(full)
		out = append(out, r)
	}
	return out
}

var (
	pageNumber = regexp.MustCompile(`^page (?:number )?([0-9]{1,4})$|^第 ?([0-9]{1,4}) ?页$`)
	turnWords  = regexp.MustCompile(`^(previous|prev|earlier|next|following|later|上一?个?|下一?个?) ?(month|year|月|年)? ?(button|arrow|icon|link|control|按钮|箭头|图标)?$`)
)

// turnHead reads the words for a control that turns the pages of a calendar.
func turnHead(s string) (reading, bool) {
	m := turnWords.FindStringSubmatch(s)
	if m == nil || m[2] == "" && m[3] != "arrow" && m[3] != "icon" && m[3] != "箭头" && m[3] != "图标" {
		return reading{}, false
	}
	by := 1
	if m[2] == "year" || m[2] == "年" {
		by = 12
	}
	if strings.HasPrefix(m[1], "prev") || m[1] == "earlier" || strings.HasPrefix(m[1], "上") {
		by = -by
	}
	return reading{turn: by}, true
}

var (
	articles = regexp.MustCompile(`^(?:the|a|an|this|that|my|your) `)
	naming   = regexp.MustCompile(`^(?:named|called|labell?ed|titled|entitled|saying|that says|that reads|with the text|with text|with the label|with the name|with label|with name|marked|reading|showing|名为|叫做?|标题为|写着) ?`)
)

// headName is the name that is left when the noun is taken off.
func (q *quotedWords) headName(s string) (name string, quoted bool) {
	s = strings.TrimSpace(s)
	s = articles.ReplaceAllString(s, "")
	s = strings.TrimSpace(naming.ReplaceAllString(s, ""))
	s = strings.TrimSuffix(strings.TrimSuffix(s, " labeled"), " labelled")
	if m := placeholder.FindStringSubmatchIndex(s); m != nil && m[0] == 0 && m[1] == len(s) {
		return q.unquote(s), true
	}
	return q.unquote(s), false
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"last": -1, "final": -1, "bottom": -1, "top": 1}

var (
	ordinalWord    = regexp.MustCompile(`^(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final) (.+)$`)
	ordinalNumber  = regexp.MustCompile(`^(\d{1,3})(?:st|nd|rd|th) (.+)$`)
	ordinalChinese = regexp.MustCompile(`^第([0-9一二两三四五六七八九十]{1,3})(?:个|条|项|行|张|块|栏|列)?(.+)$`)
	lastChinese    = regexp.MustCompile(`^最后(?:一)?(?:个|条|项|行)?(.+)$`)
)

func ordinal(s string) (string, int) {
	if m := ordinalWord.FindStringSubmatch(s); m != nil {
		return m[2], ordinals[m[1]]
	}
	if m := ordinalNumber.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		return m[2], n
	}
	if m := ordinalChinese.FindStringSubmatch(s); m != nil {
		return m[2], chineseNumber(m[1])
	}
	if m := lastChinese.FindStringSubmatch(s); m != nil {
		return m[1], -1
	}
	return s, 0
}

func chineseNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	digits := map[rune]int{'一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	n, last := 0, 0
	for _, r := range s {
		if r == '十' {
			n += max(last, 1) * 10
			last = 0
			continue
		}
		last = digits[r]
	}
	return n + last
}

var stateWords = []struct {
	words string
	set   func(*StateIs)
}{
	{"unchecked ", func(s *StateIs) { s.Checked = ptr(false) }}, {"checked ", func(s *StateIs) { s.Checked = ptr(true) }},
	{"ticked ", func(s *StateIs) { s.Checked = ptr(true) }}, {"disabled ", func(s *StateIs) { s.Disabled = ptr(true) }},
	{"greyed-out ", func(s *StateIs) { s.Disabled = ptr(true) }}, {"enabled ", func(s *StateIs) { s.Disabled = ptr(false) }},
	{"selected ", func(s *StateIs) { s.Selected = ptr(true) }}, {"unselected ", func(s *StateIs) { s.Selected = ptr(false) }},
	{"active ", func(s *StateIs) { s.Selected = ptr(true) }}, {"expanded ", func(s *StateIs) { s.Expanded = ptr(true) }},
	{"open ", func(s *StateIs) { s.Expanded = ptr(true) }}, {"collapsed ", func(s *StateIs) { s.Expanded = ptr(false) }},
	{"empty ", func(s *StateIs) { s.Empty = ptr(true) }}, {"blank ", func(s *StateIs) { s.Empty = ptr(true) }},
	{"已选中的", func(s *StateIs) { s.Checked = ptr(true) }}, {"未选中的", func(s *StateIs) { s.Checked = ptr(false) }},
	{"禁用的", func(s *StateIs) { s.Disabled = ptr(true) }}, {"展开的", func(s *StateIs) { s.Expanded = ptr(true) }},
	{"空的", func(s *StateIs) { s.Empty = ptr(true) }},
}

func ptr[T any](v T) *T { return &v }

func state(s string) (string, StateIs) {
	var st StateIs
	for _, w := range stateWords {
		if rest, ok := strings.CutPrefix(s, w.words); ok && rest != "" {
			w.set(&st)
			return rest, st
		}
	}
	return s, st
}

type nounSplit struct {
	noun *noun
	rest string
}

type nounWord struct {
	word string
	noun *noun
}

// nounWords are all words for nouns, the longest first.
var nounWords = func() []nounWord {
	var out []nounWord
	for i := range nouns {
		for _, w := range nouns[i].words {
			out = append(out, nounWord{w, &nouns[i]})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].word) > len(out[j].word) })
	return out
}()

// nounSplits takes a noun off the end or the beginning. Every noun that fits is
// tried, the longest first: "date field" may be a date field or the field "date".
func nounSplits(s string) []nounSplit {
	var out []nounSplit
	plural := strings.TrimSuffix(s, "s")
	taken := map[*noun]bool{} // "search result" is not the result "search"
	for _, w := range nounWords {
		if taken[w.noun] {
			continue
		}
		n := len(out)
		cjk := w.word[0] >= 0x80
		switch {
		case s == w.word || plural == w.word:
			out = append(out, nounSplit{w.noun, ""})
		case cjk && strings.HasSuffix(s, w.word):
			out = append(out, nounSplit{w.noun, strings.TrimSuffix(strings.TrimSuffix(s, w.word), "的")})
		case cjk && strings.HasPrefix(s, w.word+" \x01"):
			out = append(out, nounSplit{w.noun, strings.TrimPrefix(s, w.word)})
		case !cjk && strings.HasSuffix(s, " "+w.word):
			out = append(out, nounSplit{w.noun, strings.TrimSuffix(s, " "+w.word)})
		case !cjk && strings.HasPrefix(s, w.word+" "):
			out = append(out, nounSplit{w.noun, strings.TrimPrefix(s, w.word+" ")})
		}
		taken[w.noun] = len(out) > n
	}
	return out
}
