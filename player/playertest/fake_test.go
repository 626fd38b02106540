package playertest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
)

// ply is one decision of a staged position: what must be decided and what the
// rules would say to it.
type ply struct {
	move    game.Move
	notices []game.Notice
	// next is who decides afterwards.
	next    game.Turn
	colours [2]game.Colour
	result  *game.Result
}

// staged is a position that accepts one line of play. It stands in for rules, so
// that the interface can be proved without any game.
type staged struct {
	player.Position
	spec    game.Spec
	w, h    int
	first   game.Turn
	colours [2]game.Colour
	plies   []ply
	done    int
}

func (s *staged) Reset(game.Spec, string) error { s.done = 0; return nil }
func (s *staged) Spec() game.Spec               { return s.spec }
func (s *staged) Size() (int, int)              { return s.w, s.h }
func (s *staged) Len() int                      { return s.done }
func (s *staged) Undo(n int) error              { s.done -= n; return nil }

func (s *staged) Turn() game.Turn {
	if s.done == 0 {
		return s.first
	}
	return s.plies[s.done-1].next
}

func (s *staged) Colours() [2]game.Colour {
	if s.done == 0 {
		return s.colours
	}
	return s.plies[s.done-1].colours
}

// Legal lists two moves, so that the staged one never looks forced.
func (s *staged) Legal(dst []game.Move) []game.Move {
	return append(dst, s.plies[s.done].move, game.ResignMove())
}

func (s *staged) Apply(m game.Move) ([]game.Notice, error) {
	if want := s.plies[s.done].move; m != want {
		return nil, fmt.Errorf("%s is not %s", m, want)
	}
	s.done++
	return s.plies[s.done-1].notices, nil
}

func (s *staged) Result() (game.Result, bool) {
	if s.done == 0 || s.plies[s.done-1].result == nil {
		return game.Result{}, false
	}
	return *s.plies[s.done-1].result, true
}

// deal lets the staged line decide for the dealer.
func (s *staged) deal(player.Position) (game.Move, error) { return s.plies[s.done].move, nil }

func seen(m game.Move) []game.Notice {
	return []game.Notice{{To: game.Public, Kind: game.Played, Move: m}}
}

// mute answers with the moves it was given and listens.
type mute struct {
	answers [][]game.Move
	heard   []player.Update
	prompts int
}

func (p *mute) NewGame(context.Context, *player.Setup) error { return nil }
func (p *mute) Tell(u *player.Update)                        { p.heard = append(p.heard, u.Clone()) }
func (p *mute) Stop()                                        {}
func (p *mute) Over(game.Result)                             {}
func (p *mute) Close() error                                 { return nil }

func (p *mute) Choose(context.Context, *player.Prompt) (player.Answer, error) {
	p.prompts++
	if len(p.answers) == 0 {
		return player.Answer{}, errors.New("no answer left")
	}
	a := p.answers[0]
	p.answers = p.answers[1:]
	return player.Answer{Steps: a}, nil
}

// wire is what the small hosts of these tests share.
type wire struct {
	conn link.Conn
	held string // news that wait for the prompt
	err  error  // surfaces at the next Choose
	seat game.Seat
}

func (w *wire) send(text string) {
	if err := w.conn.Write([]byte(w.held + text)); err != nil && w.err == nil {
		w.err = err
	}
	w.held = ""
}

func (w *wire) Stop()        { w.conn.Interrupt() }
func (w *wire) Close() error { return w.conn.Close() }

// until reads lines up to one that the function takes.
func (w *wire) until(deadline time.Time, take func(line string) bool) error {
	for w.err == nil {
		l, err := w.conn.ReadLine(deadline)
		if err != nil {
			return err
		}
		if take(string(l)) {
			return nil
		}
	}
	return w.err
}

func play(t *testing.T, pos *staged, a, b player.Player, adjust func(*playertest.Table)) *playertest.Played {
	t.Helper()
	tb := &playertest.Table{Position: pos, Spec: pos.spec, Deal: pos.deal}
	if adjust != nil {
		adjust(tb)
	}
	g, err := tb.Play(context.Background(), [2]player.Player{a, b})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]game.Move, len(pos.plies))
	for i, p := range pos.plies {
		want[i] = p.move
	}
	if !slices.Equal(g.Moves, want) {
		t.Fatalf("played %v, want %v", g.Moves, want)
	}
	return g
}
