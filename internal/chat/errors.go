package chat

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// Error is a call without a usable answer. Its text says what, where and how
// to mend it, and holds no key.
type Error struct {
	Model  string
	Where  string // address of the endpoint, without credentials
	Status int    // HTTP status; 0 where there was no answer
	Reason string
	Hint   string // what mends it; "" if nothing is known

	retry bool
	after time.Duration // what the endpoint asked to wait
	cause error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("model %s at %s: ", e.Model, e.Where)
	if e.Status > 0 {
		s += fmt.Sprintf("%d %s: ", e.Status, http.StatusText(e.Status))
	}
	s += e.Reason
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Unwrap is the cause where it is the context's or the transport's own error;
// an error of the client library stays inside.
func (e *Error) Unwrap() error { return e.cause }

// failure makes an *Error of what the library returned.
func (c *Client) failure(err error, after time.Duration) *Error {
	e := &Error{Model: c.opts.Model, Where: c.where, after: after}
	var api *openai.APIError
	var req *openai.RequestError
	switch {
	case errors.As(err, &api):
		e.Status, e.Reason = api.HTTPStatusCode, api.Message
		e.retry = retryable(e.Status) && !broke(api)
	case errors.As(err, &req):
		e.Status, e.Reason = req.HTTPStatusCode, "answer: "+clip(string(req.Body), 200)
		e.retry = retryable(e.Status)
	default:
		c.transport(e, err)
	}
	if e.Reason == "" {
		e.Reason = "no reason given"
	}
	e.Reason = c.withoutKey(e.Reason)
	e.Hint = c.hint(e, err)
	return e
}

// transport fills in a failure without an HTTP answer.
func (c *Client) transport(e *Error, err error) {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	e.Reason = strings.ReplaceAll(err.Error(), "\n", " ")
	var permanent interface{ Permanent() bool }
	var bad *badReply
	switch {
	case errors.As(err, &permanent) && permanent.Permanent():
		e.cause = err
	case errors.Is(err, context.DeadlineExceeded):
		e.Reason, e.retry, e.cause = fmt.Sprintf("no answer within %s", c.opts.Timeout), true, err
	case errors.As(err, &bad):
		e.Status, e.retry = bad.status, bad.retry
	case u != nil:
		var dns *net.DNSError
		e.retry = !errors.As(err, &dns) || dns.IsTemporary || dns.IsTimeout
	}
}

// retryable are the answers that may be others a moment later.
func retryable(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500
}

// broke reports a 429 that waiting does not mend.
func broke(e *openai.APIError) bool {
	return fmt.Sprint(e.Code) == "insufficient_quota" || e.Type == "insufficient_quota"
}

func (c *Client) hint(e *Error, err error) string {
	var api *openai.APIError
	switch {
	case (e.Status == 401 || e.Status == 403) && c.opts.Key == "":
		return "set " + c.opts.KeyName + " to a key of this endpoint"
	case e.Status == 401 || e.Status == 403:
		return "the endpoint does not take the key in " + c.opts.KeyName
	case e.Status == 404:
		return "check the model's name and the base URL, which mostly ends in /v1"
	case errors.As(err, &api) && broke(api):
		return "the account has no credit left"
	case e.Status == 413:
		return "the request is too large for the endpoint"
	case e.Status == 429:
		return "the endpoint limits the rate; use fewer workers"
	case errors.Is(err, openai.ErrReasoningToolsRequireResponses):
		return "choose another model, or reasoning_effort none"
	case e.Status == 0 && e.cause == nil:
		return "is the base URL right and the endpoint up?"
	}
	return ""
}

// keyText are keys as endpoints quote them, in part masked with stars.
var keyText = regexp.MustCompile(`\b(sk|pk|rk|gsk|xai)-[A-Za-z0-9_*\-]{4,}`)

func (c *Client) withoutKey(s string) string {
	if c.opts.Key != "" {
		s = strings.ReplaceAll(s, c.opts.Key, "[key]")
	}
	return keyText.ReplaceAllString(s, "[key]")
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
