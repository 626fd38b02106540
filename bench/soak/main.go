//go:build linux

// Command soak plays games of faulty engines mixed with honest ones for as long as it
// is told, and looks for wrong verdicts, for honest games that were not left alone, and
// for anything that is not given back: goroutines, file descriptors, threads, memory,
// processes, temporary files, control groups.
//
// Every game is played by a kibitz process as users run it. Short runs follow one
// another; each is first played with honest engines alone, one game at a time, and the
// same games must come out when faults play beside them. Long runs go on from the
// beginning to the end and are sampled from outside.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"kibitz/internal/testbin"
)

// settings are what the command line says.
type settings struct {
	duration time.Duration
	games    int
	workers  int
	longs    int
	every    time.Duration
	seed     uint64
	report   string
	only     string
}

func main() {
	var c settings
	flag.DurationVar(&c.duration, "duration", time.Hour, "how long to play")
	flag.IntVar(&c.games, "games", 0, "stop earlier, after so many games; 0: not")
	flag.IntVar(&c.workers, "runs", 2, "short runs at a time")
	flag.IntVar(&c.longs, "long", 3, "long runs beside them, up to 3")
	flag.DurationVar(&c.every, "every", 5*time.Second, "between two samples of a long run")
	flag.Uint64Var(&c.seed, "seed", 1, "of which faults meet, and at which moves")
	flag.StringVar(&c.report, "report", "", "write the tables into this file too")
	flag.StringVar(&c.only, "only", "", "short runs of one game and protocol, such as othello/nboard")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := c.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// errFound is returned when something was found.
var errFound = errors.New("not as it should be: see FOUND above")

// build builds the programs that are run.
func build(dir string) (programs, error) {
	p := programs{filepath.Join(dir, "kibitz"), filepath.Join(dir, "faultengine")}
	for path, pkg := range map[string]string{p.kibitz: "kibitz/cmd/kibitz", p.engine: "kibitz/internal/faultengine"} {
		if err := testbin.Compile(path, pkg, "CGO_ENABLED=0"); err != nil {
			return p, err
		}
	}
	return p, nil
}

// run plays and reports. The folder is removed when nothing was found.
func (c *settings) run(ctx context.Context) error {
	root, err := os.MkdirTemp("", "kibitz-soak-")
	if err != nil {
		return err
	}
	p, err := build(root)
	if err != nil {
		return err
	}
	s, err := newSoak(root, p, c.seed, os.Stderr)
	if err != nil {
		return err
	}
	s.only = c.only
	if len(s.fields()) == 0 {
		return fmt.Errorf("-only %s: there is no such field", c.only)
	}
	err = c.play(ctx, s)
	s.tell()
	if writeErr := s.write(c); writeErr != nil {
		err = errors.Join(err, writeErr)
	}
	if len(s.findings) > 0 {
		err = errors.Join(err, errFound)
	}
	if err != nil {
		return fmt.Errorf("%w; what was played is in %s", err, root)
	}
	return os.RemoveAll(root)
}

// play runs everything until the time is over.
func (c *settings) play(ctx context.Context, s *soak) error {
	ctx, cancel := context.WithTimeout(ctx, c.duration)
	defer cancel()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	note := func(err error) {
		if err == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
		cancel()
	}
	list := fields()
	for n := range min(c.longs, 3) {
		wg.Go(func() { note(s.long(ctx, n, &list[n], c.every)) })
	}
	var next atomic.Int64
	for range c.workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				note(s.short(ctx, int(next.Add(1)-1)))
				if n, _, _ := s.games(); c.games > 0 && n >= c.games {
					cancel()
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Minute):
				s.tell()
			}
		}
	}()
	wg.Wait()
	close(done)
	return errors.Join(errs...)
}
