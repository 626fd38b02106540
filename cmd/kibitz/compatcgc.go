package main

import (
	"fmt"
	"io"
	"strings"
)

// cgcOptions are the options of c-gomoku-cli.
type cgcOptions struct {
	openings, pgn, sgf, msg     string
	pos, random                 bool
	srand                       uint64
	sample                      cgcSample
	sprt                        *cgcSPRT
	concurrency, games, rounds  int
	resign, draw                [2]int // count, score
	drawAfter                   int
	size, rule                  int
	board, log, repeat          bool
	transform, gauntlet, losing bool
	fatal, debug                bool
	engines                     []cgcEngine
	each                        cgcEngine
}

// cgcEngine is an engine of c-gomoku-cli; times are milliseconds, 0 is not given.
type cgcEngine struct {
	cmd, name              string
	options                []string // "name=value"
	turn, match, increment int64
	nodes                  int64
	depth, threads         int
	memory, tolerance      int64
}

type cgcSample struct {
	file   string
	freq   float64
	binary bool
}

type cgcSPRT struct{ elo0, elo1, alpha, beta float64 }

// What c-gomoku-cli takes where nothing is given.
const (
	cgcMemory    = 367001600
	cgcTolerance = 3000
)

// readCGC reads the command line of c-gomoku-cli.
func readCGC(args []string, warn func(string)) (*cgcOptions, error) {
	o := &cgcOptions{concurrency: 1, games: 1, rounds: 1, size: 15}
	p := &compatArgs{list: args, warn: warn}
	if err := p.read("c-gomoku-cli", cgcTable(o), func(s string) bool { return strings.HasPrefix(s, "-") }); err != nil {
		return nil, err
	}
	for i := range o.engines {
		o.engines[i].override(&o.each)
	}
	switch {
	case len(o.engines) < 2:
		return nil, badVerdict("at least 2 engines are needed")
	case len(o.engines) > 2 && o.sprt != nil:
		return nil, badVerdict("only 2 engines for SPRT")
	}
	for _, e := range o.engines {
		if e.cmd == "" {
			return nil, badVerdict("-engine: cmd= is missing")
		}
	}
	return o, nil
}

// cgcTable is what c-gomoku-cli knows and what becomes of it.
func cgcTable(o *cgcOptions) []compatOption {
	return []compatOption{
		{"-engine", isHonoured, "an engine; keys below", func(p *compatArgs) error {
			e := cgcEngine{memory: cgcMemory, tolerance: cgcTolerance}
			err := p.keys(cgcEngineTable(&e))
			o.engines = append(o.engines, e)
			return err
		}},
		{
			"-each", isHonoured, "keys for every engine, which count more than its own",
			func(p *compatArgs) error { return p.keys(cgcEngineTable(&o.each)) },
		},
		{"-concurrency", isHonoured, "games at a time", into(&o.concurrency, 1)},
		{"-games", isHonoured, "games of each pair in a round", into(&o.games, 1)},
		{"-rounds", isHonoured, "how often the whole is played", into(&o.rounds, 1)},
		{"-gauntlet", isHonoured, "the first engine against the others", switchOn(&o.gauntlet)},
		{"-loseonly", isHonoured, "in a gauntlet, write only games that the first engine loses into files", switchOn(&o.losing)},
		{"-repeat", isHonoured, "each opening is played twice", switchOn(&o.repeat)},
		{"-transform", isHonoured, "openings are turned and mirrored, another way each time the list is through", switchOn(&o.transform)},
		{"-openings", isHonoured, "`file=` `type=offset\\|pos` `order=sequential\\|random` `srand=`; the same `srand` gives the same order as " +
			"there", o.readOpenings},
		{"-rule", isHonoured, "0 freestyle, 1 exactly five, 4 renju", o.readRule},
		{"-boardsize", isHonoured, "5 to 22", o.readSize},
		{"-drawafter", isHonoured, "a draw with so many stones on the board", into(&o.drawAfter, 0)},
		{"-draw", isHonoured, "count and score; the engines' evaluations are read, which c-gomoku-cli does not do", pairInto(&o.draw)},
		{"-resign", isHonoured, "count and score, as above; only the loser's evaluation counts", pairInto(&o.resign)},
		{"-sprt", isHonoured, "`elo0=` `elo1=` `alpha=` `beta=`, by its normal approximation", o.readSPRT},
		{"-pgn", isHonoured, "results without moves for rating programs, appended to the file", textInto(&o.pgn)},
		{"-sgf", isHonoured, "games, appended to the file", textInto(&o.sgf)},
		{"-msg", isHonoured, "what engines said with MESSAGE, appended to the file", textInto(&o.msg)},
		{"-log", isHonoured, "all lines of the engines in `c-gomoku-cli.N.log`, a file for each game at a time; lines about deadlines are " +
			"left out", switchOn(&o.log)},
		{"-debug", isHonoured, "turns on -log and prints what engines say when a game ends; boards are not drawn", switchOn(&o.debug, &o.log)},
		{"-fatalerror", isHonoured, "the first engine that fails ends the run with status 1", switchOn(&o.fatal)},
		{"-sample", isHonoured, "`freq=` `file=` `format=csv\\|bin`; `bin_lz4` is refused", o.readSample},
		{"-sendbyboard", isHonoured, "the position is sent with BOARD before each move", switchOn(&o.board)},
	}
}

