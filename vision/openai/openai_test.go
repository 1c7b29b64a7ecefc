package openai

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/internal/cassette"
	"harness/internal/chat"
	"harness/vision"
)

// The server of these tests sees: it looks for the one magenta patch on the
// image that it is sent and says where it is, in the grammar and grid of a
// family, or makes one of the mistakes that models make.

var magenta = color.RGBA{255, 0, 255, 255}

// patch is where the patch is painted, CSS px.
var patch = dom.Rect{X: 350, Y: 150, W: 30, H: 30}

// shotOf is a page with the patch; without, if bare.
func shotOf(t testing.TB, dpr float64, bare bool) *dom.Shot {
	w, h := int(640*dpr), int(400*dpr)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{240, 240, 240, 255}), image.Point{}, draw.Src)
	if !bare {
		at := image.Rect(int(patch.X*dpr), int(patch.Y*dpr), int(patch.Right()*dpr), int(patch.Bottom()*dpr))
		draw.Draw(img, at, image.NewUniform(magenta), image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img))
	return &dom.Shot{PNG: b.Bytes(), Width: w, Height: h, View: dom.Rect{W: 640, H: 400}, Scale: dpr}
}

// seen is the patch as the server found it, in the units of a family.
type seen struct {
	x, y, x1, y1, x2, y2 float64
	ok                   bool
}

// see looks at the image of a request.
func see(img image.Image, p vision.Profile) seen {
	b := img.Bounds()
	box := image.Rectangle{b.Max, b.Min}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if c := at(img, x, y); c.R > 0xe0 && c.G < 0x30 && c.B > 0xe0 {
				box.Min.X, box.Min.Y = min(box.Min.X, x), min(box.Min.Y, y)
				box.Max.X, box.Max.Y = max(box.Max.X, x+1), max(box.Max.Y, y+1)
			}
		}
	}
	kx, ky := 1.0, 1.0
	if p.Grid.W > 0 {
		kx, ky = p.Grid.W/float64(b.Dx()), p.Grid.H/float64(b.Dy())
	}
	s := seen{x1: float64(box.Min.X) * kx, y1: float64(box.Min.Y) * ky, x2: float64(box.Max.X) * kx, y2: float64(box.Max.Y) * ky, ok: box.Min.X < box.Max.X}
	s.x, s.y = (s.x1+s.x2)/2, (s.y1+s.y2)/2
	return s
}

// at is a pixel; going through the interface takes seconds an image.
func at(img image.Image, x, y int) color.RGBA {
	switch img := img.(type) {
	case *image.RGBA:
		return img.RGBAAt(x, y)
	case *image.NRGBA:
		c := img.NRGBAAt(x, y)
		return color.RGBA{c.R, c.G, c.B, c.A}
	}
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
}

// in fills numbers into a grammar: {x} {y} {x1} … whole, or with decimals.
func (s seen) in(form string, decimals int) string {
	n := func(f float64) string { return fmt.Sprintf("%.*f", decimals, f) }
	return strings.NewReplacer("{x}", n(s.x), "{y}", n(s.y), "{x1}", n(s.x1), "{y1}", n(s.y1), "{x2}", n(s.x2), "{y2}", n(s.y2)).Replace(form)
}

