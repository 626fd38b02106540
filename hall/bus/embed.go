package bus

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// embedded is a server within the process.
type embedded struct {
	srv *server.Server
	// scratch is the folder of a server that was given none.
	scratch string
	// door knows the workers; nil where all who may come in are equal.
	door *door
	// streams is with what the streams are started anew.
	streams server.JetStreamConfig
}

// embed starts a server. It takes connections within the process at once.
func embed(o Options, tried *forgeries) (*embedded, error) {
	e := &embedded{}
	so, err := e.options(o)
	if err != nil {
		return nil, err
	}
	e.srv, err = server.NewServer(so)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("bus: %w", err), e.clean())
	}
	if e.door != nil {
		e.door.mu.Lock()
		e.door.srv = e.srv
		e.door.mu.Unlock()
	}
	fatal := &firstError{}
	e.srv.SetLoggerV2(&serverLog{log: o.Log, fatal: fatal, now: o.Now, door: e.door, tried: tried}, false, false, false)
	e.srv.Start()
	// Start returns when everything listens, or at the first failure that is fatal.
	if msg := fatal.get(); msg != "" {
		e.close()
		return nil, fmt.Errorf("bus: the embedded server (folder %q, listening at %q): %s", o.Folder, o.Listen, msg)
	}
	return e, nil
}

func (e *embedded) options(o Options) (*server.Options, error) {
	so := &server.Options{
		ServerName: "kibitz", DontListen: true, NoSigs: true, MaxPayload: maxPayload,
		MaxPending: 256 << 20, SyncInterval: 10 * time.Second, DisableJetStreamBanner: true,
		// A hall that was cut off is asked nothing any more after 15 to 20 s; as long as
		// its connection counts, a part of the questions of workers is lost on it. NATS
		// itself waits for six minutes.
		PingInterval: 5 * time.Second, MaxPingsOut: 2,
		// The disk is the limit, as it is at each moment: NATS itself takes what is free
		// at the start for it.
		JetStreamMaxStore: 1 << 50,
	}
	so.JetStream, so.StoreDir = true, o.Folder
	if o.Folder == "" {
		dir, err := os.MkdirTemp("", "kibitz-bus-")
		if err != nil {
			return nil, fmt.Errorf("bus: %w", err)
		}
		e.scratch, so.StoreDir = dir, dir
	}
	e.streams = server.JetStreamConfig{
		StoreDir: so.StoreDir, SyncInterval: so.SyncInterval, MaxStore: so.JetStreamMaxStore, Strict: true,
	}
	if o.Listen != "" {
		if err := e.network(o, so); err != nil {
			return nil, errors.Join(err, e.clean())
		}
	}
	return so, nil
}

// network sets where the server listens for clients, and to whom.
func (e *embedded) network(o Options, so *server.Options) (err error) {
	so.DontListen = false
	so.Authorization = o.Token
	if o.Admit != nil {
		e.door = &door{opts: o, own: rand.Text(), inside: map[string]map[uint64]bool{}}
		so.CustomClientAuthentication = e.door
		so.Authorization = ""
	}
	if so.Host, so.Port, err = address(o.Listen); err != nil {
		return err
	}
	if o.TLS != nil {
		so.TLSConfig, so.TLS, so.TLSTimeout = o.TLS, true, 5
	}
	return nil
}

// address reads host:port; port 0 is any free one.
func address(text string) (host string, port int, err error) {
	host, word, err := net.SplitHostPort(text)
	if err != nil {
		return "", 0, fmt.Errorf("bus: address %q of listening is not host:port", text)
	}
	port, err = strconv.Atoi(word)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("bus: port %q of listening is not a number from 0 to 65535", word)
	}
	port = cmp.Or(port, server.RANDOM_PORT)
	return host, port, nil
}

// close stops the server and waits for it.
func (e *embedded) close() {
	if e == nil {
		return
	}
	e.srv.Shutdown()
	e.srv.WaitForShutdown()
	_ = e.clean()
}

func (e *embedded) clean() error {
	if e.scratch == "" {
		return nil
	}
	return os.RemoveAll(e.scratch)
}

// firstError keeps the first message.
type firstError struct {
	mu  sync.Mutex
	msg string
}

func (f *firstError) set(msg string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.msg = cmp.Or(f.msg, msg)
}

func (f *firstError) get() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.msg
}

// serverLog passes on what the embedded server says. Its notices are details to us.
type serverLog struct {
	log   *slog.Logger
	fatal *firstError
	now   func() time.Time
	door  *door // nil where all are equal
	tried *forgeries

	mu sync.Mutex
	// told is when refused logins were told of last, refused how many there were since.
	told    time.Time
	refused int
}

// refusedEvery is how often refused logins are told of: whoever tries tokens, or was
// revoked and does not give up, does not fill the log.
const refusedEvery = time.Minute

// refusal reports whether a refused login is to be told of, and how many were not.
func (l *serverLog) refusal() (tell bool, others int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if !l.told.IsZero() && now.Sub(l.told) < refusedEvery {
		l.refused++
		return false, 0
	}
	others, l.told, l.refused = l.refused, now, 0
	return true, others
}

func (l *serverLog) Noticef(format string, v ...any) {
	l.log.Debug("nats: " + fmt.Sprintf(format, v...))
}

func (l *serverLog) Warnf(format string, v ...any) { l.log.Warn("nats: " + fmt.Sprintf(format, v...)) }

func (l *serverLog) Errorf(format string, v ...any) {
	msg := fmt.Sprintf(format, v...)
	if l.door != nil {
		if sender, what, ok := l.door.violation(msg); ok {
			l.tried.add(sender, what)
			return
		}
	}
	if !strings.Contains(msg, "authentication error") {
		l.log.Error("nats: " + msg)
		return
	}
	if tell, others := l.refusal(); tell {
		l.log.Warn("nats: a login was refused: "+msg, "untold", others)
	}
}

func (l *serverLog) Debugf(format string, v ...any) {
	l.log.Debug("nats: " + fmt.Sprintf(format, v...))
}
func (l *serverLog) Tracef(string, ...any) {}

func (l *serverLog) Fatalf(format string, v ...any) {
	msg := fmt.Sprintf(format, v...)
	l.fatal.set(msg)
	l.log.Error("nats: " + msg)
}
