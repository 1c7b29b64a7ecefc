package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
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
var ErrCrashed = errors.New("browser crashed")

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
	setup := find(o)
	if err := setup.Err(); err != nil {
		return nil, err
	}
	is, err := newIssuer()
	if err != nil {
		return nil, fmt.Errorf("launch browser: certificate: %v", err)
	}
	b := &Browser{
		opts: o, issuer: is, path: setup.Browser.Path, contexts: map[*Context]struct{}{},
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
		s.pw, s.br, s.err = start(o, setup, is)
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
			}
		}()
		return nil, fmt.Errorf("launch browser: %w", context.Cause(ctx))
	}
	b.browser.OnDisconnected(func(playwright.Browser) { b.goneOnce.Do(func() { close(b.gone) }) })
	return b, nil
}

func start(o Options, setup Setup, is *issuer) (*playwright.Playwright, playwright.Browser, error) {
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
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	all := append([]string{"--ignore-certificate-errors-spki-list=" + is.pin}, args...)
	if !o.Network {
		all = append(all, sealedArgs(is.host)...)
	}
	br, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: playwright.String(setup.Browser.Path),
		Headless:       playwright.Bool(!o.Headed),
		Args:           append(all, o.Args...),
		Timeout:        playwright.Float(float64(o.Timeout.Milliseconds())),
		HandleSIGINT:   playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
	})
	if err != nil {
		return stop(fmt.Errorf("launch %s: %s", setup.Browser.Path, firstLines(err, 6)))
	}
	return pw, br, nil
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
	})
	if b.closeErr != nil {
		return fmt.Errorf("close browser: %v", b.closeErr)
	}
	return nil
}
