package rulestest

import (
	"testing"

	"kibitz/game"
	"kibitz/rules"
)

// checkAllocation: asking for the legal moves and applying a decision do not
// allocate, but for the points that notices carry.
func checkAllocation(s *subject) error {
	if s.gameErr != nil || testing.CoverMode() != "" {
		return s.gameErr
	}
	var f faults
	for i, p := range s.games[:min(2, len(s.games))] {
		allowed := 0
		for _, list := range p.notices {
			for _, n := range list {
				if len(n.Points) > 0 {
					allowed++
				}
			}
		}
		if got := playoutAllocs(s.rules, p.moves); got > float64(allowed) {
			f.add("random game %d of %d decisions allocates %.0f times, %d of them for points of notices", i, len(p.moves), got, allowed)
		}
	}
	return f.err()
}

func playoutAllocs(r rules.Rules, moves []game.Move) float64 {
	const runs = 4
	states := make([]rules.State, runs+1)
	for i := range states {
		states[i] = r.New()
	}
	legal := make([]game.Move, 0, 4096)
	outcomes := make([]rules.Outcome, 0, 256)
	notices := make([]game.Notice, 0, 64)
	next := 0
	return testing.AllocsPerRun(runs, func() {
		st := states[next]
		next++
		for _, m := range moves {
			if st.Turn().Seat == game.Dealer {
				if ch, ok := st.(rules.Chance); ok {
					outcomes = ch.Outcomes(outcomes[:0])
				}
			} else {
				legal = st.Legal(legal[:0])
			}
			if st.Check(m) != nil {
				return
			}
			notices, _ = st.Apply(m, notices[:0])
		}
	})
}
