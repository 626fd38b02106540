package lobby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/refuse"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// MostAtOnce is how many games a person may have going when he asks for one more.
const MostAtOnce = 20

// Anybody is whom somebody plays with who waits for whoever comes.
const Anybody = "anybody"

// Engines is with whom somebody plays who only opens a room: two engines from elsewhere join it.
const Engines = "engines"

// QuickGame is what somebody wants to play at once. What is left out is as usual: level 2,
// the first seat, no clock, taking back allowed.
type QuickGame struct {
	Body QuickSettings
}

// QuickSettings are the wishes of a QuickGame.
type QuickSettings struct {
	Wishes
	With string `json:"with,omitempty" maxLength:"100" default:"bot=2" doc:"bot=1 to bot=9, the name of an engine of the hall, anybody: the game of somebody who waits for the same, else a room in which the caller waits; or engines: a listed room for two that join from elsewhere, whose games begin by themselves"`
}

// Wishes are how somebody wants to play.
type Wishes struct {
	Game     string            `json:"game" minLength:"1" maxLength:"60" doc:"identifier of a game, without options"`
	Colour   string            `json:"colour,omitempty" enum:"first,second,random" default:"first" doc:"the caller's seat; the first one begins"`
	Clock    string            `json:"clock,omitempty" maxLength:"60" default:"inf" doc:"time control of both seats, for example 300+3; inf is none"`
	Options  map[string]string `json:"options,omitempty" maxProperties:"20" doc:"options of the game, for example {\"size\":\"19\"}"`
	Rated    bool              `json:"rated,omitempty" doc:"for accounts, not for guests; then nothing is taken back"`
	NoUndo   bool              `json:"noUndo,omitempty" doc:"nothing is taken back"`
	NoDraw   bool              `json:"noDraw,omitempty" doc:"no draw is offered"`
	Listed   bool              `json:"listed,omitempty" doc:"the room is in the lobby, and everybody may look on; else it is private"`
	Lines    bool              `json:"lines,omitempty" doc:"who looks on sees what the engine says"`
	Games    int               `json:"games,omitempty" minimum:"0" maximum:"20" doc:"games of the series, 1 if it is left out"`
	Pairs    bool              `json:"pairs,omitempty" doc:"two games of a series, seats exchanged, have one shuffle; not in rated games, and for nothing where nothing is shuffled"`
	Pause    *float64          `json:"pause,omitempty" minimum:"0" maximum:"60" doc:"seconds between the games of the series, 5 if it is left out"`
	Saved    string            `json:"saved,omitempty" maxLength:"100" doc:"a saved position of the account to begin from; its game and options are then those of the position"`
	Position string            `json:"position,omitempty" maxLength:"8000" doc:"text of the position to begin from"`
	Moves    []string          `json:"moves,omitempty" maxItems:"2000" doc:"decisions made from there before the game begins, in the journal's form"`
}

// Quick tells where what was asked for is played.
type Quick struct {
	Room string `json:"room"`
	Game string `json:"game,omitempty" doc:"the game that begins; absent while somebody is waited for"`
	Page string `json:"page" doc:"the address of the page to play on"`
}

// MostSeeks is in how many rooms somebody may wait for whoever comes.
const MostSeeks = 3

// Play lets the caller play at once: it opens a room in which he sits and is ready, with
// the engine beside him, and hands the game out, all in one transaction. Against anybody
// he joins somebody who waits for the same game, else he waits in a room that begins by itself.
func (rm *Rooms) Play(ctx context.Context, in *QuickGame) (*Quick, error) {
	q := &in.Body
	by := ActorOf(ctx)
	set, err := rm.quickSettings(ctx, &q.Wishes, by)
	if err != nil {
		return nil, err
	}
	commands := []room.Command{room.Sit{Place: 0, Kind: bus.PersonSeat}, room.Ready{On: true}}
	switch q.With {
	case Anybody:
		if out, err := rm.joinAny(ctx, &set, by); out != nil || err != nil {
			return out, err
		}
		mine, err := rm.Seeking(ctx)
		if err != nil {
			return nil, err
		}
		if len(mine) >= MostSeeks {
			text := fmt.Sprintf("you wait for an opponent in %d rooms already: close one of them first", len(mine))
			return nil, problem.New(http.StatusTooManyRequests, "quota", text)
		}
		set.Auto = true
	case Engines:
		set.Auto, set.Lines, set.Access, commands = true, true, room.Listed, nil
	default:
		engine, err := rm.quickEngine(ctx, q.With, set.Game.ID())
		if err != nil {
			return nil, err
		}
		commands = append(commands, engine, room.Start{})
	}
	return rm.openWith(ctx, set, by, commands)
}

