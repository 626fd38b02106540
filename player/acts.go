package player

import (
	"time"

	"kibitz/game"
)

// Deed is what a seat does beside its moves. A deed is never taken for the answer to
// a prompt, and takes none away.
type Deed string

// The deeds. What is asked of the opponent stands until he answers it or makes his
// next move, which declines it, until it is withdrawn or another thing is asked
// instead, and until moves are taken back. A forced pass is no answer.
const (
	// Resign gives the game up.
	Resign Deed = "resign"
	// AskDraw, AskUndo and AskAbort ask the opponent. Who cannot be asked lets moves
	// be taken back and a game be aborted at once; he agrees to no draw.
	AskDraw  Deed = "draw"
	AskUndo  Deed = "undo"
	AskAbort Deed = "abort"
	// AskPause lets the game stand still, AskResume go on.
	AskPause  Deed = "pause"
	AskResume Deed = "resume"
	// Accept and Decline answer what the opponent asks, Withdraw takes back what the
	// seat asks itself.
	Accept   Deed = "accept"
	Decline  Deed = "decline"
	Withdraw Deed = "withdraw"
	// MoveNow has the opponent, an engine that can be told so, answer at once with what it
	// has; SetLimit lets it think for Act.Limit in each turn from now on, the running one
	// included. Neither takes time from its clock or gives it any.
	MoveNow  Deed = "now"
	SetLimit Deed = "limit"
)

// LatestTurn is the ply of an AskUndo that takes back the seat's own latest turn and
// all that came after it.
const LatestTurn = -1

// Act is one deed.
type Act struct {
	// ID names the act: the same one again has no further effect and gets the same
	// answer. It may be empty where nothing is sent twice.
	ID string `json:"id,omitempty"`
	Do Deed   `json:"do"`
	// Ply is for AskUndo: how many decisions stay, those of the opening and of chance
	// included. A turn begins there. LatestTurn chooses by itself.
	Ply int `json:"ply,omitempty"`
	// Ask is for Accept and Decline: the number of what is answered, so that nothing
	// else is; 0 is whatever stands.
	Ask int `json:"ask,omitempty"`
	// Limit is for SetLimit, in milliseconds; 0 is none any more.
	Limit int `json:"limit,omitempty"`
}

// Effect is what became of an act.
type Effect string

// The effects.
const (
	Refused Effect = "refused" // nothing happened, for the reason given
	Asked   Effect = "asked"   // the opponent is asked
	Done    Effect = "done"    // it has happened
)

// Reply answers an act.
type Reply struct {
	Effect Effect `json:"effect"`
	// Why is why it was refused.
	Why game.Why `json:"why,omitzero"`
	// Ask is the number of what the opponent is asked.
	Ask int `json:"ask,omitempty"`
}

// Why an act is refused, or an answer to a question. Those with a name are about that player,
// those with N about so many turns or decisions.
const (
	NoGame    game.WhyCode = "over"     // the game is over, or is being stopped
	NotBegun  game.WhyCode = "notbegun" // it has not begun
	NoDraws   game.WhyCode = "nodraw"   // the game knows no offers of a draw
	NoAborts  game.WhyCode = "noabort"  // its players cannot abort it
	NoUndos   game.WhyCode = "noundo"   // nothing is taken back in it
	NotPerson game.WhyCode = "engine"   // Name cannot be asked
	Repeated  game.WhyCode = "declined" // that was declined: a move comes before the next try
	TooSoon   game.WhyCode = "soon"     // a draw can be offered again after N turns of one's own
	NotAsking game.WhyCode = "asking"   // the seat asks for nothing
	Unasked   game.WhyCode = "unasked"  // that is not asked any more
	Rigid     game.WhyCode = "rigid"    // Name cannot follow when moves are taken back
	NoMove    game.WhyCode = "nomove"   // the seat has made no move that could be taken back
	NoTurn    game.WhyCode = "noturn"   // no turn begins after N decisions
	Given     game.WhyCode = "given"    // the opening cannot be taken back
	NoDeed    game.WhyCode = "nodeed"   // that is nothing that a seat can do
	Held      game.WhyCode = "held"     // an arbiter has paused the game
	AsIs      game.WhyCode = "same"     // it is so already
	// OffTurn, Illegal and Overtaken refuse answers: it is not the seat's turn, or no decision
	// that it may make, or it was meant for another position.
	OffTurn   game.WhyCode = "turn"
	Illegal   game.WhyCode = "illegal"
	Overtaken game.WhyCode = "overtaken"
)

// DrawTurns is how many turns a seat makes between two offers of a draw.
const DrawTurns = 10

// No is the reply to an act that is refused.
func No(code game.WhyCode, text string) Reply {
	return Reply{Effect: Refused, Why: game.Why{Code: code, Text: text}}
}

// Ask is what a seat asks of the other one. Both see the same.
type Ask struct {
	// Num counts what was asked in the game, from 1.
	Num int       `json:"num"`
	By  game.Seat `json:"by"`
	// What is what is asked (AskDraw...); Ply is how many decisions stay after an
	// AskUndo.
	What Deed `json:"what"`
	Ply  int  `json:"ply,omitempty"`
	// Since is when it was asked, At after how many decisions.
	Since time.Time `json:"since"`
	At    int       `json:"at"`
	// Until is with how many decisions it stands at the most, as far as is known: it
	// grows while the asker's own turn goes on.
	Until int `json:"until"`
}

// Asks is all that is asked at a moment, at most one thing by each seat. A higher Seq
// replaces a lower one. The list is not changed any more.
type Asks struct {
	Seq  int   `json:"seq"`
	List []Ask `json:"list,omitempty"`
	// DrawFrom is how many turns of its own each seat must have made before it may offer a draw
	// again, 0 if it has not offered one.
	DrawFrom [2]int `json:"drawFrom,omitzero"`
}

// Desk is where a seat acts in a running game. Its methods are safe for any goroutine,
// but not from within Tell and Asked, and wait for no player.
type Desk interface {
	// Act does something, and calls told once with what came of it, before it returns
	// or from another goroutine; told does not come back to the desk.
	Act(a Act, told func(Reply))
	// Answering tells that the running Choose of the seat is about to return with an
	// answer, and reports whether it still counts: what was done before has withdrawn
	// the question if not. What is done from now on comes after the answer.
	Answering() bool
}

// Actor is implemented by players that act beside their moves: people, and whoever
// plays from elsewhere.
type Actor interface {
	// Attend gives the player its desk at the beginning of a game, and nil at its end. That
	// of a game that is over still knows the acts again that it has answered.
	Attend(d Desk)
	// CanAnswer reports whether the player can be asked at all.
	CanAnswer() bool
	// Asked tells what is asked from now on. It does not wait.
	Asked(a Asks)
}
