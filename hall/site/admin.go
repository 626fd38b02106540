package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"kibitz/game"
	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// adminPages are what those who run the hall see and do.
type adminPages struct {
	*Site
	auth    *auth.Service
	users   *admin.Users
	engines *admin.Engines
	workers *admin.Workers
	audit   *admin.Audit
}

func (h *adminPages) register() {
	h.page("/admin", auth.Inspect, "", func(context.Context, *http.Request, *pages.Page) error { return &redirect{"/admin/users"} })
	h.page("/admin/users", auth.Inspect, "", h.adminUsersPage)
	h.page("/admin/engines", auth.Inspect, "", h.adminEnginesPage)
	h.page("/admin/workers", auth.Inspect, "", h.adminWorkersPage)
	h.page("/admin/audit", auth.Inspect, "", h.adminAuditPage)
	h.form("/admin/invite", auth.Administer, func(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
		code, _, err := h.auth.Invite(ctx)
		if err == nil {
			h.showSecret(w, r, pages.Secret{
				What: "invitation", List: []pages.Shown{{Name: h.ownAddress(r) + "/register", Text: code}},
				Back: "/admin/users",
			})
		}
		return "", err
	})
	h.formOn("/admin/users/{id}", auth.Administer, h.adminUsersPage, h.adminUserForm)
	h.formOn("/admin/workers", auth.Administer, h.adminWorkersPage, h.newWorker)
	h.form("/admin/workers/{name}/revoke", auth.Administer, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/admin/workers", h.workers.Revoke(ctx, &admin.WorkerPath{Name: r.PathValue("name")})
	})
	h.formOn("/admin/engines", auth.Administer, h.adminEnginesPage, h.setEngine)
	h.form("/admin/engines/{name}/remove", auth.Administer, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/admin/engines", h.engines.Remove(ctx, &admin.NamePath{Name: r.PathValue("name")})
	})
}

// adminPage names a page of this part.
func adminPage(p *pages.Page, part string) *pages.Admin {
	p.Name, p.Nav, p.Title = "admin", "admin", p.Words.Text("admin."+part)
	d := &pages.Admin{Part: part}
	p.Data = d
	return d
}

// usersAtATime is how many accounts a page lists.
const usersAtATime = 100

func (h *adminPages) adminUsersPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	d := adminPage(p, "users")
	q := r.URL.Query()
	d.Prefix = q.Get("prefix")
	list, err := h.users.All(ctx, &admin.UsersQuery{Prefix: d.Prefix, After: q.Get("after"), Limit: usersAtATime})
	if err != nil {
		return err
	}
	for _, u := range list {
		d.Users = append(d.Users, pages.User{
			ID: u.ID, Name: u.Name, Kind: u.Kind, Role: u.Role, Disabled: u.Disabled, Created: since(u.Created), Seen: since(u.Seen),
			Locked: since(u.Locked),
		})
	}
	reports, err := h.audit.Log(ctx, &admin.AuditQuery{Action: lobby.LineReported, Limit: reportsAtATime})
	if err != nil {
		return err
	}
	d.Reports = auditRows(reports)
	if n := len(list); n == usersAtATime {
		d.Next = "/admin/users?" + url.Values{"prefix": {d.Prefix}, "after": {list[n-1].Name}}.Encode()
	}
	return nil
}

// reportsAtATime is how many of the lines that were reported last the page of accounts shows.
const reportsAtATime = 20

func (h *adminPages) adminUserForm(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	id := pathNumber(r, "id")
	const here = "/admin/users"
	on, off := false, true
	switch r.PostForm.Get("do") {
	case "role":
		role := r.PostForm.Get("role")
		if !slices.Contains([]string{"player", "arbiter", "admin"}, role) {
			return "", problem.At("#/role", problem.Input("role: player, arbiter or admin"))
		}
		_, err := h.auth.SetAccount(ctx, id, (*store.Role)(&role), nil)
		return here, err
	case "disable":
		_, err := h.auth.SetAccount(ctx, id, nil, &off)
		return here, err
	case "enable":
		_, err := h.auth.SetAccount(ctx, id, nil, &on)
		return here, err
	case "unlock":
		return here, h.auth.Unlock(ctx, id)
	case "reset":
		password, err := h.auth.ResetPassword(ctx, id)
		if err == nil {
			h.showSecret(w, r, pages.Secret{What: "password", List: []pages.Shown{{Name: fmt.Sprint(id), Text: password}}, Back: here})
		}
		return "", err
	}
	return "", problem.Input("that is nothing that can be done with an account").Because(game.WhyChoice)
}

