// Package hostfuzz holds fuzz targets for the hosts of protocols: games between an
// engine that says whatever a fuzzer makes up and an honest opponent, under the real
// referee and the real rules, on a clock that only the engine's silence moves.
//
// A script is what the engine says. It begins as the recorded words of an honest
// engine, so that the fuzzer starts from conversations that work. Three bytes in it are
// events: Wait holds the rest back until the host has written, Silence lets the host's
// deadline pass, End closes the output; what follows belongs to the next process.
package hostfuzz

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/link"
	"kibitz/match"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/rules"
)

// Case is one game that a host is asked for, and its switches.
type Case struct {
	Spec game.Spec
	// Start is the start position, empty for the initial one.
	Start string
	// Dialect are the switches of the host, Serve those of the honest engine whose
	// words are the first script.
	Dialect, Serve map[string]string
}

// Hosts are the hosts of one protocol.
type Hosts struct {
	Protocol protocol.Protocol
	Cases    []Case
	// File is what an engine answers with that is started for every question; empty for
	// those that stay and talk.
	File string
	// Plain connections are no processes: for hosts that give a process real time to
	// leave by itself.
	Plain bool
}

// The bits of a fuzzed number that say how a game is played.
const (
	second   = 1 << iota // the engine has the second seat
	silent               // a script that is over is silence, not the end of the output
	timed                // both seats have a clock
	forgives             // illegal answers are given back three times
	again                // a second game follows with the same host
	asks                 // the host is asked for hints and an analysis, and no game is played
)

// mostTurns is where a game is drawn.
const mostTurns = 40

// fewTurns is it where each turn costs files.
const fewTurns = 6

// budget is how long the real clock may run for one input.
const budget = time.Minute

// Fuzz is the target. The game must end with a verdict of the closed list that the
// honest opponent is not blamed for, its decisions must be a game by the rules, and
// its events must be fit for the journal.
func (h Hosts) Fuzz(f *testing.F) {
	for i := range h.Cases {
		for _, how := range []uint8{0, second | silent | timed, forgives | again, asks | silent} {
			f.Add(h.record(f, i, how), uint8(i), how)
		}
	}
	f.Fuzz(func(t *testing.T, script []byte, which, how uint8) {
		if len(script) > 1<<16 {
			return
		}
		late := time.AfterFunc(budget, func() { panic(fmt.Sprintf("the conversation hangs: case %d, how %d, %q", which, how, script)) })
		defer late.Stop()
		c := h.Cases[int(which)%len(h.Cases)]
		e := &engine{script: script, silent: how&silent != 0, plain: h.Plain}
		h.converse(t, e, e.now, c, how)
	})
}

