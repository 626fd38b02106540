//go:build linux

// Command rivals measures Kibitz beside other runners in one run: what a move
// costs with engines that answer at once, and how many games a second there are
// with engines that are reused and that are started anew for every game.
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
	f.StringVar(&s.mode, "mode", "both", "pinned to one processor, free, or both")
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
	if s.mode != "pinned" && s.mode != "free" && s.mode != "both" {
		return nil, fmt.Errorf("-mode %s: write pinned, free or both", s.mode)
	}
	return s, nil
}

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
	for _, mode := range []string{"pinned", "free"} {
		if s.mode != mode && s.mode != "both" {
			continue
		}
		prefix := strings.Fields(s.prefix)
		if mode == "pinned" {
			prefix = append(prefix, "taskset", "-c", s.cpu)
		}
		b := bench{runners: runners, prefix: prefix, dir: dir, results: make([]series, len(runners))}
		for i := range s.rounds {
			if err := b.round(); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s, round %d of %d done, load %s\n", mode, i+1, s.rounds, load())
		}
		fmt.Printf("%s, %d rounds, %s; run with: %s\n\n", title(mode, s.cpu), s.rounds, time.Now().UTC().Format("2006-01-02 15:04"),
			strings.Join(append(prefix, "…"), " "))
		b.table(os.Stdout)
		fmt.Println()
	}
	return nil
}

func title(mode, cpu string) string {
	if mode == "pinned" {
		return "Pinned to processor " + cpu
	}
	return "Free"
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
		u, err := b.play(r, r.games, false)
		if err != nil {
			return err
		}
		b.results[i].reused = append(b.results[i].reused, u)
		if r.restarts == 0 {
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
	argv := append(append([]string{}, b.prefix...), r.command(games, restart, filepath.Join(dir, "out"))...)
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
