package admin

import (
	"context"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// WorkerBus is what a hall asks of the messages between halls and workers.
type WorkerBus interface {
	// Workers returns the registry of workers.
	Workers(ctx context.Context) ([]bus.Worker, error)
	// Dismiss cuts off a worker whose token was revoked.
	Dismiss(worker string)
}

// Workers are those that play the games of a hall.
type Workers struct {
	Store store.Store
	Auth  *auth.Service
	// Bus is nil for a hall that only shows what is stored.
	Bus WorkerBus
	// Pin stands at the end of tokens, unless it is empty.
	Pin string
}

// WorkerToken is what admins may know of the token of a worker.
type WorkerToken struct {
	Name    string     `json:"name"`
	By      int64      `json:"by" doc:"the account that made it"`
	Created *time.Time `json:"created,omitempty"`
	Token   string     `json:"token,omitempty" doc:"the token itself: shown this once"`
}

// NewWorkerToken names the worker that a token is for.
type NewWorkerToken struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"32" pattern:"^[A-Za-z0-9][A-Za-z0-9_-]*$" doc:"of the worker; it stands in its token and before its games"`
	}
}

// WorkerPath is the name of a worker in a path.
type WorkerPath struct {
	Name string `path:"name" maxLength:"60"`
}

// Registry returns the workers that live; ErrAbsent without a bus.
func (x *Workers) Registry(ctx context.Context) ([]bus.Worker, error) {
	if x.Bus == nil {
		return nil, problem.ErrAbsent
	}
	list, err := x.Bus.Workers(ctx)
	if list == nil {
		list = []bus.Worker{}
	}
	return list, err
}

// Tokens returns the tokens of workers on other machines, without their secrets.
func (x *Workers) Tokens(ctx context.Context) ([]WorkerToken, error) {
	list, err := store.Read(ctx, x.Store, store.Tx.WorkerTokens)
	out := make([]WorkerToken, 0, len(list))
	for _, t := range list {
		out = append(out, WorkerToken{Name: t.Name, By: t.By, Created: store.When(t.Created)})
	}
	return out, err
}

// NewToken makes a token; what it returns is shown once.
func (x *Workers) NewToken(ctx context.Context, in *NewWorkerToken) (WorkerToken, error) {
	t, secret, err := x.Auth.NewWorkerToken(ctx, in.Body.Name)
	return WorkerToken{t.Name, t.By, store.When(t.Created), bus.JoinPin(secret, x.Pin)}, err
}

// Revoke ends the token of a worker and cuts it off.
func (x *Workers) Revoke(ctx context.Context, in *WorkerPath) error {
	err := x.Auth.RevokeWorker(ctx, in.Name)
	if err == nil && x.Bus != nil {
		x.Bus.Dismiss(in.Name)
	}
	return err
}
