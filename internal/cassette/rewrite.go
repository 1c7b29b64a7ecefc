package cassette

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// Rewrite puts the requests, in order, in place of the recorded ones of the
// file; exchanges beyond them keep theirs. The answers stay as they are, byte
// for byte. The file is replaced whole or, with an error, not at all. More
// requests than exchanges are an error.
func Rewrite(file string, requests []Request) error {
	xs, err := read(file)
	if err != nil {
		return err
	}
	if len(requests) > len(xs) {
		return fmt.Errorf("cassette %s: %d requests for %d exchanges", file, len(requests), len(xs))
	}
	var b bytes.Buffer
	for i, x := range xs {
		req := x.Request
		if i < len(requests) {
			req = requests[i]
		}
		if err := writeLine(&b, req, x.raw, x.Synthetic); err != nil {
			return err
		}
	}
	return replace(file, b.Bytes())
}

func replace(file string, data []byte) (err error) {
	mode := os.FileMode(0o644)
	if st, err := os.Stat(file); err == nil {
		mode = st.Mode().Perm()
	}
	t, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("cassette: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(t.Name())
		}
	}()
	if _, err = t.Write(data); err == nil {
		err = t.Chmod(mode)
	}
	if cerr := t.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(t.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("cassette: %w", err)
	}
	return nil
}
