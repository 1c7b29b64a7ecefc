package locate

import (
	"regexp"
	"strconv"
	"strings"
)

var monthNames = map[string]int{"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12}

var (
	dayNumber  = regexp.MustCompile(`^(?:day|date) (\d{1,2})(?:st|nd|rd|th)?$|^(\d{1,2})(?:st|nd|rd|th)$|^(\d{1,2})[日号]$`)
	dayMonth   = regexp.MustCompile(`^(?:day )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)\.?,?(?: (\d{4}))?$`)
	monthDay   = regexp.MustCompile(`^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$`)
	isoDay     = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	chineseDay = regexp.MustCompile(`^(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]$`)
)

// dayHead reads the words for a day of a calendar. The year, or month and year,
// may be missing: what the calendar shows decides.
func dayHead(s string) (reading, bool) {
	s = strings.TrimSuffix(strings.TrimSuffix(s, " cell"), " date")
	num := func(t string) int { n, _ := strconv.Atoi(t); return n }
	r := reading{}
	switch {
	case match1(dayNumber, s) != nil:
		m := match1(dayNumber, s)
		r.day = num(m[1] + m[2] + m[3])
	case match1(isoDay, s) != nil:
		m := match1(isoDay, s)
		r.year, r.month, r.day = num(m[1]), num(m[2]), num(m[3])
	case match1(chineseDay, s) != nil:
		m := match1(chineseDay, s)
		r.year, r.month, r.day = num(m[1]), num(m[2]), num(m[3])
	case match1(dayMonth, s) != nil:
		m := match1(dayMonth, s)
		r.day, r.month, r.year = num(m[1]), monthNames[m[2]], num(m[3])
	case match1(monthDay, s) != nil:
		m := match1(monthDay, s)
		r.month, r.day, r.year = monthNames[m[1]], num(m[2]), num(m[3])
	default:
		return r, false
	}
	if r.day < 1 || r.day > 31 || r.month > 12 || (r.month == 0 && match1(dayNumber, s) == nil) {
		return reading{}, false
	}
	return r, true
}

func match1(re *regexp.Regexp, s string) []string { return re.FindStringSubmatch(s) }
