package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/locate"
)

const searchPage = `<h1>Flights</h1><button>搜索</button><a href="/x">Help</a><input aria-label="From">`

func notFound(words string) error {
	return &locate.NotFoundError{Target: locate.Target{Words: words}, Present: []string{"搜索", "Help"}}
}

func TestRunUntilDone(t *testing.T) {
	s := newScene(t, searchPage,
		calls(`type {"into":"From","text":"上海"}`),
		calls(`click {"target":"搜索"}`),
		finish("3U5163 at 07:25"))
	s.actor.on = func(call string) (string, error) {
		if call == "click 搜索" {
			s.page.html = "<p>3U5163 <b>07:25</b></p>"
		}
		return "changed", nil
	}
	res := s.run(t)
	assert.Equal(t, Done, res.Status)
	assert.Equal(t, "3U5163 at 07:25", res.Answer)
	assert.Empty(t, res.Reason)
	assert.Equal(t, []string{`type From "上海" keep=false submit=false`, "click 搜索"}, s.actor.calls)
	assert.Len(t, res.Steps, 2)
	assert.Equal(t, Usage{Calls: 3, Tokens: 330}, res.Usage)

	first := s.server.messages[0]
	assert.Contains(t, first[0].Content, "On the page it is 2026-01-21 22:20, Wednesday (CST).")
	assert.Equal(t, "Task: find the flight", first[1].Content)
	assert.Contains(t, first[2].Content, "<button>搜索</button>")
	assert.Contains(t, first[2].Content, fenceOpen)
	assert.Contains(t, s.server.last("tool"), "ok; changed")
	assert.NotContains(t, s.server.last("user"), "搜索", "only the newest observation is sent")
}

func TestSamePageSameRequest(t *testing.T) {
	script := []reply{calls(`click {"target":"搜索"}`), finish("")}
	a, b := newScene(t, searchPage, script...), newScene(t, searchPage, script...)
	b.page.now = b.page.now.Add(9 * time.Second)
	a.run(t)
	b.run(t)
	assert.Equal(t, a.server.requests, b.server.requests)
}

func TestMalformedCallIsMendedOnce(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"targt":"搜索"}`), calls(`click {"target":"搜索"}`), finish(""))
	res := s.run(t)
	assert.Equal(t, Done, res.Status)
	assert.Equal(t, []string{"click 搜索"}, s.actor.calls)
	assert.Contains(t, joined(s.server.messages[1]), `error: click: unknown field "targt" (did you mean "target"?)`)
}

func joined(ms []message) string {
	var b strings.Builder
	for _, m := range ms {
		b.WriteString(m.Role + ": " + m.Content + "\n")
	}
	return b.String()
}

func TestTwoRepairsAStepThenItFails(t *testing.T) {
	for _, bad := range []string{`click {"target":`, `clik {"target":"a"}`, `script {"js":"1"}`, `click {}`, `pick {"date":"2026-02-30"}`} {
		s := newScene(t, searchPage, calls(bad))
		res := s.run(t)
		assert.Equal(t, Failed, res.Status, bad)
		assert.Contains(t, res.Reason, "unusable reply after 2 repairs", bad)
		assert.Equal(t, "reply", Kind(res.Err), bad)
		assert.Equal(t, 3, res.Usage.Calls, bad)
		assert.Empty(t, s.actor.calls, bad)
	}
}

func TestWrongTargetGoesBackToTheModel(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"target":"Submit"}`), calls(`click {"target":"搜索"}`), finish(""))
	s.actor.on = func(call string) (string, error) {
		if call == "click Submit" {
			return "", notFound("Submit")
		}
		return "changed", nil
	}
	res := s.run(t)
	assert.Equal(t, Done, res.Status)
	assert.Contains(t, s.server.last("tool"), `error (not_found): locate "Submit": no matching element`)
	assert.Contains(t, s.server.last("tool"), "the page has: 搜索, Help")
	assert.Equal(t, "failed", res.Steps[0].Status())
	assert.Equal(t, "ok", res.Steps[1].Status())
}

