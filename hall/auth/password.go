package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
)

// Cost are the parameters of argon2id.
type Cost struct {
	// Memory in KiB, Time in passes, Threads in lanes.
	Memory, Time uint32
	Threads      uint8
}

// DefaultCost is what OWASP recommends as the least (2024): 19 MiB, two passes, one
// lane; some 30 ms of one processor.
func DefaultCost() Cost { return Cost{Memory: 19456, Time: 2, Threads: 1} }

// The most that a stored hash may cost: a hash that somebody wrote into the database
// must not be able to stop the hall.
const (
	maxMemory  = 256 << 10
	maxTime    = 16
	maxThreads = 16
	saltSize   = 16
	keySize    = 32
)

func (c Cost) ok() bool {
	return c.Time >= 1 && c.Time <= maxTime && c.Threads >= 1 && c.Threads <= maxThreads && c.Memory >= 8*uint32(c.Threads) &&
		c.Memory <= maxMemory
}

// Limits of a password, in bytes.
const (
	MinPassword = 8
	MaxPassword = 256
)

// ErrBusy tells that too many passwords are being checked at once.
var ErrBusy = errors.New("too many passwords are being checked: try again in a moment")

// Hasher makes and checks password hashes, a bounded number at a time.
type Hasher struct {
	cost  Cost
	slots chan struct{}
	wait  time.Duration
	dummy string
}

// NewHasher returns a hasher that works on at most parallel passwords at a time; who
// waits longer than wait for a turn gets ErrBusy.
func NewHasher(cost Cost, parallel int, wait time.Duration) (*Hasher, error) {
	if cost == (Cost{}) {
		cost = DefaultCost()
	}
	if !cost.ok() {
		return nil, fmt.Errorf("cost of passwords %+v: want up to %d KiB, %d passes, %d lanes", cost, maxMemory, maxTime, maxThreads)
	}
	return &Hasher{cost: cost, slots: make(chan struct{}, max(parallel, 1)), wait: wait, dummy: cost.hashOfNone()}, nil
}

// hashOfNone returns a hash that costs as much to check as any and is that of no password
// that is known.
func (c Cost) hashOfNone() string {
	var random [saltSize + keySize]byte
	_, _ = rand.Read(random[:])
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", c.Memory, c.Time, c.Threads, text(random[:saltSize]), text(random[saltSize:]))
}

// enter waits for a turn; the caller leaves by calling what it returns.
func (h *Hasher) enter(ctx context.Context) (func(), error) {
	t := time.NewTimer(h.wait)
	defer t.Stop()
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-t.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Hash returns the PHC string of a password.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return argon2id.CreateHash(password, &argon2id.Params{
		Memory: h.cost.Memory, Iterations: h.cost.Time, Parallelism: h.cost.Threads, SaltLength: saltSize, KeyLength: keySize,
	})
}

// Check reports whether the password is that of the hash, and whether the hash should
// be made anew because its parameters are not today's. An empty or broken hash costs
// as much time as a good one and fits no password.
func (h *Hasher) Check(ctx context.Context, hash, password string) (ok, old bool, err error) {
	cost, good := costOf(hash)
	if !good {
		hash = h.dummy
	}
	leave, err := h.enter(ctx)
	if err != nil {
		return false, false, err
	}
	defer leave()
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	return same && good, good && cost != h.cost, err
}

// costOf reads the parameters of a hash in the string form of the password hashing
// competition, "$argon2id$v=19$m=19456,t=2,p=1$salt$key". It is good if it may be checked:
// neither dear nor with a key that many passwords have.
func costOf(hash string) (c Cost, good bool) {
	p, salt, key, err := argon2id.DecodeHash(hash)
	if err != nil {
		return Cost{}, false
	}
	c = Cost{Memory: p.Memory, Time: p.Iterations, Threads: p.Parallelism}
	return c, c.ok() && len(salt) >= 8 && len(salt) <= 64 && len(key) >= 16 && len(key) <= 64
}

// CheckPassword says what is wrong with a new password of an account, by a Fault. There are no
// rules about kinds of characters: length is what counts.
func CheckPassword(password, name string) error {
	switch {
	case utf8.RuneCountInString(password) < MinPassword:
		f := faulty("password", PasswordShort, "password: want at least %d characters", MinPassword)
		f.Why.N = MinPassword
		return f
	case len(password) > MaxPassword:
		return faulty("password", PasswordLong, "password: want at most %d bytes", MaxPassword)
	case !utf8.ValidString(password):
		return faulty("password", PasswordNoText, "password: not UTF-8")
	case strings.EqualFold(password, name):
		return faulty("password", PasswordIsName, "password: want another one than the name")
	}
	return nil
}

// One-time passwords, set by an admin, stand in the store behind this mark and the
// second at which they end: "once:1700000000:$argon2id$…".
const onceMark = "once:"

func markOnce(hash string, until time.Time) string {
	return onceMark + strconv.FormatInt(until.Unix(), 10) + ":" + hash
}

// unmark returns the hash that is checked, and whether it must be changed; a one-time
// password that is too old becomes no hash at all.
func unmark(stored string, now time.Time) (hash string, once bool) {
	rest, once := strings.CutPrefix(stored, onceMark)
	if !once {
		return stored, false
	}
	sec, hash, ok := strings.Cut(rest, ":")
	until, err := strconv.ParseInt(sec, 10, 64)
	if !ok || err != nil || now.Unix() >= until {
		return "", true
	}
	return hash, true
}
