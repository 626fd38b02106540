package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/journal"
)

const roomsPath = "/api/v1/rooms"

type roomView struct {
	ID   string     `json:"id"`
	Room room.Shown `json:"room" doc:"what the caller may see"`
	Code string     `json:"code,omitempty" doc:"a code that was just made: it is shown this once"`
	// Waiting and Before are of a game that no worker has begun.
	Waiting string        `json:"waiting,omitempty" doc:"what the queued game lacks beside its turn, in words"`
	Before  int           `json:"before,omitempty" doc:"how many games come before the queued one"`
	Asks    []journal.Ask `json:"asks,omitempty" doc:"what the seats of the running game ask of each other; its stream tells when that changes"`
}

type roomLine struct {
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
	Settings string     `json:"spec"`
}

type newRoom struct {
	Body struct {
		Settings json.RawMessage `json:"settings" doc:"an object; what is left out is as usual. It needs a game"`
		Saved    string          `json:"saved,omitempty" maxLength:"100" doc:"a saved position to begin from"`
	}
}

type roomsQuery struct {
	Game   string    `query:"game" maxLength:"100"`
	Open   bool      `query:"free" doc:"only rooms with a free place"`
	Before time.Time `query:"before" doc:"rooms changed before that time"`
	Limit  int       `query:"limit" minimum:"0" maximum:"200"`
}

type roomPath struct {
	Room string `path:"room" maxLength:"100"`
}

// roomOrder is a command of a client.
type roomOrder struct {
	Room string `path:"room" maxLength:"100"`
	Body struct {
		Do       string          `json:"do" enum:"enter,leave,invite,code,drop-codes,kick,hand,sit,stand,ready,set,start,rematch,resume,stop,close"`
		Code     string          `json:"code,omitempty" maxLength:"100" doc:"enter: an invitation's code"`
		User     int64           `json:"user,omitempty" doc:"invite, kick, hand: an account"`
		Place    int             `json:"place,omitempty" minimum:"0" maximum:"1" doc:"sit, stand"`
		Kind     string          `json:"kind,omitempty" enum:"person,bot,engine,remote" doc:"sit"`
		Engine   string          `json:"engine,omitempty" maxLength:"100" doc:"sit: bot=LEVEL, or the name of an engine of the hall"`
		Name     string          `json:"name,omitempty" maxLength:"60" doc:"sit: how a remote engine is called"`
		Off      bool            `json:"off,omitempty" doc:"ready, rematch: take it back"`
		Hours    int             `json:"hours,omitempty" minimum:"0" maximum:"8760" doc:"code: how long it is good, 0 for ever"`
		Settings json.RawMessage `json:"settings,omitempty" doc:"set: what changes"`
	}
}

func (h *Hall) registerRooms() {
	const tag = "rooms"
	one := roomsPath + "/{room}"
	add(h, Route{
		Method: "GET", Path: roomsPath, ID: "rooms", Tag: tag, Summary: "The lobby: open rooms, those changed last first",
		Need: auth.Look,
	}, h.listRooms)
	add(h, Route{
		Method: "POST", Path: roomsPath, ID: "open-room", Tag: tag, Summary: "Open a room", Need: auth.Play, Creates: true,
		Status: http.StatusCreated,
	}, h.openRoom)
	add(h, Route{Method: "GET", Path: one, ID: "room", Tag: tag, Summary: "A room as the caller may see it", Need: auth.Look}, h.getRoom)
	add(h, Route{
		Method: "POST", Path: one + "/commands", ID: "room-command", Tag: tag, Summary: "Do something in a room", Need: auth.Play,
		About: "What a command means and who may give it stands in package hall/server/room. Who sits in a place is not told what the other " +
			"one's engine says.",
	}, h.commandRoom)
	add(h, Route{
		Method: "GET", Path: one + "/chat", ID: "chat", Tag: tag, Summary: "Lines of chat that the caller may read now",
		Need: auth.Look,
	}, h.readChat)
	add(h, Route{
		Method: "POST", Path: one + "/chat", ID: "say", Tag: tag, Summary: "Write a line", Need: auth.Play, Creates: true,
		Status: http.StatusCreated,
	}, h.writeChat)
	add(h, Route{
		Method: "GET", Path: one + "/statistics", ID: "room-statistics", Tag: tag, Summary: "The games of a room and their counts",
		Need: auth.Look,
	}, h.roomStatistics)
}

