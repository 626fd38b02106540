package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"kibitz/clock"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/tournament"
)

// compatCmd plays what was written for another program, and answers in its lines.
type compatCmd struct {
	Out  string   `help:"Keep journal, records and logs in this folder; without it nothing but the files that the options name is kept." placeholder:"DIR"`
	Args []string `arg:"" name:"program" passthrough:"partial" help:"c-gomoku-cli, cutechess-cli, fastchess or gogui-twogtp, then its own options."`
}

// Help returns the example that --help shows.
func (compatCmd) Help() string {
	return "Examples:\n  kibitz compat c-gomoku-cli -each tc=60/5 -engine cmd=./pbrain-a -engine cmd=./pbrain-b -rule 1 -games 100 -repeat " +
		"-openings file=openings.txt\n" +
		"  kibitz compat cutechess-cli -variant gomoku -each tc=60+0.5 -engine cmd=./pbrain-a -engine cmd=./pbrain-b -rounds 100\n" +
		"  kibitz compat gogui-twogtp -game nogo -black './a --gtp' -white './b --gtp' -size 9 -alternate -auto -games 100 -sgffile nogo\n\n" +
		"What becomes of every option stands in docs/compat.md."
}

// Run hands over to the program that is meant.
func (c compatCmd) Run(a *app) error {
	switch c.Args[0] {
	case "c-gomoku-cli":
		return cgcRun(a, c.Args[1:], c.Out)
	case "fastchess":
		return fcRun(a, c.Args[1:], c.Out)
	case "cutechess-cli":
		return ccRun(a, c.Args[1:], c.Out)
	case "gogui-twogtp":
		return ggRun(a, c.Args[1:], c.Out)
	}
	return fmt.Errorf("compat %s: unknown; known are c-gomoku-cli, cutechess-cli, fastchess and gogui-twogtp", c.Args[0])
}

// What becomes of an option of another program.
const (
	isHonoured = "honoured"
	isIgnored  = "ignored"
	isRefused  = "refused"
)

// compatOption is an option of another program.
type compatOption struct {
	// name is the option as scripts write it, does what becomes of it.
	name, does string
	// note is what it means here, in one line; where it is ignored or refused, why.
	note string
	// read takes its values; nil unless it is honoured. Values of ignored options
	// are passed over.
	read func(*compatArgs) error
}

// shellWord quotes a word for those who split lines as a shell does.
func shellWord(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// shellWords quotes several words.
func shellWords(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = shellWord(s)
	}
	return strings.Join(out, " ")
}

// schedule is what hands out the games.
func (r *matchRun) schedule() tournament.Scheduler {
	if r.foreign != nil {
		return r.foreign.Schedule
	}
	return r.director
}

// playForeign plays a match in the lines of another program. prepare is given the
// run before its files are made and returns what is foreign about it. Without a
// folder nothing of ours is kept. The error is of what went wrong with the run
// itself; lost games are none.
func playForeign(a *app, s run.Settings, out string, prepare func(*matchRun) (*run.Compat, error)) error {
	c := &matchCmd{Settings: s}
	if c.Out = out; out == "" {
		var err error
		if c.Out, err = os.MkdirTemp("", "kibitz-compat-"); err != nil {
			return badVerdict("%v", err)
		}
		defer os.RemoveAll(c.Out) //nolint:errcheck // a temporary folder
	}
	r, err := newMatchRun(a, c)
	if err != nil {
		return unplayable(err)
	}
	if r.foreign, err = prepare(r); err != nil {
		return unplayable(err)
	}
	if err := r.open(); err != nil {
		return asVerdict(err)
	}
	if _, err := r.play(); len(r.failures) > 0 {
		return err
	}
	return nil
}

// unplayable makes an error one of exit status 2: the options, or the files that they
// name, cannot be what is meant, and nothing was played.
func unplayable(err error) error {
	if msg, bad := asBad(err); bad {
		return errors.New(msg)
	}
	return err
}

// asVerdict makes an error one of exit status 1.
func asVerdict(err error) error {
	if _, bad := asBad(err); bad {
		return err
	}
	return badVerdict("%v", err)
}

// listed hands out games that are known beforehand.
type listed struct {
	count func(tournament.Finished)
	games []tournament.Pairing
	next  int
}

// Next returns the next game.
func (l *listed) Next() (tournament.Pairing, tournament.State) {
	if l.next == len(l.games) {
		return tournament.Pairing{}, tournament.Over
	}
	l.next++
	return l.games[l.next-1], tournament.Ready
}

// Record counts a game.
func (l *listed) Record(f tournament.Finished) { l.count(f) }

// Len is the number of games, as Most is.
func (l *listed) Len() int  { return len(l.games) }
func (l *listed) Most() int { return len(l.games) }

// What the options of another program need of the run that they describe.

// Rules are those of the game.
func (r *matchRun) Rules() rules.Rules { return r.rules }

// Openings are what the games begin from, by their numbers.
func (r *matchRun) Openings() []opening { return r.openings }

// SetOpenings takes the openings of a schedule of its own, before the run begins.
func (r *matchRun) SetOpenings(list []opening) { r.openings = list }

// Count counts a game that a schedule of its own was told of.
func (r *matchRun) Count(f tournament.Finished) { r.director.Count(f) }

// Control is the time control of an engine.
func (r *matchRun) Control(engine int) clock.Control { return r.roster.at(engine).Control }
