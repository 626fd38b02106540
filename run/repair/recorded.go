package repair

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/record"
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
	rec := native.Record{Game: *recordOf(g), Attempt: max(1, g.Start.Attempt)}
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

// recordOf returns the record of a game of the journal.
func recordOf(g *journal.Game) *record.Game {
	s := &g.Start
	out := &record.Game{
		ID: g.ID, Spec: s.Spec, Names: s.Names, Start: s.Position, Event: "Kibitz match", Round: fmt.Sprint(s.Round),
		Date: g.Begun.UTC().Format("2006-01-02 15:04:05"), Result: &g.Result.Result, Commitment: s.Commitment,
	}
	for i := range out.Resources {
		out.Resources[i] = record.Resources(g.Result.Resources[i])
	}
	for i := range g.Evidence {
		out.Evidence = append(out.Evidence, g.Evidence[i].Lines...)
	}
	if s.Opening != "" {
		out.Tags = append(out.Tags, record.Tag{Key: "opening", Value: s.Opening})
	}
	for i, c := range s.Controls {
		if !c.None() {
			out.Clocks[i] = c.String()
		}
	}
	for i := range g.Steps {
		d := &g.Steps[i]
		for k, m := range d.Steps {
			by := d.By
			if m.Op == game.Deal {
				by = game.Dealer
			}
			step := record.Step{
				By: by, Move: m, Timed: !d.Opening && !d.Forced && by.IsPlayer(), Opening: d.Opening, Forced: d.Forced, Refused: d.Refused,
			}
			if k == 0 && step.Timed {
				step.Used, step.Error = d.Used, d.Error
			}
			if said := d.Said; said != nil && k == 0 && (said.Info.Eval.Known() || said.Info.Depth > 0) {
				step.Info = &said.Info
			}
			out.Steps = append(out.Steps, step)
		}
	}
	return out
}
