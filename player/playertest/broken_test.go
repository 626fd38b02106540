package playertest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/player/playertest"
)

// broken players each breach one clause of the contract.
type broken struct {
	*playertest.Random
	fault string
	count int
}

var faults = map[string]string{ // fault: what the suite must say
	"illegal":   "not among",
	"deaf":      "answered after",
	"slow tell": "must not wait",
	"error":     "no *player.Failure",
	"scribble":  "changed the update",
	"moody":     "differ",
	"leak":      "unexpected goroutines",
	"late":      "due within",
	"starts":    "after",
}

func (b *broken) Tell(u *player.Update) {
	switch {
	case b.fault == "slow tell" && b.count == 9: // each of the new players once
		time.Sleep(700 * time.Millisecond)
		b.count++
	case b.fault == "scribble" && len(u.Steps) > 0:
		u.Steps[0] = game.PassMove()
	}
	b.Random.Tell(u)
}

func (b *broken) NewGame(ctx context.Context, s *player.Setup) error {
	if b.fault == "starts" && len(s.History) > 0 {
		return player.Fail(game.ByStart, nil, "cannot start after moves")
	}
	if b.fault == "leak" {
		go func() { <-time.After(time.Minute) }()
	}
	return b.Random.NewGame(ctx, s)
}

func (b *broken) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	b.count++
	switch b.fault {
	case "illegal":
		return player.Answer{Steps: []game.Move{game.PlaceAt(game.Pt(0, 0))}}, nil
	case "deaf", "late":
		if p.Deadline.IsZero() == (b.fault == "deaf") && (p.Deadline.IsZero() || time.Until(p.Deadline) < time.Second) {
			time.Sleep(1100 * time.Millisecond)
		}
	case "error":
		if p.Deadline.IsZero() {
			return player.Answer{}, errors.New("something")
		}
	case "moody":
		legal := p.Moves.Legal(nil)
		return player.Answer{Steps: legal[time.Now().Nanosecond()/1000%len(legal):][:1]}, nil
	}
	return b.Random.Choose(ctx, p)
}

// TestSuiteFindsFaults runs the suite on broken players in a process of its own.
func TestSuiteFindsFaults(t *testing.T) {
	if fault := os.Getenv("PLAYERTEST_FAULT"); fault != "" {
		playertest.Suite{
			New:  func() player.Player { return &broken{Random: playertest.NewRandom(1), fault: fault} },
			Spec: "othello", Position: board, Deterministic: true, Slack: 500 * time.Millisecond,
		}.Run(t)
		return
	}
	for fault, want := range faults {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestSuiteFindsFaults$")
			cmd.Env = append(os.Environ(), "PLAYERTEST_FAULT="+fault)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), want) {
				t.Errorf("the suite passed it over (%v):\n%s", err, out)
			}
		})
	}
}
