package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kibitz/analysis"
	analysed "kibitz/analysis/records"
	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/games/gomoku"
	"kibitz/internal/plain"
	"kibitz/player"
	"kibitz/record/formats"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/term/progress"
)

type analyzeCmd struct {
	File      string `arg:"" help:"Record in any format; - reads stdin."`
	Engine    string `required:"" help:"Engine that evaluates, key=value words; st=, depth= and nodes= bound each position." placeholder:"S"`
	Game      string `help:"Game with options, for formats that do not say them." placeholder:"G"`
	From      string `help:"Format, if the extension does not say." placeholder:"F"`
	Number    *int   `help:"Analyse only game number N of the file." placeholder:"N"`
	Ply       string `help:"Only the positions after A to B decisions: A..B, A.., ..B or one number." placeholder:"A..B"`
	Lines     int    `default:"1" help:"How many first moves to evaluate, where the engine can."`
	Method    string `default:"auto" enum:"auto,analyze,hint,search" help:"Ask the engine for an analysis of the whole game (analyze), of each position (hint), or for a move in each (search); auto takes the first that it has."`
	Forbidden bool   `help:"Show what is forbidden to black in each position of renju: what the engine says (Yixin dialect) and where the rules say otherwise; of a built-in engine the rules."`
	HashLoad  string `name:"hash-load" help:"Have the engine read its table of positions first (Yixin dialect)." placeholder:"FILE"`
	HashDump  string `name:"hash-dump" help:"Have the engine write its table in the end." placeholder:"FILE"`
	HashClear bool   `name:"hash-clear" help:"Have the engine empty its table before each position."`
	HashUsage bool   `name:"hash-usage" help:"Tell in the end how full the engine says its table is."`
	Learn     bool   `help:"Have the engine learn the games, where its protocol can (NBoard), and evaluate nothing."`
	Worst     int    `default:"5" help:"How many of the worst moves to list."`
	Out       string `help:"Write the games with the evaluations: .json, .ggf or .sgf." placeholder:"FILE"`
	To        string `help:"Format of --out, if the extension does not say." placeholder:"F"`
	JSON      bool   `name:"json" help:"One JSON object for each position, then one for the game."`
	Quiet     bool   `help:"Print no table and no progress, only what the games come to."`
}

// Help returns the example that --help shows.
func (analyzeCmd) Help() string {
	return "Examples: kibitz analyze game.ggf --engine 'bot=9 st=2'\n" +
		"          kibitz analyze game.psq --engine 'cmd=./pbrain-mine dialect.yixin=true st=5' --lines 3\n" +
		"          kibitz analyze games.jsonl --number 7 --ply 20..40 --engine 'bot=9 depth=10' --out seen.sgf"
}

// defaultThought bounds a position where the engine's words and its level do not.
const defaultThought = time.Second

// holdEvals are the formats that keep evaluations.
var holdEvals = []string{"json", "ggf", "sgf"}

