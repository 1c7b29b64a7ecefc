package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/agent"
	"harness/locate"
	"harness/scenarios"
)

var errNoPage = errors.New("no page today")

func noPage(context.Context, scenarios.PageOptions) (scenarios.Page, error) { return nil, errNoPage }

func doApp() (*app, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	return &app{out: &out, err: &errs}, &out, &errs
}

func TestDoNamesWhatItDoesNotUnderstand(t *testing.T) {
	a, out, errs := doApp()
	err := runDo(t.Context(), a, doOptions{task: "click 搜索, juggle", url: "https://a.test/"}, noPage)
	assert.ErrorIs(t, err, errFailed)
	assert.Empty(t, out.String())
	assert.Contains(t, errs.String(), `failed: not understood: "juggle"`)
	assert.Contains(t, errs.String(), "--model")

	a, out, _ = doApp()
	err = runDo(t.Context(), a, doOptions{task: "查询机票", url: "https://a.test/", json: true}, noPage)
	assert.ErrorIs(t, err, errFailed)
	var res map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &res))
	for _, key := range []string{"status", "reason", "answer", "steps", "run"} {
		assert.Contains(t, res, key)
	}
	assert.Equal(t, "failed", res["status"])
	assert.Equal(t, []any{}, res["steps"])
}

func TestDoNeedsAPlaceToBegin(t *testing.T) {
	a, _, _ := doApp()
	var usage *usageError
	require.ErrorAs(t, runDo(t.Context(), a, doOptions{task: "click 搜索"}, noPage), &usage)
	assert.ErrorIs(t, runDo(t.Context(), a, doOptions{task: "open a.test, click 搜索"}, noPage), errNoPage)
	assert.ErrorIs(t, runDo(t.Context(), a, doOptions{task: "click 搜索", url: "https://a.test/"}, noPage), errNoPage)
}

func TestDoNeedsAKeyForAModel(t *testing.T) {
	var usage *usageError
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("OPENAI_BASE_URL", "")
	_, err := doPolicy(doOptions{task: "x", model: "gpt"}, config{})
	require.ErrorAs(t, err, &usage)
	assert.ErrorContains(t, err, "OPENAI_API_KEY")
	local := config{Models: []modelConfig{{Model: "local", BaseURL: "http://127.0.0.1:1/v1"}}}
	for _, o := range []doOptions{{task: "x", model: "local"}, {task: "x"}} {
		p, err := doPolicy(o, local)
		require.NoError(t, err)
		assert.IsType(t, &agent.ModelPolicy{}, p)
	}
	p, err := doPolicy(doOptions{task: "click x"}, config{})
	require.NoError(t, err)
	assert.IsType(t, &agent.PlainPolicy{}, p)
}

func TestDoPrintsTheAnswer(t *testing.T) {
	a, out, errs := doApp()
	require.NoError(t, a.printDo(doOptions{}, &doResult{Status: agent.Done, Answer: "3U5163", Run: "debug_html/x"}))
	assert.Equal(t, "3U5163\n", out.String())
	assert.Equal(t, "done\nevidence: debug_html/x\n", errs.String())
	for _, s := range []agent.Status{agent.Unverified, agent.Failed, agent.Stopped} {
		a, _, _ = doApp()
		assert.ErrorIs(t, a.printDo(doOptions{}, &doResult{Status: s}), errFailed)
	}
}

func TestDoResultHasTheStepsOfSuites(t *testing.T) {
	click, err := agent.Decode("click", "搜索")
	require.NoError(t, err)
	res := result(&agent.Result{Status: agent.Failed, Reason: "why", Steps: []*agent.Step{
		{N: 1, Action: click, Outcome: &agent.Outcome{Resolution: &locate.Resolution{Layer: locate.Locators, Confidence: 97}}},
		{N: 2, Action: click, Outcome: &agent.Outcome{}, Err: locate.ErrStale},
	}}, "")
	raw, err := json.Marshal(res.Steps)
	require.NoError(t, err)
	assert.JSONEq(t, `[{"verb":"click","words":"搜索","layer":"locators","confidence":97,"status":"passed","ms":0},
		{"verb":"click","words":"搜索","status":"failed","error":{"kind":"stale","message":"element is gone from the page"},"ms":0}]`, string(raw))
}
