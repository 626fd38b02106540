package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

const playPath = "/api/v1/play"

// One request opens a room in which the caller sits and is ready, and hands the game out.
func TestQuickGame(t *testing.T) {
	l := newLiveHall(t)
	play := func(user int, in string) (out lobby.Quick, v lobby.RoomView) {
		t.Helper()
		status, data := l.ask(user, "POST", playPath, in)
		if status != http.StatusCreated {
			t.Fatalf("%s: %d %s", in, status, data)
		}
		if err := json.Unmarshal(data, &out); err != nil {
			t.Fatal(err)
		}
		if _, data = l.ask(user, "GET", roomsPath+"/"+out.Room, ""); json.Unmarshal(data, &v) != nil {
			t.Fatalf("%s", data)
		}
		return out, v
	}

	out, v := play(1, `{"game":"othello"}`)
	s, set := v.Room, v.Room.Settings
	if out.Game == "" || out.Page != "/rooms/"+out.Room || s.Phase != room.Playing || s.Game == nil || s.Game.ID != out.Game || s.Game.First != 0 {
		t.Errorf("the game is %+v of %+v", s.Game, out)
	}
	if s.Places[0].User != 1 || s.Places[1].Kind != bus.BotSeat || s.Places[1].Engine != "bot=2" || s.Places[1].Name != "Level 2" {
		t.Errorf("the places are %+v", s.Places)
	}
	if set.Access != room.Private || set.Clocks != [2]string{"inf", "inf"} || !set.Undo || !set.Draw || set.Rated || set.Games != 1 {
		t.Errorf("the settings are %+v", set)
	}
	if status, _ := l.ask(2, "GET", roomsPath+"/"+out.Room, ""); status != http.StatusNotFound {
		t.Errorf("somebody else sees the private room: %d", status)
	}

	_, v = play(1, `{"game":"othello","with":"bot=4","colour":"second","clock":"300+3","noUndo":true,"noDraw":true,"listed":true,"games":3,"pause":0,"lines":true}`)
	s, set = v.Room, v.Room.Settings
	if s.Game.First != 1 || s.Places[1].Engine != "bot=4" || set.Clocks != [2]string{"300+3", "300+3"} || set.Undo || set.Draw || set.Access != room.Listed ||
		set.Games != 3 || set.Pause != 0 || !set.Lines {
		t.Errorf("wishes: %+v %+v", s.Game, set)
	}

	out, v = play(1, `{"game":"othello","with":"anybody","listed":true}`)
	if out.Game != "" || v.Room.Game != nil || v.Room.Settings.Access != room.Listed || !v.Room.Places[0].Ready || !v.Room.Places[1].Empty() {
		t.Errorf("against anybody: %+v %+v", out, v.Room)
	}
	if _, v = play(3, `{"game":"othello","rated":true}`); !v.Room.Settings.Rated || v.Room.Settings.Undo {
		t.Errorf("rated: %+v", v.Room.Settings)
	}
}

// Who wants to play anybody plays whoever waits for the same game, at once and without another
// press of either; else he waits, and is no longer joined when he has gone.
func TestQuickGameAnybody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, bob, cec := h.register("ann"), h.register("bob"), h.register("cec")
	play := func(c *client, more ...any) (out lobby.Quick) {
		t.Helper()
		in := map[string]any{"game": "othello", "with": "anybody", "listed": true, "clock": "300+3"}
		for i := 0; i < len(more); i += 2 {
			in[more[i].(string)] = more[i+1]
		}
		c.do("POST", playPath, in).want(201).into(&out)
		return out
	}
	end := func(c *client, q lobby.Quick) {
		c.do("POST", roomsPath+"/"+q.Room+"/commands", map[string]any{"do": "close"}).want(200)
	}
	letGo := h.stand() // who has no page is there for seconds only
	first := play(ann)
	for _, other := range [][]any{{"colour", "first"}, {"colour", "random", "games", 2}, {"colour", "second", "rated", true}, {"colour", "second", "clock", "60"}} {
		out := play(cec, other...)
		if out.Room == first.Room || out.Game != "" {
			t.Errorf("%v plays %+v", other, out)
		}
		end(cec, out)
	}
	again := play(ann)
	if again.Room == first.Room {
		t.Error("somebody plays himself")
	}
	end(ann, again)
	out := play(bob, "colour", "random")
	letGo()
	for _, c := range []*client{ann, bob} { // their pages come
		h.tap(c, roomsPath+"/"+out.Room+"/events", "").any()
	}
	var v lobby.RoomView
	ann.do("GET", roomsPath+"/"+out.Room, nil).want(200).into(&v)
	if s := v.Room; out.Room != first.Room || s.Phase != room.Playing || s.Places[0].Name != "ann" || s.Places[1].Name != "bob" {
		t.Errorf("%+v: %+v", out, s)
	}
	gone := play(ann)
	h.later(6 * time.Second) // no page of hers has come
	own := play(cec, "colour", "second")
	if own.Room == gone.Room || own.Game != "" {
		t.Error("somebody is joined who is not there")
	}
	if out := play(bob); out.Room != own.Room {
		t.Errorf("who has come after her is not joined: %+v", out)
	}
	end(cec, own)
	h.tap(ann, roomsPath+"/"+gone.Room+"/events", "").any()
	if out := play(bob, "colour", "second"); out.Room != gone.Room || out.Game == "" {
		t.Errorf("who waits at his page is not joined: %+v", out)
	}
}

