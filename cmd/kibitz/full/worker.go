package full

import (
	"errors"
	"fmt"
	"log/slog"

	"kibitz/cmd/kibitz/outside"

	"kibitz/hall/service"
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
func (c workerCmd) Run(w *outside.World) error {
	if err := errors.Join(checkSlots(c.Slots), readable("--engines", c.Engines)); err != nil {
		return err
	}
	if err := fromCredential(&c.NATS, "nats"); err != nil {
		return err
	}
	if c.NATS == "" {
		return errors.New("--nats: where are the hall's messages? Give --nats, KIBITZ_NATS or the credential kibitz.nats of systemd")
	}
	if c.TokenFile != "" {
		w.Guards.Hide(c.TokenFile)
	}
	token, err := tokenIn("--token-file", c.TokenFile, "a worker")
	if err != nil {
		return err
	}
	if err := fromCredential(&token, "token"); err != nil {
		return err
	}
	return service.Work(w.Ctx, &service.WorkerConfig{
		Queue: c.NATS, Token: token, Prefix: c.Prefix, Name: c.Name, Slots: c.Slots, Analyses: c.Analyses, Engines: c.Engines,
	}, around(w, c.Log))
}

// mostSlots is more engines at a time than any machine has processors for.
const mostSlots = 4096

// checkSlots returns why so many engines cannot think at a time.
func checkSlots(n int) error {
	if n < 0 || n > mostSlots {
		return fmt.Errorf("--slots %d: must be from 1 to %d", n, mostSlots)
	}
	return nil
}

// around is what a service is given of its surroundings.
func around(w *outside.World, log string) *service.Around {
	return &service.Around{
		Now: w.Now, Log: newLog(w, log), Tell: w.Warn, Launcher: w.Launcher(), SetTemp: w.SetTemp, Version: w.Version, Drain: w.Drain,
	}
}

// newLog returns the log of a service.
func newLog(w *outside.World, form string) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if form == "json" {
		return slog.New(slog.NewJSONHandler(w.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(w.Stderr, o))
}
