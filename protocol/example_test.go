package protocol_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kibitz/bot/random"
	"kibitz/games"
	"kibitz/link"
	"kibitz/match"
	"kibitz/protocol"
	"kibitz/protocol/nboard"
	"kibitz/rules"
)

// A protocol has two ends. Serve makes an engine of a player, Host a player of an engine;
// here they talk through memory, and the referee does not know that there is a protocol.
func Example() {
	p := nboard.Protocol()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var engines sync.WaitGroup
	defer engines.Wait()
	dial := func(context.Context) (link.Conn, error) {
		near, far := link.Pipe()
		engines.Go(func() {
			_ = p.Serve(ctx, far, protocol.Server{
				Player: random.New(random.Options{Seed: 7}), Position: rules.NewBoard(games.OpenSpec),
				Name: "Engine", Now: time.Now, Game: nboard.GameID,
			})
			_ = far.Close()
		})
		return near, nil
	}
	engine, err := p.Host(protocol.Config{Name: "Engine", Dial: dial, Now: time.Now})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()
	r, err := games.Open(nboard.GameID)
	if err != nil {
		fmt.Println(err)
		return
	}
	out := match.Play(ctx, &match.Game{
		ID: "1", Rules: r, Now: time.Now,
		Sides: [2]match.Side{{Player: engine, Name: "Engine"}, {Player: random.New(random.Options{Seed: 8}), Name: "Bot"}},
	})
	fmt.Println(out.Result.Reason, "after more than 50 plies:", out.Plies > 50)
	// Output:
	// full after more than 50 plies: true
}

// A switch that the protocol does not have, or a value that it cannot take, is told before
// anything is started.
func ExampleConfig_CheckDialects() {
	c := protocol.Config{Dialect: map[string]string{"version": "3"}}
	fmt.Println(c.CheckDialects("nboard", nboard.Protocol().Dialects))
	// Output:
	// dialect.version=3: must be one of 1 2
}
