package locate

import (
	"regexp"
	"slices"
	"strings"

	"harness/dom"
)

// verdictOf is what the field, or the grid of an inline calendar, says after a pick.
type verdictOf struct {
	held    bool   // what was asked for
	other   bool   // a date, but another one
	changed bool   // not what it showed before
	text    string // what it shows
}

// verdict reads the field back. A calendar without a field is asked for its
// chosen days.
func (p *picker) verdict() verdictOf {
	if p.inline || p.fieldRef.IsZero() {
		return p.chosenDays()
	}
	texts := p.shown()
	if p.want.isRange && p.field != nil && !p.says(texts) {
		if up := rangeGroup(p.field); up != nil {
			if both := shownIn(up); p.says(both) {
				texts = both
			}
		}
	}
	v := verdictOf{text: strings.Join(texts, " – ")}
	v.changed = strings.Join(texts, " ") != p.fieldWas
	if p.field == nil || v.text == "" {
		if c := p.calendar(); c != nil && p.field == nil {
			return p.chosenDays()
		}
		return v
	}
	v.held = p.says(texts)
	v.other = !v.held && v.changed && p.saysDate(texts)
	return v
}

// says reports that the texts mean what was asked for.
func (p *picker) says(texts []string) bool {
	if p.want.clock != "" && !slices.ContainsFunc(texts, p.saysClock) {
		return false
	}
	if p.want.dateless {
		return true
	}
	if !p.want.isRange {
		return slices.ContainsFunc(texts, func(t string) bool { return p.means(t, p.want.from) })
	}
	whole := strings.Join(texts, " – ")
	if len(texts) >= 2 {
		for i := 1; i < len(texts); i++ {
			if p.means(texts[i-1], p.want.from) && p.means(texts[i], p.want.to) {
				return true
			}
		}
	}
	return slices.ContainsFunc(append(texts, whole), p.saysRange)
}

// rangeSigns part the ends of a range.
var rangeSigns = regexp.MustCompile(`\s+(?:to|bis|au|al|a|até|tot|do|по|إلى|עד|ile)\s+|\s*[–—~→至到〜～]\s*|\s+-\s+|\s*-\s*`)

func (p *picker) saysRange(text string) bool {
	for _, at := range rangeSigns.FindAllStringIndex(text, -1) {
		a, b := text[:at[0]], text[at[1]:]
		if p.means(a, p.want.from) && p.means(b, p.want.to) {
			return true
		}
		// "28–31 January 2026": the first end borrows what it does not say.
		if p.want.from.in() == p.want.to.in() && p.means(b, p.want.to) {
			if d, ok := dayNum(a); ok && d == p.want.from.Day {
				return true
			}
		}
	}
	return false
}

// means reports that the text can be read as the day, in the order of numbers
// that the field is known to have. The year may be left out.
func (p *picker) means(text string, d civil) bool {
	rs := p.words.readings(text)
	for _, r := range rs {
		if len(rs) > 1 && p.order != "" && r.order != p.order && ambiguous(rs) {
			continue
		}
		if r.day == d.Day && r.month == d.Month && (r.year == 0 || r.year == d.Year) {
			return true
		}
	}
	return false
}

// ambiguous reports readings that differ in more than what is not said.
func ambiguous(rs []dateReading) bool {
	n := 0
	for _, r := range rs {
		if r.day > 0 && r.month > 0 {
			n++
		}
	}
	return n > 1
}

// saysDate reports that any of the texts is a date, or holds one beside a sign
// that parts the ends of a range.
func (p *picker) saysDate(texts []string) bool {
	return slices.ContainsFunc(texts, func(t string) bool {
		if p.isDate(t) {
			return true
		}
		return slices.ContainsFunc(rangeSigns.FindAllStringIndex(t, -1), func(at []int) bool { return p.isDate(t[:at[0]]) || p.isDate(t[at[1]:]) })
	})
}

func (p *picker) isDate(s string) bool {
	return slices.ContainsFunc(p.words.readings(s), func(r dateReading) bool {
		return r.day > 0 && r.month > 0 && (r.year == 0 || r.full())
	})
}

var clockText = regexp.MustCompile(`(\d{1,2})\s*[:.時时]\s*(\d{2})(?:\s*[:.分]\s*\d{2})?\s*([ap]\.?m\.?|上午|下午)?`)

// saysClock reports a time of day in the text that is the one asked for.
func (p *picker) saysClock(text string) bool {
	text = strings.ToLower(plainDigits(text))
	for _, m := range clockText.FindAllStringSubmatch(text, -1) {
		t := m[1] + ":" + m[2]
		half := strings.ReplaceAll(m[3], ".", "")
		if strings.Contains(text, "下午") {
			half = "pm"
		} else if strings.Contains(text, "上午") {
			half = "am"
		}
		if half == "am" || half == "pm" {
			t += " " + half
		}
		if c, err := readClock(t); err == nil && c == p.want.clock {
			return true
		}
	}
	return false
}

