package hub_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// random plays any legal decision, and says something.
type random struct {
	rng   *rand.Rand
	undo  int
	quick bool
	desk  player.Desk
}

func (r *random) Attend(d player.Desk) { r.desk = d }
func (r *random) CanAnswer() bool      { return false }
func (r *random) Asked(player.Asks)    {}

func (r *random) NewGame(context.Context, *player.Setup) error { return nil }
func (r *random) Tell(*player.Update)                          {}
func (r *random) Stop()                                        {}
func (r *random) Over(game.Result)                             {}
func (r *random) Close() error                                 { return nil }
func (r *random) CanStart(game.Spec) player.Start              { return player.FromPosition }

func (r *random) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	if !r.quick {
		time.Sleep(time.Second)
	}
	legal := p.Moves.Legal(nil)
	a := player.Answer{Steps: []game.Move{legal[r.rng.IntN(len(legal))]}, Info: game.Info{Depth: 3, Text: "said"}}
	if r.undo > 0 && r.rng.IntN(20) == 0 {
		r.undo--
		r.desk.Act(player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, func(player.Reply) {})
	}
	return a, nil
}

// told are the lines of a game for one audience.
type told struct {
	lines [][]byte
	views []bool // which of them are boards
	last  *game.View
}

// play plays a game and returns what each audience is told.
func play(t testing.TB, spec string, seed uint64) [3]told {
	t.Helper()
	return playWith(t, spec, func(i int) player.Player {
		return &random{rng: rand.New(rand.NewPCG(seed, uint64(i))), undo: 3, quick: quick(t)}
	})
}

// quick reports whether there is no time to be told.
func quick(t testing.TB) bool {
	_, bench := t.(*testing.B)
	return bench
}

// playWith plays a game between given players.
func playWith(t testing.TB, spec string, who func(int) player.Player) [3]told {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	k, err := clock.Parse("600+1")
	if err != nil {
		t.Fatal(err)
	}
	g := &match.Game{ID: "g", Rules: r, Now: time.Now, Views: true, Dealer: match.NewDealer(r, [32]byte{7})}
	g.Policy.Undo, g.Policy.MaxMoves = true, 80
	for i := range g.Sides {
		g.Sides[i] = match.Side{Player: who(i), Name: "player", Clock: k}
	}
	var out [3]told
	g.Sink = func(ev *journal.Event) {
		for a := range out {
			if ev.To != game.Public && ev.To != game.Audience(a) && (ev.Kind != journal.KindSaid || a != 2) {
				continue
			}
			e := *ev
			if e.Kind == journal.KindSaid {
				e.To = game.Public // as a worker does where lines may be shown
			}
			line, err := journal.AppendEvent(nil, &e)
			if err != nil {
				t.Error(err)
			}
			x := &out[a]
			x.lines, x.views = append(x.lines, line), append(x.views, ev.View != nil)
			if ev.View != nil && (ev.View.For == game.Audience(a) || x.last == nil || x.last.For == game.Public) {
				v := *ev.View
				v.Cells = append([]game.Cell(nil), v.Cells...)
				x.last = &v
			}
		}
	}
	match.Play(context.Background(), g)
	return out
}

// worker is a source that tells games step by step.
type worker struct {
	mu      sync.Mutex
	games   map[string]*[3]told
	attempt map[string]int
	told    map[hub.Key]int // how many lines
	fns     map[hub.Key]map[int]func(bus.Live)
	n       int
	listens int
	syncs   int
}

func newWorker() *worker {
	return &worker{games: map[string]*[3]told{}, attempt: map[string]int{}, told: map[hub.Key]int{}, fns: map[hub.Key]map[int]func(bus.Live){}}
}

func (w *worker) begin(id string, g *[3]told) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.games[id] = g
	w.attempt[id]++
	for a := range g {
		w.told[hub.Key{Game: id, To: game.Audience(a)}] = 0
	}
}

func (w *worker) Listen(id string, to game.Audience, fn func(bus.Live)) (func() error, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := hub.Key{Game: id, To: to}
	if w.fns[k] == nil {
		w.fns[k] = map[int]func(bus.Live){}
	}
	w.n++
	w.listens++
	n := w.n
	w.fns[k][n] = fn
	return func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.fns[k], n)
		w.listens--
		return nil
	}, nil
}

func (w *worker) AskSync(_ context.Context, id string, to game.Audience) (bus.Sync, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.syncs++
	g := w.games[id]
	n := w.told[hub.Key{Game: id, To: to}]
	if g == nil || n == 0 {
		return bus.Sync{}, context.DeadlineExceeded
	}
	s := bus.Sync{Attempt: w.attempt[id], Seq: uint64(n)}
	x := &g[to]
	var shown [2]bool // the latest board of each kind: own and public
	for i := n - 1; i >= 0; i-- {
		if x.views[i] {
			ev, _ := journal.ParseEvent(x.lines[i])
			kind := 0
			if ev.To == game.Public {
				kind = 1
			}
			if shown[kind] {
				continue
			}
			shown[kind] = true
		}
		s.Lines = append([][]byte{x.lines[i]}, s.Lines...)
	}
	return s, nil
}

// step tells the next event of a game to an audience; lose drops it on the way. It is
// false after the last.
func (w *worker) step(id string, to game.Audience, lose bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := hub.Key{Game: id, To: to}
	x := &w.games[id][to]
	n := w.told[k]
	if n == len(x.lines) {
		return false
	}
	w.told[k]++
	if lose {
		return true
	}
	for _, fn := range w.fns[k] {
		fn(bus.Live{Game: id, Attempt: w.attempt[id], To: to, Seq: uint64(n + 1), Line: x.lines[n]})
	}
	return true
}

func liveOf(id string, attempt int, seq uint64, line []byte) bus.Live {
	return bus.Live{Game: id, Attempt: attempt, To: game.Public, Seq: seq, Line: line}
}

// paced plays given turns, with all attempts of one; each turn of it takes as long,
// however many attempts it has.
type paced struct {
	random
	turns []twin.Turn
	each  time.Duration
	at    int
	again int
}

func (p *paced) Choose(_ context.Context, q *player.Prompt) (player.Answer, error) {
	if q.Again == 0 {
		p.again = 0
	}
	if p.at == len(p.turns) {
		time.Sleep(p.each)
		return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
	}
	turn := p.turns[p.at]
	m := turn[p.again]
	if p.again++; p.again == len(turn) {
		time.Sleep(p.each - time.Duration(len(turn)-1)*(p.each/8))
		p.at, p.again = p.at+1, 0
	} else {
		time.Sleep(p.each / 8)
	}
	return player.Answer{Steps: []game.Move{m}}, nil
}

// playTurns plays a game of a pair.
func playTurns(t *testing.T, spec string, tw *twin.Game, watched game.Seat) [3]told {
	t.Helper()
	return playWith(t, spec, func(i int) player.Player { return &paced{turns: tw.Seats[i], each: 3 * time.Second} })
}

// restamp gives the events number i of a game another time.
func (w *worker) restamp(id string, i int, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for a := range w.games[id] {
		lines := w.games[id][a].lines
		if i >= len(lines) {
			continue
		}
		ev, err := journal.ParseEvent(lines[i])
		if err != nil {
			panic(err)
		}
		ev.Time = at
		lines[i], _ = journal.AppendEvent(nil, &ev)
	}
}

// listening is how many subscriptions there are.
func (w *worker) listening() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.listens
}
