package vision

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// box1000 reads boxes in a grid of 1000, as most families do.
var box1000 = Profile{Name: "t", Grid: thousand, Shape: BoxShape}

// point1000 reads points.
var point1000 = Profile{Name: "t", Grid: thousand}

func TestPlacesInManyForms(t *testing.T) {
	for raw, want := range map[string][]float64{
		`{"bbox_2d": [1, 2, 3, 4]}`:                                                         {1, 2, 3, 4},
		`[{"bbox_2d": [1, 2, 3, 4], "label": "a"}]`:                                         {1, 2, 3, 4},
		"Here:\n```json\n{\"bbox_2d\": [1, 2, 3, 4]}\n```\nDone [5].":                       {1, 2, 3, 4},
		"```\n[1, 2, 3, 4]\n```":                                                            {1, 2, 3, 4},
		"```json\n[1, 2, 3, 4]":                                                             {1, 2, 3, 4}, // the fence does not close
		"[[1,2],[3,4]]":                                                                     {1, 2, 3, 4},
		"[[[1, 2, 3, 4]]]":                                                                  {1, 2, 3, 4},
		"{'bbox': (1, 2, 3, 4), 'label': None, 'ok': True}":                                 {1, 2, 3, 4},
		"{bbox: [1, 2, 3, 4,],}":                                                            {1, 2, 3, 4},
		`{"box": {"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}}`:                             {1, 2, 3, 4},
		`{"x": 1, "y": 2, "width": 2, "height": 2}`:                                         {1, 2, 3, 4},
		`{"x": "1", "y": "2"}`:                                                              {1, 2},
		`{"position": "1 2 3 4"}`:                                                           {1, 2, 3, 4},
		`{"coordinate": "1,2"}`:                                                             {1, 2},
		`{"point_2d": ["1", "2"]}`:                                                          {1, 2},
		`{"bbox_2d": "<bbox>1 2 3 4</bbox>"}`:                                               {1, 2, 3, 4},
		`{"action": {"type": "click", "point": [1, 2]}}`:                                    {1, 2},
		`{"name": "f", "arguments": "{\"coordinate\": [1, 2]}"}`:                            {1, 2},
		`{"function": {"name": "f", "arguments": {"x": 1, "y": 2}}}`:                        {1, 2},
		`<think>maybe [9, 9, 9, 9]</think>[1, 2, 3, 4]`:                                     {1, 2, 3, 4},
		`maybe [9, 9, 9, 9]</think> {"bbox": [1, 2, 3, 4]}`:                                 {1, 2, 3, 4},
		`<answer>{"bbox": [1, 2, 3, 4]}</answer>`:                                           {1, 2, 3, 4},
		`I considered [7, 7, 8, 8]. {"bbox_2d": [1, 2, 3, 4]}`:                              {1, 2, 3, 4},
		`[{"bbox_2d": [1, 2, 3, 4]}, {"bbox_2d": [1, 2, 3, 4]}]`:                            {1, 2, 3, 4}, // said twice
		"<box>(1,2),(3,4)</box>":                                                            {1, 2, 3, 4},
		"<|det|>[[1, 2, 3, 4]]<|/det|>":                                                     {1, 2, 3, 4},
		"pyautogui.click(x=1, y=2)":                                                         {1, 2},
		"click(1, 2)":                                                                       {1, 2},
		"1. left_click(coordinate=[1, 2])":                                                  {1, 2},
		"<tool_call>click<arg_key>point</arg_key><arg_value>[1, 2]</arg_value></tool_call>": {1, 2},
		"<tool_call>{\"name\":\"c\",\"arguments\":{\"coordinate\":[1,2]}}":                  {1, 2}, // not closed
		"The middle is (1.5, 2.5), I am sure.":                                              {1.5, 2.5},
		"x = 1, y = 2":                                                                      {1, 2},
		`{"bbox_2d": [1e1, 2, 3E1, 4.0]}`:                                                   {10, 2, 30, 4},
		`{"type": "button", "bbox": [1, 2, 3, 4]}`:                                          {1, 2, 3, 4},
	} {
		r, err := box1000.ReadPlace(raw)
		if assert.NoError(t, err, raw) {
			require.Len(t, r.Places, 1, raw)
			assert.Equal(t, want, r.Places[0].Nums, raw)
		}
	}
}

