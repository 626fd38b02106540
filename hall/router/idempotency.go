package router

import (
	"bytes"
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// How long an answer is remembered, and how long a request that never ended (the hall
// was killed meanwhile) keeps its key.
const (
	rememberFor = 24 * time.Hour
	pendingFor  = 5 * time.Minute
)

type keys struct {
	rt    *Router
	store store.Store
	now   func() time.Time
	log   *slog.Logger
}

// heed answers a request that comes again under the same Idempotency-Key with what it
// was answered before. Keys belong to the account. The store sees neither the key nor
// the answer: it keeps a hash of the key, and the answer, which may hold a token that
// is shown once, sealed with a key made from it.
func (k *keys) heed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		c, known := auth.FromContext(r.Context())
		if key == "" || !known {
			next.ServeHTTP(w, r)
			return
		}
		if !goodKey(key) {
			k.rt.SendProblem(w, r, http.StatusBadRequest, "idempotency-key",
				"Idempotency-Key: want 16 to 128 printable ASCII characters, hard to guess, such as a UUID")
			return
		}
		body, err := io.ReadAll(r.Body)
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			k.rt.tooLarge(w, r, large.Limit)
			return
		}
		if err != nil {
			k.rt.SendProblem(w, r, http.StatusBadRequest, "body", "the body ended too early")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		k.answer(w, r, next, c.ID, key, hashOf(r, body))
	})
}

func goodKey(key string) bool {
	return len(key) >= 16 && len(key) <= 128 && !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' })
}

// hashOf is of all that a request asks.
func hashOf(r *http.Request, body []byte) []byte {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Get("Content-Type")} {
		_, _ = h.Write(append([]byte(part), 0)) // a hash takes everything
	}
	_, _ = h.Write(body)
	return h.Sum(nil)
}

func (k *keys) answer(w http.ResponseWriter, r *http.Request, next http.Handler, user int64, key string, hash []byte) {
	ctx := r.Context()
	name := hashedKey(key)
	was, err := k.claim(ctx, user, name, hash)
	switch {
	case err != nil:
		k.rt.SendError(w, r, err)
		return
	case was == nil:
	case !bytes.Equal(was.Hash, hash):
		k.rt.SendProblem(w, r, http.StatusUnprocessableEntity, "idempotency-reused",
			"this Idempotency-Key was used for another request: take a new one")
		return
	case was.Status == 0:
		w.Header().Set("Retry-After", "2")
		k.rt.SendProblem(w, r, http.StatusConflict, "idempotency-running", "the same request is being answered: ask again in a moment")
		return
	default:
		k.replay(w, r, was, user, key)
		return
	}
	rec := &recorder{head: http.Header{}}
	done := false
	// The answer is written down even if the client has gone meanwhile.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	defer func() {
		if !done {
			k.forget(after, user, name)
		}
	}()
	next.ServeHTTP(rec, r)
	// Faults, refusals for now and a login that ended may be tried again.
	if rec.status < 500 && rec.status != http.StatusTooManyRequests && rec.status != http.StatusUnauthorized {
		done = k.remember(after, rec, user, key, name, hash) == nil
	}
	rec.status = cmp.Or(rec.status, http.StatusOK)
	maps.Copy(w.Header(), rec.head)
	w.WriteHeader(rec.status)
	_, _ = w.Write(rec.body.Bytes()) // a client that has gone asks again
}

// claim takes a key for a request, or returns what is known under it.
func (k *keys) claim(ctx context.Context, user int64, name string, hash []byte) (*store.Request, error) {
	var was *store.Request
	err := k.store.Update(ctx, func(tx store.Tx) error {
		was = nil
		old, err := tx.Request(user, name)
		switch {
		case err == nil && k.now().Before(old.Expires):
			was = &old
			return nil
		case err == nil:
			if err := tx.RemoveRequest(user, name); err != nil {
				return err
			}
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		return tx.AddRequest(&store.Request{User: user, Key: name, Hash: hash, Expires: k.now().Add(pendingFor)})
	})
	return was, err
}

func (k *keys) forget(ctx context.Context, user int64, name string) {
	err := k.store.Update(ctx, func(tx store.Tx) error { return tx.RemoveRequest(user, name) })
	if err != nil {
		k.log.WarnContext(ctx, "remembered request stays", "request", RequestID(ctx), "error", problem.OneLine(err))
	}
}

func (k *keys) remember(ctx context.Context, rec *recorder, user int64, key, name string, hash []byte) error {
	body, err := seal(key, user, rec.body.Bytes())
	if err != nil {
		return err
	}
	head, err := json.Marshal(map[string]string{"Content-Type": rec.head.Get("Content-Type"), "Location": rec.head.Get("Location")})
	if err != nil {
		return err
	}
	return k.store.Update(ctx, func(tx store.Tx) error {
		return tx.SetRequest(&store.Request{
			User: user, Key: name, Hash: hash, Status: rec.status, Header: head, Body: body,
			Expires: k.now().Add(rememberFor),
		})
	})
}

func (k *keys) replay(w http.ResponseWriter, r *http.Request, was *store.Request, user int64, key string) {
	body, err := unseal(key, user, was.Body)
	if err != nil {
		k.rt.SendError(w, r, err)
		return
	}
	var head map[string]string
	if err := json.Unmarshal(was.Header, &head); err != nil {
		k.rt.SendError(w, r, err)
		return
	}
	for name, v := range head {
		if v != "" {
			w.Header().Set(name, v)
		}
	}
	w.Header().Set("Idempotency-Replayed", "true")
	w.WriteHeader(was.Status)
	_, _ = w.Write(body) // a client that has gone asks again
}

func hashedKey(key string) string {
	b := sha256.Sum256([]byte("name of " + key))
	return hex.EncodeToString(b[:])
}

// sealing returns the cipher for the answer under a key.
func sealing(key string, user int64) (cipher.AEAD, error) {
	b := sha256.Sum256([]byte("answer to " + strconv.FormatInt(user, 10) + " under " + key))
	block, err := aes.NewCipher(b[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func seal(key string, user int64, text []byte) ([]byte, error) {
	a, err := sealing(key, user)
	if err != nil {
		return nil, err
	}
	return a.Seal(nil, nil, text, nil), nil
}

func unseal(key string, user int64, sealed []byte) ([]byte, error) {
	a, err := sealing(key, user)
	if err != nil {
		return nil, err
	}
	return a.Open(nil, nil, sealed, nil)
}
