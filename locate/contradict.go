package locate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"harness/dom"
)

// ContradictionError is a model's point under which lies an element that is
// called otherwise than the words, or is of another sort: it is not pressed.
type ContradictionError struct {
	Words string
	Model string
	Point dom.Point
	Found string // the element under the point, for people
	Why   string
}

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("locate %q: %v: %s points to %s at %.0f,%.0f, which %s", e.Words, ErrNotFound, e.Model, e.Found, e.Point.X, e.Point.Y, e.Why)
}

func (e *ContradictionError) Unwrap() error { return ErrNotFound }

// operated is the element that a press on n operates: n itself where nothing
// around it reacts.
func operated(n *dom.Node) *dom.Node {
	if e := n.Closest(func(a *dom.Node) bool { return telling[a.Role()] || operable(a) }); e != nil && e.Tag != "body" && e.Tag != "html" {
		return e
	}
	return n
}

// contradicts says how the element speaks against the words, "" where it does
// not in at least one way to read them. An element that says nothing of itself,
// or says it in another script, contradicts nothing.
func contradicts(words, verb string, e *dom.Node) string {
	if e.Tag == "html" || e.Tag == "body" {
		return "is the bare page"
	}
	rs := Words(words).readings()
	nouned := slices.ContainsFunc(rs, func(r reading) bool { return r.noun != nil || r.day > 0 })
	var why string
	for _, r := range rs {
		if r.turn != 0 { // what a control does it need not say
			continue
		}
		w := r.against(verb, e, nouned)
		if w == "" {
			return ""
		}
		if why == "" || r.noun != nil || r.day > 0 {
			why = w
		}
	}
	return why
}

// against is contradicts for one reading. Where the words hold a noun or a
// day, a reading that takes it for a part of the name needs the whole name.
func (r reading) against(verb string, e *dom.Node, nouned bool) string {
	role := e.Role()
	switch {
	case verbOfText(verb) && telling[role] && !e.TakesText() && !holdsTextControl(e):
		return "takes no text"
	case r.noun != nil && !r.noun.area && telling[role] && r.noun.fit(e) == 0:
		return fmt.Sprintf("is no %s", r.noun.key)
	case r.day > 0:
		return r.againstDay(e)
	}
	return r.againstName(e, nouned && r.noun == nil)
}

func verbOfText(verb string) bool { return verb == "type" || verb == "vision_type" }

// againstDay refuses the cell of another day.
func (r reading) againstDay(e *dom.Node) string {
	text := strings.TrimSpace(e.InnerText())
	if n, err := strconv.Atoi(text); err == nil && n != r.day {
		return fmt.Sprintf("is the day %d", n)
	}
	return ""
}

// maxNameWords is how many words still are a name; more describe what is seen.
const maxNameWords = 4

// looks are nouns of what is seen: an element is not called by them. sights are
// words of the same sort beside the noun.
var (
	looks  = setOf("icon arrow image")
	sights = setOf(`red green blue yellow orange black white grey gray purple violet magenta cyan turquoise pink brown gold silver dark light big large small little tiny wide round square
left right top bottom upper lower middle`)
)

// againstName refuses an element whose names have less than half of their words
// in common with the one asked for.
func (r reading) againstName(e *dom.Node, whole bool) string {
	var want []string
	for _, w := range contentWords(r.name) {
		if !sights[w] {
			want = append(want, w)
		}
	}
	if len(want) == 0 || len(want) > maxNameWords && !r.quoted {
		return ""
	}
	seen := r.noun != nil && looks[r.noun.key]
	said := ""
	for _, t := range newFinder(e.Snapshot(), "").texts(e) {
		if !t.layer1 && t.source != fromNearby && t.source != fromValue || !sameScript(t.text, r.name) {
			continue
		}
		have := contentWords(t.text)
		shared := sharedWords(want, have)
		switch {
		case t.text == r.name, !whole && shared*2 > min(len(want), len(have)):
			return ""
		case seen && shared == 0: // an icon is described, not called
			continue
		case said == "":
			said = t.raw
		}
	}
	if said == "" {
		return ""
	}
	return fmt.Sprintf("is called %q", clip(said, 60))
}

// stem is how many letters of two words must agree for them to be one word in
// two forms.
const stem = 4

// sharedWords counts the words of a that b has in some form. Chinese, which is
// not cut into words, is one word in another where it is contained in it.
func sharedWords(a, b []string) int {
	n := 0
	for _, x := range a {
		if slices.ContainsFunc(b, func(y string) bool { return sameWord(x, y) }) {
			n++
		}
	}
	return n
}

func sameWord(x, y string) bool {
	if x == y || x[0] >= 0x80 && (strings.Contains(x, y) || strings.Contains(y, x)) {
		return true
	}
	return len(x) >= stem && len(y) >= stem && (strings.HasPrefix(x, y[:stem]) || strings.HasPrefix(y, x[:stem]))
}

// sameScript reports whether both texts have letters or digits of one script.
func sameScript(a, b string) bool {
	for _, in := range []func(r rune) bool{
		func(r rune) bool { return unicode.Is(unicode.Han, r) },
		func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) },
		unicode.IsDigit,
	} {
		if strings.ContainsFunc(a, in) && strings.ContainsFunc(b, in) {
			return true
		}
	}
	return false
}

// stableLocator is a locator that finds the element, and it alone, without a
// model: a test id, or role and name; "" where there is none.
func stableLocator(n *dom.Node) string {
	if painted(n) {
		return ""
	}
	e := operated(n)
	for _, a := range testIDs {
		if id := e.Attr(a); id != "" && alone(e, func(o *dom.Node) bool { return o.Attr(a) == id }) {
			return fmt.Sprintf("getByTestId(%q)", id)
		}
	}
	role, name := e.Role(), e.Name()
	if role == "" || name == "" || !telling[role] {
		return ""
	}
	if !alone(e, func(o *dom.Node) bool { return o.Role() == role && o.Name() == name }) {
		return ""
	}
	return fmt.Sprintf("getByRole(%q, { name: %q, exact: true })", role, name)
}

// alone reports that no other visible element of the frame is like it.
func alone(e *dom.Node, like func(*dom.Node) bool) bool {
	for _, o := range e.Snapshot().Nodes {
		if o == e || o.Ref.Frame != e.Ref.Frame || !o.IsElement() || !like(o) {
			continue
		}
		if ok, _ := o.Visible(); ok {
			return false
		}
	}
	return true
}
