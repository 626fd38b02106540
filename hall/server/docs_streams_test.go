package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kibitz/hall/api"
	"kibitz/hall/director"
	"kibitz/hall/store"

	"github.com/coder/websocket"
	"github.com/danielgtaylor/huma/v2"
)

// heardOf plays what the examples of the API's description are of, and returns what the
// hall sent, by the ID of the route and the name of the event.
func heardOf(t *testing.T) (map[string][]string, *Hall) {
	h := newHouse(t, build{})
	heard := map[string][]string{}
	keep := func(route string, list []event) {
		for _, e := range list {
			heard[route+" "+e.kind] = append(heard[route+" "+e.kind], e.data)
		}
	}
	anna, nobody := h.register("anna"), h.client()
	lobby := h.tap(nobody, "/api/v1/lobby/events", "")
	room, id := h.thoughtful(anna, map[string]any{"game": "othello", "lines": true, "open": true, "clocks": []string{"600", "600"}})
	rooms := h.tap(nobody, roomsPath+"/"+room+"/events?beat=1", "")
	many := h.tap(nobody, "/api/v1/games/events?game="+id, "")
	console := h.tap(nobody, "/api/v1/games/"+id+"/consoles/1/events", "")
	seat := h.tap(anna, "/api/v1/games/"+id+"/events", "")
	live, _ := h.dialLive(anna, roomsPath+"/"+room+"/live", nil)
	messages := func(what string, until func(api.LiveNews) bool) {
		for {
			_, data, err := live.conn.Read(t.Context())
			if err != nil {
				t.Fatal(what, err)
			}
			var n api.LiveNews
			if err := json.Unmarshal(data, &n); err != nil {
				t.Fatal(err)
			}
			kind := n.Event
			switch {
			case n.Room != nil:
				kind = "room"
			case n.Ack != "":
				kind = "ack"
			}
			heard["room-live "+kind] = append(heard["room-live "+kind], string(data))
			if until(n) {
				return
			}
		}
	}
	messages("a board", func(n api.LiveNews) bool { return n.Event == "view" }) // whoever comes later is told less
	many.any()
	prompt := 0
	for range 2 {
		q := seat.asked(prompt)
		prompt = q.Prompt
		anna.do("POST", "/api/v1/games/"+id+"/moves", map[string]any{"prompt": prompt, "steps": q.Legal[:1]}).want(204)
	}
	seat.asked(prompt)
	console.until("lines", func(list []event) bool { return strings.Contains(fmt.Sprint(list), `"text"`) })
	live.send("o1", "chat", `{"channel":"all","text":"hello"}`)
	messages("an acknowledgement", func(n api.LiveNews) bool { return n.Ack != "" })
	anna.resign(id)
	for _, s := range []*tap{seat, many, console} {
		s.until("over", isOver)
	}
	rooms.until("a beat", func(list []event) bool { return strings.Contains(fmt.Sprint(list), "beat") })
	h.ended(id)
	messages("the end", func(n api.LiveNews) bool { return n.Event == "over" })
	keep("game-events", toldBy(seat))
	keep("games-events", toldBy(many))
	keep("console-events", toldBy(console))
	keep("room-events", toldBy(rooms))
	keep("lobby-events", toldBy(lobby))
	var asked struct{ Code string }
	anna.do("POST", challengesPath, map[string]any{"game": "othello"}).want(201).into(&asked)
	challenge := h.tap(anna, challengesPath+"/"+asked.Code+"/events?beat=1", "")
	challenge.until("a beat", func(list []event) bool { return strings.Contains(fmt.Sprint(list), "beat") })
	keep("challenge-events", toldBy(challenge))

	far := anna.open(map[string]any{"game": "othello", "games": 2})
	anna.order(far, "sit", map[string]any{"place": 0, "kind": "remote", "name": "far"})
	conn, status := h.dialLive(anna, roomsPath+"/"+far+"/seat?place=0", nil)
	if conn == nil {
		t.Fatal(status)
	}
	_, data, err := conn.conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	heard["seat room"] = append(heard["seat room"], string(data))
	anna.order(far, "sit", map[string]any{"place": 1, "kind": "bot", "engine": "bot=1"})
	anna.order(far, "ready", nil)
	anna.order(far, "start", nil)
	for !strings.HasPrefix(string(data), `{"game":`) {
		kind, text, err := conn.conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageText {
			data = text
		}
	}
	heard["seat game"] = append(heard["seat game"], string(data))
	var cup director.TournamentView
	anna.do("POST", tournamentsPath, map[string]any{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "games": 2}).want(201).into(&cup)
	cups := h.tap(nobody, tournamentsPath+"/"+cup.ID+"/events", "")
	cups.until("how it stands", func(list []event) bool { return len(list) > 0 })
	anna.do("POST", tournamentsPath+"/"+cup.ID+"/commands", map[string]any{"do": "start"}).want(200)
	cups.until("a game", func(list []event) bool {
		return strings.Contains(fmt.Sprint(list), "result") && list[len(list)-1].kind == "state"
	})
	keep("tournament-events", toldBy(cups))
	testHall, url := analysisHall(t, &fakeAnalyst{})
	testHall.addGame(store.Game{ID: "g1", Listed: true, Seats: [2]store.Seat{{Name: "a"}, {Name: "b"}}}, `{"kibitz":1}`)
	asker := testHall.register("anna")
	for _, x := range []struct {
		route, path string
		body        map[string]any
	}{
		{"analyse", "/api/v1/analyses", map[string]any{"spec": "othello", "moves": []string{"d3"}, "engine": "bot=3", "whole": true}},
		{"review-game", "/api/v1/games/g1/review", nil},
	} {
		events, leave := analysisEvents(t, url+x.path, asker, x.body)
		defer leave()
		for line := range events {
			var e struct {
				Event string
				Data  json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			heard[x.route+" "+e.Event] = append(heard[x.route+" "+e.Event], string(e.Data))
		}
	}
	return heard, h.hall
}

// example is a message of a stream as its description has it.
type example struct{ event, data string }

// streamExamples are the examples of what each stream sends, by the ID of its route, from the
// description of the API.
func streamExamples(t *testing.T, doc *huma.OpenAPI) map[string][]example {
	t.Helper()
	out := map[string][]example{}
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post} {
			if op == nil {
				continue
			}
			if r := op.Responses["101"]; r != nil {
				for _, m := range r.Extensions["x-messages"].([]any) {
					m := m.(map[string]any)
					out[op.OperationID] = append(out[op.OperationID], example{m["name"].(string), m["text"].(string)})
				}
			}
			r := op.Responses["200"]
			if r == nil || r.Content["application/x-ndjson"] == nil {
				continue
			}
			for _, x := range r.Content["application/x-ndjson"].Examples {
				var e struct {
					Event string
					Data  json.RawMessage
				}
				if err := json.Unmarshal([]byte(x.Value.(string)), &e); err != nil {
					t.Fatal(err)
				}
				out[op.OperationID] = append(out[op.OperationID], example{e.Event, string(e.Data)})
			}
		}
	}
	return out
}