// cgcEngineTable are the keys of an engine.
func cgcEngineTable(e *cgcEngine) []compatOption {
	return []compatOption{
		{"cmd=", isHonoured, "command line; the engine runs in the folder of its executable", textInto(&e.cmd)},
		{"name=", isHonoured, "else what the engine says to ABOUT", textInto(&e.name)},
		{"tc=", isHonoured, "`MATCH/TURN+INCREMENT` seconds", e.readTC},
		{"depth=", isHonoured, "INFO max_depth", into(&e.depth, 0)},
		{"nodes=", isHonoured, "INFO max_node", countInto(&e.nodes)},
		{"maxmemory=", isHonoured, "INFO max_memory, bytes, 367001600 if not given", timesInto(&e.memory, 1)},
		{"thread=", isHonoured, "INFO thread_num", into(&e.threads, 0)},
		{
			"tolerance=", isHonoured, "seconds to answer ABOUT and START (10 at least); half of it, a second at most, is the grace of a clock",
			timesInto(&e.tolerance, 1000),
		},
		{"option.", isHonoured, "INFO name value", optionInto(&e.options)},
	}
}

// readTC reads "match/turn+increment", of which only the first must be there: it is
// the limit of a turn too if that is not given.
func (e *cgcEngine) readTC(p *compatArgs) error {
	v, err := p.one()
	if err != nil {
		return err
	}
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
		s, err := parseAmount(p.flag, x.text)
		if err != nil {
			return badVerdict("%s=%s: write MATCH/TURN+INCREMENT in seconds, for example 180/30+0.5", p.flag, v)
		}
		*x.dst = int64(s * 1000)
	}
	return nil
}

// override takes over what each says.
func (e *cgcEngine) override(each *cgcEngine) {
	take := func(dst *int64, v int64) {
		if v != 0 {
			*dst = v
		}
	}
	if each.cmd != "" {
		e.cmd = each.cmd
	}
	if each.name != "" {
		e.name = each.name
	}
	e.options = append(e.options, each.options...)
	take(&e.match, each.match)
	take(&e.turn, each.turn)
	take(&e.increment, each.increment)
	take(&e.nodes, each.nodes)
	take(&e.memory, each.memory)
	take(&e.tolerance, each.tolerance)
	if each.depth != 0 {
		e.depth = each.depth
	}
	if each.threads != 0 {
		e.threads = each.threads
	}
}

func (o *cgcOptions) readOpenings(p *compatArgs) error {
	var seed int64
	err := p.keys([]compatOption{
		{"file=", isHonoured, "", textInto(&o.openings)},
		{"type=", isHonoured, "", secondOf(&o.pos, "offset", "pos")},
		{"order=", isHonoured, "", secondOf(&o.random, "sequential", "random")},
		{"srand=", isHonoured, "", countInto(&seed)},
	})
	o.srand = uint64(seed)
	return err
}

