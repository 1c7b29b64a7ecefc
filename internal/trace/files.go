package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Files is where evidence is written: the disk, or a test's disk that fails.
type Files interface {
	MkdirAll(path string) error
	Mkdir(path string) error // fails where it is there
	WriteFile(path string, data []byte) error
	Rename(from, to string) error
	Remove(path string) error // with everything in it
	List(path string) ([]fs.DirEntry, error)
	ReadFile(path string) ([]byte, error)
}

// Disk is the real disk, for those who wrap it.
func Disk() Files { return disk{} }

// disk is the real one.
type disk struct{}

func (disk) MkdirAll(path string) error               { return os.MkdirAll(path, 0o755) }
func (disk) Mkdir(path string) error                  { return os.Mkdir(path, 0o755) }
func (disk) WriteFile(path string, data []byte) error { return os.WriteFile(path, data, 0o644) }
func (disk) Rename(from, to string) error             { return os.Rename(from, to) }
func (disk) Remove(path string) error                 { return os.RemoveAll(path) }
func (disk) List(path string) ([]fs.DirEntry, error)  { return os.ReadDir(path) }
func (disk) ReadFile(path string) ([]byte, error)     { return os.ReadFile(path) }

// writeWhole writes a file beside its place and moves it there, so that nobody
// ever reads half a file; what is left of a failed write is removed, to give
// the space back.
func writeWhole(files Files, path string, data []byte) error {
	tmp := path + ".part"
	err := files.WriteFile(tmp, data)
	if err == nil {
		err = files.Rename(tmp, path)
	}
	if err != nil {
		_ = files.Remove(tmp) // the first error is the one to tell
		return fmt.Errorf("write %s: %w", filepath.Base(path), plain(err))
	}
	return nil
}

// plain takes the path out of a file error: the message names it already.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}

const stamp = "20060102-150405"

// makeRunDir makes a folder for the run; one that is there already gets a
// number behind it.
func makeRunDir(files Files, dir, name string, now time.Time) (string, error) {
	if err := files.MkdirAll(dir); err != nil {
		return "", fmt.Errorf("folder %s: %w", dir, plain(err))
	}
	if name == "" {
		name = now.Format(stamp)
	}
	name = safeName(name)
	for n := 1; ; n++ {
		path := filepath.Join(dir, name)
		if n > 1 {
			path = fmt.Sprintf("%s-%d", path, n)
		}
		err := files.Mkdir(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrExist) || n > 999 {
			return "", fmt.Errorf("folder %s: %w", path, plain(err))
		}
	}
}

// prune deletes the oldest runs beyond keep. It touches only folders that hold
// a run.json, and no run that may still be going on.
func prune(files Files, dir, own string, keep int, now time.Time) error {
	if keep == 0 {
		keep = 20
	}
	if keep < 0 {
		return nil
	}
	entries, err := files.List(dir)
	if err != nil {
		return plain(err)
	}
	type old struct {
		name    string
		started time.Time
	}
	var runs []old
	for _, e := range entries {
		if started, ok := finishedRun(files, filepath.Join(dir, e.Name()), now); ok && e.IsDir() && e.Name() != own {
			runs = append(runs, old{e.Name(), started})
		}
	}
	slices.SortFunc(runs, func(a, b old) int { return b.started.Compare(a.started) })
	for i := max(0, keep-1); i < len(runs); i++ {
		if err := files.Remove(filepath.Join(dir, runs[i].name)); err != nil {
			return fmt.Errorf("%s: %w", runs[i].name, plain(err))
		}
	}
	return nil
}

// finishedRun reports when the run in the folder began; ok is false for other
// folders and for a run that began within a day and has not ended.
func finishedRun(files Files, dir string, now time.Time) (started time.Time, ok bool) {
	data, err := files.ReadFile(filepath.Join(dir, runFile))
	if err != nil {
		return started, false
	}
	var f struct {
		V       int       `json:"v"`
		Run     string    `json:"run"`
		Status  string    `json:"status"`
		Started time.Time `json:"started"`
	}
	if json.Unmarshal(data, &f) != nil || f.V != 1 || f.Run == "" {
		return started, false
	}
	return f.Started, f.Status != Running || now.Sub(f.Started) > 24*time.Hour
}

// safeName makes a name for files: letters and digits of any script stay, the
// rest becomes dashes; at most 60 characters.
func safeName(s string) string {
	var b strings.Builder
	n, dash := 0, false
	for _, r := range strings.ToLower(strings.TrimSpace(s)) {
		if n >= 60 {
			break
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' {
			if dash && n > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
			n++
			continue
		}
		dash = true
	}
	if n == 0 {
		return "unnamed"
	}
	return b.String()
}