// What cannot be meant opens nothing, and is told by the field.
func TestQuickGameRefused(t *testing.T) {
	l := newLiveHall(t)
	for in, at := range map[string]string{
		`{}`:               "",
		`{"game":"chess"}`: "#/game",
		`{"game":"othello","options":{"size":"1,rule=x"}}`: "#/options/size",
		`{"game":"othello","with":"bot=12"}`:               "#/with",
		`{"game":"othello","with":"nobody"}`:               "#/with",
		`{"game":"othello","clock":"5 min"}`:               "#/clock",
		`{"game":"othello","games":21}`:                    "",
		`{"game":"othello","colour":"green"}`:              "",
	} {
		status, data := l.ask(1, "POST", playPath, in)
		var p struct{ Errors []problem.Fault }
		if err := json.Unmarshal(data, &p); err != nil || status != http.StatusUnprocessableEntity || len(p.Errors) == 0 || at != "" && p.Errors[0].Pointer != at {
			t.Errorf("%s: %d %s", in, status, data)
		}
	}
	if _, data := l.ask(1, "GET", roomsPath, ""); strings.TrimSpace(string(data)) != "[]" {
		t.Errorf("rooms were opened: %s", data)
	}
}

// Nobody has more than twenty games going; who has ended one may begin another.
func TestQuickGameLimit(t *testing.T) {
	l := newLiveHall(t)
	var last lobby.Quick
	for range lobby.MostAtOnce {
		status, data := l.ask(1, "POST", playPath, `{"game":"othello"}`)
		if status != http.StatusCreated || json.Unmarshal(data, &last) != nil {
			t.Fatalf("%d %s", status, data)
		}
	}
	if status, data := l.ask(1, "POST", playPath, `{"game":"othello"}`); status != http.StatusTooManyRequests || !strings.Contains(string(data), "quota") {
		t.Errorf("one more: %d %s", status, data)
	}
	if status, data := l.ask(2, "POST", playPath, `{"game":"othello"}`); status != http.StatusCreated {
		t.Errorf("somebody else: %d %s", status, data)
	}
	l.do(1, last.Room, `{"do":"close"}`, http.StatusOK)
	if status, data := l.ask(1, "POST", playPath, `{"game":"othello"}`); status != http.StatusCreated {
		t.Errorf("after one has ended: %d %s", status, data)
	}
}

// Whoever is nobody becomes a guest by the press that plays, and by no other request; who
// sends the same again under the same key plays one game.
func TestQuickGuest(t *testing.T) {
	h := newHouse(t, build{idle: true})
	c := h.client()
	for _, path := range []string{"/", "/play/othello", "/play/othello?with=friend", "/play/gomoku/sheet", "/rooms", "/watch", "/own", "/api/v1/rooms"} {
		c.do("GET", path, nil).want(200)
		if len(c.cookie) > 0 {
			t.Errorf("GET %s makes somebody: %v", path, c.cookie)
		}
	}
	if a := c.do("POST", playPath, map[string]any{"game": "othello"}).want(201); !strings.Contains(a.head.Get("Set-Cookie"), "kibitz=") {
		t.Errorf("no session: %v", a.head)
	}
	c.head["Idempotency-Key"] = "0123456789abcdef"
	first := c.do("POST", playPath, map[string]any{"game": "othello"}).want(201)
	if again := c.do("POST", playPath, map[string]any{"game": "othello"}).want(201); again.body != first.body {
		t.Errorf("%s, then %s", first.body, again.body)
	}
}

