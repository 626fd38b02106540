package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"regexp"

	"kibitz/hall/store"
)

// workerPrefix begins the secret of a worker's token.
const workerPrefix = "kiw_"

// workerName is what a worker may be called: the name stands in its token and in the
// subjects of the queue.
const workerName = `^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`

// reservedWorker reports whether the queue has a name for others.
func reservedWorker(name string) bool { return name == "hall" || name == "any" }

// NewWorkerToken makes a token for a worker on another machine, NAME.SECRET.
func (s *Service) NewWorkerToken(ctx context.Context, name string) (store.WorkerToken, string, error) {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Administer) {
		return store.WorkerToken{}, "", ErrForbidden
	}
	if ok, err := regexp.MatchString(workerName, name); err != nil || !ok || reservedWorker(name) {
		return store.WorkerToken{}, "", fmt.Errorf("%w: %w", ErrInput, faulty("name", "", "name of a worker: want up to 32 letters, digits, "+
			"hyphens and underscores, and neither hall nor any"))
	}
	secret, err := newSecret(s.Random, workerPrefix)
	if err != nil {
		return store.WorkerToken{}, "", err
	}
	t := store.WorkerToken{Name: name, Hash: HashToken(secret), By: c.ID, Created: s.now()}
	err = s.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.AddWorkerToken(&t); err != nil {
			return err
		}
		return s.Note(ctx, tx, "worker-token", name, "")
	})
	return t, name + "." + secret, err
}

// RevokeWorker takes the token of a worker back.
func (s *Service) RevokeWorker(ctx context.Context, name string) error {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Administer) {
		return ErrForbidden
	}
	return s.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.RemoveWorkerToken(name); err != nil {
			return err
		}
		return s.Note(ctx, tx, "worker-revoked", name, "")
	})
}

// AdmitWorker reports whether the secret is that of a worker's token.
func AdmitWorker(ctx context.Context, st store.Store, name, secret string) (bool, error) {
	t, err := store.Get(ctx, st, store.Tx.WorkerToken, name)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && subtle.ConstantTimeCompare(t.Hash, HashToken(secret)) == 1, err
}
