package site

import (
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"harness/internal/yaml"
)

// manifest is site.yaml.
type manifest struct {
	Start    string    `yaml:"start"`
	Origins  yamlNodes `yaml:"origins"`
	Defaults `yaml:",inline"`
}

// yamlNodes keeps the nodes of a mapping, for their places.
type yamlNodes struct{ pairs []yaml.Pair }

// DecodeYAML keeps the mapping as it is.
func (m *yamlNodes) DecodeYAML(n *yaml.Node, _ *yaml.Options) error {
	if n.Kind != yaml.Map {
		return n.Errorf("a mapping of origins to folders is wanted here, not %v", n.Kind)
	}
	m.pairs = n.Pairs
	return nil
}

func (s *Site) loadFolder() error {
	var m manifest
	file := filepath.Join(s.Path, "site.yaml")
	text, err := os.ReadFile(file)
	switch {
	case err == nil:
		if err := yaml.Unmarshal(file, text, &m, nil); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("site %s: %w", s.Path, err)
	}
	roots, err := s.folders(m)
	if err != nil {
		return err
	}
	s.Defaults, s.Start = m.Defaults, m.Start
	for o := range roots {
		s.origins = append(s.origins, o)
	}
	if s.Start == "" {
		s.Start = s.first(m) + "/"
	}
	if u, err := url.Parse(s.Start); err != nil || roots[originOf(u)] == "" {
		return fmt.Errorf("%s: start %s is not an address of the site (%s)", file, s.Start, strings.Join(s.origins, ", "))
	}
	h := &folder{site: s.Name, roots: roots}
	s.serve = func() http.Handler { return h }
	return nil
}

func (s *Site) first(m manifest) string {
	if len(m.Origins.pairs) > 0 {
		return strings.TrimSuffix(m.Origins.pairs[0].Key, "/")
	}
	return s.origins[0]
}

// folders maps origins to the real paths of their folders.
func (s *Site) folders(m manifest) (map[string]string, error) {
	base, err := filepath.EvalSymlinks(s.Path)
	if err != nil {
		return nil, fmt.Errorf("site %s: %w", s.Path, err)
	}
	roots := map[string]string{}
	if len(m.Origins.pairs) == 0 {
		origin := "https://" + strings.ToLower(s.Name) + ".test"
		if u, err := url.Parse(origin); err != nil || u.Host == "" {
			return nil, fmt.Errorf("site %s: the folder's name is no host name; name the origin in site.yaml", s.Path)
		}
		roots[origin] = base
		return roots, nil
	}
	for _, p := range m.Origins.pairs {
		u, err := url.Parse(strings.TrimSuffix(p.Key, "/"))
		if err != nil || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, p.Errorf("not an origin: %q (write https://shop.test)", p.Key)
		}
		dir := filepath.Join(base, filepath.FromSlash(p.Value.Text))
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || p.Value.Kind != yaml.Scalar {
			return nil, p.Value.Errorf("no such folder: %q", p.Value.Text)
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() || !inside(base, real) {
			return nil, p.Value.Errorf("not a folder of the site: %q", p.Value.Text)
		}
		origin := originOf(u)
		if roots[origin] != "" {
			return nil, p.Errorf("origin %s stands here twice", origin)
		}
		roots[origin] = real
	}
	return roots, nil
}

func inside(base, p string) bool {
	rel, err := filepath.Rel(base, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// originOf is scheme and host, in lower case and without a default port.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else if u.Scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	}
	return strings.ToLower(u.Scheme) + "://" + host
}

// folder serves files by path; the query is ignored.
type folder struct {
	site  string
	roots map[string]string // origin → real path
}

func (f *folder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	origin := originOf(r.URL)
	root := f.roots[origin]
	if root == "" {
		refuse(w, fmt.Sprintf("site %s has no origin %s (it has %s)", f.site, origin, strings.Join(keys(f.roots), ", ")))
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		refuse(w, fmt.Sprintf("site %s is made of files and does not answer %s", f.site, r.Method))
		return
	}
	file, reason := f.find(root, r.URL.Path)
	if reason != "" {
		refuse(w, fmt.Sprintf("%s in site %s: %s", r.URL.Path, f.site, reason))
		return
	}
	if asked := path.Base(r.URL.Path); r.URL.Path != "" && !strings.HasSuffix(r.URL.Path, "/") && asked != filepath.Base(file) && filepath.Base(file) == "index.html" {
		// Relative addresses in the folder's page start from the folder.
		to := *r.URL
		to.Path += "/"
		w.Header().Set("Location", to.RequestURI())
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	body, err := os.ReadFile(file)
	if err != nil {
		refuse(w, fmt.Sprintf("%s in site %s: %v", r.URL.Path, f.site, err))
		return
	}
	w.Header().Set("Content-Type", contentType(file, body))
	// Files have no time of their own here: a checkout gives them any.
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(body)))
}

// find is the real file of a URL path, or the reason for which there is none.
func (f *folder) find(root, urlPath string) (file, reason string) {
	if strings.ContainsRune(urlPath, 0) || strings.Contains(urlPath, `\`) {
		return "", "not a path of a file"
	}
	for _, part := range strings.Split(urlPath, "/") {
		if part == ".." {
			return "", "leads out of the site"
		}
	}
	name := filepath.Join(root, filepath.FromSlash(path.Clean("/"+urlPath)))
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		name = filepath.Join(name, "index.html")
		info, err = os.Stat(name)
	}
	if err != nil || !info.Mode().IsRegular() || name == filepath.Join(root, "site.yaml") {
		return "", "no such file" + nearFile(name)
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil || !inside(root, real) {
		return "", "leads out of the site"
	}
	return real, ""
}

// nearFile names a file of the same folder that is spelt almost so.
func nearFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return yaml.DidYouMean(filepath.Base(name), names)
}

func keys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// types are fixed here, since the machine's own table differs from machine to
// machine.
var types = map[string]string{
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".css": "text/css",
	".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".map": "application/json",
	".webmanifest": "application/manifest+json", ".xml": "text/xml", ".svg": "image/svg+xml", ".txt": "text/plain", ".csv": "text/csv",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif",
	".ico": "image/x-icon", ".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf",
	".wasm": "application/wasm", ".pdf": "application/pdf", ".zip": "application/zip", ".mp4": "video/mp4", ".webm": "video/webm", ".mp3": "audio/mpeg",
}

func contentType(file string, body []byte) string {
	t := types[strings.ToLower(filepath.Ext(file))]
	if t == "" {
		t = http.DetectContentType(body)
	}
	base, _, err := mime.ParseMediaType(t)
	if err != nil {
		return t
	}
	text := strings.HasPrefix(base, "text/") || strings.HasSuffix(base, "json") || strings.HasSuffix(base, "xml")
	if text && utf8.Valid(body) {
		return base + "; charset=utf-8"
	}
	return base
}
