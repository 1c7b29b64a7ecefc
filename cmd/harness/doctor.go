package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harness/browser"
)

// doctorOptions are the flags of `harness doctor`.
type doctorOptions struct{ json bool }

func newDoctorCmd(a *app) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "check that all that a run needs is there",
		Long: `doctor looks for node, Playwright's driver, a Chromium and fonts with Chinese,
Japanese and Korean; in a checkout of this project also for the packages of the
widget pages. What is missing is named with the command that mends it.

The exit code is 0 where nothing is missing, else 1.`,
		Example: "  harness doctor",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), a, o) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print the findings as a JSON list")
	return cmd
}

// finding is one thing that a run needs.
type finding struct {
	Name    string `json:"name"`
	Found   string `json:"found"` // version and place, "" where it is missing
	Problem string `json:"problem,omitempty"`
	Fix     string `json:"fix,omitempty"`

	needed bool // nothing runs without it
}

func runDoctor(ctx context.Context, a *app, o doctorOptions) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	findings := examine(ctx, c)
	if o.json {
		e := json.NewEncoder(a.out)
		e.SetIndent("", "  ")
		err = e.Encode(findings)
	} else {
		_, err = fmt.Fprint(a.out, findingLines(findings))
	}
	if err == nil && slices.ContainsFunc(findings, func(f finding) bool { return f.Problem != "" }) {
		return errFailed
	}
	return err
}

func findingLines(list []finding) string {
	var b strings.Builder
	for _, f := range list {
		if f.Problem == "" {
			fmt.Fprintf(&b, "ok       %-8s %s\n", f.Name, f.Found)
			continue
		}
		fmt.Fprintf(&b, "missing  %-8s %s\n         %-8s mend it: %s\n", f.Name, f.Problem, "", f.Fix)
	}
	return b.String()
}

// examine looks at everything.
func examine(ctx context.Context, c config) []finding {
	var out []finding
	for _, p := range browser.Check(ctx, browser.Options{Executable: c.Browser, Node: c.Node}).Parts() {
		f := finding{Name: p.Name, Found: strings.TrimSpace(p.Version + " " + p.Path)}
		if !p.OK() {
			f = finding{Name: p.Name, Problem: p.Problem, Fix: p.Fix, needed: true}
		}
		out = append(out, f)
	}
	out = append(out, fonts(ctx))
	if dir := checkout(); dir != "" {
		out = append(out, widgets(dir))
	}
	return out
}

// fonts looks for a font with Chinese, without which pages show boxes and
// nothing that reads screenshots can read them.
func fonts(ctx context.Context) finding {
	f := finding{Name: "fonts", Fix: "sudo apt-get install fonts-noto-cjk (or any font with Chinese)"}
	out, err := exec.CommandContext(ctx, "fc-list", ":lang=zh", "family").Output()
	names := strings.Split(strings.TrimSpace(string(out)), "\n")
	switch {
	case err != nil:
		f.Problem = "fc-list does not run, so fonts cannot be looked for"
		f.Fix = "sudo apt-get install fontconfig fonts-noto-cjk"
	case names[0] == "":
		f.Problem = "no font with Chinese, Japanese and Korean"
	default:
		return finding{Name: "fonts", Found: names[0]}
	}
	return f
}

// checkout is the folder of this project where the working directory lies in
// it, else "".
func checkout() string {
	dir, err := os.Getwd()
	for err == nil {
		if text, readErr := os.ReadFile(filepath.Join(dir, "go.mod")); readErr == nil {
			if strings.HasPrefix(string(text), "module harness\n") {
				return dir
			}
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	return ""
}

// widgets looks for the pages of the widget suite, which are built from npm
// packages.
func widgets(dir string) finding {
	f := finding{Name: "widgets", Fix: "make setup"}
	if _, err := os.Stat(filepath.Join(dir, "fixtures", "node_modules")); err != nil {
		f.Problem = "the npm packages of fixtures/package.json are not installed"
		return f
	}
	pages, err := filepath.Glob(filepath.Join(dir, "fixtures", "widgets", "dist", "*", "index.html"))
	if err != nil || len(pages) == 0 {
		f.Problem = "the widget pages are not built"
		return f
	}
	return finding{Name: "widgets", Found: fmt.Sprintf("%d pages", len(pages))}
}
