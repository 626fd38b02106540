package bus

import (
	"bytes"
	"net"
	"sync"
	"testing"
	"time"
)

// slowDown is a way to a server on which answers can stand still.
type slowDown struct {
	mu sync.Mutex // held while answers stand still
	// at is what begins that when it is on its way up, for how long; empty for nothing.
	at   []byte
	long time.Duration
}

// arm lets answers stand still for a while from the next question on that has the word.
func (s *slowDown) arm(word string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at, s.long = []byte(word), d
}

// up looks at a question before it goes on.
func (s *slowDown) up(data []byte) {
	s.mu.Lock()
	if len(s.at) == 0 || !bytes.Contains(data, s.at) {
		s.mu.Unlock()
		return
	}
	s.at = nil
	time.AfterFunc(s.long, s.mu.Unlock)
}

// way opens the way to an address, and returns the address of its near end.
func (s *slowDown) way(t *testing.T, to string) string {
	t.Helper()
	l := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	var wg sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	copied := func(from, to net.Conn, look func([]byte)) {
		defer from.Close()
		defer to.Close()
		buf := make([]byte, 64<<10)
		for {
			n, err := from.Read(buf)
			if n > 0 {
				look(buf[:n])
				_, err = to.Write(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}
	wg.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			wg.Go(func() { copied(near, far, s.up) })
			wg.Go(func() { copied(far, near, func([]byte) { s.mu.Lock(); s.mu.Unlock() }) }) //nolint:staticcheck // it waits
		}
	})
	return l.Addr().String()
}

// A job that the queue gives out while its answers stand still is played as soon as they go
// on, not when the lease has run out that nobody has.
func TestLateJob(t *testing.T) {
	for name, timeout := range map[string]time.Duration{"awaited": time.Minute, "given back": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const lease = 5 * time.Minute
			hall := open(t, Options{Listen: "127.0.0.1:0", Token: "s", Lease: lease})
			var slow slowDown
			b := open(t, Options{URL: "nats://" + slow.way(t, hall.Addr().String()), Token: "s", Lease: lease, Timeout: timeout})
			ctx := limit(t, 2*time.Minute)
			check(t, hall.Enqueue(ctx, Job{Game: "first"}))
			check(t, must(b.Take(ctx, none))(t).Done(ctx))
			slow.arm("CONSUMER.MSG.NEXT", 5*time.Second)
			check(t, hall.Enqueue(ctx, Job{Game: "late"}))
			d := must(b.Take(ctx, none))(t)
			if d.Job.Game != "late" {
				t.Errorf("took %+v", d.Job)
			}
			check(t, d.Done(ctx))
		})
	}
}
