package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/analysis"
	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/replay"
	"kibitz/run/engines"
)

type analyzeCmd struct {
	File   string `arg:"" help:"Record in any format; - reads stdin."`
	Engine string `required:"" help:"Engine that evaluates, key=value words; st=, depth= and nodes= bound each position." placeholder:"S"`
	Game   string `help:"Game with options, for formats that do not say them." placeholder:"G"`
	From   string `help:"Format, if the extension does not say." placeholder:"F"`
	Number *int   `help:"Analyse only game number N of the file." placeholder:"N"`
	Ply    string `help:"Only the positions after A to B decisions: A..B, A.., ..B or one number." placeholder:"A..B"`
	Lines  int    `default:"1" help:"How many first moves to evaluate, where the engine can."`
	Method string `default:"auto" enum:"auto,analyze,hint,search" help:"Ask the engine for an analysis of the whole game (analyze), of each position (hint), or for a move in each (search); auto takes the first that it has."`
	Worst  int    `default:"5" help:"How many of the worst moves to list."`
	Out    string `help:"Write the games with the evaluations: .json, .ggf or .sgf." placeholder:"FILE"`
	To     string `help:"Format of --out, if the extension does not say." placeholder:"F"`
	JSON   bool   `name:"json" help:"One JSON object for each position, then one for the game."`
	Quiet  bool   `help:"Print no table and no progress, only what the games come to."`
}

// Help returns the example that --help shows.
func (analyzeCmd) Help() string {
	return "Examples: kibitz analyze game.ggf --engine 'bot=9 st=2'\n" +
		"          kibitz analyze game.psq --engine 'cmd=./pbrain-mine dialect.yixin=on st=5' --lines 3\n" +
		"          kibitz analyze games.jsonl --number 7 --ply 20..40 --engine 'bot=9 depth=10' --out seen.sgf"
}

// defaultThought bounds a position where the engine's words and its level do not.
const defaultThought = time.Second

// holdEvals are the formats that keep evaluations.
var holdEvals = []string{"json", "ggf", "sgf"}

// Run analyses the games of a record one after the other.
func (c analyzeCmd) Run(a *app) error {
	e, err := c.engine()
	if err != nil {
		return err
	}
	from, to, err := parsePlies(c.Ply)
	if err != nil {
		return err
	}
	if c.Lines < 1 || c.Worst < 0 {
		return fmt.Errorf("--lines %d --worst %d: must be 1 or more, and 0 or more", c.Lines, c.Worst)
	}
	out, err := c.output()
	if err != nil {
		return err
	}
	number, err := fromOne("--number", c.Number)
	if err != nil {
		return err
	}
	list, err := loadRecords(a, c.File, c.Game, c.From)
	if err != nil {
		return err
	}
	if list, err = onlyNumber(list, number, c.File); err != nil {
		return err
	}
	done, err := a.launcher().Ready(a.ctx, e)
	if err != nil {
		return err
	}
	defer done()
	n := newAnalyst(a, &c, e, analysis.Options{
		Method: analysis.Method(c.Method), From: from, To: to, Lines: c.Lines, Limits: e.Limits(), Budget: e.Control.Turn, Margin: e.Margin, Stop: a.drain,
	})
	defer n.close()
	if err := n.load(list, max(1, number)); err != nil {
		return err
	}
	if err := c.canWrite(out, n.games); err != nil {
		return err
	}
	err = n.all()
	if out.Write != nil {
		err = errors.Join(err, c.write(a, out, n.done))
	}
	return err
}

// engine reads the engine that analyses.
func (c *analyzeCmd) engine() (*engineSpec, error) {
	e, err := engines.Parse("", c.Engine)
	if err != nil {
		return nil, err
	}
	if e.Human {
		return nil, fmt.Errorf("--engine %q: a person evaluates no positions; use cmd= or bot=", c.Engine)
	}
	if e.Control.Timed() {
		return nil, fmt.Errorf("--engine %q: an analysis has no game clock; bound each position with st=, depth= or nodes=", c.Engine)
	}
	if e.Control.Turn == 0 && e.Depth == 0 && e.Nodes == 0 && (len(e.Cmd) > 0 || e.Bot == "9") {
		e.Control.Turn = defaultThought
	}
	return e, nil
}

// output finds the format of --out.
func (c *analyzeCmd) output() (formats.Format, error) {
	if c.Out == "" {
		return formats.Format{}, nil
	}
	f, err := records().Find(c.Out, c.To)
	if err != nil {
		return f, err
	}
	if !slices.Contains(holdEvals, f.ID) {
		return f, fmt.Errorf("--out %s: format %s holds no evaluations: those that do are %s", c.Out, f.ID, strings.Join(holdEvals, " "))
	}
	return f, nil
}

// canWrite returns why the games could not be written once they are analysed.
func (c *analyzeCmd) canWrite(f formats.Format, list []analysed) error {
	if f.Write == nil {
		return nil
	}
	if st, err := os.Stat(filepath.Dir(c.Out)); err != nil {
		return fmt.Errorf("--out %s: %w", c.Out, err)
	} else if !st.IsDir() {
		return fmt.Errorf("--out %s: %s is no folder", c.Out, filepath.Dir(c.Out))
	}
	records := make([]*record.Game, len(list))
	for i := range list {
		records[i] = list[i].line.Record()
	}
	if err := f.Write(io.Discard, records); err != nil {
		return fmt.Errorf("--out %s: %w", c.Out, err)
	}
	return nil
}

