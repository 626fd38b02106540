package readfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/record/boardtxt"
)

// capture is an engine that keeps what it finds and answers.
type capture struct {
	boards []string
	found  []string // names in the folder beside board.txt
	answer string
}

func (c *capture) engine(dir string) {
	b, _ := os.ReadFile(filepath.Join(dir, BoardFile))
	c.boards = append(c.boards, string(b))
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if e.Name() != BoardFile {
			c.found = append(c.found, e.Name())
		}
	}
	if c.answer != "" {
		_ = os.WriteFile(filepath.Join(dir, MoveFile), []byte(c.answer), 0o600)
	}
}

func control(t testing.TB, text string) clock.Clock {
	t.Helper()
	c, err := clock.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return clock.New(c)
}

func begin(t *testing.T, h *Host, s player.Setup) {
	t.Helper()
	s.Spec, s.Width, s.Height = "darkchess", 4, 8
	if s.Names == [2]string{} {
		s.Names = [2]string{"alice", "bob"}
	}
	if err := h.NewGame(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}

func steps(t testing.TB, texts string) []game.Move {
	t.Helper()
	var list []game.Move
	b := board()
	if err := b.Reset("darkchess", ""); err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Fields(texts) {
		m, err := b.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if m.Op == game.Deal {
			list = append(list, game.FlipAt(m.To))
		}
		list = append(list, m)
	}
	return list
}

// plies returns a file without its date and times.
func plies(t *testing.T, text string) string {
	t.Helper()
	_, rest, _ := strings.Cut(text, "\n")
	body, times, ok := strings.Cut(rest, "* Comment 0 0")
	if !ok {
		t.Fatalf("no comment line in\n%s", text)
	}
	f, err := boardtxt.Parse([]byte(text))
	if err != nil || len(f.Stamps) != len(f.Plies) || len(f.Warnings) > 0 {
		t.Errorf("%v: %d times for %d plies, %q in %s", err, len(f.Stamps), len(f.Plies), f.Warnings, times)
	}
	return body
}

const covered = `* alice vs bob
* 1 2 2 2 2 2 5 1 2 2 2 2 2 5
* X X X X
* X X X X
* X X X X
* X X X X
* X X X X
* X X X X
* X X X X
* X X X X
`

// What engines are given, ply by ply: nothing yet, half a round, rounds, after taking
// back; and what an earlier ply has left is gone.
func TestBoardFile(t *testing.T) {
	c := &capture{answer: "1 b7 0 0"}
	h := hosted(t, nil, c.engine)
	begin(t, h, player.Setup{})
	ask := func(want string) {
		t.Helper()
		k := control(t, "900")
		a, err := h.Choose(context.Background(), &player.Prompt{Clocks: [2]clock.Clock{k, k}, Deadline: time.Now().Add(time.Minute)})
		if err != nil || len(a.Steps) != 1 || !a.Whole || !a.Measured || a.Raw != strings.Join(strings.Fields(c.answer), " ") {
			t.Fatalf("%+v %v", a, err)
		}
		if got := plies(t, c.boards[len(c.boards)-1]); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
	ask(covered + "* first 2\n* time 900\n")
	h.Tell(&player.Update{Steps: steps(t, "b7(M)")})
	ask(covered + "* first 0\n* time 900\n* 1. b7(M)\n")
	h.Tell(&player.Update{Steps: steps(t, "a1(k)")})
	h.Tell(&player.Update{Steps: steps(t, "b7-b6")})
	ask(covered + "* first 0\n* time 900\n* 1. b7(M) a1(k)\n* 2. b7-b6\n")
	h.Tell(&player.Update{Rewind: 3})
	ask(covered + "* first 0\n* time 900\n* 1. b7(M)\n")
	if len(c.found) > 0 {
		t.Errorf("the engine finds %q", c.found)
	}
	if strings.Contains(c.boards[0], "\r") {
		t.Error("lines end in CR LF")
	}
}

// A game that is taken up has its whole past; a set-up position comes before it, the
// side to move first.
func TestStarts(t *testing.T) {
	for _, tt := range []struct {
		start, past string
		colours     [2]game.Colour
		want        string
	}{
		{"", "b7(p) a1(K)", [2]game.Colour{game.Black, game.Red}, covered + "* first 1\n* time 900\n* 1. b7(p) a1(K)\n"},
		{"-pX-/k-g-/--n-/-c-p/--r-/----/-c--/-rm- r hidden=p", "", [2]game.Colour{game.Red, game.Black}, `* alice vs bob
* 0 0 0 0 0 0 0 1 1 1 2 1 2 3
* - p X -
* k - g -
* - - n -
* - c - p
* - - r -
* - - - -
* - c - -
* - r m -
* first 0
* time 900
`},
		{"K---/----/----/----/----/----/----/k--- b first=r", "a1-a2", [2]game.Colour{game.Red, game.Black}, `* bob vs alice
* 1 0 0 0 0 0 0 1 0 0 0 0 0 0
* K - - -
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* k - - -
* first 1
* time 900
* 1. a1-a2
`},
	} {
		c := &capture{answer: "2 a0 a0"}
		h := hosted(t, nil, c.engine)
		begin(t, h, player.Setup{Start: tt.start, Colours: tt.colours, History: []player.Update{{Steps: steps(t, tt.past)}}})
		a, err := h.Choose(context.Background(), &player.Prompt{})
		if err != nil || len(a.Steps) != 1 || a.Steps[0].Op != game.Resign {
			t.Fatalf("%+v %v", a, err)
		}
		if got := plies(t, c.boards[0]); got != tt.want {
			t.Errorf("got\n%swant\n%s", got, tt.want)
		}
	}
}

// What the line "time" says under the switches and clocks of all kinds.
// ended is a process that was ended, for a limit or not.
type ended struct {
	link.Conn
	link.Process
	exit  link.Exit
	limit string
}

func (e ended) Exited() (link.Exit, bool) { return e.exit, true }

func (e ended) Limited() string { return e.limit }

// What a process leaves in move.txt that was ended for a limit is no answer, unless it
// is a whole one.
func TestEndedWhileItWrote(t *testing.T) {
	for _, tt := range []struct {
		file    string
		ended   ended
		why     game.Reason
		unread  string
		flipped bool
	}{
		{"", ended{nil, nil, link.Exit{Signal: "killed"}, "used 9 MB of memory; its limit is 8 MB"}, game.ByResource, "", false},
		{"1", ended{nil, nil, link.Exit{Signal: "killed"}, "used 9 MB of memory; its limit is 8 MB"}, game.ByResource, "", false},
		{"", ended{nil, nil, link.Exit{Signal: "killed"}, ""}, "", "empty", false},
		{"", ended{nil, nil, link.Exit{}, "used 9 MB of memory; its limit is 8 MB"}, "", "empty", false},
		{"0\na1\na1\n0\n", ended{nil, nil, link.Exit{Signal: "killed"}, "used 9 MB of memory; its limit is 8 MB"}, "", "", true},
	} {
		h := &Host{folder: &fakeFolder{dir: t.TempDir()}}
		if err := os.WriteFile(h.path(MoveFile), []byte(tt.file), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := h.answer(tt.ended, time.Second)
		var f *player.Failure
		switch {
		case tt.why != "" && (!errors.As(err, &f) || f.Reason != tt.why || !strings.Contains(f.Detail, "9 MB of memory")):
			t.Errorf("%q, %+v: %+v, %v", tt.file, tt.ended, a, err)
		case tt.why == "" && (err != nil || !strings.Contains(a.Unread, tt.unread) || (len(a.Steps) > 0) != tt.flipped):
			t.Errorf("%q, %+v: %+v, %v", tt.file, tt.ended, a, err)
		}
	}
}

func TestTimes(t *testing.T) {
	rows(t, "testdata/times.txt", 4, func(cell []string) {
		dialect := map[string]string{}
		for _, f := range strings.Fields(cell[0]) {
			key, value, _ := strings.Cut(f, "=")
			dialect[key] = value
		}
		c := &capture{answer: "1 a1"}
		h := hosted(t, dialect, c.engine)
		begin(t, h, player.Setup{})
		k := control(t, cell[1])
		if cell[2] != "" {
			d, err := time.ParseDuration(cell[2])
			if err != nil {
				t.Fatal(err)
			}
			k = k.Spend(d).EndTurn()
		}
		if _, err := h.Choose(context.Background(), &player.Prompt{Seat: game.Second, Clocks: [2]clock.Clock{control(t, "5"), k}}); err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(c.boards[0], "* time ")
		if got, _, _ := strings.Cut(rest, "\n"); strings.TrimSpace(got) != cell[3] {
			t.Errorf("%q: time %s", cell, got)
		}
	})
}

func TestLineEnds(t *testing.T) {
	c := &capture{answer: "1 a1"}
	h := hosted(t, map[string]string{"eol": "crlf"}, c.engine)
	begin(t, h, player.Setup{})
	if _, err := h.Choose(context.Background(), &player.Prompt{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(c.boards[0], "\n"); n != 14 || n != strings.Count(c.boards[0], "\r\n") {
		t.Errorf("%q", c.boards[0])
	}
}

func TestConfigurations(t *testing.T) {
	f := func(context.Context) (protocol.Folder, error) { return nil, os.ErrNotExist }
	for _, d := range []string{"time=soon", "time=0", "unit=h", "untimed=x", "untimed=0", "eol=cr", "copy=0", "copy=much", "argv0=on"} {
		key, value, _ := strings.Cut(d, "=")
		if _, err := NewHost(protocol.Config{Now: time.Now, Folder: f, Dialect: map[string]string{key: value}}); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", d, err)
		}
	}
	if _, err := NewHost(protocol.Config{Now: time.Now}); err == nil {
		t.Error("a host without a folder")
	}
	h, err := NewHost(protocol.Config{Now: time.Now, Folder: f})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.NewGame(context.Background(), &player.Setup{Spec: "othello", Width: 8, Height: 8}); err == nil {
		t.Error("plays othello")
	}
	if err := h.NewGame(context.Background(), &player.Setup{Spec: "darkchess", Width: 4, Height: 8}); err == nil {
		t.Error("plays without a folder")
	}
	p := Protocol()
	if l := p.LaunchOf(nil); !l.Folder || l.MostBytes != 1<<30 {
		t.Errorf("%+v", l)
	}
	if l := p.LaunchOf(map[string]string{"copy": "3"}); l.MostBytes != 3<<20 {
		t.Errorf("%+v", l)
	}
}

// The engine side answers at the positions of real engines' files, and leaves nothing
// but its answer.
func TestTurnOnSharedFiles(t *testing.T) {
	for _, file := range []string{"alexpon-CreateRoom-board.txt", "bbii-board.txt", "ja1666-board.txt"} {
		data := shared.Read(t, "data", "darkchess", "readfile", file)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, BoardFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
		b := board()
		err := Turn(context.Background(), dir, protocol.Server{Player: firstLegal{}, Position: b, Now: time.Now, Game: canonical(t, "darkchess")})
		if file == "alexpon-CreateRoom-board.txt" {
			if err == nil || !strings.Contains(err.Error(), "the game is over") {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		out, err := os.ReadFile(filepath.Join(dir, MoveFile))
		if err != nil {
			t.Fatal(err)
		}
		m, err := ReadMove(out)
		if err != nil || b.Check(m) != nil {
			t.Errorf("%s: %q is %v, %v, %v", file, out, m, err, b.Check(m))
		}
		if list, _ := os.ReadDir(dir); len(list) != 2 {
			t.Errorf("%d files are left", len(list))
		}
	}
}

// firstLegal takes the first legal decision; asked names the clock.
type firstLegal struct{ asked *clock.Clock }

func (firstLegal) NewGame(context.Context, *player.Setup) error { return nil }
func (firstLegal) Tell(*player.Update)                          {}
func (firstLegal) Stop()                                        {}
func (firstLegal) Over(game.Result)                             {}
func (firstLegal) Close() error                                 { return nil }

func (f firstLegal) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	if f.asked != nil {
		*f.asked = p.Clocks[p.Seat]
	}
	return player.Answer{Steps: p.Moves.Legal(nil)[:1]}, nil
}

// The clock of the engine side: what the line "time" and the times of the plies say
// under the switches.
func TestTurnClock(t *testing.T) {
	const told = "* 1:04am Jan 16, 2017\n" + covered + "* first 0\n* time TIME\n* 1. b7(M) a1(k)\n* 2. b6(p) a2(g)\n* Comment 0 0\n0. 1000\n1. 3000\n2. 8000\n3. 8100\n"
	rows(t, "testdata/clocks.txt", 3, func(cell []string) {
		s := protocol.Server{Position: board(), Now: time.Now, Game: canonical(t, "darkchess"), Dialect: map[string]string{}}
		var got clock.Clock
		s.Player = firstLegal{asked: &got}
		for _, f := range strings.Fields(cell[0]) {
			key, value, _ := strings.Cut(f, "=")
			s.Dialect[key] = value
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, BoardFile), []byte(strings.Replace(told, "TIME", cell[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Turn(context.Background(), dir, s); err != nil {
			t.Errorf("%q: %v", cell, err)
			return
		}
		text := got.Control.String()
		if got.Control.Timed() {
			text += " left " + got.Remaining().String()
		}
		if text != cell[2] {
			t.Errorf("%q: %s", cell, text)
		}
	})
}

// What the engine side cannot answer it says, and leaves no answer.
func TestTurnErrors(t *testing.T) {
	whole := "* 1:04am Jan 16, 2017\n" + covered + "* first 0\n* time 900\n"
	for in, want := range map[string]string{
		"-":                          "finds the game in board.txt",
		"":                           "an empty file",
		"hello":                      "should begin with a star",
		whole + "* 1. b7(M) b7-b8\n": "ply 2",
		whole + "* 1. b7(M) b7(M)\n": "ply 2",
		strings.NewReplacer("X", "-", "1 2 2 2 2 2 5 1 2 2 2 2 2 5", "1 0 0 0 0 0 0 0 0 0 0 0 0 0").Replace(strings.Replace(strings.Replace(whole, "X", "K", 1), "first 0", "first 1", 1)): "the game is over",
	} {
		dir := t.TempDir()
		if in != "-" {
			if err := os.WriteFile(filepath.Join(dir, BoardFile), []byte(in), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := protocol.Server{Player: firstLegal{}, Position: board(), Now: time.Now, Game: canonical(t, "darkchess")}
		if err := Turn(context.Background(), dir, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", in, err)
		}
		if _, err := os.Stat(filepath.Join(dir, MoveFile)); err == nil {
			t.Errorf("%q is answered", in)
		}
		s.Dialect = map[string]string{"time": "soon"}
		if err := Turn(context.Background(), dir, s); err == nil {
			t.Error("a switch that does not exist")
		}
	}
}
