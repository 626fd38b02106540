// Command kibitz referees board games between engines, people and machines
// elsewhere.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"kibitz/internal/plain"
	"kibitz/internal/process"
	"kibitz/internal/profile"
	"kibitz/link/guard"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/term"
)

// app is what every command is given: the world outside, so that tests can pass
// another one in.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	now            func() time.Time
	// processors sets how many processors the runtime uses, if n is above 0, and
	// returns how many it did; nil where that must not change.
	processors func(n int) int
	// setTemp sets where temporary files of the process go; nil where that must not change.
	setTemp func(dir string) error
	// ctx ends when everything must stop at once; drain is closed when running
	// games may end but no new ones start.
	ctx   context.Context
	drain <-chan struct{}
	// terminal reads stdin for the people at this terminal, however many sit here.
	terminal *term.Lines
	// alone is set while a command runs that has nothing to wind up: no games, no
	// engines. The first interrupt ends it, like any other program.
	alone atomic.Bool
	// brief is set while a command runs that has engines to end but no games to finish:
	// the first interrupt stops it.
	brief atomic.Bool
	// chosen is closed, once, when it is known which command runs: a signal that comes earlier
	// waits for that. nil where nobody listens to signals.
	chosen chan struct{}
	choose sync.Once
	// quit ends the program with a status.
	quit func(status int)
	// guards keep the engines of this command in their cells.
	guards engines.Guards
	// told is who is told what the program itself has to say, nil for stderr.
	told atomic.Pointer[func(string)]
}

// onNotice lets somebody who holds the terminal show what the program itself has to
// say; nil is stderr again.
func (a *app) onNotice(show func(string)) {
	if show == nil {
		a.told.Store(nil)
		return
	}
	a.told.Store(&show)
}

func (a *app) tell(text string) {
	if show := a.told.Load(); show != nil {
		(*show)(text)
		return
	}
	fmt.Fprintln(os.Stderr, "kibitz: "+text)
}

// warn tells people beside the output of a command what they do not expect.
func (a *app) warn(text string) { fmt.Fprintln(a.stderr, "kibitz: "+text) }

// solitary are the commands that only read, count and write.
var solitary = []string{
	"games", "show", "convert", "verify", "perft", "rate", "report", "solve", "version", "control", "look", "search",
	"info", "manual", "completion", "backup", "restore", "set-password", "unlock",
}

// readers are the commands that show people what stands in records.
var readers = []string{"show", "verify", "rate", "look", "search", "info"}

// overview is what kibitz alone says before its commands.
const overview = `A referee for board games between engines, people and machines elsewhere.

Examples:

    kibitz play othello
    kibitz match --game othello --engine bot=3 --engine bot=5 --board
    kibitz serve`

// commands is the command line; its fields are the commands in the order in
// which help shows them.
type commands struct {
	Play         playCmd         `cmd:"" group:"play" help:"Play against a built-in engine in the terminal."`
	Menu         menuCmd         `cmd:"" group:"play" help:"The numbered menu of the dark chess client, for every game."`
	Games        gamesCmd        `cmd:"" group:"play" help:"List games, their options and protocols."`
	Match        matchCmd        `cmd:"" group:"match" help:"Play engines against each other."`
	Resume       resumeCmd       `cmd:"" group:"match" help:"Go on where a run stopped."`
	Report       reportCmd       `cmd:"" group:"match" help:"Page, tables and results of a run."`
	Rate         rateCmd         `cmd:"" group:"match" help:"Rate players by their games, or a bare count."`
	Run          runCmd          `cmd:"" group:"match" help:"Play what a file says."`
	Control      controlCmd      `cmd:"" group:"match" help:"Steer a run that goes on: pause, drain, concurrency, verdicts."`
	Openings     openingsCmd     `cmd:"" group:"match" help:"Make balanced random openings."`
	Compat       compatCmd       `cmd:"" group:"match" help:"Take the options of c-gomoku-cli, cutechess-cli, fastchess or gogui-twogtp."`
	Check        checkCmd        `cmd:"" group:"author" help:"Check an engine's conformance to its protocol."`
	Engine       engineCmd       `cmd:"" group:"author" help:"Be an engine for an outside manager, on stdin and stdout."`
	Bridge       bridgeCmd       `cmd:"" group:"author" help:"Put an engine of one protocol behind another."`
	Gauntlet     gauntletSelfCmd `cmd:"" group:"author" name:"gauntlet-self" help:"Measure how strong the levels of the built-in engines are, and outside engines beside them."`
	Show         showCmd         `cmd:"" group:"records" help:"Print a record."`
	Analyze      analyzeCmd      `cmd:"" group:"records" help:"Evaluate every position of a game with an engine."`
	Convert      convertCmd      `cmd:"" group:"records" help:"Convert records between formats."`
	Verify       verifyCmd       `cmd:"" group:"records" help:"Replay records against the rules."`
	Solve        solveCmd        `cmd:"" group:"records" help:"Find the exact scores of problems."`
	Perft        perftCmd        `cmd:"" hidden:"" help:"Count the leaves of the game tree."`
	kong.Plugins                 // those that not every program has, see more
	Version      versionCmd      `cmd:"" group:"other" help:"Print version, commit and Go version."`
}

