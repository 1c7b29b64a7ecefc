package locate

import (
	"strings"
	"unicode/utf8"
)

// matchKind says how a wanted text meets a text of the page.
type matchKind int

const (
	noMatch  matchKind = iota
	spread             // all the words are there, not side by side
	contains           // it stands in the text, between word borders
	starts             // the text begins with it
	exactly            // the texts are the same
)

// match is a kind and how much of the page's text the wanted one covers (0-1).
type match struct {
	kind  matchKind
	cover float64
}

// matchText compares folded texts. A part of a word is no match: "1 dec" does
// not stand in "21 dec", nor "continue wi" in "continue with google".
func matchText(want, have string) match {
	if want == "" || have == "" {
		return match{}
	}
	if want == have {
		return match{exactly, 1}
	}
	if bw, bh := bare(want), bare(have); bw == bh && bw != "" {
		return match{exactly, 1}
	}
	cover := float64(utf8.RuneCountInString(want)) / float64(utf8.RuneCountInString(have))
	if at := indexWord(have, want); at >= 0 {
		if at == 0 {
			return match{starts, cover}
		}
		return match{contains, cover}
	}
	return match{}
}

// indexWord is the first place where part stands in s between word borders, or -1.
func indexWord(s, part string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], part)
		if i < 0 {
			return -1
		}
		i += from
		if borders(s, i, i+len(part)) {
			return i
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		from = i + size
	}
}

// borders reports whether s[i:j] is cut from s at word borders on both sides. A digit
// beside a digit is no border in any script: 1月 does not stand in 11月.
func borders(s string, i, j int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	first, _ := utf8.DecodeRuneInString(s[i:])
	last, _ := utf8.DecodeLastRuneInString(s[:j])
	after, _ := utf8.DecodeRuneInString(s[j:])
	if i > 0 && wordRune(before) && wordRune(first) {
		return false
	}
	if before == '-' && first >= '0' && first <= '9' && (i < 2 || s[i-2] == ' ') { // -3 is not 3
		return false
	}
	return j >= len(s) || !wordRune(last) || !wordRune(after)
}

// matchSpread reports whether every token of want is a token of one of the texts.
func matchSpread(want []string, texts ...string) bool {
	if len(want) == 0 {
		return false
	}
	for _, w := range want {
		found := false
		for _, t := range texts {
			if indexWord(t, w) >= 0 {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}
