package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"time"

	"github.com/alexedwards/scs/v2"

	"kibitz/hall/store"
)

// Registration says who may make an account.
type Registration string

// The ways of registration.
const (
	Open    Registration = "open"
	Closed  Registration = "closed"
	Invited Registration = "invited" // with an invitation of an admin
)

// Config is what a Service is made of.
type Config struct {
	Store  store.Store
	Now    func() time.Time
	Random io.Reader
	// Secure sends cookies over TLS alone.
	Secure       bool
	Registration Registration
	// NoGuests refuses guests.
	NoGuests bool
	// Cost of password hashes, the default if it is zero.
	Cost Cost
	// Parallel is how many passwords are checked at once, 0 for the number of
	// processors.
	Parallel int
	// Bots is how many bots an account may own, 0 for 10; Tokens how many tokens an
	// account may have, 0 for 10.
	Bots, Tokens int
}

// Service keeps accounts, sessions and tokens. Its methods may be called by any
// goroutine.
type Service struct {
	Config
	hasher    *Hasher
	sessions  *scs.SessionManager
	addresses *Failures
}

// Errors that callers tell apart.
var (
	// ErrLogin is the one answer to a wrong name, a wrong password, a locked and a
	// disabled account.
	ErrLogin = errors.New("wrong name or password; after several failures an account waits a while before any password counts")
	// ErrForbidden tells that the caller may not do it.
	ErrForbidden = errors.New("not allowed")
	// ErrQuota tells that there are as many as there may be.
	ErrQuota = errors.New("no more of these are allowed")
	// ErrInput tells that what was sent is not right; the wrapping error says what.
	ErrInput = errors.New("not right")
)

// Wait is the error of an address that has failed too often. Often tells that nothing was wrong but how much came from there.
type Wait struct {
	For   time.Duration
	Often bool
}

func (w *Wait) Error() string {
	if w.Often {
		return fmt.Sprintf("too many requests from this address: wait %d seconds", w.Seconds())
	}
	return fmt.Sprintf("too many failures from this address: wait %d seconds", w.Seconds())
}

// Seconds is For in whole seconds, after which it is over.
func (w *Wait) Seconds() int { return int(w.For.Seconds()) + 1 }

// New checks the configuration.
func New(c Config) (*Service, error) {
	switch c.Registration {
	case "":
		c.Registration = Open
	case Open, Closed, Invited:
	default:
		return nil, fmt.Errorf("registration %q: want open, closed or invited", c.Registration)
	}
	if c.Parallel <= 0 {
		c.Parallel = runtime.GOMAXPROCS(0)
	}
	c.Bots = cmp.Or(c.Bots, 10)
	c.Tokens = cmp.Or(c.Tokens, 10)
	h, err := NewHasher(c.Cost, c.Parallel, 5*time.Second)
	if err != nil {
		return nil, err
	}
	return &Service{Config: c, hasher: h, sessions: newManager(c.Store, c.Now, c.Secure), addresses: NewFailures(LoginRule(), 1<<16)}, nil
}

// Sessions wraps a handler so that it finds the session of a request, and sends the cookie of one that it
// opens or ends. If a session cannot be read, fail alone answers.
func (s *Service) Sessions(next http.Handler, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	s.sessions.ErrorFunc = fail
	with := s.sessions.LoadAndSave(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		with.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), writerKey{}, w)))
	})
}

// FirstAdmin makes the account "admin" if the hall has no account at all, and returns
// its password, which nothing keeps; empty if there are accounts. until does what asks the
// database, again if that was away.
func (s *Service) FirstAdmin(ctx context.Context, until func(context.Context, func(context.Context) error) error) (string, error) {
	anybody := func(tx store.Tx) ([]store.User, error) { return tx.Users(store.UserQuery{Limit: 1}) }
	var list []store.User
	err := until(ctx, func(ctx context.Context) (err error) {
		list, err = store.Read(ctx, s.Store, anybody)
		return err
	})
	if err != nil || len(list) > 0 { // no password is hashed for nothing
		return "", err
	}
	password, hash, err := drawnPassword(ctx, s.Random, s.hasher)
	if err != nil {
		return "", err
	}
	made := false
	update := func(tx store.Tx) error {
		list, err := anybody(tx)
		// It is there already if the answer to the first try was lost.
		if made = len(list) == 0 || list[0].Password == hash; err != nil || len(list) > 0 {
			return err
		}
		u := store.User{Name: "admin", Kind: store.Person, Role: store.AdminRole, Password: hash, Created: s.now(), Seen: s.now()}
		if err := tx.AddUser(&u); err != nil {
			return err
		}
		if err := claim(tx, &u); err != nil {
			return err
		}
		return s.note(tx, 0, "", "account-created", u.Name, "first admin")
	}
	if err := until(ctx, func(ctx context.Context) error { return s.Store.Update(ctx, update) }); err != nil || !made {
		return "", err
	}
	return password, nil
}

