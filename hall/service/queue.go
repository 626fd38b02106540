package service

import (
	"context"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/queuetls"
	"kibitz/hall/store/halldir"
	"kibitz/internal/drain"
	"kibitz/internal/plain"

	"github.com/nats-io/nats.go"
)

// Listen says where workers on other machines connect, and how their connections are encrypted:
// by a certificate, else, beyond this machine, by one that the hall makes itself and by whose
// fingerprint tokens know it.
type Listen struct {
	// Address is HOST:PORT; empty: no worker connects from elsewhere.
	Address string
	// TLS has a certificate; nil: the hall has its own.
	TLS *tls.Config
	// Plain says that nothing is encrypted.
	Plain bool
}

// config is how connections of workers are encrypted; pin is the fingerprint of the hall's own
// certificate. Both are empty if they are not.
func (l *Listen) config(f *halldir.Folder, now time.Time) (config *tls.Config, pin string, err error) {
	switch {
	case l.TLS != nil:
		return l.TLS, "", nil
	case l.Plain || queuetls.OwnMachine(l.Address):
		return nil, "", nil
	}
	text, err := queuetls.Certificate(f, now)
	if err != nil {
		return nil, "", err
	}
	if config, pin, err = bus.ServerTLS(text, text); err != nil {
		return nil, "", fmt.Errorf("%s in the hall's folder: %w", queuetls.CertificateFile, err)
	}
	return config, pin, nil
}

func (s *Hall) openBus(ctx context.Context) (err error) {
	o := bus.Options{
		URL: s.Queue, Log: s.log, Now: s.around.Now, Holder: func(ctx context.Context, id string) (int, string, error) {
			return play.Holder(s.store)(ctx, id)
		},
		OnForgery: func(ctx context.Context, f bus.Forgery) {
			if err := play.AuditForgery(ctx, s.store, s.around.Now(), f); err != nil {
				s.log.Warn("the audit log does not have what a worker tried", "worker", f.Sender, "error", plain.OneLine(err))
			}
		},
	}
	if s.Queue == "" {
		o.Folder = filepath.Join(s.Database.Dir, "queue")
	}
	if s.Listen.Address != "" {
		if o.TLS, s.pin, err = s.Listen.config(s.folder, s.around.Now()); err != nil {
			return err
		}
		common, err := queuetls.CommonToken(s.folder, s.pin)
		if err != nil {
			return err
		}
		o.Listen, o.Admit = s.Listen.Address, s.admit(ctx, common)
		if s.pin != "" {
			s.log.Info("workers connect by TLS; their tokens end with ." + s.pin)
		}
	}
	if s.bus, err = s.around.openBus(ctx, o); err != nil {
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
func (a *Around) openBus(ctx context.Context, o bus.Options) (*bus.Bus, error) {
	ctx, cancel := context.WithTimeout(ctx, natsTime)
	defer cancel()
	defer drain.Do(a.Drain, cancel)()
	o.Waits = func(where string, next time.Duration, why error) {
		if errors.Is(why, nats.ErrNoServers) {
			why = errors.New("nobody answers there")
		}
		text := strings.TrimPrefix(strings.ToLower(plain.OneLine(why)), "nats: ")
		if errors.Is(why, nats.ErrAuthorization) {
			if text += ": the token or password is not taken there"; o.Worker {
				text += "; Administration, Workers makes one"
			}
		}
		for _, own := range []error{bus.ErrPin, bus.ErrUnpinned, bus.ErrPlain} {
			if errors.Is(why, own) {
				text = own.Error()
			}
		}
		a.Tell(fmt.Sprintf("waiting for NATS at %s, next try in %s: %s", where, inSeconds(next), text))
	}
	b, err := bus.Open(ctx, o)
	if err != nil && o.URL != "" && errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("no NATS within %s: %w", natsTime, err)
	}
	return b, err
}

// admit decides about workers on other machines: those without a name show the token of
// the file, those with one their own.
func (s *Hall) admit(ctx context.Context, common string) func(name, secret string) bool {
	return func(name, secret string) bool {
		if name == "" {
			return subtle.ConstantTimeCompare([]byte(secret), []byte(common)) == 1
		}
		ctx, cancel := context.WithTimeout(ctx, admitTime)
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
