package match_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/exact"
	"kibitz/exact/amazons"
	"kibitz/exact/connect6"
	"kibitz/exact/dotsandboxes"
	"kibitz/exact/gomoku"
	"kibitz/exact/nogo"
	"kibitz/exact/othello"
	"kibitz/game"
	"kibitz/games"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rules"
)

// oracle is a solver that says what it is told to.
type oracle struct {
	near  func(s rules.State) bool
	solve func(s rules.State) (exact.Verdict, bool)
	asked []string
}

func (o *oracle) Near(s rules.State) bool { return o.near == nil || o.near(s) }

func (o *oracle) Solve(s rules.State, _ int64) (exact.Verdict, bool) {
	o.asked = append(o.asked, s.Text())
	return o.solve(s)
}

// A verdict ends the game with its reason and its proof, and its time is on no clock.
func TestExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &oracle{solve: func(s rules.State) (exact.Verdict, bool) {
			time.Sleep(5 * sec)
			if len(strings.Fields(s.Text())) < 4 {
				return exact.Verdict{Nodes: 10}, false
			}
			v := exact.Won(game.Second, "4 stones lie")
			v.SetBoard(3, 5, "stones")
			v.Line, v.Nodes = at(6, 7), 77
			return v, true
		}}
		g := newGame(&fake{}, &fake{})
		g.Policy.Exact = match.ExactRule{Solver: o, Nodes: 100, FromMove: 2}
		events := collect(t, g)
		out := match.Play(t.Context(), g)
		mustEnd(t, out, game.Second, game.ByAdjudication, "solved: B wins by 5 stones to 3 with best play; 4 stones lie, 77 positions")
		if out.Result.Board != [2]float64{3, 5} || !out.Result.HasBoard || out.Turns != 4 || out.Used != [2]time.Duration{} {
			t.Errorf("%+v", out)
		}
		if want := []string{"0 1", "0 1 2", "0 1 2 3"}; !slices.Equal(o.asked, want) {
			t.Errorf("asked of %q, want %q", o.asked, want)
		}
		want := []string{"adjudicated position: 0 1 2 3", "best play: 6 7"}
		j := fold(t, *events)
		if !slices.Equal(out.Evidence, want) || !slices.Equal(j.Evidence[0].Lines, want) || j.Result.Result != out.Result {
			t.Errorf("evidence %q, journal %+v", out.Evidence, j)
		}
	})
}

// After an attempt that used up its positions the next turn is not tried.
func TestExactRests(t *testing.T) {
	o := &oracle{
		near:  func(s rules.State) bool { return s.Text() != "0 1 2" },
		solve: func(rules.State) (exact.Verdict, bool) { return exact.Verdict{Nodes: 100}, false },
	}
	g := newGame(&fake{}, &fake{})
	g.Rules = &tiny{size: 7, perTurn: 1}
	g.Policy.Exact = match.ExactRule{Solver: o, Nodes: 100}
	if out := match.Play(t.Context(), g); out.Result.Reason != "full" {
		t.Errorf("%+v", out.Result)
	}
	if want := []string{"0", "0 1 2 3", "0 1 2 3 4 5"}; !slices.Equal(o.asked, want) {
		t.Errorf("asked of %q, want %q", o.asked, want)
	}
}

// A certain draw and a certain win without a score are worded as such.
func TestExactWords(t *testing.T) {
	for want, v := range map[string]exact.Verdict{
		"solved: a draw with best play; nothing is left, 0 positions": exact.Drawn("nothing is left"),
		"solved: A wins with best play; it is so, 0 positions":        exact.Won(game.First, "it is so"),
	} {
		g := newGame(&fake{}, &fake{})
		g.Policy.Exact.Solver = &oracle{solve: func(rules.State) (exact.Verdict, bool) { return v, true }}
		out := match.Play(t.Context(), g)
		mustEnd(t, out, v.Winner(), game.ByAdjudication, want)
		if out.Result.Points != v.Points || len(out.Evidence) != 1 {
			t.Errorf("%+v %q", out.Result, out.Evidence)
		}
	}
}

// Whoever has needed overtime can at best lose narrowly, adjudicated or not.
func TestExactAfterOvertime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fake{}
		slow.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			time.Sleep(2 * sec)
			return slow.first(p), nil
		}
		v := exact.Won(game.First, "")
		v.SetBoard(6, 2, "stones")
		g := newGame(slow, &fake{})
		g.Sides[0].Clock = control(t, "1 overtime=10")
		g.Policy.Exact = match.ExactRule{FromMove: 2, Solver: &oracle{solve: func(rules.State) (exact.Verdict, bool) { return v, true }}}
		out := match.Play(t.Context(), g)
		mustEnd(t, out, game.Second, game.ByTime, "overtime")
		if out.Result.Board != [2]float64{3, 5} {
			t.Errorf("%+v", out.Result)
		}
	})
}

