package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/rating"
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

// climb plays a rung, or reads it if it was played before.
func (c *gauntletSelfCmd) climb(a *app, r rung) (rungOutcome, error) {
	dir := filepath.Join(c.Keep, filepath.FromSlash(r.folder))
	if o, err := readRung(dir); err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errBrokenOff) {
		return o, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return rungOutcome{}, badVerdict("--keep: %v", err)
	}
	if err := c.playRung(a, r, dir); err != nil {
		return rungOutcome{}, err
	}
	o, err := readRung(dir)
	if err != nil {
		return o, badVerdict("%v", err)
	}
	return o, nil
}

// playRung plays the match of a rung in its folder, or what is left of it.
func (c *gauntletSelfCmd) playRung(a *app, r rung, dir string) error {
	// What a match says of itself stays in its folder.
	out := a.stdout
	a.stdout = io.Discard
	defer func() { a.stdout = out }()
	if _, err := os.Stat(filepath.Join(dir, "journal")); err == nil {
		here, err := os.Getwd()
		if err != nil {
			return err
		}
		err = resumeCmd{Dir: dir, showFlags: showFlags{Quiet: true}}.Run(a)
		return errors.Join(err, os.Chdir(here)) // a run goes on where it was started
	}
	words := []string{
		"--game", r.game, "--engine", r.upper.words, "--engine", r.lower.words,
		"--each", c.Each, "--games", fmt.Sprint(c.Games), "--repeat", "--seed", fmt.Sprint(c.Seed),
		"--concurrency", fmt.Sprint(c.Concurrency), "--quiet", "--out", dir,
	}
	closed, err := c.closed(r)
	if err != nil {
		return err
	}
	row, _ := catalog.Find(game.Spec(r.game).ID())
	if _, drawn := row.Openings.Get(); drawn && len(closed) == 0 { // the others begin with a shuffle
		words = append(words, "--openings", "suite order=random transform=true")
	}
	m, err := matchOf(words)
	if err != nil {
		return err
	}
	return m.play(a)
}

// readRung reads the summary of a run that is over.
func readRung(dir string) (rungOutcome, error) {
	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		return rungOutcome{}, err
	}
	var sum summaryLine
	if err := json.Unmarshal(data, &sum); err != nil {
		return rungOutcome{}, badVerdict("%s: %v", filepath.Join(dir, "summary.json"), err)
	}
	if len(sum.Engines) != 2 || sum.Extra == nil {
		return rungOutcome{}, badVerdict("%s is no summary of a match of two", filepath.Join(dir, "summary.json"))
	}
	if sum.Extra.Unfinished > 0 {
		return rungOutcome{}, fmt.Errorf("%s: %d games: %w", dir, sum.Extra.Unfinished, errBrokenOff)
	}
	up := sum.Engines[0]
	o := rungOutcome{wins: up.Wins, draws: up.Draws, losses: up.Losses, elo: up.Elo, err: up.Error}
	for _, e := range sum.Engines {
		o.faults += e.Crashes + e.Timeouts + e.Illegal
	}
	return o, nil
}
