package vision

import "strings"

// px limits of the smart rule, in squares of the factor.
const (
	tokens16k = 16384
	tokens1k  = 1280
)

func smart(factor, minPx, tokens int) Resize {
	return Resize{Rule: Smart, Factor: factor, MinPx: minPx, MaxPx: tokens * factor * factor}
}

// The resize rules of the families.
var (
	qwen28      = smart(28, 3136, tokens16k)
	qwen32Small = smart(32, 4096, tokens1k)
	uiTars28    = smart(28, 78400, tokens16k)
	claudeStd   = Resize{Rule: Downscale, Edge: 1568, Tokens: 1568}
	claudeHigh  = Resize{Rule: Downscale, Edge: 2576, Tokens: 4784}
	gptTiles    = Resize{Rule: Tiles, Edge: 2048, Short: 768}
	gptPatches  = Resize{Rule: PatchLimit, Factor: 32, Edge: 2048, Tokens: 1536}
	gptOriginal = Resize{Rule: PatchLimit, Factor: 32, Edge: 6000, Tokens: 10000}
)

// The grids of the families.
var (
	thousand  = Grid{W: 1000, H: 1000}
	nines     = Grid{W: 999, H: 999}
	percent   = Grid{W: 100, H: 100}
	fractions = Grid{W: 1, H: 1}
)

// Profiles are the shipped profiles, in the order in which a model's name is
// matched: a family's special members stand before it. Those without globs are
// chosen by name. Where makers' documents differ on rounding nothing is
// rounded here.
func Profiles() []Profile {
	var all []Profile
	for _, part := range [][]Profile{qwen(), agents(), grounders(), hosted(), plain()} {
		all = append(all, part...)
	}
	return all
}

// highRes makes DashScope take what the smart rule allows; others ignore it.
func highRes() map[string]any { return map[string]any{"vl_high_resolution_images": true} }

func qwen() []Profile {
	return []Profile{
		{Name: "qwen-vl", Match: []string{"qwen-vl", "qwen-vl-chat*", "qwen-vl-7b*"}, Grid: thousand, Shape: BoxShape, Prompt: "refs"},
		// One report of a user, 2025-08: absolute px that fit this rule (inferred).
		{Name: "qwen-vl-max", Match: []string{"qwen-vl-max*"}, Resize: qwen32Small, Shape: BoxShape},
		{Name: "qwen2-vl", Match: []string{"qwen2-vl*", "os-atlas-base-7b*"}, Grid: thousand, Shape: BoxShape, Prompt: "refs"},
		{Name: "os-atlas-4b", Match: []string{"os-atlas-base-4b*"}, Grid: thousand, Shape: BoxShape, Prompt: "refs"},
		{Name: "qwen2.5-vl", Match: []string{"qwen2.5-vl*", "qwen2.5vl*", "qwen2_5-vl*", "qwen25-vl*"}, Resize: qwen28, Shape: BoxShape, Params: highRes()},
		// Padding in place of scaling: sharper, and numbers are px of the screenshot.
		{Name: "qwen2.5-vl-padded", Resize: qwen28, Pad: 28, Shape: BoxShape, Params: highRes()},
		{Name: "qwen3-vl", Match: []string{"qwen3-vl*", "qwen3vl*", "qwen3.[5-7]*"}, Grid: thousand, Shape: BoxShape},
		// The makers' mobile prompt declares a screen of 999 by 999.
		{Name: "qwen3-vl-999", Grid: nines, Prompt: "computer-use-relative"},
	}
}

func agents() []Profile {
	return []Profile{
		{Name: "gui-plus-2026", Match: []string{"gui-plus-2026*"}, Grid: thousand, Prompt: "computer-use-relative"},
		{Name: "gui-plus", Match: []string{"gui-plus*"}, Resize: qwen28, Params: highRes(), Prompt: "gui-plus"},
		{Name: "doubao", Match: []string{"doubao-*ui-tars*", "doubao-*vision*", "doubao-*seed*", "*seed-1.[5-9]*", "*seed1.[5-9]*"},
			Grid: thousand, Prompt: "ui-tars-point", Parser: "doubao"},
		{Name: "ui-tars-1.5", Match: []string{"*ui-tars-1.5*", "*ui-tars-1-5*", "*ui-tars-v1.5*"}, Resize: uiTars28, Prompt: "ui-tars"},
		{Name: "ui-tars-1.0", Match: []string{"*ui-tars-2b*", "*ui-tars-7b*", "*ui-tars-72b*", "*ui-tars-1.0*"}, Grid: thousand, Prompt: "ui-tars"},
		{Name: "gui-owl", Match: []string{"gui-owl*", "mobile-agent-v3*"}, Grid: thousand, Prompt: "computer-use-relative"},
		{Name: "fara", Match: []string{"fara*"}, Resize: qwen28, Prompt: "computer-use-px"},
		{Name: "autoglm", Match: []string{"autoglm*"}, Grid: thousand, Prompt: "autoglm"},
		{Name: "agent-s-ui-tars-1.5", Grid: Grid{W: 1920, H: 1080}, Prompt: "point-only"},
		{Name: "agent-s-ui-tars-72b", Grid: thousand, Prompt: "point-only"},
		{Name: "gemini-computer-use", Match: []string{"gemini-*computer-use*"}, Grid: thousand, Prompt: "computer-use-relative", Native: "Gemini API, computer use"},
		{Name: "openai-computer-use", Match: []string{"computer-use-preview*"}, Resize: gptPatches, Prompt: "computer-use-px", Native: "OpenAI Responses API"},
	}
}

