package classify

import (
	"strings"
	"unicode"

	"harness/dom"
)

// What a field takes is told by its label, its placeholder, its value and what
// stands beside it. The points are added up; a field is a DATE from minDate on.
const minDate = 60

// dateField judges an input.
func dateField(n *dom.Node) verdict {
	v := is(Date, 0)
	v.Reasons = nil
	if p := attr(n, "placeholder"); p != "" {
		switch {
		case isDateFormat(p):
			v = v.plus(80, "its placeholder "+quote(p)+" is the form of a date")
		case namesDate(p):
			v = v.plus(70, "its placeholder "+quote(p)+" asks for a date")
		}
	}
	for _, name := range [...]string{"aria-label", "title", "alt"} {
		if s := attr(n, name); namesDate(s) {
			v = v.plus(70, "its label "+quote(s)+" names a date")
			break
		}
	}
	if s := labelOf(n); namesDate(s) {
		v = v.plus(65, "its label "+quote(s)+" names a date")
	} else if timeLabels[strings.ToLower(trimLabel(s))] {
		v = v.plus(62, "its label "+quote(s)+" names a time")
	}
	if isDateValue(n.Value) || isDateValue(attr(n, "value")) || isMonthValue(n.Value) {
		v = v.plus(60, "its value is a date")
	}
	if anyOf(nameWords(attr(n, "name")+" "+attr(n, "id")), dateWords) {
		v = v.plus(35, "its name says date")
	}
	return besideDate(n, v)
}

// besideDate adds what stands around a field, and gives the final word.
func besideDate(n *dom.Node, v verdict) verdict {
	readonly := has(n, "readonly") || n.Facts.Has(dom.ReadOnly)
	if readonly && v.Confidence > 0 {
		v = v.plus(15, "it cannot be typed into: a picker fills it")
	}
	if iconBeside(n) {
		points := 30
		if readonly {
			points = 62
		}
		v = v.plus(points, "a calendar icon stands beside it")
	}
	if popup := strings.ToLower(attr(n, "aria-haspopup")); (popup == "dialog" || popup == "grid") && v.Confidence > 0 {
		v = v.plus(25, "it opens a popup")
	}
	if v.Confidence < minDate {
		return none
	}
	v.Confidence = min(v.Confidence, 96)
	return v
}

// dateText judges an element that shows a date or asks for one in its text.
func dateText(n *dom.Node, confidence int) verdict {
	s := words(n, maxLabel)
	if s == "" {
		s = attr(n, "aria-label")
	}
	if !short(s, maxLabel) {
		return none
	}
	switch {
	case isDateValue(s):
		return is(Date, confidence, "it shows the date "+quote(s))
	case isDateFormat(s):
		return is(Date, confidence, quote(s)+" is the form of a date")
	case asksForDate(s):
		return is(Date, confidence, quote(s)+" asks for a date")
	}
	return none
}

// asksForDate reports whether a text both asks to choose and names a date.
func asksForDate(s string) bool {
	return namesDate(s) && hasPhrase(strings.ToLower(s), pickPhrases)
}

// namesDate reports whether a label names a date.
func namesDate(s string) bool {
	if s == "" || len(s) > 160 {
		return false
	}
	s = strings.ToLower(s)
	if hasPhrase(s, datePhrases) {
		return true
	}
	return anyOf(strings.FieldsFunc(s, notLetter), dateWords)
}

// endsInDate reports whether a label ends in the word for a date.
func endsInDate(s string) bool {
	s = strings.ToLower(strings.TrimRight(s, " :：›>"))
	for _, w := range [...]string{"日期", "date", "dates", "datum", "fecha", "дата", "날짜", "日付"} {
		if strings.HasSuffix(s, w) && (len(s) == len(w) || w[0] > 0x7f || s[len(s)-len(w)-1] == ' ') {
			return true
		}
	}
	return false
}

// isDateFormat reads forms as yyyy-mm-dd, DD/MM/YYYY, jj.mm.aaaa, 年-月-日, hh:mm.
func isDateFormat(s string) bool {
	if len(s) > 60 {
		return false
	}
	var y, m, d, h int
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, part := range splitForm(w) {
			switch part {
			case "y", "yy", "yyyy", "aaaa", "jjjj", "rrrr", "гггг", "年", "yyyy年", "εεεε":
				y++
			case "m", "mm", "mmm", "mmmm", "мм", "月", "mm月", "m月":
				m++
			case "d", "dd", "jj", "tt", "gg", "дд", "日", "dd日", "d日", "pp", "ηη":
				d++
			case "hh", "h", "hh时", "时", "чч":
				h++
			}
		}
	}
	return (m > 0 && d > 0) || (m > 0 && y > 0) || (h > 0 && m > 0)
}

