package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"kibitz/game"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// noEngines is a store in which no engine is found.
type noEngines struct{ store.Store }

func (noEngines) View(context.Context, func(store.Tx) error) error { return store.ErrNotFound }

// A setting of a room that cannot be meant is named by its place in the request.
func TestSettingsFaults(t *testing.T) {
	rooms := NewRooms(RoomsConfig{
		Store: noEngines{},
		Game: func(_ context.Context, spec game.Spec, position string, moves []string) (game.Spec, bool, error) {
			if spec != "othello" || position != "" || len(moves) > 0 {
				return "", false, errors.New("there is no such game, or position of it")
			}
			return spec, false, nil
		},
	})
	const known = "name, game, clocks, games, begins, exchange, pairs, auto, undo, draw, abort, rated, access, lines, open, kibitzer, chat, " +
		"position, opening, from, maxMoves, delay, pause, grace"
	for _, c := range []struct {
		sent, pointer, detail string
		why                   game.WhyCode
	}{
		{`{"games":2}`, "#/settings/game", `settings: a room needs a game, for example {"game":"othello"}`, ""},
		{`{"game":"chess"}`, "#/settings/game", "settings: there is no such game, or position of it", ""},
		{`{"game":"othello","position":"x"}`, "#/settings", "settings: there is no such game, or position of it", "noposition"},
		{`{"game":"othello","opening":["x"]}`, "#/settings", "settings: there is no such game, or position of it", "noposition"},
		{`{"game":"othello","kibitzer":"nobody"}`, "#/settings/kibitzer", "kibitzer: the hall does not offer nobody", game.WhyChoice},
		{`{"game":"othello","acess":"private"}`, "#/settings/acess", `settings: there is no "acess"; there are ` + known, ""},
		{`{"game":"othello","clock":"1+1"}`, "#/settings/clock", `settings: there is no "clock"; there are ` + known, ""},
		{`{"game":"othello","games":"2"}`, "#/settings/games", "settings: games: expected number, got string", ""},
		{`{"game":"othello","opening":["x",1]}`, "#/settings/opening", "settings: opening: expected string, got number", ""},
		{`{`, "#/settings", "settings: unexpected EOF", ""},
	} {
		_, err := rooms.settingsFrom(t.Context(), json.RawMessage(c.sent), room.Defaults(""))
		if got, want := problem.Faults(err), []problem.Fault{{Pointer: c.pointer, Detail: c.detail, Why: game.Why{Code: c.why}}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", c.sent, got)
		}
		if p := problem.Of(err); p.Status != 422 || p.Code != "input" || p.Text != c.detail {
			t.Errorf("%s: %+v", c.sent, p)
		}
	}
	if set, err := rooms.settingsFrom(t.Context(), json.RawMessage(`{"game":"othello"}`), room.Defaults("")); err != nil || set.Game != "othello" {
		t.Errorf("%+v, %v", set, err)
	}
}
