//go:build unix

package proc

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link"
)

// errput is the standard error of a process. Its reader takes what comes when it comes;
// catchUp takes what is there now, so that what an engine has said before its answer, or
// before its end, is in the log of that game.
type errput struct {
	ring
	file *os.File
	raw  syscall.RawConn
	note func(line []byte)

	taking sync.Mutex // guards what follows: lines are shown in their order
	split  *link.Splitter
	ended  bool
}

func newErrput(f *os.File, note func(line []byte)) (*errput, error) {
	raw, err := f.SyscallConn()
	return &errput{file: f, raw: raw, note: note, split: link.NewSplitter(link.Limits{Line: ringLine})}, err
}

// collect reads to the end. A flood is slowed, so that it cannot take a processor away
// from the games.
func (e *errput) collect() {
	taken := 0
	for {
		n := 0
		err := e.raw.Read(func(fd uintptr) bool {
			var more bool
			n, more = e.take(fd)
			return n > 0 || !more
		})
		if err != nil || n == 0 {
			e.taking.Lock()
			e.end()
			e.taking.Unlock()
			return
		}
		if taken += n; taken > errPiece {
			taken = 0
			time.Sleep(errRest)
		}
	}
}

// catchUp takes what has been written by now, a flood in part.
func (e *errput) catchUp() {
	_ = e.raw.Control(func(fd uintptr) { // closed: all was read
		for taken := 0; taken < errPiece; {
			n, _ := e.take(fd)
			if n == 0 {
				return
			}
			taken += n
		}
	})
}

// take reads once without waiting and shows the lines. It returns how much it was, and
// whether there may be more.
func (e *errput) take(fd uintptr) (n int, more bool) {
	e.taking.Lock()
	defer e.taking.Unlock()
	if e.ended {
		return 0, false
	}
	var err error
	for {
		if n, err = unix.Read(int(fd), e.split.Space()); !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if n <= 0 {
		if more = errors.Is(err, unix.EAGAIN); !more {
			e.end()
		}
		return 0, more
	}
	e.split.Commit(n)
	for {
		line, ok := e.split.Next()
		if !ok {
			return n, true
		}
		e.show(line)
	}
}

// end shows what was left unfinished. The caller holds the mutex.
func (e *errput) end() {
	if e.ended {
		return
	}
	e.ended = true
	if rest := e.split.Rest(); len(rest) > 0 {
		e.show(rest)
	}
}

func (e *errput) show(line []byte) {
	e.add(line)
	e.note(line)
}
