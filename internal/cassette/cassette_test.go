package cassette

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func file(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "c.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	return name
}

func post(t *testing.T, rt http.RoundTripper, url, body string) (int, string, error) {
	t.Helper()
	req, err := http.NewRequest("POST", url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer topsecret-value")
	res, err := rt.RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(b), nil
}

func TestOpenNamesThePlaceOfAFault(t *testing.T) {
	const ok = `{"v":1,"response":{"status":200,"body":{}}}`
	for name, tc := range map[string]struct {
		line      string
		col       int
		want      string
		firstGood bool
	}{
		"not json":           {`{"v":1,"response":{"status":200,"body":{"a":}}}`, 45, "not JSON", true},
		"cut off":            {`{"v":1,"response":{"status":200,`, 32, "not JSON", false},
		"unknown field":      {`{"v":1,"requst":{},"response":{"body":{}}}`, 8, `unknown field "requst" (known: v, synthetic, request, response)`, true},
		"unknown inner":      {`{"v":1,"response":{"state":200,"body":{}}}`, 20, `unknown field "state"`, true},
		"unknown in request": {`{"v":1,"request":{"host":"a"},"response":{"body":{}}}`, 19, `unknown field "host"`, false},
		"twice":              {`{"v":1,"v":1,"response":{"body":{}}}`, 8, `"v" stands twice`, false},
		"version":            {`{"v":2,"response":{"body":{}}}`, 6, "version 2 is not known", false},
		"no version":         {`{"response":{"body":{}}}`, 1, `"v" is missing`, false},
		"no response":        {`{"v":1}`, 1, `"response" is missing`, false},
		"no body":            {`{"v":1,"response":{"status":200}}`, 19, `"body" is missing`, false},
		"prose body":         {`{"v":1,"response":{"body":"Bad gateway"}}`, 27, "neither JSON nor an event stream", true},
		"number body":        {`{"v":1,"response":{"body":7}}`, 27, "neither a JSON object nor an event stream", false},
		"null body":          {`{"v":1,"response":{"body":null}}`, 27, "neither a JSON object nor an event stream", false},
		"broken event":       {`{"v":1,"response":{"body":"data: {\"a\":\n\n"}}`, 27, "an event of the stream is not JSON", false},
		"status":             {`{"v":1,"response":{"status":99,"body":{}}}`, 29, "no final HTTP status", false},
		"host":               {`{"v":1,"request":{"path":"https://h/v1"},"response":{"body":{}}}`, 26, "names a host", false},
		"two on a line":      {ok + ok, 44, "not JSON", false},
		"list":               {`[1]`, 1, "exchange is not a JSON object", false},
	} {
		t.Run(name, func(t *testing.T) {
			lines := []string{tc.line}
			if tc.firstGood {
				lines = []string{ok, "", tc.line}
			}
			f := file(t, lines...)
			_, err := Open(f)
			var fe *FormatError
			require.ErrorAs(t, err, &fe)
			assert.Equal(t, len(lines), fe.Line)
			assert.Equal(t, tc.col, fe.Col, err)
			assert.Contains(t, err.Error(), tc.want)
			assert.True(t, strings.HasPrefix(err.Error(), fmt.Sprintf("%s:%d:%d: ", f, fe.Line, fe.Col)), err)
		})
	}
}

func TestOpenRefusesAnEmptyFileAndAMissingOne(t *testing.T) {
	_, err := Open(file(t, ""))
	assert.ErrorContains(t, err, "no exchange in the file")
	_, err = Open(filepath.Join(t.TempDir(), "none.jsonl"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestReplayAnswersInOrderAndKeepsDrifts(t *testing.T) {
	r, err := Open(file(t,
		`{"v":1,"request":{"method":"POST","path":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"a\nb"}]}},"response":{"status":200,"headers":{"Content-Type":"application/json"},"body":{"n":1}}}`,
		`{"v":1,"synthetic":true,"response":{"status":429,"headers":{"retry-after":"7"},"body":{"error":{"message":"slow"}}}}`,
		`{"v":1,"request":{"method":"POST","path":"/v1/chat/completions","body":{"model":"m"}},"response":{"body":"data: {\"x\":1}\n\ndata: [DONE]\n\n"}}`,
		`{"v":1,"request":{},"response":{"body":{"n":4}}}`,
	))
	require.NoError(t, err)
	assert.Equal(t, "m", r.Model())

	st, body, err := post(t, r, "http://elsewhere/compatible/v1/chat/completions", `{"messages":[{"content":"a\nb","role":"user"}],"model":"m"}`)
	require.NoError(t, err)
	assert.Equal(t, 200, st)
	assert.JSONEq(t, `{"n":1}`, body)
	assert.Empty(t, r.Drifts(), "the order of keys and the base path do not count")

	req, _ := http.NewRequest("POST", "http://h/x", strings.NewReader(`{"any":"thing"}`))
	res, err := r.RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, 429, res.StatusCode)
	assert.Equal(t, "7", res.Header.Get("Retry-After"))
	assert.Empty(t, r.Drifts(), "no request was recorded")
	assert.Equal(t, 1, r.Unrecorded())

	_, body, err = post(t, r, "http://h/v1/chat/completions", `{"model":"other","tools":[]}`)
	require.NoError(t, err)
	assert.Equal(t, "data: {\"x\":1}\n\ndata: [DONE]\n\n", body)
	require.Len(t, r.Drifts(), 1)
	d := r.Drifts()[0]
	assert.Equal(t, 3, d.Exchange)
	assert.Equal(t, []string{`model: "other", was "m"`, `tools: new: []`}, d.Diff)
	assert.False(t, d.ImagesOnly)
	assert.Equal(t, 1, r.Unused())

	_, _, err = post(t, r, "http://h/v1", `{}`)
	require.NoError(t, err)
	_, _, err = post(t, r, "http://h/v1", `{}`)
	var ex *ExhaustedError
	require.ErrorAs(t, err, &ex)
	assert.Contains(t, err.Error(), "request 5 has no answer: the file holds 4")
	assert.True(t, ex.Permanent())
	assert.Zero(t, r.Unused())
}

func TestReplayHeedsTheContext(t *testing.T) {
	r, err := Open(file(t, `{"v":1,"response":{"body":{}}}`))
	require.NoError(t, err)
	cause := errors.New("told to stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	req, _ := http.NewRequestWithContext(ctx, "POST", "http://h/", nil)
	_, err = r.RoundTrip(req)
	assert.ErrorIs(t, err, cause)
	assert.Equal(t, 1, r.Unused())
}

func TestDiffReadsShort(t *testing.T) {
	run := func(was, is string) []string {
		return diff(Request{Method: "POST", Path: "/v1/chat/completions", Body: []byte(was)},
			Request{Method: "POST", Path: "/v1/chat/completions", Body: []byte(is)})
	}
	for name, tc := range map[string]struct {
		was, is string
		want    []string
	}{
		"a line of a message": {
			`{"messages":[{"role":"user","content":"one\ntwo\nthree"}]}`, `{"messages":[{"role":"user","content":"one\n2\nthree\nfour"}]}`,
			[]string{`messages[0].content: line 2: "2", was "two" (4 lines, were 3)`}},
		"one more message": {
			`{"messages":[]}`, `{"messages":[{"role":"user"}]}`, []string{`messages[0]: new: {"role":"user"}`}},
		"tools by name": {
			`{"tools":[{"function":{"name":"click"}},{"function":{"name":"old"}}]}`,
			`{"tools":[{"function":{"name":"new"}},{"function":{"name":"click"}}]}`,
			[]string{`tools.new: new: {"function":{"name":"new"}}`, `tools.old: gone, was {"function":{"name":"old"}}`}},
		"pixels": {
			`{"messages":[{"content":[{"image_url":{"url":"sha256:aa"}}]}]}`, `{"messages":[{"content":[{"image_url":{"url":"sha256:bb"}}]}]}`,
			[]string{"messages[0].content[0].image_url.url: another image"}},
		"same": {`{"a":[1,{"b":null}]}`, `{"a":[1,{"b":null}]}`, nil},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tc.want, run(tc.was, tc.is)) })
	}
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprintf(`"k%02d":1`, i))
	}
	got := run(`{}`, "{"+strings.Join(many, ",")+"}")
	assert.Len(t, got, maxDiff+1)
	assert.Equal(t, "and 28 more", got[maxDiff])
	assert.True(t, imagesOnly([]string{"x: another image"}))
}

