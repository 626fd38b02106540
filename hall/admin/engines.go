package admin

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// Engines are those that a hall offers.
type Engines struct {
	Store store.Store
	// Now is the time as a store keeps it.
	Now  func() time.Time
	Auth *auth.Service
	// Bus is nil for a hall that only shows what is stored.
	Bus WorkerBus
	// Plays says what is wrong with the name of a game; nil takes any.
	Plays func(ctx context.Context, id string) error
}

// EngineView is what everyone may know of an engine.
type EngineView struct {
	Name    string   `json:"name"`
	Games   []string `json:"games" maxItems:"100"`
	Enabled bool     `json:"enabled"`
	About   string   `json:"about,omitempty" maxLength:"300" doc:"what the engine says of itself, as a worker that has played it heard"`
}

// AdminEngine adds what only admins may know.
type AdminEngine struct { //nolint:revive // its name in the description of the API
	EngineView
	Spec  string     `json:"spec,omitempty" maxLength:"1000" doc:"a remark for administrators: workers run what stands in their own files"`
	Hash  string     `json:"hash,omitempty" maxLength:"128" doc:"of the executable, as workers compute it; empty for any"`
	Added *time.Time `json:"added,omitempty"`
}

// EngineChange is what an admin says of an engine.
type EngineChange struct {
	Name string `path:"name" maxLength:"60"`
	Body struct {
		Games   []string `json:"games" maxItems:"100"`
		Enabled bool     `json:"enabled"`
		Spec    string   `json:"spec,omitempty" maxLength:"1000" doc:"a remark for administrators: workers run what stands in their own files"`
		Hash    string   `json:"hash,omitempty" maxLength:"128"`
	}
}

// Offered returns the engines that are not switched off.
func (x *Engines) Offered(ctx context.Context) ([]store.Engine, error) {
	list, err := store.Read(ctx, x.Store, store.Tx.Engines)
	return slices.DeleteFunc(list, func(e store.Engine) bool { return !e.Enabled }), err
}

// Playing returns the names of the engines that are offered for a game.
func (x *Engines) Playing(ctx context.Context, game string) ([]string, error) {
	list, err := x.Offered(ctx)
	var out []string
	for i := range list {
		if list[i].Plays(game) {
			out = append(out, list[i].Name)
		}
	}
	return out, err
}

// List returns what everyone may know of the engines that are offered.
func (x *Engines) List(ctx context.Context) ([]EngineView, error) {
	list, err := x.Offered(ctx)
	about := x.About(ctx)
	out := make([]EngineView, 0, len(list))
	for _, e := range list {
		out = append(out, EngineView{Name: e.Name, Games: e.Games, Enabled: true, About: about[e.Name]})
	}
	return out, err
}

// About is what engines say of themselves, by their names, as far as workers that live have heard.
func (x *Engines) About(ctx context.Context) map[string]string {
	out := map[string]string{}
	if x.Bus == nil {
		return out
	}
	list, err := x.Bus.Workers(ctx)
	if err != nil {
		return out // the page shows the rest
	}
	for i := range list {
		for _, e := range list[i].Engines {
			if e.About != "" && e.Stopped == "" {
				out[e.Name] = e.About
			}
		}
	}
	return out
}

// All returns all engines in full.
func (x *Engines) All(ctx context.Context) ([]AdminEngine, error) {
	list, err := store.Read(ctx, x.Store, store.Tx.Engines)
	out := make([]AdminEngine, 0, len(list))
	for _, e := range list {
		out = append(out, AdminEngine{EngineView{Name: e.Name, Games: e.Games, Enabled: e.Enabled}, e.Spec, e.Hash, store.When(e.Added)})
	}
	return out, err
}

// Set adds an engine or changes it.
func (x *Engines) Set(ctx context.Context, in *EngineChange) error {
	if ok, err := regexp.MatchString(play.EngineName, in.Name); err != nil || !ok {
		return problem.Input("name of an engine: want up to 60 letters, digits, dots, hyphens and underscores")
	}
	for i, id := range in.Body.Games {
		if x.Plays == nil {
			break
		}
		if err := x.Plays(ctx, id); err != nil {
			return problem.At(fmt.Sprintf("#/games/%d", i), problem.Input(problem.OneLine(err)))
		}
	}
	e := store.Engine{Name: in.Name, Spec: in.Body.Spec, Hash: in.Body.Hash, Games: in.Body.Games, Enabled: in.Body.Enabled, Added: x.Now()}
	return x.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.SetEngine(&e); err != nil {
			return err
		}
		return x.Auth.Note(ctx, tx, "engine-set", e.Name, "")
	})
}

// Remove takes an engine away; its games stay.
func (x *Engines) Remove(ctx context.Context, in *NamePath) error {
	return x.Store.Update(ctx, func(tx store.Tx) error {
		if _, err := tx.Engine(in.Name); err != nil {
			return err
		}
		if err := tx.RemoveEngine(in.Name); err != nil {
			return err
		}
		return x.Auth.Note(ctx, tx, "engine-removed", in.Name, "")
	})
}
