// Package lobby is what callers of a hall see and do in rooms and in the games that are
// played there: settings, commands, chat, moves, what engines print. It knows nothing of HTTP.
package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/journal"
)

// OrderBus brings orders to workers, and to all halls what one of them tells.
type OrderBus interface {
	PublishOrder(o bus.Order) error
	Publish(topic string, payload []byte) error
	TopicBus
}

// RoomsConfig is what Rooms are made of.
type RoomsConfig struct {
	Store      store.Store
	Dispatcher *play.Dispatcher
	Bus        OrderBus
	// Game checks what a room is to play: a specification, the text of a position
	// (empty for the initial one) and decisions made from there, in the journal's form.
	// It returns the specification in canonical form, and whether the game hides
	// anything from a seat. Its errors are one line for people.
	Game func(ctx context.Context, spec game.Spec, position string, moves []string) (canonical game.Spec, hidden bool, err error)
	// Asks is what the seats of a running game ask of each other, as far as the caller may
	// know it.
	Asks func(ctx context.Context, id string) []journal.Ask
	// Now is the time as a store keeps it.
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
}

// Rooms are where people and engines meet to play.
type Rooms struct {
	cfg RoomsConfig
	// guesses are wrong codes of challenges, by address.
	guesses *auth.Failures
	// Audience is who looks on.
	Audience *Audience
}

// NewRooms returns Rooms; Serve lets them do what is due.
func NewRooms(c RoomsConfig) *Rooms {
	rm := &Rooms{cfg: c, guesses: auth.NewFailures(auth.GuessRule(), 1<<16)}
	rm.Audience = &Audience{cfg: &rm.cfg, rooms: map[string]*crowd{}}
	return rm
}

// ActorOf is what a caller is in a room.
func ActorOf(ctx context.Context) room.Actor {
	c, _ := auth.FromContext(ctx)
	return room.Actor{ID: c.ID, Name: c.Name, Guest: c.Kind == store.Guest, Arbiter: c.Can(auth.Direct)}
}

// RoomView is a room as somebody may see it.
type RoomView struct {
	ID   string     `json:"id"`
	Room room.Shown `json:"room" doc:"what the caller may see"`
	Code string     `json:"code,omitempty" doc:"a code that was just made: it is shown this once"`
	// Waiting and Before are of a game that no worker has begun.
	Waiting  string        `json:"waiting,omitempty" doc:"what the queued game lacks beside its turn, in words"`
	WaitsFor *game.Why     `json:"waitsFor,omitempty" doc:"the same as a code"`
	Before   int           `json:"before,omitempty" doc:"how many games come before the queued one"`
	About    int           `json:"about,omitempty" doc:"about how long it waits for them, in seconds, by the games before; absent where too few were played"`
	Asks     []journal.Ask `json:"asks,omitempty" doc:"what the seats of the running game ask of each other; its stream tells when that changes"`
	// Watching and Spectators are those without a place who have the page of the room open.
	Watching   int           `json:"watching,omitempty" doc:"how many look on who have no place"`
	Spectators []room.Person `json:"spectators,omitempty" doc:"those of them who have an account, also if they have not entered"`
}

// RoomLine is a room in the lobby.
type RoomLine struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Game     string     `json:"game"`
	Host     string     `json:"host"`
	Phase    string     `json:"phase"`
	Players  [2]string  `json:"players"`
	People   int        `json:"people"`
	Rated    bool       `json:"rated"`
	Access   string     `json:"access"`
	Clocks   [2]string  `json:"clocks"`
	Current  string     `json:"current,omitempty" doc:"the game that is played"`
	Score    [2]float64 `json:"score"`
	Changed  time.Time  `json:"changed"`
	Created  time.Time  `json:"-"`
	Settings string     `json:"spec"`
	Waits    bool       `json:"waits,omitempty" doc:"whoever joins plays at once"`
	Auto     bool       `json:"auto,omitempty" doc:"games begin by themselves when both places are taken"`
}

// NewRoom is what a room is to be.
type NewRoom struct {
	Body struct {
		Settings json.RawMessage `json:"settings" doc:"an object; what is left out is as usual. It needs a game"`
		Saved    string          `json:"saved,omitempty" maxLength:"100" doc:"a saved position to begin from"`
	}
}

// RoomsQuery asks for rooms, those changed last first.
type RoomsQuery struct {
	Game   string    `query:"game" maxLength:"100"`
	Open   bool      `query:"free" doc:"only rooms with a free place"`
	Before time.Time `query:"before" doc:"rooms changed before that time"`
	Limit  int       `query:"limit" minimum:"0" maximum:"200"`
}

// RoomPath is a room in a path.
type RoomPath struct {
	Room string `path:"room" maxLength:"100"`
}