func TestRecordThenReplay(t *testing.T) {
	answers := []string{`{"model":"m","choices":[]}`, "data: {\"a\":1}\n\ndata: [DONE]\n\n", "<html>bad gateway</html>"}
	n := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("X-Internal", "host-name-1")
		w.Header().Set("Set-Cookie", "session=abc")
		w.WriteHeader([]int{200, 200, 502}[n])
		fmt.Fprint(w, answers[n])
		n++
	}))
	defer srv.Close()
	png := []byte{1, 2, 3}
	body := `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"key topsecret-value and hunter22 and sk-abcdefghijklmnopqrstuvwxyz <b>"},` +
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,` + base64.StdEncoding.EncodeToString(png) + `"}}]}]}`
	var out bytes.Buffer
	rec := NewRecorder(nil, &out, "hunter22")
	for i := range answers {
		_, got, err := post(t, rec, srv.URL+"/v1/chat/completions?api-version=1&key=topsecret-value", body)
		require.NoError(t, err)
		assert.Equal(t, answers[i], got, "what passes through is not changed")
	}
	require.NoError(t, rec.Err())
	text := out.String()
	for _, leak := range []string{"topsecret", "hunter22", "sk-abc", "127.0.0.1", "base64", "host-name-1", "session=", "api-version"} {
		assert.NotContains(t, text, leak)
	}
	assert.Contains(t, text, "sha256:039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81", "the hash of the bytes 1 2 3")
	assert.Contains(t, text, "<b>", "readable")

	r, err := Open(file(t, strings.TrimSpace(text)))
	require.NoError(t, err)
	for i, want := range []string{answers[0], answers[1], `{"error":{"message":"<html>bad gateway</html>"}}`} {
		st, got, err := post(t, r, "http://other/v1/chat/completions", body)
		require.NoError(t, err)
		assert.Equal(t, []int{200, 200, 502}[i], st)
		if i == 0 {
			assert.JSONEq(t, want, got)
		} else {
			assert.Equal(t, want, got)
		}
	}
	// The same secrets in the replayed request are scrubbed alike but for the
	// one that only the recorder was told of.
	for _, d := range r.Drifts() {
		require.Len(t, d.Diff, 1)
		assert.Contains(t, d.Diff[0], "hunter22")
	}
}