// Run analyses the games of a record one after the other.
func (c analyzeCmd) Run(a *app) error {
	e, err := analyst("--engine", c.Engine)
	if err != nil {
		return err
	}
	from, to, err := analysis.ParsePlies(c.Ply)
	if err != nil {
		return fmt.Errorf("--ply %s: %w", c.Ply, err)
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
	for _, file := range []*string{&c.HashLoad, &c.HashDump} {
		if *file != "" {
			if *file, err = filepath.Abs(*file); err != nil { // the engine runs in its own folder
				return err
			}
		}
	}
	list, err := loadRecords(a, c.File, c.Game, c.From)
	if err != nil {
		return err
	}
	if list, err = onlyGame(list, "--number", number, c.File); err != nil {
		return err
	}
	e.Learn = c.Learn
	done, err := a.launcher().Ready(a.ctx, e)
	if err != nil {
		return err
	}
	defer done()
	n := newAnalyst(a, e)
	n.File, n.W, n.JSON, n.Quiet, n.Worst = c.File, a.stdout, c.JSON, c.Quiet, c.Worst
	n.Hash = analysed.Hash{Load: c.HashLoad, Dump: c.HashDump, Clear: c.HashClear, Usage: c.HashUsage}
	if c.Forbidden {
		n.Forbidden = forbiddenToBlack
	}
	n.Options.Method, n.Options.From, n.Options.To, n.Options.Lines = analysis.Method(c.Method), from, to, c.Lines
	defer n.Close()
	total, err := n.Load(list, max(1, number))
	if err != nil {
		return err
	}
	if c.Learn {
		return learn(a, n)
	}
	if total == 0 {
		return fmt.Errorf("%s: no position to evaluate%s", c.File, plain.Prefixed(" in --ply ", c.Ply))
	}
	if out.Write != nil {
		if err := out.CanSave(c.Out, n.Records()); err != nil {
			return fmt.Errorf("--out %s: %w", c.Out, err)
		}
	}
	bar := progress.NewBar(a.stderr, total, "positions", c.Quiet)
	defer bar.Close()
	n.Progress = bar.Set
	err = ofVerdict(n.All(a.ctx))
	if out.Write != nil && len(n.Done) > 0 {
		err = errors.Join(err, saveOut(a, &out, c.Out, n.Done))
	}
	return err
}

// forbiddenToBlack returns the points of renju on which black loses, and whether it is on turn.
func forbiddenToBlack(s rules.State) (points []game.Point, black bool) {
	st, ok := s.(*gomoku.State)
	return gomoku.Forbidden(s), ok && st.Next() == gomoku.Black
}

// learn has the engine learn the games that were loaded.
func learn(a *app, n *analysed.Analyst) error {
	learned, err := n.Learn(a.ctx)
	if learned > 0 {
		fmt.Fprintf(a.stderr, "%s learned %s\n", n.Name, plain.Count(learned, "game"))
	}
	return ofVerdict(err)
}

// ofVerdict makes a bad verdict of what an analysis says of its engine.
func ofVerdict(err error) error {
	if v, ok := errors.AsType[*analysed.Verdict](err); ok {
		return badVerdict("%s", v.Text)
	}
	return err
}

// engineOf makes the engine for each game. Only NBoard has a command for whole games.
func engineOf(a *app, e *engineSpec) analysed.Engine {
	return func(r rules.Rules) (player.Player, bool, error) {
		p, err := a.launcher().Player(e, r, 0, nil)
		if err != nil || len(e.Cmd) == 0 {
			return p, false, err
		}
		proto, err := catalog.ProtocolFor(r.Spec().ID(), e.Proto)
		return p, err == nil && proto.ID == "nboard", nil
	}
}

// scaleOf is what evaluations of a game mean.
func scaleOf(r rules.Rules) analysis.Scale {
	s, _ := catalog.Of(r).Scale.Get()
	return s
}

// newAnalyst makes what judges every turn of games, by its engine's words.
func newAnalyst(a *app, e *engineSpec) *analysed.Analyst {
	return &analysed.Analyst{
		Name: e.Name, Engine: engineOf(a, e), Open: games.OpenSpec, Scale: scaleOf, Warn: a.warn,
		Options: analysis.Options{
			Method: analysis.Auto, To: -1, Lines: 1, Limits: e.Limits(), Budget: e.Control.Turn, Margin: e.Margin, Stop: a.drain,
			Name: e.Name, Now: a.now,
		},
	}
}

// analyst reads an engine that analyses; errors call it as is said.
func analyst(called, words string) (*engineSpec, error) {
	e, err := engines.Parse("", words)
	if err != nil {
		return nil, err
	}
	if e.Human {
		return nil, fmt.Errorf("%s %q: a person evaluates no positions; use cmd= or bot=", called, words)
	}
	if e.Control.Timed() {
		return nil, fmt.Errorf("%s %q: an analysis has no game clock; bound each position with st=, depth= or nodes=", called, words)
	}
	if e.Control.Turn == 0 && e.Depth == 0 && e.Nodes == 0 && (len(e.Cmd) > 0 || e.Bot == "9") {
		e.Control.Turn = defaultThought
	}
	return e, nil
}

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
