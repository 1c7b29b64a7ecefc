package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// names are what a Chromium is called on PATH, the likeliest first.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"}

// places are where a Chromium stands that is not on PATH.
var places = map[string][]string{
	"linux": {
		"/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser", "/snap/bin/chromium",
		"/opt/google/chrome/chrome", "/opt/chromium.org/chromium/chromium",
	},
	"darwin": {
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
	},
	"windows": {
		`C:\Program Files\Google\Chrome\Application\chrome.exe`,
		`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
	},
}

// findBrowser is the browser that Launch would start: the one asked for, else
// the first on PATH or in the usual places, else the one that Playwright
// installed (fallback, "" if there is none). It is "" where nothing is found.
func findBrowser(asked, fallback string) string {
	if asked != "" {
		if path, err := exec.LookPath(asked); err == nil {
			return path
		}
		return ""
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	for _, path := range places[runtime.GOOS] {
		if isFile(path) {
			return path
		}
	}
	if isFile(fallback) {
		return fallback
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.Mode().IsRegular()
}

// findNode is the node executable that runs the driver: the one asked for, the
// one on PATH, or the driver's own; "" where there is none.
func findNode(asked, driverDir string) string {
	if asked == "" {
		asked = "node"
	}
	if path, err := exec.LookPath(asked); err == nil {
		return path
	}
	name := "node"
	if runtime.GOOS == "windows" {
		name = "node.exe"
	}
	if own := filepath.Join(driverDir, name); asked == "node" && isFile(own) {
		return own
	}
	return ""
}