// verdict is the error of a job that ran but whose outcome is bad: exit status 1.
type verdict struct{ msg string }

func (v verdict) Error() string { return v.msg }

// errTold is the error of unusable arguments that were explained already.
var errTold = errors.New("told already")

// badVerdict returns an error that makes the program exit with status 1.
func badVerdict(format string, args ...any) error { return verdict{fmt.Sprintf(format, args...)} }

// asBad reports whether an error is one of a job that ran, or that the machine or an
// engine did not let run, and what it says.
func asBad(err error) (msg string, bad bool) {
	var v verdict
	var f *engines.Failure
	var b *run.BadOutcome
	switch {
	case errors.As(err, &v):
		return v.msg, true
	case errors.As(err, &f):
		return f.Msg, true
	case errors.As(err, &b):
		return b.Text, true
	}
	return "", false
}

func main() {
	guard.Helper() // which sets an engine's limits and becomes it
	os.Exit(execute(ownApp(), more(), os.Args[1:]))
}

// ownApp is newApp for a process that has nothing else in it: its surroundings are its own.
func ownApp() *app {
	a := newApp()
	a.setTemp = func(dir string) error { return os.Setenv("TMPDIR", dir) }
	return a
}

// newApp returns the real world outside: the first interrupt drains, the second
// stops, as SIGQUIT does; a command that runs alone is ended by the first.
func newApp() *app {
	ctx, stop := context.WithCancel(context.Background())
	drain := make(chan struct{})
	a := &app{
		stdin: os.Stdin, stdout: &term.Output{Writer: os.Stdout}, stderr: os.Stderr, now: newNow(), processors: runtime.GOMAXPROCS, ctx: ctx,
		drain:    drain,
		terminal: &term.Lines{R: os.Stdin},
		chosen:   make(chan struct{}), quit: os.Exit,
	}
	process.Interrupts(func(sig os.Signal) (wait bool) { return a.interrupted(sig, drain) }, stop)
	return a
}

// interrupted does what a first signal means to the command that runs, and reports whether
// it is to go on until the next one.
func (a *app) interrupted(sig os.Signal, drain chan<- struct{}) (wait bool) {
	<-a.chosen
	if a.alone.Load() {
		a.quit(process.StatusOf(sig))
		return false
	}
	close(drain)
	if wait = sig != syscall.SIGQUIT && !a.brief.Load(); wait {
		a.tell("running games end, no new ones start; once more stops at once")
	}
	return wait
}

// execute runs one command line and returns the exit status: 0 done, 1 the job
// ran but its verdict is bad, 2 unusable arguments. More points to
// the commands that not every program has, as fields.
func execute(a *app, more any, args []string) int {
	exited, status := false, 0
	args = usualWords(args)
	cli := grammar(more, args)
	parser, err := kong.New(cli,
		kong.Name("kibitz"),
		kong.Description(overview),
		kong.ExplicitGroups([]kong.Group{
			{Key: "play", Title: "Play:"},
			{Key: "match", Title: "Let engines play:"},
			{Key: "author", Title: "Write an engine:"},
			{Key: "records", Title: "Look at games:"},
			{Key: "hall", Title: "Open a hall (the server):"},
			{Key: "other", Title: "This program:"},
		}),
		kong.Writers(a.stdout, a.stderr),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.WithHyphenPrefixedParameters(true), // positions of Othello begin with hyphens
		kong.Bind(a, a.world()),
	)
	if err != nil {
		a.warn(err.Error())
		return 2
	}
	ctx, err := parser.Parse(args)
	if exited {
		return status
	}
	if err != nil {
		return a.exit(likelier(err))
	}
	out, _ := a.stdout.(*term.Output)
	if out != nil {
		out.Plain = slices.Contains(readers, ctx.Selected().Name)
	}
	a.alone.Store(slices.Contains(solitary, ctx.Selected().Name))
	a.brief.Store(ctx.Selected().Name == "check")
	if a.chosen != nil {
		a.choose.Do(func() { close(a.chosen) })
	}
	endProfile := func() error { return nil }
	if cli.Profile != "" {
		if endProfile, err = profile.Start(cli.Profile); err != nil {
			return a.exit(fmt.Errorf("--profile: %w", err))
		}
	}
	if err = ctx.Run(); out != nil && out.Caused(err) {
		err = nil // it is said at the end
	}
	status = a.exit(err)
	if err := endProfile(); err != nil {
		a.warn("--profile: " + plain.OneLine(err))
		status = max(status, 1)
	}
	if err := a.guards.Close(); err != nil {
		a.warn(plain.OneLine(err))
		status = max(status, 1)
	}
	return a.written(status)
}

// written makes the status of a command bad whose output did not all arrive.
func (a *app) written(status int) int {
	o, ok := a.stdout.(*term.Output)
	if !ok || status != 0 || o.Failed() == nil {
		return status
	}
	a.warn("the output is not complete: " + plain.OneLine(o.Failed()))
	return 1
}

func (a *app) exit(err error) int {
	msg, bad := asBad(err)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errTold):
		return 2
	case bad:
		if msg != "" {
			a.warn(plain.OneLine(err))
		}
		return 1
	default:
		a.warn(plain.OneLine(err))
		return 2
	}
}
