// Command cluster plays a tournament on several machines that lose each other: two
// servers, three workers, a NATS server and a PostgreSQL, each in a network namespace of
// its own on a bridge. One of each is cut off in the middle and comes back. Afterwards
// every pairing must have exactly one counted result, or the program fails.
//
// It needs root, iproute2 and PostgreSQL. What it makes it removes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"kibitz/bench/paced"
	"kibitz/catalog"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/link"
	"kibitz/protocol"
	"kibitz/rules"
)

// options are what the command line says.
type options struct {
	program  string
	dir      string
	games    int
	what     string
	spec     string
	slots    int
	every    time.Duration
	away     time.Duration
	longAway time.Duration
	limit    time.Duration
	keep     bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] { // this program once more, as a part of the cluster
		case "nats":
			return serveNATS(ctx, args[1:])
		case "engine":
			return serveEngine(ctx, args[1:])
		}
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	if os.Getuid() != 0 {
		return errors.New("network namespaces need root")
	}
	if o.dir, err = os.MkdirTemp("", "kibitz-cluster-"); err != nil {
		return err
	}
	if o.keep {
		fmt.Println("logs are in", o.dir)
	} else {
		defer os.RemoveAll(o.dir) //nolint:errcheck // a folder for temporary files
	}
	return play(ctx, o)
}

func parse(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("cluster", flag.ContinueOnError)
	f.StringVar(&o.program, "kibitz", "bin/kibitz", "the program that is tried")
	f.IntVar(&o.games, "games", 1000, "games of the tournament")
	f.StringVar(&o.what, "what", "tournament", "tournament, or rooms: series side by side")
	f.StringVar(&o.spec, "game", "gomoku:size=9", "what is played")
	f.IntVar(&o.slots, "slots", 8, "games at a time of each worker")
	f.DurationVar(&o.every, "every", 30*time.Millisecond, "time that the engines take for a decision")
	f.DurationVar(&o.away, "away", 15*time.Second, "how long a server, NATS and PostgreSQL are cut off")
	f.DurationVar(&o.longAway, "worker-away", 45*time.Second, "how long a worker is cut off: longer than its lease of 30s")
	f.DurationVar(&o.limit, "limit", 15*time.Minute, "how long all of it may take")
	f.BoolVar(&o.keep, "keep", false, "keep the logs")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 || o.games < 40 || o.what != "rooms" && o.what != "tournament" {
		return nil, errors.New("no arguments but flags; -games from 40; -what is tournament or rooms")
	}
	return o, nil
}

// serveNATS is the server of the bus that other machines are halls and workers of.
func serveNATS(ctx context.Context, args []string) error {
	if len(args) != 3 {
		return errors.New("nats FOLDER HOST:PORT TOKEN")
	}
	b, err := bus.Open(ctx, bus.Options{Folder: args[0], Listen: args[1], Token: args[2], Now: time.Now})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return b.Close()
}

// serveEngine is an engine that takes its time and no processor.
func serveEngine(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("engine GAME TIME")
	}
	every, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	r, err := games.Open(args[0])
	if err != nil {
		return err
	}
	beat := &paced.Beat{Every: every, Now: time.Now, Next: time.Now()}
	return catalog.GTP().Serve(ctx, link.Stdio(os.Stdin, os.Stdout, time.Now), protocol.Server{
		Player: paced.New(uint64(os.Getpid()), beat), Position: rules.NewBoard(games.OpenSpec), Now: time.Now,
		Name: "paced", Version: "1", Author: "tests", Game: r.Spec(),
	})
}

// play builds the cluster, plays, disturbs, and judges.
func play(ctx context.Context, o *options) (err error) {
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	c := &cluster{o: o}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.open(ctx); err != nil {
		return err
	}
	d := &director{servers: c.servers(), o: o}
	if err := d.enter(ctx, c.password); err != nil {
		return err
	}
	begun := time.Now()
	if err := d.begin(ctx); err != nil {
		return err
	}
	err = c.disturbed(ctx, d)
	if err == nil {
		fmt.Printf("%d games in %s\n", o.games, time.Since(begun).Round(100*time.Millisecond))
	}
	last, done := context.WithTimeout(context.WithoutCancel(ctx), time.Minute) // what there is is told after the limit too
	defer done()
	v, judged := judge(last, c.database(), o.games)
	fmt.Print(v)
	if err == nil {
		err = d.finish(ctx)
	}
	return errors.Join(err, judged)
}

// disturbed waits until all games are over; meanwhile one of each kind is cut off and
// comes back, each when a part of the games has been played.
func (c *cluster) disturbed(ctx context.Context, d *director) error {
	plan := []struct {
		at   int // percent of the games
		node string
		away time.Duration
	}{
		{10, "worker1", c.o.longAway}, {20, "server1", c.o.away}, {45, "nats", c.o.away}, {70, "db", c.o.away},
	}
	begun := time.Now()
	say := func(format string, a ...any) {
		fmt.Printf("%6.1fs %s\n", time.Since(begun).Seconds(), fmt.Sprintf(format, a...))
	}
	type back struct {
		node string
		at   time.Time
	}
	var away []back
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	said := 0
	for {
		over := d.over(ctx)
		if over*10/c.o.games > said {
			said = over * 10 / c.o.games
			say("%d of %d games are over", over, c.o.games)
		}
		for len(plan) > 0 && over*100 >= plan[0].at*c.o.games {
			p := plan[0]
			plan = plan[1:]
			if err := c.cut(p.node); err != nil {
				return err
			}
			say("%s is cut off for %s; %d games are over", p.node, p.away, over)
			away = append(away, back{p.node, time.Now().Add(p.away)})
		}
		for i := 0; i < len(away); i++ {
			if time.Now().After(away[i].at) {
				if err := c.join(away[i].node); err != nil {
					return err
				}
				say("%s is back; %d games are over", away[i].node, over)
				away = append(away[:i], away[i+1:]...)
				i--
			}
		}
		if over >= c.o.games && len(away) == 0 && len(plan) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d games are over after %s: %w; %s", over, c.o.games, time.Since(begun).Round(time.Second), ctx.Err(),
				strings.Join(c.tails(), "\n"))
		}
	}
}
