package formats

import (
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// noSwap writes formats that know nothing of choices: whoever had black in the
// end is the first player, the choices are left out.
func noSwap(write func(*record.Game) ([]byte, error)) func(*record.Game) ([]byte, error) {
	return func(g *record.Game) ([]byte, error) { return write(byColour(g)) }
}

// byColour returns a game with a swap2 opening as the plain game of its stones,
// black's player in the first seat; any other game unchanged.
func byColour(g *record.Game) *record.Game {
	if v, ok := g.Spec.Option("opening"); !ok || v != "swap2" {
		return g
	}
	out := *g
	out.Spec = withoutSwap(g.Spec)
	out.Steps = nil
	black, stones := game.First, 0
	for i := range g.Steps {
		s := g.Steps[i]
		switch s.Move.Op {
		case game.Choose:
			continue
		case game.Place:
			if s.By.IsPlayer() {
				black = s.By // until the next stone says otherwise
				if stones%2 == 1 {
					black = s.By.Other()
				}
			}
			s.By = game.Seat(stones % 2)
			stones++
		}
		out.Steps = append(out.Steps, s)
	}
	if black == game.First {
		return &out
	}
	out.Names[0], out.Names[1] = g.Names[1], g.Names[0]
	out.Clocks[0], out.Clocks[1] = g.Clocks[1], g.Clocks[0]
	if g.Result != nil {
		r := *g.Result
		r.Points[0], r.Points[1] = r.Points[1], r.Points[0]
		r.Board[0], r.Board[1] = r.Board[1], r.Board[0]
		out.Result = &r
	}
	for i := range out.Steps {
		if s := &out.Steps[i]; s.Move.Op == game.Resign && s.By.IsPlayer() {
			s.By = s.By.Other()
		}
	}
	return &out
}

// withoutSwap is a game without its swap2 opening.
func withoutSwap(spec game.Spec) game.Spec {
	return game.Spec(strings.ReplaceAll(string(spec), ",opening=swap2", ""))
}