// converse has the host play, or answer questions, with the engine.
func (h Hosts) converse(t testing.TB, e dialler, now func() time.Time, c Case, how uint8) {
	t.Helper()
	r, err := games.OpenSpec(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	host, err := h.Protocol.Host(protocol.Config{
		Name: "Engine", Dial: e.dial, Folder: e.folder(h.File), Now: now, Dialect: c.Dialect,
		Warn: func(text string) { oneLine(t, "a warning", text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	turns := mostTurns
	if h.File != "" {
		turns = fewTurns
	}
	if how&asks != 0 {
		ask(host, r, c.Start, now)
	} else {
		play(t, host, r, c.Start, now, how, turns)
		if how&again != 0 {
			play(t, host, r, c.Start, now, how^second, turns)
		}
	}
	if err := host.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func play(t testing.TB, host player.Player, r rules.Rules, start string, now func() time.Time, how uint8, turns int) {
	t.Helper()
	seat := game.First
	if how&second != 0 {
		seat = game.Second
	}
	var control clock.Control
	if how&timed != 0 {
		control = clock.Control{Main: time.Minute, Increment: time.Second}
	}
	var said []byte
	g := &match.Game{
		ID: "fuzz", Rules: r, Position: start, Dealer: match.NewDealer(r, [32]byte{7}), Now: now,
		Policy: match.Policy{MaxMoves: turns},
		Sink: func(ev *journal.Event) {
			line, err := journal.AppendEvent(said[:0], ev)
			if err != nil {
				t.Errorf("an event cannot be written: %v: %+v", err, ev)
				return
			}
			if _, err := journal.ParseEvent(line); err != nil {
				t.Errorf("an event cannot be read again: %v: %s", err, line)
			}
			said = line
		},
	}
	if how&forgives != 0 {
		g.Policy.Retries = 3
	}
	g.Sides[seat] = match.Side{Player: host, Name: "Engine", Clock: control, Margin: 10 * time.Millisecond}
	g.Sides[seat.Other()] = match.Side{Player: playertest.NewRandom(5), Name: "Honest", Clock: control}
	o := match.Play(context.Background(), g)
	judge(t, g, &o, seat)
}

// judge holds an outcome to what the referee promises.
func judge(t testing.TB, g *match.Game, o *match.Outcome, seat game.Seat) {
	t.Helper()
	if !inList(g.Rules, o.Result.Reason) {
		t.Errorf("the reason %q is in no list: %+v", o.Result.Reason, o.Result)
	}
	if o.Result.Reason == game.ByAbort || protocol.AtFault(o.Result, seat.Other()) || o.Faulty[seat.Other()] {
		t.Errorf("an engine's words have made it %+v against the honest opponent", o.Result)
	}
	oneLine(t, "the detail", o.Result.Detail)
	for _, w := range o.Warnings {
		oneLine(t, "a warning", w)
	}
	s := g.Rules.New()
	if g.Position != "" {
		var err error
		if s, err = g.Rules.Position(g.Position); err != nil {
			t.Fatal(err)
		}
	}
	for i := range len(o.Steps) + 1 {
		for _, a := range o.Attempts {
			if a.Before == i {
				apply(t, g, s, a.Move)
			}
		}
		if i < len(o.Steps) {
			apply(t, g, s, o.Steps[i].Move)
		}
	}
	if s.Text() != o.Final {
		t.Errorf("the decisions lead to %q, the game ended in %q", s.Text(), o.Final)
	}
	if res, over := s.Result(); over && res.Points != o.Result.Points {
		t.Errorf("the board says %+v, the referee %+v", res, o.Result)
	}
}

func apply(t testing.TB, g *match.Game, s rules.State, m game.Move) {
	t.Helper()
	if _, err := s.Apply(m, nil); err != nil {
		t.Fatalf("%s was played in %s, where it is not one by the rules: %v", g.Rules.FormatMove(m), s.Text(), err)
	}
}

func inList(r rules.Rules, why game.Reason) bool {
	return slices.Contains([]game.Reason{
		game.ByResign, game.ByTime, game.ByIllegal, game.ByCrash, game.ByStall, game.ByProtocol, game.ByResource, game.ByStart,
		game.ByAdjudication, game.ByAgreement,
	}, why) || slices.ContainsFunc(r.Doc().Reasons, func(c rules.Code) bool { return c.Word == string(why) })
}

// oneLine holds what people read to one line of text that is not longer than a screen.
func oneLine(t testing.TB, what, text string) {
	t.Helper()
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) || !utf8.ValidString(text) ||
		len(text) > 2000 {
		t.Errorf("%s is not one line of text: %.3000q", what, text)
	}
}

// ask puts the questions to a host that are none of a game's.
func ask(host player.Player, r rules.Rules, start string, now func() time.Time) {
	ctx := context.Background()
	b := rules.NewBoard(games.OpenSpec)
	if err := b.Reset(r.Spec(), start); err != nil {
		return
	}
	setup := player.Setup{
		ID: "fuzz", Spec: r.Spec(), Width: r.Doc().Width, Height: r.Doc().Height, Seat: game.Nobody,
		Names: [2]string{"A", "B"}, Start: start, ToMove: b.Turn().Seat, Colours: r.Doc().Colours,
	}
	if host.NewGame(ctx, &setup) == nil {
		if a, ok := host.(player.Analyst); ok {
			for _, whole := range []bool{false, true} {
				n := 0
				_ = a.Analyse(ctx, player.Question{Lines: 2, Depth: 3, Budget: 20 * time.Millisecond, WholeGame: whole}, func(game.Info) bool {
					n++
					return n < 20
				})
			}
		}
		if s, ok := host.(player.Suggester); ok {
			_, _ = s.Suggest(ctx, &player.Prompt{
				Seat: b.Turn().Seat, Turn: b.Turn(), Moves: b, Colours: r.Doc().Colours,
				Deadline: now().Add(time.Second),
			})
		}
		if l, ok := host.(player.Learner); ok {
			_ = l.Learn(ctx)
		}
	}
	host.Over(game.Result{Reason: game.ByAbort})
}

type dialler interface {
	dial(ctx context.Context) (link.Conn, error)
	folder(file string) func(context.Context) (protocol.Folder, error)
}
