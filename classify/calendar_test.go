package classify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harness/classify"
	"harness/dom"
)

// sheet draws January 2026 (it begins on a Thursday; weeks begin on Monday) in
// the manner that its functions say.
type sheet struct {
	cell func(day int, beside bool) string // a day's cell
	row  func(cells string) string         // nil: one flat list
}

func (m sheet) draw() string {
	var b strings.Builder
	for week := range 5 {
		var row strings.Builder
		for i := range 7 {
			day := week*7 + i - 2 // Monday 29 December is day -2
			switch {
			case day < 1:
				row.WriteString(m.cell(31+day, true))
			case day > 31:
				row.WriteString(m.cell(day-31, true))
			default:
				row.WriteString(m.cell(day, false))
			}
		}
		if m.row != nil {
			b.WriteString(m.row(row.String()))
		} else {
			b.WriteString(row.String())
		}
	}
	return b.String()
}

func table(cell func(int, bool) string) string {
	return sheet{cell: cell, row: func(c string) string { return "<tr>" + c + "</tr>" }}.draw()
}

func flat(cell func(int, bool) string) string { return sheet{cell: cell}.draw() }

// mark gives the 15th the id t and neighbours' 30th the id beside.
func mark(day int, beside bool) string {
	if beside && day == 30 {
		return " id=beside"
	}
	if !beside && day == 15 {
		return " id=t"
	}
	return ""
}

func plainTD(day int, beside bool) string {
	return fmt.Sprintf("<td%s>%d</td>", mark(day, beside), day)
}

func div(day int, beside bool) string {
	return fmt.Sprintf("<div%s><span>%d</span></div>", mark(day, beside), day)
}

const weekTR = `<tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su</tr>`
const weekZH = `<div><span>一</span><span>二</span><span>三</span><span>四</span><span>五</span><span>六</span><span>日</span></div>`

func TestCalendars(t *testing.T) {
	labelled := func(day int, beside bool) string {
		if beside {
			return `<td role=gridcell></td>`
		}
		return fmt.Sprintf(`<td role=gridcell><button%s aria-label="%d January 2026">%d</button></td>`, mark(day, false), day, day)
	}
	prices := func(day int, beside bool) string {
		if beside {
			return div(day, true)
		}
		label := map[int]string{1: "元旦", 21: "今天", 22: "明天"}[day]
		if label == "" {
			label = fmt.Sprint(day)
		}
		return fmt.Sprintf(`<div%s><i>休</i><span>%s</span><span>¥%d</span></div>`, mark(day, false), label, 300+day)
	}
	weekNumbers := func(html string) string {
		rows := strings.SplitAfter(html, "<tr>")
		for i := range rows {
			if i > 0 {
				rows[i] = fmt.Sprintf("<td>%d</td>", i) + rows[i]
			}
		}
		return strings.Join(rows, "")
	}
	tests := []struct{ name, html string }{
		{"table", `<div id=cal><h3>January 2026</h3><table><thead>` + weekTR + `</thead><tbody>` + table(plainTD) + `</tbody></table></div>`},
		{"table without a heading", `<table id=cal>` + weekTR + table(plainTD) + `</table>`},
		{"week numbers", `<div id=cal><b>Januar 2026</b><table><tr><th>KW<th>Mo<th>Di<th>Mi<th>Do<th>Fr<th>Sa<th>So</tr>` + weekNumbers(table(plainTD)) + `</table></div>`},
		{"roles and labels", `<table id=cal role=grid aria-label="January 2026">` + table(labelled) + `</table>`},
		{"divs, flat", `<div id=cal><div><span>2026年1月</span></div>` + weekZH + `<div>` + flat(div) + `</div></div>`},
		{"divs in rows", `<div id=cal><div>1月</div>` + sheet{cell: div, row: func(c string) string { return "<div>" + c + "</div>" }}.draw() + `</div>`},
		{"prices and holidays", `<div id=cal><div><span>2026年1月</span></div>` + weekZH + `<div>` + flat(prices) + `</div></div>`},
		{"day with 日", `<div id=cal><p>2026年1月</p><div>` + flat(func(d int, b bool) string { return fmt.Sprintf("<span%s>%d日</span>", mark(d, b), d) }) + `</div></div>`},
		{"arabic digits", `<div id=cal><div>يناير ٢٠٢٦</div><div>` + flat(func(d int, b bool) string {
			s := strings.NewReplacer("0", "٠", "1", "١", "2", "٢", "3", "٣", "4", "٤", "5", "٥", "6", "٦", "7", "٧", "8", "٨", "9", "٩").Replace(fmt.Sprint(d))
			return fmt.Sprintf("<a%s>%s</a>", mark(d, b), s)
		}) + `</div></div>`},
		{"russian", `<div id=cal><div>Январь</div><div>` + flat(div) + `</div></div>`},
		{"month in a select", `<div id=cal><div><select><option>Dec<option selected>Jan</select><input type=number value=2026></div><div>` + flat(div) + `</div></div>`},
		{"dates on cells only", `<div id=cal>` + flat(func(d int, b bool) string {
			month := 1
			if b && d > 20 {
				month = 12
			}
			return fmt.Sprintf(`<div%s data-day="2026-%02d-%02d">%d</div>`, mark(d, b), month, d, d)
		}) + `</div>`},
		{"a page with a form around it", `<form><input name=q><div id=cal><h3>January 2026</h3><table>` + weekTR + table(plainTD) + `</table></div><button>Go</button></form>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parse(t, `<main>`+tt.html+`<p>more</p></main>`)
			cal, day := classify.Classify(byID(t, s, "cal")), classify.Classify(byID(t, s, "t"))
			assert.Equal(t, classify.Calendar, cal.Kind, "%v", cal.Reasons)
			assert.Equal(t, classify.Date, day.Kind, "%v", day.Reasons)
			assert.GreaterOrEqual(t, day.Confidence, 55)
			calendars, days := listed(s)
			assert.Equal(t, 1, calendars)
			assert.GreaterOrEqual(t, days, 31)
			assert.LessOrEqual(t, days, 35)
		})
	}
}

func listed(s *dom.Snapshot) (calendars, days int) {
	for _, it := range classify.Page(s) {
		switch it.Kind {
		case classify.Calendar:
			calendars++
		case classify.Date:
			days++
		}
	}
	return calendars, days
}

func TestNoCalendars(t *testing.T) {
	list := func(n int, tag string) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "<%s>%d</%s>", tag, i, tag)
		}
		return b.String()
	}
	tests := []struct{ name, html string }{
		{"pages of a list", `<div>` + list(31, "a") + `</div>`},
		{"seats under a year", `<h2>Season 2026</h2><div>` + list(60, "span") + `</div>`},
		{"a wheel", `<div><ul><li>2025</li><li>2026</li><li>2027</li><li>2028</li><li>2029</li><li>2030</li></ul><ul>` + list(31, "li") + `</ul></div>`},
		{"a select of days", `<div>January 2026<select>` + list(31, "option") + `</select></div>`},
		{"a table of figures", `<h3>January 2026</h3><table>` + figures() + `</table>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calendars, _ := listed(parse(t, tt.html))
			assert.Zero(t, calendars)
		})
	}
}

