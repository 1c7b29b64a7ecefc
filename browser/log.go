package browser

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Download is a file that a page offered.
type Download struct {
	At   time.Time
	URL  string
	Name string // as the page suggests it
	Path string // where it was saved; "" where the context keeps no downloads or it failed
	Err  string
}

// Message is what a page wrote on its console, or an error that nothing caught.
type Message struct {
	At   time.Time
	Type string // log, warning, error …; "uncaught" for an error that nothing caught
	Text string
	URL  string // of the script, with line and column
}

// pageLog is what happened to a page beside our acts.
type pageLog struct {
	dialogs   []Dialog
	downloads []Download
	messages  []Message
	events    []event // what the Go side sees of effects, newest last
	pending   map[playwright.Request]time.Time
}

// event is a change that no page script sees.
type event struct {
	at    time.Time
	what  string
	where string // of a request: the address without its query
}

// kept bounds the lists of a page that goes on and on.
const kept = 1000

func keep[T any](list []T, v T) []T {
	if len(list) >= kept {
		list = append(list[:0:0], list[kept/2:]...)
	}
	return append(list, v)
}

func (p *Page) note(e event) {
	e.at = time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.events = keep(p.log.events, e)
}

func (p *Page) listenLog() {
	p.pw.OnDialog(p.onDialog)
	p.pw.OnDownload(p.onDownload)
	p.pw.OnConsole(func(m playwright.ConsoleMessage) {
		at := ""
		if l := m.Location(); l != nil && l.URL != "" {
			at = fmt.Sprintf("%s:%d:%d", l.URL, l.LineNumber+1, l.ColumnNumber+1)
		}
		p.message(Message{At: time.Now(), Type: m.Type(), Text: m.Text(), URL: at})
	})
	p.pw.OnPageError(func(err error) {
		p.message(Message{At: time.Now(), Type: "uncaught", Text: strings.TrimPrefix(err.Error(), "playwright: ")})
	})
	p.pw.OnPopup(func(pop playwright.Page) {
		p.c.page(pop)
		p.note(event{what: "a new tab opened"})
	})
	p.pw.OnFrameNavigated(func(f playwright.Frame) {
		if f == p.pw.MainFrame() {
			p.note(event{what: "address is now " + f.URL()})
		}
	})
	p.pw.OnRequest(p.onRequest)
	p.pw.OnResponse(func(r playwright.Response) { p.onRequestEnd(r.Request()) })
	p.pw.OnRequestFinished(p.onRequestEnd)
	p.pw.OnRequestFailed(p.onRequestEnd)
}

func (p *Page) message(m Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.messages = keep(p.log.messages, m)
}

func (p *Page) onRequest(r playwright.Request) {
	kind := r.ResourceType()
	p.mu.Lock()
	p.log.pending[r] = time.Now()
	p.mu.Unlock()
	switch kind {
	case "document", "fetch", "xhr", "script":
	default: // pictures, fonts and pings follow from something else, or from nothing
		return
	}
	where, _, _ := strings.Cut(r.URL(), "?")
	p.note(event{what: fmt.Sprintf("request: %s %s", r.Method(), shortURL(r.URL())), where: where})
}

func (p *Page) onRequestEnd(r playwright.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.log.pending, r)
}

func shortURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s[:min(len(s), 80)]
	}
	return u.Host + u.Path
}

func copyOf[T any](p *Page, list *[]T) []T {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]T(nil), *list...)
}

// Dialogs lists the dialogs that opened, in order.
func (p *Page) Dialogs() []Dialog { return copyOf(p, &p.log.dialogs) }

// Downloads lists the files that the page offered, in order.
func (p *Page) Downloads() []Download { return copyOf(p, &p.log.downloads) }

// Console lists what the page wrote and the errors that nothing caught, in order.
func (p *Page) Console() []Message { return copyOf(p, &p.log.messages) }
