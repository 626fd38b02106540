package main

import (
	"crypto/rand"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/tournament"
)

func (r *matchRun) readEngines() error {
	for _, text := range r.cmd.Engine {
		e, err := r.newEngine(text)
		if err != nil {
			return err
		}
		r.engines = append(r.engines, e)
	}
	if len(r.engines) < 2 {
		return fmt.Errorf("a match needs at least two engines: give --engine twice or more")
	}
	engines.SharePlace(r.engines)
	r.names = engines.UniqueNames(r.engines)
	return nil
}

// newEngine reads the specification of an engine of this run.
func (r *matchRun) newEngine(text string) (*engineSpec, error) {
	e, err := engines.Parse(r.cmd.Each, text)
	if err != nil {
		return nil, err
	}
	if e.Human && (r.cmd.Concurrency > 1 || r.cmd.JSON) {
		return nil, fmt.Errorf("engine %q: a person plays one game at a time and without --json", text)
	}
	if secludes(r.rules) {
		if err := e.ByDefault("files=ro"); err != nil {
			return nil, err
		}
	}
	e.StartLimit = time.Duration(r.cmd.StartLimit * float64(time.Second))
	e.Direct = r.cmd.Concurrency <= runtime.GOMAXPROCS(0)
	return e, nil
}

func (r *matchRun) readPlan() error {
	c := r.cmd
	switch {
	case c.Concurrency < 1:
		return fmt.Errorf("--concurrency %d: must be at least 1", c.Concurrency)
	case c.Concurrency > mostAtATime:
		return fmt.Errorf("--concurrency %d: must be at most %d", c.Concurrency, mostAtATime)
	}
	if err := r.readOpenings(); err != nil {
		return err
	}
	r.plan = c.plan(len(r.engines), len(r.openings))
	if _, fixed := r.rules.(rules.Shuffler); fixed && c.Repeat {
		if err := checkPairs(r.engines); err != nil {
			return err
		}
	}
	return r.plan.Check()
}

// mostAtATime is how many games can be asked for at a time.
const mostAtATime = 1000

// readOpenings reads the openings of a file or a suite. Those to be made by chance are
// only looked at.
func (r *matchRun) readOpenings() error {
	if r.cmd.Openings == "" {
		return nil
	}
	o, err := parseOpenings(r.cmd.Openings)
	if err != nil {
		return err
	}
	if o.random > 0 {
		if _, err := newOrder(r.rules, o.random, o.plies, o.level, o.within, r.seeds.Seed); err != nil {
			return fmt.Errorf("--openings: %w", err)
		}
		return nil
	}
	if r.opened, err = loadOpenings(r.a, r.cmd.Openings, r.rules, r.seeds.Seed); err == nil {
		r.openings = r.opened.list
	}
	return err
}

// makeOpenings makes the openings that are to be made by chance.
func (r *matchRun) makeOpenings() (err error) {
	if r.cmd.Openings == "" || r.opened != nil {
		return nil
	}
	if r.opened, err = loadOpenings(r.a, r.cmd.Openings, r.rules, r.seeds.Seed); err != nil {
		return err
	}
	r.openings = r.opened.list
	r.plan.Openings = len(r.openings)
	r.direct()
	return nil
}

// readTieBreaks reads what orders engines of equal points.
func (r *matchRun) readTieBreaks() (err error) {
	r.breaks = tournament.DefaultTieBreaks(r.plan.Format)
	if r.cmd.TieBreaks != "" {
		r.breaks, err = tournament.ParseTieBreaks(r.cmd.TieBreaks)
	}
	return err
}

// readSPRT sets up the sequential test. It counts pairs where each opening is
// played twice and the model knows them.
func (r *matchRun) readSPRT() error {
	if r.cmd.SPRT == "" {
		return nil
	}
	t, err := rating.ParseTest(r.cmd.SPRT)
	if err != nil {
		return fmt.Errorf("--sprt: %w", err)
	}
	if len(r.engines) != 2 {
		return fmt.Errorf("--sprt tests the first of two engines against the second, %d are given", len(r.engines))
	}
	r.sprt = t.Start(r.cmd.Repeat && t.Model.Pairs())
	return nil
}

