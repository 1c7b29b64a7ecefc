package locate

// Target says which element is meant. The zero Target means nothing and is
// refused. Words are kept beside the fields that ParseTarget read from them.
//
// In suites and tool calls a target is a string of words or a mapping with the
// fields below.
type Target struct {
	Words string `json:"words,omitempty" yaml:"words,omitempty"` // as the user said it; "" for a target made from fields

	Role  string   `json:"role,omitempty" yaml:"role,omitempty"` // ARIA role
	Name  string   `json:"name,omitempty" yaml:"name,omitempty"` // accessible name, label, placeholder, title, alt or text
	Exact bool     `json:"exact,omitempty" yaml:"exact,omitempty"`
	In    *Target  `json:"in,omitempty" yaml:"in,omitempty"`     // container: dialog, row, section, form …
	Near  *Target  `json:"near,omitempty" yaml:"near,omitempty"` // anchor
	Side  string   `json:"side,omitempty" yaml:"side,omitempty"` // of the anchor: near, right, left, above, below
	Nth   int      `json:"nth,omitempty" yaml:"nth,omitempty"`   // 1 is the first, -1 the last, 0 says nothing
	State *StateIs `json:"state,omitempty" yaml:"state,omitempty"`
	Date  string   `json:"date,omitempty" yaml:"date,omitempty"` // a day cell: ISO date

	Text   string `json:"text,omitempty" yaml:"text,omitempty"`     // visible text
	Label  string `json:"label,omitempty" yaml:"label,omitempty"`   // form label
	Testid string `json:"testid,omitempty" yaml:"testid,omitempty"` // data-testid
	CSS    string `json:"css,omitempty" yaml:"css,omitempty"`       // CSS selector
	Ref    int    `json:"ref,omitempty" yaml:"ref,omitempty"`       // number in the last observation
}

// StateIs asks for a state; nil fields say nothing.
type StateIs struct {
	Checked  *bool `json:"checked,omitempty" yaml:"checked,omitempty"`
	Disabled *bool `json:"disabled,omitempty" yaml:"disabled,omitempty"`
	Selected *bool `json:"selected,omitempty" yaml:"selected,omitempty"`
	Expanded *bool `json:"expanded,omitempty" yaml:"expanded,omitempty"`
	Empty    *bool `json:"empty,omitempty" yaml:"empty,omitempty"`
}
