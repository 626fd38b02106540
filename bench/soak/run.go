//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// secret is what a file holds that is none of the engines' business.
const secret = "the opponent's thoughts\n"

// programs are the paths of the programs that are run.
type programs struct{ kibitz, engine string }

// run is one kibitz process with a folder of its own.
type run struct {
	dir  string
	plan *plan
	pid  int

	cmd    *exec.Cmd
	stderr *tail
	mu     sync.Mutex
	games  []played
	last   time.Time // when the latest game ended
	ended  chan struct{}
	err    error // of the process, after ended
}

// newRun makes the folder of a run.
func newRun(dir string, p programs) (*run, error) {
	r := &run{dir: dir, ended: make(chan struct{})}
	err := errors.Join(
		os.MkdirAll(filepath.Join(dir, "engine"), 0o700), os.MkdirAll(filepath.Join(dir, "own"), 0o700), os.MkdirAll(r.temp(), 0o700),
		os.Link(p.kibitz, filepath.Join(dir, "own", "kibitz")), os.Link(p.engine, filepath.Join(dir, "engine", "faultengine")),
		os.WriteFile(filepath.Join(dir, "secret"), []byte(secret), 0o600))
	return r, err
}

func (r *run) temp() string { return filepath.Join(r.dir, "tmp") }

func (r *run) out() string { return filepath.Join(r.dir, "out") }

func (r *run) kibitz() string { return filepath.Join(r.dir, "own", "kibitz") }

// start begins to play.
func (r *run) start(file string) error {
	name := filepath.Join(r.dir, "run.toml")
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		return err
	}
	if err := os.RemoveAll(r.out()); err != nil {
		return err
	}
	r.cmd = exec.Command(r.kibitz(), "run", "--json", "--quiet", "--out", r.out(), name)
	r.cmd.Env = append(os.Environ(), "TMPDIR="+r.temp())
	r.cmd.Dir = r.dir
	r.stderr = &tail{}
	r.cmd.Stderr = r.stderr
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := r.cmd.Start(); err != nil {
		return err
	}
	r.pid, r.last, r.games = r.cmd.Process.Pid, time.Now(), nil
	r.ended = make(chan struct{})
	go func() {
		defer close(r.ended)
		sc := bufio.NewScanner(stdout)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			r.heard(sc.Bytes())
		}
		r.err = errors.Join(sc.Err(), r.cmd.Wait())
	}()
	return nil
}

// heard takes note of a line of the run.
func (r *run) heard(line []byte) {
	var g played
	if json.Unmarshal(line, &g) != nil || g.Type != "game" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.games, r.last = append(r.games, g), time.Now()
}

// since returns the games that ended after the first n.
func (r *run) since(n int) []played {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.games[n:len(r.games):len(r.games)]
}

// idle is how long no game has ended.
func (r *run) idle() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.last)
}

// mostIdle is how long no game may end.
const mostIdle = 4 * time.Minute

// mostEnding is how long running games may take once the time is over.
const mostEnding = 20 * time.Second

// wait waits for the process to end. One that hangs is asked for its goroutines, which
// ends it. When the context ends the run is asked to end its games, and told to stop if
// they take long.
func (r *run) wait(ctx context.Context) error {
	stop := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case <-r.ended:
			return r.status()
		case <-stop:
			stop, late = nil, time.After(mostEnding)
			_ = r.cmd.Process.Signal(os.Interrupt) // it may have ended
		case <-late:
			_ = r.cmd.Process.Signal(os.Interrupt)
		case <-time.After(time.Second):
			if r.idle() > mostIdle {
				_ = r.cmd.Process.Signal(syscall.SIGABRT)
				<-r.ended
				return fmt.Errorf("it hung: no game has ended for %v:\n%s", mostIdle, r.stderr)
			}
		}
	}
}

// status judges how the process ended. Status 1 says that engines have failed, which
// they are here for.
func (r *run) status() error {
	if exit, ok := errors.AsType[*exec.ExitError](r.err); ok && exit.ExitCode() == 1 {
		return nil
	}
	if r.err != nil {
		return fmt.Errorf("kibitz run: %w: %s", r.err, r.stderr)
	}
	return nil
}

// remove deletes the folder of a run.
func (r *run) remove() error { return os.RemoveAll(r.dir) }

// tail keeps the end of what a process says.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 1 << 20

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, b...); len(t.text) > 2*tailSize {
		t.text = bytes.Clone(t.text[len(t.text)-tailSize:])
	}
	return len(b), nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
