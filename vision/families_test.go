package vision

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

// viewport is what the screenshots of the tests show, CSS px.
var viewport = dom.Rect{W: 1280, H: 800}

// shotAt is a screenshot of the viewport at a device pixel ratio.
func shotAt(t testing.TB, dpr float64) *dom.Shot {
	w, h := int(viewport.W*dpr), int(viewport.H*dpr)
	return &dom.Shot{PNG: pngOf(t, w, h), Width: w, Height: h, View: viewport, Scale: dpr}
}

func profileNamed(t testing.TB, name string) Profile {
	p, err := ProfileNamed(name)
	require.NoError(t, err)
	return p
}

// target is what every model of the table points at, CSS px.
var target = dom.Point{X: 345, Y: 612}

// written are the target's numbers in the units of a profile: what a model
// that sees perfectly would write, around the target by the radius (CSS px).
type written struct{ x, y, x1, y1, x2, y2 float64 }

func inUnits(p Profile, g Geometry, radius float64) written {
	grid := Grid{W: float64(g.Model.W), H: float64(g.Model.H)}
	if !p.Grid.px() {
		grid = p.Grid
	}
	// px count on the image with its padding, if any
	kx := float64(g.Scaled.W) / float64(g.Sent.W) * grid.W / viewport.W
	ky := float64(g.Scaled.H) / float64(g.Sent.H) * grid.H / viewport.H
	return written{target.X * kx, target.Y * ky, (target.X - radius) * kx, (target.Y - radius) * ky, (target.X + radius) * kx, (target.Y + radius) * ky}
}

