package vision

import (
	"fmt"

	"harness/dom"
)

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
