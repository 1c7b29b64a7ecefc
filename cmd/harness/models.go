package main

import (
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"harness/internal/chat"
	"harness/scenarios"
	"harness/vision"
	"harness/vision/openai"
)

// models are the live models of the configuration, and what reads recorded
// vision answers.
func (c config) models() (scenarios.Models, error) {
	m := scenarios.Models{Replayed: func(client *chat.Client) (vision.Model, error) { return eyes(client, "") }}
	if len(c.Models) > 0 {
		m.Chat = func() (*chat.Client, error) { return c.Models[0].client() }
	}
	if len(c.Vision) == 0 {
		return m, nil
	}
	client, err := c.Vision[0].client()
	if err == nil {
		m.Vision, err = eyes(client, c.Vision[0].Profile)
	}
	return m, err
}

// eyes is layer 3 over a client; the profile is that of the name, else of the
// model.
func eyes(client *chat.Client, profile string) (vision.Model, error) {
	own, err := ownProfiles()
	if err != nil {
		return nil, err
	}
	p, err := profileOf(own, client.Model(), profile)
	if err != nil {
		return nil, err
	}
	return openai.New(openai.Options{Chat: client, Profile: p})
}

// eyesFlags are the flags about the model that sees.
type eyesFlags struct {
	model   string // "": the configuration's
	profile string // "": the configuration's, else by the model's name
}

func (e *eyesFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.model, "vision-model", "", "`name` of the model that is shown screenshots where nothing else finds an element")
	f.StringVar(&e.profile, "profile", "", "`name` of the profile that says how that model counts coordinates")
}

// with is the configuration under the flags.
func (c config) with(e eyesFlags) (config, error) {
	if e.model != "" {
		first := modelConfig{Model: e.model}
		if len(c.Vision) > 0 { // the endpoint is the configured one
			first.BaseURL, first.APIKeyEnv = c.Vision[0].BaseURL, c.Vision[0].APIKeyEnv
		}
		c.Vision = append([]modelConfig{first}, c.Vision...)
	}
	if e.profile == "" {
		return c, nil
	}
	if len(c.Vision) == 0 {
		return c, usagef("--profile %s: of which model? Name it with --vision-model", e.profile)
	}
	c.Vision = slices.Clone(c.Vision)
	c.Vision[0].Profile = e.profile
	return c, nil
}

// client is the chat client of a model.
func (m modelConfig) client() (*chat.Client, error) {
	if m.key() == "" && m.baseURL() == "" {
		return nil, usagef("model %s: set %s, or OPENAI_BASE_URL for an endpoint without a key", m.Model, m.keyName())
	}
	return chat.New(chat.Options{Model: m.Model, Key: m.key(), KeyName: m.keyName(), BaseURL: m.baseURL()})
}

// version is the version of this build, from its module or its commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return info.Main.Version
}
