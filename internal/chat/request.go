package chat

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// reasoners are the models that take max_completion_tokens alone.
var reasoners = regexp.MustCompile(`^(o[134]|gpt-[5-9])`)

// request is r in the library's words.
func (c *Client) request(r Request) (openai.ChatCompletionRequest, error) {
	req := openai.ChatCompletionRequest{Model: c.opts.Model}
	if len(r.Messages) == 0 {
		return req, fmt.Errorf("model %s: the request has no messages", c.opts.Model)
	}
	for _, m := range r.Messages {
		if msg := message(m); msg != nil {
			req.Messages = append(req.Messages, *msg)
		}
	}
	for _, t := range r.Tools {
		tool, err := tool(t)
		if err != nil {
			return req, err
		}
		req.Tools = append(req.Tools, tool)
	}
	if len(r.Tools) > 0 {
		req.ToolChoice = choice(r.Choice)
		if r.OneCall {
			req.ParallelToolCalls = false
		}
	}
	if r.JSON {
		req.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	if reasoners.MatchString(c.opts.Model) {
		req.MaxCompletionTokens = r.MaxTokens
	} else {
		req.MaxTokens = r.MaxTokens
	}
	if effort, ok := r.Extra["reasoning_effort"].(string); ok {
		req.ReasoningEffort = effort
	}
	return req, nil
}

func choice(s string) any {
	switch s {
	case "":
		return nil
	case "auto", "none", "required":
		return s
	}
	return openai.ToolChoice{Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: s}}
}

func tool(t ToolDef) (openai.Tool, error) {
	schema := t.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	if !json.Valid(schema) {
		return openai.Tool{}, fmt.Errorf("tool %s: its schema is not JSON", t.Name)
	}
	return openai.Tool{Type: openai.ToolTypeFunction,
		Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: schema}}, nil
}

// message is m in the library's words; nil for an assistant's turn in which
// nothing was said, which endpoints refuse.
func message(m Message) *openai.ChatCompletionMessage {
	out := &openai.ChatCompletionMessage{Role: string(m.Role), ToolCallID: m.CallID}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: c.Name, Arguments: arguments(c.Args)}})
	}
	if text, only := onlyText(m.Parts); only {
		out.Content = text
	} else {
		out.MultiContent = parts(m.Parts)
	}
	switch {
	case out.Content != "" || len(out.MultiContent) > 0 || len(out.ToolCalls) > 0:
	case m.Role == Assistant:
		return nil
	default:
		out.Content = "(empty)"
	}
	return out
}

// arguments go back as the model wrote them, except where that is not JSON:
// endpoints refuse such a history, so it goes back as a string that is.
func arguments(args json.RawMessage) string {
	if json.Valid(args) {
		return string(args)
	}
	b, err := json.Marshal(map[string]string{"unreadable": string(args)})
	if err != nil {
		return "{}"
	}
	return string(b)
}

func onlyText(ps []Part) (string, bool) {
	var s []string
	for _, p := range ps {
		if p.Image != nil {
			return "", false
		}
		s = append(s, p.Text)
	}
	return strings.Join(s, "\n"), true
}

func parts(ps []Part) []openai.ChatMessagePart {
	var out []openai.ChatMessagePart
	for _, p := range ps {
		if p.Image == nil {
			out = append(out, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: p.Text})
			continue
		}
		mime := p.Image.MIME
		if mime == "" {
			mime = "image/png"
		}
		out = append(out, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{
			URL:    "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(p.Image.Data),
			Detail: openai.ImageURLDetail(p.Image.Detail),
		}})
	}
	return out
}
