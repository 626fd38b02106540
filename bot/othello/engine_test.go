package othello_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kibitz/bot/random"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/player"
	"kibitz/player/playertest"

	kit "kibitz/bot"
	bot "kibitz/bot/othello"
)

const spec = game.Spec("othello")

var position = playertest.Board(othello.Game())

func newBot(level int) player.Player {
	return bot.New(kit.Options{Level: level, Seed: 1, Now: time.Now})
}

func TestConformance(t *testing.T) {
	for _, level := range []int{1, 5, 9} {
		t.Run(fmt.Sprint("level ", level), func(t *testing.T) {
			playertest.Suite{
				New: func() player.Player { return newBot(level) }, Spec: spec, Position: position,
				Deterministic: true, Limits: player.Limits{Depth: 3, Nodes: 3000},
			}.Run(t)
		})
	}
	t.Run("level 9 without its book", func(t *testing.T) { // at the start too it thinks
		playertest.Suite{
			New: func() player.Player {
				p := newBot(9)
				p.(*bot.Player).WithoutBook()
				return p
			}, Spec: spec, Position: position,
			Deterministic: true, Thinks: true, Limits: player.Limits{Depth: 3, Nodes: 3000},
		}.Run(t)
	})
}

// match plays n games and returns the points of a. Seats are exchanged after each.
func match(t *testing.T, a, b player.Player, n int, set func(*playertest.Table)) float64 {
	t.Helper()
	points := 0.0
	for i := range n {
		tb := &playertest.Table{Position: position(), Spec: spec, Seed: uint64(i), Limit: time.Minute}
		if set != nil {
			set(tb)
		}
		ps := [2]player.Player{a, b}
		if i%2 == 1 {
			ps = [2]player.Player{b, a}
		}
		g, err := tb.Play(context.Background(), ps)
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		points += g.Result.Points[i%2]
	}
	return points
}

func TestBeatsRandom(t *testing.T) {
	p := newBot(3)
	points := 0.0
	for i := range 20 {
		r := random.New(random.Options{Seed: uint64(i)})
		a := [2]player.Player{p, r}
		if i%2 == 1 {
			a = [2]player.Player{r, p}
		}
		tb := &playertest.Table{Position: position(), Spec: spec, Limit: time.Minute}
		g, err := tb.Play(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		points += g.Result.Points[i%2]
	}
	if points != 20 {
		t.Errorf("%v points of 20 against random moves at level 3", points)
	}
}

func TestLevelsDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	for _, pair := range [][2]int{{3, 1}, {5, 3}, {7, 5}} {
		points := 0.0
		for i := range 10 {
			strong := bot.New(kit.Options{Level: pair[0], Seed: uint64(i), Now: time.Now})
			weak := bot.New(kit.Options{Level: pair[1], Seed: uint64(i) + 100, Now: time.Now})
			points += match(t, strong, weak, 2, nil)
		}
		if points < 14 {
			t.Errorf("level %d scored %v of 20 against level %d", pair[0], points, pair[1])
		}
		t.Logf("level %d scored %v of 20 against level %d", pair[0], points, pair[1])
	}
}

// ticking is a player whose clock moves on by step each time it is looked at.
type ticking struct {
	player.Player
	step  time.Duration
	now   time.Time
	looks int64
}

func newTicking(step time.Duration) *ticking {
	k := &ticking{step: step, now: time.Now()}
	k.Player = bot.New(kit.Options{Level: 9, Seed: 1, Now: func() time.Time {
		k.looks++
		k.now = k.now.Add(step)
		return k.now
	}})
	return k
}

func (k *ticking) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	began := k.now
	a, err := k.Player.Choose(ctx, p)
	a.Measured, a.Used = true, k.now.Sub(began)
	return a, err
}

// TestNeverLate plays whole games at ten milliseconds a turn and with a short
// game clock: no look at the clock may find more time gone than there was, and the
// clock is looked at often.
func TestNeverLate(t *testing.T) {
	for name, c := range map[string]clock.Control{
		"10 ms a turn": {Turn: 10 * time.Millisecond},
		"1 s a game":   {Main: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			slowest := time.Duration(0)
			var used [2]time.Duration
			var nodes int64
			step := 250 * time.Microsecond
			if c.Main > 0 {
				step = 2 * time.Millisecond
			}
			a, b := newTicking(step), newTicking(step)
			match(t, a, b, 1, func(tb *playertest.Table) {
				tb.Clocks = [2]clock.Clock{clock.New(c), clock.New(c)}
				tb.Inspect = func(p *player.Prompt, a *player.Answer) {
					slowest = max(slowest, a.Used)
					used[p.Seat] += a.Used
					nodes += a.Info.Nodes
				}
			})
			if c.Turn > 0 && slowest > c.Turn {
				t.Errorf("a turn took %v", slowest)
			}
			if c.Main > 0 && max(used[0], used[1]) > c.Main {
				t.Errorf("the game took %v", used)
			}
			t.Logf("the slowest turn took %v, all turns %v; %d looks in %d positions", slowest, used, a.looks+b.looks, nodes)
			if nodes > 3000*(a.looks+b.looks) {
				t.Errorf("the players looked at the clock %d times in %d positions", a.looks+b.looks, nodes)
			}
		})
	}
}

