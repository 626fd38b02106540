package server

import (
	"net/http"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/api"
	"kibitz/hall/bus"
	"kibitz/hall/web/words"
	pl "kibitz/player"
)

// A move that names the position which it is for is played there, however late and often it comes,
// by HTTP or on the connection of a room; elsewhere it is refused by a code.
func TestLateMoves(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{})
	ann, bob := h.register("ann"), h.register("bob")
	room, id := h.pair(ann, bob, actSettings)
	live, _ := h.dialLive(ann, roomsPath+"/"+room+"/live", nil)
	live.until("the game", func(n api.LiveNews) bool { return n.Game == id && n.Event == "view" })
	moves := "/api/v1/games/" + id + "/moves"
	turn := func(c *client) (s bus.SeatState) {
		a := &apiSeat{c, id}
		for s = a.look(); s.Prompt == 0; s = a.look() {
			time.Sleep(time.Millisecond)
		}
		return s
	}
	move := func(s bus.SeatState, ply, step int) map[string]any {
		return map[string]any{"prompt": s.Prompt, "steps": []string{s.Legal[step]}, "for": bus.Position{Attempt: s.Attempt, Ply: ply}}
	}
	refused := func(status int, body string) {
		t.Helper()
		var p struct {
			Type string
			Why  game.Why
		}
		if (answer{t: t, status: status, body: body}).into(&p); status != http.StatusConflict || p.Type != "urn:kibitz:problem:seat-overtaken" || p.Why.Code != "overtaken" {
			t.Errorf("status %d: %s", status, body)
		}
	}
	post := func(c *client, body any) answer { return c.do("POST", moves, body) }
	over := func(body map[string]any) (status int, answer string) {
		n := live.answered("moves", string(jsonOf(body)))
		return n.Status, string(n.Body)
	}

	first := turn(ann)
	if first.Ply != 0 || first.Attempt != 1 {
		t.Errorf("%+v", first)
	}
	x := post(ann, move(first, 1, 0))
	refused(x.status, x.body)
	refused(over(move(first, 1, 0)))
	post(ann, move(first, 0, 0)).want(http.StatusNoContent)
	second := turn(bob)
	post(bob, move(second, 1, 0)).want(http.StatusNoContent)
	third := turn(ann)
	if third.Ply != 2 {
		t.Errorf("%+v", third)
	}
	post(ann, move(first, 0, 0)).want(http.StatusNoContent) // again, and it is not played again
	if status, body := over(move(first, 0, 0)); status != http.StatusNoContent {
		t.Errorf("status %d: %s", status, body)
	}
	x = post(ann, move(first, 0, 1))
	refused(x.status, x.body)
	refused(over(move(first, 0, 1)))
	if now := turn(ann); now.Prompt != third.Prompt || now.Ply != 2 {
		t.Errorf("%+v", now)
	}
	if status, body := over(move(third, 2, 0)); status != http.StatusNoContent {
		t.Errorf("status %d: %s", status, body)
	}
	if now := turn(bob); now.Ply != 3 {
		t.Errorf("%+v", now)
	}
}

// Pages have words for each reason for which an act is refused.
func TestRefusalWords(t *testing.T) {
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := set.Choose("en", "")
	for _, code := range []game.WhyCode{
		pl.NoGame, pl.NotBegun, pl.NoDraws, pl.NoAborts, pl.NoUndos, pl.NotPerson, pl.Repeated, pl.TooSoon, pl.NotAsking, pl.Unasked,
		pl.Rigid, pl.NoMove, pl.NoTurn, pl.Given, pl.NoDeed, pl.OffTurn, pl.Illegal, pl.Overtaken, bus.WhyNoHints,
	} {
		if !c.Has("refusal." + string(code)) {
			t.Errorf("%s has no words", code)
		}
	}
}
