package playertest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kibitz/game"
	"kibitz/internal/leaks"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Trip is a round trip through both ends of a protocol.
type Trip struct {
	Protocol protocol.Protocol
	// Bot returns a player that plays the same game each time, whatever the ID
	// of the game; NewRandom is one.
	Bot   func() player.Player
	Spec  game.Spec
	Board func() player.Position
	// Dialect and ServeDialect are the switches of the host and of the engine.
	Dialect, ServeDialect map[string]string
	// Limits are those of the bot, on both ways.
	Limits player.Limits
	// Expected says which remarks of host and engine are in order; nil means none.
	Expected func(text string) bool
	// Games is how many games the same engines play in a row, 2 if zero.
	Games int
}

// engine is a served bot with the host that drives it.
type engine struct {
	host     player.Player
	expected func(text string) bool
	wg       sync.WaitGroup
	mu       sync.Mutex
	errs     []string
}

// Run makes the trip.
func (r Trip) Run(t *testing.T) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	r.Games = cmp.Or(r.Games, 2)
	t.Run("initial position", func(t *testing.T) { r.games(t, nil, "") })
	s := Suite{Spec: r.Spec, Position: r.Board, Limits: r.Limits}
	if r.Protocol.Start >= player.FromHistory {
		t.Run("history", func(t *testing.T) {
			opening, _, err := s.opening(21)
			if err != nil {
				t.Fatal(err)
			}
			r.games(t, opening, "")
		})
	}
	if r.Protocol.Start >= player.FromPosition {
		t.Run("position", func(t *testing.T) {
			_, text, err := s.opening(22)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Board().Reset(r.Spec, text); err != nil {
				return // the game reads no positions
			}
			r.games(t, nil, text)
		})
	}
	leaks.None(t, before)
}

func (r Trip) games(t *testing.T, opening []game.Move, start string) {
	t.Helper()
	var hosts [2]*engine
	for i := range hosts {
		hosts[i] = r.engine(t)
		defer hosts[i].close(t)
	}
	for i := range r.Games {
		direct := [2]player.Player{r.Bot(), r.Bot()}
		want, err := r.table(i, opening, start).Play(context.Background(), direct)
		if err != nil {
			t.Fatalf("the bot itself: %v", err)
		}
		for _, p := range direct {
			_ = p.Close()
		}
		a, b := hosts[i%2], hosts[1-i%2] // seats exchanged after each game
		got, err := r.table(i, opening, start).Play(context.Background(), [2]player.Player{a.host, b.host})
		if err != nil {
			t.Fatalf("game %d through %s: %v", i+1, r.Protocol.ID, err)
		}
		compare(t, r.Board(), want, got)
	}
}

func compare(t *testing.T, pos player.Position, want, got *Played) {
	t.Helper()
	n := 0
	for n < len(want.Moves) && n < len(got.Moves) && want.Moves[n] == got.Moves[n] {
		n++
	}
	if !slices.Equal(want.Moves, got.Moves) {
		t.Fatalf("the games differ from decision %d on: the bot plays %v, the engine %v", n+1,
			want.Moves[n:min(n+3, len(want.Moves))], got.Moves[n:min(n+3, len(got.Moves))])
	}
	if want.Result.Reason != got.Result.Reason || want.Result.Points != got.Result.Points {
		t.Fatalf("the bot's game ends with %+v, the engine's with %+v", want.Result, got.Result)
	}
}

func (r Trip) table(i int, opening []game.Move, start string) *Table {
	return &Table{
		Position: r.Board(), Spec: r.Spec, Start: start, Opening: opening, Seed: uint64(100 + i),
		Limits: r.Limits, Limit: 20 * time.Second,
	}
}

// engine starts nothing yet: the host dials when its first game begins.
func (r Trip) engine(t *testing.T) *engine {
	t.Helper()
	e := &engine{expected: r.Expected}
	dial := func(ctx context.Context) (link.Conn, error) {
		ours, theirs := link.Pipe()
		bot := r.Bot()
		e.wg.Go(func() {
			err := r.Protocol.Serve(context.WithoutCancel(ctx), theirs, protocol.Server{
				Player: bot, Position: r.Board(), Now: time.Now, Name: "Bot", Version: "1", Author: "Kibitz",
				Game: r.Spec, Limits: r.Limits, Dialect: r.ServeDialect,
				Log: func(text string) { e.note("engine: " + text) },
			})
			if err != nil {
				e.note(fmt.Sprintf("the engine ended with %v", err))
			}
			_ = theirs.Close()
			_ = bot.Close()
		})
		return ours, nil
	}
	host, err := r.Protocol.Host(protocol.Config{
		Name: "Bot", Dial: dial, Now: time.Now, Dialect: r.Dialect,
		Warn: func(text string) { e.note("host: " + text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	e.host = host
	return e
}

func (e *engine) note(text string) {
	if e.expected != nil && e.expected(text) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.errs = append(e.errs, text)
}

// close ends the engine; two sides of the same house have nothing to remark on
// each other.
func (e *engine) close(t *testing.T) {
	t.Helper()
	if err := e.host.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	done := make(chan struct{})
	go func() {
		e.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("the engine side did not end after Close of the host")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, l := range e.errs {
		t.Error(l)
	}
}
