package locate

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

var january = time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC)

func savedCalendars(t *testing.T, name string) []calendar {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "calendars", name+".html"))
	require.NoError(t, err)
	defer f.Close()
	s, err := dom.ParseHTML(f)
	require.NoError(t, err)
	return readCalendars(s, newDateWords(s.Lang), january)
}

// The pages mark every day of the months in question with want="day"; days of
// neighbouring months, week numbers and prices bear no mark.
func TestReadCalendars(t *testing.T) {
	tests := []struct {
		page   string
		months [][]string // by calendar
	}{
		{"table-twins", [][]string{{"January 2026"}}},
		{"flat-chinese", [][]string{{"January 2026"}}},
		{"week-numbers", [][]string{{"March 2026"}}},
		{"two-months-french", [][]string{{"December 2025", "January 2026"}}},
		{"selects-italian", [][]string{{"February 2026"}}},
		{"dated-shadow", [][]string{{"February 2026"}}},
		{"arabic-digits", [][]string{{"January 2026"}}},
		{"scroll-list", [][]string{{"January 2026", "February 2026", "March 2026"}}},
		{"pieces-japanese", [][]string{{"April 2026"}}},
		{"button-and-input-spanish", [][]string{{"May 2026"}}},
		{"ten-columns", [][]string{{"June 2026"}}},
		{"prices-like-days", [][]string{{"September 2026"}}},
		{"no-calendar", nil},
		{"misleading-heading", [][]string{{"December 2026"}}},
		{"two-calendars-dutch", [][]string{{"March 2026"}, {"March 2026"}}},
	}
	for _, tt := range tests {
		t.Run(tt.page, func(t *testing.T) {
			var got [][]string
			for _, c := range savedCalendars(t, tt.page) {
				var names []string
				for i := range c.months {
					names = append(names, c.months[i].is.String())
					assertDays(t, &c, &c.months[i])
				}
				got = append(got, names)
			}
			assert.Equal(t, tt.months, got)
		})
	}
}

func assertDays(t *testing.T, c *calendar, m *monthPage) {
	t.Helper()
	for d := 1; d <= m.is.days(); d++ {
		cell := c.cell(m, d)
		require.NotNil(t, cell, "%s %d", m.is, d)
		marked := cell.node.Closest(func(n *dom.Node) bool { return n.HasAttr("want") })
		if marked == nil {
			cell.node.Walk(func(n *dom.Node) bool {
				if n.HasAttr("want") {
					marked = n
				}
				return true
			})
		}
		require.NotNil(t, marked, "%s %d: an unmarked place", m.is, d)
		assert.Equal(t, strconv.Itoa(d), marked.Attr("want"), "%s %d", m.is, d)
	}
	assert.Nil(t, c.cell(m, m.is.days()+1))
}
