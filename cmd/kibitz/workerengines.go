package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kibitz/catalog"
	"kibitz/games"
	"kibitz/run/engines"
	"kibitz/worker/factory"
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

// readEngines reads the file of a worker's engines: tables [[engine]] with the words
// of an engine as keys, and the games that it plays.
//
//	[each]
//	memory = "1G"
//
//	[[engine]]
//	name = "Pela"
//	cmd = "./pbrain-pela"
//	games = ["gomoku"]
func readEngines(name string, sums *engines.Sums) ([]factory.Engine, error) {
	f, err := readSettings(name)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		if key != keyEngine && key != keyEach {
			return nil, f.fault(key, fmt.Errorf("unknown key %q: known are %s and the tables [[%s]]", key, keyEach, keyEngine))
		}
	}
	each, err := f.eachEngine()
	if err != nil {
		return nil, err
	}
	tables, ok := f.values[keyEngine].([]any)
	if !ok && f.values[keyEngine] != nil {
		return nil, f.fault(keyEngine, fmt.Errorf("%s: must be tables, written [[%s]]", keyEngine, keyEngine))
	}
	if len(tables) == 0 {
		return nil, f.fault("", fmt.Errorf("names no engine: write a table [[%s]] for each", keyEngine))
	}
	var out []factory.Engine
	for i, v := range tables {
		place := fmt.Sprintf("%s[%d]", keyEngine, i)
		e, err := f.offered(place, each, v, sums)
		if err != nil {
			return nil, err
		}
		same := func(o factory.Engine) bool { return strings.EqualFold(o.Spec.Name, e.Spec.Name) }
		if slices.ContainsFunc(out, same) {
			return nil, f.fault(place, fmt.Errorf("name=%s: two engines have that name; give one another with name =", e.Spec.Name))
		}
		out = append(out, e)
	}
	return out, nil
}

// eachEngine returns the defaults for all engines.
func (f *settingsFile) eachEngine() (string, error) {
	if f.values[keyEach] == nil {
		return "", nil
	}
	words, err := f.arguments(keyEach)
	if err != nil {
		return "", err
	}
	return words[0], nil
}

// offered reads one table.
func (f *settingsFile) offered(place, each string, v any, sums *engines.Sums) (factory.Engine, error) {
	table, ok := v.(map[string]any)
	if !ok {
		return factory.Engine{}, f.fault(place, fmt.Errorf("%s: must be tables, written [[%s]]", keyEngine, keyEngine))
	}
	list, err := gamesOf(table[keyGames])
	if err != nil {
		return factory.Engine{}, f.fault(place+"."+keyGames, err)
	}
	words := maps.Clone(table)
	delete(words, keyGames)
	text, err := wordsOf(words, "")
	if err != nil {
		return factory.Engine{}, f.fault(place, err)
	}
	e, err := engines.Parse(each, text)
	if err != nil {
		return factory.Engine{}, f.fault(f.word(place, err), err)
	}
	if err := e.ByDefault(hallGuard...); err != nil {
		return factory.Engine{}, f.fault(place, err)
	}
	if len(e.Cmd) == 0 {
		return factory.Engine{}, f.fault(place, errors.New("cmd: an engine of a worker is a program; built-in engines need no entry"))
	}
	if list, err = playable(list, e.Proto); err != nil {
		return factory.Engine{}, f.fault(place, err)
	}
	hash, err := sums.Engine(e)
	if err != nil {
		return factory.Engine{}, f.fault(place+".cmd", err)
	}
	return factory.Engine{Spec: e, Hash: hash, Games: list}, nil
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
		if !is || !slices.Contains(gameIDs(), id) {
			return nil, fmt.Errorf("%s: %v is no game: known are %s", keyGames, x, strings.Join(gameIDs(), " "))
		}
		out = append(out, id)
	}
	if !ok || len(out) == 0 {
		return nil, fmt.Errorf("%s: must be a list such as [\"othello\"]", keyGames)
	}
	return out, nil
}

// gameIDs are the identifiers of all games.
func gameIDs() []string {
	var out []string
	for _, g := range games.All() {
		out = append(out, g.ID)
	}
	return out
}

// playable checks that the protocol plays the games. Without a list those of the
// protocol are meant, and without a protocol nobody can tell.
func playable(list []string, proto string) ([]string, error) {
	if len(list) == 0 && proto == "" {
		return nil, fmt.Errorf("%s: say which games the engine plays, such as %s = [\"othello\"]", keyGames, keyGames)
	}
	if len(list) == 0 {
		for _, id := range gameIDs() {
			if _, err := catalog.ProtocolFor(id, proto); err == nil {
				list = append(list, id)
			}
		}
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
