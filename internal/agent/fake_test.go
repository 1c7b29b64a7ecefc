package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/internal/chat"
	"harness/locate"
)

// fakePage shows HTML that acts may change. Methods that the loop does not call
// are those of the nil interface.
type fakePage struct {
	locate.Page
	url    string
	html   string
	closed bool
	now    time.Time
}

func newPage(html string) *fakePage {
	return &fakePage{url: "https://a.test/", html: html, now: time.Date(2026, 1, 21, 22, 20, 25, 0, time.FixedZone("CST", 8*3600))}
}

func (p *fakePage) Snapshot(ctx context.Context, _ dom.Query) (*dom.Snapshot, error) {
	if p.closed {
		return nil, locate.ErrPageClosed
	}
	return dom.ParseHTML(strings.NewReader("<!doctype html><body>" + p.html))
}

func (p *fakePage) Info(ctx context.Context) (locate.Info, error) {
	if p.closed {
		return locate.Info{}, locate.ErrPageClosed
	}
	p.now = p.now.Add(time.Second)
	return locate.Info{URL: p.url, Title: "Fake", Now: p.now, Viewport: dom.Rect{W: 1280, H: 800}}, nil
}

func (p *fakePage) Settle(ctx context.Context, _, _ time.Duration) (bool, error) {
	return true, context.Cause(ctx)
}

// fakeBrowser is the rest of a page.
type fakeBrowser struct {
	page  *fakePage
	calls []string
}

func (b *fakeBrowser) note(format string, a ...any) error {
	b.calls = append(b.calls, fmt.Sprintf(format, a...))
	return nil
}

func (b *fakeBrowser) Goto(_ context.Context, url string) error {
	b.page.url = url
	return b.note("goto %s", url)
}
func (b *fakeBrowser) Back(context.Context) error { return b.note("back") }
func (b *fakeBrowser) Eval(_ context.Context, js string) (json.RawMessage, error) {
	return json.RawMessage(`2`), b.note("eval %s", js)
}
func (b *fakeBrowser) Dialog(_ context.Context, accept bool, text string) error {
	return b.note("dialog %v %q", accept, text)
}
func (b *fakeBrowser) SwitchTab(_ context.Context, which string) error {
	return b.note("tab %s", which)
}

// fakeActor does what its on function says and keeps what it was asked.
type fakeActor struct {
	calls []string
	hows  []locate.How
	// on is asked for each call ("click 搜索"); nil acts with an effect.
	on func(call string) (effect string, err error)
}

func (a *fakeActor) do(ctx context.Context, h locate.How, format string, args ...any) (*locate.Resolution, error) {
	call := fmt.Sprintf(format, args...)
	a.calls, a.hows = append(a.calls, call), append(a.hows, h)
	if err := context.Cause(ctx); err != nil {
		return &locate.Resolution{Words: call}, err
	}
	effect, err := "changed", error(nil)
	if a.on != nil {
		effect, err = a.on(call)
	}
	return &locate.Resolution{Words: call, Effect: effect}, err
}

func opt(t *locate.Target) string {
	if t == nil {
		return "-"
	}
	return t.String()
}

func (a *fakeActor) Click(ctx context.Context, t locate.Target, o locate.ClickOptions, h locate.How) (*locate.Resolution, error) {
	if o.Count == 2 {
		return a.do(ctx, h, "dblclick %s", t)
	}
	return a.do(ctx, h, "click %s", t)
}
func (a *fakeActor) Type(ctx context.Context, t locate.Target, o locate.TypeOptions, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "type %s %q keep=%v submit=%v", t, o.Text, o.Keep, o.Submit)
}
func (a *fakeActor) Pick(ctx context.Context, t *locate.Target, w locate.When, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "pick %s %v", opt(t), w)
}
func (a *fakeActor) Select(ctx context.Context, t locate.Target, options []string, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "select %s %v", t, options)
}
func (a *fakeActor) Check(ctx context.Context, t locate.Target, on bool, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "check %s %v", t, on)
}
func (a *fakeActor) Press(ctx context.Context, t *locate.Target, keys string, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "press %s %s", opt(t), keys)
}
func (a *fakeActor) Hover(ctx context.Context, t locate.Target, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "hover %s", t)
}
func (a *fakeActor) Scroll(ctx context.Context, t *locate.Target, o locate.ScrollOptions, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "scroll %s %g,%g", opt(t), o.X, o.Y)
}
func (a *fakeActor) Upload(ctx context.Context, t locate.Target, files []string, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "upload %s %v", t, files)
}
func (a *fakeActor) Drag(ctx context.Context, from, to locate.Target, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "drag %s %s", from, to)
}
func (a *fakeActor) VisionClick(ctx context.Context, words string, _ locate.ClickOptions, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "vision_click %s", words)
}
func (a *fakeActor) VisionType(ctx context.Context, words string, o locate.TypeOptions, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "vision_type %s %q", words, o.Text)
}
func (a *fakeActor) Find(ctx context.Context, t locate.Target, h locate.How) (*locate.Resolution, error) {
	return a.do(ctx, h, "find %s", t)
}

