package cgomoku

import (
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/run"
	"kibitz/run/compat"
)

// end is how a game ended in c-gomoku-cli's words.
type end struct {
	winner game.Seat // game.Nobody for a draw
	reason string
	// fault is illegal, late (an answer after the clock), crashed or timeout (no
	// answer).
	fault string
	// plies are the moves after the opening that stand; cut tells that the last one
	// played does not.
	plies int
	cut   bool
}

func (e end) token(black, white string) string {
	return compat.Result(e.winner, black, white, "1/2-1/2")
}

// endOf puts a result into c-gomoku-cli's words.
func endOf(g *run.Game) end {
	res := g.Outcome.Result
	e := end{winner: res.Winner(), plies: g.Outcome.Plies}
	if res.Points == [2]float64{} { // neither became ready: the first to be asked has lost
		e.winner = game.Second
	}
	colour := compat.Result(e.winner, "Black", "White", "")
	switch res.Reason {
	case gomoku.ByFive:
		e.reason = colour + " win by five connection"
	case gomoku.ByOverline:
		e.foul("overline")
	case gomoku.ByDoubleFour:
		e.foul("double four")
	case gomoku.ByDoubleThree:
		e.foul("double three")
	case game.ByIllegal:
		e.reason, e.fault = colour+" win by opponent illegal move", "illegal"
	case game.ByTime:
		e.reason, e.fault = colour+" win by time forfeit", "late"
		if g.Outcome.Faulty[e.winner.Other()] {
			e.fault = "timeout"
		}
	case game.ByStall, game.ByStart:
		e.reason, e.fault = colour+" win by time forfeit", "timeout"
	case game.ByCrash, game.ByProtocol, game.ByResource, game.ByDisconnect:
		e.reason, e.fault = colour+" win by opponent crash", "crashed"
	case game.ByResign:
		e.reason = colour + " win by adjudication"
	default:
		e.reason = "Draw by adjudication"
		if e.winner.IsPlayer() {
			e.reason = colour + " win by adjudication"
		} else if res.Reason == gomoku.ByFull {
			e.reason = "Draw by fullfilled board" //nolint:misspell // as c-gomoku-cli writes it
		}
	}
	return e
}

// foul takes back the last move, which renju forbids.
func (e *end) foul(what string) {
	e.reason, e.cut = "Black play forbidden move - "+what, true
	e.plies--
}
