package agent

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/locate"
)

func TestVerbsAreTheSuiteFormat(t *testing.T) {
	want := []string{"back", "check", "click", "dblclick", "dialog", "drag", "expect", "go", "hover", "pick", "press",
		"script", "scroll", "select", "tab", "type", "uncheck", "upload", "vision_click", "vision_type", "wait"}
	assert.Equal(t, want, VerbNames())
	assert.True(t, slices.IsSorted(VerbNames()))
	for _, v := range Verbs() {
		got, ok := LookupVerb(v.Name)
		require.True(t, ok, v.Name)
		assert.NotEmpty(t, got.Doc, v.Name)
		if v.Scalar != "" {
			assert.Contains(t, v.Fields(), v.Scalar, v.Name)
		}
	}
	_, ok := LookupVerb("clik")
	assert.False(t, ok)
}

func ptr[T any](v T) *T { return &v }

func TestDecodeJSON(t *testing.T) {
	run := func(t *testing.T, verb, raw string, want any) {
		t.Helper()
		a, err := DecodeJSON(verb, []byte(raw))
		require.NoError(t, err)
		assert.Equal(t, verb, a.Verb)
		assert.Equal(t, want, a.Args)
	}
	cases := []struct {
		verb, raw string
		want      any
	}{
		{"click", `{"target":{"role":"button","name":"搜索","nth":2}}`, &TargetArgs{locate.Target{Role: "button", Name: "搜索", Nth: 2}}},
		{"click", `{"role":"button","name":"搜索"}`, &TargetArgs{locate.Target{Role: "button", Name: "搜索"}}},
		{"click", `{"target":{"ref":12}}`, &TargetArgs{locate.Target{Ref: 12}}},
		{"click", `{"ref":"12"}`, &TargetArgs{locate.Target{Ref: 12}}},
		{"check", `{"target":{"role":"checkbox","state":{"checked":false}}}`, &TargetArgs{locate.Target{Role: "checkbox", State: &locate.StateIs{Checked: ptr(false)}}}},
		{"type", `{"into":{"css":"#a"},"text":7,"clear":"false"}`, &TypeArgs{Into: locate.Target{CSS: "#a"}, Text: "7", Clear: ptr(false)}},
		{"pick", `{"date":"2026-01-30"}`, &PickArgs{Date: "2026-01-30"}},
		{"pick", `{"in":{"label":"Stay"},"from":"2026-01-28","to":"2026-02-03","time":"9:30"}`, &PickArgs{In: &locate.Target{Label: "Stay"}, From: "2026-01-28", To: "2026-02-03", Time: "9:30"}},
		{"select", `{"in":{"label":"Class"},"options":"Economy"}`, &SelectArgs{In: locate.Target{Label: "Class"}, Options: []string{"Economy"}}},
		{"press", `"Enter"`, &PressArgs{Keys: "Enter"}},
		{"press", `{"keys":"Control+a"}`, &PressArgs{Keys: "Control+a"}},
		{"scroll", `{"by":400}`, &ScrollArgs{By: &Offset{Y: 400}}},
		{"scroll", `{"by":[10,-5.5]}`, &ScrollArgs{By: &Offset{X: 10, Y: -5.5}}},
		{"scroll", `{"by":{"y":3}}`, &ScrollArgs{By: &Offset{Y: 3}}},
		{"go", `{"url":"https://a.test/"}`, &GoArgs{URL: "https://a.test/"}},
		{"go", `"https://a.test/"`, &GoArgs{URL: "https://a.test/"}},
		{"wait", `{"time":"300ms"}`, &WaitArgs{Time: "300ms"}},
		{"back", ``, &BackArgs{}},
		{"back", `{}`, &BackArgs{}},
		{"dialog", `"accept"`, &DialogArgs{Answer: "accept"}},
		{"dialog", `{"dismiss":null}`, &DialogArgs{Dismiss: true}},
		{"dialog", `{"text":"Bob"}`, &DialogArgs{Text: ptr("Bob")}},
		{"tab", `{"switch":2}`, &TabArgs{Switch: "2"}},
		{"upload", `{"into":{"css":"input"},"files":"a.txt"}`, &UploadArgs{Into: locate.Target{CSS: "input"}, Files: []string{"a.txt"}}},
		{"vision_click", `"the red dot"`, &VisionClickArgs{Words: "the red dot"}},
		{"script", `"1+1"`, &ScriptArgs{JS: "1+1"}},
	}
	for _, c := range cases {
		t.Run(c.verb+c.raw, func(t *testing.T) { run(t, c.verb, c.raw, c.want) })
	}
}

