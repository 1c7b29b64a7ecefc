package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/scenarios"
)

const inspected = `<html data-harness-url="https://flights.test/"><title>青云旅行</title>
<a href=/hotel>酒店</a><label>出发地 <input value=上海></label><label>出发日期 <input readonly></label>
<button>搜索</button><button disabled>搜索帮助</button><input type=checkbox checked aria-label=直飞>
<div><h3>January 2026</h3><table><tr><th>M<th>T<th>W<th>T<th>F<th>S<th>S</tr>
<tr><td><td><td><td>1<td>2<td>3<td>4</tr><tr><td>5<td>6<td>7<td>8<td>9<td>10<td>11</tr><tr><td>12<td>13<td>14<td>15<td>16<td>17<td>18</tr>
<tr><td>19<td>20<td>21<td>22<td>23<td>24<td>25</tr><tr><td>26<td>27<td>28<td>29<td>30<td>31<td></tr></table></div></html>`

// command runs one command alone and returns what it wrote.
func command(t *testing.T, newCmd func(*app) *cobra.Command, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := newCmd(&app{out: &out, err: &out})
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(&out)
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func savedFile(t *testing.T, html string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "01-click.html")
	require.NoError(t, os.WriteFile(path, []byte(html), 0o644))
	return path
}

func TestInspectListsKinds(t *testing.T) {
	file := savedFile(t, inspected)
	out, err := command(t, newInspectCmd, file)
	require.NoError(t, err)
	assert.Contains(t, out, "青云旅行  https://flights.test/\n"+file+"\n")
	for _, want := range []string{"CALENDAR 1\n", "DATE 32\n", "INPUT 1\n", "BUTTON 2\n", "LINK 1\n", "CHECKBOX 1\n", "出发地", "= 上海", " disabled", " checked", "31 days of a calendar: 1 2 3"} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, "\x1b[", "no colours where no terminal is")
	assert.Less(t, strings.Index(out, "CALENDAR"), strings.Index(out, "BUTTON"))
	all, err := command(t, newInspectCmd, file, "--all", "--why")
	require.NoError(t, err)
	assert.Contains(t, all, "· a row of weekdays")
	assert.NotContains(t, all, "days of a calendar:")
}

func TestInspectJSON(t *testing.T) {
	out, err := command(t, newInspectCmd, savedFile(t, inspected), "--json")
	require.NoError(t, err)
	var got pageOut
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	assert.Equal(t, "https://flights.test/", got.URL)
	days := 0
	for _, it := range got.Items {
		assert.NotEmpty(t, it.Reasons)
		if it.Day != nil {
			days++
		}
	}
	assert.Equal(t, 31, days)
}

func TestInspectFind(t *testing.T) {
	file := savedFile(t, inspected)
	out, err := command(t, newInspectCmd, file, "--find", "搜索")
	require.NoError(t, err)
	assert.Contains(t, out, "found")
	assert.Contains(t, out, "BUTTON    搜索")

	out, err = command(t, newInspectCmd, file, "--find", "搜索", "--json")
	require.NoError(t, err)
	var got findOut
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.NotNil(t, got.Chosen)
	assert.Equal(t, "搜索", got.Chosen.Name)
	assert.Nil(t, got.Error)

	out, err = command(t, newInspectCmd, file, "--find", `{"role":"link","name":"酒店"}`)
	require.NoError(t, err)
	assert.Contains(t, out, "LINK      酒店")
}

func TestInspectFindRefuses(t *testing.T) {
	file := savedFile(t, `<button>Delete</button><button>Delete</button>`)
	out, err := command(t, newInspectCmd, file, "--find", "Delete button")
	require.ErrorIs(t, err, errFailed)
	assert.Contains(t, out, "ambiguous")
	out, err = command(t, newInspectCmd, file, "--find", "Buy now button", "--json")
	require.ErrorIs(t, err, errFailed)
	var got findOut
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.NotNil(t, got.Error)
	assert.Equal(t, "not_found", got.Error.Kind)
	assert.Nil(t, got.Chosen)
}

func TestInspectBadInput(t *testing.T) {
	var input *inputError
	_, err := command(t, newInspectCmd, "no-such-file.html")
	require.ErrorAs(t, err, &input)
	assert.Contains(t, err.Error(), "no-such-file.html")
	var usage *usageError
	_, err = command(t, newInspectCmd, savedFile(t, ""), "--find", `{"colour":"red"}`)
	require.ErrorAs(t, err, &usage)
	_, err = command(t, newInspectCmd)
	require.ErrorAs(t, err, &usage)
}

func TestClassifyReadsFilesWithoutABrowser(t *testing.T) {
	open := func(context.Context, scenarios.PageOptions) (scenarios.Page, error) {
		return nil, errors.New("a browser was asked for")
	}
	newCmd := func(a *app) *cobra.Command { return newClassifyCmd(a, open) }
	out, err := command(t, newCmd, savedFile(t, inspected))
	require.NoError(t, err)
	assert.Contains(t, out, "BUTTON 2\n")
	_, err = command(t, newCmd, "https://flights.test/")
	require.EqualError(t, err, "a browser was asked for")
}

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "出发地": 6, "a¥b": 3, "é": 1, "e\u0301": 1, "📅": 2, "ａ": 2} {
		assert.Equal(t, want, columns(s), "%q", s)
	}
	assert.Equal(t, "出…", clip("出发地", 4))
	assert.Equal(t, "出发地", clip("出发地", 6))
	assert.LessOrEqual(t, columns(clip("城市名、拼音或三字码", 9)), 9)
}
