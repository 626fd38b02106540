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
	t.Cleanup(func() { w.Close(); cancel(); <-done })
	return d
}

// wants waits for what matches on the screen, behind what was waited for before.
func (d *terminalDesk) wants(pattern string) string {
	d.t.Helper()
	re := regexp.MustCompile(pattern)
	for range 3000 {
		if at := re.FindStringSubmatchIndex(d.out.String()[d.seen:]); at != nil {
			text := d.out.String()[d.seen:]
			d.seen += at[1]
			return text[at[len(at)-2]:at[len(at)-1]]
		}
		time.Sleep(10 * time.Millisecond)
	}
	d.t.Fatalf("the screen does not show %q:\n%s", pattern, d.out.String())
	return ""
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

// Two people meet in a room: one opens it in the menu, the other one finds it there. A draw is
// offered and accepted.
func TestMenuRoomOfPeople(t *testing.T) {
	t.Parallel()
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	host := sitDown(t, "menu", "--settings", settingsFile(t, "game = 'othello'\n[hall]\nremote = true\nserver = '%s'\n", h.url))
	host.types("3", "7", "1", "14", "4")
	room := host.wants(`room (\S+) is open: http`)
	host.wants("(waiting for an opponent)")
	other := sitDown(t, "menu", "--settings", settingsFile(t, "game = 'othello'\n[hall]\nremote = true\nenter = true\nserver = '%s'\n", h.url))
	other.types("4")
	other.wants(`(\n1\) othello, inf / inf, opened by )`)
	other.types("1")
	other.wants("(joined room " + room + ")")
	host.wants("(You play black, first)")
	host.wants("(your move> )")
	host.types("draw")
	host.wants("(asked; withdraw takes it back)")
	host.types("f5")
	other.wants(`(offers a draw: accept or decline)`)
	other.wants(`(: f5\n)`)
	other.wants("(your move> )")
	other.types("accept")
	for _, d := range []*terminalDesk{host, other} {
		d.wants(`(A draw.* \(agreement\))`)
		d.wants(`(the series is over: 0.5 to 0.5)`)
		d.wants("(Please enter a number)")
		d.types("5")
		if status := <-d.ended; status != 0 {
			t.Errorf("the menu ends with status %d", status)
		}
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

// A program hosts a room with a password, and another one, with the password, enters it; the game
// begins from a file.
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
	errs, _, ended := joined(t, h.url, "--room", room, "--engine", "bot=1", "--games", "1", "--code", code)
	select {
	case status := <-ended:
		if status != 0 {
			t.Errorf("who joins ends with status %d:\n%s", status, errs)
		}
	case <-time.After(2 * time.Minute):
		t.Fatalf("the game does not end:\n%s\n%s", host.out.String(), errs)
	}
	host.wants(`(game \S+ is over: )`)
	host.wants("(Please enter a number)")
	if !strings.Contains(errs.String(), " is over: ") {
		t.Errorf("who joined was told\n%s", errs)
	}
}
