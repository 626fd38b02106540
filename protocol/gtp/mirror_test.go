package gtp_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/gtp"
)

// mirror is an engine that knows no rules: it keeps the points it was told, in the
// portions it was told them, and answers what the test has laid out for it.
type mirror struct {
	knows  string // its list of commands
	single bool   // it refuses two points in one command
	board  [][]string
	answer []string // for the coming questions
	lines  [][]byte
}

func (m *mirror) Write(p []byte) error {
	for line := range strings.SplitSeq(strings.TrimSuffix(string(p), "\n"), "\n") {
		m.lines = append(m.lines, []byte(m.reply(line)))
	}
	return nil
}

func (m *mirror) reply(line string) string {
	f := strings.Fields(line)
	switch f[0] {
	case "list_commands":
		return "= " + m.knows
	case "protocol_version":
		return "= 2"
	case "boardsize", "clear_board":
		m.board = nil
	case "play":
		return m.put(f[2])
	case "undo":
		if len(m.board) == 0 {
			return "? cannot undo"
		}
		m.board = m.board[:len(m.board)-1]
	case "genmove":
		text := m.answer[0]
		m.answer = m.answer[1:]
		m.put(text)
		return "= " + strings.ToUpper(text)
	}
	return "="
}

func (m *mirror) put(text string) string {
	points := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '-' })
	if m.single && len(points) > 1 {
		return "? one point, please"
	}
	m.board = append(m.board, points)
	return "="
}

func (m *mirror) ReadLine(time.Time) ([]byte, error) {
	if len(m.lines) == 0 {
		return nil, io.EOF
	}
	l := m.lines[0]
	m.lines = m.lines[1:]
	return l, nil
}

func (m *mirror) Interrupt()   {}
func (m *mirror) Close() error { return nil }

// told lists the points that were told, turn by turn or not.
func (m *mirror) told() []string { return slices.Concat(m.board...) }

// TestBoardFollows plays random games with take-backs of any length and answers that
// are not accepted: whenever the engine is asked it has the game on its board.
func TestBoardFollows(t *testing.T) {
	for _, tt := range []struct {
		spec   game.Spec
		turn   string
		knows  string
		single bool
	}{
		{"connect6:size=9", "auto", "play undo one", true}, // reads two points, answers with one
		{"connect6:size=9", "auto", "play one", true},
		{"connect6:size=9", "whole", "play undo", false},
		{"connect6:size=9", "points", "play undo", true},
		{"connect6:size=9", "points", "play", true},
		{"connect6:size=9", "auto", "play undo", false},
		{"connect6:size=9", "auto", "play undo", true},
		{"connect6:size=9", "auto", "play", true},
		{"amazons", "whole", "play undo", false},
		{"amazons", "points", "play undo", true},
		{"amazons", "alternate", "play", true},
		{"nogo:size=5", "auto", "play undo", false},
		{"nogo:size=5", "points", "play", false},
	} {
		t.Run(fmt.Sprint(tt.spec, " ", tt.turn, " ", tt.knows, " ", tt.single), func(t *testing.T) {
			for seed := range uint64(20) {
				m := &mirror{knows: tt.knows, single: tt.single && !strings.Contains(tt.knows, "one")}
				warned := ""
				h, err := forms.NewHost(protocol.Config{
					Name: "X", Now: time.Now, Dialect: map[string]string{"turn": tt.turn},
					Warn: func(text string) { warned += text },
					Dial: func(context.Context) (link.Conn, error) { return m, nil },
				})
				if err != nil {
					t.Fatal(err)
				}
				f := &follower{t: t, m: m, h: h, pos: board(), rng: rand.New(rand.NewPCG(seed, 5)), single: tt.single}
				f.play(canonical(t, tt.spec), game.Seat(seed%2))
				if strings.Contains(tt.knows, "one") && !strings.Contains(warned, "answers with one point of a turn") {
					t.Errorf("seed %d: remarks %q", seed, warned)
				}
			}
		})
	}
}

// follower is the referee of TestBoardFollows.
type follower struct {
	t      *testing.T
	m      *mirror
	h      *gtp.Host
	pos    player.Position
	rng    *rand.Rand
	single bool
	moves  []game.Move
}

