package locate

import (
	"strings"
	"time"
)

// Digits of other scripts by their zero.
var zeros = []rune{'٠', '۰', '०', '০', '๐', '０', '၀', '០'}

// plainDigits writes the digits of every script in ASCII.
func plainDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		for _, z := range zeros {
			if r >= z && r <= z+9 {
				return '0' + r - z
			}
		}
		return r
	}, s)
}

// dayNum reads a text that is a day of the month: "30", "٣٠", "30日", "30.",
// "30th". Prices, times and decimals are none.
func dayNum(s string) (int, bool) {
	s = strings.TrimSpace(plainDigits(s))
	n, width := 0, 0
	for width < len(s) && s[width] >= '0' && s[width] <= '9' {
		n = n*10 + int(s[width]-'0')
		if width++; width > 2 {
			return 0, false
		}
	}
	if width == 0 || n < 1 || n > 31 {
		return 0, false
	}
	switch strings.ToLower(strings.TrimSpace(s[width:])) {
	case "", ".", "日", "号", "號", "일", "st", "nd", "rd", "th", "º", "er", "e", ",":
		return n, true
	}
	return 0, false
}

// dateReading is what a text says of a date. Zero fields are not said.
type dateReading struct {
	year, month, day int
	order            string
}

func (r dateReading) civil() civil { return civil{r.year, r.month, r.day} }

// full reports a day that exists.
func (r dateReading) full() bool { return r.year > 0 && r.month > 0 && r.day > 0 && r.civil().exists() }

// monthYear reads a heading: a month, a year or both. Texts that say more (a
// day, other numbers) are none.
func (w *dateWords) monthYear(s string) (year, month int, ok bool) {
	if len(s) > 60 {
		return 0, 0, false
	}
	if y, m, ok := numericMonth(s); ok {
		return y, m, true
	}
	for _, l := range w.label(cutText(s)) {
		switch {
		case l.day > 0:
			return 0, 0, false
		case l.year > 0 && year == 0:
			year = l.year
		case l.month > 0 && (month == 0 || month == l.month):
			month = l.month
		case l.month > 0 || l.year > 0 && l.year != year:
			return 0, 0, false
		case l.width == 2 && month > 0 && year == 0:
			year = 2000 + l.num
		case l.width > 0:
			return 0, 0, false
		}
	}
	return year, month, year > 0 || month > 0
}

// numericMonth reads 2026-01, 01/2026, 2026.1, "1 / 2026".
func numericMonth(s string) (year, month int, ok bool) {
	var nums []datePart
	for _, p := range cutText(s) {
		switch {
		case p.width > 0:
			nums = append(nums, p)
		case strings.Trim(p.text, " -/.,|·") != "":
			return 0, 0, false
		}
	}
	if len(nums) != 2 {
		return 0, 0, false
	}
	a, b := nums[0], nums[1]
	if a.width < b.width {
		a, b = b, a
	}
	y := fullYear(a.num, a.width)
	if a.width != 4 || y == 0 || b.num < 1 || b.num > 12 {
		return 0, 0, false
	}
	return y, b.num, true
}

// orders are the ways to write three numbers.
var orders = []string{"ymd", "dmy", "mdy"}

// readings are all the dates that a text may mean, at most one for each order
// of its numbers. The text holds one date: more numbers than a date and a time
// of day have make it none.
func (w *dateWords) readings(s string) []dateReading {
	s = cutTime(strings.TrimSpace(plainDigits(s)))
	if r, ok := compactDate(s); ok {
		return []dateReading{r}
	}
	ls := w.label(dropTuesday(cutText(s)))
	var known dateReading
	var nums []dateLabel
	for _, l := range ls {
		switch {
		case l.month > 0 && known.month == 0:
			known.month = l.month
		case l.day > 0 && known.day == 0:
			known.day = l.day
		case l.year > 0 && l.width == 0 && known.year == 0:
			known.year = l.year
		case l.width > 0:
			nums = append(nums, l)
		case l.month > 0 || l.day > 0:
			return nil
		}
	}
	return fit(known, nums)
}

