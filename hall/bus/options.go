package bus

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"time"
)

// maxPayload is how long a message of an embedded server may be, in bytes: the most
// that NATS recommends. A record of a long game has some hundred kilobytes.
const maxPayload = 8 << 20

// Options say how to reach the bus, or to start one.
type Options struct {
	// URL is the address of servers outside, "nats://host:4222" or several with commas
	// between them; a name and password, or a token, may stand before the host. Empty
	// starts a server within the process.
	URL string

	// Folder keeps the streams of the embedded server. Without one they are kept in
	// memory and are gone with the process.
	Folder string
	// Listen is the address, "host:port", at which the embedded server takes
	// connections of clients, such as workers on other machines; port 0 takes a free
	// one (see Bus.Addr). Empty takes none. It needs a Token or Admit.
	Listen string
	// Token is what clients must show: that of the embedded server, or what is shown at
	// the URL.
	Token string
	// Admit tells of a worker that shows a name and a secret at Listen (the token
	// NAME.SECRET, or a user and a password) whether it may come in; the name is empty
	// for a token without a dot. A worker speaks under its own name alone; whoever shows
	// Token may say everything. Admit may be called by many at once.
	Admit func(name, secret string) bool
	// Holder tells a hall who has a game: news of it are taken from that worker alone, and
	// questions and orders go to it. Without one halls hear and ask the workers of halls'
	// own processes alone; workers need none.
	Holder Holder
	// OnForgery is told what a worker tried that it may not, as far as this bus sees it; one
	// call at a time, nil for nobody. The log has it in any case.
	OnForgery func(context.Context, Forgery)
	// Worker tells that the connection is a worker's: it makes no streams, and speaks
	// under the name that its token or its user has.
	Worker bool
	// TLS encrypts connections of clients: at Listen it has a certificate (ServerTLS), with
	// a URL it may be nil: a server that wants TLS is then known by the fingerprint at the
	// end of the token (JoinPin), or by the certificates that the system believes.
	TLS *tls.Config
	// Prefix begins every subject and stream, so that several halls can share servers.
	// Default "kibitz".
	Prefix string
	// Lease is how long a job stays with a worker that gives no sign. Default 30 s.
	Lease time.Duration
	// Poll is how often a worker that waits looks for jobs of which it missed the
	// announcement. Default 2 s.
	Poll time.Duration
	// Timeout bounds one question over the bus; it is asked three times. Default 5 s.
	Timeout time.Duration
	// Presence is how long a worker that gives no sign stays in the registry, from 1 s.
	// Default 15 s.
	Presence time.Duration

	// Log takes what the bus has to say; nil is silence.
	Log *slog.Logger
	// Now is the clock, for leases. It must be given.
	Now func() time.Time
	// Waits is told by Open that the servers at an address cannot be used yet, why, and
	// when it tries again; nil for nobody.
	Waits func(where string, next time.Duration, why error)
}

// filled returns the options with defaults, or what is wrong with them.
func (o Options) filled() (Options, error) {
	if o.Now == nil {
		return o, errors.New("bus: Options.Now is missing")
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.Prefix = cmp.Or(o.Prefix, "kibitz")
	o.Lease = cmp.Or(o.Lease, 30*time.Second)
	o.Poll = cmp.Or(o.Poll, 2*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 5*time.Second)
	o.Presence = cmp.Or(o.Presence, 15*time.Second)
	if o.Presence < time.Second {
		return o, errors.New("bus: presence of a worker is below a second")
	}
	if err := CheckName("prefix", o.Prefix); err != nil {
		return o, err
	}
	if o.URL != "" {
		if o.Folder != "" || o.Listen != "" {
			return o, errors.New("bus: servers outside and settings of an embedded one are given; give one")
		}
		return o.unpin()
	}
	if o.Listen != "" && o.Admit == nil && o.Token == "" {
		return o, errors.New("bus: listening needs a token")
	}
	return o, nil
}
