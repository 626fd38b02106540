package main

import (
	"cmp"
	"fmt"
)

// moment says when a mode does what it does.
type moment uint8

const (
	always moment = iota // the engine looks at the mode itself
	begins               // before the first line is read
	moves                // at the own move -at, or with -at 0 before the first line
	says                 // at the own move -at, of which it says something
)

// String names the moment as -list prints it.
func (m moment) String() string {
	return [...]string{"always", "start", "any", "move"}[m]
}

// mode is one way to fail.
type mode struct {
	name string
	when moment
	doc  string
	// run does it and reports whether what was due follows. It is nil for modes that
	// the engine itself looks at.
	run func(f *faults) bool
	// first is done before the first line in any case; it may be nil.
	first func(f *faults)
}

// modes lists every way to fail. What is said to follow is the legal move.
func modes() []mode {
	var all []mode
	for _, part := range [][]mode{ends(), silences(), outputs(), answers(), starts(), leavings(), worlds(), ofSAU()} {
		all = append(all, part...)
	}
	return all
}

// ends are modes in which the engine dies.
func ends() []mode {
	return []mode{
		{"crash", moves, "exit with -code", (*faults).crash, nil},
		{"panic", moves, "lines on stderr, then exit 2", (*faults).panics, nil},
		{"signal", moves, "die by SIGKILL", func(f *faults) bool { return f.die("KILL") }, nil},
		{"segv", moves, "die by SIGSEGV", func(f *faults) bool { return f.die("SEGV") }, nil},
		{"abort", moves, "die by SIGABRT", func(f *faults) bool { return f.die("ABRT") }, nil},
		{"term", moves, "die by a SIGTERM that it sends to itself", func(f *faults) bool { return f.die("TERM") }, nil},
		{"core", moves, "lift the own limit for core files and die by SIGQUIT", func(f *faults) bool { liftCore(); return f.die("QUIT") }, nil},
		{"halfexit", says, "half of a line, then exit with -code", func(f *faults) bool { f.half(); return f.crash() }, nil},
		{"nolfexit", says, "the move without a line end, then exit with -code", func(f *faults) bool { f.unended(); return f.crash() }, nil},
		{
			"forkexit", says, "start a child that outlives TERM and holds the output before the first line, then exit with -code", (*faults).crash,
			func(f *faults) { fork(&f.config) },
		},
		{
			"daemonexit", moves, "like daemon, and exit with -code",
			func(f *faults) bool { f.out.flush(); daemon(&f.config, "sleep", true); return f.crash() }, nil,
		},
	}
}

// silences are modes in which the engine lives on and says nothing.
func silences() []mode {
	return []mode{
		{"hang", moves, "sleep for ever", (*faults).hang, nil},
		{"busy", moves, "burn the processor for ever", (*faults).busy, nil},
		{"stop", moves, "stop itself by SIGSTOP", (*faults).stop, nil},
		{"late", moves, "answer after -delay", (*faults).late, nil},
		{"noread", says, "the move, then never read again", func(f *faults) bool { f.sayMove(); f.hang(); return false }, nil},
		{"half", says, "half of a line, then nothing", func(f *faults) bool { f.half(); return false }, nil},
		{"nolf", says, "the move without a line end, then nothing", func(f *faults) bool { f.unended(); return false }, nil},
		{"closeout", moves, "close the output and live on", func(f *faults) bool { return f.shut("out") }, nil},
		{"closein", moves, "close the input, the move follows, and live on", func(f *faults) bool { f.shut("in"); return f.lastMove() }, nil},
		{"closeerr", moves, "close stderr, the move follows", func(f *faults) bool { f.shut("err"); return true }, nil},
		{"closeinout", moves, "close the input, then the output, and live on", func(f *faults) bool { return f.shut("in", "out") }, nil},
		{"closeoutin", moves, "close the output, then the input, and live on", func(f *faults) bool { return f.shut("out", "in") }, nil},
		{"closeerrout", moves, "close stderr, then the output, and live on", func(f *faults) bool { return f.shut("err", "out") }, nil},
		{
			"closeall", moves, "close input, output and stderr, in this order, and live on",
			func(f *faults) bool { return f.shut("in", "out", "err") }, nil,
		},
		{
			"closeback", moves, "close stderr, output and input, in this order, and live on",
			func(f *faults) bool { return f.shut("err", "out", "in") }, nil,
		},
	}
}