type failing struct{ n int }

func (f *failing) Write(p []byte) (int, error) {
	if f.n--; f.n < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestRecorderKeepsItsFirstFailure(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{}`) }))
	defer srv.Close()
	rec := NewRecorder(nil, &failing{n: 1})
	for range 3 {
		st, _, err := post(t, rec, srv.URL, `{}`)
		require.NoError(t, err, "the call itself goes through")
		assert.Equal(t, 200, st)
	}
	assert.ErrorContains(t, rec.Err(), "disk full")
}

func TestRewriteFillsInRequestsOnly(t *testing.T) {
	f := file(t,
		`{"response" : {"status":200, "body":{"b":2,  "a":1}}, "v":1, "synthetic":true}`,
		`{"v":1,"request":{"method":"POST","path":"/p","body":{"keep":true}},"response":{"body":"data: {\"<\":1}\n\n"}}`)
	require.NoError(t, os.Chmod(f, 0o600))
	r, err := Open(f)
	require.NoError(t, err)
	_, _, err = post(t, r, "http://h/v1/chat/completions", `{"model":"m","content":"data:image/png;base64,AQID"}`)
	require.NoError(t, err)
	require.NoError(t, Rewrite(f, r.Requests()))

	got, err := os.ReadFile(f)
	require.NoError(t, err)
	assert.Equal(t, `{"v":1,"synthetic":true,"request":{"method":"POST","path":"/v1/chat/completions","body":{"content":"sha256:039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81","model":"m"}},"response":{"status":200, "body":{"b":2,  "a":1}}}
{"v":1,"request":{"method":"POST","path":"/p","body":{"keep":true}},"response":{"body":"data: {\"<\":1}\n\n"}}
`, string(got))
	st, err := os.Stat(f)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), st.Mode().Perm())

	again, err := Open(f)
	require.NoError(t, err)
	_, _, err = post(t, again, "http://h/v1/chat/completions", `{"model":"m","content":"data:image/png;base64,AQID"}`)
	require.NoError(t, err)
	assert.Empty(t, again.Drifts())
	assert.Zero(t, again.Unrecorded())

	assert.ErrorContains(t, Rewrite(f, make([]Request, 3)), "3 requests for 2 exchanges")
	left, err := os.ReadDir(filepath.Dir(f))
	require.NoError(t, err)
	assert.Len(t, left, 1, "no temporary file is left")
}
