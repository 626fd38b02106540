// Package server assembles a hall: what answers over HTTP (hall/api for programs, hall/site
// for browsers) from what stands in the store and comes over the bus.
package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/admin"
	"kibitz/hall/api"
	"kibitz/hall/auth"
	"kibitz/hall/director"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/play"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/site"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// Config is what a Hall is made of. Store, Now and Log are needed.
type Config struct {
	Store store.Store
	// Bus is nil for a hall that only shows what is stored.
	Bus admin.WorkerBus
	// Pin is the fingerprint by which workers know the certificate of the queue; it stands
	// at the end of their tokens. Empty if there is none.
	Pin string
	Now func() time.Time
	// Health knows what of the things behind the hall is away; nil for nothing.
	Health *health.Monitor
	// Random is where secrets come from, nil for the system's source.
	Random  io.Reader
	Log     *slog.Logger
	Version string
	// Secure tells that browsers reach the hall over TLS, here or at a proxy: cookies
	// then go over TLS alone.
	Secure bool
	// Proxies are the networks of trusted proxies, whose X-Forwarded-For is believed.
	Proxies []netip.Prefix
	// Views, Converter and Importer know games and formats. Where one is nil, the
	// routes that need it answer 501.
	Views     records.Views
	Converter records.Converter
	Importer  records.Importer
	// Live is the part with rooms and running games; without it their routes are absent.
	Live *Live
	// Pages make the pages for browsers; nil for a hall with an API alone. Replays are
	// for the pages of finished games.
	Pages   *pages.Pages
	Replays records.Replays
	// Lines is for analysis boards, Texts for what is pasted and taken from there, Analyst has engines analyse. Where one is nil, the
	// routes that need it answer 501.
	Lines   records.LineReader
	Texts   records.TextReader
	Analyst api.Analyst
	// Lessons plays by the rules what the pages teach; nil if they teach nothing.
	Lessons site.Teacher
	Options Options
	// KnownEvery is how often streams ask whether their caller is still known, 0 for a minute,
	// FairEvery how often analyses ask whether he has begun to play, 0 for five seconds.
	KnownEvery, FairEvery time.Duration
}

// Live is the part of a hall that has rooms and running games. Dispatcher, Bus, Hub and Game
// are needed.
type Live struct {
	Dispatcher *play.Dispatcher
	Bus        LiveBus
	Hub        *hub.Hub
	// Tournaments are those that Dispatcher tells of their games; nil for none.
	Tournaments *director.Tournaments
	// Game checks what a room is to play: a specification, the text of a position
	// (empty for the initial one) and decisions made from there, in the journal's form.
	// It returns the specification in canonical form, and whether the game hides
	// anything from a seat. Its errors are one line for people.
	Game func(ctx context.Context, spec game.Spec, position string, moves []string) (canonical game.Spec, hidden bool, err error)
}

// LiveBus is what rooms and streams ask of the messages between halls and workers.
type LiveBus interface {
	lobby.SeatBus
	lobby.ConsoleBus
	api.FrameBus
	lobby.OrderBus
}

// Options are an operator's choices; the zero value is what a small public hall
// wants.
type Options struct {
	Registration auth.Registration
	NoGuests     bool
	// Bots and Tokens are how many an account may have, 0 for 10 of each.
	Bots, Tokens int
	// Origins are further origins ("https://board.example") from which browsers may
	// send requests that change something.
	Origins []string
	// AddressRate and AccountRate are requests per second on average that an address
	// and an account may send, 0 for 20 and 30, below 0 for any number; six times as
	// many at once. Games as moving pictures are a fiftieth of an address's.
	AddressRate, AccountRate float64
	// EnterRate is requests per minute on average that an address may send to log
	// in, register and become a guest, 0 for 20, below 0 for any number.
	EnterRate float64
	// MetricsToken opens /metrics as a bearer token, beside admins and whoever asks
	// from this machine.
	MetricsToken string
	// Cost of password hashes, zero for the default.
	Cost auth.Cost
}

// Hall answers requests. It is safe for any number of goroutines, and has none of its
// own.
type Hall struct {
	auth   *auth.Service
	router *router.Router
	api    *api.API
	rooms  *lobby.Rooms
	link   lobby.Link
}

// New checks the configuration and registers all routes.
func New(cfg Config) (*Hall, error) {
	if cfg.Store == nil || cfg.Now == nil || cfg.Log == nil {
		return nil, errors.New("a hall needs a store, a clock and a log")
	}
	cfg.Random = cmp.Or(cfg.Random, rand.Reader)
	h := &Hall{}
	var err error
	if h.auth, err = auth.New(auth.Config{
		Store: cfg.Store, Now: cfg.Now, Random: cfg.Random, Secure: cfg.Secure,
		Registration: cfg.Options.Registration, NoGuests: cfg.Options.NoGuests,
		Bots: cfg.Options.Bots, Tokens: cfg.Options.Tokens, Cost: cfg.Options.Cost,
	}); err != nil {
		return nil, err
	}
	h.router, err = router.New(router.Config{
		Auth: h.auth, Store: cfg.Store, Health: cfg.Health, Now: cfg.Now, Random: cfg.Random, Log: cfg.Log, Secure: cfg.Secure,
		Proxies: cfg.Proxies, Origins: cfg.Options.Origins, AddressRate: cfg.Options.AddressRate, AccountRate: cfg.Options.AccountRate,
		EnterRate: cfg.Options.EnterRate, MetricsToken: cfg.Options.MetricsToken, KnownEvery: cfg.KnownEvery,
	})
	if err != nil {
		return nil, err
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		return nil, err
	}
	return h, h.furnish(&cfg, unpack)
}

