package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rating"
	"kibitz/rules"
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
	Repeat         bool     `help:"Play each opening or shuffle twice, seats exchanged."`
	FixedSeats     bool     `help:"The engine named first begins every game."`
	Casual         bool     `help:"Not rated: people may take moves back."`
	Openings       string   `help:"file=F order=random|sequential start=N plies=N" placeholder:"S"`
	Seed           uint64   `help:"Seed of everything random; 0 takes one from the system." default:"0"`
	Points         string   `default:"1/0.5/0" help:"Points for win/draw/loss." placeholder:"W/D/L"`
	SPRT           string   `name:"sprt" help:"Stop when a sequential test of the first engine is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized|bayesian." placeholder:"S"`
	Draw           string   `help:"Draw by score: move=40 count=8 score=10." placeholder:"S"`
	Resign         string   `help:"End by score: count=3 score=900." placeholder:"S"`
	MaxMoves       int      `help:"Draw after this many moves of both sides together." placeholder:"N"`
	Illegal        string   `default:"lose" help:"lose, or retry:N to give N illegal answers per game back."`
	Out            string   `help:"Folder for journal, records and logs; default: a dated one." placeholder:"DIR"`
	Record         []string `sep:"none" help:"Also write all games into this file; the extension says how. Repeatable." placeholder:"FILE"`
	JSON           bool     `name:"json" help:"One JSON object for each game, then a summary."`
	Quiet          bool     `help:"Print nothing but the final table (or nothing with --json)."`
	Strict         bool     `help:"Exit with 1 if there was any warning or forfeit."`
	Board          bool     `help:"Show the final position of each game."`
	RatingInterval int      `default:"10" help:"Games between two reports of the standing."`
	Wait           int      `help:"Milliseconds to wait between two games." placeholder:"MS"`
	StartLimit     float64  `default:"60" help:"Seconds an engine has to become ready."`
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
	engines   []*engineSpec
	names     []string
	openings  []opening
	plan      tournament.Plan
	schedule  tournament.Scheduler
	policy    match.Policy
	seeds     tournament.Seeds
	shuffles  *shuffles
	standings *tournament.Standings
	sprt      *rating.Sequence // nil without --sprt
	dir       *runDir
	pool      *pool
	progress  *progress
	records   []*recordFile
	// human output: stdout, or stderr when stdout carries JSON.
	talk     io.Writer
	began    time.Time
	totals   totals
	failures []error
	halt     *halt
	// journalError is the first error of the journal.
	journalError atomic.Pointer[error]
}

// Run plays the match.
func (c matchCmd) Run(a *app) error {
	r, err := newMatchRun(a, &c)
	if err != nil {
		return err
	}
	return r.play()
}

func newMatchRun(a *app, c *matchCmd) (*matchRun, error) {
	r := &matchRun{a: a, cmd: c, talk: a.stdout}
	if c.JSON {
		r.talk = a.stderr
	}
	var err error
	if r.rules, err = games.Open(c.Game); err != nil {
		return nil, err
	}
	if err := r.readEngines(); err != nil {
		return nil, err
	}
	if err := r.readPlan(); err != nil {
		return nil, err
	}
	if err := r.readPolicy(); err != nil {
		return nil, err
	}
	if err := r.readSPRT(); err != nil {
		return nil, err
	}
	points, err := parsePoints(c.Points)
	if err != nil {
		return nil, err
	}
	r.standings = tournament.NewStandings(r.plan, points)
	if err := r.readSeed(); err != nil {
		return nil, err
	}
	r.plan.Lot = tournament.Seeds{Seed: r.seeds.Seed}.At("lots") // no secret: whoever knows the seed can draw again
	r.schedule = tournament.NewScheduler(r.plan, points)
	if err := r.checkAbilities(); err != nil {
		return nil, err
	}
	for _, name := range c.Record {
		f, err := newRecordFile(name, r.rules, r.schedule.Most())
		if err != nil {
			return nil, r.discard(err)
		}
		r.records = append(r.records, f)
	}
	if r.dir, err = newRunDir(c.Out, r.schedule.Most(), a.now()); err != nil {
		return nil, r.discard(err)
	}
	return r, nil
}

