//go:build linux

// Command hallload measures a hall under load: a real `kibitz serve` with live games and
// spectators over loopback, each with a connection and an address of its own.
//
// The games are those of rooms between built-in engines, refereed by a worker in a
// process of its own, whose engines are paced to a decision at a time. The delay of an
// event is from the time that the referee wrote into it until this program has read it.
// All spectators are one goroutine over epoll, so that measuring disturbs little; what it
// costs is told beside the rest.
//
// hallload people is a load of another kind: see package people. hallload lines measures how
// long what an engine prints takes to whoever watches its game, hallload imports how many games
// a second a hall takes from files, and its pages meanwhile.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// options are what the command line says.
type options struct {
	program    string
	dir        string
	games      int
	spectators int
	specs      []string
	every      time.Duration
	slow       float64
	arrivals   float64
	quiet      time.Duration
	window     time.Duration
	json       bool
	starts     int
	nats       string
	alone      bool     // the hall takes no workers from elsewhere
	flags      []string // for kibitz serve
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hallload:", err)
		os.Exit(1)
	}
}

func parse(args []string) (*options, error) {
	o := &options{}
	var specs, flags string
	f := flag.NewFlagSet("hallload", flag.ContinueOnError)
	f.StringVar(&o.program, "kibitz", "bin/kibitz", "the program that is measured")
	f.StringVar(&o.dir, "dir", "", "folder for the hall and its log; none: a new one that is removed")
	f.IntVar(&o.games, "games", 200, "live games")
	f.IntVar(&o.spectators, "spectators", 10_000, "spectators of all games together")
	f.StringVar(&specs, "specs", "amazons gomoku:size=20 connect6", "what is played, in turn, with spaces between")
	f.DurationVar(&o.every, "every", time.Second, "time between two decisions of a game")
	f.Float64Var(&o.slow, "slow", 0.01, "part of the spectators that read slowly or not at all")
	f.Float64Var(&o.arrivals, "arrivals", 500, "spectators that come in a second")
	f.DurationVar(&o.quiet, "quiet", 10*time.Second, "how long games are measured without spectators, and spectators before the window")
	f.DurationVar(&o.window, "window", time.Minute, "how long delays are measured")
	f.IntVar(&o.starts, "starts", 0, "measure the time to the first answer of so many starts, and nothing else")
	f.BoolVar(&o.json, "json", false, "one JSON object in place of the table")
	f.StringVar(&o.nats, "nats", "", "address of a NATS server with its token, nats://TOKEN@HOST:PORT; none: the hall's own")
	f.StringVar(&flags, "serve", "", "further flags of kibitz serve, with spaces between")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.specs, o.flags = strings.Fields(specs), strings.Fields(flags)
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("unknown argument %q", f.Arg(0))
	case o.games < 1:
		return nil, fmt.Errorf("-games %d: 1 or more", o.games)
	case o.spectators < 0 || o.slow < 0 || o.slow > 1 || o.arrivals <= 0 || len(o.specs) == 0:
		return nil, fmt.Errorf("-spectators from 0, -slow from 0 to 1, -arrivals above 0, -specs not empty")
	}
	return o, nil
}

// ownFolder makes a folder for temporary files, and what removes it, unless one is named.
func (o *options) ownFolder() (remove func(), err error) {
	if o.dir != "" {
		return func() {}, nil
	}
	o.dir, err = os.MkdirTemp("", "hallload-")
	return func() { _ = os.RemoveAll(o.dir) }, err
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "drive" { // this program once more, as a worker
		return driveArgs(ctx, args[1:])
	}
	if len(args) > 0 && args[0] == "talk" { // or as an engine
		every, err := time.ParseDuration(args[len(args)-1])
		if err != nil {
			return err
		}
		return talk(os.Stdin, &talker{out: os.Stdout, thinks: thinks, every: every})
	}
	if len(args) > 0 && args[0] == "lines" {
		return loadLines(ctx, args[1:])
	}
	if len(args) > 0 && args[0] == "imports" {
		return loadImports(ctx, args[1:])
	}
	if len(args) > 0 && args[0] == "people" {
		return loadPeople(ctx, args[1:])
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	remove, err := o.ownFolder()
	if err != nil {
		return err
	}
	defer remove()
	if o.starts > 0 {
		return starts(ctx, o)
	}
	m, err := measure(ctx, o)
	if err != nil {
		return err
	}
	return m.print(os.Stdout, o.json)
}

func driveArgs(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("drive", flag.ContinueOnError)
	url := f.String("nats", "", "the hall's bus")
	slots := f.Int("slots", 1, "games at a time")
	every := f.Duration("every", time.Second, "time between two decisions of a game")
	aloud := f.Duration("aloud", 0, "engines in processes of their own, which say after so long what they think")
	if err := f.Parse(args); err != nil {
		return err
	}
	return drive(ctx, *url, *slots, *every, *aloud, time.Now)
}
