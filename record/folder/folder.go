// Package folder reads the folder of a run: the files of its records, and what its journal
// and its settings say about them.
package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/record"
)

// Records returns the record files of a run's folder; isRun tells that it is one. Of any other
// folder it returns all files, and any other name stands for itself.
func Records(name string) (files []string, isRun bool, err error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return []string{name}, false, nil //nolint:nilerr // whoever opens the file says what is wrong
	}
	files, err = filepath.Glob(filepath.Join(name, "games", "*.json"))
	if err != nil {
		return nil, true, err
	}
	if len(files) == 0 {
		if _, err := os.Stat(filepath.Join(name, "run.toml")); err == nil {
			return nil, true, fmt.Errorf("%s: no game of this run is over yet", name)
		}
		return plainFiles(name)
	}
	slices.Sort(files)
	return files, true, nil
}

// plainFiles returns the files of a folder that is none of a run.
func plainFiles(dir string) (files []string, isRun bool, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: a folder with neither games/*.json, as runs have, nor files", dir)
	}
	return files, false, err
}

// Rulings returns what people have ruled on the games of a run; a file has none.
func Rulings(dir string) (all journal.Rulings, err error) {
	f, err := os.Open(filepath.Join(dir, "journal"))
	if err != nil {
		return all, nil //nolint:nilerr // records can be read without it
	}
	defer f.Close() //nolint:errcheck // only read
	if err := journal.ReadRulings(f, &all); err != nil {
		return all, fmt.Errorf("%s: the journal cannot be read: %w", dir, err)
	}
	return all, nil
}

// Runs are the runs of whose folders files are; each journal is read once. The zero value is ready.
type Runs struct{ read map[string]journal.Rulings }

// Of returns what people have ruled on the games of a file.
func (r *Runs) Of(file string) (journal.Rulings, error) {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil || filepath.Base(dir) != "games" {
		return journal.Rulings{}, err
	}
	run := filepath.Dir(dir)
	if known, ok := r.read[run]; ok {
		return known, nil
	}
	all, err := Rulings(run)
	if r.read == nil {
		r.read = map[string]journal.Rulings{}
	}
	r.read[run] = all
	return all, err
}

// Rule puts the rulings on the games of a file in the place of their results, and leaves out those that
// were annulled.
func (r *Runs) Rule(file string, list []*record.Game) ([]*record.Game, error) {
	rulings, err := r.Of(file)
	return slices.DeleteFunc(list, func(g *record.Game) bool { return !Rule(g, rulings) }), err
}

// Ruled returns the ruling in force on a game of a file in the folder of a run, for
// people, empty without one.
func Ruled(file string, g *record.Game) (string, error) {
	rulings, err := new(Runs).Of(file)
	if err != nil {
		return "", err
	}
	r, ok := rulings.Of(g.ID)
	if !ok {
		return "", nil
	}
	return plain.Ruling(r, g.SeatNames()), nil
}

// Rule puts the ruling in force on a game in the place of its result, for copies of its
// record: they know no journal. It reports whether the game still counts; one that was
// annulled stays as it is.
func Rule(g *record.Game, rulings journal.Rulings) bool {
	r, ok := rulings.Of(g.ID)
	if !ok {
		return true
	}
	if r.Result.Points == [2]float64{} {
		return false
	}
	g.Rule(r.Result, plain.Ruling(r, g.SeatNames()))
	return true
}

// Overruled puts a ruling in the place of a game's result. It reports whether the game
// does not count: it was annulled, or awarded without being played.
func Overruled(g *record.Game, rulings journal.Rulings) bool {
	if g.Result == nil {
		return false
	}
	res := rulings.Result(g.ID, *g.Result)
	g.Result = &res
	moved := slices.ContainsFunc(g.Steps, func(s record.Step) bool { return s.By.IsPlayer() && !s.Refused })
	return res.Points == [2]float64{} || !moved && res.Reason == game.ByAdjudication && res.Winner() != game.Nobody
}

// Repeated reports whether a run played each opening twice.
func Repeated(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		return false
	}
	var f struct {
		Repeat bool `toml:"repeat"`
	}
	return toml.Unmarshal(b, &f) == nil && f.Repeat
}
