package playertest_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/games/darkchess"
	"kibitz/games/gomoku"
	"kibitz/games/othello"
	"kibitz/games/phantomgo"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

var board = playertest.Board(othello.Game())

func TestRandom(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return playertest.NewRandom(7) }, Spec: "othello", Position: board, Deterministic: true,
	}.Run(t)
}

func TestRandomBot(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return random.New(random.Options{Seed: 7}) }, Spec: "othello", Position: board, Deterministic: true,
	}.Run(t)
}

// answering is a person who answers each question at once.
type answering struct {
	*player.Mailbox
	stop context.CancelFunc
	done chan struct{}
}

func newAnswering() player.Player {
	ctx, cancel := context.WithCancel(context.Background())
	a := answering{player.NewMailbox(time.Now), cancel, make(chan struct{})}
	go func() {
		defer close(a.done)
		seq := 0
		for {
			mail, err := a.Wait(ctx, seq)
			if err != nil {
				return
			}
			seq = mail.Seq
			if mail.Prompt > 0 && len(mail.Legal) > 0 {
				_ = a.Submit(mail.Prompt, 0, mail.Legal[len(mail.Legal)-1])
			}
		}
	}()
	return a
}

func (a answering) Close() error {
	err := a.Mailbox.Close()
	a.stop()
	<-a.done
	return err
}

func TestMailboxPlays(t *testing.T) {
	playertest.Suite{New: newAnswering, Spec: "othello", Position: board, Deterministic: true}.Run(t)
}

// TestMailboxSilent is a person who never answers: all limits must hold.
func TestMailboxSilent(t *testing.T) {
	m := player.NewMailbox(time.Now)
	b := board()
	if err := b.Reset("othello", ""); err != nil {
		t.Fatal(err)
	}
	prompt := &player.Prompt{Turn: b.Turn(), Moves: b}
	prompt.Deadline = time.Now().Add(20 * time.Millisecond)
	_, err := m.Choose(context.Background(), prompt)
	if f, ok := err.(*player.Failure); !ok || f.Reason != game.ByTime { //nolint:errorlint // the contract names the type
		t.Errorf("deadline: %v", err)
	}
	prompt.Deadline = time.Time{}
	done := make(chan struct{})
	go func() { // until it is heard: before a prompt it has no effect
		for {
			select {
			case <-time.After(20 * time.Millisecond):
				m.Stop()
			case <-done:
				return
			}
		}
	}()
	_, err = m.Choose(context.Background(), prompt)
	close(done)
	if f, ok := err.(*player.Failure); !ok || f.Reason != game.ByAbort { //nolint:errorlint // the contract names the type
		t.Errorf("stop: %v", err)
	}
}

// TestRandomEverywhere runs the suite where turns have several steps, where the
// dealer decides, where seats know different things, and through swap2.
func TestRandomEverywhere(t *testing.T) {
	list := []rules.Game{othello.Game(), gomoku.Game(), amazons.Game(), darkchess.Game(), phantomgo.Game()}
	for _, spec := range []string{"gomoku:size=9,opening=swap2", "gomoku:rule=renju,size=9", "amazons:", "darkchess:", "phantomgo:size=5"} {
		t.Run(spec, func(t *testing.T) {
			_, canonical, err := rules.Canonical(list, spec)
			if err != nil {
				t.Fatal(err)
			}
			playertest.Suite{
				New: func() player.Player { return playertest.NewRandom(7) }, Spec: canonical, Deterministic: true,
				Position: func() player.Position {
					return rules.NewBoard(func(s game.Spec) (rules.Rules, error) { return rules.Open(list, string(s)) })
				},
			}.Run(t)
		})
	}
}
