package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"harness/classify"
	"harness/dom"
	"harness/locate"
)

// view prints pages for people: in colour on a terminal, plain elsewhere. The
// first write that fails is kept in err.
type view struct {
	w     io.Writer
	color bool
	err   error
}

func newView(w io.Writer) *view {
	return &view{w: w, color: isTerminal(w) && os.Getenv("NO_COLOR") == ""}
}

// isTerminal reports whether w is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (v *view) printf(format string, args ...any) {
	if v.err == nil {
		_, v.err = fmt.Fprintf(v.w, format, args...)
	}
}

// The few looks that the output uses.
const (
	bold   = "1"
	faint  = "2"
	green  = "32"
	yellow = "33"
	red    = "31"
	cyan   = "36"
)

func (v *view) paint(look, s string) string {
	if !v.color || s == "" {
		return s
	}
	return "\x1b[" + look + "m" + s + "\x1b[0m"
}

// page prints the head: the title and where the page is from.
func (v *view) page(s *dom.Snapshot, from string) {
	title := s.Title
	if title == "" {
		title = "(no title)"
	}
	v.printf("%s", v.paint(bold, title))
	if s.URL != "" && s.URL != from {
		v.printf("  %s", v.paint(faint, s.URL))
	}
	v.printf("\n%s\n", v.paint(faint, from))
}

// Widths of columns.
const (
	nameWidth = 40
	tagWidth  = 18
)

// kinds prints the elements grouped by kind. The days of a calendar share a
// line for each row of them unless all is set.
func (v *view) kinds(s *dom.Snapshot, all, why bool) {
	items := classify.Page(s)
	v.printf("%s\n", v.paint(faint, plural(len(items), "element")))
	counts := map[classify.Kind]int{}
	for _, it := range items {
		counts[it.Kind]++
	}
	var last classify.Kind
	for i := 0; i < len(items); i++ {
		it := items[i]
		if it.Kind != last {
			v.printf("\n%s %s\n", v.paint(bold+";"+cyan, string(it.Kind)), v.paint(faint, fmt.Sprint(counts[it.Kind])))
			last = it.Kind
		}
		if n := dayRun(items[i:]); n > 3 && !all && !why {
			v.days(items[i : i+n])
			i += n - 1
			continue
		}
		v.item(it, why)
	}
}

// dayRun is how many day cells of one calendar follow one another.
func dayRun(items []classify.Item) int {
	n := 0
	for n < len(items) && items[n].Kind == classify.Date && items[n].Day >= 0 && sameGrid(items[0].Node, items[n].Node) {
		n++
	}
	return n
}

// sameGrid reports whether two cells stand in one grid: no more than three
// levels up they meet.
func sameGrid(a, b *dom.Node) bool {
	up := a
	for range 4 {
		if up == nil {
			return false
		}
		if b.Within(up) {
			return true
		}
		up = up.Parent
	}
	return false
}

func (v *view) days(items []classify.Item) {
	var names []string
	least := 100
	for _, it := range items {
		names = append(names, clip(it.Node.InnerText(), 8))
		least = min(least, it.Confidence)
	}
	v.printf("  %s  %s\n", v.confidence(least), clip(fmt.Sprintf("%d days of a calendar: %s", len(items), strings.Join(names, " ")), 100))
}

func (v *view) item(it classify.Item, why bool) {
	n := it.Node
	state := ""
	if n.Disabled() {
		state = v.paint(yellow, " disabled")
	}
	if on, known := n.Checked(); known && on {
		state += v.paint(green, " checked")
	}
	if value := dom.Squash(n.Value); value != "" && value != nameOf(n) && it.Kind != classify.Checkbox && it.Kind != classify.Radio {
		state += v.paint(faint, " = ") + clip(value, 24)
	}
	v.printf("  %s  %s %s%s%s\n", v.confidence(it.Confidence), pad(clip(nameOf(n), nameWidth), nameWidth), v.paint(faint, pad(tagOf(n), tagWidth)), v.paint(faint, boxOf(n.Box)), state)
	if why {
		v.reasons(it.Reasons)
	}
}

func (v *view) reasons(list []string) {
	for _, r := range list {
		v.printf("        %s\n", v.paint(faint, "· "+r))
	}
}

// confidence is the number in the colour of how sure it is.
func (v *view) confidence(c int) string {
	look := green
	switch {
	case c < 50:
		look = red
	case c < 75:
		look = yellow
	}
	return v.paint(look, fmt.Sprintf("%3d", c))
}

// decision prints what became of words: the chosen element, the rest with why
// not, and the refusal.
func (v *view) decision(words string, d locate.Decision) {
	v.printf("\n%s %s\n", v.paint(bold, "find"), words)
	if d.Reading != "" {
		v.printf("%s %s\n", v.paint(faint, "read as"), d.Reading)
	}
	if d.Chosen != nil {
		v.printf("\n%s  %s\n", v.paint(bold+";"+green, "found"), v.paint(faint, "by layer "+string(d.Layer)))
		v.candidate(*d.Chosen)
	}
	rest := d.Candidates
	if d.Chosen != nil && len(rest) > 0 && rest[0].Ref == d.Chosen.Ref {
		rest = rest[1:]
	}
	if len(rest) > 0 {
		v.printf("\n%s\n", v.paint(bold, map[bool]string{true: "other candidates", false: "candidates"}[d.Chosen != nil]))
	}
	for _, c := range rest {
		v.candidate(c)
	}
	if d.Err != nil {
		v.printf("\n%s  %v\n", v.paint(bold+";"+red, strings.ReplaceAll(locate.Kind(d.Err), "_", " ")), d.Err)
	}
}

func (v *view) candidate(c locate.Candidate) {
	name := c.Name
	if name == "" {
		name = c.Text
	}
	v.printf("  %s  %s %s %s\n", v.confidence(c.Score), pad(string(c.Kind), 9), pad(clip(dom.Squash(name), nameWidth), nameWidth), v.paint(faint, boxOf(c.Box)))
	if c.Locator != "" {
		v.printf("        %s\n", v.paint(cyan, c.Locator))
	}
	if c.Frame != "" {
		v.printf("        %s\n", v.paint(faint, "in "+c.Frame))
	}
	v.reasons(c.Reasons)
	if c.Refused != "" {
		v.printf("        %s\n", v.paint(yellow, "not taken: "+c.Refused))
	}
}

func tagOf(n *dom.Node) string {
	s := n.Tag
	if id := n.Attr("id"); id != "" {
		s += "#" + id
	} else if r := n.Attr("role"); r != "" {
		s += "[" + r + "]"
	}
	return clip(s, tagWidth)
}

func boxOf(b dom.Rect) string {
	if b.Empty() {
		return ""
	}
	return fmt.Sprintf("%.0f,%.0f %.0f×%.0f", b.X, b.Y, b.W, b.H)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// columns is the width of s on a terminal: characters of East Asian scripts and
// signs take two columns, marks none.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x20, r >= 0x300 && r <= 0x36f, r == 0x200b, r == 0x200d, r >= 0xfe00 && r <= 0xfe0f:
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// clip shortens s to the columns, with a mark that it did.
func clip(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += runeColumns(r); n > width-1 {
			return s[:i] + "…"
		}
	}
	return s
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-columns(s)))
}