// shown are the texts and values of the field.
func (p *picker) shown() []string {
	if p.field == nil {
		return nil
	}
	return shownIn(p.field)
}

func shownIn(n *dom.Node) []string {
	var out []string
	add := func(s string) {
		if s = dom.Squash(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if n.TakesText() && n.Tag != "div" && n.Tag != "span" {
		add(n.Value)
		return out
	}
	n.Walk(func(c *dom.Node) bool {
		switch c.Tag {
		case "input", "textarea":
			if t := c.InputType(); t != "checkbox" && t != "radio" && t != "button" && t != "submit" {
				out = append(out, dom.Squash(c.Value))
			}
			return false
		}
		return true
	})
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" })
	add(plainDigits(n.InnerText()))
	n.Walk(func(c *dom.Node) bool { // a value beside its label
		if c != n && c.IsElement() && len(elementsOf(c)) == 0 {
			if t := plainDigits(c.InnerText()); strings.ContainsAny(t, "0123456789") {
				add(t)
			}
		}
		return true
	})
	return out
}

// rangeGroup is the element that holds the field and the one for the other end;
// nil where the field is alone.
func rangeGroup(n *dom.Node) *dom.Node {
	for up, k := n, 0; up != nil && k < 5 && up.Tag != "body"; up, k = parentElement(up), k+1 {
		fields := 0
		up.Walk(func(c *dom.Node) bool {
			if c.Tag == "input" && c.TakesText() {
				if ok, _ := c.Visible(); ok {
					fields++
				}
			}
			return true
		})
		if fields == 2 {
			return up
		}
		if fields > 2 {
			return nil
		}
	}
	return nil
}

// chosenDays reads the chosen days off the grid: days that say they are chosen,
// or that look otherwise than before they were pressed.
func (p *picker) chosenDays() verdictOf {
	c := p.calendar()
	if c == nil {
		return verdictOf{}
	}
	ends := []civil{p.want.from}
	if p.want.isRange {
		ends = append(ends, p.want.to)
	}
	v := verdictOf{held: true}
	seen := 0
	for _, d := range ends {
		m := c.month(d.in())
		if m == nil {
			continue
		}
		seen++
		cell := c.cell(m, d.Day)
		now := look(cell.node)
		chosen := cell.selected || p.looks[d] != "" && now != p.looks[d] && !saysUnchosen(cell.node)
		v.held = v.held && chosen
		v.changed = v.changed || now != p.looks[d]
	}
	if seen == 0 {
		return verdictOf{}
	}
	v.text = p.want.String()
	if !v.held {
		v.text = ""
		if days := c.selectedDays(); len(days) > 0 && !p.want.isRange {
			v.other, v.text = true, days[0].String()
		}
	}
	return v
}

// saysUnchosen reports a day that says in so many words that it is not chosen.
func saysUnchosen(n *dom.Node) bool {
	no := false
	n.Walk(func(c *dom.Node) bool {
		no = no || c.Attr("aria-selected") == "false" || c.Attr("aria-pressed") == "false"
		return !no
	})
	return no && !markedPlace(n)
}

// selectedDays are the days that say they are chosen.
func (c *calendar) selectedDays() []civil {
	var out []civil
	for i := range c.months {
		m := &c.months[i]
		for d := 1; m.is > 0 && d <= m.length; d++ {
			if s := m.at(d); s != nil && markedPlace(s.node) {
				out = append(out, m.is.day(d))
			}
		}
	}
	return out
}

var orderForms = regexp.MustCompile(`(?i)y{2,4}|a{4}|j{4}|r{4}|г{2,4}|年|m{1,3}|м{2}|月|d{1,2}|t{2}|j{2}|g{2}|д{2}|日`)

// orderOf is the order of day, month and year that the field's placeholder,
// pattern or sections show; "" where they do not tell.
func orderOf(n *dom.Node) string {
	if n == nil {
		return ""
	}
	for _, s := range []string{n.Attr("placeholder"), n.Attr("data-format"), n.Attr("data-date-format"), n.Attr("aria-placeholder"), n.Attr("title"), n.InnerText()} {
		if o := formOrder(s); o != "" {
			return o
		}
	}
	return ""
}

// formOrder reads "dd/mm/yyyy" as "dmy".
func formOrder(s string) string {
	if len(s) > 40 {
		return ""
	}
	order := ""
	for _, f := range orderForms.FindAllString(s, -1) {
		c := ""
		switch r := []rune(strings.ToLower(f)); {
		case r[0] == 'y' || r[0] == 'a' || r[0] == 'r' || r[0] == 'г' || r[0] == '年' || r[0] == 'j' && len(r) == 4:
			c = "y"
		case r[0] == 'm' || r[0] == 'м' || r[0] == '月':
			c = "m"
		default:
			c = "d"
		}
		if !strings.Contains(order, c) {
			order += c
		}
	}
	if slices.Contains(orders, order) {
		return order
	}
	return ""
}
