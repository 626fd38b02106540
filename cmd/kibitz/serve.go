package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"kibitz/catalog"
	"kibitz/hall/archive"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/queuetls"
	"kibitz/hall/server"
	"kibitz/hall/store"
	"kibitz/hall/store/halldir"
	"kibitz/hall/web"
	"kibitz/hall/web/pages"
	"kibitz/hall/worker"
	"kibitz/internal/plain"
	"kibitz/run/watchdog"
)

type serveCmd struct {
	Addr string `default:"127.0.0.1:8080" help:"Where the hall listens, HOST:PORT; port 0 takes a free one." placeholder:"HOST:PORT"`
	hallDatabase
	NATS        string `name:"nats" env:"KIBITZ_NATS" help:"A NATS server or cluster with JetStream instead of the one in this process, nats://..." placeholder:"URL"`
	Listen      string `help:"Take workers on other machines at HOST:PORT; they show a token that Administration, Workers makes, or that of the file worker.token in the folder." placeholder:"HOST:PORT"`
	ListenCert  string `help:"Certificate for --listen, PEM, if not the hall's own: workers believe it by the certificates of their system." placeholder:"FILE"`
	ListenKey   string `help:"Key of --listen-cert, PEM." placeholder:"FILE"`
	ListenPlain bool   `help:"Do not encrypt --listen: for a network of your own. Otherwise only addresses of this machine are not encrypted."`
	Slots       int    `default:"-1" help:"Engines that think at a time in this process, and games of engines alone; people who think need none. 0 for no games here, workers then play them all (the number of processors)." placeholder:"N"`
	Engines     string `help:"File with the engines of this machine that the hall offers; they are guarded, with an empty environment, unless it says otherwise." placeholder:"FILE.toml"`
	Analyses    int    `default:"-1" help:"Analyses for readers of games at a time in this process; 0 for none (half the number of processors, at least 1)." placeholder:"N"`
	Register    string `enum:"open,invited,closed" default:"open" help:"Who may open an account: open, invited or closed."`
	NoGuests    bool   `help:"Nobody plays without an account."`

	AddressRate float64 `placeholder:"N" help:"Requests a second of one address on average, six times as many at once (20); more where many people share one; -1: any number."`
	EnterRate   float64 `placeholder:"N" help:"Logins, new accounts and guests a minute of one address on average (20); -1: any number."`
	Secure      bool    `help:"Browsers reach the hall over TLS, at a proxy in front of it."`
	Proxies     string  `help:"Networks of proxies that are believed about addresses, such as 10.0.0.0/8,127.0.0.1/32." placeholder:"LIST"`
	Log         string  `enum:"text,json" default:"text" help:"Form of the log on stderr: text or json."`
}

// Help returns the example that --help shows.
func (serveCmd) Help() string {
	return "Opens a hall. On the first start an account admin is made, whose password is printed once.\n" +
		"The first interrupt parks running games, which go on at the next start, and ends.\n" +
		"Examples: kibitz serve\n" +
		"          kibitz serve --addr 0.0.0.0:80 --data /var/lib/kibitz --db postgres://kibitz@db/hall --nats nats://queue:4222"
}

