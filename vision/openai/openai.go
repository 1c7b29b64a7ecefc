// Package openai is a vision.Model over any OpenAI-compatible chat endpoint.
//
// The main entry is New(Options). A question is the screenshot, prepared as the
// model's profile says, with the profile's prompts; the answer is read by the
// profile and mapped back to the screenshot. An answer that cannot be used is
// shown to the model once, with what is wrong; after the second the error is a
// *vision.ReplyError. Nothing is guessed in between.
//
// The package neither chooses profiles nor clicks; retries of the network,
// budgets and accounting are those of the chat client.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"harness/internal/chat"
	"harness/vision"
)

// Options configure a Model. Chat and Profile are needed.
type Options struct {
	Chat    *chat.Client
	Profile vision.Profile
	Retries int          // further tries for an unusable answer; 0 means 1, below 0 none
	Log     *slog.Logger // nil: silent
}

// Model asks one model, whose coordinates its profile explains. It is safe for
// concurrent use.
type Model struct{ o Options }

var _ vision.Model = (*Model)(nil)

// New makes a Model. It fails where the profile cannot work.
func New(o Options) (*Model, error) {
	if o.Chat == nil {
		return nil, errors.New("vision model: no chat client")
	}
	if err := o.Profile.Check(); err != nil {
		return nil, fmt.Errorf("vision model %s: %w", o.Chat.Model(), err)
	}
	if o.Retries == 0 {
		o.Retries = 1
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Model{o}, nil
}

// Name is the model's name.
func (m *Model) Name() string { return m.o.Chat.Model() }

// Locate asks where the thing is. A second, closer look follows where the
// profile wants one; what it does not confirm is not answered.
func (m *Model) Locate(ctx context.Context, r vision.Request) (*vision.Answer, error) {
	if strings.TrimSpace(r.Words) == "" {
		return nil, fmt.Errorf("vision model %s: no words to find", m.Name())
	}
	a := &vision.Answer{Model: m.Name(), Profile: m.o.Profile.Name}
	sent, err := m.prepare(r)
	if err != nil {
		return nil, err
	}
	found, err := m.ask(ctx, r, sent, a)
	if err != nil {
		return a, err
	}
	if part, closer := m.o.Profile.Around(sent.Geometry, found); closer {
		r.Marks = nil // the closer look is at the page itself
		if sent, err = m.o.Profile.Prepare(r.Shot, &part); err != nil {
			return a, err
		}
		a.Chain = append(a.Chain, "second look:")
		if found, err = m.ask(ctx, r, sent, a); err != nil {
			return a, fmt.Errorf("second look: %w", err)
		}
	}
	a.Point = found.Point
	return a, nil
}

// Say asks once and answers with what the model says, unread: for calibration.
func (m *Model) Say(ctx context.Context, r vision.Request) (*vision.Answer, error) {
	sent, err := m.prepare(r)
	if err != nil {
		return nil, err
	}
	reply, err := m.o.Chat.Complete(ctx, m.request(r, sent))
	if err != nil {
		return nil, err
	}
	return &vision.Answer{Model: m.Name(), Profile: m.o.Profile.Name, Raw: Text(m.o.Profile, reply), Tokens: reply.Usage.Tokens()}, nil
}

// prepare makes the first image, with the marks drawn on it.
func (m *Model) prepare(r vision.Request) (*vision.Sent, error) {
	shot := r.Shot
	if len(r.Marks) > 0 {
		marked, err := vision.Annotate(shot, r.Marks)
		if err != nil {
			return nil, err
		}
		with := *shot
		with.PNG, shot = marked, &with
	}
	return m.o.Profile.Prepare(shot, nil)
}

// ask asks about one image until the answer can be used or the tries are up.
func (m *Model) ask(ctx context.Context, r vision.Request, sent *vision.Sent, a *vision.Answer) (vision.Mapped, error) {
	req := m.request(r, sent)
	for n := 0; ; n++ {
		reply, err := m.o.Chat.Complete(ctx, req)
		if err != nil {
			return vision.Mapped{}, err
		}
		a.Tokens += reply.Usage.Tokens()
		a.Raw = Text(m.o.Profile, reply)
		found, err := m.read(reply, r, sent, a)
		var bad *vision.ReplyError
		if !errors.As(err, &bad) {
			return found, err
		}
		if n >= max(0, m.o.Retries) {
			return found, fmt.Errorf("model %s, profile %s: %w", m.Name(), m.o.Profile.Name, bad)
		}
		m.o.Log.Info("unusable answer, asking again", "model", m.Name(), "reason", bad.Reason)
		a.Chain = append(a.Chain, "unusable: "+bad.Reason)
		said := chat.Text(chat.Assistant, a.Raw) // an empty turn is left out of the request
		req.Messages = append(req.Messages, said, chat.Text(chat.User, vision.Complaint(bad.Reason)))
	}
}

// read is the answer as a point of the screenshot. The trace of the numbers
// goes to a, whether they can be used or not.
func (m *Model) read(reply *chat.Reply, r vision.Request, sent *vision.Sent, a *vision.Answer) (vision.Mapped, error) {
	if strings.TrimSpace(a.Raw) == "" && strings.TrimSpace(reply.Reasoning) != "" {
		return vision.Mapped{}, &vision.ReplyError{Raw: reply.Reasoning, Reason: "empty answer (there is text in the reasoning field only)"}
	}
	if reply.Finish == "length" {
		return vision.Mapped{}, &vision.ReplyError{Raw: a.Raw, Reason: "the answer was cut off at its length limit"}
	}
	got, err := m.o.Profile.ReadPlace(a.Raw)
	if err != nil {
		return vision.Mapped{}, err
	}
	var found vision.Mapped
	if len(got.Places) > 0 {
		found, err = m.o.Profile.Map(sent.Geometry, got.Places[0])
	} else {
		found, err = vision.MapMark(r.Shot, r.Marks, got.Mark)
	}
	a.Chain, a.Flags, a.Score = append(a.Chain, found.Chain...), found.Flags, got.Score
	if err != nil {
		return found, &vision.ReplyError{Raw: a.Raw, Reason: err.Error()}
	}
	return found, nil
}

func (m *Model) request(r vision.Request, sent *vision.Sent) chat.Request {
	system, user := m.o.Profile.Ask(vision.LocateTask, sent.Geometry, r.Words, r.Hint)
	req := chat.Request{Extra: m.o.Profile.Params}
	if system != "" {
		req.Messages = append(req.Messages, chat.Text(chat.System, system))
	}
	if len(r.Marks) > 0 {
		user += "\n" + vision.MarksNote
	}
	image := chat.Part{Image: &chat.Image{Data: sent.PNG, Detail: m.o.Profile.Detail}}
	req.Messages = append(req.Messages, chat.Message{Role: chat.User, Parts: []chat.Part{image, {Text: user}}})
	return req
}

// Text is what a reply says in words that a profile reads: its text, its tool
// calls in their written form, or its reasoning where the profile allows that.
func Text(p vision.Profile, r *chat.Reply) string {
	if strings.TrimSpace(r.Text) != "" && len(r.Calls) == 0 {
		return r.Text
	}
	var b strings.Builder
	for _, c := range r.Calls {
		name, err := json.Marshal(c.Name)
		if err != nil {
			name = []byte(`""`)
		}
		fmt.Fprintf(&b, "<tool_call>{\"name\":%s,\"arguments\":%s}</tool_call>\n", name, c.Args)
	}
	switch {
	case b.Len() > 0:
		return b.String()
	case p.Reasoning:
		return r.Reasoning
	}
	return r.Text
}
