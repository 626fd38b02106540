package game

// Reason says why a game ended, in one lower-case word. A game has end codes of
// its own (listed by its rules); all other endings are the constants below, and
// no others exist.
type Reason string

// The reasons that are not a game's own end code.
const (
	ByResign       Reason = "resign"       // the loser gave up
	ByTime         Reason = "time"         // the clock ran out
	ByIllegal      Reason = "illegal"      // a decision that the rules forbid
	ByCrash        Reason = "crash"        // the process ended or closed its output
	ByStall        Reason = "stall"        // alive and silent, where no clock runs
	ByProtocol     Reason = "protocol"     // an answer that the protocol does not know
	ByResource     Reason = "resource"     // memory, output or another limit exceeded
	ByStart        Reason = "start"        // never became ready
	ByDisconnect   Reason = "disconnect"   // a remote seat went away
	ByAdjudication Reason = "adjudication" // decided by the run's rules or a person
	ByAgreement    Reason = "agreement"    // both sides agreed
	ByAbort        Reason = "abort"        // stopped without a verdict
)

// Forfeit reports whether whoever loses by the reason broke off or broke the rules, and was not
// beaten on the board: a resignation is none.
func (r Reason) Forfeit() bool {
	switch r {
	case ByTime, ByIllegal, ByCrash, ByStall, ByProtocol, ByResource, ByStart, ByDisconnect:
		return true
	}
	return false
}

// Result is the outcome of a game.
type Result struct {
	// Points are the match points of both seats: 1 and 0 for a win, ½ each for a
	// draw, 0 and 0 for an aborted game. A run may weigh them otherwise later.
	Points [2]float64
	// Board is the score on the board, where the game has one (HasBoard), in the
	// game's own unit: discs, points, boxes.
	Board    [2]float64
	HasBoard bool
	// Reason is one word: the game's own end code or one of the constants.
	Reason Reason
	// Detail is the evidence in one line for people; it is never parsed.
	Detail string
}

// Winner returns the seat with more points, Nobody for a draw or an aborted game.
func (r Result) Winner() Seat {
	switch {
	case r.Points[0] > r.Points[1]:
		return First
	case r.Points[1] > r.Points[0]:
		return Second
	default:
		return Nobody
	}
}

// Draw reports whether both seats share the points.
func (r Result) Draw() bool { return r.Points[0] == r.Points[1] && r.Points[0] > 0 }

// Win returns a result in which seat s has won.
func Win(s Seat, why Reason, detail string) Result {
	r := Result{Reason: why, Detail: detail}
	r.Points[s] = 1
	return r
}

// Drawn returns a drawn result.
func Drawn(why Reason, detail string) Result {
	return Result{Points: [2]float64{0.5, 0.5}, Reason: why, Detail: detail}
}
