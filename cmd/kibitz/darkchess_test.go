package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	botdarkchess "kibitz/bot/darkchess"
	"kibitz/catalog"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/games"
	"kibitz/games/darkchess"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/link"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/readfile"
	"kibitz/rules"
)

// darkProtocols are the ways to an engine of dark chess; the empty one is none: the
// player sits at the table itself.
var darkProtocols = []string{"", "dctp", "ponder", "ponder-old", "readfile"}

// darkLimits make what a built-in engine does independent of the time it has.
var darkLimits = player.Limits{Depth: 2, Nodes: 300}

// layout is a dealer that has the pieces on their squares before the game.
type layout [darkchess.Squares]int

// shuffled returns the layout that belongs to a seed.
func shuffled(seed uint64) *layout {
	var l layout
	i := 0
	for piece, n := range darkchess.FullSet {
		for range n {
			l[i] = piece
			i++
		}
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	return &l
}

func (l *layout) at(p game.Point) *int { return &l[p.Y*darkchess.Width+p.X] }

// Deal implements rules.Dealer.
func (l *layout) Deal(s rules.State) (game.Move, error) {
	list := s.(rules.Chance).Outcomes(nil)
	p := list[0].Move.To
	m := game.DealAt(p, *l.at(p))
	if !slices.ContainsFunc(list, func(o rules.Outcome) bool { return o.Move == m }) {
		return game.Move{}, fmt.Errorf("%s cannot be dealt", m)
	}
	return m, nil
}

// twin returns another layout with the same pieces on the squares that are given,
// and another piece on the one that is turned over next.
func (l *layout) twin(t *testing.T, known []game.Point, next game.Point, seed uint64) *layout {
	t.Helper()
	other := *l
	var rest []*int
	for i := range other {
		if p := game.Pt(i%darkchess.Width, i/darkchess.Width); !slices.Contains(known, p) {
			rest = append(rest, &other[i])
		}
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 1000 {
		rng.Shuffle(len(rest), func(i, j int) { *rest[i], *rest[j] = *rest[j], *rest[i] })
		if next == game.NoPoint && other != *l || next != game.NoPoint && *other.at(next) != *l.at(next) {
			return &other
		}
	}
	t.Fatalf("after %d flips what is left is all alike", len(known))
	return nil
}

// afresh asks a new player for every decision, as it is in a protocol whose engine
// is started for every ply. Every decision takes it a second.
type afresh struct {
	fresh func() player.Player
	setup player.Setup
}

func (a *afresh) NewGame(_ context.Context, s *player.Setup) error {
	a.setup = *s
	a.setup.ID = player.SessionID(1)
	a.setup.Limits = darkLimits
	a.setup.History = nil
	for i := range s.History {
		a.Tell(&s.History[i])
	}
	return nil
}

func (a *afresh) Tell(u *player.Update) {
	c := u.Clone()
	a.setup.History, a.setup.Colours = append(a.setup.History, c), c.Colours
}

func (a *afresh) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	time.Sleep(time.Second)
	b := a.fresh()
	s, q := a.setup, *p
	s.View, q.Limits = p.View, darkLimits
	if err := b.NewGame(ctx, &s); err != nil {
		return player.Answer{}, err
	}
	answer, err := b.Choose(ctx, &q)
	answer.Steps = slices.Clone(answer.Steps)
	return answer, err
}

func (a *afresh) Stop()            {}
func (a *afresh) Over(game.Result) {}
func (a *afresh) Close() error     { return nil }

// darkFolder is a folder in which the engine side of ReadFile answers.
type darkFolder struct {
	dir    string
	turn   func(dir string) error
	heard  *sent
	wg     sync.WaitGroup
	failed func(error)
}

func (f *darkFolder) Path() string { return f.dir }

func (f *darkFolder) Dial(context.Context) (link.Conn, error) {
	b, err := os.ReadFile(filepath.Join(f.dir, readfile.BoardFile))
	if err != nil {
		return nil, err
	}
	f.heard.add(b)
	ours, theirs := link.Pipe()
	f.wg.Go(func() {
		if err := f.turn(f.dir); err != nil {
			f.failed(err)
		}
		_ = theirs.Close()
	})
	return ours, nil
}

func (f *darkFolder) Close() error {
	f.wg.Wait()
	return os.RemoveAll(f.dir)
}

// darkGame is what came of one game.
type darkGame struct {
	outcome match.Outcome
	// traffic is what each seat's engine was sent, journals what may be read in the
	// journal by whom, line by line.
	traffic  [2][]string
	journals map[game.Audience][]string
}

// flips are the squares that were turned over, in order, and how many of them before
// the last turn of either seat: of those every engine is told, also one that is
// told of the game with each question only.
func (g *darkGame) flips() (list []game.Point, told int) {
	turns := 0
	for _, s := range g.outcome.Steps {
		switch {
		case s.Move.Op != game.Deal:
			turns++
		case turns <= g.outcome.Turns-2:
			list, told = append(list, s.Move.To), told+1
		default:
			list = append(list, s.Move.To)
		}
	}
	return list, told
}

// text is the game move for move, and its result.
func (g *darkGame) text() string {
	var b strings.Builder
	for _, s := range g.outcome.Steps {
		fmt.Fprintf(&b, "%s %s\n", s.By, s.Move)
	}
	r := g.outcome.Result
	fmt.Fprintf(&b, "%v %s %s\n%s\n", r.Points, r.Reason, r.Detail, g.outcome.Final)
	return b.String()
}

// darkChess plays a game between two engines, each behind the protocol, for so many
// turns at most. All games begin at the same moment of their own time.
func darkChess(t *testing.T, id string, dealer rules.Dealer, turns int, engines [2]func() player.Player) (g *darkGame) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { g = darkTable(t, id, dealer, turns, engines) })
	return g
}

