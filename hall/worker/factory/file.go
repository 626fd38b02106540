package factory

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kibitz/catalog"
	"kibitz/run"
	"kibitz/run/engines"
)

// Keys of the file of a worker's engines that are no words of an engine.
const (
	keyEngine = "engine" // the tables
	keyEach   = "each"   // defaults for all engines
	keyGames  = "games"  // what an engine plays
)

// hallGuard are the limits of the engines of halls and workers, unless their file says
// otherwise: files=rw, network=on or environ=all.
var hallGuard = []string{"files=ro", "network=off", "environ=none"}

// ReadEngines reads the file of a worker's engines: tables [[engine]] with the words
// of an engine as keys, and the games that it plays.
//
//	[each]
//	memory = "1G"
//
//	[[engine]]
//	name = "Pela"
//	cmd = "./pbrain-pela"
//	games = ["gomoku"]
func ReadEngines(name string, sums *engines.Sums) ([]Engine, error) {
	f, err := run.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(f.Values)) {
		if key != keyEngine && key != keyEach {
			return nil, f.At("/"+key, fmt.Errorf("unknown key %q: known are %s and the tables [[%s]]", key, keyEach, keyEngine))
		}
	}
	each, err := eachEngine(f)
	if err != nil {
		return nil, err
	}
	tables, ok := f.Values[keyEngine].([]any)
	if !ok && f.Values[keyEngine] != nil {
		return nil, f.At("/"+keyEngine, fmt.Errorf("%s: must be tables, written [[%s]]", keyEngine, keyEngine))
	}
	if len(tables) == 0 {
		return nil, f.At("", fmt.Errorf("names no engine: write a table [[%s]] for each", keyEngine))
	}
	var out []Engine
	for i, v := range tables {
		place := fmt.Sprintf("/%s/%d", keyEngine, i)
		e, err := offered(f, i, each, v, sums)
		if err != nil {
			return nil, err
		}
		same := func(o Engine) bool { return strings.EqualFold(o.Spec.Name, e.Spec.Name) }
		if slices.ContainsFunc(out, same) {
			return nil, f.At(place, fmt.Errorf("name=%s: two engines have that name; give one another with name =", e.Spec.Name))
		}
		out = append(out, e)
	}
	return out, nil
}

// eachEngine returns the defaults for all engines.
func eachEngine(f *run.File) (engines.Words, error) {
	table, ok := f.Values[keyEach].(map[string]any)
	if text, is := f.Values[keyEach].(string); is {
		words, err := engines.ParseWords(text)
		return words, f.Place(run.FaultAt("/each", err))
	}
	if !ok && f.Values[keyEach] != nil {
		return nil, f.At("/"+keyEach, fmt.Errorf("%s: must be a table", keyEach))
	}
	words, err := run.TableWords(table)
	if err != nil {
		return nil, f.At("/"+keyEach, err)
	}
	return words, nil
}

// offered reads one table, counted from 0.
func offered(f *run.File, i int, each engines.Words, v any, sums *engines.Sums) (Engine, error) {
	place := fmt.Sprintf("/%s/%d", keyEngine, i)
	table, ok := v.(map[string]any)
	if !ok {
		return Engine{}, f.At(place, fmt.Errorf("%s: must be tables, written [[%s]]", keyEngine, keyEngine))
	}
	list, err := gamesOf(table[keyGames])
	if err != nil {
		return Engine{}, f.At(place+"/"+keyGames, err)
	}
	table = maps.Clone(table)
	delete(table, keyGames)
	words, err := run.TableWords(table)
	if err != nil {
		return Engine{}, f.At(place, err)
	}
	e, err := engines.New(each, words)
	if err != nil {
		return Engine{}, f.Place(run.EngineFault(i, err))
	}
	if err := e.ByDefault(hallGuard...); err != nil {
		return Engine{}, f.At(place, err)
	}
	if len(e.Cmd) == 0 {
		return Engine{}, f.At(place, errors.New("cmd: an engine of a worker is a program; built-in engines need no entry"))
	}
	if list, err = playable(list, e.Proto); err != nil {
		return Engine{}, f.At(place, err)
	}
	hash, err := sums.Engine(e)
	if err != nil {
		return Engine{}, f.At(place+"/cmd", err)
	}
	return Engine{Spec: e, Hash: hash, Games: list}, nil
}

// gamesOf reads the list of games that an engine plays.
func gamesOf(v any) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if text, is := v.(string); is {
		list, ok = []any{text}, true
	}
	var out []string
	for _, x := range list {
		id, is := x.(string)
		if all := catalog.IDs(anyGame); !is || !slices.Contains(all, id) {
			return nil, fmt.Errorf("%s: %v is no game: known are %s", keyGames, x, strings.Join(all, " "))
		}
		out = append(out, id)
	}
	if !ok || len(out) == 0 {
		return nil, fmt.Errorf("%s: must be a list such as [\"othello\"]", keyGames)
	}
	return out, nil
}

// playable checks that the protocol plays the games. Without a list those of the
// protocol are meant, and without a protocol nobody can tell.
func playable(list []string, proto string) ([]string, error) {
	if len(list) == 0 && proto == "" {
		return nil, fmt.Errorf("%s: say which games the engine plays, such as %s = [\"othello\"]", keyGames, keyGames)
	}
	if len(list) == 0 {
		list = catalog.IDs(func(g catalog.Game) bool { _, err := catalog.ProtocolFor(g.Rules.ID, proto); return err == nil })
	}
	for _, id := range list {
		if _, err := catalog.ProtocolFor(id, proto); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("proto=%s plays no game", proto)
	}
	return list, nil
}

func anyGame(catalog.Game) bool { return true }