// joinAny joins whoever has waited longest for the game that somebody wants to play, and is there;
// it returns nil if nobody does.
func (rm *Rooms) joinAny(ctx context.Context, set *room.Settings, by room.Actor) (*Quick, error) {
	now := rm.cfg.Now()
	own, err := room.Open(*set, room.Env{By: by, Now: now})
	if err != nil {
		return nil, refusedQuick(err)
	}
	var waiting []string
	err = rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		if err := fewGames(tx, by.ID); err != nil {
			return err
		}
		list, err := tx.Rooms(store.RoomQuery{Listed: true, Open: true, Game: set.Game.ID(), Limit: 200})
		waiting = nil
		for i := len(list) - 1; err == nil && i >= 0; i-- {
			var s room.State
			if s, err = room.Parse(list[i].State); err == nil && s.Wanted(&own.Settings, by) && s.Waits(now) {
				waiting = append(waiting, list[i].ID)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, id := range waiting {
		s, err := rm.Apply(ctx, id, by, room.Join{})
		switch {
		case err == nil && s.Game != nil:
			return &Quick{Room: id, Game: s.Game.ID, Page: "/rooms/" + id}, nil
		case err == nil:
			return &Quick{Room: id, Page: "/rooms/" + id}, nil
		case problem.Of(err).Status >= http.StatusInternalServerError:
			return nil, err
		} // somebody else was quicker
	}
	return nil, nil
}

func (rm *Rooms) quickSettings(ctx context.Context, q *Wishes, by room.Actor) (room.Settings, error) {
	set := room.Defaults("")
	if q.Saved != "" {
		if err := rm.savedInto(ctx, q.Saved, by.ID, &set); err != nil {
			return set, err
		}
	} else {
		spec, err := specOf(q.Game, q.Options)
		if err != nil {
			return set, err
		}
		set.Game, set.Position, set.Opening = spec, q.Position, q.Moves
	}
	spec, hidden, err := rm.cfg.Game(ctx, set.Game, set.Position, set.Opening)
	if err != nil {
		at := "#/game"
		if len(q.Options) > 0 {
			at = "#/options"
		}
		return set, wrongGame(at, "#/options/", "", &set, err)
	}
	clock := cmp.Or(q.Clock, "inf")
	set.Name, set.Game, set.Hidden = string(spec), spec, hidden
	set.Clocks = [2]string{clock, clock}
	set.Begins = map[string]room.Begins{"second": room.OtherBegins, "random": room.RandomBegins}[q.Colour]
	set.Rated, set.Undo, set.Draw = q.Rated, !q.NoUndo && !q.Rated, !q.NoDraw
	set.Lines, set.Pairs = q.Lines, q.Pairs
	if q.Games > 0 {
		set.Games = q.Games
	}
	if q.Pause != nil {
		set.Pause = time.Duration(*q.Pause * float64(time.Second))
	}
	if !q.Listed {
		set.Access = room.Private
	}
	return set, nil
}

func specOf(id string, options map[string]string) (game.Spec, error) {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(options)) {
		if strings.ContainsAny(key+options[key], ",:=") {
			return "", problem.At("#/options/"+key, problem.Input("options: a name and a value, for example {\"size\":\"19\"}"))
		}
		list = append(list, key+"="+options[key])
	}
	if len(list) == 0 {
		return game.Spec(id), nil
	}
	return game.Spec(id + ":" + strings.Join(list, ",")), nil
}

// quickEngine is the command that seats an engine beside the caller.
func (rm *Rooms) quickEngine(ctx context.Context, with, kind string) (room.Command, error) {
	o := &RoomOrder{}
	o.Body.Do, o.Body.Place, o.Body.Kind, o.Body.Engine = "sit", 1, string(bus.EngineSeat), with
	if with == "" {
		o.Body.Engine = "bot=2"
	}
	if BuiltIn(o.Body.Engine) > 0 {
		o.Body.Kind = string(bus.BotSeat)
	} else if err := rm.plays(ctx, with, kind); err != nil {
		return nil, problem.At("#/with", err)
	}
	cmd, _, err := rm.sit(ctx, o)
	if err != nil {
		return nil, problem.At("#/with", err)
	}
	return cmd, nil
}

// plays refuses engines that the hall does not have, or that play other games.
func (rm *Rooms) plays(ctx context.Context, name, kind string) error {
	e, err := store.Get(ctx, rm.cfg.Store, store.Tx.Engine, name)
	switch {
	case err != nil:
		return problem.Input(fmt.Sprintf("with: the hall does not offer %s: bot=1 to bot=9, or an engine of the hall", game.Shown(name, 60)))
	case !e.Plays(kind):
		return problem.Input("with: " + e.Name + " does not play " + kind)
	}
	return nil
}

// openWith opens a room and gives commands in it before anybody else sees it.
func (rm *Rooms) openWith(ctx context.Context, set room.Settings, by room.Actor, commands []room.Command) (*Quick, error) {
	dispatcher := rm.cfg.Dispatcher
	env := rm.env(by)
	s, err := room.Open(set, env)
	var effects, more []room.Effect
	for i := 0; err == nil && i < len(commands); i++ {
		s, more, err = room.Apply(s, commands[i], env)
		effects = append(effects, more...)
	}
	if err != nil {
		return nil, refusedQuick(err)
	}
	r := &store.Room{ID: store.NewID(rm.cfg.Random, 12), Created: env.Now}
	out := &Quick{Room: r.ID, Page: "/rooms/" + r.ID}
	err = dispatcher.Update(ctx, func(tx store.Tx) error {
		if err := fewGames(tx, by.ID); err != nil {
			return err
		}
		return rm.add(tx, r, &s, effects)
	})
	if err != nil {
		return nil, err
	}
	if s.Game != nil {
		out.Game = s.Game.ID
		dispatcher.Publish(ctx, out.Game)
	}
	dispatcher.Wake("lobby")
	return out, nil
}

// env is what commands may use of the world.
func (rm *Rooms) env(by room.Actor) room.Env {
	env := room.Env{By: by, Now: rm.cfg.Now(), ID: store.NewID(rm.cfg.Random, 16)}
	if secret, err := rm.cfg.Dispatcher.Secret(); err == nil {
		env.Coin = int(secret[0] & 1)
	}
	return env
}

// add keeps a new room, and does what follows from its commands.
func (rm *Rooms) add(tx store.Tx, r *store.Room, s *room.State, effects []room.Effect) error {
	play.KeepRoom(r, s, r.Created)
	r.Version = 0
	if err := tx.AddRoom(r); err != nil {
		return err
	}
	for _, e := range effects {
		if err := rm.cfg.Dispatcher.Effect(tx, r.ID, e); err != nil {
			return err
		}
	}
	return nil
}

// refusedQuick is the problem of a refusal: both seats have the one clock of the request.
func refusedQuick(err error) error {
	value, ok := errors.AsType[*refuse.Refusal](err)
	if !ok || value.Place == "" {
		return problem.OfRefusal(err)
	}
	at, detail := value.Place, value.Text
	if strings.HasPrefix(at, "clocks/") {
		at = "clock"
		_, detail, _ = strings.Cut(detail, ": ")
	}
	wrong := problem.Input(detail)
	wrong.Why = value.Why
	return problem.At("#/"+at, wrong)
}

// fewGames refuses whoever has many games going.
func fewGames(tx store.Tx, user int64) error {
	going := []store.GameState{store.Queued, store.Running, store.Parked}
	page, err := tx.FindGames(store.GameQuery{Subject: store.UserSubject(user), States: going, Limit: MostAtOnce})
	if err == nil && len(page.Games) >= MostAtOnce {
		return problem.New(http.StatusTooManyRequests, "quota", fmt.Sprintf("%d of your games are not over: end one of them first", MostAtOnce))
	}
	return err
}
