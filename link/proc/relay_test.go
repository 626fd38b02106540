//go:build unix

package proc_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"kibitz/internal/testbin"
	"kibitz/link"
	"kibitz/link/proc"
)

// BenchmarkRelay passes moves between two instant engines, with nothing between
// them but the connections: one operation is one move, games have 65 plies. The
// floor is bench/relay.c, the same without any of the care.
func BenchmarkRelay(b *testing.B) {
	path, remove, err := testbin.InstantEngine()
	if errors.Is(err, testbin.ErrNoCompiler) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(remove)
	for _, observed := range []bool{false, true} {
		name := "silent"
		if observed {
			name = "observed"
		}
		b.Run(name, func(b *testing.B) { relay(b, path, observed) })
	}
}

func relay(b *testing.B, path string, observed bool) {
	o := link.Options{Now: time.Now}
	var bytes int
	if observed {
		o.Observe = func(_ link.Direction, _ time.Time, line []byte) { bytes += len(line) }
	}
	var conns [2]*proc.Conn
	for i := range conns {
		c, err := proc.Start(b.Context(), proc.Spec{Path: path, Options: o})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = c.Close() })
		conns[i] = c
	}
	ask := func(i int, text []byte) []byte {
		if err := conns[i].Write(text); err != nil {
			b.Fatal(err)
		}
		line, err := conns[i].ReadLine(time.Now().Add(time.Minute))
		if err != nil {
			b.Fatal(err)
		}
		return line
	}
	before := cpu()
	turn := []byte("TURN ")
	ply := 65
	var move []byte
	b.ReportAllocs()
	for b.Loop() {
		if ply == 65 {
			ply = 0
			ask(0, []byte("START 15\n"))
			ask(1, []byte("START 15\n"))
			move = ask(0, []byte("BEGIN\n"))
		} else {
			turn = append(append(turn[:5], move...), '\n')
			move = ask(ply&1, turn)
		}
		ply++
	}
	b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
}

// cpu returns the processor time of this process alone.
func cpu() time.Duration {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}
