// Package cgomoku plays what was written for c-gomoku-cli: it reads its options, numbers
// games and orders openings as it does, prints its lines and writes its files.
package cgomoku

import (
	"cmp"
	"fmt"
	"strings"

	"kibitz/match"
	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/compat"
	"kibitz/run/engines"
)

// Options are the options of c-gomoku-cli.
type Options struct {
	// Run are the settings of Kibitz that come nearest; schedule and openings are
	// c-gomoku-cli's own.
	Run                   run.Settings
	openings              string
	pos, random           bool
	srand                 int64
	pgn, sgf, msg         string
	sample                sample
	games, rounds         int
	resign, draw          [2]int // count, score
	drawAfter, size, rule int
	log, repeat           bool
	transform, gauntlet   bool
	losing, fatal, debug  bool
	board                 bool // the position is sent before each move
	engines               []Engine
	each                  Engine
}

// Engine is an engine of c-gomoku-cli; times are milliseconds, 0 is not given.
type Engine struct {
	cmd, name              string
	options                []string // "name=value"
	turn, match, increment int64
	nodes                  int64
	depth, threads         int
	memory, tolerance      int64
}

type sample struct {
	file   string
	freq   float64
	binary bool
}

// What c-gomoku-cli takes where nothing is given: bytes, and milliseconds.
const (
	usualMemory    = 367001600
	usualTolerance = 3000
)

// Read reads the command line of c-gomoku-cli.
func Read(args []string, warn func(string)) (*Options, error) {
	o := &Options{Run: run.Usual(), games: 1, rounds: 1, size: 15}
	isFlag := func(s string) bool { return strings.HasPrefix(s, "-") }
	if err := compat.Read("c-gomoku-cli", args, Known(o), isFlag, warn); err != nil {
		return nil, err
	}
	for i := range o.engines {
		o.engines[i].override(&o.each)
	}
	switch {
	case len(o.engines) < 2:
		return nil, fmt.Errorf("at least 2 engines are needed")
	case len(o.engines) > 2 && o.Run.SPRT != nil:
		return nil, fmt.Errorf("only 2 engines for SPRT")
	}
	for _, e := range o.engines {
		if e.cmd == "" {
			return nil, fmt.Errorf("-engine: cmd= is missing")
		}
	}
	return o, nil
}

