package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
)

func (r *matchRun) readEngines() error {
	for i, words := range r.cmd.Engine {
		e, err := r.newEngine(words)
		if err != nil {
			return run.EngineFault(i, err)
		}
		r.engines = append(r.engines, e)
	}
	engines.SharePlace(r.engines)
	r.names = engines.UniqueNames(r.engines)
	return nil
}

// newEngine makes an engine of this run.
func (r *matchRun) newEngine(words engines.Words) (*engineSpec, error) {
	e, err := r.cmd.Folder.New(r.cmd.Each, words)
	if err != nil {
		return nil, err
	}
	if e.Human && (r.cmd.Concurrency > 1 || r.cmd.JSON) {
		return nil, &engines.Error{Text: e.Text, Key: "human", Err: errors.New("a person plays one game at a time and without --json")}
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
	if err := r.readOpenings(); err != nil {
		return err
	}
	r.plan = r.cmd.Plan(len(r.engines), len(r.openings))
	if _, fixed := r.rules.(rules.Shuffler); fixed && r.cmd.Repeat {
		if err := checkPairs(r.engines); err != nil {
			return err
		}
	}
	return r.plan.Check()
}

// readOpenings reads the openings of a file or a suite. Those to be made by chance are
// only looked at.
func (r *matchRun) readOpenings() (err error) {
	o := r.cmd.Openings
	if o == nil {
		return nil
	}
	if o.Random > 0 {
		if _, err := newOrder(r.rules, o.Random, o.Plies, o.Level, o.Within, r.seeds.Seed); err != nil {
			return &run.Error{Path: "/openings", Want: err.Error()}
		}
		return nil
	}
	if r.opened, err = loadOpenings(r.a, o, r.cmd.Folder, r.rules, r.seeds.Seed); err == nil {
		r.openings = r.opened.list
	}
	return err
}

// makeOpenings makes the openings that are to be made by chance.
func (r *matchRun) makeOpenings() (err error) {
	if r.cmd.Openings == nil || r.opened != nil {
		return nil
	}
	if r.opened, err = loadOpenings(r.a, r.cmd.Openings, r.cmd.Folder, r.rules, r.seeds.Seed); err != nil {
		return err
	}
	r.openings = r.opened.list
	r.plan.Openings = len(r.openings)
	r.direct()
	return nil
}

func (r *matchRun) readPolicy() (err error) {
	c := r.cmd
	r.policy = match.Policy{
		MaxMoves: c.MaxMoves, Start: time.Duration((c.StartLimit + 5) * float64(time.Second)),
		Stall: time.Duration(c.Stall * float64(time.Second)),
		Undo:  c.Casual, NoAbort: true, Retries: c.Illegal.Retries, Draw: match.DrawRule(c.Draw), Resign: match.ResignRule(c.Resign),
	}
	if c.Adjudicate != nil {
		r.policy.Exact, err = c.Adjudicate.Rule(r.rules)
	}
	return err
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
			return &run.Error{Path: "/secret", Want: err.Error()}
		}
	}
	if r.seeds.Seed = r.cmd.Seed; r.seeds.Seed == 0 {
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
func (r *matchRun) CheckAbilities() error {
	for i, e := range r.engines {
		if err := r.checkAbility(e); err != nil {
			return run.EngineFault(i, err)
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
	if r.cmd.Openings != nil && start < player.FromHistory || start < player.FromPosition && slices.ContainsFunc(r.openings, hasStart) {
		return fmt.Errorf("engine %s cannot start from an opening", e.Name)
	}
	if r.cmd.Draw.Count > 0 || r.cmd.Resign.Count > 0 {
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
