package sau

import (
	"bytes"
	"fmt"
	"slices"

	"kibitz/game"
)

// reading is what the meaning of an argument depends on beside the game.
type reading struct {
	letters *Letters
	// opening: it is the first turn of the game.
	opening bool
	// loose reads as the original platform does (rulings=sau).
	loose bool
}

// Form is how one game is played over the protocol.
type Form struct {
	// Game is the game's identifier.
	Game string
	// Argument is that of the command move.
	Argument Argument
	// Hidden: the opponent's stones are not told, and the argument depends on who is told
	// (Phantom Go).
	Hidden bool
	// Pieces: pieces move, so that a point that is read the wrong way is hardly legal. A
	// stone fits on most points.
	Pieces bool
	// Lone: the first turn is one stone, a later one two.
	Lone bool
}

// Argument is how the decisions of a turn are written.
type Argument struct {
	// read appends the decisions of an argument to dst. If it cannot, why says what is
	// wrong in words for people. Text behind the argument is passed over.
	read func(r reading, arg []byte, dst []game.Move) (steps []game.Move, why string)
	// write appends the argument for the decisions of one turn.
	write func(l *Letters, dst []byte, steps []game.Move) []byte
	// edges: the decisions are lines between dots.
	edges bool
}

// The arguments of games: a point or a pass; from and to; from, to and an arrow; two
// stones; lines between dots.
var (
	Place         = Argument{read: readPlace, write: writePoints}
	Shift         = Argument{read: readShift, write: writePoints}
	ShiftAndArrow = Argument{read: readAmazons, write: writePoints}
	TwoStones     = Argument{read: readConnect6, write: writeConnect6}
	Edges         = Argument{read: readEdges, write: writeEdges, edges: true}
)

// Forms are the games that the protocol knows.
type Forms []Form

// Games returns their identifiers.
func (l Forms) Games() []string {
	list := make([]string, len(l))
	for i := range l {
		list[i] = l[i].Game
	}
	return list
}

// of returns the form of a game, nil if there is none.
func (l Forms) of(spec game.Spec) *Form {
	i := slices.IndexFunc(l, func(f Form) bool { return f.Game == spec.ID() })
	if i < 0 {
		return nil
	}
	return &l[i]
}

// looseOf reports whether the game is played by the rulings of the original
// platform.
func looseOf(spec game.Spec) bool {
	v, _ := spec.Option("rulings")
	return v == "sau"
}

// misread says that so many points were due.
func misread(arg []byte, points int) string {
	what := fmt.Sprintf("%d points of two letters were due", points)
	if points == 1 {
		what = "a point of two letters was due"
	}
	return fmt.Sprintf("%s and %q came", what, clip(arg))
}

func readPlace(r reading, arg []byte, dst []game.Move) ([]game.Move, string) {
	if isPass(arg) {
		return append(dst, game.PassMove()), ""
	}
	p, ok := r.letters.point(arg)
	if !ok || r.letters.glued(arg, 2) {
		return dst, misread(arg, 1)
	}
	return append(dst, game.PlaceAt(p)), ""
}

func isPass(arg []byte) bool {
	return len(arg) >= len(argPass) && bytes.EqualFold(arg[:len(argPass)], []byte(argPass))
}

func pair(r reading, arg []byte) (a, b game.Point, ok bool) {
	if len(arg) < 4 {
		return a, b, false
	}
	a, okA := r.letters.point(arg)
	b, okB := r.letters.point(arg[2:])
	return a, b, okA && okB
}

func readShift(r reading, arg []byte, dst []game.Move) ([]game.Move, string) {
	from, to, ok := pair(r, arg)
	if !ok || r.letters.glued(arg, 4) {
		return dst, misread(arg, 2)
	}
	return append(dst, game.ShiftTo(from, to)), ""
}