// settingsFrom reads settings over what stands, and has the game checked.
func (h *Hall) settingsFrom(ctx context.Context, data json.RawMessage, base room.Settings) (room.Settings, error) {
	given := base.InSeconds()
	if len(data) > 0 {
		// A word that is not known is refused: "acess":"private" would open a room to all.
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&given); err != nil {
			return base, badInput("settings: " + oneLine(err))
		}
	}
	set := given.Stored()
	if set.Name == "" || base.Name == string(base.Game) && set.Name == base.Name {
		set.Name = string(set.Game)
	}
	if set.Game == "" {
		return set, badInput(`settings: a room needs a game, for example {"game":"othello"}`)
	}
	spec, hidden, err := h.cfg.Live.Game(ctx, set.Game, set.Position, set.Opening)
	if err != nil {
		return set, badInput("settings: " + oneLine(err))
	}
	set.Game, set.Hidden = spec, hidden
	set.KibitzerHash, err = h.kibitzer(ctx, set.Kibitzer, spec)
	return set, err
}

// kibitzer finds the engine that is to comment on games: it returns its hash, empty for a
// built-in one.
func (h *Hall) kibitzer(ctx context.Context, name string, spec game.Spec) (hash string, err error) {
	if name == "" || builtIn(name) {
		return "", nil
	}
	var e store.Engine
	err = h.view(ctx, func(tx store.Tx) (err error) { e, err = tx.Engine(name); return err })
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && !e.Enabled:
		return "", badInput("kibitzer: the hall does not offer " + game.Shown(name, 60))
	case err == nil && len(e.Games) > 0 && !slices.Contains(e.Games, spec.ID()):
		return "", badInput("kibitzer: " + e.Name + " does not play " + spec.ID())
	}
	return e.Hash, err
}

// builtIn reports whether a name is that of a built-in engine, bot=1 to bot=9.
func builtIn(name string) bool {
	level, is := strings.CutPrefix(name, "bot=")
	return is && len(level) == 1 && level[0] >= '1' && level[0] <= '9'
}

func (h *Hall) openRoom(ctx context.Context, in *newRoom) (*body[roomView], error) {
	by := actorOf(ctx)
	base := room.Defaults("")
	if in.Body.Saved != "" {
		if err := h.savedInto(ctx, in.Body.Saved, by.ID, &base); err != nil {
			return nil, err
		}
	}
	set, err := h.settingsFrom(ctx, in.Body.Settings, base)
	if err != nil {
		return nil, err
	}
	s, err := room.Open(set, room.Env{By: by, Now: h.now()})
	if err != nil {
		return nil, refusal(err)
	}
	r := &store.Room{ID: h.newID(12), Created: h.now()}
	play.KeepRoom(r, &s, h.now())
	if err := h.update(ctx, func(tx store.Tx) error { r.Version = 0; return tx.AddRoom(r) }); err != nil {
		return nil, err
	}
	h.cfg.Live.Dispatcher.Wake("lobby")
	return reply(roomView{ID: r.ID, Room: s.For(by, false)}), nil
}

// savedInto lets a room begin from a saved position of the account.
func (h *Hall) savedInto(ctx context.Context, id string, user int64, set *room.Settings) error {
	return h.view(ctx, func(tx store.Tx) error {
		p, err := tx.Saved(id)
		if err == nil && p.User != user {
			err = store.ErrNotFound
		}
		if err == nil {
			set.Game, set.Position, set.Opening, set.From = game.Spec(p.Spec), p.Position, p.Moves, p.Name
		}
		return err
	})
}

