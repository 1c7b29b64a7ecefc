package locate

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"harness/dom"
)

// takesText is the input of the field that text can be typed into, or nil.
func (p *picker) takesText() *dom.Node {
	if p.field == nil {
		return nil
	}
	var found *dom.Node
	p.field.Walk(func(n *dom.Node) bool {
		if found == nil && n.TakesText() && !n.Facts.Has(dom.ReadOnly) && !n.Disabled() {
			if ok, _ := n.Visible(); ok {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// typeIn types the date in the form that the field shows, and reads it back.
// Where the field does not say its form, the usual ones are tried.
func (p *picker) typeIn(ctx context.Context) error {
	if secs := sections(p.field); secs != nil {
		return p.typeSections(ctx, secs)
	}
	if p.want.isRange {
		return p.unavailable("no calendar opened, and a range cannot be typed into one field")
	}
	in := p.takesText()
	last := ""
	for _, text := range p.writings(in) {
		if err := p.page.Type(ctx, in.Ref, text, true); err != nil {
			return err
		}
		if err := p.page.Press(ctx, in.Ref, "Tab"); err != nil {
			return err
		}
		p.note("type %s", text)
		end := time.Now().Add(finishBy)
		for {
			if err := p.read(ctx); err != nil {
				return err
			}
			n := p.s.ByRef(in.Ref)
			if n == nil {
				return ErrStale
			}
			last = n.Value
			if p.means(last, p.want.from) && (p.want.clock == "" || p.saysClock(last)) && n.Attr("aria-invalid") != "true" {
				p.r.Value, p.r.Effect = last, "the field holds "+last
				p.r.Confidence = min(p.r.Confidence, 85)
				return nil
			}
			if time.Now().After(end) {
				break
			}
			if err := pause(ctx, lookStep*3); err != nil {
				return err
			}
		}
	}
	return &ActError{Verb: "pick", Target: p.r.Target, Err: ErrValueMismatch, Detail: "typed " + p.want.String() + ", but it holds " + quoted(last)}
}

// writings are the ways to write the date, the most likely first.
func (p *picker) writings(in *dom.Node) []string {
	d := p.want.from
	var out []string
	for _, form := range []string{in.Attr("placeholder"), in.Attr("data-format"), in.Attr("data-date-format"), in.Attr("title"), in.Attr("aria-placeholder")} {
		if formOrder(form) != "" {
			out = append(out, writeForm(form, d, p.want.clock))
			out = append(out, digitsOnly(out[0]))
			return out
		}
	}
	tail := ""
	if p.want.clock != "" {
		tail = " " + p.want.clock
	}
	if sep, order := formOfValue(in.Value, p.words); order != "" {
		return []string{writeOrder(order, sep, d) + tail}
	}
	return []string{d.String() + tail, writeOrder(localOrder(p.s.Lang), "/", d) + tail, d.time().Format("2 January 2006") + tail}
}

func digitsOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// formOfValue is the separator and order of the numbers that a value shows.
func formOfValue(v string, words *dateWords) (sep, order string) {
	rs := words.readings(v)
	if len(rs) != 1 || !rs[0].full() {
		return "", ""
	}
	for _, c := range v {
		if c < '0' || c > '9' {
			return string(c), rs[0].order
		}
	}
	return "", rs[0].order
}

// localOrder is the order in which the language writes numbers of a date.
func localOrder(lang string) string {
	switch l := strings.ToLower(lang); {
	case l == "" || l == "en" || strings.HasPrefix(l, "en-us"):
		return "mdy"
	case strings.HasPrefix(l, "zh"), strings.HasPrefix(l, "ja"), strings.HasPrefix(l, "ko"), strings.HasPrefix(l, "hu"), strings.HasPrefix(l, "sv"), strings.HasPrefix(l, "lt"):
		return "ymd"
	}
	return "dmy"
}

func writeOrder(order, sep string, d civil) string {
	var parts []string
	for _, c := range order {
		switch c {
		case 'y':
			parts = append(parts, fmt.Sprintf("%04d", d.Year))
		case 'm':
			parts = append(parts, fmt.Sprintf("%02d", d.Month))
		default:
			parts = append(parts, fmt.Sprintf("%02d", d.Day))
		}
	}
	return strings.Join(parts, sep)
}

var (
	yearForm  = regexp.MustCompile(`(?i)y{4}|a{4}|j{4}|r{4}|г{4}`)
	shortYear = regexp.MustCompile(`(?i)y{2}|a{2}|г{2}`)
	monthForm = regexp.MustCompile(`(?i)m{2,4}|м{2}`)
	dayForm   = regexp.MustCompile(`(?i)d{2}|t{2}|j{2}|g{2}|д{2}`)
	clockForm = regexp.MustCompile(`(?i)h{1,2}:m{1,2}(?::s{1,2})?`)
)

// writeForm puts the date into a form like dd/mm/yyyy.
func writeForm(form string, d civil, clock string) string {
	if clock == "" {
		clock = "00:00"
	}
	form = clockForm.ReplaceAllString(form, "\x00")
	form = yearForm.ReplaceAllString(form, fmt.Sprintf("%04d", d.Year))
	form = monthForm.ReplaceAllStringFunc(form, func(m string) string {
		switch len(m) {
		case 3:
			return d.time().Format("Jan")
		case 4:
			if m == strings.ToUpper(m) || m == strings.ToLower(m) {
				return d.time().Format("January")
			}
		}
		return fmt.Sprintf("%02d", d.Month)
	})
	if !strings.Contains(form, fmt.Sprintf("%04d", d.Year)) {
		form = shortYear.ReplaceAllString(form, fmt.Sprintf("%02d", d.Year%100))
	}
	form = dayForm.ReplaceAllString(form, fmt.Sprintf("%02d", d.Day))
	return strings.ReplaceAll(form, "\x00", clock)
}

// section is one part of a field that takes its date in parts.
type section struct {
	node *dom.Node
	part byte // y, m, d, h, i (minutes), a (half of the day)
}

var sectionWords = []struct {
	part  byte
	words []string
}{
	{'y', append([]string{"yyyy"}, yearWords...)}, {'m', []string{"month", "mm", "月", "monat", "mois", "mes", "mese", "mês", "maand", "miesiąc", "месяц", "شهر", "חודש", "ay", "월"}},
	{'d', []string{"day", "dd", "日", "tag", "jour", "día", "giorno", "dia", "dag", "dzień", "день", "يوم", "יום", "gün", "일"}},
	{'h', []string{"hour", "hh", "时", "時", "stunde", "heure", "hora", "ora", "uur", "godzin", "час", "시"}},
	{'i', []string{"minute", "分", "minuto", "minuut", "минут", "분"}}, {'a', []string{"am/pm", "meridiem", "ampm", "上午/下午"}},
}

// sections are the parts of a field that is typed part by part: spin buttons or
// small inputs named for year, month and day; nil where it is no such field.
func sections(n *dom.Node) []section {
	for up, k := n, 0; up != nil && k < 4; up, k = parentElement(up), k+1 {
		var out []section
		seen := ""
		up.Walk(func(c *dom.Node) bool {
			if c.Role() != "spinbutton" && !(c.Tag == "input" && c.TakesText() && (c.InputType() == "number" || c.Attr("maxlength") == "2" || c.Attr("maxlength") == "4")) {
				return true
			}
			if ok, _ := c.Visible(); !ok || c.Disabled() {
				return true
			}
			if part := partOf(c); part != 0 && !strings.ContainsRune(seen, rune(part)) {
				out, seen = append(out, section{c, part}), seen+string(part)
			}
			return false
		})
		if strings.Contains(seen, "y") && strings.Contains(seen, "m") && strings.Contains(seen, "d") {
			return out
		}
	}
	return nil
}

func partOf(n *dom.Node) byte {
	name := Fold(strings.Join([]string{n.Attr("aria-label"), n.Attr("placeholder"), n.Attr("aria-valuetext"), n.Attr("name"), n.Label()}, " "))
	names := tokens(name)
	for _, s := range sectionWords {
		for _, w := range s.words {
			if w = strings.TrimSpace(w); contained(names, w) || (len(w) > 4 || w[0] >= 0x80) && strings.Contains(name, w) {
				return s.part
			}
		}
	}
	return 0
}

// typeSections types the parts one by one.
func (p *picker) typeSections(ctx context.Context, secs []section) error {
	d := p.want.from
	for _, s := range secs {
		text := ""
		switch s.part {
		case 'y':
			text = fmt.Sprintf("%04d", d.Year)
		case 'm':
			text = fmt.Sprintf("%02d", d.Month)
		case 'd':
			text = fmt.Sprintf("%02d", d.Day)
		default:
			continue
		}
		if err := p.page.Type(ctx, s.node.Ref, text, s.node.Tag == "input"); err != nil {
			return err
		}
		p.note("type %s into %s", text, describe(s.node))
	}
	if err := p.readSoon(ctx); err != nil {
		return err
	}
	values := ""
	for _, s := range secs {
		n := p.s.ByRef(s.node.Ref)
		if n == nil {
			continue
		}
		v := n.Value
		if n.Tag != "input" {
			v = n.InnerText()
		}
		values += v + " "
		want := map[byte]int{'y': d.Year, 'm': d.Month, 'd': d.Day}[s.part]
		if want == 0 {
			continue
		}
		if got := digitsOnly(plainDigits(v)); strings.TrimLeft(got, "0") != fmt.Sprint(want) && p.words.month(Fold(v)) != want {
			return &ActError{Verb: "pick", Target: p.r.Target, Err: ErrValueMismatch, Detail: "typed " + p.want.String() + ", but it holds " + quoted(values)}
		}
	}
	p.r.Value, p.r.Effect = strings.TrimSpace(values), "the field shows "+strings.TrimSpace(values)
	p.r.Confidence = min(p.r.Confidence, 85)
	return nil
}
