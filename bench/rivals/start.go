//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// starts is how often each command is started.
const starts = 15

// startTable prints what the first Kibitz takes for commands that do next to nothing, and
// beside it what a match of one game takes the rivals.
func (s *settings) startTable(w io.Writer, dir string, runners []runner) error {
	path, err := filepath.Abs(s.kibitz[0])
	if err != nil {
		return err
	}
	type command struct {
		name string
		argv func(out string) []string
	}
	list := []command{
		{"kibitz version", func(string) []string { return []string{path, "version"} }},
		{"kibitz --help", func(string) []string { return []string{path, "--help"} }},
	}
	for _, r := range runners {
		if !r.single {
			name := fmt.Sprintf("%s: a match of one game, %d moves", r.name, r.plies)
			list = append(list, command{name, func(out string) []string { return r.command(play{games: 1, at: 1, out: out}) }})
		}
	}
	fmt.Fprintf(w, "A start, %d of each by turns\n\n| command | ms | own processor ms |\n|---|---|---|\n", starts)
	took := make([][]usage, len(list))
	for n := range starts {
		for i, c := range list {
			u, _, err := measure(dir, c.argv(filepath.Join(dir, fmt.Sprintf("start-%d-%d", n, i))))
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			took[i] = append(took[i], u)
		}
	}
	for i, c := range list {
		fmt.Fprintf(w, "| %s | %s | %s |\n", c.name, spread(took[i], func(u usage) float64 { return ms(u.wall) }, 1),
			spread(took[i], func(u usage) float64 { return ms(u.own) }, 0))
	}
	return nil
}

// tries is how often a cost is measured; the least is taken, when nothing came between.
const tries = 20

// callCost is what a call of the system takes that does nothing.
func callCost() time.Duration {
	const calls = 2000
	return least(func() time.Duration {
		began := time.Now()
		for range calls {
			_, _, _ = unix.RawSyscall(unix.SYS_GETPPID, 0, 0, 0)
		}
		return time.Since(began) / calls
	})
}

// pageCost is what the first use of a page of memory takes.
func pageCost() time.Duration {
	const pages = 500
	size := os.Getpagesize()
	return least(func() time.Duration {
		memory, err := unix.Mmap(-1, 0, pages*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return 0
		}
		defer func() { _ = unix.Munmap(memory) }()
		_ = unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
		began := time.Now()
		for i := range pages {
			memory[i*size] = 1
		}
		return time.Since(began) / pages
	})
}

func least(measure func() time.Duration) time.Duration {
	list := make([]time.Duration, tries)
	for i := range list {
		list[i] = measure()
	}
	return slices.Min(list)
}
