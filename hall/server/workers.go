package server

import (
	"context"
	"net/http"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/store"
)

// workerToken is what admins may know of the token of a worker.
type workerToken struct {
	Name    string     `json:"name"`
	By      int64      `json:"by" doc:"the account that made it"`
	Created *time.Time `json:"created,omitempty"`
	Token   string     `json:"token,omitempty" doc:"the token itself: shown this once"`
}

type newWorkerToken struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"32" pattern:"^[A-Za-z0-9][A-Za-z0-9_-]*$" doc:"of the worker; it stands in its token and before its games"`
	}
}

type workerPath struct {
	Name string `path:"name" maxLength:"60"`
}

// registerWorkers registers what admins see of workers and do about them.
func (h *Hall) registerWorkers() {
	const tag, tokens = "administration", "/api/v1/admin/worker-tokens"
	add(h, Route{
		Method: "GET", Path: "/api/v1/admin/workers", ID: "workers", Tag: tag, Summary: "The registry of workers",
		Need: auth.Inspect,
	}, func(ctx context.Context, _ *Nothing) (*body[[]bus.Worker], error) {
		if h.cfg.Bus == nil {
			return nil, errAbsent
		}
		list, err := h.cfg.Bus.Workers(ctx)
		if list == nil {
			list = []bus.Worker{}
		}
		return reply(list), err
	})
	add(h, Route{
		Method: "GET", Path: tokens, ID: "worker-tokens", Tag: tag, Summary: "Tokens of workers on other machines",
		Need: auth.Inspect,
	}, h.workerTokens)
	add(h, Route{
		Method: "POST", Path: tokens, ID: "new-worker-token", Tag: tag, Summary: "Make a token for a worker on another machine",
		Need: auth.Administer, Creates: true, Status: http.StatusCreated, About: "The token is in the answer and nowhere else: the worker " +
			"takes it from a file (--token-file). What a worker says of games counts only under its own name.",
	}, h.newWorkerToken)
	add(h, Route{
		Method: "DELETE", Path: tokens + "/{name}", ID: "revoke-worker-token", Tag: tag, Summary: "Revoke the token of a worker",
		Need: auth.Administer, Status: http.StatusNoContent, About: "The worker is cut off; its games are begun again elsewhere.",
	}, h.revokeWorker)
}

func (h *Hall) workerTokens(ctx context.Context, _ *Nothing) (*body[[]workerToken], error) {
	out := []workerToken{}
	err := h.view(ctx, func(tx store.Tx) error {
		list, err := tx.WorkerTokens()
		out = out[:0]
		for _, t := range list {
			out = append(out, workerToken{Name: t.Name, By: t.By, Created: when(t.Created)})
		}
		return err
	})
	return reply(out), err
}

func (h *Hall) newWorkerToken(ctx context.Context, in *newWorkerToken) (*body[workerToken], error) {
	t, secret, err := h.auth.NewWorkerToken(ctx, in.Body.Name)
	return reply(workerToken{t.Name, t.By, when(t.Created), bus.JoinPin(secret, h.cfg.Pin)}), err
}

func (h *Hall) revokeWorker(ctx context.Context, in *workerPath) (*Nothing, error) {
	err := h.auth.RevokeWorker(ctx, in.Name)
	if err == nil && h.cfg.Bus != nil {
		h.cfg.Bus.Dismiss(in.Name)
	}
	return nil, err
}
