package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/cassette"
)

const hello = `{"model":"m-1","choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`

// answer is one scripted answer of the endpoint.
type answer struct {
	status int
	header map[string]string
	body   string
	hang   bool
}

type endpoint struct {
	*httptest.Server
	got  []map[string]any
	auth []string
}

// serve answers with the script in order, its last answer again and again.
func serve(t *testing.T, script ...answer) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		var m map[string]any
		if json.Unmarshal(b, &m) != nil {
			t.Errorf("request is not JSON: %s", b)
		}
		a := script[min(len(e.got), len(script)-1)]
		e.got = append(e.got, m)
		e.auth = append(e.auth, req.Header.Get("Authorization"))
		if a.hang {
			<-req.Context().Done()
			return
		}
		for k, v := range a.header {
			w.Header().Set(k, v)
		}
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		fmt.Fprint(w, a.body)
	}))
	t.Cleanup(e.Close)
	return e
}

type waits []time.Duration

func client(t *testing.T, e *endpoint, change func(*Options)) (*Client, *waits) {
	t.Helper()
	var w waits
	o := Options{BaseURL: e.URL + "/v1", Key: "sk-secret-value-1234567890", Model: "m", Rand: func() float64 { return 1 },
		Sleep: func(_ context.Context, d time.Duration) error { w = append(w, d); return nil }}
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	require.NoError(t, err)
	return c, &w
}

func ask(c *Client) (*Reply, error) {
	return c.Complete(context.Background(), Request{Messages: []Message{Text(User, "hello")}})
}

func TestCompleteSendsWhatIsAskedAndReadsTheReply(t *testing.T) {
	e := serve(t, answer{body: `{"model":"m-1","choices":[{"message":{"role":"assistant","content":null,"reasoning":"hm","tool_calls":[
		{"id":"c1","type":"function","function":{"name":"click","arguments":"{\"target\":\"x\"}"}},
		{"type":"function","function":{"name":"done","arguments":{"success":true}}},
		{"id":"c3","type":"function","function":{"name":"back","arguments":""}},
		{"id":"c4","type":"function","function":{"name":"bad","arguments":"{\"a\":"}}]},
		"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":100,"completion_tokens":20}}`})
	c, _ := client(t, e, func(o *Options) { o.Price = Price{Prompt: 2, Completion: 10} })
	r, err := c.Complete(context.Background(), Request{
		Messages: []Message{
			Text(System, "be good"),
			WithImages("look", Image{Data: []byte{1, 2, 3}, Detail: "high"}),
			{Role: Assistant, Calls: []Call{{ID: "c0", Name: "wait", Args: json.RawMessage(`{"broken`)}}},
			Result("c0", ""),
			{Role: Assistant},
		},
		Tools:     []ToolDef{{Name: "click", Description: "clicks", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "back"}},
		Choice:    "required",
		OneCall:   true,
		MaxTokens: 300,
		Extra:     map[string]any{"temperature": 0, "vl_high_resolution_images": true},
	})
	require.NoError(t, err)
	assert.Equal(t, "hm", r.Reasoning)
	assert.Equal(t, "tool_calls", r.Finish)
	assert.Equal(t, "m-1", r.Model)
	assert.Equal(t, []Call{
		{"c1", "click", json.RawMessage(`{"target":"x"}`)}, {"call_2", "done", json.RawMessage(`{"success":true}`)},
		{"c3", "back", json.RawMessage(`{}`)}, {"c4", "bad", json.RawMessage(`{"a":`)},
	}, r.Calls)
	assert.Equal(t, Usage{Calls: 1, Prompt: 100, Completion: 20, Money: 0.0004}, r.Usage)
	assert.Equal(t, r.Usage, c.Meter().Used())

	require.Len(t, e.got, 1)
	b, _ := json.Marshal(e.got[0])
	assert.JSONEq(t, `{"model":"m","stream":false,"max_tokens":300,"temperature":0,"vl_high_resolution_images":true,"parallel_tool_calls":false,
		"tool_choice":"required","tools":[{"type":"function","function":{"name":"click","description":"clicks","parameters":{"type":"object"}}},
		{"type":"function","function":{"name":"back","parameters":{"type":"object","properties":{}}}}],
		"messages":[{"role":"system","content":"be good"},
		{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AQID","detail":"high"}}]},
		{"role":"assistant","tool_calls":[{"id":"c0","type":"function","function":{"name":"wait","arguments":"{\"unreadable\":\"{\\\"broken\"}"}}]},
		{"role":"tool","tool_call_id":"c0","content":"(empty)"}]}`, string(b))
	assert.Equal(t, "Bearer sk-secret-value-1234567890", e.auth[0])
}

