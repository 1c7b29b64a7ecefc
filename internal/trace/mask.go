package trace

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/dom"
)

// Hidden stands for a secret in evidence.
const Hidden = "••••••"

// mask replaces secrets in texts. A secret is looked for as it is and as HTML,
// JSON and addresses write it.
type mask struct {
	any            bool // there are secrets
	inHTML, inJSON *strings.Replacer
}

func newMask(secrets []string) (*mask, error) {
	var list []string
	for _, s := range secrets {
		if s == "" {
			continue
		}
		if utf8.RuneCountInString(s) < MinSecret {
			return nil, fmt.Errorf("a secret of %d characters is too short to mask (at least %d)", utf8.RuneCountInString(s), MinSecret)
		}
		list = append(list, s)
	}
	// The longest first: one secret may hold another.
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return &mask{
		any:    len(list) > 0,
		inHTML: replacer(list, html.EscapeString, textEscape, attrEscape, escapeTwice, textInFrame),
		inJSON: replacer(list, jsonEscape),
	}, nil
}

// replacer replaces each secret, its escaped forms and its forms in addresses.
func replacer(list []string, escapes ...func(string) string) *strings.Replacer {
	var pairs []string
	add := func(s string) {
		if s != "" && !slices.Contains(pairs, s) {
			pairs = append(pairs, s, Hidden)
		}
	}
	forms := append([]func(string) string{}, escapes...)
	forms = append(forms, url.QueryEscape, url.PathEscape, func(s string) string { return s })
	for _, s := range list {
		for _, form := range forms {
			add(form(s))
		}
	}
	return strings.NewReplacer(pairs...)
}

// textEscape is how browsers write text.
func textEscape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// textInFrame is how the text of a frame's content stands in its srcdoc.
func textInFrame(s string) string { return attrEscape(textEscape(s)) }

// attrEscape is how browsers write attribute values.
func attrEscape(s string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// escapeTwice is how a frame's content stands in its srcdoc.
func escapeTwice(s string) string { return attrEscape(attrEscape(s)) }

func jsonEscape(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(data[1 : len(data)-1])
}

func (m *mask) html(s string) string { return m.inHTML.Replace(s) }
func (m *mask) json(b []byte) []byte { return []byte(m.inJSON.Replace(string(b))) }

// AttrMasked marks, in saved HTML, an element in which the page showed a secret:
// "x y w h" is the box of it, CSS px in the main viewport. The screenshot is
// blackened there.
const AttrMasked = "data-harness-masked"

var maskedAttr = regexp.MustCompile(AttrMasked + `=(?:"|&(?:amp;)*quot;)([-0-9. ]+)`)

// maskedBoxes are the boxes of all elements that saved HTML marks, frames too.
func maskedBoxes(saved string) []dom.Rect {
	if !strings.Contains(saved, AttrMasked) {
		return nil
	}
	var boxes []dom.Rect
	for _, m := range maskedAttr.FindAllStringSubmatch(saved, -1) {
		if f := strings.Fields(m[1]); len(f) == 4 {
			var v [4]float64
			for i := range f {
				v[i], _ = strconv.ParseFloat(f[i], 64) // digits only: the expression says so
			}
			boxes = append(boxes, dom.Rect{X: v[0], Y: v[1], W: v[2], H: v[3]})
		}
	}
	return boxes
}
