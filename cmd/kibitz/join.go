package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
	"kibitz/games"
	"kibitz/remote"
	"kibitz/run/engines"
	"kibitz/server"
	"kibitz/server/room"
)

type joinCmd struct {
	URL       string        `arg:"" name:"url" help:"Address of the hall, such as https://hall.example."`
	Room      string        `required:"" help:"Room, the last word of its address." placeholder:"R"`
	Engine    string        `required:"" help:"Engine that plays, key=value words." placeholder:"S"`
	Place     *int          `help:"Place to take, 0 or 1 (the first that is free)." placeholder:"N"`
	Code      string        `env:"KIBITZ_CODE" help:"Invitation code of a private room." placeholder:"WORD"`
	TokenFile string        `help:"File with the token of an account; else KIBITZ_TOKEN has it, and without either the engine plays as a guest." placeholder:"FILE"`
	Log       string        `help:"File to which all that the engine says and is told is appended (kibitz-join-ROOM.log)." placeholder:"FILE"`
	Games     int           `help:"Leave after N games (stays)." placeholder:"N"`
	Stay      time.Duration `help:"Leave when no game has run for so long, such as 10m (stays)." placeholder:"TIME"`
}

// Help returns the example that --help shows.
func (joinCmd) Help() string {
	return "An engine on this machine takes a place in a room of a hall, and plays there until the room is closed.\n" +
		"It says that it is ready, agrees when the opponent wants a rematch, and comes back when the connection breaks.\n" +
		"The hall's clock counts. The first interrupt lets a running game end, the second leaves at once.\n" +
		"Example: kibitz join https://hall.example --room 5f0c21 --engine 'cmd=./mine proto=gtp'"
}

// joiner is an engine in a room of a hall elsewhere.
type joiner struct {
	a     *app
	c     *joinCmd
	e     *engineSpec
	hall  *hallClient
	place int

	game    *joinedGame // that is played, nil between games
	fresh   bool        // nothing was heard on this connection yet
	idle    time.Time   // since when there is none
	reports sync.WaitGroup
	played  int
	failed  int // games that the engine lost because it failed
	leaving bool
	odd     string // what was said about frames last
}

// errDeparted says that there is nothing to do any more.
var errDeparted = errors.New("left")

// How long the engine waits before it connects again, at first and at most.
const (
	firstAgain = 100 * time.Millisecond
	mostAgain  = 15 * time.Second
)

// Run plays in a room until it is closed.
func (c joinCmd) Run(a *app) error {
	j := &joiner{a: a, c: &c}
	if err := j.prepare(); err != nil {
		return err
	}
	done, err := a.launcher().Ready(a.ctx, j.e)
	if err != nil {
		return err
	}
	defer done()
	if err := j.enter(); err != nil {
		return err
	}
	err = j.stay()
	j.end(nil)
	j.leave()
	j.reports.Wait()
	switch {
	case !errors.Is(err, errDeparted):
		return err
	case j.failed > 0:
		return badVerdict("%s failed in %s: %s tells what it said", j.e.Name, count(j.failed, "game"), j.c.log())
	}
	return nil
}

// log is the file to which the conversations with the engine go.
func (c *joinCmd) log() string {
	return cmp.Or(c.Log, "kibitz-join-"+strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, c.Room)+".log")
}

// prepare reads what the command line says.
func (j *joiner) prepare() (err error) {
	c := j.c
	switch {
	case c.Place != nil && *c.Place != 0 && *c.Place != 1:
		return fmt.Errorf("--place %d: there are 0 and 1", *c.Place)
	case c.Games < 0 || c.Stay < 0:
		return fmt.Errorf("--games %d --stay %s: must be 0 or more", c.Games, c.Stay)
	}
	if j.e, err = engines.Parse("", c.Engine); err != nil {
		return err
	}
	if j.e.Human {
		return fmt.Errorf("--engine %q: people sit down with a browser; use cmd= or bot=", c.Engine)
	}
	if !j.e.Control.None() {
		return fmt.Errorf("--engine %q: the room has the clock; leave its words out", c.Engine)
	}
	token, err := hallToken(c.TokenFile)
	if err != nil {
		return err
	}
	j.hall, err = newHallClient(c.URL, token)
	return err
}

// joinedRoom is what the engine must know of a room.
type joinedRoom struct {
	Room struct {
		Phase    string `json:"phase"`
		Settings struct {
			Name string    `json:"name"`
			Game game.Spec `json:"game"`
		} `json:"settings"`
		Places [2]joinedPlace `json:"places"`
	} `json:"room"`
}

// joinedPlace is who sits in a place.
type joinedPlace struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	User int64  `json:"user"`
}

// command does something in the room.
func (j *joiner) command(ctx context.Context, out any, order map[string]any) error {
	return j.hall.post(ctx, roomPath(j.c.Room)+"/commands", order, out)
}

