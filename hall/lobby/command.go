package lobby

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/game/look"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/refuse"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// commandOf makes a command of an order; a code that it makes is returned.
func (rm *Rooms) commandOf(ctx context.Context, in *RoomOrder) (cmd room.Command, code string, err error) {
	b := &in.Body
	switch b.Do {
	case "enter":
		return room.Enter{Hash: codeHash(b.Code)}, "", nil
	case "join":
		return room.Join{}, "", nil
	case "leave":
		return room.Leave{}, "", nil
	case "invite":
		return room.Invite{User: b.User}, "", known(ctx, rm.cfg.Store, b.User)
	case "kick":
		return room.Kick{User: b.User}, "", known(ctx, rm.cfg.Store, b.User)
	case "hand":
		return room.Hand{User: b.User}, "", nil
	case "code":
		code = store.NewID(rm.cfg.Random, 20)
		add := room.AddCode{Hash: codeHash(code)}
		if b.Hours > 0 {
			add.Expires = rm.cfg.Now().Add(time.Duration(b.Hours) * time.Hour)
		}
		return add, code, nil
	case "drop-codes":
		return room.DropCodes{}, "", nil
	case "sit":
		return rm.sit(ctx, in)
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
	case "pause":
		return room.Pause{}, "", nil
	case "verdict":
		return room.Rule{Result: b.Result, Note: b.Note}, "", nil
	case "close":
		return room.Close{}, "", nil
	case "set":
		set, err := rm.newSettings(ctx, in)
		return room.Set{Settings: set}, "", err
	}
	return nil, "", problem.Input(fmt.Sprintf("%q is no command of a room", game.Shown(b.Do, 40))).Because(game.WhyChoice)
}

// known refuses an account that there is not.
func known(ctx context.Context, st store.Store, user int64) error {
	_, err := store.Get(ctx, st, store.Tx.User, user)
	if errors.Is(err, store.ErrNotFound) {
		return problem.At("#/user", problem.Input(fmt.Sprintf("user: there is no account %d", user)).Because("to"))
	}
	return err
}

