package agent

import (
	"fmt"
	"slices"
	"strings"

	"harness/classify"
	"harness/dom"
)

// How much of a page goes into an observation. What lies beyond is counted.
const (
	maxText    = 2400 // characters of text beside the elements
	maxOutside = 30   // controls above and below the viewport that are listed
	maxAKind   = 60   // elements of one kind in the viewport
)

// fences around what comes from the page; the page cannot write them.
const (
	fenceOpen  = "<<<page"
	fenceClose = "page>>>"
)

func unfence(s string) string {
	s = strings.ReplaceAll(s, "<<<", "‹‹‹")
	return strings.ReplaceAll(s, ">>>", "›››")
}

// Render writes the observation for a model. The same page gives the same text.
func (o *Observation) Render() string {
	var b strings.Builder
	b.WriteString(fenceOpen + "\n")
	fmt.Fprintf(&b, "address: %s\ntitle: %s\n", unfence(o.URL), unfence(o.Title))
	b.WriteString(o.position())
	o.renderElements(&b)
	if t := stillText(unfence(o.Text)); t != "" {
		b.WriteString("text in view:\n" + t + "\n")
	}
	b.WriteString(fenceClose)
	return b.String()
}

// position says how much of the page lies above and below what is seen.
func (o *Observation) position() string {
	h := o.Viewport.H
	if h <= 0 || o.Height <= h+1 {
		return ""
	}
	above, below := 0, 0
	for _, e := range o.Elements {
		switch e.Where {
		case Above:
			above++
		case Below:
			below++
		}
	}
	y := o.Viewport.Y
	return fmt.Sprintf("above the view: %.1f screens, %d elements; below: %.1f screens, %d elements\n",
		y/h, above, max(0, o.Height-y-h)/h, below)
}

func (o *Observation) renderElements(b *strings.Builder) {
	outside := 0
	for _, kind := range classify.Kinds {
		var lines []string
		more := 0
		for _, e := range o.Elements {
			if e.Kind != kind {
				continue
			}
			if e.Where != Inside {
				if !control(kind) || outside >= maxOutside {
					continue
				}
				outside++
			}
			if len(lines) == maxAKind {
				more++
				continue
			}
			lines = append(lines, stillText(unfenceLine(e)))
		}
		if len(lines) == 0 {
			continue
		}
		b.WriteString(string(kind) + "\n" + strings.Join(lines, "\n") + "\n")
		if more > 0 {
			fmt.Fprintf(b, "and %d more of this kind\n", more)
		}
	}
}

func unfenceLine(e Element) string {
	e.Name, e.Value, e.Options = unfence(e.Name), unfence(e.Value), slices.Clone(e.Options)
	for i, o := range e.Options {
		e.Options[i] = unfence(o)
	}
	line := e.line(false)
	switch e.Where {
	case Above:
		line += " ↑"
	case Below:
		line += " ↓"
	}
	return line
}

// control reports whether elements of the kind are worth a line though they
// are out of view: parts of forms are, links are not.
func control(k classify.Kind) bool {
	switch k {
	case classify.Link, classify.Option, classify.Menu, classify.Other:
		return false
	}
	return true
}

// line is the element in text form: [12]<button>搜索</button>. The bare form,
// without number, serves to tell pages apart.
func (e Element) line(bare bool) string {
	var b strings.Builder
	if !bare {
		fmt.Fprintf(&b, "[%d]", e.N)
	}
	tag, _, _ := strings.Cut(e.Tag, " ")
	b.WriteString("<" + e.Tag)
	if e.Value != "" {
		b.WriteString(` value="` + e.Value + `"`)
	}
	if len(e.Options) > 0 {
		b.WriteString(` options="` + strings.Join(e.Options, " | ") + `"`)
	}
	if e.Class != "" {
		b.WriteString(` class="` + e.Class + `"`)
	}
	for _, s := range e.States {
		b.WriteString(" " + s)
	}
	b.WriteString(">" + e.Name + "</" + tag + ">")
	if e.Frame != "" {
		b.WriteString(" in " + e.Frame)
	}
	return b.String()
}

// around is the text in view that belongs to no listed element, one line a row.
func (o *Observation) around(listed map[*dom.Node]bool) string {
	w := &textWalk{o: o, listed: listed, named: map[string]bool{}}
	for _, e := range o.Elements {
		w.named[e.Name] = true
	}
	if o.Snapshot.Root != nil {
		w.walk(o.Snapshot.Root)
	}
	w.flush()
	return clipText(strings.Join(w.lines, "\n"), maxText)
}

type textWalk struct {
	o      *Observation
	listed map[*dom.Node]bool
	named  map[string]bool // texts that stand at an element already
	lines  []string
	row    []string
	box    dom.Rect // of the last piece of the row
}

func (w *textWalk) walk(n *dom.Node) {
	if w.listed[n] || skipsText(n.Tag) {
		return
	}
	if n.Tag == dom.TextTag {
		w.text(n)
		return
	}
	for _, c := range n.Children {
		w.walk(c)
	}
}

func skipsText(tag string) bool {
	switch tag {
	case "script", "style", "noscript", "template", "head", "select", "textarea", "svg":
		return true
	}
	return false
}

func (w *textWalk) text(n *dom.Node) {
	text := dom.Squash(n.Text)
	if text == "" || w.named[text] || n.Parent == nil || w.o.where(n.Parent.Box) != Inside {
		return
	}
	if ok, _ := n.Visible(); !ok {
		return
	}
	box := n.Parent.Box
	if len(w.row) > 0 && !sameRow(w.box, box) {
		w.flush()
	}
	w.row, w.box = append(w.row, text), box
}

// sameRow reports whether two boxes stand beside each other. Without boxes
// (saved pages) every text is a row of its own.
func sameRow(a, b dom.Rect) bool {
	if a.Empty() || b.Empty() {
		return false
	}
	mid := b.Y + b.H/2
	return mid >= a.Y && mid < a.Bottom() || a.Y+a.H/2 >= b.Y && a.Y+a.H/2 < b.Bottom()
}

// flush ends a row. A row that repeats the one before it is left out.
func (w *textWalk) flush() {
	if len(w.row) == 0 {
		return
	}
	line := strings.Join(w.row, " ")
	if len(w.lines) == 0 || w.lines[len(w.lines)-1] != line {
		w.lines = append(w.lines, line)
	}
	w.row = nil
}

func clipText(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + fmt.Sprintf("\n… %d more characters in view", len(r)-n)
}
