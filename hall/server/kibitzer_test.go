package server

import (
	"encoding/json"
	"testing"

	"kibitz/hall/play"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// A room names its kibitzer; it is refused where the game hides anything and where the
// hall has no such engine, and rated games of people are played without.
func TestKibitzerOfRoom(t *testing.T) {
	h := newHouse(t, build{})
	boss, anna, bert := h.admin(), h.register("anna"), h.register("bert")
	boss.do("PUT", "/api/v1/admin/engines/edax", map[string]any{"games": []string{"othello"}, "enabled": true, "spec": "cmd=edax", "hash": "abc"}).want(204)
	for _, x := range []struct {
		settings map[string]any
		want     int
		hash     string
	}{
		{map[string]any{"game": "othello", "kibitzer": "bot=3"}, 201, ""},
		{map[string]any{"game": "othello", "kibitzer": "bot=3", "kibitzerHash": "forged"}, 201, ""},
		{map[string]any{"game": "othello", "kibitzer": "edax"}, 201, "abc"},
		{map[string]any{"game": "gomoku", "kibitzer": "edax"}, 422, ""},
		{map[string]any{"game": "othello", "kibitzer": "bot=10"}, 422, ""},
		{map[string]any{"game": "othello", "kibitzer": "nobody"}, 422, ""},
		{map[string]any{"game": "phantomgo:size=5", "kibitzer": "bot=3"}, 422, ""},
	} {
		a := anna.do("POST", roomsPath, map[string]any{"settings": x.settings}).want(x.want)
		if x.want != 201 {
			continue
		}
		var v struct {
			Room struct{ Settings room.Settings } `json:"room"`
		}
		if a.into(&v); v.Room.Settings.KibitzerHash != x.hash {
			t.Errorf("%v: %+v", x.settings, v.Room.Settings)
		}
	}
	for _, rated := range []bool{false, true} {
		_, id := h.pair(anna, bert, map[string]any{"game": "othello", "kibitzer": "bot=3", "rated": rated, "access": "listed"})
		var w play.Work
		err := h.store.View(t.Context(), func(tx store.Tx) error {
			g, err := tx.Game(id)
			if err == nil {
				err = json.Unmarshal(g.Job, &w)
			}
			return err
		})
		if err != nil || (w.Play.Kibitzer == "bot=3") == rated {
			t.Errorf("rated %v: the kibitzer is %q, %v", rated, w.Play.Kibitzer, err)
		}
	}
}