func begin(t *testing.T, p player.Player, start string) *player.Setup {
	t.Helper()
	_, seat, err := othello.ParsePosition(start)
	if err != nil {
		t.Fatal(err)
	}
	s := &player.Setup{ID: "t", Spec: spec, Width: 8, Height: 8, Seat: seat, ToMove: seat, Start: start}
	if err := p.NewGame(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// ffo1 is the first position of the FFO suite, 14 empty squares; g8 wins by 18.
const ffo1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"

func analyse(t *testing.T, p player.Player, q player.Question) []game.Info {
	t.Helper()
	a, ok := p.(player.Analyst)
	if !ok {
		t.Fatal("no analyst")
	}
	var got []game.Info
	if err := a.Analyse(context.Background(), q, func(i game.Info) bool { got = append(got, i); return true }); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestHintsAreExact(t *testing.T) {
	p := newBot(9)
	begin(t, p, ffo1)
	got := analyse(t, p, player.Question{Lines: 8})
	if len(got) < 8 {
		t.Fatalf("%d lines", len(got))
	}
	want := []struct {
		move  string
		score float64
	}{{"g8", 18}, {"h1", 12}, {"h7", 6}, {"a2", 6}, {"a3", 4}, {"b1", -4}, {"a4", -22}, {"g2", -24}}
	for i, info := range got[len(got)-8:] {
		if info.Rank != i+1 || info.Bound != game.Exact || info.Depth != 14 || info.Eval.Lo != want[i].score {
			t.Errorf("line %d: %+v, want %v", i+1, info, want[i])
		}
		if m := othello.FormatMove(info.PV[0]); m != want[i].move && want[i].score != 6 { // h7 and a2 are equal
			t.Errorf("line %d begins with %s, want %s", i+1, m, want[i].move)
		}
		checkLine(t, board(t, ffo1), bot.Solution{Score: int(info.Eval.Lo), Line: info.PV})
	}
	for _, info := range got[:8] {
		if info.Bound != game.Searched || info.Eval.Unit != game.Discs || info.Depth < 1 {
			t.Errorf("an early line: %+v", info)
		}
	}
}

func TestHintDepth(t *testing.T) {
	p := newBot(9)
	begin(t, p, othello.FormatPosition(othello.Start(), game.First))
	depth := 0
	for _, info := range analyse(t, p, player.Question{Lines: 2, Depth: 6}) {
		if info.Depth > 6 || info.Depth < depth || info.Bound != game.Searched {
			t.Errorf("%+v", info)
		}
		depth = info.Depth
	}
	if depth != 6 {
		t.Errorf("the last iteration was %d", depth)
	}
}

func TestPassesAndEnds(t *testing.T) {
	pass := "XO------" + "--------------------------------------------------------"
	p := newBot(9)
	begin(t, p, pass+" O")
	got := analyse(t, p, player.Question{Lines: 3})
	if len(got) != 1 || got[0].PV[0] != game.PassMove() || got[0].Eval.Lo != -64 || got[0].Bound != game.Exact {
		t.Errorf("before a pass: %+v", got)
	}
	a, err := p.Choose(context.Background(), &player.Prompt{Seat: game.Second})
	if err != nil || len(a.Steps) != 1 || a.Steps[0].Op != game.Pass {
		t.Errorf("asked for a pass: %v, %v", a, err)
	}
	// The pass is not told; the move tells it.
	p.Tell(&player.Update{By: game.First, Steps: []game.Move{game.PlaceAt(game.Pt(2, 0))}, Next: game.Turn{Seat: game.Nobody}})
	if got := analyse(t, p, player.Question{}); len(got) != 0 {
		t.Errorf("after the end: %+v", got)
	}
	begin(t, p, pass+" X")
	p.Tell(&player.Update{By: game.First, Steps: []game.Move{game.PassMove()}})
	if _, err := p.Choose(context.Background(), &player.Prompt{Seat: game.Second}); err == nil {
		t.Error("an illegal pass went unnoticed")
	}
}

func TestWholeGame(t *testing.T) {
	p := newBot(5)
	start := "OOOOOOO-OOXXXXX-OOXOXX-XOOOOXOOOXXOXXXX-XXXOXXO---XXXX-----XXXX- X"
	s := begin(t, p, start)
	pos := position()
	if err := pos.Reset(spec, start); err != nil {
		t.Fatal(err)
	}
	plies := 0
	for ; ; plies++ {
		turn := pos.Turn()
		if turn.Seat == game.Nobody {
			break
		}
		m := pos.Legal(nil)[0]
		if _, err := pos.Apply(m); err != nil {
			t.Fatal(err)
		}
		p.Tell(&player.Update{By: turn.Seat, Steps: []game.Move{m}, Next: pos.Turn(), Ended: true})
	}
	got := analyse(t, p, player.Question{WholeGame: true, Depth: 8})
	if len(got) != plies || got[0].Rank != plies-1 || got[len(got)-1].Rank != 0 {
		t.Fatalf("%d evaluations of %d plies from %s", len(got), plies, s.Start)
	}
	sol, ok := newSolver(t).Solve(board(t, start), nil)
	if last := got[len(got)-1]; !ok || last.Bound != game.Exact || int(last.Eval.Lo) != sol.Score {
		t.Errorf("the start was evaluated as %+v, its score is %+d", last, sol.Score)
	}
}

func TestBadStart(t *testing.T) {
	p := newBot(9)
	for _, s := range []*player.Setup{{Spec: "gomoku"}, {Spec: spec, Start: "nonsense"}} {
		if err := p.NewGame(context.Background(), s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}
