package dom

import (
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

func TestDecodeRefusesMalformedData(t *testing.T) {
	for _, data := range []string{``, `{}`, `{"v":1,"n":[1,2],"a":[],"s":[]}`, `{"v":1,"n":[1,-1,5,0,0,0,0,0,-1],"s":["x"]}`,
		`{"v":1,"n":[1,-1,0,0,0,0,0,0,-1,2,7,0,0,0,0,0,0,-1],"s":["x"]}`, `{"v":1,"n":[1,-1,0,0,0,0,0,0,-1],"a":[9,0,0],"s":["x"]}`} {
		_, err := Decode([]FrameData{{Parent: -1, JSON: data}})
		assert.Error(t, err, data)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"v":1,"n":[1,-1,0,1,0,0,64,64,-1,2,0,1,1,0,0,64,64,2],"a":[1,3,4],"s":["#document","p","hi","id","x"]}`)
	f.Fuzz(func(t *testing.T, data string) {
		s, err := Decode([]FrameData{{Parent: -1, JSON: data}})
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
