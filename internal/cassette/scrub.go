package cassette

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Scrubbed stands where a secret stood.
const Scrubbed = "[scrubbed]"

// keyLike are the shapes of keys that providers give out, and bearer tokens.
var keyLike = regexp.MustCompile(`\b(sk|pk|rk|xai|gsk|hf|ghp|AIza)[-_]?[A-Za-z0-9_\-]{20,}|[Bb]earer [A-Za-z0-9._~+/\-]{16,}=*`)

// dataURL is an image written into JSON.
var dataURL = regexp.MustCompile(`^data:image/[a-zA-Z0-9.+-]+(;[^,]*)?,`)

// secretsOf are the credentials that a request carries in its headers.
func secretsOf(h http.Header) []string {
	var out []string
	for _, name := range []string{"Authorization", "Api-Key", "X-Api-Key", "X-Goog-Api-Key"} {
		v := h.Get(name)
		for _, scheme := range []string{"Bearer ", "Basic "} {
			v = strings.TrimPrefix(v, scheme)
		}
		if len(v) >= 4 {
			out = append(out, v)
		}
	}
	return out
}

// scrub is the body with images as their hashes and secrets out; a body that
// is not JSON gives nothing.
func scrub(body []byte, secrets []string) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	out, err := marshal(scrubValue(v, secrets))
	if err != nil {
		return nil
	}
	return out
}

func scrubValue(v any, secrets []string) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, x := range v {
			m[k] = scrubValue(x, secrets)
		}
		return m
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = scrubValue(x, secrets)
		}
		return out
	case string:
		return scrubString(v, secrets)
	}
	return v
}

func scrubString(s string, secrets []string) string {
	if m := dataURL.FindString(s); m != "" {
		return "sha256:" + imageHash(m, s[len(m):])
	}
	for _, k := range secrets {
		if k != "" {
			s = strings.ReplaceAll(s, k, Scrubbed)
		}
	}
	return keyLike.ReplaceAllString(s, Scrubbed)
}

// imageHash is the hash of the image's bytes, or of its text where that is
// badly encoded.
func imageHash(prefix, data string) string {
	b := []byte(data)
	if strings.Contains(prefix, ";base64") {
		if d, err := base64.StdEncoding.DecodeString(data); err == nil {
			b = d
		}
	} else if d, err := url.PathUnescape(data); err == nil {
		b = []byte(d)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}
