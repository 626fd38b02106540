package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/rating/results"
	"kibitz/record"
	"kibitz/replay"
)

// collect reads the records. Faults are told on stderr; the number of files with
// any is returned, and an error if there is nothing to rate.
func (c *rateCmd) collect(a *app) (out *results.Pool, faulty int, err error) {
	out = results.New()
	seen, twice := map[string]bool{}, 0
	var first error
	for _, name := range c.Files {
		files, _, err := runFiles(name)
		if err != nil {
			return nil, 0, err
		}
		pairs := c.Pairs || repeated(name)
		rulings, err := rulingsOf(name)
		if err != nil {
			return nil, 0, err
		}
		for _, file := range files {
			clean := filepath.Clean(file)
			if seen[clean] {
				twice++
				continue
			}
			seen[clean] = true
			list, err := loadRecords(a, file, c.Game, c.From)
			if err != nil {
				faulty++
				fmt.Fprintf(a.stderr, "kibitz: %s\n", plain.OneLine(err))
				if first == nil {
					first = errTold
				}
			}
			for _, g := range list {
				if overruled(g, rulings) {
					out.Left.Annulled++
					continue
				}
				out.Add(g, resultOf(g), pairs)
			}
		}
	}
	if twice > 0 {
		fmt.Fprintf(a.stderr, "kibitz: %s given more than once; games count once\n", plain.Count(twice, "file"))
	}
	for _, x := range []struct {
		n    int
		what string
	}{
		{out.Left.Unfinished, "without a result"}, {out.Left.Annulled, "annulled or won without being played,"}, {out.Left.Nameless, "without the players' names"}, {out.Left.Alone, "of a player against itself"},
	} {
		if x.n > 0 {
			fmt.Fprintf(a.stderr, "kibitz: %s %s not rated\n", plain.Count(x.n, "game"), x.what)
		}
	}
	if out.Len() == 0 {
		if first == nil {
			first = fmt.Errorf("there is no game to rate among the records")
		}
		return nil, faulty, first
	}
	return out, faulty, nil
}

// rulingsOf returns what people have ruled on the games of a run; a file has none.
func rulingsOf(dir string) (all journal.Rulings, err error) {
	f, err := os.Open(filepath.Join(dir, "journal"))
	if err != nil {
		return all, nil //nolint:nilerr // records can be rated without it
	}
	defer f.Close() //nolint:errcheck // only read
	if err := journal.ReadRulings(f, &all); err != nil {
		return all, fmt.Errorf("%s: the journal cannot be read: %w", dir, err)
	}
	return all, nil
}

// overruled puts a ruling in the place of a game's result. It reports whether the
// game does not count: it was annulled, or awarded without being played.
func overruled(g *record.Game, rulings journal.Rulings) bool {
	if g.Result == nil {
		return false
	}
	res := rulings.Result(g.ID, *g.Result)
	g.Result = &res
	moved := slices.ContainsFunc(g.Steps, func(s record.Step) bool { return s.By.IsPlayer() && !s.Refused })
	return res.Points == [2]float64{} || !moved && res.Reason == game.ByAdjudication && res.Winner() != game.Nobody
}

// repeated reports whether a run played each opening twice.
func repeated(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		return false
	}
	var f struct {
		Repeat bool `toml:"repeat"`
	}
	return toml.Unmarshal(b, &f) == nil && f.Repeat
}

// resultOf is what a record says, or what the rules know of its end.
func resultOf(g *record.Game) *game.Result {
	if g.Result != nil {
		return g.Result
	}
	if l, err := replay.Play(g, games.OpenSpec); err == nil && l.Illegal == nil {
		return l.Verdict.Final()
	}
	return nil
}
