package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"kibitz/hall/api"
	"kibitz/hall/live"
	"kibitz/player/remote/seats"
)

// liveClient is the end of a person.
type liveClient struct {
	t    *testing.T
	conn *websocket.Conn
	n    int
	// room, state and num are what was told last; prompt and legal what is asked.
	room  opened
	state live.State
	num   string
	views int
	seat  struct {
		Prompt int      `json:"prompt"`
		Legal  []string `json:"legal"`
	}
	lag float64
	// over is the game whose end was told last.
	over string
}

// dialLive opens the websocket of a person, or returns the status of a refusal.
func (h *house) dialLive(c *client, path string, head map[string]string) (*liveClient, int) {
	h.t.Helper()
	req := c.request("GET", path, nil)
	for k, v := range head {
		req.Header.Set(k, v)
	}
	conn, res, err := websocket.Dial(h.t.Context(), h.url+path, &websocket.DialOptions{HTTPHeader: req.Header}) //nolint:bodyclose // the library has closed it
	if err != nil {
		if res == nil {
			h.t.Fatal(err)
		}
		return nil, res.StatusCode
	}
	conn.SetReadLimit(1 << 20)
	h.t.Cleanup(func() { conn.CloseNow() })
	return &liveClient{t: h.t, conn: conn}, res.StatusCode
}

// next reads a message and keeps what it tells.
func (c *liveClient) next() (n api.LiveNews, err error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 2*time.Minute)
	defer cancel()
	_, data, err := c.conn.Read(ctx)
	if err != nil {
		return n, err
	}
	if err := json.Unmarshal(data, &n); err != nil {
		c.t.Fatalf("%v in %s", err, data)
	}
	into := func(v any) {
		if err := json.Unmarshal(n.Data, v); err != nil {
			c.t.Fatalf("%v in %s", err, data)
		}
	}
	switch {
	case n.Room != nil:
		if err := json.Unmarshal(n.Room, &c.room); err != nil {
			c.t.Fatal(err)
		}
	case n.Event == "view":
		c.state = live.State{}
		into(&c.state)
		c.num = n.Num
		c.views++
	case n.Event == "delta":
		var d live.Delta
		into(&d)
		var err error
		if c.state, err = live.Apply(c.state, &d); err != nil {
			c.t.Fatal(err)
		}
		c.num = n.Num
	case n.Event == "over":
		c.over = n.Game
	case n.Event == "seat":
		c.seat.Prompt, c.seat.Legal = 0, nil
		into(&c.seat)
	case n.Lag > 0:
		c.lag = n.Lag
	}
	return n, nil
}

// until reads messages until one is as wanted.
func (c *liveClient) until(what string, want func(api.LiveNews) bool) api.LiveNews {
	c.t.Helper()
	for {
		n, err := c.next()
		if err != nil {
			c.t.Fatalf("while waiting for %s: %v", what, err)
		}
		if want(n) {
			return n
		}
	}
}