// splitForm splits at 年月日 and where the letter changes, so that "yyyymmdd"
// and "yyyy年mm月dd日" are read too.
func splitForm(w string) []string {
	var parts []string
	start := 0
	runes := []rune(w)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || runes[i] != runes[i-1] {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	if len(parts) > 6 {
		return nil
	}
	return parts
}

// isDateValue reads values as 2026-01-30, 30/01/2026, 30 Jan 2026, Jan 30,
// 2026年1月30日, 1月30日 周五, 2026-01-30 12:30.
func isDateValue(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) < 4 || len(s) > 64 {
		return false
	}
	if i := strings.Index(s, "月"); i > 0 && endsInMonthNumber(s[:i]) {
		_, rest, ok := leadingNumber(strings.TrimLeft(s[i+len("月"):], " "))
		return ok && (strings.HasPrefix(rest, "日") || strings.HasPrefix(rest, "号"))
	}
	nums, seps := numbersIn(s)
	if len(nums) >= 3 && seps[0] == seps[1] && strings.ContainsRune("-/.", seps[0]) {
		return isYear(nums[0]) && isMonthDay(nums[1], nums[2]) || isYear(nums[2]) && isMonthDay(nums[0], nums[1])
	}
	named := false
	for _, w := range strings.FieldsFunc(strings.ToLower(s), notLetter) {
		named = named || monthNames[w]
	}
	return named && len(nums) >= 1 && nums[0] >= 1 && nums[0] <= maxDays && len(strings.Fields(s)) <= 7
}

// isMonthValue reads values as "January 2026" and 2026年1月.
func isMonthValue(s string) bool {
	return len(s) < 40 && len(strings.Fields(s)) <= 2 && hasYear(s) && hasMonth(s)
}

func isMonthDay(a, b int) bool {
	return a >= 1 && b >= 1 && (a <= 12 && b <= maxDays || b <= 12 && a <= maxDays)
}

// numbersIn are the numbers of s and the rune that follows each.
func numbersIn(s string) (nums []int, seps []rune) {
	value, in := 0, false
	for _, r := range s + " " {
		if d, ok := digit(r); ok && value < 1e6 {
			value, in = value*10+d, true
			continue
		}
		if in {
			nums, seps = append(nums, value), append(seps, r)
		}
		value, in = 0, false
	}
	return nums, seps
}

// isDatePart reports whether a label names a day, month or year.
func isDatePart(n *dom.Node) bool {
	s := strings.ToLower(attr(n, "aria-label"))
	for _, w := range [...]string{"day", "month", "year", "年", "月", "日", "tag", "monat", "jahr", "jour", "mois", "année"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// Caption is what a person takes for the label of a field: its own label or,
// where it has none, the short text that stands right before it. "" if there is
// neither.
func Caption(n *dom.Node) string { return trimLabel(labelOf(n)) }

func labelOf(n *dom.Node) string {
	if s := n.Label(); s != "" {
		return s
	}
	return textBefore(n)
}

// textBefore is the short text that stands before n, or before what n alone
// stands in.
func textBefore(n *dom.Node) string {
	for range 3 {
		p := n.Parent
		if !isElement(p) {
			return ""
		}
		text, stop := nearestBefore(p.Children, n)
		if text != "" {
			if short(text, maxLabel) {
				return text
			}
			return ""
		}
		if stop {
			return ""
		}
		n = p
	}
	return ""
}

// nearestBefore goes back from n over at most four of its siblings to the first
// with a text; another control, or more siblings than that, stop the search.
func nearestBefore(list []*dom.Node, n *dom.Node) (text string, stop bool) {
	at := place(list, n)
	for i := at - 1; i >= 0; i-- {
		s := list[i]
		if i < at-4 || isElement(s) && (formControl(s) || find(s, formControl) != nil) {
			return "", true
		}
		if t := words(s, maxLabel); t != "" {
			return t, false
		}
	}
	return "", false
}

func formControl(n *dom.Node) bool {
	return n.Tag == "input" || n.Tag == "select" || n.Tag == "textarea" || n.Tag == "button"
}

func trimLabel(s string) string { return strings.Trim(s, " :：*\u00a0") }

// iconBeside looks for a calendar icon right beside n or beside its wrapper.
func iconBeside(n *dom.Node) bool {
	for range 2 {
		list, at := siblings(n)
		for i := max(0, at-2); i < len(list) && i <= at+2; i++ {
			if i != at && isCalendarIcon(list[i]) {
				return true
			}
		}
		if len(list) > 4 || !isElement(n.Parent) {
			return false
		}
		n = n.Parent
	}
	return false
}

// isCalendarIcon reports whether n is a small element without words that is
// called a calendar, or shows the sign of one.
func isCalendarIcon(n *dom.Node) bool {
	text := words(n, 12)
	if strings.ContainsAny(text+n.Before, "📅📆🗓") {
		return true
	}
	if text != "" || count(n, 16) > 15 {
		return false
	}
	named := func(c *dom.Node) bool {
		s := attr(c, "class") + " " + attr(c, "aria-label") + " " + attr(c, "title") + " " + attr(c, "alt") + " " + attr(c, "href") + " " + attr(c, "data-icon") + " " + attr(c, "svg-title")
		return anyOf(nameWords(s), calIconWords) && c.Tag != "input"
	}
	return named(n) || find(n, named) != nil
}
