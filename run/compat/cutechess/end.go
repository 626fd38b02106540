package cutechess

import (
	"strings"

	"kibitz/game"
)

// End is how a game ended in cutechess-cli's words.
type End struct {
	Token  string // 1-0, 0-1 or 1/2-1/2
	Kind   Kind
	Reason string
}

// Kind is what cutechess-cli counts endings by.
type Kind int

// The kinds of endings; those from OnTime to Stalled are losses by a fault.
const (
	Regular Kind = iota // by the rules, a resignation or adjudication
	OnTime
	Illegal
	Disconnected
	Stalled
	DrawByRules
	DrawAdjudicated
	DrawAgreed
)

// faulty reports whether the loser went wrong.
func (k Kind) faulty() bool { return k >= OnTime && k <= Stalled }

// EndOf puts a result into cutechess-cli's words. answer is what an engine sent that is
// illegal, empty if nobody knows.
func EndOf(res game.Result, answer string) End {
	if res.Points == [2]float64{} { // neither became ready
		return End{Token: "*", Kind: Disconnected, Reason: "No result"}
	}
	e := End{Token: "1/2-1/2"}
	winner, loser := "", ""
	switch res.Winner() {
	case game.First:
		e.Token, winner, loser = "1-0", "White", "Black"
	case game.Second:
		e.Token, winner, loser = "0-1", "Black", "White"
	}
	drawn := winner == ""
	switch res.Reason {
	case game.ByTime:
		e.Kind, e.Reason = OnTime, loser+" loses on time"
	case game.ByIllegal:
		e.Kind, e.Reason = Illegal, loser+" makes an illegal move"
		if answer != "" {
			e.Reason += ": " + answer
		}
	case game.ByCrash, game.ByDisconnect, game.ByResource, game.ByStart, game.ByProtocol:
		e.Kind, e.Reason = Disconnected, loser+" disconnects"
	case game.ByStall:
		e.Kind, e.Reason = Stalled, loser+"'s connection stalls"
	case game.ByResign:
		e.Reason = loser + " resigns"
	case game.ByAgreement:
		e.Kind, e.Reason = DrawAgreed, "Draw by agreement"
		if !drawn {
			e.Kind, e.Reason = Regular, winner+" wins by agreement"
		}
	case game.ByAdjudication:
		e.Kind, e.Reason = DrawAdjudicated, "Draw by adjudication"
		if !drawn {
			e.Kind, e.Reason = Regular, winner+" wins by adjudication"
		} else if strings.HasPrefix(res.Detail, "the limit of ") {
			e.Reason += ": maximal game length"
		}
	default:
		e.Reason = winner + " wins"
		if drawn {
			e.Kind, e.Reason = DrawByRules, "Draw by stalemate"
			if res.Reason != "full" {
				e.Reason = "Drawn game"
			}
		}
	}
	return e
}
