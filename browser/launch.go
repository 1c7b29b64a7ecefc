package browser

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"harness/locate"
)

// Options say which browser to start and how. The zero value starts the first
// Chromium found, headless, without any way to the network.
type Options struct {
	Executable string // path or name of the browser; "": see find for where it is looked for
	Node       string // path or name of node, which runs the driver; "": the one on PATH
	DriverDir  string // folder of Playwright's driver; "": in the user's cache folder
	Headed     bool   // with a window
	// Network lets the browser reach the network. False seals it: no name and
	// no address resolves, so that what routing does not serve goes nowhere.
	Network bool
	Args    []string      // further arguments of the browser
	Timeout time.Duration // of the start; 0 means 30 s
	Log     *slog.Logger  // nil: silent
}

// Browser is a running Chromium with its driver. It is safe for concurrent
// use. Close it, or its processes stay.
type Browser struct {
	pw      *playwright.Playwright
	browser playwright.Browser
	opts    Options
	path    string
	issuer  *issuer
	temp    string // folder of what the browser leaves behind

	gone      chan struct{} // closed when the browser is no longer there
	goneOnce  sync.Once
	closing   chan struct{} // closed when Close begins
	closeOnce sync.Once
	closeErr  error

	mu       sync.Mutex
	contexts map[*Context]struct{}
	calls    sync.WaitGroup
}

// ErrCrashed says that the browser ended by itself; a new one must be launched.
var ErrCrashed = fmt.Errorf("%w: the browser crashed", locate.ErrPageClosed)

// args are for every browser: quiet, and nothing beyond what pages ask for.
var args = []string{
	"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--disable-domain-reliability",
}

// sealedArgs close every way out. No name and no address resolves but that of
// the worlds' own proxies, a name that pages do not know; WebRTC, which needs no
// name, may use a proxy alone.
func sealedArgs(proxyHost string) []string {
	return []string{
		"--host-resolver-rules=MAP " + proxyHost + " 127.0.0.1, MAP * ~NOTFOUND",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
	}
}

// Launch starts the driver and a browser. It fails with the command that mends
// it where something is missing.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("launch browser: %w", context.Cause(ctx))
	}
	setup := find(o)
	if err := setup.Err(); err != nil {
		return nil, err
	}
	is, err := newIssuer()
	if err != nil {
		return nil, fmt.Errorf("launch browser: certificate: %v", err)
	}
	temp, err := os.MkdirTemp("", "harness-browser-")
	if err != nil {
		return nil, fmt.Errorf("launch browser: %w", err)
	}
	b := &Browser{
		opts: o, issuer: is, temp: temp, path: setup.Browser.Path, contexts: map[*Context]struct{}{},
		gone: make(chan struct{}), closing: make(chan struct{}),
	}
	type started struct {
		pw  *playwright.Playwright
		br  playwright.Browser
		err error
	}
	done := make(chan started, 1)
	go func() {
		var s started
		s.pw, s.br, s.err = b.start(setup)
		if s.err != nil {
			b.clean()
		}
		done <- s
	}()
	select {
	case s := <-done:
		if s.err != nil {
			return nil, s.err
		}
		b.pw, b.browser = s.pw, s.br
	case <-ctx.Done():
		// The start ends by its own timeout; what it brought up goes at once.
		go func() {
			if s := <-done; s.err == nil {
				_ = s.br.Close()
				_ = s.pw.Stop()
				b.clean()
			}
		}()
		return nil, fmt.Errorf("launch browser: %w", context.Cause(ctx))
	}
	b.browser.OnDisconnected(func(playwright.Browser) { b.goneOnce.Do(func() { close(b.gone) }) })
	return b, nil
}

func (b *Browser) start(setup Setup) (*playwright.Playwright, playwright.Browser, error) {
	if err := os.Setenv("PLAYWRIGHT_NODEJS_PATH", setup.Node.Path); err != nil {
		return nil, nil, fmt.Errorf("launch browser: %v", err)
	}
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: setup.Driver.Path, Stdout: io.Discard, Stderr: io.Discard, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, nil, fmt.Errorf("launch browser: driver: %v", err)
	}
	stop := func(err error) (*playwright.Playwright, playwright.Browser, error) {
		_ = pw.Stop()
		return nil, nil, err
	}
	if err := pw.Selectors.Register(engineName, playwright.Script{Content: playwright.String(engineScript)}); err != nil {
		return stop(fmt.Errorf("launch browser: driver: %v", err))
	}
	timeout := b.opts.Timeout
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	all := append([]string{"--ignore-certificate-errors-spki-list=" + b.issuer.pin}, args...)
	if !b.opts.Network {
		all = append(all, sealedArgs(b.issuer.host)...)
	}
	br, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: playwright.String(setup.Browser.Path),
		Headless:       playwright.Bool(!b.opts.Headed),
		Args:           append(all, b.opts.Args...),
		Timeout:        playwright.Float(ms(timeout)),
		ArtifactsDir:   playwright.String(filepath.Join(b.temp, "artifacts")),
		Env:            environment(b.temp),
		HandleSIGINT:   playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
	})
	if err != nil {
		return stop(fmt.Errorf("launch %s: %s", setup.Browser.Path, firstLines(err, 6)))
	}
	return pw, br, nil
}

// environment is this process's own, with a place for temporary files that
// Close removes: a browser that crashes leaves them behind.
func environment(temp string) map[string]string {
	env := map[string]string{}
	for _, kv := range os.Environ() {
		if name, value, ok := strings.Cut(kv, "="); ok {
			env[name] = value
		}
	}
	env["TMPDIR"] = temp
	return env
}

// Version is the browser's version.
func (b *Browser) Version() string { return b.browser.Version() }

// Executable is the path of the browser that runs.
func (b *Browser) Executable() string { return b.path }

// Gone is closed as soon as the browser is no longer there, by Close or by a crash.
func (b *Browser) Gone() <-chan struct{} { return b.gone }

// Crashed reports whether the browser ended without Close.
func (b *Browser) Crashed() bool {
	select {
	case <-b.closing:
		return false
	default:
	}
	select {
	case <-b.gone:
		return true
	default:
		return false
	}
}

// clean removes what the browser left behind; a crashed one's last processes
// may still be writing.
func (b *Browser) clean() {
	for range 20 {
		if os.RemoveAll(b.temp) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Close ends all contexts, the browser and the driver, and waits until their
// processes and all calls have ended. A second Close does nothing.
func (b *Browser) Close() error {
	b.closeOnce.Do(func() {
		crashed := b.Crashed()
		close(b.closing)
		b.mu.Lock()
		open := make([]*Context, 0, len(b.contexts))
		for c := range b.contexts {
			open = append(open, c)
		}
		b.mu.Unlock()
		for _, c := range open {
			c.end()
		}
		if !crashed {
			b.closeErr = b.browser.Close()
		}
		if err := b.pw.Stop(); b.closeErr == nil && !crashed {
			b.closeErr = err
		}
		b.goneOnce.Do(func() { close(b.gone) })
		b.calls.Wait()
		b.clean()
	})
	if b.closeErr != nil {
		return fmt.Errorf("close browser: %v", b.closeErr)
	}
	return nil
}
