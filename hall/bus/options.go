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
	// Name is that of the embedded server; in a cluster each has its own. Default
	// "kibitz".
	Name string
	// Listen is the address, "host:port", at which the embedded server takes
	// connections of clients, such as workers on other machines; port 0 takes a free
	// one (see Bus.Addr). Empty takes none. It needs a Token, or User and Password.
	Listen string
	// Token, or User and Password, are what clients must show: those of the embedded
	// server, or what is shown at the URL.
	Token          string
	User, Password string
	// Admit tells of a worker that shows a name and a secret at Listen (the token
	// NAME.SECRET, or a user and a password) whether it may come in; the name is empty
	// for a token without a dot. A worker speaks under its own name alone; whoever shows
	// Token, or User and Password, may say everything. Admit may be called by many at
	// once.
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
	// Cluster makes the embedded server one of several that keep the streams together.
	Cluster *Cluster
	// LeafListen is the address at which other embedded servers may attach as leaf
	// nodes; it needs LeafSecret.
	LeafListen string
	// Leaf are addresses "host:port" of servers that the embedded server attaches to as
	// a leaf node: it then keeps no streams of its own, and Folder must be empty.
	Leaf []string
	// LeafSecret is shared between a server that has LeafListen and its leaf nodes.
	LeafSecret string

	// Domain is the name under which leaf nodes reach the streams of the servers that
	// they attach to. Default "hall" for an embedded server; with a URL it is needed
	// only where the address is that of a leaf node.
	Domain string

	// Prefix begins every subject and stream, so that several halls can share servers.
	// Default "kibitz".
	Prefix string
	// Replicas is how many servers keep each stream: 1, 3 or 5. 0 leaves it as it is,
	// and makes new streams with 1.
	Replicas int
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
	// OnState is called when the bus is lost (false) and when it is back (true), one
	// call at a time; nil for nobody.
	OnState func(ready bool)
}

// Cluster says which servers keep the streams together.
type Cluster struct {
	// Name is the same for all of them.
	Name string
	// Listen is the address for the others, Routes are addresses "host:port" of some or
	// all of them.
	Listen string
	Routes []string
	// Secret is shared by all of them.
	Secret string
}

// filled returns the options with defaults, or what is wrong with them.
func (o Options) filled() (Options, error) {
	if o.Now == nil {
		return o, errors.New("bus: Options.Now is missing")
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	fill(&o.Name, "kibitz")
	fill(&o.Prefix, "kibitz")
	fill(&o.Lease, 30*time.Second)
	fill(&o.Poll, 2*time.Second)
	fill(&o.Timeout, 5*time.Second)
	fill(&o.Presence, 15*time.Second)
	if o.Presence < time.Second {
		return o, errors.New("bus: presence of a worker is below a second")
	}
	for _, n := range []struct{ what, name string }{
		{"domain", cmp.Or(o.Domain, "none")},
		{"prefix", o.Prefix},
		{"name of the server", o.Name},
	} {
		if err := CheckName(n.what, n.name); err != nil {
			return o, err
		}
	}
	if o.Token != "" && o.User != "" {
		return o, errors.New("bus: both a token and a user are given; give one")
	}
	if o.URL != "" {
		if o.Folder != "" || o.Listen != "" || o.Cluster != nil || o.LeafListen != "" || len(o.Leaf) > 0 {
			return o, errors.New("bus: servers outside and settings of an embedded one are given; give one")
		}
		return o.unpin()
	}
	fill(&o.Domain, "hall")
	return o, o.checkEmbedded()
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (o Options) checkEmbedded() error {
	switch {
	case o.Listen != "" && o.Admit == nil && o.Token == "" && (o.User == "" || o.Password == ""):
		return errors.New("bus: listening needs a token, or a user and a password")
	case o.Cluster != nil && o.Cluster.Secret == "":
		return errors.New("bus: a cluster needs a secret")
	case o.Cluster != nil && (o.Cluster.Name == "" || o.Cluster.Listen == ""):
		return errors.New("bus: a cluster needs a name and an address to listen at")
	case (o.LeafListen != "" || len(o.Leaf) > 0) && o.LeafSecret == "":
		return errors.New("bus: leaf nodes need a secret")
	case len(o.Leaf) > 0 && (o.Folder != "" || o.Cluster != nil):
		return errors.New("bus: a leaf node keeps no streams: give neither a folder nor a cluster")
	}
	return nil
}

// secret is the token of the embedded server, empty if it has a user or takes nobody.
func (o Options) secret() string {
	switch {
	case o.Token != "" || o.User != "":
		return o.Token
	case o.Cluster != nil:
		return o.Cluster.Secret
	default:
		return o.LeafSecret
	}
}
