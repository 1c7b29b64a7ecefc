package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"harness/vision"
)

// profileFolder holds the profiles of the user's own, NAME.json each.
func profileFolder() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("configuration folder: %w", err)
	}
	return filepath.Join(dir, "harness", "profiles"), nil
}

// ownProfiles reads the profiles of the user's own; without a folder there are
// none. A file that is no profile is an *inputError that names it.
func ownProfiles() ([]vision.Profile, error) {
	dir, err := profileFolder()
	if err != nil {
		return nil, nil // no home, no profiles
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("profiles: %w", err)
	}
	var out []vision.Profile
	for _, file := range files {
		p, err := readProfile(file)
		if err != nil {
			return nil, &inputError{fmt.Errorf("%s: %w", file, err)}
		}
		out = append(out, p)
	}
	return out, nil
}

func readProfile(file string) (vision.Profile, error) {
	var p vision.Profile
	data, err := os.ReadFile(file)
	if err != nil {
		return p, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, fmt.Errorf("no profile: %v", err)
	}
	if name := strings.TrimSuffix(filepath.Base(file), ".json"); p.Name != name {
		return p, fmt.Errorf("the profile is named %q, its file %q", p.Name, name)
	}
	return p, p.Check()
}

// profileOf is the profile of that name, the user's own before the shipped
// ones; without a name the one for the model, the shipped ones first, so that
// recorded answers mean the same everywhere.
func profileOf(own []vision.Profile, model, name string) (vision.Profile, error) {
	if name != "" {
		for _, p := range own {
			if p.Name == name {
				return p, nil
			}
		}
		return vision.ProfileNamed(name)
	}
	p, err := vision.ProfileFor(model)
	if !errors.Is(err, vision.ErrUnknownModel) {
		return p, err
	}
	for _, p := range own {
		for _, glob := range p.Match {
			if ok, _ := path.Match(glob, bareModel(model)); ok {
				return p, nil
			}
		}
	}
	return vision.Profile{}, err
}

// bareModel is the model's name as profiles match it.
func bareModel(model string) string {
	s := strings.ToLower(strings.TrimSpace(model))
	return s[strings.LastIndexByte(s, '/')+1:]
}

var profileName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// checkProfileName refuses what is no file's name or the name of a shipped profile.
func checkProfileName(name string) error {
	if !profileName.MatchString(name) {
		return usagef("--profile %q: small letters, digits, dots and dashes", name)
	}
	if _, err := vision.ProfileNamed(name); err == nil {
		return usagef("--profile %s: a shipped profile bears that name", name)
	}
	return nil
}

// writeProfile keeps the profile in the user's configuration and answers with
// the file.
func writeProfile(p vision.Profile) (string, error) {
	dir, err := profileFolder()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, p.Name+".json")
	return file, writeFile(file, func(w io.Writer) error { return printJSON(w, p) })
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
