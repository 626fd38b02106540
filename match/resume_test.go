package match_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// steady decides by nothing but what it sees, so that it plays on as it would have
// after a break. It thinks for a while, says something, and now and then wants to
// take back a turn.
type steady struct {
	desk  player.Desk
	undo  bool
	told  []string
	setup player.Setup
}

func (s *steady) NewGame(_ context.Context, setup *player.Setup) error {
	s.setup = *setup
	for i := range setup.History {
		s.told = append(s.told, told(&setup.History[i]))
	}
	return nil
}

func (s *steady) Tell(u *player.Update) {
	c := u.Clone()
	c.Result = nil
	s.told = append(s.told, told(&c))
}

func (s *steady) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	v := p.View.View()
	h := fnv.New64a()
	fmt.Fprint(h, v.Cells, v.Lines, v.Turn, v.Trays, v.Attempts, p.Again, p.Rejected, p.Colours)
	for _, k := range p.Clocks {
		fmt.Fprint(h, k.Left, k.Total, k.Moves, k.Periods, k.Stage, k.Used, k.Overtime)
	}
	n := h.Sum64()
	used := time.Duration(n>>20%1500) * time.Millisecond
	time.Sleep(used + 2*time.Millisecond) // to the player and back
	legal := p.Moves.Legal(nil)
	a := player.Answer{Steps: []game.Move{legal[n%uint64(len(legal))]}, Used: used, Measured: true, Info: game.Info{Depth: 1 + int(n%7), Nodes: int64(n % 1000)}}
	if s.undo && n%29 == 0 {
		s.desk.Act(player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, func(player.Reply) {})
	}
	return a, nil
}

// Attend and the others let it take back its latest turn without asking.
func (s *steady) Attend(d player.Desk) { s.desk = d }
func (s *steady) CanAnswer() bool      { return false }
func (s *steady) Asked(player.Asks)    {}

func (s *steady) Stop()            {}
func (s *steady) Over(game.Result) {}
func (s *steady) Close() error     { return nil }

func (s *steady) CanStart(game.Spec) player.Start { return player.FromPosition }

// resumed are games that are broken off after each of their events.
var resumed = []struct {
	spec, clocks string
	opening      int // decisions that are given
	undo         bool
	fewest       int // decisions, for the test to be worth anything
}{
	{spec: "othello", clocks: "60+0.5", opening: 4, fewest: 40},
	{spec: "othello", clocks: "inf", undo: true, fewest: 40},
	{spec: "gomoku:opening=swap2,size=7", clocks: "2 byo=9x1/3", fewest: 10},
	{spec: "gomoku:size=7", clocks: "10/0:15 st=2", fewest: 10},
	{spec: "gomoku:size=7", clocks: "0:10 canadian=15/9", fewest: 10},
	{spec: "gomoku:size=7", clocks: "hourglass=60", fewest: 10},
	{spec: "gomoku:size=7", clocks: "0:08 overtime=90", fewest: 10},
	{spec: "gomoku:size=7", clocks: "30 delay=1", fewest: 10},
	{spec: "gomoku:size=7", clocks: "30 bronstein=1", undo: true, fewest: 10},
	{spec: "amazons", clocks: "5 byo=3x3", opening: 3, fewest: 60},
	{spec: "phantomgo:size=5,maxplies=40", clocks: "600+1", fewest: 50},
	{spec: "phantomgo:size=5,maxplies=40", clocks: "0:08 byo=1x30/3", undo: true, fewest: 50},
	{spec: "darkchess", clocks: "600+1", fewest: 60},
	{spec: "darkchess", clocks: "600 st=2", undo: true, opening: 3, fewest: 60},
	{spec: "dotsandboxes", clocks: "60+0.5", fewest: 30},
}

