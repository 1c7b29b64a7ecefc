package agent

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"harness/locate"
)

// rule reads one form of a clause. The groups of its expression go to make;
// a nil step means that the form does not fit after all.
type rule struct {
	re   *regexp.Regexp
	make func(m []string) (*plainStep, error)
}

func form(expr string) *regexp.Regexp { return regexp.MustCompile(`(?is)^\s*(?:` + expr + `)\s*$`) }

// address is what is opened rather than clicked.
const address = `(?:https?://\S+|about:blank|/\S*|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/:?]\S*)?)`

// clauseRules are tried in their order; the first that gives a step wins.
var clauseRules = slices.Concat(pageRules(), fieldRules(), elementRules())

// pageRules are about the page as a whole.
func pageRules() []rule {
	return []rule{
		{form(`(?:open|go to|goto|visit|navigate to|load|打开|访问|前往|进入)\s*(?:网址|页面|the page|the site)?\s*(` + address + `)`), url1},
		{form(`(?:go )?back|go back one page|返回(?:上一页)?|后退`), fixed("back", &BackArgs{})},
		{form(`wait (?:for )?(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|minutes?)|等待?\s*(\d+(?:\.\d+)?)\s*(毫秒|秒钟?|分钟)`), waitTime},
		{form(`(?:wait (?:for|until)|等待|等到|等)\s*(.+?)(?:\s+(?:appears?|is (?:visible|shown|there))|出现|显示)?`), waitTarget},
		{form(`(?:accept|confirm|ok)\s+the\s+(?:dialog|alert|prompt)|(?:接受|确认)(?:对话框|弹窗)`), fixed("dialog", &DialogArgs{Answer: "accept"})},
		{form(`(?:dismiss|cancel)\s+the\s+(?:dialog|alert|prompt)|(?:取消|关闭)(?:对话框|弹窗)`), fixed("dialog", &DialogArgs{Answer: "dismiss"})},
		{form(`scroll\s+(down|up)(?:\s+(?:by\s+)?(\d+)\s*(?:px|pixels)?)?|向(下|上)滚动(?:\s*(\d+)\s*(?:像素|px)?)?`), scrollBy},
		{form(`(?:scroll\s+(?:down\s+|up\s+)?(?:to|until you see)|滚动到)\s*(.+)`), scrollTo},
		{form(`(?:press|hit|按下?)\s*(?:the\s+)?(` + keyNames + `)(?:\s*(?:key|键))?(?:\s+(?:on|in)\s+(.+))?`), pressKey},
		{form(`(?:read|tell me|report|give me|extract|读取|读出|读|告诉我|给我)(?:\s+out)?\s*(.+)`), readWhat},
	}
}

const keyNames = `(?:(?:control|ctrl|shift|alt|meta|cmd)\s*\+\s*)*(?:enter|return|escape|esc|tab|space|backspace|delete|home|end|page\s?up|page\s?down|arrow\s?(?:up|down|left|right)|f\d{1,2}|回车|空格)|(?:(?:control|ctrl|shift|alt|meta|cmd)\s*\+\s*)+\w`

// fieldRules put something into a field.
func fieldRules() []rule {
	return []rule{
		{form(`(?:pick|choose|select|set|选择|选中|选)\s*(.+?)\s*(?:\b(?:in|into|as|for|on)\b|作为|为)\s*(.+)`), pickIn(1, 2)},
		{form(`(?:set|change)\s+(.+?)\s+to\s+(.+)`), setTo},
		{form(`(?:pick|choose|select|选择|选中|选)\s*(?:the\s+)?(?:date|dates|日期)?\s*(.+)`), pickAnywhere},
		{form(`(?:type|enter|input|write|put|输入|填写|填入|填)\s*(.+?)\s*(?:\b(?:into|in|to)\b(?:\s+the\b)?|到|进|至)\s*(.+?)(\s+and\s+(?:submit|press\s+enter)|并(?:提交|回车))?`), typeInto(1, 2, 3)},
		{form(`fill\s+(?:in\s+|out\s+)?(.+?)\s+with\s+(.+?)(\s+and\s+(?:submit|press\s+enter))?`), typeInto(2, 1, 3)},
		{form(`(?:在|往|给|于)\s*(.+?)\s*(?:字段|栏)?(?:中|里面?|内|上)?\s*(?:输入|填写|填入|填上|填|键入)\s*(.+?)(并(?:提交|回车))?`), typeInto(2, 1, 3)},
		{form(`(?:把|将)\s*(.+?)\s*(?:设置?为|设成|改为|改成|填为|填成|选为|选成|调到)\s*(.+)`), setTo},
		{form(`(?:在|从)\s*(.+?)\s*(?:中|里面?|内|上)?\s*(?:选择|选取|选中|选)\s*(.+)`), pickOrSelect},
		{form(`(?:select|choose)\s+(.+?)\s+(?:in|from)\s+(?:the\s+)?(.+)`), selectIn},
		{form(`(\S+?)\s*(?:输入|填写|填入|填)\s*(.+)`), typeInto(2, 1, 0)},
		{form(`(\S+?)\s*(?:选择|选)\s*(.+)`), pickNamed},
	}
}

