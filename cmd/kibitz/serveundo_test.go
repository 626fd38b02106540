package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"kibitz/hall/bus"
	"kibitz/hall/live"
)

// undoer is somebody who plays a built-in engine of a hall, and follows the game.
type undoer struct {
	h     *testHall
	game  string
	next  func() ([]byte, bool)
	state live.State
	seat  bus.SeatState
	asked int // the latest question that was answered
}

// until reads the stream until it is as wanted.
func (u *undoer) until(what string, want func() bool) {
	u.h.t.Helper()
	for !want() {
		text, more := u.next()
		if !more {
			u.h.t.Fatalf("the stream ends while waiting for %s", what)
		}
		var line struct {
			Event string
			Data  json.RawMessage
		}
		if len(text) == 0 {
			continue
		}
		err := json.Unmarshal(text, &line)
		switch line.Event {
		case "view":
			u.state = live.State{}
			err = json.Unmarshal(line.Data, &u.state)
		case "delta":
			var d live.Delta
			if err = json.Unmarshal(line.Data, &d); err == nil {
				u.state, err = live.Apply(u.state, &d)
			}
		case "seat":
			u.seat = bus.SeatState{}
			err = json.Unmarshal(line.Data, &u.seat)
		}
		if err != nil {
			u.h.t.Fatalf("%s: %v", text, err)
		}
	}
}

// steps are the decisions that stand, turns how many turns they make.
func (u *undoer) steps() (list []string, turns int) {
	for _, e := range u.state.History {
		list = append(list, e.Steps...)
		if e.Ended {
			turns++
		}
	}
	return list, turns
}

// answer answers the question, and reports whether it still waited.
func (u *undoer) answer() bool {
	u.h.t.Helper()
	body, err := json.Marshal(map[string]any{"prompt": u.seat.Prompt, "steps": u.seat.Legal[len(u.seat.Legal)-1:]})
	if err != nil {
		u.h.t.Fatal(err)
	}
	res, err := u.h.client.Post(u.h.url+"/api/v1/games/"+u.game+"/moves", "application/json", bytes.NewReader(body))
	if err != nil {
		u.h.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNoContent && res.StatusCode != http.StatusConflict {
		u.h.t.Fatalf("an answer: %s", res.Status)
	}
	return res.StatusCode == http.StatusNoContent
}

// turn decides until the engine is on turn, with the last of what may be decided.
func (u *undoer) turn() {
	u.h.t.Helper()
	for {
		u.until("a question", func() bool { return u.seat.Prompt > u.asked })
		u.asked = u.seat.Prompt
		before := len(u.state.History)
		if !u.answer() {
			continue // what was taken back has withdrawn the question
		}
		u.until("the decision", func() bool { return len(u.state.History) > before })
		if u.state.History[before].Ended {
			return
		}
	}
}

// back takes back, and waits until it has happened.
func (u *undoer) back(body map[string]any, want []string) {
	u.h.t.Helper()
	body["act"] = "undo"
	var out struct{ Effect string }
	u.h.ask("POST", "/api/v1/games/"+u.game+"/acts", body, &out)
	if out.Effect != "done" {
		u.h.t.Fatalf("%v: %q", body, out.Effect)
	}
	u.until("what was taken back", func() bool { list, _ := u.steps(); return slices.Equal(list, want) })
}

// Against a built-in engine of the hall moves are taken back at once, to the end of any
// turn, on one's own turn and while the engine thinks, and the game goes on from there.
func TestServeUndo(t *testing.T) {
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	for _, game := range []string{"gomoku", "connect6", "amazons", "darkchess"} {
		t.Run(game, func(t *testing.T) {
			h := *h
			h.t = t
			id := h.room(map[string]any{"game": game, "undo": true},
				map[string]any{"do": "sit", "place": 0, "kind": "person"},
				map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"},
				map[string]any{"do": "ready"},
				map[string]any{"do": "start"})
			r := h.await(id, func(r *hallRoom) bool { return r.Room.Game != nil })
			u := &undoer{h: &h, game: r.Room.Game.ID, next: h.follow(r.Room.Game.ID)}
			var at [][]string  // what stands after each pair of turns
			for n := range 2 { // six stones of one engine could be in a row
				u.turn()
				u.until("the engine's answer", func() bool { _, turns := u.steps(); return turns == 2*n+2 && u.seat.Prompt > u.asked })
				list, _ := u.steps()
				at = append(at, list)
			}
			u.back(map[string]any{"ply": len(at[0])}, at[0])
			if game != "darkchess" { // whose engine may be done before
				u.turn()
				u.back(map[string]any{"ply": len(at[0])}, at[0])
			}
			u.turn()
			u.until("the engine's answer", func() bool { _, turns := u.steps(); return turns == 4 && u.seat.Prompt > u.asked })
			u.back(map[string]any{}, at[0])
			u.turn()
			u.until("the engine's answer", func() bool { _, turns := u.steps(); return turns == 4 && u.seat.Prompt > u.asked })
			list, turns := u.steps()
			h.ask("POST", "/api/v1/games/"+u.game+"/acts", map[string]any{"act": "resign"}, nil)
			h.await(id, func(r *hallRoom) bool { return r.Room.Played == 1 })
			var g struct{ Plies int }
			h.ask("GET", "/api/v1/games/"+u.game, nil, &g)
			if g.Plies != turns || !slices.Equal(list[:len(at[0])], at[0]) {
				t.Errorf("the list has %d entries, %v, the game %d plies", turns, list, g.Plies)
			}
		})
	}
}