// Known is what c-gomoku-cli knows and what becomes of it.
func Known(o *Options) []compat.Option {
	return []compat.Option{
		compat.Take("-engine", "an engine; keys below", func(p *compat.Args) error {
			e := Engine{memory: usualMemory, tolerance: usualTolerance}
			err := p.Table(EngineKeys(&e))
			o.engines = append(o.engines, e)
			return err
		}),
		compat.Take("-each", "keys for every engine, which count more than its own",
			func(p *compat.Args) error { return p.Table(EngineKeys(&o.each)) }),
		compat.Take("-concurrency", "games at a time", compat.Whole(&o.Run.Concurrency, 1)),
		compat.Take("-games", "games of each pair in a round", compat.Whole(&o.games, 1)),
		compat.Take("-rounds", "how often the whole is played", compat.Whole(&o.rounds, 1)),
		compat.Take("-gauntlet", "the first engine against the others", compat.On(&o.gauntlet)),
		compat.Take("-loseonly", "in a gauntlet, write only games that the first engine loses into files", compat.On(&o.losing)),
		compat.Take("-repeat", "each opening is played twice", compat.On(&o.repeat)),
		compat.Take("-transform", "openings are turned and mirrored, another way each time the list is through", compat.On(&o.transform)),
		compat.Take("-openings", "`file=` `type=offset\\|pos` `order=sequential\\|random` `srand=`; the same `srand` gives the same order as "+
			"there", compat.Words{
			"file=": compat.Text(&o.openings), "type=": compat.Second(&o.pos, "offset", "pos"),
			"order=": compat.Second(&o.random, "sequential", "random"), "srand=": compat.Count(&o.srand),
		}.Reader()),
		compat.Take("-rule", "0 freestyle, 1 exactly five, 4 renju", compat.One(func(p *compat.Args, v string) error {
			if v != "0" && v != "1" && v != "4" {
				return p.Must(v, "must be 0 (freestyle), 1 (exactly five) or 4 (renju)")
			}
			o.rule = int(v[0] - '0')
			return nil
		})),
		compat.Take("-boardsize", "5 to 22", compat.Within(&o.size, 5, 22)),
		compat.Take("-drawafter", "a draw with so many stones on the board", compat.Whole(&o.drawAfter, 0)),
		compat.Take("-draw", "count and score; the engines' evaluations are read, which c-gomoku-cli does not do", pair(&o.draw)),
		compat.Take("-resign", "count and score, as above; only the loser's evaluation counts", pair(&o.resign)),
		compat.Take("-sprt", "`elo0=` `elo1=` `alpha=` `beta=`, by its normal approximation",
			compat.Test(&o.Run.SPRT, rating.SPRT{Alpha: 0.05, Beta: 0.05, Model: "approximate"}, nil)),
		compat.Take("-pgn", "results without moves for rating programs, appended to the file", compat.Text(&o.pgn)),
		compat.Take("-sgf", "games, appended to the file", compat.Text(&o.sgf)),
		compat.Take("-msg", "what engines said with MESSAGE, appended to the file", compat.Text(&o.msg)),
		compat.Take("-log", "all lines of the engines in `c-gomoku-cli.N.log`, a file for each game at a time; lines about deadlines are "+
			"left out", compat.On(&o.log)),
		compat.Take("-debug", "turns on -log and prints what engines say when a game ends; boards are not drawn", compat.On(&o.debug, &o.log)),
		compat.Take("-fatalerror", "the first engine that fails ends the run with status 1", compat.On(&o.fatal)),
		compat.Take("-sample", "`freq=` `file=` `format=csv\\|bin`; `bin_lz4` is refused", o.sample.read),
		compat.Take("-sendbyboard", "the position is sent with BOARD before each move", compat.On(&o.board)),
	}
}

// EngineKeys are the keys of an engine.
func EngineKeys(e *Engine) []compat.Option {
	return []compat.Option{
		compat.Take("cmd=", "command line; the engine runs in the folder of its executable", compat.Text(&e.cmd)),
		compat.Take("name=", "else what the engine says to ABOUT", compat.Text(&e.name)),
		compat.Take("tc=", "`MATCH/TURN+INCREMENT` seconds", compat.One(e.readTC)),
		compat.Take("depth=", "INFO max_depth", compat.Whole(&e.depth, 0)),
		compat.Take("nodes=", "INFO max_node", compat.Count(&e.nodes)),
		compat.Take("maxmemory=", "INFO max_memory, bytes, 367001600 if not given", compat.Times(&e.memory, 1)),
		compat.Take("thread=", "INFO thread_num", compat.Whole(&e.threads, 0)),
		compat.Take("tolerance=", "seconds to answer ABOUT and START (10 at least); half of it, a second at most, is the grace of a clock",
			compat.Times(&e.tolerance, 1000)),
		compat.Take("option.", "INFO name value", compat.Named(&e.options)),
	}
}

// pair reads a count and a score.
func pair(dst *[2]int) compat.Reader {
	return func(p *compat.Args) error {
		if len(p.Words) != 2 {
			return fmt.Errorf("%s takes COUNT SCORE", p.Flag)
		}
		for i, w := range p.Words {
			if err := compat.Whole(&dst[i], 0)(&compat.Args{Flag: p.Flag, Words: []string{w}}); err != nil {
				return err
			}
		}
		return nil
	}
}

