package match_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// crowded is a player whose process runs and waits for a processor in each turn; both
// make the turn as long as they are together.
type crowded struct {
	*fake
	turns []player.Sched
	sched player.Sched
	reads int
	deaf  bool // the system does not tell
}

func (c *crowded) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	x := c.turns[min(c.prompts, len(c.turns)-1)]
	c.sched.Ran += x.Ran
	c.sched.Waited += x.Waited
	time.Sleep(min(x.Ran+x.Waited, longest))
	return c.fake.Choose(ctx, p)
}

// longest is how long a turn is that many threads share.
const longest = 1210 * time.Millisecond

func (c *crowded) Sched() (player.Sched, bool) {
	c.reads++
	return c.sched, !c.deaf
}

// TestStarved: an engine that lost on time is said to have waited for a processor, and
// the game is marked where it waited longer than it was over.
func TestStarved(t *testing.T) {
	const ms = time.Millisecond
	quick := player.Sched{Ran: ms}
	for _, c := range []struct {
		name  string
		turns []player.Sched
		deaf  bool
		want  *match.Starved
		says  string
	}{
		{
			"in its first turn",
			[]player.Sched{{Ran: 100 * ms, Waited: 950 * ms}},
			false,
			&match.Starved{Seat: game.First, Waited: 950 * ms, Over: 50 * ms},
			"used 1.05s of 1s (margin 0s); 100ms on a processor, 950ms waiting for one, load of the machine 7.5",
		},
		{
			"by its own doing",
			[]player.Sched{quick, {Ran: 1200 * ms, Waited: 10 * ms}},
			false, nil,
			"; 1.201s on a processor, 9ms waiting for one, load of the machine 7.5",
		},
		{"by too many threads of its own", []player.Sched{{Ran: 2000 * ms, Waited: 9000 * ms}}, false, nil, "; 2s on a processor, 0s waiting for one"},
		{
			"after quick turns that may have waited",
			[]player.Sched{quick, {Waited: 10 * ms}, {Ran: 600 * ms, Waited: 450 * ms}},
			false,
			&match.Starved{Seat: game.First, Waited: 449 * ms, Over: 50 * ms}, "449ms waiting for one",
		},
		{"after a long turn, which is read again", []player.Sched{{Ran: 400 * ms, Waited: 500 * ms}, {Ran: 1010 * ms}}, false, nil, "0s waiting for one"},
		{"where nobody tells", []player.Sched{{Waited: 1100 * ms}}, true, nil, "used 1.1s of 1s (margin 0s)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &crowded{fake: &fake{}, turns: c.turns, deaf: c.deaf}
				g := newGame(a, &fake{})
				g.Sides[0].Clock = clock.Control{Turn: time.Second}
				g.Load = func() (float64, bool) { return 7.5, true }
				o := match.Play(t.Context(), g)
				mustEnd(t, o, game.Second, game.ByTime, c.says)
				switch {
				case (o.Starved == nil) != (c.want == nil):
					t.Errorf("%+v, want %+v", o.Starved, c.want)
				case o.Starved != nil && *o.Starved != *c.want:
					t.Errorf("%+v, want %+v", *o.Starved, *c.want)
				}
			})
		})
	}
}

// TestSchedReadings: quick games are not read at all, long ones now and then.
func TestSchedReadings(t *testing.T) {
	for _, c := range []struct {
		limit, turn time.Duration
		reads       int
	}{
		{0, time.Second, 0}, // without a limit
		{20 * time.Millisecond, time.Millisecond, 0},
		{time.Second, time.Microsecond, 1},
		{time.Second, 30 * time.Millisecond, 3}, // at first, after two turns and after four
	} {
		synctest.Test(t, func(t *testing.T) {
			a := &crowded{fake: &fake{}, turns: []player.Sched{{Ran: c.turn}}}
			g := newGame(a, &fake{})
			g.Sides[0].Clock = clock.Control{Turn: c.limit}
			match.Play(t.Context(), g)
			if a.reads != c.reads {
				t.Errorf("%+v: %d readings in %d turns", c, a.reads, a.prompts)
			}
		})
	}
}
