package hub_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/replay"
	"kibitz/rules"
)

// script is a game that players follow, each decision of a seat in its place.
type script struct {
	moves []game.Move
	ended []bool // of each, whether it completed a turn, or an answer
	at    int
}

// scriptOf draws a game by lot, up to so many turns.
func scriptOf(t *testing.T, r rules.Rules, dealer rules.Dealer, turns int) *script {
	t.Helper()
	x, s, rng := &script{}, r.New(), rand.New(rand.NewPCG(3, 9))
	var told []game.Notice
	for turns > 0 && s.Turn().Seat != game.Nobody {
		var m game.Move
		deal := s.Turn().Seat == game.Dealer
		if deal {
			var err error
			if m, err = dealer.Deal(s); err != nil {
				t.Fatal(err)
			}
		} else {
			legal := s.Legal(nil)
			m = legal[rng.IntN(len(legal))]
		}
		var err error
		if told, err = s.Apply(m, told[:0]); err != nil {
			t.Fatal(err)
		}
		refused := slices.ContainsFunc(told, func(n game.Notice) bool { return n.Kind == game.Refused })
		ended := !refused && replay.TurnEnds(s)
		if f, ok := s.(rules.Forcer); ok && !deal {
			if pass, forced := f.Forced(); forced { // the referee plays it
				if told, err = s.Apply(pass, told[:0]); err != nil {
					t.Fatal(err)
				}
				turns--
			}
		}
		if ended {
			turns--
		}
		if deal {
			x.ended[len(x.ended)-1] = ended
			continue
		}
		x.moves, x.ended = append(x.moves, m), append(x.ended, ended || refused) // which is an answer of its own
	}
	return x
}

// follower follows a script: a person with a decision at a time, an engine with a whole
// turn.
type follower struct {
	random
	x     *script
	whole bool
}

func (f *follower) Choose(context.Context, *player.Prompt) (player.Answer, error) {
	var a player.Answer
	for f.x.at < len(f.x.moves) {
		a.Steps = append(a.Steps, f.x.moves[f.x.at])
		f.x.at++
		if !f.whole || f.x.ended[f.x.at-1] {
			return a, nil
		}
	}
	if len(a.Steps) == 0 {
		a.Steps = []game.Move{game.ResignMove()}
	}
	return a, nil
}

// entries are the entries of a list of moves: one for each turn, as the flag tells.
func entries(r rules.Rules, s *live.State) []string {
	var out []string
	var words []string
	name := func(text string) string {
		m, err := journal.ParseMove(text)
		if err != nil {
			return text
		}
		return r.FormatMove(m)
	}
	for i, e := range s.History {
		for _, text := range e.Steps {
			words = append(words, name(text))
		}
		for _, n := range e.Notices {
			switch n.Kind {
			case "played":
				words = append(words, name(n.Move))
			case "moved":
				if !slices.ContainsFunc(e.Notices, func(n live.Notice) bool { return n.Kind == "played" }) {
					words = append(words, "moved")
				}
			case "refused":
				words = append(words, name(n.Move)+"?")
			}
		}
		if e.Ended || i == len(s.History)-1 {
			out, words = append(out, strings.Join(words, " ")), nil
		}
	}
	return out
}

// In every game a list of moves has one entry for each turn, whole, whether its decisions
// came one by one, as people make them, or together, as engines do, and as many as the
// record.
func TestOneEntryATurn(t *testing.T) {
	for _, spec := range []string{
		"othello", "gomoku:opening=swap2", "connect6", "amazons", "nogo", "dotsandboxes:size=4", "phantomgo:size=5", "surakarta", "darkchess",
	} {
		t.Run(spec, func(t *testing.T) {
			r, err := games.Open(spec)
			if err != nil {
				t.Fatal(err)
			}
			var want [3][]string
			for n, whole := range [][2]bool{{false, false}, {true, true}, {false, true}} {
				dealer := match.NewDealer(r, [32]byte{7})
				x := scriptOf(t, r, dealer, 41)
				if n == 0 && strings.HasPrefix(spec, "amazons") && len(x.moves) != 82 {
					t.Fatalf("the script has %d decisions", len(x.moves))
				}
				told, out := follow(t, r, x, whole)
				g := record.Game{Spec: r.Spec()}
				g.Result = &out.Result
				attempts := out.Attempts
				for i, s := range out.Steps {
					for len(attempts) > 0 && attempts[0].Before == i {
						g.Steps = append(g.Steps, record.Step{By: attempts[0].By, Move: attempts[0].Move, Refused: true})
						attempts = attempts[1:]
					}
					g.Steps = append(g.Steps, record.Step{By: s.By, Move: s.Move, Forced: s.Forced})
				}
				l, err := replay.Play(&g, func(s game.Spec) (rules.Rules, error) { return games.Open(string(s)) })
				if err != nil || l.Illegal != nil {
					t.Fatal(err, l.Illegal)
				}
				var record []string
				for _, turn := range l.Turns() {
					var words []string
					for _, s := range l.Steps[turn.From:turn.To] {
						w := r.FormatMove(s.Move)
						if s.Refused {
							w += "?"
						}
						words = append(words, w)
					}
					record = append(record, strings.Join(words, " "))
				}
				for a := range told {
					s, err := hub.StateOf(game.Audience(a), told[a])
					if err != nil {
						t.Fatal(err)
					}
					list := entries(r, &s)
					if n == 0 {
						want[a] = list
					}
					if len(list) != len(record) || len(list) != l.Played() || len(list) < 20 {
						t.Errorf("%v, audience %d: %d entries, the record has %d turns", whole, a, len(list), len(record))
					}
					if !slices.Equal(list, want[a]) {
						t.Errorf("%v, audience %d:\n%q, by people\n%q", whole, a, list, want[a])
					}
					if r.Doc().Info != rules.Private && !slices.Equal(list, record) {
						t.Errorf("%v, audience %d:\n%q, the record\n%q", whole, a, list, record)
					}
				}
			}
		})
	}
}

// follow plays a script and returns what each audience is told.
func follow(t *testing.T, r rules.Rules, x *script, whole [2]bool) (out [3][][]byte, end match.Outcome) {
	t.Helper()
	k, err := clock.Parse("inf")
	if err != nil {
		t.Fatal(err)
	}
	g := &match.Game{ID: "g", Rules: r, Now: time.Now, Views: true, Dealer: match.NewDealer(r, [32]byte{7})}
	for i := range g.Sides {
		g.Sides[i] = match.Side{Player: &follower{x: x, whole: whole[i]}, Name: fmt.Sprint("player ", i), Clock: k}
	}
	g.Sink = func(ev *journal.Event) {
		for a := range out {
			if ev.To.Includes(game.Audience(a)) {
				line, err := journal.AppendEvent(nil, ev)
				if err != nil {
					t.Error(err)
				}
				out[a] = append(out[a], line)
			}
		}
	}
	end = match.Play(context.Background(), g)
	if end.Fault != nil || end.Result.Reason == game.ByIllegal {
		t.Fatalf("%+v", end.Result)
	}
	return out, end
}
