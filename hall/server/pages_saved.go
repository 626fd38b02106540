package server

import (
	"context"
	"net/http"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/hub"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// boardWait is how long a room's board is waited for when somebody keeps it.
const boardWait = 5 * time.Second

// registerSavedPages registers the forms that keep positions.
func (h *Hall) registerSavedPages() {
	h.form("/games/{id}/keep", auth.Keep, h.keepForm)
	h.form("/account/saved/{id}/remove", auth.Keep, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/account#saved", h.update(ctx, func(tx store.Tx) error {
			if _, err := ownSaved(ctx, tx, r.PathValue("id")); err != nil {
				return err
			}
			return tx.RemoveSaved(r.PathValue("id"))
		})
	})
	if h.cfg.Live != nil {
		h.form("/rooms/{room}/keep", auth.Keep, h.keepRoomForm)
	}
}

// savedModels are the positions that the caller keeps.
func (h *Hall) savedModels(ctx context.Context) ([]pages.Saved, error) {
	c, known := auth.FromContext(ctx)
	if !known || !c.Can(auth.Keep) {
		return nil, nil
	}
	var out []pages.Saved
	err := h.view(ctx, func(tx store.Tx) error {
		list, err := tx.SavedBy(c.ID)
		out = nil
		for _, s := range list {
			out = append(out, pages.Saved{ID: s.ID, Name: s.Name, Spec: s.Spec, Plies: len(s.Moves), Created: s.Created})
		}
		return err
	})
	return out, err
}

// keep keeps a position under a name; without one it is called as usual.
func (h *Hall) keep(ctx context.Context, name, usual string, b BoardWish) error {
	in := &newSaved{}
	in.Body.BoardWish, in.Body.Name = b, strings.TrimSpace(name)
	if in.Body.Name == "" {
		in.Body.Name = usual
	}
	in.Body.Name = game.Shown(in.Body.Name, 100)
	_, err := h.savePosition(ctx, in)
	return err
}

// keepForm keeps a position of a finished game.
func (h *Hall) keepForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	id := r.PathValue("id")
	g, record, err := h.finished(ctx, id)
	if err != nil {
		return "", err
	}
	if h.cfg.Replays == nil {
		return "", errAbsent
	}
	re, err := h.cfg.Replays.Replay(ctx, record)
	if err != nil {
		return "", badInput(oneLine(err))
	}
	ply := min(max(formNumber(r, "ply"), 0), len(re.Steps))
	b := BoardWish{Spec: string(g.Spec), Position: re.Start}
	for _, s := range re.Steps[:ply] {
		if !s.Refused {
			b.Moves = append(b.Moves, s.Text)
		}
	}
	return "/account#saved", h.keep(ctx, r.PostForm.Get("name"), g.Seats[0].Name+" – "+g.Seats[1].Name, b)
}

// keepRoomForm keeps the board of a room's game as the caller sees it now. Where
// something is hidden nobody sees enough of it.
func (h *Hall) keepRoomForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	id := r.PathValue("room")
	got, err := h.getRoom(ctx, &roomPath{Room: id})
	if err != nil {
		return "", err
	}
	s := &got.Body.Room
	if s.Game == nil || s.Settings.Hidden {
		return "", &Problem{http.StatusConflict, "not-now", "no game is being played whose board could be kept"}
	}
	l, err := h.look(ctx, s.Game.ID)
	if err != nil {
		return "", err
	}
	state, err := h.boardNow(ctx, &l)
	if err != nil {
		return "", err
	}
	b := BoardWish{Spec: string(s.Settings.Game), Position: s.Settings.Position}
	for _, e := range state.History {
		if !e.Refused {
			b.Moves = append(b.Moves, e.Steps...)
		}
	}
	return "/account#saved", h.keep(ctx, r.PostForm.Get("name"), l.Seats[0].Name+" – "+l.Seats[1].Name, b)
}

// boardNow is a running game as the caller of look sees it.
func (h *Hall) boardNow(ctx context.Context, l *liveGame) (hub.State, error) {
	v, err := h.cfg.Live.Hub.Watch(hub.Key{Game: l.ID, To: l.to, Delay: l.delay}, l.meta, hub.ID{})
	if err != nil {
		return hub.State{}, err
	}
	defer v.Close()
	ctx, stop := context.WithTimeout(ctx, boardWait)
	defer stop()
	if _, err := v.Next(ctx); err != nil {
		return hub.State{}, &Problem{http.StatusConflict, "not-now", "there is no board to be seen at present"}
	}
	state, _ := v.State()
	return state, nil
}
