package agent

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"harness/locate"
)

func missing(field, hint string) error {
	return &ArgError{Field: field, Problem: fmt.Sprintf("missing %q", field), Hint: hint}
}

func needTarget(field string, t *locate.Target) error {
	if t == nil || *t == (locate.Target{}) {
		return missing(field, "words or fields of a target")
	}
	return nil
}

func needText(field, value string) error {
	if strings.TrimSpace(value) == "" {
		return missing(field, "")
	}
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *BackArgs) check() error        { return nil }
func (a *TargetArgs) check() error      { return needTarget("target", &a.Target) }
func (a *TypeArgs) check() error        { return needTarget("into", &a.Into) }
func (a *PressArgs) check() error       { return needText("keys", a.Keys) }
func (a *GoArgs) check() error          { return needText("url", a.URL) }
func (a *TabArgs) check() error         { return needText("switch", a.Switch) }
func (a *VisionClickArgs) check() error { return needText("words", a.Words) }
func (a *VisionTypeArgs) check() error  { return needText("into", a.Into) }
func (a *ScriptArgs) check() error      { return needText("js", a.JS) }

func (a *DragArgs) check() error {
	return firstOf(needTarget("from", &a.From), needTarget("to", &a.To))
}

func (a *UploadArgs) check() error {
	if len(a.Files) == 0 {
		return missing("files", "")
	}
	return needTarget("into", &a.Into)
}

func (a *SelectArgs) check() error {
	if a.Option != "" && len(a.Options) > 0 {
		return &ArgError{Field: "options", Problem: "option and options together", Hint: "give one of them"}
	}
	if len(a.Wanted()) == 0 {
		return missing("option", "the text of the option")
	}
	return needTarget("in", &a.In)
}

func (a *ScrollArgs) check() error {
	switch {
	case a.To == nil && a.By == nil:
		return missing("to", "to: target, or by: CSS px")
	case a.To != nil && a.By != nil:
		return &ArgError{Field: "by", Problem: "to and by together", Hint: "give one of them"}
	}
	return nil
}

func (a *WaitArgs) check() error {
	if a.For != nil && a.Time != "" {
		return &ArgError{Field: "time", Problem: "time and for together", Hint: "give one of them"}
	}
	if a.For != nil {
		return needTarget("for", a.For)
	}
	if a.Time == "" {
		return missing("time", "a time such as 300ms, or for: target")
	}
	if d, err := time.ParseDuration(a.Time); err != nil || d < 0 {
		return &ArgError{Field: "time", Problem: fmt.Sprintf("%q is no time to wait", a.Time), Hint: "such as 300ms or 2s; an element is for: target"}
	}
	return nil
}

func (a *DialogArgs) check() error {
	given := 0
	for _, is := range []bool{a.Answer != "", a.Accept, a.Dismiss, a.Text != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return missing("answer", "accept, dismiss, or text: what to enter")
	case a.Dismiss && given > 1 || a.Answer == "dismiss" && a.Text != nil:
		return &ArgError{Field: "dismiss", Problem: "a dialog that is dismissed takes nothing else"}
	case a.Answer != "" && a.Answer != "accept" && a.Answer != "dismiss":
		return &ArgError{Field: "answer", Problem: fmt.Sprintf("unknown answer %q", a.Answer), Hint: hintOr(a.Answer, []string{"accept", "dismiss"}, "accept or dismiss")}
	}
	return nil
}

var clockTime = regexp.MustCompile(`^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$`)

func (a *PickArgs) check() error {
	if a.Date != "" && (a.From != "" || a.To != "") {
		return &ArgError{Field: "date", Problem: "date and a range together", Hint: "date, or from and to"}
	}
	if a.Date == "" && a.From == "" && a.To == "" {
		return missing("date", "date: 2026-01-30, or from and to")
	}
	if a.Date == "" && a.From == "" {
		return missing("from", "a range has both ends")
	}
	if a.Date == "" && a.To == "" {
		return missing("to", "a range has both ends")
	}
	if a.Time != "" && !clockTime.MatchString(a.Time) {
		return &ArgError{Field: "time", Problem: fmt.Sprintf("%q is no time of day", a.Time), Hint: "such as 15:04"}
	}
	if a.In != nil && *a.In == (locate.Target{}) {
		return missing("in", "the field's words, or leave it out")
	}
	if err := firstOf(checkDate("date", a.Date), checkDate("from", a.From), checkDate("to", a.To)); err != nil {
		return err
	}
	return a.checkOrder()
}

// checkOrder refuses a range that ends before it begins, where both ends are
// full dates.
func (a *PickArgs) checkOrder() error {
	from, err1 := time.Parse(time.DateOnly, a.From)
	to, err2 := time.Parse(time.DateOnly, a.To)
	if err1 == nil && err2 == nil && to.Before(from) {
		return &ArgError{Field: "to", Problem: fmt.Sprintf("the range ends on %s, before it begins on %s", a.To, a.From)}
	}
	return nil
}
