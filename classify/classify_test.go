package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/classify"
	"harness/dom"
)

func parse(t testing.TB, html string) *dom.Snapshot {
	t.Helper()
	s, err := dom.ParseHTML(strings.NewReader(html))
	require.NoError(t, err)
	return s
}

func byID(t testing.TB, s *dom.Snapshot, id string) *dom.Node {
	t.Helper()
	for _, n := range s.Nodes {
		if n.Attr("id") == id {
			return n
		}
	}
	t.Fatalf("no element with the id %q", id)
	return nil
}

// Every snippet marks the element that is judged with id=t. The hand cursor is
// written as a style, since it is all that tells in many real pages.
func TestClassify(t *testing.T) {
	run := func(t *testing.T, want classify.Kind, html string) {
		s := parse(t, html)
		got := classify.Classify(byID(t, s, "t"))
		assert.Equal(t, want, got.Kind, "%d %v", got.Confidence, got.Reasons)
		assert.NotEmpty(t, got.Reasons)
	}
	const hand = ` style="cursor:pointer" `
	tests := []struct {
		name string
		want classify.Kind
		html string
	}{
		// Native controls.
		{"text", classify.Input, `<input id=t>`},
		{"password", classify.Input, `<input id=t type=password>`},
		{"search", classify.Input, `<input id=t type=search placeholder="搜索城市">`},
		{"number", classify.Input, `<label>人数 <input id=t type=number></label>`},
		{"file", classify.Input, `<input id=t type=file>`},
		{"textarea", classify.TextArea, `<textarea id=t></textarea>`},
		{"button", classify.Button, `<button id=t>搜索</button>`},
		{"submit", classify.Button, `<input id=t type=submit value=Go>`},
		{"image button", classify.Button, `<input id=t type=image alt=Go>`},
		{"link", classify.Link, `<a id=t href="/x">酒店</a>`},
		{"link to a place", classify.Link, `<a id=t href="#top">顶部</a>`},
		{"select", classify.Select, `<select id=t><option>a</select>`},
		{"option", classify.Option, `<select><option id=t>a<option>b</select>`},
		{"checkbox", classify.Checkbox, `<input id=t type=checkbox>`},
		{"radio", classify.Radio, `<input id=t type=radio>`},
		{"range", classify.Slider, `<input id=t type=range>`},
		{"date", classify.Date, `<input id=t type=date>`},
		{"time", classify.Date, `<input id=t type=time>`},
		{"summary", classify.Button, `<details><summary id=t>More</summary>x</details>`},
		{"hidden input", classify.Other, `<input id=t type=hidden name=date>`},
		{"paragraph", classify.Other, `<p id=t>Some text that nobody presses.</p>`},
		{"canvas", classify.Other, `<canvas id=t></canvas>`},
		// Roles.
		{"role button", classify.Button, `<div id=t role=button>Go</div>`},
		{"role link", classify.Link, `<span id=t role=link>Go</span>`},
		{"role checkbox", classify.Checkbox, `<div id=t role=checkbox aria-checked=false>Go</div>`},
		{"role switch", classify.Checkbox, `<button id=t role=switch aria-checked=false></button>`},
		{"role radio", classify.Radio, `<div id=t role=radio>Go</div>`},
		{"role tab", classify.Tab, `<button id=t role=tab>国内</button>`},
		{"role menuitem", classify.Menu, `<li id=t role=menuitem>Copy</li>`},
		{"role menu", classify.Menu, `<ul id=t role=menu><li role=menuitem>Copy</ul>`},
		{"role option", classify.Option, `<div role=listbox><div id=t role=option>北京</div></div>`},
		{"role listbox", classify.Select, `<div id=t role=listbox><div role=option>北京</div></div>`},
		{"role slider", classify.Slider, `<span id=t role=slider aria-valuenow=5></span>`},
		{"role combobox", classify.Select, `<div id=t role=combobox aria-haspopup=listbox>Any</div>`},
		{"combobox of aria 1.1", classify.Other, `<div id=t role=combobox><input aria-autocomplete=list></div>`},
		{"role textbox", classify.Input, `<div id=t role=textbox>x</div>`},
		{"editable", classify.TextArea, `<div id=t contenteditable>x</div>`},
		{"editable, several lines", classify.TextArea, `<div id=t contenteditable role=textbox aria-multiline=true>x</div>`},
		{"spinbutton", classify.Input, `<div id=t role=spinbutton aria-label=Adults>2</div>`},
		{"role none leaves the tag", classify.Button, `<button id=t role="">x</button>`},
		{"button that opens a listbox", classify.Select, `<button id=t aria-haspopup=listbox>经济舱</button>`},
		{"button that opens a menu", classify.Button, `<button id=t aria-haspopup=menu>Account</button>`},
		{"date typed in parts", classify.Date, `<div role=group><span role=spinbutton aria-label=Month>MM</span>/<span id=t role=spinbutton aria-label=Day>DD</span>/<span role=spinbutton aria-label=Year>YYYY</span></div>`},
		// Fields.
		{"combobox that is typed into", classify.Input, `<input id=t role=combobox aria-autocomplete=list aria-haspopup=listbox>`},
		{"read-only combobox", classify.Select, `<input id=t role=combobox readonly aria-haspopup=listbox>`},
		{"read-only that asks", classify.Select, `<div>舱位<input id=t readonly placeholder=请选择></div>`},
		{"read-only with caret", classify.Select, `<div><input id=t readonly value="经济舱"><i class="x-arrow-down"></i></div>`},
		{"read-only text", classify.Input, `<input id=t readonly value="AB-12">`},
		{"city", classify.Input, `<div><div>出发地</div><input id=t placeholder="城市名、拼音或三字码"></div>`},
		{"textarea about dates", classify.TextArea, `<label>日期说明<textarea id=t></textarea></label>`},
		{"update is no date", classify.Input, `<label>Update channel <input id=t></label>`},
		{"candidate is no date", classify.Input, `<label>Candidate <input id=t></label>`},
		// Dates.
		{"placeholder form", classify.Date, `<input id=t placeholder="yyyy-mm-dd">`},
		{"placeholder form, slashes", classify.Date, `<input id=t placeholder="MM/DD/YYYY">`},
		{"placeholder form, german", classify.Date, `<input id=t placeholder="TT.MM.JJJJ">`},
		{"placeholder form, chinese", classify.Date, `<input id=t placeholder="YYYY年MM月DD日">`},
		{"placeholder form, time", classify.Date, `<input id=t placeholder="HH:mm">`},
		{"placeholder asks", classify.Date, `<input id=t placeholder="选择日期">`},
		{"placeholder asks, english", classify.Date, `<input id=t placeholder="Select date" readonly>`},
		{"label", classify.Date, `<label>Check-in <input id=t></label>`},
		{"label, chinese", classify.Date, `<label for=t>出发日期</label><input id=t readonly>`},
		{"text before", classify.Date, `<div><div>出发日期</div><input type=text id=t readonly></div>`},
		{"text before, asks", classify.Date, `<div><div>返程日期</div><input type=text id=t readonly placeholder=请选择></div>`},
		{"aria-label", classify.Date, `<input id=t aria-label="Departure date">`},
		{"birthday", classify.Date, `<label>Date of birth <input id=t></label>`},
		{"value", classify.Date, `<input id=t readonly value="2026-01-30">`},
		{"value, long", classify.Date, `<input id=t value="30 January 2026">`},
		{"value, chinese", classify.Date, `<input id=t value="2026年1月30日">`},
		{"icon", classify.Date, `<span><input id=t readonly><i class="icon-calendar"></i></span>`},
		{"time label", classify.Date, `<label>时间 <input id=t></label>`},
		{"icon but typed into", classify.Input, `<span><input id=t placeholder=Event><i class="icon-calendar"></i></span>`},
		{"button that shows a date", classify.Date, `<button id=t aria-haspopup=dialog>Pick a date</button>`},
		{"icon button", classify.Button, `<button id=t aria-haspopup=dialog aria-label="Choose date"><svg></svg></button>`},
		{"drawn date", classify.Date, `<div id=t` + hand + `><div>出发日期</div><div>1月30日 周五</div></div>`},
		{"drawn date asks", classify.Date, `<div>入住<span id=t` + hand + `>选择日期</span></div>`},
		{"button that names a date", classify.Date, `<div id=t role=button tabindex=0 aria-haspopup=dialog><span>Check-in – Check-out</span><span>Add dates</span></div>`},
		{"group of parts", classify.Date, `<div id=t role=group><span role=spinbutton aria-label=Month>MM</span><span role=spinbutton aria-label=Day>DD</span></div>`},
		{"cell of a form that names a date", classify.Date, `<div id=t role=button tabindex=0><div>游玩日期</div><i></i></div>`},
		{"button that bears a date word", classify.Button, `<button id=t>Change date</button>`},
		{"month heading that is pressed", classify.Button, `<div id=t` + hand + `>January 2026</div>`},
		{"month field", classify.Date, `<input id=t readonly value="January 2026">`},
		// Drawn controls.
		{"drawn button", classify.Button, `<div id=t` + hand + `><span>搜索</span></div>`},
		{"button by class", classify.Button, `<div id=t class="x-btn">立即预订</div>`},
		{"button by word", classify.Button, `<div><p>a b c</p><div id=t>搜索</div></div>`},
		{"icon button, drawn", classify.Button, `<span id=t` + hand + `><i></i></span>`},
		{"listener", classify.Button, `<div id=t onclick="f()">出发</div>`},
		{"anchor that leads nowhere", classify.Button, `<a id=t href="javascript:;">收起</a>`},
		{"anchor without href", classify.Button, `<a id=t` + hand + `>关闭</a>`},
		{"drawn radio", classify.Radio, `<div><div id=t class="i on"` + hand + `><i></i><span>单程</span></div><div class=i` + hand + `><i></i><span>往返</span></div></div>`},
		{"drawn checkbox", classify.Checkbox, `<div><div id=t` + hand + `><i></i><span>带儿童(2-12岁)</span></div><div class=err></div></div>`},
		{"drawn checkbox by class", classify.Checkbox, `<div id=t class=my-checkbox><span class=box></span>同意条款</div>`},
		{"ticked", classify.Checkbox, `<div id=t><span>☑</span> Remember me</div>`},
		{"icon and word is a button", classify.Button, `<div id=t` + hand + `><i class=icon-search></i><span>航班动态</span></div>`},
		{"switch", classify.Checkbox, `<div id=t class="x-switch"` + hand + `><span></span></div>`},
		{"aria-checked alone", classify.Checkbox, `<div id=t aria-checked=true>x</div>`},
		{"label of hidden checkbox", classify.Checkbox, `<label id=t><input type=checkbox style="display:none"><span></span>同意</label>`},
		{"label of hidden radio", classify.Radio, `<label id=t><input type=radio style="opacity:0">男</label>`},
		{"label of visible checkbox", classify.Other, `<label id=t><input type=checkbox>同意</label>`},
		{"label of a text field", classify.Other, `<label id=t>Name <input></label>`},
		{"wrapper of hidden checkbox", classify.Checkbox, `<div><span id=t><input type=checkbox style="opacity:0"><span></span></span> 同意</div>`},
		{"tabs of spans", classify.Tab, `<div><span id=t class=is-on` + hand + `>国内机票</span><span` + hand + `>国际机票</span><span` + hand + `>特价机票</span></div>`},
		{"tab by class", classify.Tab, `<ul class=tabs><li class=active>One</li><li id=t>Two</li></ul>`},
		{"tab of list items", classify.Tab, `<ul class="nav nav-tabs"><li class=active><a href="#a">A</a></li><li><a id=t href="#b">B</a></li></ul>`},
		{"nav link is no tab", classify.Link, `<nav><a href="/a" class=is-cur>机票</a><a id=t href="/b">酒店</a></nav>`},
		{"nav link to nowhere is no tab", classify.Link, `<nav><a href="#" class=is-cur>机票</a><a id=t href="#">酒店</a></nav>`},
		{"tabs with one listener", classify.Tab, `<div onclick="f()"><span class=on>国内机票</span><span id=t>国际机票</span></div>`},
		{"around tabs with one listener", classify.Other, `<div id=t onclick="f()"><span class=on>国内机票</span><span>国际机票</span></div>`},
		{"around a list with one listener", classify.Other, `<ul id=t onclick="f()"><li>Price</li><li>Speed</li></ul>`},
		{"canvas that is pressed", classify.Other, `<canvas id=t onclick="f()"></canvas>`},
		{"page numbers are no tabs", classify.Button, `<div><span class=on` + hand + `>1</span><span id=t` + hand + `>2</span><span` + hand + `>3</span></div>`},
		{"drawn select", classify.Select, `<div><div id=t` + hand + `>经济舱</div><ul hidden><li>经济舱</li><li>商务舱</li></ul></div>`},
		{"drawn select asks", classify.Select, `<div id=t class=sel` + hand + `><span>请选择</span><i class=arrow-down></i></div>`},
		{"drawn select, inner list", classify.Select, `<div id=t class=dropdown><span>Any</span><ul><li>Any</li><li>Direct</li></ul></div>`},
		{"suggestion", classify.Option, `<div><input placeholder=城市><ul style="position:absolute"><li id=t>上海</li><li>上饶</li></ul></div>`},
		{"suggestion of divs", classify.Option, `<div><div><input></div><div class=suggest-list><div id=t` + hand + `>上海 SHA</div><div` + hand + `>上饶</div></div></div>`},
		{"list item is no option", classify.Other, `<ul><li id=t>one</li><li>two</li></ul>`},
		{"menu entry", classify.Menu, `<ul class=context-menu><li id=t` + hand + `>Copy</li><li` + hand + `>Paste</li></ul>`},
		{"menu link", classify.Link, `<ul class=menu><li><a id=t href="/x">Copy</a></li><li>Paste</li></ul>`},
		{"drawn slider", classify.Slider, `<div id=t class=price-slider><div class=fill></div><div class=handle></div></div>`},
		{"carousel is no slider", classify.Other, `<div id=t class=slider><img src=a><img src=b><div class=dot></div></div>`},
		{"card", classify.Other, `<div id=t` + hand + `><h3>Hotel</h3><p>` + strings.Repeat("very nice ", 12) + `</p></div>`},
		{"wrapper of a button", classify.Other, `<div id=t` + hand + `><button>Go</button></div>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { run(t, tt.want, tt.html) })
	}
}

func TestConfidenceIsSurerWithMoreEvidence(t *testing.T) {
	bare := parse(t, `<div id=t class="btn">立即预订</div>`)
	more := parse(t, `<div id=t class="btn" style="cursor:pointer" tabindex=0>立即预订</div>`)
	assert.Greater(t, classify.Classify(byID(t, more, "t")).Confidence, classify.Classify(byID(t, bare, "t")).Confidence)
	native := parse(t, `<button id=t>立即预订</button>`)
	assert.Greater(t, classify.Classify(byID(t, native, "t")).Confidence, 94)
}

func TestClassifyTextNode(t *testing.T) {
	s := parse(t, `<p id=t>hello</p>`)
	got := classify.Classify(byID(t, s, "t").Children[0])
	assert.Equal(t, classify.Other, got.Kind)
	assert.NotEmpty(t, got.Reasons)
}

// FuzzClassify holds the promise of a Result: a known kind, a confidence
// between 0 and 100, reasons, and the same from the index.
func FuzzClassify(f *testing.F) {
	for _, seed := range []string{`<div class=btn>x</div>`, `<ul><li>1<li>2</ul>`, `<table><tr><td>1<td>2</table>`, `<input type=radio><label for=a>x`, `<div role="slider tab"><i></i>x</div>`} {
		f.Add(seed)
	}
	known := map[classify.Kind]bool{}
	for _, k := range classify.Kinds {
		known[k] = true
	}
	f.Fuzz(func(t *testing.T, html string) {
		s, err := dom.ParseHTML(strings.NewReader(html))
		if err != nil {
			t.Skip()
		}
		x := classify.Over(s)
		for _, n := range s.Nodes {
			r := x.Classify(n)
			if !known[r.Kind] || r.Confidence < 0 || r.Confidence > 100 || len(r.Reasons) == 0 {
				t.Fatalf("%s: %+v", n.Tag, r)
			}
		}
		classify.Page(s)
	})
}
