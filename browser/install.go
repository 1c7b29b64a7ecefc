package browser

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/mxschmitt/playwright-go"
)

// InstallOptions say what to install.
type InstallOptions struct {
	Options           // where things stand or go
	Out     io.Writer // progress, for people; nil: nowhere
	Browser bool      // install Playwright's Chromium where none is found
	Force   bool      // install Playwright's Chromium even where one is found
}

// Install brings in Playwright's driver and, where asked and needed, a
// browser. What is there already is left alone. Node must be there.
func Install(ctx context.Context, o InstallOptions) error {
	if o.Out == nil {
		o.Out = io.Discard
	}
	s := find(o.Options)
	if !s.Node.OK() {
		return fmt.Errorf("install: %w", &SetupError{Part: s.Node})
	}
	if !s.Driver.OK() {
		if err := installDriver(ctx, o, s.Node.Path); err != nil {
			return err
		}
	}
	if o.Force || o.Browser && !s.Browser.OK() && o.Executable == "" {
		return InstallBrowser(ctx, o)
	}
	return nil
}

func installDriver(ctx context.Context, o InstallOptions, node string) error {
	dir, version, err := driverDir(o.Options)
	if err != nil {
		return fmt.Errorf("install driver: %w", err)
	}
	if found := driverVersion(dir); found != "" && found != version {
		if err := os.RemoveAll(filepath.Join(dir, "package")); err != nil {
			return fmt.Errorf("install driver: %w", err)
		}
	}
	fmt.Fprintf(o.Out, "driver: Playwright %s to %s\n", version, dir)
	// The library takes node from the environment alone.
	if err := os.Setenv("PLAYWRIGHT_NODEJS_PATH", node); err != nil {
		return fmt.Errorf("install driver: %w", err)
	}
	done := make(chan error, 1)
	go func() {
		done <- playwright.Install(&playwright.RunOptions{
			DriverDirectory: dir, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard, Logger: slog.New(slog.DiscardHandler),
		})
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("install driver: %v", err)
		}
		return nil
	case <-ctx.Done():
		// The download has no ctx; it ends by itself, and a part of it is replaced next time.
		return fmt.Errorf("install driver: %w", context.Cause(ctx))
	}
}

// InstallBrowser brings in the Chromium that Playwright's installer gives,
// beside the driver. The driver must be there.
func InstallBrowser(ctx context.Context, o InstallOptions) error {
	if o.Out == nil {
		o.Out = io.Discard
	}
	s := find(o.Options)
	if !s.Node.OK() {
		return fmt.Errorf("install browser: %w", &SetupError{Part: s.Node})
	}
	if !s.Driver.OK() {
		return fmt.Errorf("install browser: %w", &SetupError{Part: s.Driver})
	}
	to := browsersDir(s.Driver.Path)
	fmt.Fprintf(o.Out, "browser: Playwright's Chromium to %s\n", to)
	cmd := exec.CommandContext(ctx, s.Node.Path, filepath.Join(s.Driver.Path, "package", "cli.js"), "install", "chromium", "--no-shell")
	cmd.Env = append(os.Environ(), "PLAYWRIGHT_BROWSERS_PATH="+to)
	tail := &tail{max: 2000}
	cmd.Stdout = io.MultiWriter(o.Out, tail)
	cmd.Stderr = cmd.Stdout
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("install browser: %w\n%s", err, tail)
	}
	return nil
}

// tail keeps the last bytes written to it.
type tail struct {
	max int
	b   []byte
}

// Write keeps the end of p.
func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if over := len(t.b) - t.max; over > 0 {
		t.b = t.b[over:]
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.b) }
