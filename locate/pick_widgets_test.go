package locate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/browser"
	"harness/locate"
)

// widgetPage is a page of fixtures/widgets: what its date field is called, and
// which days it takes.
type widgetPage struct {
	name   string
	in     string // "": the page has one calendar
	locale string
	isRange,
	phone bool
	future bool // takes no day before today
	last   civilDay
}

type civilDay = string // ISO date; "" for none

var widgetPages = []widgetPage{
	{name: "flatpickr", in: "Departure date"}, {name: "flatpickr-zh", in: "出发日期", locale: "zh-CN"}, {name: "flatpickr-range", in: "Stay", isRange: true, future: true},
	{name: "jquery-ui", in: "Date"}, {name: "jquery-ui-selects", in: "Inspection date"}, {name: "jquery-ui-de", in: "Datum", locale: "de-DE"},
	{name: "jquery-ui-ar", in: "التاريخ", locale: "ar-EG"}, {name: "bootstrap-datepicker", in: "Due date"}, {name: "bootstrap-datepicker-inline"},
	{name: "react-datepicker", in: "Reservation date"}, {name: "react-datepicker-range", isRange: true}, {name: "air-datepicker", in: "Delivery date"},
	{name: "pikaday", in: "Return date"}, {name: "antd", in: "Departure date"}, {name: "antd-zh", in: "出发日期", locale: "zh-CN", future: true},
	{name: "antd-range", in: "Leave period", isRange: true}, {name: "element-plus", in: "Due date"}, {name: "element-plus-range", in: "Period", isRange: true},
	{name: "mui", in: "Departure date"}, {name: "mui-calendar"}, {name: "duet-date-picker", in: "Start date"}, {name: "react-day-picker"},
	{name: "react-day-picker-popover", in: "Pickup date", future: true},
	{name: "vant-calendar", in: "游玩日期", locale: "zh-CN", phone: true, future: true, last: "2026-07-15"},
	{name: "vant-calendar-range", in: "入住日期", locale: "zh-CN", phone: true, isRange: true, future: true, last: "2026-07-15"},
	{name: "vant-wheel", in: "体检日期", locale: "zh-CN", phone: true, future: true, last: "2028-12-31"},
}

const widgetFolder = "../fixtures/widgets/dist"

// Every widget takes 30 January and 14 March 2026 (a range: 28 January to
// 3 February), and seeded dates within 24 months of its clock: the application
// must hold the date that was asked for, or the pick must be refused.
// HARNESS_PICKS is how many seeded dates each widget gets (1 where it is not
// set), HARNESS_SEED their seed, HARNESS_WIDGET one widget's name.
func TestPickWidgets(t *testing.T) {
	if _, err := os.Stat(widgetFolder); err != nil {
		t.Skipf("no widget pages: %v", err)
	}
	b := launched(t)
	more := 1
	if v := os.Getenv("HARNESS_PICKS"); v != "" {
		more, _ = strconv.Atoi(v)
	}
	seed, _ := strconv.ParseUint(os.Getenv("HARNESS_SEED"), 10, 64)
	for _, w := range widgetPages {
		if only := os.Getenv("HARNESS_WIDGET"); only != "" && only != w.name {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			for _, want := range w.picks(rand.New(rand.NewPCG(seed, 1)), more) {
				w.pick(t, b, want)
			}
		})
	}
}

func (w widgetPage) picks(r *rand.Rand, more int) []locate.When {
	day := func(s string) time.Time { d, _ := time.Parse(time.DateOnly, s); return d }
	now := day("2026-01-15")
	out := []locate.When{{Date: "2026-01-30"}, {Date: "2026-03-14"}}
	if w.isRange {
		out = []locate.When{{From: "2026-01-28", To: "2026-02-03"}}
	}
	for len(out) < 3+more-1 {
		d := now.AddDate(0, 0, r.IntN(1460)-730)
		if w.future && d.Before(now) || w.last != "" && d.After(day(w.last).AddDate(0, 0, -40)) {
			continue
		}
		iso := d.Format(time.DateOnly)
		if w.isRange {
			out = append(out, locate.When{From: iso, To: d.AddDate(0, 0, 1+r.IntN(35)).Format(time.DateOnly)})
		} else {
			out = append(out, locate.When{Date: iso})
		}
	}
	return out
}

func (w widgetPage) pick(t *testing.T, b *browser.Browser, want locate.When) {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	o := browser.ContextOptions{Width: 1280, Height: 800, Locale: w.locale, Timezone: zone.String(), Handler: http.FileServer(http.Dir(filepath.Join(widgetFolder, w.name))),
		Clock: time.Date(2026, 1, 15, 10, 0, 0, 0, zone)}
	if w.phone {
		o.Width, o.Height = 390, 844
	}
	p := openPage(t, b, o, "https://"+w.name+".test/")
	var in *locate.Target
	if w.in != "" {
		in = &locate.Target{Words: w.in}
	}
	start := time.Now()
	r, err := locate.New(p, locate.Options{}).Pick(t.Context(), in, want, locate.How{})
	took := time.Since(start)
	expect := want.Date
	if w.isRange {
		expect = want.From + "/" + want.To
	}
	raw, eerr := p.Eval(t.Context(), "window.appValue")
	require.NoError(t, eerr)
	var got string
	require.NoError(t, json.Unmarshal(raw, &got))
	t.Logf("%s %s: %v, value %q, shows %q, confidence %d\n\t%s", w.name, expect, took.Round(time.Millisecond), got, r.Value, r.Confidence, strings.Join(r.Acts, "\n\t"))
	if assert.NoError(t, err, "%s %s", w.name, expect) {
		assert.Equal(t, expect, got, "%s: the application holds another date", w.name)
	} else if got != "" && got != expect {
		t.Errorf("%s: refused, but the application holds %s", w.name, got)
	}
}

func openPage(t *testing.T, b *browser.Browser, o browser.ContextOptions, url string) *browser.Page {
	t.Helper()
	c, err := b.Context(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := c.Close(ctx); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, err)
		}
	})
	p, err := c.Page(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.Goto(t.Context(), url))
	return p
}

func launched(t *testing.T) *browser.Browser {
	t.Helper()
	o := browser.Options{Executable: os.Getenv("HARNESS_BROWSER"), DriverDir: os.Getenv("HARNESS_DRIVER_DIR")}
	shared.once.Do(func() { shared.b, shared.err = browser.Launch(context.Background(), o) })
	if shared.err != nil && os.Getenv("HARNESS_REQUIRE_BROWSER") != "1" {
		t.Skip(shared.err)
	}
	require.NoError(t, shared.err)
	return shared.b
}