// enter comes into the room and sits down.
func (j *joiner) enter() error {
	ctx := j.a.ctx
	var me struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	var r joinedRoom
	var err error
	if j.hall.token == "" {
		err = j.hall.post(ctx, "/api/v1/account/guest", map[string]any{}, &me)
	} else {
		var data []byte
		if data, err = j.hall.get(ctx, "/api/v1/account"); err == nil {
			err = json.Unmarshal(data, &me)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.hall.base, err)
	}
	order := map[string]any{"do": "enter"}
	if j.c.Code != "" {
		order["code"] = j.c.Code
	}
	if err := j.command(ctx, &r, order); err != nil {
		if e := (*hallError)(nil); errors.As(err, &e) && e.status == http.StatusNotFound {
			return fmt.Errorf("--room %s: there is no such room in %s, or it is not for %s", game.Shown(j.c.Room, 60), j.hall.base, game.Shown(me.Name, 40))
		}
		return fmt.Errorf("--room %s: %w", game.Shown(j.c.Room, 60), err)
	}
	if err := j.able(r.Room.Settings.Game); err != nil {
		return err
	}
	if err := j.sit(ctx, &r, me.ID); err != nil {
		return err
	}
	j.tell("joined room %s of %s as %s: %s, place %d", game.Shown(j.c.Room, 60), j.hall.base, game.Shown(r.Room.Places[j.place].Name, 80), r.Room.Settings.Game, j.place)
	return nil
}

// sit takes a place, unless the account has one for an engine. A place that somebody else
// was quicker to take is left to him: without --place another one is looked for.
func (j *joiner) sit(ctx context.Context, r *joinedRoom, me int64) error {
	for {
		if j.has(r, me) {
			return nil
		}
		free := slices.IndexFunc(r.Room.Places[:], func(p joinedPlace) bool { return p.Kind == "" })
		switch {
		case j.c.Place != nil:
			j.place = *j.c.Place
		case free >= 0:
			j.place = free
		default:
			return fmt.Errorf("--room %s: both places are taken, by %s and %s", game.Shown(j.c.Room, 60), game.Shown(r.Room.Places[0].Name, 40), game.Shown(r.Room.Places[1].Name, 40))
		}
		err := j.command(ctx, r, map[string]any{"do": "sit", "place": j.place, "kind": "remote", "name": game.Shown(j.e.Name, 60)})
		if err == nil {
			return nil
		}
		if e := (*hallError)(nil); j.c.Place != nil || !errors.As(err, &e) || e.status != http.StatusConflict || !j.taken(ctx, r) {
			return fmt.Errorf("--room %s: %w", game.Shown(j.c.Room, 60), err)
		}
	}
}

// has finds the place that the account has for an engine, that of --place if there is one.
func (j *joiner) has(r *joinedRoom, me int64) bool {
	for i, p := range r.Room.Places {
		if p.Kind == "remote" && p.User == me && (j.c.Place == nil || *j.c.Place == i) {
			j.place = i
			return true
		}
	}
	return false
}

// taken looks at the room anew, and reports whether the place that was refused is taken now.
func (j *joiner) taken(ctx context.Context, r *joinedRoom) bool {
	data, err := j.hall.get(ctx, roomPath(j.c.Room))
	if err == nil {
		*r = joinedRoom{}
		err = json.Unmarshal(data, r)
	}
	return err == nil && r.Room.Places[j.place].Kind != ""
}

// able finds out early whether the engine plays the room's game.
func (j *joiner) able(spec game.Spec) error {
	r, err := games.Open(string(spec))
	if err != nil {
		return fmt.Errorf("--room %s: %w", game.Shown(j.c.Room, 60), err)
	}
	p, err := j.a.launcher().Player(j.e, r, 0, nil)
	if err != nil {
		return err
	}
	if j.e.AsksName() {
		if own := j.a.launcher().OwnName(j.a.ctx, j.e, r); own != "" {
			j.e.Name = own
		}
	}
	return p.Close()
}

func (j *joiner) tell(format string, args ...any) {
	fmt.Fprintf(j.a.stderr, "kibitz: %s\n", fmt.Sprintf(format, args...))
}

// leave gives the place back, if no series is under way; a guest goes altogether.
func (j *joiner) leave() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.a.ctx), 3*time.Second)
	defer cancel()
	order := map[string]any{"do": "stand", "place": j.place}
	if j.hall.token == "" {
		order = map[string]any{"do": "leave"}
	}
	_ = j.command(ctx, nil, order) // the room may be closed, or a series runs on
}

// stay connects again and again. It returns errDeparted when there is nothing to do any
// more.
func (j *joiner) stay() error {
	wait, lost := firstAgain, false
	j.idle = j.a.now()
	for {
		conn, err := j.hall.dial(j.a.ctx, j.c.Room, j.place)
		if err == nil {
			if lost {
				j.tell("connected again")
			}
			began := j.a.now()
			if err = j.serve(conn); j.a.now().Sub(began) > mostAgain {
				wait = firstAgain
			}
			lost = false
		}
		if last := j.final(err); last != nil {
			return last
		}
		if !lost {
			j.tell("the connection is lost (%s); the engine comes back", game.Shown(oneLine(err), 200))
			lost = true
		}
		select {
		case <-time.After(wait):
		case <-j.bored():
			j.tell("no game for %s", j.c.Stay)
			return errDeparted
		case <-j.a.drain:
			j.leaving = true
			if j.game == nil {
				return errDeparted
			}
			select { // the game goes on, if the hall comes back
			case <-time.After(wait):
			case <-j.a.ctx.Done():
				return errDeparted
			}
		case <-j.a.ctx.Done():
			return errDeparted
		}
		wait = min(2*wait, mostAgain)
	}
}