func darkTable(t *testing.T, id string, dealer rules.Dealer, turns int, engines [2]func() player.Player) *darkGame {
	t.Helper()
	r, err := games.Open("darkchess:noeat=60")
	if err != nil {
		t.Fatal(err)
	}
	control, err := clock.Parse("900")
	if err != nil {
		t.Fatal(err)
	}
	out := &darkGame{journals: map[game.Audience][]string{}}
	begin := time.Now()
	g := &match.Game{ID: "dark", Rules: r, Dealer: dealer, Now: time.Now, Views: true, Policy: match.Policy{MaxMoves: turns}}
	var served sync.WaitGroup
	var ears [2]*sent
	for seat := game.First; seat <= game.Second; seat++ {
		ears[seat] = &sent{begin: begin}
		var p player.Player = &afresh{fresh: engines[seat]}
		if id != "" {
			p = darkHost(t, id, r.Spec(), seat, p, ears[seat], &served)
		}
		g.Sides[seat] = match.Side{Player: p, Name: seat.String(), Clock: control}
	}
	g.Sink = func(ev *journal.Event) {
		for _, who := range []game.Audience{game.Public, game.To(game.First), game.To(game.Second)} {
			if !ev.To.Includes(who) {
				continue
			}
			c := *ev
			c.Seq = 0 // numbers of the whole journal
			line, err := journal.AppendEvent(nil, &c)
			if err != nil {
				t.Error(err)
			}
			out.journals[who] = append(out.journals[who], string(line))
		}
	}
	out.outcome = match.Play(t.Context(), g)
	for seat, s := range g.Sides {
		if err := s.Player.Close(); err != nil {
			t.Error(err)
		}
		out.traffic[seat] = ears[seat].pieces
	}
	served.Wait()
	return out
}

