package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"harness/internal/yaml"
)

// config are the settings that are no matter of one command. It is read from
// harness.yaml in the working directory and from harness/config.yaml in the
// user's configuration folder; the environment stands above both and flags
// above all. Zero fields say nothing.
type config struct {
	Browser  string        `yaml:"browser"`  // path or name of a Chromium; HARNESS_BROWSER
	Node     string        `yaml:"node"`     // path or name of node; HARNESS_NODE
	Headed   *bool         `yaml:"headed"`   // show the browser; HARNESS_HEADED
	Workers  int           `yaml:"workers"`  // scenarios at a time; HARNESS_WORKERS
	Timeout  time.Duration `yaml:"timeout"`  // of one scenario; HARNESS_TIMEOUT
	Evidence string        `yaml:"evidence"` // folder of the evidence, or none; HARNESS_EVIDENCE
	Models   []modelConfig `yaml:"models"`   // that decide, in order; HARNESS_MODEL names one before them
	Vision   []modelConfig `yaml:"vision"`   // that see, in order; HARNESS_VISION_MODEL names one before them
}

// modelConfig names a model at an OpenAI-compatible endpoint. Keys are named by
// their environment variable, never written down.
type modelConfig struct {
	Model     string `yaml:"model"`
	BaseURL   string `yaml:"base_url"`    // "": OPENAI_BASE_URL, else OpenAI's
	APIKeyEnv string `yaml:"api_key_env"` // name of the variable with the key; "": OPENAI_API_KEY
	Profile   string `yaml:"profile"`     // coordinate profile of a vision model; "": by the model's name
}

// key is the model's key from the environment, "" where there is none.
func (m modelConfig) key() string { return os.Getenv(m.keyName()) }

func (m modelConfig) keyName() string { return cmp.Or(m.APIKeyEnv, "OPENAI_API_KEY") }

func (m modelConfig) baseURL() string { return cmp.Or(m.BaseURL, os.Getenv("OPENAI_BASE_URL")) }

// config reads the settings below the flags. What is wrong with a file is an
// *inputError with the place; a variable that cannot be read is a usage error.
func (a *app) config() (config, error) {
	c, err := environment()
	if err != nil {
		return config{}, err
	}
	files := []string{"harness.yaml"}
	if dir, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(dir, "harness", "config.yaml"))
	}
	if a.configFile != "" {
		files = []string{a.configFile}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) && a.configFile == "" {
			continue
		}
		if err != nil {
			return config{}, &inputError{fmt.Errorf("configuration: %w", err)}
		}
		var f config
		if err := yaml.Unmarshal(file, data, &f, nil); err != nil {
			return config{}, &inputError{err}
		}
		c = c.merge(f)
	}
	return c, c.check()
}

// merge is c with what it leaves open taken from f.
func (c config) merge(f config) config {
	c.Browser = cmp.Or(c.Browser, f.Browser)
	c.Node = cmp.Or(c.Node, f.Node)
	c.Headed = cmp.Or(c.Headed, f.Headed)
	c.Workers = cmp.Or(c.Workers, f.Workers)
	c.Timeout = cmp.Or(c.Timeout, f.Timeout)
	c.Evidence = cmp.Or(c.Evidence, f.Evidence)
	c.Models = append(c.Models, f.Models...)
	c.Vision = append(c.Vision, f.Vision...)
	return c
}

func (c config) check() error {
	if c.Workers < 0 {
		return &inputError{fmt.Errorf("configuration: workers is %d", c.Workers)}
	}
	for _, m := range append(c.Models, c.Vision...) {
		if m.Model == "" {
			return &inputError{errors.New("configuration: a model without its name (model)")}
		}
	}
	return nil
}

// environment reads the HARNESS_ variables.
func environment() (config, error) {
	c := config{
		Browser: os.Getenv("HARNESS_BROWSER"), Node: os.Getenv("HARNESS_NODE"),
		Evidence: os.Getenv("HARNESS_EVIDENCE"),
	}
	var err error
	if v := os.Getenv("HARNESS_WORKERS"); v != "" {
		if c.Workers, err = strconv.Atoi(v); err != nil {
			return c, usagef("HARNESS_WORKERS: not a number: %q", v)
		}
	}
	if v := os.Getenv("HARNESS_TIMEOUT"); v != "" {
		if c.Timeout, err = time.ParseDuration(v); err != nil {
			return c, usagef("HARNESS_TIMEOUT: not a duration: %q (write 90s)", v)
		}
	}
	if v := os.Getenv("HARNESS_HEADED"); v != "" {
		on, err := strconv.ParseBool(v)
		if err != nil {
			return c, usagef("HARNESS_HEADED: neither true nor false: %q", v)
		}
		c.Headed = &on
	}
	if v := os.Getenv("HARNESS_MODEL"); v != "" {
		c.Models = []modelConfig{{Model: v}}
	}
	if v := os.Getenv("HARNESS_VISION_MODEL"); v != "" {
		c.Vision = []modelConfig{{Model: v, Profile: os.Getenv("HARNESS_VISION_PROFILE")}}
	}
	return c, nil
}
