// Package cassette records model calls at the HTTP seam and replays them.
//
// A cassette is a file of JSON lines, one exchange each:
//
//	{"v":1,"request":{"method","path","body"},"response":{"status","headers","body"}}
//
// Open reads a file and gives a Replay, NewRecorder writes one; both are
// http.RoundTripper, so that the client above them does not know. Rewrite
// fills in the requests of a cassette whose answers were written by hand.
//
// The rules: answers are given in the order of the file, whatever is asked,
// and where the request is not the recorded one a Drift is kept. A file holds
// no host, no key and no image: a data URL stands as the SHA-256 of its bytes.
// Bodies are JSON, or the text of an event stream as a JSON string.
//
// The package knows nothing of chats or models beyond their JSON.
package cassette

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Version is the format's version, the field "v" of every line.
const Version = 1

// Exchange is one line: what was asked and what was answered.
type Exchange struct {
	Request   Request
	Response  Response
	Synthetic bool // the answer was written by hand

	line int    // in the file, from 1
	raw  []byte // the response as it stands in the file, for Rewrite
}

// Request is what was asked. The zero Request says that the answer was written
// without one; nothing is compared with it.
type Request struct {
	Method string          `json:"method"`
	Path   string          `json:"path"` // without host and query
	Body   json.RawMessage `json:"body,omitempty"`
}

// Empty reports whether there is nothing to compare with.
func (r Request) Empty() bool { return len(r.Body) == 0 }

// Response is what was answered.
type Response struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers,omitempty"` // canonical names
	Body    json.RawMessage   `json:"body"`              // JSON, or a JSON string that holds an event stream
}

// bytes is the body as it goes over the wire.
func (r Response) bytes() []byte {
	var s string
	if json.Unmarshal(r.Body, &s) == nil {
		return []byte(s)
	}
	return r.Body
}

// writeLine writes one exchange and the line break after it. The response goes
// out as it is given, byte for byte.
func writeLine(w io.Writer, req Request, response []byte, synthetic bool) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"v":%d`, Version)
	if synthetic {
		b.WriteString(`,"synthetic":true`)
	}
	if !req.Empty() {
		asked, err := marshal(req)
		if err != nil {
			return fmt.Errorf("cassette: %v", err)
		}
		fmt.Fprintf(&b, `,"request":%s`, asked)
	}
	fmt.Fprintf(&b, ",\"response\":%s}\n", response)
	_, err := w.Write(b.Bytes())
	return err
}

// marshal is json.Marshal without the escaping of <, > and &, which makes
// prompts unreadable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
