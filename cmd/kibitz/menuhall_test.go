package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kibitz/games"
	"kibitz/internal/syncbuf"
	"kibitz/term"
)

// terminalDesk is somebody at a terminal with a program of ours.
type terminalDesk struct {
	t    *testing.T
	in   *io.PipeWriter
	out  syncbuf.Buffer
	seen int
	// ended has the status of the program.
	ended chan int
	// leave ends the program where it is.
	leave func()
}

func sitDown(t *testing.T, args ...string) *terminalDesk {
	t.Helper()
	r, w := io.Pipe()
	d := &terminalDesk{t: t, in: w, ended: make(chan int, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	a := newApp()
	a.stdin, a.stdout, a.stderr, a.ctx, a.terminal = r, &d.out, &d.out, ctx, &term.Lines{R: r}
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.ended <- executeFull(a, args)
	}()
	d.leave = func() { w.Close(); cancel(); <-done }
	t.Cleanup(d.leave)
	return d
}

// wants waits for what matches on the screen, behind what was waited for before.
func (d *terminalDesk) wants(pattern string) string {
	d.t.Helper()
	re := regexp.MustCompile(pattern)
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if at := re.FindStringSubmatchIndex(d.out.String()[d.seen:]); at != nil {
			text := d.out.String()[d.seen:]
			d.seen += at[1]
			return text[at[len(at)-2]:at[len(at)-1]]
		}
	}
	d.t.Fatalf("the screen does not show %q:\n%s", pattern, d.out.String())
	return ""
}

// wantsBoth waits for two things that may come in either order.
func (d *terminalDesk) wantsBoth(one, other string) {
	d.t.Helper()
	from := d.seen
	d.wants(one)
	behind := d.seen
	d.seen = from
	d.wants(other)
	d.seen = max(d.seen, behind)
}

func (d *terminalDesk) types(lines ...string) {
	d.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(d.in, l+"\n"); err != nil {
			d.t.Fatal(err)
		}
	}
}