// The rows A1 and A2: repaired where there is one meaning.
func TestRepairs(t *testing.T) {
	for name, raw := range map[string]string{
		"A1: opens with a bracket, closes with a brace": "```json\n[\n  \"bbox_2d\": [1, 2, 3, 4],\n  \"label\": \"Search\"\n}\n```",
		"A1: and closes with a bracket":                 `["bbox_2d": [1, 2, 3, 4]]`,
		"A2: quotes inside a string":                    `{"label": "the "Search" button", "bbox_2d": [1, 2, 3, 4]}`,
		"A2: quotes before a comma":                     `{"thought": "he said "go", then left", "bbox_2d": [1, 2, 3, 4]}`,
		"an apostrophe":                                 `{'label': 'Bob's row', 'bbox_2d': [1, 2, 3, 4]}`,
		"a line break in a string":                      "{\"label\": \"a\nb\", \"bbox_2d\": [1, 2, 3, 4]}",
		"escapes":                                       `{"label": "a\"b\u4e2d\x", "bbox_2d": [1, 2, 3, 4]}`,
	} {
		r, err := box1000.ReadPlace(raw)
		if assert.NoError(t, err, name) {
			assert.Equal(t, []float64{1, 2, 3, 4}, r.Places[0].Nums, name)
		}
	}
}

func TestUnreadableAnswersSayWhy(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                 "empty answer",
		" \n\t":                            "empty answer",
		"```json\n```":                     "empty answer", // A4
		"```":                              "empty answer",
		"```\n\n```\n":                     "empty answer",
		"<|im_end|>":                       "empty answer",
		"<think>it is at [1, 2, 3, 4]":     "empty answer", // cut off while thinking
		"I'm sorry, but I can't help.":     "no coordinates",
		"The button is in the top corner.": "no coordinates",
		`{"label": "x"}`:                   "no coordinates",
		`["bbox_2d"]`:                      "names of fields without numbers",
		`{"bbox_2d": [1, 2, 3`:             "line 1, column 21: the answer ends before ]",
		"{\"label\": \"x\",\n \"bbox_2d\": [1, 2, 3, 4}": "line 2, column 24: a comma or ] should stand here",
		`{"bbox_2d": [1, two, 3, 4]}`:                    `line 1, column 17: "two, 3, 4]}" is no value`,
		`{"bbox_2d": [1, 2-, 3, 4]}`:                     `"2-" is no number`,
		`{bbox_2d [1, 2, 3, 4]}`:                         `a colon should follow the key "bbox_2d"`,
		`{"size": [100, 200], "bbox_2d": oops}`:          `"oops}" is no value`,
		"[[1,2,3,4],[5,6 7,8]]":                          "a comma or ] should stand here",
		`{"bbox_2d": [1, 2, 3]}`:                         "3 numbers (1, 2, 3): neither a point nor a box",
		`{"bbox_2d": [1,2,3,4,5,6,7,8]}`:                 "8 numbers",
		`[{"bbox_2d":[1,2,3,4]},{"bbox_2d":[5,6,7,8]}]`:  "2 places in place of one",
		"(1, 2) or (3, 4)":                               "2 places in prose",
		"[1, 2, 3, 4] and [5, 6, 7, 8]":                  "2 places in place of one",
		"<box>[[1,2,3,4],[5,6,7,8]]</box>":               "2 places in place of one",
		"<point x=\"1\">":                                "a point without coordinates",
		"<tool_call>{\"a\": }</tool_call>":               "tool call: line 1, column 7",
		"<tool_call>{\"a\": 1}</tool_call>":              "a tool call without act or place",
		"click(start_box='(1,2)'":                        "the call does not end",
		"wait()":                                         "an act without a place: wait",
		`{"action":"TYPE","parameters":{"text":"x"}}`:    "an act without a place: type",
		strings.Repeat("[", 100):                         "nested too deep",
		strings.Repeat("x", maxRaw+1):                    "longer than 65536 bytes",
		`{"point": {"x": 1e999, "y": 2}}`:                "is no number",
	} {
		_, err := box1000.ReadPlace(raw)
		var re *ReplyError
		if assert.ErrorAs(t, err, &re, clip(raw, 50)) {
			assert.Contains(t, re.Reason, want, clip(raw, 50))
			assert.Equal(t, raw, re.Raw, "the raw text is kept whole")
		}
	}
}

