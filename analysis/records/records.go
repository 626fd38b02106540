// Package records analyses the games of records with one engine, and prints what it finds as
// tables and as JSON.
package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"kibitz/analysis"
	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/internal/plain"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Engine makes the engine for a game; whole tells that it can be asked for an analysis of a
// whole game at once.
type Engine func(r rules.Rules) (p player.Player, whole bool, err error)

// Analyst analyses games with one engine.
type Analyst struct {
	// File names where the games come from, Name the engine.
	File, Name string
	Engine     Engine
	Options    analysis.Options
	Open       func(game.Spec) (rules.Rules, error)
	// Scale is what evaluations of a game mean, for its review.
	Scale func(rules.Rules) analysis.Scale
	// W is written to; JSON writes objects, Quiet no table. Worst is how many of the worst
	// moves are listed.
	W           io.Writer
	JSON, Quiet bool
	Worst       int
	// Forbidden, if not nil, returns what the rules forbid the seat on turn, and whether it is one
	// that is forbidden anything; each such position then shows what the engine says of that.
	// Hash is what becomes of its table.
	Forbidden func(rules.State) (points []game.Point, limited bool)
	Hash      Hash
	// Warn is told what is wrong, Progress how many positions are done.
	Warn     func(text string)
	Progress func(done int)
	// Done are the games that were analysed, with evaluations.
	Done []*record.Game

	games []analysed
	p     player.Player
	spec  game.Spec // the game that p was built for
	// loaded tells that the engine has read its table.
	loaded bool
	mute   bool // the engine was said to report no evaluations
}

// Verdict is the error of an analysis that did not come to its end: what was found is shown.
type Verdict struct{ Text string }

func (v *Verdict) Error() string { return v.Text }

func verdict(format string, args ...any) error { return &Verdict{fmt.Sprintf(format, args...)} }

type analysed struct {
	number int
	line   *replay.Line
	game   analysis.Game
	full   [2]string // the names, and what the engines call themselves
	// forbidden are what may not be played, of the positions that were asked about.
	forbidden map[int]forbidden
}

// Load replays the games, of which the first has a number, and counts the positions.
func (n *Analyst) Load(list []*record.Game, first int) (positions int, err error) {
	for i, g := range list {
		l, err := replay.Play(g, n.Open)
		if err != nil {
			return 0, record.InFile(n.File, err)
		}
		if l.Illegal != nil {
			n.Warn(plain.OneLine(record.InFile(n.File, l.Illegal)) + "; what comes before is analysed")
		}
		x := analysed{number: first + i, line: l, game: analysis.Game{Line: l, Set: g.Start != "", Names: g.SeatNames()}, full: g.FullNames()}
		k, err := analysis.Count(x.game, n.Options)
		if err != nil {
			return 0, record.InFile(n.File, err)
		}
		if rule, _ := l.Rules.Spec().Option("rule"); n.Forbidden != nil && rule != "renju" {
			return 0, fmt.Errorf("%s: in %s nothing is forbidden, in gomoku:rule=renju points are", n.File, l.Rules.Spec())
		}
		positions += k
		n.games = append(n.games, x)
	}
	return positions, nil
}

// Records are the games as they were loaded, for whoever asks whether they can be written.
func (n *Analyst) Records() []*record.Game {
	out := make([]*record.Game, len(n.games))
	for i := range n.games {
		out[i] = n.games[i].line.Record()
	}
	return out
}

// Review judges the turns of one game.
func (n *Analyst) Review(ctx context.Context, g *record.Game) (*wire.Review, error) {
	l, err := replay.Play(g, n.Open)
	if err != nil {
		return nil, err
	}
	if err := n.engineFor(l.Rules); err != nil {
		return nil, err
	}
	o := n.Options
	o.ID = "review " + g.ID
	names := g.SeatNames()
	rep, err := analysis.Run(ctx, analysis.Game{Line: l, Set: g.Start != "", Names: names}, n.p, o)
	if f, ok := errors.AsType[*player.Failure](err); ok {
		return nil, fmt.Errorf("%s failed: %s", n.Name, f.Detail)
	}
	if err != nil {
		return nil, err
	}
	if rep.Cut {
		return nil, verdict("stopped")
	}
	return rep.Told(n.Scale(l.Rules)), nil
}

