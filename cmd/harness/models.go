package main

import (
	"runtime/debug"

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
	p, err := vision.ProfileFor(client.Model())
	if profile != "" {
		p, err = vision.ProfileNamed(profile)
	}
	if err != nil {
		return nil, err
	}
	return openai.New(openai.Options{Chat: client, Profile: p})
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
