package agent

import (
	"regexp"
	"strings"
	"unicode"
)

// seen is what the pages of a run have shown, and the task: what an answer may
// rest on.
type seen struct {
	task  string
	text  strings.Builder
	facts map[string]bool // numbers and codes that stood on a page
	given map[string]bool // those of the task and of what was typed
	last  string
	flat  string // text without white space, made when asked for
}

func newSeen(task string) *seen {
	s := &seen{task: flat(task), facts: map[string]bool{}, given: map[string]bool{}}
	addFacts(s.given, task)
	return s
}

// page adds the text of an observed page.
func (s *seen) page(text string) {
	if text == s.last {
		return
	}
	s.last, s.flat = text, ""
	s.text.WriteString(text)
	s.text.WriteByte('\n')
	addFacts(s.facts, text)
}

// typed adds what an action put into the page.
func (s *seen) typed(a Action) {
	addFacts(s.given, a.Words())
}

// fact is a number (with its separators) or a code of letters and digits.
var fact = regexp.MustCompile(`\d{1,3}(?:,\d{3})+(?:\.\d+)?|[A-Za-z]*\d[A-Za-z\d]*(?:[.:]\d+)*`)

// addFacts collects the facts of a text: codes in upper case, numbers without
// thousands separators and leading zeros, so that 01 is 1 and 1,280 is 1280. A
// time or decimal counts whole and in its parts.
func addFacts(to map[string]bool, text string) {
	for _, f := range fact.FindAllString(narrow(text), -1) {
		for _, form := range forms(f) {
			to[form] = true
		}
	}
}

func plainFact(f string) string {
	f = strings.ToUpper(strings.ReplaceAll(f, ",", ""))
	if z := strings.TrimLeft(f, "0"); z != "" && unicode.IsDigit(rune(z[0])) {
		f = z
	}
	return f
}

func forms(f string) []string {
	out := []string{plainFact(f)}
	for _, p := range strings.FieldsFunc(f, func(r rune) bool { return r == ':' || r == '.' }) {
		out = append(out, plainFact(p))
	}
	return out
}

// supportShare is the part of an answer's words that must stand on a page. An
// answer may put things into words of its own; codes and numbers it may not.
const supportShare = 0.5

// unsupported says what of the answer has no support on any observed page, ""
// if it is supported or empty. Numbers below ten are not held against it: they
// count things.
func (s *seen) unsupported(answer string) string {
	answer = narrow(answer)
	var bad []string
	found := false
	for _, f := range fact.FindAllString(answer, -1) {
		p := plainFact(f)
		switch {
		case s.facts[p]:
			found = true
		case s.given[p], len(p) == 1:
		default:
			bad = append(bad, f)
		}
	}
	if len(bad) > 0 {
		return "the answer has no support on any page seen: " + strings.Join(bad, ", ")
	}
	if found || s.share(answer) >= supportShare {
		return ""
	}
	return "the answer has no support on any page seen: " + quoted(clip(answer, 80))
}

// share is the part of the answer's words that stand on a page; 1 where it has
// none beyond the task's.
func (s *seen) share(answer string) float64 {
	if s.flat == "" {
		s.flat = flat(s.text.String())
	}
	all, hit := 0, 0
	for _, w := range pieces(answer) {
		if strings.Contains(s.task, w) {
			continue
		}
		all++
		if strings.Contains(s.flat, w) {
			hit++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(hit) / float64(all)
}

// flat is a text in lower case without white space.
func flat(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, narrow(text))
}

// pieces are the words of a text of three letters and more, and the pairs of
// neighbouring characters where words are not set apart (Han, kana).
func pieces(text string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		rs := []rune(strings.ToLower(run))
		if !unicode.In(rs[0], unicode.Han, unicode.Hiragana, unicode.Katakana) {
			if len(rs) > 2 {
				out = append(out, string(rs))
			}
			continue
		}
		for i := 0; i+1 < len(rs); i++ {
			out = append(out, string(rs[i:i+2]))
		}
	}
	return out
}

// narrow replaces the full-width forms of letters, digits and the colon by the
// plain ones.
func narrow(text string) string {
	return strings.Map(func(r rune) rune {
		if p := r - 0xFEE0; p >= '0' && p <= ':' || p >= 'A' && p <= 'Z' || p >= 'a' && p <= 'z' {
			return p
		}
		return r
	}, text)
}
