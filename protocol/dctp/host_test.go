package dctp_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
)

// driver plays the referee step by step against a scripted engine.
type driver struct {
	t      *testing.T
	host   *dctp.Host
	pos    player.Position
	seat   game.Seat
	clocks [2]clock.Clock
	warn   []string
	wait   time.Duration // the deadline of a question, a minute if zero
}

func newDriver(t *testing.T, seat game.Seat, script string, dialect map[string]string, more ...string) *driver {
	t.Helper()
	if dialect["settings"] == "" { // as the recorded conversations have it
		dialect = maps.Clone(dialect)
		if dialect == nil {
			dialect = map[string]string{}
		}
		dialect["settings"] = "off"
	}
	d := &driver{t: t, pos: board(), seat: seat}
	for s := range d.clocks {
		d.clocks[s] = clock.New(clock.Control{Main: time.Minute})
	}
	h, err := dctp.NewHost(protocol.Config{
		Name: "X", Dial: linktest.Dialer(t, append([]string{script}, more...)...), Now: time.Now, Dialect: dialect,
		Warn: func(text string) { d.warn = append(d.warn, text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	d.host = h
	return d
}

func (d *driver) close() {
	d.t.Helper()
	if err := d.host.Close(); err != nil {
		d.t.Error(err)
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

// start begins a game after some plies.
func (d *driver) start(spec game.Spec, plies ...string) error {
	d.t.Helper()
	if err := d.pos.Reset(spec, ""); err != nil {
		d.t.Fatal(err)
	}
	var history []player.Update
	for _, p := range plies {
		history = append(history, d.apply(p))
	}
	w, h := d.pos.Size()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel() // as the referee does: what is left of the time to start is nobody's
	return d.host.NewGame(ctx, &player.Setup{
		Spec: d.pos.Spec(), Width: w, Height: h, Seat: d.seat, Colours: d.pos.Colours(), Clocks: d.clocks, History: history,
	})
}

// apply makes a ply, "b5-b6" or "b7(M)", and returns what the host is told.
func (d *driver) apply(ply string) player.Update {
	d.t.Helper()
	u := player.Update{By: d.pos.Turn().Seat, Clocks: d.clocks, Ended: true}
	steps := []string{ply}
	if strings.Contains(ply, "(") {
		steps = []string{ply[:2] + "-" + ply[:2], ply}
	}
	for _, text := range steps {
		m, err := d.pos.ParseMove(text)
		if err != nil {
			d.t.Fatal(err)
		}
		notices, err := d.pos.Apply(m)
		if err != nil {
			d.t.Fatalf("%s: %v", text, err)
		}
		u.AddNotices(d.seat, notices)
	}
	u.Next, u.Colours = d.pos.Turn(), d.pos.Colours()
	return u
}

func (d *driver) tell(plies ...string) {
	d.t.Helper()
	for _, p := range plies {
		u := d.apply(p)
		d.host.Tell(&u)
	}
}

func (d *driver) choose() (player.Answer, error) {
	wait := cmp.Or(d.wait, time.Minute)
	return d.host.Choose(context.Background(), &player.Prompt{
		Seat: d.seat, Turn: d.pos.Turn(), Moves: d.pos, Colours: d.pos.Colours(), Clocks: d.clocks,
		Deadline: time.Now().Add(wait),
	})
}

func (d *driver) want(text string) {
	d.t.Helper()
	a, err := d.choose()
	if err != nil {
		d.t.Fatal(err)
	}
	if len(a.Steps) != 1 || !a.Measured || d.pos.FormatMove(a.Steps[0]) != text {
		d.t.Fatalf("%+v, want %s", a, text)
	}
}

func TestNoisyEngine(t *testing.T) {
	d := newDriver(t, game.First, conversation(t, "noisy.txt"), nil)
	defer d.close()
	if err := d.start("darkchess"); err != nil {
		t.Fatal(err)
	}
	if d.host.EngineName() != "MyAI" {
		t.Errorf("name %q", d.host.EngineName())
	}
	d.want("b7-b7")
	d.tell("b7(M)", "b6(p)")
	d.want("b7-b6")
	d.tell("b7-b6")
	d.host.Over(game.Win(game.First, "captureall", ""))
	if len(d.warn) > 0 {
		t.Errorf("remarks %q", d.warn)
	}
}

func TestTerseEngine(t *testing.T) {
	d := newDriver(t, game.Second, conversation(t, "terse.txt"), map[string]string{"hello": "off", "settings": "on", "time": "off", "game_over": "off"})
	defer d.close()
	if err := d.start("darkchess:noeat=60,repetition=3"); err != nil {
		t.Fatal(err)
	}
	d.tell("a1(k)")
	d.want("a0-a0")
	d.host.Over(game.Win(game.First, game.ByResign, ""))
	d.seat = game.First
	if err := d.start("darkchess:noeat=60,repetition=3"); err != nil {
		t.Fatal(err)
	}
	d.want("d8-d8")
	if len(d.warn) != 1 || !strings.Contains(d.warn[0], "num_repetition 3") {
		t.Errorf("remarks %q", d.warn)
	}
}

const begun = `
	> 7 reset_board
	< =7
	> 15 time_settings 60000
	< =15
	> 14 ready
	< =14
`

var plainly = map[string]string{"hello": "off"}

// A resumed game and one taken back are both told ply by ply.
func TestResumeAndTakeBack(t *testing.T) {
	d := newDriver(t, game.First, begun+`
		> 11 flip a1 K
		< =11
		> 11 flip d8 r
		< =11
		> 12 genmove red
		< =12 a2 a2
		`+begun+`
		> 11 flip a1 K
		< =11
		> 11 flip d8 r
		< =11
		> 12 genmove red
		< =12 b1 b1
		> 11 flip b1 N
		< =11
		> 16 time_left red 60000
		< =16
		> 13 game_over draw
		< =13
	`, plainly)
	defer d.close()
	if err := d.start("darkchess", "a1(K)", "d8(r)"); err != nil {
		t.Fatal(err)
	}
	d.want("a2-a2")
	d.tell("a2(P)", "a3(p)")
	if err := d.pos.Undo(4); err != nil {
		t.Fatal(err)
	}
	d.host.Tell(&player.Update{Rewind: 4, Next: d.pos.Turn()})
	d.want("b1-b1")
	d.tell("b1(N)")
	d.host.Over(game.Drawn("noeatflip", ""))
}

// The opponent of an engine that never became ready hears that the game is over.
func TestOverBeforeTheFirstMove(t *testing.T) {
	d := newDriver(t, game.First, begun+`
		> 13 game_over red
		< =13
		> 5 quit
	`, plainly)
	defer d.close()
	if err := d.start("darkchess"); err != nil {
		t.Fatal(err)
	}
	d.host.Over(game.Win(game.First, game.ByStart, "the other never became ready"))
	if len(d.warn) > 0 {
		t.Errorf("remarks %q", d.warn)
	}
}

// What is no ply is an illegal answer; a refusal of genmove, silence and the end
// of the process each have their own reason.
func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		script string
		unread string
		why    game.Reason
		detail string
	}{
		{"< =12 e9 e9\n", "beyond a to d", "", ""},
		{"< =12\n", "not two squares", "", ""},
		{"<\"=12 \\x01\\xff q\\n\"\n", "not two squares", "", ""},
		{"< =12 c5\n", "not two squares", "", ""},
		{"< ?12 no idea\n", "", game.ByProtocol, "?12 no idea"},
		{"< =11 a1 a1\n~ 6s\n", "", game.ByTime, "12 genmove"},
		{"!exit 3\n", "", game.ByCrash, "exit status 3"},
		{"!signal segmentation fault\n", "", game.ByCrash, "segmentation fault"},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDriver(t, game.First, begun+"> 12 genmove unknown\n"+tt.script, plainly)
			defer d.close()
			if err := d.start("darkchess"); err != nil {
				t.Fatal(err)
			}
			a, err := d.choose()
			var f *player.Failure
			switch {
			case tt.why == "" && (err != nil || !strings.Contains(a.Unread, tt.unread) || len(a.Steps) > 0):
				t.Errorf("%q: %+v %v", tt.script, a, err)
			case tt.why != "" && (!errors.As(err, &f) || f.Reason != tt.why || !strings.Contains(f.Detail, tt.detail)):
				t.Errorf("%q: %+v %v", tt.script, a, err)
			}
		})
	}
}

func TestRefusesToStart(t *testing.T) {
	d := newDriver(t, game.First, "!exit 1\n", nil)
	defer d.close()
	err := d.start("darkchess")
	var f *player.Failure
	if !errors.As(err, &f) || f.Reason != game.ByCrash && f.Reason != game.ByStart {
		t.Errorf("%v", err)
	}
	for _, s := range []*player.Setup{
		{Spec: "othello", Width: 8, Height: 8},
		{Spec: "darkchess", Width: 4, Height: 8, Start: "K--k/----/----/----/----/----/----/---- r"},
	} {
		if err := d.host.NewGame(t.Context(), s); !errors.As(err, &f) || f.Reason != game.ByStart {
			t.Errorf("%s: %v", s.Spec, err)
		}
	}
	for _, bad := range []map[string]string{{"untimed": "soon"}, {"settings": "maybe"}, {"colour": "on"}} {
		if _, err := dctp.NewHost(protocol.Config{Dial: linktest.Dialer(t, ""), Now: time.Now, Dialect: bad}); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// An engine that does not bear the settings is started anew without them, in this game
// and all after it.
func TestSettingsThatAreNotBorne(t *testing.T) {
	const hello, ready = "> 7 reset_board\n< =7\n", "> 15 time_settings 60000\n< =15\n> 14 ready\n< =14\n"
	d := newDriver(t, game.First, hello+"> 6 boardsize 8 4\n< =6\n> 8 num_repetition 3\n!signal segmentation fault\n",
		map[string]string{"hello": "off", "settings": "on"}, hello+ready+hello+ready+"> 5 quit\n!exit 0\n")
	for range 2 {
		if err := d.start("darkchess:repetition=3"); err != nil {
			t.Fatal(err)
		}
		d.host.Over(game.Result{Reason: game.ByAbort})
	}
	d.close()
	if len(d.warn) != 1 || !strings.Contains(d.warn[0], "dialect.settings=off") {
		t.Errorf("warned %q", d.warn)
	}
}
