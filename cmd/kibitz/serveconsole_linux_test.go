package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// thinker is an engine of NBoard that says what it thinks and then waits for a word in a
// pipe before it moves.
const thinker = `#!/bin/sh
while read word rest; do
	case "$word" in
	ping) echo "pong $rest";;
	go)
		echo "status looks around"
		echo "search F5D6 1.50 0 7"
		echo "nodestats 1234 0.5"
		echo "to its own errors" >&2
		read word < DIR/pipe
		echo "=== F5/1.5/0.5";;
	esac
done
`

// shy is an engine of Piskvork that says who it is, and leaves instead of a move.
const shy = `#!/bin/sh
while read word rest; do
	case "$word" in
	START*) echo OK;;
	ABOUT*) echo 'name="Shy", author="A. Nobody"';;
	BEGIN*|TURN*) exit;;
	esac
done
`

// lines reads a stream of the hall as events come.
func (h *testHall) lines(path string) <-chan string {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.url+path, http.NoBody)
	if err != nil {
		h.t.Fatal(err)
	}
	res, err := h.client.Do(req) //nolint:bodyclose // the goroutine below closes it
	if err != nil || res.StatusCode != http.StatusOK {
		h.t.Fatalf("%s: %v, %v", path, err, res)
	}
	out := make(chan string, 1000)
	go func() {
		defer res.Body.Close()
		defer close(out)
		for s := bufio.NewScanner(res.Body); s.Scan(); {
			if data, ok := strings.CutPrefix(s.Text(), "data: "); ok {
				out <- data
			}
		}
	}()
	return out
}

// What an engine says reaches those who look on while it thinks: the engine moves only
// after all of it was seen.
func TestConsoleBeforeTheMove(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "engines.toml")
	for name, text := range map[string]string{
		filepath.Join(dir, "thinker"): strings.ReplaceAll(thinker, "DIR", dir),
		filepath.Join(dir, "shy"):     shy,
		file: "[[engine]]\nname = \"thinker\"\ncmd = " + strconv.Quote(filepath.Join(dir, "thinker")) + "\nproto = \"nboard\"\n" +
			"[[engine]]\nname = \"shy\"\ncmd = " + strconv.Quote(filepath.Join(dir, "shy")) + "\nproto = \"piskvork\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h := openHall(t, filepath.Join(dir, "hall"), "--engines", file)
	h.admin()
	h.ask("PUT", "/api/v1/admin/engines/thinker", map[string]any{"games": []string{"othello"}, "enabled": true, "spec": "cmd=thinker"}, nil)
	h.describes("shy", `name="Shy", author="A. Nobody"`)
	room := h.room(map[string]any{"game": "othello", "clocks": []string{"600", "600"}, "lines": true},
		map[string]any{"do": "sit", "place": 0, "kind": "engine", "engine": "thinker"},
		map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"},
		map[string]any{"do": "start"})
	r := h.await(room, func(r *hallRoom) bool { return r.Room.Game != nil })
	one := "/api/v1/games/" + r.Room.Game.ID
	seat := strconv.Itoa(r.Room.Game.First) // the place of the first seat is that of the engine, or not
	h.enter()
	console, pane := h.lines(one+"/consoles/"+seat+"/events"), h.lines(one+"/events")

	wait := func(from <-chan string, want ...string) (last string) {
		t.Helper()
		for len(want) > 0 {
			select {
			case data, ok := <-from:
				if !ok {
					t.Fatalf("the stream ends before %q", want)
				}
				last = data
				want = slices.DeleteFunc(want, func(s string) bool { return strings.Contains(data, s) })
			case <-time.After(time.Minute):
				t.Fatalf("the engine waits, and %q is not told\n%s", want, h.stderr.String())
			}
		}
		return last
	}
	last := wait(console, `"mark":"\u003e","text":"go"`, "looks around", "search F5D6", "nodestats 1234", "to its own errors")
	var told struct{ Lines []struct{ At time.Time } }
	if err := json.Unmarshal([]byte(last), &told); err != nil {
		t.Fatal(err)
	}
	t.Logf("the last line was told %s after it was read", time.Since(told.Lines[len(told.Lines)-1].At).Round(time.Millisecond))
	if last := wait(pane, `"nodes":1234`); strings.Contains(last, `"result"`) {
		t.Errorf("the game is over: %s", last)
	}
	go func() { _ = os.WriteFile(pipe, []byte("move\n"), 0) }()
	wait(console, "=== F5/1.5/0.5")
	go func() { _ = os.WriteFile(pipe, []byte("move\n"), 0) }() // it is no move any more: the game ends
	wait(pane, `"result"`)
}

// describes has an engine play, after which the engines of the hall are listed with what it answered to ABOUT.
func (h *testHall) describes(name, want string) {
	h.t.Helper()
	h.ask("PUT", "/api/v1/admin/engines/"+name, map[string]any{"games": []string{"gomoku"}, "enabled": true}, nil)
	room := h.room(map[string]any{"game": "gomoku"}, map[string]any{"do": "sit", "place": 0, "kind": "engine", "engine": name},
		map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"}, map[string]any{"do": "start"})
	for began, about := time.Now(), ""; about != want; time.Sleep(100 * time.Millisecond) {
		var list []struct{ Name, About string }
		h.ask("GET", "/api/v1/engines", nil, &list)
		for _, e := range list {
			if e.Name == name {
				about = e.About
			}
		}
		if time.Since(began) > time.Minute {
			h.t.Fatalf("the engine is described by %q\n%s", about, h.stderr.String())
		}
	}
	for _, path := range []string{"/engines", "/engines/" + name, "/rooms/" + room} {
		res, err := h.client.Get(h.url + path) //nolint:noctx // as a browser does
		if err != nil {
			h.t.Fatal(err)
		}
		page, err := io.ReadAll(res.Body)
		if err = errors.Join(err, res.Body.Close()); err != nil || !strings.Contains(string(page), html.EscapeString(want)) {
			h.t.Errorf("%s does not say who the engine is: %v\n%s", path, err, page)
		}
	}
}