// sayings write an answer in each family's own grammar.
var sayings = map[string][]func(w written) string{
	"qwen-vl": {func(w written) string {
		return fmt.Sprintf("<ref>the thing</ref><box>(%.0f,%.0f),(%.0f,%.0f)</box>", w.x1, w.y1, w.x2, w.y2)
	}},
	"qwen-vl-max": {func(w written) string {
		return fmt.Sprintf(`{"bbox_2d":[%.0f,%.0f,%.0f,%.0f]}`, w.x1, w.y1, w.x2, w.y2)
	}},
	"qwen2-vl": {func(w written) string {
		return fmt.Sprintf("<|object_ref_start|>language switch<|object_ref_end|><|box_start|>(%.0f,%.0f),(%.0f,%.0f)<|box_end|><|im_end|>", w.x1, w.y1, w.x2, w.y2)
	}, func(w written) string { // the server stripped the tokens
		return fmt.Sprintf("language switch(%.0f,%.0f),(%.0f,%.0f)", w.x1, w.y1, w.x2, w.y2)
	}, func(w written) string { return fmt.Sprintf("(%.0f,%.0f),(%.0f,%.0f)", w.x1, w.y1, w.x2, w.y2) }},
	"os-atlas-4b": {func(w written) string {
		return fmt.Sprintf("<ref>x</ref><box>[[%.0f, %.0f, %.0f, %.0f]]</box>", w.x1, w.y1, w.x2, w.y2)
	}},
	"qwen2.5-vl": {func(w written) string {
		return fmt.Sprintf("```json\n[\n\t{\"bbox_2d\": [%.0f, %.0f, %.0f, %.0f], \"label\": \"field\"}\n]\n```", w.x1, w.y1, w.x2, w.y2)
	}, func(w written) string { return fmt.Sprintf(`{"point_2d": [%.0f, %.0f], "label": "field"}`, w.x, w.y) },
		func(w written) string {
			return fmt.Sprintf("<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [%.0f, %.0f]}}\n</tool_call>", w.x, w.y)
		}},
	"qwen2.5-vl-padded": {func(w written) string {
		return fmt.Sprintf(`[{"bbox_2d":[%.0f,%.0f,%.0f,%.0f]}]`, w.x1, w.y1, w.x2, w.y2)
	}},
	"qwen3-vl": {func(w written) string {
		return fmt.Sprintf(`{"bbox_2d":[%.0f,%.0f,%.0f,%.0f],"label":"b"}`, w.x1, w.y1, w.x2, w.y2)
	}, func(w written) string {
		return fmt.Sprintf("Thought: it is there.\nAction: \"Click the field\"\n<tool_call>\n{\"name\":\"mobile_use\",\"arguments\":{\"action\":\"click\",\"coordinate\":[%.0f,%.0f]}}\n</tool_call>", w.x, w.y)
	}, func(w written) string { // parameters as elements
		return fmt.Sprintf("<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[%.0f, %.0f]\n</parameter>\n</function>\n</tool_call>", w.x, w.y)
	}},
	"qwen3-vl-999": {func(w written) string {
		return fmt.Sprintf(`<tool_call>{"name":"mobile_use","arguments":{"action":"click","coordinate":[%.0f,%.0f]}}</tool_call>`, w.x, w.y)
	}},
	"gui-plus-2026": {func(w written) string {
		return fmt.Sprintf("Action: click the field\n<tool_call>\n{\"name\":\"computer_use\",\"arguments\":{\"action\":\"left_click\",\"coordinate\":[%.0f,%.0f]}}\n</tool_call>", w.x, w.y)
	}},
	"gui-plus": {func(w written) string {
		return fmt.Sprintf(`{"thought":"It says (1, 2).","action":"CLICK","parameters":{"x":%.0f,"y":%.0f,"description":"field"}}`, w.x, w.y)
	}},
	"doubao": {func(w written) string {
		return fmt.Sprintf("Thought: ok\nAction: click(point='<point>%.0f %.0f</point>')", w.x, w.y)
	}, func(w written) string { return fmt.Sprintf("<bbox>%.0f %.0f %.0f %.0f</bbox>", w.x, w.y, w.x, w.y) },
		func(w written) string { return fmt.Sprintf(`{"bbox": [%.0f, %.0f, 7]}`, w.x, w.y) },
		func(w written) string { return fmt.Sprintf(`{"bbox": "%.0f %.0f"}`, w.x, w.y) },
		func(w written) string {
			return fmt.Sprintf(`{"bbox": [%.0f, %.0f, %.0f, %.0f, 9]}`, w.x1, w.y1, w.x2, w.y2)
		},
		func(w written) string { return fmt.Sprintf(`{"bbox": [%.0f, %.0f, 1, 2, 3, 4]}`, w.x, w.y) },
		func(w written) string { // all four corners
			return fmt.Sprintf(`[%.0f, %.0f, %.0f, %.0f, %.0f, %.0f, %.0f, %.0f]`, w.x1, w.y1, w.x2, w.y1, w.x2, w.y2, w.x1, w.y2)
		}},
	"ui-tars-1.5": {func(w written) string {
		return fmt.Sprintf("Thought: I see it at the left.\nAction: click(start_box='(%.0f,%.0f)')", w.x, w.y)
	}, func(w written) string { // a full-width colon, an end mark, and a second act
		return fmt.Sprintf("Action： click(start_box='(%.0f,%.0f)')\n\ntype(content='x\\n')[EOS]", w.x, w.y)
	}},
	"ui-tars-1.0": {func(w written) string {
		return fmt.Sprintf("Thought: x\nAction: click(start_box='<|box_start|>(%.0f,%.0f)<|box_end|>')", w.x, w.y)
	}, func(w written) string { return fmt.Sprintf("(%.0f,%.0f)", w.x, w.y) }},
	"gui-owl": {func(w written) string {
		return fmt.Sprintf(`<tool_call>{"name":"computer_use","arguments":{"action":"click","coordinate":[%.0f,%.0f]}}</tool_call>`, w.x, w.y)
	}},
	"fara": {func(w written) string {
		return fmt.Sprintf("I will press it.\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [%.0f, %.0f]}}\n</tool_call>", w.x, w.y)
	}},
	"autoglm": {func(w written) string {
		return fmt.Sprintf("<think>It says \"tap\" [1,2]</think><answer>do(action=\"Tap\", element=[%.0f,%.0f])</answer>", w.x, w.y)
	}},
	"agent-s-ui-tars-1.5": {func(w written) string { return fmt.Sprintf("(%.0f, %.0f)", w.x, w.y) }},
	"agent-s-ui-tars-72b": {func(w written) string { return fmt.Sprintf("(%.0f, %.0f)", w.x, w.y) }},
	"gemini-computer-use": {func(w written) string {
		return fmt.Sprintf(`{"name":"click_at","args":{"x":%.0f,"y":%.0f}}`, w.x, w.y)
	}},
	"openai-computer-use": {func(w written) string {
		return fmt.Sprintf(`{"type":"click","x":%.0f,"y":%.0f,"button":"left"}`, w.x, w.y)
	}, func(w written) string {
		return fmt.Sprintf(`{"actions":[{"type":"click","x":%.0f,"y":%.0f},{"type":"type","text":"a"}]}`, w.x, w.y)
	}},
	"showui": {func(w written) string { return fmt.Sprintf("[%.4f, %.4f]", w.x, w.y) }, func(w written) string {
		return fmt.Sprintf("{'action': 'CLICK', 'value': None, 'position': [%.4f, %.4f]}", w.x, w.y)
	}},
	"seeclick": {func(w written) string { return fmt.Sprintf("click_point: (%.4f,%.4f)", w.x, w.y) }},
	"molmoweb": {func(w written) string {
		return fmt.Sprintf(`{"thought":"t","action":{"type":"click","x":%.2f,"y":%.2f}}`, w.x, w.y)
	}},
	"molmo2": {func(w written) string {
		return fmt.Sprintf(`<points alt="b" coords="1 1 %.0f %.0f">label</points>`, w.x, w.y)
	}},
	"molmo": {func(w written) string {
		return fmt.Sprintf(` <point x="%.1f" y="%.1f" alt="a">a</point>`, w.x, w.y)
	}, func(w written) string { return fmt.Sprintf("Click(%.1f, %.1f)", w.x, w.y) },
		func(w written) string { return fmt.Sprintf("(%.1f, %.1f)", w.x, w.y) },
		func(w written) string { return fmt.Sprintf("p=%03.0f,%03.0f", w.x*10, w.y*10) }},
	"internvl": {func(w written) string {
		return fmt.Sprintf("<ref>f</ref><box>[[%.0f, %.0f, %.0f, %.0f]]</box>", w.x1, w.y1, w.x2, w.y2)
	}, func(w written) string {
		return fmt.Sprintf("[%.4f, %.4f, %.4f, %.4f]", w.x1/1000, w.y1/1000, w.x2/1000, w.y2/1000)
	}},
	"deepseek-vl2": {func(w written) string {
		return fmt.Sprintf("<|ref|>The field.<|/ref|><|det|>[[%.0f, %.0f, %.0f, %.0f]]<|/det|><｜end▁of▁sentence｜>", w.x1, w.y1, w.x2, w.y2)
	}},
	"glm-v": {func(w written) string {
		return fmt.Sprintf("<think>look</think>The field is at <|begin_of_box|>[[%.0f,%.0f,%.0f,%.0f]]<|end_of_box|>.", w.x1, w.y1, w.x2, w.y2)
	}, func(w written) string {
		return fmt.Sprintf("<|begin_of_box|>(%.0f,%.0f,%.0f,%.0f)<|end_of_box|>", w.x1, w.y1, w.x2, w.y2)
	},
		func(w written) string {
			return fmt.Sprintf("<|begin_of_box|><%.0f,%.0f,%.0f,%.0f><|end_of_box|>", w.x1, w.y1, w.x2, w.y2)
		},
		func(w written) string {
			return fmt.Sprintf("left_click(start_box='[%.0f,%.0f]', element_info='the (field)')", w.x, w.y)
		},
		func(w written) string {
			return fmt.Sprintf("click(box_2d='[[%.0f,%.0f,%.0f,%.0f]]')", w.x1, w.y1, w.x2, w.y2)
		}},
	"kimi": {func(w written) string { return fmt.Sprintf("[%.4f, %.4f]", target.X/viewport.W, target.Y/viewport.H) }, func(w written) string { return fmt.Sprintf("[%.0f, %.0f]", w.x, w.y) }},
	"gemini": {func(w written) string {
		return fmt.Sprintf("```json\n[{\"box_2d\": [%.0f, %.0f, %.0f, %.0f], \"label\": \"field\"}]\n```", w.y1, w.x1, w.y2, w.x2)
	}, func(w written) string { return fmt.Sprintf(`[{"point": [%.0f, %.0f], "label": "f"}]`, w.y, w.x) },
		func(w written) string {
			return fmt.Sprintf("<thought>a [1, 2] b</thought>{\"x\": %.0f, \"y\": %.0f}", w.x, w.y)
		}},
	"claude": {func(w written) string { return fmt.Sprintf("[%.0f, %.0f]", w.x, w.y) }, func(w written) string {
		return fmt.Sprintf(`{"action":"left_click","coordinate":[%.0f,%.0f]}`, w.x, w.y)
	}},
	"claude-high": {func(w written) string { return fmt.Sprintf("Here it is:\n\n{\"point\": [%.0f, %.0f]}", w.x, w.y) }},
	"gpt-patch":   {func(w written) string { return fmt.Sprintf(`{"point": {"x": %.0f, "y": %.0f}}`, w.x, w.y) }},
	"gpt-original": {func(w written) string {
		return fmt.Sprintf(`{"bbox":[%.0f,%.0f,%.0f,%.0f]}`, w.x1, w.y1, w.x2, w.y2)
	}, func(w written) string {
		return fmt.Sprintf(`{"bbox":{"x1":%.0f,"y1":%.0f,"x2":%.0f,"y2":%.0f},"confidence":0.9}`, w.x1, w.y1, w.x2, w.y2)
	}},
	"gpt-unlimited": {func(w written) string {
		return fmt.Sprintf(`{"bbox":"%.0f %.0f %.0f %.0f"}`, w.x1, w.y1, w.x2, w.y2)
	}},
	"gpt-tile": {func(w written) string {
		return fmt.Sprintf("The field's middle is at x: %.0f, y: %.0f.", w.x, w.y)
	}, func(w written) string {
		return fmt.Sprintf(`{"position": {"left": %.0f, "top": %.0f, "width": %.0f, "height": %.0f}}`, w.x1, w.y1, w.x2-w.x1, w.y2-w.y1)
	}},
	"pixels":            {func(w written) string { return fmt.Sprintf("%.0f, %.0f", w.x, w.y) }},
	"pixels-zoom":       {func(w written) string { return fmt.Sprintf("[[%.0f, %.0f]]", w.x, w.y) }},
	"grid-1000":         {func(w written) string { return fmt.Sprintf(`{"coordinate": "%.0f,%.0f"}`, w.x, w.y) }},
	"grid-1000-zoom":    {func(w written) string { return fmt.Sprintf(`{"result": {"point": [%.0f, %.0f]}}`, w.x, w.y) }},
	"grid-1000-y-first": {func(w written) string { return fmt.Sprintf(`[%.0f, %.0f]`, w.y, w.x) }},
	"grid-999":          {func(w written) string { return fmt.Sprintf(`[[%.0f, %.0f], [%.0f, %.0f]]`, w.x1, w.y1, w.x2, w.y2) }},
	"grid-100":          {func(w written) string { return fmt.Sprintf(`<points x1="%.1f" y1="%.1f" alt="a">a</points>`, w.x, w.y) }},
	"grid-1":            {func(w written) string { return fmt.Sprintf("(%.4f, %.4f)", w.x, w.y) }},
}

