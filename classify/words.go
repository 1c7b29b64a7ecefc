package classify

import "strings"

// The tables of words. They make an answer surer or, where the structure says
// nothing, give it; none names a site, a product or a library.

// monthNames are names of months, long and short, as they stand in headings.
var monthNames = set(strings.Fields(`
	january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec
	januar februar märz mai juni juli oktober dezember jänner mär okt dez
	janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr avr juil déc
	enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene abr ago dic
	gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott
	janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev out
	januari februari maart augustus mrt mei
	styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
	stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
	январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
	января февраля марта апреля мая июня июля августа сентября октября ноября декабря
	січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
	leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
	ocak şubat nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
	tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu
	augusti desember április május június július augusztus szeptember október január február március
	ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie
	ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος
	ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
	يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
	ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
	فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند
	जनवरी फ़रवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर
	มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม
	tháng agustus
`)...)

// dateWords are the words of labels of fields that take a date; matched whole.
var dateWords = set(strings.Fields(`
	date dates datum fecha дата dátum datepicker birthday birthdate dob checkin checkout arrival departing returning
	datetime daterange geburtstag geburtsdatum anreise abreise naissance nacimiento nascita дата_рождения päivämäärä tarih ημερομηνία
	calendar kalender calendrier calendario
`)...)

// datePhrases are looked for anywhere in a label.
var datePhrases = []string{
	"日期", "出发日", "返程日", "入住", "离店", "退房", "生日", "出生", "年月日", "日付", "生年月日", "날짜", "생년월일", "تاريخ", "תאריך",
	"วันที่", "ngày", "check-in", "check in", "check-out", "check out", "date of birth", "depart on", "return on", "ngày sinh", "दिनांक",
}

// timeLabels are whole labels of fields that take a time of day.
var timeLabels = set("time", "时间", "時間", "uhrzeit", "heure", "hora", "ora", "начало", "시간", "start time", "end time", "开始时间", "结束时间", "预约时间", "取车时间", "还车时间")

// actWords are the words that a press button bears where nothing else tells.
var actWords = set(
	"search", "submit", "ok", "okay", "cancel", "apply", "save", "delete", "remove", "add", "close", "next", "previous", "prev", "back",
	"continue", "sign in", "log in", "login", "log out", "sign out", "register", "sign up", "buy", "buy now", "book", "book now", "confirm",
	"send", "done", "reset", "clear", "edit", "more", "show more", "load more", "accept", "accept all", "reject", "decline", "agree",
	"搜索", "查询", "提交", "确定", "确认", "取消", "保存", "删除", "添加", "关闭", "下一步", "上一步", "返回", "继续", "登录", "注册", "退出",
	"购买", "立即购买", "预订", "立即预订", "订票", "发送", "完成", "重置", "清空", "编辑", "更多", "加载更多", "展开", "收起", "同意", "拒绝", "接受",
	"立即抢购", "应用", "选择", "suchen", "abbrechen", "speichern", "rechercher", "annuler", "buscar", "cancelar", "検索", "검색", "확인", "취소", "поиск", "отмена",
)

// pickPhrases are placeholders of fields that open a list.
var pickPhrases = []string{"请选择", "选择", "select", "choose", "pick", "any", "全部", "不限", "auswählen", "wählen", "sélectionner", "seleccionar", "選択", "선택"}

// Words of class attributes: what authors call things in general.
var (
	onWords      = set("active", "on", "current", "cur", "selected", "checked", "sel", "open", "opened", "actived", "act")
	tabWords     = set("tab", "tabs", "tabbar", "tablist", "segment", "segmented")
	checkWords   = set("checkbox", "check", "checked", "tick", "switch", "toggle", "agree")
	switchWords  = set("switch", "toggle", "toggler")
	radioWords   = set("radio", "radios", "radiobutton")
	buttonWords  = set("btn", "button", "buttons", "btns", "submit", "cta", "close")
	selectWords  = set("select", "selector", "dropdown", "combobox", "combo", "picker", "selectbox")
	optionWords  = set("option", "options", "suggest", "suggestion", "suggestions", "autocomplete", "listbox", "dropdown", "results", "typeahead", "candidates")
	menuWords    = set("menu", "menus", "menuitem", "submenu", "contextmenu")
	sliderWords  = set("slider", "range", "rangeslider", "track", "seekbar", "scrubber")
	handleWords  = set("handle", "thumb", "knob", "dot", "grip", "pointer", "button", "btn")
	calIconWords = set("calendar", "cal", "date", "datepicker", "rili", "日历")
	caretWords   = set("caret", "arrow", "chevron", "down", "triangle", "expand")
)

// hasPhrase reports whether the lower-case text holds one of the phrases.
func hasPhrase(s string, list []string) bool {
	for _, p := range list {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// quote shortens a text for a reason.
func quote(s string) string {
	r := []rune(s)
	if len(r) > 30 {
		s = string(r[:30]) + "…"
	}
	return `"` + s + `"`
}
