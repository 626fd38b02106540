package full

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"

	"kibitz/cmd/kibitz/outside"

	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/server"
	"kibitz/hall/service"
	"kibitz/hall/store/halldir"
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
	Bots        int    `default:"10" help:"Bots that an account may have (10)." placeholder:"N"`
	Tokens      int    `default:"10" help:"Tokens that an account or a bot may have (10)." placeholder:"N"`

	AddressRate float64 `placeholder:"N" help:"Requests a second of one address on average, six times as many at once (20); more where many people share one; -1: any number."`
	EnterRate   float64 `placeholder:"N" help:"Logins, new accounts and guests a minute of one address on average (20); -1: any number."`
	Secure      bool    `help:"Browsers reach the hall over TLS, at a proxy in front of it."`
	Proxies     string  `help:"Networks of proxies that are believed about addresses, such as 10.0.0.0/8,127.0.0.1/32." placeholder:"LIST"`
	MetricsFile string  `name:"metrics-token-file" help:"File with a token that opens /metrics, beside admins and requests on this machine." placeholder:"FILE"`
	Log         string  `enum:"text,json" default:"text" help:"Form of the log on stderr: text or json."`
}

// Help returns the example that --help shows.
func (serveCmd) Help() string {
	return "Opens a hall. On the first start an account admin is made, whose password is printed once.\n" +
		"The first interrupt parks running games, which go on at the next start, and ends.\n" +
		"Examples: kibitz serve\n" +
		"          kibitz serve --addr 0.0.0.0:80 --data /var/lib/kibitz --db postgres://kibitz@db/hall --nats nats://queue:4222"
}

// Run serves until it is interrupted.
func (c serveCmd) Run(w *outside.World) (err error) {
	config, err := c.config(w)
	if err != nil {
		return err
	}
	hall, err := service.Open(w.Ctx, config, around(w, c.Log))
	if err != nil {
		return ofData(err)
	}
	defer func() { err = errors.Join(err, hall.Close()) }()
	listener, err := service.ListenWeb(w.Ctx, c.Addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", c.Addr, err)
	}
	if p, err := hall.FirstAdmin(w.Ctx); err != nil {
		return errors.Join(err, listener.Close())
	} else if p != "" {
		w.Warn(fmt.Sprintf("the account admin has the password %s; it is shown this once", p))
	}
	fmt.Fprintf(w.Stdout, "listening on http://%s\n", listener.Addr())
	return hall.Serve(w.Ctx, listener)
}

// config is what the flags say of the hall.
func (c *serveCmd) config(w *outside.World) (out service.Config, err error) {
	out = service.Config{
		Listen: service.Listen{Address: c.Listen, Plain: c.ListenPlain}, Slots: c.Slots, Analyses: c.Analyses, Engines: c.Engines,
		Secure: c.Secure,
		Options: server.Options{
			Registration: auth.Registration(c.Register), NoGuests: c.NoGuests, AddressRate: c.AddressRate, EnterRate: c.EnterRate,
			Bots: c.Bots, Tokens: c.Tokens,
		},
	}
	if c.Bots < 1 || c.Tokens < 1 {
		return out, fmt.Errorf("--bots %d --tokens %d: must be 1 or more", c.Bots, c.Tokens)
	}
	if out.Options.MetricsToken, err = tokenIn("--metrics-token-file", c.MetricsFile, "whoever reads /metrics"); err != nil {
		return out, err
	}
	if out.Proxies, err = service.ParseNetworks(c.Proxies); err != nil {
		return out, fmt.Errorf("--proxies: %w", err)
	}
	if err := errors.Join(checkSlots(max(0, c.Slots)), readable("--engines", c.Engines)); err != nil {
		return out, err
	}
	metrics := &out.Options.MetricsToken
	if err := errors.Join(fromCredential(&c.DB, "db"), fromCredential(&c.NATS, "nats"), fromCredential(metrics, "metrics")); err != nil {
		return out, err
	}
	out.Database, out.Queue = halldir.Database{Dir: c.Data, URL: c.DB}, c.NATS
	for _, file := range []string{c.ListenKey, c.MetricsFile} {
		if file != "" {
			w.Guards.Hide(file)
		}
	}
	out.Listen.TLS, err = c.listenTLS()
	return out, err
}

// listenTLS is the certificate for workers on other machines; nil if none is given.
func (c *serveCmd) listenTLS() (*tls.Config, error) {
	switch {
	case (c.ListenCert == "") != (c.ListenKey == ""):
		return nil, errors.New("--listen-cert, --listen-key: give both, or neither")
	case c.ListenCert == "":
		return nil, nil
	case c.ListenPlain:
		return nil, errors.New("--listen-plain: a certificate is given as well; give one")
	}
	cert, err := os.ReadFile(c.ListenCert)
	if err != nil {
		return nil, fmt.Errorf("--listen-cert: %w", err)
	}
	key, err := os.ReadFile(c.ListenKey)
	if err != nil {
		return nil, fmt.Errorf("--listen-key: %w", err)
	}
	config, _, err := bus.ServerTLS(cert, key)
	if err != nil {
		return nil, fmt.Errorf("--listen-cert, --listen-key: %w", err)
	}
	return config, nil
}