// figures is a table with the days down its first column.
func figures() string {
	var b strings.Builder
	for i := 1; i <= 31; i++ {
		fmt.Fprintf(&b, "<tr><td>%d<td>%d<td>%d<td>%d</tr>", i, i*7%29+1, i*11%31+1, i*5%23+1)
	}
	return b.String()
}

func TestNeighbouringMonthIsLessSure(t *testing.T) {
	s := parse(t, `<div><h3>January 2026</h3><table>`+weekTR+table(plainTD)+`</table></div>`)
	in, beside := classify.Classify(byID(t, s, "t")), classify.Classify(byID(t, s, "beside"))
	assert.Equal(t, classify.Date, beside.Kind)
	assert.Less(t, beside.Confidence, in.Confidence)
	assert.Contains(t, strings.Join(beside.Reasons, "; "), "month before or after")
}

func TestTwoMonthsAreOneCalendar(t *testing.T) {
	month := func(name string) string {
		return `<div><h3>` + name + `</h3>` + weekZH + `<div>` + flat(div) + `</div></div>`
	}
	s := parse(t, `<main><p>Choose</p><input><div id=pop><div>`+month("January 2026")+month("February 2026")+`</div><span class=prev></span></div></main>`)
	assert.Equal(t, classify.Calendar, classify.Classify(byID(t, s, "pop")).Kind)
	calendars, days := listed(s)
	assert.Equal(t, 1, calendars)
	assert.GreaterOrEqual(t, days, 62)
}

func TestPageListsEachThingOnce(t *testing.T) {
	s := parse(t, `<body><nav><a href=/a>Hotels</a><a href=/b>Flights</a></nav>
	<form><label>Check-in <input></label><label><input type=checkbox style="opacity:0"><i></i> Direct</label>
	<select><option>1<option>2</select><button><span>Search</span></button><button hidden>Ghost</button></form>
	<div style="cursor:pointer"><span style="cursor:pointer">More</span></div></body>`)
	var got []string
	for _, it := range classify.Page(s) {
		got = append(got, string(it.Kind)+" "+it.Node.Tag+" "+it.Node.InnerText())
	}
	assert.Equal(t, []string{"DATE input ", "BUTTON button Search", "BUTTON div More", "LINK a Hotels", "LINK a Flights", "SELECT select ", "CHECKBOX label Direct"}, got)
}

// rows is a page of a table with about 13 nodes a row.
func rows(t testing.TB, n int) *dom.Snapshot {
	var h strings.Builder
	h.WriteString(`<table>`)
	for i := range n {
		fmt.Fprintf(&h, `<tr class="row item"><td class=c1>%d<td><a href="/x">Name %d</a><td><button class="btn btn-primary">Edit</button><td><input name=a value=%d></tr>`, i%31+1, i, i)
	}
	return parse(t, h.String())
}

func BenchmarkPage(b *testing.B) {
	s := rows(b, 3400)
	b.ResetTimer()
	b.ReportMetric(float64(len(s.Nodes)), "nodes")
	for range b.N {
		classify.Page(s)
	}
}

func BenchmarkOver(b *testing.B) {
	s := rows(b, 3400)
	b.ResetTimer()
	for range b.N {
		classify.Over(s)
	}
}
