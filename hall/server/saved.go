package server

import (
	"context"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/hub"
	"kibitz/hall/store"
)

// maxSaved is how many positions an account may keep.
const maxSaved = 200

// BoardWish is a position.
type BoardWish struct {
	Spec     string   `json:"spec" minLength:"1" maxLength:"200" doc:"what is played: gomoku:rule=renju"`
	Position string   `json:"position,omitempty" maxLength:"8000" doc:"in the game's text form; empty for the initial one"`
	Moves    []string `json:"moves,omitempty" maxItems:"2000" doc:"decisions made from there, in the journal's form"`
}

type savedView struct {
	BoardWish
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Created *time.Time `json:"created,omitempty"`
}

type newSaved struct {
	Body struct {
		BoardWish
		Name string `json:"name" minLength:"1" maxLength:"100"`
	}
}

type boardQuery struct{ Body BoardWish }

type boardAnswer struct {
	Key  int64     `json:"key,string" doc:"for searches of games that went through it"`
	View *hub.View `json:"view" doc:"the board in the form of the live streams"`
}

func viewSaved(s store.Saved) savedView {
	return savedView{BoardWish{s.Spec, s.Position, s.Moves}, s.ID, s.Name, when(s.Created)}
}

func (h *Hall) registerSaved() {
	const tag, saved = "positions", "/api/v1/saved"
	add(h, Route{Method: "POST", Path: "/api/v1/boards", ID: "board", Tag: tag, Summary: "Check and show a position", Need: auth.Play},
		func(ctx context.Context, in *boardQuery) (*body[boardAnswer], error) {
			v, key, err := h.position(ctx, in.Body)
			if err != nil {
				return nil, err
			}
			return reply(boardAnswer{key, hub.ViewOf(v)}), nil
		})
	add(h, Route{Method: "GET", Path: saved, ID: "saved", Tag: tag, Summary: "Positions that the caller keeps", Need: auth.Keep},
		func(ctx context.Context, _ *Nothing) (*body[[]savedView], error) {
			c, _ := auth.FromContext(ctx)
			out := []savedView{}
			err := h.view(ctx, func(tx store.Tx) error {
				list, err := tx.SavedBy(c.ID)
				out = out[:0]
				for _, s := range list {
					out = append(out, viewSaved(s))
				}
				return err
			})
			return reply(out), err
		})
	add(h, Route{
		Method: "POST", Path: saved, ID: "save", Tag: tag, Summary: "Keep a position to begin games from", Need: auth.Keep,
		Creates: true, Status: http.StatusCreated,
	}, h.savePosition)
	add(h, Route{
		Method: "GET", Path: saved + "/{id}", ID: "saved-position", Tag: tag, Summary: "A position that the caller keeps",
		Need: auth.Keep,
	}, func(ctx context.Context, in *GamePath) (*body[savedView], error) {
		var v savedView
		err := h.view(ctx, func(tx store.Tx) error {
			s, err := ownSaved(ctx, tx, in.ID)
			v = viewSaved(s)
			return err
		})
		return reply(v), err
	})
	add(h, Route{
		Method: "DELETE", Path: saved + "/{id}", ID: "forget-position", Tag: tag, Summary: "Keep a position no longer",
		Need: auth.Keep, Status: http.StatusNoContent,
	}, func(ctx context.Context, in *GamePath) (*Nothing, error) {
		return nil, h.update(ctx, func(tx store.Tx) error {
			if _, err := ownSaved(ctx, tx, in.ID); err != nil {
				return err
			}
			return tx.RemoveSaved(in.ID)
		})
	})
}

// ownSaved returns a position of the caller; those of others do not exist.
func ownSaved(ctx context.Context, tx store.Tx, id string) (store.Saved, error) {
	c, _ := auth.FromContext(ctx)
	s, err := tx.Saved(id)
	if err == nil && s.User != c.ID {
		return store.Saved{}, fmt.Errorf("position: %w", store.ErrNotFound)
	}
	return s, err
}

// readable refuses what is no text of a position.
func readable(in *BoardWish) error {
	for _, text := range append([]string{in.Spec, in.Position}, in.Moves...) {
		if !utf8.ValidString(text) || len(text) > 8000 {
			return badInput("position: want UTF-8, and decisions of a few characters")
		}
	}
	return nil
}

// position asks whoever knows rules about a position.
func (h *Hall) position(ctx context.Context, in BoardWish) (*game.View, int64, error) {
	if h.cfg.Views == nil {
		return nil, 0, errAbsent
	}
	if err := readable(&in); err != nil {
		return nil, 0, err
	}
	v, key, err := h.cfg.Views.Position(ctx, game.Spec(in.Spec), in.Position, in.Moves)
	if err != nil {
		return nil, 0, badInput(oneLine(err))
	}
	return v, key, nil
}

func (h *Hall) savePosition(ctx context.Context, in *newSaved) (*body[savedView], error) {
	if _, _, err := h.position(ctx, in.Body.BoardWish); err != nil {
		return nil, err
	}
	c, _ := auth.FromContext(ctx)
	s := store.Saved{
		ID: h.newID(10), User: c.ID, Name: in.Body.Name, Spec: in.Body.Spec,
		Position: in.Body.Position, Moves: in.Body.Moves, Created: h.now(),
	}
	err := h.update(ctx, func(tx store.Tx) error {
		have, err := tx.SavedBy(c.ID)
		if err != nil {
			return err
		}
		if len(have) >= maxSaved {
			return fmt.Errorf("position: %w than %d of an account", auth.ErrQuota, maxSaved)
		}
		return tx.AddSaved(&s)
	})
	return reply(viewSaved(s)), err
}