// Every shipped profile, from the raw answer to the CSS point, at four device
// pixel ratios. The tolerance is what rounding to the family's grid costs.
func TestEveryProfileFromAnswerToCSS(t *testing.T) {
	for _, p := range Profiles() {
		require.NotEmpty(t, sayings[p.Name], "profile %s has no answer in this test", p.Name)
		for _, dpr := range []float64{1, 1.5, 2, 3} {
			shot := shotAt(t, dpr)
			g, err := p.geometry(shot, nil)
			require.NoError(t, err)
			require.Equal(t, g.Sent, g.Model, "%s at %g: the server keeps the size", p.Name, dpr)
			for i, say := range sayings[p.Name] {
				raw := say(inUnits(p, g, 20))
				r, err := p.ReadPlace(raw)
				if !assert.NoError(t, err, "%s %d: %s", p.Name, i, raw) {
					continue
				}
				m, err := p.Map(g, r.Places[0])
				if !assert.NoError(t, err, "%s %d: %s", p.Name, i, raw) {
					continue
				}
				css := ToCSS(shot, m.Point)
				tol := tolerance(p, dpr)
				assert.InDelta(t, target.X, css.X, tol, "%s at %g: %s\n%v", p.Name, dpr, raw, m.Chain)
				assert.InDelta(t, target.Y, css.Y, tol, "%s at %g: %s\n%v", p.Name, dpr, raw, m.Chain)
				assert.Empty(t, m.Flags, raw)
			}
		}
	}
}

