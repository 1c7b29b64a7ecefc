package locate

import (
	"strings"

	"harness/classify"
	"harness/dom"
)

// noun is a word for a sort of element. The roles say how well an element of
// that role fits the word (0-1); kinds do the same for what the classifier says
// of elements without a telling role. What is in neither is no such thing.
type noun struct {
	key   string
	words []string // English and Chinese, folded, longest first at look-up
	roles map[string]float64
	kinds map[classify.Kind]float64
	types []string // input types that fit best; with them other inputs do not fit at all
	area  bool     // it names a container
}

const (
	clickable = "*clickable" // no role, but reacts to a press
	anything  = "*"
)

var nouns = []noun{
	{key: "button", words: []string{"button", "btn", "push button", "按钮", "按键", "键"},
		roles: map[string]float64{"button": 1, "switch": .8, "menuitem": .8, "tab": .75, "link": .8, "option": .6, "img": .75, "checkbox": .5, "radio": .5, "gridcell": .6, clickable: .9}},
	{key: "link", words: []string{"link", "hyperlink", "链接", "超链接"},
		roles: map[string]float64{"link": 1, "button": .7, "menuitem": .8, "tab": .7, "treeitem": .6, clickable: .85}},
	{key: "search box", words: []string{"search box", "search field", "search bar", "search input", "搜索框", "搜索栏"},
		roles: map[string]float64{"searchbox": 1, "textbox": .8, "combobox": .8}},
	{key: "password field", words: []string{"password field", "password box", "password input", "密码框"}, types: []string{"password"}, roles: fieldRoles},
	{key: "date field", words: []string{"date field", "date input", "date box", "date picker", "datepicker", "日期框", "日期输入框", "日期选择器"},
		types: []string{"date", "datetime-local", "month", "week"}, roles: fieldRoles, kinds: map[classify.Kind]float64{classify.Date: 1}},
	{key: "time field", words: []string{"time field", "time input", "time picker", "时间框", "时间选择器"}, types: []string{"time", "datetime-local"}, roles: fieldRoles},
	{key: "email field", words: []string{"email field", "e-mail field", "email box", "email input"}, types: []string{"email"}, roles: fieldRoles},
	{key: "number field", words: []string{"number field", "number input", "number box", "spinner", "spinbutton", "数字框"}, types: []string{"number"}, roles: fieldRoles},
	{key: "file field", words: []string{"file field", "file input", "file chooser", "upload field"}, types: []string{"file"}, roles: map[string]float64{"button": 1}},
	{key: "field", words: []string{"field", "textbox", "text box", "text field", "text input", "input field", "input box", "input", "entry field", "box", "输入框", "文本框", "字段", "框", "栏"},
		roles: fieldRoles, kinds: map[classify.Kind]float64{classify.Date: .95, classify.Input: 1, classify.Select: .85}},
	{key: "textarea", words: []string{"text area", "textarea", "multiline field", "comment box", "文本域", "多行文本框"},
		roles: map[string]float64{"textbox": 1}},
	{key: "checkbox", words: []string{"checkbox", "check box", "tick box", "tickbox", "复选框", "勾选框", "多选框"},
		roles: map[string]float64{"checkbox": 1, "switch": .85, "menuitemcheckbox": .9, clickable: .6}, kinds: map[classify.Kind]float64{classify.Checkbox: .95}},
	{key: "radio", words: []string{"radio button", "radio", "radio option", "单选按钮", "单选框", "单选"},
		roles: map[string]float64{"radio": 1, "menuitemradio": .9, clickable: .6}, kinds: map[classify.Kind]float64{classify.Radio: .95}},
	{key: "switch", words: []string{"switch", "toggle", "toggle switch", "toggle button", "开关"},
		roles: map[string]float64{"switch": 1, "checkbox": .9, "button": .8, clickable: .7}},
	{key: "tab", words: []string{"tab", "标签页", "选项卡", "页签", "标签"},
		roles: map[string]float64{"tab": 1, "link": .8, "button": .75, "radio": .7, clickable: .8}, kinds: map[classify.Kind]float64{classify.Tab: .95}},
	{key: "select", words: []string{"drop-down list", "dropdown list", "drop down list", "dropdown menu", "drop-down", "dropdown", "drop down", "select box", "select list", "selector", "select", "combobox", "combo box", "listbox", "list box", "picker", "下拉框", "下拉菜单", "下拉列表", "选择框", "选择器"},
		roles: map[string]float64{"combobox": 1, "listbox": 1, "button": .75, "textbox": .7, clickable: .75}, kinds: map[classify.Kind]float64{classify.Select: 1}},
	{key: "option", words: []string{"option", "suggestion", "choice", "list item", "item", "entry", "result", "search result", "选项", "建议", "候选项", "条目", "项"},
		roles: map[string]float64{"option": 1, "menuitem": .9, "menuitemradio": .9, "menuitemcheckbox": .9, "listitem": .9, "treeitem": .85, "radio": .75, "checkbox": .6, "link": .8, "button": .7, "gridcell": .75, "cell": .6, "row": .6, "tab": .6, clickable: .85}, kinds: map[classify.Kind]float64{classify.Option: .95}},
	{key: "menuitem", words: []string{"menu item", "menuitem", "menu entry", "菜单项"},
		roles: map[string]float64{"menuitem": 1, "menuitemradio": 1, "menuitemcheckbox": 1, "option": .8, "link": .85, "button": .8, "listitem": .8, "treeitem": .7, clickable: .85}, kinds: map[classify.Kind]float64{classify.Menu: .9}},
	{key: "menu", words: []string{"menu", "menu button", "菜单"}, area: true,
		roles: map[string]float64{"menu": .9, "menubar": .9, "navigation": .8, "button": .9, "link": .7, "menuitem": .85, "list": .6, clickable: .8}},
	{key: "slider", words: []string{"slider", "slider handle", "range slider", "滑块", "滑动条"},
		roles: map[string]float64{"slider": 1}, kinds: map[classify.Kind]float64{classify.Slider: 1}},
	{key: "heading", words: []string{"heading", "headline", "title", "标题"}, area: true, roles: map[string]float64{"heading": 1, "columnheader": .6}},
	{key: "header", words: []string{"section header", "column header", "header", "表头"}, area: true,
		roles: map[string]float64{"columnheader": 1, "rowheader": .9, "heading": .95, "tab": .9, "button": .9, "banner": .7, clickable: .85, "": .6}},
	{key: "icon", words: []string{"icon", "icon button", "symbol", "图标"},
		roles: map[string]float64{"img": .95, "button": .95, "link": .9, "menuitem": .8, clickable: .95}},
	{key: "arrow", words: []string{"arrow", "arrow button", "chevron", "箭头"},
		roles: map[string]float64{"button": 1, "link": .95, "img": .9, clickable: .95}},
	{key: "image", words: []string{"image", "picture", "photo", "logo", "图片", "图像"}, roles: map[string]float64{"img": 1, "link": .6, "button": .6, clickable: .6}},
	{key: "dialog", words: []string{"dialog box", "dialog", "dialogue", "modal", "popup", "pop-up", "pop up", "popover", "overlay", "弹窗", "对话框", "弹出框", "弹层", "浮层"}, area: true,
		roles: map[string]float64{"dialog": 1, "alertdialog": 1, "tooltip": .5, "listbox": .5, "menu": .5}},
	{key: "row", words: []string{"table row", "row", "line", "行", "一行"}, area: true, roles: map[string]float64{"row": 1, "listitem": .8}},
	{key: "column", words: []string{"column", "列"}, area: true, roles: map[string]float64{"columnheader": 1}},
	{key: "cell", words: []string{"table cell", "cell", "day cell", "单元格", "格子"}, roles: map[string]float64{"cell": 1, "gridcell": 1, "columnheader": .7, "rowheader": .7, "button": .6, clickable: .6}},
	{key: "table", words: []string{"table", "grid", "表格", "表"}, area: true, roles: map[string]float64{"table": 1, "grid": 1, "treegrid": 1}},
	{key: "list", words: []string{"list", "results list", "results", "列表"}, area: true, roles: map[string]float64{"list": 1, "listbox": .9, "feed": .8, "table": .6}},
	{key: "tree", words: []string{"file tree", "tree view", "tree"}, area: true, roles: map[string]float64{"tree": 1, "treegrid": .9, "list": .7}},
	{key: "treeitem", words: []string{"folder", "tree item", "tree node", "node", "文件夹"}, roles: map[string]float64{"treeitem": 1, "listitem": .9, "button": .7, "link": .75, clickable: .9, "": .7}},
	{key: "calendar", words: []string{"calendar", "日历"}, area: true, roles: map[string]float64{"grid": .8}, kinds: map[classify.Kind]float64{classify.Calendar: 1}},
	{key: "section", words: []string{"section", "area", "region", "panel", "part", "block", "card", "box", "pane", "group", "fieldset", "区域", "部分", "板块", "卡片", "栏目"}, area: true,
		roles: map[string]float64{"region": 1, "group": 1, "radiogroup": 1, "article": .9, "tabpanel": .9, "form": .8, "complementary": .8, "listitem": .7, "main": .6}},
	{key: "form", words: []string{"form", "表单"}, area: true, roles: map[string]float64{"form": 1, "group": .8, "region": .7, "search": .8}},
	{key: "banner", words: []string{"banner", "bar", "notice", "notification", "toast", "alert", "message", "横幅", "提示条", "通知"}, area: true,
		roles: map[string]float64{"banner": .8, "alert": 1, "alertdialog": .9, "dialog": .9, "status": .9, "region": .8, "complementary": .7}},
	{key: "navigation", words: []string{"navigation bar", "navigation menu", "navigation", "navbar", "nav", "sidebar", "导航栏", "导航", "侧边栏"}, area: true, roles: map[string]float64{"navigation": 1, "complementary": .7, "menubar": .8}},
	{key: "toolbar", words: []string{"toolbar", "tool bar", "工具栏"}, area: true, roles: map[string]float64{"toolbar": 1, "banner": .6, "navigation": .6}},
	{key: "footer", words: []string{"footer", "页脚", "底部"}, area: true, roles: map[string]float64{"contentinfo": 1}},
	{key: "frame", words: []string{"iframe", "frame", "框架"}, area: true, roles: map[string]float64{}},
	{key: "page", words: []string{"page", "screen", "website", "site", "页面", "网页"}, area: true, roles: map[string]float64{"document": 1}},
	{key: "text", words: []string{"text", "label", "paragraph", "word", "文字", "文本"}, roles: map[string]float64{anything: .9}},
}

