package tournament

import "kibitz/game"

// judge says who wins a game.
type judge func(p Pairing) game.Result

// better lets the engine with the lower number win.
func better(p Pairing) game.Result {
	if p.First < p.Second {
		return game.Win(game.First, "x", "")
	}
	return game.Win(game.Second, "x", "")
}

// tie draws every game.
func tie(Pairing) game.Result { return game.Drawn("x", "") }

// simulate plays a schedule, one game at a time, and returns its games.
func simulate(s Scheduler, j judge) []Pairing {
	var out []Pairing
	for {
		p, state := s.Next()
		if state != Ready {
			return out
		}
		s.Record(Finished{Pairing: p, Result: j(p)})
		out = append(out, p)
	}
}

// allGames returns the games of a plan, all drawn.
func allGames(p Plan) []Pairing { return simulate(NewScheduler(p, DefaultPoints), tie) }