func TestTargetWordsInBothForms(t *testing.T) {
	for _, raw := range []string{`"搜索按钮"`, `{"target":"搜索按钮"}`, `{"words":"搜索按钮"}`, `{"target":{"words":"搜索按钮"}}`} {
		a, err := DecodeJSON("click", []byte(raw))
		require.NoError(t, err, raw)
		assert.Equal(t, "搜索按钮", a.Args.(*TargetArgs).Target.Words, raw)
		assert.Equal(t, "搜索按钮", a.Words(), raw)
	}
}

func TestDecodeFaults(t *testing.T) {
	cases := []struct{ verb, raw, field, says string }{
		{"clik", `{}`, "clik", `unknown verb "clik" (did you mean "click"?)`},
		{"click", `{}`, "target", `click: missing "target"`},
		{"click", `{"target":"a","clear":true}`, "clear", `click: unknown field "clear"`},
		{"type", `{"into":"a","txt":"b"}`, "txt", `type: unknown field "txt" (did you mean "text"?)`},
		{"type", `{"text":"b"}`, "into", `missing "into"`},
		{"click", `{"target":{"roel":"button"}}`, "target.roel", `(did you mean "role"?)`},
		{"click", `{"target":{"nth":"second"}}`, "target.nth", "not a whole number"},
		{"pick", `{"in":"a"}`, "date", `missing "date"`},
		{"pick", `{"from":"2026-01-01"}`, "to", "both ends"},
		{"pick", `{"date":"2026-02-30"}`, "date", `there is no date "2026-02-30" (February has 28 days)`},
		{"pick", `{"date":"30 February"}`, "date", "February has 29 days"},
		{"pick", `{"date":"2月30日"}`, "date", "there is no date"},
		{"pick", `{"date":"2026-13-01"}`, "date", "months go from 1 to 12"},
		{"pick", `{"from":"2026-02-03","to":"2026-01-28"}`, "to", "before it begins"},
		{"pick", `{"date":"2026-01-01","time":"25:00"}`, "time", "no time of day"},
		{"select", `{"in":"a"}`, "option", `missing "option"`},
		{"wait", `"soon"`, "time", "no time to wait"},
		{"scroll", `{}`, "to", "by: CSS px"},
		{"dialog", `"acept"`, "answer", `did you mean "accept"?`},
		{"go", `{"target": "x"}`, "target", `unknown field "target"`},
		{"type", `[1]`, "", "is wanted"},
		{"type", `{"into": "a", "text": "say "hi""}`, "", "arguments are no JSON"},
	}
	for _, c := range cases {
		t.Run(c.verb+c.raw, func(t *testing.T) {
			_, err := DecodeJSON(c.verb, []byte(c.raw))
			var fault *ArgError
			require.True(t, errors.As(err, &fault), "%v", err)
			assert.Equal(t, c.field, fault.Field)
			assert.ErrorContains(t, err, c.says)
			assert.Equal(t, "usage", locate.Kind(err))
		})
	}
}

func TestParseAction(t *testing.T) {
	a, err := ParseAction(map[string]any{
		"click": "Pay", "error": "disabled", "effect": "required", "layer": []any{"locators", "js"},
	})
	require.NoError(t, err)
	assert.Equal(t, "disabled", a.Error)
	assert.Equal(t, EffectRequired, a.Effect)
	assert.Equal(t, []locate.LayerName{locate.Locators, locate.JS}, a.Layer)

	a, err = ParseAction("back")
	require.NoError(t, err)
	assert.Equal(t, Action{Verb: "back", Args: &BackArgs{}}, a)

	for _, c := range []struct {
		step any
		says string
	}{
		{map[string]any{"click": "a", "type": map[string]any{}}, "one verb a step"},
		{map[string]any{"error": "stale"}, "without a verb"},
		{map[string]any{"click": "a", "error": "disabeld"}, `did you mean "disabled"?`},
		{map[string]any{"click": "a", "effect": "yes"}, "the one value is required"},
		{map[string]any{"click": "a", "layer": "visoin"}, `did you mean "vision"?`},
		{map[string]any{"click": "a", "efect": "required"}, `unknown verb "efect" (did you mean "effect"?)`},
		{3, "a step is a mapping"},
	} {
		_, err := ParseAction(c.step)
		assert.ErrorContains(t, err, c.says)
	}
}

func TestWords(t *testing.T) {
	for step, want := range map[string]string{
		`{"type":{"into":"出发地","text":"上海"}}`:                          `"上海" into 出发地`,
		`{"pick":{"in":"Stay","from":"2026-01-28","to":"2026-02-03"}}`: "2026-01-28 to 2026-02-03 in Stay",
		`{"scroll":{"by":[0,300]}}`:                                    "by 0,300",
		`{"dialog":{"dismiss":true}}`:                                  "dismiss",
		`{"wait":{"for":"results"}}`:                                   "for results",
	} {
		tree, err := parseJSON([]byte(step))
		require.NoError(t, err)
		a, err := ParseAction(tree)
		require.NoError(t, err)
		assert.Equal(t, want, a.Words())
	}
}
