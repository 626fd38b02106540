package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/hall/api"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

// wire is a hall behind a real listener, where headers may take so long.
func wire(t *testing.T, s *testHall, heads time.Duration) string {
	t.Helper()
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = s.hall.Server()
	srv.Config.ReadHeaderTimeout = heads
	srv.Start()
	t.Cleanup(srv.Close)
	return srv.Listener.Addr().String()
}

// raw sends bytes and returns all that comes back until the connection ends.
func raw(t *testing.T, addr, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(2 * time.Minute))
	out, err := io.ReadAll(c)
	if ne, ok := err.(net.Error); ok && ne.Timeout() { //nolint:errorlint // of this connection
		t.Errorf("the connection stays open after %.60q, with %.100q", text, out)
	}
	return string(out)
}

// statuses are those of the answers in what came back.
func statuses(t *testing.T, text string) (list []int) {
	t.Helper()
	r := bufio.NewReader(strings.NewReader(text))
	for {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			return list
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		list = append(list, res.StatusCode)
	}
}

// Clients that send slowly lose their connection, wherever the request is refused: no
// route, no account, another origin, too large, a bad token, a stream, or none of that.
func TestSlowBodies(t *testing.T) {
	h := newHouse(t, build{idle: true})
	anna := h.register("anna")
	if h.hall.Server().ReadHeaderTimeout > 10*time.Second || h.hall.Server().MaxHeaderBytes > 32<<10 {
		t.Error("headers may come later, or be larger, than is stated")
	}
	cookie := "Cookie: kibitz=" + anna.cookie["kibitz"] + "\r\n"
	// The hall's time runs behind the world's, so that of the 30 seconds that things may last there is
	// little left.
	h.later(-router.UsualTime + 500*time.Millisecond)
	bodies, heads := wire(t, h.testHall, time.Minute), wire(t, h.testHall, 300*time.Millisecond)
	for _, tc := range []struct {
		name, head string
		want       int
	}{
		{"no account", "POST /api/v1/saved HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nab", 401},
		{"no route", "POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nab", 404},
		{"another origin", "POST /api/v1/saved HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\nContent-Length: 1000\r\n\r\nab", 403},
		{"too large", "POST /api/v1/account/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nab", 413},
		{"bad token", "POST /api/v1/saved HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer kib_x\r\nContent-Length: 1000\r\n\r\nab", 401},
		{"with a key", "POST /api/v1/saved HTTP/1.1\r\nHost: x\r\n" + cookie + "Idempotency-Key: 0123456789abcdef\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\nab", 400},
		{"a stream", "GET /api/v1/lobby/events HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nab", 400},
		{"a stream in chunks", "GET /api/v1/lobby/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", 400},
		{"headers", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ", 0},
		{"a line", "GET /heal", 0},
	} {
		addr := bodies
		if tc.want == 0 {
			addr = heads
		}
		out := raw(t, addr, tc.head)
		if list := statuses(t, out); tc.want != 0 && (len(list) != 1 || list[0] != tc.want) {
			t.Errorf("%s: %v, want %d: %.200q", tc.name, list, tc.want, out)
		} else if tc.want == 0 && len(list) > 0 && list[0] < 400 {
			t.Errorf("%s: %v", tc.name, list)
		}
	}
	// Operations read their bodies themselves, each with a time of its own.
	n := 0
	for _, r := range h.hall.router.Routes() {
		if op := api.Operation(h.hall.api.OpenAPI(), r); op != nil && op.RequestBody != nil {
			if n++; op.BodyReadTimeout <= 0 || op.BodyReadTimeout > max(router.UsualTime, r.Time) || op.MaxBodyBytes <= 0 || op.MaxBodyBytes > records.ImportBody {
				t.Errorf("%s: a body may take %s and have %d bytes", r.Pattern(), op.BodyReadTimeout, op.MaxBodyBytes)
			}
		}
	}
	if n < 15 {
		t.Errorf("%d operations take a body", n)
	}
}

// heldListener accepts connections whose time to write passes when the test lets it.
type heldListener struct {
	net.Listener
	mu    sync.Mutex
	conns []*heldConn
}

func (l *heldListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	h := &heldConn{TCPConn: c.(*net.TCPConn)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = append(l.conns, h)
	return h, nil
}

// heldConn keeps until when it may be written to.
type heldConn struct {
	*net.TCPConn
	mu    sync.Mutex
	until time.Time
}

func (c *heldConn) SetWriteDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = at
	return nil
}

// Who stops reading an export is cut off, and his place is free again.
func TestSlowReader(t *testing.T) {
	h := newHouse(t, build{idle: true})
	anna := h.register("anna")
	h.addGame(store.Game{ID: "large", Listed: true, Attempt: 1}, `{"a":"`+strings.Repeat("a", 16<<20)+`"}`)
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = h.hall.Server()
	held := &heldListener{Listener: srv.Listener}
	srv.Listener = held
	srv.Start()
	t.Cleanup(srv.Close)
	var stuck []net.Conn
	for range records.MaxExports {
		c, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET /api/v1/games/export HTTP/1.1\r\nHost: x\r\nCookie: kibitz=%s\r\n\r\n", anna.cookie["kibitz"])
		_ = c.SetReadDeadline(time.Now().Add(2 * time.Minute))
		if _, err := c.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		stuck = append(stuck, c)
	}
	free := func() bool {
		return anna.do("GET", "/api/v1/games/export?player=nobody", nil).status == http.StatusOK
	}
	if free() {
		t.Fatal("there is place for one more export")
	}
	held.mu.Lock()
	for _, c := range held.conns {
		c.mu.Lock()
		if left := c.until.Sub(h.now()); c.until.IsZero() || left > router.Patience {
			t.Errorf("a reader has %s", left)
		}
		c.mu.Unlock()
		if err := c.TCPConn.SetWriteDeadline(time.Unix(1, 0)); err != nil {
			t.Error(err)
		}
	}
	held.mu.Unlock()
	limit := time.After(2 * time.Minute)
	for !free() {
		select {
		case <-limit:
			t.Fatal("exports wait for readers that do not read")
		case <-time.After(10 * time.Millisecond):
		}
	}
	for _, c := range stuck { // none of them has a proper end
		_ = c.SetReadDeadline(time.Now().Add(2 * time.Minute))
		out, err := io.ReadAll(c)
		if err == nil && bytes.HasSuffix(out, []byte("0\r\n\r\n")) {
			t.Error("an export that was broken off ends as if it were whole")
		}
	}
}

// Requests of which two readers could see different ends are refused, or the connection
// ends with them, so that nothing is hidden in one for the next.
func TestSmuggling(t *testing.T) {
	s := newSite(t, nil)
	addr := wire(t, s, time.Minute)
	const next = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	post := func(heads, body string) string {
		return "POST /api/v1/account/guest HTTP/1.1\r\nHost: x\r\n" + heads + "\r\n" + body + next
	}
	for _, tc := range []struct {
		name, text string
		want       int
	}{
		{"two lengths", post("Content-Length: 0\r\nContent-Length: 5\r\n", ""), 400},
		{"a list of lengths", post("Content-Length: 0, 5\r\n", ""), 400},
		{"a length with a sign", post("Content-Length: +5\r\n", "hello"), 400},
		{"a negative length", post("Content-Length: -1\r\n", ""), 400},
		{"a length in hexadecimal", post("Content-Length: 0x5\r\n", "hello"), 400},
		{"unknown coding", post("Transfer-Encoding: xchunked\r\n", ""), 501},
		{"two codings", post("Transfer-Encoding: chunked, identity\r\n", ""), 501},
		{"coding twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", ""), 501},
		{"space before the colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), 400},
		{"a name with a line break", post("X\r: 1\r\n", ""), 400},
		{"a name with a space", post("Content-Length\x00: 5\r\n", ""), 400},
		{"a value with NUL", post("X: a\x00b\r\n", ""), 400},
		{"no host", "GET /healthz HTTP/1.1\r\n\r\n" + next, 400},
		{"two hosts", "GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n" + next, 400},
		{"a broken chunk", post("Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n", "zz\r\n\r\n"), 0},
		{"a large header", post("X: "+strings.Repeat("a", 40<<10)+"\r\n", ""), 431},
		{"many headers", post(strings.Repeat("A: b\r\n", 8000), ""), 431},
		{"a long line", "GET /" + strings.Repeat("a", 60<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n" + next, 431},
		{"no HTTP", "HELO hall\r\n\r\n" + next, 400},
	} {
		out := raw(t, addr, tc.text)
		list := statuses(t, out)
		if len(list) > 1 || tc.want != 0 && (len(list) != 1 || list[0] != tc.want) {
			t.Errorf("%s: answers %v, want %d alone: %.300q", tc.name, list, tc.want, out)
		}
	}
	// With both, the coding counts, and nothing else: what follows is the next request.
	if list := statuses(t, raw(t, addr, post("Content-Length: 100\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"))); fmt.Sprint(list) != "[201 200]" && fmt.Sprint(list) != "[201]" && fmt.Sprint(list) != "[400]" {
		t.Errorf("length and coding: %v", list)
	}
}