// Who is given an opponent and does not come back is told to be away, not to start the game; his seat is
// the next one's, while the other one need not press anything.
func TestQuickGameDeserted(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, bob, cec := h.register("ann"), h.register("bob"), h.register("cec")
	play := func(c *client, colour string) (out lobby.Quick) {
		t.Helper()
		in := map[string]any{"game": "othello", "with": "anybody", "listed": true, "colour": colour}
		c.do("POST", playPath, in).want(201).into(&out)
		return out
	}
	letGo := h.stand()
	room1 := play(ann, "first")
	back := `<a class="own-game" href="/rooms/` + room1.Room + `"`
	const waits, rests = ">Looking for an opponent, ", "<span>Go on looking for an opponent</span>"
	wants(t, ann.pageText("/learn"), back, waits)
	h.later(2 * room.Loading)
	wants(t, ann.pageText("/learn"), back, rests)
	wants(t, ann.pageText("/own"), back, waits) // as a page asks again and again
	if out := play(bob, "second"); out.Room != room1.Room || out.Game != "" {
		t.Fatalf("bob plays %+v", out)
	}
	letGo()
	h.tap(bob, roomsPath+"/"+room1.Room+"/events", "").any()
	wants(t, ann.pageText("/own"), "<span>bob is here. Play?</span>", `href="/rooms/`+room1.Room+`"`)
	page := bob.pageText("/rooms/" + room1.Room)
	wants(t, page, `<meta name="description"`, `<meta name="robots" content="noindex">`, ">ann is away.<", "Who is away for 15 s loses the seat", `value="leave">Cancel`)
	if strings.Contains(page, "starts the game") {
		t.Error("who is away is to start the game")
	}
	h.later(room.Deserted)
	if _, err := h.hall.rooms.Apply(t.Context(), room1.Room, room.Actor{}, room.Tick{}); err != nil {
		t.Fatal(err)
	}
	wants(t, bob.pageText("/rooms/"+room1.Room), ">ann did not come.<", ">Waiting for an opponent<", `value="close">Cancel`)
	if out := play(cec, "second"); out.Room == room1.Room {
		t.Error("bob's seat is wanted by somebody else, who is given it")
	}
	if out := play(ann, "first"); out.Room != room1.Room || out.Game == "" {
		t.Errorf("who wants the free seat plays %+v", out)
	}
}