// discard gives up what was opened for a match that cannot begin.
func (r *matchRun) discard(err error) error {
	for _, f := range r.records {
		f.discard()
	}
	return err
}

func (r *matchRun) readEngines() error {
	for _, text := range r.cmd.Engine {
		e, err := parseEngine(r.cmd.Each, text)
		if err != nil {
			return err
		}
		if e.Human && (r.cmd.Concurrency > 1 || r.cmd.JSON) {
			return fmt.Errorf("engine %q: a person plays one game at a time and without --json", text)
		}
		e.StartLimit = time.Duration(r.cmd.StartLimit * float64(time.Second))
		e.Direct = r.cmd.Concurrency <= runtime.GOMAXPROCS(0)
		r.engines = append(r.engines, e)
	}
	if len(r.engines) < 2 {
		return fmt.Errorf("a match needs at least two engines: give --engine twice or more")
	}
	sharePlace(r.engines)
	r.names = uniqueNames(r.engines)
	return nil
}

func (r *matchRun) readPlan() error {
	c := r.cmd
	if c.Concurrency < 1 {
		return fmt.Errorf("--concurrency %d: must be at least 1", c.Concurrency)
	}
	if c.Openings != "" {
		var err error
		if r.openings, err = readOpenings(c.Openings, r.rules, c.Seed); err != nil {
			return err
		}
	}
	r.plan = c.plan(len(r.engines), len(r.openings))
	if _, fixed := r.rules.(rules.Shuffler); fixed && c.Repeat {
		if err := checkPairs(r.engines); err != nil {
			return err
		}
	}
	return r.plan.Check()
}

// readSPRT sets up the sequential test. It counts pairs where each opening is
// played twice and the model knows them.
func (r *matchRun) readSPRT() error {
	if r.cmd.SPRT == "" {
		return nil
	}
	t, err := parseSPRT(r.cmd.SPRT)
	if err != nil {
		return err
	}
	if len(r.engines) != 2 {
		return fmt.Errorf("--sprt tests the first of two engines against the second, %d are given", len(r.engines))
	}
	r.sprt = t.start(r.cmd.Repeat && t.Model.Pairs())
	return nil
}

func (r *matchRun) readPolicy() error {
	c := r.cmd
	if err := c.checkNumbers(); err != nil {
		return err
	}
	r.policy = match.Policy{
		MaxMoves: c.MaxMoves, Start: time.Duration((c.StartLimit + 5) * float64(time.Second)), Stall: time.Duration(c.Stall * float64(time.Second)),
		Undo: c.Casual,
	}
	if n, ok := strings.CutPrefix(c.Illegal, "retry:"); ok {
		k, err := strconv.Atoi(n)
		if err != nil || k < 0 {
			return fmt.Errorf("--illegal %s: write lose or retry:N", c.Illegal)
		}
		r.policy.Retries = k
	} else if c.Illegal != "lose" {
		return fmt.Errorf("--illegal %s: write lose or retry:N", c.Illegal)
	}
	if c.Draw != "" {
		v, err := parseNumbers("--draw", c.Draw, "move", "count", "score")
		if err != nil {
			return err
		}
		r.policy.Draw = match.DrawRule{FromMove: int(v["move"]), Count: int(v["count"]), Score: v["score"]}
	}
	if c.Resign != "" {
		v, err := parseNumbers("--resign", c.Resign, "count", "score")
		if err != nil {
			return err
		}
		r.policy.Resign = match.ResignRule{Count: int(v["count"]), Score: v["score"]}
	}
	return nil
}

