package vision

import (
	"path"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProfileForModelNames(t *testing.T) {
	for model, want := range map[string]string{
		"Qwen/Qwen-VL-Chat": "qwen-vl", "qwen-vl-max-2025-08-13": "qwen-vl-max", "Qwen/Qwen2-VL-7B-Instruct": "qwen2-vl",
		"OS-Copilot/OS-Atlas-Base-7B": "qwen2-vl", "OS-Atlas-Base-4B": "os-atlas-4b", "qwen2.5-vl-72b-instruct": "qwen2.5-vl",
		"qwen2.5vl:7b": "qwen2.5-vl", "unsloth/Qwen2.5-VL-7B-Instruct-GGUF": "qwen2.5-vl", "qwen3-vl-plus": "qwen3-vl", "qwen3.6-plus": "qwen3-vl",
		"gui-plus": "gui-plus", "gui-plus-2026-02-26": "gui-plus-2026", "ByteDance-Seed/UI-TARS-1.5-7B": "ui-tars-1.5",
		"UI-TARS-72B-DPO": "ui-tars-1.0", "bytedance-research/UI-TARS-7B-SFT": "ui-tars-1.0", "doubao-1.5-ui-tars-250328": "doubao",
		"doubao-1-5-thinking-vision-pro-250428": "doubao", "doubao-seed-1-6-250615": "doubao", "mPLUG/GUI-Owl-1.5-7B": "gui-owl",
		"microsoft/Fara-7B": "fara", "showlab/ShowUI-2B": "showui", "SeeClick": "seeclick", "kimi-k2.5": "kimi", "moonshotai/Kimi-VL-A3B-Instruct": "kimi",
		"glm-4.5v": "glm-v", "GLM-4.1V-9B-Thinking": "glm-v", "autoglm-phone-9b": "autoglm", "OpenGVLab/InternVL3-8B": "internvl",
		"deepseek-ai/deepseek-vl2-small": "deepseek-vl2", "gemini-2.5-flash": "gemini", "google/gemini-3-pro-preview": "gemini",
		"gemini-2.5-computer-use-preview-10-2025": "gemini-computer-use", "gpt-4o-2024-11-20": "gpt-tile", "openai/gpt-4.1": "gpt-tile",
		"o3": "gpt-tile", "o4-mini": "gpt-patch", "gpt-5.2": "gpt-patch", "gpt-5-mini": "gpt-patch", "gpt-5.4-mini": "gpt-patch",
		"gpt-5.4": "gpt-original", "gpt-5.5-2026-01-01": "gpt-original", "gpt-5.6": "gpt-unlimited", "computer-use-preview": "openai-computer-use",
		"claude-3-7-sonnet-latest": "claude", "claude-3-5-sonnet-20241022": "claude", "anthropic/claude-sonnet-4.5": "claude",
		"claude-sonnet-4-5-20250929": "claude", "claude-opus-4-20250514": "claude", "claude-haiku-4-5": "claude",
		"claude-opus-4-7": "claude-high", "claude-opus-4.8": "claude-high", "claude-sonnet-5": "claude-high", "claude-fable-5": "claude-high",
		"allenai/Molmo-7B-D-0924": "molmo", "allenai/Molmo2-8B": "molmo2", "allenai/MolmoWeb-8B": "molmoweb",
	} {
		p, err := ProfileFor(model)
		if assert.NoError(t, err, model) {
			assert.Equal(t, want, p.Name, model)
		}
	}
}

func TestUnknownModelsAreRefusedWithAHint(t *testing.T) {
	for _, model := range []string{"", "llama-4-scout", "text-embedding-3", "qwen3-32b", "UGround-V1-7B", "Holo1-7B", "CogAgent-9B"} {
		_, err := ProfileFor(model)
		require.ErrorIs(t, err, ErrUnknownModel, model)
		assert.ErrorContains(t, err, "--profile")
		assert.ErrorContains(t, err, "vision calibrate")
	}
	_, err := ProfileNamed("nope")
	assert.ErrorContains(t, err, "known: qwen-vl, ")
}

func TestShippedProfilesAreSound(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Profiles() {
		assert.NoError(t, p.Check())
		assert.False(t, seen[p.Name], "%s stands twice", p.Name)
		seen[p.Name] = true
		for _, g := range p.Match {
			_, err := path.Match(g, "x")
			assert.NoError(t, err, "%s: %s", p.Name, g)
		}
		got, err := ProfileNamed(p.Name)
		require.NoError(t, err)
		assert.Equal(t, p, got)
	}
}

func TestCheckNamesTheFault(t *testing.T) {
	for want, p := range map[string]Profile{
		"name is missing":        {},
		"grid of 10 by 0":        {Name: "a", Grid: Grid{W: 10}},
		`shape "blob"`:           {Name: "a", Shape: "blob"},
		"smart needs":            {Name: "a", Resize: Resize{Rule: Smart}},
		"claude needs":           {Name: "a", Resize: Resize{Rule: Downscale}},
		"tiles needs":            {Name: "a", Resize: Resize{Rule: Tiles}},
		"patch needs":            {Name: "a", Resize: Resize{Rule: PatchLimit}},
		`rule "x" is not known`:  {Name: "a", Resize: Resize{Rule: "x"}},
		`prompt "x" is not know`: {Name: "a", Prompt: "x"},
		`parser "x" is not know`: {Name: "a", Parser: "x"},
		"pad of -1":              {Name: "a", Pad: -1},
	} {
		assert.ErrorContains(t, p.Check(), want)
	}
}

// A prompt that shows numbers or a name gets them back as the answer.
func TestPromptsHoldNothingToCopy(t *testing.T) {
	size := regexp.MustCompile(`\d+ x \d+`)
	label := regexp.MustCompile(`_2d|\bx\d|y\d`)
	g := Geometry{Model: Size{1288, 812}}
	for _, p := range Profiles() {
		for _, task := range []Task{LocateTask, ActTask} {
			system, user := p.Ask(task, g, "WORDS", "HINT")
			text := label.ReplaceAllString(size.ReplaceAllString(system+user, ""), "")
			assert.NotRegexp(t, `\d`, text, p.Name)
			assert.NotRegexp(t, `\{(units|size|words|hint)\}`, text, p.Name)
			assert.Contains(t, user, "WORDS (HINT)", p.Name)
			_, user = p.Ask(task, g, "WORDS", "")
			assert.NotContains(t, user, "(", p.Name)
			if task == ActTask {
				assert.NotEmpty(t, system, p.Name)
			}
			assert.NotRegexp(t, `(?i)search|login|submit button|settings|sign in`, text, p.Name)
		}
	}
}

func TestPromptsThatNeedTheSizeCarryIt(t *testing.T) {
	for _, name := range []string{"fara", "gui-plus", "claude", "gpt-tile"} {
		p, err := ProfileNamed(name)
		require.NoError(t, err)
		system, _ := p.Ask(LocateTask, Geometry{Model: Size{1288, 812}}, "w", "")
		assert.Contains(t, system, "1288 x 812", name)
	}
}