// C6: the first call of a batch fails, the rest is not run.
func TestBatchStopsAtItsFirstFailure(t *testing.T) {
	s := newScene(t, searchPage,
		calls(`click {"target":"gone"}`, `type {"into":"From","text":"x"}`, `done {"answer":"","success":true}`),
		calls(`click {"target":"搜索"}`, `done {"answer":"","success":true}`))
	s.actor.on = func(call string) (string, error) {
		if call == "click gone" {
			return "", locate.ErrStale
		}
		return "changed", nil
	}
	res := s.run(t)
	assert.Equal(t, Done, res.Status)
	assert.Equal(t, []string{"click gone", "click 搜索"}, s.actor.calls)
	assert.Equal(t, 2, strings.Count(joined(s.server.messages[1]), "not run: an earlier call"))
}

// A8: the same text without an act, again and again.
func TestTextWithoutActStops(t *testing.T) {
	s := newScene(t, searchPage, says("I will search now."))
	res := s.run(t)
	assert.Equal(t, Stopped, res.Status)
	assert.Equal(t, `no action: 3 replies in a row without a call, the last: "I will search now."`, res.Reason)
	assert.Equal(t, 3, res.Usage.Calls)
	assert.Contains(t, s.server.last("user"), "That was the same text again. Nothing was done.")
}

func TestProseAnswerIsNudgedIntoDone(t *testing.T) {
	s := newScene(t, "<p>3U5163 costs 580</p>", says("The flight is 3U5163."), finish("3U5163"))
	res := s.run(t)
	assert.Equal(t, Done, res.Status)
	assert.Equal(t, "3U5163", res.Answer)
	assert.Contains(t, s.server.last("assistant"), "The flight is 3U5163.")
}

// A4, A5: an empty answer, a bare code fence, text only in the reasoning field.
func TestEmptyAnswers(t *testing.T) {
	for _, r := range []reply{says(""), says("```"), says("```json\n```"), {reasoning: "I should click"}} {
		s := newScene(t, searchPage, r)
		res := s.run(t)
		assert.Equal(t, Stopped, res.Status)
		assert.Equal(t, "no action: 3 replies in a row without a call, the last: an empty answer", res.Reason)
	}
}

func TestReasoningCountsOnlyWhereTheProfileSaysSo(t *testing.T) {
	s := newScene(t, searchPage, reply{reasoning: `{"name":"click","arguments":{"target":"搜索"}}`}, finish(""))
	s.opts.Policy.(*ModelPolicy).opts.Reasoning = true
	assert.Equal(t, Done, s.run(t).Status)
	assert.Equal(t, []string{"click 搜索"}, s.actor.calls)
}

// A1, A2: calls written as JSON text, whole or broken.
func TestCallsWrittenAsText(t *testing.T) {
	for _, text := range []string{
		`{"name":"click","arguments":{"target":"搜索"}}`,
		"```json\n{\"action\":\"click\",\"target\":\"搜索\"}\n```",
		`[{"click":"搜索"}]`,
		"```json\n[\"name\": \"click\", \"arguments\": {\"target\": \"搜索\"}}\n```", // A1
	} {
		s := newScene(t, searchPage, says(text), finish(""))
		assert.Equal(t, Done, s.run(t).Status, text)
		assert.Equal(t, []string{"click 搜索"}, s.actor.calls, text)
	}
	broken := `{"name":"type","arguments":{"into":"From","text":"say "hi""}}` // A2
	s := newScene(t, searchPage, says(broken), calls(`click {"target":"搜索"}`), finish(""))
	assert.Equal(t, Done, s.run(t).Status)
	assert.Contains(t, joined(s.server.messages[1]), "arguments are no JSON: invalid character 'h'")
	assert.Contains(t, joined(s.server.messages[1]), "at byte")
}

