package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"kibitz/bot/random"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/hall/director"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/hall/worker"
	"kibitz/match"
)

// house is a hall that lacks nothing: bus, hub, rooms, tournaments, and a worker of
// its own that plays every game.
type house struct {
	*testHall
	bus   *bus.Bus
	plays *play.Dispatcher
	live  *hub.Hub
	url   string
	// watch is the monitor of one that is watched, to be run.
	watch *health.Monitor
}

// build says what a house is made of beside a testHall.
type build struct {
	// now is the time of everything that is told; nil for that of the testHall.
	now func() time.Time
	// dealer is where the secrets of chance come from; nil for the system's source.
	dealer io.Reader
	// store is the database, nil for one of its own.
	store  store.Store
	change func(*Config)
	// queue opens the queue for the hall and for its worker, nil for one that both share;
	// watched has a monitor of database and queue, as a hall does; the test runs it.
	queue   func() (hall, crew *bus.Bus)
	watched bool
	// idle has no worker; crew builds the games of the worker that others have, nil
	// for crewOf.
	idle bool
	crew func(context.Context, *bus.Play) (*worker.Setup, error)
	// maker makes tournaments, nil for plainMaker.
	maker director.TournamentMaker
}

func openQueue(t *testing.T, now func() time.Time) *bus.Bus {
	t.Helper()
	q, err := bus.Open(t.Context(), bus.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	return q
}

// newHouse opens a house.
func newHouse(t *testing.T, b build) *house {
	t.Helper()
	h := &house{}
	if b.crew == nil {
		b.crew = crewOf
	}
	b.maker = cmp.Or[director.TournamentMaker](b.maker, plainMaker{})
	b.dealer = cmp.Or(b.dealer, rand.Reader)
	if b.queue == nil {
		b.queue = func() (hall, crew *bus.Bus) {
			q := openQueue(t, time.Now)
			return q, q
		}
	}
	var crew *bus.Bus
	h.bus, crew = b.queue()
	// A hub that asks after a silence whether something was lost shows what it is told
	// then as a whole: how often would depend on how quick the machine is. So would what who comes
	// back has missed, if the hub did not keep it while nobody looks on.
	h.live = hub.New(hub.Options{Source: hub.FromBus(h.bus.LiveEvents), Now: time.Now, Silence: time.Hour, Linger: time.Hour})
	t.Cleanup(h.live.Close)
	var log *slog.Logger
	h.testHall = newSite(t, func(c *Config) {
		full(c)
		if b.store != nil {
			c.Store = b.store
		}
		if b.now != nil {
			c.Now = b.now
		}
		log = c.Log
		if b.watched {
			c.Health = health.New(health.Config{
				Parts: []health.Part{health.DatabasePart(c.Store), health.QueuePart(h.bus)}, Now: c.Now, Log: c.Log,
				Beat: func(age, waits time.Duration) { _ = h.bus.PublishBeat(age, waits) },
			})
			c.Store = health.Guard(c.Store, c.Health)
			h.watch = c.Health
		}
		contests := director.NewTournaments(director.TournamentsConfig{Store: c.Store, Now: c.Now, Random: rand.Reader, Log: c.Log, Maker: b.maker})
		h.plays = play.New(play.Config{Store: c.Store, Bus: h.bus, Logs: h.bus, Tournaments: contests, Now: c.Now, Random: b.dealer, Log: c.Log, Health: c.Health})
		c.Bus = h.bus
		c.Live = &Live{Dispatcher: h.plays, Bus: h.bus, Hub: h.live, Tournaments: contests, Game: knownGame}
		if b.change != nil {
			b.change(c)
		}
	})
	if b.store != nil {
		h.store = b.store
	}
	now := h.now
	if b.now != nil {
		now = b.now
	}
	h.bus.Notify(func(ready bool) {
		if ready {
			h.live.Refresh()
			h.hall.Reconnected()
		}
	})
	h.background(func(ctx context.Context) {
		if err := h.plays.Serve(ctx); err != nil {
			t.Error(err)
		}
	})
	if !b.idle {
		w, err := worker.New(worker.Config{Bus: worker.OnBus(crew), Build: b.crew, ID: "worker-1", Name: "one", Version: "test", Slots: 8, Now: now, Log: log})
		if err != nil {
			t.Fatal(err)
		}
		h.background(w.Run)
	}
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = h.hall.Server()
	srv.Start()
	h.url = srv.URL
	t.Cleanup(srv.Close)
	t.Cleanup(h.hall.api.EndSockets) // before the server: its connections are nobody's else
	return h
}

// background runs f until the test ends.
func (h *house) background(f func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { f(ctx) })
	h.t.Cleanup(func() { cancel(); wg.Wait() })
}

// knownGame checks a game by its rules, as the program does.
func knownGame(_ context.Context, spec game.Spec, position string, moves []string) (game.Spec, bool, error) {
	r, err := games.Open(string(spec))
	if err != nil {
		return "", false, err
	}
	if position != "" || len(moves) > 0 {
		return "", false, fmt.Errorf("position %q: games begin at their beginning here", position)
	}
	return r.Spec(), r.Spec().ID() == "phantomgo", nil
}

