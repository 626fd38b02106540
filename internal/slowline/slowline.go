// Package slowline makes services slow for tests: what they answer passes through a relay
// that can hold it up, and heal.
package slowline

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"kibitz/internal/bell"
)

// Relay passes connections on to a service.
type Relay struct {
	network, address string
	listener         net.Listener
	wait             sync.WaitGroup

	mu      sync.Mutex
	late    time.Duration
	rate    int
	changed bell.Chime
	ended   bool
	open    map[net.Conn]bool
}

// Start begins a relay to a service (net.Dial) that ends with the test.
func Start(t testing.TB, network, address string) *Relay {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{network: network, address: address, listener: l, open: map[net.Conn]bool{}}
	r.wait.Go(r.accept)
	t.Cleanup(r.end)
	return r
}

// Address is where the relay listens.
func (r *Relay) Address() string { return r.listener.Addr().String() }

// Slow lets everything that the service says arrive late, and no more than rate bytes a second
// on each connection: 0 for all. Slow(0, 0) heals: what was held up comes at once.
func (r *Relay) Slow(late time.Duration, rate int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late, r.rate = late, rate
	r.changed.Ring()
}

func (r *Relay) state() (late time.Duration, rate int, changed <-chan struct{}, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.late, r.rate, r.changed.Next(), r.ended
}

func (r *Relay) end() {
	_ = r.listener.Close()
	r.mu.Lock()
	r.ended = true
	r.changed.Ring()
	for c := range r.open {
		_ = c.Close()
	}
	r.mu.Unlock()
	r.wait.Wait()
}

// keep remembers a connection, so that it ends with the relay.
func (r *Relay) keep(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[c] = true
	if r.ended {
		_ = c.Close()
	}
}

func (r *Relay) accept() {
	for {
		near, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.wait.Go(func() { r.serve(near) })
	}
}

func (r *Relay) serve(near net.Conn) {
	r.keep(near)
	defer near.Close() //nolint:errcheck // whoever is slow is not told
	far, err := (&net.Dialer{}).DialContext(context.Background(), r.network, r.address)
	if err != nil {
		return
	}
	r.keep(far)
	defer far.Close() //nolint:errcheck // as above
	r.wait.Go(func() {
		_, _ = io.Copy(far, near)
		_ = far.Close()
	})
	r.answers(near, far)
}

// piece is what the service said at once.
type piece struct {
	at   time.Time
	data []byte
}

// answers passes on what the service says.
func (r *Relay) answers(near, far net.Conn) {
	pieces := make(chan piece, 1<<12)
	r.wait.Go(func() {
		defer close(pieces)
		for {
			buf := make([]byte, 4<<10)
			n, err := far.Read(buf)
			if n > 0 {
				pieces <- piece{time.Now(), buf[:n]}
			}
			if err != nil {
				return
			}
		}
	})
	fault := false
	for p := range pieces {
		if !fault {
			fault = r.pass(near, p) != nil
		}
	}
}

// pass writes a piece when its time has come.
func (r *Relay) pass(near net.Conn, p piece) error {
	for {
		late, _, changed, ended := r.state()
		rest := time.Until(p.at.Add(late))
		if ended || late == 0 || rest <= 0 {
			break
		}
		select {
		case <-changed:
		case <-time.After(rest):
		}
	}
	for len(p.data) > 0 {
		_, rate, changed, ended := r.state()
		n := len(p.data)
		if rate > 0 && !ended {
			n = min(n, max(1, rate/50))
			select {
			case <-changed:
			case <-time.After(time.Duration(n) * time.Second / time.Duration(rate)):
			}
		}
		if _, err := near.Write(p.data[:n]); err != nil {
			return err
		}
		p.data = p.data[n:]
	}
	return nil
}
