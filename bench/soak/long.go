//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// longRun is a kibitz that plays from the beginning of a soak to its end.
type longRun struct {
	field   *field
	samples []sample
	games   int
	// goroutines are those of a process that has played some rounds, and those at the
	// end of the run; both when no game runs.
	first, last int
	most        int // that they may rise by
}

// long plays one run until the context ends, and looks at it every now and then.
func (s *soak) long(ctx context.Context, n int, f *field, every time.Duration) error {
	random := s.random(1_000_000 + n)
	r, err := newRun(filepath.Join(s.root, fmt.Sprintf("long-%d", n)), s.programs)
	if err != nil {
		return err
	}
	r.plan = newPlan(f, s.enduring(f, random), random, r.dir, true)
	l := &longRun{field: f, most: 10 + len(r.plan.entrants)}
	s.mu.Lock()
	s.longs = append(s.longs, l)
	s.mu.Unlock()
	ref, err := s.reference(ctx, r, 2)
	if err != nil || ctx.Err() != nil {
		return err
	}
	file := r.plan.file(r.dir, true, r.plan.rounds)
	if err := r.start(file); err != nil {
		return err
	}
	for len(r.since(0)) < 3*2*gauntlet*(len(r.plan.entrants)-gauntlet) && ctx.Err() == nil && r.idle() < mostIdle {
		time.Sleep(every / 10)
	}
	if l.first, err = s.goroutines(r); err != nil {
		return err
	}
	if err := r.start(file); err != nil {
		return err
	}
	right, err := s.watch(ctx, r, l, every)
	if err != nil {
		return err
	}
	if l.last, err = s.goroutines(r); err != nil {
		return err
	}
	if l.last > l.first+l.most {
		right = false
		s.found(r, "%d goroutines at the end, %d at the beginning", l.last, l.first)
	}
	for _, c := range courses(l.samples) {
		if c.leaks() {
			right = false
			s.found(r, "a leak: %s from %.1f to %.1f, by more than %.1f", c.what, c.first, c.last, c.most)
		}
	}
	return s.finish(r, ref, right)
}

// enduring are the faults of a long run: few that take seconds each.
func (s *soak) enduring(f *field, r interface{ IntN(n int) int }) []*fault {
	var out []*fault
	for i := range s.list {
		x := &s.list[i]
		switch x.mode {
		case "crash", "signal", "hang", "illegal", "closeout", "forkexit", "daemon", "zombies", "errflood", "memory", "filltmp", "none",
			"noterm", "half", "connect":
			if x.knows(f.proto) {
				out = append(out, x)
			}
		}
	}
	for len(out) > 10 {
		i := r.IntN(len(out))
		out = append(out[:i], out[i+1:]...)
	}
	return out
}

// watch samples a run and judges its games until the context ends.
func (s *soak) watch(ctx context.Context, r *run, l *longRun, every time.Duration) (right bool, err error) {
	right = true
	began, judged := time.Now(), 0
	for i := 1; ; i++ {
		over := false
		select {
		case <-r.ended:
			return false, fmt.Errorf("%s: the run has ended by itself: %w\n%s", r.dir, r.status(), r.stderr)
		case <-ctx.Done():
			over = true
		case <-time.After(every):
		}
		quiet := over || i%20 == 0
		if quiet {
			if err := r.pause(); err != nil {
				return false, err
			}
		}
		x, err := look(r.pid, r.temp())
		if err != nil {
			return false, err
		}
		n := len(r.since(0))
		right = s.judge(r, judged) && right
		judged = n
		x.at, x.games, x.quiet = time.Since(began), n, quiet
		s.mu.Lock()
		l.samples, l.games = append(l.samples, x), n
		s.mu.Unlock()
		if over {
			return right, nil
		}
		if quiet {
			if err := r.order("continue"); err != nil {
				return false, err
			}
		}
		if r.idle() > mostIdle {
			_ = r.cmd.Process.Signal(syscall.SIGABRT)
			<-r.ended
			return false, fmt.Errorf("%s hung: no game has ended for %v:\n%s", r.dir, mostIdle, r.stderr)
		}
	}
}

// order gives the run an order.
func (r *run) order(words ...string) error {
	out, err := exec.Command(r.kibitz(), append([]string{"control", r.out()}, words...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("kibitz control %v: %w: %s", words, err, out)
	}
	return nil
}

// pause waits until no game of the run is running.
func (r *run) pause() error {
	if err := r.order("pause"); err != nil {
		return err
	}
	for end := time.Now().Add(mostIdle); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		out, err := exec.Command(r.kibitz(), "control", "--json", r.out(), "status").Output()
		if err != nil {
			return fmt.Errorf("kibitz control status: %w", err)
		}
		var where struct {
			Running []string `json:"running"`
		}
		if err := json.Unmarshal(out, &where); err != nil {
			return fmt.Errorf("kibitz control status: %w: %s", err, out)
		}
		if len(where.Running) == 0 {
			time.Sleep(time.Second) // for engines that are being ended
			return nil
		}
	}
	return fmt.Errorf("%s: games go on %v after pause", r.dir, mostIdle)
}

var goroutine = regexp.MustCompile(`(?m)^goroutine \d+ .*\[`)

// goroutines ends a run in a pause, in the way that tells its goroutines, and counts
// them. What its engines have left elsewhere is ended by the next kibitz.
func (s *soak) goroutines(r *run) (int, error) {
	if err := r.pause(); err != nil {
		return 0, err
	}
	if err := r.cmd.Process.Signal(syscall.SIGABRT); err != nil {
		return 0, err
	}
	<-r.ended
	n := len(goroutine.FindAllString(r.stderr.String(), -1))
	if n == 0 {
		return 0, fmt.Errorf("%s: no goroutines are told of:\n%s", r.dir, r.stderr)
	}
	next := exec.Command(r.kibitz(), "match", "--quiet", "--game", "nogo:size=5", "--max-moves", "2", "--games", "1", "--out",
		filepath.Join(r.dir, "next"),
		"--engine", "bot=random", "--engine", fmt.Sprintf(`cmd='"%s/engine/faultengine" -proto sau -game nogo' proto=sau`, r.dir))
	next.Env, next.Dir = append(os.Environ(), "TMPDIR="+r.temp()), r.dir
	if out, err := next.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("the kibitz after one that was killed: %w: %s", err, out)
	}
	if err := os.RemoveAll(filepath.Join(r.dir, "next")); err != nil {
		return 0, err
	}
	if left := r.leftovers(); len(left) > 0 {
		s.found(r, "left behind by a kibitz that was killed: %v", left)
	}
	return n, nil
}