// send sends an order.
func (c *liveClient) send(id, to, body string) {
	c.t.Helper()
	text := fmt.Sprintf(`{"id":%q,"to":%q,"body":%s}`, id, to, body)
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// answered sends an order and returns what came of it. As pages do, it sends again what the referee
// of the game did not answer in time.
func (c *liveClient) answered(to, body string) api.LiveNews {
	c.t.Helper()
	for tries := 1; ; tries++ {
		c.n++
		id := fmt.Sprint("order ", c.n)
		c.send(id, to, body)
		n := c.until("an acknowledgement", func(n api.LiveNews) bool { return n.Ack == id })
		if tries == 20 || n.Status != http.StatusServiceUnavailable {
			return n
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// order sends an order, whose answer must have the status.
func (c *liveClient) order(to, body string, status int) api.LiveNews {
	c.t.Helper()
	n := c.answered(to, body)
	if n.Status != status {
		c.t.Fatalf("%s %s: status %d, want %d: %s", to, body, n.Status, status, n.Body)
	}
	return n
}

// Over one connection a person sits down, begins, plays, loses the connection, goes on
// from the latest event, and hears the end. Others see the game as everybody may.
func TestRoomLive(t *testing.T) {
	h := newHouse(t, build{})
	ann, bob := h.register("ann"), h.register("bob")
	room := ann.open(map[string]any{"game": "othello", "clocks": []string{"600", "600"}})
	path := roomsPath + "/" + room + "/live"
	for _, tt := range []struct {
		by   *client
		path string
		head map[string]string
		want int
	}{
		{h.client(), path, nil, http.StatusUnauthorized},
		{ann, roomsPath + "/none/live", nil, http.StatusNotFound},
		{ann, path, map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		{ann, path, map[string]string{"Origin": h.url}, http.StatusSwitchingProtocols},
	} {
		if _, status := h.dialLive(tt.by, tt.path, tt.head); status != tt.want {
			t.Errorf("%s %v: status %d, want %d", tt.path, tt.head, status, tt.want)
		}
	}
	a, _ := h.dialLive(ann, path, nil)
	a.until("the room", func(n api.LiveNews) bool { return n.Room != nil })
	a.order("commands", `{"do":"sit","place":0,"kind":"person"}`, http.StatusOK)
	a.order("commands", `{"do":"sit","place":1,"kind":"bot","engine":"bot=1"}`, http.StatusOK)
	a.order("commands", `{"do":"sit","place":7}`, http.StatusUnprocessableEntity)
	a.order("commands", `{"do":"dance"}`, http.StatusUnprocessableEntity)
	a.order("nowhere", `{}`, http.StatusUnprocessableEntity)
	a.order("chat", `{"channel":"players","text":"hello"}`, http.StatusCreated)
	key := strings.Repeat("k", 20)
	for range 2 { // sent twice it is said once
		a.send(key, "chat", `{"channel":"players","text":"once"}`)
		a.until("its acknowledgement", func(n api.LiveNews) bool { return n.Ack == key && n.Status == http.StatusCreated })
	}
	if text := ann.do("GET", roomsPath+"/"+room+"/chat", nil).body; strings.Count(text, "once") != 1 {
		t.Errorf("what was said twice under one key: %s", text)
	}
	a.order("commands", `{"do":"ready"}`, http.StatusOK)
	a.order("commands", `{"do":"start"}`, http.StatusOK)
	b, _ := h.dialLive(bob, path, nil)
	b.until("a view", func(n api.LiveNews) bool { return n.Event == "view" })
	if b.state.For != "public" {
		t.Errorf("bob sees the game for %s", b.state.For)
	}
	b.order("moves", `{"prompt":1,"steps":["pass"]}`, http.StatusForbidden)
	moved := 0
	move := func() {
		t.Helper()
		if a.seat.Prompt <= moved {
			a.until("a question", func(api.LiveNews) bool { return a.seat.Prompt > moved })
		}
		moved = a.seat.Prompt
		body := fmt.Sprintf(`{"prompt":%d,"steps":[%q]}`, moved, a.seat.Legal[0])
		a.order("moves", body, http.StatusNoContent)
		a.order("moves", body, http.StatusNoContent) // it counts once
	}
	move()
	a.order("moves", `{"prompt":9999,"steps":["p0,0"]}`, http.StatusConflict)
	// The question may come before the board, and the distance whenever it is measured.
	for a.views == 0 || a.lag <= 0 {
		a.until("the board and the distance", func(api.LiveNews) bool { return true })
	}
	if a.state.For != "first" || a.views != 1 {
		t.Errorf("ann sees the game for %s, %d times whole", a.state.For, a.views)
	}
	// The connection breaks; what was missed comes after the latest event.
	a.conn.CloseNow()
	again, _ := h.dialLive(ann, path+"?game="+a.state.Game+"&since="+a.num, nil)
	again.state, again.n = a.state, a.n
	a = again
	for range 3 {
		move()
	}
	if a.views != 0 {
		t.Error("who comes back gets the whole game again")
	}
	id := a.state.Game
	a.order("acts", `{"act":"resign"}`, http.StatusOK)
	over := func(n api.LiveNews) bool { return n.Event == "over" && n.Game == id }
	if a.over != id { // which may come before the answer to the order
		a.until("the end", over)
	}
	b.until("the end", over)
	if r := a.state.Result; r == nil || r.Reason != "resign" || b.state.Result == nil {
		t.Errorf("the result is %+v, bob is told %+v", r, b.state.Result)
	}
	// The room may have told of the end before the game did.
	after := func(api.LiveNews) bool { return a.room.Room.Last != nil && a.room.Room.Last.ID == id }
	if !after(api.LiveNews{}) {
		a.until("the room after the game", after)
	}
	// A session that has ended ends the connection.
	ann.do("POST", "/api/v1/account/logout", nil).want(http.StatusNoContent)
	_ = a.conn.Write(t.Context(), websocket.MessageText, []byte(`{"id":"late","to":"commands","body":{"do":"leave"}}`)) // it may be closed already
	for {
		n, err := a.next()
		if n.Ack == "late" && n.Status != http.StatusUnauthorized {
			t.Errorf("an order after the session is answered with %d", n.Status)
		}
		if err != nil {
			if code := websocket.CloseStatus(err); code != seats.Lost {
				t.Errorf("the connection ends with %v", err)
			}
			break
		}
	}
	if err := b.conn.Write(t.Context(), websocket.MessageText, []byte("no order")); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := b.next(); err != nil {
			if code := websocket.CloseStatus(err); code != websocket.StatusPolicyViolation {
				t.Errorf("what cannot be read ends the connection with %v", err)
			}
			break
		}
	}
}
