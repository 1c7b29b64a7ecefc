package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Part is one thing that a browser run needs.
type Part struct {
	Name    string // for people: "node", "driver", "browser"
	Path    string // "" where it is missing
	Version string // "" where it is not known
	Problem string // what is wrong; "" if nothing is
	Fix     string // the command that mends it
}

// OK reports whether nothing is wrong with the part.
func (p Part) OK() bool { return p.Problem == "" }

// Setup is what a browser run needs, as it was found.
type Setup struct {
	Node    Part // runs the driver
	Driver  Part // Playwright's; Path is its folder
	Browser Part // a Chromium
}

// Parts lists the parts in the order in which they are needed.
func (s Setup) Parts() []Part { return []Part{s.Node, s.Driver, s.Browser} }

// Err names every part that is missing with the command that mends it; nil
// where nothing is.
func (s Setup) Err() error {
	var errs []error
	for _, p := range s.Parts() {
		if !p.OK() {
			errs = append(errs, &SetupError{Part: p})
		}
	}
	return errors.Join(errs...)
}

// SetupError is a part that is missing.
type SetupError struct{ Part Part }

func (e *SetupError) Error() string {
	return fmt.Sprintf("%s: %s (%s)", e.Part.Name, e.Part.Problem, e.Part.Fix)
}

// oldestNode is the first major version that runs the driver.
const oldestNode = 18

// Check finds what a run needs and asks it for its versions.
func Check(ctx context.Context, o Options) Setup {
	s := find(o)
	if s.Node.OK() {
		s.Node.Version = strings.TrimPrefix(output(ctx, s.Node.Path, "--version"), "v")
		if major := 0; s.Node.Version == "" {
			s.Node.Problem = fmt.Sprintf("%s does not run", s.Node.Path)
		} else if _, err := fmt.Sscanf(s.Node.Version, "%d", &major); err == nil && major < oldestNode {
			s.Node.Problem = fmt.Sprintf("version %s at %s is too old, at least %d is needed", s.Node.Version, s.Node.Path, oldestNode)
		}
	}
	if s.Browser.OK() {
		s.Browser.Version = versionIn.FindString(output(ctx, s.Browser.Path, "--version"))
		if s.Browser.Version == "" {
			s.Browser.Problem = fmt.Sprintf("%s does not run", s.Browser.Path)
		}
	}
	return s
}

var versionIn = regexp.MustCompile(`\d+(\.\d+)+`)

// find looks for the parts without running them.
func find(o Options) Setup {
	var s Setup
	dir, version, err := driverDir(o)
	s.Driver = Part{Name: "driver", Path: dir, Version: version, Fix: "harness install"}
	if err != nil {
		s.Driver.Problem = err.Error()
	} else if found := driverVersion(dir); found == "" {
		s.Driver.Path, s.Driver.Problem = "", fmt.Sprintf("Playwright %s is not installed in %s", version, dir)
	} else if found != version {
		s.Driver.Problem = fmt.Sprintf("%s holds Playwright %s, not %s", dir, found, version)
	}
	s.Node = Part{Name: "node", Path: findNode(o.Node, dir), Fix: nodeFix()}
	if s.Node.Path == "" {
		s.Node.Problem = "not found on PATH"
		if o.Node != "" {
			s.Node.Problem = fmt.Sprintf("%s is no executable", o.Node)
		}
	}
	s.Browser = Part{Name: "browser", Path: findBrowser(o.Executable, installedBrowser(dir)), Fix: browserFix()}
	if s.Browser.Path == "" {
		s.Browser.Problem = "no Chromium found"
		if o.Executable != "" {
			s.Browser.Problem = fmt.Sprintf("%s is no executable", o.Executable)
		}
	}
	return s
}

func nodeFix() string {
	if _, err := exec.LookPath("apt-get"); err == nil {
		return "sudo apt-get install nodejs"
	}
	return "install Node.js from https://nodejs.org"
}

func browserFix() string {
	if _, err := exec.LookPath("apt-get"); err == nil {
		return "sudo apt-get install chromium, or harness install"
	}
	return "harness install"
}

// driverDir is the folder of the driver and the version that it must have.
func driverDir(o Options) (dir, version string, err error) {
	d, err := playwright.NewDriver(&playwright.RunOptions{DriverDirectory: "unused"})
	if err != nil {
		return "", "", err
	}
	if o.DriverDir != "" {
		return o.DriverDir, d.Version, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", d.Version, fmt.Errorf("no folder for it: %v", err)
	}
	return filepath.Join(cache, "harness", "playwright-"+d.Version), d.Version, nil
}

// driverVersion is what stands in the folder; "" if nothing usable does.
func driverVersion(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, "package", "package.json"))
	if err != nil || !isFile(filepath.Join(dir, "package", "cli.js")) {
		return ""
	}
	var p struct{ Version string }
	if json.Unmarshal(b, &p) != nil {
		return ""
	}
	return p.Version
}

// browsersDir is where InstallBrowser puts browsers: beside the driver.
func browsersDir(driver string) string { return filepath.Join(filepath.Dir(driver), "browsers") }

func installedBrowser(driver string) string {
	tails := map[string]string{
		"linux": "chrome-*/chrome", "windows": `chrome-*\chrome.exe`, "darwin": "chrome-*/*.app/Contents/MacOS/*",
	}
	found, err := filepath.Glob(filepath.Join(browsersDir(driver), "chromium-*", tails[runtime.GOOS]))
	if err != nil || len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

// output is the first line that a command prints; "" if it fails.
func output(ctx context.Context, path string, arg ...string) string {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	b, err := exec.CommandContext(ctx, path, arg...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	return line
}