func grounders() []Profile {
	return []Profile{
		{Name: "showui", Match: []string{"showui*"}, Grid: fractions, Prompt: "fraction"},
		{Name: "seeclick", Match: []string{"seeclick*"}, Grid: fractions, Prompt: "fraction"},
		{Name: "molmoweb", Match: []string{"molmoweb*"}, Grid: percent, Prompt: "molmo", Parser: "molmo"},
		{Name: "molmo2", Match: []string{"molmo2*", "molmo-2*"}, Grid: thousand, Prompt: "molmo", Parser: "molmo2"},
		{Name: "molmo", Match: []string{"molmo*"}, Grid: percent, Prompt: "molmo", Parser: "molmo"},
		{Name: "internvl", Match: []string{"internvl*"}, Grid: Grid{W: 1000, H: 1000, Fractions: true}, Shape: BoxShape, Prompt: "refs"},
		{Name: "deepseek-vl2", Match: []string{"deepseek-vl2*"}, Grid: nines, Shape: BoxShape, Prompt: "refs"},
		{Name: "glm-v", Match: []string{"glm-4.1v*", "glm-4.5v*", "glm-4.6v*", "glm-v*", "glm-4v*"}, Grid: thousand, Shape: BoxShape, Reasoning: true},
		{Name: "kimi", Match: []string{"kimi*"}, Grid: Grid{Fractions: true}, Prompt: "fraction"},
	}
}

func hosted() []Profile {
	return []Profile{
		{Name: "gemini", Match: []string{"gemini-[2-9]*"}, Grid: thousand, YFirst: true, Shape: BoxShape, Prompt: "y-first"},
		{Name: "claude-high", Match: []string{"claude-*-4?[789]*", "claude-opus-[5-9]*", "claude-sonnet-[5-9]*", "claude-haiku-[5-9]*", "claude-fable*", "claude-mythos*"},
			Resize: claudeHigh, Prompt: "px-point"},
		{Name: "claude", Match: []string{"claude-*"}, Resize: claudeStd, Prompt: "px-point"},
		{Name: "gpt-patch", Match: []string{"gpt-5.2*", "gpt-5-mini*", "gpt-5-nano*", "gpt-5.4-mini*", "gpt-5.4-nano*", "o4-mini*", "gpt-4.1-mini*", "gpt-4.1-nano*"},
			Resize: gptPatches, Detail: "high", Shape: BoxShape, Prompt: "px-box"},
		{Name: "gpt-original", Match: []string{"gpt-5.[45]*"}, Resize: gptOriginal, Detail: "original", Shape: BoxShape, Prompt: "px-box"},
		{Name: "gpt-unlimited", Match: []string{"gpt-5.6*"}, Detail: "original", Shape: BoxShape, Prompt: "px-box"},
		{Name: "gpt-tile", Match: []string{"gpt-4o*", "chatgpt-4o*", "gpt-4.1*", "gpt-5", "gpt-5-20*", "gpt-5-chat*", "o1*", "o3*"}, Resize: gptTiles, Detail: "high", Shape: BoxShape, Prompt: "px-box"},
	}
}

// plain are profiles for models that are not shipped, chosen by name.
func plain() []Profile {
	return []Profile{
		{Name: "pixels", Prompt: "px-point"},
		{Name: "pixels-zoom", Prompt: "px-point", Zoom: Zoom{Under: 40, Window: 0.4}},
		{Name: "grid-1000", Grid: thousand, Shape: BoxShape},
		{Name: "grid-1000-zoom", Grid: thousand, Shape: BoxShape, Zoom: Zoom{Under: 40, Window: 0.4}},
		{Name: "grid-1000-y-first", Grid: thousand, YFirst: true, Shape: BoxShape, Prompt: "y-first"},
		{Name: "grid-999", Grid: nines, Shape: BoxShape},
		{Name: "grid-100", Grid: percent, Prompt: "molmo", Parser: "molmo"},
		{Name: "grid-1", Grid: fractions, Prompt: "fraction"},
	}
}

// unchecked are families whose documents were not found to say what they count in.
func unchecked(name string) bool {
	for _, s := range []string{"uground", "aguvis", "cogagent", "holo1", "mimo-vl", "nova"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