// grammars are a model of each family and how it writes.
var grammars = []struct {
	model, profile, form string
	decimals             int
}{
	{"qwen-vl-chat", "qwen-vl", "<ref>it</ref><box>({x1},{y1}),({x2},{y2})</box>", 0},
	{"qwen-vl-max-2025-08-13", "qwen-vl-max", `{"bbox_2d": [{x1}, {y1}, {x2}, {y2}]}`, 0},
	{"Qwen2-VL-7B", "qwen2-vl", "<|object_ref_start|>it<|object_ref_end|><|box_start|>({x1},{y1}),({x2},{y2})<|box_end|><|im_end|>", 0},
	{"os-atlas-base-4b", "os-atlas-4b", "<ref>it</ref><box>[[{x1}, {y1}, {x2}, {y2}]]</box>", 0},
	{"qwen2.5-vl-7b-instruct", "qwen2.5-vl", "```json\n[{\"bbox_2d\": [{x1}, {y1}, {x2}, {y2}], \"label\": \"it\"}]\n```", 0},
	{"", "qwen2.5-vl-padded", `{"point_2d": [{x}, {y}]}`, 0},
	{"qwen3-vl-plus", "qwen3-vl", `{"bbox_2d": [{x1}, {y1}, {x2}, {y2}], "label": "it"}`, 0},
	{"", "qwen3-vl-999", `<tool_call>{"name":"mobile_use","arguments":{"action":"click","coordinate":[{x},{y}]}}</tool_call>`, 0},
	{"gui-plus-2026-02-26", "gui-plus-2026", "Action: click it\n<tool_call>\n{\"name\":\"computer_use\",\"arguments\":{\"action\":\"left_click\",\"coordinate\":[{x},{y}]}}\n</tool_call>", 0},
	{"gui-plus", "gui-plus", `{"thought":"there","action":"CLICK","parameters":{"x":{x},"y":{y},"description":"it"}}`, 0},
	{"doubao-1.5-ui-tars", "doubao", "Thought: there\nAction: click(point='<point>{x} {y}</point>')", 0},
	{"ui-tars-1.5-7b", "ui-tars-1.5", "Thought: there\nAction: click(start_box='({x},{y})')", 0},
	{"ui-tars-72b-dpo", "ui-tars-1.0", "Action: click(start_box='<|box_start|>({x},{y})<|box_end|>')", 0},
	{"gui-owl-7b", "gui-owl", `<tool_call>{"name":"computer_use","arguments":{"action":"click","coordinate":[{x},{y}]}}</tool_call>`, 0},
	{"fara-7b", "fara", `<tool_call>{"name":"computer_use","arguments":{"action":"left_click","coordinate":[{x},{y}]}}</tool_call>`, 0},
	{"autoglm-phone-9b", "autoglm", `<think>so</think><answer>do(action="Tap", element=[{x},{y}])</answer>`, 0},
	{"", "agent-s-ui-tars-1.5", "({x}, {y})", 0},
	{"", "agent-s-ui-tars-72b", "({x}, {y})", 0},
	{"gemini-2.5-computer-use-preview-10-2025", "gemini-computer-use", `{"name":"click_at","args":{"x":{x},"y":{y}}}`, 0},
	{"computer-use-preview", "openai-computer-use", `{"type":"click","x":{x},"y":{y},"button":"left"}`, 0},
	{"showui-2b", "showui", "{'action': 'CLICK', 'value': None, 'position': [{x}, {y}]}", 3},
	{"seeclick", "seeclick", "click_point: ({x},{y})", 2},
	{"molmoweb-8b", "molmoweb", `{"thought":"t","action":"click","x":{x},"y":{y}}`, 1},
	{"molmo2-8b", "molmo2", `<points alt="it" coords="1 1 {x} {y}">it</points>`, 0},
	{"molmo-7b-d", "molmo", `<point x="{x}" y="{y}" alt="it">it</point>`, 1},
	{"internvl3-8b", "internvl", "<ref>it</ref><box>[[{x1}, {y1}, {x2}, {y2}]]</box>", 0},
	{"deepseek-vl2", "deepseek-vl2", "<|ref|>it<|/ref|><|det|>[[{x1}, {y1}, {x2}, {y2}]]<|/det|>", 0},
	{"glm-4.5v", "glm-v", "It is at <|begin_of_box|>[[{x1},{y1},{x2},{y2}]]<|end_of_box|>", 0},
	{"kimi-k2.5", "kimi", "[{x}, {y}]", 0},
	{"gemini-2.5-pro", "gemini", "```json\n[{\"box_2d\": [{y1}, {x1}, {y2}, {x2}], \"label\": \"it\"}]\n```", 0},
	{"claude-opus-4-7", "claude-high", `{"point": [{x}, {y}]}`, 0},
	{"claude-sonnet-4-5", "claude", "[{x}, {y}]", 0},
	{"gpt-5.2", "gpt-patch", `{"bbox": [{x1}, {y1}, {x2}, {y2}]}`, 0},
	{"gpt-5.4", "gpt-original", `{"bbox": [{x1}, {y1}, {x2}, {y2}]}`, 0},
	{"gpt-5.6", "gpt-unlimited", `{"bbox": [{x1}, {y1}, {x2}, {y2}]}`, 0},
	{"gpt-4o", "gpt-tile", "{\"point\": {\"x\": {x}, \"y\": {y}}}", 0},
	{"", "pixels", "{x}, {y}", 0},
	{"", "pixels-zoom", "[{x}, {y}]", 0},
	{"", "grid-1000", `{"bbox_2d": [{x1}, {y1}, {x2}, {y2}]}`, 0},
	{"", "grid-1000-zoom", `{"point": [{x}, {y}]}`, 0},
	{"", "grid-1000-y-first", "[{y}, {x}]", 0},
	{"", "grid-999", "[{x1}, {y1}, {x2}, {y2}]", 0},
	{"", "grid-100", "({x}, {y})", 1},
	{"", "grid-1", "({x}, {y})", 3},
}

