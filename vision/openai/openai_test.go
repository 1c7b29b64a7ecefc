package openai

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/internal/cassette"
	"harness/internal/chat"
	"harness/vision"
)

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
		"a mark that nobody drew":    {"qwen3-vl", says(`{"mark": 3}`), "no mark bears the number 3", "mark"},
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

// A model may answer with the number of a mark that was drawn.
func TestAnswerWithAMark(t *testing.T) {
	p := named(t, "qwen3-vl")
	srv := serve(t, p, func(s seen, n int) message {
		if n == 0 {
			return says(`{"mark": 9}`)
		}
		return says(`{"mark": 2}`)
	})
	shot := shotOf(t, 2, false)
	marks := []vision.Mark{{Box: dom.Rect{X: 10, Y: 10, W: 50, H: 20}, Number: 1, Label: "LINK"}, {Box: patch, Number: 2, Label: "BUTTON"}}
	a, err := modelOf(t, p, srv.URL, nil).Locate(context.Background(), vision.Request{Shot: shot, Words: "it", Marks: marks})
	require.NoError(t, err)
	assert.Equal(t, patch.Center(), vision.ToCSS(shot, a.Point))
	require.Len(t, srv.asks, 2)
	second := strings.Join(srv.asks[1].texts, "\n")
	assert.Contains(t, second, "no mark bears the number 9")
	assert.Contains(t, second, "Boxes with numbers are drawn")
	assert.NotEqual(t, shot.PNG, srv.asks[0].image, "the marks are on the image")

	_, err = vision.MapMark(shot, []vision.Mark{{Box: dom.Rect{X: 900, Y: 10, W: 10, H: 10}, Number: 1}}, 1)
	assert.ErrorContains(t, err, "outside the screenshot")
}
