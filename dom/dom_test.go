package dom

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, html string) *Snapshot {
	t.Helper()
	s, err := ParseHTML(strings.NewReader(html))
	require.NoError(t, err)
	return s
}

func find(t *testing.T, s *Snapshot, id string) *Node {
	t.Helper()
	for _, n := range s.Nodes {
		if n.Attr("id") == id {
			return n
		}
	}
	require.Fail(t, "no element", id)
	return nil
}

func TestRoleAndName(t *testing.T) {
	for _, tc := range []struct{ html, role, name string }{
		{`<button id=x>Sign <b>in</b></button>`, "button", "Sign in"},
		{`<button id=x>Sign<b>in</b></button>`, "button", "Signin"},
		{`<button id=x><div>A</div><div>B</div></button>`, "button", "A B"},
		{`<button id=x aria-label="Close">×</button>`, "button", "Close"},
		{`<span id=l>Name</span><input id=x aria-labelledby=l>`, "textbox", "Name"},
		{`<span id=l>Day</span><button id=x aria-labelledby="l x">Pick</button>`, "button", "Day Pick"},
		{`<label for=x>E-mail</label><input id=x type=email>`, "textbox", "E-mail"},
		{`<label>Age <input id=x type=number></label>`, "spinbutton", "Age"},
		{`<label>Every <input id=y value=3> days <input type=checkbox id=x></label>`, "checkbox", ""},
		{`<label for=x>Every <input id=y value=3> days</label><input type=checkbox id=x>`, "checkbox", "Every 3 days"},
		{`<input id=x placeholder="Search…">`, "textbox", "Search…"},
		{`<input id=x type=submit>`, "button", "Submit"},
		{`<a id=x href=/><img alt="Home"></a>`, "link", "Home"},
		{`<a id=x>no link</a>`, "", ""},
		{`<select id=x title=Size><option>S</select>`, "combobox", "Size"},
		{`<fieldset id=x><legend>Billing</legend><input></fieldset>`, "group", "Billing"},
		{`<div id=x role="foo button">Go<span hidden>!</span></div>`, "button", "Go"},
		{`<svg id=x><title>Chart</title></svg>`, "img", ""},
		{`<table><tr><th id=x>H</th><td>1</td></tr></table>`, "rowheader", "H"},
		{`<h2 id=x>Where <em>to</em>?</h2>`, "heading", "Where to?"},
		{`<div id=x role=tab><span style="display:none">no</span> Fares </div>`, "tab", "Fares"},
	} {
		n := find(t, parse(t, tc.html), "x")
		assert.Equal(t, tc.role, n.Role(), tc.html)
		assert.Equal(t, tc.name, n.Name(), tc.html)
	}
}

func TestVisibleInSavedHTML(t *testing.T) {
	for html, why := range map[string]string{
		`<p id=x>a`:                           "",
		`<p id=x hidden>a`:                    "not rendered (display: none)",
		`<div style="display:none"><p id=x>a`: "not rendered (display: none)",
		`<style>.h{display:none}</style><p class=h id=x>a`:           "not rendered (display: none)",
		`<style>@media x{.h{display:none}}</style><p class=h id=x>a`: "",
		`<div style="visibility:hidden"><p id=x>a`:                   "visibility: hidden",
		`<details><summary>s</summary><p id=x>a</details>`:           "not rendered (display: none)",
		`<details open><summary>s</summary><p id=x>a</details>`:      "",
		`<div style="opacity:0"><p id=x>a`:                           "transparent (opacity: 0)",
	} {
		_, got := find(t, parse(t, html), "x").Visible()
		assert.Equal(t, why, got, html)
	}
}

func TestParseShadowAndFrames(t *testing.T) {
	s := parse(t, `<my-box><template shadowrootmode=open><b>in</b><slot></slot></template><i id=light>out</i></my-box>
		<iframe title=Pick srcdoc="<button id=b>Go</button>"></iframe>`)
	b := find(t, s, "b")
	assert.Equal(t, `main > iframe "Pick"`, b.FramePath())
	assert.Equal(t, 1, b.Ref.Frame)
	light := find(t, s, "light")
	assert.Equal(t, "slot", light.Parent.Tag)
	assert.True(t, b.Within(s.Root))
}

