package cgomoku

import (
	"fmt"
	"io"
)

// print shows the options as c-gomoku-cli does when it begins.
func (o *Options) print(w io.Writer) {
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
		say("openingType", o.kind())
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
	say("sprt", o.Run.SPRT != nil)
	say("gauntlet", o.gauntlet)
	if o.gauntlet {
		say("loseonly", o.losing)
	}
	say("concurrency", o.Run.Concurrency)
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

// kind is the type of the openings.
func (o *Options) kind() string {
	if o.pos {
		return "pos"
	}
	return "offset"
}