// outputs are modes in which the engine says too much.
func outputs() []mode {
	return []mode{
		{"longline", moves, "-count bytes (64 MB) without an end, then the move", (*faults).longLine, nil},
		{"messages", moves, "-count (300000) lines of chatter, then the move", (*faults).messages, nil},
		{"babble", moves, "nonsense for ever", func(f *faults) bool { f.out.forever("hello world"); return false }, nil},
		{"endless", moves, "chatter for ever", func(f *faults) bool { f.out.forever("MESSAGE on and on and on"); return false }, nil},
		{
			"chatter", begins, "chatter for ever in the background, moves as usual",
			func(f *faults) bool { go f.out.forever("MESSAGE still thinking about it"); return true }, nil,
		},
		{"errflood", moves, "-count bytes (64 MB) of lines on stderr, then the move", after(errFlood), nil},
		{"errline", moves, "-count bytes (64 MB) without an end on stderr, then the move", after(errLine), nil},
		{
			"errendless", moves, "lines on stderr for ever in the background, the move follows",
			func(*faults) bool { go errForever(); return true }, nil,
		},
		{"spin", always, "at the end of the input burn the processor and repeat a line", nil, nil},
	}
}

// answers are modes in which the engine says the wrong thing.
func answers() []mode {
	return []mode{
		{"illegal", says, "a move off the board", func(f *faults) bool { f.out.say(f.engine.illegal()); return false }, nil},
		{"occupied", says, "a move that was made already", func(f *faults) bool { f.out.say(f.engine.occupied()); return false }, nil},
		{"garbage", says, "one line of nonsense instead of the move", func(f *faults) bool { f.out.say("hello world"); return false }, nil},
		{"nul", says, "a line of zero bytes instead of the move", func(f *faults) bool { f.out.say("\x00\x00\x00\x00"); return false }, nil},
		{
			"badutf8", says, "a line that is no UTF-8 instead of the move",
			func(f *faults) bool { f.out.say("\xc3\x28 \xa0\xa1 \xf8\x88\x80"); return false }, nil,
		},
		{
			"control", says, "a line of control characters and escapes instead of the move",
			func(f *faults) bool { f.out.say("\x1b[2J\x1b]0;title\x07\x08\x7f\x01\x02"); return false }, nil,
		},
		{
			"noise", says, "4096 random bytes, the same each time, instead of the move",
			func(f *faults) bool { f.out.noise(4096); return false }, nil,
		},
		{"noisemove", says, "random bytes, a line end, then the move", func(f *faults) bool { f.out.noise(64); return true }, nil},
		{"bytewise", says, "the move byte by byte, each written by itself", func(f *faults) bool { f.bytewise(); return false }, nil},
		{"twice", says, "the move two times", func(f *faults) bool { f.sayMove(); f.out.say(f.moved); return false }, nil},
		{"ahead", says, "the move, and at once another that nobody has asked for", func(f *faults) bool { return f.andStray(true) }, nil},
		{"replies", says, "acknowledgements that nobody has asked for, then the move", func(f *faults) bool { return f.andStray(false) }, nil},
		{"unasked", begins, "a move before the first question", func(f *faults) bool {
			move,
				_ := f.engine.stray()
			f.out.say(move)
			f.out.flush()
			return true
		}, nil},
	}
}