// ask is what the server was asked.
type ask struct {
	body  map[string]any
	size  image.Point
	texts []string // of all messages, in order, with their roles
}

// server answers like a model. say gets what was seen and how often it was
// asked before; its answer is the message of the completion.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	asks []ask
}

type message = map[string]any

func serve(t *testing.T, p vision.Profile, say func(s seen, n int) message) *server {
	srv := &server{}
	srv.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		srv.mu.Lock()
		defer srv.mu.Unlock()
		var body map[string]any
		if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
			t.Errorf("request: %v", err)
		}
		a, img := look(t, body)
		msg := clone(say(see(img, p), len(srv.asks)))
		srv.asks = append(srv.asks, a)
		finish := "stop"
		if f, ok := msg["finish"].(string); ok {
			finish = f
			delete(msg, "finish")
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"model": body["model"], "usage": map[string]int{"prompt_tokens": 1000, "completion_tokens": 20},
			"choices": []any{map[string]any{"message": msg, "finish_reason": finish}}})
	}))
	t.Cleanup(srv.Close)
	return srv
}

func look(t *testing.T, body map[string]any) (ask, image.Image) {
	a := ask{body: body}
	var img image.Image
	for _, m := range body["messages"].([]any) {
		m := m.(map[string]any)
		parts, ok := m["content"].([]any)
		if !ok {
			a.texts = append(a.texts, fmt.Sprint(m["role"], ": ", m["content"]))
			continue
		}
		for _, part := range parts {
			part := part.(map[string]any)
			if part["type"] == "text" {
				a.texts = append(a.texts, fmt.Sprint(m["role"], ": ", part["text"]))
				continue
			}
			url := part["image_url"].(map[string]any)["url"].(string)
			data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
			if err != nil {
				t.Errorf("image: %v", err)
			}
			if img, err = png.Decode(bytes.NewReader(data)); err != nil {
				t.Errorf("image: %v", err)
			}
			a.size = img.Bounds().Size()
		}
	}
	return a, img
}

func says(text string) message { return message{"role": "assistant", "content": text} }

func modelOf(t *testing.T, p vision.Profile, url string, change func(*chat.Options)) *Model {
	t.Helper()
	o := chat.Options{BaseURL: url, Model: "m", Sleep: func(context.Context, time.Duration) error { return nil }}
	if change != nil {
		change(&o)
	}
	c, err := chat.New(o)
	require.NoError(t, err)
	m, err := New(Options{Chat: c, Profile: p})
	require.NoError(t, err)
	return m
}

func named(t *testing.T, name string) vision.Profile {
	p, err := vision.ProfileNamed(name)
	require.NoError(t, err)
	return p
}