// resumable returns a game of the table, and its players.
func resumable(t *testing.T, n int) (*match.Game, [2]*steady) {
	t.Helper()
	c := resumed[n]
	r, err := games.Open(c.spec)
	if err != nil {
		t.Fatal(err)
	}
	g := &match.Game{ID: "g", Rules: r, Now: time.Now, Dealer: match.NewDealer(r, [32]byte{byte(n)}), OpeningName: "given"}
	s := r.New()
	dealer := match.NewDealer(r, [32]byte{byte(n)})
	for len(g.Opening) < c.opening {
		m := s.Legal(nil)[0]
		g.Opening = append(g.Opening, m)
		for {
			if _, err := s.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
			if s.Turn().Seat != game.Dealer {
				break
			}
			if m, err = dealer.Deal(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	var ps [2]*steady
	for i := range ps {
		ps[i] = &steady{undo: c.undo}
		g.Sides[i] = match.Side{Player: ps[i], Name: fmt.Sprint("player ", i), Clock: control(t, c.clocks), Margin: time.Second}
	}
	g.Policy.MaxMoves = 60
	g.Policy.Undo = c.undo
	return g, ps
}

// A game that is broken off after any of its events and taken up has the record of
// the game that was not: every decision with its time, refused attempts, both
// clocks, the result. What the players know of it is the same too.
func TestResume(t *testing.T) {
	rewound := 0
	for n, c := range resumed {
		t.Run(c.spec+" "+c.clocks, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, ps := resumable(t, n)
				whole := collect(t, g)
				o := match.Play(t.Context(), g)
				want := fold(t, *whole)
				if len(want.Steps) < c.fewest || o.Result.Reason == game.ByAbort {
					t.Fatalf("%d decisions, %+v", len(want.Steps), o.Result)
				}
				every := 1 + len(*whole)/20
				if testing.Short() {
					every = 1 + len(*whole)/4
				}
				for cut := 1 + n%every; cut < len(*whole)-1; cut += every {
					if cutsSaid((*whole)[cut:]) {
						continue // what was said with the last decision would be lost
					}
					h, qs := resumable(t, n)
					h.Resume = (*whole)[:cut]
					h.Views = true
					events := collect(t, h)
					again := match.Play(t.Context(), h)
					got := fold(t, *events)
					undated(want)
					undated(got)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("cut after event %d (%s):\n%s\n%+v", cut, (*whole)[cut-1].Kind, diff, again.Result)
					}
					if diff := cmp.Diff(o, again, cmp.AllowUnexported(match.Outcome{})); diff != "" {
						t.Fatalf("cut after event %d:\n%s", cut, diff)
					}
					checkTold(t, cut, ps, qs, *events)
				}
				for _, ev := range *whole {
					if ev.Rewind != nil {
						rewound++
					}
				}
			})
		})
	}
	if rewound < 4 {
		t.Errorf("only %d turns were taken back", rewound)
	}
}

// cutsSaid reports whether the events begin amid those of one decision.
func cutsSaid(list []journal.Event) bool {
	for i := range list {
		if k := list[i].Kind; k != journal.KindNotices {
			return k == journal.KindSaid
		}
	}
	return false
}

// undated takes away when a game was played.
func undated(g *journal.Game) {
	g.Begun, g.Over = time.Time{}, time.Time{}
	for i := range g.Steps {
		g.Steps[i].At = time.Time{}
	}
}

// checkTold compares what players know that came in at the start and later.
func checkTold(t *testing.T, cut int, ps, qs [2]*steady, events []journal.Event) {
	t.Helper()
	for _, ev := range events {
		if ev.Rewind != nil {
			return // whoever came later was not told of what had been taken back
		}
	}
	for s, p := range ps {
		if a, b := strings.Join(p.told, "\n"), strings.Join(qs[s].told, "\n"); a != b {
			t.Fatalf("cut after event %d: seat %d knows another game:\n%s", cut, s, twin.Difference(a, b))
		}
	}
}