// final returns the error after which connecting again is of no use, nil after others.
func (j *joiner) final(err error) error {
	var e *hallError
	var f *faultError
	switch {
	case errors.Is(err, errDeparted), j.a.ctx.Err() != nil:
		return errDeparted
	case errors.As(err, &f):
		return f.err
	case errors.As(err, &e) && e.code == "room-closed", websocket.CloseStatus(err) == websocket.StatusNormalClosure:
		j.tell("the room is closed")
		return errDeparted
	case errors.As(err, &e) && !e.passing() && e.code != "":
		return fmt.Errorf("--room %s: %w", game.Shown(j.c.Room, 60), err)
	}
	switch websocket.CloseStatus(err) {
	case server.SeatReplaced:
		return fmt.Errorf("--room %s: another program has taken the place", game.Shown(j.c.Room, 60))
	case server.SeatLost:
		return fmt.Errorf("--room %s: the place was taken away", game.Shown(j.c.Room, 60))
	}
	return nil
}

// faultError is an error of this machine, not of the connection.
type faultError struct{ err error }

func (e *faultError) Error() string { return e.err.Error() }

type joinMessage struct {
	kind websocket.MessageType
	data []byte
}

// serve plays over one connection until it breaks.
func (j *joiner) serve(conn *websocket.Conn) error {
	ctx, cancel := context.WithCancelCause(j.a.ctx)
	in, ended := make(chan joinMessage), make(chan struct{})
	conn.SetReadLimit(remote.MaxFrame + 1<<10)
	go func() {
		defer close(ended)
		for {
			kind, data, err := conn.Read(ctx)
			if err != nil {
				cancel(err)
				return
			}
			select {
			case in <- joinMessage{kind, data}:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel(errDeparted)
		_ = conn.CloseNow() // it is broken, or the hall sees it now
		<-ended
		if j.game != nil {
			j.game.detach()
		}
	}()
	j.fresh = true
	drain := j.a.drain
	if j.leaving {
		drain = nil
	}
	for {
		select {
		case m := <-in:
			if err := j.take(ctx, conn, m); err != nil {
				return err
			}
		case <-drain:
			drain, j.leaving = nil, true
			if j.game == nil {
				return errDeparted
			}
		case <-j.bored():
			j.tell("no game for %s", j.c.Stay)
			return errDeparted
		case <-j.broken():
			if err := j.game.silent(); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// bored fires when there was no game for the time that the engine stays.
func (j *joiner) bored() <-chan time.Time {
	if j.c.Stay <= 0 || j.game != nil {
		return nil
	}
	return time.After(j.idle.Add(j.c.Stay).Sub(j.a.now()))
}

// take takes a message.
func (j *joiner) take(ctx context.Context, conn *websocket.Conn, m joinMessage) error {
	if m.kind == websocket.MessageBinary {
		if j.game != nil {
			j.game.take(m.data)
		}
		return nil
	}
	var n server.SeatNews
	if err := json.Unmarshal(m.data, &n); err != nil {
		return fmt.Errorf("the hall sent what cannot be read: %w", err)
	}
	switch {
	case n.Game != "":
		j.fresh = false
		return j.begin(ctx, conn, &n)
	case n.Over != "":
		if j.game == nil || j.game.id != n.Over {
			return nil
		}
		j.end(&n)
		if j.leaving || j.c.Games > 0 && j.played >= j.c.Games {
			return errDeparted
		}
	case n.Room != nil:
		if j.fresh && j.game != nil { // it ended unheard
			j.end(nil)
		}
		j.fresh = false
		return j.agree(ctx, &n)
	case n.Error != "" && n.Error != j.odd:
		j.odd = n.Error
		j.tell("the hall refuses what the engine's end says: %s", game.Shown(n.Error, 300))
	}
	return nil
}

// agree says what the room waits for. If it is too late for that, the room tells so
// itself.
func (j *joiner) agree(ctx context.Context, n *server.SeatNews) error {
	done := n.Room.Phase == string(room.Done)
	idle := done || n.Room.Phase == string(room.Waiting)
	var err error
	if idle && !n.Room.Ready && !j.leaving {
		err = j.command(ctx, nil, map[string]any{"do": "ready"})
	}
	if err == nil && done && n.Room.Asked && !n.Room.Again && !j.leaving {
		err = j.command(ctx, nil, map[string]any{"do": "rematch"})
	}
	if e := (*hallError)(nil); errors.As(err, &e) && e.status == http.StatusConflict {
		return nil
	}
	return err
}
