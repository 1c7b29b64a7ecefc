package vision

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The reader of almost-JSON. Models write JSON, Python literals and things
// between; what is read here has one meaning only: quotes of either kind,
// None and True, tuples, trailing commas, bare keys, quotes inside a string
// that are not escaped, and an object that opens with a bracket. Numbers are
// never repaired: a list that is cut off is an error with its place.

// syntaxError is text that cannot be read, at a byte of it.
type syntaxError struct {
	text   string
	at     int
	reason string
}

func (e *syntaxError) Error() string {
	at := min(e.at, len(e.text))
	before := e.text[:at]
	line := 1 + strings.Count(before, "\n")
	col := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return fmt.Sprintf("line %d, column %d: %s", line, col, e.reason)
}

// maxDepth bounds the nesting of an answer.
const maxDepth = 32

type lenient struct {
	s     string
	i     int
	depth int
}

// readValue reads the value at the start of s (after space) and says where it
// ends. Objects are map[string]any, lists and tuples []any, numbers float64.
func readValue(s string, from int) (v any, end int, err error) {
	p := &lenient{s: s, i: from}
	v, err = p.value()
	return v, p.i, err
}

func (p *lenient) fail(format string, args ...any) error {
	return &syntaxError{p.s, p.i, fmt.Sprintf(format, args...)}
}

func (p *lenient) space() {
	for p.i < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[p.i:])
		if !unicode.IsSpace(r) && r != '\ufeff' {
			return
		}
		p.i += n
	}
}

func (p *lenient) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *lenient) value() (any, error) {
	p.space()
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("nested too deep")
	}
	defer func() { p.depth-- }()
	switch c := p.peek(); {
	case p.i >= len(p.s):
		return nil, p.fail("the answer ends where a value should stand")
	case c == '{':
		return p.object()
	case c == '[' && p.keyFollows():
		return p.object()
	case c == '[' || c == '(':
		return p.list()
	case c == '"' || c == '\'':
		return p.str()
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		return p.number()
	default:
		return p.word()
	}
}

// keyFollows reports whether the bracket at p opens an object by mistake.
func (p *lenient) keyFollows() bool {
	q := &lenient{s: p.s, i: p.i + 1}
	q.space()
	if c := q.peek(); c != '"' && c != '\'' {
		return false
	}
	if _, err := q.str(); err != nil {
		return false
	}
	q.space()
	return q.peek() == ':'
}

func (p *lenient) object() (any, error) {
	opened := p.peek()
	p.i++
	m := map[string]any{}
	for {
		p.space()
		if c := p.peek(); c == '}' || c == ']' && opened == '[' {
			p.i++
			return m, nil
		}
		k, err := p.key()
		if err != nil {
			return nil, err
		}
		if p.space(); p.peek() != ':' {
			return nil, p.fail("a colon should follow the key %q", k)
		}
		p.i++
		if m[k], err = p.value(); err != nil {
			return nil, err
		}
		if err := p.comma("}", opened == '['); err != nil {
			return nil, err
		}
	}
}

func (p *lenient) key() (string, error) {
	if c := p.peek(); c == '"' || c == '\'' {
		return p.str()
	}
	start := p.i
	for p.i < len(p.s) && (isWord(p.s[p.i])) {
		p.i++
	}
	if start == p.i {
		return "", p.fail("a key should stand here")
	}
	return p.s[start:p.i], nil
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// comma takes the comma after a member, or leaves the closing bracket.
func (p *lenient) comma(closing string, bracketToo bool) error {
	p.space()
	c := p.peek()
	switch {
	case p.i >= len(p.s):
		return p.fail("the answer ends before %s", closing)
	case c == ',':
		p.i++
		return nil
	case strings.IndexByte(closing, c) >= 0 || bracketToo && c == ']':
		return nil
	}
	return p.fail("a comma or %s should stand here", closing)
}

func (p *lenient) list() (any, error) {
	closing := "]"
	if p.peek() == '(' {
		closing = ")"
	}
	p.i++
	out := []any{}
	for {
		p.space()
		if p.peek() == closing[0] {
			p.i++
			return out, nil
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if err := p.comma(closing, false); err != nil {
			return nil, err
		}
	}
}

func (p *lenient) number() (any, error) {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte("+-.eE0123456789", p.s[p.i]) >= 0 {
		p.i++
	}
	f, err := strconv.ParseFloat(p.s[start:p.i], 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		bad := p.s[start:p.i]
		p.i = start
		return nil, p.fail("%q is no number", bad)
	}
	return f, nil
}

func (p *lenient) word() (any, error) {
	start := p.i
	for p.i < len(p.s) && isWord(p.s[p.i]) {
		p.i++
	}
	switch strings.ToLower(p.s[start:p.i]) {
	case "null", "none", "nil", "undefined":
		return nil, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	p.i = start
	return nil, p.fail("%q is no value", clip(p.s[start:], 20))
}

// str reads a string. A quote inside it that is not escaped belongs to it
// unless what follows could only follow a string.
func (p *lenient) str() (string, error) {
	quote, start := p.peek(), p.i
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == '\\' && p.i+1 < len(p.s):
			p.i++
			p.escape(&b)
		case c == quote && p.closes(p.i+1):
			p.i++
			return b.String(), nil
		default:
			b.WriteByte(c)
			p.i++
		}
	}
	p.i = start
	return "", p.fail("the string that opens here does not end")
}

// escapes are the letters after a backslash that stand for others.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

func (p *lenient) escape(b *strings.Builder) {
	c := p.s[p.i]
	if c == 'u' && p.i+4 < len(p.s) {
		if n, err := strconv.ParseUint(p.s[p.i+1:p.i+5], 16, 16); err == nil {
			b.WriteRune(rune(n))
			p.i += 5
			return
		}
	}
	if e, ok := escapes[c]; ok {
		c = e
	}
	b.WriteByte(c)
	p.i++
}

// closes reports whether a quote before i can end a string: a bracket, a
// colon, the end, or a comma with a value or key after it.
func (p *lenient) closes(i int) bool {
	rest := strings.TrimLeft(p.s[i:], " \t\r\n")
	if rest == "" || strings.IndexByte("}]):", rest[0]) >= 0 {
		return true
	}
	if rest[0] != ',' {
		return false
	}
	rest = strings.TrimLeft(rest[1:], " \t\r\n")
	return rest == "" || strings.IndexByte("\"'{[(}])-.0123456789", rest[0]) >= 0 || literal(rest)
}

// literal reports whether s begins with a word that is a value, a bare key, or
// the name of an argument.
func literal(s string) bool {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	switch strings.ToLower(s[:n]) {
	case "null", "none", "true", "false":
		return true
	}
	after := strings.TrimLeft(s[n:], " ")
	return n > 0 && after != "" && (after[0] == ':' || after[0] == '=')
}
