package cassette

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file is read or refused with a place inside it; what is read survives being
// written and read again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"v":1,"request":{"method":"POST","path":"/v1/chat/completions","body":{"model":"m"}},"response":{"status":200,"headers":{"Content-Type":"application/json"},"body":{"a":[1,"é"]}}}`))
	f.Add([]byte("\xef\xbb\xbf{\"v\":1,\"synthetic\":true,\"response\":{\"body\":\"data: {}\\n\\n\"}}\r\n\n"))
	f.Add([]byte(`{"v":1,"response":{"body":{}},"x":1}`))
	f.Add([]byte(`{"v":1,"response":`))
	f.Fuzz(func(t *testing.T, data []byte) {
		xs, err := parse("f", data)
		if err != nil {
			var fe *FormatError
			require.True(t, errors.As(err, &fe))
			require.LessOrEqual(t, fe.Line, 1+bytes.Count(data, []byte("\n")))
			require.True(t, fe.Col >= 1 && fe.Col <= len(data)+1)
			return
		}
		var b bytes.Buffer
		for _, x := range xs {
			require.NoError(t, writeLine(&b, x.Request, x.raw, x.Synthetic))
		}
		again, err := parse("f", b.Bytes())
		require.NoError(t, err, "%s", b.Bytes())
		require.Len(t, again, len(xs))
		for i := range xs {
			require.Equal(t, xs[i].Response, again[i].Response)
			require.Equal(t, xs[i].Synthetic, again[i].Synthetic)
		}
	})
}
