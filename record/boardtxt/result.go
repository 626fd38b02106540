package boardtxt

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
)

// End codes of the game.
const (
	captureAll game.Reason = "captureall"
	noMove     game.Reason = "nomove"
	noEatFlip  game.Reason = "noeatflip"
	longCatch  game.Reason = "longcatch"
)

// types are the words by which servers say why a game ended. Normal and NoMove are
// both used for a side that has no pieces left and for one that cannot move: the
// board tells which.
var types = []struct {
	word string
	why  game.Reason
}{
	{"Normal", captureAll},
	{"NoMove", captureAll},
	{"NoEatFlip", noEatFlip},
	{"NoEatFlipDraw", noEatFlip},
	{"LongCatch", longCatch},
	{"PositionRepetitionDraw", longCatch},
	{"Resign", game.ByResign},
	{"RoundTimeout", game.ByTime},
	{"Timeout", game.ByTime}, // and TimeOut
	{"MoveError", game.ByIllegal},
	{"Disconnect", game.ByDisconnect},
	{"DrawAgreed", game.ByAgreement},
	{"Adjudication", game.ByAdjudication},
	{"Abort", game.ByAbort},
}

// Reason returns why a game ended, from a server's word for it, with or without the
// numbers behind ("PositionRepetitionDraw,3,4").
func Reason(word string) (game.Reason, bool) {
	word, _, _ = strings.Cut(word, ",")
	for _, t := range types {
		if strings.EqualFold(t.word, word) {
			return t.why, true
		}
	}
	return "", false
}

// Type returns the server's word for why a game ended. The old servers have one
// word for time, illegal plies and the two ends without pieces and without moves.
func Type(why game.Reason, form Form) string {
	room := form == Room
	switch why {
	case captureAll, noMove:
		if room {
			return "NoMove"
		}
		return "Normal"
	case noEatFlip:
		if room {
			return "NoEatFlipDraw"
		}
		return "NoEatFlip"
	case longCatch:
		if room {
			return "PositionRepetitionDraw"
		}
		return "LongCatch"
	case game.ByResign:
		return "Resign"
	case game.ByTime, game.ByStall:
		if room {
			return "TimeOut"
		}
		return "RoundTimeout"
	case game.ByIllegal, game.ByProtocol:
		return "MoveError"
	case game.ByCrash, game.ByDisconnect, game.ByResource, game.ByStart:
		return "Disconnect"
	case game.ByAgreement:
		return "DrawAgreed"
	case game.ByAdjudication:
		return "Adjudication"
	case game.ByAbort:
		return "Abort"
	}
	return "Normal"
}

// outcome is what a result line or the name of a file tells.
type outcome struct {
	word   string // the server's word, empty if it is not told
	winner game.Seat
	known  bool // who has won, or that nobody has
	draw   bool
}

// readResult reads a result line:
//
//	Draws
//	alice wins
//	NoMove alice wins 1,0
//	TimeOut alice Wins 1.000000,0.000000
//	PositionRepetitionDraw,3,4 alice Draw 0.500000,0.500000
//	NoEatFlipDraw Draw
func readResult(text string, names [2]string) (outcome, error) {
	o := outcome{winner: game.Nobody}
	f := strings.Fields(text)
	if len(f) == 0 {
		return o, nil
	}
	if points, is := readPoints(f[len(f)-1]); is {
		f = f[:len(f)-1]
		o.known = true
		switch {
		case points[0] > points[1]:
			o.winner = game.First
		case points[1] > points[0]:
			o.winner = game.Second
		default:
			o.draw = points[0] > 0
		}
	}
	if len(f) > 1 && !seated(strings.Join(f[:len(f)-1], " "), names) {
		if _, is := Reason(f[0]); is {
			o.word, f = f[0], f[1:]
		}
	}
	if len(f) == 0 {
		if !o.known {
			return o, fmt.Errorf("the result %q does not say who has won", text)
		}
		return o, nil
	}
	name := strings.Join(f[:len(f)-1], " ")
	switch strings.ToLower(f[len(f)-1]) {
	case "draw", "draws":
		o.known, o.draw, o.winner = true, true, game.Nobody
	case "wins", "win":
		if o.known && !o.draw && o.winner.IsPlayer() {
			break // the points are clearer than names
		}
		o.known = false
		for s, n := range names {
			if same(name, n, s) && !same(name, names[1-s], 1-s) {
				o.known, o.draw, o.winner = true, false, game.Seat(s)
			}
		}
		if !o.known {
			return o, fmt.Errorf("the result %q does not say which of the two has won", text)
		}
	default:
		if !o.known {
			return o, fmt.Errorf("the result %q does not say who has won", text)
		}
	}
	return o, nil
}

// seated reports whether a text is the name of a player.
func seated(text string, names [2]string) bool {
	return same(text, names[0], 0) || same(text, names[1], 1)
}

// same compares a name with that of a seat as it is written.
func same(text, name string, seat int) bool {
	return text == CleanName(name) && text != "" || name == "" && text == nobody(seat)
}

// readPoints reads "1,0" and "0.500000,0.500000".
func readPoints(text string) (p [2]float64, ok bool) {
	if strings.Count(text, ",") != 1 || strings.Trim(text, "0123456789.,") != "" {
		return p, false
	}
	n, err := fmt.Sscanf(text, "%g,%g", &p[0], &p[1])
	return p, n == 2 && err == nil
}

// resultLine writes what readResult reads.
func (f *File) resultLine(word string) string {
	names := f.Names
	for s := range names {
		if names[s] = CleanName(names[s]); names[s] == "" {
			names[s] = nobody(s)
		}
	}
	who, what, points := names[0], "Draw", "0.5,0.5"
	if f.winner.IsPlayer() {
		who, what, points = names[f.winner], "wins", [2]string{"1,0", "0,1"}[f.winner]
	}
	switch {
	case f.Form == Room:
		return strings.Join([]string{word, who, what, points}, " ")
	case f.winner.IsPlayer():
		return who + " wins"
	}
	return "Draws"
}

// tail looks at the end of a game: how many plies in a row were quiet, and who has
// pieces left.
func (f *File) tail() (quiet int, last Board) {
	b := f.Start
	for _, ply := range f.Plies {
		if b.play(ply) {
			quiet++
		} else {
			quiet = 0
		}
	}
	return quiet, b
}

// The cycles that the repetition rule knows, in plies.
const (
	shortCycle = 4
	longCycle  = 16
)

// cycle returns the length of the sequence that the last plies repeat n times, 0
// if they do not.
func (f *File) cycle(n int) int {
	for l := shortCycle; l <= longCycle; l += shortCycle {
		if k := len(f.Plies) - n*l; k >= 0 && repeats(f.Plies[k:], l) {
			return l
		}
	}
	return 0
}

// repeats reports whether plies are one sequence of l again and again.
func repeats(plies [][]game.Move, l int) bool {
	for i := l; i < len(plies); i++ {
		if !slices.Equal(plies[i], plies[i-l]) {
			return false
		}
	}
	return true
}
