package vision

import (
	"fmt"
	"regexp"
	"strings"
)

// Reading is what an answer says, before its numbers mean anything.
type Reading struct {
	// Verb is the act that the answer names, in one word for all grammars:
	// click, dblclick, rightclick, hover, drag, type, press, scroll, wait, back,
	// go, done, fail, ask; another word as the model wrote it; "" for none.
	Verb   string
	Places []Place // where; a drag has two
	Text   string  // typed text, the answer of done, the reason of fail
	Keys   string  // of press
	To     string  // direction of scroll: up, down, left, right
	Amount string  // of scroll, as written
	Score  int     // 0-100 where the answer says how sure it is
	Mark   int     // number of a mark on the screenshot, 0 for none
	Absent bool    // the answer says that there is no such thing
	Enter  bool    // type ends with Enter
	Clear  bool    // type replaces what the field holds
}

// Place is a point or a box as the model wrote it.
type Place struct {
	Nums  []float64 // x y, or left top right bottom; a family's own order unless Named
	Named bool      // x and y stood under their names
}

func (pl Place) String() string {
	what := "point"
	if len(pl.Nums) == 4 {
		what = "box"
	}
	return what + " " + numbers(pl.Nums)
}

func numbers(ns []float64) string {
	s := make([]string, len(ns))
	for i, n := range ns {
		s[i] = fmt.Sprintf("%.6g", n)
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// maxRaw bounds what of an answer is read, in bytes.
const maxRaw = 64 << 10

// Read reads an answer: the acts that it names, in order, at least one. What
// cannot be read is a *ReplyError.
func (p Profile) Read(raw string) ([]Reading, error) {
	if len(raw) > maxRaw {
		return nil, &ReplyError{Raw: raw, Reason: fmt.Sprintf("longer than %d bytes", maxRaw)}
	}
	rs, err := p.read(raw)
	if err != nil {
		return nil, &ReplyError{Raw: raw, Reason: err.Error()}
	}
	return rs, nil
}

// ReadPlace reads an answer to "where is it": one place, or ErrAbsent.
func (p Profile) ReadPlace(raw string) (Reading, error) {
	rs, err := p.Read(raw)
	if err != nil {
		return Reading{}, err
	}
	r := rs[0]
	switch {
	case r.Absent || len(r.Places) == 0 && (r.Verb == "fail" || r.Verb == "done" && saysAbsent(r.Text)):
		return r, fmt.Errorf("%w: the model says: %s", ErrAbsent, oneLine(raw))
	case r.Mark > 0:
		return r, nil
	case len(r.Places) == 0 && r.Verb != "":
		return r, &ReplyError{Raw: raw, Reason: fmt.Sprintf("an act without a place: %s", r.Verb)}
	case len(r.Places) == 0:
		return r, &ReplyError{Raw: raw, Reason: "no coordinates"}
	case len(r.Places) > 1 && r.Verb != "drag":
		return r, &ReplyError{Raw: raw, Reason: fmt.Sprintf("%d places in place of one", len(r.Places))}
	}
	return r, nil
}

// oneLine is the answer for an error message.
func oneLine(s string) string { return clip(strings.Join(strings.Fields(s), " "), 120) }

var (
	thoughts   = regexp.MustCompile(`(?is)<(think|thinking|thought|reasoning)>.*?</(think|thinking|thought|reasoning)>`)
	thoughtEnd = regexp.MustCompile(`(?is)^.*</(think|thinking|thought|reasoning)>`)
	thoughtCut = regexp.MustCompile(`(?is)<(think|thinking|thought|reasoning)>.*$`)
	answerTag  = regexp.MustCompile(`(?is)<answer>(.*?)(</answer>|$)`)
	ends       = regexp.MustCompile(`<\|im_end\|>|<\|endoftext\|>|<\|eot_id\|>|<\|end\|>|\[EOS\]|</s>|<eos>|<｜end▁of▁sentence｜>`)
	fence      = regexp.MustCompile("(?s)```([a-zA-Z0-9_+-]*[ \t]*\r?\n)?(.*?)(```|$)")
	bareFence  = regexp.MustCompile("```[a-zA-Z0-9_+-]*")
)

// answerText is the answer without reasoning, end marks and wrapping.
func answerText(raw string) string {
	s := ends.ReplaceAllString(raw, "")
	s = thoughts.ReplaceAllString(s, "")
	s = thoughtEnd.ReplaceAllString(s, "")
	s = thoughtCut.ReplaceAllString(s, "")
	if m := answerTag.FindStringSubmatch(s); m != nil && strings.TrimSpace(m[1]) != "" {
		s = m[1]
	}
	return strings.TrimSpace(s)
}

// form reads one way of writing. It gives nil, nil where the text is not
// written so.
type form func(p Profile, s string) ([]Reading, error)

// forms in the order of how little else a text can mean.
var forms = []form{readToolCalls, readCalls, readTags, readJSON, readBare}

func (p Profile) read(raw string) ([]Reading, error) {
	s := answerText(raw)
	if strings.TrimSpace(bareFence.ReplaceAllString(s, "")) == "" {
		return nil, fmt.Errorf("empty answer")
	}
	texts := []string{s}
	if inside := fenced(s); inside != "" {
		texts = []string{inside, s}
	}
	var first error
	for _, text := range texts {
		rs, err := p.readText(text)
		if err == nil && len(rs) > 0 {
			return rs, nil
		}
		if first == nil {
			first = err
		}
	}
	switch {
	case first != nil:
		return nil, first
	case saysAbsent(s):
		return []Reading{{Absent: true}}, nil
	}
	return nil, fmt.Errorf("no coordinates")
}

// fenced is what stands in the code fences of the text.
func fenced(s string) string {
	var b strings.Builder
	for _, m := range fence.FindAllStringSubmatch(s, -1) {
		b.WriteString(m[2] + "\n")
	}
	return strings.TrimSpace(b.String())
}

// readText tries the forms on a text; JSON goes first where it begins like it.
func (p Profile) readText(s string) ([]Reading, error) {
	if s[0] == '{' || s[0] == '[' {
		if rs, err := readJSON(p, s); err != nil || len(rs) > 0 {
			return rs, err
		}
	}
	for _, f := range forms {
		rs, err := f(p, s)
		if err != nil || len(rs) > 0 {
			return rs, err
		}
	}
	return nil, nil
}

// absences are the words of answers that say no.
var absences = regexp.MustCompile(`(?i)\b(not|isn't|is not|no longer) (be )?(found|visible|present|shown|seen|displayed|on the (screen|screenshot|page|image))\b|` +
	`\b(can ?not|can't|could not|couldn't|unable to|do not|don't) (find|locate|see|identify)\b|\bno such\b|\bdoes(n't| not) (exist|appear|contain|show)\b|` +
	`^\W*(none|null|n/a|absent|nothing)\W*$|\bthere (is|are) (no|none)\b|找不到|未找到|没有找到|没找到|不存在|无法找到|无法定位|看不到|未发现|没有看到`)

func saysAbsent(s string) bool { return absences.MatchString(s) }

// verbs are the acts by the words of all grammars, in lower case.
var verbs = map[string]string{
	"click": "click", "left_click": "click", "leftclick": "click", "left_single": "click", "tap": "click", "click_at": "click", "single_click": "click",
	"left_double": "dblclick", "double_click": "dblclick", "doubleclick": "dblclick", "double tap": "dblclick", "double_tap": "dblclick", "dblclick": "dblclick",
	"right_single": "rightclick", "right_click": "rightclick", "rightclick": "rightclick",
	"middle_click": "middleclick", "triple_click": "tripleclick", "long_press": "longpress", "long press": "longpress", "longpress": "longpress",
	"hover": "hover", "mouse_move": "hover", "hover_at": "hover", "move": "hover", "moveto": "hover",
	"drag": "drag", "left_click_drag": "drag", "swipe": "drag", "drag_and_drop": "drag", "dragto": "drag",
	"type": "type", "type_text_at": "type", "input": "type", "type_name": "type", "input_text": "type", "write": "type",
	"press": "press", "key": "press", "hotkey": "press", "keypress": "press", "key_press": "press", "key_combination": "press", "press_hotkey": "press",
	"scroll": "scroll", "hscroll": "scroll", "scroll_document": "scroll", "scroll_at": "scroll",
	"wait": "wait", "wait_5_seconds": "wait", "sleep": "wait",
	"back": "back", "go_back": "back", "press_back": "back", "navigate_back": "back",
	"navigate": "go", "goto": "go", "open_url": "go", "visit_url": "go", "launch": "go", "open": "go", "open_app": "go",
	"finished": "done", "finish": "done", "done": "done", "terminate": "done", "answer": "done", "complete": "done",
	"fail": "fail", "faile": "fail", "failed": "fail", "impossible": "fail", "error_env": "fail",
	"call_user": "ask", "interact": "ask", "take_over": "ask", "note": "note", "screenshot": "screenshot",
}

// verb is the common word for an act, or the model's own.
func verb(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if v, ok := verbs[s]; ok {
		return v
	}
	return s
}