func (f *follower) play(spec game.Spec, seat game.Seat) {
	f.t.Helper()
	if err := f.pos.Reset(spec, ""); err != nil {
		f.t.Fatal(err)
	}
	w, h := f.pos.Size()
	if err := f.h.NewGame(context.Background(), &player.Setup{Spec: spec, Width: w, Height: h, Seat: seat, Colours: f.pos.Colours()}); err != nil {
		f.t.Fatal(err)
	}
	for range 60 {
		turn := f.pos.Turn()
		_, over := f.pos.Result()
		switch n := f.rng.IntN(8); {
		case over || n == 0 && len(f.moves) > 0:
			f.back(1 + f.rng.IntN(min(5, len(f.moves))))
		case turn.Seat != seat:
			f.tell(f.draw())
		default:
			f.ask(seat, n == 1)
		}
	}
}

// draw picks a random legal decision.
func (f *follower) draw() game.Move {
	legal := f.pos.Legal(nil)
	return legal[f.rng.IntN(len(legal))]
}

func (f *follower) tell(m ...game.Move) {
	f.t.Helper()
	u := player.Update{By: f.pos.Turn().Seat}
	for _, m := range m {
		if _, err := f.pos.Apply(m); err != nil {
			f.t.Fatal(err)
		}
		f.moves = append(f.moves, m)
		u.Steps = append(u.Steps, m)
	}
	u.Next, u.Colours = f.pos.Turn(), f.pos.Colours()
	u.Ended = u.Next.Seat != u.By || u.Next.Step == 0
	f.h.Tell(&u)
}

func (f *follower) back(n int) {
	f.t.Helper()
	if err := f.pos.Undo(n); err != nil {
		f.t.Fatal(err)
	}
	f.moves = f.moves[:len(f.moves)-n]
	f.h.Tell(&player.Update{Rewind: n, Next: f.pos.Turn(), Colours: f.pos.Colours()})
}

// ask has the engine decide the rest of the turn; a bad answer is not told.
func (f *follower) ask(seat game.Seat, bad bool) {
	f.t.Helper()
	var turn []game.Move
	for len(turn) == 0 || f.pos.Turn().Seat == seat && f.pos.Turn().Step > 0 {
		m := f.draw()
		if _, err := f.pos.Apply(m); err != nil {
			f.t.Fatal(err)
		}
		turn = append(turn, m)
		if _, over := f.pos.Result(); over {
			break
		}
	}
	if err := f.pos.Undo(len(turn)); err != nil {
		f.t.Fatal(err)
	}
	before := f.names(f.moves)
	if f.single {
		f.m.answer = f.names(turn)
		if turn[0].Op == game.Place {
			turn = turn[:1]
		}
	} else {
		f.m.answer = []string{strings.Join(f.names(turn), ",")}
	}
	t := f.pos.Turn()
	a, err := f.h.Choose(context.Background(), &player.Prompt{Seat: seat, Turn: t, Colours: f.pos.Colours(), Deadline: time.Now().Add(time.Minute)})
	if err != nil || !slices.Equal(a.Steps, turn) {
		f.t.Fatalf("answered %v, %v, want %v", a.Steps, err, turn)
	}
	if got, want := f.m.told(), slices.Concat(before, f.names(turn)); !slices.Equal(got, want) {
		f.t.Fatalf("the engine's board is %v, the game %v", got, want)
	}
	if !bad {
		f.tell(a.Steps...)
	}
}

// names writes points as the games do by default.
func (f *follower) names(list []game.Move) []string {
	w, h := f.pos.Size()
	letters := "abcdefghjklmnopqrst"
	if strings.HasPrefix(string(f.pos.Spec()), "amazons") {
		letters = "abcdefghij"
	}
	var out []string
	for _, m := range list {
		for _, p := range []game.Point{m.From, m.To} {
			if p.On(w, h) {
				out = append(out, fmt.Sprintf("%c%d", letters[p.X], h-int(p.Y)))
			}
		}
	}
	return out
}
