package agent

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"harness/locate"
)

// BackArgs are those of back: none.
type BackArgs struct{}

// TargetArgs are those of click, dblclick, hover, check and uncheck.
type TargetArgs struct {
	Target locate.Target `json:"target" yaml:"target" jsonschema_description:"the element"`
}

// TypeArgs are those of type.
type TypeArgs struct {
	Into   locate.Target `json:"into" yaml:"into" jsonschema_description:"the field"`
	Text   string        `json:"text" yaml:"text" jsonschema_description:"what to type"`
	Clear  *bool         `json:"clear,omitempty" yaml:"clear,omitempty" jsonschema_description:"false: keep what the field holds and append (default true)"`
	Submit bool          `json:"submit,omitempty" yaml:"submit,omitempty" jsonschema_description:"press Enter afterwards"`
}

// PickArgs are those of pick: date, or from and to.
type PickArgs struct {
	In   *locate.Target `json:"in,omitempty" yaml:"in,omitempty" jsonschema_description:"the date field or calendar; left out where the page has one only"`
	Date string         `json:"date,omitempty" yaml:"date,omitempty" jsonschema_description:"2026-01-30, or words: 30 January, tomorrow"`
	From string         `json:"from,omitempty" yaml:"from,omitempty" jsonschema_description:"first day of a range"`
	To   string         `json:"to,omitempty" yaml:"to,omitempty" jsonschema_description:"last day of a range"`
	Time string         `json:"time,omitempty" yaml:"time,omitempty" jsonschema_description:"time of day, 15:04"`
}

// SelectArgs are those of select: option, or options.
type SelectArgs struct {
	In      locate.Target `json:"in" yaml:"in" jsonschema_description:"the select or list"`
	Option  string        `json:"option,omitempty" yaml:"option,omitempty" jsonschema_description:"text of the option"`
	Options []string      `json:"options,omitempty" yaml:"options,omitempty" jsonschema_description:"texts of several options"`
}

// PressArgs are those of press.
type PressArgs struct {
	Keys string         `json:"keys" yaml:"keys" jsonschema_description:"Enter, Escape, Control+a …"`
	On   *locate.Target `json:"on,omitempty" yaml:"on,omitempty" jsonschema_description:"the element; left out: what has the focus"`
}

// ScrollArgs are those of scroll: to, or by.
type ScrollArgs struct {
	To *locate.Target `json:"to,omitempty" yaml:"to,omitempty" jsonschema_description:"scroll until this is in view"`
	By *Offset        `json:"by,omitempty" yaml:"by,omitempty" jsonschema_description:"CSS px: down, or [right, down]"`
	In *locate.Target `json:"in,omitempty" yaml:"in,omitempty" jsonschema_description:"the box that scrolls; left out: the page"`
}

// Offset is a distance in CSS px, right and down positive. It is written as a
// number (down), a pair [right, down] or a mapping {x, y}.
type Offset struct {
	X float64 `json:"x,omitempty" yaml:"x,omitempty"`
	Y float64 `json:"y,omitempty" yaml:"y,omitempty"`
}

// WaitArgs are those of wait: time, or for.
type WaitArgs struct {
	Time string         `json:"time,omitempty" yaml:"time,omitempty" jsonschema_description:"300ms, 2s"`
	For  *locate.Target `json:"for,omitempty" yaml:"for,omitempty" jsonschema_description:"wait until this is visible"`
}

// GoArgs are those of go.
type GoArgs struct {
	URL string `json:"url" yaml:"url" jsonschema_description:"the address; relative ones are read against the page's"`
}

// UploadArgs are those of upload.
type UploadArgs struct {
	Into  locate.Target `json:"into" yaml:"into" jsonschema_description:"the file field or the button that opens its chooser"`
	Files []string      `json:"files" yaml:"files" jsonschema_description:"paths"`
}

// DragArgs are those of drag.
type DragArgs struct {
	From locate.Target `json:"from" yaml:"from" jsonschema_description:"what to drag"`
	To   locate.Target `json:"to" yaml:"to" jsonschema_description:"where to drop it"`
}

// DialogArgs are those of dialog: the scalar accept or dismiss, or one of the
// keys accept, dismiss and text (which accepts a prompt with the text).
type DialogArgs struct {
	Answer  string  `json:"answer,omitempty" yaml:"answer,omitempty" jsonschema:"enum=accept,enum=dismiss"`
	Accept  bool    `json:"accept,omitempty" yaml:"accept,omitempty" jsonschema:"-"`
	Dismiss bool    `json:"dismiss,omitempty" yaml:"dismiss,omitempty" jsonschema:"-"`
	Text    *string `json:"text,omitempty" yaml:"text,omitempty" jsonschema_description:"accept a prompt with this text"`
}