// starts are modes of the way in and out.
func starts() []mode {
	return []mode{
		{"none", always, "nothing goes wrong", nil, nil},
		{"neverready", always, "never answer a greeting", nil, nil},
		{"exitstart", begins, "exit with -code before any answer", (*faults).exitStart, nil},
		{"slowstart", begins, "wait -delay before the first answer", (*faults).late, nil},
		{"exitafterend", always, "at the manager's goodbye exit at once, as without a mode", nil, nil},
		{"noexit", always, "at the manager's goodbye never exit", nil, nil},
		{"noterm", begins, "ignore TERM and the manager's goodbye", func(f *faults) bool { ignoreTerm(); return true }, nil},
	}
}

// leavings are modes that leave processes behind; the move follows.
func leavings() []mode {
	return []mode{
		{"fork", begins, "start a child that outlives TERM and holds the output before the first line", nil, func(f *faults) { fork(&f.config) }},
		{"forks", moves, "start -count (200) children that sleep", after(forks), nil},
		{"zombies", moves, "start -count (50) children that end, and never ask for them", after(zombies), nil},
		{
			"daemon", moves, "fork twice into a session of its own; the grandchild sleeps",
			after(func(c *config) { daemon(c, "sleep", true) }), nil,
		},
		{"daemonenv", moves, "like daemon, with an empty environment", after(func(c *config) { daemon(c, "sleep", false) }), nil},
		{
			"daemonname", moves, "like daemon, with another name and all descriptors closed",
			after(func(c *config) { daemon(c, "hide", false) }), nil,
		},
		{"threads", moves, "start -count (500) threads that sleep", after(threads), nil},
	}
}

// worlds are modes that reach for what is not the engine's; the move follows, and what
// became of it is said on stderr.
func worlds() []mode {
	return []mode{
		{"memory", moves, "take -count bytes (2 GiB) of memory and touch every page", after(memory), nil},
		{"read", moves, "read the file -target", after(readTarget), nil},
		{"write", moves, "write to the file -target", after(writeTarget), nil},
		{"remove", moves, "remove the file -target", after(removeTarget), nil},
		{"connect", moves, "connect to -target by TCP and send a line", after(func(c *config) { connect(c, "tcp") }), nil},
		{"udp", moves, "send a datagram to -target", after(func(c *config) { connect(c, "udp") }), nil},
		{"filltmp", moves, "fill the temporary folder with -count bytes (256 MB)", after(fillTemp), nil},
		{"bigfile", moves, "write a file of -count bytes (256 MB) into the own folder", after(bigFile), nil},
		{"files", moves, "open -count (4096) files at once", after(openFiles), nil},
	}
}

// ofSAU are modes of SAU alone.
func ofSAU() []mode {
	return []mode{
		{"exitonend", always, "SAU: leave when a game is over", nil, nil},
		{"crashonend", always, "SAU: die by a signal when a game is over", nil, nil},
		{"crashonnone", always, "SAU: die by a signal at a move with @@", nil, nil},
		{
			"neverresend", says, "SAU: a move off the board, and prose in answer to error",
			func(f *faults) bool { f.out.say(f.engine.illegal()); return false }, nil,
		},
		{"nameonce", always, "SAU: do not answer name? after a game", nil, nil},
	}
}

// after does something to the world, once what was said before has been sent; the move
// follows.
func after(do func(c *config)) func(f *faults) bool {
	return func(f *faults) bool {
		f.out.flush()
		do(&f.config)
		return true
	}
}

func find(name string, at int) (mode, error) {
	name = cmp.Or(name, "none")
	for _, m := range modes() {
		if m.name != name {
			continue
		}
		switch {
		case at < 0:
			return mode{}, fmt.Errorf("-at %d: write a move from 1 on, or 0 for the start", at)
		case at == 0 && m.when == says:
			return mode{}, fmt.Errorf("-at 0: mode %s says something of a move, write a move from 1 on", name)
		}
		return m, nil
	}
	return mode{}, fmt.Errorf("-mode %s: there is no such mode; -list prints them", name)
}
