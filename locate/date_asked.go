package locate

import (
	"fmt"
	"strings"
	"time"

	"github.com/markusmobius/go-dateparser/date"
)

// asked is what a caller wants to be picked.
type asked struct {
	from, to civil // of a single day both are the same
	isRange  bool
	clock    string // time of day, "15:04"; "" for none
	dateless bool   // only a time of day is asked for
}

func (q asked) String() string {
	s := q.from.String()
	if q.dateless {
		return q.clock
	}
	if q.isRange {
		s += " to " + q.to.String()
	}
	if q.clock != "" {
		s += " " + q.clock
	}
	return s
}

// readWhen reads what a caller asks for against the page's clock. Days that do
// not exist, words that name no day and ranges that end before they begin are
// ErrUsage.
func readWhen(w When, now time.Time, words *dateWords) (asked, error) {
	var q asked
	clock, err := readClock(w.Time)
	if err != nil {
		return q, err
	}
	q.clock = clock
	switch {
	case w.Date != "" && (w.From != "" || w.To != ""):
		return q, fmt.Errorf("%w: a date and a range at once", ErrUsage)
	case w.Date != "":
		day, tail := cutClock(w.Date)
		if q.clock == "" {
			q.clock = tail
		}
		q.from, err = words.parseDay(day, now)
		q.to = q.from
		return q, err
	case w.From == "" && w.To == "" && q.clock != "":
		q.dateless = true
		return q, nil
	case w.From == "" || w.To == "":
		return q, fmt.Errorf("%w: no date, or a range with one end", ErrUsage)
	}
	q.isRange = true
	if q.from, err = words.parseDay(w.From, now); err != nil {
		return q, err
	}
	if q.to, err = words.parseDay(w.To, now); err != nil {
		return q, err
	}
	if q.to.before(q.from) {
		return q, fmt.Errorf("%w: the range ends on %s, before it begins on %s", ErrUsage, q.to, q.from)
	}
	return q, nil
}

// cutClock parts "2026-01-30T09:30" and "2026-01-30 09:30".
func cutClock(s string) (day, clock string) {
	s = strings.TrimSpace(s)
	i := strings.LastIndexAny(s, "T ")
	if i < 8 {
		return s, ""
	}
	if c, err := readClock(s[i+1:]); err == nil && c != "" && strings.Contains(s[i+1:], ":") {
		return s[:i], c
	}
	return s, ""
}

// readClock reads a time of day: 15:04, 3:04 pm, 15:04:05.
func readClock(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(plainDigits(s)))
	if s == "" {
		return "", nil
	}
	for _, layout := range []string{"15:04", "15:04:05", "3:04 pm", "3:04pm", "3 pm", "3pm"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format("15:04"), nil
		}
	}
	return "", fmt.Errorf("%w: %q is no time of day", ErrUsage, s)
}

var relativeDays = map[string]int{"today": 0, "tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2, "day after tomorrow": 2,
	"今天": 0, "今日": 0, "明天": 1, "明日": 1, "昨天": -1, "后天": 2, "後天": 2, "大后天": 3, "前天": -2}

// parseDay reads the words for a day: 2026-01-30, 30 January, 1月30日, the 30th,
// tomorrow, next Friday, 下周五. A year that is not said is the one in which the
// day next comes; of a day alone, the month likewise. Numbers that can be read
// two ways, words that name no day, and days that do not exist are ErrUsage.
func (w *dateWords) parseDay(s string, now time.Time) (civil, error) {
	today := civilOf(now)
	folded := Fold(plainDigits(s))
	if by, ok := relativeDays[folded]; ok {
		return today.plus(by), nil
	}
	if c, ok := w.relativeWeekday(folded, today); ok {
		return c, nil
	}
	var found []civil
	exists := true
	for _, r := range w.readings(strings.TrimPrefix(folded, "the ")) {
		if r.day == 0 {
			continue
		}
		c, ok := r.next(today)
		exists = exists && ok
		if ok {
			found = append(found, c)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return civil{}, fmt.Errorf("%w: %q may be %s or %s: say it as %s", ErrUsage, s, found[0], found[1], found[0])
	case !exists:
		return civil{}, fmt.Errorf("%w: %q does not exist", ErrUsage, s)
	}
	numbers := 0
	for _, part := range cutText(folded) {
		if part.width > 0 {
			numbers++
		}
	}
	if d, ok := w.parse(s, now); ok && numbers < 2 && d.Period == date.Day { // "in three days"
		return civilOf(d.Time), nil
	}
	return civil{}, fmt.Errorf("%w: %q is no date", ErrUsage, s)
}

// next completes the reading to the first such day from today on.
func (r dateReading) next(today civil) (civil, bool) {
	if r.year > 0 && r.month > 0 {
		return r.civil(), r.full()
	}
	for m := today.in(); m < today.in()+12*8+1; m++ {
		if r.month > 0 && r.month != m.month() || r.year > 0 && r.year != m.year() {
			continue
		}
		if c := m.day(r.day); c.exists() && !c.before(today) {
			return c, true
		}
	}
	return civil{}, false
}

// relativeWeekday reads Friday, next Friday, this Friday, 下周五, 周五. The bare
// and "this" weekday is the next one from today on; "next" is the one of the
// week after this one, weeks beginning on Monday.
func (w *dateWords) relativeWeekday(s string, today civil) (civil, bool) {
	weeks, rest := -1, s
	for _, p := range []struct {
		head  string
		weeks int
	}{{"next ", 1}, {"this ", 0}, {"下下周", 2}, {"下下星期", 2}, {"下周", 1}, {"下星期", 1}, {"下礼拜", 1}, {"本周", 0}, {"这周", 0}, {"周", -1}, {"星期", -1}} {
		if t, ok := strings.CutPrefix(s, p.head); ok {
			weeks, rest = p.weeks, t
			break
		}
	}
	if rest == s && len([]rune(s)) < 3 || strings.ContainsAny(rest, "0123456789月") {
		return civil{}, false
	}
	day := w.weekday(rest)
	if day < 0 {
		return civil{}, false
	}
	ahead := (day - today.weekday() + 7) % 7
	if weeks < 1 {
		return today.plus(ahead), true
	}
	monday := today.plus(-(today.weekday() + 6) % 7)
	return monday.plus(7*weeks + (day+6)%7), true
}
