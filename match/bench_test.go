//go:build unix

package match_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/testbin"
	"kibitz/journal"
	"kibitz/link"
	"kibitz/link/proc"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/piskvork"
	"kibitz/rules"
)

// nowhere is a journal's file that keeps nothing.
type nowhere struct{ io.Writer }

func (nowhere) Sync() error  { return nil }
func (nowhere) Close() error { return nil }

// BenchmarkReferee measures what the referee costs for each move beside the rules
// and the players: five in a row in scan order, 65 plies, with clocks.
func BenchmarkReferee(b *testing.B) {
	for _, journaled := range []bool{false, true} {
		b.Run(fmt.Sprintf("journal=%v", journaled), func(b *testing.B) {
			r, err := games.Open("gomoku:size=15")
			if err != nil {
				b.Fatal(err)
			}
			var players [2]player.Player
			for i := range players {
				f := &fake{quiet: true}
				f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
					f.steps[0] = game.PlaceAt(game.Pt(scan%15, scan/15))
					scan++
					return player.Answer{Steps: f.steps[:]}, nil
				}
				players[i] = f
			}
			play(b, func() *match.Game {
				scan = 0
				return benchGame(b, r, players, journaled)
			})
		})
	}
}

// benchJournal is where the events of benchmarks go.
var benchJournal = journal.NewWriter(nowhere{io.Discard}, 0)

// scan is the point that BenchmarkReferee's players choose next.
var scan int

func benchGame(b *testing.B, r rules.Rules, players [2]player.Player, journaled bool) *match.Game {
	b.Helper()
	g := &match.Game{ID: "bench", Rules: r, Now: time.Now}
	for s := range g.Sides {
		g.Sides[s] = match.Side{Player: players[s], Name: "p", Margin: time.Second}
		g.Sides[s].Clock.Main, g.Sides[s].Clock.Increment = time.Minute, time.Second
	}
	if w := benchJournal; journaled {
		g.Sink = func(ev *journal.Event) {
			if err := w.Append(ev); err != nil {
				b.Error(err)
			}
		}
	}
	return g
}

// play plays games until enough moves were made; an operation is a move.
func play(b *testing.B, next func() *match.Game) {
	b.ReportAllocs()
	b.ResetTimer()
	before := cpu()
	for n := 0; n < b.N; {
		o := match.Play(b.Context(), next())
		if o.Result.Reason != "five" {
			b.Fatalf("%+v %q", o.Result, o.Evidence)
		}
		n += o.Plies
	}
	b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
}

// BenchmarkMatch is the whole of it: two instant engines as processes, the
// protocol's host, the rules, the referee, the journal and the traffic.
func BenchmarkMatch(b *testing.B) {
	path, remove, err := testbin.InstantEngine()
	if errors.Is(err, testbin.ErrNoCompiler) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(remove)
	r, err := games.Open("gomoku:size=15")
	if err != nil {
		b.Fatal(err)
	}
	for _, restart := range []protocol.Restart{protocol.RestartAuto, protocol.RestartEachGame} {
		b.Run([]string{"keep", "restart"}[restart], func(b *testing.B) {
			var traffic int
			var players [2]player.Player
			for i := range players {
				o := link.Options{Now: time.Now, Observe: func(_ link.Direction, _ time.Time, line []byte) { traffic += len(line) }}
				players[i], err = piskvork.Protocol().Host(protocol.Config{
					Name: "instant", Now: time.Now, Restart: restart, Dial: proc.Dialer(proc.Spec{Path: path, Options: o}),
				})
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { _ = players[i].Close() })
			}
			play(b, func() *match.Game { return benchGame(b, r, players, true) })
		})
	}
}

// cpu returns the processor time of this process alone.
func cpu() time.Duration {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}
