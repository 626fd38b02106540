package records

import (
	"context"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// Positions are those that accounts keep. Without Views no position can be checked.
type Positions struct {
	Store store.Store
	Views Views
	// Now is the time as a store keeps it.
	Now    func() time.Time
	Random io.Reader
}

// maxSaved is how many positions an account may keep.
const maxSaved = 200

// BoardWish is a position.
type BoardWish struct {
	Spec     string   `json:"spec" minLength:"1" maxLength:"200" doc:"what is played: gomoku:rule=renju"`
	Position string   `json:"position,omitempty" maxLength:"8000" doc:"in the game's text form; empty for the initial one"`
	Moves    []string `json:"moves,omitempty" maxItems:"2000" doc:"decisions made from there, in the journal's form"`
}

// SavedView is a position that an account keeps.
type SavedView struct {
	BoardWish
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Created *time.Time `json:"created,omitempty"`
}

// NewSaved is a position that is to be kept.
type NewSaved struct {
	Body struct {
		BoardWish
		Name string `json:"name" minLength:"1" maxLength:"100"`
	}
}

func viewSaved(s store.Saved) SavedView {
	return SavedView{BoardWish{s.Spec, s.Position, s.Moves}, s.ID, s.Name, store.When(s.Created)}
}

// List returns the positions of the caller.
func (ps *Positions) List(ctx context.Context) ([]SavedView, error) {
	c, _ := auth.FromContext(ctx)
	list, err := store.Get(ctx, ps.Store, store.Tx.SavedBy, c.ID)
	out := make([]SavedView, 0, len(list))
	for _, s := range list {
		out = append(out, viewSaved(s))
	}
	return out, err
}

// Get returns a position of the caller.
func (ps *Positions) Get(ctx context.Context, in *GamePath) (SavedView, error) {
	s, err := store.Read(ctx, ps.Store, func(tx store.Tx) (store.Saved, error) { return ownSaved(ctx, tx, in.ID) })
	return viewSaved(s), err
}

// Remove keeps a position of the caller no longer.
func (ps *Positions) Remove(ctx context.Context, in *GamePath) error {
	return ps.Store.Update(ctx, func(tx store.Tx) error {
		if _, err := ownSaved(ctx, tx, in.ID); err != nil {
			return err
		}
		return tx.RemoveSaved(in.ID)
	})
}

// ownSaved returns a position of the caller; those of others do not exist.
func ownSaved(ctx context.Context, tx store.Rooms, id string) (store.Saved, error) {
	c, _ := auth.FromContext(ctx)
	s, err := tx.Saved(id)
	if err == nil && s.User != c.ID {
		return store.Saved{}, fmt.Errorf("position: %w", store.ErrNotFound)
	}
	return s, err
}

// Readable refuses what is no text of a position.
func Readable(in *BoardWish) error {
	for _, x := range []struct {
		at    string
		texts []string
	}{{"#/spec", []string{in.Spec}}, {"#/position", []string{in.Position}}, {"#/moves", in.Moves}} {
		for _, text := range x.texts {
			if !utf8.ValidString(text) || len(text) > 8000 {
				return problem.At(x.at, problem.Input("position: want UTF-8, and decisions of a few characters").Because(whyNoPosition))
			}
		}
	}
	return nil
}

// Check asks whoever knows rules about a position.
func (ps *Positions) Check(ctx context.Context, in BoardWish) (*game.View, int64, error) {
	if ps.Views == nil {
		return nil, 0, problem.ErrAbsent
	}
	if err := Readable(&in); err != nil {
		return nil, 0, err
	}
	v, key, err := ps.Views.Position(ctx, game.Spec(in.Spec), in.Position, in.Moves)
	if err != nil {
		return nil, 0, NoPosition(err)
	}
	return v, key, nil
}

// Save keeps a position for the caller.
func (ps *Positions) Save(ctx context.Context, in *NewSaved) (SavedView, error) {
	if _, _, err := ps.Check(ctx, in.Body.BoardWish); err != nil {
		return SavedView{}, err
	}
	c, _ := auth.FromContext(ctx)
	s := store.Saved{
		ID: store.NewID(ps.Random, 10), User: c.ID, Name: in.Body.Name, Spec: in.Body.Spec,
		Position: in.Body.Position, Moves: in.Body.Moves, Created: ps.Now(),
	}
	err := ps.Store.Update(ctx, func(tx store.Tx) error {
		have, err := tx.SavedBy(c.ID)
		if err != nil {
			return err
		}
		if len(have) >= maxSaved {
			return fmt.Errorf("position: %w than %d of an account", auth.ErrQuota, maxSaved)
		}
		return tx.AddSaved(&s)
	})
	return viewSaved(s), err
}