func TestReasoningModelsGetTheirOwnTokenField(t *testing.T) {
	e := serve(t, answer{body: hello})
	c, _ := client(t, e, func(o *Options) { o.Model = "gpt-5.4" })
	_, err := c.Complete(context.Background(), Request{Messages: []Message{Text(User, "x")}, MaxTokens: 50, JSON: true, Choice: "auto"})
	require.NoError(t, err)
	assert.Equal(t, 50.0, e.got[0]["max_completion_tokens"])
	assert.NotContains(t, e.got[0], "max_tokens")
	assert.NotContains(t, e.got[0], "tool_choice", "no tools, no choice")
	assert.Equal(t, map[string]any{"type": "json_object"}, e.got[0]["response_format"])
}

func TestRepliesOfManyShapes(t *testing.T) {
	for name, tc := range map[string]struct{ body, text, reasoning, finish, call string }{
		"content in parts":  {`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, "ab", "", "", ""},
		"refusal":           {`{"choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]}`, "no", "", "stop", ""},
		"only reasoning":    {`{"choices":[{"message":{"content":"","reasoning_content":"thinking"},"finish_reason":null}]}`, "", "thinking", "", ""},
		"old function call": {`{"choices":[{"message":{"content":null,"function_call":{"name":"f","arguments":"{}"}}}]}`, "", "", "", "call_1 f {}"},
		"event stream": {"data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"he\",\"reasoning\":\"r\"}}]}\n\n" +
			": keep-alive\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"y\",\"tool_calls\":[{\"index\":0,\"id\":\"t\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\r\n\r\n" +
			"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n" +
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n", "hey", "r", "tool_calls", `t f {"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := client(t, serve(t, answer{body: tc.body}), nil)
			r, err := ask(c)
			require.NoError(t, err)
			assert.Equal(t, []string{tc.text, tc.reasoning, tc.finish}, []string{r.Text, r.Reasoning, r.Finish})
			call := ""
			for _, k := range r.Calls {
				call += k.ID + " " + k.Name + " " + string(k.Args)
			}
			assert.Equal(t, tc.call, call)
			if name == "event stream" {
				assert.Equal(t, 7, r.Usage.Tokens())
			}
		})
	}
}

func TestRetriesWhatMayPass(t *testing.T) {
	for name, tc := range map[string]struct {
		script []answer
		waits  []time.Duration
		err    string
	}{
		"rate limit, then fine": {[]answer{{status: 429, header: map[string]string{"Retry-After": "2"}, body: `{"error":{"message":"slow down"}}`}, {body: hello}}, waits{2 * time.Second}, ""},
		"server errors":         {[]answer{{status: 500, body: `oops`}, {status: 503, body: `{"error":{"message":"down"}}`}, {body: hello}}, waits{500 * time.Millisecond, time.Second}, ""},
		"never":                 {[]answer{{status: 502, body: `bad gateway`}}, waits{500 * time.Millisecond, time.Second, 2 * time.Second}, "502 Bad Gateway: answer: bad gateway"},
		"milliseconds":          {[]answer{{status: 429, header: map[string]string{"Retry-After-Ms": "40"}, body: `{}`}, {body: hello}}, waits{40 * time.Millisecond}, ""},
		"asks for an hour":      {[]answer{{status: 429, header: map[string]string{"Retry-After": "3600"}, body: `{"error":{"message":"slow down"}}`}}, nil, "slow down"},
		"no credit":             {[]answer{{status: 429, body: `{"error":{"message":"quota","type":"insufficient_quota","code":"insufficient_quota"}}`}}, nil, "no credit left"},
		"bad request":           {[]answer{{status: 400, body: `{"error":{"message":"image too small","code":400}}`}}, nil, "400 Bad Request: image too small"},
		"error with status 200": {[]answer{{body: `{"error":{"message":"upstream","code":502}}`}, {body: hello}}, waits{500 * time.Millisecond}, ""},
		"no choices":            {[]answer{{body: `{"choices":[]}`}, {body: hello}}, waits{500 * time.Millisecond}, ""},
		"nothing":               {[]answer{{body: ``}, {body: hello}}, waits{500 * time.Millisecond}, ""},
		"a page":                {[]answer{{body: `<html>`}}, waits{500 * time.Millisecond, time.Second, 2 * time.Second}, "neither JSON nor an event stream: <html>"},
		"error in a stream":     {[]answer{{body: "data: {\"error\":{\"message\":\"overloaded\",\"code\":\"busy\"}}\n\n"}}, nil, "overloaded"},
	} {
		t.Run(name, func(t *testing.T) {
			e := serve(t, tc.script...)
			c, w := client(t, e, nil)
			r, err := ask(c)
			assert.Equal(t, waits(tc.waits), *w)
			assert.Equal(t, len(tc.waits), c.Meter().Used().Retries)
			assert.Equal(t, 1, c.Meter().Used().Calls)
			if tc.err == "" {
				require.NoError(t, err)
				assert.Equal(t, "hi", r.Text)
				return
			}
			assert.ErrorContains(t, err, tc.err)
		})
	}
}

func TestErrorsSayHowToMendAndHoldNoKey(t *testing.T) {
	for name, tc := range map[string]struct {
		answer answer
		change func(*Options)
		want   []string
	}{
		"no key":    {answer{status: 401, body: `{"error":{"message":"missing"}}`}, func(o *Options) { o.Key = "" }, []string{"model m at http://127", "401 Unauthorized", "set OPENAI_API_KEY"}},
		"wrong key": {answer{status: 401, body: `{"error":{"message":"Incorrect API key: sk-secret-value-1234567890, or sk-secre***7890"}}`}, func(o *Options) { o.KeyName = "QWEN_KEY" }, []string{"Incorrect API key: [key], or [key]", "does not take the key in QWEN_KEY"}},
		"not found": {answer{status: 404, body: `not here`}, nil, []string{"404", "not here", "base URL"}},
		"too large": {answer{status: 413, body: `{}`}, nil, []string{"too large"}},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := client(t, serve(t, tc.answer), tc.change)
			_, err := ask(c)
			for _, w := range tc.want {
				assert.ErrorContains(t, err, w)
			}
			assert.NotContains(t, err.Error(), "secret")
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, tc.answer.status, e.Status)
		})
	}
}

