// Command engine is a whole engine in Go. It plays Othello by each protocol that the game has:
// what thinks is in Choose, and the library speaks the protocol. Copy it freely (0BSD).
package main

import (
	"context"
	"log"
	"os"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/serving"
	"kibitz/rules"
)

// engine leaves the opponent as few moves as it can. The board is kept by the library.
type engine struct{ board *rules.Board }

// Choose answers with a move. A longer search would look at p.Deadline and at Stop.
func (e engine) Choose(context.Context, *player.Prompt) (player.Answer, error) {
	best := player.Answer{Info: game.Info{Depth: 1}}
	for _, m := range e.board.Legal(nil) {
		after := e.board.State().Clone()
		_, _ = after.Apply(m, nil) // what is legal can be played
		if worth := -float64(len(after.Legal(nil))); best.Steps == nil || worth > best.Info.Eval.Lo {
			best.Steps, best.Info.PV, best.Info.Eval = []game.Move{m}, []game.Move{m}, game.Eval{Unit: game.Discs, Lo: worth, Hi: worth}
		}
	}
	return best, nil
}

// Analyse answers NBoard's hint: it shows a move and what it is worth.
func (e engine) Analyse(ctx context.Context, _ player.Question, yield func(game.Info) bool) error {
	answer, err := e.Choose(ctx, nil)
	yield(answer.Info)
	return err
}

func (engine) NewGame(context.Context, *player.Setup) error { return nil }
func (engine) CanStart(game.Spec) player.Start              { return player.FromPosition }
func (engine) Tell(*player.Update)                          {}
func (engine) Stop()                                        {}
func (engine) Over(game.Result)                             {}
func (engine) Close() error                                 { return nil }

func main() {
	board := rules.NewBoard(games.OpenSpec)
	server := protocol.Server{Player: engine{board}, Position: board, Game: "othello", Name: "My engine", Version: "1", Now: time.Now}
	speaks, err := catalog.ProtocolFor("othello", append(os.Args, "")[1])
	if err == nil {
		err = (&serving.Manager{In: os.Stdin, Out: os.Stdout}).Serve(context.Background(), speaks, server)
	}
	if err != nil {
		log.Fatal(err)
	}
}
