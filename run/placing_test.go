package run

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"kibitz/player"
	"kibitz/run/engines"
	"kibitz/run/roster"
)

// placed is a player whose process writes down where it is.
type placed struct {
	player.Player
	at      []int
	refuses bool
}

func (p *placed) Place(to, _ []int) bool {
	if p.refuses && to != nil {
		return false
	}
	p.at = to
	return to != nil
}

// Quick games are bound to a processor after a trial, and free again when a game is slow,
// when an engine cannot be bound, and when binding has made nothing quicker.
func TestPlacing(t *testing.T) {
	all, err := engines.AllowedProcessors()
	if err != nil {
		t.Skip(err)
	}
	runtime.LockOSThread() // it is bound, and goes with this goroutine
	const quick, slow, thinks = quickPly / 10, 2 * quickPly, 2 * thinkPly
	for _, k := range []struct {
		bound   time.Duration // of a decision while it is bound
		odd     time.Duration // of every fifth game, as another program may have it
		games   int
		refuses bool
		want    bool
	}{
		{quick, quick, trialGames - 1, false, false},
		{quick, quick, trialGames, false, true},
		{quick, quick, 10 * trialGames, false, true},
		{quick, slow, trialGames, false, true},
		{quick, slow, 10 * trialGames, false, true},
		{slow, slow, 2*trialGames - 1, false, true},
		{slow, slow, 2 * trialGames, false, false},
		{quick, thinks, trialGames + 5, false, false},
		{2 * quick, 2 * quick, 2 * trialGames, false, false},
		{quick, quick, 2 * trialGames, true, false},
	} {
		told := 0
		x := &placing{processors: all, taken: map[int]bool{}, tell: func(string) { told++ }}
		a, b := &placed{}, &placed{refuses: k.refuses}
		seats := [2]*roster.Seated{{Player: a}, {Player: b}}
		for n := range k.games {
			x.begin(0, seats)
			each := quick
			switch {
			case n%5 == 4 && (a.at != nil || k.odd < thinkPly):
				each = k.odd
			case a.at != nil:
				each = k.bound
			}
			x.end(0, 60*each, 60)
		}
		x.begin(0, seats)
		if (a.at != nil) != k.want || !slices.Equal(a.at, b.at) || len(x.taken) > 1 || told > 1 || k.want && told == 0 {
			t.Errorf("%v: %v, %v, %v, told %d times", k, a.at, b.at, x.taken, told)
		}
		if s := x.spots[0]; s.processor != nil {
			x.release(s)
		}
	}
	x := &placing{processors: all, taken: map[int]bool{}, tell: func(string) {}}
	for slot := range len(all) + 1 {
		for range trialGames {
			x.end(slot, time.Millisecond, 60)
		}
	}
	if len(x.taken) != len(all) || x.spots[len(all)].processor != nil {
		t.Errorf("%v are taken of %v", x.taken, all)
	}
	for slot := range all {
		x.release(x.spots[slot])
	}
}

// Nothing is bound of a run that asks for something else.
func TestPlacingOf(t *testing.T) {
	all, err := engines.AllowedProcessors()
	if err != nil || len(all) < 2 {
		t.Skip("there is nothing to choose from", err)
	}
	process := engines.Spec{Cmd: []string{"x"}}
	for _, k := range []struct {
		set   Config
		other engines.Spec
		want  bool
	}{
		{Config{Concurrency: 1}, process, true},
		{Config{Concurrency: len(all) + 1}, process, false},
		{Config{Concurrency: 1}, engines.Spec{Bot: "1"}, false},
		{Config{Concurrency: 1}, engines.Spec{Cmd: []string{"x"}, Threads: 2}, false},
		{Config{Concurrency: 1}, engines.Spec{Cmd: []string{"x"}, Ponder: true}, false},
		{Config{Concurrency: 1}, engines.Spec{Cmd: []string{"x"}, Processors: []int{0}}, false},
	} {
		for _, text := range []string{"", "off"} {
			k.set.Affinity = text
			x := newPlacing(&Settings{Config: k.set}, []*engines.Spec{&process, &k.other}, nil, nil)
			if got := x.processors != nil; got != (k.want && text == "") {
				t.Errorf("%+v, %v: %s", k, got, fmt.Sprint(x.processors))
			}
		}
	}
}
