// Package service puts a hall, and a worker of a hall elsewhere, together from their settings, and
// runs them.
package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/games"
	"kibitz/hall/archive"
	"kibitz/hall/bus"
	"kibitz/hall/director"
	"kibitz/hall/forms"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/play"
	"kibitz/hall/server"
	"kibitz/hall/store"
	"kibitz/hall/store/halldir"
	"kibitz/hall/web"
	"kibitz/hall/web/pages"
	"kibitz/hall/worker"
	"kibitz/internal/plain"
	"kibitz/record/formats"
	"kibitz/run/engines"
	"kibitz/run/watchdog"
)

// Around is what a service is given of its surroundings.
type Around struct {
	Now func() time.Time
	// Log is where the service writes what happens, Tell is told in a line what it waits for.
	Log  *slog.Logger
	Tell func(text string)
	// Launcher starts engines, SetTemp is as in owntemp.Make.
	Launcher *engines.Launcher
	SetTemp  func(dir string) error
	// Version is that of the program.
	Version string
	// Drain is closed when the service is to end.
	Drain <-chan struct{}
}

// Config says what a hall is.
type Config struct {
	// Database says where its folder is, which one process has at a time, and its database.
	Database halldir.Database
	// Queue is the address of NATS elsewhere; empty: it is in this process.
	Queue string
	// Listen lets workers on other machines connect.
	Listen Listen
	// Slots is how many engines think at a time in this process, and games of engines alone: 0 for
	// no games here, below 0 for the number of processors. Analyses are those for readers at a
	// time, below 0 for the usual number.
	Slots, Analyses int
	// Engines is the file of the engines of this machine; empty: there are none.
	Engines string
	// Secure says that browsers reach the hall over TLS, Proxies are believed about addresses.
	Secure  bool
	Proxies []netip.Prefix
	Options server.Options
}

// Hall is a hall of this process with all that it holds open.
type Hall struct {
	Config
	around Around
	log    *slog.Logger
	// quiet is the handler of log.
	quiet health.Quiet
	// folder is taken for as long as the hall runs.
	folder *halldir.Folder
	store  store.Store
	bus    *bus.Bus
	// pin is the fingerprint of the queue's own certificate, empty if it has none.
	pin    string
	hub    *hub.Hub
	health *health.Monitor
	hall   *server.Hall
	// ends release what was opened, the latest first.
	ends []func() error
}

// Open opens a hall, in which games are played from then on.
func Open(ctx context.Context, c Config, around *Around) (*Hall, error) {
	quiet := health.NewQuiet(around.Log.Handler(), around.Now)
	s := &Hall{Config: c, around: *around, log: slog.New(quiet), quiet: quiet}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Serve answers whoever connects until the context or Drain ends.
func (s *Hall) Serve(ctx context.Context, listener net.Listener) error {
	web := s.hall.Server()
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-s.around.Drain:
	case <-ctx.Done():
	}
	s.log.Info("shutting down: running games are parked")
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := web.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return web.Close()
}

// FirstAdmin makes the first account, now that nothing keeps the hall from serving, and returns its
// password; empty if there are accounts.
func (s *Hall) FirstAdmin(ctx context.Context) (password string, err error) {
	if err := s.health.Until(ctx, s.hall.KeepLooks); err != nil {
		return "", fmt.Errorf("names of accounts: %w", err)
	}
	if password, err = s.hall.FirstAdmin(ctx, s.health.Until); err != nil {
		return "", fmt.Errorf("first account: %w", err)
	}
	return password, nil
}

// shutdownTime is how long requests may still take when the hall ends.
const shutdownTime = 5 * time.Second