func tolerance(p Profile, dpr float64) float64 {
	switch {
	case p.Grid.px():
		return 1.2 // shrunk images count in px of more than one CSS px
	case p.Grid.W == 1:
		return 0.1
	}
	return viewport.W / p.Grid.W * 0.6
}

func TestTheChainSaysEveryNumber(t *testing.T) {
	p := profileNamed(t, "ui-tars-1.5")
	sent, err := p.Prepare(&dom.Shot{PNG: pngOf(t, 1920, 1080), Width: 1920, Height: 1080, View: dom.Rect{W: 1280, H: 720}}, nil)
	require.NoError(t, err)
	m, err := p.Map(sent.Geometry, Place{Nums: []float64{900, 480, 1100, 520}})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"shot: 1920x1080 px",
		"sent: 1932x1092 px, by the rule smart",
		"model: box (900, 480, 1100, 520) on px of 1932x1092",
		"centre: (1000, 500)",
		"sent: (1000, 500) of 1932x1092 px",
		"screenshot: (993.789, 494.505) of 1920x1080 px",
		"css: (662.526, 329.67) px",
	}, m.Chain)
	assert.InDelta(t, 894.41, m.Box.Min.X, 0.01)
}

// The rows V2, V3: one text, two points, by profile.
func TestSameTextTwoProfiles(t *testing.T) {
	const raw = "click(start_box='(1000,500)')"
	shot := &dom.Shot{PNG: pngOf(t, 1920, 1080), Width: 1920, Height: 1080, View: dom.Rect{W: 1920, H: 1080}}
	for name, want := range map[string]Point{"ui-tars-1.5": {993.789, 494.505}, "ui-tars-1.0": {1919, 540}} {
		p := profileNamed(t, name)
		sent, err := p.Prepare(shot, nil)
		require.NoError(t, err)
		r, err := p.ReadPlace(raw)
		require.NoError(t, err)
		m, err := p.Map(sent.Geometry, r.Places[0])
		require.NoError(t, err)
		assert.InDelta(t, want.X, m.Point.X, 0.001, name)
		assert.InDelta(t, want.Y, m.Point.Y, 0.001, name)
	}
}

