package locate

import (
	"fmt"
	"time"
)

// civil is a day of the Gregorian calendar without a time or zone.
type civil struct {
	Year  int
	Month int // 1-12
	Day   int // 1-31
}

// yearMonth counts months: year*12 + month-1. The zero value is no month that
// a page shows.
type yearMonth int

func monthOf(year, month int) yearMonth { return yearMonth(year*12 + month - 1) }

func (m yearMonth) year() int  { return int(m) / 12 }
func (m yearMonth) month() int { return int(m)%12 + 1 }

// days is the length of the month.
func (m yearMonth) days() int {
	return time.Date(m.year(), time.Month(m.month()+1), 0, 0, 0, 0, 0, time.UTC).Day()
}

func (m yearMonth) day(d int) civil { return civil{m.year(), m.month(), d} }

func (m yearMonth) String() string {
	return fmt.Sprintf("%s %d", time.Month(m.month()), m.year())
}

func civilOf(t time.Time) civil { return civil{t.Year(), int(t.Month()), t.Day()} }

func (c civil) time() time.Time {
	return time.Date(c.Year, time.Month(c.Month), c.Day, 0, 0, 0, 0, time.UTC)
}

func (c civil) in() yearMonth { return monthOf(c.Year, c.Month) }

func (c civil) weekday() int { return int(c.time().Weekday()) }

func (c civil) plus(days int) civil { return civilOf(c.time().AddDate(0, 0, days)) }

func (c civil) before(o civil) bool { return c.time().Before(o.time()) }

func (c civil) isZero() bool { return c == civil{} }

// exists reports whether the calendar has the day.
func (c civil) exists() bool {
	return c.Month >= 1 && c.Month <= 12 && c.Day >= 1 && c.Day <= c.in().days()
}

// String is the ISO date.
func (c civil) String() string { return fmt.Sprintf("%04d-%02d-%02d", c.Year, c.Month, c.Day) }

// long is the date as words, for models and messages.
func (c civil) long() string { return c.time().Format("Monday, 2 January 2006") }
