package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"kibitz/rating"
)

// outcome is what the upper side of a rung reached.
type outcome struct {
	wins, draws, losses int
	// elo is the difference in strength and err its error (95 %); not given if one
	// side won everything.
	elo, err *float64
	// faults are games that either side lost by time, a crash or an illegal move.
	faults int
}

// played is a rung and its outcome.
type played struct {
	rung
	outcome
}

func (o outcome) games() int { return o.wins + o.draws + o.losses }

func (o outcome) String() string {
	return fmt.Sprintf("+%d =%d -%d: %s", o.wins, o.draws, o.losses, o.difference())
}

// difference is the difference in Elo as text: with its error, or, where one side
// won everything, what it exceeds with a certainty of 97.5 %.
func (o outcome) difference() string {
	if o.elo != nil && o.err != nil {
		return fmt.Sprintf("%+.0f ± %.0f", *o.elo, *o.err)
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

// play plays a rung, or reads it if it was played before.
func play(ctx context.Context, s *settings, r rung) (outcome, error) {
	dir := filepath.Join(s.keep, r.folder)
	if o, err := read(dir); err == nil {
		return o, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return outcome{}, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return outcome{}, err
	}
	var args []string
	if _, err := os.Stat(filepath.Join(dir, "journal")); err == nil {
		args = []string{"resume", dir, "--quiet"}
	} else {
		args = []string{
			"match", "--game", r.game, "--engine", r.upper.words, "--engine", r.lower.words,
			"--each", fmt.Sprintf("st=%g", s.seconds), "--games", fmt.Sprint(s.perRung), "--repeat",
			"--openings", "suite order=random transform=true", "--seed", "1",
			"--concurrency", fmt.Sprint(s.concurrency), "--quiet", "--out", dir,
		}
	}
	cmd := exec.CommandContext(ctx, s.kibitz, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return outcome{}, ctx.Err()
		}
		return outcome{}, fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return read(dir)
}

// read reads the summary of a run that is over.
func read(dir string) (outcome, error) {
	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		return outcome{}, err
	}
	var sum struct {
		Engines []struct {
			Wins, Draws, Losses        int
			Crashes, Timeouts, Illegal int
			Elo, Error                 *float64
		}
		Extra struct{ Unfinished int }
	}
	if err := json.Unmarshal(data, &sum); err != nil {
		return outcome{}, fmt.Errorf("%s/summary.json: %w", dir, err)
	}
	if len(sum.Engines) != 2 {
		return outcome{}, fmt.Errorf("%s/summary.json: %d engines, two are expected", dir, len(sum.Engines))
	}
	if sum.Extra.Unfinished > 0 {
		return outcome{}, fmt.Errorf("%s: %d games are not over: %w", dir, sum.Extra.Unfinished, os.ErrNotExist)
	}
	up := sum.Engines[0]
	o := outcome{wins: up.Wins, draws: up.Draws, losses: up.Losses, elo: up.Elo, err: up.Error}
	for _, e := range sum.Engines {
		o.faults += e.Crashes + e.Timeouts + e.Illegal
	}
	return o, nil
}
