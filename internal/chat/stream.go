package chat

import (
	"bytes"
	"encoding/json"
	"fmt"

	openai "github.com/sashabaranov/go-openai"
)

// join makes one chat completion of an event stream.
func join(text []byte) ([]byte, error) {
	var out openai.ChatCompletionResponse
	var msg openai.ChatCompletionMessage
	var finish openai.FinishReason
	events := 0
	for _, line := range bytes.Split(text, []byte("\n")) {
		data, is := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		data = bytes.TrimSpace(data)
		if !is || len(data) == 0 || string(data) == "[DONE]" {
			continue
		}
		events++
		ev, err := event(data)
		if err != nil {
			return nil, err
		}
		if ev.Model != "" {
			out.Model = ev.Model
		}
		if ev.Usage != nil {
			out.Usage = *ev.Usage
		}
		for _, ch := range ev.Choices {
			if ch.Index == 0 {
				grow(&msg, ch.Delta)
				finish = openai.FinishReason(first(string(ch.FinishReason), string(finish)))
			}
		}
	}
	if events == 0 {
		return nil, &badReply{reason: "the answer is neither JSON nor an event stream: " + clip(string(text), 100), retry: true}
	}
	msg.Role = openai.ChatMessageRoleAssistant
	out.Choices = []openai.ChatCompletionChoice{{Message: msg, FinishReason: finish}}
	return json.Marshal(out)
}

// streamEvent is the library's event, with the reasoning under its other name
// and an error in place of choices.
type streamEvent struct {
	openai.ChatCompletionStreamResponse
	Error any `json:"error"`
}

func event(data []byte) (*openai.ChatCompletionStreamResponse, error) {
	var ev streamEvent
	if err := json.Unmarshal(data, &ev); err != nil {
		return nil, &badReply{reason: fmt.Sprintf("an event of the answer is not readable: %v", err), retry: true}
	}
	if ev.Error != nil && len(ev.Choices) == 0 {
		return nil, hidden(ev.Error)
	}
	var other struct {
		Choices []struct {
			Delta struct {
				Reasoning string `json:"reasoning"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if json.Unmarshal(data, &other) == nil {
		for i := range ev.Choices {
			d := &ev.Choices[i].Delta
			d.ReasoningContent = first(d.ReasoningContent, other.Choices[i].Delta.Reasoning)
		}
	}
	return &ev.ChatCompletionStreamResponse, nil
}

// grow adds what an event brings to the message.
func grow(msg *openai.ChatCompletionMessage, d openai.ChatCompletionStreamChoiceDelta) {
	msg.Content += d.Content
	msg.ReasoningContent += d.ReasoningContent
	msg.Refusal += d.Refusal
	for n, t := range d.ToolCalls {
		i := n
		if t.Index != nil {
			i = *t.Index
		}
		if i < 0 || i > 64 {
			continue // no model makes so many calls at once
		}
		for len(msg.ToolCalls) <= i {
			msg.ToolCalls = append(msg.ToolCalls, openai.ToolCall{Type: openai.ToolTypeFunction})
		}
		c := &msg.ToolCalls[i]
		c.ID = first(c.ID, t.ID)
		c.Function.Name += t.Function.Name
		c.Function.Arguments += t.Function.Arguments
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
