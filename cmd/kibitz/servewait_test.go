package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/internal/syncbuf"
)

// TestNATSAwaited starts halls and workers where there is no NATS, or not for them: each
// try is told with its reason, and after a minute the program gives up with status 2.
func TestNATSAwaited(t *testing.T) {
	queue, err := bus.Open(t.Context(), bus.Options{Folder: t.TempDir(), Listen: "127.0.0.1:0", Token: queueToken, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queue.Close() }) // after all that runs beside the others
	addr := queue.Addr().String()
	for name, c := range map[string]struct {
		args      []string
		url, want string
	}{
		"a hall with a wrong token": {[]string{"serve", "--addr", "127.0.0.1:0"}, "nats://wrong@" + addr, "waiting for NATS at " + addr + ", next try in 2 s: authorization violation: the token or password is not taken there"},
		"a worker with one":         {[]string{"worker"}, "nats://wrong@" + addr, "waiting for NATS at " + addr + ", next try in 2 s: authorization violation: the token or password is not taken there; Administration, Workers makes one"},
		"a hall without NATS":       {[]string{"serve", "--addr", "127.0.0.1:0"}, "nats://secret@127.0.0.1:1", "waiting for NATS at 127.0.0.1:1, next try in 2 s: nobody answers there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := append(slices.Clone(c.args), "--nats", c.url)
			if c.args[0] == "serve" {
				args = append(args, "--data", filepath.Join(dir, "hall"))
			}
			ctx, cancel := context.WithCancel(context.Background())
			var out, errs syncbuf.Buffer
			a := newApp()
			a.stdout, a.stderr, a.drain, a.ctx = &out, &errs, make(chan struct{}), ctx
			ended := make(chan int, 1)
			go func() { ended <- executeFull(a, args) }()
			for range 6000 {
				if strings.Contains(errs.String(), c.want) {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			cancel()
			if status := <-ended; status != 2 {
				t.Errorf("status %d", status)
			}
			if text := errs.String(); !strings.Contains(text, c.want) || strings.Contains(text, "secret") || strings.Contains(text, "wrong@") {
				t.Errorf("want %q:\n%s", c.want, text)
			}
		})
	}
}
