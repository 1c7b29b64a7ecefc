package agent

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// quotes are the pairs of quotation marks that are respected.
var quotes = map[rune]rune{'"': '"', '“': '”', '「': '」', '『': '』', '‘': '’', '«': '»', '《': '》'}

// breaks end a clause wherever they stand outside quotes; a point or comma
// between digits does not.
const breaks = ",，;；。、\n"

// joints end a clause where a verb follows.
var joints = regexp.MustCompile(`(?i)^(?:\s+(?:and\s+then|then|and|after\s+that|finally)\s+|\s*(?:然后|接着|随后|之后|再|并且|并|最后)\s*)`)

// fillers stand before the verb and say nothing.
var fillers = regexp.MustCompile(`(?i)^(?:(?:please|now|first|then|next|and|finally|afterwards|after that|lastly|go ahead and|i want (?:you )?to|can you|could you)[\s,]+|请(?:你|您)?|首先|先|帮我|麻烦(?:你|您)?|然后|接着|随后|之后|再|并且|并|最后|我(?:想|要))\s*`)

// clauses splits a task into its clauses. Text in quotes is never split.
func clauses(task string) []string {
	var out []string
	rest := strings.TrimSpace(task)
	for rest != "" {
		end, after := clauseEnd(rest)
		out = addClause(out, rest[:end])
		rest = rest[after:]
	}
	return out
}

// addClause appends a clause; a piece that only goes on with a date (", 2026")
// belongs to the one before it.
func addClause(out []string, piece string) []string {
	piece = trimClause(piece)
	if piece == "" {
		return out
	}
	if len(out) > 0 && yearFirst.MatchString(piece) && !startsWithVerb(piece) {
		out[len(out)-1] += ", " + piece
		return out
	}
	return append(out, piece)
}

var yearFirst = regexp.MustCompile(`^(?:19|20)\d\d\b`)

func trimClause(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), ".!！ ")
	for {
		t := strings.TrimSpace(fillers.ReplaceAllString(s, ""))
		if t == s || t == "" {
			return s
		}
		s = t
	}
}

// clauseEnd is where the first clause of s ends, and where the next begins.
func clauseEnd(s string) (end, after int) {
	var closing rune
	for i, r := range s {
		switch {
		case closing != 0:
			if r == closing {
				closing = 0
			}
			continue
		case quotes[r] != 0 && strings.ContainsRune(s[i+utf8.RuneLen(r):], quotes[r]):
			closing = quotes[r]
			continue
		case strings.ContainsRune(breaks, r) && !betweenDigits(s, i):
			return i, i + utf8.RuneLen(r)
		case r == '.' && i+1 < len(s) && s[i+1] == ' ' && startsWithVerb(trimClause(s[i+1:])):
			return i, i + 1
		}
		if i == 0 {
			continue
		}
		if m := joints.FindString(s[i:]); m != "" && startsClause(s[i+len(m):]) {
			return i, i + len(m)
		}
	}
	return len(s), len(s)
}

// startsClause reports whether what follows an "and" is a clause of its own: it
// begins with a verb that has an object, or needs none ("go back"). In "I have
// read and accept" it is part of a name.
func startsClause(s string) bool {
	end := strings.IndexAny(s, breaks)
	if end < 0 {
		end = len(s)
	}
	s = trimClause(s[:end])
	if !startsWithVerb(s) {
		return false
	}
	if strings.Contains(s, " ") || s[0] >= utf8.RuneSelf {
		return true
	}
	_, err := readClause(s)
	return err == nil
}

func betweenDigits(s string, i int) bool {
	digit := func(j int) bool { return j >= 0 && j < len(s) && s[j] >= '0' && s[j] <= '9' }
	return s[i] == ',' && digit(i-1) && digit(i+1)
}

// unquote takes the quotation marks off a text that stands in a pair of them
// (straight single ones too) and reports whether it did.
func unquote(s string) (string, bool) {
	s = strings.TrimSpace(s)
	first, n := utf8.DecodeRuneInString(s)
	last, m := utf8.DecodeLastRuneInString(s)
	if len(s) < n+m {
		return s, false
	}
	if closing := quotes[first]; closing != 0 && closing == last || first == '\'' && last == '\'' {
		return s[n : len(s)-m], true
	}
	return s, false
}