func settingsFile(t *testing.T, text string, args ...any) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "menu.toml")
	if err := os.WriteFile(name, fmt.Appendf(nil, text, args...), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// The pages of a room are those of the client's manual (4.1.2, 4.2.2), numbers and words.
func TestMenuPages(t *testing.T) {
	d := sitDown(t, "menu", "--settings", settingsFile(t, "game = 'darkchess'\n[hall]\nremote = true\n"))
	d.types("3", "3", "99")
	lines := []string{
		"Account [guest]", "Password []", "Start Mode [Open]", "LocalServer [No]", "MidBoard [No]", "Connect Mode [human]", "Repeat Times [2]",
		"Host First Move [Yes]", "Change First Move [Yes]", "Server IP [http://localhost:8080]", "Timer Mode [Absolute (900/0/0)]",
		"Long Catch [3]", "No Eat Flip [180]", "Search Path []",
	}
	for i, l := range lines {
		d.wants(regexp.QuoteMeta(fmt.Sprintf("\n%d) %s", i+1, l)))
	}
	for i, l := range []string{
		"Account [guest]", "Password []", "Start Mode [Enter]", "LocalServer [No]", "Connect Mode [human]", "Server IP [http://localhost:8080]",
		"Search Path []",
	} {
		d.wants(regexp.QuoteMeta(fmt.Sprintf("\n%d) %s", i+1, l)))
	}
	d.types("10", "5")
	if status := <-d.ended; status != 0 {
		t.Errorf("it ends with status %d", status)
	}
}

// Two people with accounts meet in a room with a password, all typed in the menu: what is wrong is said and can be
// mended. They go back to a ply, one leaves and comes back, a draw is declined,
// and the game aborted.
func TestMenuRoomOfPeople(t *testing.T) {
	t.Parallel()
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	const password = "correct horse battery"
	h.account("Ann")
	h.account("Bea")
	const settings = "game = 'othello'\n[hall]\nremote = true\n"
	kept := settingsFile(t, settings)
	host, other := sitDown(t, "menu", "--settings", settingsFile(t, settings)), sitDown(t, "menu", "--settings", kept)
	host.types("3", "1", "Ann", "2", password, "10", h.url, "11", "1", "13", "14", "4")
	room, code := host.wants(`room (\S+) is open: http`), host.wants(`its password: (\S+)`)
	host.wants("(waiting for an opponent)")

	other.types("3", "1", "Bea", "2", "wrong", "3", "6", h.url, "8")
	other.wants("(Not changed: .*name or password)")
	other.types("2", password, "8")
	other.wants(`(\n1\) Another)`) // a room with a password is in no list
	other.types("1", room, "9", "guessed", "10", "4")
	other.wants(`(password)`)
	other.types("3", "9", code, "10", "4")
	other.wants("(joined room " + room + ")")
	var r struct {
		Room struct {
			Settings struct {
				Games    int
				Begins   string
				Exchange bool
			}
		}
	}
	h.ask("GET", "/api/v1/rooms/"+room, nil, &r)
	if x := r.Room.Settings; x.Games != 2 || x.Begins != "first" || !x.Exchange {
		t.Errorf("the room is %+v", x)
	}
	turn := func(d *terminalDesk, move string) {
		d.wants("(your move> )")
		d.types(move)
		d.wants("(You: " + move + ")")
	}
	host.wants("(You play black, first)")
	turn(host, "f5")
	turn(other, "d6")
	host.wants("(Bea: d6)")
	host.types("undo 0")
	host.wants("(asked; withdraw takes it back)")
	host.types("c3")
	other.wantsBoth("(Ann wants to go back to move 0: accept or decline)", "(Ann: c3)")
	other.types("accept")
	other.wants("(3 decisions taken back)")
	host.wants("(3 decisions taken back)")
	turn(host, "d3")
	other.wants("(Ann: d3)")

	// Who leaves and enters the room again goes on with the game.
	other.leave()
	other = sitDown(t, "menu", "--settings", kept)
	other.types("3", "2", password, "8", "1", room, "10", "4")
	other.wants("(joined room " + room + ")")
	other.wants(`(\n +3 \. \. \.[ (]B)`)
	other.wants("(your move> )")
	other.types("draw")
	other.wants("(asked; withdraw takes it back)")
	turn(other, "c5")
	host.wantsBoth("(Bea offers a draw: accept or decline)", "(Bea: c5)")
	host.types("decline", "abort")
	host.wants("(asked; withdraw takes it back)")
	host.types("d6")
	other.wantsBoth("(Ann wants to abort the game: accept or decline)", "(Ann: d6)")
	other.types("accept")
	host.wants("(No result)")
	other.wants("(No result)")
	for _, d := range []*terminalDesk{host, other} {
		d.wants(`(the series is over: )`)
		d.wants("(Please enter a number)")
		d.types("5")
		if status := <-d.ended; status != 0 {
			t.Errorf("the menu ends with status %d", status)
		}
	}
	if data, err := os.ReadFile(kept); err != nil || !strings.Contains(string(data), "Bea") || strings.Contains(string(data), password) {
		t.Errorf("settings are kept, passwords are not: %v\n%s", err, data)
	}
}

// A person joins a room in which an engine of the hall waits: he goes back to a ply, asks for a
// hint, and gives up.
func TestJoinPerson(t *testing.T) {
	t.Parallel()
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	id := h.room(map[string]any{"game": "othello", "clocks": []string{"inf", "inf"}, "auto": true, "undo": true, "begins": "second"},
		map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"})
	d := sitDown(t, "join", h.url, "--room", id, "--engine", "human=1")
	d.wants("(your move)")
	d.types("f5")
	d.wants("(Level 1: )")
	d.wants("(your move)")
	d.types("undo 0")
	d.wants(`(\d decisions taken back)`)
	d.wants("(your move)")
	d.types("z9")
	d.wants("(your move)")
	d.types("hint")
	d.wants(`hint: ([c-f]\d)`)
	d.types("hint 3")
	d.wants(`1\. +\S+ +([c-f]\d)[^\n]*\n +2\. +\S+ +[c-f]\d[^\n]*\n +3\. `)
	d.types("d3")
	d.wants("(You: d3)")
	d.wants("(your move)")
	d.types("resign")
	d.wants(`(You lost.*resign)`)
	d.wants("(the series is over: 0 to 1)")
	if status := <-d.ended; status != 0 {
		t.Errorf("it ends with status %d", status)
	}
}

// A program hosts a room with a password, and another one with an account enters it by the menu, with
// that password; the game begins from a file.
func TestMenuRoomOfEngines(t *testing.T) {
	t.Parallel()
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	begun := filepath.Join(t.TempDir(), "begun.txt")
	if err := os.WriteFile(begun, []byte("f5d6c3d3c4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := sitDown(t, "menu", "--settings", settingsFile(t,
		"game = 'othello'\n[hall]\nremote = true\nprivate = true\nserver = '%s'\n[games.othello]\nrepeat = 1\nmidboard = '%s'\ntimer = 'None'\n"+
			"[[games.othello.players]]\nmode = 'level 1'\n", h.url, begun))
	host.types("4")
	room, code := host.wants(`room (\S+) is open: http`), host.wants(`its password: (\S+)`)
	h.account("Eve")
	guest := sitDown(t, "menu", "--settings", settingsFile(t,
		"game = 'othello'\n[hall]\nremote = true\nenter = true\naccount = 'Eve'\nserver = '%s'\nroom = '%s'\n"+
			"[[games.othello.players]]\nmode = 'level 1'\n", h.url, room))
	guest.types("3", "2", "correct horse battery", "9", code, "10", "4")
	guest.wants("(joined room " + room + ")")
	id := host.wants(`game (\S+) is over: `)
	host.wants("(Please enter a number)")
	guest.wants("(game " + id + " is over: )")
	guest.wants("(Please enter a number)") // with the end of the series
	for _, d := range []*terminalDesk{host, guest} {
		d.types("5")
		if status := <-d.ended; status != 0 {
			t.Errorf("the menu ends with status %d", status)
		}
	}
	h.admin()
	r, err := games.Open("othello")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, x := range h.record(id).Steps[:5] {
		text += r.FormatMove(x.Move)
	}
	if text != "f5d6c3d3c4" {
		t.Errorf("the game begins with %s, not as the file", text)
	}
	var g struct{ Seats [2]struct{ User int64 } }
	h.ask("GET", "/api/v1/games/"+id, nil, &g)
	if g.Seats[0].User == 0 || g.Seats[1].User == 0 || g.Seats[0].User == g.Seats[1].User {
		t.Errorf("the seats belong to %+v", g.Seats)
	}
}
