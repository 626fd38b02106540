package storetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/store"
)

// find returns the names of the games that a query selects.
func find(t testing.TB, s store.Store, q store.GameQuery) (out []string) {
	t.Helper()
	for _, g := range read(t, s, func(x store.Tx) (store.GamePage, error) { return x.FindGames(q) }).Games {
		out = append(out, g.ID)
	}
	return out
}

// kept is a game with the positions that it went through.
type kept struct {
	store.Game
	keys []int64
}

// many makes games that differ in all that is searched.
func many(n int) []kept {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	out := make([]kept, 0, n)
	for i := range n {
		g := store.Game{
			ID: fmt.Sprintf("g%03d", i), Index: i, Spec: game.Spec(pick("othello", "othello:size=6", "gomoku:rule=renju", "gomoku")),
			Room: pick("", "r1", "r2"), Tournament: pick("", "", "t1"),
			State: store.GameState(pick("over", "over", "over", "running", "queued", "parked", "aborted")),
			Rated: r.IntN(2) == 0, Listed: r.IntN(3) > 0, Opening: pick("", "Kansei", "26 kansei", "Zebra's Ä", "100%"),
			Created: later(r.IntN(1000)),
		}
		for s := range 2 {
			g.Seats[s].Name = pick("Ann", "ann", "Bob", "Çelik", "bot=3")
			switch g.Seats[s].Name {
			case "bot=3":
				g.Seats[s].Engine = "bot=3"
			case "Bob":
				g.Seats[s].User = 2
			}
		}
		if g.State != store.Queued {
			g.Attempt, g.Begun = 1, g.Created.Add(time.Duration(r.IntN(100))*time.Minute)
		}
		if g.State == store.Over {
			g.Result = [...]game.Result{
				won(1, 0, "five"), won(0, 1, game.ByTime), won(0.5, 0.5, "full"), won(0, 0, game.ByAbort),
				won(1, 0, game.ByTime),
			}[r.IntN(5)]
			g.Plies, g.Seconds = r.IntN(100), [2]float64{float64(r.IntN(8)) / 4, float64(r.IntN(8)) / 4}
		}
		k := kept{Game: g}
		for range r.IntN(4) {
			k.keys = append(k.keys, int64(r.IntN(5)-2))
		}
		out = append(out, k)
	}
	return out
}

