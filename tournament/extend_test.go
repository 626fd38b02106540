package tournament

import "testing"

// What Extends allows keeps every game of the plan before; what it refuses would not.
func TestExtends(t *testing.T) {
	allowed, refused := 0, 0
	for _, format := range []Format{RoundRobin, Double, Gauntlet, Pyramid} {
		for engines := 2; engines <= 4; engines++ {
			for _, repeat := range []bool{false, true} {
				for old := range planSizes() {
					for now := range planSizes() {
						a := Plan{Format: format, Engines: engines, Games: old[0], Rounds: old[1], Openings: 3, Repeat: repeat}
						if format == Gauntlet {
							a.Seeds = 1
						}
						b := a
						b.Games, b.Rounds = now[0], now[1]
						if a.Check() != nil || b.Check() != nil || a == b {
							continue
						}
						if b.Extends(a) != nil {
							refused++
							continue
						}
						allowed++
						sameBegin(t, a, b)
					}
				}
			}
		}
	}
	if allowed < 100 || refused < 100 {
		t.Errorf("%d allowed, %d refused: the test shows little", allowed, refused)
	}
	swiss := Plan{Format: SwissSystem, Engines: 4, Games: 2, Rounds: 2}
	more := swiss
	more.Rounds = 3
	if more.Extends(swiss) == nil {
		t.Error("a Swiss was made longer")
	}
}

func planSizes() map[[2]int]bool {
	out := map[[2]int]bool{}
	for games := 1; games <= 5; games++ {
		for rounds := 1; rounds <= 3; rounds++ {
			out[[2]int{games, rounds}] = true
		}
	}
	return out
}

func sameBegin(t *testing.T, a, b Plan) {
	t.Helper()
	was, is := newFixed(a), newFixed(b)
	for {
		p, state := was.Next()
		if state == Over {
			return
		}
		if q, _ := is.Next(); q != p {
			t.Errorf("%+v as %d games, %d rounds: game %d is %+v, was %+v", a, b.Games, b.Rounds, p.Index+1, q, p)
			return
		}
	}
}