// Who looks for an opponent plays Fox meanwhile, and goes on looking. When somebody comes he is asked: if he
// does not want to, the other one looks on and Fox's game stays; else that is put aside and waits for him.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{})
	ann, bob := h.register("ann"), h.register("bob")
	play := func(c *client, colour string) (out lobby.Quick) {
		t.Helper()
		in := map[string]any{"game": "othello", "with": "anybody", "listed": true, "colour": colour, "clock": "300+3"}
		c.do("POST", playPath, in).want(201).into(&out)
		return out
	}
	lacks := func(page string, texts ...string) {
		t.Helper()
		for _, x := range texts {
			if strings.Contains(page, x) {
				t.Errorf("the page has %s", x)
			}
		}
	}
	const cancel, looks = `value="close">Cancel`, ">Looking for an opponent, "
	letGo := h.stand()
	seek := play(ann, "first")
	for range 5 {
		lacks(ann.pageText("/own"), "meanwhile")
		h.later(4 * time.Second)
	}
	wants(t, ann.pageText("/own"), looks+"0:20<", cancel, `name="level" value="4">Play Fox meanwhile<`)
	fox := ann.do("POST", "/play", url.Values{"game": {"othello"}, "level": {"4"}, "meanwhile": {""}}).want(303).head.Get("Location")
	foxRoom := strings.TrimPrefix(fox, "/rooms/")
	if sheet := ann.pageText("/play/othello"); !regexp.MustCompile(`name="level" value="2"[^>]* checked`).MatchString(sheet) {
		t.Error("whom she plays meanwhile is whom she plays from now on")
	}
	letGo()
	foxPage := h.tap(ann, roomsPath+"/"+foxRoom+"/events", "")
	h.begun(foxRoom)
	var v lobby.RoomView
	ann.do("GET", roomsPath+"/"+foxRoom, nil).want(200).into(&v)
	if set := v.Room.Settings; set.Rated || set.Clocks != [2]string{"inf", "inf"} || v.Room.Places[1].Engine != "bot=4" {
		t.Errorf("against Fox: %+v", v.Room)
	}
	game := v.Room.Game.ID
	state := func(want store.GameState) {
		t.Helper()
		var is store.GameState
		for n := 0; n < 6000 && is != want; n++ {
			g, err := store.Get(t.Context(), h.store, store.Tx.Game, game)
			if err != nil {
				t.Fatal(err)
			}
			is = g.State
			time.Sleep(10 * time.Millisecond)
		}
		if is != want {
			t.Fatalf("Fox's game is %s, not %s", is, want)
		}
	}
	come := func(c *client, colour string) *tap {
		t.Helper()
		if out := play(c, colour); out.Room != seek.Room || out.Game != "" {
			t.Fatalf("who comes plays %+v", out)
		}
		page := h.tap(c, roomsPath+"/"+seek.Room+"/events", "")
		page.any()
		wants(t, ann.pageText("/own"), "<span>bob is here. Play?</span>", `value="leave">Decline`)
		state(store.Running)
		return page
	}

	h.later(4 * time.Second)
	ann.pageText("/own")
	h.later(4 * time.Second)
	mine := ann.pageText("/own")
	wants(t, mine, looks, cancel, `href="`+fox+`"`)
	lacks(mine, "meanwhile")
	come(bob, "second").stop()
	to := ann.do("POST", "/rooms/"+seek.Room+"/do", url.Values{"do": {"leave"}, "to": {fox}}).want(303).head.Get("Location")
	if to != fox {
		t.Errorf("who goes on with Fox is led to %s", to)
	}
	wants(t, bob.pageText("/rooms/"+seek.Room), ">ann did not come.<", ">Waiting for an opponent<", cancel)
	lacks(ann.pageText("/own"), "Looking", "is here")
	bob.order(seek.Room, "close", nil)

	seek = play(ann, "first")
	come(bob, "second")
	foxPage.stop()
	h.tap(ann, roomsPath+"/"+seek.Room+"/events", "").any()
	if phase := ann.phase(seek.Room); phase != "playing" {
		t.Errorf("with both there the room is %s", phase)
	}
	state(store.Parked)
	h.begun(seek.Room)
	wants(t, ann.pageText("/"), `<a href="`+fox+`">`, `<a href="/rooms/`+seek.Room+`">`)
	h.later(time.Hour) // longer than who is away keeps a seat
	h.tap(ann, roomsPath+"/"+foxRoom+"/events", "").any()
	state(store.Running)
}

// After two wins in a row against a level the next one is offered, after two losses the one below.
func TestNextLevel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{})
	ann := h.register("ann")
	for i, c := range []struct {
		level  int
		winner game.Seat
		next   string
	}{
		{4, game.First, ""},
		{4, game.First, `value="5" data-act="next">Try Heron<`},
		{4, game.Second, ""},
		{4, game.Second, `value="3" data-act="next">Try Hedgehog<`},
		{3, game.Second, ""}, // one of two was against another level
		{9, game.First, ""},
		{9, game.First, ""}, // there is none above
		{1, game.Second, ""},
		{1, game.Second, ""},
	} {
		var out lobby.Quick
		ann.do("POST", playPath, map[string]any{"game": "othello", "with": fmt.Sprintf("bot=%d", c.level)}).want(201).into(&out)
		h.begun(out.Room)
		r := game.Win(c.winner, "score", "")
		stop := make(chan struct{})
		go func() { // its worker may not hear yet
			for {
				_ = h.bus.PublishOrder(bus.Order{Game: out.Game, Kind: "verdict", Result: &r})
				select {
				case <-time.After(20 * time.Millisecond):
				case <-stop:
					return
				}
			}
		}()
		h.ended(out.Game)
		close(stop)
		page := ann.pageText("/rooms/" + out.Room)
		wants(t, page, c.next)
		if strings.Contains(page, `data-act="next"`) != (c.next != "") {
			t.Errorf("%d: after %s won against level %d", i, c.winner, c.level)
		}
	}
}
