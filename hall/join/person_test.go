package join

import (
	"context"
	"testing"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/live"
	"kibitz/journal"
	"kibitz/player"
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

// A question that came before the news of the move in front of it is asked again after the news; nothing
// is decided meanwhile.
func TestQuestionBeforeTheNews(t *testing.T) {
	person := &asked{begun: make(chan bool, 1)}
	ctx, leave := context.WithCancel(t.Context())
	v := &visit{joiner: &joiner{}, ctx: ctx, chosen: make(chan choice, 1), id: "g", p: person, state: live.State{View: &wire.View{}}}
	centre := journal.FormatMoves([]game.Move{game.PlaceAt(game.Point{X: 7, Y: 7})})
	v.question(&liveSeat{Prompt: 7, Legal: centre, Hint: &liveHint{From: "Shy", Steps: centre}})
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
