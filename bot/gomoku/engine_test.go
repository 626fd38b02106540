package gomoku_test

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"kibitz/bot"
	mind "kibitz/bot/gomoku"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
)

func newRules(t testing.TB, spec string) *gomoku.Rules {
	t.Helper()
	r, err := gomoku.New(game.Spec(spec))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// seat starts a player at a position.
func seat(t testing.TB, r *gomoku.Rules, start string, o bot.Options) player.Player {
	t.Helper()
	if o.Now == nil {
		o.Now = time.Now
	}
	p := mind.New(o)
	d := r.Doc()
	s := player.Setup{ID: "test", Spec: r.Spec(), Width: d.Width, Height: d.Height, Start: start}
	if err := p.NewGame(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	return p
}

// ask returns the answer of a player in a state, which must be legal.
func ask(t testing.TB, p player.Player, s *gomoku.State, pr player.Prompt) player.Answer {
	t.Helper()
	pr.Turn, pr.Seat, pr.Moves = s.Turn(), s.Turn().Seat, s
	a, err := p.Choose(context.Background(), &pr)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Clone().(*gomoku.State)
	for _, m := range a.Steps {
		if _, err := c.Apply(m, nil); err != nil {
			t.Fatalf("%v in %s: %v", a.Steps, s.Text(), err)
		}
	}
	return a
}

// solve returns the first step that a player of the level chooses in a position.
func solve(t testing.TB, spec, text string, level int, nodes int64) (string, player.Answer) {
	t.Helper()
	r := newRules(t, spec)
	s, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	p := seat(t, r, text, bot.Options{Level: level})
	a := ask(t, p, s.(*gomoku.State), player.Prompt{Limits: player.Limits{Nodes: nodes}})
	return r.FormatMove(a.Steps[0]), a
}

// Problems: what must be found, and at which level at the latest.
func TestProblems(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	file, err := os.Open("testdata/problems.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	in := bufio.NewScanner(file)
	n := 0
	for in.Scan() {
		if strings.HasPrefix(in.Text(), "#") || in.Text() == "" {
			continue
		}
		cells := strings.Split(in.Text(), "|")
		if len(cells) != 6 {
			t.Fatalf("%q", in.Text())
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		n++
		for level := int(cells[3][0] - '0'); level <= 9; level++ {
			if testing.Short() && (level < 9 || n%4 != 0) {
				continue
			}
			got, a := solve(t, cells[1], cells[2], level, 200_000)
			if cells[4] != "*" && !strings.Contains(" "+cells[4]+" ", " "+got+" ") {
				t.Errorf("%s, level %d: %s instead of %s", cells[0], level, got, cells[4])
			}
			if cells[5] == "wins" {
				winsOn(t, cells[0], cells[1], cells[2], level, a)
			}
		}
	}
	if n < 17 {
		t.Errorf("only %d problems", n)
	}
}

// winsOn plays on from a problem against the strongest level; the answer must have
// told the win, and it must come as fast as told.
func winsOn(t *testing.T, name, spec, text string, level int, first player.Answer) {
	t.Helper()
	told := first.Info.Eval
	if told.Unit != game.MateIn || told.Lo <= 0 {
		t.Errorf("%s, level %d: the win is not seen: %+v", name, level, first.Info)
		return
	}
	r := newRules(t, spec)
	start, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	s := start.(*gomoku.State)
	me := s.Turn().Seat
	for turn := 1; ; turn++ {
		level := level
		if s.Turn().Seat != me {
			level = 9
		}
		p := seat(t, r, s.Text(), bot.Options{Level: level})
		a := ask(t, p, s, player.Prompt{Limits: player.Limits{Nodes: 50_000}})
		if _, err := s.Apply(a.Steps[0], nil); err != nil {
			t.Fatal(err)
		}
		if res, over := s.Result(); over {
			if mine := (turn + 1) / 2; res.Winner() != me || float64(mine) > told.Lo {
				t.Errorf("%s, level %d: %+v after %d turns instead of %v: %s", name, level, res, mine, told.Lo, s.Text())
			}
			return
		}
	}
}

// match plays one game between two players and returns the final state.
func match(t testing.TB, r *gomoku.Rules, players [2]player.Player, look func(*gomoku.State, player.Answer)) *gomoku.State {
	t.Helper()
	d := r.Doc()
	for i, p := range players {
		s := player.Setup{ID: "game", Spec: r.Spec(), Width: d.Width, Height: d.Height, Seat: game.Seat(i)}
		if err := p.NewGame(context.Background(), &s); err != nil {
			t.Fatal(err)
		}
	}
	s := r.New().(*gomoku.State)
	for s.Turn().Seat != game.Nobody {
		by := s.Turn().Seat
		a := ask(t, players[by], s, player.Prompt{})
		if look != nil {
			look(s, a)
		}
		u := player.Update{By: by, Steps: append([]game.Move(nil), a.Steps...), Ended: true}
		for _, m := range u.Steps {
			if _, err := s.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
		}
		u.Next, u.Colours = s.Turn(), s.Colours()
		for _, p := range players {
			p.Tell(&u)
		}
	}
	return s
}

// random is a player of random stones.
type random struct {
	player.Player
	rng *rand.Rand
	buf []game.Move
}

func (p *random) Choose(_ context.Context, pr *player.Prompt) (player.Answer, error) {
	p.buf = pr.Moves.Legal(p.buf[:0])
	return player.Answer{Steps: []game.Move{p.buf[p.rng.IntN(len(p.buf))]}}, nil
}

func TestBeatsRandom(t *testing.T) {
	specs := []string{
		"gomoku:rule=freestyle,size=15", "gomoku:rule=standard,size=15", "gomoku:rule=renju,size=15", "gomoku:rule=caro,size=15",
		"gomoku:rule=caro6,size=20", "gomoku:rule=renju,size=15,opening=swap2", "gomoku:rule=freestyle,size=15,width=30,height=7",
	}
	for i, spec := range specs {
		r := newRules(t, spec)
		games := 4
		switch {
		case testing.Short():
			games = 2
		case i == 0:
			games = 20
		}
		for n := range games {
			me := game.Seat(n % 2)
			var players [2]player.Player
			players[me] = mind.New(bot.Options{Level: 4, Seed: uint64(n), Now: time.Now})
			players[me.Other()] = &random{mind.New(bot.Options{Now: time.Now}), rand.New(rand.NewPCG(uint64(n), 3)), nil}
			s := match(t, r, players, nil)
			if res, _ := s.Result(); res.Winner() != me {
				t.Errorf("%s, game %d: %+v after %s", spec, n, res, s.Text())
			}
		}
	}
}

// Black never plays a foul in renju, at any level, not even by blunder.
func TestNeverFouls(t *testing.T) {
	r := newRules(t, "gomoku:rule=renju,size=15")
	forbidden, games := 0, 40
	for n := range games {
		weak := bot.Options{Level: 1 + n%5, Seed: uint64(n), Now: time.Now}
		players := [2]player.Player{mind.New(weak), mind.New(bot.Options{Level: 1 + n%3, Seed: uint64(n) + 99, Now: time.Now})}
		s := match(t, r, players, func(s *gomoku.State, a player.Answer) {
			if s.Next() != gomoku.Black {
				return
			}
			list := gomoku.Forbidden(s)
			forbidden += len(list)
			for _, p := range list {
				if a.Steps[0] == game.PlaceAt(p) {
					t.Errorf("level %d plays the foul %s in %s", weak.Level, gomoku.PointText(p), s.Text())
				}
			}
		})
		if res, _ := s.Result(); strings.HasPrefix(string(res.Reason), "forbidden") {
			t.Errorf("game %d ends by %s", n, res.Reason)
		}
	}
	if forbidden < games/2 {
		t.Errorf("only %d forbidden points were met", forbidden)
	}
}

// With nothing but fouls left, one of them is answered all the same.
func TestOnlyFouls(t *testing.T) {
	r := newRules(t, "gomoku:rule=renju,size=5")
	text := "X.XX./OOXOO/XOOXX/OOXOO/XXOXX black"
	s, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	p := seat(t, r, text, bot.Options{Level: 9})
	if a := ask(t, p, s.(*gomoku.State), player.Prompt{}); len(a.Steps) != 1 {
		t.Errorf("%+v", a)
	}
}

// The clock of this test moves on by half a millisecond each time the player looks
// at it: the player must look often, and answer when the time has come.
func TestKeepsItsTime(t *testing.T) {
	const step = time.Millisecond / 2
	for _, spec := range []string{"gomoku:rule=renju,size=15", "gomoku:rule=freestyle,size=127"} {
		r := newRules(t, spec)
		text := "h8i9g7h6j10h9f8g8i6"
		s, err := r.Position(text)
		if err != nil {
			t.Fatal(err)
		}
		now, looks := time.Now(), int64(0)
		p := seat(t, r, text, bot.Options{Now: func() time.Time {
			looks++
			now = now.Add(step)
			return now
		}})
		for _, limit := range []time.Duration{50 * time.Millisecond, 200 * time.Millisecond} {
			k := clock.Clock{Control: clock.Control{Turn: limit}}
			began := now
			looks = 0
			a := ask(t, p, s.(*gomoku.State), player.Prompt{Clocks: [2]clock.Clock{k, k}, Deadline: began.Add(limit)})
			if took := now.Sub(began); took > limit {
				t.Errorf("%s: %v of %v", spec, took, limit)
			}
			if a.Info.Depth < 1 && a.Info.Eval.Unit != game.MateIn {
				t.Errorf("%s: %+v", spec, a.Info)
			}
			if a.Info.Nodes > 100*looks {
				t.Errorf("%s: the player looked at its clock %d times in %d positions", spec, looks, a.Info.Nodes)
			}
			t.Logf("%s: %v of %v, %d looks, %d positions, depth %d", spec, now.Sub(began), limit, looks, a.Info.Nodes, a.Info.Depth)
		}
	}
}

func TestStop(t *testing.T) {
	r := newRules(t, "gomoku:rule=freestyle,size=15")
	text := "h8i9g7h6j10"
	s, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	p := seat(t, r, text, bot.Options{})
	began := time.Now()
	done := make(chan struct{})
	go func() { // again and again: the first one may come before the search
		for {
			select {
			case <-time.After(50 * time.Millisecond):
				p.Stop()
			case <-done:
				return
			}
		}
	}()
	k := clock.Clock{Control: clock.Control{Turn: time.Hour}}
	ask(t, p, s.(*gomoku.State), player.Prompt{Clocks: [2]clock.Clock{k, k}})
	close(done)
	if took := time.Since(began); took < 50*time.Millisecond || took > 10*time.Second {
		t.Errorf("stopped after %v", took)
	}
}

// Swap2 by itself: all paths of the opening are legal and the game ends.
func TestSwap2(t *testing.T) {
	r := newRules(t, "gomoku:rule=standard,size=15,opening=swap2")
	for n := range 3 {
		if testing.Short() && n > 0 {
			break
		}
		players := [2]player.Player{
			mind.New(bot.Options{Level: 4, Seed: uint64(n), Now: time.Now}),
			mind.New(bot.Options{Level: 3, Seed: uint64(n), Now: time.Now}),
		}
		s := match(t, r, players, nil)
		if _, over := s.Result(); !over {
			t.Error("not over")
		}
	}
	// In the middle of an opening turn and after "two".
	for _, text := range []string{"h8", "h8i9", "h8i9g7 two", "h8i9g7 two a1", "h8i9g7 two a1b1", "h8i9g7 stay"} {
		s, err := r.Position(text)
		if err != nil {
			t.Fatal(err)
		}
		p := seat(t, r, text, bot.Options{Level: 3})
		ask(t, p, s.(*gomoku.State), player.Prompt{})
	}
}

// Clear cases of the choice: black with an unanswerable attack is taken, and so is
// white when black has nothing.
func TestSwap2Choice(t *testing.T) {
	r := newRules(t, "gomoku:rule=freestyle,size=15,opening=swap2")
	for text, want := range map[string]string{
		"h8a1h9": "swap", // two black stones together in the middle, white in the corner
		"a1h8o1": "stay",
	} {
		if got, a := solve(t, string(r.Spec()), text, 6, 50_000); got != want {
			t.Errorf("%s: %s (%+v)", text, got, a.Info.Eval)
		}
	}
}

func TestContinuous(t *testing.T) {
	for _, spec := range []string{"gomoku:rule=renju,size=9,continuous=true", "gomoku:rule=freestyle,size=7,continuous=true,opening=swap2"} {
		r := newRules(t, spec)
		players := [2]player.Player{
			mind.New(bot.Options{Level: 5, Now: time.Now}),
			&random{mind.New(bot.Options{Now: time.Now}), rand.New(rand.NewPCG(5, 3)), nil},
		}
		if res, over := match(t, r, players, nil).Result(); !over || res.Winner() != game.First {
			t.Errorf("%s: %t %+v", spec, over, res)
		}
	}
}

func TestAnalysis(t *testing.T) {
	r := newRules(t, "gomoku:rule=freestyle,size=15")
	p := seat(t, r, "h8i9g7h6j10", bot.Options{})
	ranks := map[int]int{}
	err := p.(player.Analyst).Analyse(context.Background(), player.Question{Lines: 3, Depth: 3}, func(i game.Info) bool {
		ranks[i.Rank]++
		if len(i.PV) == 0 || !i.Eval.Known() {
			t.Errorf("%+v", i)
		}
		return true
	})
	if err != nil || ranks[1] != 3 || ranks[2] != 3 || ranks[3] != 3 {
		t.Errorf("ranks %v, %v", ranks, err)
	}
}

// The stronger of two levels wins more.
func TestLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("a match of levels")
	}
	r := newRules(t, "gomoku:rule=freestyle,size=15")
	points := 0.0
	const games = 8
	for n := range games {
		me := game.Seat(n % 2)
		var players [2]player.Player
		players[me] = mind.New(bot.Options{Level: 5, Seed: uint64(n), Now: time.Now})
		players[me.Other()] = mind.New(bot.Options{Level: 2, Seed: uint64(n), Now: time.Now})
		res, _ := match(t, r, players, nil).Result()
		points += res.Points[me]
	}
	if points < games*3/4 {
		t.Errorf("level 5 has %v of %d against level 2", points, games)
	}
}

func BenchmarkSearch(b *testing.B) {
	r := newRules(b, "gomoku:rule=freestyle,size=15")
	text := "h8i9g7h6j10h9f8g8i6"
	s, err := r.Position(text)
	if err != nil {
		b.Fatal(err)
	}
	var nodes int64
	for b.Loop() {
		p := seat(b, r, text, bot.Options{})
		a := ask(b, p, s.(*gomoku.State), player.Prompt{Limits: player.Limits{Nodes: 100_000}})
		nodes += a.Info.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// A reply that comes late in the order refutes a win as well as any other. In these
// positions, from games, wins were claimed behind the replies that were looked at; the
// other side made another, and won or held out.
func TestClaimsNoWinBehindSomeReplies(t *testing.T) {
	if testing.Short() {
		t.Skip("a million positions")
	}
	r := newRules(t, "gomoku:rule=freestyle,size=15")
	for _, text := range []string{
		"f10h9g10i10f11h11g12h10h8g9f9f8i11j11g8",
		"j10l8i10l11n8k10l9j9m12k7i8k11k12i9h9j11m11j7j8i7h7h8l12n12m9m10i11j12g10k5j6f10g8i13h14j5l7l5i5m4k6m6n5m5m3k4n7",
		"j10i9g7f9h12i11i12j11f8e9g9g8h7e7g12f12k12j12h10e8e10h11g11g10d7d9f7i8i7j7h9h8l10k10k8c9b9d8b10d10b8b11d11c10a12c12b6b7" +
			"c11f11d12e13d13f5e5l11k11f6g5f4g4m12j9k13g3g6g2g1j8k9f3",
	} {
		s, err := r.Position(text)
		if err != nil {
			t.Fatal(err)
		}
		a := ask(t, seat(t, r, text, bot.Options{}), s.(*gomoku.State), player.Prompt{Limits: player.Limits{Nodes: 300_000}})
		if v := mind.Value(&a.Info); v > mind.Proved {
			t.Errorf("%s: %v is said to win, by %d", text, a.Steps, v)
		}
	}
}
