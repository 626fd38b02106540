package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// An engine that suggests its moves (Piskvork) leaves them to the person against whom it plays in a room,
// whether the hall runs it or it has joined. What it says of itself (ABOUT) stands in the room.
func TestJoinPersonDecides(t *testing.T) {
	for _, joins := range []bool{false, true} {
		t.Run("joins="+strconv.FormatBool(joins), func(t *testing.T) {
			t.Parallel()
			suggests(t, joins)
		})
	}
}

func suggests(t *testing.T, joins bool) {
	dir := t.TempDir()
	file := filepath.Join(dir, "shy.sh")
	for name, text := range map[string]string{
		"shy.sh": "#!/bin/sh\nwhile read -r line; do\n\tcase $line in\n\tABOUT*) echo 'name=\"Shy\", version=\"2\"' ;;\n" +
			"\tSTART*) echo OK ;;\n\tBEGIN* | TURN*) echo SUGGEST 7,7 ;;\n" +
			"\tPLAY*) echo \"${line#PLAY }\" ;;\n\tEND*) exit ;;\n\tesac\ndone\n",
		"engines.toml": "[[engine]]\nname = \"Shy\"\ncmd = " + strconv.Quote(file) + "\nproto = \"piskvork\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	settings := map[string]any{"game": "gomoku", "clocks": []string{"inf", "inf"}, "auto": true}
	var h *testHall
	var id string
	if joins {
		h = openHall(t, filepath.Join(dir, "hall"))
		h.enter()
		id = h.room(settings)
		engine := sitDown(t, "join", h.url, "--room", id, "--place", "0", "--engine", "cmd="+file+" name=Shy proto=piskvork", "--log", filepath.Join(dir, "log"))
		engine.wants("(joined room)")
		var r struct {
			Room struct{ Places [2]struct{ About string } }
		}
		if h.ask("GET", "/api/v1/rooms/"+id, nil, &r); r.Room.Places[0].About != `name="Shy", version="2"` {
			t.Errorf("it says of itself %q", r.Room.Places[0].About)
		}
	} else {
		h = openHall(t, filepath.Join(dir, "hall"), "--engines", filepath.Join(dir, "engines.toml"))
		h.admin()
		h.ask("PUT", "/api/v1/admin/engines/Shy", map[string]any{"games": []string{"gomoku"}, "enabled": true}, nil)
		h.enter()
		id = h.room(settings, map[string]any{"do": "sit", "place": 0, "kind": "engine", "engine": "Shy"})
	}
	d := sitDown(t, "join", h.url, "--room", id, "--engine", "human=1")
	d.wants(`(Shy.* suggests h8. Enter plays it; or type where it shall play> )`)
	d.types("a99")
	d.wants(`(Shy.* suggests h8)`)
	d.types("k10")
	d.wants(`(Shy.*: k10)`)
	d.wants("(your move)")
	d.types("a1")
	d.wants("(You: a1)")
	d.wants(`(Shy.* suggests h8)`)
	d.types("")
	d.wants(`(Shy.*: h8)`)
	d.wants("(your move)")
	d.types("a2")
	d.wants(`(Shy.* suggests h8)`)
	d.types("resign")
	d.wants(`(You lost.*resign)`)
	if status := <-d.ended; status != 0 {
		t.Errorf("it ends with status %d", status)
	}
}