// darkHost returns a player that drives p through the protocol.
func darkHost(t *testing.T, id string, spec game.Spec, seat game.Seat, p player.Player, heardBy *sent, served *sync.WaitGroup) player.Player {
	t.Helper()
	proto, err := catalog.ProtocolFor("darkchess", id)
	if err != nil {
		t.Fatal(err)
	}
	position := func() player.Position {
		return rules.NewBoard(func(s game.Spec) (rules.Rules, error) { return games.Open(string(s)) })
	}
	server := func() protocol.Server {
		return protocol.Server{
			Player: p, Position: position(), Now: time.Now, Name: "engine", Version: "1", Game: spec, Limits: darkLimits,
			Log: func(text string) {
				if text != io.ErrClosedPipe.Error() { // a ply that comes after the end
					t.Errorf("%s: the engine does not understand: %s", id, text)
				}
			},
		}
	}
	h, err := proto.Host(protocol.Config{
		Name: seat.String(), Now: time.Now,
		Warn: func(text string) { t.Errorf("%s: %s", id, text) },
		Dial: func(context.Context) (link.Conn, error) {
			ours, theirs := link.Pipe()
			served.Go(func() {
				_ = proto.Serve(context.Background(), theirs, server())
				_ = theirs.Close()
			})
			return heard{ours, heardBy}, nil
		},
		Folder: func(context.Context) (protocol.Folder, error) {
			dir, err := os.MkdirTemp(t.TempDir(), "engine")
			return &darkFolder{
				dir: dir, heard: heardBy, failed: func(err error) { t.Error(err) },
				turn: func(dir string) error { return proto.Turn(context.Background(), dir, server()) },
			}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// builtIn returns two built-in engines.
func builtIn(seed uint64) (engines [2]func() player.Player) {
	for i := range engines {
		engines[i] = func() player.Player {
			return botdarkchess.New(bot.Options{Level: 2 + 2*i, Seed: seed, Now: time.Now})
		}
	}
	return engines
}

// The same two engines play the same game from the same shuffle, whatever stands
// between them and the referee.
func TestDarkChessThroughProtocols(t *testing.T) {
	ends := map[game.Reason]bool{}
	for seed := range uint64(4) {
		turns := 0
		if seed == 0 {
			turns = 30 // a game that is broken off
		}
		var want string
		for _, id := range darkProtocols {
			g := darkChess(t, id, shuffled(seed), turns, builtIn(seed))
			reason := g.outcome.Result.Reason
			ends[reason] = true
			switch text := g.text(); {
			case id == "":
				want = text
				if len(g.outcome.Steps) < 40 {
					t.Errorf("seed %d: only %d decisions", seed, len(g.outcome.Steps))
				}
			case text != want:
				t.Errorf("seed %d: through %s it is another game: %s", seed, id, twin.Difference(want, text))
			}
		}
	}
	if len(ends) < 2 {
		t.Errorf("all games ended alike: %v", ends)
	}
}

// pieceTold is how a protocol writes that a piece came to light.
func pieceTold(id string, p game.Point, piece int) string {
	letter := string(darkchess.Letters[piece])
	square := string(grid.AppendDarkSquare(nil, p))
	switch id {
	case "dctp":
		return "11 flip " + square + " " + letter
	case "ponder-old":
		number := 1 + piece
		if piece >= 7 {
			number = 2 + piece
		}
		return fmt.Sprintf("/flip %d %d %d ", p.X, darkchess.Height-1-p.Y, number)
	default: // ponder and readfile
		return square + "(" + letter + ")"
	}
}

// Games from two shuffles that agree on everything turned over so far are the same
// to the byte and to the nanosecond for both engines, the public and each seat's
// part of the journal, until the first square is turned over where they differ. If
// that is never turned over they are the same to the end.
func TestDarkChessTwins(t *testing.T) {
	const turns = 24
	a := shuffled(11)
	for _, id := range darkProtocols[1:] {
		want := darkChess(t, id, a, turns, builtIn(5))
		flips, told := want.flips()
		if told < 8 || want.outcome.Result.Reason != game.ByAdjudication {
			t.Fatalf("%s: %d flips, %+v", id, told, want.outcome.Result)
		}
		for n := range told + 1 {
			next := game.NoPoint
			if n < told {
				next = flips[n]
			} else {
				n = len(flips) // they differ in what nobody turns over
			}
			b := a.twin(t, flips[:n], next, uint64(n))
			got := darkChess(t, id, b, turns, builtIn(5))
			for seat := range want.traffic {
				from, to := "", ""
				if next != game.NoPoint {
					from, to = pieceTold(id, next, *a.at(next)), pieceTold(id, next, *b.at(next))
				}
				parting(t, fmt.Sprintf("%s after %d flips: what the engine of seat %d was sent", id, n, seat), want.traffic[seat], got.traffic[seat], from, to)
			}
			for who := range want.journals {
				from, to := "", ""
				if next != game.NoPoint {
					from, to = dealTold(next, *a.at(next)), dealTold(next, *b.at(next))
				}
				parting(t, fmt.Sprintf("%s after %d flips: the journal for %s", id, n, who), want.journals[who], got.journals[who], from, to)
			}
			if next == game.NoPoint && want.outcome.Result != got.outcome.Result {
				t.Errorf("%s: the results differ: %+v, %+v", id, want.outcome.Result, got.outcome.Result)
			}
		}
	}
}

// dealTold is how a journal writes it.
func dealTold(p game.Point, piece int) string {
	return fmt.Sprintf(`"d%d,%d:%d"`, p.X, p.Y, piece)
}

// parting checks that two lists of lines are the same up to the one that tells a
// piece, from in the first and to in the second; to their end if that is empty.
func parting(t *testing.T, what string, x, y []string, from, to string) {
	t.Helper()
	if len(x) < 10 {
		t.Errorf("%s: only %d lines", what, len(x))
	}
	for i := range max(len(x), len(y)) {
		switch {
		case i < min(len(x), len(y)) && x[i] == y[i]:
			if from != "" && strings.Contains(x[i], from) {
				t.Errorf("%s: line %d tells both games of %s:\n%s", what, i, from, x[i])
				return
			}
		case from != "" && i < min(len(x), len(y)) && strings.Contains(x[i], from) && strings.Contains(y[i], to):
			return
		default:
			t.Errorf("%s differs in line %d:\n%s\n%s", what, i, strings.Join(x[i:min(i+1, len(x))], ""), strings.Join(y[i:min(i+1, len(y))], ""))
			return
		}
	}
	if from != "" {
		t.Errorf("%s: %s was never told", what, from)
	}
}