func (r *matchRun) readPolicy() error {
	c := r.cmd
	if err := c.checkNumbers(); err != nil {
		return err
	}
	r.policy = match.Policy{
		MaxMoves: c.MaxMoves, Start: time.Duration((c.StartLimit + 5) * float64(time.Second)), Stall: time.Duration(c.Stall * float64(time.Second)),
		Undo: c.Casual, NoAbort: true,
	}
	if n, ok := strings.CutPrefix(c.Illegal, "retry:"); ok {
		k, err := strconv.Atoi(n)
		if err != nil || k < 0 {
			return fmt.Errorf("--illegal %s: write lose, usual or retry:N", c.Illegal)
		}
		r.policy.Retries = k
	} else if c.Illegal != "lose" && c.Illegal != "usual" {
		return fmt.Errorf("--illegal %s: write lose, usual or retry:N", c.Illegal)
	}
	if c.Adjudicate != "" {
		var err error
		if r.policy.Exact, err = exactRule(c.Adjudicate, r.rules); err != nil {
			return err
		}
	}
	var err error
	if r.policy.Draw, err = drawRule("--draw", c.Draw); err != nil {
		return err
	}
	r.policy.Resign, err = resignRule("--resign", c.Resign)
	return err
}

// drawRule reads "move=40 count=8 score=10"; nothing is no rule.
func drawRule(flag, text string) (match.DrawRule, error) {
	if text == "" {
		return match.DrawRule{}, nil
	}
	v, err := parseNumbers(flag, text, "move", "count", "score")
	return match.DrawRule{FromMove: int(v["move"]), Count: int(v["count"]), Score: v["score"]}, err
}

// resignRule reads "count=3 score=900"; nothing is no rule.
func resignRule(flag, text string) (match.ResignRule, error) {
	if text == "" {
		return match.ResignRule{}, nil
	}
	v, err := parseNumbers(flag, text, "count", "score")
	return match.ResignRule{Count: int(v["count"]), Score: v["score"]}, err
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

// readSeed takes the seed and mixes a secret into it: a new one, unless an earlier
// run is repeated or taken up.
func (r *matchRun) readSeed() error {
	var b [40]byte
	if _, err := rand.Read(b[:]); err != nil {
		return err
	}
	copy(r.seeds.Secret[:], b[:32])
	if r.cmd.Secret != "" {
		var err error
		if r.seeds.Secret, err = readSeedText(r.cmd.Secret); err != nil {
			return fmt.Errorf("--secret: %w", err)
		}
	}
	if r.seeds.Seed = r.cmd.Seed; r.seeds.Seed > math.MaxInt64 {
		return fmt.Errorf("--seed %d: must be at most %d", r.seeds.Seed, math.MaxInt64)
	}
	if r.seeds.Seed == 0 {
		for _, x := range b[32:] {
			r.seeds.Seed = r.seeds.Seed<<8 | uint64(x)
		}
		r.seeds.Seed >>= 11 // what a TOML file and a JSON number hold exactly
	}
	r.shuffles = newShuffles(r.seeds, r.cmd.Repeat)
	return nil
}

// checkAbilities refuses before the match what an engine cannot do, and builds
// every player once, so that unusable switches are found before the first game.
func (r *matchRun) checkAbilities() error {
	for _, e := range r.engines {
		if err := r.checkAbility(e); err != nil {
			return err
		}
	}
	return nil
}

func (r *matchRun) checkAbility(e *engineSpec) error {
	p, err := r.a.launcher().Player(e, r.rules, 1, nil)
	if err != nil {
		return err
	}
	start := canStart(p, r.rules.Spec())
	if err := p.Close(); err != nil {
		return err
	}
	if r.cmd.Openings != "" && start < player.FromHistory || start < player.FromPosition && slices.ContainsFunc(r.openings, hasStart) {
		return fmt.Errorf("engine %s cannot start from an opening", e.Name)
	}
	if r.cmd.Draw != "" || r.cmd.Resign != "" {
		return reportsScores(e, r.rules.Spec())
	}
	return nil
}

func hasStart(o opening) bool { return o.Start != "" }

func reportsScores(e *engineSpec, spec game.Spec) error {
	if len(e.Cmd) == 0 {
		return nil
	}
	proto, err := catalog.ProtocolFor(spec.ID(), e.Proto)
	if err != nil {
		return err
	}
	if proto.Scores == game.NoUnit {
		return fmt.Errorf("--draw and --resign: engines of protocol %s report no scores (%s)", proto.ID, e.Name)
	}
	return nil
}
