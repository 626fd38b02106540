// Package server is the hall's HTTP side.
//
// A Hall answers over HTTP from what stands in the store; it runs no game and knows
// no rules. Every route is a Route: who may use it, how large its body may be, how
// long it may take, whether it creates something. What a Route says is enforced in
// one place (guard), before the handler runs. Operations of the API are functions
// from a struct to a struct, from which the OpenAPI page is made.
package server

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/klauspost/compress/zstd"

	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// Bus is what a hall asks of the messages between halls and workers.
type Bus interface {
	// Workers returns the registry of workers.
	Workers(ctx context.Context) ([]bus.Worker, error)
	// Dismiss cuts off a worker whose token was revoked.
	Dismiss(worker string)
}

// Config is what a Hall is made of. Store, Now and Log are needed.
type Config struct {
	Store store.Store
	// Bus is nil for a hall that only shows what is stored.
	Bus Bus
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
	Views     Views
	Converter Converter
	Importer  Importer
	// Live is the part with rooms and running games; without it their routes are absent.
	Live *Live
	// Pages make the pages for browsers; nil for a hall with an API alone. Replays are
	// for the pages of finished games.
	Pages   *pages.Pages
	Replays Replays
	// Lines is for analysis boards, Analyst has engines analyse. Where one is nil, the
	// routes that need it answer 501.
	Lines   Lines
	Analyst Analyst
	Options Options
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
	cfg     Config
	auth    *auth.Service
	mux     *http.ServeMux
	api     huma.API
	routes  []Route
	guards  map[string]Route
	handler http.Handler
	metrics *metrics
	address *auth.Limiter
	account *auth.Limiter
	enter   *auth.Limiter
	films   *auth.Limiter
	imports chan struct{}
	exports chan struct{}
	draws   chan struct{}
	unpack  *zstd.Decoder
	seats   seatLinks
	packers sync.Pool
	asked   analyses
	// knownEvery is that of the package, but in tests.
	knownEvery time.Duration
	link       link
	// proxied tells that an unlisted proxy was told of.
	proxied atomic.Bool
}

// New checks the configuration and registers all routes.
func New(cfg Config) (*Hall, error) {
	if cfg.Store == nil || cfg.Now == nil || cfg.Log == nil {
		return nil, errors.New("a hall needs a store, a clock and a log")
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	service, err := auth.New(auth.Config{
		Store: cfg.Store, Now: cfg.Now, Random: cfg.Random, Secure: cfg.Secure,
		Registration: cfg.Options.Registration, NoGuests: cfg.Options.NoGuests,
		Bots: cfg.Options.Bots, Tokens: cfg.Options.Tokens, Cost: cfg.Options.Cost,
	})
	if err != nil {
		return nil, err
	}
	h := &Hall{
		cfg: cfg, auth: service, mux: http.NewServeMux(), guards: map[string]Route{}, metrics: newMetrics(),
		address: limiter(cfg.Options.AddressRate, 20, 6),
		account: limiter(cfg.Options.AccountRate, 30, 6),
		enter:   limiter(cfg.Options.EnterRate/60, 20.0/60, 30),
		films:   limiter(cfg.Options.AddressRate/50, 0.4, 30),
		imports: make(chan struct{}, 2), exports: make(chan struct{}, 4), draws: make(chan struct{}, 2), knownEvery: knownEvery,
	}
	if h.unpack, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20)); err != nil {
		return nil, err
	}
	h.api = humago.New(guardedMux{h}, apiConfig(cfg.Version))
	h.register()
	describeFaults(h.api.OpenAPI())
	if h.handler, err = h.chain(); err != nil {
		return nil, err
	}
	return h, nil
}

// link is the connection to the bus, as long as it holds.
type link struct {
	mu  sync.Mutex
	now context.Context
	end context.CancelFunc
}

// current ends when the connection to the bus was made anew.
func (l *link) current() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		l.now, l.end = context.WithCancel(context.Background())
	}
	return l.now
}

// Reconnected tells that the connection to the bus was lost and is there again: what was
// told to the seats of people meanwhile is asked for anew.
func (h *Hall) Reconnected() {
	h.link.mu.Lock()
	defer h.link.mu.Unlock()
	if h.link.end != nil {
		h.link.end()
	}
	h.link.now, h.link.end = nil, nil
}

// limiter makes a limiter of which 0 means usual and less than 0 none; burst is in
// seconds of the rate.
func limiter(perSecond, usual, burst float64) *auth.Limiter {
	if perSecond == 0 {
		perSecond = usual
	}
	return auth.NewLimiter(perSecond, int(max(perSecond, 0)*burst), 1<<16)
}

// KeepLooks keeps how the names of accounts look of which that is not known yet; a hall
// does it before it serves.
func (h *Hall) KeepLooks(ctx context.Context) error { return h.auth.KeepLooks(ctx) }

// FirstAdmin makes the account "admin" if the hall has none at all, and returns its
// password, which nothing keeps; empty if there are accounts. Whoever calls it is about to
// serve, and shows the password.
func (h *Hall) FirstAdmin(ctx context.Context) (string, error) { return h.auth.FirstAdmin(ctx) }

// Auth returns the hall's accounts.
func (h *Hall) Auth() *auth.Service { return h.auth }

// API returns the registry of operations; add registers one.
func (h *Hall) API() huma.API { return h.api }

// Handler answers requests.
func (h *Hall) Handler() http.Handler { return h.handler }

// Server returns an HTTP server for Handler whose limits hold back slow and large
// clients. The caller sets its address and its TLS, and ends it.
func (h *Hall) Server() *http.Server {
	return &http.Server{
		Handler:           h.handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ErrorLog:          slog.NewLogLogger(h.cfg.Log.Handler(), slog.LevelDebug),
	}
}

// register registers all routes: the explicit list. A part of the hall in files of
// its own is one line here.
func (h *Hall) register() {
	h.registerHealth()
	h.registerDocs()
	h.registerAccount()
	h.registerTokens()
	h.registerUsers()
	h.registerAdmin()
	h.registerGames()
	h.registerImport()
	h.registerExport()
	h.registerRatings()
	h.registerSaved()
	h.registerLines()
	h.registerAnalyses()
	if h.cfg.Live != nil {
		h.registerRooms()
		h.registerStreams()
		h.registerConsoles()
		h.registerSeat()
		if h.cfg.Live.Tournaments != nil {
			h.registerTournaments()
		}
	}
	if h.cfg.Pages != nil {
		h.registerPages()
	}
}

// view reads, update writes.
func (h *Hall) view(ctx context.Context, fn func(store.Tx) error) error {
	return h.cfg.Store.View(ctx, fn)
}

func (h *Hall) update(ctx context.Context, fn func(store.Tx) error) error {
	return h.cfg.Store.Update(ctx, fn)
}

// now is the time as a store keeps it.
func (h *Hall) now() time.Time { return h.cfg.Now().UTC().Truncate(time.Microsecond) }