var fieldRoles = map[string]float64{"textbox": 1, "searchbox": 1, "combobox": .95, "spinbutton": 1, "slider": .5, "listbox": .8, "button": .45, clickable: .6}

// nounsByKey finds a noun by its key, or nil.
func nounByKey(key string) *noun {
	for i := range nouns {
		if nouns[i].key == key {
			return &nouns[i]
		}
	}
	return nil
}

// ariaNoun is what a role given as a field means: that role and no other.
func ariaNoun(role string) *noun {
	role = strings.ToLower(role)
	if n := nounByKey(role); n != nil && n.roles[role] < 1 {
		return n
	}
	return &noun{key: role, words: []string{role}, roles: map[string]float64{role: 1}}
}

// fit says how well the element fits the noun, 0-1.
func (n *noun) fit(e *dom.Node) float64 {
	if n == nil {
		return 1
	}
	if len(n.types) > 0 && e.Tag == "input" {
		for _, t := range n.types {
			if e.InputType() == t {
				return 1
			}
		}
		if e.InputType() != "text" && e.InputType() != "search" && e.InputType() != "tel" {
			return 0
		}
	}
	best := n.roleFit(e)
	if len(n.kinds) > 0 && best < 1 {
		if k := classify.Classify(e); k.Confidence >= 50 {
			best = max(best, n.kinds[k.Kind])
		}
	}
	if n.key == "textarea" && e.Tag != "textarea" && best > 0 {
		best = min(best, .75)
		if e.Facts.Has(dom.Editable) {
			best = .95
		}
	}
	return best
}

func (n *noun) roleFit(e *dom.Node) float64 {
	if f, ok := n.roles[anything]; ok {
		return f
	}
	role := e.Role()
	if f, ok := n.roles[role]; ok {
		return f
	}
	if f, ok := n.roles[clickable]; ok && reacts(e) {
		if !telling[role] {
			return f
		}
	}
	if e.Facts.Has(dom.Editable) {
		return n.roles["textbox"]
	}
	return 0
}

// telling roles say what an element is; an element without one may be anything.
var telling = setOf(`button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider spinbutton textbox
searchbox combobox listbox treeitem gridcell columnheader rowheader heading`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
