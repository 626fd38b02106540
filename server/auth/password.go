package auth

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
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

// Limits of a password, in bytes.
const (
	MinPassword = 8
	MaxPassword = 256
)

// ErrBusy tells that too many passwords are being checked at once.
var ErrBusy = errors.New("too many passwords are being checked: try again in a moment")

// Hasher makes and checks password hashes, a bounded number at a time.
type Hasher struct {
	cost   Cost
	random io.Reader
	slots  chan struct{}
	wait   time.Duration
	dummy  string
}

// NewHasher returns a hasher that works on at most parallel passwords at a time; who
// waits longer than wait for a turn gets ErrBusy.
func NewHasher(cost Cost, random io.Reader, parallel int, wait time.Duration) (*Hasher, error) {
	if cost == (Cost{}) {
		cost = DefaultCost()
	}
	if cost.Time < 1 || cost.Time > maxTime || cost.Threads < 1 || cost.Threads > maxThreads ||
		cost.Memory < 8*uint32(cost.Threads) || cost.Memory > maxMemory {
		return nil, fmt.Errorf("cost of passwords %+v: want up to %d KiB, %d passes, %d lanes", cost, maxMemory, maxTime, maxThreads)
	}
	h := &Hasher{cost: cost, random: random, slots: make(chan struct{}, max(parallel, 1)), wait: wait}
	secret := make([]byte, 24)
	if _, err := io.ReadFull(random, secret); err != nil {
		return nil, err
	}
	var err error
	h.dummy, err = h.Hash(context.Background(), base64.RawURLEncoding.EncodeToString(secret))
	return h, err
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
	salt := make([]byte, saltSize)
	if _, err := io.ReadFull(h.random, salt); err != nil {
		return "", err
	}
	key := argon2.IDKey([]byte(password), salt, h.cost.Time, h.cost.Memory, h.cost.Threads, keySize)
	return phc{Cost: h.cost, salt: salt, key: key}.String(), nil
}

// Check reports whether the password is that of the hash, and whether the hash should
// be made anew because its parameters are not today's. An empty or broken hash costs
// as much time as a good one and fits no password.
func (h *Hasher) Check(ctx context.Context, hash, password string) (ok, old bool, err error) {
	p, perr := parsePHC(hash)
	if perr != nil {
		p, _ = parsePHC(h.dummy)
	}
	leave, err := h.enter(ctx)
	if err != nil {
		return false, false, err
	}
	defer leave()
	key := argon2.IDKey([]byte(password), p.salt, p.Time, p.Memory, p.Threads, uint32(len(p.key)))
	same := subtle.ConstantTimeCompare(key, p.key) == 1
	return same && perr == nil, p.Cost != h.cost, nil
}

// phc is a hash in the string form of the password hashing competition:
// "$argon2id$v=19$m=19456,t=2,p=1$salt$key".
type phc struct {
	Cost
	salt, key []byte
}

func (p phc) String() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.Memory, p.Time, p.Threads,
		base64.RawStdEncoding.EncodeToString(p.salt), base64.RawStdEncoding.EncodeToString(p.key))
}

// parsePHC reads a hash; errors never quote it.
func parsePHC(s string) (phc, error) {
	part := strings.Split(s, "$")
	if len(part) != 6 || part[0] != "" || part[1] != "argon2id" {
		return phc{}, errors.New("not a hash of argon2id")
	}
	if part[2] != "v="+strconv.Itoa(argon2.Version) {
		return phc{}, errors.New("unknown version of argon2id")
	}
	var p phc
	cost := strings.Split(part[3], ",")
	if len(cost) != 3 {
		return phc{}, errors.New("hash without its three parameters")
	}
	var n [3]uint64
	for i, key := range []string{"m=", "t=", "p="} {
		text, ok := strings.CutPrefix(cost[i], key)
		v, err := strconv.ParseUint(text, 10, 32)
		if !ok || err != nil {
			return phc{}, fmt.Errorf("hash without a number at %s", key)
		}
		n[i] = v
	}
	if n[0] < 8*n[2] || n[0] > maxMemory || n[1] < 1 || n[1] > maxTime || n[2] < 1 || n[2] > maxThreads {
		return phc{}, errors.New("parameters of the hash out of range")
	}
	p.Memory, p.Time, p.Threads = uint32(n[0]), uint32(n[1]), uint8(n[2])
	var err error
	if p.salt, err = base64.RawStdEncoding.Strict().DecodeString(part[4]); err != nil || len(p.salt) < 8 || len(p.salt) > 64 {
		return phc{}, errors.New("salt of the hash is broken")
	}
	if p.key, err = base64.RawStdEncoding.Strict().DecodeString(part[5]); err != nil || len(p.key) < 16 || len(p.key) > 64 {
		return phc{}, errors.New("key of the hash is broken")
	}
	return p, nil
}

// CheckPassword says what is wrong with a new password of an account. There are no
// rules about kinds of characters: length is what counts.
func CheckPassword(password, name string) error {
	switch {
	case utf8.RuneCountInString(password) < MinPassword:
		return fmt.Errorf("password: want at least %d characters", MinPassword)
	case len(password) > MaxPassword:
		return fmt.Errorf("password: want at most %d bytes", MaxPassword)
	case !utf8.ValidString(password):
		return errors.New("password: not UTF-8")
	case strings.EqualFold(password, name):
		return errors.New("password: want another one than the name")
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