// The events of a resumed game can be resumed, and boards are shown from where it
// goes on.
func TestResumeTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := resumable(t, len(resumed)-3)
		g.Views = true
		whole := collect(t, g)
		match.Play(t.Context(), g)
		h, _ := resumable(t, len(resumed)-3)
		h.Views = true
		h.Resume = (*whole)[:61]
		second := collect(t, h)
		match.Play(t.Context(), h)
		views := 0
		for _, ev := range (*second)[:40] {
			if ev.View != nil {
				views++
			}
		}
		if views > 6 {
			t.Errorf("%d boards of what was played before", views)
		}
		k, _ := resumable(t, len(resumed)-3)
		k.Resume = (*second)[:91]
		third := collect(t, k)
		match.Play(t.Context(), k)
		a, b := fold(t, *whole), fold(t, *third)
		undated(a)
		undated(b)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Error(diff)
		}
	})
}

// What cannot be taken up is refused in words.
func TestResumeRefused(t *testing.T) {
	base, _ := resumable(t, 0)
	synctest.Test(t, func(t *testing.T) {
		whole := collect(t, base)
		match.Play(t.Context(), base)
		list := *whole
		for _, c := range []struct {
			name   string
			resume []journal.Event
			change func(*match.Game)
			want   string
		}{
			{"no start", list[1:9], nil, "the first event is of kind \"decision\""},
			{"over", list, nil, "the game was over"},
			{"two starts", append(append([]journal.Event{}, list[:3]...), list[0]), nil, "begins a second time"},
			{"another game", list[:9], func(g *match.Game) { g.Rules, _ = games.Open("gomoku") }, "the events are of othello"},
			{"another opening", list[:9], func(g *match.Game) { g.Opening[0] = game.PassMove() }, "decision 1 of the opening"},
			{"out of order", append(append([]journal.Event{}, list[:3]...), list[6:9]...), nil, "taking the game up: event"},
			{"a player from nothing", list[:9], func(g *match.Game) { g.Sides[1].Player = nameless{&steady{}} }, "player 1 cannot start from where the game was broken off"},
		} {
			h, _ := resumable(t, 0)
			h.Resume = c.resume
			if c.change != nil {
				c.change(h)
			}
			o := match.Play(t.Context(), h)
			if o.Result.Reason != game.ByAbort || !strings.Contains(o.Result.Detail, c.want) {
				t.Errorf("%s: %+v, want %q", c.name, o.Result, c.want)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) { // another shuffle
		const dark = 12
		g, _ := resumable(t, dark)
		whole := collect(t, g)
		match.Play(t.Context(), g)
		h, _ := resumable(t, dark)
		h.Resume = (*whole)[:40]
		h.Dealer = match.NewDealer(h.Rules, [32]byte{99})
		if o := match.Play(t.Context(), h); o.Result.Reason != game.ByAbort || !strings.Contains(o.Result.Detail, "the dealer is another one") {
			t.Errorf("%+v", o.Result)
		}
	})
}

// nameless hides what a player can do beyond playing.
type nameless struct{ player.Player }

// Illegal answers that were given back before a break count after it.
func TestResumeRetries(t *testing.T) {
	play := func(events []journal.Event, answers ...int) (match.Outcome, []journal.Event) {
		var list [][]game.Move
		for _, n := range answers {
			list = append(list, at(n))
		}
		g := newGame(says(list...), &fake{})
		g.Policy.Retries = 2
		g.Resume = events
		told := collect(t, g)
		return match.Play(t.Context(), g), *told
	}
	_, whole := play(nil, 99, 0, 98, 97)
	for cut, answers := range map[int][]int{
		1: {99, 98, 97}, // after the start
		2: {0, 98, 97},  // after the first illegal answer
		4: {98, 97},     // after the decision
		5: {97},         // after the second
	} {
		o, events := play(whole[:cut:cut], answers...)
		if o.Result.Reason != game.ByIllegal || len(o.Warnings) != 2 || !strings.Contains(o.Result.Detail, "97") {
			t.Errorf("cut after event %d: %+v", cut, o)
		}
		retries := 0
		for _, ev := range events {
			if ev.Warning != nil && ev.Warning.Retry {
				retries++
			}
		}
		if retries != 2 {
			t.Errorf("cut after event %d: %d answers were given back", cut, retries)
		}
	}
}
