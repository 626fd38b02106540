package gtp_test

import (
	"context"
	"io"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/gtp"
)

// echo is a connection whose engine answers each write at once: "=" to every
// command and "= f5" to genmove.
type echo struct {
	lines [][]byte
	next  int
}

func (e *echo) Write(p []byte) error {
	e.lines, e.next = e.lines[:0], 0
	start := 0
	for i, c := range p {
		if c != '\n' {
			continue
		}
		reply := ok
		if p[start] == 'g' {
			reply = move
		}
		e.lines = append(e.lines, reply)
		start = i + 1
	}
	return nil
}

var ok, move = []byte("="), []byte("= f5")

func (e *echo) ReadLine(time.Time) ([]byte, error) {
	if e.next == len(e.lines) {
		return nil, io.EOF
	}
	e.next++
	return e.lines[e.next-1], nil
}

func (e *echo) Interrupt()   {}
func (e *echo) Close() error { return nil }

func benchHost(tb testing.TB) *gtp.Host {
	tb.Helper()
	h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Dial: func(context.Context) (link.Conn, error) { return &echo{}, nil }})
	if err != nil {
		tb.Fatal(err)
	}
	if err := h.NewGame(context.Background(), &player.Setup{Spec: "othello", Width: 8, Height: 8}); err != nil {
		tb.Fatal(err)
	}
	return h
}

// moveOnce is one round: an answer, its echo and the opponent's reply.
func moveOnce(h *gtp.Host, p *player.Prompt, own, other *player.Update) error {
	_, err := h.Choose(context.Background(), p)
	h.Tell(own)
	h.Tell(other)
	return err
}

func rounds() (p *player.Prompt, own, other *player.Update) {
	p = &player.Prompt{Clocks: minute, Colours: [2]game.Colour{game.Black, game.White}}
	own = &player.Update{By: game.First, Steps: []game.Move{game.PlaceAt(game.Pt(5, 4))}, Ended: true, Colours: p.Colours}
	other = &player.Update{By: game.Second, Steps: []game.Move{game.PlaceAt(game.Pt(3, 5))}, Ended: true, Colours: p.Colours}
	return p, own, other
}

func BenchmarkHostMove(b *testing.B) {
	h := benchHost(b)
	p, own, other := rounds()
	b.ReportAllocs()
	for b.Loop() {
		if err := moveOnce(h, p, own, other); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHostDoesNotAllocate holds the hot path to its budget; only the text of the
// answer, kept as evidence, and the growing list of moves may cost.
func TestHostDoesNotAllocate(t *testing.T) {
	h := benchHost(t)
	p, own, other := rounds()
	allocs := testing.AllocsPerRun(500, func() {
		if err := moveOnce(h, p, own, other); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 1 {
		t.Errorf("%v allocations for a move", allocs)
	}
}
