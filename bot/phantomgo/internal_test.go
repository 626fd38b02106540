package phantomgo

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/search/mcts"
	"kibitz/game"
	"kibitz/games/phantomgo"
	"kibitz/player"
)

// watch plays a random game by the rules and lets check look at the referee's
// board and at what an engine of each seat believes, before every attempt.
func watch(t *testing.T, seed uint64, check func(st *phantomgo.State, seats *[2]*engine)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	rs, err := phantomgo.Game().New("phantomgo")
	if err != nil {
		t.Fatal(err)
	}
	st := rs.New()
	var seats [2]*engine
	for i := range seats {
		seats[i] = newEngine()
		if err := seats[i].Reset(&player.Setup{Spec: "phantomgo", Seat: game.Seat(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 160 {
		by := st.Turn().Seat
		if by == game.Nobody {
			return
		}
		check(st.(*phantomgo.State), &seats)
		legal := st.Legal(nil)
		if len(legal) > 1 {
			legal = legal[:len(legal)-1] // no pass
		}
		m := legal[r.IntN(len(legal))]
		notices, err := st.Apply(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range seats {
			u := player.Update{By: by, Next: st.Turn()}
			u.AddNotices(game.Seat(i), notices)
			if len(u.Steps)+len(u.Notices) == 0 {
				continue
			}
			if err := seats[i].Update(&u); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestBeliefsAreTrue(t *testing.T) {
	right, wrong := 0, 0
	for seed := range uint64(20) {
		watch(t, seed, func(st *phantomgo.State, seats *[2]*engine) {
			real := st.Board()
			for i, e := range seats {
				k, own, other := &e.know[i], colourOf(game.Seat(i)), colourOf(game.Seat(1-i))
				stones := 0
				k.each(func(p int) {
					c := real.Cell(p)
					if c == other {
						stones++
					}
					if k.own[p] != (c == own) {
						t.Fatalf("game %d: a stone of seat %d on %v: %t", seed, i, pointOf(p), c == own)
					}
					if k.empty(p) && !k.own[p] && c == other {
						t.Fatalf("game %d: seat %d is sure that %v is empty", seed, i, pointOf(p))
					}
					if k.theirs[p] == stone {
						if c == other {
							right++
						} else {
							wrong++
						}
					}
				})
				if k.count != stones {
					t.Fatalf("game %d: seat %d counts %d stones of %d", seed, i, k.count, stones)
				}
			}
		})
	}
	// A refused point may be empty, if all around it hidden stones stand.
	if right < 5000 || wrong*50 > right {
		t.Errorf("%d stones are believed rightly, %d wrongly", right, wrong)
	}
}

func TestDrawnBoardsAgree(t *testing.T) {
	r, left := mcts.Rand(23), []int32(nil)
	drawn, short := 0, 0
	for seed := range uint64(6) {
		watch(t, seed, func(st *phantomgo.State, seats *[2]*engine) {
			i := st.Turn().Seat
			e := seats[i]
			k, own := &e.know[i], colourOf(i)
			var s sampler
			var b phantomgo.Board
			s.gather(k, own)
			left = s.draw(&r, &b, left)
			stones := 0
			k.each(func(p int) {
				c := b.Cell(p)
				if c == 3-own {
					stones++
				}
				if c != phantomgo.Empty && b.Liberties(p, 1) == 0 {
					t.Fatalf("game %d: the stone on %v has no liberty", seed, pointOf(p))
				}
				if k.own[p] != (c == own) || k.empty(p) && c != phantomgo.Empty {
					t.Fatalf("game %d: %v holds %d", seed, pointOf(p), c)
				}
			})
			drawn++
			if stones > k.count {
				t.Fatalf("game %d: %d stones instead of %d", seed, stones, k.count)
			}
			if stones < k.count {
				short++
			}
		})
	}
	if drawn < 500 || short*10 > drawn {
		t.Errorf("%d of %d boards lack stones", short, drawn)
	}
}

func follow(t *testing.T, e *engine, updates ...player.Update) {
	t.Helper()
	for i := range updates {
		if err := e.Update(&updates[i]); err != nil {
			t.Fatal(err)
		}
	}
}

func place(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }

var somewhere = player.Update{By: game.Second, Notices: []game.Notice{{To: game.Public, Kind: game.Moved, By: game.Second}}}

func refusal(m game.Move) player.Update {
	return player.Update{By: game.First, Notices: []game.Notice{{To: game.ToFirst, Kind: game.Refused, By: game.First, Move: m}}}
}

func own(m game.Move) player.Update {
	return player.Update{By: game.First, Steps: []game.Move{m}}
}

func TestLearnsFromNotices(t *testing.T) {
	begin := func() *engine {
		e := newEngine()
		if err := e.Reset(&player.Setup{Spec: "phantomgo", Seat: game.First}); err != nil {
			t.Fatal(err)
		}
		return e
	}
	lost := player.Update{By: game.Second, Notices: []game.Notice{
		{Kind: game.Moved, By: game.Second, Count: 1}, {Kind: game.Lost, By: game.Second, Points: []game.Point{game.Pt(0, 0)}, Count: 1},
	}}
	e := begin()
	follow(t, e, own(place(4, 4)), somewhere, refusal(place(3, 3)))
	k := &e.know[0]
	if k.theirs[phantomgo.At(3, 3)] != stone || k.count != 1 || e.thought != 1 || e.toMove != game.First {
		t.Errorf("after a refusal: %d, %d stones", k.theirs[phantomgo.At(3, 3)], k.count)
	}
	e = begin()
	follow(t, e, own(place(0, 0)), somewhere, own(place(5, 5)), lost)
	k = &e.know[0]
	if k.own[phantomgo.At(0, 0)] || k.theirs[phantomgo.At(1, 0)] != stone || k.theirs[phantomgo.At(0, 1)] != stone || k.count != 2 {
		t.Error("a lost stone was surrounded by enemies")
	}
	follow(t, e, refusal(place(0, 0)))
	if k.theirs[phantomgo.At(0, 0)] != unknown {
		t.Error("where a stone was just lost nothing can stand")
	}
	took := own(place(1, 1))
	took.Notices = []game.Notice{{Kind: game.Took, By: game.First, Points: []game.Point{game.Pt(1, 0)}, Count: 1}}
	follow(t, e, took)
	if k.count != 1 || k.theirs[phantomgo.At(1, 0)] != unknown || !k.empty(phantomgo.At(1, 0)) {
		t.Error("a taken stone is gone")
	}
	follow(t, e, somewhere)
	if k.empty(phantomgo.At(1, 0)) {
		t.Error("a stone may stand there again")
	}
	pass := player.Update{By: game.Second, Steps: []game.Move{game.PassMove()}}
	follow(t, e, own(place(8, 8)), pass)
	if e.passes != 1 || k.count != 2 {
		t.Errorf("after a pass: %d passes, %d stones", e.passes, k.count)
	}
	if err := e.Update(&player.Update{By: game.First, Steps: []game.Move{place(9, 0)}}); err == nil {
		t.Error("a stone beside the board")
	}
}

func ask(e *engine, moves []game.Move) game.Move {
	t := &bot.Task{Seat: e.toMove, Lines: 1, Nodes: 300 * roundCost, Moves: moves, Rand: rand.New(rand.NewPCG(1, 1))}
	return e.Think(t).Steps[0]
}

// legal are the decisions of a seat that knows nothing of stones.
func legal(e *engine) (list []game.Move) {
	k := &e.know[e.toMove]
	k.each(func(p int) {
		if !k.own[p] {
			list = append(list, game.PlaceAt(pointOf(p)))
		}
	})
	return append(list, game.PassMove())
}

func TestDecisions(t *testing.T) {
	const (
		wall = "...bw..../...bw..../...bw..../...bw..../...bw..../...bw..../...bw..../...bw..../...bw...."
		eyes = ".bbb.bbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbb."
		prey = "wb......./.b......./........./........./........./........./........./........./........."
	)
	for _, c := range []struct {
		name, start string
		want        func(m game.Move) bool
	}{
		{"won, and the other has passed", wall + " w passes=1", func(m game.Move) bool { return m.Op == game.Pass }},
		{"lost, and the other has passed", wall + " b passes=1", func(m game.Move) bool { return m.Op != game.Pass }},
		{"the opening is no time to pass", prey + " b", func(m game.Move) bool { return m.Op != game.Pass }},
		{"only eyes are left", eyes + " b", func(m game.Move) bool { return m.Op == game.Pass }},
	} {
		e := newEngine()
		if err := e.Reset(&player.Setup{Spec: "phantomgo", Start: c.start, Seat: game.Nobody}); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if m := ask(e, legal(e)); !c.want(m) {
			t.Errorf("%s: %v", c.name, m)
		}
	}
}

// A turn does not end in a loss by too many refusals, on the largest board either.
func TestPassesAfterManyRefusals(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	e := newEngine()
	if err := e.Reset(&player.Setup{Spec: "phantomgo:size=19", Seat: game.First}); err != nil {
		t.Fatal(err)
	}
	for range 170 {
		follow(t, e, own(place(0, 0)), somewhere)
	}
	for n := range 361 {
		task := &bot.Task{Seat: game.First, Lines: 1, Nodes: 8 * roundCost, Rand: rand.New(rand.NewPCG(uint64(n), 1))}
		m := e.Think(task).Steps[0]
		if m.Op == game.Pass {
			if n < 100 {
				t.Errorf("passed after %d refusals", n)
			}
			return
		}
		if n >= 199 {
			t.Fatal("lost by refusals")
		}
		follow(t, e, refusal(m))
	}
}

func TestRefusesOtherGames(t *testing.T) {
	for _, s := range []player.Setup{
		{Spec: "othello"},
		{Spec: "phantomgo", Start: "nothing"},
		{Spec: "phantomgo:size=40"},
		{Spec: "phantomgo:komi=much"},
	} {
		if err := New(bot.Options{}).NewGame(t.Context(), &s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

func BenchmarkPlayouts(b *testing.B) {
	e := newEngine()
	if err := e.Reset(&player.Setup{Spec: "phantomgo", Seat: game.First}); err != nil {
		b.Fatal(err)
	}
	for i := range 8 {
		_ = e.Update(&player.Update{By: game.First, Steps: []game.Move{place(i, 3)}})
		_ = e.Update(&somewhere)
	}
	b.ReportAllocs()
	var n int64
	for b.Loop() {
		t := &bot.Task{Seat: game.First, Lines: 1, Nodes: 2000 * roundCost, Rand: rand.New(rand.NewPCG(1, 1))}
		e.Think(t)
		n += t.Count()
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "playouts/s")
}

// What is drawn and played in a round needs no new memory.
func TestRoundsDoNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage counters disturb the measure")
	}
	e := newEngine()
	if err := e.Reset(&player.Setup{Spec: "phantomgo", Seat: game.First}); err != nil {
		t.Fatal(err)
	}
	follow(t, e, own(place(4, 4)), somewhere, own(place(3, 3)), somewhere)
	ask(e, legal(e))
	root := position{scene: &e.scene, board: e.scene.base, toMove: phantomgo.Black, root: true}
	var g position
	r, first := mcts.Rand(5), make([]uint8, points)
	n := testing.AllocsPerRun(200, func() {
		g.Copy(&root)
		g.Draw(&r)
		clear(first)
		if m := mcts.Move(phantomgo.At(5, 5)); g.Stands(m) {
			g.Play(m)
		}
		g.Playout(&r, first)
	})
	if n != 0 {
		t.Errorf("a round allocates %v times", n)
	}
}

// timed is a task under a clock that never ends it.
func timed(e *engine, seat game.Seat, moves []game.Move) *bot.Task {
	return &bot.Task{Seat: seat, Lines: 1, Nodes: 200 * roundCost, Soft: time.Hour, Moves: moves, Rand: rand.New(rand.NewPCG(1, 1))}
}

// Under a clock the tree of a refused attempt, and that of pondering, is grown further;
// what a stone or a pass changes is thought about anew.
func TestKeepsTheTree(t *testing.T) {
	begin := func() *engine {
		e := newEngine()
		if err := e.Reset(&player.Setup{Spec: "phantomgo", Seat: game.First}); err != nil {
			t.Fatal(err)
		}
		follow(t, e, own(place(4, 4)), somewhere)
		return e
	}
	think := func(e *engine, moves []game.Move) (game.Move, int64) {
		k := timed(e, game.First, moves)
		m := e.Think(k).Steps[0]
		return m, e.tree.Rounds() - k.Count()/roundCost
	}
	e := begin()
	first, before := think(e, legal(e))
	if before != 0 {
		t.Errorf("%d rounds before the first", before)
	}
	moves := slices.DeleteFunc(legal(e), func(m game.Move) bool { return m == first })
	follow(t, e, refusal(first))
	second, before := think(e, moves)
	if before != 200 || second == first {
		t.Errorf("after a refusal of %v %d rounds are kept and %v is attempted", first, before, second)
	}
	follow(t, e, own(second), somewhere)
	if _, before = think(e, legal(e)); before != 0 {
		t.Errorf("%d rounds of another turn are kept", before)
	}
	pass := player.Update{By: game.Second, Steps: []game.Move{game.PassMove()}}
	loss := player.Update{By: game.Second, Notices: []game.Notice{
		{Kind: game.Moved, By: game.Second, Count: 1}, {Kind: game.Lost, By: game.Second, Points: []game.Point{game.Pt(4, 4)}, Count: 1},
	}}
	for _, c := range []struct {
		name string
		told player.Update
		kept int64
	}{{"a stone somewhere", somewhere, 200}, {"a pass", pass, 0}, {"a loss", loss, 0}} {
		e := begin()
		follow(t, e, own(place(5, 5)))
		e.ponder(timed(e, game.Second, nil))
		follow(t, e, c.told)
		if _, before := think(e, legal(e)); before != c.kept {
			t.Errorf("%s: %d rounds of pondering are kept, want %d", c.name, before, c.kept)
		}
	}
}
