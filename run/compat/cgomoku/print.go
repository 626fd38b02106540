package cgomoku

import (
	"fmt"
	"io"
)

// print shows the options as c-gomoku-cli does when it begins.
func (o *Options) print(w io.Writer) {
	const line = "---------------------------"
	say := func(pairs ...any) { // key and value
		for i := 0; i < len(pairs); i += 2 {
			if b, ok := pairs[i+1].(bool); ok {
				pairs[i+1] = map[bool]int{true: 1}[b]
			}
			fmt.Fprintf(w, "%s = %v\n", pairs[i], pairs[i+1])
		}
	}
	fmt.Fprintf(w, "%s\nGlobal Options:\n", line)
	say("openings", o.openings)
	if o.openings != "" {
		say("openingType", o.kind())
	}
	s := &o.sample
	say("boardSize", o.size, "gameRule", o.rule, "pgn", o.pgn, "sgf", o.sgf, "msg", o.msg, "log", o.log, "sample", s.file)
	if s.file != "" {
		say("sample.bin", s.binary, "sample.compress", false, "sample.freq", s.freq)
	}
	say("random", o.random, "repeat", o.repeat, "transform", o.transform, "sprt", o.Run.SPRT != nil, "gauntlet", o.gauntlet)
	if o.gauntlet {
		say("loseonly", o.losing)
	}
	say("concurrency", o.Run.Concurrency, "games", o.games, "rounds", o.rounds, "resignCount", o.resign[0], "resignScore", o.resign[1],
		"drawCount", o.draw[0], "drawScore", o.draw[1], "drawAfter", o.drawAfter, "fatalerror", o.fatal, "debug", o.debug)
	fmt.Fprintf(w, "\nEngine number = %d\n", len(o.engines))
	for i := range o.engines {
		e := &o.engines[i]
		fmt.Fprintf(w, "%s\nEngine %d Options:\n", line, i)
		say("name", e.name, "cmd", e.cmd, "nodes", e.nodes, "depth", e.depth, "timeoutTurn", e.turn, "timeoutMatch", e.match,
			"increment", e.increment, "maxMemory", e.memory, "thread", e.threads, "tolerance", e.tolerance)
		for _, x := range e.options {
			fmt.Fprintf(w, "option.%s\n", x)
		}
	}
	fmt.Fprintln(w, line)
}

// kind is the type of the openings.
func (o *Options) kind() string {
	if o.pos {
		return "pos"
	}
	return "offset"
}
