package lobby

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/hall/problem"
	"kibitz/hall/refuse"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// settingsFrom reads settings over what stands, and has the game checked.
func (rm *Rooms) settingsFrom(ctx context.Context, data json.RawMessage, base room.Settings) (room.Settings, error) {
	given := base.InSeconds()
	if len(data) > 0 {
		// A word that is not known is refused: "acess":"private" would open a room to all.
		if err := unknownSetting(data); err != nil {
			return base, err
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&given); err != nil {
			return base, misread(err)
		}
	}
	set := given.Stored()
	if set.Name == "" || base.Name == string(base.Game) && set.Name == base.Name {
		set.Name = string(set.Game)
	}
	if set.Game == "" {
		return set, problem.At(settingsAt+"/game", problem.Input(`settings: a room needs a game, for example {"game":"othello"}`))
	}
	spec, hidden, err := rm.cfg.Game(ctx, set.Game, set.Position, set.Opening)
	if err != nil {
		at := settingsAt + "/game"
		if fromElsewhere(&set) { // the game, or what it is to begin from
			at = settingsAt
		}
		return set, wrongGame(at, settingsAt+"/options/", "settings: ", &set, err)
	}
	set.Game, set.Hidden = spec, hidden
	set.KibitzerHash, err = rm.kibitzer(ctx, set.Kibitzer, spec)
	return set, err
}

// settingsAt is where settings stand in a request.
const settingsAt = "#/settings"

// wrongGame is the problem of a game that there is not, at its place in a request, or of one of its
// options, which stand at theirs, or of what it is to begin from.
func wrongGame(at, options, before string, set *room.Settings, err error) error {
	wrong := problem.Input(before + problem.OneLine(err))
	if option, ok := errors.AsType[*game.OptionError](err); ok {
		at, wrong.Why = options+option.Key, option.Why()
	} else if fromElsewhere(set) {
		wrong = wrong.Because("noposition")
	}
	return problem.At(at, wrong)
}

// fromElsewhere reports whether games do not begin from the usual position.
func fromElsewhere(set *room.Settings) bool { return set.Position != "" || len(set.Opening) > 0 }

// unknownSetting refuses the first setting that there is not, and names those that there are.
func unknownSetting(data json.RawMessage) error {
	var given map[string]json.RawMessage
	if json.Unmarshal(data, &given) != nil {
		return nil // which is said when it is read as settings
	}
	var known []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[room.InSeconds]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" && !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			continue
		}
		known = slices.DeleteFunc(known, func(k string) bool { return k == "hidden" || k == "kibitzerHash" }) // the hall sets them
		text := fmt.Sprintf("settings: there is no %q; there are %s", game.Shown(name, 40), strings.Join(known, ", "))
		return problem.At(settingsAt+"/"+problem.Escaped(name), problem.Input(text))
	}
	return nil
}

// misread says where in settings something stands that cannot be read.
func misread(err error) error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return problem.At(settingsAt, problem.Input("settings: "+problem.OneLine(err)))
	}
	field := strings.TrimPrefix(kind.Field, "Settings.") // the embedded struct is no part of the request
	text := "settings: " + field + ": expected " + wordOf(kind.Type) + ", got " + kind.Value
	return problem.At(settingsAt+"/"+strings.ReplaceAll(field, ".", "/"), problem.Input(text))
}

// wordOf is what JSON calls values of a type.
func wordOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct:
		return "object"
	default:
		return "number"
	}
}

// refusedSettings is the problem of a refusal, which may be about one of the settings.
func refusedSettings(err error) error {
	value, ok := errors.AsType[*refuse.Refusal](err)
	if !ok || value.Place == "" {
		return problem.OfRefusal(err)
	}
	return &problem.FormError{
		Faults: []problem.Fault{{Pointer: settingsAt + "/" + value.Place, Detail: value.Text, Why: value.Why}}, Err: problem.OfRefusal(err),
	}
}

// kibitzer finds the engine that is to comment on games: it returns its hash, empty for a
// built-in one.
func (rm *Rooms) kibitzer(ctx context.Context, name string, spec game.Spec) (hash string, err error) {
	if name == "" || BuiltIn(name) > 0 {
		return "", nil
	}
	e, err := store.Get(ctx, rm.cfg.Store, store.Tx.Engine, name)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && !e.Enabled:
		wrong := problem.Input("kibitzer: the hall does not offer " + game.Shown(name, 60)).Because(game.WhyChoice)
		return "", problem.At(settingsAt+"/kibitzer", wrong)
	case err == nil && !e.Plays(spec.ID()):
		return "", problem.At(settingsAt+"/kibitzer", problem.Input("kibitzer: "+e.Name+" does not play "+spec.ID()).Because(game.WhyChoice))
	}
	return e.Hash, err
}

// BuiltIn is the level of the built-in engine that orders name bot=1 to bot=9, 0 for other names.
func BuiltIn(name string) int {
	level, is := strings.CutPrefix(name, "bot=")
	if !is || len(level) != 1 || level[0] < '1' || level[0] > '9' {
		return 0
	}
	return int(level[0] - '0')
}