// size is how much a test has to do.
func size(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// fill stores games with their positions.
func fill(t testing.TB, s store.Store, list []kept) {
	t.Helper()
	do(t, s, func(x store.Tx) error {
		for _, k := range list {
			g := k.Game
			if g.State == store.Over {
				g.State = store.Running
			}
			if err := x.AddGame(&g); err != nil {
				return err
			}
			if k.State != store.Over {
				continue
			}
			e := store.Ending{Game: g.ID, Attempt: 1, Result: g.Result, Plies: g.Plies, Seconds: g.Seconds, Ended: g.Ended, Record: []byte(g.ID)}
			for ply, key := range k.keys {
				e.Positions = append(e.Positions, store.Position{Key: key, Ply: ply})
			}
			if ok, err := x.EndAttempt(&e); err != nil || !ok {
				return fmt.Errorf("game %s: %v %w", g.ID, ok, err)
			}
		}
		return nil
	})
}

// outcome is that of a game from the view of a seat.
func outcome(g *store.Game, seat int) string {
	mine, other := g.Result.Points[seat], g.Result.Points[1-seat]
	switch {
	case g.State != store.Over || g.Result.Reason == game.ByAbort:
		return "none"
	case mine > other:
		return "win"
	case mine < other:
		return "loss"
	}
	return "draw"
}

// views returns the seats from which a query selects a game, told as simply as
// possible.
func views(q *store.GameQuery, k *kept) (seats []int) {
	for seat := range 2 {
		if selects(q, k) && sees(q, k, seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// selects is the part of a query that says nothing of players.
func selects(q *store.GameQuery, k *kept) bool {
	played := k.Begun
	if played.IsZero() {
		played = k.Created
	}
	return !slices.Contains([]bool{
		q.Room == "" || q.Room == k.Room, q.Tournament == "" || q.Tournament == k.Tournament,
		q.Game == "" || q.Game == k.Spec.ID(), q.Spec == "" || q.Spec == k.Spec,
		len(q.States) == 0 || slices.Contains(q.States, k.State), q.Reason == "" || q.Reason == k.Result.Reason,
		q.From.IsZero() || !played.Before(q.From), q.To.IsZero() || played.Before(q.To),
		strings.Contains(strings.ToLower(k.Opening), strings.ToLower(q.Opening)),
		!q.HasPosition || k.State == store.Over && slices.Contains(k.keys, q.Position),
		!q.Rated || k.Rated, !q.Listed || k.Listed,
	}, false)
}

// sees is the part of a query that asks for a seat and who had it.
func sees(q *store.GameQuery, k *kept, seat int) bool {
	if q.Seat != 0 && q.Seat != seat+1 || q.Seat == 0 && seat == 1 && q.Player == "" && q.Subject == "" {
		return false
	}
	me, other := k.Seats[seat], k.Seats[1-seat]
	return (q.Player == "" || strings.EqualFold(q.Player, me.Name)) && (q.Subject == "" || q.Subject == me.Subject()) &&
		(q.Opponent == "" || strings.EqualFold(q.Opponent, other.Name)) && (q.Outcome == "" || q.Outcome == outcome(&k.Game, seat))
}

// queries are searches by every field alone and by some together.
func queries() map[string]store.GameQuery {
	return map[string]store.GameQuery{
		"all": {}, "room": {Room: "r1"}, "no such room": {Room: "R1"}, "tournament": {Tournament: "t1"},
		"game": {Game: "othello"}, "spec": {Spec: "othello:size=6"}, "plain spec": {Spec: "gomoku"},
		"over": {States: []store.GameState{store.Over}}, "running": {States: []store.GameState{store.Running}},
		"living": {States: []store.GameState{store.Queued, store.Running, store.Parked}},
		"either": {States: []store.GameState{store.Over, store.Aborted}},
		"player": {Player: "ANN"}, "player with an accent": {Player: "çELIK"}, "first": {Player: "ann", Seat: 1},
		"second":   {Player: "ann", Seat: 2},
		"opponent": {Player: "ann", Opponent: "bob"}, "opponent alone": {Opponent: "bob"}, "opponent of the second": {Opponent: "bob", Seat: 2},
		"against oneself": {Player: "ann", Opponent: "ann"},
		"engine":          {Subject: "engine/bot=3"}, "account": {Subject: "user/2"}, "subject and player": {Subject: "user/2", Player: "bob"},
		"nobody": {Subject: "user/2", Player: "ann"},
		"wins":   {Outcome: "win"}, "draws": {Outcome: "draw"}, "losses": {Outcome: "loss"}, "losses of the second": {Outcome: "loss", Seat: 2},
		"wins of a player": {Player: "ann", Outcome: "win"}, "losses of an engine": {Subject: "engine/bot=3", Outcome: "loss"},
		"draws of a player": {Player: "bob", Outcome: "draw", Seat: 2},
		"time":              {Reason: game.ByTime}, "abort": {Reason: game.ByAbort},
		"from": {From: later(500)}, "to": {To: later(500)}, "between": {From: later(300), To: later(700)},
		"never":   {From: later(700), To: later(300)},
		"opening": {Opening: "KANSEI"}, "part": {Opening: "6 k"}, "accent": {Opening: "'S ä"}, "percent": {Opening: "%"},
		"underscore": {Opening: "_"},
		"position":   {Position: 1, HasPosition: true}, "zero": {HasPosition: true}, "negative": {Position: -2, HasPosition: true},
		"no position":      {Position: 99, HasPosition: true},
		"position unasked": {Position: 1}, "rated": {Rated: true}, "listed": {Listed: true},
		"position of a player": {Position: 1, HasPosition: true, Player: "ann", Outcome: "win"},
		"position in a room":   {HasPosition: true, Room: "r2"},
		"position in time":     {HasPosition: true, From: later(400)}, "position with opening": {HasPosition: true, Opening: "z"},
		"much": {Game: "gomoku", States: []store.GameState{store.Over}, Player: "bob", Outcome: "win", Listed: true, From: later(100)},
	}
}

func testFind(t *testing.T, s store.Store) {
	list := many(size(300, 110))
	fill(t, s, list)
	for name, q := range queries() {
		q.Limit = 1000
		var want []string
		for _, k := range slices.Backward(list) {
			if len(views(&q, &k)) > 0 {
				want = append(want, k.ID)
			}
		}
		if got := find(t, s, q); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	same(t, len(find(t, s, store.GameQuery{})), 100)
	for _, q := range []store.GameQuery{
		{Outcome: "victory"},
		{Seat: 3},
		{Seat: -1},
		{Cursor: "?"},
		{Cursor: "0"},
		{Cursor: "-1"},
		{Cursor: "zzz"},
		{Cursor: "zzzzzzzzzzzzzzzzz"},
		{Cursor: "1; DROP TABLE games"},
	} {
		err := s.View(t.Context(), func(x store.Tx) error { _, err := x.FindGames(q); return err })
		refused(t, err, store.ErrInvalid)
	}
}

func testPages(t *testing.T, s store.Store) {
	list := many(120)
	fill(t, s, list)
	for name, q := range map[string]store.GameQuery{
		"all": {}, "player": {Player: "ann"}, "position": {HasPosition: true, Position: 1},
		"common": {HasPosition: true, Position: 1, Player: "ann"},
		"over":   {States: []store.GameState{store.Over}}, "time": {To: later(900)},
	} {
		var want []string
		for _, k := range slices.Backward(list) {
			if len(views(&q, &k)) > 0 {
				want = append(want, k.ID)
			}
		}
		var got []string
		q.Limit = 7
		for pages := 0; ; pages++ {
			p := read(t, s, func(x store.Tx) (store.GamePage, error) { return x.FindGames(q) })
			for _, g := range p.Games {
				got = append(got, g.ID)
			}
			if len(p.Games) > 7 || p.Next != "" && len(p.Games) < 7 {
				t.Fatalf("%s: a page of %d games, next %q", name, len(p.Games), p.Next)
			}
			if q.Cursor = p.Next; q.Cursor == "" {
				break
			}
			// What is added while somebody turns the pages moves none of them.
			g := newGame(fmt.Sprint(name, " ", pages))
			g.State, g.Created = store.Over, later(500)
			addGames(t, s, g)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		do(t, s, func(x store.Tx) error {
			for i := 0; ; i++ {
				id := fmt.Sprint(name, " ", i)
				if _, err := x.Game(id); err != nil {
					return nil
				}
				if err := x.RemoveGame(id); err != nil {
					return err
				}
			}
		})
	}
	// What was played last is first on one page, whenever it was added.
	q := store.GameQuery{States: []store.GameState{store.Over}, Limit: 7, Latest: true}
	over := slices.DeleteFunc(slices.Clone(list), func(k kept) bool { return k.State != store.Over })
	slices.Reverse(over)
	slices.SortStableFunc(over, func(a, b kept) int { return b.Begun.Compare(a.Begun) })
	latest := read(t, s, func(x store.Tx) (store.GamePage, error) { return x.FindGames(q) })
	same(t, latest.Next, "")
	same(t, len(latest.Games), 7)
	for i, g := range latest.Games {
		same(t, g.ID, over[i].ID)
	}
	// The last page is full, and the one after it is none.
	p := read(t, s, func(x store.Tx) (store.GamePage, error) { return x.FindGames(store.GameQuery{Limit: 120}) })
	same(t, len(p.Games), 120)
	same(t, p.Next, "")
}

func testTally(t *testing.T, s store.Store) {
	list := many(size(300, 50))
	fill(t, s, list)
	for name, q := range queries() {
		for _, by := range []store.TallyBy{store.ByGame, store.ByReason, store.ByOpponent, store.BySeat, store.ByRoom} {
			counts := map[string]*store.Tally{}
			for _, k := range list {
				for _, seat := range views(&q, &k) {
					if outcome(&k.Game, seat) == "none" {
						continue
					}
					other := k.Seats[1-seat].Name
					label := map[store.TallyBy]string{
						store.ByGame: k.Spec.ID(), store.ByReason: string(k.Result.Reason), store.ByOpponent: other,
						store.BySeat: fmt.Sprint(seat + 1), store.ByRoom: k.Room,
					}[by]
					key := label
					if by == store.ByOpponent {
						key = strings.ToLower(other)
					}
					c := counts[key]
					if c == nil {
						c = &store.Tally{Key: label}
						counts[key] = c
					}
					switch outcome(&k.Game, seat) {
					case "win":
						c.Wins++
					case "draw":
						c.Draws++
					default:
						c.Loses++
					}
					c.Key = max(c.Key, label)
					c.Plies += int64(k.Plies)
					c.Seconds += k.Seconds[seat]
				}
			}
			games := func(c *store.Tally) int { return c.Wins + c.Draws + c.Loses }
			keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
				if n := games(counts[b]) - games(counts[a]); n != 0 {
					return n
				}
				return strings.Compare(a, b)
			})
			var want []store.Tally
			for _, k := range keys {
				want = append(want, *counts[k])
			}
			got := read(t, s, func(x store.Tx) ([]store.Tally, error) { return x.Tally(q, by) })
			if !slices.Equal(got, want) {
				t.Errorf("%s by %s:\n%v, want\n%v", name, by, got, want)
			}
		}
	}
	same(t, len(read(t, s, func(x store.Tx) ([]store.Tally, error) { return x.Tally(store.GameQuery{Limit: 2}, store.ByReason) })), 2)
	for _, by := range []store.TallyBy{"", "moon"} {
		refused(t, s.View(t.Context(), func(x store.Tx) error { _, err := x.Tally(store.GameQuery{}, by); return err }), store.ErrInvalid)
	}
}

func changed[T any](t testing.TB, s store.Store, fn func(x store.Tx) (T, error)) (out T) {
	t.Helper()
	do(t, s, func(x store.Tx) (err error) {
		out, err = fn(x)
		return err
	})
	return out
}

// testCommonPosition has a position in so many games that a search begins elsewhere.
func testCommonPosition(t *testing.T, s store.Store) {
	if testing.Short() {
		t.Skip("needs some thousand games")
	}
	const n = 2100
	do(t, s, func(x store.Tx) error {
		for i := range n {
			g := newGame(fmt.Sprintf("g%04d", i))
			g.State, g.Listed = store.Running, true
			if i%700 == 0 {
				g.Seats[i/700%2].Name = "Rare"
			}
			if err := x.AddGame(&g); err != nil {
				return err
			}
			if _, err := x.EndAttempt(&store.Ending{
				Game: g.ID, Result: won(1, 0, "five"),
				Positions: []store.Position{{Key: 1}, {Key: int64(2 + i%3)}},
			}); err != nil {
				return err
			}
		}
		return nil
	})
	q := store.GameQuery{Player: "rare", HasPosition: true, Position: 1}
	same(t, find(t, s, q), []string{"g1400", "g0700", "g0000"})
	q.Outcome = "loss"
	same(t, find(t, s, q), []string{"g0700"})
	same(t, find(t, s, store.GameQuery{HasPosition: true, Position: 1, Limit: 2}), []string{"g2099", "g2098"})
	same(t, read(t, s, func(x store.Tx) ([]store.Tally, error) {
		return x.Tally(store.GameQuery{HasPosition: true, Position: 3}, store.ByReason)
	}), []store.Tally{{Key: "five", Wins: 700}})
	got := read(t, s, func(x store.Tx) (store.Explored, error) { return x.Explore(&store.Exploring{Position: 3, Most: 600}) })
	// However many games a base has, it reads so many of them, and one block of each run.
	if got.Blocks < 1 || got.Blocks > 2100/256 {
		t.Errorf("%d blocks were read", got.Blocks)
	}
	got.Last, got.Blocks = time.Time{}, 0
	same(t, got, store.Explored{Games: 600, Won: [2]int{600, 0}, More: true, Looked: 600})
}

// testExplore counts what became of the games through a position, and keeps a review.
func testExplore(t *testing.T, s store.Store) {
	do(t, s, func(x store.Tx) error {
		for i, points := range [][2]float64{{1, 0}, {0, 1}, {0.5, 0.5}, {1, 0}} {
			g := newGame(fmt.Sprint("g", i))
			g.Listed, g.Speed, g.Created = i < 3, "blitz", later(i)
			for seat, engine := range []string{fmt.Sprint("e", i), "x"} {
				g.Seats[seat] = store.Seat{Name: "name of " + engine, Engine: engine}
				r := store.Rating{
					Subject: g.Seats[seat].Subject(), Game: "othello", Speed: "blitz", Value: float64(1500 + i), Deviation: 60, At: later(i),
				}
				if err := x.SetRating(&r); err != nil {
					return err
				}
			}
			r := won(points[0], points[1], "discs")
			r.Board, r.HasBoard = [2]float64{32 + float64(i), 32}, true
			e := store.Ending{Result: r, Positions: []store.Position{{Key: 1}, {Key: int64(2 + i)}}}
			if err := play(x, g, e); err != nil {
				return err
			}
		}
		return nil
	})
	explore := func(q store.Exploring) store.Explored {
		q.Most = 3
		return read(t, s, func(x store.Tx) (store.Explored, error) { return x.Explore(&q) })
	}
	best := [2]string{"name of e2", "name of x"}
	same(t, explore(store.Exploring{Position: 1}), store.Explored{
		Games: 2, Won: [2]int{0, 1}, Draws: 1, More: true, Last: later(2), BestGame: "g2", Best: best, Scored: 2, Score: 3, Looked: 3,
	})
	third := store.Explored{Games: 1, Draws: 1, More: true, Last: later(2), BestGame: "g2", Best: best, Scored: 1, Score: 2, Looked: 3}
	same(t, explore(store.Exploring{Position: 1, Since: later(2)}), third)
	same(t, explore(store.Exploring{Position: 1, Rating: 1502}), third)
	same(t, explore(store.Exploring{Position: 1, Rating: 1502, Players: store.ByEngines}), third)
	same(t, explore(store.Exploring{Position: 1, Players: store.ByPeople}), store.Explored{Looked: 3})
	same(t, explore(store.Exploring{Position: 5}), store.Explored{Looked: 1}) // not everyone may see it
	miss(t, s, func(x store.Tx) error { _, err := x.Review("g0"); return err })
	for _, text := range []string{"one", "another"} {
		do(t, s, func(x store.Tx) error { return x.SetReview("g0", []byte(text)) })
		same(t, read(t, s, func(x store.Tx) ([]byte, error) { return x.Review("g0") }), []byte(text))
	}
	do(t, s, func(x store.Tx) error { return x.RemoveGame("g0") })
	miss(t, s, func(x store.Tx) error { _, err := x.Review("g0"); return err })
}
