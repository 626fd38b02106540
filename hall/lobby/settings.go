package lobby

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// settingsFrom reads settings over what stands, and has the game checked.
func (rm *Rooms) settingsFrom(ctx context.Context, data json.RawMessage, base room.Settings) (room.Settings, error) {
	given := base.InSeconds()
	if len(data) > 0 {
		// A word that is not known is refused: "acess":"private" would open a room to all.
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&given); err != nil {
			return base, problem.Input("settings: " + problem.OneLine(err))
		}
	}
	set := given.Stored()
	if set.Name == "" || base.Name == string(base.Game) && set.Name == base.Name {
		set.Name = string(set.Game)
	}
	if set.Game == "" {
		return set, problem.Input(`settings: a room needs a game, for example {"game":"othello"}`)
	}
	spec, hidden, err := rm.cfg.Game(ctx, set.Game, set.Position, set.Opening)
	if err != nil {
		return set, problem.Input("settings: " + problem.OneLine(err))
	}
	set.Game, set.Hidden = spec, hidden
	set.KibitzerHash, err = rm.kibitzer(ctx, set.Kibitzer, spec)
	return set, err
}

// kibitzer finds the engine that is to comment on games: it returns its hash, empty for a
// built-in one.
func (rm *Rooms) kibitzer(ctx context.Context, name string, spec game.Spec) (hash string, err error) {
	if name == "" || BuiltIn(name) {
		return "", nil
	}
	var e store.Engine
	err = rm.cfg.Store.View(ctx, func(tx store.Tx) (err error) { e, err = tx.Engine(name); return err })
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && !e.Enabled:
		return "", problem.Input("kibitzer: the hall does not offer " + game.Shown(name, 60))
	case err == nil && len(e.Games) > 0 && !slices.Contains(e.Games, spec.ID()):
		return "", problem.Input("kibitzer: " + e.Name + " does not play " + spec.ID())
	}
	return e.Hash, err
}

// BuiltIn reports whether a name is that of a built-in engine, bot=1 to bot=9.
func BuiltIn(name string) bool {
	level, is := strings.CutPrefix(name, "bot=")
	return is && len(level) == 1 && level[0] >= '1' && level[0] <= '9'
}
