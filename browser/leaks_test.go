package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// kill ends a browser as a crash would: by the certificate pin on its command
// line, which is its own.
func kill(t *testing.T, b *Browser) {
	t.Helper()
	found := false
	for pid, line := range commandLines() {
		if strings.Contains(line, b.issuer.pin) && !strings.Contains(line, "--type=") {
			p, err := os.FindProcess(pid)
			require.NoError(t, err)
			require.NoError(t, p.Kill())
			found = true
		}
	}
	require.True(t, found, "no such browser process")
}

func commandLines() map[int]string {
	out := map[int]string{}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		if b, err := os.ReadFile(path); err == nil {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			out[pid] = strings.ReplaceAll(string(b), "\x00", " ")
		}
	}
	return out
}

// descendants lists the processes below this one that are still there shortly
// after everything was closed. Only Linux tells.
func descendants() []string {
	var left []string
	for end := time.Now().Add(3 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left = left[:0]
		parents, names := processes()
		for pid := range parents {
			if below(parents, pid, os.Getpid()) {
				left = append(left, strconv.Itoa(pid)+" "+names[pid])
			}
		}
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

func below(parents map[int]int, pid, root int) bool {
	for pid = parents[pid]; pid > 1; pid = parents[pid] {
		if pid == root {
			return true
		}
	}
	return false
}

func processes() (parents map[int]int, names map[int]string) {
	parents, names = map[int]int{}, map[int]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// pid (name) state ppid …; the name may hold anything.
		text := string(b)
		open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
		if open < 0 || shut < 0 {
			continue
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(text[:open]))
		rest := strings.Fields(text[shut+1:])
		if len(rest) < 2 || rest[0] == "Z" {
			continue
		}
		parents[pid], _ = strconv.Atoi(rest[1])
		names[pid] = text[open+1 : shut]
	}
	return parents, names
}
