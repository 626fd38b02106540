package api

import (
	"regexp"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"kibitz/hall/auth"
	"kibitz/hall/router"
)

// notice is a message of a stream: an event with its data, or the text of a websocket,
// which has its name for the description alone.
type notice struct{ event, data string }

const (
	exampleView      = `{"game":"g1","attempt":1,"seq":2,"for":"public","spec":"othello","names":["anna","Level 2"],"controls":["600","600"],"view":{"shape":"cells","ground":"felt","width":8,"height":8,"columns":["a","b","c","d","e","f","g","h"],"rows":["1","2","3","4","5","6","7","8"],"pieces":"...........................WB......BW...........................","owners":"---------------------------10------01---------------------------","seat":"first","phase":"move","colours":["black","white"],"score":[2,2]},"at":1795533861130}`
	exampleDelta     = `{"prev":2,"seq":4,"at":1795533861145,"entries":[{"by":"first","steps":["p3,2"],"used":14}],"cells":[{"i":19,"c":"B0"},{"i":27,"c":"B0"}],"rest":{"seat":"second","phase":"move","colours":["black","white"],"score":[4,1],"marks":[[3,2]]},"clocks":[{"left":599985,"total":14},{"left":600000,"total":0}]}`
	exampleSeat      = `{"game":"g1","attempt":1,"seat":0,"seq":3,"prompt":1,"legal":["p3,2","p2,3","p5,4","p4,5"],"deadline":"2026-11-24T15:34:21.131Z"}`
	exampleRoom      = `{"id":"r1","room":{"host":2,"hostName":"anna","settings":{"name":"othello","game":"othello","clocks":["600","600"],"games":1,"begins":"first","exchange":true,"draw":true,"abort":true,"access":"listed","lines":true,"open":true,"chat":"open","pause":5,"grace":300},"phase":"playing","people":[{"id":2,"name":"anna","here":true,"since":"2026-11-24T15:24:21Z"}],"places":[{"kind":"person","user":2,"name":"anna","ready":true},{"kind":"bot","name":"Level 2","engine":"bot=2"}],"game":{"id":"g1","index":0,"first":0,"begun":true},"games":1,"series":1,"played":0,"wins":[0,0],"draws":0,"score":[0,0]}}`
	exampleChallenge = `{"code":"abcd2345","state":"open","page":"/c/abcd2345","mine":true,"from":"anna","game":"othello","clock":"600+5","begins":"first","undo":true,"games":1,"created":"2026-11-24T15:24:21Z","expires":"2026-11-25T15:24:21Z"}`
	examplePresence  = `{"seat":0,"state":"here","since":1795533861130,"at":1795533861130}`
)

// streamExamples returns examples of what each stream sends, by the ID of its route.
func streamExamples() map[string][]notice {
	return map[string][]notice{
		"game-events":  {{"view", exampleView}, {"delta", exampleDelta}, {"seat", exampleSeat}, {"presence", examplePresence}, {"over", `{}`}},
		"games-events": {{"view", exampleView}, {"delta", exampleDelta}, {"over", `{"game":"g1"}`}},
		"console-events": {
			{
				"lines",
				`{"attempt":1,"next":3,"lines":[{"at":"2026-11-24T15:24:21.145Z","mark":">","text":"moved d3"},{"at":"2026-11-24T15:24:21.146Z","mark":"<","text":"move c3"}],"whole":true}`,
			},
			{"over", `{}`},
		},
		"room-events":      {{"change", exampleRoom}, {"beat", `{}`}},
		"challenge-events": {{"change", exampleChallenge}, {"beat", `{}`}},
		"lobby-events":     {{"change", `{}`}},
		"tournament-events": {
			{
				"state",
				`{"seq":2,"state":"entering","concurrency":1,"over":0,"all":0,"playing":[],"standings":[{"rank":1,"entry":1,"name":"A","engine":"bot=1","games":0,"wins":0,"draws":0,"losses":0,"points":0,"forfeits":0}]}`,
			},
			{
				"begin",
				`{"seq":4,"at":"2026-11-24T15:28:51.649Z","kind":"begin","game":{"index":0,"round":1,"pair":1,"first":0,"second":1,"opening":-1,"shuffle":0}}`,
			},
			{
				"result",
				`{"seq":5,"at":"2026-11-24T15:28:51.712Z","kind":"result","over":{"index":0,"points":[0,1],"reason":"full","detail":"21-43 discs","plies":60,"seconds":[1.5,2.25]}}`,
			},
		},
		"analyse": {
			{
				"lines",
				`{"ply":1,"by":"second","lines":[{"unit":1,"lo":4,"hi":4,"depth":6,"nodes":1000,"time":1000,"line":["p2,3","-"]}],"final":true}`,
			},
			{
				"review",
				`{"accuracy":[88.5,100],"marks":[[1,0,0],[0,0,0]],"turns":[{"ply":2,"seat":0,"lost":6.5,"mark":"?!","rank":1,"best":["p2,3"],"good":["p2,3"]}]}`,
			},
			{"end", `{}`},
		},
		"review-game": {
			{
				"lines",
				`{"ply":1,"by":"second","lines":[{"unit":1,"lo":4,"hi":4,"depth":6,"nodes":1000,"time":1000,"line":["p2,3","-"]}],"final":true}`,
			},
			{
				"review",
				`{"engine":"bot=6","course":[],"accuracy":[88.5,100],"marks":[[1,0,0],[0,0,0]],"turns":[{"ply":2,"seat":0,"lost":6.5,"mark":"?!","rank":1,"best":["p2,3"],"good":["p2,3"]}]}`,
			},
			{"end", `{}`},
		},
		"room-live": {
			{"room", `{"room":` + exampleRoom + `}`},
			{"view", `{"event":"view","game":"g1","num":"1-2","data":` + exampleView + `}`},
			{"delta", `{"event":"delta","game":"g1","num":"1-4","data":` + exampleDelta + `}`},
			{"seat", `{"event":"seat","game":"g1","data":` + exampleSeat + `}`},
			{
				"ack",
				`{"ack":"o1","status":201,"body":{"id":1,"at":"2026-11-24T15:28:50.679Z","user":2,"name":"anna","channel":"all","text":"hello"}}`,
			},
			{"over", `{"event":"over","game":"g1"}`},
		},
		"seat": {
			{"room", `{"room":{"phase":"waiting","ready":false,"again":false,"asked":false},"seat":0,"score":[0,0]}`},
			{"game", `{"game":"g1","seat":0,"spec":"othello","score":[0,0]}`},
		},
	}
}

