package locate

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Target says which element is meant. The zero Target means nothing and is
// refused. A target made from words holds them alone: Parse reads them when it
// is resolved, in every way in which they can be read.
//
// In suites and tool calls a target is a string of words or a mapping with the
// fields below.
type Target struct {
	Words string `json:"words,omitempty" yaml:"words,omitempty" jsonschema_description:"a description in words"`

	Role  string   `json:"role,omitempty" yaml:"role,omitempty" jsonschema_description:"ARIA role, or a noun such as field or icon"`
	Name  string   `json:"name,omitempty" yaml:"name,omitempty" jsonschema_description:"accessible name, label, placeholder, title, alt or text"`
	Exact bool     `json:"exact,omitempty" yaml:"exact,omitempty" jsonschema_description:"the name must be the whole name"`
	In    *Target  `json:"in,omitempty" yaml:"in,omitempty" jsonschema_description:"container: dialog, row, section, form"`
	Near  *Target  `json:"near,omitempty" yaml:"near,omitempty" jsonschema_description:"an anchor near the element"`
	Side  string   `json:"side,omitempty" yaml:"side,omitempty" jsonschema:"enum=near,enum=right,enum=left,enum=above,enum=below" jsonschema_description:"on which side of the anchor the element is"`
	Nth   int      `json:"nth,omitempty" yaml:"nth,omitempty" jsonschema_description:"1 is the first of several, -1 the last"`
	State *StateIs `json:"state,omitempty" yaml:"state,omitempty" jsonschema_description:"the state that the element is in"`
	Date  string   `json:"date,omitempty" yaml:"date,omitempty" jsonschema_description:"a day cell of a calendar, as an ISO date"`

	Text   string `json:"text,omitempty" yaml:"text,omitempty" jsonschema_description:"visible text"`
	Label  string `json:"label,omitempty" yaml:"label,omitempty" jsonschema_description:"form label"`
	Testid string `json:"testid,omitempty" yaml:"testid,omitempty" jsonschema_description:"test id attribute"`
	CSS    string `json:"css,omitempty" yaml:"css,omitempty" jsonschema_description:"CSS selector"`
	Ref    int    `json:"ref,omitempty" yaml:"ref,omitempty" jsonschema_description:"number of the element in the last observation"`
}

// StateIs asks for a state; nil fields say nothing.
type StateIs struct {
	Checked  *bool `json:"checked,omitempty" yaml:"checked,omitempty"`
	Disabled *bool `json:"disabled,omitempty" yaml:"disabled,omitempty"`
	Selected *bool `json:"selected,omitempty" yaml:"selected,omitempty"`
	Expanded *bool `json:"expanded,omitempty" yaml:"expanded,omitempty"`
	Empty    *bool `json:"empty,omitempty" yaml:"empty,omitempty"`
}

// Words makes a target from words.
func Words(words string) Target { return Target{Words: words} }

// IsZero reports whether the target says nothing.
func (t Target) IsZero() bool { return t == Target{} }

// String is the target for people: its words, or its fields in the order of the type.
func (t Target) String() string {
	if t.Words != "" {
		return t.Words
	}
	if t.IsZero() {
		return ""
	}
	b, err := json.Marshal(fields(t))
	if err != nil {
		return fmt.Sprintf("%+v", fields(t))
	}
	return string(b)
}

// fields is Target without its methods, for encoding.
type fields Target

// MarshalJSON writes a target of words alone as a string.
func (t Target) MarshalJSON() ([]byte, error) {
	if t == (Target{Words: t.Words}) {
		return json.Marshal(t.Words)
	}
	return json.Marshal(fields(t))
}

// UnmarshalJSON reads words or a mapping; unknown fields are errors.
func (t *Target) UnmarshalJSON(data []byte) error {
	var words string
	if json.Unmarshal(data, &words) == nil {
		*t = Target{Words: words}
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.DisallowUnknownFields()
	if err := dec.Decode((*fields)(t)); err != nil {
		return fmt.Errorf("target: %v (a target is words or a mapping with role, name, exact, in, near, side, nth, state, date, text, label, testid, css, ref)", err)
	}
	return t.check()
}

// UnmarshalYAML reads words or a mapping, as UnmarshalJSON does.
func (t *Target) UnmarshalYAML(unmarshal func(any) error) error {
	var words string
	if unmarshal(&words) == nil {
		*t = Target{Words: words}
		return nil
	}
	if err := unmarshal((*fields)(t)); err != nil {
		return err
	}
	return t.check()
}

// MarshalYAML writes a target of words alone as a string.
func (t Target) MarshalYAML() (any, error) {
	if t == (Target{Words: t.Words}) {
		return t.Words, nil
	}
	return fields(t), nil
}

func (t *Target) check() error {
	switch t.Side {
	case "", "near", "right", "left", "above", "below":
	default:
		return fmt.Errorf("target: unknown side %q: right, left, above, below or near", t.Side)
	}
	if t.Side != "" && t.Near == nil {
		return fmt.Errorf("target: side %q needs an anchor in near", t.Side)
	}
	if t.IsZero() {
		return fmt.Errorf("target: says nothing")
	}
	return nil
}
