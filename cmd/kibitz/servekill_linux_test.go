package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kibitz/internal/syncbuf"
)

// mortalHall is a hall in a process of its own, which is killed and begins again, and a client of it.
type mortalHall struct {
	*testHall
	data  string // the hall's folder
	flags []string
	cmd   *exec.Cmd
}

// mortal runs kibitz serve on a new folder, as a process, with more flags.
func mortal(t *testing.T, flags ...string) *mortalHall {
	t.Helper()
	h := &mortalHall{
		testHall: &testHall{t: t, client: newClient(t)},
		data:     filepath.Join(t.TempDir(), "hall"), flags: flags,
	}
	h.begin()
	t.Cleanup(h.kill)
	return h
}

// begin runs the hall, at another port each time: cookies go by the host alone.
func (h *mortalHall) begin() {
	h.t.Helper()
	var out syncbuf.Buffer
	h.stderr = &syncbuf.Buffer{}
	h.cmd = exec.CommandContext(h.t.Context(), "kibitz", append([]string{"serve", "--addr", "127.0.0.1:0", "--data", h.data, "--slots", "2"}, h.flags...)...)
	h.cmd.Stdout, h.cmd.Stderr = &out, h.stderr
	if err := h.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	for end := time.Now().Add(beginLimit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if m := listening.FindStringSubmatch(out.String()); m != nil {
			h.url = m[1]
			return
		}
	}
	h.t.Fatalf("the hall does not listen:\n%s", h.stderr.String())
}

func (h *mortalHall) kill() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
}

// TestServeKilled kills a hall three times in the middle of a series, between games or
// in one. The series goes on from where it stood: each game that was over stays as it
// was, none is there twice, and the score is that of the games. A backup, restored, has
// the same games.
func TestServeKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays a series; a game that was running waits for its lease")
	}
	const games = 16
	h := mortal(t)
	h.enter()
	id := h.room(map[string]any{"game": "othello", "clocks": []string{"30+1", "30+1"}, "games": games, "pause": 0},
		map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
		map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=2"},
		map[string]any{"do": "start"})
	random := rand.New(rand.NewPCG(17, 4))
	told := map[string]string{} // what was said of games that were over
	for kill := range 3 {
		h.reach(id, 3*(kill+1), told)
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		h.kill()
		h.begin()
	}
	score := h.reach(id, games, told)
	list := h.over(id)
	var sum float64
	for g, text := range told {
		if list[g] != text {
			t.Errorf("game %s was %s, now it is %q", g, text, list[g])
		}
	}
	for _, text := range list {
		var g struct {
			ID    string
			Plies int
		}
		if err := json.Unmarshal([]byte(text), &g); err != nil {
			t.Fatal(err)
		}
		h.checkRecord(g.ID, g.Plies)
		sum++
	}
	if len(list) != games || score != sum {
		t.Errorf("%d games and a score of %v; want %d", len(list), score, games)
	}
	h.kill()
	file := filepath.Join(t.TempDir(), "hall.kbak")
	kibitzWith(t, 0, "", "backup", file, "--data", h.data)
	h.data += "2"
	kibitzWith(t, 0, "", "restore", file, "--data", h.data)
	h.begin()
	if again := h.over(id); fmt.Sprint(again) != fmt.Sprint(list) {
		t.Errorf("after a restore there are the games %v, want %v", again, list)
	}
}

// reach waits until a room has played that many games, keeps what is told of those that
// are over, and returns the sum of the score.
func (h *testHall) reach(id string, played int, told map[string]string) float64 {
	h.t.Helper()
	var r struct {
		Room struct {
			Phase  string     `json:"phase"`
			Played int        `json:"played"`
			Score  [2]float64 `json:"score"`
		} `json:"room"`
	}
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		h.ask("GET", "/api/v1/rooms/"+id, nil, &r)
		if r.Room.Played >= played {
			for g, text := range h.over(id) {
				told[g] = cmp.Or(told[g], text)
			}
			return r.Room.Score[0] + r.Room.Score[1]
		}
	}
	h.t.Fatalf("the series stands at %+v, want %d games:\n%s", r, played, h.stderr.String())
	return 0
}

// over lists the games of a room that are over, as the hall tells them.
func (h *testHall) over(id string) map[string]string {
	h.t.Helper()
	var list struct{ Games []json.RawMessage }
	h.ask("GET", "/api/v1/games?limit=200&room="+id, nil, &list)
	out := map[string]string{}
	for _, text := range list.Games {
		var g struct{ ID, State string }
		if err := json.Unmarshal(text, &g); err != nil {
			h.t.Fatal(err)
		}
		if out[g.ID] != "" {
			h.t.Errorf("game %s is there twice", g.ID)
		}
		if g.State == "over" {
			out[g.ID] = string(text)
		}
	}
	return out
}
