package scenarios

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/internal/trace"
	"harness/locate"
)

// recordedPage writes a recording when it is asked for one.
type recordedPage struct{ fakePage }

func (p *recordedPage) SaveTrace(_ context.Context, file string) error {
	return os.WriteFile(file, []byte("zip"), 0o644)
}

func traced(t *testing.T, files trace.Files) *Results {
	t.Helper()
	o := options(&fakeLog{}, suite(t, `
  - {name: good, steps: [{go: https://s.test/a}, {click: twins, error: ambiguous}]}
  - {name: bad, steps: [{go: https://s.test/a}], expect: [{visible: Gone, timeout: 1ms}]}
`))
	open, actor := o.Open, o.NewActor
	o.Open = func(ctx context.Context, po PageOptions) (Page, error) {
		p, err := open(ctx, po)
		assert.True(t, po.Record)
		return &recordedPage{*p.(*fakePage)}, err
	}
	o.NewActor = func(p Page, lo locate.Options) Actor { return actor(&p.(*recordedPage).fakePage, lo) }
	o.Trace = func() (*trace.Run, error) { return trace.New(t.TempDir(), trace.Options{Files: files}) }
	res, err := Run(t.Context(), o)
	require.NoError(t, err)
	return res
}

func TestEvidence(t *testing.T) {
	res := traced(t, nil)
	require.Empty(t, res.EvidenceError)
	run, err := trace.ReadRun(res.Evidence)
	require.NoError(t, err)
	assert.Equal(t, trace.Failed, run.Status)
	good, bad := run.Scenarios[0], run.Scenarios[1]
	require.Len(t, good.Steps, 2)
	assert.Equal(t, "go", good.Steps[0].Verb)
	assert.Contains(t, good.Steps[0].Files, "01-go.html")
	assert.Equal(t, "ambiguous", good.Steps[1].Error.Kind)
	assert.Empty(t, good.Files, "what passed has no recording")
	assert.Equal(t, []string{traceFile}, bad.Files)
	assert.FileExists(t, filepath.Join(res.Scenarios[1].Evidence, traceFile))
	require.Len(t, bad.Steps, 2, "the page on which the expectation did not hold is kept")
	assert.Equal(t, "expect", bad.Steps[1].Verb)
}

// fullDisk is a disk that is full after the first file.
type fullDisk struct {
	trace.Files
	files atomic.Int64
}

func (d *fullDisk) WriteFile(path string, data []byte) error {
	if d.files.Add(1) > 1 {
		return &fs.PathError{Op: "write", Path: path, Err: errFull}
	}
	return d.Files.WriteFile(path, data)
}

var errFull = errors.New("no space left on device")

func TestFullDiskCostsTheEvidenceAlone(t *testing.T) {
	res := traced(t, &fullDisk{Files: trace.Disk()})
	assert.Equal(t, Passed, res.Scenarios[0].Status, res.Scenarios[0].Failure)
	assert.Contains(t, res.EvidenceError, "no space left")
}

func TestEvidenceThatCannotBegin(t *testing.T) {
	o := options(&fakeLog{}, suite(t, "  - {name: a, steps: [click: x]}"))
	o.Trace = func() (*trace.Run, error) { return nil, errFull }
	_, err := Run(t.Context(), o)
	var fault *TraceError
	require.ErrorAs(t, err, &fault)
	assert.ErrorIs(t, err, errFull)
}
