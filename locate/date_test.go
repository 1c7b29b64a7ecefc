package locate

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseDay(t *testing.T) {
	now := time.Date(2026, 1, 15, 22, 30, 0, 0, time.UTC) // a Thursday
	for words, want := range map[string]string{
		"2026-01-30": "2026-01-30", "30 January": "2026-01-30", "Jan 30 2026": "2026-01-30", "the 30th": "2026-01-30", "1月30日": "2026-01-30",
		"2026年3月1日": "2026-03-01", "一月三十日": "", "tomorrow": "2026-01-16", "明天": "2026-01-16", "Friday": "2026-01-16", "next Friday": "2026-01-23",
		"下周五": "2026-01-23", "10 January": "2027-01-10", "the 10th": "2026-02-10", "the 31st": "2026-01-31", "29 February": "2028-02-29",
		"30. Januar 2026": "2026-01-30", "30 de enero de 2026": "2026-01-30", "30 janvier 2026": "2026-01-30", "٣٠ يناير ٢٠٢٦": "2026-01-30",
		"Choose Friday, 30 January 2026": "2026-01-30", "2026/1/30": "2026-01-30", "20260130": "2026-01-30",
	} {
		got, err := newDateWords("en").parseDay(words, now)
		if want == "" {
			assert.ErrorIs(t, err, ErrUsage, words)
			continue
		}
		if assert.NoError(t, err, words) {
			assert.Equal(t, want, got.String(), words)
		}
	}
	for _, words := range []string{"30 February", "2026-02-30", "31.04.2026", "02/03/2026", "soon", "", "2026-13-01"} {
		_, err := newDateWords("en").parseDay(words, now)
		assert.ErrorIs(t, err, ErrUsage, words)
	}
}

func TestReadWhen(t *testing.T) {
	now := time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC)
	q, err := readWhen(When{Date: "2026-01-30T09:05"}, now, newDateWords(""))
	require.NoError(t, err)
	assert.Equal(t, "2026-01-30 09:05", q.String())
	q, err = readWhen(When{From: "28 January", To: "3 February", Time: "3:04 pm"}, now, newDateWords(""))
	require.NoError(t, err)
	assert.Equal(t, "2026-01-28 to 2026-02-03 15:04", q.String())
	for _, w := range []When{{}, {From: "2026-01-30"}, {Date: "2026-01-30", To: "2026-01-31"}, {From: "2026-02-03", To: "2026-01-28"}, {Date: "2026-01-30", Time: "25:00"}} {
		_, err := readWhen(w, now, newDateWords(""))
		assert.ErrorIs(t, err, ErrUsage, "%+v", w)
	}
}

func TestMonthYear(t *testing.T) {
	for text, want := range map[string]string{
		"January 2026": "2026-1", "‹ January, 2026 ›": "2026-1", "2026年1月": "2026-1", "2026 年 12 月": "2026-12", "一月": "0-1", "Jan": "0-1", "2026": "2026-0",
		"janvier 2026": "2026-1", "März 2026": "2026-3", "enero de 2026": "2026-1", "gennaio 2026": "2026-1", "janeiro 2026": "2026-1", "stycznia 2026": "2026-1",
		"Январь 2026": "2026-1", "يناير ٢٠٢٦": "2026-1", "ינואר 2026": "2026-1", "2026년 1월": "2026-1", "Ocak 2026": "2026-1", "januari 2026": "2026-1",
		"มกราคม 2569": "2026-1", "令和8年1月": "2026-1", "01/2026": "2026-1", "2026-07": "2026-7", "7 / 2026": "2026-7", "tháng 1 2026": "2026-1",
	} {
		y, m, ok := newDateWords("").monthYear(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, fmt.Sprintf("%d-%d", y, m), text)
	}
	for _, text := range []string{"30 January 2026", "January – February 2026", "Next", "12", "Room 204", "£2026 a month for 3"} {
		_, _, ok := newDateWords("en").monthYear(text)
		assert.False(t, ok, text)
	}
}

// What a field shows after a pick, in the ways in which fields show dates.
func TestFieldTextsMeanTheDate(t *testing.T) {
	p := &picker{words: newDateWords("en"), want: asked{from: civil{2026, 1, 28}, to: civil{2026, 2, 3}, isRange: true}}
	for _, text := range []string{"Jan 28, 2026 to Feb 3, 2026", "01/28/2026 - 02/03/2026", "2026-01-28 ~ 2026-02-03", "2026-01-28 - 2026-02-03", "28.01.2026–03.02.2026",
		"1月28日 - 2月3日", "Wed 28 Jan – Tue 3 Feb", "2026年1月28日 至 2026年2月3日", "28 Jan → 3 Feb"} {
		assert.True(t, p.says([]string{text}), text)
	}
	assert.True(t, p.says([]string{"28/01/2026", "03/02/2026"}))
	for _, text := range []string{"Jan 28, 2026 to Feb 4, 2026", "2026-01-27 ~ 2026-02-03", "Jan 28, 2026", "", "28 – 3"} {
		assert.False(t, p.says([]string{text}), text)
	}
	p.want = asked{from: civil{2026, 2, 3}, to: civil{2026, 2, 3}}
	for _, text := range []string{"02/03/2026", "03/02/2026", "3 Feb 2026", "Tue Feb 03 2026", "2026-02-03", "3 февраля 2026 г.", "mar. 3 févr. 2026", "Tuesday, 3 February"} {
		assert.True(t, p.says([]string{text}), text)
	}
	p.order = "dmy"
	assert.False(t, p.says([]string{"02/03/2026"}), "the field is known to put the day first")
	assert.True(t, p.says([]string{"03/02/2026"}))
	for _, text := range []string{"2 Feb 2026", "2026-03-02", "3 Feb 2027", "February 2026"} {
		assert.False(t, p.says([]string{text}), text)
	}
	assert.True(t, p.saysDate([]string{"2024-03-25 - 2026-02-15"}))
}

func TestFormOrder(t *testing.T) {
	for form, want := range map[string]string{"dd/mm/yyyy": "dmy", "MM/DD/YYYY": "mdy", "jj.mm.aaaa": "dmy", "TT.MM.JJJJ": "dmy", "年/月/日": "ymd", "yyyy-MM-dd": "ymd", "Select a date": "", "Add dates": ""} {
		assert.Equal(t, want, formOrder(form), form)
	}
	assert.Equal(t, "30/01/2026", writeForm("dd/mm/yyyy", civil{2026, 1, 30}, ""))
	assert.Equal(t, "2026-01-30 09:05", writeForm("YYYY-MM-DD HH:mm", civil{2026, 1, 30}, "09:05"))
}
