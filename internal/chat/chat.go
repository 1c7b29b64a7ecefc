// Package chat talks to any OpenAI-compatible chat endpoint.
//
// The main entry is New(Options) and then Client.Complete. The client retries
// what may pass (429, 5xx, a broken connection), counts calls, tokens and money
// in a Meter that several clients can share, stops with a *LimitError where a
// budget is used up, and rests behind a circuit breaker when the endpoint is
// down. Replies may come as JSON or as an event stream.
//
// The rules: an error names the model, the place and what mends it, and never
// holds the key; what a model writes is handed on as it is, well-formed or not.
// Time and randomness are options, so that a replay needs neither.
//
// The package does not read the environment, knows no tools and no prompts.
package chat

import (
	"encoding/json"
)

// Role says who speaks.
type Role string

// The roles of chat completions.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Part is a piece of a message: text or an image.
type Part struct {
	Text  string
	Image *Image // nil: the part is text
}

// Image is an encoded image, sent as a data URL.
type Image struct {
	Data   []byte
	MIME   string // "" means image/png
	Detail string // low, high, auto, original; "" says nothing
}

// Message is one turn.
type Message struct {
	Role   Role
	Parts  []Part
	Calls  []Call // of the assistant
	CallID string // of a tool's answer: the call that it answers
}

// Text makes a message of text.
func Text(r Role, text string) Message { return Message{Role: r, Parts: []Part{{Text: text}}} }

// WithImages makes a user message of text followed by images.
func WithImages(text string, images ...Image) Message {
	m := Text(User, text)
	for i := range images {
		m.Parts = append(m.Parts, Part{Image: &images[i]})
	}
	return m
}

// Result is a tool's answer to a call.
func Result(callID, text string) Message {
	m := Text(Tool, text)
	m.CallID = callID
	return m
}

// ToolDef describes a tool that the model may call.
type ToolDef struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON schema of the arguments; nil: it takes none
}

// Request is one question.
type Request struct {
	Messages []Message
	Tools    []ToolDef
	// Choice is "auto", "none", "required" or the name of a tool; "" leaves it
	// to the endpoint.
	Choice string
	// OneCall asks for at most one tool call in a reply.
	OneCall bool
	// JSON asks for a reply that is one JSON object.
	JSON      bool
	MaxTokens int // of the reply; 0: the endpoint's
	// Extra are further fields of the request's body, as the endpoint names
	// them (temperature, vl_high_resolution_images …). They win over the rest.
	Extra map[string]any
}

// Call is a tool call as the model wrote it.
type Call struct {
	ID   string
	Name string
	// Args is the text of the arguments; "{}" where there was none. Models
	// write it, so it may not be JSON: check with json.Valid.
	Args json.RawMessage
}

// Reply is an answer.
type Reply struct {
	Text      string
	Reasoning string // what came in a reasoning field of its own
	Calls     []Call
	Usage     Usage  // of this call, with its retries
	Model     string // as the endpoint names it
	Finish    string // stop, length, tool_calls, content_filter …
}

// Message is the reply as a turn of the conversation, without its reasoning.
func (r *Reply) Message() Message {
	m := Message{Role: Assistant, Calls: r.Calls}
	if r.Text != "" {
		m.Parts = []Part{{Text: r.Text}}
	}
	return m
}