func (s *Hall) open(ctx context.Context) (err error) {
	if s.folder, err = halldir.Open(s.Database.Dir, rand.Text); err != nil {
		return err
	}
	s.ends = append(s.ends, s.folder.Close)
	s.around.Launcher.Guards.Hide(s.Database.Dir)
	if s.store, err = s.Database.Open(ctx, true); err != nil {
		return err
	}
	s.ends = append(s.ends, s.store.Close)
	if err := s.claim(ctx); err != nil {
		return err
	}
	if err := s.openBus(ctx); err != nil {
		return err
	}
	s.watch()
	contests := director.NewTournaments(director.TournamentsConfig{
		Store: s.store, Now: s.around.Now, Random: rand.Reader, Log: s.log,
		Maker: forms.Maker{},
	})
	var opener games.Opener
	games := archive.Archive{
		Set: formats.New(opener.OpenSpec), Open: opener.Open, Games: catalog.Specs(), Consoles: catalog.Consoles(),
		Solvers: func(id string) (exact.Solver, error) {
			how, err := catalog.SolverOf(id)
			if err != nil {
				return nil, err
			}
			return how.New()
		},
	}
	verifier, err := archive.NewVerifier(games)
	if err != nil {
		return err
	}
	dispatcher := play.New(play.Config{
		Store: s.store, Verify: verifier, Bus: s.bus, Logs: s.bus.Logs, Tournaments: contests, Gone: s.folder.Gone, Now: s.around.Now,
		Random: rand.Reader, Log: s.log, Health: s.health,
	})
	s.hub = hub.New(hub.Options{
		Source: hub.FromBus(s.bus.LiveEvents), Now: s.around.Now, Log: s.log, Ended: lobby.GameEnded(s.store, s.around.Now),
	})
	s.ends = append(s.ends, func() error { s.hub.Close(); return nil })
	assets, err := web.OpenAssets()
	if err != nil {
		return err
	}
	pages, err := pages.New(assets, catalog.Shown())
	if err != nil {
		return err
	}
	s.hall, err = server.New(server.Config{
		Store: s.store, Bus: s.bus, Pin: s.pin, Health: s.health, Now: s.around.Now, Random: rand.Reader, Log: s.log, Version: s.around.Version,
		Secure: s.Secure, Proxies: s.Proxies,
		Live:  &server.Live{Dispatcher: dispatcher, Bus: s.bus, Hub: s.hub, Tournaments: contests, Game: games.Game},
		Views: games, Converter: games, Importer: games,
		Pages: pages, Replays: games, Lines: games, Texts: games, Analyst: s.bus.Analyses, Lessons: games,
		Options: s.Options,
	})
	if err != nil {
		return err
	}
	s.background(func(ctx context.Context) {
		if err := dispatcher.Serve(ctx); err != nil {
			s.log.Error("games cannot be handed to workers", "error", plain.OneLine(err))
		}
	})
	s.bus.Notify(func(ready bool) {
		if ready {
			s.hub.Refresh()
			s.hall.Reconnected()
		}
	})
	s.background(s.hall.ServeRooms)
	s.background(contests.Serve)
	s.background(s.tidy)
	return s.man(ctx)
}

// claim says when another hall has the database and not the queue: each would play what the other plays.
func (s *Hall) claim(ctx context.Context) error {
	ok, release, err := s.Database.Claim(ctx, s.Queue == "")
	if release != nil {
		s.ends = append(s.ends, release)
	}
	if err == nil && !ok {
		s.log.Error("another hall has this database, and a queue of its own: they break off each other's games; " +
			"start all of them with the same --nats, or give each a database")
	}
	return err
}

// watch begins to watch database and queue, without which nothing is done from now on.
func (s *Hall) watch() {
	s.health = health.New(health.Config{
		Parts: []health.Part{health.DatabasePart(s.store), health.QueuePart(s.bus)}, Now: s.around.Now, Log: slog.New(s.quiet.Handler),
		Beat: func(age, waits time.Duration) {
			if err := s.bus.PublishBeat(age, waits); err != nil {
				s.log.Debug("workers do not hear that moves can be taken", "error", plain.OneLine(err))
			}
		},
	})
	s.quiet.Watch(s.health)
	s.store = health.Guard(s.store, s.health)
	s.background(s.health.Run)
}

// background runs f until the hall closes.
func (s *Hall) background(f func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f(ctx)
	}()
	s.ends = append(s.ends, func() error {
		cancel()
		<-ended
		return nil
	})
}

// tidyEvery is the time between two removals of what has expired.
const tidyEvery = 10 * time.Minute

// tidy removes sessions and remembered answers that have expired.
func (s *Hall) tidy(ctx context.Context) {
	t := time.NewTicker(tidyEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		err := s.store.Update(ctx, func(tx store.Tx) error {
			_, err := tx.RemoveExpired(s.around.Now())
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.log.Warn("what has expired is not removed", "error", plain.OneLine(err))
		}
	}
}

// man lets games be played in this process, unless there are to be none.
func (s *Hall) man(ctx context.Context) error {
	if s.Slots == 0 && s.Analyses <= 0 {
		return nil
	}
	players, done, err := s.around.players(ctx, s.Engines, s.log)
	if err != nil {
		return err
	}
	s.ends = append(s.ends, done)
	idle, err := players.ServeAnalyses(s.bus.Analyses, s.Analyses)
	if err != nil {
		return err
	}
	s.ends = append(s.ends, func() error { idle(); return nil })
	if s.Slots == 0 {
		return nil
	}
	dog := watchdog.New(s.around.Now)
	stop := dog.Start()
	s.ends = append(s.ends, func() error { stop(); return nil })
	w, err := players.Worker(s.bus, dog, worker.Config{
		ID: s.folder.Worker, Slots: max(0, s.Slots), Version: s.around.Version, Log: s.log,
	})
	if err != nil {
		return err
	}
	s.background(w.Run)
	return nil
}

// Close parks running games and releases what the hall holds.
func (s *Hall) Close() error {
	var all error
	for i := len(s.ends) - 1; i >= 0; i-- {
		all = errors.Join(all, s.ends[i]())
	}
	return all
}

// ParseNetworks reads a list of networks and addresses.
func ParseNetworks(text string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(word)
		if one, other := netip.ParseAddr(word); err != nil && other == nil {
			p, err = one.Prefix(one.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no network: write 10.0.0.0/8 or an address", word)
		}
		out = append(out, p)
	}
	return out, nil
}
