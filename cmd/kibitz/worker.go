package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/worker"
	"kibitz/hall/worker/factory"
	"kibitz/internal/owntemp"
	"kibitz/link/procfs"
	"kibitz/match"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/watchdog"
)

type workerCmd struct {
	NATS      string `name:"nats" env:"KIBITZ_NATS" help:"Where the hall's messages go, nats://host:4222; a token (see --token-file) or a name and password may stand before the host." placeholder:"URL"`
	TokenFile string `help:"File with the token of this worker, as Administration, Workers makes it; so it stands on no command line." placeholder:"FILE"`
	Engines   string `help:"File with the engines of this machine, which are guarded, with an empty environment, unless it says otherwise; without one built-in engines alone." placeholder:"FILE.toml"`
	Slots     int    `help:"Engines that think at a time, and games of engines alone; people who think need none (the number of processors)." placeholder:"N"`
	Analyses  int    `default:"-1" help:"Analyses for readers of games at a time; 0 for none (half the number of processors, at least 1)." placeholder:"N"`
	Name      string `help:"Name of the worker for people (the name of the machine)." placeholder:"NAME"`
	Prefix    string `default:"kibitz" help:"Prefix of the hall's messages, if it has another." placeholder:"WORD"`
	Log       string `enum:"text,json" default:"text" help:"Form of the log on stderr: text or json."`
}

// Help returns the example that --help shows.
func (workerCmd) Help() string {
	return "Plays games for a hall that runs elsewhere. The first interrupt lets running games end, the second parks them.\n" +
		"Example: kibitz worker --nats nats://hall.example:4222 --token-file token --engines engines.toml --slots 4"
}

// Run plays until it is interrupted.
func (c workerCmd) Run(a *app) (err error) {
	log := newLog(a, c.Log)
	if c.TokenFile != "" {
		a.guards.Hide(c.TokenFile)
	}
	if err := fromCredential(&c.NATS, "nats"); err != nil {
		return err
	}
	if c.NATS == "" {
		return errors.New("--nats: where are the hall's messages? Give --nats, KIBITZ_NATS or the credential kibitz.nats of systemd")
	}
	players, done, err := playerFactory(a, c.Engines, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	token, err := workerToken(c.TokenFile)
	if err != nil {
		return err
	}
	if err := fromCredential(&token, "token"); err != nil {
		return err
	}
	b, err := openBus(a, bus.Options{URL: c.NATS, Token: token, Worker: true, Prefix: c.Prefix, Log: log, Now: a.now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	idle, err := players.ServeAnalyses(b, c.Analyses)
	if err != nil {
		return err
	}
	defer idle()
	dog := watchdog.New(a.now)
	defer dog.Start()()
	w, err := newWorker(a, b, players, dog, worker.Config{ID: b.WorkerID(rand.Text()), Name: c.Name, Slots: c.Slots, Log: log})
	if err != nil {
		return err
	}
	log.Info("waiting for games", "worker", w.Name, "slots", w.Slots, "engines", len(players.Entries()))
	stop := onClosed(a.drain, w.Drain)
	defer stop()
	w.Run(a.ctx)
	return nil
}

// workerToken reads the token of a worker; without a file it is empty.
func workerToken(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	words := strings.Fields(string(data))
	if len(words) != 1 {
		return "", fmt.Errorf("--token-file %s: want the token of a worker, one word", file)
	}
	return words[0], nil
}

// newLog returns the log of a service.
func newLog(a *app, form string) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if form == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, o))
	}
	return slog.New(slog.NewTextHandler(a.stderr, o))
}

// playerFactory returns what makes players of the engines of a file; done removes what was made for
// them. No file is no engines.
func playerFactory(a *app, file string, log *slog.Logger) (f *factory.Factory, done func() error, err error) {
	var list []factory.Engine
	sums := engines.NewSums(a.now)
	if file != "" {
		if list, err = readEngines(file, sums); err != nil {
			return nil, nil, err
		}
		a.guards.Hide(file)
	}
	for _, e := range list {
		a.guards.Part([]*engineSpec{e.Spec})
	}
	end, err := owntemp.Make(a.now(), a.setTemp)
	if err != nil {
		return nil, nil, err
	}
	p, err := engines.OwnPrograms(func(text string) { log.Info(text) })
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	f = factory.New(factory.Config{
		Launcher: a.launcher(), Programs: p, Sums: sums, Engines: list, Policy: policyOf, Warn: func(text string) { log.Warn(text) },
	})
	done = func() error { return errors.Join(p.Close(), end()) }
	if err := f.Ready(a.ctx); err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return f, done, nil
}

// newWorker returns a worker of this process, of which Name may be empty, and Slots 0
// for as many as there are processors.
func newWorker(a *app, b *bus.Bus, f *factory.Factory, dog *watchdog.Watchdog, w worker.Config) (*worker.Worker, error) {
	if w.Name == "" {
		w.Name, _ = os.Hostname()
	}
	if w.Slots == 0 {
		w.Slots = runtime.NumCPU()
	}
	if w.Slots < 1 || w.Slots > maxConcurrency {
		return nil, fmt.Errorf("--slots %d: must be from 1 to %d", w.Slots, maxConcurrency)
	}
	w.Bus, w.Build, w.Engines, w.Version = worker.OnBus(b), f.Build, f.Entries, version
	w.Now, w.Slept, w.Load = a.now, dog.Slept, procfs.Load
	return worker.New(w)
}

// onClosed calls f once ch is closed; stop ends the waiting.
func onClosed(ch <-chan struct{}, f func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-ch:
			f()
		case <-ctx.Done():
		}
	}()
	return cancel
}

// policyOf reads the referee's rules of a game.
func policyOf(p *bus.Rules, r rules.Rules) (match.Policy, error) {
	out := match.Policy{
		Retries: p.Retries, MaxMoves: p.MaxMoves, Stall: p.Stall, Undo: p.Undo, NoDraw: p.NoDraw, NoAbort: p.NoAbort,
		Start: time.Minute,
	}
	out.Draw, out.Resign = match.DrawRule(p.Draw), match.ResignRule{Count: p.Resign.Count, Score: p.Resign.Score}
	var err error
	if p.Exact {
		out.Exact, err = (&run.Exact{Nodes: run.ExactNodes}).Rule(r)
	}
	return out, err
}
