package field

import (
	"errors"
	"fmt"
	"path/filepath"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rating/results"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/replay"
	"kibitz/rules"
)

// ErrUnread is the error of files of which none could be read, as was told.
var ErrUnread = errors.New("no file could be read")

// Sources read the games that are rated.
type Sources struct {
	// Load reads the games of a file; what it can read is returned with an error.
	Load func(file string) ([]*record.Game, error)
	// Open opens the rules of a game whose record does not tell its result.
	Open func(game.Spec) (rules.Rules, error)
	// Warn is told what is left out.
	Warn func(text string)
	// Pairs counts pairs of games with seats exchanged; runs that played each opening
	// twice do so by themselves.
	Pairs bool
}

// Collect reads records and folders of runs. The number of files that could not be read
// whole is returned, and an error if there is nothing to rate.
func (s Sources) Collect(names []string) (out *results.Pool, faulty int, err error) {
	out = results.New()
	seen, twice, runs := map[string]bool{}, 0, folder.Runs{}
	for _, name := range names {
		files, _, err := folder.Records(name)
		if err != nil {
			return nil, 0, err
		}
		pairs := s.Pairs || folder.Repeated(name)
		for _, file := range files {
			clean := filepath.Clean(file)
			if seen[clean] {
				twice++
				continue
			}
			seen[clean] = true
			list, err := s.Load(file)
			if err != nil {
				faulty++
				s.Warn(plain.OneLine(err))
			}
			rulings, err := runs.Of(file)
			if err != nil {
				return nil, 0, err
			}
			for _, g := range list {
				if folder.Overruled(g, rulings) {
					out.Left.Annulled++
					continue
				}
				out.Add(g, s.result(g), pairs)
			}
		}
	}
	if twice > 0 {
		s.Warn(plain.Count(twice, "file") + " given more than once; games count once")
	}
	s.tellLeft(out.Left)
	switch {
	case out.Len() > 0:
		return out, faulty, nil
	case faulty > 0:
		return nil, faulty, ErrUnread
	}
	return nil, 0, errors.New("there is no game to rate among the records")
}

// tellLeft tells of games that do not count.
func (s Sources) tellLeft(left results.Left) {
	for _, x := range []struct {
		n    int
		what string
	}{
		{left.Unfinished, "without a result"},
		{left.Annulled, "annulled or won without being played,"},
		{left.Nameless, "without the players' names"},
		{left.Alone, "of a player against itself"},
	} {
		if x.n > 0 {
			s.Warn(fmt.Sprintf("%s %s not rated", plain.Count(x.n, "game"), x.what))
		}
	}
}

// result is what a record says, or what the rules know of its end.
func (s Sources) result(g *record.Game) *game.Result {
	if g.Result != nil {
		return g.Result
	}
	if l, err := replay.Play(g, s.Open); err == nil && l.Illegal == nil {
		return l.Verdict.Final()
	}
	return nil
}
