package agent

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnsupportedAnswers(t *testing.T) {
	s := newSeen("查询 1月30日 从上海到北京的机票")
	s.page("四川航空 3U5163 07:25 虹桥国际机场 10:15 大兴国际机场 ¥1,280 空客320(中) 2026-01-30")
	s.typed(Action{Verb: "type", Args: &TypeArgs{Text: "PNR77"}})
	for answer, bad := range map[string]bool{
		"3U5163，07:25 起飞，¥1280":            false,
		"3u5163":                           false,
		"四川航空":                             false,
		"２０２６年1月30日 四川航空":                  false,
		"1月30日从上海到北京":                      false, // of the task alone
		"":                                 false,
		"There are 3 flights, e.g. 3U5163": false, // small numbers count things
		"CA1831":                           true,
		"3U5163 costs 1180":                true,
		"3U5163 at 07:35":                  true,
		"东方航空，上午出发":                        true,
		"I booked it for you":              true,
		"PNR77":                            true, // what was typed supports nothing
	} {
		assert.Equal(t, bad, s.unsupported(answer) != "", "%q: %s", answer, s.unsupported(answer))
	}
}