// elementRules act on one element.
func elementRules() []rule {
	return []rule{
		{form(`(?:double[- ]?click|双击)\s*(?:on\s+)?(.+)`), onTarget1("dblclick")},
		{form(`(?:untick|uncheck|deselect|取消勾选|取消选中|不勾选)\s*(.+)`), onTarget1("uncheck")},
		{form(`(?:tick|check|勾选|勾上)\s*(.+)`), onTarget1("check")},
		{form(`(?:hover(?:\s+over)?|move the mouse (?:to|over)|悬停在?|鼠标移到)\s*(.+)`), onTarget1("hover")},
		{form(`(?:click|tap|press|hit|open|choose|select|pick|switch to|点击|单击|点一下|点选|点|按下?|选择|选中|选|打开|切换到)\s*(?:on\s+)?(.+)`), onTarget1("click")},
	}
}

// verbStart tells whether a clause begins like one of the rules.
var verbStart = regexp.MustCompile(`(?i)^(?:(?:open|go|goto|visit|navigate|load|back|wait|accept|confirm|dismiss|cancel|scroll|press|hit|read|tell|report|give|extract|pick|choose|select|set|change|type|enter|input|write|put|fill|double|untick|uncheck|deselect|tick|check|hover|move|click|tap|switch)\b|打开|访问|前往|进入|返回|后退|等|接受|确认|取消|关闭|向[上下]滚动|滚动|按|读|告诉|给|选|输入|填|在|往|把|将|双击|不?勾|悬停|鼠标|点|单击|切换|从)`)

func startsWithVerb(s string) bool { return verbStart.MatchString(s) }

var errNoRule = errors.New("say click, type … into …, pick … in …, select … in …, check, scroll, wait, go to, press or read")

// readClause makes a step of a clause; the error is a hint how to say it.
func readClause(part string) (*plainStep, error) {
	for _, r := range clauseRules {
		m := r.re.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		step, err := r.make(m)
		if err != nil {
			return nil, err
		}
		if step == nil {
			continue
		}
		step.part = part
		if step.action != nil {
			return step, step.action.Validate()
		}
		return step, nil
	}
	word, _, _ := strings.Cut(part, " ")
	if n := Nearest(word, plainVerbs); n != "" && n != strings.ToLower(word) {
		return nil, fmt.Errorf("did you mean %q?", n)
	}
	return nil, errNoRule
}

var plainVerbs = []string{"check", "choose", "click", "hover", "open", "pick", "press", "read", "scroll", "select", "type", "uncheck", "wait"}

func act(verb string, args any) *plainStep {
	return &plainStep{action: &Action{Verb: verb, Args: args}}
}

func fixed(verb string, args any) func([]string) (*plainStep, error) {
	return func([]string) (*plainStep, error) { return act(verb, args), nil }
}

var article = regexp.MustCompile(`(?i)^(?:the|a|an)\s+`)

// target makes a target of the words of a clause. Words in quotes stay quoted:
// a quoted name is meant exactly.
func target(words string) locate.Target {
	words = strings.TrimSpace(words)
	if inner, ok := unquote(words); ok {
		return locate.Target{Words: quoted(inner)}
	}
	return locate.Target{Words: article.ReplaceAllString(words, "")}
}

func text(words string) string {
	s, _ := unquote(words)
	return s
}

func onTarget1(verb string) func([]string) (*plainStep, error) {
	return func(m []string) (*plainStep, error) {
		return act(verb, &TargetArgs{Target: target(m[1])}), nil
	}
}

func url1(m []string) (*plainStep, error) {
	u := m[1]
	if !strings.Contains(u, "://") && !strings.HasPrefix(u, "/") && !strings.HasPrefix(u, "about:") {
		u = "https://" + u
	}
	return act("go", &GoArgs{URL: u}), nil
}
