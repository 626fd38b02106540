package gtp_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/gtp"
)

// driver plays the referee step by step against a scripted engine.
type driver struct {
	t    *testing.T
	host *gtp.Host
	pos  player.Position
	seat game.Seat
	warn []string

	refused bool // by the position, the latest decision
	whole   bool // meant to be, the latest answer
}

func newDriver(t *testing.T, seat game.Seat, script string, adjust func(*protocol.Config)) *driver {
	t.Helper()
	d := &driver{t: t, pos: board(), seat: seat}
	c := protocol.Config{
		Name: "X", Dial: linktest.Dialer(t, script), Now: time.Now,
		Warn: func(text string) { d.warn = append(d.warn, text) },
	}
	if adjust != nil {
		adjust(&c)
	}
	h, err := forms.NewHost(c)
	if err != nil {
		t.Fatal(err)
	}
	d.host = h
	return d
}

func (d *driver) start(spec game.Spec, clocks [2]clock.Clock, history string) error {
	d.t.Helper()
	if err := d.pos.Reset(spec, ""); err != nil {
		d.t.Fatal(err)
	}
	var list []player.Update
	for f := range strings.FieldsSeq(history) {
		u := d.apply(f)
		list = append(list, u)
	}
	w, h := d.pos.Size()
	return d.host.NewGame(context.Background(), &player.Setup{
		Spec: d.pos.Spec(), Width: w, Height: h, Seat: d.seat, Colours: d.pos.Colours(), Clocks: clocks, History: list,
	})
}

// apply makes the decisions of a turn, or some of them, and returns what the host is
// to be told.
func (d *driver) apply(text string) player.Update {
	d.t.Helper()
	u := player.Update{By: d.pos.Turn().Seat}
	for word := range strings.FieldsSeq(text) {
		m, err := d.pos.ParseMove(word)
		if err != nil {
			d.t.Fatal(err)
		}
		u.Forced = len(d.pos.Legal(nil)) == 1 && m.Op == game.Pass
		notices, err := d.pos.Apply(m)
		if err != nil {
			d.t.Fatalf("%s: %v", word, err)
		}
		u.AddNotices(d.seat, notices)
		for _, n := range notices {
			d.refused = n.Kind == game.Refused
		}
	}
	u.Next, u.Colours = d.pos.Turn(), d.pos.Colours()
	u.Ended = !d.refused && (u.Next.Seat != u.By || u.Next.Step == 0)
	return u
}

func (d *driver) tell(text string) {
	d.t.Helper()
	u := d.apply(text)
	if !d.refused || u.By == d.seat {
		d.host.Tell(&u)
	}
}

// back takes back the latest n decisions, of which the host was told so many.
func (d *driver) back(n, told int) {
	d.t.Helper()
	if err := d.pos.Undo(n); err != nil {
		d.t.Fatal(err)
	}
	d.host.Tell(&player.Update{Rewind: told, Next: d.pos.Turn(), Colours: d.pos.Colours()})
}

func (d *driver) choose(clocks [2]clock.Clock) (string, error) {
	p := &player.Prompt{
		Seat: d.seat, Turn: d.pos.Turn(), Moves: d.pos, Colours: d.pos.Colours(), Clocks: clocks,
		Deadline: time.Now().Add(2 * time.Minute),
	}
	a, err := d.host.Choose(context.Background(), p)
	if err != nil {
		return "", err
	}
	if a.Steps[0].Op == game.Resign {
		return "resign", nil
	}
	words := make([]string, len(a.Steps))
	for i, m := range a.Steps {
		words[i] = d.pos.FormatMove(m)
	}
	if d.whole = a.Whole; d.whole {
		words = append(words, "whole")
	}
	return strings.Join(words, " "), nil
}

func (d *driver) want(clocks [2]clock.Clock, move string) {
	d.t.Helper()
	if got, err := d.choose(clocks); err != nil || got != move {
		d.t.Fatalf("chose %q, %v; want %q", got, err, move)
	}
}

