package orders

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"kibitz/internal/plain"
	"kibitz/internal/process"
)

// File is the socket in the folder of a run that takes orders, a line of JSON
// each, and answers each with one.
const File = "control"

// Desk takes orders.
type Desk struct {
	Now func() time.Time
	// Engine reports whether a process belongs to an engine of the run: those give no orders.
	Engine func(pid int) bool
	Obey   func(Request) Answer
}

// Listen takes orders in the folder of a run until release is called. A run goes on without, where there
// can be no socket.
func (c *Desk) Listen(dir string) (release func(), err error) {
	path := filepath.Join(dir, File)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	short, closeDir, err := shortPath(dir, File)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", short)
	if err != nil {
		return nil, errors.Join(err, closeDir())
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close(), closeDir())
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { c.serve(conn) })
		}
	})
	return func() {
		l.Close()       //nolint:errcheck // nothing depends on it
		os.Remove(path) //nolint:errcheck // a stale socket is removed by whoever takes the run up
		closeDir()      //nolint:errcheck // as above
		wg.Wait()
	}, nil
}

// patience is how long a silent connection is kept.
const patience = 10 * time.Second

const maxOrder = 64 << 10

func (c *Desk) serve(conn net.Conn) {
	defer conn.Close() //nolint:errcheck // nothing depends on it
	if pid, ok := process.Peer(conn); ok && c.Engine(pid) {
		plain.JSONLine(conn, Refused(errors.New("engines do not steer the run they play in"))) //nolint:errcheck // it is an engine
		return
	}
	in := bufio.NewScanner(io.LimitReader(conn, 16*maxOrder))
	in.Buffer(nil, maxOrder)
	for {
		if conn.SetDeadline(c.Now().Add(patience)) != nil || !in.Scan() {
			return
		}
		var o Request
		var out Answer
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			out = Refused(fmt.Errorf("no order: %w", err))
		} else {
			out = c.Obey(o)
		}
		if plain.JSONLine(conn, out) != nil {
			return
		}
	}
}

// Ask gives an order to the run in a folder.
func Ask(dir string, o Request) (got Answer, err error) {
	if _, err := os.Stat(filepath.Join(dir, File)); err != nil {
		return got, fmt.Errorf("%s: no run goes on there", dir)
	}
	short, closeDir, err := shortPath(dir, File)
	if err != nil {
		return got, err
	}
	defer closeDir() //nolint:errcheck // only read
	conn, err := net.Dial("unix", short)
	if err != nil {
		return got, fmt.Errorf("%s: no run goes on there (the socket is left from one that was killed)", dir)
	}
	defer conn.Close() //nolint:errcheck // the answer has come by then
	if err := plain.JSONLine(conn, o); err != nil {
		return got, err
	}
	return got, json.NewDecoder(conn).Decode(&got)
}

// Print shows people where a run stands.
func (s *Status) Print(w io.Writer) {
	state := "goes on"
	switch {
	case s.Draining:
		state = "ends with the games that run"
	case s.Paused:
		state = "is paused"
	}
	fmt.Fprintf(w, "%s: %d of %s, %s\n", s.Game, s.Done, plain.Count(s.Of, "game"), state)
	fmt.Fprintf(w, "running: %s; at most %d at a time\n", cmp.Or(strings.Join(s.Running, " "), "none"), s.Concurrency)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "engine\tgames\twins\tdraws\tlosses\tpoints\t")
	for _, e := range s.Engines {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%s\t\n", e.Name, e.Games, e.Wins, e.Draws, e.Losses, plain.Number(e.Score))
	}
	tw.Flush()
	if s.SPRT != nil {
		fmt.Fprintf(w, "LLR %.2f [%.2f, %.2f]\n", s.SPRT.LLR, s.SPRT.Lower, s.SPRT.Upper)
	}
}
