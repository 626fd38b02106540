package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/lobby"
	"kibitz/hall/room"
	"kibitz/player/remote/seats"
)

// connect opens the websocket of a place.
func (l *liveHall) connect(user int, id, place, origin string) (*websocket.Conn, int) {
	l.Helper()
	head := http.Header{}
	if user > 0 {
		head.Set("X-Test-User", strconv.Itoa(user))
	}
	if origin != "" {
		head.Set("Origin", origin)
	}
	c, res, err := websocket.Dial(l.Context(), l.url+roomsPath+"/"+id+"/seat?place="+place, &websocket.DialOptions{HTTPHeader: head}) //nolint:bodyclose // the library has closed it
	if err != nil {
		if res == nil {
			l.Fatal(err)
		}
		return nil, res.StatusCode
	}
	l.Cleanup(func() { c.CloseNow() })
	return c, res.StatusCode
}

// hear reads messages until one is binary, or text with a part.
func (l *liveHall) hear(c *websocket.Conn, part string) seats.News {
	l.Helper()
	for {
		kind, data, err := c.Read(l.Context())
		if err != nil {
			l.Fatalf("while waiting for %q: %v", part, err)
		}
		if kind == websocket.MessageBinary && part == string(data) {
			return seats.News{}
		}
		var n seats.News
		if err := json.Unmarshal(data, &n); kind == websocket.MessageText && strings.Contains(string(data), part) {
			if err != nil {
				l.Fatal(err)
			}
			return n
		}
	}
}

// ends reads until the connection ends.
func (l *liveHall) ends(c *websocket.Conn) websocket.StatusCode {
	for {
		if _, _, err := c.Read(l.Context()); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

// A remote engine is connected to one game after the other; nobody else is.
func TestSeat(t *testing.T) {
	l := newLiveHall(t)
	_, out := l.ask(1, "POST", roomsPath, `{"settings":{"game":"othello","games":2,"pause":0,"lines":true}}`)
	var v lobby.RoomView
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	l.do(1, v.ID, `{"do":"sit","place":0,"kind":"bot","engine":"bot=3"}`, http.StatusOK)
	l.do(2, v.ID, `{"do":"enter"}`, http.StatusOK)
	l.do(2, v.ID, `{"do":"sit","place":1,"kind":"remote","name":"far"}`, http.StatusOK)
	for _, tt := range []struct {
		user   int
		place  string
		room   string
		origin string
		want   int
	}{
		{0, "1", v.ID, "", http.StatusUnauthorized},
		{1, "1", v.ID, "", http.StatusForbidden},
		{2, "0", v.ID, "", http.StatusForbidden},
		{2, "2", v.ID, "", http.StatusUnprocessableEntity},
		{2, "1", "none", "", http.StatusNotFound},
		{2, "1", v.ID, "https://evil.example", http.StatusForbidden},
		{2, "1", v.ID, l.url, http.StatusSwitchingProtocols},
	} {
		if _, status := l.connect(tt.user, tt.room, tt.place, tt.origin); status != tt.want {
			t.Errorf("%+v: status %d", tt, status)
		}
	}
	old, _ := l.connect(2, v.ID, "1", "")
	if n := l.hear(old, `"room"`); n.Room.Phase != "waiting" || n.Room.Ready {
		t.Errorf("at first the room is %+v", n.Room)
	}
	c, _ := l.connect(2, v.ID, "1", "")
	if code := l.ends(old); code != seats.Replaced {
		t.Errorf("the first connection ends with %d", code)
	}
	if !l.do(1, v.ID, `{"do":"enter"}`, http.StatusOK).Room.People[0].Here {
		t.Error("the engine is not here")
	}
	l.do(2, v.ID, `{"do":"ready"}`, http.StatusOK)
	if n := l.hear(c, `"ready":true`); n.Room == nil {
		t.Errorf("%+v", n)
	}
	id := l.do(1, v.ID, `{"do":"start"}`, http.StatusOK).Room.Game.ID
	if n := l.hear(c, `"game"`); n.Game != id || n.Seat != 1 || n.Spec != "othello" {
		t.Errorf("a game begins: %+v", n)
	}
	// Its console is there for those who look on and for its owner, as that of any other.
	for user, want := range []int{http.StatusOK, http.StatusOK, http.StatusOK} {
		if status, out := l.ask(user, "GET", "/api/v1/games/"+id+"/consoles/1", ""); status != want {
			t.Errorf("user %d gets the console of a joined engine with %d: %s", user, status, out)
		}
	}
	sub, err := l.bus.ServeSeat(id, game.Second, func(frame []byte) []byte {
		if string(frame) == "bad" {
			return []byte(`{"error":"no frame","code":"unreadable"}`)
		}
		if err := l.bus.PublishSeat(id, 1, game.Second, append([]byte("re "), frame...)); err != nil {
			t.Error(err)
		}
		if err := l.bus.PublishSeat(id, 1, game.First, []byte("not yours")); err != nil {
			t.Error(err)
		}
		return []byte("{}")
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	for _, tt := range [][2]string{{"hello", "re hello"}, {"bad", "no frame"}, {"\x00", "re \x00"}} {
		if err := c.Write(t.Context(), websocket.MessageBinary, []byte(tt[0])); err != nil {
			t.Fatal(err)
		}
		l.hear(c, tt[1])
	}
	l.played(id)
	if n := l.hear(c, `"over"`); n.Over != id || n.Result == nil || n.Result.Points[1] != 1 || n.Score != [2]float64{0, 1} {
		t.Errorf("the game ends: %+v", n)
	}
	// The next game of the series comes over the same connection, on the other seat.
	if _, err := l.hall.rooms.Apply(t.Context(), v.ID, room.Actor{}, room.Tick{}); err != nil {
		t.Fatal(err)
	}
	n := l.hear(c, `"game"`)
	if n.Game == id || n.Seat != 0 {
		t.Errorf("the second game: %+v", n)
	}
	l.played(n.Game)
	l.hear(c, `"phase":"done"`)
	l.do(1, v.ID, `{"do":"close"}`, http.StatusOK)
	if code := l.ends(c); code != websocket.StatusNormalClosure {
		t.Errorf("when the room is closed the connection ends with %d", code)
	}
	if _, status := l.connect(2, v.ID, "1", ""); status != http.StatusConflict {
		t.Errorf("a closed room: status %d", status)
	}
}

// played takes a game as a worker does, and lets the second seat win.
func (l *liveHall) played(id string) {
	l.Helper()
	d, err := l.bus.Take(l.Context(), func(string) bool { return true })
	if err != nil {
		l.Fatal(err)
	}
	if _, err := l.bus.AskBegin(l.Context(), bus.Begin{Game: id, Worker: "w", Ticket: d.Job.Ticket}); err != nil {
		l.Fatal(err)
	}
	r := bustest.Win(id, 1)
	r.Result = game.Win(game.Second, "score", "")
	r.Ended = time.Now()
	if err := errors.Join(l.bus.PublishResult(l.Context(), r), d.Done(l.Context())); err != nil {
		l.Fatal(err)
	}
}
