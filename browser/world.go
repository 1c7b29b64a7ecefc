package browser

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// RefusedHeader marks an answer of a Handler as a refusal: the value is the
// reason, for people. The page gets the answer (a 404 is usual); the refusal is
// recorded in Context.Refused.
const RefusedHeader = "Harness-Refused"

// Refusal is a request that the world of a context did not serve.
type Refusal struct {
	URL    string
	Method string
	Reason string
	By     string // what asked: "document", "image", "worker", "fetch" …, with the page's address where it is known
}

func (r Refusal) String() string {
	return fmt.Sprintf("%s %s (%s): %s", r.Method, r.URL, r.By, r.Reason)
}

// world is the whole network of one context: a proxy on the loopback that
// ends every connection here and lets a Handler answer. Unlike routing, it
// sees everything that a page can send (redirects, workers of all kinds, pings,
// prefetches, downloads), with the browser's own rules for each.
type world struct {
	handler http.Handler
	issuer  *issuer
	clock   clock

	ln    net.Listener
	proxy *http.Server // takes what the browser sends to a proxy
	inner *http.Server // speaks inside the tunnels
	conns chanListener
	wg    sync.WaitGroup

	mu      sync.Mutex
	refused []Refusal
}

func newWorld(handler http.Handler, is *issuer, c clock) (*world, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("recorded world: %v", err)
	}
	w := &world{handler: handler, issuer: is, clock: c, ln: ln, conns: newChanListener(ln.Addr())}
	quiet := log.New(discard{}, "", 0)
	w.proxy = &http.Server{Handler: http.HandlerFunc(w.serveProxy), ErrorLog: quiet, ReadHeaderTimeout: time.Minute}
	w.inner = &http.Server{Handler: http.HandlerFunc(w.serve), ErrorLog: quiet, ReadHeaderTimeout: time.Minute}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	w.inner.Protocols = protocols
	w.wg.Go(func() { _ = w.proxy.Serve(ln) })
	w.wg.Go(func() { _ = w.inner.Serve(w.conns) })
	return w, nil
}

// address is what the browser is told.
func (w *world) address() string {
	return fmt.Sprintf("http://%s:%d", w.issuer.host, w.ln.Addr().(*net.TCPAddr).Port)
}

func (w *world) close() {
	_ = w.proxy.Close()
	w.conns.stop()
	_ = w.inner.Close()
	w.wg.Wait()
}

func (w *world) refusals() []Refusal {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Refusal(nil), w.refused...)
}

func (w *world) refuse(r Refusal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused = append(w.refused, r)
}

// serveProxy opens a tunnel for CONNECT and answers plain requests itself.
func (w *world) serveProxy(rw http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		if r.URL.Host == "" {
			http.Error(rw, "this is a proxy", http.StatusBadRequest)
			return
		}
		w.serve(rw, r)
		return
	}
	conn, _, err := http.NewResponseController(rw).Hijack()
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	if _, err := conn.Write([]byte("HTTP/1.1 200 OK\r\n\r\n")); err != nil {
		_ = conn.Close()
		return
	}
	w.wg.Go(func() { w.tunnel(conn, r.Host) })
}

// tunnel looks at the first byte: TLS (https, wss) or plain (ws).
func (w *world) tunnel(conn net.Conn, address string) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	br := bufio.NewReader(conn)
	first, err := br.Peek(1)
	if err != nil {
		_ = conn.Close()
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	peeked := &peekedConn{Conn: conn, r: br}
	if first[0] != 0x16 {
		w.conns.give(peeked)
		return
	}
	cert, err := w.issuer.certificate(host)
	if err != nil {
		_ = conn.Close()
		return
	}
	w.conns.give(tls.Server(peeked, &tls.Config{Certificates: []tls.Certificate{*cert}, NextProtos: []string{"h2", "http/1.1"}}))
}

// serve lets the handler answer one request, and names what is refused.
func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	r.URL.Host = r.Host
	if r.URL.Scheme == "" {
		r.URL.Scheme = "http"
		if r.TLS != nil {
			r.URL.Scheme = "https"
		}
	}
	r.RequestURI = ""
	if reason := unserved(r); reason != "" {
		w.refuse(Refusal{URL: r.URL.String(), Method: r.Method, Reason: reason, By: asker(r)})
		rw.Header().Set(RefusedHeader, reason)
		http.Error(rw, "refused: "+reason, http.StatusForbidden)
		return
	}
	out := &answer{ResponseWriter: rw, clock: w.clock, request: r}
	w.handler.ServeHTTP(out, r)
	out.finish()
	// The browser asks for this one by itself; that no page wants it is no news.
	icon := r.URL.Path == "/favicon.ico" && r.Header.Get("Sec-Fetch-Dest") == "image"
	if reason := rw.Header().Get(RefusedHeader); reason != "" && !icon {
		w.refuse(Refusal{URL: r.URL.String(), Method: r.Method, Reason: reason, By: asker(r)})
	}
}

// unserved says why no recorded world serves the request; "" if it may.
func unserved(r *http.Request) string {
	switch {
	case r.Header.Get("Service-Worker") == "script":
		return "service workers are not part of a recorded site"
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"), r.Method == http.MethodConnect:
		return "WebSockets are not part of a recorded site"
	}
	return ""
}

// asker says what made the request, from what the browser sends along.
func asker(r *http.Request) string {
	by := r.Header.Get("Sec-Fetch-Dest")
	switch {
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket") || by == "websocket":
		by = "websocket"
	case by == "empty" && r.Header.Get("Ping-To") != "":
		by = "ping"
	case by == "empty":
		by = "fetch"
	case by == "":
		by = "request"
	}
	from := r.Header.Get("Referer")
	if from == "" {
		from = r.Header.Get("Origin")
	}
	if u, err := url.Parse(from); err == nil && u.Host != "" {
		by += " of " + from
	}
	return by
}

// chanListener is a net.Listener over connections that are already there.
type chanListener struct {
	addr  net.Addr
	conns chan net.Conn
	done  context.Context
	end   context.CancelFunc
}

func newChanListener(addr net.Addr) chanListener {
	done, end := context.WithCancel(context.Background())
	return chanListener{addr: addr, conns: make(chan net.Conn), done: done, end: end}
}

func (l chanListener) stop() { l.end() }

func (l chanListener) give(c net.Conn) {
	select {
	case l.conns <- c:
	case <-l.done.Done():
		_ = c.Close()
	}
}

// Accept waits for the next connection; net.ErrClosed after stop.
func (l chanListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done.Done():
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l chanListener) Close() error { l.end(); return nil }

// Addr is the proxy's address.
func (l chanListener) Addr() net.Addr { return l.addr }

// peekedConn is a connection whose first bytes are in a reader already.
type peekedConn struct {
	net.Conn
	r *bufio.Reader
}

// Read reads what was peeked at first.
func (c *peekedConn) Read(p []byte) (int, error) { return c.r.Read(p) }

type discard struct{}

// Write drops p.
func (discard) Write(p []byte) (int, error) { return len(p), nil }
