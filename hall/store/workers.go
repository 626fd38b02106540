package store

import "time"

// WorkerToken is what a worker on another machine shows, as a hash: the store never
// holds the token.
type WorkerToken struct {
	// Name is that of the worker, part of its token: letters, digits, hyphens and
	// underscores.
	Name string
	Hash []byte
	// By is the account that made it.
	By      int64
	Created time.Time
}

// WorkerTokens are the tokens of workers.
type WorkerTokens interface {
	// AddWorkerToken returns ErrTaken if there is one of that name.
	AddWorkerToken(t *WorkerToken) error
	WorkerToken(name string) (WorkerToken, error)
	// WorkerTokens lists them by name.
	WorkerTokens() ([]WorkerToken, error)
	RemoveWorkerToken(name string) error
}