func (o *cgcOptions) readRule(p *compatArgs) error {
	v, err := p.one()
	if err != nil || v != "0" && v != "1" && v != "4" {
		return badVerdict("-rule %s: must be 0 (freestyle), 1 (exactly five) or 4 (renju)", v)
	}
	o.rule = int(v[0] - '0')
	return nil
}

func (o *cgcOptions) readSize(p *compatArgs) error {
	var err error
	if o.size, err = p.number(5); err == nil && o.size > 22 {
		err = badVerdict("-boardsize %d: must be from 5 to 22", o.size)
	}
	return err
}

func (o *cgcOptions) readSPRT(p *compatArgs) error {
	t := &cgcSPRT{alpha: 0.05, beta: 0.05}
	o.sprt = t
	return p.keys([]compatOption{
		{"elo0=", isHonoured, "", numberInto(&t.elo0)},
		{"elo1=", isHonoured, "", numberInto(&t.elo1)},
		{"alpha=", isHonoured, "", numberInto(&t.alpha)},
		{"beta=", isHonoured, "", numberInto(&t.beta)},
	})
}

func (o *cgcOptions) readSample(p *compatArgs) error {
	s := &o.sample
	s.freq = 1
	err := p.keys([]compatOption{
		{"freq=", isHonoured, "", amountInto(&s.freq)},
		{"file=", isHonoured, "", textInto(&s.file)},
		{"format=", isHonoured, "", func(p *compatArgs) error {
			v, err := p.one()
			if err != nil || v != "csv" && v != "bin" {
				return badVerdict("%s=%s: Kibitz writes csv and bin", p.flag, v)
			}
			s.binary = v == "bin"
			return nil
		}},
	})
	if s.file == "" {
		s.file = "sample.csv"
		if s.binary {
			s.file = "sample.bin"
		}
	}
	return err
}

// print shows the options as c-gomoku-cli does when it begins.
func (o *cgcOptions) print(w io.Writer) {
	const line = "---------------------------"
	say := func(key string, value any) {
		if b, ok := value.(bool); ok {
			value = map[bool]int{true: 1}[b]
		}
		fmt.Fprintf(w, "%s = %v\n", key, value)
	}
	fmt.Fprintf(w, "%s\nGlobal Options:\n", line)
	say("openings", o.openings)
	if o.openings != "" {
		say("openingType", map[bool]string{false: "offset", true: "pos"}[o.pos])
	}
	say("boardSize", o.size)
	say("gameRule", o.rule)
	say("pgn", o.pgn)
	say("sgf", o.sgf)
	say("msg", o.msg)
	say("log", o.log)
	say("sample", o.sample.file)
	if o.sample.file != "" {
		say("sample.bin", o.sample.binary)
		say("sample.compress", false)
		say("sample.freq", o.sample.freq)
	}
	say("random", o.random)
	say("repeat", o.repeat)
	say("transform", o.transform)
	say("sprt", o.sprt != nil)
	say("gauntlet", o.gauntlet)
	if o.gauntlet {
		say("loseonly", o.losing)
	}
	say("concurrency", o.concurrency)
	say("games", o.games)
	say("rounds", o.rounds)
	say("resignCount", o.resign[0])
	say("resignScore", o.resign[1])
	say("drawCount", o.draw[0])
	say("drawScore", o.draw[1])
	say("drawAfter", o.drawAfter)
	say("fatalerror", o.fatal)
	say("debug", o.debug)
	fmt.Fprintf(w, "\nEngine number = %d\n", len(o.engines))
	for i := range o.engines {
		e := &o.engines[i]
		fmt.Fprintf(w, "%s\nEngine %d Options:\n", line, i)
		say("name", e.name)
		say("cmd", e.cmd)
		say("nodes", e.nodes)
		say("depth", e.depth)
		say("timeoutTurn", e.turn)
		say("timeoutMatch", e.match)
		say("increment", e.increment)
		say("maxMemory", e.memory)
		say("thread", e.threads)
		say("tolerance", e.tolerance)
		for _, x := range e.options {
			fmt.Fprintf(w, "option.%s\n", x)
		}
	}
	fmt.Fprintln(w, line)
}
