package trace_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/trace"
)

// fullDisk is a disk that is full from the n-th write on.
type fullDisk struct {
	trace.Files
	mu   sync.Mutex
	left int
}

func (d *fullDisk) WriteFile(path string, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left--; d.left < 0 {
		// As a real disk does: a part of the file is there.
		_ = d.Files.WriteFile(path, data[:len(data)/2])
		return &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
	}
	return d.Files.WriteFile(path, data)
}

func TestFullDiskIsToldOnce(t *testing.T) {
	for left := 1; left < 8; left++ {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			var told []error
			run, err := trace.New(t.TempDir(), trace.Options{
				Files: &fullDisk{Files: trace.Disk(), left: left}, Report: func(err error) { told = append(told, err) }})
			require.NoError(t, err)
			sc := run.Scenario(trace.About{Suite: "s", Name: "n"})
			for range 3 {
				step(sc, "click", page{html: "<p>"}, trace.Outcome{Resolution: resolution()})
			}
			sc.End(trace.Passed, "")
			err = run.Close(trace.Passed)
			require.ErrorIs(t, err, syscall.ENOSPC)
			require.Len(t, told, 1, "reported once")
			assert.ErrorIs(t, told[0], syscall.ENOSPC)
			assert.Contains(t, err.Error(), "evidence "+run.Dir()+": write ")
			assert.Contains(t, err.Error(), "no space left on device")
			assert.Contains(t, err.Error(), "more files were not written")
			parts, err := filepath.Glob(filepath.Join(run.Dir(), "*", "*.part"))
			require.NoError(t, err)
			assert.Empty(t, parts, "half files give their space back")
		})
	}
}

func TestRunJSONSaysWhatIsMissing(t *testing.T) {
	// Full for the screenshots, not for the small files: run.json can still tell.
	d := &fullFor{Files: trace.Disk(), ext: ".png.part"}
	run, err := trace.New(t.TempDir(), trace.Options{Files: d})
	require.NoError(t, err)
	sc := run.Scenario(trace.About{})
	step(sc, "click", page{html: "<p>"}, trace.Outcome{})
	sc.End(trace.Passed, "")
	require.Error(t, run.Close(trace.Passed))
	f, err := trace.ReadRun(run.Dir())
	require.NoError(t, err)
	assert.Contains(t, f.Evidence, "no space left")
	assert.Equal(t, trace.Passed, f.Scenarios[0].Status, "evidence fails no scenario")
}

type fullFor struct {
	trace.Files
	ext string
}

func (d *fullFor) WriteFile(path string, data []byte) error {
	if strings.HasSuffix(path, d.ext) {
		return syscall.ENOSPC
	}
	return d.Files.WriteFile(path, data)
}

func TestUnwritableFolderIsAnError(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "debug_html")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err := trace.New(file, trace.Options{})
	require.Error(t, err)
	assert.Equal(t, "evidence: folder "+file+": not a directory", err.Error())
}