// Every shipped grammar, from the pixels to the CSS point.
func TestEveryShippedGrammar(t *testing.T) {
	tried := map[string]bool{}
	shots := map[float64]*dom.Shot{}
	for _, dpr := range []float64{1, 1.5, 2, 3} {
		shots[dpr] = shotOf(t, dpr, false)
	}
	for i, g := range grammars {
		tried[g.profile] = true
		t.Run(g.profile, func(t *testing.T) {
			p := named(t, g.profile)
			if g.model != "" {
				byModel, err := vision.ProfileFor(g.model)
				require.NoError(t, err)
				require.Equal(t, g.profile, byModel.Name)
			}
			srv := serve(t, p, func(s seen, _ int) message { return says(s.in(g.form, g.decimals)) })
			for _, dpr := range []float64{1, []float64{1.5, 2, 3}[i%3]} { // every ratio by many families, all of them in vision's own test
				shot := shots[dpr]
				a, err := modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: shot, Words: "the patch", Hint: "a square"})
				require.NoError(t, err)
				css := vision.ToCSS(shot, a.Point)
				tol := 2.0
				if p.Grid.W == 1 || p.Grid.W == 100 {
					tol = 8 // two decimals, one decimal
				}
				assert.InDelta(t, patch.Center().X, css.X, tol, "%v", a.Chain)
				assert.InDelta(t, patch.Center().Y, css.Y, tol, "%v", a.Chain)
				assert.Equal(t, g.profile, a.Profile)
				assert.Equal(t, "m", a.Model)
				assert.NotEmpty(t, a.Raw)
				assert.NotEmpty(t, a.Chain)
				assert.Contains(t, a.Chain[len(a.Chain)-1], "css: ")
			}
			last := srv.asks[len(srv.asks)-1]
			assert.Contains(t, strings.Join(last.texts, "\n"), "the patch (a square)")
		})
	}
	for _, p := range vision.Profiles() {
		assert.True(t, tried[p.Name], "the server does not speak %s", p.Name)
	}
}

func TestTheRequestCarriesTheProfilesParameters(t *testing.T) {
	p := named(t, "qwen2.5-vl")
	srv := serve(t, p, func(s seen, _ int) message { return says(s.in("[{x1},{y1},{x2},{y2}]", 0)) })
	_, err := modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: shotOf(t, 1.5, false), Words: "it"})
	require.NoError(t, err)
	assert.Equal(t, true, srv.asks[0].body["vl_high_resolution_images"])
	assert.Equal(t, image.Pt(952, 588), srv.asks[0].size, "the size that the server keeps")

	p = named(t, "gpt-original")
	srv = serve(t, p, func(s seen, _ int) message { return says(s.in("[{x1},{y1},{x2},{y2}]", 0)) })
	_, err = modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: shotOf(t, 1, false), Words: "it"})
	require.NoError(t, err)
	b, err := json.Marshal(srv.asks[0].body["messages"])
	require.NoError(t, err)
	assert.Contains(t, string(b), `"detail":"original"`)
}

