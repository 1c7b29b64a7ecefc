package agent

import (
	"regexp"
	"strconv"
	"strings"
)

// dateWords are days that are named relative to today or to a feast.
var dateWords = regexp.MustCompile(`(?i)^(?:today|tomorrow|the day after tomorrow|(?:next|this|coming)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day|今天|明天|后天|大后天|(?:这|本|下)?(?:周|星期|礼拜)[一二三四五六日天])$`)

// isDate reports whether words mean one day.
func isDate(words string) bool {
	words = bareDate(words)
	if _, _, _, ok := readDate(words); ok {
		return true
	}
	return dateWords.MatchString(words)
}

// bareDate takes articles and the word "date" off.
func bareDate(words string) string {
	words = article.ReplaceAllString(strings.TrimSpace(text(words)), "")
	return strings.TrimSpace(strings.TrimPrefix(words, "日期"))
}

// rangeForm is from one day to another.
var rangeForm = regexp.MustCompile(`(?i)^(?:from\s+|从)?(.+?)\s*(?:\bto\b|\buntil\b|\bthrough\b|到|至|–|—|~| - )\s*(.+)$`)

// timeForm is a date with a time of day.
var timeForm = regexp.MustCompile(`(?i)^(.+?)[\s,]+(?:at\s+)?(\d{1,2}:\d{2})$`)

// dates reads one day, one day with a time, or a range.
func dates(words string) (*PickArgs, bool) {
	words = bareDate(words)
	if isDate(words) {
		return &PickArgs{Date: words}, true
	}
	if m := timeForm.FindStringSubmatch(words); m != nil && isDate(m[1]) {
		return &PickArgs{Date: bareDate(m[1]), Time: m[2]}, true
	}
	m := rangeForm.FindStringSubmatch(words)
	if m != nil && isDate(m[1]) && isDate(m[2]) {
		return &PickArgs{From: bareDate(m[1]), To: bareDate(m[2])}, true
	}
	return nil, false
}

// pickIn is a pick where the first group is a date; otherwise the form is another's.
func pickIn(date, field int) func([]string) (*plainStep, error) {
	return func(m []string) (*plainStep, error) {
		args, ok := dates(m[date])
		if !ok {
			return nil, nil
		}
		t := target(m[field])
		args.In = &t
		return act("pick", args), nil
	}
}

func pickAnywhere(m []string) (*plainStep, error) {
	args, ok := dates(m[1])
	if !ok {
		return nil, nil
	}
	return act("pick", args), nil
}

// setTo puts a value into a named field: a date is picked, else it is typed.
func setTo(m []string) (*plainStep, error) {
	if step, err := pickIn(2, 1)(m); step != nil || err != nil {
		return step, err
	}
	return act("type", &TypeArgs{Into: target(m[1]), Text: text(m[2])}), nil
}

func pickOrSelect(m []string) (*plainStep, error) {
	if step, err := pickIn(2, 1)(m); step != nil || err != nil {
		return step, err
	}
	return act("select", &SelectArgs{In: target(m[1]), Option: text(m[2])}), nil
}

// pickNamed is "<field>选<date>": without a date it is no form at all.
func pickNamed(m []string) (*plainStep, error) { return pickIn(2, 1)(m) }

func selectIn(m []string) (*plainStep, error) {
	return act("select", &SelectArgs{In: target(m[2]), Option: text(m[1])}), nil
}

func typeInto(what, field, submit int) func([]string) (*plainStep, error) {
	return func(m []string) (*plainStep, error) {
		if startsWithVerb(m[field]) && field == 1 && what == 2 && submit == 0 {
			return nil, nil
		}
		args := &TypeArgs{Into: target(m[field]), Text: text(m[what])}
		args.Submit = submit > 0 && m[submit] != ""
		return act("type", args), nil
	}
}

func waitTime(m []string) (*plainStep, error) {
	amount, unit := m[1]+m[3], strings.ToLower(m[2]+m[4])
	switch {
	case strings.HasPrefix(unit, "ms"), strings.HasPrefix(unit, "milli"), unit == "毫秒":
		unit = "ms"
	case strings.HasPrefix(unit, "m"), unit == "分钟":
		unit = "m"
	default:
		unit = "s"
	}
	return act("wait", &WaitArgs{Time: amount + unit}), nil
}

func waitTarget(m []string) (*plainStep, error) {
	t := target(m[1])
	return act("wait", &WaitArgs{For: &t}), nil
}

// screenful is how far "scroll down" goes, in CSS px.
const screenful = 600

func scrollBy(m []string) (*plainStep, error) {
	by := float64(screenful)
	if n := m[2] + m[4]; n != "" {
		by, _ = strconv.ParseFloat(n, 64) // the form passes digits
	}
	if strings.EqualFold(m[1], "up") || m[3] == "上" {
		by = -by
	}
	return act("scroll", &ScrollArgs{By: &Offset{Y: by}}), nil
}

func scrollTo(m []string) (*plainStep, error) {
	t := target(m[1])
	return act("scroll", &ScrollArgs{To: &t}), nil
}

// keyForms are the names of keys as the browser has them.
var keyForms = map[string]string{
	"enter": "Enter", "return": "Enter", "回车": "Enter", "escape": "Escape", "esc": "Escape", "tab": "Tab", "space": "Space", "空格": "Space",
	"backspace": "Backspace", "delete": "Delete", "home": "Home", "end": "End", "pageup": "PageUp", "pagedown": "PageDown",
	"arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight",
	"control": "Control", "ctrl": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta", "cmd": "Meta",
}

func pressKey(m []string) (*plainStep, error) {
	var keys []string
	for _, k := range strings.Split(m[1], "+") {
		k = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(k), " ", ""))
		if name, ok := keyForms[k]; ok {
			k = name
		} else if len(k) > 1 {
			k = strings.ToUpper(k)
		}
		keys = append(keys, k)
	}
	args := &PressArgs{Keys: strings.Join(keys, "+")}
	if m[2] != "" {
		t := target(m[2])
		args.On = &t
	}
	return act("press", args), nil
}

func readWhat(m []string) (*plainStep, error) {
	return &plainStep{read: newReading(m[1])}, nil
}
