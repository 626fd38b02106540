package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alecthomas/kong"

	"kibitz/games"
	"kibitz/match"
	"kibitz/protocol"
	"kibitz/rating"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/folder"
	"kibitz/run/watchdog"
	"kibitz/tournament"
)

type matchCmd struct {
	run.Settings
	Save string `help:"Write all of this into a file for kibitz run instead of playing." placeholder:"FILE.toml"`
}

// Help returns the example that --help shows.
func (matchCmd) Help() string {
	return "Examples:\n  kibitz match --game othello --engine bot=3 --engine bot=5 --games 10\n" +
		"  kibitz match --game gomoku:rule=renju --each 'tc=60+0.5' --engine 'cmd=./pbrain-a' --engine 'cmd=./pbrain-b' --concurrency 2 " +
		"--openings file=openings.txt --repeat --games 100"
}

// matchRun is a running match.
type matchRun struct {
	a         *app
	cmd       *matchCmd
	rules     rules.Rules
	engines   []*engineSpec // those with which it began
	roster    *roster
	readiness readiness
	names     []string    // of the roster; changed between two games only
	opened    *openingSet // what the openings come from
	openings  []opening
	plan      tournament.Plan
	points    tournament.Points
	director  *tournament.Director
	ordered   bool // an organiser has given an order
	runner    *tournament.Runner
	control   *control
	policy    match.Policy
	seeds     tournament.Seeds
	shuffles  *shuffles
	standings *tournament.Standings
	breaks    []tournament.TieBreak
	sprt      *rating.Sequence // nil without --sprt
	dir       *folder.Folder
	pool      *pool
	programs  *engines.Programs // nil before the run begins
	watchdog  *watchdog.Watchdog
	affinity  *affinity
	// allProcessors is how many the runtime had before the match, 0 if that is not
	// to be changed.
	allProcessors int
	atATime       atomic.Int64 // games, as they were last asked for
	crowdTold     atomic.Bool  // that there are too many of them
	repeatsTold   bool         // that many games are repeats
	watchers      []run.Watcher
	followers     []run.Follower // those of watchers who follow the games as they are played
	records       []*formats.File
	// held are games that may not be told yet, by the commitment of their shuffle.
	held map[string][]*record.Game
	// talk is for people: stdout, or stderr when stdout carries JSON.
	talk     io.Writer
	began    time.Time
	totals   totals
	failures []error
	// earlier is what was played before the run was taken up again, nil in a run
	// that begins.
	earlier *earlier
	// grown tells that the run is to have more games than when it was last played.
	grown bool
	// rekeyed tells that the secret of the run was lost and another one is taken.
	rekeyed bool
	// foreign is set where another program's options describe the run.
	foreign *run.Compat
	// journalError is the first error of the journal; unkept are the games whose
	// result it did not take, by name.
	journalError atomic.Pointer[error]
	unkept       sync.Map
}

// Run plays the match, or writes down how. The context tells which flags were given.
func (c *matchCmd) Run(a *app, k *kong.Context) error {
	given := map[string]bool{}
	for _, p := range k.Path {
		if p.Flag != nil {
			given[p.Flag.Name] = true
		}
	}
	if err := c.ApplyPreset(func(key string) bool { return given[key] }); err != nil {
		return err
	}
	return c.play(a)
}

func (c *matchCmd) play(a *app) error {
	if c.Save != "" {
		return c.save(a)
	}
	r, err := newMatchRun(a, c)
	if err != nil {
		return err
	}
	r.learnNames()
	if err := r.open(); err != nil {
		return err
	}
	r.remarkEngines()
	_, err = r.play()
	return err
}

// newMatchRun returns a match that can be played, or why it cannot. Nothing is
// written yet, and openings that are to be made by chance, which takes time, are not
// made: open does that when nothing else can be refused.
func newMatchRun(a *app, c *matchCmd) (*matchRun, error) {
	r := &matchRun{a: a, cmd: c, talk: a.stdout, held: map[string][]*record.Game{}}
	if c.JSON {
		r.talk = a.stderr
	}
	a.guards.Strict = c.Strict
	if err := c.Check(); err != nil {
		return nil, err
	}
	var err error
	if r.rules, err = games.Open(c.Game); err != nil {
		return nil, &run.Error{Path: "/game", Want: err.Error()}
	}
	for _, read := range []func() error{r.readSeed, r.readEngines, r.readPlan, r.readAffinity, r.readPolicy} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	if c.SPRT != nil { // it counts pairs where each opening is played twice and the model knows them
		r.sprt = (*rating.Test)(c.SPRT).Start(c.Repeat && c.SPRT.Model.Pairs())
	}
	r.points = tournament.Points(c.Points)
	r.plan.Lot = tournament.Seeds{Seed: r.seeds.Seed}.At("lots") // no secret: whoever knows the seed can draw again
	if r.breaks = c.TieBreaks; r.breaks == nil {
		r.breaks = tournament.DefaultTieBreaks(r.plan.Format)
	}
	r.direct()
	r.roster = &roster{list: r.engines}
	if err := r.checkTUI(); err != nil {
		return nil, err
	}
	return r, r.CheckAbilities()
}

// direct makes the schedule of the plan.
func (r *matchRun) direct() {
	r.director = tournament.NewDirector(r.plan, r.points)
	r.standings = r.director.Standings()
}

// open makes the files of a run that begins.
func (r *matchRun) open() error {
	err := r.openRecords()
	if err == nil {
		err = folder.CheckNew(r.cmd.Folder.Path(r.cmd.Out))
	}
	if err == nil {
		err = r.makeOpenings()
	}
	if err == nil {
		r.dir, err = folder.New(r.cmd.Folder, r.cmd.Out, r.schedule().Most(), r.a.now())
		if setting := (*run.Error)(nil); err != nil && !errors.As(err, &setting) {
			err = fmt.Errorf("--out: %w", err)
		}
	}
	if err == nil && r.secretive() {
		r.dir.Perm = folder.OwnersOnly
	}
	if err == nil {
		r.hideOwn()
		if err = r.writeRun(); err != nil {
			err = fmt.Errorf("--out: %w", err)
			r.dir.Abandon()
		}
	}
	if err != nil {
		for _, f := range r.records {
			f.Discard()
		}
		if protocol.HostFault(err) { // nothing is wrong with the arguments
			return badVerdict("the run cannot begin: %v", err)
		}
		return err
	}
	for _, f := range r.records {
		if err := f.Begin(); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	return nil
}

// secretive reports whether what was played tells of what is to be played: then the
// files of the games are their owner's until the run is over.
func (r *matchRun) secretive() bool {
	_, dealt := r.rules.(rules.Shuffler)
	return dealt && r.cmd.Repeat
}

func (r *matchRun) openRecords() error {
	for _, name := range r.cmd.Record {
		f, err := records().NewFile(r.cmd.Folder.Path(name), r.rules, r.schedule().Most())
		if err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		r.records = append(r.records, f)
	}
	return nil
}