// write writes the analysed games.
func (c *analyzeCmd) write(a *app, f formats.Format, list []*record.Game) error {
	if len(list) == 0 {
		return nil
	}
	if _, err := f.Save(c.Out, list); err != nil {
		return fmt.Errorf("--out %s: %w", c.Out, err)
	}
	fmt.Fprintf(a.stderr, "%s written to %s (%s)\n", plain.Count(len(list), "game"), c.Out, f.Title)
	return nil
}

// onlyNumber is onlyGame for --number.
func onlyNumber(list []*record.Game, n int, file string) ([]*record.Game, error) {
	if n > len(list) {
		return nil, fmt.Errorf("--number %d: %s has %s", n, file, plain.Count(len(list), "game"))
	}
	return onlyGame(list, n, file)
}

// parsePlies reads A..B; to is -1 where it is open.
func parsePlies(text string) (from, to int, err error) {
	if text == "" {
		return 0, -1, nil
	}
	bad := fmt.Errorf("--ply %s: must be A..B, A.., ..B or one number, counted in decisions from 0", text)
	number := func(s string, open int) (int, error) {
		if s == "" {
			return open, nil
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return 0, bad
		}
		return n, nil
	}
	a, b, isRange := strings.Cut(text, "..")
	if from, err = number(a, 0); err != nil {
		return 0, 0, err
	}
	if !isRange {
		return from, from, nil
	}
	if to, err = number(b, -1); err != nil {
		return 0, 0, err
	}
	if to >= 0 && to < from || a == "" && b == "" {
		return 0, 0, bad
	}
	return from, to, nil
}

// analyst analyses games with one engine.
type analyst struct {
	a     *app
	c     *analyzeCmd
	e     *engineSpec
	o     analysis.Options
	games []analysed
	done  []*record.Game // with evaluations
	p     player.Player
	spec  game.Spec // the game that p was built for
	bar   *analysisBar
	mute  bool // the engine was said to report no evaluations
}

// analysed is one game to analyse.
type analysed struct {
	number int
	rec    *record.Game
	line   *replay.Line
	game   analysis.Game
}

func newAnalyst(a *app, c *analyzeCmd, e *engineSpec, o analysis.Options) *analyst {
	o.Name, o.Now = e.Name, a.now
	return &analyst{a: a, c: c, e: e, o: o}
}

// load replays the games and counts the positions.
func (n *analyst) load(list []*record.Game, first int) error {
	total := 0
	for i, g := range list {
		l, err := replay.Play(g, games.OpenSpec)
		if err != nil {
			return record.InFile(n.c.File, err)
		}
		if l.Illegal != nil {
			fmt.Fprintf(n.a.stderr, "kibitz: %s; what comes before is analysed\n", plain.OneLine(record.InFile(n.c.File, l.Illegal)))
		}
		x := analysed{number: first + i, rec: g, line: l, game: analysis.Game{Line: l, Set: g.Start != "", Names: g.SeatNames()}}
		positions, err := analysis.Count(x.game, n.o)
		if err != nil {
			return record.InFile(n.c.File, err)
		}
		total += positions
		n.games = append(n.games, x)
	}
	if total == 0 {
		return fmt.Errorf("%s: no position to evaluate%s", n.c.File, where(n.c.Ply))
	}
	n.bar = newAnalysisBar(n.a, total, n.c.Quiet)
	return nil
}

func where(plies string) string {
	if plies == "" {
		return ""
	}
	return " in --ply " + plies
}

// all analyses every game. What was found before the engine failed, or before the
// analysis was stopped, is shown.
func (n *analyst) all() error {
	before := 0
	for i := range n.games {
		x := &n.games[i]
		if err := n.engineFor(x.line.Rules.Spec()); err != nil {
			return err
		}
		o := n.o
		o.ID = "analysis " + strconv.Itoa(x.number)
		o.Progress = func(done int) { n.bar.set(before + done) }
		rep, err := analysis.Run(n.a.ctx, x.game, n.p, o)
		if rep == nil {
			return err
		}
		positions, _ := analysis.Count(x.game, n.o) // load has counted them
		before += positions
		n.bar.set(before)
		if bad := n.show(x, rep); bad != nil {
			return bad
		}
		n.done = append(n.done, withEvals(x, rep))
		var f *player.Failure
		switch {
		case errors.As(err, &f):
			return badVerdict("%s failed in game %d: %s", n.e.Name, x.number, f.Detail)
		case err != nil:
			return badVerdict("game %d: %v", x.number, err)
		case rep.Cut:
			return badVerdict("stopped in game %d of %d: what came before the positions shown was not evaluated", x.number, n.games[len(n.games)-1].number)
		}
	}
	return nil
}

// engineFor builds the engine for a game, unless it is there.
func (n *analyst) engineFor(spec game.Spec) error {
	if n.p != nil && n.spec == spec {
		return nil
	}
	n.close()
	r, err := games.OpenSpec(spec)
	if err != nil {
		return err
	}
	if n.p, err = n.a.launcher().Player(n.e, r, 0, nil); err != nil {
		return err
	}
	n.spec, n.o.HasWhole = spec, false
	if len(n.e.Cmd) > 0 {
		proto, err := catalog.ProtocolFor(spec.ID(), n.e.Proto)
		n.o.HasWhole = err == nil && proto.ID == "nboard"
	}
	return nil
}

func (n *analyst) close() {
	if n.bar != nil {
		n.bar.close()
	}
	if n.p != nil {
		if err := n.p.Close(); err != nil {
			fmt.Fprintf(n.a.stderr, "kibitz: %s: %s\n", n.e.Name, plain.OneLine(err))
		}
		n.p = nil
	}
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
