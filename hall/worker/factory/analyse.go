package factory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"kibitz/analysis"
	"kibitz/catalog"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/replay"
	"kibitz/rules"
	"kibitz/run/engines"
)

const (
	// newsEvery bounds how often the lines of a position are told anew.
	newsEvery = 150 * time.Millisecond
	// analysisMargin is what an engine may take beyond its time for a position.
	analysisMargin = 5 * time.Second
)

// usualAnalyses is how many positions a process of so many processors analyses at a time:
// games come first.
func usualAnalyses() int { return max(1, runtime.NumCPU()/2) }

// ServeAnalyses lets the factory analyse for halls, so many at a time; below 0 is the usual
// number, 0 none.
func (f *Factory) ServeAnalyses(a *bus.Analyses, places int) (stop func(), err error) {
	if places < 0 {
		places = usualAnalyses()
	}
	if places == 0 {
		return func() {}, nil
	}
	var hashes []string
	for _, e := range f.engines {
		hashes = append(hashes, e.Hash)
	}
	return a.ServeAnalyses(hashes, places, f.analyse)
}

// analyse is what bus.ServeAnalyses asks for.
func (f *Factory) analyse(ctx context.Context, q bus.Analysis, found func(bus.Analysed)) error {
	g, err := analysedGame(&q)
	if err != nil {
		return err
	}
	e, err := f.analyst(&q)
	if err != nil {
		return err
	}
	p, end, err := f.seat(&bus.Play{Game: q.ID}, e, g.Line.Rules, nil)
	if err != nil {
		return err
	}
	o := analysis.Options{
		Lines: q.Lines, To: -1, Limits: e.Limits(), Margin: analysisMargin, Cap: q.Time, ID: "analysis " + q.ID,
		Name: e.Name, Now: f.launcher.Now,
	}
	if q.Depth > 0 {
		o.Limits.Depth, o.Limits.Ordered = q.Depth, true
	}
	if q.Nodes > 0 {
		o.Limits.Nodes = q.Nodes
	}
	if len(e.Cmd) > 0 || e.Bot == "9" { // the others know by themselves when they are done
		o.Budget, o.Cap = q.Time, q.Time+analysisMargin
	}
	err = askAnalyst(ctx, &q, g, p, e, o, found)
	if bad := end(); bad != nil {
		f.warn(fmt.Sprintf("analysis %s: %s", q.ID, plain.OneLine(bad)))
	}
	if f, ok := errors.AsType[*player.Failure](err); ok {
		return fmt.Errorf("%s failed: %s", e.Name, plain.OneLine(errors.New(f.Detail)))
	}
	return err
}

// askAnalyst runs the analysis and tells what is found.
func askAnalyst(ctx context.Context, q *bus.Analysis, g analysis.Game, p player.Player, e *engines.Spec, o analysis.Options,
	found func(bus.Analysed),
) error {
	done, all := 0, 0
	var told time.Time
	o.Heard = func(at *analysis.Position, lines []game.Info) {
		if now := o.Now(); now.Sub(told) >= newsEvery {
			told = now
			found(analysedNews(at, lines, false, done, all))
		}
	}
	o.Found = func(at *analysis.Position) {
		done++
		found(analysedNews(at, at.Lines, true, done, all))
	}
	if !q.Whole {
		_, err := analysis.At(ctx, g, g.Line.Len(), len(e.Cmd) > 0, p, o)
		return err
	}
	var err error
	if all, err = analysis.Count(g, o); err != nil {
		return err
	}
	rep, err := analysis.Run(ctx, g, p, o)
	if err == nil && !rep.Cut {
		scale, _ := catalog.Of(g.Line.Rules).Scale.Get()
		found(bus.Analysed{Lines: []bus.AnalysedLine{}, Review: rep.Told(scale)})
	}
	return err
}

// analysedGame plays what is to be analysed.
func analysedGame(q *bus.Analysis) (analysis.Game, error) {
	rec := &record.Game{Spec: q.Spec, Start: q.Position}
	for i, text := range q.Moves {
		m, err := journal.ParseMove(text)
		if err != nil {
			return analysis.Game{}, fmt.Errorf("decision %d: %w", i+1, err)
		}
		rec.Steps = append(rec.Steps, record.Step{By: game.Nobody, Move: m})
	}
	l, err := replay.Play(rec, games.OpenSpec)
	if err == nil && l.Illegal != nil {
		err = l.Illegal
	}
	if err != nil {
		return analysis.Game{}, errors.New(plain.OneLine(err))
	}
	return analysis.Game{Line: l, Set: q.Position != "", Names: [2]string{"first", "second"}}, nil
}

// analyst returns the engine that is asked for, without any clock.
func (f *Factory) analyst(q *bus.Analysis) (*engines.Spec, error) {
	if q.Hash != "" {
		e, err := f.engine(&bus.Seat{Engine: q.Engine, Hash: q.Hash}, q.Spec.ID())
		if err == nil {
			e.Control, e.Ponder, e.Suspend = clock.Control{}, false, false
		}
		return e, err
	}
	e, err := engines.Parse("", q.Engine)
	if err == nil && e.Bot == "" {
		err = fmt.Errorf("%q is no built-in engine: write bot=1 to bot=9", game.Shown(q.Engine, 40))
	}
	return e, err
}

// analysedNews is what is told of a position.
func analysedNews(p *analysis.Position, lines []game.Info, final bool, done, all int) bus.Analysed {
	out := bus.Analysed{Ply: p.Ply, Seat: p.Seat, Lines: []bus.AnalysedLine{}, Final: final, Done: done, All: all}
	for i := range lines {
		in := &lines[i]
		l := bus.AnalysedLine{Depth: in.Depth, Nodes: in.Nodes, Time: in.Time, Exact: in.Bound == game.Exact || in.Bound == game.WinLoss}
		if in.Eval.Known() && !math.IsInf(in.Eval.Lo, 0) && !math.IsInf(in.Eval.Hi, 0) {
			l.Eval = in.Eval
		}
		for _, m := range in.PV {
			l.Moves = append(l.Moves, journal.FormatMove(m))
		}
		if len(l.Moves) == 0 {
			l.Text = game.Shown(in.Text, 200)
		}
		out.Lines = append(out.Lines, l)
	}
	return out
}

// judgeTime is how long the judge of a turn thinks about a position.
const judgeTime = 700 * time.Millisecond

// judge returns what the turn of some decisions lost that began after ply of them, in percent of the
// chance to win; 0 where that is not known.
func (f *Factory) judge(ctx context.Context, p *bus.Play, r rules.Rules, moves []game.Move, ply int) (float64, error) {
	g, err := analysedGame(&bus.Analysis{Spec: p.Spec, Position: p.Position, Moves: journal.FormatMoves(moves)})
	if err != nil {
		return 0, err
	}
	who, err := f.adviser(p, r)
	if err != nil {
		return 0, err
	}
	defer who.Close() //nolint:errcheck // what it found stands
	rep, err := analysis.Run(ctx, g, who, analysis.Options{
		From: ply, To: ply, Budget: judgeTime, Margin: analysisMargin, Cap: judgeTime,
		ID: "judge of " + p.Game, Name: "the judge", Now: f.launcher.Now,
	})
	if err != nil {
		return 0, err
	}
	scale, _ := catalog.Of(r).Scale.Get()
	for i, t := range rep.Review(scale).Turns {
		if rep.Positions[i].Ply == ply {
			return t.Lost, nil
		}
	}
	return 0, nil
}