// Two pairs are one box for a family that writes boxes, and two points,
// neither of them the answer, for one that writes points.
func TestTwoPairsAreABoxOnlyWhereBoxesAreWritten(t *testing.T) {
	for _, raw := range []string{"(1,2),(3,4)", "[[1,2],[3,4]]", "[1,2], [3,4]"} {
		_, err := point1000.ReadPlace(raw)
		var re *ReplyError
		assert.ErrorAs(t, err, &re, raw)
	}
	for _, raw := range []string{`{"bbox": [[1,2],[3,4]]}`, "<box>(1,2),(3,4)</box>", "[1, 2, 3, 4]"} {
		r, err := point1000.ReadPlace(raw)
		if assert.NoError(t, err, raw) {
			assert.Equal(t, []float64{1, 2, 3, 4}, r.Places[0].Nums, raw)
		}
	}
}

func TestAbsence(t *testing.T) {
	for _, raw := range []string{
		"not found", "Not found.", "None", "null", "[]", "```json\n[]\n```", `{"bbox_2d": []}`, `{"bbox_2d": null}`, `{"bbox_2d": ""}`,
		`{"found": false}`, `{"absent": true}`, `{"bbox_2d": "not found"}`, `{"error": "element not found"}`,
		"There are none.", "I cannot find such a button on the screenshot.", "The element is not visible.", "未找到该元素", "页面上不存在这个按钮",
		"I can't see it; the closest is at (300, 400).", "<box></box>",
		"Thought: no.\nAction: finished(content='not found')", `finish(message="The button does not exist")`,
		`{"thought":"no","action":"FAIL","parameters":{"reason":"no such thing"}}`, `{"action":"FAILE","parameters":{}}`,
		`<tool_call>{"name":"computer_use","arguments":{"action":"terminate","status":"failure"}}</tool_call>`,
	} {
		_, err := box1000.ReadPlace(raw)
		assert.ErrorIs(t, err, ErrAbsent, raw)
	}
	// what was found is found, whatever else is said
	r, err := box1000.ReadPlace(`{"label": "the 'not found' page's link", "bbox_2d": [1, 2, 3, 4]}`)
	require.NoError(t, err)
	assert.Len(t, r.Places, 1)
}

