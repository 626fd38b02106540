package gtp_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
)

// firstMove takes the first legal move; it resigns when it was told to.
type firstMove struct {
	*playertest.Random
	resign bool
	pair   bool // answers with two decisions
	seen   []player.Prompt
	over   []game.Result
}

func (f *firstMove) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	f.seen = append(f.seen, *p)
	if f.resign {
		return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
	}
	n := 1
	if f.pair && p.Turn.Step == 0 {
		n = 2
	}
	return player.Answer{Steps: p.Moves.Legal(nil)[:n]}, nil
}

func (f *firstMove) Over(r game.Result) { f.over = append(f.over, r) }

// manager is the other end of a served engine.
type manager struct {
	t    *testing.T
	conn link.Conn
	done chan error
}

func serve(t *testing.T, p player.Player, spec game.Spec) *manager {
	t.Helper()
	return serveDialect(t, p, spec, nil)
}

func serveDialect(t *testing.T, p player.Player, spec game.Spec, dialect map[string]string) *manager {
	t.Helper()
	ours, theirs := link.Pipe()
	m := &manager{t, ours, make(chan error, 1)}
	go func() {
		m.done <- forms.Serve(context.Background(), theirs, protocol.Server{
			Player: p, Position: board(), Now: time.Now, Name: "Bot", Version: "1", Game: spec, Dialect: dialect,
			CPUTime:  func() time.Duration { return 1500 * time.Millisecond },
			ReadFile: func(name string) ([]byte, error) { return os.ReadFile("testdata/" + name) },
		})
	}()
	return m
}

// ask sends a line and returns the first line of the reply.
func (m *manager) ask(line string) string {
	m.t.Helper()
	if err := m.conn.Write([]byte(line + "\n")); err != nil {
		m.t.Fatal(err)
	}
	return m.line(time.Minute)
}

func (m *manager) line(wait time.Duration) string {
	m.t.Helper()
	b, err := m.conn.ReadLine(time.Now().Add(wait))
	if err != nil {
		m.t.Fatal(err)
	}
	return strings.TrimRight(string(b), " ")
}

