package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/play"
	"kibitz/hall/store"
	"kibitz/hall/store/sqlite/sqlitetest"
	"kibitz/journal"
)

var (
	_ play.Bus      = (*bus.Bus)(nil)
	_ LiveBus       = (*bus.Bus)(nil)
	_ play.GameLogs = (*bus.Logs)(nil)
)

// liveHall is a hall with a store and a bus of its own, whose callers say who they are.
type liveHall struct {
	*testing.T
	url   string
	hall  *Hall
	bus   *bus.Bus
	plays *play.Dispatcher
}

func newLiveHall(t *testing.T) *liveHall {
	t.Helper()
	db := sqlitetest.Open(t)
	// Tests are slow workers: no game is given to another one meanwhile.
	b, err := bus.Open(t.Context(), bus.Options{Now: time.Now, Lease: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	log := slog.New(slog.DiscardHandler)
	plays := play.New(play.Config{Store: db, Bus: b, Logs: b, Now: time.Now, Random: rand.Reader, Log: log})
	live := hub.New(hub.Options{Source: hub.FromBus(b.LiveEvents), Now: time.Now, Ended: lobby.GameEnded(db, time.Now)})
	t.Cleanup(live.Close)
	h, err := New(Config{Store: db, Now: time.Now, Log: log, Options: Options{Cost: auth.Cost{Memory: 8, Time: 1, Threads: 1}, AddressRate: -1, AccountRate: -1}, Live: &Live{
		Dispatcher: plays, Bus: b, Hub: live,
		Game: func(_ context.Context, spec game.Spec, _ string, _ []string) (game.Spec, bool, error) {
			if spec.ID() != "othello" {
				return "", false, errors.New("there is no such game")
			}
			return spec, false, nil
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id, err := strconv.ParseInt(r.Header.Get("X-Test-User"), 10, 64); err == nil {
			r = r.WithContext(auth.WithCaller(r.Context(), auth.Caller{ID: id, Name: fmt.Sprint("user", id), Kind: store.Person, Role: store.PlayerRole}))
		}
		h.router.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := plays.Serve(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return &liveHall{T: t, url: srv.URL, hall: h, bus: b, plays: plays}
}

// ask sends a request and returns status and body.
func (l *liveHall) ask(user int, method, path, in string) (int, []byte) {
	l.Helper()
	req, err := http.NewRequestWithContext(l.Context(), method, l.url+path, strings.NewReader(in))
	if err != nil {
		l.Fatal(err)
	}
	if user > 0 {
		req.Header.Set("X-Test-User", strconv.Itoa(user))
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		l.Fatal(err)
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		l.Fatal(err)
	}
	return res.StatusCode, out
}

// do gives a command that must succeed, or fail with a status.
func (l *liveHall) do(user int, id, in string, want int) lobby.RoomView {
	l.Helper()
	status, out := l.ask(user, "POST", roomsPath+"/"+id+"/commands", in)
	if status != want {
		l.Fatalf("%s by %d: status %d, want %d: %s", in, user, status, want, out)
	}
	var v lobby.RoomView
	if status == http.StatusOK {
		if err := json.Unmarshal(out, &v); err != nil {
			l.Fatal(err)
		}
	}
	return v
}

// watch reads the events of a stream into a channel.
func (l *liveHall) watch(user int, path string) <-chan string {
	l.Helper()
	ctx, cancel := context.WithCancel(l.Context())
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, l.url+path, http.NoBody)
	req.Header.Set("X-Test-User", strconv.Itoa(user))
	res, err := http.DefaultClient.Do(req) //nolint:bodyclose // the goroutine below closes it
	if err != nil {
		l.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		l.Fatalf("%s: %s", path, res.Status)
	}
	out := make(chan string, 1000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(out)
		defer res.Body.Close()
		for sc := bufio.NewScanner(res.Body); sc.Scan(); {
			if data, ok := strings.CutPrefix(sc.Text(), "data: "); ok {
				out <- data
			}
		}
	}()
	l.Cleanup(func() { cancel(); <-done })
	return out
}

// while does something again and again until it is stopped.
func (l *liveHall) while(do func()) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			do()
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() { close(done); <-ended }
}

// await reads events until one holds a text.
func (l *liveHall) await(events <-chan string, part string) string {
	l.Helper()
	timeout := time.After(2 * time.Minute)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				l.Fatalf("the stream ends without %q", part)
			}
			if strings.Contains(e, part) {
				return e
			}
		case <-timeout:
			l.Fatalf("no event with %q", part)
		}
	}
}

// A room from opening to rematch, with a worker that plays one ply and the result.
func TestRoomFlow(t *testing.T) {
	l := newLiveHall(t)
	if status, out := l.ask(0, "POST", roomsPath, `{"settings":{"game":"othello"}}`); status != http.StatusUnauthorized {
		t.Fatalf("%d %s", status, out)
	}
	if status, out := l.ask(1, "POST", roomsPath, `{"settings":{"game":"chess"}}`); status != http.StatusUnprocessableEntity || !bytes.Contains(out, []byte("no such game")) {
		t.Fatalf("%d %s", status, out)
	}
	status, out := l.ask(1, "POST", roomsPath, `{"settings":{"game":"othello","clocks":["60+1","60+1"],"access":"private"}}`)
	var v lobby.RoomView
	if err := json.Unmarshal(out, &v); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s", status, out)
	}
	// A private room does not exist for others.
	if status, _ := l.ask(2, "GET", roomsPath+"/"+v.ID, ""); status != http.StatusNotFound {
		t.Errorf("a private room is shown: %d", status)
	}
	if _, out := l.ask(2, "GET", roomsPath, ""); bytes.Contains(out, []byte(v.ID)) {
		t.Error("a private room is in the lobby")
	}
	l.do(2, v.ID, `{"do":"enter"}`, http.StatusForbidden)
	l.do(2, v.ID, `{"do":"enter","code":"wrong"}`, http.StatusForbidden)
	code := l.do(1, v.ID, `{"do":"code","hours":1}`, http.StatusOK).Code
	l.do(2, v.ID, `{"do":"enter","code":"`+code+`"}`, http.StatusOK)
	l.do(3, v.ID, `{"do":"enter","code":"`+code+`"}`, http.StatusOK)
	if _, out := l.ask(2, "GET", roomsPath+"/"+v.ID, ""); bytes.Contains(out, []byte(code)) || bytes.Contains(out, fmt.Appendf(nil, "%x", sha256.Sum256([]byte(code)))) {
		t.Error("the room shows the code")
	}
	l.do(1, v.ID, `{"do":"sit","place":0,"kind":"person"}`, http.StatusOK)
	l.do(1, v.ID, `{"do":"sit","place":1,"kind":"bot","engine":"bot=10"}`, http.StatusUnprocessableEntity)
	l.do(1, v.ID, `{"do":"sit","place":1,"kind":"bot","engine":"bot=3"}`, http.StatusOK)
	l.do(2, v.ID, `{"do":"start"}`, http.StatusForbidden)
	rooms := l.watch(2, roomsPath+"/"+v.ID+"/events")
	v = l.do(1, v.ID, `{"do":"start"}`, http.StatusOK)
	id := v.Room.Game.ID

	d, err := l.bus.Take(t.Context(), func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	begun, err := l.bus.AskBegin(t.Context(), bus.Begin{Game: id, Worker: "w", Ticket: d.Job.Ticket})
	if err != nil || begun.Play == nil || begun.Play.Seats[1].Engine != "bot=3" || begun.Play.Seats[0].Clock != "60+1" {
		t.Fatalf("%+v %v", begun, err)
	}
	l.await(rooms, `"begun":true`)
	player, viewer := l.watch(1, "/api/v1/games/"+id+"/events"), l.watch(2, "/api/v1/games/"+id+"/events")
	if status, _ := l.ask(9, "GET", "/api/v1/games/"+id+"/events", ""); status != http.StatusNotFound {
		t.Errorf("a game of a private room is shown: %d", status)
	}
	tell := func(to game.Audience, seq uint64, ev journal.Event) {
		ev.Game, ev.Time, ev.To = id, time.Now(), to
		line, err := journal.AppendEvent(nil, &ev)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.bus.PublishLive(bus.Live{Game: id, Attempt: 1, To: to, Seq: seq, Line: line}); err != nil {
			t.Fatal(err)
		}
	}
	// It is told again and again, under one number, until both streams have listened.
	told := l.while(func() {
		for _, to := range []game.Audience{game.ToFirst, game.Public} {
			board := &game.View{For: to, Width: 1, Height: 1, Cells: []game.Cell{{Piece: 'S', Owner: game.First}}, Notes: []game.Note{{Text: "for " + to.String()}}}
			tell(to, 1, journal.Event{Kind: journal.KindView, View: board})
		}
	})
	if e := l.await(player, `"view"`); !strings.Contains(e, `"for":"first"`) || !strings.Contains(e, "for first") {
		t.Errorf("the seat sees %s", e)
	}
	if e := l.await(viewer, `"view"`); !strings.Contains(e, `"for":"public"`) || strings.Contains(e, "for first") {
		t.Errorf("a spectator sees %s", e)
	}
	told()
	// What the seat decides reaches the worker; nobody else decides for it.
	var got bus.SeatInput
	sub, err := l.bus.ServeSeatInput(id, game.First, func(in bus.SeatInput) bus.Reply {
		if in.Steps == nil {
			return bus.Reply{}
		}
		got = in
		if in.Prompt != 4 {
			return bus.Reply{Error: "nothing is asked", Code: "not-asked"}
		}
		return bus.Reply{}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	moves := "/api/v1/games/" + id + "/moves"
	if status, out := l.ask(1, "POST", moves, `{"prompt":4,"steps":["p2,3"]}`); status != http.StatusNoContent || got.Seat != game.First || got.Steps[0] != "p2,3" {
		t.Errorf("%d %s %+v", status, out, got)
	}
	if status, _ := l.ask(1, "POST", moves, `{"prompt":3,"steps":["p2,3"]}`); status != http.StatusConflict {
		t.Errorf("an answer to no question: %d", status)
	}
	if status, _ := l.ask(2, "POST", moves, `{"prompt":4,"steps":["p2,3"]}`); status != http.StatusForbidden {
		t.Errorf("a spectator moves: %d", status)
	}
	// Chat keeps to its channels.
	chat := roomsPath + "/" + v.ID + "/chat"
	if status, _ := l.ask(2, "POST", chat, `{"channel":"spectators","text":"she loses"}`); status != http.StatusCreated {
		t.Error(status)
	}
	if status, _ := l.ask(2, "POST", chat, `{"channel":"players","text":"x"}`); status != http.StatusForbidden {
		t.Error(status)
	}
	if _, out := l.ask(1, "GET", chat, ""); bytes.Contains(out, []byte("she loses")) {
		t.Error("a player reads what spectators write while a game runs")
	}
	if _, out := l.ask(3, "GET", chat, ""); !bytes.Contains(out, []byte("she loses")) {
		t.Error("a spectator does not read what spectators write")
	}

	r := bustest.Win(id, 1)
	r.Ended = time.Now()
	if err := l.bus.PublishResult(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := d.Done(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e := l.await(rooms, `"phase":"done"`); !strings.Contains(e, `"score":[1,0]`) {
		t.Errorf("the room after the game: %s", e)
	}
	if _, out := l.ask(1, "GET", roomsPath+"/"+v.ID+"/statistics", ""); !bytes.Contains(out, []byte(`"wins":{"user1":{"count":1,"ratio":1}}`)) {
		t.Errorf("statistics %s", out)
	}
	v = l.do(1, v.ID, `{"do":"rematch"}`, http.StatusOK)
	if v.Room.Game == nil || v.Room.Game.First != 1 {
		t.Errorf("a rematch: %+v", v.Room.Game)
	}
}