// RoomOrder is a command of a client.
type RoomOrder struct {
	Room string `path:"room" maxLength:"100"`
	Body struct {
		Do       string          `json:"do" enum:"enter,join,leave,invite,code,drop-codes,kick,hand,sit,stand,ready,set,start,rematch,pause,resume,stop,verdict,close"`
		Code     string          `json:"code,omitempty" maxLength:"100" doc:"enter: an invitation's code"`
		User     int64           `json:"user,omitempty" doc:"invite, kick, hand: an account"`
		Place    int             `json:"place,omitempty" minimum:"0" maximum:"1" doc:"sit, stand"`
		Kind     string          `json:"kind,omitempty" enum:"person,bot,engine,remote" doc:"sit"`
		Engine   string          `json:"engine,omitempty" maxLength:"100" doc:"sit: bot=LEVEL, or the name of an engine of the hall"`
		Name     string          `json:"name,omitempty" maxLength:"60" doc:"sit: how a remote engine is called"`
		About    string          `json:"about,omitempty" maxLength:"1000" doc:"sit: what a remote engine says of itself, of which 300 characters are shown"`
		Off      bool            `json:"off,omitempty" doc:"ready, rematch: take it back"`
		Hours    int             `json:"hours,omitempty" minimum:"0" maximum:"8760" doc:"code: how long it is good, 0 for ever"`
		Settings json.RawMessage `json:"settings,omitempty" doc:"set: what changes"`
		Result   string          `json:"result,omitempty" enum:"first,second,draw,nobody" doc:"verdict: who wins the game that is played, by seats; nobody: it does not count"`
		Note     string          `json:"note,omitempty" maxLength:"500" doc:"verdict: why"`
	}
}

// Open opens a room.
func (rm *Rooms) Open(ctx context.Context, in *NewRoom) (*RoomView, error) {
	by := ActorOf(ctx)
	base := room.Defaults("")
	if in.Body.Saved != "" {
		if err := rm.savedInto(ctx, in.Body.Saved, by.ID, &base); err != nil {
			return nil, err
		}
	}
	set, err := rm.settingsFrom(ctx, in.Body.Settings, base)
	if err != nil {
		return nil, err
	}
	s, err := room.Open(set, room.Env{By: by, Now: rm.cfg.Now()})
	if err != nil {
		return nil, refusedSettings(err)
	}
	r := &store.Room{ID: store.NewID(rm.cfg.Random, 12), Created: rm.cfg.Now()}
	play.KeepRoom(r, &s, rm.cfg.Now())
	if err := rm.cfg.Store.Update(ctx, func(tx store.Tx) error { r.Version = 0; return tx.AddRoom(r) }); err != nil {
		return nil, err
	}
	rm.cfg.Dispatcher.Wake("lobby")
	return &RoomView{ID: r.ID, Room: s.For(by, false)}, nil
}

// savedInto lets a room begin from a saved position of the account.
func (rm *Rooms) savedInto(ctx context.Context, id string, user int64, set *room.Settings) error {
	p, err := store.Get(ctx, rm.cfg.Store, store.Tx.Saved, id)
	if err == nil && p.User != user {
		err = store.ErrNotFound
	}
	if err == nil {
		set.Game, set.Position, set.Opening, set.From = game.Spec(p.Spec), p.Position, p.Moves, p.Name
	}
	return err
}

// RoomOf reads a room that the caller may see; to others it does not exist.
func RoomOf(tx store.Rooms, id string, by room.Actor) (store.Room, room.State, error) {
	r, err := tx.Room(id)
	if err != nil {
		return r, room.State{}, err
	}
	s, err := room.Parse(r.State)
	if err == nil && !s.MayEnter(by) && s.PlaceOf(by.ID) < 0 {
		err = store.ErrNotFound
	}
	return r, s, err
}

