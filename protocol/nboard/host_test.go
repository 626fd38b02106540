package nboard_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/nboard"
	"kibitz/record"
	"kibitz/record/ggf"
)

// dialBot returns a dialer whose connections lead to served bots, and a function
// that waits for all of them.
func dialBot(t testing.TB, makeBot func() player.Player) (link.Dialer, func()) {
	var wg sync.WaitGroup
	return func(ctx context.Context) (link.Conn, error) {
		ours, theirs := link.Pipe()
		bot := makeBot()
		wg.Go(func() {
			err := nboard.Serve(context.WithoutCancel(ctx), theirs, protocol.Server{
				Player: bot, Position: newBoard(), Now: time.Now, Name: "Bot", Log: func(s string) { t.Error("engine:", s) },
			})
			if err != nil {
				t.Error(err)
			}
			_ = theirs.Close()
		})
		return ours, nil
	}, wg.Wait
}

func newHost(t testing.TB, dial link.Dialer, dialect map[string]string) *nboard.Host {
	t.Helper()
	p, err := nboard.NewHost(protocol.Config{
		Name: "X", Dial: dial, Now: time.Now, Dialect: dialect,
		Warn: func(s string) { t.Error("host:", s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return p.(*nboard.Host)
}

// thinker plays at random; at the depths that the host sends without any limit or
// with a clock alone it thinks until it is stopped.
type thinker struct {
	*playertest.Random
	plain
}

func (b *thinker) NewGame(ctx context.Context, s *player.Setup) error {
	return b.Random.NewGame(ctx, s)
}

func (b *thinker) Tell(u *player.Update) { b.Random.Tell(u) }
func (b *thinker) Stop()                 { b.plain.Stop() }
func (b *thinker) Over(r game.Result)    { b.Random.Over(r) }
func (b *thinker) Close() error          { return b.Random.Close() }
func (b *thinker) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if p.Limits.Depth >= 12 {
		b.think = time.Hour
		if _, err := b.plain.Choose(ctx, p); err != nil {
			return player.Answer{}, err
		}
	}
	return b.Random.Choose(ctx, p)
}

// TestSuite holds the host to the contract of players.
func TestSuite(t *testing.T) {
	var waits []func()
	playertest.Suite{
		Thinks: true,
		New: func() player.Player {
			dial, wait := dialBot(t, func() player.Player { return &thinker{Random: playertest.NewRandom(3)} })
			waits = append(waits, wait)
			return newHost(t, dial, nil)
		},
		Spec: nboard.GameID, Position: newBoard, Deterministic: true,
	}.Run(t)
	for _, w := range waits {
		w()
	}
}

// TestRandomGames plays random games through the protocol, also from positions
// with few discs, where passes in a row, wipe-outs and blocked ends abound, and
// requires that each is read back from its GGF to the same board and score.
func TestRandomGames(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	var hosts [2]*nboard.Host
	var seed uint64
	for i := range hosts {
		dial, wait := dialBot(t, func() player.Player { seed++; return playertest.NewRandom(seed) })
		hosts[i] = newHost(t, dial, map[string]string{"fewdiscs": "allow"})
		defer wait()
		defer func() {
			if err := hosts[i].Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	rng := rand.New(rand.NewPCG(1, 2))
	reasons := map[game.Reason]int{}
	passes, double := 0, 0
	for i := range n {
		start := ""
		if i%3 > 0 {
			start = sparse(rng, 2+i%9)
		}
		pos := newBoard()
		tb := &playertest.Table{Position: pos, Spec: nboard.GameID, Start: start, Seed: uint64(i)}
		if err := pos.Reset(nboard.GameID, start); err != nil {
			t.Fatal(err)
		}
		toMove := pos.Turn().Seat
		got, err := tb.Play(t.Context(), [2]player.Player{hosts[i%2], hosts[1-i%2]})
		if err != nil {
			t.Fatalf("game %d from %q: %v", i, start, err)
		}
		reasons[got.Result.Reason]++
		p, d := throughGGF(t, start, toMove, got)
		passes += p
		double += d
	}
	t.Logf("%d games: %v, %d passes, %d times a side passed twice running", n, reasons, passes, double)
	if reasons["full"] == 0 || reasons["blocked"] == 0 || reasons["wipeout"] == 0 || passes == 0 || double == 0 {
		t.Error("the games lack a kind of end or of pass")
	}
}

// sparse returns a position with so many discs near each other at random.
func sparse(rng *rand.Rand, discs int) string {
	cells := []byte(strings.Repeat("-", 64))
	x, y := rng.IntN(4), rng.IntN(4)
	for range discs {
		cells[(y+rng.IntN(4))*8+x+rng.IntN(4)] = "XO"[rng.IntN(2)]
	}
	return string(cells) + " " + string("XO"[rng.IntN(2)])
}

func throughGGF(t *testing.T, start string, toMove game.Seat, got *playertest.Played) (passes, double int) {
	t.Helper()
	g := &record.Game{Spec: nboard.GameID, Start: start, Result: &got.Result}
	by := toMove
	lastPass := [2]int{-9, -9}
	for i, m := range got.Moves {
		g.Steps = append(g.Steps, record.Step{By: by, Move: m})
		if m.Op == game.Pass {
			passes++
			if lastPass[by] == i-2 {
				double++
			}
			lastPass[by] = i
		}
		by = by.Other()
	}
	var buf bytes.Buffer
	if err := ggf.Write(&buf, g); err != nil {
		t.Fatal(err)
	}
	games, err := ggf.Read(buf.Bytes())
	if err != nil || len(games) != 1 {
		t.Fatalf("%v: %s", err, buf.Bytes())
	}
	pos := newBoard()
	if err := pos.Reset(games[0].Spec, games[0].Start); err != nil {
		t.Fatal(err)
	}
	for i, st := range games[0].Steps {
		if pos.Turn().Seat != st.By {
			t.Fatalf("move %d of %s is not by the side to move", i+1, buf.Bytes())
		}
		if _, err := pos.Apply(st.Move); err != nil {
			t.Fatalf("move %d of %s: %v", i+1, buf.Bytes(), err)
		}
	}
	r, over := pos.Result()
	if !over || r.Board != got.Result.Board || games[0].Result.Board != r.Board || games[0].Result.Points != r.Points {
		t.Fatalf("the game ended %+v, read back %+v, replayed %+v", got.Result, games[0].Result, r)
	}
	return passes, double
}

// far is the other end of a connection, an engine of a few lines.
func far(t *testing.T, serve func(c link.Conn, line string)) link.Dialer {
	return func(context.Context) (link.Conn, error) {
		ours, theirs := link.Pipe()
		go func() {
			for {
				line, err := theirs.ReadLine(time.Time{})
				if err != nil {
					return
				}
				serve(theirs, string(line))
			}
		}()
		t.Cleanup(func() { _ = theirs.Close() })
		return ours, nil
	}
}

func reply(c link.Conn, format string, args ...any) { _ = c.Write(fmt.Appendf(nil, format, args...)) }

// babble sends a line each millisecond until the connection closes.
func babble(c link.Conn) {
	for c.Write([]byte("status thinking\n")) == nil {
		time.Sleep(time.Millisecond)
	}
}

// TestNeverAnswers: in every time mode the host ends a turn by itself, with
// an engine that stops for a ping, one that hears nothing, and one that talks on.
func TestNeverAnswers(t *testing.T) {
	for _, mode := range []string{"auto", "depth", "clock", "movenow"} {
		for _, manner := range []string{"hears", "deaf", "deaf and chatty"} {
			t.Run(mode+" "+manner, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					thinking, deaf := false, manner != "hears"
					h := newHost(t, far(t, func(c link.Conn, line string) {
						switch {
						case line == "go" && manner == "deaf and chatty":
							thinking = true
							go babble(c)
						case line == "go":
							thinking = true
						case strings.HasPrefix(line, "ping") && (!deaf || !thinking):
							reply(c, "pong%s\n", line[4:])
						}
					}), map[string]string{"timemode": mode})
					k := clock.New(clock.Control{Main: 10 * time.Second})
					if err := h.NewGame(t.Context(), &player.Setup{Spec: nboard.GameID, Clocks: [2]clock.Clock{k, k}}); err != nil {
						t.Fatal(err)
					}
					began := time.Now()
					_, err := h.Choose(t.Context(), &player.Prompt{Clocks: [2]clock.Clock{k, k}, Deadline: began.Add(10 * time.Second)})
					if f, ok := errors.AsType[*player.Failure](err); !ok || f.Reason != game.ByTime {
						t.Errorf("ended with %v", err)
					}
					if took := time.Since(began); took > 10*time.Second+500*time.Millisecond {
						t.Errorf("took %v", took)
					}
					_ = h.Close()
					time.Sleep(time.Second) // for the babble to end
				})
			})
		}
	}
}

// TestFlood: the move behind a flood counts.
func TestFlood(t *testing.T) {
	line := []byte(strings.Repeat("status babble ", 50) + "\n")
	h := newHost(t, far(t, func(c link.Conn, cmd string) {
		switch {
		case strings.HasPrefix(cmd, "ping"):
			reply(c, "pong%s\n", cmd[4:])
		case cmd == "go":
			for range 12_000_000 / len(line) {
				_ = c.Write(line)
			}
			reply(c, "=== f5\n")
		}
	}), nil)
	if err := h.NewGame(t.Context(), &player.Setup{Spec: nboard.GameID}); err != nil {
		t.Fatal(err)
	}
	a, err := h.Choose(t.Context(), &player.Prompt{Deadline: time.Now().Add(time.Minute)})
	if err != nil || a.Steps[0] != game.PlaceAt(game.Pt(5, 4)) {
		t.Errorf("%v %v", a, err)
	}
	if n := h.Floods(); n != 1 {
		t.Errorf("%d floods", n)
	}
	_ = h.Close()
	if n := h.Floods(); n != 1 {
		t.Errorf("%d floods after the end", n)
	}
}

// TestLongLine: a line of a megabyte is passed over.
func TestLongLine(t *testing.T) {
	h := newHost(t, far(t, func(c link.Conn, cmd string) {
		switch {
		case strings.HasPrefix(cmd, "ping"):
			reply(c, "%s\npong%s\n", strings.Repeat("x", 1<<20), cmd[4:])
		case cmd == "go":
			reply(c, "status %s\n=== f5\n", strings.Repeat("y", 1<<20))
		}
	}), nil)
	if err := h.NewGame(t.Context(), &player.Setup{Spec: nboard.GameID}); err != nil {
		t.Fatal(err)
	}
	a, err := h.Choose(t.Context(), &player.Prompt{Deadline: time.Now().Add(time.Minute)})
	if err != nil || a.Steps[0] != game.PlaceAt(game.Pt(5, 4)) {
		t.Errorf("%v %v", a, err)
	}
	_ = h.Close()
}

// TestNotStarted tells why an engine cannot be started.
func TestNotStarted(t *testing.T) {
	h := newHost(t, func(context.Context) (link.Conn, error) { return nil, errors.New("no such file") }, nil)
	err := h.NewGame(t.Context(), &player.Setup{Spec: nboard.GameID})
	if f, ok := errors.AsType[*player.Failure](err); !ok || f.Reason != game.ByStart || !strings.Contains(f.Detail, "no such file") {
		t.Errorf("ended with %v", err)
	}
}

// instant is a connection to an engine that answers at once, without goroutines
// and without allocating.
type instant struct {
	given int
	line  []byte
	gone  bool
}

func (c *instant) ReadLine(time.Time) ([]byte, error) {
	if c.gone {
		c.gone = false
		return append(c.line[:0], "=== F5/1.00/0.00"...), nil
	}
	c.given++
	c.line = fmt.Appendf(c.line[:0], "pong %d", c.given)
	return c.line, nil
}

func (c *instant) Write(p []byte) error {
	c.gone = string(p) == "go\n"
	return nil
}
func (c *instant) Interrupt()   {}
func (c *instant) Close() error { return nil }

// BenchmarkTurn is one turn of the host: the opponent's move, a ping, go and the
// answer, with an engine that costs nothing.
func BenchmarkTurn(b *testing.B) {
	c := &instant{line: make([]byte, 0, 64)}
	h := newHost(b, func(context.Context) (link.Conn, error) { return c, nil }, nil)
	if err := h.NewGame(b.Context(), &player.Setup{Spec: nboard.GameID}); err != nil {
		b.Fatal(err)
	}
	u := player.Update{By: game.Second, Steps: []game.Move{game.PlaceAt(game.Pt(3, 5))}, Used: time.Second}
	p := player.Prompt{}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		h.Tell(&u)
		if _, err := h.Choose(ctx, &p); err != nil {
			b.Fatal(err)
		}
	}
}
