package chat

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// DefaultBaseURL is the endpoint that is asked where none is named.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options configure a Client. Only Model is needed.
type Options struct {
	BaseURL string        // "" means DefaultBaseURL
	Key     string        // "" sends no credentials
	KeyName string        // environment variable that holds the key, for hints; "" means OPENAI_API_KEY
	Model   string        // as the endpoint knows it
	HTTP    *http.Client  // nil means http.DefaultClient; a cassette is its Transport
	Timeout time.Duration // of one try; 0 means 90 s
	Retries int           // further tries of a call; 0 means 3, below 0 none
	Backoff time.Duration // before the first retry, doubled for each next, with jitter; 0 means 500 ms
	MaxWait time.Duration // longest wait before a retry; an endpoint that asks for more is given up; 0 means 30 s
	Meter   *Meter        // counts and bounds; nil: a new one without bounds
	Price   Price         // of the model's tokens; zero: money is not counted
	// Failures in a row after which the endpoint is left alone for Rest; 0 means
	// 5, below 0 never.
	Failures int
	Rest     time.Duration // 0 means 30 s
	Log      *slog.Logger  // nil: silent

	// Sleep waits before a retry; nil waits in real time. A replay waits not at all.
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time // nil means time.Now
	Rand  func() float64   // in [0,1), for the jitter; nil means math/rand
}

// Client asks one model at one endpoint. It is safe for concurrent use.
type Client struct {
	opts    Options
	where   string
	breaker *breaker
}

// New makes a Client; nothing is sent yet. It fails where the base URL is none
// or the model has no name.
func New(o Options) (*Client, error) {
	o = o.filled()
	u, err := url.Parse(o.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, errors.New("chat: the base URL is no http address")
	}
	if o.Model == "" {
		return nil, errors.New("chat: no model is named")
	}
	return &Client{opts: o, where: u.Redacted(), breaker: &breaker{after: o.Failures, rest: o.Rest}}, nil
}

func (o Options) filled() Options {
	set(&o.BaseURL, DefaultBaseURL)
	set(&o.KeyName, "OPENAI_API_KEY")
	set(&o.HTTP, http.DefaultClient)
	set(&o.Timeout, 90*time.Second)
	set(&o.Retries, 3)
	set(&o.Backoff, 500*time.Millisecond)
	set(&o.MaxWait, 30*time.Second)
	set(&o.Failures, 5)
	set(&o.Rest, 30*time.Second)
	if o.Meter == nil {
		o.Meter = NewMeter(Budget{})
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	return o
}

func set[T comparable](v *T, to T) {
	var zero T
	if *v == zero {
		*v = to
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// Model is the name of the model that is asked.
func (c *Client) Model() string { return c.opts.Model }

// Meter counts what this client's calls cost, with those of the clients that share it.
func (c *Client) Meter() *Meter { return c.opts.Meter }

// Complete asks and waits for the whole reply. It fails with *LimitError where
// the budget is used up, *OpenError where the endpoint is left alone, the
// context's cause where ctx ends, and *Error for everything else.
func (c *Client) Complete(ctx context.Context, r Request) (*Reply, error) {
	if err := c.breaker.allow(c.opts.Now()); err != nil {
		return nil, c.at(err)
	}
	req, err := c.request(r)
	if err != nil {
		return nil, err
	}
	if err := c.opts.Meter.begin(); err != nil {
		return nil, err
	}
	reply, retries, err := c.try(ctx, req, r.Extra)
	var fail *Error
	switch {
	case err == nil:
		c.breaker.ok()
	case errors.As(err, &fail) && fail.retry:
		c.breaker.failed(err, c.opts.Now())
	}
	cost := Usage{Retries: retries}
	if reply != nil {
		reply.Usage.Money = c.money(reply.Usage)
		cost = cost.Add(reply.Usage)
		reply.Usage.Calls, reply.Usage.Retries = 1, retries
	}
	c.opts.Meter.add(cost)
	return reply, err
}

// at names the model in a breaker's error.
func (c *Client) at(err error) error {
	return &Error{Model: c.opts.Model, Where: c.where, Reason: err.Error(), cause: err}
}

func (c *Client) money(u Usage) float64 {
	return (float64(u.Prompt)*c.opts.Price.Prompt + float64(u.Completion)*c.opts.Price.Completion) / 1e6
}

// try sends the request until there is an answer or no use in going on. The
// error is that of the last try.
func (c *Client) try(ctx context.Context, req openai.ChatCompletionRequest, extra map[string]any) (*Reply, int, error) {
	for n := 0; ; n++ {
		began := c.opts.Now()
		reply, err := c.once(ctx, req, extra)
		if err == nil {
			c.opts.Log.Debug("model answered", "model", c.opts.Model, "took", c.opts.Now().Sub(began),
				"prompt", reply.Usage.Prompt, "completion", reply.Usage.Completion)
			return reply, n, nil
		}
		if ctx.Err() != nil {
			return nil, n, context.Cause(ctx)
		}
		wait := c.wait(n, err.after)
		if !err.retry || n >= c.opts.Retries || wait > c.opts.MaxWait || tooLate(ctx, wait) {
			return nil, n, err
		}
		c.opts.Log.Info("model call failed, trying again", "error", err, "wait", wait)
		if err := c.opts.Sleep(ctx, wait); err != nil {
			return nil, n, err
		}
	}
}

// wait is how long to wait before retry n (from 0): what the endpoint asked
// for, or the doubled backoff times 0.5 to 1.
func (c *Client) wait(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	d := min(c.opts.Backoff<<min(n, 16), c.opts.MaxWait)
	return time.Duration(float64(d) * (0.5 + c.opts.Rand()/2))
}

func tooLate(ctx context.Context, wait time.Duration) bool {
	end, ok := ctx.Deadline()
	return ok && time.Until(end) < wait
}

func (c *Client) once(ctx context.Context, req openai.ChatCompletionRequest, extra map[string]any) (*Reply, *Error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	d := &doer{http: c.opts.HTTP, extra: extra, now: c.opts.Now}
	cfg := openai.DefaultConfig(c.opts.Key)
	cfg.BaseURL, cfg.HTTPClient = c.opts.BaseURL, d
	res, err := openai.NewClientWithConfig(cfg).CreateChatCompletion(ctx, req)
	if err == nil && len(res.Choices) == 0 {
		err = &badReply{reason: "the answer has no choices", retry: true}
	}
	if err != nil {
		return nil, c.failure(err, d.after)
	}
	return reply(res), nil
}

func reply(res openai.ChatCompletionResponse) *Reply {
	ch := res.Choices[0]
	r := &Reply{
		Text: ch.Message.Content, Reasoning: ch.Message.ReasoningContent,
		Model: res.Model, Finish: string(ch.FinishReason),
		Usage: Usage{Prompt: res.Usage.PromptTokens, Completion: res.Usage.CompletionTokens},
	}
	if r.Text == "" {
		r.Text = ch.Message.Refusal
	}
	for _, t := range ch.Message.ToolCalls {
		args := strings.TrimSpace(t.Function.Arguments)
		if args == "" {
			args = "{}"
		}
		r.Calls = append(r.Calls, Call{ID: t.ID, Name: t.Function.Name, Args: json.RawMessage(args)})
	}
	return r
}