// held reports whether how the last game ended is news that spectators do not have yet.
func (rm *Rooms) held(tx store.Games, s *room.State) (bool, error) {
	if s.Settings.Delay == 0 || s.Last == nil {
		return false, nil
	}
	g, err := tx.Game(s.Last.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return rm.cfg.Now().Before(g.Ended.Add(s.Settings.Delay)), err
}

// Get returns a room as the caller may see it.
func (rm *Rooms) Get(ctx context.Context, in *RoomPath) (*RoomView, error) {
	by := ActorOf(ctx)
	out, err := store.Read(ctx, rm.cfg.Store, func(tx store.Tx) (RoomView, error) {
		r, s, err := RoomOf(tx, in.Room, by)
		if err != nil {
			return RoomView{}, err
		}
		hold, err := rm.held(tx, &s)
		return RoomView{ID: r.ID, Room: s.For(by, hold)}, err
	})
	if err != nil {
		return nil, err
	}
	rm.queue(&out)
	rm.Audience.addTo(&out)
	if g := out.Room.Game; g != nil && g.Begun {
		out.Asks = rm.cfg.Asks(ctx, g.ID)
	}
	return &out, nil
}

// queue adds what the game of a room waits for.
func (rm *Rooms) queue(v *RoomView) {
	if g := v.Room.Game; g != nil && !g.Begun {
		place := bus.PlaceOf(v.Room.Places[0].Kind, v.Room.Places[1].Kind)
		v.Waiting, v.Before = rm.cfg.Dispatcher.Waits(g.ID), rm.cfg.Dispatcher.Before(g.ID, place)
		if v.Before > 0 {
			v.About = int(math.Ceil(rm.cfg.Dispatcher.About(place, v.Before).Seconds()))
		}
		if why := rm.cfg.Dispatcher.WaitsFor(g.ID); why.Code != "" {
			v.WaitsFor = &why
		}
	}
}

// List returns the rooms of the lobby.
func (rm *Rooms) List(ctx context.Context, in *RoomsQuery) ([]RoomLine, error) {
	out := []RoomLine{}
	err := rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		out = out[:0]
		list, err := tx.Rooms(store.RoomQuery{Listed: true, Open: true, Game: in.Game, Before: in.Before, Limit: in.Limit})
		if err != nil {
			return err
		}
		for i := range list {
			s, err := room.Parse(list[i].State)
			if err != nil {
				return err
			}
			if in.Open && !s.Places[0].Empty() && !s.Places[1].Empty() {
				continue
			}
			hold, err := rm.held(tx, &s)
			if err != nil {
				return err
			}
			l := lineOf(&list[i], s.For(room.Actor{}, hold))
			l.Waits, l.Auto = s.Waits(rm.cfg.Now()), s.Settings.Auto
			out = append(out, l)
		}
		return nil
	})
	return out, err
}

const (
	// waitingAtOnce is how many rooms are read at a time to find those where somebody waits, and
	// waitingMost how many are looked through.
	waitingAtOnce, waitingMost = 20, 100
)

// Waiting returns at most so many rooms in which somebody waits for whoever comes, those changed
// last first, without those of the caller.
func (rm *Rooms) Waiting(ctx context.Context, most int) (out []RoomLine, err error) {
	by, now := ActorOf(ctx), rm.cfg.Now()
	err = rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		out = nil
		q := store.RoomQuery{Listed: true, Open: true, Limit: waitingAtOnce}
		for range waitingMost / waitingAtOnce {
			list, err := tx.Rooms(q)
			for i := 0; err == nil && i < len(list) && len(out) < most; i++ {
				var s room.State
				if s, err = room.Parse(list[i].State); err == nil && s.Host != by.ID && s.Waits(now) {
					l := lineOf(&list[i], s.For(room.Actor{}, false)) // nothing of a game that is over is in a line
					l.Waits, l.Auto = true, s.Settings.Auto
					out = append(out, l)
				}
			}
			if err != nil || len(out) == most || len(list) < q.Limit {
				return err
			}
			q.Before, q.BeforeID = list[q.Limit-1].Changed, list[q.Limit-1].ID
		}
		return nil
	})
	return out, err
}

// Seeking returns the caller's own rooms in which a game begins as soon as somebody comes, or as soon
// as he is back himself.
func (rm *Rooms) Seeking(ctx context.Context) (out []RoomLine, err error) {
	by := ActorOf(ctx)
	if by.ID == 0 {
		return nil, nil
	}
	err = rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		out = nil
		list, err := tx.Rooms(store.RoomQuery{Owner: by.ID, Open: true, Limit: waitingAtOnce})
		for i := range list {
			s, err := room.Parse(list[i].State)
			if err != nil {
				return err
			}
			mine, taken := s.PlaceOf(by.ID), [2]bool{!s.Places[0].Empty(), !s.Places[1].Empty()}
			if s.Phase != room.Waiting || !s.Settings.Auto || taken == [2]bool{} || taken == [2]bool{true, true} && mine < 0 {
				continue
			}
			l := lineOf(&list[i], s.For(by, false))
			l.Waits, l.Auto = s.Waits(rm.cfg.Now()), true
			if taken == [2]bool{true, true} {
				l.Waits = !s.Away(s.Places[1-mine].User, rm.cfg.Now())
			}
			out = append(out, l)
		}
		return err
	})
	return out, err
}

// lineOf is a room as everybody sees it in the lobby.
func lineOf(r *store.Room, s room.Shown) RoomLine {
	l := RoomLine{
		ID: r.ID, Name: r.Name, Game: r.Game, Host: s.HostName, Phase: string(s.Phase), Players: [2]string{s.Places[0].Name, s.Places[1].Name},
		People: len(s.People), Rated: s.Settings.Rated, Access: string(s.Settings.Access), Clocks: s.Settings.Clocks, Score: s.Score,
		Changed: r.Changed, Created: r.Created, Settings: string(s.Settings.Game),
	}
	if s.Settings.Access != room.Listed && !s.You.Inside {
		l.People = 0 // who is there, and how many, is for those who may come in
	}
	if s.Game != nil {
		l.Current = s.Game.ID
	}
	return l
}
