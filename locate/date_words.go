package locate

import (
	"strings"
	"time"
	"unicode"

	"github.com/markusmobius/go-dateparser"
	"github.com/markusmobius/go-dateparser/date"
)

// dateWords reads words and texts about dates, in any language that the date
// library knows, and remembers what it has read. One is made for every pick;
// it is used by one goroutine at a time.
type dateWords struct {
	lang     string // of the page: tried first
	months   map[string]int
	weekdays map[string]int
}

func newDateWords(lang string) *dateWords {
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	return &dateWords{lang: lang, months: map[string]int{}, weekdays: map[string]int{}}
}

// Two days on different weekdays of different months: a word that means the
// same from both is a name, not a relation ("yesterday").
var (
	probeA = time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)
	probeB = time.Date(2025, 7, 19, 12, 0, 0, 0, time.UTC)
)

// parse asks the library, in the page's language first.
func (w *dateWords) parse(s string, now time.Time) (date.Date, bool) {
	cfg := &dateparser.Configuration{CurrentTime: now, PreferredDateSource: dateparser.Future}
	if w.lang != "" && dateparser.IsKnownLocale(w.lang) {
		cfg.Languages = []string{w.lang}
		if d, err := dateparser.Parse(cfg, s); err == nil && !d.IsZero() {
			return d, true
		}
		cfg.Languages = nil
	}
	d, err := dateparser.Parse(cfg, s)
	return d, err == nil && !d.IsZero()
}

// month is the number of the month that the folded word names, 0 for none.
func (w *dateWords) month(word string) int {
	if m, ok := w.months[word]; ok {
		return m
	}
	m := w.readMonth(word)
	w.months[word] = m
	return m
}

// surely is month for texts that hold other words too: there, short words of
// languages that the page is not in are none ("out" is October in Portuguese).
func (w *dateWords) surely(word string) int {
	m := w.month(word)
	if m == 0 || w.lang == "" || len(word) > 3 || word[0] >= 0x80 {
		return m
	}
	for _, l := range []string{w.lang, "en"} {
		cfg := &dateparser.Configuration{CurrentTime: probeA, Languages: []string{l}}
		if !dateparser.IsKnownLocale(l) {
			return m
		}
		if d, err := dateparser.Parse(cfg, word); err == nil && d.Period == date.Month {
			return m
		}
	}
	return 0
}

func (w *dateWords) readMonth(word string) int {
	if !nameLike(word, 24) {
		return 0
	}
	a, ok := w.parse(word, probeA)
	if !ok || a.Period != date.Month {
		return 0
	}
	b, ok := w.parse(word, probeB)
	if !ok || b.Time.Month() != a.Time.Month() {
		return 0
	}
	return int(a.Time.Month())
}

// nameLike reports a word of letters (and marks), long enough to be a name.
func nameLike(word string, most int) bool {
	letters, wide := 0, false
	for _, r := range word {
		switch {
		case unicode.IsLetter(r):
			letters++
			wide = wide || r >= 0x0590
		case unicode.IsMark(r), r == '.', r == '\'', r == '’':
		default:
			return false
		}
	}
	return letters <= most && (letters >= 3 || wide && letters >= 2)
}

var hanWeekdays = map[string]int{
	"日": 0, "天": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6,
	"月": 1, "火": 2, "水": 3, "木": 4, "金": 5, "土": 6,
	"일": 0, "월": 1, "화": 2, "수": 3, "목": 4, "금": 5, "토": 6,
}

// weekday is the weekday (0 is Sunday) that the folded word names, -1 for none.
// One letter alone names none outside the CJK scripts.
func (w *dateWords) weekday(word string) int {
	if d, ok := w.weekdays[word]; ok {
		return d
	}
	d := w.readWeekday(strings.TrimRight(word, "."))
	w.weekdays[word] = d
	return d
}

func (w *dateWords) readWeekday(word string) int {
	for _, cut := range []string{"星期", "礼拜", "禮拜", "周", "週"} {
		word = strings.TrimPrefix(word, cut)
	}
	for _, cut := range []string{"曜日", "曜", "요일"} {
		word = strings.TrimSuffix(word, cut)
	}
	if d, ok := hanWeekdays[word]; ok {
		return d
	}
	if n := len([]rune(word)); n < 2 || n > 16 || strings.ContainsFunc(word, unicode.IsDigit) {
		return -1
	}
	a, ok := w.parse(word, probeA)
	if !ok || a.Period != date.Day {
		return -1
	}
	b, ok := w.parse(word, probeB)
	if !ok || a.Time.Weekday() != b.Time.Weekday() {
		return -1
	}
	return int(a.Time.Weekday())
}

// weekLetters are weeks, Monday first, written with one letter a day. Rotations
// count; one that names two starts says nothing.
var weekLetters = []string{"mtwtfss", "mdmdfss", "lmmjvsd", "lmxjvsd", "lmmgvsd", "sttqqsd", "mdwdvzz", "zdwdvzz",
	"pwścpsn", "púsčpsn", "pscpsn", "ptwtfss", "pssçpcp", "pspccpp", "hkscpsv", "mtotfls", "пвсчпсв", "أثأخجسأ", "نثرخجسح"}

// weekStart reads a row of weekday names: which weekday its first one is. It
// answers -1 where the names do not tell.
func (w *dateWords) weekStart(names []string) int {
	if len(names) != 7 {
		return -1
	}
	votes, best := [7]int{}, 0
	for i, n := range names {
		if d := w.weekday(n); d >= 0 {
			votes[(d-i+7)%7]++
		}
	}
	for s, v := range votes {
		if v > votes[best] {
			best = s
		}
	}
	if votes[best] >= 4 {
		return best
	}
	return letterStart(names)
}

func letterStart(names []string) int {
	row := make([]rune, 7)
	for i, n := range names {
		r := []rune(n)
		if len(r) == 0 {
			return -1
		}
		row[i] = r[0]
	}
	found := -1
	for _, week := range weekLetters {
		for s := range 7 {
			if !rotated([]rune(week), row, s) {
				continue
			}
			if start := (1 + s) % 7; found >= 0 && found != start {
				return -1
			} else {
				found = start
			}
		}
	}
	return found
}

// rotated reports whether the row is the week begun s days later.
func rotated(week, row []rune, s int) bool {
	if len(week) != 7 {
		return false
	}
	for i := range row {
		if week[(i+s)%7] != row[i] {
			return false
		}
	}
	return true
}
