package classify

import (
	"strings"

	"harness/dom"
)

// native judges by tag and explicit role: what HTML and ARIA promise.
func native(n *dom.Node) verdict {
	switch n.Tag {
	case "input":
		return input(n)
	case "textarea":
		return firmly(TextArea, 99, "<textarea>")
	case "select":
		return firmly(Select, 99, "<select>")
	case "option":
		return firmly(Option, 99, "<option>")
	case "iframe", "frame":
		return is(Other, 95, "a frame: its content is listed by itself")
	case "html", "body", "head", "svg", "path", "use", "g":
		return graphic(n)
	}
	if v := byRole(n); v.ok() {
		return v
	}
	switch n.Tag {
	case "button":
		return button(n)
	case "a", "area":
		return anchor(n)
	case "summary":
		return firmly(Button, 85, "<summary>: opens and closes its details")
	}
	if has(n, "contenteditable") || n.Facts.Has(dom.Editable) {
		return editable(n)
	}
	return none
}

func graphic(n *dom.Node) verdict {
	if n.Tag == "svg" {
		return byRole(n)
	}
	return is(Other, 99, "<"+n.Tag+">")
}

// inputTypes are the input types that say everything.
var inputTypes = map[string]Kind{
	"checkbox": Checkbox, "radio": Radio, "range": Slider,
	"date": Date, "datetime-local": Date, "month": Date, "week": Date, "time": Date,
	"button": Button, "submit": Button, "reset": Button, "image": Button,
}

func input(n *dom.Node) verdict {
	t := strings.ToLower(attr(n, "type"))
	if t == "hidden" {
		return is(Other, 99, `<input type="hidden">`)
	}
	if k, ok := inputTypes[t]; ok {
		return firmly(k, 99, `<input type="`+t+`">`)
	}
	switch role(n) {
	case "slider":
		return firmly(Slider, 95, "role slider")
	case "switch", "checkbox":
		return firmly(Checkbox, 90, "role "+role(n))
	case "button":
		return firmly(Button, 85, "role button on an input")
	}
	switch t {
	case "file", "color", "password", "email", "tel", "url", "search":
		return firmly(Input, 97, `<input type="`+t+`">`)
	}
	return field(n)
}

// field judges an input that takes text of some kind: dates, choices, or text.
func field(n *dom.Node) verdict {
	if v := dateField(n); v.ok() {
		v.firm = true
		return v
	}
	if v := pickField(n); v.ok() {
		v.firm = true
		return v
	}
	v := firmly(Input, 92, "<input> that takes text")
	if role(n) == "combobox" || has(n, "list") || has(n, "aria-autocomplete") {
		return v.plus(-12, "it suggests values and can be typed into")
	}
	return v
}

// pickField judges an input that opens a list and cannot be typed into.
func pickField(n *dom.Node) verdict {
	readonly := has(n, "readonly") || n.Facts.Has(dom.ReadOnly)
	popup := strings.ToLower(attr(n, "aria-haspopup"))
	combo := role(n) == "combobox" || popup == "listbox"
	switch {
	case combo && readonly:
		return is(Select, 90, "a combobox that cannot be typed into")
	case combo && !has(n, "aria-autocomplete") && popup == "listbox" && hasPhrase(strings.ToLower(attr(n, "placeholder")), pickPhrases):
		return is(Select, 70, "a combobox that asks to choose")
	case !readonly:
		return none
	case hasPhrase(strings.ToLower(attr(n, "placeholder")), pickPhrases):
		return is(Select, 70, "read-only and asks to choose")
	case anyOf(classWords(n), selectWords) || caretBeside(n):
		return is(Select, 60, "read-only with the marks of a list")
	}
	return none
}

// roleKinds are the roles that say everything.
var roleKinds = map[string]Kind{
	"button": Button, "link": Link, "checkbox": Checkbox, "switch": Checkbox, "menuitemcheckbox": Menu, "menuitemradio": Menu,
	"radio": Radio, "tab": Tab, "menu": Menu, "menubar": Menu, "menuitem": Menu, "option": Option, "treeitem": Option,
	"slider": Slider, "searchbox": Input,
}

func byRole(n *dom.Node) verdict {
	r := role(n)
	if r == "" {
		return none
	}
	if r == "button" {
		return button(n)
	}
	if k, ok := roleKinds[r]; ok {
		return firmly(k, 95, "role "+r)
	}
	switch r {
	case "textbox":
		return editable(n)
	case "spinbutton":
		return spinbutton(n)
	case "combobox":
		return combobox(n)
	case "listbox":
		return firmly(Select, 75, "role listbox: a list to choose from")
	case "group":
		if parts := dateParts(n); parts >= 2 && parts <= 6 {
			return firmly(Date, 88, partsReason)
		}
	case "tablist", "radiogroup", "toolbar", "dialog", "alertdialog", "tabpanel", "progressbar", "scrollbar", "separator":
		return is(Other, 90, "role "+r)
	}
	return none
}

