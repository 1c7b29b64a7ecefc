package agent

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

func step(t *testing.T, tree any) Action {
	t.Helper()
	a, err := ParseAction(tree)
	require.NoError(t, err)
	return a
}

func TestActCallsTheActor(t *testing.T) {
	m := func(kv ...any) map[string]any {
		out := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			out[kv[i].(string)] = kv[i+1]
		}
		return out
	}
	for _, c := range []struct {
		step any
		want string
	}{
		{m("click", "Search"), "click Search"},
		{m("dblclick", "Row"), "dblclick Row"},
		{m("hover", "Menu"), "hover Menu"},
		{m("check", "Agree"), "check Agree true"},
		{m("uncheck", "Agree"), "check Agree false"},
		{m("type", m("into", "From", "text", "上海")), `type From "上海" keep=false submit=false`},
		{m("type", m("into", "From", "text", "x", "clear", "false", "submit", "true")), `type From "x" keep=true submit=true`},
		{m("pick", m("in", "Stay", "from", "2026-01-28", "to", "2026-02-03", "time", "9:30")), "pick Stay {2026-01-28 2026-02-03 9:30}"},
		{m("pick", m("date", "2026-01-30")), "pick - {2026-01-30   }"},
		{m("select", m("in", "Class", "options", []any{"A", "B"})), "select Class [A B]"},
		{m("press", "Enter"), "press - Enter"},
		{m("press", m("keys", "End", "on", "List")), "press List End"},
		{m("scroll", m("by", []any{0, 300}, "in", "List")), "scroll List 0,300"},
		{m("scroll", m("to", "Footer")), "scroll Footer 0,0"},
		{m("upload", m("into", "File", "files", "a.txt")), "upload File [dir/a.txt]"},
		{m("drag", m("from", "A", "to", "B")), "drag A B"},
		{m("wait", m("for", "Results")), "find Results"},
		{m("vision_click", "the dot"), "vision_click the dot"},
		{m("vision_type", m("into", "the box", "text", "hi")), `vision_type the box "hi"`},
	} {
		actor := &fakeActor{}
		refs := map[int]dom.Ref{3: {ID: 9}}
		a := step(t, c.step)
		a.Layer = []locate.LayerName{locate.JS}
		out, err := Act(t.Context(), Env{Actor: actor, Page: newPage(""), Folder: "dir", Refs: refs}, a)
		require.NoError(t, err, c.want)
		require.Len(t, actor.calls, 1)
		if a.Verb == "pick" {
			assert.Contains(t, actor.calls[0], "2026-01-")
		} else {
			assert.Equal(t, c.want, actor.calls[0])
		}
		assert.NotNil(t, out.Resolution)
		assert.Equal(t, []locate.LayerName{locate.JS}, actor.hows[0].Layers)
		assert.Equal(t, refs, actor.hows[0].Refs)
	}
}

func TestActCallsTheBrowser(t *testing.T) {
	for _, c := range []struct {
		step any
		want string
	}{
		{"back", "back"},
		{map[string]any{"go": "https://b.test/x"}, "goto https://b.test/x"},
		{map[string]any{"go": "list.html?d=1"}, "goto https://a.test/list.html?d=1"},
		{map[string]any{"dialog": map[string]any{"text": "Bob"}}, `dialog true "Bob"`},
		{map[string]any{"dialog": "dismiss"}, `dialog false ""`},
		{map[string]any{"tab": map[string]any{"switch": "2"}}, "tab 2"},
		{map[string]any{"script": "1+1"}, "eval 1+1"},
	} {
		page := newPage("")
		b := &fakeBrowser{page: page}
		_, err := Act(t.Context(), Env{Actor: &fakeActor{}, Page: page, Browser: b}, step(t, c.step))
		require.NoError(t, err)
		assert.Equal(t, []string{c.want}, b.calls)
	}
}

func TestGoRefusesWhatIsNoWebPage(t *testing.T) {
	page := newPage("")
	b := &fakeBrowser{page: page}
	for _, u := range []string{"file:///etc/passwd", "data:text/html,x", "javascript:alert(1)", "about:config", "chrome://version"} {
		_, err := Act(t.Context(), Env{Page: page, Browser: b}, step(t, map[string]any{"go": u}))
		assert.ErrorContains(t, err, "is refused", u)
	}
	assert.Empty(t, b.calls)
}

