// Package entry reads who plays in a tournament of a hall, in the words of an engine. It
// knows neither database nor queue, so that a match that is saved for a hall is checked
// without either.
package entry

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/look"
	"kibitz/run/engines"
)

// Entry is who plays.
type Entry struct {
	// BuiltIn says that a built-in engine plays, which the words in Engine make; else Engine
	// is the name of one that the workers of the hall offer.
	BuiltIn bool
	Engine  string
	// Name is shown; it is never empty.
	Name string
	// Clock is a time control of its own; empty without one.
	Clock string
}

// Known refuses words that a hall does not know.
func Known(words engines.Words) error {
	known := slices.Concat([]string{"bot", "engine", "cmd", "name", "depth", "nodes"}, clock.Keys())
	for _, w := range words {
		if !slices.Contains(known, w.Key) {
			return &engines.Error{
				Text: words.String(), Key: w.Key,
				Err: fmt.Errorf("%q means nothing in a hall, where programs, their options and their guard stand in the worker's own file; known "+
					"are %s", w.Key, strings.Join(known, " ")),
			}
		}
	}
	return nil
}

// Parse reads the words of an engine, with those of all engines before them, which have been
// checked. An error is an *engines.Error where it is about one word.
func Parse(each, text string) (x Entry, err error) {
	fail := func(key string, err error) (Entry, error) {
		return x, &engines.Error{Text: text, Key: key, Err: err}
	}
	own, err := engines.ParseWords(text)
	if err == nil {
		err = Known(own)
	}
	if err != nil {
		return x, err
	}
	k, err := clock.FromKeys(own.Get)
	if err != nil {
		var of *clock.KeyError
		if errors.As(err, &of) {
			return fail(of.Key, err)
		}
		return fail("", err)
	}
	if slices.ContainsFunc(own, func(w engines.Word) bool { return slices.Contains(clock.Keys(), w.Key) }) {
		x.Clock = k.String()
	}
	all, err := engines.ParseWords(each) // checked before
	if err != nil {
		return x, err
	}
	value := map[string]string{}
	for _, w := range slices.Concat(all, own) {
		value[w.Key] = w.Value
	}
	if value["bot"] != "" {
		return botEntry(x, value, fail)
	}
	for _, key := range []string{"depth", "nodes"} {
		if value[key] != "" {
			return fail(key, fmt.Errorf("%q goes with bot= alone: what an engine of the hall plays with stands in the worker's file", key))
		}
	}
	x.Engine = value["engine"]
	if cmd := value["cmd"]; cmd != "" && x.Engine == "" {
		// The file of a match: the hall has it under the name that it has there.
		e := &engines.Spec{Name: value["name"]}
		if e.Cmd, err = engines.SplitCommand(cmd); err != nil {
			return fail("cmd", err)
		}
		if x.Engine = e.Name; x.Engine == "" {
			x.Engine = e.DefaultName()
		}
	}
	if x.Engine == "" {
		return fail("", errors.New("write bot=1 to bot=9, or engine=NAME with an engine of the hall"))
	}
	if x.Name = value["name"]; x.Name == "" {
		x.Name = x.Engine
	}
	x.Name = game.Shown(x.Name, 60)
	return x, nil
}

// botEntry is the entry of a built-in engine.
func botEntry(x Entry, value map[string]string, fail func(string, error) (Entry, error)) (Entry, error) {
	words := []string{"bot=" + value["bot"]}
	for _, key := range []string{"depth", "nodes"} {
		if value[key] != "" {
			words = append(words, key+"="+value[key])
		}
	}
	if value["cmd"] != "" || value["engine"] != "" {
		return fail("", errors.New("bot=, engine= and cmd= exclude each other"))
	}
	x.BuiltIn, x.Engine = true, strings.Join(words, " ")
	e, err := engines.Parse("", x.Engine)
	if err != nil {
		return x, err
	}
	switch x.Name = value["name"]; {
	case x.Name != "":
	case e.Bot == "random":
		x.Name = e.Name
	default:
		level, _ := strconv.Atoi(e.Bot) // which Parse has looked at
		x.Name = look.LevelName(level)  // as in rooms, for which pages have a name in each language
	}
	x.Name = game.Shown(x.Name, 60)
	return x, nil
}