// packed makes a frame's data out of numbers below 128, so that each is one byte.
func packedFrame(head string, numbers []byte, strs ...string) string {
	return head + "\n" + base64.StdEncoding.EncodeToString(numbers) + "\n" + strings.Join(strs, parting)
}

func TestDecode(t *testing.T) {
	// A document, in it <p id="x"> at 1,2 with 4 by 8 px and the text "hi", beside it <br>.
	data := packedFrame(`{"v":2,"nodes":4,"strings":6,"facts":[0,1],"view":[0,5,100,50],"matches":[3,9]}`, []byte{
		1, 0, 0, 0, // #document
		0, 1, 1, 2, 0x80, 1, 0x80, 2, 0x80, 4, 0x80, 8, 0, 1, 1, 1, // p, number 1
		0, 1, 0, 1, 0, // the text
		2, 1, 0, 4, 0, 0, // br, number 3, two levels up
	}, "#document", "p", "id", "x", "#text", "hi")
	_, err := Decode([]FrameData{{Parent: -1, JSON: data}})
	require.Error(t, err, "a string is missing")
	data = strings.Replace(data, `"strings":6`, `"strings":7`, 1) + parting + "br"
	s, err := Decode([]FrameData{{Parent: -1, JSON: data}})
	require.NoError(t, err)
	require.Len(t, s.Nodes, 4)
	p, text, br := s.Nodes[1], s.Nodes[2], s.Nodes[3]
	assert.Equal(t, "x", p.Attr("id"))
	assert.Equal(t, Rect{1, 2, 4, 8}, p.Box)
	assert.Equal(t, "hi", text.Text)
	assert.Equal(t, []*Node{text}, p.Children)
	assert.Equal(t, []*Node{p, br}, s.Root.Children)
	assert.Equal(t, "br", br.Tag)
	assert.Equal(t, []*Node{br}, s.Matches)
	assert.Same(t, br, s.ByRef(Ref{ID: 3}))
	assert.Same(t, p, br.ByID("x"))
	assert.Equal(t, Rect{0, 5, 100, 50}, s.Viewport)
}

func TestDecodeRefusesMalformedData(t *testing.T) {
	head := `{"v":2,"nodes":2,"strings":2,"facts":[0]}`
	whole := []byte{1, 0, 0, 0, 0, 1, 0, 2, 0, 0}
	good := packedFrame(head, whole, "#document", "p")
	_, err := Decode([]FrameData{{Parent: -1, JSON: good}})
	require.NoError(t, err)
	bad := []string{"", "{}", head, head + "\n", strings.Replace(good, `"v":2`, `"v":1`, 1), packedFrame(head, whole, "#document"),
		packedFrame(head, append(whole, 0), "#document", "p"), strings.Replace(good, "\n", "\n!", 1),
		strings.Replace(good, `"nodes":2`, `"nodes":1000000000`, 1)}
	for i := range whole {
		bad = append(bad, packedFrame(head, whole[:i], "#document", "p"))
	}
	for at, v := range map[int]byte{0: 0, 1: 1, 4: 1, 5: 9, 6: 3, 8: 5, 9: 1} {
		numbers := slices.Clone(whole)
		numbers[at] = v
		bad = append(bad, packedFrame(head, numbers, "#document", "p"))
	}
	for _, data := range bad {
		_, err := Decode([]FrameData{{Parent: -1, JSON: data}})
		assert.Error(t, err, "%q", data)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"v":2,"nodes":2,"strings":2,"facts":[0]}`, []byte{1, 0, 0, 0, 0, 1, 0, 2, 0, 0}, "#document"+parting+"p")
	f.Add(`{"v":2,"nodes":3,"strings":4,"facts":[0,1]}`, []byte{1, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 0, 0, 0, 1, 0, 1, 0}, "#document"+parting+"p"+parting+"#text"+parting+"hi")
	f.Fuzz(func(t *testing.T, head string, numbers []byte, list string) {
		s, err := Decode([]FrameData{{Parent: -1, JSON: packedFrame(head, numbers, list)}})
		if err != nil {
			return
		}
		for _, n := range s.Nodes {
			n.Role()
			n.Name()
			n.Visible()
			n.InnerText()
		}
	})
}
