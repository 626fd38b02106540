package piskvork_test

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// instant is an engine that answers at once with the points of a board in scan
// order, skipping what it was told.
type instant struct {
	taken  [225]bool
	next   int
	line   []byte
	writes int
	reads  int
	now    time.Time
	last   []byte
}

func (c *instant) Write(p []byte) error {
	c.writes++
	c.last = append(c.last[:0], p...)
	if i := bytes.LastIndex(p, []byte("TURN ")); i >= 0 {
		cmd := pv.ParseCommand(p[i:])
		c.taken[cmd.At.Index(15)] = true
	}
	return nil
}

// Ahead implements link.Ahead: it says no more than it is asked.
func (c *instant) Ahead() bool { return false }

// ReadLine has nothing for who only looks whether something has come.
func (c *instant) ReadLine(deadline time.Time) ([]byte, error) {
	c.reads++
	if !deadline.IsZero() && !c.now.Before(deadline) {
		return nil, os.ErrDeadlineExceeded
	}
	switch {
	case bytes.HasSuffix(c.last, []byte("ABOUT\r\n")):
		return []byte(`name="instant"`), nil
	case bytes.Contains(c.last, []byte("START")):
		return []byte("OK"), nil
	}
	for c.taken[c.next] {
		if c.next++; c.next == len(c.taken) {
			c.taken, c.next = [225]bool{}, 0
		}
	}
	c.taken[c.next] = true
	c.line = pv.AppendPoint(c.line[:0], game.Pt(c.next%15, c.next/15))
	return c.line, nil
}
func (*instant) Interrupt()   {}
func (*instant) Close() error { return nil }

// table plays moves against the host as a referee does.
type table struct {
	conn   *instant
	host   player.Player
	ctx    context.Context
	prompt player.Prompt
	update player.Update
	stone  [1]game.Move
	ply    int
}

func newTable(t testing.TB, control clock.Control) *table {
	t.Helper()
	conn := &instant{now: time.Unix(1, 0)}
	h, err := pv.NewHost(protocol.Config{
		Name: "instant",
		Now: func() time.Time { // a machine that is never held up
			conn.now = conn.now.Add(time.Microsecond)
			return conn.now
		},
		Dial: func(context.Context) (link.Conn, error) { return conn, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	k := clock.New(control)
	x := &table{conn: conn, host: h, prompt: player.Prompt{Clocks: [2]clock.Clock{k, k}}}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	x.ctx = ctx
	x.newGame(t)
	return x
}

func (x *table) newGame(t testing.TB) {
	x.ply, x.conn.taken, x.conn.next = 0, [225]bool{}, 0
	err := x.host.NewGame(context.Background(), &player.Setup{Spec: "gomoku", Width: 15, Height: 15, Clocks: x.prompt.Clocks})
	if err != nil {
		t.Fatal(err)
	}
}

func (x *table) move(t testing.TB) {
	if x.ply >= 200 {
		x.newGame(t)
	}
	x.prompt.Deadline = x.conn.now.Add(time.Minute)
	a, err := x.host.Choose(x.ctx, &x.prompt)
	if err != nil {
		t.Fatal(err)
	}
	x.stone[0] = a.Steps[0]
	x.update = player.Update{By: game.First, Steps: x.stone[:]}
	x.host.Tell(&x.update)
	for x.conn.taken[x.conn.next] {
		x.conn.next++
	}
	x.stone[0] = game.PlaceAt(game.Pt(x.conn.next%15, x.conn.next/15))
	x.update = player.Update{By: game.Second, Steps: x.stone[:]}
	x.host.Tell(&x.update)
	x.ply += 2
}

// TestMoveIsOneWriteAndOneRead holds the hot path to its promise: one write, one
// read, no allocation.
func TestMoveIsOneWriteAndOneRead(t *testing.T) {
	for name, control := range map[string]clock.Control{
		"no clock": {},
		"clock":    {Main: time.Minute, Turn: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			x := newTable(t, control)
			for range 205 { // every point has been answered once, a game has ended
				x.move(t)
			}
			x.newGame(t)
			x.move(t)
			w, r := x.conn.writes, x.conn.reads
			if n := testing.AllocsPerRun(80, func() { x.move(t) }); n != 0 {
				t.Errorf("%v allocations a move", n)
			}
			if dw, dr := x.conn.writes-w, x.conn.reads-r; dw != 81 || dr != 81 {
				t.Errorf("%d writes and %d reads for 81 moves", dw, dr)
			}
			const want = "INFO time_left"
			if !bytes.HasPrefix(x.conn.last, []byte(want)) {
				t.Errorf("the write is %q", x.conn.last)
			}
		})
	}
}

func BenchmarkMove(b *testing.B) {
	for name, control := range map[string]clock.Control{
		"none":  {},
		"clock": {Main: time.Minute, Turn: time.Second},
	} {
		b.Run(name, func(b *testing.B) {
			x := newTable(b, control)
			b.ReportAllocs()
			for b.Loop() {
				x.move(b)
			}
		})
	}
}
