package locate

import (
	"strings"

	"harness/dom"
)

// Words of controls. They are looked for in names, titles and texts.
var (
	nextWords = []string{"next", "forward", "following", "later", "下一", "下个", "下個", "下月", "下年", "后一", "後一", "次の", "次月", "翌月", "来月", "翌年",
		"nächst", "weiter", "suivant", "siguiente", "próxim", "proxim", "successiv", "prossim", "seguinte", "volgend", "następn", "следующ", "вперед", "вперёд",
		"التالي", "القادم", "הבא", "sonraki", "ileri", "다음", "nästa", "næste", "neste", "seuraava", "következő", "další", "следващ", "наступн", "επόμεν", "tiếp", "sau", "berikut", "ถัดไป"}
	prevWords = []string{"prev", "back", "earlier", "last month", "last year", "上一", "上个", "上個", "上月", "上年", "前一", "前の", "前月", "先月", "前年", "vorherig", "vorig", "zurück", "précédent",
		"precedent", "anterior", "poprzedni", "предыдущ", "назад", "السابق", "הקודם", "önceki", "geri", "이전", "föregående", "forrige", "edellinen", "előző", "předchoz",
		"попередн", "προηγούμεν", "trước", "sebelum", "ก่อน"}
	yearWords  = []string{"year", "年", "jahr", "année", "año", "anno", "ano ", " ano", "jaar", "rok", "год", "سنة", "عام", "السنة", "שנה", "yıl", "년", "연도", "år", "vuosi", "έτος", "năm", "tahun"}
	todayWords = []string{"today", "now", "current", "今天", "今日", "当前", "當前", "现在", "heute", "aujourd'hui", "hoy", "oggi", "hoje", "vandaag", "dziś", "dzisiaj", "сегодня", "اليوم", "היום", "bugün", "오늘"}
	okWords    = []string{"ok", "okay", "apply", "done", "confirm", "set", "save", "select", "choose", "accept", "use", "go", "select date", "select dates", "apply dates", "set date", "choose date",
		"确定", "確定", "确认", "確認", "完成", "应用", "套用", "好", "好的", "选好了", "選好了", "決定", "適用", "保存", "확인", "적용", "완료", "선택",
		"übernehmen", "fertig", "bestätigen", "anwenden", "auswählen", "appliquer", "valider", "confirmer", "terminé", "aceptar", "aplicar", "confirmar", "listo", "hecho",
		"applica", "conferma", "fatto", "concluir", "pronto", "toepassen", "bevestigen", "klaar", "gereed", "zastosuj", "zatwierdź", "gotowe", "применить", "готово", "выбрать", "ок",
		"تطبيق", "موافق", "تأكيد", "تم", "אישור", "החל", "tamam", "uygula", "onayla", "klar", "ferdig", "valmis", "kész", "potvrdit", "hotovo"}
	cancelWords = []string{"cancel", "clear", "reset", "close", "dismiss", "取消", "清空", "清除", "重置", "关闭", "關閉", "キャンセル", "クリア", "취소", "abbrechen", "löschen", "annuler", "effacer",
		"cancelar", "borrar", "limpiar", "annulla", "cancella", "annuleren", "wissen", "anuluj", "отмена", "очистить", "إلغاء", "مسح", "ביטול", "iptal", "temizle"}
)

const (
	prevSigns = "‹«<←◀◄❮〈⟨◁⇦⏴˂❬⟵⇐↑▲△⌃≪⏪"
	nextSigns = "›»>→▶►❯〉⟩▷⇨⏵˃❭⟶⇒↓▼▽⌄≫⏩"
	fastSigns = "«»≪≫⏪⏩"
)

// wordsTurn weighs the words of a name; a text that is such words counts as plain.
func wordsTurn(words string, plain *bool) (dir int, year bool) {
	next, prev := named(words, nextWords), named(words, prevWords)
	switch {
	case next == prev:
		return 0, false
	case next:
		dir = 50
	default:
		dir = -50
	}
	*plain = true
	return dir, named(words, yearWords)
}

// signTurn reads a text of arrows.
func signTurn(text string) int {
	if !signsOnly(text) {
		return 0
	}
	switch {
	case strings.ContainsAny(text, prevSigns):
		return -1
	case strings.ContainsAny(text, nextSigns):
		return 1
	}
	return 0
}

// signsOnly reports a text without letters and digits.
func signsOnly(text string) bool {
	return text != "" && len([]rune(text)) <= 3 && !strings.ContainsFunc(plainDigits(text), func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x2E80 && !strings.ContainsRune(prevSigns+nextSigns, r) && r < 0xE000
	})
}

// classTurn reads words that authors use for direction in classes and data
// attributes: weak evidence.
func classTurn(n *dom.Node) (dir int, year bool) {
	words := classWords(n)
	for name, v := range n.Attrs {
		if (strings.HasPrefix(name, "data-") || name == "rel" || name == "id" || name == "name" || name == "place" || name == "datePart") && len(v) < 40 {
			words = append(words, strings.FieldsFunc(strings.ToLower(splitCamel(v)), func(r rune) bool { return r < 'a' || r > 'z' })...)
		}
	}
	for _, c := range n.Children {
		if c.IsElement() {
			words = append(words, classWords(c)...)
		}
	}
	for _, w := range words {
		switch w {
		case "next", "right", "forward", "following":
			dir = 1
		case "prev", "previous", "left", "back", "backward", "before":
			dir = -1
		case "year", "double", "super", "fast", "years":
			year = true
		}
	}
	return dir, year
}
