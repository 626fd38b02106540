package verify

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/record/replay"
	"kibitz/rules"
	"kibitz/tournament"
)

// Book collects the seeds that were published, by their commitments, and the
// games that wait for one: a seed is published with the last game on its shuffle.
type Book struct {
	open    func(game.Spec) (rules.Rules, error)
	seeds   map[string]string
	waiting []waiting
	// runs are the journals of the folders that were named, by the folder of their
	// records.
	runs map[string]*runLog
}

// runLog is what the journal of a run says about its records.
type runLog struct {
	name string
	// committed are the commitments that were published before the games began, by
	// the games' identifiers.
	committed map[string]string
	// unseen are games that ended and whose records have not been met.
	unseen map[string]bool
	// rulings are those of people on its games.
	rulings journal.Rulings
}

// waiting is a game whose commitment has no seed yet.
type waiting struct {
	title string
	game  *record.Game
}

// NewBook returns a book without seeds; open opens the rules of games.
func NewBook(open func(game.Spec) (rules.Rules, error)) *Book {
	return &Book{open: open, seeds: map[string]string{}, runs: map[string]*runLog{}}
}

// journalled compares a game of a file with the journal of its run. The issue is a
// sentence for people, empty if nothing is wrong.
func (b *Book) journalled(file string, g *record.Game) (issue string) {
	run := b.runs[filepath.Dir(file)]
	if run == nil {
		return ""
	}
	delete(run.unseen, g.ID)
	if c, known := run.committed[g.ID]; known && c != g.Commitment {
		return "its commitment is not the one that the journal has from before the game"
	}
	return ""
}

// ruled returns the ruling in force on a game of a file, for people, empty without
// one.
func (b *Book) ruled(file string, g *record.Game) string {
	if run := b.runs[filepath.Dir(file)]; run != nil {
		if r, ok := run.rulings.Of(g.ID); ok {
			return plain.Ruling(r, g.SeatNames())
		}
	}
	return ""
}

// unrecorded tells for each run how many games ended and have no record.
func (b *Book) unrecorded() (texts []string) {
	for _, dir := range slices.Sorted(maps.Keys(b.runs)) {
		if run := b.runs[dir]; len(run.unseen) > 0 {
			first := slices.Min(slices.Collect(maps.Keys(run.unseen)))
			texts = append(texts, fmt.Sprintf("%s: by the journal %s ended and left no record here: %s",
				run.name, plain.Count(len(run.unseen), "game"), first))
		}
	}
	return texts
}

// Check compares a game with the shuffle it was committed to. The line is the game
// as it was replayed, nil if it was not. The issue is a sentence for people, empty if
// all is right or if nothing can be said yet.
func (b *Book) Check(title string, g *record.Game, l *replay.Line) (issue string) {
	if g.Commitment == "" {
		return ""
	}
	text := g.Seed
	if text == "" {
		if text = b.seeds[g.Commitment]; text == "" {
			b.waiting = append(b.waiting, waiting{title, g})
			return ""
		}
	}
	seed, err := tournament.ReadSeed(text)
	if err != nil {
		return err.Error()
	}
	if tournament.Commitment(seed) != g.Commitment {
		return "the seed of its shuffle is not the one that the commitment was made for"
	}
	b.seeds[g.Commitment] = text
	if l == nil {
		l, err = replay.Play(g, b.open)
	}
	if err == nil {
		err = l.CheckShuffle(seed)
	}
	if err != nil {
		return "not dealt from its shuffle: " + err.Error()
	}
	return ""
}

// settle checks the games that waited and returns what is wrong with them; open
// counts those whose seed is not known at all.
func (b *Book) settle() (issues []string, open int) {
	list := b.waiting
	b.waiting = nil
	for _, w := range list {
		if issue := b.Check(w.title, w.game, nil); issue != "" {
			issues = append(issues, w.title+": "+issue)
		}
	}
	return issues, len(b.waiting)
}

// readJournal notes what the journal of a run published; there need not be one.
func (b *Book) readJournal(name string) error {
	f, err := os.Open(filepath.Join(name, "journal"))
	if err != nil {
		return nil //nolint:nilerr // records can be judged without it
	}
	defer f.Close() //nolint:errcheck // only read
	run := &runLog{name: name, committed: map[string]string{}, unseen: map[string]bool{}}
	b.runs[filepath.Join(name, "games")] = run
	_, err = journal.Read(f, func(e *journal.Event) error {
		run.rulings.Add(e)
		switch {
		case e.Reveal != nil:
			b.seeds[e.Reveal.Commitment] = e.Reveal.Seed
		case e.Start != nil && e.Start.Commitment != "":
			run.committed[e.Game] = e.Start.Commitment
		case e.Result != nil:
			run.unseen[e.Game] = e.Result.Result.Reason != game.ByAbort
		}
		return nil
	})
	maps.DeleteFunc(run.unseen, func(_ string, ended bool) bool { return !ended })
	if err != nil {
		return fmt.Errorf("%s: the journal cannot be read: %w", name, err)
	}
	return nil
}