// parseNumbers reads "key=number" words; every key must be given.
func parseNumbers(flag, text string, keys ...string) (map[string]float64, error) {
	out := map[string]float64{}
	want := strings.Join(keys, "=N ") + "=N"
	for _, w := range strings.Fields(text) {
		key, value, _ := strings.Cut(w, "=")
		x, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil || !(x >= 0 && x <= 1e9):
			return nil, fmt.Errorf("%s: %q is not key=number; write %q", flag, w, want)
		case key != "score" && x != math.Trunc(x):
			return nil, fmt.Errorf("%s: %q must be a whole number", flag, w)
		case key == "count" && x < 1:
			return nil, fmt.Errorf("%s: %q must be at least 1", flag, w)
		}
		out[key] = x
	}
	for _, k := range keys {
		if _, ok := out[k]; !ok {
			return nil, fmt.Errorf("%s: %s is missing; write %q", flag, k, want)
		}
	}
	if len(out) != len(keys) {
		return nil, fmt.Errorf("%s: unknown key in %q; write %q", flag, text, want)
	}
	return out, nil
}

func parsePoints(text string) (tournament.Points, error) {
	var p tournament.Points
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return p, fmt.Errorf("--points %s: write W/D/L, for example 3/1/0", text)
	}
	for i, dst := range []*float64{&p.Win, &p.Draw, &p.Loss} {
		x, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || !(math.Abs(x) <= 1e6) {
			return p, fmt.Errorf("--points %s: %q is not a number", text, parts[i])
		}
		*dst = x
	}
	if p.Win <= p.Loss || p.Draw < p.Loss || p.Draw > p.Win {
		return p, fmt.Errorf("--points %s: a win must count more than a loss, and a draw lie between", text)
	}
	return p, nil
}

// readSeed takes the seed and mixes a secret into it.
func (r *matchRun) readSeed() error {
	var b [40]byte
	if _, err := rand.Read(b[:]); err != nil {
		return err
	}
	copy(r.seeds.Secret[:], b[:32])
	r.seeds.Seed = r.cmd.Seed
	if r.seeds.Seed == 0 {
		for _, x := range b[32:] {
			r.seeds.Seed = r.seeds.Seed<<8 | uint64(x)
		}
		r.seeds.Seed >>= 11 // what a TOML file and a JSON number hold exactly
	}
	r.shuffles = &shuffles{seeds: r.seeds, each: 1, open: map[int]int{}}
	if r.cmd.Repeat {
		r.shuffles.each = 2
	}
	return nil
}

// checkAbilities refuses before the match what an engine cannot do, and builds
// every player once, so that unusable switches are found before the first game.
func (r *matchRun) checkAbilities() error {
	for _, e := range r.engines {
		p, err := newPlayer(r.a, e, r.rules, 1, nil)
		if err != nil {
			return err
		}
		start := canStart(p, r.rules.Spec())
		if err := p.Close(); err != nil {
			return err
		}
		for _, o := range r.openings {
			if o.Start != "" && start < player.FromPosition || start < player.FromHistory {
				return fmt.Errorf("engine %s cannot start from an opening", e.Name)
			}
		}
		if r.cmd.Draw != "" || r.cmd.Resign != "" {
			if err := reportsScores(e, r.rules.Spec()); err != nil {
				return err
			}
		}
	}
	return nil
}

func reportsScores(e *engineSpec, spec game.Spec) error {
	if len(e.Cmd) == 0 {
		return nil
	}
	proto, err := protocolFor(spec.ID(), e.Proto)
	if err != nil {
		return err
	}
	if proto.Scores == game.NoUnit {
		return fmt.Errorf("--draw and --resign: engines of protocol %s report no scores (%s)", proto.ID, e.Name)
	}
	return nil
}

