package agent

import (
	"context"
	"hash/fnv"
	"regexp"
	"strings"
	"time"

	"harness/classify"
	"harness/dom"
	"harness/locate"
)

// Observation is what a policy gets to see of the page. It holds nothing that
// differs between two looks at the same page.
type Observation struct {
	URL      string
	Title    string
	Now      time.Time // the page's clock, in the page's zone
	Viewport dom.Rect
	Height   float64 // CSS px of the whole document
	Elements []Element
	// Text is the text in the viewport beside the elements, a line a row.
	Text string
	// Snapshot is the page whole.
	Snapshot *dom.Snapshot
}

// Element is a numbered element of an observation.
type Element struct {
	N          int // stays with the element over the run
	Ref        dom.Ref
	Kind       classify.Kind
	Confidence int
	Tag        string // for people: button, a, calendar
	Name       string
	Value      string
	Options    []string // the first of a select's
	Class      string   // the first class of an element that says nothing else
	States     []string // checked, selected, disabled, …
	Box        dom.Rect
	Where      Where
	Frame      string // path of frames, "" for the main one
}

// Where says on which side of the viewport something lies.
type Where int

// The three places.
const (
	Inside Where = iota
	Above
	Below
)

// Blank reports whether the page shows nothing at all.
func (o *Observation) Blank() bool {
	return len(o.Elements) == 0 && strings.TrimSpace(o.Text) == ""
}

// running are times with seconds: clocks and countdowns move by themselves.
var running = regexp.MustCompile(`\b\d{1,2}:\d{2}:\d{2}\b`)

// still masks what moves by itself.
func stillText(s string) string { return running.ReplaceAllString(s, "--:--:--") }

// Fingerprint tells pages apart: two observations with the same one show a
// person the same, clocks apart.
func (o *Observation) Fingerprint() string {
	h := fnv.New64a()
	h.Write([]byte(o.URL + "\x00" + o.Title + "\x00" + stillText(o.Text)))
	for _, e := range o.Elements {
		h.Write([]byte(stillText(e.line(true))))
	}
	return string(h.Sum(nil))
}

// observe looks at the page once it has come to rest. A blind policy sees nothing.
func (r *run) observe(ctx context.Context) (*Observation, error) {
	if r.blind {
		return nil, nil
	}
	if _, err := r.Env.Page.Settle(ctx, settleQuiet, settleLimit); err != nil {
		return nil, err
	}
	o, err := Observe(ctx, r.Env.Page, &r.numbers)
	if err == nil && o.URL != r.url { // what a new page shows first is often its skeleton
		r.url = o.URL
		if _, err = r.Env.Page.Settle(ctx, arrivalQuiet, settleLimit); err == nil {
			o, err = Observe(ctx, r.Env.Page, &r.numbers)
		}
	}
	if err != nil {
		return nil, err
	}
	if r.history.Began.IsZero() {
		r.history.Began = o.Now
	}
	r.seen.page(o.corpus())
	return o, nil
}

// corpus is all that the page says, in view or not.
func (o *Observation) corpus() string {
	var b strings.Builder
	b.WriteString(o.URL + "\n" + o.Title + "\n")
	if o.Snapshot != nil && o.Snapshot.Root != nil {
		b.WriteString(o.Snapshot.Root.InnerText())
		for _, n := range o.Snapshot.Nodes {
			if n.Value != "" && n.InputType() != "password" {
				b.WriteString("\n" + n.Value)
			}
		}
	}
	for _, e := range o.Elements {
		b.WriteString("\n" + e.Name)
	}
	return b.String()
}

// Observe looks at the page. Numbers that ns has given out are kept.
func Observe(ctx context.Context, p locate.Page, ns *Numbers) (*Observation, error) {
	info, err := p.Info(ctx)
	if err != nil {
		return nil, err
	}
	snap, err := p.Snapshot(ctx, dom.Query{})
	if err != nil {
		return nil, err
	}
	o := &Observation{URL: info.URL, Title: info.Title, Now: info.Now, Viewport: info.Viewport, Height: snap.Height, Snapshot: snap}
	if o.Viewport.Empty() {
		o.Viewport = snap.Viewport
	}
	o.Text = o.around(o.list(classify.Page(snap), ns))
	return o, nil
}

