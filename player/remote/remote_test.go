package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/leaks"
	"kibitz/match"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// wire is a connection in memory between both ends.
type wire struct {
	down chan []byte // to the engine
	up   func([]byte) error
	rng  *rand.Rand
	mu   sync.Mutex
	bad  bool   // frames are lost, doubled and exchanged
	held []byte // a frame that the next one overtakes
	cut  int    // frames until the connection breaks
	seen strings.Builder
}

var errCut = errors.New("the connection broke")

// Send carries a frame of the engine up.
func (w *wire) Send(data []byte) error {
	if w.bad && w.chance(5) {
		return nil
	}
	_ = w.up(data)
	if w.bad && w.chance(5) {
		_ = w.up(data)
	}
	return nil
}

func (w *wire) chance(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rng.IntN(n) == 0
}

// send carries a frame of the referee down.
func (w *wire) send(data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.Write(data)
	w.seen.WriteByte('\n')
	list := [][]byte{data}
	if w.bad {
		switch w.rng.IntN(6) {
		case 0:
			return nil
		case 1:
			list = append(list, data)
		case 2:
			w.held = data
			return nil
		}
		if w.held != nil {
			list, w.held = append(list, w.held), nil
		}
	}
	for _, f := range list {
		select {
		case w.down <- f:
		default: // lost
		}
	}
	return nil
}

// Recv returns what is for the engine.
func (w *wire) Recv(ctx context.Context) ([]byte, error) {
	if w.bad {
		if w.cut--; w.cut < 0 {
			w.cut = 20
			return nil, errCut
		}
	}
	select {
	case f := <-w.down:
		return f, nil
	case <-ctx.Done():
		return nil, io.EOF
	}
}

// joined is a Player whose other end plays in the same process.
type joined struct {
	*Player
	client *Client
	engine player.Player
	stop   context.CancelFunc
	wg     sync.WaitGroup
	wire   *wire
}

func join(engine player.Player, spec game.Spec, o Options, bad bool, lag ...time.Duration) *joined {
	w := &wire{down: make(chan []byte, 4096), rng: rand.New(rand.NewPCG(1, 2)), bad: bad, cut: 20}
	o.Send = w.send
	if o.Now == nil {
		o.Now = time.Now
	}
	j := &joined{Player: NewPlayer(o), engine: engine, wire: w}
	w.up = func(data []byte) error {
		for _, d := range lag {
			time.Sleep(d)
		}
		return j.Receive(data)
	}
	j.client = NewClient(engine, spec, o.Now)
	if bad {
		j.client.beat = 3 * time.Millisecond
	}
	ctx, stop := context.WithCancel(context.Background())
	j.stop = stop
	j.wg.Go(func() {
		for ctx.Err() == nil {
			if err := j.client.Serve(ctx, w); errors.Is(err, ErrClosed) {
				return
			}
		}
	})
	return j
}

func (j *joined) Close() error {
	err := j.Player.Close()
	j.stop()
	j.client.Close()
	j.wg.Wait()
	return errors.Join(err, j.engine.Close())
}

var open = rulestest.Opener(games.All()...)

// A bot at the other end keeps to all that a player is held to, and plays the games
// that it would play here, over connections good and bad.
func TestConformance(t *testing.T) {
	for _, bad := range []bool{false, true} {
		t.Run(fmt.Sprintf("bad=%v", bad), func(t *testing.T) {
			n := 0
			playertest.Suite{
				New: func() player.Player {
					n++
					return join(random.New(random.Options{Seed: 7}), "dotsandboxes:size=3", Options{Session: fmt.Sprint("s", n)}, bad)
				},
				Spec: open(t, "dotsandboxes:size=3").Spec(),
				Position: func() player.Position {
					return rules.NewBoard(func(s game.Spec) (rules.Rules, error) { return games.Open(string(s)) })
				},
				Deterministic: true,
			}.Run(t)
		})
	}
}

// slow is an engine that thinks for a while.
type slow struct {
	player.Player
	think time.Duration
}

func (s *slow) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	time.Sleep(s.think)
	return s.Player.Choose(ctx, p)
}

func (s *slow) CanStart(game.Spec) player.Start { return player.FromPosition }

func (s *slow) EngineName() string { return "Slow\x1b[2J 1" }

