package site

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/web/pages"
)

// savedPages are the forms that keep positions.
type savedPages struct {
	*Site
	positions *records.Positions
	games     *records.Games
	rooms     *lobby.Rooms
	running   *lobby.Running
	// game and room are the pages with the forms.
	game, room fill
}

func (h *savedPages) register() {
	h.formOn("/games/{id}/keep", auth.Keep, h.game, h.keepForm)
	h.form("/account/saved/{id}/remove", auth.Keep, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/account#saved", h.positions.Remove(ctx, &records.GamePath{ID: r.PathValue("id")})
	})
	if h.rooms != nil {
		h.formOn("/rooms/{room}/keep", auth.Keep, h.room, h.keepRoomForm)
	}
}

// savedModels are the positions that the caller keeps.
func savedModels(ctx context.Context, positions *records.Positions) ([]pages.Saved, error) {
	c, known := auth.FromContext(ctx)
	if !known || !c.Can(auth.Keep) {
		return nil, nil
	}
	list, err := positions.List(ctx)
	var out []pages.Saved
	for _, s := range list {
		out = append(out, pages.Saved{ID: s.ID, Name: s.Name, Spec: s.Spec, Plies: len(s.Moves), Created: since(s.Created)})
	}
	return out, err
}

// keep keeps a position under a name; without one it is called as usual.
func (h *savedPages) keep(ctx context.Context, name, usual string, b records.BoardWish) error {
	in := &records.NewSaved{}
	in.Body.BoardWish, in.Body.Name = b, game.Shown(cmp.Or(strings.TrimSpace(name), usual), 100)
	_, err := h.positions.Save(ctx, in)
	return err
}

// keepForm keeps a position of a finished game.
func (h *savedPages) keepForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	id := r.PathValue("id")
	g, record, err := h.games.Finished(ctx, id)
	if err != nil {
		return "", err
	}
	re, err := h.games.Replay(ctx, record)
	if err != nil {
		return "", err
	}
	ply := min(max(formNumber(r, "ply"), 0), len(re.Steps))
	b := records.BoardWish{Spec: string(g.Spec), Position: re.Start}
	for _, s := range re.Steps[:ply] {
		if !s.Refused {
			b.Moves = append(b.Moves, s.Text)
		}
	}
	return "/account#saved", h.keep(ctx, r.PostForm.Get("name"), g.Seats[0].Name+" – "+g.Seats[1].Name, b)
}

// keepRoomForm keeps the board of a room's game as the caller sees it now. Where
// something is hidden nobody sees enough of it.
func (h *savedPages) keepRoomForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	id := r.PathValue("room")
	got, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: id})
	if err != nil {
		return "", err
	}
	s := &got.Room
	if s.Game == nil || s.Settings.Hidden {
		return "", problem.New(http.StatusConflict, "not-now", "no game is being played whose board could be kept").Because("noboard")
	}
	state, l, err := h.running.Board(ctx, s.Game.ID)
	if err != nil {
		return "", err
	}
	b := records.BoardWish{Spec: string(s.Settings.Game), Position: s.Settings.Position}
	for _, e := range state.History {
		if !e.Refused {
			b.Moves = append(b.Moves, e.Steps...)
		}
	}
	return "/account#saved", h.keep(ctx, r.PostForm.Get("name"), l.Seats[0].Name+" – "+l.Seats[1].Name, b)
}
