package openai

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harness/dom"
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
		return color.RGBA(c)
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
	image []byte
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
			a.size, a.image = img.Bounds().Size(), data
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