// roomOf reads a room that the caller may see; to others it does not exist.
func roomOf(tx store.Tx, id string, by room.Actor) (store.Room, room.State, error) {
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
func (h *Hall) held(tx store.Tx, s *room.State) (bool, error) {
	if s.Settings.Delay == 0 || s.Last == nil {
		return false, nil
	}
	g, err := tx.Game(s.Last.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return h.now().Before(g.Ended.Add(s.Settings.Delay)), err
}

func (h *Hall) getRoom(ctx context.Context, in *roomPath) (*body[roomView], error) {
	by := actorOf(ctx)
	var out roomView
	err := h.view(ctx, func(tx store.Tx) error {
		r, s, err := roomOf(tx, in.Room, by)
		if err != nil {
			return err
		}
		hold, err := h.held(tx, &s)
		out = roomView{ID: r.ID, Room: s.For(by, hold)}
		return err
	})
	if err != nil {
		return nil, err
	}
	h.queue(&out)
	if g := out.Room.Game; g != nil && g.Begun {
		out.Asks = h.asks(ctx, g.ID)
	}
	return reply(out), nil
}

// queue adds what the game of a room waits for.
func (h *Hall) queue(v *roomView) {
	if g := v.Room.Game; g != nil && !g.Begun {
		place := bus.PlaceOf(v.Room.Places[0].Kind, v.Room.Places[1].Kind)
		v.Waiting, v.Before = h.cfg.Live.Dispatcher.Waits(g.ID), h.cfg.Live.Dispatcher.Before(g.ID, place)
	}
}

func (h *Hall) listRooms(ctx context.Context, in *roomsQuery) (*body[[]roomLine], error) {
	out := []roomLine{}
	err := h.view(ctx, func(tx store.Tx) error {
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
			hold, err := h.held(tx, &s)
			if err != nil {
				return err
			}
			out = append(out, lineOf(&list[i], s.For(room.Actor{}, hold)))
		}
		return nil
	})
	return reply(out), err
}

// lineOf is a room as everybody sees it in the lobby.
func lineOf(r *store.Room, s room.Shown) roomLine {
	l := roomLine{
		ID: r.ID, Name: r.Name, Game: r.Game, Host: s.HostName, Phase: string(s.Phase), Players: [2]string{s.Places[0].Name, s.Places[1].Name},
		People: len(s.People), Rated: s.Settings.Rated, Access: string(s.Settings.Access), Clocks: s.Settings.Clocks, Score: s.Score,
		Changed: r.Changed, Settings: string(s.Settings.Game),
	}
	if s.Game != nil {
		l.Current = s.Game.ID
	}
	return l
}

// commandOf makes a command of an order; a code that it makes is returned.
func (h *Hall) commandOf(ctx context.Context, in *roomOrder) (cmd room.Command, code string, err error) {
	b := &in.Body
	switch b.Do {
	case "enter":
		return room.Enter{Hash: codeHash(b.Code)}, "", nil
	case "leave":
		return room.Leave{}, "", nil
	case "invite":
		return room.Invite{User: b.User}, "", nil
	case "kick":
		return room.Kick{User: b.User}, "", nil
	case "hand":
		return room.Hand{User: b.User}, "", nil
	case "code":
		code = h.newID(20)
		add := room.AddCode{Hash: codeHash(code)}
		if b.Hours > 0 {
			add.Expires = h.now().Add(time.Duration(b.Hours) * time.Hour)
		}
		return add, code, nil
	case "drop-codes":
		return room.DropCodes{}, "", nil
	case "sit":
		return h.sit(ctx, in)
	case "stand":
		return room.Stand{Place: b.Place}, "", nil
	case "ready":
		return room.Ready{On: !b.Off}, "", nil
	case "start":
		return room.Start{}, "", nil
	case "rematch":
		return room.Rematch{On: !b.Off}, "", nil
	case "resume":
		return room.Resume{}, "", nil
	case "stop":
		return room.Stop{}, "", nil
	case "close":
		return room.Close{}, "", nil
	case "set":
		set, err := h.newSettings(ctx, in)
		return room.Set{Settings: set}, "", err
	}
	return nil, "", badInput(fmt.Sprintf("%q is no command of a room", game.Shown(b.Do, 40)))
}

func codeHash(code string) string {
	if code == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// newSettings are those that stand with what an order changes.
func (h *Hall) newSettings(ctx context.Context, in *roomOrder) (set room.Settings, err error) {
	err = h.view(ctx, func(tx store.Tx) error {
		_, s, err := roomOf(tx, in.Room, actorOf(ctx))
		set = s.Settings
		return err
	})
	if err != nil {
		return set, err
	}
	return h.settingsFrom(ctx, in.Body.Settings, set)
}

// sit finds the engine that an order names.
func (h *Hall) sit(ctx context.Context, in *roomOrder) (room.Command, string, error) {
	b := &in.Body
	cmd := room.Sit{Place: b.Place, Kind: bus.SeatKind(b.Kind), Engine: b.Engine, Name: b.Name}
	switch cmd.Kind {
	case bus.BotSeat:
		if !builtIn(b.Engine) {
			return nil, "", badInput("engine: a built-in one is bot=1 to bot=9")
		}
		cmd.Name = "Level " + b.Engine[len("bot="):]
	case bus.EngineSeat:
		var e store.Engine
		if err := h.view(ctx, func(tx store.Tx) (err error) { e, err = tx.Engine(b.Engine); return err }); err != nil {
			return nil, "", err
		}
		if !e.Enabled {
			return nil, "", badInput("engine: the hall does not offer " + e.Name + " at present")
		}
		cmd.Engine, cmd.Name, cmd.Hash = e.Name, e.Name, e.Hash
	}
	return cmd, "", nil
}

func (h *Hall) commandRoom(ctx context.Context, in *roomOrder) (*body[roomView], error) {
	cmd, code, err := h.commandOf(ctx, in)
	if err != nil {
		return nil, err
	}
	by := actorOf(ctx)
	s, err := h.applyRoom(ctx, in.Room, by, cmd)
	if err != nil {
		return nil, err
	}
	v := roomView{ID: in.Room, Room: s.For(by, s.Settings.Delay > 0), Code: code}
	h.queue(&v)
	return reply(v), nil
}

// applyRoom does a command with all that follows from it, in one transaction, and
// tells of it afterwards.
func (h *Hall) applyRoom(ctx context.Context, id string, by room.Actor, cmd room.Command) (room.State, error) {
	dispatcher := h.cfg.Live.Dispatcher
	var s room.State
	var effects []room.Effect
	fresh, coin := h.newID(16), 0
	if secret, err := dispatcher.Secret(); err == nil {
		coin = int(secret[0] & 1)
	}
	err := dispatcher.Update(ctx, func(tx store.Tx) error {
		r, old, err := roomOf(tx, id, by)
		if _, enters := cmd.(room.Enter); errors.Is(err, store.ErrNotFound) && r.ID != "" && (enters || by.ID == 0) {
			err = nil // a code may open it; the hall may do anything
		}
		if err != nil {
			return err
		}
		if s, effects, err = room.Apply(old, cmd, room.Env{By: by, Now: h.now(), ID: fresh, Coin: coin}); err != nil {
			return err
		}
		for _, e := range effects {
			if err := dispatcher.Effect(tx, id, e); err != nil {
				return err
			}
		}
		play.KeepRoom(&r, &s, h.now())
		return tx.SetRoom(&r)
	})
	if errors.Is(err, room.ErrSame) {
		return s, nil
	}
	if err != nil {
		return s, refusal(err)
	}
	for _, e := range effects {
		switch {
		case e.Add != nil:
			dispatcher.Publish(ctx, e.Add.ID)
		case e.Resume != "":
			dispatcher.Publish(ctx, e.Resume)
		case e.Stop != "":
			if err := h.cfg.Live.Bus.PublishOrder(bus.Order{Game: e.Stop, Kind: play.OrderAbort}); err != nil {
				h.cfg.Log.WarnContext(ctx, "an order waits for the worker's next sign of life", "game", e.Stop, "error", oneLine(err))
			}
		}
	}
	dispatcher.Wake("room." + id)
	dispatcher.Wake("lobby")
	return s, nil
}
