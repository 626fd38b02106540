package main

import (
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
	"kibitz/run/engines"
	"kibitz/tournament"
)

type matchCmd struct {
	Game           string   `required:"" help:"Game with options, for example gomoku:rule=renju." placeholder:"G"`
	Engine         []string `required:"" sep:"none" help:"Engine, key=value words; give it twice or more." placeholder:"S"`
	Each           string   `help:"Defaults for every engine, key=value words." placeholder:"S"`
	Games          int      `default:"2" help:"Games per pairing; seats are exchanged after each."`
	Rounds         *int     `help:"How often the whole is repeated (1); rounds of a Swiss; passes up a ladder." placeholder:"N"`
	Format         string   `default:"roundrobin" help:"roundrobin, double, gauntlet, swiss, knockout, pyramid or ladder."`
	Seeds          int      `help:"The first N engines run the gauntlet (1), or are placed in the bracket of a knockout, the others by lot." placeholder:"N"`
	Concurrency    int      `default:"1" help:"Games at a time."`
	Affinity       string   `help:"Bind the engines of each game at a time to processors of their own: auto, or a list such as 0,2,4-7." placeholder:"auto|LIST"`
	Repeat         bool     `help:"Play each opening or shuffle twice, seats exchanged."`
	FixedSeats     bool     `help:"The engine named first begins every game."`
	Secret         string   `help:"What was mixed into the seed of a run with hidden facts, as its run.toml tells at the end: with the same --seed it is the same run." placeholder:"HEX"`
	Casual         bool     `help:"Not rated: people may take moves back."`
	Openings       string   `help:"file=F, suite or random=N (within=S level=L), with order=random|sequential start=N plies=N transform=true." placeholder:"S"`
	Seed           uint64   `help:"Seed of everything random; 0 takes one from the system. Where nothing is hidden the same seed is the same run." default:"0"`
	Preset         string   `help:"Play as an event does where nothing else is said: gomocup, tcga, ccgc or sau." placeholder:"EVENT"`
	TieBreaks      string   `name:"tiebreaks" help:"What orders engines of equal points, the first first: direct,sb,buchholz,median,wins,ratio,koya." placeholder:"LIST"`
	Points         string   `default:"1/0.5/0" help:"Points for win/draw/loss." placeholder:"W/D/L"`
	SPRT           string   `name:"sprt" help:"Stop when a sequential test of the first engine is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized|bayesian." placeholder:"S"`
	Draw           string   `help:"Draw by score: move=40 count=8 score=10." placeholder:"S"`
	Resign         string   `help:"End by score: count=3 score=900." placeholder:"S"`
	Adjudicate     string   `help:"End games whose result is certain: exact, or \"exact nodes=300000 move=20\"." placeholder:"S"`
	MaxMoves       int      `help:"Draw after this many moves of both sides together." placeholder:"N"`
	Illegal        string   `default:"usual" help:"lose, or retry:N to give N illegal answers per game back; usual gives ten back to an engine of SAU, which is told error, and lets others lose."`
	ReplayStarved  bool     `help:"Play a game again, twice at most, that an engine lost on time while it waited for a processor longer than it was over; the presets of events do."`
	Out            string   `help:"Folder for journal, records and logs; default: a dated one." placeholder:"DIR"`
	Report         bool     `help:"Write report.html and tables into the folder when the games are over."`
	Save           string   `help:"Write all of this into a file for kibitz run instead of playing." placeholder:"FILE.toml"`
	Record         []string `sep:"none" help:"Also write all games into this file; the extension says how. Repeatable." placeholder:"FILE"`
	JSON           bool     `name:"json" help:"One JSON object for each game, then a summary."`
	Quiet          bool     `help:"Print nothing but the final table (or nothing with --json)."`
	Strict         bool     `help:"Exit with 1 if there was any warning or forfeit."`
	Board          bool     `help:"Show the final position of each game."`
	TUI            bool     `name:"tui" help:"Show boards, standings and figures on the whole terminal while games run."`
	RatingInterval int      `default:"10" help:"Games between two reports of the standing."`
	Wait           int      `help:"Milliseconds to wait between two games." placeholder:"MS"`
	StartLimit     float64  `default:"20" help:"Seconds an engine has to become ready."`
	Recover        bool     `help:"Start an engine again and again that never became ready; else not after two games."`
	Stall          float64  `default:"600" help:"Seconds an engine without a clock may be silent."`
}

// Help returns the example that --help shows.
func (matchCmd) Help() string {
	return "Examples:\n  kibitz match --game othello --engine bot=3 --engine bot=5 --games 10\n" +
		"  kibitz match --game gomoku:rule=renju --each 'tc=60+0.5' --engine 'cmd=./pbrain-a' --engine 'cmd=./pbrain-b' --concurrency 2 --openings file=openings.txt --repeat --games 100"
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
	dir       *runDir
	pool      *pool
	programs  *engines.Programs // nil before the run begins
	pulse     *pulse
	affinity  *affinity
	// allProcessors is how many the runtime had before the match, 0 if that is not
	// to be changed.
	allProcessors int
	atATime       atomic.Int64 // games, as they were last asked for
	crowdTold     atomic.Bool  // that there are too many of them
	repeatsTold   bool         // that many games are repeats
	watchers      []watcher
	followers     []eventWatcher // those of watchers who follow the games as they are played
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
	foreign *foreign
	// journalError is the first error of the journal; unkept are the games whose
	// result it did not take, by name.
	journalError atomic.Pointer[error]
	unkept       sync.Map
}

// Run plays the match, or writes down how. The context tells which flags were given.
func (c *matchCmd) Run(a *app, k *kong.Context) error {
	if err := applyPreset(c, c.Preset, k); err != nil {
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
	return r.play()
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
	var err error
	if r.rules, err = games.Open(c.Game); err != nil {
		return nil, fmt.Errorf("--game: %w", err)
	}
	if err := r.readSeed(); err != nil {
		return nil, err
	}
	if err := r.readEngines(); err != nil {
		return nil, err
	}
	if err := r.readPlan(); err != nil {
		return nil, err
	}
	if err := r.readAffinity(); err != nil {
		return nil, err
	}
	if err := r.readPolicy(); err != nil {
		return nil, err
	}
	if err := r.readSPRT(); err != nil {
		return nil, err
	}
	if r.points, err = parsePoints(c.Points); err != nil {
		return nil, err
	}
	r.plan.Lot = tournament.Seeds{Seed: r.seeds.Seed}.At("lots") // no secret: whoever knows the seed can draw again
	if err := r.readTieBreaks(); err != nil {
		return nil, err
	}
	r.direct()
	r.roster = &roster{list: r.engines}
	if err := r.checkTUI(); err != nil {
		return nil, err
	}
	return r, r.checkAbilities()
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
		err = checkNewFolder(r.cmd.Out)
	}
	if err == nil {
		err = r.makeOpenings()
	}
	if err == nil {
		r.dir, err = newRunDir(r.cmd.Out, r.schedule().Most(), r.a.now())
	}
	if err == nil && r.secretive() {
		r.dir.perm = ownersOnly
	}
	if err == nil {
		r.hideOwn()
		if err = r.writeRun(); err != nil {
			err = fmt.Errorf("--out: %w", err)
			r.dir.abandon()
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
		f, err := records().NewFile(name, r.rules, r.schedule().Most())
		if err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		r.records = append(r.records, f)
	}
	return nil
}