func TestActsInEveryVocabulary(t *testing.T) {
	pt := func(ns ...float64) []Place { return []Place{{Nums: ns}} }
	for raw, want := range map[string][]Reading{
		`{"thought":"t","action":"CLICK","parameters":{"x":1,"y":2,"description":"d"}}`:        {{Verb: "click", Places: []Place{{Nums: []float64{1, 2}, Named: true}}}},
		`{"thought":"t","action":"TYPE","parameters":{"text":"a b","needs_enter":true}}`:       {{Verb: "type", Text: "a b", Enter: true}},
		`{"thought":"t","action":"SCROLL","parameters":{"direction":"down","amount":"small"}}`: {{Verb: "scroll", To: "down", Amount: "small"}},
		`{"thought":"t","action":"KEY_PRESS","parameters":{"key":"enter"}}`:                    {{Verb: "press", Keys: "enter"}},
		`{"thought":"t","action":"FINISH","parameters":{"message":"3 results"}}`:               {{Verb: "done", Text: "3 results"}},
		`{"thought":"t","action":"FAIL","parameters":{"reason":"no login"}}`:                   {{Verb: "fail", Text: "no login"}},
		`{"action":"FAILE"}`: {{Verb: "fail"}},
		"Action: click(start_box='(1,2)')\n\ntype(content='a\\'b (c)\\n')\n\nhotkey(key='ctrl c')": {
			{Verb: "click", Places: pt(1, 2)}, {Verb: "type", Text: "a'b (c)", Enter: true}, {Verb: "press", Keys: "ctrl+c"}},
		"Thought: the next action: wait\nAction: drag(start_box='(1,2)', end_box='(3,4)')": {{Verb: "drag", Places: []Place{{Nums: []float64{1, 2}}, {Nums: []float64{3, 4}}}}},
		"Thought: x Action: scroll(start_box='(1,2)', direction='down')":                   {{Verb: "scroll", Places: pt(1, 2), To: "down"}},
		"Action: left_double(start_box='<|box_start|>(1,2)<|box_end|>')":                   {{Verb: "dblclick", Places: pt(1, 2)}},
		"Action: drag(start_point='<point>1 2</point>', end_point=<point>3 4</point>)":     {{Verb: "drag", Places: []Place{{Nums: []float64{1, 2}}, {Nums: []float64{3, 4}}}}},
		"Action: right_single(point='<point>1 2</point>')":                                 {{Verb: "rightclick", Places: pt(1, 2)}},
		"wait()":                               {{Verb: "wait"}},
		"finished(content='ok')":               {{Verb: "done", Text: "ok"}},
		"call_user()":                          {{Verb: "ask"}},
		`do(action="Type", text="say \"hi\"")`: {{Verb: "type", Text: `say "hi"`}},
		`do(action="Swipe", start=[1,2], end=[3,4])`: {{Verb: "drag", Places: []Place{{Nums: []float64{1, 2}}, {Nums: []float64{3, 4}}}}},
		`do(action="Back")`:                          {{Verb: "back"}},
		`finish(message="done: \"x\"")`:              {{Verb: "done", Text: `done: "x"`}},
		`<tool_call>{"name":"computer_use","arguments":{"action":"key","keys":["ctrl","a"]}}</tool_call>`:                                                        {{Verb: "press", Keys: "ctrl+a"}},
		`<tool_call>{"name":"computer_use","arguments":{"action":"terminate","status":"success"}}</tool_call>`:                                                   {{Verb: "done"}},
		`<tool_call>{"name":"computer_use","arguments":{"action":"left_click_drag","start_coordinate":[1,2],"coordinate":[3,4]}}</tool_call>`:                    {{Verb: "drag", Places: []Place{{Nums: []float64{1, 2}}, {Nums: []float64{3, 4}}}}},
		`<tool_call>{"name":"computer_use","arguments":{"action":"scroll","coordinate":[1,2],"pixels":-300}}</tool_call>`:                                        {{Verb: "scroll", Places: pt(1, 2), Amount: "-300"}},
		`<tool_call>{"name":"a","arguments":{"action":"click","coordinate":[1,2]}}</tool_call><tool_call>{"name":"a","arguments":{"action":"wait"}}</tool_call>`: {{Verb: "click", Places: pt(1, 2)}, {Verb: "wait"}},
		`{"type":"keypress","keys":["CTRL","L"]}`:                                                               {{Verb: "press", Keys: "CTRL+L"}},
		`{"type":"drag","path":[{"x":1,"y":2},{"x":5,"y":5},{"x":3,"y":4}]}`:                                    {{Verb: "drag", Places: []Place{{Nums: []float64{1, 2}, Named: true}, {Nums: []float64{3, 4}, Named: true}}}},
		`{"name":"type_text_at","args":{"x":1,"y":2,"text":"a","press_enter":true,"clear_before_typing":true}}`: {{Verb: "type", Text: "a", Enter: true, Clear: true, Places: []Place{{Nums: []float64{1, 2}, Named: true}}}},
		`{'action': 'INPUT', 'value': 'abc', 'position': [1, 2]}`:                                               {{Verb: "type", Text: "abc", Places: pt(1, 2)}},
		`{"action":"fly"}`:                {{Verb: "fly"}},
		`{"mark": 7, "confidence": 0.82}`: {{Mark: 7, Score: 82}},
	} {
		got, err := point1000.Read(raw)
		if assert.NoError(t, err, raw) {
			assert.Equal(t, want, got, raw)
		}
	}
}

