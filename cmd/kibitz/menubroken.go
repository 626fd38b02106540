package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/match/recorded"
	"kibitz/record"
	"kibitz/term/menu"
)

// midBoard returns the file from which a match of the menu begins: the one that was named, or one
// with the latest game that was broken off today in a folder of a match here.
func midBoard(a *app, name, spec string) (string, error) {
	if name != menu.Broken {
		return name, nil
	}
	r, err := games.Open(spec)
	if err != nil {
		return "", err
	}
	dirs, err := filepath.Glob("kibitz-" + a.now().Format("20060102") + "-*")
	if err != nil {
		return "", err
	}
	slices.Sort(dirs)
	slices.Reverse(dirs)
	for _, dir := range dirs {
		g, err := brokenGame(dir, r.Spec().ID())
		if err != nil {
			a.warn(fmt.Sprintf("%s: %v", dir, err))
		}
		if g == nil {
			continue
		}
		file := filepath.Join(dir, "midboard.json")
		f, err := records().Find(file, "")
		if err != nil {
			return "", err
		}
		if _, err := f.Save(file, []*record.Game{g}); err != nil {
			return "", err
		}
		fmt.Fprintf(a.stderr, "MidBoard: game %s of %s, broken off after %d decisions\n", g.ID, dir, len(g.Steps))
		return file, nil
	}
	return "", fmt.Errorf("MidBoard: no game of %s was broken off today in a folder kibitz-* here; name a file", r.Spec().ID())
}

// brokenGame returns the latest game of a run that has decisions and no verdict, nil without one.
func brokenGame(dir, id string) (*record.Game, error) {
	file, err := os.Open(filepath.Join(dir, "journal"))
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	var folder journal.Folder
	broken := map[string]*journal.Game{}
	_, err = journal.Read(file, func(ev *journal.Event) error {
		if ev.Kind == journal.KindStart {
			delete(broken, ev.Game)
		}
		if g := folder.Add(ev); g != nil && g.Result.Result.Reason == game.ByAbort {
			broken[g.ID] = g
		}
		return nil
	})
	for _, g := range folder.Running() {
		g.Result = &journal.Result{}
		broken[g.ID] = g
	}
	var latest *journal.Game
	for _, g := range broken {
		if g.Start.Spec.ID() == id && len(g.Steps) > 0 && (latest == nil || g.ID > latest.ID) {
			latest = g
		}
	}
	if latest == nil {
		return nil, err
	}
	out := recorded.Game(latest)
	out.Result = nil
	return out, err
}
