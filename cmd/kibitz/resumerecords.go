package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/record"
	recordfolder "kibitz/record/folder"
	"kibitz/record/native"
	"kibitz/run/folder"
)

// readRecorded returns which games have a record, and cuts what a crash left half
// written.
func (r *matchRun) readRecorded() (map[string]bool, error) {
	out := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(r.dir.Path, "*", "*"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		sub := filepath.Base(filepath.Dir(name))
		switch {
		case sub != "games" && sub != "logs":
			continue
		case strings.HasSuffix(name, ".part"):
			err = os.Remove(name)
		case sub == "games":
			err = r.readBlock(name, out)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readBlock notes the games of a file of records.
func (r *matchRun) readBlock(name string, out map[string]bool) error {
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
		id, transit, err := outlineOf(line)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if out[id] {
			continue
		}
		out[id] = true
		if index, err := folder.GameIndex(id); err == nil && r.dir.Blocked() {
			for _, sub := range [][2]string{{"games", ".json"}, {"logs", ".log"}} {
				r.dir.Kept(sub[0], index, sub[1])
			}
		}
		r.totals.transit.join(transit)
	}
	return nil
}

// recordAgain writes the record of a game that ended in the last moment before a
// crash, from the journal.
func (r *matchRun) recordAgain(index int, g *journal.Game) error {
	rec := native.Record{Game: *recordOf(g), Attempt: max(1, g.Start.Attempt)}
	b, err := native.Append(nil, &rec, r.rules)
	if err != nil {
		return fmt.Errorf("game %s: %w", g.ID, err)
	}
	if err := r.logAgain(index, g.ID); err != nil {
		return err
	}
	return r.dir.Add("games", index, g.ID, ".json", b)
}

// logAgain writes that the log of a game is lost, unless it is there: it is written
// before the record.
func (r *matchRun) logAgain(index int, id string) error {
	note := "the log of this game was lost when the run was broken off\n"
	if r.dir.Blocked() {
		note = "\n==== game " + id + "\n" + note
	} else if _, err := os.Stat(filepath.Join(r.dir.Path, "logs", id+".log")); err == nil {
		return nil
	}
	return r.dir.Add("logs", index, id, ".log", []byte(note))
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

// refillRecords writes the files of --record anew with what was played.
func (r *matchRun) refillRecords() error {
	for _, f := range r.records {
		if err := f.Begin(); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	if len(r.records) == 0 {
		return nil
	}
	files, _, err := recordfolder.Records(r.dir.Path)
	if err != nil && r.earlier.games() > 0 {
		return err
	}
	open := r.shuffles.unfinished()
	for _, name := range files {
		list, err := loadRecords(r.a, name, "", "")
		if err != nil {
			return err
		}
		slices.SortFunc(list, func(a, b *record.Game) int { return strings.Compare(a.ID, b.ID) })
		for _, g := range list {
			if open[g.Commitment] {
				r.held[g.Commitment] = append(r.held[g.Commitment], g)
				continue
			}
			if err := r.addRecord(g); err != nil {
				return err
			}
		}
	}
	return nil
}
