package run

import (
	"context"
	"io"
	"time"

	"kibitz/internal/drain"
	"kibitz/match"
	"kibitz/opening"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/run/openings"
	"kibitz/tournament"
)

// beginnings are what the games of a run begin from.
type beginnings struct {
	set   *Settings
	rules rules.Rules
	with  *Deps
	seed  uint64
	made  *openings.Set // nil without openings, and while they are still to be made by chance
	list  []opening.Opening
}

// read reads the openings of a file or a suite. Those to be made by chance are
// only looked at.
func (b *beginnings) read() error {
	o := (*openings.Source)(b.set.Openings)
	if o == nil {
		return nil
	}
	if o.Random > 0 {
		_, err := openings.Order(b.rules, o, b.seed)
		return FaultAt("/openings", err)
	}
	return b.load(context.Background()) // which nothing interrupts: a file is read
}

// make makes the openings that are to be made by chance, and reports whether there were any.
func (b *beginnings) make(ctx context.Context) (bool, error) {
	if b.set.Openings == nil || b.made != nil {
		return false, nil
	}
	ctx, stop := drain.Context(ctx, b.with.Drain) // there is nothing to wind up
	defer stop()
	return true, b.load(ctx)
}

func (b *beginnings) load(ctx context.Context) error {
	maker := openings.Maker{Progress: b.with.Making, Engine: func(level int) (player.Player, error) {
		return openings.Judge(b.with.Launcher, b.rules, level)
	}}
	set, err := openings.Load(ctx, (*openings.Source)(b.set.Openings), maker, b.set.Folder, b.rules, b.seed)
	if err != nil {
		return FaultAt("/openings", err)
	}
	b.made, b.list = set, set.List
	return nil
}

// policy are the referee's rules of a game by some rules.
func (c *Config) policy(r rules.Rules) (p match.Policy, err error) {
	p = match.Policy{
		MaxMoves: c.MaxMoves, Start: time.Duration((c.StartLimit + 5) * float64(time.Second)),
		Stall: time.Duration(c.Stall * float64(time.Second)),
		Undo:  c.Casual, NoAbort: true, Retries: c.Illegal.Retries, Draw: match.DrawRule(c.Draw), Resign: match.ResignRule(c.Resign),
	}
	if c.Adjudicate != nil {
		p.Exact, err = c.Adjudicate.Rule(r)
	}
	return p, err
}

// seeds are the seed and the secret that is mixed into it: new ones of a source of randomness,
// unless an earlier run is repeated or taken up.
func (c *Config) seeds(random io.Reader) (s tournament.Seeds, err error) {
	var b [40]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return s, err
	}
	copy(s.Secret[:], b[:32])
	if c.Secret != "" {
		if s.Secret, err = tournament.ReadSeed(c.Secret); err != nil {
			return s, &Error{Path: "/secret", Want: err.Error()}
		}
	}
	if s.Seed = c.Seed; s.Seed == 0 {
		for _, x := range b[32:] {
			s.Seed = s.Seed<<8 | uint64(x)
		}
		s.Seed >>= 11 // what a TOML file and a JSON number hold exactly
	}
	return s, nil
}
