// Package proc runs an engine as a child process and talks to it in lines.
//
// A process is started as the leader of a session of its own, dies with Kibitz, and
// is never reaped before its whole group has been killed, so that the group's
// number cannot have passed to somebody else. A child that leaves the group
// (setsid) is the concern of the cell in which the process runs: see package guard.
package proc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"kibitz/link"
	"kibitz/link/guard"
)

// DefaultGrace is how long a process has between the request to end and being
// killed.
const DefaultGrace = 300 * time.Millisecond

// Spec says what to run.
type Spec struct {
	// Path is the absolute path of the executable; engines find their files
	// beside argv[0].
	Path string
	// Name is what the process finds as its own name in argv[0]; empty means
	// Path.
	Name string
	// Args are the arguments after the program's own name.
	Args []string
	// Dir is the working directory; empty means the folder of the executable.
	Dir string
	// Env is the environment, in which the last value of a variable counts; nil means
	// Kibitz's own.
	Env []string
	// Processors are those that the process may run on, by the system's numbers; none
	// means any. A process is bound from its first instruction on; one without limits
	// can loosen that. Only Linux binds processes: elsewhere starting fails.
	Processors []int
	// Supervisor makes the cell in which the process runs and from which nothing of it
	// escapes; nil means none. Limits need one.
	Supervisor *guard.Supervisor
	Limits     guard.Limits
	// Grace is the time between the request to end and the kill; zero means
	// DefaultGrace.
	Grace time.Duration
	// Options are those of the connection. Options.Now is needed.
	Options link.Options
}

// Dialer returns a link.Dialer that starts the process each time.
func Dialer(s Spec) link.Dialer {
	return func(ctx context.Context) (link.Conn, error) {
		c, err := Start(ctx, s)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}

// check completes the specification or says why it cannot be run.
func (s *Spec) check() error {
	if s.Options.Now == nil {
		return errors.New("a process needs a time source")
	}
	if !filepath.IsAbs(s.Path) {
		return fmt.Errorf("cannot start %q: the path must be absolute", s.Path)
	}
	s.Dir = cmp.Or(s.Dir, filepath.Dir(s.Path))
	s.Name = cmp.Or(s.Name, s.Path)
	if s.Grace <= 0 {
		s.Grace = DefaultGrace
	}
	if s.Env == nil {
		s.Env = os.Environ()
	}
	s.Env = guard.Environ(s.Env)
	if info, err := os.Stat(s.Dir); err != nil {
		return fmt.Errorf("cannot start %q in %q: %w", s.Path, s.Dir, reason(err))
	} else if !info.IsDir() {
		return fmt.Errorf("cannot start %q in %q: this is no folder", s.Path, s.Dir)
	}
	return nil
}

// explain turns the system's error into one for people.
func (s *Spec) explain(err error) error {
	hint := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, there := os.Stat(s.Path); there == nil {
			hint = ": the file is there, but the interpreter or loader that it names is not"
		}
	case errors.Is(err, fs.ErrPermission):
		hint = ": the file must be executable (chmod +x)"
	case errors.Is(err, syscall.ENOEXEC):
		hint = ": the file is no program of this machine; a script must begin with #!"
	}
	return fmt.Errorf("cannot start %q: %w%s", s.Path, reason(err), hint)
}

// reason strips the path that the message names already.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Usage is what a process consumed in all, known once it has ended.
type Usage struct {
	User, System time.Duration
	// MaxRSS is the largest resident size in bytes, 0 if unknown.
	MaxRSS int64
}