// A9: the same failing act on an unchanged page.
func TestSameFailingActIsStuck(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"target":"Next"}`))
	s.actor.on = func(string) (string, error) { return "", notFound("Next") }
	res := s.run(t)
	assert.Equal(t, Stopped, res.Status)
	assert.Equal(t, "stuck: click Next, 3 times on an unchanged page", res.Reason)
	assert.Equal(t, "not_found", Kind(res.Err))
	assert.Contains(t, s.server.last("user"), "click Next was done 2 times and the page is the same. Do something else.")
}

func TestFruitlessActIsStuckThoughItSucceeds(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"target":"Help"}`))
	s.actor.on = func(string) (string, error) { return "", nil }
	assert.Equal(t, "stuck: click Help, 3 times on an unchanged page", s.run(t).Reason)
}

func TestCycleOfTwoIsStuck(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"target":"A"}`), calls(`click {"target":"B"}`), calls(`click {"target":"A"}`),
		calls(`click {"target":"B"}`), calls(`click {"target":"A"}`), calls(`click {"target":"B"}`), finish(""))
	res := s.run(t)
	assert.Equal(t, Stopped, res.Status)
	assert.Equal(t, "stuck: click A, then click B, 3 times on an unchanged page", res.Reason)
}

// T6: paging a calendar changes the page each time.
func TestPagingEightMonthsIsNotStuck(t *testing.T) {
	var script []reply
	for range 8 {
		script = append(script, calls(`click {"target":"Next month"}`))
	}
	month := 0
	s := newScene(t, "<h2>Month 0</h2><button>Next month</button>", append(script, finish("Month 8"))...)
	s.actor.on = func(string) (string, error) {
		month++
		s.page.html = fmt.Sprintf("<h2>Month %d</h2><button>Next month</button>", month)
		return "changed", nil
	}
	res := s.run(t)
	assert.Equal(t, Done, res.Status, res.Reason)
	assert.Len(t, res.Steps, 8)
	assert.NotContains(t, strings.Join(s.server.requests, ""), "Do something else")
}

// Clocks on a page do not make it a changed one.
func TestRunningClockIsNoChange(t *testing.T) {
	n := 0
	s := newScene(t, searchPage, calls(`click {"target":"Next"}`))
	s.actor.on = func(string) (string, error) {
		n++
		s.page.html = fmt.Sprintf("%s<p>ends in 01:22:%02d</p>", searchPage, 59-n)
		return "", notFound("Next")
	}
	assert.Contains(t, s.run(t).Reason, "stuck: click Next")
}

// A10: the page stays blank whatever is done.
func TestBlankPageStops(t *testing.T) {
	var script []reply
	for i := range 9 {
		script = append(script, calls(fmt.Sprintf(`go {"url":"https://a.test/%d"}`, i)))
	}
	s := newScene(t, "", script...)
	res := s.run(t)
	assert.Equal(t, Stopped, res.Status)
	assert.Contains(t, res.Reason, "page does not change: blank at https://a.test/4 after 5 acts")
}

func TestDifferentActsWithoutEffectStop(t *testing.T) {
	var script []reply
	for i := range 12 {
		script = append(script, calls(fmt.Sprintf(`click {"target":"thing %d"}`, i)))
	}
	s := newScene(t, searchPage, script...)
	s.actor.on = func(string) (string, error) { return "", nil }
	res := s.run(t)
	assert.Equal(t, Stopped, res.Status)
	assert.Equal(t, "page does not change: 8 acts without effect", res.Reason)
}

func TestLimitsEndTheRunWithTheirName(t *testing.T) {
	busy := func(t *testing.T) *scene {
		n := 0
		s := newScene(t, searchPage, calls(`click {"target":"Next"}`))
		s.actor.on = func(string) (string, error) {
			n++
			s.page.html = fmt.Sprintf("%s<p>%d</p>", searchPage, n)
			return "changed", nil
		}
		return s
	}
	for _, c := range []struct {
		name   string
		limits Limits
		steps  int
		reason string
	}{
		{"default steps", Limits{}, 25, "limit reached: steps (25)"},
		{"steps", Limits{Steps: 3}, 3, "limit reached: steps (3)"},
		{"calls", Limits{Calls: 4}, 4, "limit reached: calls (4)"},
		{"tokens", Limits{Tokens: 300}, 3, "limit reached: tokens (300)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := busy(t)
			s.opts.Limits = c.limits
			res := s.run(t)
			assert.Equal(t, Stopped, res.Status)
			assert.Equal(t, c.reason, res.Reason)
			assert.Equal(t, "limit", Kind(res.Err))
			assert.Len(t, res.Steps, c.steps)
		})
	}
	t.Run("time", func(t *testing.T) {
		s := busy(t)
		s.opts.Limits.Time = 30 * time.Millisecond
		on := s.actor.on
		s.actor.on = func(c string) (string, error) { time.Sleep(5 * time.Millisecond); return on(c) }
		res := s.run(t)
		assert.Equal(t, Stopped, res.Status)
		assert.Equal(t, "limit reached: time (30ms)", res.Reason)
	})
}

func TestDoneMayFollowTheLastAllowedStep(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"target":"搜索"}`), finish(""))
	s.opts.Limits.Steps = 1
	assert.Equal(t, Done, s.run(t).Status)
}