// TestStreamExamples holds the examples of streams and websockets in the description of
// the API to what a hall sends: an event of that name with all that the example has.
func TestStreamExamples(t *testing.T) {
	heard, hall := heardOf(t)
	for route, list := range streamExamples(t, hall.api.OpenAPI()) {
		for _, x := range list {
			var want any
			if err := json.Unmarshal([]byte(x.data), &want); err != nil {
				t.Errorf("%s %s: %v", route, x.event, err)
				continue
			}
			sent := heard[route+" "+x.event]
			missing := "no such event"
			for _, data := range sent {
				var got any
				if err := json.Unmarshal([]byte(data), &got); err != nil {
					t.Fatal(err)
				}
				if missing = absent(want, got, ""); missing == "" {
					break
				}
			}
			if missing != "" {
				t.Errorf("%s %s: the hall sends no %s: %.300q", route, x.event, missing, sent)
			}
		}
	}
}

// absent names what of an example a message does not have, or has as something else.
func absent(want, got any, at string) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return at + " as an object"
		}
		for k, v := range w {
			x, ok := g[k]
			if !ok {
				return at + "." + k
			}
			if m := absent(v, x, at+"."+k); m != "" {
				return m
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(w) > 0 && len(g) == 0 {
			return at + " as a list"
		}
		if len(w) > 0 {
			return absent(w[0], g[0], at+"[0]")
		}
	default:
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) {
			return fmt.Sprintf("%s as %T", at, want)
		}
	}
	return ""
}

// TestEveryRouteIsDescribed holds the description of the API to the routes that there are.
func TestEveryRouteIsDescribed(t *testing.T) {
	hall, streams := newHouse(t, build{idle: true}).hall, 0
	examples := streamExamples(t, hall.api.OpenAPI())
	for _, r := range hall.router.Routes() {
		if !strings.HasPrefix(r.Path, "/api/v1/") {
			continue
		}
		op := api.Operation(hall.api.OpenAPI(), r)
		switch {
		case op == nil || op.Summary == "" || len(op.Responses) == 0:
			t.Errorf("%s is not described", r.Pattern())
		case r.Time < 0 && !strings.HasSuffix(r.Path, "/export"):
			streams++
			if len(examples[r.ID]) == 0 {
				t.Errorf("%s has no examples", r.Pattern())
			}
		}
	}
	if streams != len(examples) {
		t.Errorf("%d streams, examples of %d", streams, len(examples))
	}
}