// The rows V5 and V8: the scale is that of the images themselves.
func TestScaleFromTheImageItself(t *testing.T) {
	p := profileNamed(t, "grid-1000")
	for name, tc := range map[string]struct {
		w, h int
		view dom.Rect
		want dom.Point
	}{
		"a short page in a tall viewport": {1280, 300, dom.Rect{W: 1280, H: 300}, dom.Point{X: 640, Y: 150}},
		"an emulated scale of 0.8":        {1024, 640, dom.Rect{W: 1280, H: 800}, dom.Point{X: 640, Y: 400}},
		"a clip of the viewport":          {200, 100, dom.Rect{X: 30, Y: 40, W: 100, H: 50}, dom.Point{X: 80, Y: 65}},
		"another scale each way":          {640, 800, dom.Rect{W: 1280, H: 800}, dom.Point{X: 640, Y: 400}},
	} {
		shot := &dom.Shot{PNG: pngOf(t, tc.w, tc.h), Width: tc.w, Height: tc.h, View: tc.view}
		sent, err := p.Prepare(shot, nil)
		require.NoError(t, err)
		m, err := p.Map(sent.Geometry, Place{Nums: []float64{500, 500}})
		require.NoError(t, err)
		css := ToCSS(shot, m.Point)
		assert.InDelta(t, tc.want.X, css.X, 0.001, name)
		assert.InDelta(t, tc.want.Y, css.Y, 0.001, name)
	}
	_, err := p.Prepare(&dom.Shot{PNG: pngOf(t, 640, 400), Width: 1280, Height: 800, View: viewport}, nil)
	assert.ErrorContains(t, err, "640x400 px in the image, 1280x800 px declared")
	_, err = p.Prepare(&dom.Shot{PNG: pngOf(t, 64, 40), Width: 64, Height: 40}, nil)
	assert.ErrorContains(t, err, "shows nothing")
	_, err = p.Prepare(&dom.Shot{PNG: []byte("GIF89a"), View: viewport}, nil)
	assert.ErrorContains(t, err, "not a PNG")
}

