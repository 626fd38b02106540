package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/games"
	"kibitz/record"
	"kibitz/record/native"
	"kibitz/replay"
	"kibitz/rules"
)

// loadRecords reads the games of a file.
// The name - is stdin.
func loadRecords(a *app, name, spec, id string) ([]*record.Game, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(a.stdin)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil && isFolder(name) {
		return loadFolder(a, name, spec, id)
	}
	if err != nil {
		return nil, err
	}
	var s game.Spec
	if spec != "" {
		r, err := games.Open(spec)
		if err != nil {
			return nil, err
		}
		s = r.Spec()
	}
	list, err := readRecords(name, data, s, id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s holds no game", name)
	}
	return list, err
}

// loadFolder reads all files of a folder in the order of their names, of a run those of
// its games. What can be read is returned with the first error.
func loadFolder(a *app, dir, spec, id string) (list []*record.Game, first error) {
	if run := filepath.Join(dir, "games"); isFolder(run) {
		dir = run
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		more, err := loadRecords(a, filepath.Join(dir, e.Name()), spec, id)
		if list = append(list, more...); err != nil && first == nil {
			first = err
		}
	}
	if first == nil && len(list) == 0 {
		first = fmt.Errorf("%s holds no file with a game", dir)
	}
	return list, first
}

// checkReading returns why no file can be read as a game and a format that a command
// line names; either may be empty.
func checkReading(spec, id string) error {
	var f format
	var err error
	if id != "" {
		if f, err = formatOf("", id); err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	if spec == "" {
		return nil
	}
	r, err := games.Open(spec)
	if err != nil {
		return fmt.Errorf("--game: %w", err)
	}
	if g := r.Spec().ID(); len(f.games) > 0 && !slices.Contains(f.games, g) {
		return fmt.Errorf("--from %s: the format holds games of %s, not of %s", id, strings.Join(f.games, " "), g)
	}
	return nil
}

// onlyGame returns game number n of a file alone, all for 0.
func onlyGame(list []*record.Game, n int, file string) ([]*record.Game, error) {
	switch {
	case n == 0:
		return list, nil
	case n < 0 || n > len(list):
		return nil, fmt.Errorf("--only %d: %s has %s", n, file, count(len(list), "game"))
	}
	return list[n-1 : n], nil
}

// completed opens the rules that a record names in any form.
func completed(spec game.Spec) (rules.Rules, error) { return games.Open(string(spec)) }

func nativeText(spec game.Spec) (native.Text, error) { return completed(spec) }

func readNative(_ string, data []byte, _ game.Spec) ([]*record.Game, error) {
	list, err := native.Read(bytes.NewReader(data), nativeText)
	var out []*record.Game
	for _, r := range list {
		out = append(out, &r.Game)
	}
	return out, err
}

func writeNative(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		r, err := completed(g.Spec)
		if err != nil {
			return err
		}
		b, err := native.Append(nil, &native.Record{Game: *g}, r)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// finalState returns the position at the end of a record.
func finalState(g *record.Game) (rules.State, error) {
	l, err := replay.Play(g, completed)
	if err != nil {
		return nil, err
	}
	return l.State(l.Len())
}

// label names a game of a file for messages.
func label(file string, i, n int, g *record.Game) string {
	if n > 1 {
		file = fmt.Sprintf("%s game %d", file, i+1)
	}
	if g.Line > 1 {
		file = fmt.Sprintf("%s (line %d)", file, g.Line)
	}
	return file
}
