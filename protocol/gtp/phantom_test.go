package gtp_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
)

// tap is a connection whose lines to and from the engine are kept in their order.
type tap struct {
	link.Conn
	lines *[]string
}

func (c tap) Write(p []byte) error {
	for line := range strings.SplitSeq(strings.TrimSuffix(string(p), "\n"), "\n") {
		*c.lines = append(*c.lines, "> "+line)
	}
	return c.Conn.Write(p)
}

func (c tap) ReadLine(until time.Time) ([]byte, error) {
	b, err := c.Conn.ReadLine(until)
	if err == nil && strings.TrimSpace(string(b)) != "" {
		*c.lines = append(*c.lines, "< "+strings.TrimSpace(string(b)))
	}
	return b, err
}

// TestPhantomTellsNothing reads along what engines are told in whole games: every
// point is one that the engine has named itself, as an attempt or as a stone that it
// loses, or one that its own stone has just taken, and there are no other words.
func TestPhantomTellsNothing(t *testing.T) {
	spec := canonical(t, "phantomgo:size=5,maxplies=100")
	taken := 0
	for seed := range uint64(6) {
		var wg sync.WaitGroup
		var lines [2][]string
		var players [2]player.Player
		for seat := range players {
			h, err := forms.NewHost(protocol.Config{
				Name: "X", Now: time.Now,
				Dial: func(context.Context) (link.Conn, error) {
					ours, theirs := link.Pipe()
					wg.Go(func() {
						_ = forms.Serve(context.Background(), theirs, protocol.Server{
							Player: playertest.NewRandom(seed*2 + uint64(seat)), Position: board(), Now: time.Now, Name: "X", Version: "1", Game: spec,
						})
						_ = theirs.Close()
					})
					return tap{ours, &lines[seat]}, nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			players[seat] = h
		}
		tb := &playertest.Table{Position: board(), Spec: spec, Seed: seed, Limit: 20 * time.Second}
		if _, err := tb.Play(context.Background(), players); err != nil {
			t.Fatal(err)
		}
		for seat := range players {
			if err := players[seat].Close(); err != nil {
				t.Error(err)
			}
			taken += readAlong(t, seat, lines[seat])
		}
		wg.Wait()
	}
	if taken == 0 {
		t.Error("no stone was taken in any game: nothing was tested")
	}
}

// readAlong checks the lines of one engine and counts the stones that were taken from
// it or by it.
func readAlong(t *testing.T, seat int, lines []string) (taken int) {
	t.Helper()
	colours := [2]string{"b", "w"}
	own, other := colours[seat], colours[1-seat]
	var stones []string
	attempt := ""
	for i, l := range lines {
		f := strings.Fields(l)
		if f[0] == "<" {
			if i > 0 && len(f) == 3 && f[1] == "=" {
				attempt = f[2]
			}
			continue
		}
		bad := false
		switch f[1] {
		case "protocol_version", "name", "list_commands", "version", "clear_board", "quit":
			bad = len(f) > 2
		case "set_game", "boardsize", "komi", "time_settings", "kgs-time_settings":
		case "kibitz-phantom_seat", "genmove", "time_left":
			bad = f[2] != own
		case "kibitz-phantom_refused":
			bad = len(f) != 4 || f[2] != own || f[3] != attempt
		case "kibitz-phantom_accepted":
			bad = f[2] != own || f[3] != attempt
			stones = append(stones, f[3])
			taken += len(f) - 4
		case "kibitz-phantom_moved":
			bad = f[2] != other
			for _, p := range f[3:] {
				k := slices.Index(stones, p)
				if bad = bad || k < 0; !bad {
					stones = slices.Delete(stones, k, k+1)
				}
				taken++
			}
		case "kibitz-phantom_passed":
			bad = len(f) != 3
		default:
			bad = true
		}
		if bad {
			t.Fatalf("seat %d is told %q after the attempt %q, with its stones on %v", seat, l, attempt, stones)
		}
	}
	return taken
}

// TestPhantomEngine holds the engine side to what managers may do wrong.
func TestPhantomEngine(t *testing.T) {
	p := &firstMove{Random: playertest.NewRandom(1)}
	m := serve(t, p, canonical(t, "phantomgo:size=5"))
	for _, l := range [][2]string{
		{"genmove b", "? which side is mine? kibitz-phantom_seat comes first"},
		{"kibitz-phantom_moved b", "? which side is mine? kibitz-phantom_seat comes first"},
		{"play b c3", "? unknown command"},
		{"undo", "? unknown command"},
		{"reg_genmove b", "? unknown command"},
		{"final_score", "? unknown command"},
		{"komi 3.5", "="},
		{"komi many", "? syntax error"},
		{"boardsize 40", "? unacceptable size"},
		{"kibitz-phantom_seat red", "? syntax error"},
		{"kibitz-phantom_seat b", "="},
		{"genmove w", "? wrong color"},
		{"kibitz-phantom_refused w a5", "? wrong color"},
		{"kibitz-phantom_moved b", "? wrong color"},
		{"kibitz-phantom_accepted b", "? syntax error"},
		{"kibitz-phantom_accepted b z9", "? syntax error"},
		{"kibitz-phantom_accepted b pass", "? syntax error"},
		{"genmove b", "= a5"},
		{"genmove b", "? the latest attempt was neither accepted nor refused"},
		{"kibitz-phantom_accepted b c3", "? another point was attempted"},
		{"kibitz-phantom_passed b", "? a point was attempted"},
		{"kibitz-phantom_refused b a5 b5", "? syntax error"},
		{"kibitz-phantom_refused b a5", "="},
		{"genmove b", "= b5"},
		{"kibitz-phantom_accepted b b5 a5 a4", "="},
		{"kibitz-phantom_moved w b5", "="},
		{"genmove b", "= a5"},
		{"kibitz-phantom_accepted b a5", "="},
		{"kibitz-phantom_passed w", "="},
		{"kibitz-phantom_passed b", "="},
		{"genmove b", "= pass"},
		{"clear_board", "="},
		{"genmove b", "? which side is mine? kibitz-phantom_seat comes first"},
		{"kibitz-phantom_seat w", "="},
		{"quit", "="},
	} {
		if got := m.ask(l[0]); got != l[1] {
			t.Fatalf("%s was answered by %q, want %q", l[0], got, l[1])
		}
	}
	if err := <-m.done; err != nil {
		t.Error(err)
	}
	if len(p.over) != 2 {
		t.Errorf("the player heard of %d ends, want those of two games", len(p.over))
	}
	if n := len(p.seen); n != 3 || p.seen[1].Rejected != player.AttemptRefused || p.seen[1].Again != 1 || p.seen[2].Again != 0 {
		t.Errorf("prompts %+v", p.seen)
	}
	if p.seen[0].Seat != game.First {
		t.Errorf("asked as %v", p.seen[0].Seat)
	}
}