// queries are the parameters of routes whose handlers read them themselves.
func queries() map[string][]*huma.Param {
	text := func(name, about string, required bool) *huma.Param {
		return &huma.Param{Name: name, In: "query", Description: about, Required: required, Schema: &huma.Schema{Type: "string"}}
	}
	behind := &huma.Param{
		Name: "Last-Event-ID", In: "header",
		Description: "the id of the latest event that the client has: what came since is told", Schema: &huma.Schema{Type: "string"},
	}
	return map[string][]*huma.Param{
		"game-events":       {behind},
		"games-events":      {text("game", "a game; repeated for several, up to 50", true), behind},
		"console-events":    {behind},
		"tournament-events": {behind},
		"room-events":       {text("beat", "seconds between two events beat, 1 to 15", false)},
		"challenge-events":  {text("beat", "seconds between two events beat, 1 to 15", false)},
		"room-live": {
			text("game", "the game of which the client has events", false),
			text("since", "the number of the latest of them", false),
		},
		"seat": {text("place", "the place in the room, 0 or 1", true)},
	}
}

var pathName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{(\w+)\}`)
})

// describeHandler adds a handler of the API that is no operation of huma's to the
// description: streams and websockets with examples of what they send.
func (a *API) describeHandler(r router.Route) {
	if !strings.HasPrefix(r.Path, "/api/v1/") || Operation(a.huma.OpenAPI(), r) != nil {
		return
	}
	op := &huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Description: describe(r),
		Responses: map[string]*huma.Response{},
	}
	if r.Tag != "" {
		op.Tags = []string{r.Tag}
	}
	if auth.Anonymous()&r.Need != r.Need {
		op.Security = []map[string][]string{{"token": {}}, {"session": {}}}
	}
	for _, m := range pathName().FindAllStringSubmatch(r.Path, -1) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: m[1], In: "path", Required: true, Schema: &huma.Schema{Type: "string"}})
	}
	op.Parameters = append(op.Parameters, queries()[r.ID]...)
	list := streamExamples()[r.ID]
	switch {
	case r.ID == "seat" || r.ID == "room-live":
		var messages []any
		for _, x := range list {
			messages = append(messages, map[string]any{"name": x.event, "text": x.data})
		}
		op.Responses["101"] = &huma.Response{
			Description: "A websocket. The texts in x-messages are examples of what the hall sends.",
			Extensions:  map[string]any{"x-messages": messages},
		}
	case len(list) > 0:
		op.Responses["200"] = eventsOf(list)
	default:
		op.Responses["200"] = &huma.Response{Description: "OK"}
	}
	op.Responses["default"] = &huma.Response{Description: "Error", Content: map[string]*huma.MediaType{"application/problem+json": {}}}
	a.huma.OpenAPI().AddOperation(op)
}

// eventsOf describes a stream by examples of its events.
func eventsOf(list []notice) *huma.Response {
	return &huma.Response{Description: "Events until the client goes, or nothing more can come. An event has a name, " +
		"JSON as its data, and an id where it can be gone on behind.", Content: eventContent(list)}
}

// eventContent describes events in both of their forms.
func eventContent(list []notice) map[string]*huma.MediaType {
	events, lines := map[string]*huma.Example{}, map[string]*huma.Example{}
	for _, x := range list {
		events[x.event] = &huma.Example{Value: string((&stream{}).event("", x.event, []byte(x.data)))}
		lines[x.event] = &huma.Example{Value: string((&stream{lines: true}).event("", x.event, []byte(x.data)))}
	}
	text := func() *huma.Schema { return &huma.Schema{Type: "string"} }
	return map[string]*huma.MediaType{
		"text/event-stream":    {Schema: text(), Examples: events},
		"application/x-ndjson": {Schema: text(), Examples: lines},
	}
}