// readTC reads "match/turn+increment", of which only the first must be there: it is the limit
// of a turn too if that is not given.
func (e *Engine) readTC(p *compat.Args, v string) error {
	left, inc, plus := strings.Cut(v, "+")
	whole, turn, slash := strings.Cut(left, "/")
	if !slash {
		turn = whole
	}
	if !plus {
		inc = "0"
	}
	for _, x := range []struct {
		dst  *int64
		text string
	}{{&e.match, whole}, {&e.turn, turn}, {&e.increment, inc}} {
		s, err := compat.ParseAmount(x.text)
		if err != nil {
			return p.Must(v, "write MATCH/TURN+INCREMENT in seconds, for example 180/30+0.5")
		}
		*x.dst = int64(s * 1000)
	}
	return nil
}

// override takes over what each says.
func (e *Engine) override(each *Engine) {
	e.cmd, e.name = cmp.Or(each.cmd, e.cmd), cmp.Or(each.name, e.name)
	e.options = append(e.options, each.options...)
	e.match, e.turn, e.increment = cmp.Or(each.match, e.match), cmp.Or(each.turn, e.turn), cmp.Or(each.increment, e.increment)
	e.nodes, e.depth, e.threads = cmp.Or(each.nodes, e.nodes), cmp.Or(each.depth, e.depth), cmp.Or(each.threads, e.threads)
	e.memory, e.tolerance = cmp.Or(each.memory, e.memory), cmp.Or(each.tolerance, e.tolerance)
}

func (s *sample) read(p *compat.Args) error {
	s.freq = 1
	err := compat.Words{
		"freq=": compat.Amount(&s.freq), "file=": compat.Text(&s.file),
		"format=": compat.One(func(p *compat.Args, v string) error {
			if v != "csv" && v != "bin" {
				return p.Must(v, "Kibitz writes csv and bin")
			}
			s.binary = v == "bin"
			return nil
		}),
	}.Read(p)
	if s.file == "" {
		s.file = "sample.csv"
		if s.binary {
			s.file = "sample.bin"
		}
	}
	return err
}

// Settings are those of a run of the engines under these names.
func (o *Options) Settings(names []string) run.Settings {
	s := o.Run
	rule := map[int]string{0: "freestyle", 1: "standard", 4: "renju"}[o.rule]
	s.Game, s.Games = fmt.Sprintf("gomoku:rule=%s,size=%d", rule, o.size), 1
	slowest := int64(10000)
	for i := range o.engines {
		s.Engine = append(s.Engine, o.engines[i].words(names[i], o.board))
		slowest = max(slowest, o.engines[i].tolerance)
	}
	s.StartLimit = float64((slowest + 999) / 1000)
	if o.draw[0] > 0 {
		s.Draw = run.DrawRule{Count: o.draw[0], Score: float64(o.draw[1])}
	}
	if o.resign[0] > 0 {
		s.Resign = run.ResignRule{Count: o.resign[0], Score: float64(o.resign[1])}
	}
	return s
}

// adjust counts the stones of the opening too.
func (o *Options) adjust(g *match.Game) {
	if o.drawAfter > 0 {
		g.Policy.MaxMoves = o.drawAfter - len(g.Opening)
	}
	g.Policy.Resign.Alone = true
}

// words are the engine as a run takes it.
func (e *Engine) words(name string, board bool) engines.Words {
	words := compat.Command(e.command()...).With("name", name).With("dir", e.folder())
	if e.match > 0 {
		tc := compat.Seconds(e.match)
		if e.increment > 0 {
			tc += "+" + compat.Seconds(e.increment)
		}
		words = words.With("tc", tc)
	}
	words = compat.With(words, "st", compat.Seconds(e.turn), "depth", e.depth, "nodes", e.nodes, "threads", e.threads)
	words = words.With("memory", fmt.Sprint(e.memory)).With("enforce", "0") // it is told, no more
	words = words.With("margin", compat.Seconds(min(e.tolerance/2, 1000)))
	if board {
		words = words.With("dialect.turn", "board")
	}
	return compat.WithOptions(words, e.options)
}
