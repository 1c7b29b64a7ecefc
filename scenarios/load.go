package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"

	"harness/internal/agent"
	"harness/internal/yaml"
)

// Load reads the suite and checks all that can be known before a run: the
// fields, the names, the settings, and that the site and the cassettes exist.
// Paths in the suite are looked up from its folder, then from the working
// directory, and stand resolved in the result. The error joins all faults, each
// with its place.
func Load(file string) (*Suite, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", file, cause(err))
	}
	return Parse(file, data)
}

// Parse is Load for the text of a file.
func Parse(file string, data []byte) (*Suite, error) {
	s := &Suite{File: file}
	if err := yaml.Unmarshal(file, data, s, hooks()); err != nil {
		return nil, err
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	c := checker{suite: s}
	c.check()
	if err := errors.Join(c.errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// Find lists the suite files of the paths: files as they are, of folders the
// *.yaml and *.yml in them (not below), sorted. A path that is not there, and
// a folder without suites, are errors.
func Find(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", p, cause(err))
		}
		if !info.IsDir() {
			out = append(out, p)
			continue
		}
		var found []string
		for _, pattern := range []string{"*.yaml", "*.yml"} {
			m, err := filepath.Glob(filepath.Join(p, pattern))
			if err != nil {
				return nil, fmt.Errorf("suites in %s: %w", p, err)
			}
			found = append(found, m...)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("suites in %s: there is no *.yaml", p)
		}
		sort.Strings(found)
		out = append(out, found...)
	}
	return out, nil
}

// cause drops the path from a file error: the caller names it.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// checker collects what is wrong with a suite that could be read.
type checker struct {
	suite *Suite
	errs  []error
}

func (c *checker) fail(p yaml.Place, format string, args ...any) {
	c.errs = append(c.errs, p.Errorf(format, args...))
}

func (c *checker) check() {
	s := c.suite
	if len(s.Scenarios) == 0 {
		c.fail(s.node.Place, "a suite without scenarios")
	}
	if s.Site != "" {
		c.path(place(s.node, "site"), "site", &s.Site)
	}
	seen := map[string]yaml.Place{}
	for i := range s.Scenarios {
		sc := &s.Scenarios[i]
		c.name(sc, seen)
		c.settings(sc)
		c.acts(sc)
		c.paths(sc)
	}
}

func (c *checker) name(sc *Scenario, seen map[string]yaml.Place) {
	at := place(sc.node, "name")
	if sc.Name == "" {
		c.fail(at, "a scenario without a name")
		return
	}
	if first, ok := seen[sc.Name]; ok {
		c.fail(at, "a second scenario %q (the first is at line %d)", sc.Name, first.Line)
		return
	}
	seen[sc.Name] = at
}

var localePattern = regexp.MustCompile(`^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$`)

func (c *checker) settings(sc *Scenario) {
	at := func(field string, own bool) yaml.Place {
		if own {
			return place(sc.node, field)
		}
		return place(c.suite.node.Get("defaults"), field)
	}
	m := sc.Merge(c.suite.Defaults.Settings)
	if _, err := time.LoadLocation(m.Timezone); err != nil {
		c.fail(at("timezone", sc.Timezone != ""), "unknown time zone %q (write Asia/Shanghai)", m.Timezone)
	}
	if m.Locale != "" && !localePattern.MatchString(m.Locale) {
		c.fail(at("locale", sc.Locale != ""), "not a locale: %q (write zh-CN)", m.Locale)
	}
	if m.DPR != 0 && (m.DPR < 0.1 || m.DPR > 10) {
		c.fail(at("dpr", sc.DPR != 0), "a device pixel ratio of %g (0.1 to 10)", m.DPR)
	}
	l := sc.Limits
	if l.Steps < 0 || l.Tokens < 0 || l.Vision != nil && *l.Vision < 0 {
		c.fail(place(sc.node, "limits"), "a limit below zero")
	}
}

func (c *checker) acts(sc *Scenario) {
	switch {
	case len(sc.Steps) > 0 && sc.Cassette != "":
		c.fail(place(sc.node, "cassette"), "steps and a cassette in one scenario")
	case len(sc.Steps) == 0 && sc.Cassette == "" && sc.Task == "" && len(sc.Expect) == 0:
		c.fail(sc.node.Place, "scenario %q does nothing (give steps, a cassette, a task or an expectation)", sc.Name)
	}
}

// paths resolves the scenario's files.
func (c *checker) paths(sc *Scenario) {
	switch {
	case sc.Site != "":
		c.path(place(sc.node, "site"), "site", &sc.Site)
	case c.suite.Site != "":
		sc.Site = c.suite.Site
	default:
		c.fail(sc.node.Place, "scenario %q has no site, and the suite has none", sc.Name)
	}
	for _, step := range sc.Steps {
		if upload, ok := step.Args.(*agent.UploadArgs); ok && step.Error == "" {
			for i := range upload.Files {
				c.path(step.at, "file", &upload.Files[i])
			}
		}
	}
	if sc.Cassette != "" {
		c.path(place(sc.node, "cassette"), "cassette", &sc.Cassette)
	}
	if sc.VisionCassette != "" {
		c.path(place(sc.node, "vision_cassette"), "vision cassette", &sc.VisionCassette)
	}
}

func (c *checker) path(at yaml.Place, what string, path *string) {
	found, ok := c.suite.lookUp(*path)
	if !ok {
		c.fail(at, "%s %s: there is no such file or folder (looked in %s and in the working directory)", what, *path, filepath.Dir(c.suite.File))
		return
	}
	if abs, err := filepath.Abs(found); err == nil && what == "file" {
		found = abs // the agent has a folder of its own in mind
	}
	*path = found
}

// lookUp finds a path of the suite: from its folder, then from the working
// directory.
func (s *Suite) lookUp(path string) (string, bool) {
	tries := []string{path}
	if !filepath.IsAbs(path) {
		tries = []string{filepath.Join(filepath.Dir(s.File), path), path}
	}
	for _, try := range tries {
		if _, err := os.Stat(try); err == nil {
			return try, true
		}
	}
	return "", false
}

// place is where the field stands in the file, else where its mapping begins.
func place(n *yaml.Node, field string) yaml.Place {
	if v := n.Get(field); v != nil {
		return v.Place
	}
	return n.Place
}