// TabArgs are those of tab.
type TabArgs struct {
	Switch string `json:"switch" yaml:"switch" jsonschema_description:"number of the tab (1 is the first), or words of its title or address"`
}

// VisionClickArgs are those of vision_click.
type VisionClickArgs struct {
	Words string `json:"words" yaml:"words" jsonschema_description:"what to click, as it looks"`
}

// VisionTypeArgs are those of vision_type.
type VisionTypeArgs struct {
	Into   string `json:"into" yaml:"into" jsonschema_description:"the field, as it looks"`
	Text   string `json:"text" yaml:"text" jsonschema_description:"what to type"`
	Clear  *bool  `json:"clear,omitempty" yaml:"clear,omitempty" jsonschema_description:"false: append (default true)"`
	Submit bool   `json:"submit,omitempty" yaml:"submit,omitempty" jsonschema_description:"press Enter afterwards"`
}

// ScriptArgs are those of script.
type ScriptArgs struct {
	JS string `json:"js" yaml:"js" jsonschema_description:"JavaScript, run in the page's main frame"`
}

// Keep reports whether the text is appended.
func (a *TypeArgs) Keep() bool { return a.Clear != nil && !*a.Clear }

// Keep reports whether the text is appended.
func (a *VisionTypeArgs) Keep() bool { return a.Clear != nil && !*a.Clear }

// Wanted are the options asked for.
func (a *SelectArgs) Wanted() []string {
	if a.Option != "" {
		return []string{a.Option}
	}
	return a.Options
}

// When is what Pick puts in.
func (a *PickArgs) When() locate.When {
	return locate.When{Date: a.Date, From: a.From, To: a.To, Time: a.Time}
}

// Duration is the time to wait, 0 where the step waits for an element.
func (a *WaitArgs) Duration() time.Duration {
	d, _ := time.ParseDuration(a.Time) // check has refused what does not parse
	return d
}

// Accepts reports whether the dialog is accepted, and the text for a prompt.
func (a *DialogArgs) Accepts() (bool, string) {
	text := ""
	if a.Text != nil {
		text = *a.Text
	}
	return !a.Dismiss && a.Answer != "dismiss", text
}

func (a *BackArgs) words() string   { return "" }
func (a *TargetArgs) words() string { return a.Target.String() }
func (a *TypeArgs) words() string   { return quoted(a.Text) + " into " + a.Into.String() }
func (a *SelectArgs) words() string { return strings.Join(a.Wanted(), ", ") + " in " + a.In.String() }
func (a *PressArgs) words() string  { return a.Keys + part(" on ", a.On) }
func (a *GoArgs) words() string     { return a.URL }
func (a *UploadArgs) words() string {
	var names []string
	for _, f := range a.Files {
		names = append(names, filepath.Base(f)) // a path would say where the suite lies on this machine
	}
	return strings.Join(names, ", ") + " into " + a.Into.String()
}
func (a *DragArgs) words() string        { return a.From.String() + " to " + a.To.String() }
func (a *TabArgs) words() string         { return a.Switch }
func (a *VisionClickArgs) words() string { return a.Words }
func (a *VisionTypeArgs) words() string  { return quoted(a.Text) + " into " + a.Into }
func (a *ScriptArgs) words() string      { return clip(strings.Join(strings.Fields(a.JS), " "), 60) }

func (a *PickArgs) words() string {
	s := a.Date
	if a.From != "" {
		s = a.From + " to " + a.To
	}
	if a.Time != "" {
		s = strings.TrimSpace(s + " " + a.Time)
	}
	return s + part(" in ", a.In)
}

func (a *ScrollArgs) words() string {
	if a.To != nil {
		return "to " + a.To.String() + part(" in ", a.In)
	}
	if a.By == nil {
		return ""
	}
	return fmt.Sprintf("by %g,%g", a.By.X, a.By.Y) + part(" in ", a.In)
}

func (a *WaitArgs) words() string {
	if a.For != nil {
		return "for " + a.For.String()
	}
	return a.Time
}

func (a *DialogArgs) words() string {
	ok, text := a.Accepts()
	switch {
	case text != "":
		return "accept with " + quoted(text)
	case ok:
		return "accept"
	}
	return "dismiss"
}

func part(lead string, t *locate.Target) string {
	if t == nil {
		return ""
	}
	return lead + t.String()
}

func quoted(s string) string { return `"` + s + `"` }

// clip shortens text to n characters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
