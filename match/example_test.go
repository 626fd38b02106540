package match_test

import (
	"context"
	"fmt"
	"time"

	"kibitz/bot"
	"kibitz/bot/othello"
	"kibitz/bot/random"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// Two bots of this program play a whole game in memory. The referee asks, judges and tells
// each of them what its seat may know; a Sink sees every event.
func ExamplePlay() {
	r, err := games.Open("othello")
	if err != nil {
		fmt.Println(err)
		return
	}
	searching := othello.New(bot.Options{Level: 1, Seed: 1, Now: time.Now})
	drawing := random.New(random.Options{Seed: 1})
	defer searching.Close()
	defer drawing.Close()
	decisions := 0
	out := match.Play(context.Background(), &match.Game{
		ID: "1", Rules: r, Now: time.Now,
		Sides: [2]match.Side{
			{Player: searching, Name: "Searching", Limits: player.Limits{Nodes: 1000}},
			{Player: drawing, Name: "Drawing"},
		},
		Sink: func(e *journal.Event) {
			if e.Kind == journal.KindDecision {
				decisions++
			}
		},
	})
	fmt.Println("winner:", out.Result.Winner(), "by", out.Result.Reason)
	fmt.Println("every decision was told:", decisions == len(out.Steps))
	// Output:
	// winner: first by full
	// every decision was told: true
}
