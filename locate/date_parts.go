package locate

import (
	"strings"
	"unicode"
)

// datePart is a piece of a text about dates: a number, a word, or what stands
// between them.
type datePart struct {
	text  string // folded
	num   int    // value where it is a number
	width int    // digits of the number, 0 for words and signsOnly
	word  bool
}

// cutText cuts a text into numbers, words and signsOnly; Han signsOnly are one datePart each.
func cutText(s string) []datePart {
	s = Fold(plainDigits(s))
	var out []datePart
	kind := func(r rune) int {
		switch {
		case r >= '0' && r <= '9':
			return 1
		case unicode.In(r, unicode.Han):
			return 0
		case unicode.IsLetter(r), unicode.IsMark(r):
			return 2
		case r == ' ':
			return 3
		}
		return 0
	}
	last := 0
	for _, r := range s {
		k := kind(r)
		if k == 0 || k != last || len(out) == 0 {
			out = append(out, datePart{})
		}
		p := &out[len(out)-1]
		p.text += string(r)
		if k == 1 && p.width < 14 {
			p.num = p.num*10 + int(r-'0')
			p.width++
		}
		p.word = k == 2 || k == 0 && unicode.IsLetter(r)
		last = k
	}
	return out
}

var hanNumbers = map[string]int{"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "元": 1}

// dateLabel is a number or month with what it is known to be.
type dateLabel struct {
	year, month, day int // 0: not this
	num, width       int // of a plain number
	sign             string
}

// label reads each datePart: month words, numbers with 年 月 日 behind them, years.
func (w *dateWords) label(parts []datePart) []dateLabel {
	var out []dateLabel
	words := 0
	for _, p := range parts {
		if p.word {
			words++
		}
	}
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		switch {
		case p.width > 0:
			l, skip := labelNumber(parts, i)
			out = append(out, l)
			i += skip
		case hanNumbers[p.text] > 0:
			n, used := hanNumber(parts[i:])
			if partAt(parts, i+used).text == "月" {
				out = append(out, dateLabel{month: n})
				i += used
			}
		case p.word && isMonthWordParts(parts, i):
			// tháng 1
			out = append(out, dateLabel{month: parts[i+2].num})
			i += 2
		case p.word:
			read := w.surely
			if words == 1 {
				read = w.month
			}
			if m := read(strings.TrimRight(p.text, ".")); m > 0 {
				out = append(out, dateLabel{month: m})
			}
		default:
			out = append(out, dateLabel{sign: strings.TrimSpace(p.text)})
		}
	}
	return out
}

func isMonthWordParts(parts []datePart, i int) bool {
	return parts[i].text == "tháng" && partAt(parts, i+2).width > 0 && partAt(parts, i+2).num <= 12
}

func partAt(parts []datePart, i int) datePart {
	if i < 0 || i >= len(parts) {
		return datePart{}
	}
	return parts[i]
}

// hanNumber reads 一 … 十二.
func hanNumber(parts []datePart) (n, used int) {
	for used < len(parts) && hanNumbers[parts[used].text] > 0 {
		v := hanNumbers[parts[used].text]
		if v == 10 && n > 0 {
			n *= 10
		} else {
			n += v
		}
		used++
	}
	return n, used
}

// labelNumber reads the number at i with the sign behind it.
func labelNumber(parts []datePart, i int) (dateLabel, int) {
	p := parts[i]
	next, skip := partAt(parts, i+1), 1
	if next.text == " " {
		next, skip = partAt(parts, i+2), 2
	}
	switch next.text {
	case "年", "년":
		return dateLabel{year: fullYear(eraYear(parts, i), p.width)}, skip
	case "月", "월":
		if p.num >= 1 && p.num <= 12 {
			return dateLabel{month: p.num}, skip
		}
	case "日", "号", "號", "일":
		if p.num >= 1 && p.num <= 31 {
			return dateLabel{day: p.num}, skip
		}
	}
	if p.width == 4 {
		if y := fullYear(p.num, 4); y > 0 {
			return dateLabel{year: y, num: p.num, width: 4}, 0
		}
	}
	return dateLabel{num: p.num, width: p.width}, 0
}

// eraYear adds the Japanese era that stands before the number.
func eraYear(parts []datePart, i int) int {
	two := partAt(parts, i-2).text + partAt(parts, i-1).text
	switch two {
	case "令和":
		return 2018 + parts[i].num
	case "平成":
		return 1988 + parts[i].num
	case "民國", "民国":
		return 1911 + parts[i].num
	}
	return parts[i].num
}

// fullYear is the Gregorian year of a written one; 0 where it is none. Years
// of the Buddhist era are 543 ahead.
func fullYear(n, width int) int {
	switch {
	case n >= 1900 && n <= 2200:
		return n
	case n >= 2443 && n <= 2743:
		return n - 543
	case width == 2 && n < 100:
		return 2000 + n
	}
	return 0
}