func (h *adminPages) adminEnginesPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
	d := adminPage(p, "engines")
	list, err := h.engines.All(ctx)
	if err != nil {
		return err
	}
	for _, e := range list {
		d.Engines = append(d.Engines, pages.Engine{Name: e.Name, Games: e.Games, Enabled: e.Enabled, Spec: e.Spec, Hash: e.Hash})
	}
	return nil
}

func (h *adminPages) adminWorkersPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
	d := adminPage(p, "workers")
	list, err := h.workers.Registry(ctx)
	if errors.Is(err, problem.ErrAbsent) {
		err = nil
	}
	for _, x := range list {
		d.Workers = append(d.Workers, pages.Worker{ID: x.ID, Name: x.Name, Version: x.Version, Slots: x.Slots, Running: x.Busy, Since: x.Since})
	}
	if err != nil {
		return err
	}
	var refused []admin.AuditEntry
	for _, action := range []string{play.ResultRefused, play.ForgeryRefused} {
		found, err := h.audit.Log(ctx, &admin.AuditQuery{Action: action, Limit: refusedAtATime})
		if err != nil {
			return err
		}
		refused = append(refused, found...)
	}
	slices.SortFunc(refused, func(a, b admin.AuditEntry) int { return cmp.Compare(b.ID, a.ID) })
	d.Refused = auditRows(refused[:min(len(refused), refusedAtATime)])
	tokens, err := h.workers.Tokens(ctx)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		d.WorkerTokens = append(d.WorkerTokens, pages.WorkerToken{Name: t.Name, Created: since(t.Created)})
	}
	return nil
}

// refusedAtATime is how many refused results the page of workers shows.
const refusedAtATime = 20

func auditRows(list []admin.AuditEntry) (rows []pages.Audit) {
	for _, e := range list {
		rows = append(rows, pages.Audit{
			ID: e.ID, At: since(e.At), Actor: e.Actor, Action: e.Action, Subject: e.Subject, Detail: e.Detail,
			From: e.From,
		})
	}
	return rows
}

func (h *adminPages) adminAuditPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	d := adminPage(p, "audit")
	var before int64
	if n, err := fmt.Sscan(r.URL.Query().Get("before"), &before); n != 1 || err != nil {
		before = 0
	}
	const most = 100
	list, err := h.audit.Log(ctx, &admin.AuditQuery{Before: before, Limit: most})
	if err != nil {
		return err
	}
	d.Audit = auditRows(list)
	if n := len(list); n == most {
		d.Next = fmt.Sprintf("/admin/audit?before=%d", list[n-1].ID)
	}
	return nil
}

// newWorker makes a token for a worker, which is shown once.
func (h *adminPages) newWorker(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	in := &admin.NewWorkerToken{}
	in.Body.Name = r.PostForm.Get("name")
	t, err := h.workers.NewToken(ctx, in)
	if err == nil {
		h.showSecret(w, r, pages.Secret{What: "worker", List: []pages.Shown{{Name: t.Name, Text: t.Token}}, Back: "/admin/workers"})
	}
	return "", err
}

// setEngine says what may be played as an engine.
func (h *adminPages) setEngine(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	f := r.PostForm
	in := &admin.EngineChange{Name: f.Get("name")}
	in.Body.Hash, in.Body.Enabled = f.Get("hash"), f.Has("enabled")
	for _, g := range f["games"] {
		if slices.Contains(h.pages.Kinds(), g) {
			in.Body.Games = append(in.Body.Games, g)
		}
	}
	if len(in.Body.Hash) > 128 {
		return "", problem.At("#/hash", problem.Input("hash: that of a program has up to 128 characters"))
	}
	return "/admin/engines", problem.InputAt("#/name", h.engines.Set(ctx, in))
}
