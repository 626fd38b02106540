package ggf

import (
	"math"
	"strconv"
	"strings"

	"kibitz/game"
)

// Type is the value of a TY tag: [s] size [k] [a] [r<n>] [b|w], letters in any
// order.
type Type struct {
	Synchro, Komi, Anti bool
	// Size is 4 to 14, or 88 for the octagonal board; 0 if not said.
	Size int
	// Random is the number of discs of a random start, -1 if the type has an r
	// without a number, 0 without r.
	Random int
	// Colour is 'b' or 'w' for a fixed colour, else 0.
	Colour byte
}

// ParseType reads a match type; what it does not know makes it false.
func ParseType(text string) (Type, bool) {
	var t Type
	for i := 0; i < len(text); {
		c := text[i] | 0x20
		i++
		switch {
		case text[i-1] >= '0' && text[i-1] <= '9':
			n, used := leadingInt(text[i-1:])
			if t.Size != 0 || n > 88 {
				return t, false
			}
			t.Size = n
			i += used - 1
		case c == 's':
			t.Synchro = true
		case c == 'k':
			t.Komi = true
		case c == 'a':
			t.Anti = true
		case c == 'r':
			n, used := leadingInt(text[i:])
			if used == 0 {
				n = -1
			}
			t.Random = n
			i += used
		case c == 'b' || c == 'w':
			t.Colour = c
		default:
			return t, false
		}
	}
	return t, true
}

func leadingInt(s string) (n, used int) {
	for used < len(s) && used < 6 && s[used] >= '0' && s[used] <= '9' {
		n = 10*n + int(s[used]-'0')
		used++
	}
	return n, used
}

// parseResult reads a RE value. squares is the number of squares of the board;
// komi is added to White's discs before the value was taken. A nil result with
// ok means unfinished or no result; words are in words.
func parseResult(value string, squares int, komi float64) (r *game.Result, words string, ok bool) {
	value = strings.TrimSpace(strings.ReplaceAll(value, "[", " ")) // as Clean writes it
	if value == "?" || value == "" {
		return nil, "", true
	}
	number, suffix, hasSuffix := strings.Cut(value, ":")
	d, isNumber := ParseNumber(strings.TrimSpace(number))
	if !isNumber || math.IsNaN(d) || math.Abs(d) > 1000 {
		return nil, value, true
	}
	why := End
	if hasSuffix {
		switch strings.ToLower(strings.TrimSpace(suffix)) {
		case "r":
			why = game.ByResign
		case "t":
			why = game.ByTime
		case "s":
			why = game.ByAgreement
		case "l":
			why = game.ByDisconnect
		default:
			return nil, value, false
		}
	}
	res := game.Drawn(why, "")
	switch {
	case d > 0:
		res = game.Win(game.First, why, "")
	case d < 0:
		res = game.Win(game.Second, why, "")
	}
	if komi != 0 {
		// The value is the difference on the board less the komi, rounded.
		d = 2 * math.Round((d+komi)/2)
	}
	if math.Abs(d) <= float64(squares) {
		res.HasBoard = true
		res.Board = [2]float64{(float64(squares) + d) / 2, (float64(squares) - d) / 2}
	}
	return &res, "", true
}

// appendResult appends the RE value of a result on a board of so many squares.
func appendResult(dst []byte, r *game.Result, squares int, komi float64) []byte {
	if r == nil {
		return append(dst, '?')
	}
	if r.Points[0] == 0 && r.Points[1] == 0 {
		return append(dst, "aborted"...)
	}
	suffix := ""
	switch r.Reason {
	case game.ByResign:
		suffix = ":r"
	case game.ByTime, game.ByStall:
		suffix = ":t"
	case game.ByAgreement, game.ByAdjudication:
		suffix = ":s"
	case game.ByDisconnect:
		suffix = ":l"
	}
	full := r.HasBoard && r.Board[0]+r.Board[1] == float64(squares)
	var d float64
	switch {
	case full: // as exact as the records of servers; the sum turns -0 into 0
		d = math.Round((r.Board[0]-r.Board[1]-komi)*1000)/1000 + 0
	case r.Draw():
	case r.Winner() == game.First:
		d = float64(squares)
	default:
		d = -float64(squares)
	}
	if d > 0 {
		dst = append(dst, '+')
	}
	dst = strconv.AppendFloat(dst, d, 'f', -1, 64)
	return append(dst, suffix...)
}
