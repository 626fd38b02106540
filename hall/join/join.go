// Package join lets an engine of this machine play in a room of a hall elsewhere: it takes a
// place, answers for the engine there, and comes back when the connection breaks.
package join

import (
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
	"kibitz/player"
	"kibitz/player/remote"
	"kibitz/player/remote/seats"
	"kibitz/record"
	"kibitz/rules"
	"kibitz/run/engines"
)

// Config is who plays where.
type Config struct {
	Hall *Client
	Room string
	// Code is the invitation to a private room; it may be empty.
	Code string
	// Place is the place to take, 0 or 1; nil for the first that is free.
	Place *int
	// Games is after how many games the engine leaves, Stay after how long without one;
	// with 0 it stays.
	Games int
	Stay  time.Duration
	// Once tells that the engine leaves with the end of its first series.
	Once bool
	// Person sits down himself, instead of Engine, with an adviser whom he may ask for hints; his
	// place ends with the series. Typed are lines that he types between games, nil where they are
	// to wait for the first one.
	Person func(r rules.Rules, adviser player.Player) player.Player
	Typed  <-chan string
	// Engine is ready to be started by Launcher; its clock is the hall's.
	Engine   *engines.Spec
	Launcher *engines.Launcher
	// Open opens the rules of a game, Records reads a record in Kibitz's own format.
	Open    func(game.Spec) (rules.Rules, error)
	Records func([]byte) ([]*record.Game, error)
	// Seed draws the seed of a built-in engine for each game.
	Seed func() uint64
	// LogFile is the file to which the conversations with the engine are appended.
	LogFile string
	// Tell is told in one line what happens.
	Tell func(text string)
	// Drain is closed when a running game is to be the last.
	Drain <-chan struct{}
}

// RoomError is what keeps an engine out of a room, or drives it out.
type RoomError struct {
	Room string
	Err  error
}

func (e *RoomError) Error() string { return "room " + game.Shown(e.Room, 60) + ": " + e.Err.Error() }

func (e *RoomError) Unwrap() error { return e.Err }

// joiner is an engine in a room.
type joiner struct {
	Config
	place int

	game    *playedGame // that is played, nil between games
	fresh   bool        // nothing was heard on this connection yet
	idle    time.Time   // since when there is none
	reports sync.WaitGroup
	played  int
	failed  int    // games that the engine lost because it failed
	about   string // what the engine says of itself
	leaving bool
	odd     string // what was said about frames last
}

// errDeparted says that there is nothing to do any more.
var errDeparted = errors.New("left")

// errReplaced says that the account has come to the place again.
var errReplaced = errors.New("another program of the same account has taken the place: --place takes the other one")

// Play plays in a room until it is closed, the engine has played its games, or ctx ends. It
// returns in how many games the engine failed.
func Play(ctx context.Context, c Config) (failed int, err error) {
	j := &joiner{Config: c}
	if err := j.enter(ctx); err != nil {
		return 0, err
	}
	if j.Person != nil {
		err = j.attend(ctx)
	} else {
		err = j.stay(ctx)
		j.end(ctx, nil)
	}
	if !errors.Is(err, errReplaced) { // else the place is another one's
		j.leave(ctx)
	}
	j.reports.Wait()
	if errors.Is(err, errDeparted) {
		err = nil
	}
	return j.failed, err
}

// outOfRoom is an error that has to do with the room.
func (j *joiner) outOfRoom(format string, args ...any) error {
	return &RoomError{j.Room, fmt.Errorf(format, args...)}
}

// roomView is what the engine must know of a room.
type roomView struct {
	Room roomShown `json:"room"`
}

type roomShown struct {
	Phase    string `json:"phase"`
	Settings struct {
		Name string    `json:"name"`
		Game game.Spec `json:"game"`
	} `json:"settings"`
	Places [2]placeView `json:"places"`
}

// placeView is who sits in a place.
type placeView struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	User  int64  `json:"user"`
	Ready bool   `json:"ready"`
}

// command does something in the room.
func (j *joiner) command(ctx context.Context, out any, order map[string]any) error {
	return j.Hall.post(ctx, roomPath(j.Room)+"/commands", order, out)
}

// enter comes into the room and sits down.
func (j *joiner) enter(ctx context.Context) error {
	var r roomView
	me, err := j.Hall.account(ctx)
	if err != nil {
		return err
	}
	order := map[string]any{"do": "enter"}
	if j.Code != "" {
		order["code"] = j.Code
	}
	if err := j.command(ctx, &r, order); err != nil {
		if e := (*refusal)(nil); errors.As(err, &e) && e.status == http.StatusNotFound {
			return j.outOfRoom("there is no such room in %s, or it is not for %s", j.Hall.base, game.Shown(me.Name, 40))
		}
		return &RoomError{j.Room, err}
	}
	if j.Person == nil {
		if err := j.able(ctx, r.Room.Settings.Game); err != nil {
			return err
		}
	}
	if err := j.sit(ctx, &r, me.ID); err != nil {
		return err
	}
	j.tell("joined room %s of %s as %s: %s, place %d", game.Shown(j.Room, 60), j.Hall.base, game.Shown(r.Room.Places[j.place].Name, 80),
		r.Room.Settings.Game, j.place)
	return nil
}