// All analyses every game. What was found before the engine failed, or before the
// analysis was stopped, is shown.
func (n *Analyst) All(ctx context.Context) error {
	before := 0
	for i := range n.games {
		x := &n.games[i]
		if err := n.engineFor(x.line.Rules); err != nil {
			return err
		}
		o := n.Options
		o.ID = "analysis " + strconv.Itoa(x.number)
		o.Progress = func(done int) { n.Progress(before + done) }
		x.forbidden = map[int]forbidden{}
		o.Before = func(ctx context.Context, p *analysis.Position) error { return n.before(ctx, x, p) }
		rep, err := analysis.Run(ctx, x.game, n.p, o)
		if rep == nil {
			return err
		}
		positions, _ := analysis.Count(x.game, n.Options) // Load has counted them
		before += positions
		n.Progress(before)
		if bad := n.show(x, rep); bad != nil {
			return bad
		}
		n.Done = append(n.Done, withEvals(x, rep))
		var f *player.Failure
		switch {
		case errors.As(err, &f):
			return verdict("%s failed in game %d: %s", n.Name, x.number, f.Detail)
		case err != nil:
			return verdict("game %d: %v", x.number, err)
		case rep.Cut:
			return verdict("stopped in game %d of %d: what came before the positions shown was not evaluated",
				x.number, n.games[len(n.games)-1].number)
		}
	}
	if err := n.leave(ctx); err != nil {
		return verdict("%v", err)
	}
	return nil
}

// Learn has the engine learn every game, and says how many it learned.
func (n *Analyst) Learn(ctx context.Context) (learned int, err error) {
	for i := range n.games {
		x := &n.games[i]
		if err := n.engineFor(x.line.Rules); err != nil {
			return learned, err
		}
		if err := analysis.Learn(ctx, x.game, n.p, n.Options); err != nil {
			return learned, verdict("%s did not learn game %d: %v", n.Name, x.number, err)
		}
		learned++
	}
	return learned, nil
}

// engineFor builds the engine for a game, unless it is there.
func (n *Analyst) engineFor(r rules.Rules) (err error) {
	if n.p != nil && n.spec == r.Spec() {
		return nil
	}
	n.Close()
	n.spec, n.loaded = r.Spec(), false
	n.p, n.Options.HasWhole, err = n.Engine(r)
	return err
}

// Close ends the engine.
func (n *Analyst) Close() {
	if n.p == nil {
		return
	}
	if err := n.p.Close(); err != nil {
		n.Warn(n.Name + ": " + plain.OneLine(err))
	}
	n.p = nil
}

// withEvals returns the record with what the analysis says of each turn: the
// evaluation that its last decision led to, as the mover sees it, and what would
// have been better.
func withEvals(x *analysed, rep *analysis.Report) *record.Game {
	g := x.line.Record()
	for i := range rep.Positions {
		p := &rep.Positions[i]
		last := p.Ply + len(p.Played) - 1
		if i+1 < len(rep.Positions) { // refused attempts stand between, chance behind
			last = rep.Positions[i+1].Ply - 1
		}
		for last >= p.Ply && (last >= len(g.Steps) || g.Steps[last].By != p.Seat) {
			last--
		}
		if !p.Wanted || !p.After.Known() || last < p.Ply {
			continue
		}
		s := &g.Steps[last]
		s.Info = &game.Info{Eval: p.After}
		if len(p.Lines) > 0 {
			s.Info.Depth, s.Info.Bound = p.Lines[0].Depth, p.Lines[0].Bound
		}
		if text := betterText(x.line.Rules, p); text != "" {
			if s.Comment != "" {
				s.Comment += "; "
			}
			s.Comment += text
		}
	}
	return g
}
