package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// script is a hall of which each game behaves in a way of its own.
func script(t *testing.T, at func() int64) *httptest.Server {
	var mu sync.Mutex
	addresses, visits := map[string]bool{}, map[string]int{}
	t.Cleanup(func() {
		if len(addresses) != 12 {
			t.Errorf("12 spectators come from %d addresses", len(addresses))
		}
	})
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		host, _, _ := strings.Cut(r.RemoteAddr, ":")
		addresses[host] = true
		visits[host]++
		again, since := visits[host] > 1, r.Header.Get("Last-Event-ID")
		mu.Unlock()
		rc := http.NewResponseController(w)
		say := func(format string, a ...any) {
			fmt.Fprintf(w, format, a...)
			_ = rc.Flush()
		}
		delta := func(prev, seq int) {
			say("id: 1-%d\nevent: delta\ndata: {\"prev\":%d,\"seq\":%d,\"at\":%d}\n\n", seq, prev, seq, at())
		}
		switch game := strings.Split(r.URL.Path, "/")[4]; {
		case game == "lossy":
			say("id: 1-1\nevent: view\ndata: {}\n\n")
			delta(1, 3)
			delta(5, 7) // one was lost
		case game == "torn" && !again:
			say("id: 1-1\nevent: view\ndata: {}\n\n")
			panic(http.ErrAbortHandler)
		case game == "torn" && since == "1-1":
			delta(1, 7)
		case game == "busy" && !again:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case game == "late":
			say("id: 1-1\nevent: view\ndata: {}\n\n")
			say("id: 1-7\nevent: view\ndata: {}\n\n")
		default:
			say("id: 1-7\nevent: view\ndata: {}\n\n")
		}
		say("event: over\ndata: {}\n\n")
	}))
}

// What goes wrong with a stream is counted as what it is, and spectators come back with
// what they have.
func TestCrowd(t *testing.T) {
	now := time.Now()
	srv := script(t, func() int64 { return now.Add(-70 * time.Millisecond).UnixMilli() })
	defer srv.Close()
	games := []string{"lossy", "torn", "busy", "late"}
	c, err := newCrowd(strings.TrimPrefix(srv.URL, "http://"), &options{games: 4, spectators: 12, arrivals: 1000}, func() []string { return games }, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	c.from, c.until = now.Add(-time.Hour).UnixMilli(), now.Add(time.Hour).UnixMilli()
	if err := c.run(2*time.Minute, func() bool { return c.tally.ends == 12 }); err != nil {
		t.Fatal(err)
	}
	got := c.tally
	got.bytes, got.why = 0, ""
	// Three spectators of each: of the lossy game three events, of the torn and the late
	// one two, of the busy one one.
	want := tally{frames: 24, snapshots: 15, late: 3, gaps: 3, ends: 12, broken: 3, failed: 3}
	if got != want {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if c.delays.n != 9 || c.delays.at(0) < 70*time.Millisecond {
		t.Errorf("%d delays from %s", c.delays.n, c.delays.at(0))
	}
	if n := c.behind(map[string]uint64{"torn": 7, "late": 8}); n != 3 || c.open != 0 {
		t.Errorf("%d are behind, %d connections are open", n, c.open)
	}
}

// Slow readers take their first event, nothing after it until they are woken, and are
// then as far as the others; they are counted apart.
func TestCrowdSlow(t *testing.T) {
	step := make(chan int)
	var here sync.WaitGroup
	here.Add(4)
	var served sync.WaitGroup
	served.Add(4)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer served.Done()
		rc := http.NewResponseController(w)
		fmt.Fprint(w, "id: 1-1\nevent: view\ndata: {}\n\n")
		_ = rc.Flush()
		here.Done()
		<-step
		fmt.Fprint(w, "id: 1-2\nevent: delta\ndata: {\"prev\":1,\"seq\":2,\"at\":1}\n\nevent: over\ndata: {}\n\n")
	}))
	defer srv.Close()
	c, err := newCrowd(strings.TrimPrefix(srv.URL, "http://"), &options{games: 1, spectators: 4, slow: 0.25, arrivals: 1000}, func() []string { return []string{"g"} }, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.run(2*time.Minute, func() bool { return c.tally.frames == 3 && c.slow.frames == 1 }); err != nil {
		t.Fatal(err)
	}
	here.Wait()
	close(step)
	if err := c.run(2*time.Minute, func() bool { return c.tally.ends == 3 }); err != nil {
		t.Fatal(err)
	}
	served.Wait()
	if c.slow.frames != 1 || c.open != 1 {
		t.Errorf("a silent spectator has read %d events; %d connections are open", c.slow.frames, c.open)
	}
	c.wake()
	if err := c.run(2*time.Minute, func() bool { return c.open == 0 }); err != nil {
		t.Fatal(err)
	}
	if c.slow.frames != 2 || c.slow.ends != 1 || c.slow.gaps+c.slow.broken+c.tally.gaps != 0 {
		t.Errorf("%+v", c.slow)
	}
}