// list takes the elements over from the classifier. The days of a calendar are
// folded into its line.
func (o *Observation) list(items []classify.Item, ns *Numbers) map[*dom.Node]bool {
	listed := map[*dom.Node]bool{}
	calendars := topCalendars(items)
	for _, it := range items {
		cal := within(it.Node, calendars)
		switch {
		case it.Kind == classify.Calendar && cal != it.Node:
			continue
		case it.Kind == classify.Date && cal != nil && !it.Node.TakesText():
			continue
		case it.Kind == classify.Option && it.Node.Tag == "option":
			continue
		case it.Kind == classify.Other:
			continue
		}
		e := o.element(it)
		if it.Kind == classify.Calendar {
			e.Tag, e.Name = "calendar", calendarLine(it.Node, items)
		}
		e.N = ns.of(e.Ref)
		listed[it.Node] = true
		o.Elements = append(o.Elements, e)
	}
	return listed
}

func topCalendars(items []classify.Item) []*dom.Node {
	var tops []*dom.Node
	for _, it := range items {
		if it.Kind == classify.Calendar && within(it.Node, tops) == nil {
			tops = append(tops, it.Node)
		}
	}
	return tops
}

// within is the one of the nodes in which n stands, or nil.
func within(n *dom.Node, nodes []*dom.Node) *dom.Node {
	for _, top := range nodes {
		if n.Within(top) {
			return top
		}
	}
	return nil
}

func (o *Observation) element(it classify.Item) Element {
	n := it.Node
	e := Element{
		Ref: n.Ref, Kind: it.Kind, Confidence: it.Confidence, Tag: shortTag(n), Box: n.Box,
		Name: clip(elementName(n), 80), Frame: n.FramePath(), States: states(n), Where: o.where(n.Box),
	}
	if e.Name == "" { // an icon: its class is all that it says
		e.Class, _, _ = strings.Cut(strings.TrimSpace(n.Attr("class")), " ")
	}
	if n.Tag == "select" || n.TakesText() {
		e.Value = clip(dom.Squash(n.Value), 80)
		e.Options = optionTexts(n)
	}
	return e
}

// maxOptions is how many options of a select are written out.
const maxOptions = 12

func optionTexts(n *dom.Node) []string {
	var out []string
	n.Walk(func(c *dom.Node) bool {
		if c.Tag == "option" && len(out) < maxOptions {
			out = append(out, clip(dom.Squash(c.InnerText()), 30))
		}
		return len(out) < maxOptions
	})
	return out
}

// shortTag is how the element is written for the model: its tag, or its role
// where the tag says nothing.
func shortTag(n *dom.Node) string {
	if t := n.InputType(); t != "" && t != "text" {
		return "input " + t
	}
	switch n.Tag {
	case "div", "span", "li", "i", "svg", "td", "img", "label", "p":
		if r := n.Role(); r != "" && r != "generic" {
			return r
		}
	}
	return n.Tag
}

func states(n *dom.Node) []string {
	var out []string
	if on, known := n.Checked(); known {
		out = append(out, either(on, "checked", "unchecked"))
	}
	if on, known := n.IsSelected(); known && on {
		out = append(out, "selected")
	}
	if on, known := n.Expanded(); known {
		out = append(out, either(on, "expanded", "collapsed"))
	}
	if n.Disabled() {
		out = append(out, "disabled")
	}
	if n.Facts.Has(dom.Focused) {
		out = append(out, "focused")
	}
	return out
}

func either(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}

func (o *Observation) where(b dom.Rect) Where {
	switch {
	case b.Empty():
		return Inside
	case b.Bottom() <= 0:
		return Above
	case o.Viewport.H > 0 && b.Y >= o.Viewport.H:
		return Below
	}
	return Inside
}

// Numbers gives elements their numbers, in the order in which they are first
// seen; a number stays with its element over the run.
type Numbers struct {
	byRef map[dom.Ref]int
	refs  map[int]dom.Ref
}

func (ns *Numbers) of(r dom.Ref) int {
	if n, ok := ns.byRef[r]; ok {
		return n
	}
	if ns.byRef == nil {
		ns.byRef, ns.refs = map[dom.Ref]int{}, map[int]dom.Ref{}
	}
	n := len(ns.refs) + 1
	ns.byRef[r], ns.refs[n] = n, r
	return n
}

// elements are the elements behind the numbers.
func (ns *Numbers) elements() map[int]dom.Ref { return ns.refs }
