package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
	"kibitz/hall/api"
	"kibitz/hall/bus"
	"kibitz/internal/actmodel"
	"kibitz/journal"
	pl "kibitz/player"
	"kibitz/player/remote"
)

// actor is a seat of a game as a test acts there.
type actor interface {
	// do tries an op and says what came of it, and of a refusal why.
	do(o actmodel.Op) (pl.Effect, string)
	// state is the question that waits, 0 for none, and what is asked in the game.
	state() (prompt int, asks []pl.Ask)
}

// orders are how many random orders of moves and acts are tried by each way: all three together
// come to a thousand, no two of them alike. What each order comes to is for the referee's own test.
func orders() int {
	if testing.Short() {
		return 50
	}
	return 336
}

// actGames are played side by side.
const actGames = 8

// couples are two accounts for each of them.
func couples(h *house) (list [actGames][2]*client) {
	for i := range list {
		list[i] = [2]*client{h.register(fmt.Sprint("ann", i)), h.register(fmt.Sprint("bob", i))}
	}
	return list
}

// tryOrders holds two seats to the model: random orders of some moves and acts each, one
// after the other in a game until it ends, then in the next one. Each way has orders of its own.
func tryOrders(t *testing.T, way uint64, begin func(t *testing.T, game int) [2]actor) {
	t.Helper()
	var wg sync.WaitGroup
	var mu sync.Mutex
	ends := map[pl.Deed]int{}
	for g := range actGames {
		wg.Go(func() {
			t.Run(fmt.Sprint(g), func(t *testing.T) {
				tr := &trial{t: t, rng: rand.New(rand.NewPCG(uint64(g), way))}
				for order := range orders() / actGames {
					tr.order(order, func() [2]actor { return begin(t, g) })
				}
				mu.Lock()
				defer mu.Unlock()
				for end, n := range tr.ends {
					ends[end] += n
				}
			})
		})
	}
	if wg.Wait(); !testing.Short() && len(ends) < 3 {
		t.Errorf("the games ended by %v", ends)
	}
}

// trial are the orders of one game after the other.
type trial struct {
	t     *testing.T
	rng   *rand.Rand
	m     *actmodel.Model
	seats [2]actor
	// prompts are the latest questions of each seat that were seen.
	prompts [2]int
	log     []string
	ends    map[pl.Deed]int
}

func (tr *trial) order(n int, begin func() [2]actor) {
	tr.t.Helper()
	if tr.m == nil || tr.m.Over != "" {
		tr.m, tr.seats, tr.prompts, tr.log = actmodel.New(), begin(), [2]int{}, []string{"begins"}
		tr.settled(false)
	}
	last := actmodel.Op{}
	for range 5 {
		o := tr.m.Next(tr.rng, n%3 == 0)
		if last.ID != "" && tr.rng.IntN(10) == 0 {
			o = last // it comes twice
		}
		last = o
		back := tr.m.Back
		want := tr.m.Do(o)
		got, why := tr.seats[o.Seat].do(o)
		tr.log = append(tr.log, fmt.Sprint(o, " ", got, " ", why))
		if got != want || (got == pl.Refused) != (why != "") {
			tr.t.Fatalf("order %d: %s, want %s\n%s", n, got, want, strings.Join(tr.log, "\n"))
		}
		if tr.m.Over != "" {
			if tr.ends == nil {
				tr.ends = map[pl.Deed]int{}
			}
			tr.ends[tr.m.Over]++
			return
		}
		tr.settled(tr.m.Back != back)
	}
}

