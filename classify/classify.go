package classify

import (
	"fmt"

	"harness/dom"
)

// verdict is a Result in the making.
type verdict struct {
	Result
	firm bool // tag or role say so: what it stands in does not swallow it
}

func is(k Kind, confidence int, reasons ...string) verdict {
	return verdict{Result: Result{Kind: k, Confidence: confidence, Reasons: reasons}}
}

func firmly(k Kind, confidence int, reasons ...string) verdict {
	v := is(k, confidence, reasons...)
	v.firm = true
	return v
}

// none is the verdict of a rule that does not apply.
var none verdict

func (v verdict) ok() bool { return v.Kind != "" }

// plus adds evidence; the confidence stays within 0 and 99.
func (v verdict) plus(points int, reason string) verdict {
	if !v.ok() {
		return v
	}
	v.Confidence = max(0, min(99, v.Confidence+points))
	if reason != "" {
		v.Reasons = append(v.Reasons[:len(v.Reasons):len(v.Reasons)], reason)
	}
	return v
}

// Classify says what an element is for. The first call on a snapshot looks for
// its calendars; after that one element costs some microseconds.
func Classify(n *dom.Node) Result {
	if !isElement(n) {
		return notElement
	}
	return Over(n.Snapshot()).Classify(n)
}

var notElement = Result{Kind: Other, Confidence: 100, Reasons: []string{"not an element"}}

// Classify says what an element of the index's tree is for.
func (x *Index) Classify(n *dom.Node) Result {
	if !isElement(n) {
		return notElement
	}
	return x.verdict(n).Result
}

func (x *Index) verdict(n *dom.Node) verdict {
	if d, ok := x.days[n]; ok {
		return dayVerdict(n, d)
	}
	if a, ok := x.frames[n]; ok {
		return areaVerdict(a)
	}
	if v := native(n); v.ok() {
		return v
	}
	if painted(n) {
		return is(Other, 60, "<"+n.Tag+"> paints itself: nothing of its content is in the page")
	}
	if v := drawn(n); v.ok() {
		return v
	}
	return is(Other, 90, "nothing says that it is used")
}

func painted(n *dom.Node) bool { return n.Tag == "canvas" || n.Tag == "embed" || n.Tag == "object" }

func dayVerdict(n *dom.Node, d day) verdict {
	conf := d.month.score
	what := fmt.Sprintf("day %d in a calendar", d.number)
	if d.number == 0 {
		what = "a cell of a calendar"
	}
	v := is(Date, conf, what)
	v.Reasons = append(v.Reasons, d.month.reasons...)
	if d.beside {
		v = v.plus(-10, "it belongs to the month before or after")
	}
	if !d.cell {
		v = v.plus(-3, "inside the day's cell")
	}
	v.firm = d.cell
	return v
}

func areaVerdict(a area) verdict {
	v := firmly(Calendar, a.month.score, a.month.reasons...)
	if a.what == "widget" {
		return v.plus(-5, "holds the month and little else")
	}
	return v
}

// Item is an element worth listing.
type Item struct {
	Node *dom.Node
	Result
	Day int // of a calendar's day cell: the number, 0 for a word; -1 for all else
}

// Kinds are the 14 kinds in the order of lists.
var Kinds = [...]Kind{Calendar, Date, Input, TextArea, Button, Link, Select, Option, Checkbox, Radio, Tab, Menu, Slider, Other}