func TestACloseEndpointIsNamed(t *testing.T) {
	e := serve(t, answer{body: hello})
	c, w := client(t, e, func(o *Options) { o.BaseURL = strings.Replace(o.BaseURL, "http://", "http://user:pw@", 1) })
	e.Close()
	_, err := ask(c)
	assert.ErrorContains(t, err, "is the base URL right")
	assert.NotContains(t, err.Error(), "pw")
	assert.Len(t, *w, 3)
}

func TestTimeoutOfOneTry(t *testing.T) {
	e := serve(t, answer{hang: true}, answer{body: hello})
	c, _ := client(t, e, func(o *Options) { o.Timeout = 50 * time.Millisecond })
	r, err := ask(c)
	require.NoError(t, err, "the second try is answered")
	assert.Equal(t, "hi", r.Text)

	c, _ = client(t, serve(t, answer{hang: true}), func(o *Options) { o.Timeout = 30 * time.Millisecond; o.Retries = -1 })
	_, err = ask(c)
	assert.ErrorContains(t, err, "no answer within 30ms")
}

func TestTheContextsCauseIsReported(t *testing.T) {
	cause := errors.New("the run was stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	c, _ := client(t, serve(t, answer{hang: true}), nil)
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	_, err := c.Complete(ctx, Request{Messages: []Message{Text(User, "x")}})
	assert.ErrorIs(t, err, cause)
}

func TestARetryThatComesTooLateIsNotTried(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, w := client(t, serve(t, answer{status: 429, header: map[string]string{"Retry-After": "20"}, body: `{"error":{"message":"slow"}}`}), nil)
	_, err := c.Complete(ctx, Request{Messages: []Message{Text(User, "x")}})
	assert.ErrorContains(t, err, "slow")
	assert.Empty(t, *w)
}

func TestBudgets(t *testing.T) {
	for name, tc := range map[string]struct {
		budget Budget
		calls  int
		want   string
	}{
		"calls":  {Budget{Calls: 3}, 3, "model budget: calls: 3 used of 3"},
		"tokens": {Budget{Tokens: 25}, 2, "model budget: tokens: 30 used of 25"},
		"money":  {Budget{Money: 0.00003}, 2, "model budget: money: 4e-05 used of 3e-05"},
	} {
		t.Run(name, func(t *testing.T) {
			m := NewMeter(tc.budget)
			e := serve(t, answer{body: hello})
			// two clients share the meter
			a, _ := client(t, e, func(o *Options) { o.Meter, o.Price = m, Price{Prompt: 1, Completion: 2} })
			b, _ := client(t, e, func(o *Options) { o.Meter, o.Price = m, Price{Prompt: 1, Completion: 2} })
			for i := range tc.calls {
				_, err := ask([]*Client{a, b}[i%2])
				require.NoError(t, err)
			}
			_, err := ask(a)
			var l *LimitError
			require.ErrorAs(t, err, &l)
			assert.EqualError(t, err, tc.want)
			assert.Len(t, e.got, tc.calls, "no call was made")
		})
	}
}

func TestBreakerRestsAndTriesAgain(t *testing.T) {
	now := time.Unix(1000, 0)
	e := serve(t, answer{status: 500, body: `a`}, answer{status: 500, body: `b`}, answer{status: 500, body: `c`}, answer{body: hello})
	c, _ := client(t, e, func(o *Options) {
		o.Retries, o.Failures, o.Rest = -1, 2, 10*time.Second
		o.Now = func() time.Time { return now }
	})
	for range 2 {
		_, err := ask(c)
		assert.ErrorContains(t, err, "500")
	}
	_, err := ask(c)
	var open *OpenError
	require.ErrorAs(t, err, &open)
	assert.ErrorContains(t, err, "2 failures in a row, next try in 10s")
	assert.Len(t, e.got, 2)

	now = now.Add(10 * time.Second)
	_, err = ask(c)
	assert.ErrorContains(t, err, "500", "one try is let through")
	_, err = ask(c)
	require.ErrorAs(t, err, &open)
	now = now.Add(10 * time.Second)
	_, err = ask(c)
	require.NoError(t, err)
	_, err = ask(c)
	require.NoError(t, err, "closed again")
	assert.Equal(t, 5, c.Meter().Used().Calls, "what the breaker refused is not counted")
}

func TestAClientsMistakeDoesNotOpenTheBreaker(t *testing.T) {
	c, _ := client(t, serve(t, answer{status: 400, body: `{"error":{"message":"bad"}}`}), func(o *Options) { o.Failures = 1 })
	for range 3 {
		_, err := ask(c)
		assert.ErrorContains(t, err, "400")
	}
}

func TestReplayedCassette(t *testing.T) {
	f := filepath.Join(t.TempDir(), "c.jsonl")
	require.NoError(t, os.WriteFile(f, []byte(`{"v":1,"synthetic":true,"response":{"status":429,"headers":{"Retry-After":"9"},"body":{"error":{"message":"slow"}}}}
{"v":1,"synthetic":true,"response":{"status":200,"body":`+hello+`}}
`), 0o644))
	r, err := cassette.Open(f)
	require.NoError(t, err)
	var w waits
	c, err := New(Options{Model: "m", HTTP: &http.Client{Transport: r}, Sleep: func(_ context.Context, d time.Duration) error { w = append(w, d); return nil }})
	require.NoError(t, err)
	got, err := ask(c)
	require.NoError(t, err)
	assert.Equal(t, "hi", got.Text)
	assert.Equal(t, waits{9 * time.Second}, w)
	_, err = ask(c)
	var ex *cassette.ExhaustedError
	require.ErrorAs(t, err, &ex)
	assert.Len(t, w, 1, "asking again does not help, and is not tried")
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	_, err := New(Options{Model: "m", BaseURL: "localhost:8000"})
	assert.ErrorContains(t, err, "base URL is no http address")
	_, err = New(Options{})
	assert.ErrorContains(t, err, "no model is named")
	c, err := New(Options{Model: "m"})
	require.NoError(t, err)
	_, err = c.Complete(context.Background(), Request{})
	assert.ErrorContains(t, err, "no messages")
	_, err = c.Complete(context.Background(), Request{Messages: []Message{Text(User, "x")}, Tools: []ToolDef{{Name: "t", Schema: json.RawMessage("{")}}})
	assert.ErrorContains(t, err, "tool t: its schema is not JSON")
}

func TestUsageArithmetic(t *testing.T) {
	a, b := Usage{1, 2, 3, 4, 5}, Usage{10, 20, 30, 40, 50}
	assert.Equal(t, Usage{11, 22, 33, 44, 55}, a.Add(b))
	assert.Equal(t, a, a.Add(b).Sub(b))
}