func TestSuccessAfterAFailedActIsUnverified(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"target":"Pay"}`), finish(""))
	s.actor.on = func(string) (string, error) { return "", notFound("Pay") }
	res := s.run(t)
	assert.Equal(t, Unverified, res.Status)
	assert.Equal(t, "the last act failed (click Pay: not_found)", res.Reason)
	assert.Equal(t, 3, res.Usage.Calls, "returned to the model once")
	assert.Contains(t, s.server.last("tool"), "not accepted: the last act failed")
}

func TestAnswerWithoutSupportIsReturnedOnce(t *testing.T) {
	s := newScene(t, "<p>3U5163 07:25</p>", finish("CA1831"), finish("3U5163"))
	assert.Equal(t, Done, s.run(t).Status)
	s = newScene(t, "<p>3U5163 07:25</p>", finish("CA1831"))
	res := s.run(t)
	assert.Equal(t, Unverified, res.Status)
	assert.Equal(t, "the answer has no support on any page seen: CA1831", res.Reason)
	assert.Equal(t, "CA1831", res.Answer)
}

func TestGivingUpIsAFailure(t *testing.T) {
	s := newScene(t, searchPage, calls(`done {"answer":"no such flight","success":false}`))
	res := s.run(t)
	assert.Equal(t, Failed, res.Status)
	assert.Equal(t, "gave up: no such flight", res.Reason)
}

func TestClosedPageAndCancelledRun(t *testing.T) {
	s := newScene(t, searchPage, calls(`click {"target":"Close"}`))
	s.actor.on = func(string) (string, error) { s.page.closed = true; return "", nil }
	res, err := Run(t.Context(), s.opts)
	require.ErrorIs(t, err, locate.ErrPageClosed)
	assert.Equal(t, Failed, res.Status)

	s = newScene(t, searchPage, calls(`click {"target":"A"}`))
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	s.actor.on = func(string) (string, error) { cancel(stop); return "", nil }
	res, err = Run(ctx, s.opts)
	require.ErrorIs(t, err, stop)
	assert.Equal(t, Stopped, res.Status)
	assert.Len(t, res.Steps, 1)
}

func TestEndpointThatFailsEndsTheRun(t *testing.T) {
	s := newScene(t, searchPage, finish(""))
	s.opts.Policy = failing{errors.New("model x: 401")}
	res := s.run(t)
	assert.Equal(t, Failed, res.Status)
	assert.Equal(t, "model x: 401", res.Reason)
}

type failing struct{ err error }

func (f failing) Next(context.Context, *Observation, *History) (*Decision, error) { return nil, f.err }