// The hall's clock decides; how much of a turn was spent on the way is measured.
func TestTransmissionError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, "othello")
		j := join(&slow{random.New(random.Options{Seed: 1}), 100 * time.Millisecond}, r.Spec(), Options{Session: "g"}, false, 40*time.Millisecond)
		defer j.Close()
		g := &match.Game{ID: "g", Rules: r, Now: time.Now}
		g.Sides[0] = match.Side{Player: j, Name: "far", Clock: clock.Control{Main: time.Minute}}
		g.Sides[1] = match.Side{Player: random.New(random.Options{Seed: 2}), Name: "near"}
		o := match.Play(t.Context(), g)
		if o.Result.Reason != "score" && o.Result.Reason == game.ByTime {
			t.Fatalf("%+v", o.Result)
		}
		n := 0
		for _, s := range o.Steps {
			if s.By != game.First || s.Forced {
				continue
			}
			n++
			if s.Error < 20*time.Millisecond || s.Error > 60*time.Millisecond || s.Used != 100*time.Millisecond+2*s.Error {
				t.Errorf("used %v, error %v", s.Used, s.Error)
			}
		}
		if n < 20 {
			t.Errorf("%d decisions", n)
		}
		if name := j.EngineName(); !strings.HasPrefix(name, "Slow") || strings.Contains(name, "\x1b") {
			t.Errorf("name %q", name)
		}
	})
}

// held is an engine that keeps the limits of its game and of its latest question.
type held struct {
	player.Player
	game, question player.Limits
}

func (h *held) NewGame(ctx context.Context, s *player.Setup) error {
	h.game = s.Limits
	return h.Player.NewGame(ctx, s)
}

func (h *held) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	h.question = p.Limits
	return h.Player.Choose(ctx, p)
}

// What the engine's owner allows holds beside what the referee's end does.
func TestLimitsOfTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, "othello")
		h := &held{Player: random.New(random.Options{Seed: 1})}
		j := join(h, r.Spec(), Options{Session: "g"}, false)
		defer j.Close()
		j.client.Limits = player.Limits{Memory: 1 << 20, Depth: 3, Nodes: 1000}
		g := &match.Game{ID: "g", Rules: r, Now: time.Now}
		g.Sides[0] = match.Side{Player: j, Name: "far", Clock: clock.Control{Main: time.Minute}, Limits: player.Limits{Depth: 5, Nodes: 100, Threads: 2}}
		g.Sides[1] = match.Side{Player: random.New(random.Options{Seed: 2}), Name: "near"}
		match.Play(t.Context(), g)
		if want := (player.Limits{Memory: 1 << 20, Depth: 3, Nodes: 100, Threads: 2}); h.game != want {
			t.Errorf("the game has %+v", h.game)
		}
		if q := h.question; q.Memory != 1<<20 || q.Depth != 3 || q.Nodes == 0 || q.Nodes > 1000 {
			t.Errorf("a question has %+v", q)
		}
	})
}

// failing is an engine that breaks down at its third decision.
type failing struct {
	player.Player
	n int
}

func (f *failing) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if f.n++; f.n == 3 {
		fail := player.Fail(game.ByCrash, nil, "exit status 3")
		for i := range 500 {
			fail.Evidence = append(fail.Evidence, fmt.Sprint("line ", i, strings.Repeat("x", 5000)))
		}
		return player.Answer{}, fail
	}
	return f.Player.Choose(ctx, p)
}

// What breaks at the other end is told here, with what shows it.
func TestFailure(t *testing.T) {
	r := open(t, "othello")
	j := join(&failing{Player: random.New(random.Options{Seed: 1})}, r.Spec(), Options{Session: "g"}, false)
	defer j.Close()
	g := &match.Game{ID: "g", Rules: r, Now: time.Now}
	g.Sides[0] = match.Side{Player: j, Name: "far"}
	g.Sides[1] = match.Side{Player: random.New(random.Options{Seed: 2}), Name: "near"}
	o := match.Play(t.Context(), g)
	if o.Result.Winner() != game.Second || o.Result.Reason != game.ByCrash || !strings.Contains(o.Result.Detail, "exit status 3") {
		t.Errorf("%+v", o.Result)
	}
	if n := len(o.Evidence); n != maxEvidence || len(o.Evidence[0]) > maxText+10 {
		t.Errorf("%d lines of evidence", n)
	}
}