// hallService is a hall of this process with all that it holds open.
type hallService struct {
	a   *app
	c   *serveCmd
	log *slog.Logger
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

// Run serves until it is interrupted.
func (c serveCmd) Run(a *app) (err error) {
	quiet := health.NewQuiet(newLog(a, c.Log).Handler(), a.now)
	s := &hallService{a: a, c: &c, log: slog.New(quiet), quiet: quiet}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.open(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", c.Addr, err)
	}
	web := s.hall.Server()
	if p, err := s.firstAdmin(); err != nil {
		return errors.Join(err, listener.Close())
	} else if p != "" {
		fmt.Fprintf(a.stderr, "kibitz: the account admin has the password %s; it is shown this once\n", p)
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	fmt.Fprintf(a.stdout, "listening on http://%s\n", listener.Addr())
	select {
	case err := <-failed:
		return err
	case <-a.drain:
	case <-a.ctx.Done():
	}
	s.log.Info("shutting down: running games are parked")
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := web.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return web.Close()
}

// firstAdmin makes the first account, now that nothing keeps the hall from serving.
func (s *hallService) firstAdmin() (password string, err error) {
	if err := s.hall.KeepLooks(s.a.ctx); err != nil {
		return "", fmt.Errorf("names of accounts: %w", err)
	}
	ctx, cancel := context.WithTimeout(s.a.ctx, firstTime)
	defer cancel()
	if password, err = s.hall.FirstAdmin(ctx); err != nil {
		return "", fmt.Errorf("first account: %w", err)
	}
	return password, nil
}

// firstTime is how long the database may take for the first account.
const firstTime = 30 * time.Second

// shutdownTime is how long requests may still take when the hall ends.
const shutdownTime = 5 * time.Second

func (s *hallService) open() error {
	proxies, err := prefixes(s.c.Proxies)
	if err != nil {
		return err
	}
	if s.folder, err = halldir.Open(s.c.Data, rand.Text); err != nil {
		return ofData(err)
	}
	s.ends = append(s.ends, s.folder.Close)
	s.a.guards.Hide(s.c.Data)
	if err := errors.Join(fromCredential(&s.c.DB, "db"), fromCredential(&s.c.NATS, "nats")); err != nil {
		return err
	}
	if err := s.openStore(); err != nil {
		return err
	}
	if err := s.openBus(); err != nil {
		return err
	}
	s.watch()
	contests := server.NewTournaments(server.TournamentsConfig{
		Store: s.store, Now: s.a.now, Random: rand.Reader, Log: s.log,
		Maker: hallMaker{},
	})
	verifier, err := archive.NewVerifier(hallArchive())
	if err != nil {
		return err
	}
	dispatcher := play.New(play.Config{
		Store: s.store, Verify: verifier, Bus: s.bus, Logs: s.bus, Tournaments: contests, Gone: s.folder.Gone, Now: s.a.now, Random: rand.Reader,
		Log:    s.log,
		Health: s.health,
	})
	s.hub = hub.New(hub.Options{Source: server.FromBus(s.bus), Now: s.a.now, Log: s.log, Ended: server.GameEnded(s.store, s.a.now)})
	s.ends = append(s.ends, func() error { s.hub.Close(); return nil })
	assets, err := web.OpenAssets()
	if err != nil {
		return err
	}
	pages, err := pages.New(assets, catalog.IDs(func(catalog.Game) bool { return true }))
	if err != nil {
		return err
	}
	s.hall, err = server.New(server.Config{
		Store: s.store, Bus: s.bus, Pin: s.pin, Health: s.health, Now: s.a.now, Random: rand.Reader, Log: s.log, Version: version,
		Secure: s.c.Secure, Proxies: proxies,
		Live:  &server.Live{Dispatcher: dispatcher, Bus: s.bus, Hub: s.hub, Tournaments: contests, Game: hallArchive().Game},
		Views: hallArchive(), Converter: hallArchive(), Importer: hallArchive(),
		Pages: pages, Replays: hallArchive(), Lines: hallArchive(), Analyst: s.bus,
		Options: server.Options{
			Registration: auth.Registration(s.c.Register), NoGuests: s.c.NoGuests, AddressRate: s.c.AddressRate,
			EnterRate: s.c.EnterRate,
		},
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
	return s.man()
}

// watch begins to watch database and queue, without which nothing is done from now on.
func (s *hallService) watch() {
	s.health = health.New(health.Config{
		Parts: []health.Part{health.DatabasePart(s.store), health.QueuePart(s.bus)}, Now: s.a.now, Log: slog.New(s.quiet.Handler),
		Beat: func(age time.Duration) {
			if err := s.bus.PublishBeat(age); err != nil {
				s.log.Debug("workers do not hear that moves can be taken", "error", plain.OneLine(err))
			}
		},
	})
	s.quiet.Watch(s.health)
	s.store = health.Guard(s.store, s.health)
	s.background(s.health.Run)
}

// background runs f until the hall closes.
func (s *hallService) background(f func(context.Context)) {
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
func (s *hallService) tidy(ctx context.Context) {
	t := time.NewTicker(tidyEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		err := s.store.Update(ctx, func(tx store.Tx) error {
			_, err := tx.RemoveExpired(s.a.now())
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.log.Warn("what has expired is not removed", "error", plain.OneLine(err))
		}
	}
}

func (s *hallService) openStore() (err error) {
	if s.store, err = s.c.open(s.a.ctx, true); err == nil {
		s.ends = append(s.ends, s.store.Close)
	}
	return err
}

func (s *hallService) openBus() (err error) {
	o := bus.Options{
		URL: s.c.NATS, Log: s.log, Now: s.a.now, Holder: func(ctx context.Context, id string) (int, string,
			error,
		) {
			return play.Holder(s.store)(ctx, id)
		},
		OnForgery: func(ctx context.Context, f bus.Forgery) {
			if err := play.AuditForgery(ctx, s.store, s.a.now(), f); err != nil {
				s.log.Warn("the audit log does not have what a worker tried", "worker", f.Sender, "error", plain.OneLine(err))
			}
		},
	}
	if s.c.NATS == "" {
		o.Folder = filepath.Join(s.c.Data, "queue")
	}
	if s.c.Listen != "" {
		if o.TLS, s.pin, err = s.queueTLS(); err != nil {
			return err
		}
		common, err := queuetls.CommonToken(s.folder, s.pin)
		if err != nil {
			return err
		}
		o.Listen, o.Admit = s.c.Listen, s.admit(common)
		if s.pin != "" {
			s.log.Info("workers connect by TLS; their tokens end with ." + s.pin)
		}
	}
	if s.bus, err = openBus(s.a, o); err != nil {
		return err
	}
	s.ends = append(s.ends, s.bus.Close)
	return nil
}

// inSeconds writes whole seconds as people do.
func inSeconds(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) + " s" }

// natsTime is how long a NATS elsewhere is waited for at the start.
const natsTime = time.Minute

// openBus opens the bus and says what it waits for.
func openBus(a *app, o bus.Options) (*bus.Bus, error) {
	ctx, cancel := context.WithTimeout(a.ctx, natsTime)
	defer cancel()
	defer onClosed(a.drain, cancel)()
	o.Waits = func(where string, next time.Duration, why error) {
		if errors.Is(why, nats.ErrNoServers) {
			why = errors.New("nobody answers there")
		}
		text := strings.TrimPrefix(strings.ToLower(plain.OneLine(why)), "nats: ")
		for _, own := range []error{bus.ErrPin, bus.ErrUnpinned, bus.ErrPlain} {
			if errors.Is(why, own) {
				text = own.Error()
			}
		}
		fmt.Fprintf(a.stderr, "kibitz: waiting for NATS at %s, next try in %s: %s\n", where, inSeconds(next), text)
	}
	b, err := bus.Open(ctx, o)
	if err != nil && o.URL != "" && errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("no NATS within %s: %w", natsTime, err)
	}
	return b, err
}

// admit decides about workers on other machines: those without a name show the token of
// the file, those with one their own.
func (s *hallService) admit(common string) func(name, secret string) bool {
	return func(name, secret string) bool {
		if name == "" {
			return subtle.ConstantTimeCompare([]byte(secret), []byte(common)) == 1
		}
		ctx, cancel := context.WithTimeout(s.a.ctx, admitTime)
		defer cancel()
		ok, err := auth.AdmitWorker(ctx, s.store, name, secret)
		if err != nil {
			s.log.Warn("a worker cannot be let in", "worker", name, "error", plain.OneLine(err))
		}
		return ok
	}
}

// admitTime is how long the database may take to say whether a worker may come in.
const admitTime = 2 * time.Second

// man lets games be played in this process, unless there are to be none.
func (s *hallService) man() error {
	if s.c.Slots == 0 && s.c.Analyses <= 0 {
		return nil
	}
	players, done, err := playerFactory(s.a, s.c.Engines, s.log)
	if err != nil {
		return err
	}
	s.ends = append(s.ends, done)
	idle, err := players.ServeAnalyses(s.bus, s.c.Analyses)
	if err != nil {
		return err
	}
	s.ends = append(s.ends, func() error { idle(); return nil })
	if s.c.Slots == 0 {
		return nil
	}
	dog := watchdog.New(s.a.now)
	stop := dog.Start()
	w, err := newWorker(s.a, s.bus, players, dog, worker.Config{ID: s.folder.Worker, Slots: max(0, s.c.Slots), Log: s.log})
	if err != nil {
		stop()
		return err
	}
	s.ends = append(s.ends, func() error { stop(); return nil })
	s.background(w.Run)
	return nil
}

func (s *hallService) close() error {
	var all error
	for i := len(s.ends) - 1; i >= 0; i-- {
		all = errors.Join(all, s.ends[i]())
	}
	return all
}

// prefixes reads a list of networks.
func prefixes(text string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(word)
		if one, other := netip.ParseAddr(word); err != nil && other == nil {
			p, err = one.Prefix(one.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("--proxies: %q is no network: write 10.0.0.0/8 or an address", word)
		}
		out = append(out, p)
	}
	return out, nil
}
