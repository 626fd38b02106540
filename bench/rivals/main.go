//go:build linux

// Command rivals measures Kibitz beside other runners in one run: what a move
// costs with engines that answer at once, how many games a second there are with
// engines that are reused and that are started anew for every game, and what two
// games at a time and a start take.
//
// All runners take turns in every round, so that what else the machine does
// concerns all of them. Printed are medians over the rounds, and ratios of runs of
// the same round.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// settings are what the command line says.
type settings struct {
	games, rounds int
	long          int // games of one long run, 0 for the comparison
	cpu           string
	mode          string
	prefix        string
	engine, chess string // sources of the instant engines
	relay         string // source of the relay
	paths         map[string]string
	kibitz        []string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(1)
	}
}

func parse(args []string) (*settings, error) {
	s := &settings{paths: map[string]string{}}
	f := flag.NewFlagSet("rivals", flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: rivals [flags] [KIBITZ...]; measures these builds of Kibitz (bin/kibitz) beside the runners whose "+
			"paths are given")
		f.PrintDefaults()
	}
	paths := map[string]*string{
		gomokuCli: f.String("gomoku", "", "path of a c-gomoku-cli; none: left out"),
		fastchess: f.String("fastchess", "", "path of a fastchess; none: left out"),
		cutechess: f.String("cutechess", "", "path of a cutechess-cli; none: left out"),
	}
	f.IntVar(&s.games, "games", 3000, "games of Kibitz in a run; slower runners play fewer")
	f.IntVar(&s.long, "many", 0, "instead of comparing, play one run of so many games of the first Kibitz and show its course")
	f.IntVar(&s.rounds, "rounds", 5, "rounds in which all take turns")
	f.StringVar(&s.mode, "mode", everything, "pinned (to one processor), free, two (games at a time), start, or all of them")
	f.StringVar(&s.cpu, "cpu", "0", "the processor of the pinned runs")
	f.StringVar(&s.prefix, "prefix", "",
		`a command in front of each runner, such as "nice -n -10"; no real-time priority: a thread of Go that looks for work never gives way`)
	f.StringVar(&s.engine, "engine", "../shared/bench/instant-pbrain.c", "source of the engine for five in a row")
	f.StringVar(&s.relay, "relay", "../shared/bench/relay.c", "source of the relay, the floor")
	f.StringVar(&s.chess, "chess", "scripts/instant-uci.c", "source of the engine for chess")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	for name, path := range paths {
		s.paths[name] = *path
	}
	if s.kibitz = f.Args(); len(s.kibitz) == 0 {
		s.kibitz = []string{"bin/kibitz"}
	}
	if s.games < 10 || s.rounds < 1 {
		return nil, fmt.Errorf("-games must be at least 10 and -rounds at least 1")
	}
	if s.mode != everything && s.mode != start && !slices.ContainsFunc(modes, func(m mode) bool { return m.name == s.mode }) {
		return nil, fmt.Errorf("-mode %s: write pinned, free, two, start or all", s.mode)
	}
	return s, nil
}

// mode is one way in which all runners play.
type mode struct {
	name, title string
	at          int // games at a time
}

var modes = []mode{{"pinned", "Pinned to one processor", 1}, {"free", "Free", 1}, {"two", "Two games at a time, free", 2}}

// What -mode names beside those.
const (
	start      = "start"
	everything = "all"
)

func run(args []string) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	if s.long > 0 {
		return s.many(os.Stdout)
	}
	dir, err := os.MkdirTemp("", "kibitz-rivals-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	runners, err := s.runners(dir)
	if err != nil {
		return err
	}
	fmt.Printf("%s; a system call that does nothing takes %d ns here, the first use of a page of memory %d ns\n\n",
		time.Now().UTC().Format("2006-01-02 15:04"), callCost().Nanoseconds(), pageCost().Nanoseconds())
	var one []series // of the games one at a time, free
	for _, m := range modes {
		if s.mode != m.name && s.mode != everything {
			continue
		}
		prefix := strings.Fields(s.prefix)
		if m.name == "pinned" {
			prefix = append(prefix, "taskset", "-c", s.cpu)
		}
		b := bench{mode: m, runners: runners, prefix: prefix, dir: dir, results: make([]series, len(runners))}
		for i := range s.rounds {
			if err := b.round(); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s, round %d of %d done, load %s\n", m.title, i+1, s.rounds, load())
		}
		fmt.Printf("%s, %d rounds; run with: %s\n\n", m.title, s.rounds, strings.Join(append(prefix, "…"), " "))
		if m.at > 1 {
			b.atOnceTable(os.Stdout, one)
		} else {
			b.table(os.Stdout)
			one = b.results
		}
		fmt.Println()
	}
	if s.mode == start || s.mode == everything {
		return s.startTable(os.Stdout, dir, runners)
	}
	return nil
}

// load is the machine's load average over a minute.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}

// bench is a table that is being filled.
type bench struct {
	mode    mode
	runners []runner
	prefix  []string
	dir     string
	results []series
}

// series are the measurements of one runner, one for each round.
type series struct{ reused, restarted []usage }

// round lets each runner play once.
func (b *bench) round() error {
	for i := range b.runners {
		r := &b.runners[i]
		if b.mode.at > 1 && r.single {
			continue
		}
		u, err := b.play(r, r.games, false)
		if err != nil {
			return err
		}
		b.results[i].reused = append(b.results[i].reused, u)
		if r.restarts == 0 || b.mode.at > 1 {
			continue
		}
		if u, err = b.play(r, r.restarts, true); err != nil {
			return err
		}
		b.results[i].restarted = append(b.results[i].restarted, u)
	}
	return nil
}

// play runs one runner and checks that it played all of its games.
func (b *bench) play(r *runner, games int, restart bool) (usage, error) {
	dir, err := os.MkdirTemp(b.dir, "run-")
	if err != nil {
		return usage{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	argv := append(append([]string{}, b.prefix...), r.command(play{games, b.mode.at, restart, filepath.Join(dir, "out")})...)
	u, output, err := measure(dir, argv)
	if err != nil {
		return u, fmt.Errorf("%s: %w", r.name, err)
	}
	if n := strings.Count(output, r.mark); r.mark != "" && n != games {
		return u, fmt.Errorf("%s: %d of %d games ended as they should (%q): %s", r.name, n, games, r.mark, tail(output))
	}
	u.games, u.moves = games, games*r.plies
	return u, nil
}

// tail returns the last line of a text.
func tail(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
