package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"kibitz/internal/plain"
	"kibitz/internal/process"
)

// controlFile is the socket in the folder of a run that takes orders, a line of JSON
// each, and answers each with one.
const controlFile = "control"

// listen takes orders until release is called. A run goes on without, where there
// can be no socket.
func (c *control) listen(dir string) (release func(), err error) {
	path := filepath.Join(dir, controlFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	short, closeDir, err := shortPath(dir, controlFile)
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

// controlPatience is how long a silent connection is kept.
const controlPatience = 10 * time.Second

// maxOrder is the longest order.
const maxOrder = 64 << 10

func (c *control) serve(conn net.Conn) {
	defer conn.Close() //nolint:errcheck // nothing depends on it
	if pid, ok := process.Peer(conn); ok && c.r.a.guards.Holder().Holds(pid) {
		plain.JSONLine(conn, refused(errors.New("engines do not steer the run they play in"))) //nolint:errcheck // it is an engine
		return
	}
	in := bufio.NewScanner(io.LimitReader(conn, 16*maxOrder))
	in.Buffer(nil, maxOrder)
	for {
		if conn.SetDeadline(c.r.a.now().Add(controlPatience)) != nil || !in.Scan() {
			return
		}
		var o request
		var out answer
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			out = refused(fmt.Errorf("no order: %w", err))
		} else {
			out = c.obey(o)
		}
		if plain.JSONLine(conn, out) != nil {
			return
		}
	}
}

type controlCmd struct {
	Dir   string   `arg:"" name:"dir" help:"Folder of a run that goes on."`
	Order []string `arg:"" optional:"" name:"order" help:"What to do; status if nothing is said."`
	By    string   `help:"Who says so, for verdicts; the user's name unless said." placeholder:"NAME"`
	JSON  bool     `name:"json" help:"Print the answer as one JSON object."`
}

// Help returns the example that --help shows.
func (controlCmd) Help() string {
	var b strings.Builder
	b.WriteString("Example: kibitz control kibitz-20260101-120000 concurrency 4\n\nOrders:\n")
	for _, o := range slices.Concat(orders, organiserOrders) {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(o.do+" "+o.args)+": "+o.what)
	}
	return b.String()
}

// Run gives an order to a run that goes on.
func (c controlCmd) Run(a *app) error {
	o := request{Do: "status", By: c.By}
	if len(c.Order) > 0 {
		o.Do, o.Args = c.Order[0], c.Order[1:]
	}
	if o.By == "" {
		if u, err := user.Current(); err == nil {
			o.By = u.Username
		}
	}
	got, err := ask(c.Dir, o)
	switch {
	case err != nil:
		return err
	case c.JSON:
		if err := plain.JSONLine(a.stdout, got); err != nil {
			return err
		}
		return got.err()
	case got.Error != "":
		return got.err()
	case got.Status != nil:
		got.Status.print(a.stdout)
		return nil
	}
	fmt.Fprintln(a.stdout, got.Said)
	return nil
}

// err is the error of an order that was refused: its words, or its time.
func (g *answer) err() error {
	switch {
	case g.Usage:
		return errors.New(g.Error)
	case g.Error != "":
		return badVerdict("%s", g.Error)
	}
	return nil
}

// ask gives an order to the run in a folder.
func ask(dir string, o request) (got answer, err error) {
	if _, err := os.Stat(filepath.Join(dir, controlFile)); err != nil {
		return got, fmt.Errorf("%s: no run goes on there", dir)
	}
	short, closeDir, err := shortPath(dir, controlFile)
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

// print shows people where a run stands.
func (s *runStatus) print(w io.Writer) {
	state := "goes on"
	switch {
	case s.Draining:
		state = "ends with the games that run"
	case s.Paused:
		state = "is paused"
	}
	fmt.Fprintf(w, "%s: %d of %s, %s\n", s.Game, s.Done, plain.Count(s.Of, "game"), state)
	fmt.Fprintf(w, "running: %s; at most %d at a time\n",
		strings.Join(append(s.Running[:len(s.Running):len(s.Running)], nobody(len(s.Running))...), " "), s.Concurrency)
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

func nobody(n int) []string {
	if n > 0 {
		return nil
	}
	return []string{"none"}
}
