package join

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/live"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/rules"
)

// asked is a person who thinks until the question is withdrawn, where what an engine proposes is decided.
type asked struct {
	player.Player
	begun chan bool
}

func (a *asked) Decide(ctx context.Context, _ *player.Prompt, proposed game.Move) game.Move {
	a.begun <- true
	<-ctx.Done()
	return proposed
}

// A question in whose time there is news is asked again after the news; nothing is decided meanwhile.
func TestNewsAmidAQuestion(t *testing.T) {
	person := &asked{begun: make(chan bool, 1)}
	ctx, leave := context.WithCancel(t.Context())
	v := &visit{joiner: &joiner{}, ctx: ctx, chosen: make(chan choice, 1), id: "g", p: person, state: live.State{View: &wire.View{}}}
	centre := journal.FormatMoves([]game.Move{game.PlaceAt(game.Point{X: 7, Y: 7})})
	v.question(&liveSeat{Game: "g", Prompt: 7, Legal: centre, Hint: &liveHint{From: "Shy", Steps: centre}})
	<-person.begun
	told := false
	v.soon(func() { told = true })
	if told {
		t.Error("the person is told while he is asked")
	}
	v.decided(<-v.chosen) // an order would need a connection
	if !told || v.answered != 0 || v.choosing != 7 {
		t.Errorf("told %v, answered %d, asked %d", told, v.answered, v.choosing)
	}
	<-person.begun
	leave()
	<-v.chosen
}

// chooser is a person who is asked and told things.
type chooser struct {
	player.Player
	asked chan int // how many moves he had seen
	seen  int
}

func (c *chooser) NewGame(context.Context, *player.Setup) error { return nil }

func (c *chooser) Tell(u *player.Update) { c.seen += len(u.Steps) - u.Rewind }

func (c *chooser) Choose(ctx context.Context, _ *player.Prompt) (player.Answer, error) {
	c.asked <- c.seen
	<-ctx.Done()
	return player.Answer{}, ctx.Err()
}

func (c *chooser) Close() error { return nil }

// A question that comes before its board is asked once, on that board; so is the one after moves that were
// taken back, and the one before them is asked no more.
func TestQuestionAndBoard(t *testing.T) {
	c := &chooser{asked: make(chan int, 9)}
	ctx, leave := context.WithCancel(t.Context())
	v := &visit{joiner: &joiner{Config: Config{
		Tell: func(string) {},
		Open: func(game.Spec) (rules.Rules, error) { return nil, nil }, Person: func(rules.Rules, player.Player) player.Player { return c },
	}}, ctx: ctx, chosen: make(chan choice, 1)}
	defer func() { leave(); v.finish() }()
	take := func(n liveNews) {
		t.Helper()
		data, err := json.Marshal(map[string]any{"event": n.Event, "game": n.Game, "num": n.Num, "data": n.Data})
		if err == nil {
			err = v.take(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ask := func(prompt, ply int) {
		take(liveNews{Event: "seat", Game: "g", Data: fmt.Appendf(nil, `{"game":"g","prompt":%d,"ply":%d,"legal":["p0,0"]}`, prompt, ply)})
	}
	delta := func(seq int, what string) {
		take(liveNews{Event: "delta", Game: "g", Data: fmt.Appendf(nil, `{"prev":%d,"seq":%d,"at":0,%s}`, seq-1, seq, what)})
	}
	settle := func(want ...int) { // what was withdrawn is done with before the next is looked for
		t.Helper()
		for _, n := range want {
			if got := <-c.asked; got != n {
				t.Errorf("asked after %d moves, want %d", got, n)
			}
		}
		if len(c.asked) > 0 {
			t.Errorf("asked again after %d moves", <-c.asked)
		}
	}
	board := `{"game":"g","attempt":1,"seq":1,"for":"first","spec":"x","names":["a","b"],"controls":["",""],"history":[],"at":0,"view":{"shape":"cells","pieces":".","owners":"-","width":1,"height":1,"seat":"first"}}`
	ask(1, 0)
	take(liveNews{Event: "view", Game: "g", Num: "1-1", Data: []byte(board)})
	settle(0)
	move := func(by string) string { return `"entries":[{"by":"` + by + `","steps":["p0,0"],"ended":true}]` }
	ask(2, 2)
	v.decided(<-v.chosen) // the question before was withdrawn
	if v.choosing != 0 {
		t.Error("asked before its board")
	}
	delta(2, move("first"))
	if v.choosing != 0 {
		t.Error("asked before its board")
	}
	delta(3, move("second"))
	settle(2)
	delta(4, `"rewind":2`)
	v.decided(<-v.chosen)
	if v.choosing != 0 {
		t.Error("asked what is asked no more")
	}
	ask(3, 0)
	settle(0)
	ask(4, 9)
	v.decided(<-v.chosen)
	if v.choosing != 0 || v.late == nil {
		t.Error("the board of a question is not waited for")
	}
	v.boardless()
	settle(0)
}
