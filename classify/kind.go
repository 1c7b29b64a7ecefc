// Package classify sorts elements into 14 kinds.
//
// The main entry is Classify: a dom.Node in, a Result (kind, confidence 0-100,
// reasons) out. It is pure: it reads only the facts of the snapshot, so that a
// live page and its saved HTML get the same answer. It keys on what an element
// is and how it is built, never on a site or a widget library.
package classify

// Kind is what an element is for.
type Kind string

// The 14 kinds.
const (
	Calendar Kind = "CALENDAR" // shows days to choose from
	Date     Kind = "DATE"     // a field that takes a date or time, or a day cell of a calendar
	Input    Kind = "INPUT"
	TextArea Kind = "TEXTAREA"
	Button   Kind = "BUTTON"
	Link     Kind = "LINK"
	Select   Kind = "SELECT"
	Option   Kind = "OPTION"
	Checkbox Kind = "CHECKBOX"
	Radio    Kind = "RADIO"
	Tab      Kind = "TAB"
	Menu     Kind = "MENU" // a menu or one of its items
	Slider   Kind = "SLIDER"
	Other    Kind = "OTHER"
)

// Result is a kind with how sure it is and why.
type Result struct {
	Kind       Kind     `json:"kind"`
	Confidence int      `json:"confidence"` // 0-100
	Reasons    []string `json:"reasons"`
}