// reply is a scripted answer of the model: prose, or calls as name and arguments.
type reply struct {
	text      string
	reasoning string
	calls     []string // "click {…}"
}

func says(text string) reply      { return reply{text: text} }
func calls(calls ...string) reply { return reply{calls: calls} }
func finish(answer string) reply {
	return calls(fmt.Sprintf(`done {"answer":%q,"success":true}`, answer))
}

// server is a local model that answers from a script; after its end the last
// answer is given again.
type server struct {
	mu       sync.Mutex
	requests []string
	messages [][]message
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (s *server) start(t *testing.T, script ...reply) *chat.Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var body struct {
			Messages []message `json:"messages"`
		}
		raw := readAll(t, req)
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Errorf("request is no JSON: %v", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		n := min(len(s.requests), len(script)-1)
		s.requests = append(s.requests, string(raw))
		s.messages = append(s.messages, body.Messages)
		w.Header().Set("Content-Type", "application/json")
		w.Write(completion(script[n], len(s.requests)))
	}))
	t.Cleanup(srv.Close)
	c, err := chat.New(chat.Options{BaseURL: srv.URL + "/v1", Model: "scripted"})
	require.NoError(t, err)
	return c
}

func readAll(t *testing.T, req *http.Request) []byte {
	t.Helper()
	var raw json.RawMessage
	if err := json.NewDecoder(req.Body).Decode(&raw); err != nil {
		t.Errorf("request body: %v", err)
	}
	return raw
}

func completion(r reply, n int) []byte {
	msg := map[string]any{"role": "assistant", "content": r.text}
	if r.reasoning != "" {
		msg["reasoning_content"] = r.reasoning
	}
	var list []any
	for i, c := range r.calls {
		name, args, _ := strings.Cut(c, " ")
		list = append(list, map[string]any{
			"id": fmt.Sprintf("call_%d_%d", n, i), "type": "function",
			"function": map[string]any{"name": name, "arguments": args},
		})
	}
	if list != nil {
		msg["tool_calls"] = list
	}
	raw, _ := json.Marshal(map[string]any{
		"id": "x", "object": "chat.completion", "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "message": msg, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
	})
	return raw
}

// last is the text of the last request's messages of a role.
func (s *server) last(role string) string {
	var b strings.Builder
	for _, m := range s.messages[len(s.messages)-1] {
		if m.Role == role {
			b.WriteString(m.Content + "\n")
		}
	}
	return b.String()
}

// scene is a run with everything fake but the loop and the client.
type scene struct {
	page   *fakePage
	actor  *fakeActor
	server *server
	opts   Options
}

func newScene(t *testing.T, html string, script ...reply) *scene {
	t.Helper()
	s := &scene{page: newPage(html), actor: &fakeActor{}, server: &server{}}
	policy, err := NewModel(ModelOptions{Client: s.server.start(t, script...)})
	require.NoError(t, err)
	s.opts = Options{Task: "find the flight", Policy: policy,
		Env: Env{Actor: s.actor, Page: s.page, Browser: &fakeBrowser{page: s.page}}}
	return s
}

func (s *scene) run(t *testing.T) *Result {
	t.Helper()
	res, err := Run(t.Context(), s.opts)
	require.NoError(t, err)
	return res
}
