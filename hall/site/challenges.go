package site

import (
	"context"
	"encoding/json"
	"net/http"

	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/web/pages"
)

// secretPath is below which the address of a page is for whoever was given it.
const secretPath = "/c/"

// challengePages are what a link to a friend leads to.
type challengePages struct{ *roomPages }

func (h *challengePages) register() {
	const one = secretPath + "{code}"
	h.page(one, auth.Look, "", h.challengePage)
	h.form(one+"/accept", auth.Look, h.accept)
	h.form(one+"/cancel", auth.Play, h.cancel)
}

// challengePage is what is asked, for whoever has the link; for who asks it is where he
// waits. It changes nothing: messengers look at links by themselves.
func (h *challengePages) challengePage(ctx context.Context, r *http.Request, p *pages.Page) error {
	v, err := h.rooms.ChallengeOf(ctx, &lobby.ChallengePath{Code: r.PathValue("code")})
	if err != nil {
		return err
	}
	if v.Room != "" {
		got, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: v.Room})
		if err != nil {
			return err
		}
		if got.Room.You.Place >= 0 {
			return &redirect{"/rooms/" + v.Room}
		}
	}
	d := challengeModel(v)
	d.Room, d.Left = v.Room, int(v.Expires.Sub(h.now()).Seconds())
	d.LogIn = p.Me == nil && !p.Guests || v.Rated && (p.Me == nil || p.Me.Guest)
	p.Name, p.Nav, p.Title, p.Data = "challenge", "play", p.Words.Text("challenge.over"), d
	p.Inline = []string{"site.css", "front.css"}
	switch {
	case v.State == lobby.TakenChallenge:
		p.Title = p.Words.Text("challenge.taken")
	case v.Mine && v.To != "" && v.State == lobby.DeclinedChallenge:
		p.Title = p.Words.Text("challenge.declined", "name", v.To)
	case v.Mine && v.To != "" && v.State == lobby.LapsedChallenge:
		p.Title = p.Words.Text("challenge.lapsed", "name", v.To)
	case v.State != lobby.OpenChallenge:
	case v.Mine && v.To != "":
		p.Title = p.Words.Text("challenge.waits", "name", v.To)
	case v.Mine:
		p.Title = p.Words.Text("challenge.waiting")
	default:
		p.Title = p.Words.Text("challenge.from", "name", v.From, "game", pages.GameName(p.Words, v.Game))
	}
	return nil
}

// asks are the challenges that ask the reader by name.
func (h *roomPages) asks(ctx context.Context, p *pages.Page) (out []pages.Challenge, err error) {
	if p.Me == nil {
		return nil, nil
	}
	list, err := h.rooms.Challenges(ctx, &lobby.ChallengesQuery{Asked: true})
	for i := range list {
		out = append(out, challengeModel(&list[i]))
	}
	return out, err
}

// challengeModel is a challenge in a list.
func challengeModel(v *lobby.ChallengeView) pages.Challenge {
	d := pages.Challenge{
		Code: v.Code, State: string(v.State), Mine: v.Mine, From: v.From, To: v.To, Spec: v.Game, Clock: v.Clock, Seat: v.Begins,
		Rated: v.Rated, Games: v.Games,
	}
	if !v.Mine {
		d.Seat = otherSeat(v.Begins)
	}
	return d
}

func otherSeat(begins string) string {
	switch begins {
	case "first":
		return "second"
	case "second":
		return "first"
	}
	return begins
}

// accept seats the friend, and whoever asked, and begins the game. What cannot be accepted
// any more is said by its page.
func (h *challengePages) accept(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	in := &lobby.ChallengePath{Code: r.PathValue("code")}
	out, err := h.rooms.Accept(ctx, in, h.router.ComeIn)
	switch {
	case err == nil && !h.wantsPage(r):
		return "", h.sendJSON(w, http.StatusCreated, out)
	case err == nil:
		return out.Page, nil
	}
	return h.saidByPage(r, in.Code, err)
}

// saidByPage returns the page of a challenge if that says why something is not done.
func (h *challengePages) saidByPage(r *http.Request, code string, err error) (string, error) {
	if status := problem.Of(err).Status; h.wantsPage(r) && (status == http.StatusConflict || status == http.StatusGone) {
		return secretPath + code, nil
	}
	return "", err
}

func (h *challengePages) cancel(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	in := &lobby.ChallengePath{Code: r.PathValue("code")}
	if err := h.rooms.Withdraw(ctx, in); err != nil {
		return h.saidByPage(r, in.Code, err) // the friend may have been quicker
	}
	return back(r.PostForm.Get("to")), nil
}

// sendJSON answers a program.
func (h *Site) sendJSON(w http.ResponseWriter, status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, err = w.Write(data)
	return err
}