func TestServeConversation(t *testing.T) {
	for _, tt := range []struct {
		file    string
		spec    game.Spec
		dialect map[string]string
	}{
		{"serve.txt", "othello", nil},
		{"serve-nogo.txt", "nogo", nil},
		{"serve-connect6.txt", "connect6", nil},
		{"serve-connect6-points.txt", "connect6", map[string]string{"turn": "points"}},
		{"serve-amazons.txt", "amazons", nil},
		{"load-nogo.txt", "nogo", nil},
		{"load-othello.txt", "othello", nil},
		{"load-connect6.txt", "connect6", nil},
		{"load-amazons.txt", "amazons", nil},
		{"load-amazons.txt", "amazons", map[string]string{"turn": "alternate"}},
		{"serve-amazons-alternate.txt", "amazons", map[string]string{"turn": "alternate", "letters": "no-i"}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			b, err := os.ReadFile("testdata/" + tt.file)
			if err != nil {
				t.Fatal(err)
			}
			m := serveDialect(t, &firstMove{Random: playertest.NewRandom(1)}, tt.spec, tt.dialect)
			asked := ""
			for i, l := range strings.Split(string(b), "\n") {
				switch {
				case strings.HasPrefix(l, "> "):
					asked = l[2:]
					if err := m.conn.Write([]byte(asked + "\n")); err != nil {
						t.Fatal(err)
					}
				case strings.HasPrefix(l, "= "):
					if got, want := m.line(time.Minute), strings.TrimRight(l[2:], " "); got != want {
						t.Fatalf("line %d: %q was answered with %q, want %q", i+1, asked, got, want)
					}
				}
			}
			if err := <-m.done; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestServeWholeGame lets the engine play both sides and asks for the score; a
// skipped pass is filled in.
func TestServeWholeGame(t *testing.T) {
	p := &firstMove{Random: playertest.NewRandom(1)}
	m := serve(t, p, "othello")
	check := board()
	if err := check.Reset("othello", ""); err != nil {
		t.Fatal(err)
	}
	for {
		turn := check.Turn()
		if !turn.Seat.IsPlayer() {
			break
		}
		if legal := check.Legal(nil); len(legal) == 1 && legal[0].Op == game.Pass {
			if _, err := check.Apply(legal[0]); err != nil {
				t.Fatal(err)
			}
			continue
		}
		reply := m.ask("genmove " + []string{"b", "w"}[turn.Seat])
		move, err := check.ParseMove(strings.TrimPrefix(reply, "= "))
		if err == nil {
			_, err = check.Apply(move)
		}
		if err != nil {
			t.Fatalf("%q: %v", reply, err)
		}
	}
	r, _ := check.Result()
	want := "= 0"
	switch r.Winner() {
	case game.First:
		want = "= B+"
	case game.Second:
		want = "= W+"
	}
	if got := m.ask("final_score"); !strings.HasPrefix(got, want) {
		t.Errorf("score %q, want %s…", got, want)
	}
	if got := m.ask("clear_board"); got != "=" {
		t.Errorf("clear_board: %q", got)
	}
	if got := m.ask("genmove b"); !strings.HasPrefix(got, "= d3") {
		t.Errorf("a new game begins with %q", got)
	}
	if err := m.conn.Close(); err != nil {
		t.Error(err)
	}
	if err := <-m.done; err != nil {
		t.Error(err)
	}
	if len(p.over) < 2 || p.over[len(p.over)-1].Reason != game.ByAbort {
		t.Errorf("the player heard of %+v", p.over)
	}
}

// TestServeClock passes clocks on to the player.
func TestServeClock(t *testing.T) {
	p := &firstMove{Random: playertest.NewRandom(1)}
	m := serve(t, p, "gomoku:rule=freestyle,size=15")
	for _, l := range []string{"boardsize 19", "time_settings 60 30 5", "time_left b 12 0", "genmove b", "time_left b 20 3", "genmove w", "genmove b"} {
		if got := m.ask(l); !strings.HasPrefix(got, "=") {
			t.Fatalf("%s: %q", l, got)
		}
	}
	first, third := p.seen[0], p.seen[2]
	if k := first.Clocks[0]; k.Left != 12*time.Second || k.Control.Main != time.Minute || k.Control.Canadian != 30*time.Second {
		t.Errorf("the first clock is %+v", k)
	}
	if !first.Deadline.IsZero() { // the manager's patience is not known here
		t.Errorf("the first deadline is in %v", time.Until(first.Deadline))
	}
	if k := third.Clocks[0]; k.Left > 20*time.Second || k.Moves != 3 {
		t.Errorf("the third clock is %+v", k)
	}
	p.resign = true
	if got := m.ask("genmove w"); got != "= resign" {
		t.Errorf("resignation: %q", got)
	}
	_ = m.ask("quit")
	if err := <-m.done; err != nil {
		t.Error(err)
	}
}

// TestServePlan answers with the points of one decision after the other, and forgets
// them when something else is played or taken back.
func TestServePlan(t *testing.T) {
	p := &firstMove{Random: playertest.NewRandom(1), pair: true}
	m := serveDialect(t, p, "connect6", map[string]string{"turn": "points"})
	for _, l := range [][2]string{
		{"play b k10", "="},
		{"genmove w", "= a19"},
		{"reg_genmove w", "= b19"},
		{"genmove w", "= b19"},
		{"play b l10 l11", "="},
		{"genmove w", "= c19"},
		{"undo", "="},
		{"genmove w", "= c19"},
		{"play w m11", "="},
		{"play b d19 e19", "="},
		{"genmove w", "= f19"},
		{"quit", "="},
	} {
		if got := m.ask(l[0]); got != l[1] {
			t.Fatalf("%s was answered by %q, want %q", l[0], got, l[1])
		}
	}
	if err := <-m.done; err != nil {
		t.Error(err)
	}
	if len(p.seen) != 4 {
		t.Errorf("asked %d times, want once for each plan", len(p.seen))
	}
}

// onlyStart begins games at their initial position only, as some protocols do.
type onlyStart struct {
	player.Player
	seat game.Seat
}

func (p *onlyStart) NewGame(ctx context.Context, s *player.Setup) error {
	if len(s.History) > 0 {
		return player.Fail(game.ByStart, nil, "too late")
	}
	p.seat = s.Seat
	return p.Player.NewGame(ctx, s)
}

// TestServeBegins gives such a player the game before the first move is played.
func TestServeBegins(t *testing.T) {
	for _, lines := range [][]string{
		{"play b k10", "genmove w", "play b l11,m12", "genmove w"},
		{"genmove b", "play w l11,m12", "genmove b", "clear_board", "play b j9", "genmove w"},
	} {
		p := &onlyStart{Player: playertest.NewRandom(1)}
		m := serve(t, p, "connect6")
		for _, l := range append(lines, "quit") {
			if got := m.ask(l); !strings.HasPrefix(got, "=") {
				t.Errorf("%s was answered by %q", l, got)
			}
		}
		if err := <-m.done; err != nil {
			t.Error(err)
		}
		if p.seat != game.Second {
			t.Errorf("the last game was begun as %s", p.seat)
		}
	}
}

// passer passes as soon as it may.
type passer struct{ *playertest.Random }

func (passer) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	legal := p.Moves.Legal(nil)
	if i := slices.IndexFunc(legal, func(m game.Move) bool { return m.Op == game.Pass }); i >= 0 {
		legal[0] = legal[i]
	}
	return player.Answer{Steps: legal[:1]}, nil
}

// Whether a game is over is for the manager to say: asked again after its end, the engine
// passes or resigns in every game, and never refuses.
func TestServeAnswersAfterTheEnd(t *testing.T) {
	specs := []game.Spec{"gomoku:rule=renju,pass=true"}
	for _, f := range forms {
		if !f.Hidden {
			specs = append(specs, game.Spec(f.Game))
		}
	}
	for _, spec := range specs {
		t.Run(string(spec), func(t *testing.T) {
			m := serve(t, passer{playertest.NewRandom(1)}, spec)
			m.playOut()
			for range 3 {
				if got := m.ask("genmove b"); got != "= pass" && got != "= resign" {
					t.Errorf("after the end: %q", got)
				}
			}
			_ = m.ask("quit")
			if err := <-m.done; err != nil {
				t.Error(err)
			}
		})
	}
}

// playOut has the engine play both sides up to the end.
func (m *manager) playOut() {
	m.t.Helper()
	for range 1000 {
		side := strings.TrimPrefix(m.ask("gogui-rules_side_to_move"), "= ")
		if side == "none" {
			return
		}
		if got := m.ask("genmove " + side); !strings.HasPrefix(got, "= ") {
			m.t.Fatalf("genmove %s: %q", side, got)
		}
	}
	m.t.Fatal("no end after 1000 turns")
}
