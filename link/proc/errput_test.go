//go:build unix

package proc_test

import (
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
)

// What a process has written to its standard error is shown and told before anything
// that is done later: when its answer is there, when it has ended, and when it is closed.
func TestErrputIsComplete(t *testing.T) {
	// So much that the reader of a flood takes a rest.
	const flood = "yes on and on | head -c 290000 >&2; echo last >&2; "
	for _, tt := range []struct {
		name, script string
		until        func(t *testing.T, c *proc.Conn)
	}{
		{"it answers", flood + "echo move; cat >/dev/null", func(t *testing.T, c *proc.Conn) {
			expect(t, c, "move")
			c.Flush()
		}},
		{"it answers, evidence is asked for", flood + "echo move; cat >/dev/null", func(t *testing.T, c *proc.Conn) {
			expect(t, c, "move")
			if got := c.Stderr(); len(got) == 0 || got[len(got)-1] != "last" {
				t.Errorf("evidence of %d lines", len(got))
			}
		}},
		{"it ends within a line", flood + "printf last >&2", func(t *testing.T, c *proc.Conn) {
			expectErr(t, c, time.Minute, io.EOF)
			c.Flush()
		}},
		{"it is closed when it has ended", flood, func(t *testing.T, c *proc.Conn) {
			for _, gone := c.Exited(); !gone; _, gone = c.Exited() {
				time.Sleep(time.Millisecond)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 10 {
				var mu sync.Mutex
				var lines []string
				heard := func(d link.Direction, _ time.Time, line []byte) {
					mu.Lock()
					defer mu.Unlock()
					if d == link.Errput {
						lines = append(lines, string(line))
					}
				}
				c, err := proc.Start(t.Context(), proc.Spec{
					Path: "/bin/sh", Args: []string{"-c", tt.script}, Options: link.Options{Now: time.Now, Observe: heard},
				})
				if err != nil {
					t.Fatal(err)
				}
				tt.until(t, c)
				mu.Lock()
				got := slices.Clone(lines)
				mu.Unlock()
				if n := len(got); n < 20_000 || got[n-1] != "last" {
					t.Errorf("%d lines, the last %q", n, got[max(0, n-1):])
				}
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