// A person who decides a running game says so in its result, which stands in the
// journal with the position.
func TestManualVerdict(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	want := game.Drawn(game.ByAdjudication, "decided by Ada: the hall closes")
	a := &fake{}
	a.choose = func(ctx context.Context, p *player.Prompt) (player.Answer, error) {
		if a.prompts == 2 {
			cancel(&match.Verdict{Result: want})
		}
		return a.first(p), nil
	}
	g := newGame(a, &fake{})
	events := collect(t, g)
	o := match.Play(ctx, g)
	j := fold(t, *events)
	if o.Result != want || j.Result.Result != want || j.Evidence[0].Final != "0 1" || o.Faulty != [2]bool{} {
		t.Errorf("%+v, journal %+v %+v", o, j.Result, j.Evidence)
	}
}

// What is adjudicated is what perfect play makes of it: the same games, played on
// from there by players that keep to the lines of the solver.
func TestAdjudicatedIsPlayedOut(t *testing.T) {
	for spec, open := range map[string]func() (exact.Solver, error){
		"othello": othello.New, "dotsandboxes:size=3": dotsandboxes.New, "nogo:size=5": nogo.New, "amazons": amazons.New,
		"connect6:size=7": connect6.New, "gomoku:size=7,rule=renju": gomoku.New,
	} {
		t.Run(spec, func(t *testing.T) {
			r, err := games.Open(spec)
			if err != nil {
				t.Fatal(err)
			}
			solver, err := exact.Share(open)
			if err != nil {
				t.Fatal(err)
			}
			decided := 0
			for seed := range uint64(4) {
				rnd := rand.New(rand.NewPCG(seed, 5))
				any := func(_ context.Context, p *player.Prompt) (player.Answer, error) {
					list := p.Moves.Legal(nil)
					return player.Answer{Steps: []game.Move{list[rnd.IntN(len(list))]}}, nil
				}
				g := &match.Game{ID: fmt.Sprint(seed), Rules: r, Now: time.Now}
				for s := range g.Sides {
					g.Sides[s] = match.Side{Player: &fake{quiet: true, choose: any}, Name: fmt.Sprint(s), Clock: control(t, "60+1")}
				}
				g.Policy.Exact = match.ExactRule{Solver: solver, Nodes: 20_000}
				first := match.Play(t.Context(), g)
				if first.Result.Reason != game.ByAdjudication {
					continue
				}
				decided++
				second := playOut(t, g, first.Final, solver)
				if second.Result.Points != first.Result.Points || first.Result.HasBoard && second.Result.Board != first.Result.Board {
					t.Errorf("%s adjudicated %+v, played out %+v", first.Final, first.Result, second.Result)
				}
				if second.Result.Reason == game.ByAdjudication {
					t.Errorf("not played out: %+v", second.Result)
				}
			}
			if decided == 0 {
				t.Error("no game was adjudicated")
			}
		})
	}
}

// playOut plays a game from a position by the lines of a solver; a seat for which
// there is none, because it loses or anything holds, plays its first move.
func playOut(t *testing.T, g *match.Game, from string, solver exact.Solver) match.Outcome {
	s, err := g.Rules.Position(from)
	if err != nil {
		t.Fatal(err)
	}
	perfect := func(context.Context, *player.Prompt) (player.Answer, error) {
		for {
			f, ok := s.(rules.Forcer)
			if !ok {
				break
			}
			m, forced := f.Forced()
			if !forced {
				break
			}
			if _, err := s.Apply(m, nil); err != nil {
				return player.Answer{}, err
			}
		}
		m := s.Legal(nil)[0]
		if v, ok := solver.Solve(s, 100_000); ok && len(v.Line) > 0 {
			m = v.Line[0]
		}
		_, err := s.Apply(m, nil)
		return player.Answer{Steps: []game.Move{m}}, err
	}
	again := *g
	again.Position, again.Policy.Exact = from, match.ExactRule{}
	for i := range again.Sides {
		again.Sides[i].Player = placed{&fake{quiet: true, choose: perfect}}
	}
	return match.Play(t.Context(), &again)
}

// placed is a player that can begin anywhere.
type placed struct{ *fake }

func (placed) CanStart(game.Spec) player.Start { return player.FromPosition }
