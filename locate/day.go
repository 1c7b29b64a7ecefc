package locate

import (
	"fmt"
	"strconv"
	"time"

	"harness/dom"
)

// byCSS takes what the snapshot's selector matched.
func (f *finder) byCSS(r reading) []hit {
	var out []hit
	for _, n := range f.s.Matches {
		h := hit{n: n, score: 97, src: source{"css", 97, true}, kind: exactly, locator: "locator(" + strconv.Quote(r.css) + ")",
			reasons: []string{"matches the selector"}, hidden: f.unusable(n)}
		if r.name != "" {
			m := matchText(r.name, Fold(n.InnerText()))
			if m.kind == noMatch || r.quoted && m.kind != exactly {
				continue
			}
		}
		if r.noun.fit(n) >= .4 {
			out = append(out, h)
		}
	}
	return out
}

// calendars are the calendars of the snapshot, read once.
func (f *finder) calendars() []calendar {
	if !f.hasCals {
		now := f.now
		if now.IsZero() {
			now = time.Now()
		}
		f.cals, f.hasCals = readCalendars(f.s, newDateWords(f.s.Lang), now), true
	}
	return f.cals
}

// byDay finds the cell of a day in the calendars that lie open. What the words
// leave out, month or year, is not asked of the calendar.
func (f *finder) byDay(r reading) []hit {
	if r.date != "" {
		t, err := time.Parse(time.DateOnly, r.date)
		if err != nil {
			return nil
		}
		r.year, r.month, r.day = t.Year(), int(t.Month()), t.Day()
	}
	var out []hit
	cals := f.calendars()
	for i := range cals {
		c := &cals[i]
		for j := range c.months {
			m := &c.months[j]
			if r.month > 0 && (m.is == 0 || m.is.month() != r.month) || r.year > 0 && m.is.year() != r.year {
				continue
			}
			cell := c.cell(m, r.day)
			if cell == nil || cell.press == nil {
				continue
			}
			h := hit{n: cell.press, score: 95, src: source{"calendar", 95, false}, kind: exactly, hidden: f.unusable(cell.press),
				reasons: []string{fmt.Sprintf("is day %d of %s in the calendar", r.day, c.says())}}
			out = append(out, h)
		}
	}
	return out
}

// byTurn finds the control of a calendar that turns to another month or year.
func (f *finder) byTurn(r reading) []hit {
	var out []hit
	cals := f.calendars()
	for i := range cals {
		for _, c := range cals[i].controls {
			if c.kind != turns || c.by != r.turn {
				continue
			}
			out = append(out, hit{n: c.node, score: 93, src: source{"calendar", 93, false}, kind: exactly, hidden: f.unusable(c.node),
				reasons: []string{fmt.Sprintf("turns the calendar by %d months", r.turn)}})
		}
	}
	return dropNested(out)
}

// isCalendar reports whether the element holds the months of one calendar.
func (f *finder) isCalendar(n *dom.Node) bool {
	for _, c := range f.calendars() {
		if c.panel == n {
			return true
		}
	}
	return false
}
