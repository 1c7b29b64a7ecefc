package agent

import (
	"fmt"
	"regexp"
	"strings"

	"harness/classify"
	"harness/dom"
)

// monthTitle finds what a calendar says of its month.
var monthTitle = regexp.MustCompile(`(?i)\d{4}\s*[年./-]\s*\d{1,2}(?:\s*月)?|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-zé]*\.?,?\s+\d{4}`)

// calendarLine folds a calendar into one line: its months and the days that
// can be chosen.
func calendarLine(cal *dom.Node, items []classify.Item) string {
	var days []int
	for _, it := range items {
		if it.Kind != classify.Date || !it.Node.Within(cal) || it.Node.TakesText() || closedDay(it.Node) {
			continue
		}
		if n := leadingNumber(dom.Squash(it.Node.InnerText())); n > 0 {
			days = append(days, n)
		}
	}
	line := strings.Join(monthTitle.FindAllString(cal.InnerText(), 3), ", ")
	if line == "" {
		line = clip(dom.Squash(cal.Name()), 40)
	}
	if len(days) == 0 {
		return line
	}
	return strings.TrimPrefix(line+"; days "+ranges(days), "; ")
}

// closedDay reports whether a day's cell or what is inside it is disabled.
func closedDay(cell *dom.Node) bool {
	closed := false
	cell.Walk(func(n *dom.Node) bool {
		closed = closed || n.IsElement() && n.Disabled()
		return !closed
	})
	return closed
}

func leadingNumber(s string) int {
	i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if i < 0 {
		i = len(s)
	}
	return number(s[:i])
}

// ranges writes 1 2 3 5 as 1–3, 5; where the numbers fall, a new month begins.
func ranges(days []int) string {
	var parts []string
	for i := 0; i < len(days); {
		j := i
		for j+1 < len(days) && days[j+1] == days[j]+1 {
			j++
		}
		part := fmt.Sprint(days[i])
		if j > i {
			part = fmt.Sprintf("%d–%d", days[i], days[j])
		}
		sep := ", "
		if i > 0 && days[i] < days[i-1] {
			sep = " | "
		}
		if i == 0 {
			sep = ""
		}
		parts = append(parts, sep+part)
		i = j + 1
	}
	return strings.Join(parts, "")
}
