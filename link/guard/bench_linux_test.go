package guard_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"kibitz/link/guard"
)

// BenchmarkLaunch starts and ends the smallest program: without a supervisor, in a cell,
// and under limits.
func BenchmarkLaunch(b *testing.B) {
	w, err := guard.New(guard.Options{Temp: b.TempDir(), Token: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range []struct {
		name string
		w    *guard.Supervisor
		l    guard.Limits
	}{
		{"bare", nil, guard.Limits{}},
		{"cell", w, guard.Limits{}},
		{"handles", w, guard.Limits{Handles: 64}},
		{"files", w, guard.Limits{ReadOnly: true}},
		{"all", w, guard.Limits{Memory: 1 << 30, CPUTime: time.Minute, Processes: 64, Handles: 64, Temp: 1 << 20, NoNetwork: true, ReadOnly: true}},
	} {
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				c, err := k.w.Cell(k.l)
				if err != nil {
					b.Fatal(err)
				}
				pid, err := c.Launch("/bin/true", []string{"true"}, &syscall.ProcAttr{
					Env: os.Environ(), Files: []uintptr{null.Fd(), null.Fd(), null.Fd()}, Sys: &syscall.SysProcAttr{Setpgid: true},
				})
				if err != nil {
					b.Fatal(err)
				}
				_, _ = syscall.Wait4(pid, nil, 0, nil)
				c.Reaped()
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
