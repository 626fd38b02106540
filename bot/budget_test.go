package bot_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

const ms = time.Millisecond

var controls = map[string]clock.Control{
	"10 ms a turn":     {Turn: 10 * ms},
	"5 ms a turn":      {Turn: 5 * ms},
	"1 s a turn":       {Turn: time.Second},
	"1 min":            {Main: time.Minute},
	"1 s":              {Main: time.Second},
	"1 min + 0.6 s":    {Main: time.Minute, Increment: 600 * ms},
	"0.1 s + 10 ms":    {Main: 100 * ms, Increment: 10 * ms},
	"increment alone":  {Increment: 100 * ms},
	"40 in 10 s":       {Main: 10 * time.Second, Moves: 40},
	"1 in 50 ms":       {Main: 50 * ms, Moves: 1},
	"delay":            {Main: time.Second, Delay: 50 * ms},
	"Bronstein":        {Main: time.Second, Bronstein: 50 * ms},
	"5 periods":        {Main: time.Second, Periods: 5, Period: 200 * ms},
	"shared period":    {Main: time.Second, Periods: 1, Period: time.Second, PeriodMoves: 10},
	"periods alone":    {Periods: 1, Period: 100 * ms},
	"Canadian":         {Main: time.Second, Canadian: time.Second, CanadianMoves: 10},
	"overtime":         {Main: time.Second, Overtime: time.Second},
	"hourglass":        {Hourglass: time.Second},
	"game and turn":    {Main: 10 * time.Second, Turn: 100 * ms},
	"all of the above": {Main: time.Second, Increment: 10 * ms, Delay: 10 * ms, Periods: 3, Period: 100 * ms, Turn: 300 * ms},
}

// TestShareNeverFalls plays long games in which every turn takes all of the hard
// bound and a millisecond and a half more.
func TestShareNeverFalls(t *testing.T) {
	for name, c := range controls {
		t.Run(name, func(t *testing.T) {
			k := clock.New(c)
			for turn := range 57 {
				b := bot.Share(k, 0, max(3, 60-turn), 0)
				if b.Soft <= 0 || b.Hard < b.Soft && b.Hard > 1 {
					t.Fatalf("turn %d: %+v", turn, b)
				}
				used := b.Hard + 3*ms/2
				k = k.Spend(used)
				if k.Fallen {
					t.Fatalf("the flag fell in turn %d after %v of the turn, %+v", turn, used, b)
				}
				k = k.EndTurn().Gain(used)
				if turn == 50 && c.Increment == 0 && c.Turn == 0 && c.Main == time.Second && k.Total < 400*ms {
					t.Errorf("only %v were used in fifty turns", k.Total)
				}
			}
			if c.Periods > 0 && k.Periods < c.Periods {
				t.Errorf("%d of %d periods were lost", c.Periods-k.Periods, c.Periods)
			}
			if k.Overtime {
				t.Error("the grace period was used")
			}
		})
	}
}

func TestShareIsFair(t *testing.T) {
	for _, c := range []struct {
		name           string
		clock          clock.Clock
		wait           time.Duration
		turns          int
		minimum, most  time.Duration // of Soft
		minHard, limit time.Duration // of Hard
	}{
		{"no clock", clock.Clock{}, 0, 25, 0, 0, 0, 0},
		{"the referee's patience alone", clock.Clock{}, time.Second, 25, 0, 0, 850 * ms, 950 * ms},
		{"a minute for 30 turns", clock.New(clock.Control{Main: time.Minute}), 0, 30, 1500 * ms, 2100 * ms, 4 * time.Second, 9 * time.Second},
		{"the last turn", clock.New(clock.Control{Main: time.Minute}), 0, 1, 25 * time.Second, 40 * time.Second, 40 * time.Second, 59900 * ms},
		{"a second a turn", clock.New(clock.Control{Turn: time.Second}), 0, 25, 400 * ms, 700 * ms, 900 * ms, 950 * ms},
		{"the wait is shorter", clock.New(clock.Control{Turn: time.Second}), 100 * ms, 25, 30 * ms, 70 * ms, 85 * ms, 95 * ms},
		{"increment", clock.New(clock.Control{Main: time.Second, Increment: time.Second}), 0, 30, 500 * ms, 850 * ms, 500 * ms, 950 * ms},
	} {
		b := bot.Share(c.clock, c.wait, c.turns, 0)
		if b.Soft < c.minimum || b.Soft > c.most || b.Hard < c.minHard || b.Hard > c.limit {
			t.Errorf("%s: %+v, want soft in %v to %v, hard in %v to %v", c.name, b, c.minimum, c.most, c.minHard, c.limit)
		}
	}
}

// TestLateness: on a machine that keeps the player from its clock, for up to 40 ms again
// and again, a limit of 300 ms a turn is kept once that was seen; a quiet machine gives
// the time back, and a new game knows nothing of it.
func TestLateness(t *testing.T) {
	var now time.Time
	busy := true
	r := rand.New(rand.NewPCG(1, 2))
	think := func(task *bot.Task) player.Answer {
		for !task.Poll(1) {
			now = now.Add(ms / 2)
			if busy && r.IntN(40) == 0 {
				now = now.Add(time.Duration(r.IntN(40)) * ms)
			}
		}
		return player.Answer{Steps: []game.Move{take(2)}}
	}
	e := &pile{think: think}
	p := bot.New("pile", e, bot.Options{Now: func() time.Time { return now }})
	k := clock.New(clock.Control{Turn: 300 * ms})
	turn := func() (used, hard time.Duration) {
		began := now
		pr := &player.Prompt{Seat: game.First, Clocks: [2]clock.Clock{k, k}, Deadline: now.Add(400 * ms), Moves: legals{take(1), take(2)}}
		if _, err := p.Choose(t.Context(), pr); err != nil {
			t.Fatal(err)
		}
		return now.Sub(began), e.task.Hard
	}
	begin := func() {
		if err := p.NewGame(t.Context(), &player.Setup{Spec: "pile"}); err != nil {
			t.Fatal(err)
		}
	}
	begin()
	_, first := turn()
	for n := range 500 {
		if used, hard := turn(); used > 300*ms || hard < 150*ms {
			t.Fatalf("turn %d: %v of 300 ms, planned %v", n, used, hard)
		}
	}
	begin()
	if _, hard := turn(); hard != first {
		t.Errorf("a new game is begun with %v instead of %v", hard, first)
	}
	busy = false
	for range 20 {
		turn()
	}
	if _, hard := turn(); hard != first {
		t.Errorf("the quiet machine has %v instead of %v", hard, first)
	}
}