// now is the time as a store keeps it.
func (s *Service) now() time.Time { return store.Kept(s.Now()) }

// note writes a line of the audit log.
func (s *Service) note(tx store.Accounts, actor int64, from, action, subject, detail string) error {
	return tx.AddEntry(&store.Entry{At: s.now(), Actor: actor, Action: action, Subject: subject, Detail: detail, From: from})
}

// Note writes a line of the audit log in a transaction of the caller's. Neither
// subject nor detail may hold a secret.
func (s *Service) Note(ctx context.Context, tx store.Accounts, action, subject, detail string) error {
	c, _ := FromContext(ctx)
	return s.note(tx, c.ID, Address(ctx), action, subject, detail)
}

type addressKey struct{}

// WithAddress returns a context that carries the network address of the client.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// Address returns the network address of the client, empty if it is not known.
func Address(ctx context.Context) string {
	a, _ := ctx.Value(addressKey{}).(string)
	return a
}

// stamp is what ties a session to the password with which it was opened.
func stamp(u store.User) string {
	h := sha256.Sum256([]byte("stamp of " + string(u.Kind) + " " + u.Password))
	return base64.RawURLEncoding.EncodeToString(h[:12])
}

// callerOf returns what a request of u may act as.
func callerOf(u store.User, token bool, now time.Time) Caller {
	_, once := unmark(u.Password, now)
	return Caller{ID: u.ID, Name: u.Name, Kind: u.Kind, Role: u.Role, Token: token, Owner: u.Owner, MustChange: once}
}

// Identify finds the caller of a request: by the bearer token if there is one, else
// by the session. It is false if nobody is known; a token that is not good is an
// error (ErrLogin), because whoever sends one does not mean to be nobody.
func (s *Service) Identify(ctx context.Context, authorization string) (Caller, bool, error) {
	if authorization != "" {
		c, err := s.byToken(ctx, authorization)
		return c, err == nil, err
	}
	id := s.sessions.GetInt64(ctx, sessionUser)
	if id == 0 {
		return Caller{}, false, nil
	}
	u, err := store.Get(ctx, s.Store, store.Tx.User, id)
	if errors.Is(err, store.ErrNotFound) {
		return Caller{}, false, nil
	}
	if err != nil || u.Disabled || s.sessions.GetString(ctx, sessionStamp) != stamp(u) {
		return Caller{}, false, err
	}
	return callerOf(u, false, s.Now()), true, nil
}

// Again is Identify at a later time of the same request: it finds out whether the
// session or the token has ended meanwhile.
func (s *Service) Again(ctx context.Context, authorization string) (Caller, bool, error) {
	if authorization == "" {
		_, err := store.Read(ctx, s.Store, func(tx store.Tx) ([]byte, error) {
			return tx.Session(hashSession(s.sessions.Token(ctx)), s.now())
		})
		if errors.Is(err, store.ErrNotFound) {
			return Caller{}, false, nil
		}
		if err != nil {
			return Caller{}, false, err
		}
	}
	return s.Identify(ctx, authorization)
}

// touchEvery is how often the last use of a token is written down.
const touchEvery = time.Minute

// errToken is an ErrLogin without a name and a password.
var errToken error = loginError("the token is not known, has ended, or was revoked")

// loginError is an ErrLogin in other words.
type loginError string

func (e loginError) Error() string      { return string(e) }
func (loginError) Is(target error) bool { return target == ErrLogin }

func (s *Service) byToken(ctx context.Context, authorization string) (Caller, error) {
	token, ok := ParseBearer(authorization)
	if !ok {
		return Caller{}, errToken
	}
	var u store.User
	var t store.Token
	err := s.Store.View(ctx, func(tx store.Tx) (err error) {
		if t, err = tx.TokenHashed(HashToken(token)); err != nil {
			return err
		}
		if u, err = tx.User(t.User); err != nil || u.Owner == 0 {
			return err
		}
		// A bot goes with its owner.
		owner, err := tx.User(u.Owner)
		u.Disabled = u.Disabled || owner.Disabled
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return Caller{}, errToken
	}
	if err != nil {
		return Caller{}, err
	}
	now := s.now()
	if u.Disabled || t.Name == inviteName || !t.Expires.IsZero() && !now.Before(t.Expires) {
		return Caller{}, errToken
	}
	if now.Sub(t.Used) >= touchEvery {
		err = s.Store.Update(ctx, func(tx store.Tx) error {
			err := tx.TouchToken(t.ID, now)
			if errors.Is(err, store.ErrNotFound) {
				return errToken
			}
			return err
		})
		if err != nil {
			return Caller{}, err
		}
	}
	c := callerOf(u, true, s.Now())
	c.Until = t.Expires
	return c, nil
}
