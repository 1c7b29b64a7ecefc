package agent

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlainReadsTasks(t *testing.T) {
	run := func(t *testing.T, task string, want ...string) {
		t.Helper()
		p, err := NewPlain(task)
		require.NoError(t, err)
		var got []string
		for _, s := range p.steps {
			if s.read != nil {
				got = append(got, "read "+s.read.words)
				continue
			}
			got = append(got, s.action.String())
		}
		assert.Equal(t, want, got)
	}
	for _, c := range []struct {
		task string
		want []string
	}{
		{"click 单程, type 上海 into 出发地, pick 2026-01-30 in 出发日期, click 搜索", []string{`click 单程`, `type "上海" into 出发地`, `pick 2026-01-30 in 出发日期`, `click 搜索`}},
		{"open https://flights.test/, choose one way, type 上海 into 出发地, pick 30 January as departure date, click search, and read the first flight",
			[]string{`go https://flights.test/`, `click one way`, `type "上海" into 出发地`, `pick 30 January in departure date`, `click search`, `read the first flight`}},
		{"点击单程，在出发地输入上海，在目的地输入北京，出发日期选1月30日，点击搜索，然后读取第一个航班",
			[]string{`click 单程`, `type "上海" into 出发地`, `type "北京" into 目的地`, `pick 1月30日 in 出发日期`, `click 搜索`, `read 第一个航班`}},
		{"打开 flights.test。选择往返；把出发日期设为 2026-01-30 再点搜索", []string{`go https://flights.test`, `click 往返`, `pick 2026-01-30 in 出发日期`, `click 搜索`}},
		{`type "red, green and blue" into Colours and press Enter`, []string{`type "red, green and blue" into Colours`, `press Enter`}},
		{`Please fill in Name with Ann then tick "I agree" and click on the Send button.`, []string{`type "Ann" into Name`, `check "I agree"`, `click Send button`}},
		{"pick 28 January to 3 February in Stay, select Economy in Class, select date 3 March", []string{`pick 28 January to 3 February in Stay`, `select Economy in Class`, `pick 3 March`}},
		{"pick January 30, 2026 as departure date", []string{`pick January 30, 2026 in departure date`}},
		{"set departure date to 30 January, set Name to Bob", []string{`pick 30 January in departure date`, `type "Bob" into Name`}},
		{"在舱位中选择经济舱，勾选儿童，等待2秒，向下滚动，返回", []string{`select 经济舱 in 舱位`, `check 儿童`, `wait 2s`, `scroll by 0,600`, `back`}},
		{"scroll to Footer, scroll up 200, wait for Results, double-click Row 2, uncheck News, hover over Menu, go back", []string{
			`scroll to Footer`, `scroll by 0,-200`, `wait for Results`, `dblclick Row 2`, `uncheck News`, `hover Menu`, `back`}},
		{"press ctrl+a in Search, press esc", []string{`press Control+a on Search`, `press Escape`}},
		{"click Terms and conditions", []string{`click Terms and conditions`}},
		{"check I have read and accept, click Save and go back", []string{`check I have read and accept`, `click Save`, `back`}},
		{"enter 1,280 in Budget", []string{`type "1,280" into Budget`}},
		{"输入上海到出发地，选择1月30日作为出发日期", []string{`type "上海" into 出发地`, `pick 1月30日 in 出发日期`}},
	} {
		t.Run(c.task, func(t *testing.T) { run(t, c.task, c.want...) })
	}
}

func TestPlainNamesWhatItDoesNotUnderstand(t *testing.T) {
	for _, c := range []struct {
		task  string
		parts []string
		says  string
	}{
		{"click Search, sing a song", []string{"sing a song"}, "say click, type"},
		{"clik Search", []string{"clik Search"}, `did you mean "click"?`},
		{"查询 1月30日 从上海到北京的机票", []string{"查询 1月30日 从上海到北京的机票"}, "not understood"},
		{"pick 30 February in Departure, dance, click ok", []string{"pick 30 February in Departure", "dance"}, "there is no date"},
		{"", []string{""}, "nothing to do"},
	} {
		_, err := NewPlain(c.task)
		var unclear *UnclearError
		require.ErrorAs(t, err, &unclear, c.task)
		assert.Equal(t, c.parts, unclear.Parts)
		assert.ErrorContains(t, err, c.says)
	}
}