// dropTuesday leaves out "mar" at the head of a text that names another month:
// in French, Spanish and Italian dates it is a Tuesday.
func dropTuesday(parts []datePart) []datePart {
	if len(parts) < 5 || parts[0].text != "mar" {
		return parts
	}
	for _, p := range parts[2:] {
		if p.word && len(p.text) > 2 {
			return parts[1:]
		}
	}
	return parts
}

// fit gives the plain numbers the places that the named parts leave open.
func fit(known dateReading, nums []dateLabel) []dateReading {
	if len(nums) > 3 {
		return nil
	}
	var out []dateReading
	for _, o := range orders {
		r, rest, ok := known, nums, true
		r.order = o
		for _, c := range o {
			taken := c == 'y' && known.year > 0 || c == 'm' && known.month > 0 || c == 'd' && known.day > 0
			if taken || len(rest) == 0 {
				continue
			}
			// A year may be left out: with two numbers there is none.
			if c == 'y' && len(nums) < openParts(known) {
				continue
			}
			ok = ok && r.put(c, rest[0])
			rest = rest[1:]
		}
		if ok && len(rest) == 0 && !contains3(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// openParts counts what of a date is not said.
func openParts(known dateReading) int {
	n := 0
	for _, v := range []int{known.year, known.month, known.day} {
		if v == 0 {
			n++
		}
	}
	return n
}

func contains3(list []dateReading, r dateReading) bool {
	for _, o := range list {
		if o.civil() == r.civil() {
			return true
		}
	}
	return false
}

func (r *dateReading) put(c rune, l dateLabel) bool {
	switch c {
	case 'y':
		r.year = l.year
		if l.width == 2 {
			r.year = 2000 + l.num
		}
		return r.year > 0 && l.width != 1 && l.width != 3
	case 'm':
		r.month = l.num
		return l.num >= 1 && l.num <= 12 && l.width <= 2
	default:
		r.day = l.num
		return l.num >= 1 && l.num <= 31 && l.width <= 2
	}
}

// cutTime takes a time of day off the text.
func cutTime(s string) string {
	i := strings.IndexByte(s, ':')
	if i <= 0 {
		return s
	}
	from := i
	for from > 0 && s[from-1] >= '0' && s[from-1] <= '9' {
		from--
	}
	if from == i {
		return s
	}
	to := i
	for to < len(s) && (s[to] == ':' || s[to] == '.' || s[to] >= '0' && s[to] <= '9') {
		to++
	}
	head, tail := s[:from], s[to:]
	if n := len(head); n > 1 && (head[n-1] == 'T' || head[n-1] == 't') && head[n-2] >= '0' && head[n-2] <= '9' {
		return head[:n-1] // ISO: what follows is the zone
	}
	for _, half := range []string{" am", " pm", "am", "pm", " AM", " PM", "AM", "PM"} {
		if strings.HasPrefix(tail, half) {
			tail = tail[len(half):]
			break
		}
	}
	return strings.TrimSpace(head + " " + tail)
}

// compactDate reads 20260130 and times in seconds or milliseconds since 1970.
func compactDate(s string) (dateReading, bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return dateReading{}, false
		}
	}
	n := int64(0)
	for i := range len(s) {
		n = n*10 + int64(s[i]-'0')
		if i > 14 {
			return dateReading{}, false
		}
	}
	switch len(s) {
	case 8:
		r := dateReading{year: int(n / 10000), month: int(n / 100 % 100), day: int(n % 100), order: "ymd"}
		return r, r.full() && r.year >= 1900 && r.year <= 2200
	case 10, 12, 13:
		if len(s) > 10 {
			n /= 1000
		}
		c := civilOf(time.Unix(n, 0).UTC())
		return dateReading{year: c.Year, month: c.Month, day: c.Day, order: "ymd"}, c.Year >= 1970 && c.Year <= 2200
	}
	return dateReading{}, false
}