// play runs all games and reports.
func (r *matchRun) play() error {
	defer surviveClosedOutput()()
	var release func()
	r.halt, release = newHalt(r.a.drain)
	defer release()
	r.began = r.a.now()
	r.progress = newProgress(r.talk, r.names, r.schedule.Len(), r.cmd.RatingInterval, r.cmd.Quiet, r.a.now)
	r.progress.sprt = r.sprt
	r.pool = &pool{a: r.a, rules: r.rules, engines: r.engines, seeds: r.seeds, warn: r.progress.warn, idle: map[int][]*seated{}}
	if err := r.writeRun(); err != nil {
		return err
	}
	done := tournament.Run(r.a.ctx, r.schedule, r.cmd.Concurrency, r.halt.ch, r.playGame, r.finished)
	r.pool.close()
	r.progress.close()
	r.totals.unfinished = r.schedule.Len() - done
	if r.sprt != nil && r.sprt.Decision() != rating.Continue {
		r.totals.unneeded, r.totals.unfinished = r.totals.unfinished, 0
	}
	return r.report()
}

// playGame plays one game of the plan.
func (r *matchRun) playGame(ctx context.Context, p tournament.Pairing) (tournament.Finished, bool) {
	if r.cmd.Wait > 0 && p.Index > 0 {
		select {
		case <-time.After(time.Duration(r.cmd.Wait) * time.Millisecond):
		case <-ctx.Done():
			return tournament.Finished{}, false
		}
	}
	played := &playedGame{pairing: p, id: gameID(p)}
	var seats [2]*seated
	for i, e := range [2]int{p.First, p.Second} {
		var err error
		if seats[i], err = r.pool.take(e); err != nil {
			r.progress.warn(err.Error())
			return tournament.Finished{}, false
		}
		defer r.pool.give(seats[i])
		seats[i].traffic.begin(r.a.now())
	}
	g := r.newGame(played, seats)
	played.names = [2]string{g.Sides[0].Name, g.Sides[1].Name}
	g.Sink = r.sink
	played.began = r.a.now()
	played.outcome = match.Play(ctx, g)
	for i, s := range seats {
		played.log = s.traffic.take(played.log, fmt.Sprintf("%s (%s)", g.Sides[i].Name, game.Seat(i)))
	}
	o := &played.outcome
	if o.Result.Reason == game.ByAbort {
		if ctx.Err() == nil {
			r.progress.warn(fmt.Sprintf("game %s was not played to a verdict: %s", played.id, o.Result.Detail))
		}
		return tournament.Finished{}, false
	}
	return tournament.Finished{
		Pairing: p, Result: o.Result, Plies: o.Plies, Seconds: [2]float64{seconds(o.Used[0]), seconds(o.Used[1])}, Data: played,
	}, true
}

// sink appends an event to the journal. Its errors repeat for every later event
// and are reported once, when the game is kept.
func (r *matchRun) sink(e *journal.Event) {
	if err := r.dir.journal.Append(e); err != nil {
		kept := err // err itself must not escape: this is called for every move
		r.journalError.CompareAndSwap(nil, &kept)
	}
}

func gameID(p tournament.Pairing) string { return gameName(p.Index) }

func (r *matchRun) newGame(played *playedGame, seats [2]*seated) *match.Game {
	p := played.pairing
	g := &match.Game{
		ID: played.id, Rules: r.rules, Policy: r.policy, Rated: !r.cmd.Casual, Now: r.a.now, Round: p.Round, Pair: p.Pair,
	}
	for i, s := range seats {
		e := r.engines[s.engine]
		g.Sides[i] = match.Side{Player: s.player, Name: e.Name, Clock: e.Control, Limits: e.limits(), Margin: e.Margin, Suspend: e.Suspend}
	}
	if p.Opening >= 0 {
		o := r.openings[p.Opening]
		g.Position, g.Opening, g.OpeningName = o.Start, o.Steps, o.Name
	}
	played.seed = r.shuffles.deal(g, r.rules, p)
	played.commitment = g.Commitment
	return g
}
