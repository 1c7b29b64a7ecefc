// Package site serves a recorded site: the whole network of the pages that are
// tried on it.
//
// The main entry is Load: a folder of files (with an optional site.yaml) or a
// HAR (.har, .har.zip) in, a Site out. Site.Handler answers requests by their
// absolute URL; each call of it is a fresh start, since a HAR answers the n-th
// request with the n-th recorded answer.
//
// The rule: nothing is invented. What the site does not hold gets a 404 whose
// Refused header says why; a browser passes that on as a refusal. The package
// starts no browser and opens no connection.
package site

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Refused is the header of an answer that stands for a missing one; its value
// says, for people, what is missing. browser.RefusedHeader is the same word.
const Refused = "Harness-Refused"

// Site is a recorded site. It is not changed by being served and is safe for
// concurrent use.
type Site struct {
	Path     string // as given to Load
	Name     string // file or folder name without its ending
	Start    string // address at which to begin
	Defaults Defaults
	Notes    []string // what people should know before a run: weak matches, missing bodies

	origins []string
	serve   func() http.Handler
}

// Defaults are the settings that a site brings; zero fields say nothing.
type Defaults struct {
	Viewport    Size    `yaml:"viewport"`
	DPR         float64 `yaml:"dpr"`
	Locale      string  `yaml:"locale"`
	Timezone    string  `yaml:"timezone"`
	Clock       Clock   `yaml:"clock"`
	ClockFrozen bool    `yaml:"clock_frozen"`
	UserAgent   string  `yaml:"user_agent"`
}

// Size is WIDTHxHEIGHT in CSS px.
type Size struct{ W, H int }

// UnmarshalText reads WIDTHxHEIGHT.
func (s *Size) UnmarshalText(text []byte) error {
	w, h, ok := strings.Cut(string(text), "x")
	var errW, errH error
	s.W, errW = strconv.Atoi(w)
	s.H, errH = strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || s.W < 1 || s.H < 1 || s.W > 16384 || s.H > 16384 {
		return fmt.Errorf("not a size: %q (write 1280x800)", text)
	}
	return nil
}

// Clock is an RFC 3339 time.
type Clock struct{ time.Time }

// UnmarshalText reads an RFC 3339 time.
func (c *Clock) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return fmt.Errorf("not an RFC 3339 time: %q (write 2026-01-21T22:20:25+08:00)", text)
	}
	c.Time = t
	return nil
}

// ErrNoSite says that there is nothing at the path.
var ErrNoSite = errors.New("no such site")

// Load reads a site. Errors about a file's content name the place in it.
func Load(path string) (*Site, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("site %s: %w%s", path, ErrNoSite, besides(path))
	case err != nil:
		return nil, fmt.Errorf("site %s: %w", path, err)
	}
	s := &Site{Path: path, Name: name(path)}
	switch lower := strings.ToLower(path); {
	case info.IsDir():
		err = s.loadFolder()
	case strings.HasSuffix(lower, ".har"), strings.HasSuffix(lower, ".har.zip"):
		err = s.loadHAR()
	default:
		return nil, fmt.Errorf("site %s: neither a folder nor a .har or .har.zip", path)
	}
	if err != nil {
		return nil, err
	}
	sort.Strings(s.origins)
	return s, nil
}

func name(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	base := filepath.Base(path)
	for _, ending := range []string{".zip", ".har"} {
		if strings.HasSuffix(strings.ToLower(base), ending) {
			base = base[:len(base)-len(ending)]
		}
	}
	return base
}

// besides names what stands where a missing site was looked for.
func besides(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() || strings.Contains(strings.ToLower(e.Name()), ".har") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s holds %s)", filepath.Dir(path), strings.Join(names[:min(len(names), 12)], ", "))
}

// Origins are the origins that the site serves, sorted.
func (s *Site) Origins() []string { return append([]string(nil), s.origins...) }

// Handler answers requests from the recording, with a state of its own. It
// wants absolute URLs (scheme and host in r.URL).
func (s *Site) Handler() http.Handler { return s.serve() }

// refuse answers that the site does not hold what was asked for.
func refuse(w http.ResponseWriter, reason string) {
	reason = strings.Join(strings.Fields(reason), " ") // a header is one line
	w.Header().Set(Refused, reason)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = fmt.Fprintf(w, "refused: %s\n", reason)
}