// crewOf builds games of people, remote engines and random players.
func crewOf(_ context.Context, p *bus.Play) (*worker.Setup, error) {
	r, err := games.Open(string(p.Spec))
	if err != nil {
		return nil, err
	}
	out := &worker.Setup{Rules: r, Dealer: match.NewDealer(r, [32]byte(p.Seed))}
	out.Policy.Undo, out.Policy.NoDraw, out.Policy.NoAbort = p.Rules.Undo, p.Rules.NoDraw, p.Rules.NoAbort
	for i := range out.Sides {
		s := &p.Seats[i]
		if out.Sides[i].Clock, err = clock.Parse(s.Clock); err != nil {
			return nil, err
		}
		out.Sides[i].Name = s.Name
		if s.Kind == bus.BotSeat {
			out.Sides[i].Player = random.New(random.Options{Seed: uint64(i + 1)})
		}
	}
	return out, nil
}

// opened is a room as tests read it.
type opened struct {
	ID   string `json:"id"`
	Code string `json:"code"`
	Room struct {
		Phase string `json:"phase"`
		Game  *struct {
			ID    string `json:"id"`
			Begun bool   `json:"begun"`
		} `json:"game"`
		Last *struct{ ID string } `json:"last"`
	} `json:"room"`
}

// open opens a room with settings.
func (c *client) open(settings map[string]any) string {
	c.s.t.Helper()
	var r opened
	c.do("POST", roomsPath, map[string]any{"settings": settings}).want(201).into(&r)
	return r.ID
}

// order gives a command of a room that must succeed.
func (c *client) order(id, do string, more map[string]any) opened {
	c.s.t.Helper()
	in := map[string]any{"do": do}
	maps.Copy(in, more)
	var r opened
	c.do("POST", roomsPath+"/"+id+"/commands", in).want(200).into(&r)
	return r
}

// pair opens a room of first, in which second sits too, and begins a game.
func (h *house) pair(first, second *client, settings map[string]any) (room, id string) {
	h.t.Helper()
	return h.pairWith(first, second, nil, settings)
}

// pairWith is pair with somebody who looks on from inside the room.
func (h *house) pairWith(first, second, third *client, settings map[string]any) (room, id string) {
	h.t.Helper()
	room = first.open(settings)
	code := map[string]any{"code": first.order(room, "code", nil).Code}
	second.order(room, "enter", code)
	if third != nil {
		third.order(room, "enter", code)
	}
	for i, c := range []*client{first, second} {
		c.order(room, "sit", map[string]any{"place": i, "kind": "person"})
	}
	h.here(second, room)
	id = first.order(room, "start", nil).Room.Game.ID
	h.begun(room)
	return room, id
}

// heard posts what somebody decides in a game that has begun, as soon as the seat is
// there to hear it.
func (c *client) heard(path string, body any) {
	c.s.t.Helper()
	for n := 0; ; n++ {
		a := c.do("POST", path, body)
		if a.status != http.StatusConflict || n == 3000 {
			if a.status != http.StatusOK {
				a.want(http.StatusNoContent)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *client) resign(id string) {
	c.s.t.Helper()
	c.heard("/api/v1/games/"+id+"/acts", map[string]string{"act": "resign"})
}

// ended waits until a game is over.
func (h *house) ended(id string) {
	h.t.Helper()
	for range 6000 {
		var g store.Game
		err := h.store.View(h.t.Context(), func(tx store.Tx) (err error) { g, err = tx.Game(id); return err })
		if err != nil {
			h.t.Fatal(err)
		}
		if g.State == store.Over {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.t.Fatal("the game does not end")
}

// here makes an account present and ready in a room, as whoever looks on is.
func (h *house) here(c *client, id string) {
	h.t.Helper()
	var me accountView
	c.do("GET", accountPath, nil).want(200).into(&me)
	if _, err := h.hall.rooms.Apply(h.t.Context(), id, room.Actor{ID: me.ID, Name: me.Name}, room.Presence{Here: true}); err != nil {
		h.t.Fatal(err)
	}
	c.order(id, "ready", nil)
}

// begun waits until a worker plays the game of a room.
func (h *house) begun(id string) {
	h.t.Helper()
	for range 6000 {
		var state room.State
		err := h.store.View(h.t.Context(), func(tx store.Tx) error {
			r, err := tx.Room(id)
			if err == nil {
				state, err = room.Parse(r.State)
			}
			return err
		})
		if err != nil {
			h.t.Fatal(err)
		}
		if state.Game != nil && state.Game.Begun {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.t.Fatal("no worker begins the game")
}

// first sends a request and leaves as soon as something is sent of the answer.
func (c *client) first(method, path string) answer {
	c.s.t.Helper()
	ctx, cancel := context.WithCancel(c.s.t.Context())
	defer cancel()
	w := &leaving{ResponseRecorder: httptest.NewRecorder(), leave: cancel}
	c.s.hall.router.Handler().ServeHTTP(w, c.request(method, path, nil).WithContext(ctx))
	res := w.Result()
	defer res.Body.Close()
	return answer{c.s.t, res.StatusCode, res.Header, w.Body.String()}
}

// leaving is a client that goes when it has been sent something.
type leaving struct {
	*httptest.ResponseRecorder
	leave func()
}

func (l *leaving) WriteHeader(status int) {
	defer l.leave()
	l.ResponseRecorder.WriteHeader(status)
}

func (l *leaving) Write(b []byte) (int, error) {
	defer l.leave()
	return l.ResponseRecorder.Write(b)
}