func TestExpectedErrors(t *testing.T) {
	run := func(want string, err error) (*Outcome, error) {
		a := step(t, map[string]any{"click": "Pay", "error": want})
		return Act(t.Context(), Env{Actor: &fakeActor{on: func(string) (string, error) { return "", err }}}, a)
	}
	out, err := run("disabled", locate.ErrDisabled)
	require.NoError(t, err)
	assert.ErrorIs(t, out.Refused, locate.ErrDisabled)

	_, err = run("disabled", nil)
	assert.Equal(t, "not_refused", Kind(err))
	assert.ErrorContains(t, err, "click Pay: done, but it had to be refused with disabled")

	_, err = run("disabled", locate.ErrCovered)
	assert.Equal(t, "covered", Kind(err))
	assert.ErrorContains(t, err, "refused with covered in place of disabled")
}

func TestNoEffectIsAskedForWhereTheStepSaysSo(t *testing.T) {
	for _, s := range []map[string]any{{"click": "a", "effect": "required"}, {"click": "a", "error": "no_effect"}} {
		actor := &fakeActor{on: func(string) (string, error) { return "", locate.ErrNoEffect }}
		Act(t.Context(), Env{Actor: actor}, step(t, s))
		assert.True(t, actor.hows[0].Effect)
	}
}

func TestWait(t *testing.T) {
	looks := 0
	env := Env{Actor: &fakeActor{on: func(string) (string, error) {
		if looks++; looks < 3 {
			return "", locate.ErrNotFound
		}
		return "", nil
	}}, Timeout: 2 * time.Second}
	_, err := Act(t.Context(), env, step(t, map[string]any{"wait": map[string]any{"for": "Results"}}))
	require.NoError(t, err)
	assert.Equal(t, 3, looks)

	env = Env{Actor: &fakeActor{on: func(string) (string, error) { return "", locate.ErrNotFound }}, Timeout: 150 * time.Millisecond}
	_, err = Act(t.Context(), env, step(t, map[string]any{"wait": map[string]any{"for": "Results"}}))
	assert.Equal(t, "timeout", Kind(err))
	assert.ErrorContains(t, err, "no matching element", "the last cause is kept")

	env.Actor = &fakeActor{on: func(string) (string, error) { return "", locate.ErrAmbiguous }}
	_, err = Act(t.Context(), env, step(t, map[string]any{"wait": map[string]any{"for": "Results"}}))
	assert.Equal(t, "ambiguous", Kind(err), "waiting does not help there")

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	_, err = Act(ctx, Env{}, step(t, map[string]any{"wait": "10s"}))
	assert.ErrorContains(t, err, "enough")
}

func TestExpectIsTheCallers(t *testing.T) {
	var got any
	env := Env{Expect: func(_ context.Context, args any) error { got = args; return nil }}
	a := step(t, map[string]any{"expect": []any{"x"}})
	_, err := Act(t.Context(), env, a)
	require.NoError(t, err)
	assert.Equal(t, []any{"x"}, got)
	_, err = Act(t.Context(), Env{}, a)
	assert.Error(t, err)
}

func TestStepsPolicy(t *testing.T) {
	steps := []Action{step(t, map[string]any{"click": "A"}), step(t, map[string]any{"click": "B", "error": "disabled"}), step(t, map[string]any{"click": "C"})}
	run := func(on func(string) (string, error)) (*Result, []string) {
		actor := &fakeActor{on: on}
		var seen []string
		res, err := Run(t.Context(), Options{Policy: NewSteps(steps), Env: Env{Actor: actor, Page: newPage("")},
			Before: func(_ context.Context, n int, a Action) { seen = append(seen, "before "+a.Words()) },
			After:  func(_ context.Context, s *Step) { seen = append(seen, s.Status()) }})
		require.NoError(t, err)
		return res, seen
	}
	res, seen := run(func(call string) (string, error) {
		if call == "click B" {
			return "", locate.ErrDisabled
		}
		return "", nil
	})
	assert.Equal(t, Done, res.Status)
	assert.Equal(t, []string{"before A", "ok", "before B", "refused", "before C", "ok"}, seen)

	res, _ = run(nil)
	assert.Equal(t, Failed, res.Status)
	assert.Equal(t, "not_refused", Kind(res.Err))
	assert.Len(t, res.Steps, 2)
}