// The row V7: at a ratio of 2 a target of 60 by 60 is hit in every grid.
func TestSmallTargetsAreHit(t *testing.T) {
	for _, p := range Profiles() {
		shot := shotAt(t, 2)
		g, err := p.geometry(shot, nil)
		require.NoError(t, err)
		r, err := p.ReadPlace(sayings[p.Name][0](inUnits(p, g, 15)))
		require.NoError(t, err)
		m, err := p.Map(g, r.Places[0])
		require.NoError(t, err)
		box := dom.Rect{X: target.X - 15, Y: target.Y - 15, W: 30, H: 30}
		assert.True(t, box.Contains(ToCSS(shot, m.Point)), p.Name)
	}
}

// The row V11: 999 means the last pixel under one profile, and not under the other.
func TestThousandOrNines(t *testing.T) {
	g := Geometry{Shot: Size{5000, 100}, View: dom.Rect{W: 5000, H: 100}, Crop: Rect{0, 0, 5000, 100}, Scaled: Size{5000, 100}, Sent: Size{5000, 100}, Model: Size{5000, 100}}
	for name, want := range map[string]float64{"qwen3-vl": 4995, "qwen3-vl-999": 4999, "deepseek-vl2": 4999} {
		m, err := profileNamed(t, name).Map(g, Place{Nums: []float64{999, 999}})
		require.NoError(t, err)
		assert.InDelta(t, want, m.Point.X, 0.001, name)
		assert.Less(t, m.Point.Y, 100.0)
	}
}

func TestMapRefusesAndNeverClamps(t *testing.T) {
	shot := shotAt(t, 1)
	for name, tc := range map[string]struct {
		profile string
		nums    []float64
		want    string
	}{
		"V10: beyond the grid":   {"qwen3-vl", []float64{1102, 500}, "(1102, 500) is outside the grid of 1000x1000"},
		"below zero":             {"qwen3-vl", []float64{-1, 500}, "outside the grid"},
		"a corner beyond":        {"qwen3-vl", []float64{10, 10, 20, 1001}, "outside the grid"},
		"1000 of 999":            {"deepseek-vl2", []float64{1000, 10}, "outside the grid of 999x999"},
		"px beyond the image":    {"qwen2.5-vl", []float64{1289, 10}, "outside the grid of 1288x812"},
		"absolute in a relative": {"gui-plus-2026", []float64{2530, 314}, "outside the grid"},
		"percent above 100":      {"molmo", []float64{615, 406}, "outside the grid of 100x100"},
		"right before left":      {"qwen3-vl", []float64{20, 10, 10, 30}, "another order of the numbers?"},
		"below before above":     {"qwen3-vl", []float64{10, 30, 20, 10}, "another order of the numbers?"},
		"fractions in px":        {"qwen2.5-vl", []float64{0.51, 0.33}, "looks like fractions"},
		"fractions in 1000":      {"qwen3-vl", []float64{0.51, 0.33, 0.6, 0.4}, "looks like fractions"},
		"padding":                {"qwen2.5-vl-padded", []float64{1285, 400}, "lies in the padding"},
		"padding below":          {"qwen2.5-vl-padded", []float64{100, 805}, "lies in the padding"},
		"three numbers":          {"qwen3-vl", []float64{1, 2, 3}, "neither a point nor a box"},
	} {
		p := profileNamed(t, tc.profile)
		sent, err := p.Prepare(shot, nil)
		require.NoError(t, err)
		_, err = p.Map(sent.Geometry, Place{Nums: tc.nums})
		assert.ErrorContains(t, err, tc.want, name)
	}
}