// One mistake is shown to the model and mended; the same mistake twice is a
// ReplyError with the raw text. Rows V10, A1, A2, A4, A5 and others.
func TestMistakesOnceAndTwice(t *testing.T) {
	for name, tc := range map[string]struct {
		profile string
		wrong   message
		reason  string // "" where the answer is repaired
		raw     string
	}{
		"V10: beyond the grid":       {"qwen3-vl", says(`{"bbox_2d": [1102, 10, 1120, 20]}`), "(1102, 10) is outside the grid of 1000x1000", "1102"},
		"absolute where relative":    {"gui-plus-2026", says(`<tool_call>{"name":"computer_use","arguments":{"action":"left_click","coordinate":[2530, 314]}}</tool_call>`), "outside the grid", "2530"},
		"A1: bracket and brace":      {"qwen3-vl", says("```json\n[ \"bbox_2d\": [547, 375, 594, 450], \"label\": \"it\" }\n```"), "", ""},
		"A1: and no colon":           {"qwen3-vl", says("```json\n{ \"bbox_2d\" [547, 375, 594, 450] }\n```"), "line 1, column", "bbox_2d"},
		"A2: quotes in a string":     {"qwen3-vl", says(`{"label": "the "it" box", "bbox_2d": [547, 375, 594, 450]}`), "", ""},
		"A2: beyond repair":          {"qwen3-vl", says(`{"label": "the "it" box, "bbox_2d": [547, 375, 594, 450`), "line 1, column", "the \"it\""},
		"A4: a bare code fence":      {"qwen3-vl", says("```json\n```"), "empty answer", "```json"},
		"A5: reasoning only":         {"qwen3-vl", message{"content": "", "reasoning_content": "It is at [547, 375, 594, 450]"}, "reasoning field only", "547"},
		"A5: where the profile may":  {"glm-v", message{"content": "", "reasoning_content": "It is at <|begin_of_box|>[[547, 375, 594, 450]]<|end_of_box|>"}, "", ""},
		"nothing at all":             {"qwen3-vl", says(""), "empty answer", ""},
		"prose":                      {"qwen3-vl", says("It is on the right."), "no coordinates", "on the right"},
		"two boxes":                  {"qwen3-vl", says(`[{"bbox_2d":[1,2,3,4]},{"bbox_2d":[5,6,7,8]}]`), "2 places in place of one", "5,6"},
		"yx for xy":                  {"qwen3-vl", says(`{"bbox_2d": [594, 375, 547, 450]}`), "another order of the numbers?", "594"},
		"fractions":                  {"qwen3-vl", says("[0.55, 0.4]"), "looks like fractions", "0.55"},
		"cut off":                    {"qwen3-vl", message{"content": `{"bbox_2d": [547, 375, 594, 450]}`, "finish": "length"}, "cut off", "547"},
		"an act without a place":     {"gui-plus", says(`{"thought":"t","action":"SCROLL","parameters":{"direction":"down"}}`), "an act without a place: scroll", "SCROLL"},
		"in the padding":             {"qwen2.5-vl-padded", says(`[642, 10]`), "lies in the padding", "642"},
		"a mark that nobody drew":    {"qwen3-vl", says(`{"mark": 3}`), "a mark in place of coordinates", "mark"},
		"a tool call of its own API": {"qwen3-vl", message{"content": "", "tool_calls": []any{message{"id": "1", "type": "function", "function": message{"name": "computer_use", "arguments": `{"action":"left_click","coordinate":[570,412]}`}}}}, "", ""},
		"a broken one":               {"qwen3-vl", message{"content": "", "tool_calls": []any{message{"id": "1", "type": "function", "function": message{"name": "click", "arguments": `{"coordinate":[570`}}}}, "tool call: line 1", "570"},
	} {
		t.Run(name, func(t *testing.T) {
			p := named(t, tc.profile)
			right := "<tool_call>{\"name\":\"c\",\"arguments\":{\"action\":\"click\",\"coordinate\":[{x},{y}]}}</tool_call>"
			once := serve(t, p, func(s seen, n int) message {
				if n == 0 {
					return tc.wrong
				}
				return says(s.in(right, 0))
			})
			req := vision.Request{Shot: shotOf(t, 1, false), Words: "it"}
			a, err := modelOf(t, p, once.URL, nil).Locate(context.Background(), req)
			require.NoError(t, err)
			assert.True(t, patch.Contains(vision.ToCSS(req.Shot, a.Point)), "%v %v", a.Point, a.Chain)
			if tc.reason == "" {
				assert.Len(t, once.asks, 1, "repaired, not asked again")
				return
			}
			require.Len(t, once.asks, 2)
			assert.Equal(t, 2040, a.Tokens, "both questions are counted")
			second := strings.Join(once.asks[1].texts, "\n")
			assert.Contains(t, second, tc.reason, "the model is shown its error")
			if tc.raw != "" && tc.wrong["reasoning_content"] == nil {
				assert.Contains(t, second, tc.raw, "and its answer")
			}

			twice := serve(t, p, func(seen, int) message { return tc.wrong })
			a, err = modelOf(t, p, twice.URL, nil).Locate(context.Background(), req)
			var re *vision.ReplyError
			require.ErrorAs(t, err, &re)
			assert.Contains(t, re.Reason, tc.reason)
			assert.Contains(t, re.Raw, tc.raw)
			assert.ErrorContains(t, err, "model m, profile "+tc.profile)
			assert.Len(t, twice.asks, 2, "one retry, no more")
			require.NotNil(t, a)
			assert.Equal(t, 2040, a.Tokens)
		})
	}
}

func clone(m message) message {
	out := message{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func TestAbsentIsAnAnswer(t *testing.T) {
	p := named(t, "qwen3-vl")
	srv := serve(t, p, func(s seen, _ int) message {
		if !s.ok {
			return says("not found")
		}
		return says("[500, 500]")
	})
	_, err := modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: shotOf(t, 1, true), Words: "it"})
	assert.ErrorIs(t, err, vision.ErrAbsent)
	assert.Len(t, srv.asks, 1, "no second question")
}

