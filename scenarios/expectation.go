package scenarios

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"harness/internal/yaml"
	"harness/locate"
)

// Expectation is one thing that must hold on the page, now or before its
// timeout. Exactly one of its kinds is set.
type Expectation struct {
	URL     *Match        `yaml:"url" doc:"the page's address"`
	Visible *Thing        `yaml:"visible" doc:"a target or text that must be seen at least once"`
	Absent  *Thing        `yaml:"absent" doc:"a target or text that must not be seen"`
	Text    *Of           `yaml:"text" doc:"the text of an element"`
	Value   *Of           `yaml:"value" doc:"the value of a field"`
	Checked *CheckedOf    `yaml:"checked" doc:"the target that must be checked, or {of, is}"`
	Script  string        `yaml:"script" doc:"JavaScript expression that must be truthy"`
	Answer  *Match        `yaml:"answer" doc:"the answer that the agent gave"`
	Timeout time.Duration `yaml:"timeout" doc:"how long it may take until it holds; 0 means 5 s"`

	kind string
	at   yaml.Place
}

// Match is a test of a text: all that is set must hold.
type Match struct {
	Is       *string `yaml:"is" doc:"the whole text"`
	Contains *string `yaml:"contains" doc:"a part of it"`
	Matches  *Regexp `yaml:"matches" doc:"a regular expression (RE2) that matches somewhere in it"`
}

// Of is a test of what an element holds.
type Of struct {
	Of   locate.Target `yaml:"of" doc:"the element"`
	Test Match         `yaml:",inline"`
}

// CheckedOf asks whether an element is checked.
type CheckedOf struct {
	Of locate.Target `yaml:"of" doc:"the element"`
	Is *bool         `yaml:"is" doc:"false: it must not be checked"`
}

// Thing is a target that, given in words, is looked for as text too.
type Thing struct{ Target locate.Target }

// Regexp is a regular expression of a suite.
type Regexp struct{ *regexp.Regexp }

// UnmarshalText compiles the expression.
func (r *Regexp) UnmarshalText(text []byte) error {
	re, err := regexp.Compile(string(text))
	if err != nil {
		return fmt.Errorf("bad regular expression: %v", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	r.Regexp = re
	return nil
}

// expectationKinds are the keys of an Expectation that say what is expected.
var expectationKinds = []string{"absent", "answer", "checked", "script", "text", "url", "value", "visible"}

// DecodeYAML reads an expectation: a mapping with one kind and, if wanted, the
// timeout.
func (e *Expectation) DecodeYAML(n *yaml.Node, o *yaml.Options) error {
	type plain Expectation
	if n.Kind != yaml.Map {
		return n.Errorf("an expectation is a mapping with one of %s", strings.Join(expectationKinds, ", "))
	}
	e.at = n.Pairs[0].Place
	for _, p := range n.Pairs {
		if p.Key == "timeout" {
			continue
		}
		if e.kind != "" {
			return p.Errorf("one kind an expectation, and %q is a second one (begin it with a dash)", p.Key)
		}
		e.kind, e.at = p.Key, p.Place
	}
	if err := yaml.Decode(n, (*plain)(e), o); err != nil {
		return err
	}
	return e.check(n)
}

func (e *Expectation) check(n *yaml.Node) error {
	value := n.Get(e.kind)
	switch {
	case e.kind == "":
		return n.Errorf("an expectation needs one of %s", strings.Join(expectationKinds, ", "))
	case value.Kind == yaml.Null && value.Text != "null":
		return e.at.Errorf("%s: nothing is expected", e.kind)
	case e.Answer != nil && value.Kind == yaml.Scalar:
		e.Answer.Contains, e.Answer.Is = e.Answer.Is, nil
	case e.Text != nil:
		return e.Text.check(e.kind, value)
	case e.Value != nil:
		return e.Value.check(e.kind, value)
	}
	return nil
}

func (o *Of) check(kind string, n *yaml.Node) error {
	if n.Get("of") == nil {
		return n.Errorf("%s: the element is missing (of)", kind)
	}
	if o.Test == (Match{}) {
		return n.Errorf("%s: nothing is expected of it (is, contains or matches)", kind)
	}
	return nil
}

// DecodeYAML reads the tests of a text; a bare scalar is the whole text, of an
// answer a part of it.
func (m *Match) DecodeYAML(n *yaml.Node, o *yaml.Options) error {
	type plain Match
	if n.Kind == yaml.Scalar {
		m.Is = &n.Text
		return nil
	}
	if err := yaml.Decode(n, (*plain)(m), o); err != nil {
		return err
	}
	if *m == (Match{}) {
		return n.Errorf("nothing is expected (is, contains or matches)")
	}
	return nil
}

// DecodeYAML reads a target, or of and is.
func (c *CheckedOf) DecodeYAML(n *yaml.Node, o *yaml.Options) error {
	type plain CheckedOf
	if n.Kind == yaml.Map && n.Get("of") != nil {
		return yaml.Decode(n, (*plain)(c), o)
	}
	return yaml.Decode(n, &c.Of, o)
}

// DecodeYAML reads a target.
func (t *Thing) DecodeYAML(n *yaml.Node, o *yaml.Options) error {
	return yaml.Decode(n, &t.Target, o)
}

// test says why the text does not pass, "" where it does.
func (m Match) test(got string) string {
	switch {
	case m.Is != nil && got != *m.Is:
		return fmt.Sprintf("is %q, not %q", got, *m.Is)
	case m.Contains != nil && !strings.Contains(got, *m.Contains):
		return fmt.Sprintf("is %q, which does not contain %q", got, *m.Contains)
	case m.Matches != nil && !m.Matches.MatchString(got):
		return fmt.Sprintf("is %q, which does not match %s", got, m.Matches)
	}
	return ""
}