func codeHash(code string) string {
	if code == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// newSettings are those that stand with what an order changes.
func (rm *Rooms) newSettings(ctx context.Context, in *RoomOrder) (room.Settings, error) {
	s, err := rm.State(ctx, in.Room, ActorOf(ctx))
	if err != nil {
		return s.Settings, err
	}
	return rm.settingsFrom(ctx, in.Body.Settings, s.Settings)
}

// sit finds the engine that an order names.
func (rm *Rooms) sit(ctx context.Context, in *RoomOrder) (room.Command, string, error) {
	b := &in.Body
	cmd := room.Sit{Place: b.Place, Kind: bus.SeatKind(b.Kind), Engine: b.Engine, Name: b.Name, About: b.About}
	switch cmd.Kind {
	case bus.BotSeat:
		level := BuiltIn(b.Engine)
		if level == 0 {
			return nil, "", problem.At("#/engine", problem.Input("engine: a built-in one is bot=1 to bot=9"))
		}
		cmd.Name = look.LevelName(level)
	case bus.EngineSeat:
		e, err := store.Get(ctx, rm.cfg.Store, store.Tx.Engine, b.Engine)
		if err != nil {
			return nil, "", err
		}
		if !e.Enabled {
			return nil, "", problem.At("#/engine", problem.Input("engine: the hall does not offer "+e.Name+" at present"))
		}
		cmd.Engine, cmd.Name, cmd.Hash = e.Name, e.Name, e.Hash
	}
	return cmd, "", nil
}

// Command does what somebody wants in a room.
func (rm *Rooms) Command(ctx context.Context, in *RoomOrder) (*RoomView, error) {
	cmd, code, err := rm.commandOf(ctx, in)
	if err != nil {
		return nil, err
	}
	by := ActorOf(ctx)
	s, err := rm.Apply(ctx, in.Room, by, cmd)
	if err != nil {
		return nil, err
	}
	v := RoomView{ID: in.Room, Room: s.For(by, s.Settings.Delay > 0), Code: code}
	rm.queue(&v)
	return &v, nil
}

// Apply does a command with all that follows from it, in one transaction, and
// tells of it afterwards.
func (rm *Rooms) Apply(ctx context.Context, id string, by room.Actor, cmd room.Command) (room.State, error) {
	dispatcher := rm.cfg.Dispatcher
	var s room.State
	var effects []room.Effect
	fresh, coin := store.NewID(rm.cfg.Random, 16), 0
	if secret, err := dispatcher.Secret(); err == nil {
		coin = int(secret[0] & 1)
	}
	err := dispatcher.Update(ctx, func(tx store.Tx) error {
		var err error
		if s, effects, err = rm.cfg.change(tx, id, cmd, room.Env{By: by, Now: rm.cfg.Now(), ID: fresh, Coin: coin}); err != nil {
			return err
		}
		for _, e := range effects {
			if e.Add != nil && e.Add.Index == 0 && e.Add.Settings.Auto {
				more, err := rm.cfg.putAside(tx, e.Add)
				if err != nil {
					return err
				}
				effects = append(effects, more...)
			}
		}
		return nil
	})
	if errors.Is(err, room.ErrSame) {
		return s, nil
	}
	if _, sets := cmd.(room.Set); sets && err != nil {
		return s, refusedSettings(err)
	}
	if err != nil {
		return s, problem.OfRefusal(err)
	}
	for _, e := range effects {
		switch {
		case e.Add != nil:
			dispatcher.Publish(ctx, e.Add.ID)
		case e.Resume != "":
			dispatcher.Publish(ctx, e.Resume)
		}
		if o, ok := play.OrderOf(&e); ok {
			rm.cfg.order(ctx, o)
		}
	}
	dispatcher.Wake("room." + id)
	dispatcher.Wake("lobby")
	return s, nil
}

// order tells the worker of a game at once what its next sign of life would.
func (c *RoomsConfig) order(ctx context.Context, o bus.Order) {
	if err := c.Bus.PublishOrder(o); err != nil {
		c.Log.WarnContext(ctx, "an order waits for the worker's next sign of life", "game", o.Game, "error", problem.OneLine(err))
	}
}

// change does a command in a transaction, and returns what is to be told of it afterwards.
func (c *RoomsConfig) change(tx store.Tx, id string, cmd room.Command, env room.Env) (s room.State, effects []room.Effect, err error) {
	r, old, err := RoomOf(tx, id, env.By)
	if _, enters := cmd.(room.Enter); errors.Is(err, store.ErrNotFound) && r.ID != "" && (enters || env.By.ID == 0) {
		err = nil // a code may open it; the hall may do anything
	}
	if err != nil {
		return s, nil, err
	}
	if s, effects, err = room.Apply(old, cmd, env); err != nil {
		return s, nil, err
	}
	for _, e := range effects {
		if err := c.Dispatcher.Effect(tx, id, e); err != nil {
			return s, nil, err
		}
	}
	play.KeepRoom(&r, &s, env.Now)
	return s, effects, tx.SetRoom(&r)
}

// putAside puts aside what those who begin a game that they sought play against engines meanwhile.
func (c *RoomsConfig) putAside(tx store.Tx, n *room.NewGame) (effects []room.Effect, err error) {
	for _, p := range n.Places {
		if p.Kind != bus.PersonSeat {
			continue
		}
		page, err := tx.FindGames(store.GameQuery{
			Subject: store.UserSubject(p.User), States: []store.GameState{store.Running}, Limit: MostAtOnce,
		})
		if err != nil {
			return nil, err
		}
		for i := range page.Games {
			if page.Games[i].Room == "" {
				continue
			}
			_, more, err := c.change(tx, page.Games[i].Room, room.Aside{}, room.Env{Now: c.Now()})
			if err != nil && !errors.Is(err, refuse.ErrPhase) && !errors.Is(err, room.ErrSame) && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
			effects = append(effects, more...)
		}
	}
	return effects, nil
}