// A small target is asked for twice; the second answer counts.
func TestTwoStageGrounding(t *testing.T) {
	p := named(t, "pixels-zoom")
	srv := serve(t, p, func(s seen, n int) message {
		if n == 0 {
			s.x, s.y = s.x+25, s.y-20 // near, but not there
		}
		return says(s.in("[{x}, {y}]", 0))
	})
	shot := shotOf(t, 1, false)
	a, err := modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: shot, Words: "it"})
	require.NoError(t, err)
	require.Len(t, srv.asks, 2)
	assert.NotEqual(t, srv.asks[0].size, srv.asks[1].size)
	assert.InDelta(t, patch.Center().X, a.Point.X, 1)
	assert.InDelta(t, patch.Center().Y, a.Point.Y, 1)
	assert.Contains(t, a.Chain, "second look:")

	unsure := serve(t, p, func(s seen, n int) message {
		if n == 0 {
			return says(s.in("[{x}, {y}]", 0))
		}
		return says("not found")
	})
	_, err = modelOf(t, p, unsure.URL, nil).Locate(context.Background(), vision.Request{Shot: shot, Words: "it"})
	assert.ErrorIs(t, err, vision.ErrAbsent, "what the closer look does not confirm is not pressed")
	assert.ErrorContains(t, err, "second look")
}

func TestBudgetContextAndTransportErrorsPassThrough(t *testing.T) {
	p := named(t, "qwen3-vl")
	srv := serve(t, p, func(seen, int) message { return says("prose") })
	req := vision.Request{Shot: shotOf(t, 1, false), Words: "it"}
	m := modelOf(t, p, srv.URL, func(o *chat.Options) { o.Meter = chat.NewMeter(chat.Budget{Calls: 1}) })
	a, err := m.Locate(context.Background(), req)
	var l *chat.LimitError
	require.ErrorAs(t, err, &l)
	assert.Equal(t, 1020, a.Tokens, "what was spent is told")

	cause := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	_, err = modelOf(t, p, srv.URL, nil).Locate(ctx, req)
	assert.ErrorIs(t, err, cause)

	_, err = modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: req.Shot, Words: " "})
	assert.ErrorContains(t, err, "no words to find")
	_, err = modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: &dom.Shot{PNG: []byte("x")}, Words: "it"})
	assert.ErrorContains(t, err, "not a PNG")
	c, err := chat.New(chat.Options{Model: "m"})
	require.NoError(t, err)
	_, err = New(Options{Chat: c, Profile: vision.Profile{Name: "p", Prompt: "none"}})
	assert.ErrorContains(t, err, `prompt "none"`)
	_, err = New(Options{Profile: p})
	assert.ErrorContains(t, err, "no chat client")
}

// A cassette names its model, and so its profile: the row V2 from the file to the point.
func TestAnswersFromACassette(t *testing.T) {
	f := filepath.Join(t.TempDir(), "c.jsonl")
	require.NoError(t, os.WriteFile(f, []byte(`{"v":1,"synthetic":true,"response":{"status":200,"body":{"model":"ui-tars-1.5-7b","choices":[{"message":{"role":"assistant","content":"Thought: x\nAction: click(start_box='(1000,500)')"}}]}}}`+"\n"), 0o644))
	r, err := cassette.Open(f)
	require.NoError(t, err)
	p, err := vision.ProfileFor(r.Model())
	require.NoError(t, err)
	m := modelOf(t, p, "http://replay.invalid", func(o *chat.Options) { o.HTTP, o.Model = &http.Client{Transport: r}, r.Model() })
	shot := shotOf(t, 3, false)
	shot.View = dom.Rect{W: 1920, H: 1200}
	a, err := m.Locate(context.Background(), vision.Request{Shot: shot, Words: "it"})
	require.NoError(t, err)
	css := vision.ToCSS(shot, a.Point)
	assert.InDelta(t, 1000.0/1932*1920, css.X, 0.01)
	assert.InDelta(t, 500.0/1204*1200, css.Y, 0.01)
	assert.Equal(t, 1, r.Unrecorded())
}