func readAmazons(r reading, arg []byte, dst []game.Move) ([]game.Move, string) {
	from, to, ok := pair(r, arg)
	if !ok || len(arg) < 6 {
		return dst, misread(arg, 3)
	}
	arrow, ok := r.letters.point(arg[4:])
	if !ok || r.letters.glued(arg, 6) {
		return dst, misread(arg, 3)
	}
	return append(dst, game.ShiftTo(from, to), game.ShootAt(arrow)), ""
}

// readConnect6 reads "XXYY", and one stone as "XX@@" or "XX", which is a whole turn
// at the opening and where it ends the game; the rules judge that. Read loosely, one
// stone is a turn at any time, twice the same point too, and the second stone of an
// opening is passed over.
func readConnect6(r reading, arg []byte, dst []game.Move) ([]game.Move, string) {
	a, ok := r.letters.point(arg)
	if !ok {
		return dst, misread(arg, 2)
	}
	dst = append(dst, game.PlaceAt(a))
	if r.loose && r.opening {
		return dst, ""
	}
	one := len(arg) == 2 || arg[2] == ' ' || r.letters.none(arg[2:])
	if !one {
		b, ok := r.letters.point(arg[2:])
		if !ok || r.letters.glued(arg, 4) {
			return dst[:len(dst)-1], misread(arg, 2)
		}
		if r.opening {
			return dst[:len(dst)-1], fmt.Sprintf("black's first turn is one stone: %s %s", wordMove, writeConnect6(r.letters, nil, dst[len(dst)-1:]))
		}
		if a != b {
			return append(dst, game.PlaceAt(b)), ""
		}
		if !r.loose {
			return dst[:len(dst)-1], fmt.Sprintf("two different points were due and %q came", clip(arg))
		}
	}
	if r.loose {
		dst = append(dst, game.PassMove())
	}
	return dst, ""
}

func readEdges(r reading, arg []byte, dst []game.Move) ([]game.Move, string) {
	n, rest, ok := count(arg)
	if !ok || len(rest) == 0 || rest[0] != ' ' {
		return dst, fmt.Sprintf("a number of lines and the lines after one blank were due and %q came", clip(arg))
	}
	rest = rest[1:]
	if len(rest) < 3*n {
		return dst, fmt.Sprintf("%d lines of three letters were due and %q came", n, clip(rest))
	}
	for i := range n {
		m, ok := r.letters.edge(rest[3*i:])
		if !ok {
			return dst[:len(dst)-i], fmt.Sprintf("%q is no line: a direction A or B and two letters were due", clip(rest[3*i:3*i+3]))
		}
		dst = append(dst, m)
	}
	return dst, ""
}

// writePoints appends every point of the decisions in order, which is the whole
// form of most games; a pass is a word.
func writePoints(l *Letters, dst []byte, steps []game.Move) []byte {
	for i := range steps {
		switch m := &steps[i]; m.Op {
		case game.Pass:
			return append(dst, argPass...)
		case game.Shift:
			dst = l.appendPoint(l.appendPoint(dst, m.From), m.To)
		default:
			dst = l.appendPoint(dst, m.To)
		}
	}
	return dst
}

func writeConnect6(l *Letters, dst []byte, steps []game.Move) []byte {
	stones := 0
	for _, m := range steps {
		if m.Op == game.Place && stones < 2 {
			dst = l.appendPoint(dst, m.To)
			stones++
		}
	}
	for ; stones < 2; stones++ {
		dst = append(dst, l.X-1, l.Y-1)
	}
	return dst
}

func writeEdges(l *Letters, dst []byte, steps []game.Move) []byte {
	dst = append(appendInt(dst, len(steps)), ' ')
	for _, m := range steps {
		dst = l.appendEdge(dst, m)
	}
	return dst
}

// clip shortens a text for messages.
func clip(b []byte) string {
	const most = 60
	if len(b) <= most {
		return string(b)
	}
	return string(b[:most]) + "..."
}
