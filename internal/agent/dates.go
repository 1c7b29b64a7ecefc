package agent

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The ways to write a day that can be checked without knowing today. Words that
// they do not read ("tomorrow") are left to the page's clock.
var (
	numericDate = regexp.MustCompile(`^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$`)
	chineseDate = regexp.MustCompile(`^(?:(\d{4})年)?\s*(\d{1,2})月\s*(\d{1,2})[日号]?$`)
	dayMonth    = regexp.MustCompile(`(?i)^(\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?([a-z]{3,9})\.?(?:,?\s+(\d{4}))?$`)
	monthDay    = regexp.MustCompile(`(?i)^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?$`)
)

// checkDate refuses a date that no calendar has. The reason stands here and not
// in the widget's code: 30 February must fail before anything is pressed.
func checkDate(field, text string) error {
	year, month, day, ok := readDate(text)
	if !ok {
		return nil
	}
	last := daysIn(year, month)
	if month >= 1 && month <= 12 && day >= 1 && day <= last {
		return nil
	}
	h := "months go from 1 to 12"
	if month >= 1 && month <= 12 {
		h = fmt.Sprintf("%s has %d days", time.Month(month), last)
	}
	return &ArgError{Field: field, Problem: fmt.Sprintf("there is no date %q", text), Hint: h}
}

// readDate takes a written date apart; year is 0 where none is named.
func readDate(text string) (year, month, day int, ok bool) {
	text = strings.TrimSpace(text)
	for _, re := range []*regexp.Regexp{numericDate, chineseDate} {
		if m := re.FindStringSubmatch(text); m != nil {
			return number(m[1]), number(m[2]), number(m[3]), true
		}
	}
	if m := dayMonth.FindStringSubmatch(text); m != nil {
		month, ok = monthNumber(m[2])
		return number(m[3]), month, number(m[1]), ok
	}
	if m := monthDay.FindStringSubmatch(text); m != nil {
		month, ok = monthNumber(m[1])
		return number(m[3]), month, number(m[2]), ok
	}
	return 0, 0, 0, false
}

// daysIn is the length of the month; February of an unknown year has 29 days.
func daysIn(year, month int) int {
	if year == 0 {
		year = 2024
	}
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// monthNumber reads an English month name or its first three letters.
func monthNumber(name string) (int, bool) {
	name = strings.ToLower(name)
	for m := time.January; m <= time.December; m++ {
		full := strings.ToLower(m.String())
		if name == full || name == full[:3] || name == "sept" && m == time.September {
			return int(m), true
		}
	}
	return 0, false
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // the expressions pass digits or nothing
	return n
}
