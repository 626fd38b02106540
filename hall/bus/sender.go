package bus

import (
	"cmp"
	"crypto/subtle"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"kibitz/game"
)

// Who sends: every question to halls and every result has the name of its sender in its
// subject, and a server that knows the workers lets each of them publish under its own
// name alone. The identifiers of a sender's workers are that name, a hyphen and a word.
const (
	// hallSender is the name of halls, which may speak for any worker: those of their own
	// process share their connection.
	hallSender = "hall"
	// anySender is that of workers whose token names nobody.
	anySender = "any"
)

// SenderOf is the sender whose worker it is: what stands before the last hyphen of the
// identifier. One without a hyphen is of a hall.
func SenderOf(worker string) string {
	if i := strings.LastIndexByte(worker, '-'); i >= 0 {
		return worker[:i]
	}
	return hallSender
}

// Owns reports whether a worker is one of a sender's. Halls may speak for any.
func Owns(sender, worker string) bool {
	return sender == hallSender || SenderOf(worker) == sender
}

// WorkerID makes the identifier of a worker that uses this connection: word must be one
// that no other worker has, without hyphens.
func (b *Bus) WorkerID(word string) string { return b.conn.sender + "-" + word }

// senderOf is the name under which a connection speaks: "hall", or that of a worker,
// which stands before the dot of its token or is its user's in the address.
func senderOf(o Options) string {
	if !o.Worker {
		return hallSender
	}
	name := ""
	if o.Token != "" {
		name, _ = SplitToken(o.Token)
	}
	if name == "" {
		first, _, _ := strings.Cut(o.URL, ",")
		if u, err := url.Parse(strings.TrimSpace(first)); err == nil && u.User != nil {
			if name = u.User.Username(); !hasPassword(u) {
				name, _ = SplitToken(name)
			}
		}
	}
	if CheckName("worker", name) != nil || name == hallSender {
		return anySender
	}
	return name
}

func hasPassword(u *url.URL) bool { _, has := u.User.Password(); return has }

// SplitToken splits the token of a worker, NAME.SECRET. One without a dot names nobody.
func SplitToken(token string) (name, secret string) {
	if before, after, ok := strings.Cut(token, "."); ok && CheckName("worker", before) == nil {
		return before, after
	}
	return "", token
}

// door decides who may use an embedded server that knows the workers.
type door struct {
	opts Options
	// own is the secret of the process itself.
	own string

	mu sync.Mutex
	// inside are the connections of each worker that was let in, those that have ended
	// since included.
	inside map[string]map[uint64]bool
	srv    *server.Server
}

// Check implements server.Authentication.
func (d *door) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	if o.Username == hallSender {
		return same(o.Password, d.own)
	}
	if d.opts.Token != "" && o.Username == "" && same(o.Token, d.opts.Token) {
		return true
	}
	name, secret := o.Username, o.Password
	if name == "" {
		name, secret = SplitToken(o.Token)
	}
	if name != "" && (CheckName("worker", name) != nil || name == anySender) || secret == "" || !d.opts.Admit(name, secret) {
		return false
	}
	name = cmp.Or(name, anySender)
	c.RegisterUser(&server.User{Username: name, Permissions: permissions(d.opts.Prefix, name)})
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inside[name] == nil {
		d.inside[name] = map[uint64]bool{}
	}
	for id := range d.inside[name] {
		if d.srv != nil && d.srv.GetClient(id) == nil {
			delete(d.inside[name], id)
		}
	}
	d.inside[name][c.GetID()] = true
	return true
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// violation returns who tried what its permissions do not have, of a line of the server's log;
// ok is false for other lines.
func (d *door) violation(line string) (sender, what string, ok bool) {
	_, what, pub := strings.Cut(line, "Publish Violation - ")
	if !pub {
		if _, what, ok = strings.Cut(line, "Subscription Violation - "); !ok {
			return "", "", false
		}
	}
	verb := "listened to"
	if pub {
		verb = "published to"
	}
	what = "it " + verb + " what it may not: " + game.Shown(what, 200)
	_, rest, _ := strings.Cut(line, "cid:")
	number, _, _ := strings.Cut(rest, " ")
	id, err := strconv.ParseUint(number, 10, 64)
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, ids := range d.inside {
		if err == nil && ids[id] {
			return name, what, true
		}
	}
	return anySender, what, true
}

// dismiss ends the connections of a worker.
func (d *door) dismiss(name string) {
	d.mu.Lock()
	list, srv := d.inside[name], d.srv
	delete(d.inside, name)
	d.mu.Unlock()
	for id := range list {
		_ = srv.DisconnectClientByID(id) // one that has gone is no fault
	}
}

// Dismiss ends the connections of a worker at the embedded server, whose token was
// revoked. Where the servers are outside it is for them.
func (b *Bus) Dismiss(worker string) {
	if b.conn.server != nil && b.conn.server.door != nil {
		b.conn.server.door.dismiss(worker)
	}
}

// answerFor is how long a worker may take over a question; an analysis is answered in many
// parts.
const answerFor = 12 * time.Hour

// permissions are what a worker may say and hear: under its own name what counts, what it
// says live of games, and what those games are asked. It takes jobs and puts them back; it
// makes none, and reads no results.
func permissions(prefix, name string) *server.Permissions {
	n := names{prefix}
	jobs, workers := n.stream("JOBS"), n.stream("workers")
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			n.subject("hall", "*", name), n.subject("results", "*", name), n.subject("log", "*", "*", name),
			n.subject("live", name, ">"), n.subject("seat", name, ">"), n.subject("console", name, ">"), n.subject("analysis", ">"),
			n.subject("wake"),
			"$JS.API.STREAM.INFO." + jobs, "$JS.API.STREAM.INFO.KV_" + workers,
			"$JS.API.CONSUMER.CREATE." + jobs + ".>", "$JS.API.CONSUMER.MSG.NEXT." + jobs + ".>",
			"$JS.ACK." + jobs + ".>", "$JS.ACK.*.*." + jobs + ".>",
			"$KV." + workers + "." + name + ".*",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{
			inbox(name) + ".>", n.subject("wake"), n.subject("beat"), n.subject("order", name, "*"), n.subject("sync", name, "*"),
			n.subject("in", name, ">"), n.subject("lines", name, ">"), n.subject("analysis", ">"),
		}},
		Response: &server.ResponsePermission{MaxMsgs: -1, Expires: answerFor},
	}
}

// inbox begins the subjects at which a sender takes answers: nobody else may listen there.
func inbox(sender string) string {
	if sender == hallSender {
		return "_INBOX"
	}
	return "_INBOX_" + sender
}
