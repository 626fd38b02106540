package store

import (
	"encoding/json"
	"time"
)

// UserKind says what an account is.
type UserKind string

// The kinds of account.
const (
	Person UserKind = "person"
	Guest  UserKind = "guest"
	Bot    UserKind = "bot"
)

// Role is what an account may do beyond playing.
type Role string

// The roles. Everyone is a player; who has a role has those before it in this list,
// but for BotRole, which is its own.
const (
	PlayerRole  Role = "player"
	BotRole     Role = "bot"
	ArbiterRole Role = "arbiter"
	AdminRole   Role = "admin"
)

// User is an account.
type User struct {
	// ID is set by AddUser.
	ID int64
	// Name is as its owner writes it; no two names differ in case alone.
	Name string
	Kind UserKind
	Role Role
	// Password is the encoded hash, empty for accounts that have none (guests, bots).
	Password string
	// Owner is the account that made a bot, 0 for none.
	Owner int64
	// Created and Seen are in UTC with the precision of a microsecond, as all times
	// of a store. The zero time is kept as none.
	Created, Seen time.Time
	Disabled      bool
	// Failed counts wrong passwords in a row; until LockedUntil no password counts.
	Failed      int
	LockedUntil time.Time
	// Settings are the owner's preferences.
	Settings json.RawMessage
}

// Token is a key of a bot or a program to its owner's account. The store holds a
// hash, never the token.
type Token struct {
	ID      int64
	User    int64
	Name    string
	Hash    []byte
	Created time.Time
	// Used is when it last opened a door, Expires is zero if it never does.
	Used, Expires time.Time
}

// Entry is a line of the audit log: who did what to whom.
type Entry struct {
	ID int64
	At time.Time
	// Actor is 0 for the hall itself.
	Actor int64
	// Action is a word such as "login", "login-failed", "password-reset",
	// "game-overruled"; Subject names what it was done to, Detail says more in a
	// line for people. Neither ever holds a secret.
	Action, Subject, Detail string
	// From is the network address.
	From string
}

// UserQuery selects accounts, in the order of their names without regard to case.
type UserQuery struct {
	// Prefix of the name, without regard to case.
	Prefix string
	Kind   UserKind
	// Owner selects the bots of an account.
	Owner int64
	// After continues behind that name; Limit is 100 if it is 0.
	After string
	Limit int
}

// AuditQuery selects entries, the newest first.
type AuditQuery struct {
	Actor   int64
	Subject string
	Action  string
	// Before continues below that ID; Limit is 100 if it is 0.
	Before int64
	Limit  int
}

// GuestStay is how long a guest's account is kept at least.
const GuestStay = time.Hour

// Accounts are users, the tokens of programs, and the audit log.
type Accounts interface {
	// AddUser sets ID. ErrTaken if the name is.
	AddUser(u *User) error
	User(id int64) (User, error)
	// UserNamed finds a name without regard to case.
	UserNamed(name string) (User, error)
	// SetUser changes all of an account but its ID and Created.
	SetUser(u *User) error
	Users(q UserQuery) ([]User, error)
	// SetLook keeps how the name of an account looks at a glance; ErrTaken if that of
	// another one looks the same, ErrNotFound without the user. It goes with the account.
	SetLook(user int64, look string) error
	// UserLooking finds the account whose name looks so.
	UserLooking(look string) (User, error)
	// Unlooked lists accounts of which no look is kept, guests left out, in the order of
	// their IDs from above after, limit at most.
	Unlooked(after int64, limit int) ([]User, error)

	// AddToken sets ID. ErrTaken if the hash is in use, ErrNotFound without the user.
	AddToken(t *Token) error
	TokenHashed(hash []byte) (Token, error)
	Tokens(user int64) ([]Token, error)
	TouchToken(id int64, used time.Time) error
	RemoveToken(id int64) error

	// AddEntry sets ID.
	AddEntry(e *Entry) error
	Audit(q AuditQuery) ([]Entry, error)
}

// Sessions are what browsers are remembered by. The store holds hashes of their
// tokens.
type Sessions interface {
	// SetSession adds or replaces; user is 0 while nobody has logged in.
	SetSession(hash []byte, user int64, data []byte, expires time.Time) error
	// Session returns ErrNotFound for one that has expired at now.
	Session(hash []byte, now time.Time) ([]byte, error)
	// RemoveSession is no error if there is none.
	RemoveSession(hash []byte) error
	// RemoveSessionsOf ends all sessions of an account, but for the one that is kept
	// if it is not nil.
	RemoveSessionsOf(user int64, keep []byte) error
	// RemoveExpired removes the sessions and the remembered requests that have expired
	// at now, challenges that have ChallengeStay before, and the accounts of guests who have been made and seen last more than
	// GuestStay before, and have no session, no game and no open room. It returns how
	// many were removed in all.
	RemoveExpired(now time.Time) (int, error)
}
