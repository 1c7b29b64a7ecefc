package locate_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/browser"
	"harness/locate"
)

// Pickers in unusual styles, written for this test: what the page's script was
// handed is window.appValue.
func TestPickPages(t *testing.T) {
	day := func(s string) locate.When { return locate.When{Date: s} }
	tests := []struct {
		page, in string
		when     locate.When
		want     string // the application's value
		kind     string // of the error; "" for none
	}{
		{"rtl-hebrew", "תאריך נסיעה", day("2026-01-30"), "2026-01-30", ""},
		{"rtl-hebrew", "תאריך נסיעה", day("2026-03-01"), "2026-03-01", ""},
		{"rtl-hebrew", "תאריך נסיעה", day("2025-11-30"), "2025-11-30", ""},
		{"wheels", "Choose your birthday", day("2023-09-04"), "2023-09-04", ""},
		{"wheels", "Choose your birthday", day("2019-09-04"), "", "date_unavailable"},
		{"vertical-lazy", "When?", day("2026-01-30"), "2026-01-30", ""},
		{"vertical-lazy", "When?", day("2026-08-05"), "2026-08-05", ""},
		{"vertical-lazy", "When?", day("2026-01-10"), "", "date_unavailable"},
		{"div-dropdowns", "Start of contract", day("2026-01-30"), "2026-01-30", ""},
		{"div-dropdowns", "Start of contract", day("2027-10-02"), "2027-10-02", ""},
		{"month-year-inputs", "", day("2026-01-30"), "2026-01-30", ""},
		{"month-year-inputs", "", day("2027-04-01"), "2027-04-01", ""},
		{"labelled-cells", "Select departure", day("2026-01-30"), "2026-01-30", ""},
		{"labelled-cells", "Select departure", day("2026-03-31"), "2026-03-31", ""},
		{"labelled-cells", "Select departure", day("2026-01-15"), "2026-01-15", ""},
		{"ten-columns", "Inspection", day("2026-01-30"), "2026-01-30", ""},
		{"ten-columns", "Inspection", day("2026-04-03"), "2026-04-03", ""},
		{"utc-slip", "Pickup day", day("2026-01-30"), "2026-01-29", "value_mismatch"},
		{"dead-days", "Visit", day("2026-01-30"), "2026-01-30", ""},
		{"dead-days", "Visit", day("2026-01-08"), "", "date_unavailable"},
		{"dead-days", "Visit", day("2026-02-08"), "", "date_unavailable"},
		{"date-time-ok", "Appointment", locate.When{Date: "2026-02-12", Time: "14:30"}, "2026-02-12 14:30", ""},
		{"two-popups", "Check-in", locate.When{From: "2026-01-28", To: "2026-02-03"}, "2026-01-28/2026-02-03", ""},
		{"two-halves", "Report period", locate.When{From: "2026-01-28", To: "2026-02-03"}, "2026-01-28/2026-02-03", ""},
		{"two-halves", "Report period", locate.When{From: "2026-02-18", To: "2026-02-20"}, "2026-02-18/2026-02-20", ""},
		{"masked", "Date of birth", day("1980-12-12"), "1980-12-12", ""},
		{"native", "Anreise", day("2026-01-30"), "2026-01-30", ""},
		{"native", "Anreise", day("2028-01-30"), "", "date_unavailable"},
		{"native", "Termin", locate.When{Date: "2026-01-30", Time: "9:05 am"}, "2026-01-30T09:05", ""},
		{"native", "Monat", day("2026-03-30"), "2026-03", ""},
		{"native", "Uhrzeit", locate.When{Time: "18:45"}, "18:45", ""},
		{"spin-sections", "Date of arrival", day("2026-01-30"), "2026-01-30", ""},
		{"native", "Anreise", day("2026-02-30"), "", "usage"},
	}
	b := launched(t)
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	for _, tt := range tests {
		t.Run(tt.page+" "+tt.when.Date+tt.when.From+tt.when.Time, func(t *testing.T) {
			p := openPage(t, b, browser.ContextOptions{Width: 1000, Height: 700, Timezone: zone.String(), Handler: http.FileServer(http.Dir("testdata/pickers")),
				Clock: time.Date(2026, 1, 15, 10, 0, 0, 0, zone)}, "https://pickers.test/"+tt.page+".html")
			var in *locate.Target
			if tt.in != "" {
				in = &locate.Target{Words: tt.in}
			}
			start := time.Now()
			r, err := locate.New(p, locate.Options{}).Pick(t.Context(), in, tt.when, locate.How{})
			raw, eerr := p.Eval(t.Context(), "window.appValue||''")
			require.NoError(t, eerr)
			var got string
			require.NoError(t, json.Unmarshal(raw, &got))
			assert.Equal(t, tt.kind, locate.Kind(err), "%v", err)
			assert.Equal(t, tt.want, got)
			if t.Failed() || testing.Verbose() {
				t.Logf("%v, shows %q, confidence %d, error %v, acts %q", time.Since(start).Round(time.Millisecond), r.Value, r.Confidence, err, r.Acts)
			}
		})
	}
}
