package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/agent"
	"harness/scenarios"
)

// needBrowser skips the test where no browser can be started; with
// HARNESS_REQUIRE_BROWSER=1 that is a failure.
func needBrowser(t *testing.T) {
	t.Helper()
	a := &app{}
	p, err := a.openOne(t.Context(), scenarios.PageOptions{})
	if err == nil {
		require.NoError(t, p.Close())
		return
	}
	if os.Getenv("HARNESS_REQUIRE_BROWSER") == "1" {
		t.Fatalf("no browser: %v", err)
	}
	t.Skipf("no browser: %v", err)
}

// harnessDo runs the command as a person does.
func harnessDo(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"do", "--evidence", "none"}, args...)
	code = run(t.Context(), args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

func TestDoPlainTasksOnRecordedSites(t *testing.T) {
	needBrowser(t)
	for _, c := range []struct{ name, task, site, answer string }{
		{"flights, mixed", "click 单程, type 上海 into 出发地, type 北京 into 目的地, pick 2026-01-30 in 出发日期, click 搜索, and read 3U5163", "flights", "07:25"},
		{"flights, Chinese", "选择单程，在出发地输入上海，在目的地输入北京，出发日期选1月30日，点击搜索，然后读取3U5163", "flights", "07:25"},
		{"forms, English", "type Ann into First name, set Start date to 30 January, check I have read and accept, click Accept all, click Submit application and read Application sent", "forms", "Application sent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := harnessDo(t, c.task, "--site", "../../fixtures/sites/"+c.site)
			assert.Equal(t, exitPass, code, errs)
			assert.Contains(t, out, c.answer)
		})
	}
	code, _, errs := harnessDo(t, "click 购物车", "--site", "../../fixtures/sites/flights")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "no matching element")
}

// TestDoWithALocalModel has a scripted endpoint decide: one wrong target, then
// the right way, as a model does.
func TestDoWithALocalModel(t *testing.T) {
	needBrowser(t)
	script := []string{
		`{"name":"click","arguments":"{\"target\":\"购物车\"}"}`,
		`{"name":"type","arguments":"{\"into\":\"出发地\",\"text\":\"上海\"}"}`,
		`{"name":"type","arguments":"{\"into\":\"目的地\",\"text\":\"北京\"}"}`,
		`{"name":"pick","arguments":"{\"in\":\"出发日期\",\"date\":\"2026-01-30\"}"}`,
		`{"name":"click","arguments":"{\"target\":\"搜索\"}"}`,
		`{"name":"done","arguments":"{\"answer\":\"3U5163 07:25\",\"success\":true}"}`,
	}
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := int(asked.Add(1))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","object":"chat.completion","model":"local","choices":[{"index":0,"finish_reason":"tool_calls",
			"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":%s}]}}],
			"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, n, script[min(n, len(script))-1])
	}))
	defer srv.Close()
	t.Setenv("OPENAI_BASE_URL", srv.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", "")
	code, out, errs := harnessDo(t, "四川航空的航班是哪一班", "--site", "../../fixtures/sites/flights", "--model", "local", "--json")
	require.Equal(t, exitPass, code, errs)
	var res doResult
	require.NoError(t, json.Unmarshal([]byte(out), &res))
	assert.Equal(t, agent.Done, res.Status)
	assert.Equal(t, "3U5163 07:25", res.Answer)
	require.Len(t, res.Steps, 5)
	assert.Equal(t, "not_found", res.Steps[0].Error.Kind)
	assert.Equal(t, 6, res.Usage.Calls)
}
