package locate

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold is the form in which texts are compared: NFKC, case folded, quotes and
// dashes made plain, soft hyphens and other invisible signs removed, white
// space (non-breaking too) folded to one blank and trimmed.
func Fold(s string) string {
	if plainASCII(s) {
		return foldASCII(s)
	}
	s = cases.Fold().String(norm.NFKC.String(s))
	var b strings.Builder
	space := false
	for _, r := range s {
		r = plainRune(r)
		switch {
		case r < 0:
		case unicode.IsSpace(r):
			space = b.Len() > 0
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func foldASCII(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// plainRune gives typographic variants their plain sign; -1 drops the rune.
func plainRune(r rune) rune {
	switch r {
	case '‘', '’', '‚', '′', '`', '´':
		return '\''
	case '“', '”', '„', '″', '«', '»':
		if r == '«' || r == '»' {
			return r
		}
		return '"'
	case '‐', '‑', '‒', '–', '—', '−':
		return '-'
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\ufe0e', '\ufe0f', '\u200e', '\u200f':
		return -1
	}
	if unicode.Is(unicode.Mn, r) && r >= 0x1f3fb {
		return -1
	}
	return r
}

// bare is a folded text without leading and trailing signs that carry no words:
// "* e-mail:" and "e-mail" are the same label, "🔍 search" and "search" the same
// button. A text of signs alone stays as it is.
func bare(folded string) string {
	t := strings.TrimFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+#%$€£¥@&)(]['\"", r)
	})
	t = strings.TrimSpace(t)
	if t == "" {
		return folded
	}
	// A sign before a number belongs to it: -3 is not 3.
	if i := strings.Index(folded, t); i > 0 && folded[i-1] == '-' && t[0] >= '0' && t[0] <= '9' && (i == 1 || folded[i-2] == ' ') {
		return "-" + t
	}
	return t
}

// isCJK reports scripts that are written without blanks between words.
func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func wordRune(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !isCJK(r) }

// tokens cuts a folded text into words; every CJK run is one token.
func tokens(folded string) []string {
	var out []string
	start, kind := -1, 0
	flush := func(end int) {
		if start >= 0 {
			out = append(out, folded[start:end])
		}
		start, kind = -1, 0
	}
	for i, r := range folded {
		k := 0
		switch {
		case isCJK(r):
			k = 2
		case wordRune(r), strings.ContainsRune("+#", r):
			k = 1
		case r == '\'' && kind == 1, r == '.' && kind == 1:
			k = 1
		}
		if k != kind {
			flush(i)
			if k != 0 {
				start, kind = i, k
			}
		}
	}
	flush(len(folded))
	for i := range out {
		out[i] = strings.TrimRight(out[i], ".'")
	}
	return out
}