// sit takes a place, unless the account has one for the engine; one that it has for another engine
// gets the name of this one, unless a series is under way there. A place that somebody else
// was quicker to take is left to him: without --place another one is looked for.
func (j *joiner) sit(ctx context.Context, r *roomView, me int64) error {
	for {
		mine := j.has(r, me)
		if mine && (j.Person != nil || strings.HasPrefix(r.Room.Places[j.place].Name+" (", j.name()+" (")) {
			return nil
		}
		free := slices.IndexFunc(r.Room.Places[:], func(p placeView) bool { return p.Kind == "" })
		switch {
		case mine:
		case j.Place != nil:
			j.place = *j.Place
		case free >= 0:
			j.place = free
		default:
			return j.outOfRoom("both places are taken, by %s and %s", game.Shown(r.Room.Places[0].Name, 40), game.Shown(r.Room.Places[1].Name, 40))
		}
		order := map[string]any{"do": "sit", "place": j.place, "kind": j.kind(), "name": j.name()}
		if j.about != "" {
			order["about"] = j.about
		}
		err := j.command(ctx, r, order)
		e := (*refusal)(nil)
		if err == nil || mine && errors.As(err, &e) && e.status == http.StatusConflict {
			return nil
		}
		if j.Place != nil || !errors.As(err, &e) || e.status != http.StatusConflict || !j.taken(ctx, r) {
			return &RoomError{j.Room, err}
		}
	}
}

// kind is what sits down: a person, or an engine from elsewhere.
func (j *joiner) kind() string {
	if j.Person != nil {
		return "person"
	}
	return "remote"
}

// name is what the engine is called; people have their own name.
func (j *joiner) name() string {
	if j.Person != nil {
		return ""
	}
	return game.Shown(j.Engine.Name, 60)
}

// has finds the place that the account has for an engine, that of --place if there is one.
func (j *joiner) has(r *roomView, me int64) bool {
	for i, p := range r.Room.Places {
		if p.Kind == j.kind() && p.User == me && (j.Place == nil || *j.Place == i) {
			j.place = i
			return true
		}
	}
	return false
}

// taken looks at the room anew, and reports whether the place that was refused is taken now.
func (j *joiner) taken(ctx context.Context, r *roomView) bool {
	data, err := j.Hall.get(ctx, roomPath(j.Room))
	if err == nil {
		*r = roomView{}
		err = json.Unmarshal(data, r)
	}
	return err == nil && r.Room.Places[j.place].Kind != ""
}

// able finds out early whether the engine plays the room's game.
func (j *joiner) able(ctx context.Context, spec game.Spec) error {
	r, err := j.Open(spec)
	if err != nil {
		return &RoomError{j.Room, err}
	}
	p, err := j.Launcher.Player(j.Engine, r, 0, nil)
	if err != nil {
		return err
	}
	if _, describes := p.(player.Describer); j.Engine.AsksName() || describes && j.Engine.Askable() {
		var own string
		if own, j.about = j.Launcher.Introduced(ctx, j.Engine, r); own != "" && !j.Engine.Named {
			j.Engine.Name = own
		}
	}
	return p.Close()
}

func (j *joiner) tell(format string, args ...any) {
	j.Tell(fmt.Sprintf(format, args...))
}

// leave gives the place back, if no series is under way; a guest goes altogether.
func (j *joiner) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	order := map[string]any{"do": "stand", "place": j.place}
	if j.Hall.token == "" || j.Person != nil {
		order = map[string]any{"do": "leave"}
	}
	_ = j.command(ctx, nil, order) // the room may be closed, or a series runs on
}

// stay plays game after game. It returns errDeparted when there is nothing to do any more.
func (j *joiner) stay(ctx context.Context) error {
	j.idle = j.Launcher.Now()
	return j.connected(ctx, func() string { return fmt.Sprintf("seat?place=%d", j.place) }, j.serve)
}

// serve plays over one connection until it breaks.
func (j *joiner) serve(ctx context.Context, conn *websocket.Conn) error {
	ctx, in, stop := receive(ctx, conn, remote.MaxFrame+1<<10)
	defer func() {
		stop()
		if j.game != nil {
			j.game.detach()
		}
	}()
	j.fresh = true
	drain := j.Drain
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
			j.tell("no game for %s", j.Stay)
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
	if j.Stay <= 0 || j.game != nil || j.Person != nil {
		return nil
	}
	return time.After(j.idle.Add(j.Stay).Sub(j.Launcher.Now()))
}

func (j *joiner) take(ctx context.Context, conn *websocket.Conn, m message) error {
	if m.kind == websocket.MessageBinary {
		if j.game != nil {
			j.game.take(m.data)
		}
		return nil
	}
	var n seats.News
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
		j.end(ctx, &n)
		if j.leaving || j.Games > 0 && j.played >= j.Games {
			return errDeparted
		}
	case n.Room != nil:
		if j.fresh && j.game != nil { // it ended unheard
			j.end(ctx, nil)
		}
		j.fresh = false
		return j.agree(ctx, &n)
	case n.Error != "" && n.Error != j.odd:
		j.odd = n.Error
		j.tell("the hall refuses what the engine's end says: %s", game.Shown(n.Error, 300))
	}
	return nil
}

// The phases of a room (hall/room) in which no game is played and none is to come by itself.
const (
	phaseWaiting = "waiting"
	phaseDone    = "done"
)

// agree says what the room waits for. If it is too late for that, the room tells so
// itself.
func (j *joiner) agree(ctx context.Context, n *seats.News) error {
	done := n.Room.Phase == phaseDone
	idle := done || n.Room.Phase == phaseWaiting
	if j.Once && idle && j.played > 0 {
		return errDeparted
	}
	var err error
	if idle && !n.Room.Ready && !j.leaving {
		err = j.command(ctx, nil, map[string]any{"do": "ready"})
	}
	if err == nil && done && n.Room.Asked && !n.Room.Again && !j.leaving {
		err = j.command(ctx, nil, map[string]any{"do": "rematch"})
	}
	if e := (*refusal)(nil); errors.As(err, &e) && e.status == http.StatusConflict {
		return nil
	}
	return err
}

// LogName is the usual name of the log of what an engine says in a room.
func LogName(room string) string {
	return "kibitz-join-" + strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, room) + ".log"
}
