//go:build linux

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/internal/reliability"
)

// fine is the verdict of a game that ended by the rules of its game: its moves are then
// those of the same game without the fault.
const fine = reliability.Fine

// fault is one way to fail: a row of the table of internal/reliability, which knows the
// verdicts that are right.
type fault struct {
	row   string
	flags string // of the fault engine, those of the row if empty; without -at a move from 1 to 4 is drawn
	keys  string // of the engine's line, blanks between: limits and clocks; those of the row if empty
	want  string // reasons of package game, or fine, with | between those that are right, where the row has others
	not   string // protocols in which it is not played
	loose string // protocols in which its moves depend on the time at which they come
	rare  bool   // costs much, and is played less often

	mode string
	from *reliability.Case
}

// short is the limit of a move, in seconds, of who may lose on time.
const short = "0.3"

// name names the fault with what sets it apart from others of its mode.
func (f *fault) name() string {
	words := append([]string{f.mode}, strings.Fields(f.flags)...)
	words = append(words, strings.Fields(f.keys)...)
	return strings.Join(words, " ")
}

// knows reports whether the fault is played in a protocol.
func (f *fault) knows(proto string) bool { return f.from.Knows(proto) && !has(f.not, proto) }

// isLoose reports whether moves of the engine depend on when they come.
func (f *fault) isLoose(proto string) bool { return has(f.loose, proto) }

func has(list, proto string) bool { return slices.Contains(strings.Fields(list), proto) }

// wants returns the verdicts that are right in a protocol.
func (f *fault) wants(proto string) []string {
	return strings.Split(cmp.Or(f.want, f.from.InSoak(proto)), "|")
}

// isVerdict reports whether a reason is a forfeit, or no end of a game at all, and not
// the rules of the game.
func isVerdict(reason string) bool {
	r := game.Reason(reason)
	return r.Forfeit() || r == game.ByResign || r == game.ByAbort || r == ""
}

// faults lists what is played.
func faults() ([]fault, error) {
	cases, err := reliability.Cases(false)
	if err != nil {
		return nil, err
	}
	list := slices.Concat(endings(), silences(), outputs(), answers(), leavings(), limits())
	for i := range list {
		f := &list[i]
		at := slices.IndexFunc(cases, func(c reliability.Case) bool { return c.Name() == f.row })
		if at < 0 {
			return nil, fmt.Errorf("the table of faults has no row %q", f.row)
		}
		f.from = &cases[at]
		f.mode = f.from.Mode
		f.flags = cmp.Or(f.flags, strings.Join(f.from.Flags, " "))
		f.keys = cmp.Or(f.keys, strings.Join(f.from.With, " "))
	}
	return list, nil
}

// rows are faults as they stand in the table.
func rows(names ...string) []fault {
	var out []fault
	for _, n := range names {
		out = append(out, fault{row: n})
	}
	return out
}

func endings() []fault {
	return rows("crash", "crash -code 7", "panic", "signal", "segv", "abort", "term", "core", "halfexit", "nolfexit", "forkexit",
		"daemonexit", "exitstart -code 3")
}

func silences() []fault {
	return rows("hang", "busy", "stop", "late -delay 10s", "late -delay 50ms", "noread", "half", "nolf",
		"closeout", "closein", "closeerr", "closeinout", "closeoutin", "closeerrout", "closeall", "closeback")
}

func outputs() []fault {
	return []fault{
		{row: "longline -count 12000000", flags: "-count 20000000", rare: true},
		{row: "messages -count 20000", flags: "-count 500"},
		{row: "babble", rare: true},
		{row: "endless", rare: true},
		{row: "chatter", rare: true},
		{row: "errflood -count 4000000", flags: "-count 1000000"},
		{row: "errline -count 4000000", flags: "-count 1000000"},
		{row: "spin"},
	}
}

func answers() []fault {
	return append(rows("illegal", "occupied", "garbage", "nul", "badutf8", "control", "noise", "noisemove", "bytewise", "twice", "replies",
		"unasked",
		"slowstart -delay 100ms", "neverready", "noexit", "noterm", "exitonend", "crashonend", "neverresend"),
		fault{row: "ahead", not: "piskvork", loose: "ponder ponder-old"})
}

func leavings() []fault {
	return []fault{
		{row: "fork"},
		{row: "forks -count 10", flags: "-count 5"},
		{row: "zombies -count 10", flags: "-count 5"},
		{row: "daemon"},
		{row: "daemonenv"},
		{row: "daemonname"},
		{row: "threads -count 30", flags: "-count 20"},
		{row: "files -count 500", flags: "-count 100"},
	}
}

// limits lists what runs under limits.
func limits() []fault {
	return []fault{
		{row: "none with whole", keys: "memory=256M network=off files=ro processes=64 handles=64 tmp=2M"},
		// sampled where there is no control group
		{row: "memory -count 268435456 -hold 30s with memory=64M", flags: "-count 300000000 -hold 30s", want: "resource|fine"},
		{row: "busy with cputime=200ms", keys: "cputime=1 st=60"},
		{row: "forks -count 40 with processes=60", flags: "-count 60", keys: "processes=30"},
		{row: "filltmp -count 8000000 with tmp=2M"},
		{row: "filltmp -count 8000000 with tmp=2M", keys: "tmp=2M filesize=4M", want: "resource|fine"}, // the kernel, or nobody in time
		{row: "files -count 500 with handles=100", flags: "-count 200", keys: "handles=64"},
		{row: "write with files=ro"},
		{row: "remove with files=ro"},
		{row: "read with files=ro"},
		{row: "connect with network=off"},
		{row: "udp with network=off"},
		{row: "hang", keys: "files=ro network=off"},
		{row: "crash", keys: "memory=256M processes=64"},
		{row: "daemon", keys: "processes=64 files=ro"},
	}
}
