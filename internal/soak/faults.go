//go:build linux

package main

import (
	"slices"
	"strings"

	"kibitz/game"
)

// fine is the verdict of a game that ended by the rules of its game: its moves are then
// those of the same game without the fault.
const fine = "fine"

// fault is one way to fail, with the verdict that is right.
type fault struct {
	mode   string
	flags  string // of the fault engine; without -at a move from 1 to 4 is drawn
	keys   string // of the engine's line, blanks between: limits and clocks
	want   string // reasons of package game, or fine, with | between those that are right
	except string // protocols with another verdict, as in "gtp=fine nboard=time|fine"; - for those that do not play it
	only   string // the protocol that knows the fault, empty for all
	loose  string // protocols in which its moves depend on the time at which they come
	rare   bool   // costs much, and is played less often
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
func (f *fault) knows(proto string) bool {
	return (f.only == "" || f.only == proto) && f.wants(proto)[0] != "-"
}

// isLoose reports whether moves of the engine depend on when they come.
func (f *fault) isLoose(proto string) bool { return slices.Contains(strings.Fields(f.loose), proto) }

// wants returns the verdicts that are right in a protocol.
func (f *fault) wants(proto string) []string {
	for e := range strings.FieldsSeq(f.except) {
		if p, w, _ := strings.Cut(e, "="); p == proto {
			return strings.Split(w, "|")
		}
	}
	return strings.Split(f.want, "|")
}

// isVerdict reports whether a reason is a forfeit, or no end of a game at all, and not
// the rules of the game.
func isVerdict(reason string) bool {
	switch game.Reason(reason) {
	case game.ByResign, game.ByTime, game.ByIllegal, game.ByCrash, game.ByStall, game.ByProtocol, game.ByResource, game.ByStart, game.ByDisconnect, game.ByAbort:
		return true
	}
	return reason == ""
}

// faults lists what is played.
func faults() []fault {
	return slices.Concat(endings(), silences(), outputs(), answers(), leavings(), limits())
}

func endings() []fault {
	return []fault{
		{mode: "crash", want: "crash", except: "readfile=protocol"},
		{mode: "crash", flags: "-code 3", want: "crash"},
		{mode: "panic", want: "crash"},
		{mode: "signal", want: "crash"},
		{mode: "segv", want: "crash"},
		{mode: "abort", want: "crash"},
		{mode: "term", want: "crash"},
		{mode: "core", want: "crash"},
		{mode: "halfexit", want: "crash", except: "readfile=fine|illegal"},
		{mode: "nolfexit", want: "crash", except: "readfile=fine"},
		{mode: "forkexit", want: "crash", except: "readfile=protocol"},
		{mode: "daemonexit", want: "crash", except: "readfile=protocol"},
		{mode: "exitstart", flags: "-code 2", want: "start", except: "readfile=crash"},
	}
}

func silences() []fault {
	return []fault{
		{mode: "hang", want: "time"},
		{mode: "busy", want: "time"},
		{mode: "stop", want: "time"},
		{mode: "late", flags: "-delay 3s", want: "time"},
		{mode: "late", flags: "-delay 50ms", want: fine},
		{mode: "noread", want: "time", except: "readfile=time"},
		{mode: "half", want: "time", except: "nboard=fine|time readfile=fine|illegal"},
		{mode: "nolf", want: "time", except: "gtp=fine nboard=fine|time readfile=fine"},
		{mode: "closeout", want: "crash", except: "readfile=time"},
		// What is written before the engine has closed its input arrives, and then no move
		// comes; or its last move ends the game.
		{mode: "closein", want: "crash|time|fine", except: "ponder=time ponder-old=time readfile=time"},
		{mode: "closeerr", want: fine},
		{mode: "closeinout", want: "crash", except: "readfile=time"},
		{mode: "closeoutin", want: "crash", except: "readfile=time"},
		{mode: "closeerrout", want: "crash", except: "readfile=time"},
		{mode: "closeall", want: "crash", except: "readfile=time"},
		{mode: "closeback", want: "crash", except: "readfile=time"},
	}
}

func outputs() []fault {
	return []fault{
		{mode: "longline", flags: "-count 20000000", want: "resource", rare: true},
		{mode: "longline", flags: "-count 5000", want: fine, except: "ponder=- ponder-old=-"},
		{mode: "messages", flags: "-count 500", want: fine},
		{mode: "babble", want: "resource", rare: true},
		{mode: "endless", want: "resource", rare: true},
		{mode: "chatter", want: "fine|resource|start", rare: true},
		{mode: "errflood", flags: "-count 1000000", want: fine},
		{mode: "errline", flags: "-count 1000000", want: fine},
		{mode: "spin", want: fine, except: "readfile=resource"},
	}
}

func answers() []fault {
	return []fault{
		{mode: "illegal", want: "illegal", except: "gtp=protocol"},
		{mode: "occupied", want: "illegal", except: "gtp=illegal|protocol"}, // off the board, while nothing is occupied
		{mode: "garbage", want: "time", except: "readfile=illegal"},
		{mode: "nul", want: "time", except: "readfile=illegal"},
		{mode: "badutf8", want: "time", except: "readfile=illegal"},
		{mode: "control", want: "time", except: "readfile=illegal"},
		{mode: "noise", want: "time", except: "ponder=protocol ponder-old=protocol readfile=illegal"},
		{mode: "noisemove", want: fine, except: "ponder=protocol ponder-old=protocol readfile=illegal"},
		{mode: "bytewise", want: fine},
		{mode: "twice", want: fine, except: "piskvork=illegal gtp=protocol"},
		{mode: "ahead", want: fine, except: "gtp=protocol piskvork=- ponder=fine|illegal ponder-old=fine|illegal", loose: "ponder ponder-old"},
		{mode: "replies", want: fine, except: "gtp=protocol readfile=illegal"},
		{mode: "unasked", want: fine, except: "gtp=protocol"},
		{mode: "slowstart", flags: "-delay 100ms", want: fine},
		{mode: "neverready", want: "start", except: "readfile=time"},
		{mode: "noexit", want: fine, except: "readfile=time"},
		{mode: "noterm", want: fine, except: "readfile=time"},
		{mode: "exitonend", want: fine, only: "sau"},
		{mode: "crashonend", want: fine, only: "sau"},
		{mode: "neverresend", want: "illegal", only: "sau"},
	}
}

func leavings() []fault {
	return []fault{
		{mode: "fork", want: fine},
		{mode: "forks", flags: "-count 5", want: fine},
		{mode: "zombies", flags: "-count 5", want: fine},
		{mode: "daemon", want: fine},
		{mode: "daemonenv", want: fine},
		{mode: "daemonname", want: fine},
		{mode: "threads", flags: "-count 20", want: fine},
		{mode: "files", flags: "-count 100", want: fine},
	}
}

// limits lists what runs under limits. Where there is no control group memory, processes
// and temporary files are sampled, and a game may be over before the next sample.
func limits() []fault {
	return []fault{
		{mode: "none", keys: "memory=256M network=off files=ro processes=64 handles=64 tmp=2M", want: fine},
		{mode: "memory", flags: "-count 300000000", keys: "memory=64M", want: "resource|fine"},
		{mode: "busy", keys: "cputime=1 st=60", want: "resource"},
		{mode: "forks", flags: "-count 60", keys: "processes=30", want: "resource|fine"},
		{mode: "filltmp", flags: "-count 8000000", keys: "tmp=2M", want: fine},
		{mode: "filltmp", flags: "-count 8000000", keys: "tmp=2M filesize=4M", want: "resource|fine"},
		{mode: "files", flags: "-count 200", keys: "handles=64", want: fine, except: "readfile=protocol"},
		{mode: "write", keys: "files=ro", want: fine},
		{mode: "remove", keys: "files=ro", want: fine},
		{mode: "read", keys: "files=ro", want: fine},
		{mode: "connect", keys: "network=off", want: fine},
		{mode: "udp", keys: "network=off", want: fine},
		{mode: "hang", keys: "files=ro network=off", want: "time"},
		{mode: "crash", keys: "memory=256M processes=64", want: "crash", except: "readfile=protocol"},
		{mode: "daemon", keys: "processes=64 files=ro", want: fine},
	}
}