// combobox is a SELECT, unless it only wraps a field that is typed into.
func combobox(n *dom.Node) verdict {
	if inner := find(n, func(c *dom.Node) bool { return c.Tag == "input" && typed(c) && !has(c, "readonly") }); inner != nil {
		return is(Other, 60, "role combobox around a field that is typed into")
	}
	if v := dateText(n, 70); v.ok() && attr(n, "aria-haspopup") != "listbox" {
		v.firm = true
		return v
	}
	return firmly(Select, 93, "role combobox")
}

// spinbutton is a number field, or one part of a date that is typed in parts.
func spinbutton(n *dom.Node) verdict {
	if isDatePart(n) {
		for p, i := n.Parent, 0; isElement(p) && i < 3; p, i = p.Parent, i+1 {
			if dateParts(p) >= 2 {
				return firmly(Date, 85, "one part of a date that is typed in parts")
			}
		}
	}
	return firmly(Input, 92, "role spinbutton")
}

const partsReason = "a date that is typed in parts"

// dateParts counts the parts of a date in n: day, month, year.
func dateParts(n *dom.Node) int {
	parts := 0
	find(n, func(c *dom.Node) bool {
		if role(c) == "spinbutton" && isDatePart(c) {
			parts++
		}
		return false
	})
	return parts
}

// button judges <button> and role button by what it opens and holds.
func button(n *dom.Node) verdict {
	why := "<button>"
	if n.Tag != "button" {
		why = "role button"
	}
	switch strings.ToLower(attr(n, "aria-haspopup")) {
	case "listbox":
		return firmly(Select, 88, why, "it opens a list to choose from")
	case "menu", "true":
		return firmly(Button, 90, why, "it opens a menu")
	case "dialog", "grid":
		if v := dateOpener(n); v.ok() {
			return v
		}
	}
	if text := words(n, maxLabel); n.Tag != "button" && short(text, 12) && endsInDate(text) {
		return firmly(Date, 68, why, "its text "+quote(text)+" names a date")
	}
	if attr(n, "aria-checked") != "" {
		return firmly(Checkbox, 80, why, "it is checked or not")
	}
	if v := tab(newScene(n)); v.ok() && v.Confidence >= 75 {
		v.firm = true
		return v
	}
	return firmly(Button, 97, why)
}

// dateOpener judges a button that opens a popup: one that shows a date or names
// one in its text is a date field; one with an icon alone stands beside such a field.
func dateOpener(n *dom.Node) verdict {
	text := words(n, maxLabel)
	if text == "" {
		return none
	}
	v := dateText(n, 75)
	if !v.ok() && short(text, maxLabel) && namesDate(text) {
		v = is(Date, 72, quote(text)+" names a date")
	}
	if v.ok() {
		v.firm = true
	}
	return v.plus(5, "it opens a popup")
}

// anchor judges <a>: a link where it leads somewhere.
func anchor(n *dom.Node) verdict {
	href := strings.TrimSpace(attr(n, "href"))
	lower := strings.ToLower(href)
	switch {
	case href != "" && !strings.HasPrefix(href, "#") && !strings.HasPrefix(lower, "javascript:"):
		return firmly(Link, 98, "<a> that leads to "+quote(href))
	case href == "" && !has(n, "href"):
		return none
	}
	sc := newScene(n)
	tabbed := has(n, "aria-controls") || has(n, "aria-selected") || sc.is(tabWords) || ancestorIs(n, 3, tabWords)
	for _, rule := range [...]func(*scene) verdict{toggle, tab, choice} {
		if v := rule(sc); v.ok() && v.Confidence >= 60 && (v.Kind != Tab || tabbed) {
			v.firm = true
			return v
		}
	}
	if sc.is(buttonWords) {
		return firmly(Button, 80, "<a> that leads nowhere: it acts as a button", "it is called a button")
	}
	switch {
	case len(href) > 1 && href[0] == '#':
		return firmly(Link, 85, "<a> that leads to a place of this page")
	case href == "#" && !n.Facts.Has(dom.Listener):
		return firmly(Link, 60, "<a> that leads to the top of this page")
	}
	return firmly(Button, 65, "<a> that leads nowhere: it acts as a button")
}

// editable judges what is no form control and takes text.
func editable(n *dom.Node) verdict {
	if strings.EqualFold(attr(n, "contenteditable"), "false") {
		return none
	}
	why := "role textbox"
	if role(n) != "textbox" {
		why = "its content can be edited"
	}
	switch {
	case attr(n, "aria-multiline") == "true":
		return firmly(TextArea, 95, why, "several lines")
	case attr(n, "aria-multiline") == "false", measured(n) && n.Box.H < 48:
		return firmly(Input, 85, why, "one line")
	case role(n) == "textbox" && !has(n, "contenteditable"):
		return firmly(Input, 80, why)
	}
	return firmly(TextArea, 78, why)
}

// typed reports whether an input is one to type text into.
func typed(n *dom.Node) bool {
	switch strings.ToLower(attr(n, "type")) {
	case "", "text", "search", "email", "tel", "url", "password":
		return true
	}
	return false
}