func TestTheGridsEndIsTheLastPixel(t *testing.T) {
	for _, dpr := range []float64{1, 2} {
		shot := shotAt(t, dpr)
		for _, p := range Profiles() {
			g, err := p.geometry(shot, nil)
			require.NoError(t, err)
			end := Place{Nums: []float64{p.Grid.W, p.Grid.H}, Named: true}
			if p.Grid.px() {
				end.Nums = []float64{float64(g.Model.W), float64(g.Model.H)}
			}
			m, err := p.Map(g, end)
			if g.Sent != g.Scaled {
				assert.ErrorContains(t, err, "padding", p.Name)
				continue
			}
			require.NoError(t, err, p.Name)
			assert.Equal(t, Point{float64(shot.Width - 1), float64(shot.Height - 1)}, m.Point, p.Name)
			m, err = p.Map(g, Place{Nums: []float64{0, 0}})
			require.NoError(t, err, p.Name)
			assert.Equal(t, Point{}, m.Point, p.Name)
		}
	}
}

func TestSuspicionsAreFlagsOnly(t *testing.T) {
	p := profileNamed(t, "qwen3-vl")
	sent, err := p.Prepare(shotAt(t, 1), nil)
	require.NoError(t, err)
	for want, nums := range map[string][]float64{
		"fractions?":              {1, 1},
		"covers 81% of the image": {50, 50, 950, 950},
		"the box is only 1x2":     {50, 50, 51, 52},
	} {
		m, err := p.Map(sent.Geometry, Place{Nums: nums})
		require.NoError(t, err)
		require.Len(t, m.Flags, 1, want)
		assert.Contains(t, m.Flags[0], want)
	}
}

func TestASecondLookMapsBack(t *testing.T) {
	p := profileNamed(t, "pixels-zoom")
	shot := shotAt(t, 1.5)
	sent, err := p.Prepare(shot, nil)
	require.NoError(t, err)
	first, err := p.Map(sent.Geometry, Place{Nums: []float64{1900, 60}})
	require.NoError(t, err)
	part, ok := p.Around(sent.Geometry, first)
	require.True(t, ok)
	assert.Equal(t, Rect{1152, 0, 768, 480}, part, "as far to the right as the screenshot goes")

	close, err := p.Prepare(shot, &part)
	require.NoError(t, err)
	assert.Equal(t, Size{1536, 960}, close.Sent, "enlarged")
	m, err := p.Map(close.Geometry, Place{Nums: []float64{1000, 200}})
	require.NoError(t, err)
	assert.Equal(t, Point{1152 + 500, 100}, m.Point)
	assert.Contains(t, m.Chain[1], "the part (1152, 0) 768x480")

	_, ok = p.Around(sent.Geometry, Mapped{Box: &Box{Point{0, 0}, Point{60, 60}}})
	assert.False(t, ok, "large enough")
	_, ok = profileNamed(t, "pixels").Around(sent.Geometry, first)
	assert.False(t, ok, "the profile does not want it")
}

func TestErrAbsentIsNoReplyError(t *testing.T) {
	_, err := profileNamed(t, "qwen3-vl").ReadPlace("not found")
	require.ErrorIs(t, err, ErrAbsent)
	var re *ReplyError
	assert.False(t, errors.As(err, &re))
}