// begin is a remote player in a game, with nobody at the other end but the test.
func begin(t *testing.T, o Options) (*Player, *player.Prompt, *[]frame) {
	t.Helper()
	var sent []frame
	o.Session, o.Now = "g", time.Now
	o.Send = func(data []byte) error {
		f, err := decode(data)
		if err != nil {
			t.Error(err)
			return err
		}
		sent = append(sent, *f)
		return nil
	}
	p := NewPlayer(o)
	receive := func(f frame) {
		f.S = "g"
		data, err := encode(&f)
		if err == nil {
			err = p.Receive(data)
		}
		if err != nil {
			t.Error(err)
		}
	}
	go func() {
		time.Sleep(time.Millisecond)
		receive(frame{K: kindHello})
		receive(frame{K: kindReady, Q: 1})
	}()
	s := open(t, "othello").New()
	if err := p.NewGame(t.Context(), &player.Setup{ID: "g", Spec: "othello"}); err != nil {
		t.Fatal(err)
	}
	return p, &player.Prompt{Turn: s.Turn(), Moves: s}, &sent
}

// Who is away for too long has lost, unless a clock decides.
func TestGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q, _ := begin(t, Options{Grace: time.Minute})
		began := time.Now()
		_, err := p.Choose(t.Context(), q)
		var f *player.Failure
		if !errors.As(err, &f) || f.Reason != game.ByDisconnect || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p, q, _ := begin(t, Options{Grace: time.Minute})
		q.Clocks[0] = clock.New(clock.Control{Main: 3 * time.Minute})
		q.Deadline = time.Now().Add(3 * time.Minute)
		began := time.Now()
		_, err := p.Choose(t.Context(), q)
		if f, ok := errors.AsType[*player.Failure](err); !ok || f.Reason != game.ByTime || time.Since(began) != 3*time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// An answer counts once, and for its question alone.
func TestLateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q, sent := begin(t, Options{})
		move := q.Moves.Legal(nil)[0]
		answer := func(n int) {
			data, err := encode(&frame{K: kindAnswer, S: "g", Q: n, Answer: &wireAnswer{Steps: []game.Move{move}}})
			if err != nil {
				t.Fatal(err)
			}
			_ = p.Receive(data)
		}
		go func() {
			time.Sleep(time.Second)
			answer(1) // to what is over
			answer(9) // to what was never asked
			time.Sleep(time.Second)
			answer(2)
			answer(2)
		}()
		began := time.Now()
		if _, err := p.Choose(t.Context(), q); err != nil || time.Since(began) != 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		synctest.Wait()
		answer(2)
		if n := p.Late(); n < 2 {
			t.Errorf("%d late answers", n)
		}
		data, _ := encode(&frame{K: kindHello, S: "g", Last: 1})
		n := len(*sent)
		if err := p.Receive(data); err != nil {
			t.Error(err)
		}
		for _, f := range (*sent)[n:] {
			if f.K == kindPrompt {
				t.Error("an answered question is put again")
			}
		}
		if len(*sent) == n {
			t.Error("who comes back gets nothing")
		}
	})
}

// A fresh client in the middle of a game is told all of it.
func TestClientAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, "othello")
		j := join(random.New(random.Options{Seed: 1}), r.Spec(), Options{Session: "g"}, false)
		defer j.Close()
		half := &slow{Player: random.New(random.Options{Seed: 2}), think: 100 * time.Millisecond}
		var later *Client
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(1500*time.Millisecond, func() {
			j.stop()
			j.wg.Wait()
			later = NewClient(random.New(random.Options{Seed: 3}), r.Spec(), time.Now)
			wg.Go(func() { _ = later.Serve(ctx, j.wire) })
		})
		g := &match.Game{ID: "g", Rules: r, Now: time.Now}
		g.Sides[0] = match.Side{Player: j, Name: "far"}
		g.Sides[1] = match.Side{Player: half, Name: "near"}
		o := match.Play(t.Context(), g)
		if o.Turns < 40 || o.Result.Reason == game.ByIllegal || o.Result.Reason == game.ByAbort {
			t.Errorf("%d turns, %+v", o.Turns, o.Result)
		}
		cancel()
		wg.Wait()
		if later == nil {
			t.Fatal("the game was over too soon")
		}
		later.Close()
	})
}
