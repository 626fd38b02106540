package ladder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/opening"
	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/result"
)

// rungOutcome is what the upper side of a rung reached.
type rungOutcome struct {
	wins, draws, losses int
	// elo is the difference in strength and err its error (95 %); not given if one
	// side won everything.
	elo, err *float64
	// faults are games that either side lost by time, a crash or an illegal move.
	faults int
}

// climbed is a rung and its outcome.
type climbed struct {
	rung
	rungOutcome
}

func (o rungOutcome) games() int { return o.wins + o.draws + o.losses }

func (o rungOutcome) String() string {
	return fmt.Sprintf("+%d =%d -%d: %s", o.wins, o.draws, o.losses, o.difference())
}

// difference is the difference in Elo as text: with its error, or, where one side
// won everything, what it exceeds with a certainty of 97.5 %.
func (o rungOutcome) difference() string {
	if o.elo != nil && o.err != nil {
		return fmt.Sprintf("%+.0f ± %.0f", *o.elo, *o.err)
	}
	if o.elo != nil {
		return fmt.Sprintf("%+.0f, too few games for an error", *o.elo)
	}
	// All of n games are won with a probability of p^n; the least p for which that
	// is no surprise is the exact bound of Clopper and Pearson.
	switch n := float64(o.games()); {
	case n > 0 && o.wins == o.games():
		return fmt.Sprintf("more than %+.0f", rating.Elo(math.Pow(0.025, 1/n)))
	case n > 0 && o.losses == o.games():
		return fmt.Sprintf("less than %+.0f", -rating.Elo(math.Pow(0.025, 1/n)))
	}
	return "not known"
}

// errBrokenOff is the error of a rung that is not over.
var errBrokenOff = errors.New("not all games are over; the same command goes on")

// climb plays a rung, or what is left of it; of one that is over it counts the games.
func (c *Options) climb(ctx context.Context, a *World, r rung) (rungOutcome, error) {
	dir := filepath.Join(c.Keep, filepath.FromSlash(r.folder))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return rungOutcome{}, bad("--keep: %v", err)
	}
	sum, err := c.playRung(ctx, a, r, dir)
	if err != nil {
		return rungOutcome{}, err
	}
	if n := sum.Extra.Unfinished; n > 0 {
		return rungOutcome{}, bad("%s: %d games: %v", dir, n, errBrokenOff)
	}
	up := sum.Engines[0]
	o := rungOutcome{wins: up.Wins, draws: up.Draws, losses: up.Losses, elo: up.Elo, err: up.Error}
	for _, e := range sum.Engines {
		o.faults += e.Crashes + e.Timeouts + e.Illegal
	}
	return o, nil
}

// playRung plays the match of a rung in its folder, or what is left of it. What a match
// says of itself stays there.
func (c *Options) playRung(ctx context.Context, a *World, r rung, dir string) (*result.Summary, error) {
	if _, err := os.Stat(filepath.Join(dir, "journal")); err == nil {
		r, err := run.Resume(dir, false, func(s *run.Settings) { s.Quiet = true }, a.Deps)
		if err != nil {
			return nil, err
		}
		over := r.Over()
		sum, err := r.Play(ctx)
		if bad := (*run.BadOutcome)(nil); over && errors.As(err, &bad) { // it was told when the rung was played
			err = nil
		}
		return sum, err
	}
	s, err := c.Match(r.game, r.upper.words, r.lower.words)
	if err != nil {
		return nil, err
	}
	s.Out = dir
	m, err := run.New(*s, a.Deps)
	if err != nil {
		return nil, err
	}
	return m.Play(ctx)
}

// Match is what is played of a game between two engines.
func (c *Options) Match(id string, upper, lower engines.Words) (*run.Settings, error) {
	s := run.Usual()
	each, err := engines.ParseWords(c.Each)
	if err != nil {
		return nil, err
	}
	s.Game, s.Each, s.Engine = id, each, []engines.Words{upper, lower}
	s.Games, s.Repeat, s.Seed, s.Concurrency, s.Quiet = c.Games, true, c.Seed, c.Concurrency, true
	row, _ := catalog.Find(game.Spec(id).ID())
	_, drawn := row.Openings.Get() // the others begin with a shuffle
	for _, words := range s.Engine {
		e, err := engines.New(each, words)
		if err != nil {
			return nil, err
		}
		drawn = drawn && run.Opens(e, game.Spec(id))
	}
	if drawn {
		s.Openings = &run.Openings{Suite: opening.Balance, Shuffled: true, Start: 1, Turned: true}
	}
	return &s, nil
}

func bad(format string, args ...any) error {
	return &run.BadOutcome{Text: fmt.Sprintf(format, args...)}
}
