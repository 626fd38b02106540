package run

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/run/engines"
)

// users are the names of the engines of a run by the files that they are made of.
func (f *players) users() map[string][]string {
	out := map[string][]string{}
	for i := range f.roster.Count() {
		e := f.roster.At(i)
		for _, file := range e.Files() {
			if !slices.Contains(out[file], e.Name) {
				out[file] = append(out[file], e.Name)
			}
		}
	}
	return out
}

// filesNow are the files of the engines, each with what tells that it is the same still.
func (f *players) filesNow() map[string]string {
	out := map[string]string{}
	for file := range f.users() {
		if info, err := os.Stat(file); err == nil {
			out[file] = fmt.Sprintf("%d %s", info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano))
		}
	}
	return out
}

// warnOfFiles tells, before a run goes on, which files of its engines are others than when it was
// last played, to those who watch and in the journal: what follows is played by other engines.
func (r *Run) warnOfFiles(is map[string]string) {
	users := r.players.users()
	for _, file := range slices.Sorted(maps.Keys(is)) {
		was, known := r.earlier.files[file]
		if !known || was == is[file] {
			continue
		}
		text := fmt.Sprintf("%s: %s was written anew since this run was last played; ", strings.Join(users[file], " and "), file)
		if r.earlier.kept > 0 {
			text += "games from before and those to come count as of one engine: a run of the new one alone begins by kibitz run " +
				engines.Quote(filepath.Join(r.keep.dir.Path, "run.toml"))
		} else {
			text += "no game of the old one counts"
		}
		r.keep.sink(&journal.Event{
			Time: r.now(), To: game.Arbiter, Kind: journal.KindWarning, Warning: &journal.Warning{Seat: game.Nobody, Text: text},
		})
		if !r.set.Quiet {
			r.audience.warn(text)
		}
	}
}