// settled waits until both seats are told what the model says. What is taken back is
// followed by another question.
func (tr *trial) settled(anew bool) {
	tr.t.Helper()
	for s, a := range tr.seats {
		turn := s == tr.m.Turn()
		for began := time.Now(); ; {
			prompt, asks := a.state()
			fresh := !anew || !turn || prompt > tr.prompts[s]
			diff := tr.m.Differs(asks)
			if diff == "" && (prompt > 0) == turn && fresh {
				tr.prompts[s] = max(tr.prompts[s], prompt)
				break
			}
			if time.Since(began) > 2*time.Minute {
				tr.t.Fatalf("seat %d: on turn %v, prompt %d: %s\n%s", s, turn, prompt, diff, strings.Join(tr.log, "\n"))
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// peaceful finds a point for a seat such that nobody ever gets five in a row: points of
// the first and of the second lie in pairs, each row shifted by one pair.
func peaceful(list []game.Move, second bool) game.Move {
	for _, m := range list {
		if ((int(m.To.X)+2*int(m.To.Y))/2%2 == 1) == second {
			return m
		}
	}
	return list[0]
}

// apiSeat acts over HTTP.
type apiSeat struct {
	c    *client
	game string
}

func (a *apiSeat) look() bus.SeatState {
	a.c.s.t.Helper()
	var s bus.SeatState
	a.c.do("GET", "/api/v1/games/"+a.game+"/seat", nil).want(200).into(&s)
	return s
}

func (a *apiSeat) state() (int, []pl.Ask) {
	s := a.look()
	return s.Prompt, asksOf(&s)
}

// asksOf is what is asked, as the model has it.
func asksOf(s *bus.SeatState) (list []pl.Ask) {
	for _, q := range s.Asks {
		list = append(list, pl.Ask{Num: q.Num, By: q.By, What: pl.Deed(q.What), Ply: q.Ply, Since: q.Since, At: q.At, Until: q.Until})
	}
	return list
}

func (a *apiSeat) do(o actmodel.Op) (pl.Effect, string) {
	s := bus.SeatState{}
	if o.Do == actmodel.Move {
		s = a.look()
	}
	to, body := orderOf(&s, o)
	r := a.c.do("POST", "/api/v1/games/"+a.game+"/"+to, body)
	return effectOf(r.status, r.body)
}

// orderOf is an op as a seat in such a state sends it.
func orderOf(s *bus.SeatState, o actmodel.Op) (to string, body map[string]any) {
	if o.Do == actmodel.Move {
		step, prompt := "p0,0", 9999 // of what was answered before the same answer would be taken again
		if s.Prompt > 0 {
			prompt = s.Prompt
			var list []game.Move
			for _, text := range s.Legal {
				if m, err := journal.ParseMove(text); err == nil {
					list = append(list, m)
				}
			}
			step = journal.FormatMove(peaceful(list, s.Seat == game.Second))
		}
		return "moves", map[string]any{"prompt": prompt, "steps": []string{step}, "for": bus.Position{Attempt: 1, Ply: s.Ply}}
	}
	body = map[string]any{"act": o.Do, "id": o.ID}
	if o.Ply >= 0 && o.Do == pl.AskUndo {
		body["ply"] = o.Ply
	}
	if o.Ask > 0 {
		body["ask"] = o.Ask
	}
	return "acts", body
}

// effectOf is what came of an order, by its answer.
func effectOf(status int, body string) (pl.Effect, string) {
	var out struct {
		Effect string
		Why    game.Why
	}
	if body != "" && json.Unmarshal([]byte(body), &out) != nil {
		return pl.Effect(body), ""
	}
	switch status {
	case http.StatusNoContent:
		return pl.Done, ""
	case http.StatusConflict:
		return pl.Refused, string(out.Why.Code)
	case http.StatusOK:
		return pl.Effect(out.Effect), ""
	}
	return pl.Effect(fmt.Sprint(status)), body
}

// Random orders through the API come to what the model says.
func TestActsThroughAPI(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{})
	list := couples(h)
	tryOrders(t, 22, func(_ *testing.T, g int) [2]actor {
		ann, bob := list[g][0], list[g][1]
		_, id := h.pair(ann, bob, actSettings)
		return [2]actor{&apiSeat{ann, id}, &apiSeat{bob, id}}
	})
}

// actSettings allow everything, in a game in which both seats move in turn.
var actSettings = map[string]any{"game": "gomoku:size=19", "undo": true, "draw": true, "abort": true}

// seatConn is the websocket of a place.
type seatConn struct{ conn *websocket.Conn }

func (c seatConn) Send(data []byte) error {
	return c.conn.Write(context.Background(), websocket.MessageBinary, data)
}

func (c seatConn) Recv(ctx context.Context) ([]byte, error) {
	for {
		kind, data, err := c.conn.Read(ctx)
		if err != nil {
			return nil, err
		}
		if kind == websocket.MessageBinary {
			return data, nil
		}
	}
}

// farSeat is a person at the far end of a seat's websocket.
type farSeat struct{ box *pl.Mailbox }

func (f farSeat) state() (int, []pl.Ask) {
	mail := f.box.Read()
	return mail.Prompt, mail.Asks
}

func (f farSeat) do(o actmodel.Op) (pl.Effect, string) {
	if o.Do != actmodel.Move {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		r, err := f.box.Act(ctx, o.Act)
		if err != nil {
			return pl.Effect(err.Error()), ""
		}
		return r.Effect, string(r.Why.Code)
	}
	mail := f.box.Read()
	if mail.Prompt == 0 {
		return pl.Refused, "not asked"
	}
	if err := f.box.Submit(mail.Prompt, 0, peaceful(mail.Legal, mail.Setup.Seat == game.Second)); err != nil {
		return pl.Refused, err.Error()
	}
	return pl.Done, ""
}

// Random orders through the websockets of both seats do, too.
func TestActsThroughSeats(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{})
	list := couples(h)
	tryOrders(t, 23, func(t *testing.T, g int) [2]actor {
		t.Helper()
		clients := list[g]
		room := clients[0].open(actSettings)
		clients[1].order(room, "enter", map[string]any{"code": clients[0].order(room, "code", nil).Code})
		var seats [2]actor
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(context.Background())
		var ends []func()
		t.Cleanup(func() { cancel(); wg.Wait() })
		for i, c := range clients {
			c.order(room, "sit", map[string]any{"place": i, "kind": "remote", "name": fmt.Sprint("far ", i)})
			path := fmt.Sprint(roomsPath, "/", room, "/seat?place=", i)
			conn, _, err := websocket.Dial(ctx, h.url+path, &websocket.DialOptions{HTTPHeader: c.request("GET", path, nil).Header}) //nolint:bodyclose // the library has closed it
			if err != nil {
				t.Fatal(err)
			}
			conn.SetReadLimit(1 << 20)
			box := pl.NewMailbox(time.Now)
			far := remote.NewClient(box, game.Spec("gomoku:size=19"), time.Now)
			wg.Go(func() {
				if err := far.Serve(ctx, seatConn{conn}); err != nil && !errors.Is(err, remote.ErrClosed) && ctx.Err() == nil {
					_ = conn.CloseNow()
				}
				far.Close()
			})
			ends = append(ends, func() { _ = conn.CloseNow() })
			seats[i] = farSeat{box}
		}
		t.Cleanup(func() {
			for _, end := range ends {
				end()
			}
		})
		for _, c := range clients {
			h.here(c, room)
		}
		clients[0].order(room, "start", nil)
		return seats
	})
}

// liveSeat acts over the websocket of a person in a room.
type liveSeat struct {
	conn *websocket.Conn
	game string

	mu   sync.Mutex
	n    int
	seat bus.SeatState
	acks map[string]chan api.LiveNews
}

// hear reads what the hall tells until the connection ends.
func (a *liveSeat) hear(ctx context.Context) {
	for {
		_, data, err := a.conn.Read(ctx)
		var n api.LiveNews
		if err != nil || json.Unmarshal(data, &n) != nil {
			return
		}
		var s bus.SeatState
		a.mu.Lock()
		if n.Event == "seat" && json.Unmarshal(n.Data, &s) == nil && s.Game == a.game && s.Seq >= a.seat.Seq {
			a.seat = s
		}
		if to := a.acks[n.Ack]; to != nil {
			to <- n
		}
		a.mu.Unlock()
	}
}

func (a *liveSeat) state() (int, []pl.Ask) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seat.Prompt, asksOf(&a.seat)
}

func (a *liveSeat) do(o actmodel.Op) (pl.Effect, string) {
	a.mu.Lock()
	to, body := orderOf(&a.seat, o)
	a.mu.Unlock()
	for n := 0; ; n++ { // what was not answered in time is sent again
		effect, why := a.send(to, body)
		if n == 20 || effect != "503" {
			return effect, why
		}
	}
}

// send sends an order and waits for what came of it.
func (a *liveSeat) send(to string, body any) (pl.Effect, string) {
	a.mu.Lock()
	a.n++
	id, ack := fmt.Sprint("order ", a.n), make(chan api.LiveNews, 1)
	a.acks[id] = ack
	a.mu.Unlock()
	order := jsonOf(api.LiveOrder{ID: id, To: to, Game: a.game, Body: jsonOf(body)})
	if err := a.conn.Write(context.Background(), websocket.MessageText, order); err != nil {
		return pl.Effect(err.Error()), ""
	}
	select {
	case n := <-ack:
		return effectOf(n.Status, string(n.Body))
	case <-time.After(2 * time.Minute):
		return "no acknowledgement", ""
	}
}

// Random orders through the websockets of two people in a room do, too.
func TestActsThroughLive(t *testing.T) {
	h := newHouse(t, build{})
	list := couples(h)
	tryOrders(t, 24, func(t *testing.T, g int) (seats [2]actor) {
		t.Helper()
		room, id := h.pair(list[g][0], list[g][1], actSettings)
		for i, c := range list[g] {
			path := roomsPath + "/" + room + "/live"
			conn, _, err := websocket.Dial(t.Context(), h.url+path, &websocket.DialOptions{HTTPHeader: c.request("GET", path, nil).Header}) //nolint:bodyclose // the library has closed it
			if err != nil {
				t.Fatal(err)
			}
			conn.SetReadLimit(1 << 20)
			a := &liveSeat{conn: conn, game: id, acks: map[string]chan api.LiveNews{}}
			done := make(chan struct{})
			go func() { defer close(done); a.hear(context.Background()) }()
			t.Cleanup(func() { _ = conn.CloseNow(); <-done })
			seats[i] = a
		}
		return seats
	})
}

// What the seats ask of each other is told to who looks on, in the stream and in the game
// and the room, until it is answered; where spectators are told late, it is told late.
func TestAsksToSpectators(t *testing.T) {
	h := newHouse(t, build{})
	ann, bob, carol := h.register("ann"), h.register("bob"), h.register("carol")
	for name, delay := range map[string]time.Duration{"at once": 0, "late": time.Hour} {
		t.Run(name, func(t *testing.T) {
			settings := map[string]any{"game": "phantomgo:size=9", "undo": true, "draw": true, "abort": true, "delay": delay.Seconds()}
			room, id := h.pairWith(ann, bob, carol, settings)
			seats := [2]*apiSeat{{ann, id}, {bob, id}}
			look := func(c *client) (string, string) {
				var g, r struct {
					Asks []json.RawMessage `json:"asks"`
				}
				c.do("GET", "/api/v1/games/"+id, nil).want(200).into(&g)
				c.do("GET", roomsPath+"/"+room, nil).want(200).into(&r)
				return fmt.Sprintf("%s", g.Asks), fmt.Sprintf("%s", r.Asks)
			}
			live, _ := h.dialLive(carol, roomsPath+"/"+room+"/live", nil)
			if delay == 0 {
				live.until("a view", func(n api.LiveNews) bool { return n.Event == "view" })
			}
			tell := func(n int) { // waits until so many things are asked
				t.Helper()
				if delay == 0 {
					for len(live.state.Asks) != n {
						live.until("what is asked", func(api.LiveNews) bool { return true })
					}
				}
				want := seats[0].look().Asks
				if len(want) != n {
					t.Fatalf("ann knows of %+v", want)
				}
				text := "[]"
				if n > 0 {
					text = fmt.Sprintf("[%s]", jsonOf(want[0]))
				}
				for who, c := range map[string]*client{"ann": ann, "bob": bob, "carol": carol} {
					expect := text
					if who == "carol" && delay > 0 {
						expect = "[]"
					}
					for try := 0; ; try++ { // streams are told a moment later
						g, r := look(c)
						if g == expect && r == expect {
							break
						}
						if try == 1000 {
							t.Fatalf("%s reads %s and %s, want %s", who, g, r, expect)
						}
						time.Sleep(10 * time.Millisecond)
					}
				}
				if delay == 0 && n > 0 && string(jsonOf(live.state.Asks)) != text {
					t.Errorf("carol is told %s", jsonOf(live.state.Asks))
				}
			}
			do := func(seat int, what pl.Deed, ply int, want pl.Effect) {
				t.Helper()
				for n := 0; ; n++ {
					got, why := seats[seat].do(actmodel.Op{Seat: seat, Act: pl.Act{Do: what, Ply: ply}})
					if got == want {
						return
					}
					if n == 1000 {
						t.Fatalf("%s: %s %s", what, got, why)
					}
					time.Sleep(10 * time.Millisecond) // the game may be about to begin
				}
			}
			tell(0)
			do(1, pl.AskDraw, -1, pl.Asked)
			tell(1)
			do(0, pl.Decline, -1, pl.Done)
			tell(0)
			do(0, actmodel.Move, -1, pl.Done)
			do(0, pl.AskUndo, 0, pl.Asked)
			tell(1)
			do(1, pl.Accept, -1, pl.Done)
			tell(0)
			do(1, pl.AskAbort, -1, pl.Asked)
			tell(1)
			do(0, pl.Resign, -1, pl.Done)
			h.ended(id)
			for _, c := range []*client{ann, bob, carol} {
				if g, r := look(c); g != "[]" || r != "[]" {
					t.Errorf("after the end %s and %s is asked", g, r)
				}
			}
			// Who comes too late is told that it is over.
			late := ann.do("POST", "/api/v1/games/"+id+"/moves", map[string]any{"prompt": 1, "steps": []string{"p0,0"}}).want(http.StatusConflict)
			if !strings.Contains(late.body, "the game is over") {
				t.Errorf("who is late reads %s", late.body)
			}
			ann.do("POST", "/api/v1/games/"+id+"/acts", map[string]any{"act": "draw"}).want(http.StatusConflict)
		})
	}
}