func conversation(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "conversations", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var (
	untimed [2]clock.Clock
	minute  = [2]clock.Clock{clock.New(clock.Control{Main: time.Minute}), clock.New(clock.Control{Main: time.Minute})}
)

func TestEdax(t *testing.T) {
	d := newDriver(t, game.First, conversation(t, "edax.txt"), nil)
	if err := d.start("othello", minute, ""); err != nil {
		t.Fatal(err)
	}
	d.want(minute, "f5")
	d.tell("f5")
	d.tell("d6")
	d.want(minute, "c3")
	if d.host.EngineName() != "Edax 4.6" {
		t.Errorf("name %q", d.host.EngineName())
	}
	if len(d.warn) != 1 || !strings.Contains(d.warn[0], "set_game") {
		t.Errorf("remarks %q", d.warn)
	}
	if err := d.host.Close(); err != nil {
		t.Error(err)
	}
}

func TestEgaroucid(t *testing.T) {
	d := newDriver(t, game.Second, conversation(t, "egaroucid.txt"), nil)
	if err := d.start("othello", minute, ""); err != nil {
		t.Fatal(err)
	}
	d.tell("f5")
	d.want(minute, "d6")
	d.tell("d6")
	d.tell("c3")
	d.want(minute, "d3")
	if len(d.warn) != 1 || !strings.Contains(d.warn[0], "no time commands") {
		t.Errorf("remarks %q", d.warn)
	}
	if err := d.host.Close(); err != nil {
		t.Error(err)
	}
}

// TestTakenBack covers an engine that lists undo and one that lists nothing.
func TestTakenBack(t *testing.T) {
	for _, tt := range []struct {
		file   string
		clocks [2]clock.Clock
	}{{"rhino.txt", minute}, {"minimal.txt", untimed}} {
		t.Run(tt.file, func(t *testing.T) {
			d := newDriver(t, game.First, conversation(t, tt.file), nil)
			if err := d.start("othello", tt.clocks, ""); err != nil {
				t.Fatal(err)
			}
			d.want(tt.clocks, "f5")
			d.tell("f5")
			if err := d.pos.Undo(1); err != nil {
				t.Fatal(err)
			}
			d.host.Tell(&player.Update{Rewind: 1, Next: d.pos.Turn()})
			d.want(tt.clocks, "d3")
			d.tell("d3")
			d.tell("c3")
			d.want(tt.clocks, "resign")
			if err := d.host.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

const plain = `
	> protocol_version
	< = 2
	> name
	< = E
	> list_commands
	<"= play\ngenmove\nclear_board\nrectangular_boardsize\nlevel\n\n"
	> version
	< =
`

// TestReplay takes back by clear_board where undo is not listed, also after an
// answer that the referee did not accept.
func TestReplay(t *testing.T) {
	d := newDriver(t, game.Second, plain+`
		> level 3
		< =
		> boardsize 8
		< =
		> clear_board
		< =
		> play b f5
		< =
		> genmove w
		< = a1
		>"clear_board\nplay b f5\ngenmove w\n"
		<"=\n=\n= d6\n"
		>"play b c3\ngenmove w\n"
		<"=\n= d3\n"
	`, func(c *protocol.Config) { c.Options = []protocol.Option{{Key: "level", Value: "3"}} })
	if err := d.start("othello", untimed, "f5"); err != nil {
		t.Fatal(err)
	}
	d.want(untimed, "a1") // illegal: the referee asks again
	d.want(untimed, "d6")
	d.tell("d6")
	d.tell("c3")
	d.want(untimed, "d3")
	if err := d.host.Close(); err != nil {
		t.Error(err)
	}
}

// TestPasses sends forced passes, and forgives an engine that passes by itself.
func TestPasses(t *testing.T) {
	script := strings.Replace(plain, "clear_board", "clear_board\\nundo", 1) + "> boardsize 8\n< =\n> clear_board\n< =\n"
	d := newDriver(t, game.First, script+`
		>...
		> genmove b
		< = h4
		>"play w pass\ngenmove b\n"
		<"? illegal move\n= h5\n"
		>"genmove b\n"
		<"= h6\n"
		>"undo\nundo\nundo\ngenmove b\n"
		<"=\n=\n=\n= h7\n"
		> quit
		!exit 0
	`, nil)
	if err := d.start("othello", untimed, ""); err != nil {
		t.Fatal(err)
	}
	// White is made to pass by hand: the host knows no rules.
	place := func(by game.Seat, p game.Point, forced bool) {
		u := player.Update{By: by, Steps: []game.Move{game.PlaceAt(p)}, Ended: true, Forced: forced}
		if forced {
			u.Steps[0] = game.PassMove()
		}
		d.host.Tell(&u)
	}
	d.want(untimed, "h4")
	place(game.First, game.Pt(7, 3), false)
	place(game.Second, game.NoPoint, true)
	d.want(untimed, "h5")
	// The next pass is not told, and no pass is taken back by itself.
	place(game.First, game.Pt(7, 4), false)
	place(game.Second, game.NoPoint, true)
	d.want(untimed, "h6")
	place(game.First, game.Pt(7, 5), false)
	d.host.Tell(&player.Update{Rewind: 5})
	d.want(untimed, "h7")
	if len(d.warn) != 1 || !strings.Contains(d.warn[0], "forced pass") {
		t.Errorf("remarks %q", d.warn)
	}
	if err := d.host.Close(); err != nil {
		t.Error(err)
	}
}

// TestGomokuLetters sends Go coordinates: no i, row 1 at the bottom.
func TestGomokuLetters(t *testing.T) {
	d := newDriver(t, game.Second, plain+`
		> boardsize 15
		< =
		> clear_board
		< =
		>"play b j8\ngenmove w\n"
		<"=\n= A15\n"
		> quit
		!exit 0
	`, nil)
	d.seat = game.Second
	if err := d.start("gomoku", untimed, ""); err != nil {
		t.Fatal(err)
	}
	u := player.Update{By: game.First, Steps: []game.Move{game.PlaceAt(game.Pt(8, 7))}, Ended: true}
	d.host.Tell(&u)
	a, err := d.host.Choose(context.Background(), &player.Prompt{Seat: game.Second})
	if err != nil || a.Steps[0] != game.PlaceAt(game.Pt(0, 0)) {
		t.Fatalf("%v, %v", a.Steps, err)
	}
	if err := d.host.Close(); err != nil {
		t.Error(err)
	}
}

func TestFailures(t *testing.T) {
	ready := plain + "> boardsize 8\n< =\n> clear_board\n< =\n"
	tens := strings.Replace(ready, "8", "10", 1)
	tests := []struct {
		name, script string
		spec         game.Spec
		start, why   game.Reason
		says         string
	}{
		{name: "no reply to the first command", script: "> protocol_version\n!silent", spec: "othello", start: game.ByStart, says: "protocol_version"},
		{name: "ends at once", script: "> protocol_version\n!exit 3", spec: "othello", start: game.ByCrash, says: "exit status 3"},
		{name: "refuses the board", script: plain + "> boardsize 8\n< ? unacceptable size", spec: "othello", start: game.ByStart, says: "unacceptable size"},
		{name: "rectangle", script: strings.ReplaceAll(plain, "rectangular_", "") + "> quit\n!exit 0", spec: "gomoku:width=15,height=10", start: game.ByStart, says: "square boards only"},
		{name: "swap2", script: "", spec: "gomoku:opening=swap2", start: game.ByStart, says: "swap2"},
		{name: "unknown game", script: "", spec: "tictactoe", start: game.ByStart, says: "tictactoe"},
		{name: "no extension", script: plain + "> quit\n!exit 0", spec: "phantomgo", start: game.ByStart, says: "does not list kibitz-phantom_seat, kibitz-phantom_accepted"},
		{name: "both sides of a secret", script: "", spec: "phantomgo", start: game.ByStart, says: "both sides of Phantom Go"},
		{name: "a point for a turn", script: tens + "> genmove b\n< = D1", spec: "amazons", why: game.ByProtocol, says: "dialect.turn=points, or alternate"},
		{name: "a turn refused", script: tens + ">\"play b d1-d7-g7\\nplay w d10-c9-c5\\n\"\n<\"? no\\n\\n?no\\n\\n\"", spec: "amazons", start: game.ByProtocol, says: "needs dialect.turn=points, or alternate"},
		{name: "a reply missing", script: tens + ">\"play b d1-d7-g7\\nplay w d10-c9-c5\\n\"\n< =\n!silent", spec: "amazons", start: game.ByStart, says: `, reply 2 of 2, to "play w d10-c9-c5": read`},
		{name: "too large", script: "", spec: "gomoku:size=30", start: game.ByStart, says: "30x30"},
		{name: "error instead of a move", script: ready + "> genmove b\n< ? wrong color", spec: "othello", why: game.ByProtocol, says: "wrong color"},
		{name: "nonsense instead of a move", script: ready + "> genmove b\n< = z9", spec: "othello", why: game.ByProtocol, says: "z9"},
		{name: "nothing instead of a move", script: ready + "> genmove b\n< =", spec: "othello", why: game.ByProtocol, says: "answered with nothing, as other commands are: was one of them answered twice?"},
		{name: "late", script: ready + "> genmove b\n!silent", spec: "othello", why: game.ByTime, says: "move"},
		{name: "crash", script: ready + "> genmove b\n!stderr boom\n!signal segmentation fault", spec: "othello", why: game.ByCrash, says: "segmentation fault"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, err := forms.NewHost(protocol.Config{
					Name: "X", Now: time.Now, StartLimit: 150 * time.Millisecond, ReplyLimit: 150 * time.Millisecond,
					Dial: func(context.Context) (link.Conn, error) {
						c, _ := linktest.Start(t, tt.script)
						return c, nil
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				setup := &player.Setup{Spec: tt.spec, Width: 8, Height: 8}
				switch tt.name {
				case "rectangle":
					setup.Width, setup.Height = 15, 10
				case "too large":
					setup.Width, setup.Height = 30, 30
				case "a point for a turn":
					setup.Width, setup.Height = 10, 10
				case "a turn refused", "a reply missing":
					setup.Width, setup.Height = 10, 10
					setup.History = []player.Update{
						{By: game.First, Steps: []game.Move{game.ShiftTo(game.Pt(3, 9), game.Pt(3, 3)), game.ShootAt(game.Pt(6, 3))}, Ended: true},
						{By: game.Second, Steps: []game.Move{game.ShiftTo(game.Pt(3, 0), game.Pt(2, 1)), game.ShootAt(game.Pt(2, 5))}, Ended: true},
					}
				case "both sides of a secret":
					setup.Seat = game.Nobody
				}
				err = h.NewGame(context.Background(), setup)
				why := tt.start
				if why == "" {
					if err != nil {
						t.Fatal(err)
					}
					why = tt.why
					_, err = h.Choose(context.Background(), &player.Prompt{Deadline: time.Now().Add(150 * time.Millisecond)})
				}
				if f, ok := errors.AsType[*player.Failure](err); !ok || f.Reason != why || !strings.Contains(f.Detail, tt.says) {
					t.Errorf("got %v, want %s with %q", err, why, tt.says)
				}
				if err := h.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestRestarted starts the engine anew after a failure, and for each game if told.
func TestRestarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := plain + "> boardsize 8\n< =\n> clear_board\n< =\n"
		crash, quit := ready+"> genmove b\n!exit 1", ready+"> genmove b\n< = f5\n> quit\n!exit 0"
		for _, tt := range []struct {
			policy  protocol.Restart
			scripts []string
		}{
			{protocol.RestartAuto, []string{crash, ready + "> genmove b\n< = f5\n> boardsize 8\n< =\n> clear_board\n< =\n> genmove b\n< = f5\n> quit\n!exit 0"}},
			{protocol.RestartEachGame, []string{crash, quit, quit}},
		} {
			h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Restart: tt.policy, Dial: linktest.Dialer(t, tt.scripts...)})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				if err := h.NewGame(context.Background(), &player.Setup{Spec: "othello", Width: 8, Height: 8}); err != nil {
					t.Fatal(err)
				}
				_, err := h.Choose(context.Background(), &player.Prompt{Deadline: time.Now().Add(time.Minute)})
				if (err != nil) != (i == 0) {
					t.Fatalf("game %d: %v", i+1, err)
				}
				h.Over(game.Result{})
			}
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestForfeit starts the engine anew after a forfeit, not after a loss on the board.
func TestForfeit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := "> boardsize 8\n< =\n> clear_board\n< =\n> genmove b\n< = f5\n"
		h, err := forms.NewHost(protocol.Config{
			Name: "X", Now: time.Now, Dial: linktest.Dialer(t, plain+ready+ready+"> quit\n!exit 0", plain+ready+"> quit\n!exit 0"),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, why := range []game.Reason{"discs", game.ByIllegal, "discs"} {
			if err := h.NewGame(context.Background(), &player.Setup{Spec: "othello", Width: 8, Height: 8}); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Choose(context.Background(), &player.Prompt{Deadline: time.Now().Add(time.Minute)}); err != nil {
				t.Fatal(err)
			}
			h.Over(game.Win(game.Second, why, ""))
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestStop ends the wait for a move; GTP cannot do more, so the next game has a
// new process.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := plain + "> boardsize 8\n< =\n> clear_board\n< =\n> genmove b\n"
		h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Dial: linktest.Dialer(t, ready, ready, ready+"< = f5\n> quit\n!exit 0")})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			h.Stop() // nothing runs: no effect
			if err := h.NewGame(context.Background(), &player.Setup{Spec: "othello", Width: 8, Height: 8}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			switch i {
			case 0:
				time.AfterFunc(30*time.Millisecond, h.Stop)
			case 1:
				time.AfterFunc(30*time.Millisecond, cancel)
			}
			_, err := h.Choose(ctx, &player.Prompt{Deadline: time.Now().Add(time.Minute)})
			cancel()
			var f *player.Failure
			if i < 2 && (!errors.As(err, &f) || f.Reason != game.ByAbort) || i == 2 && err != nil {
				t.Fatalf("game %d: %v", i+1, err)
			}
			h.Over(game.Result{})
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}