// plays says what is wrong with the name of a game.
func (c *Config) plays(ctx context.Context, id string) error {
	if c.Live == nil {
		return nil
	}
	_, _, err := c.Live.Game(ctx, game.Spec(id), "", nil)
	return err
}

// furnish makes the parts of the hall, each of what it needs, and registers their routes.
func (h *Hall) furnish(cfg *Config, unpack *zstd.Decoder) error {
	// now is the time as a store keeps it.
	now := func() time.Time { return store.Kept(cfg.Now()) }
	base := api.Config{
		Router: h.router, Version: cfg.Version, Auth: h.auth, Store: cfg.Store, Health: cfg.Health, Now: cfg.Now,
		Random: cfg.Random, Log: cfg.Log,
		Users:   &admin.Users{Store: cfg.Store, Now: now},
		Engines: &admin.Engines{Store: cfg.Store, Now: now, Auth: h.auth, Bus: cfg.Bus, Plays: cfg.plays},
		Audit:   &admin.Audit{Store: cfg.Store},
		Workers: &admin.Workers{Store: cfg.Store, Auth: h.auth, Bus: cfg.Bus, Pin: cfg.Pin},
		Lines:   cfg.Lines, Analyst: cfg.Analyst, FairEvery: cfg.FairEvery,
		Positions: &records.Positions{Store: cfg.Store, Views: cfg.Views, Now: now, Random: cfg.Random},
	}
	games := records.GamesConfig{
		Store: cfg.Store, Auth: h.auth, Views: cfg.Views, Converter: cfg.Converter, Replays: cfg.Replays, Unpack: unpack, Now: now, Log: cfg.Log,
	}
	if live := cfg.Live; live != nil {
		running := &lobby.Running{
			Store: cfg.Store, Hub: live.Hub, Bus: live.Bus, Health: cfg.Health, Link: &h.link, Now: cfg.Now, Random: cfg.Random, Log: cfg.Log,
		}
		h.rooms = lobby.NewRooms(lobby.RoomsConfig{
			Store: cfg.Store, Dispatcher: live.Dispatcher, Bus: live.Bus, Game: live.Game, Asks: running.Asks, Now: now, Random: cfg.Random,
			Log: cfg.Log,
		})
		base.Rooms, base.Running, base.Hub, base.Bus, base.Link = h.rooms, running, live.Hub, live.Bus, &h.link
		base.Consoles = &lobby.Consoles{Running: running, Store: cfg.Store, Bus: live.Bus, Unpack: unpack, Now: now, Log: cfg.Log}
		games.Queue, games.Asks = live.Dispatcher, running.Asks
		if t := live.Tournaments; t != nil {
			t.Join(live.Dispatcher, live.Bus, h.router.Metrics())
			base.Tournaments = &director.Desk{Tournaments: t, Store: cfg.Store, Auth: h.auth, Random: cfg.Random}
		}
	}
	base.Games = records.NewGames(games)
	base.Texts = records.NewTexts(cfg.Texts, base.Games)
	base.Imports = records.NewImports(records.ImportsConfig{Store: cfg.Store, Importer: cfg.Importer, Auth: h.auth, Now: now})
	base.Exports = records.NewExports(base.Games, cfg.Store)
	h.router.RegisterProbes()
	h.api = api.New(base)
	if cfg.Pages != nil {
		site.New(site.Config{
			Router: h.router, Pages: cfg.Pages, Auth: h.auth, Store: cfg.Store, Now: cfg.Now, Log: cfg.Log, Secure: cfg.Secure,
			Registration: cfg.Options.Registration, NoGuests: cfg.Options.NoGuests, AddressRate: cfg.Options.AddressRate,
			Users: base.Users, Engines: base.Engines, Audit: base.Audit, Workers: base.Workers, Positions: base.Positions, Games: base.Games,
			Imports: base.Imports, Rooms: h.rooms, Running: base.Running, Consoles: base.Consoles, Tournaments: base.Tournaments,
			Lessons: cfg.Lessons,
		})
	}
	return nil
}

// Reconnected tells that the connection to the bus was lost and is there again: what was
// told to the seats of people meanwhile is asked for anew.
func (h *Hall) Reconnected() { h.link.Renew() }

// KeepLooks keeps how the names of accounts look of which that is not known yet; a hall
// does it before it serves.
func (h *Hall) KeepLooks(ctx context.Context) error { return h.auth.KeepLooks(ctx) }

// FirstAdmin makes the account "admin" if the hall has none at all, and returns its
// password, which nothing keeps; empty if there are accounts. Whoever calls it is about to
// serve, and shows the password. until is as in auth.Service.
func (h *Hall) FirstAdmin(ctx context.Context, until func(context.Context, func(context.Context) error) error) (string, error) {
	return h.auth.FirstAdmin(ctx, until)
}

// Server returns an HTTP server for the hall whose limits hold back slow and large
// clients. The caller sets its address and its TLS, and ends it.
func (h *Hall) Server() *http.Server { return h.router.Server() }

// ServeRooms lets rooms do what is due until the context ends: the next game of a
// series, closing those that everybody has left. Then it ends the connections of remote
// engines and waits until they are.
func (h *Hall) ServeRooms(ctx context.Context) {
	defer h.api.EndSockets()
	h.rooms.Serve(ctx)
}