func TestAMarkIsAnAnswer(t *testing.T) {
	r, err := box1000.ReadPlace(`{"mark": 12}`)
	require.NoError(t, err)
	assert.Equal(t, 12, r.Mark)
	_, err = box1000.ReadPlace(`{"mark": -1}`)
	assert.Error(t, err)
}

func TestMolmoForms(t *testing.T) {
	molmo, err := ProfileNamed("molmo")
	require.NoError(t, err)
	_, err = molmo.ReadPlace(`<points x1="1.0" y1="2.0" x2="3.0" y2="4.0" alt="a">a</points>`)
	assert.ErrorContains(t, err, "2 places in place of one")
	_, err = molmo.ReadPlace(`<points alt="a" coords="1 1 615">a</points>`)
	assert.ErrorContains(t, err, "triples")
	r, err := molmo.ReadPlace("p=615,406")
	require.NoError(t, err)
	assert.Equal(t, []float64{61.5, 40.6}, r.Places[0].Nums)
	_, err = box1000.ReadPlace("p=615,406")
	assert.Error(t, err, "tenths of a percent are one family's way only")
}

// Whatever a model writes, a point that is read and mapped lies inside the
// screenshot, and the raw text survives in the error.
func FuzzReadAndMap(f *testing.F) {
	all := Profiles()
	for i, p := range all {
		for _, say := range sayings[p.Name] {
			f.Add(uint8(i), say(inUnits(p, Geometry{Model: Size{1280, 800}, Scaled: Size{1280, 800}, Sent: Size{1280, 800}}, 20)))
		}
	}
	for i, s := range []string{"[1000,1000]", "[1e300, -1e300]", "[-0.0, 0]", "<points coords=\"1 1 999 1000\">", "{'a': [[1,2],[3,4]]}", "[0.9999999999999999, 1]", "p=999,999",
		"```json\n[ \"bbox_2d\": [1,2,3,4] }", `{"bbox":{"x":1,"y":1,"width":1e308,"height":1e308}}`, "click(click(click(", "<tool_call><function=a><parameter=b>"} {
		f.Add(uint8(i), s)
	}
	f.Fuzz(func(t *testing.T, n uint8, raw string) {
		p := all[int(n)%len(all)]
		g := Geometry{Shot: Size{1920, 1201}, View: viewport, Crop: Rect{0, 0, 1920, 1201}}
		require.NoError(t, p.sizes(&g, g.Shot, false))
		rs, err := p.Read(raw)
		if err != nil {
			var re *ReplyError
			require.ErrorAs(t, err, &re)
			require.Equal(t, raw, re.Raw)
			return
		}
		require.NotEmpty(t, rs)
		for _, r := range rs {
			require.True(t, r.Score >= 0 && r.Score <= 100)
			for _, pl := range r.Places {
				m, err := p.Map(g, pl)
				if err != nil {
					continue
				}
				require.True(t, m.Point.X >= 0 && m.Point.X < 1920 && m.Point.Y >= 0 && m.Point.Y < 1201, "%s: %v", raw, m.Chain)
			}
		}
	})
}
