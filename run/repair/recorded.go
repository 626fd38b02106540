package repair

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kibitz/games"
	"kibitz/journal"
	"kibitz/match/recorded"
	"kibitz/record/formats"
	"kibitz/record/native"
	"kibitz/rules"
	"kibitz/run/folder"
	"kibitz/run/standing"
)

// Recorded returns which games have a record and their transmission errors, and cuts what a
// crash left half written.
func Recorded(dir *folder.Folder) (ids map[string]bool, all standing.Transit, err error) {
	ids = map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir.Path, "*", "*"))
	if err != nil {
		return nil, all, err
	}
	for _, name := range files {
		sub := filepath.Base(filepath.Dir(name))
		switch {
		case sub != "games" && sub != "logs":
			continue
		case strings.HasSuffix(name, ".part"):
			err = os.Remove(name)
		case sub == "games":
			err = readBlock(dir, name, ids, &all)
		}
		if err != nil {
			return nil, all, err
		}
	}
	return ids, all, nil
}

// readBlock notes the games of a file of records.
func readBlock(dir *folder.Folder, name string, ids map[string]bool, all *standing.Transit) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if len(whole) < len(data) {
		if err := os.Truncate(name, int64(len(whole))); err != nil {
			return err
		}
	}
	for line := range bytes.Lines(whole) {
		id, transit, err := standing.Outline(line, records().Text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if ids[id] {
			continue
		}
		ids[id] = true
		if index, err := folder.GameIndex(id); err == nil && dir.Blocked() {
			for _, sub := range [][2]string{{"games", ".json"}, {"logs", ".log"}} {
				dir.Kept(sub[0], index, sub[1])
			}
		}
		all.Join(transit)
	}
	return nil
}

// records are the formats of records, of all games.
func records() *formats.Set { return formats.New(games.OpenSpec) }

// Record writes the record of a game that ended in the last moment before a
// crash, from the journal.
func Record(dir *folder.Folder, r rules.Rules, index int, g *journal.Game) error {
	rec := native.Record{Game: *recorded.Game(g), Attempt: max(1, g.Start.Attempt)}
	b, err := native.Append(nil, &rec, r)
	if err != nil {
		return fmt.Errorf("game %s: %w", g.ID, err)
	}
	if err := logAgain(dir, index, g.ID); err != nil {
		return err
	}
	return dir.Add("games", index, g.ID, ".json", b)
}

// logAgain writes that the log of a game is lost, unless it is there: it is written
// before the record.
func logAgain(dir *folder.Folder, index int, id string) error {
	note := "the log of this game was lost when the run was broken off\n"
	if dir.Blocked() {
		note = "\n==== game " + id + "\n" + note
	} else if _, err := os.Stat(filepath.Join(dir.Path, "logs", id+".log")); err == nil {
		return nil
	}
	return dir.Add("logs", index, id, ".log", []byte(note))
}
