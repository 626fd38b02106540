package gamebase

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"

	"kibitz/game"
)

// Game is one game of a base.
type Game struct {
	// ID is its number in the base, from 1.
	ID      int64
	Spec    game.Spec
	Start   string // the start position, empty for the initial one
	Players [2]string
	Event   string
	Round   string
	Place   string
	Date    string
	Opening string
	// Source names the file that the game came from.
	Source string
	// Result is nil if it is not known.
	Result *game.Result
	// Moves are all decisions, those of the dealer included; Refused marks attempts
	// that did not stand, and is nil if there are none.
	Moves   []game.Move
	Refused []bool
}

// Year returns the first number of four digits in the date, 0 without one.
func (g *Game) Year() int {
	run := 0
	for i := 0; i <= len(g.Date); i++ {
		if i < len(g.Date) && g.Date[i] >= '0' && g.Date[i] <= '9' {
			run++
			continue
		}
		if run == 4 {
			n, err := strconv.Atoi(g.Date[i-4 : i])
			if err == nil {
				return n
			}
		}
		run = 0
	}
	return 0
}

// print identifies a game: the moves, the players, the date. Games that agree in
// these are one game, whatever file they come from.
func (g *Game) print(moves []byte) []byte {
	b := make([]byte, 0, 256+len(moves))
	for _, s := range [...]string{string(g.Spec), g.Start, g.Players[0], g.Players[1], g.Date} {
		b = append(append(strconv.AppendInt(b, int64(len(s)), 10), ':'), s...)
	}
	b = append(append(strconv.AppendInt(b, int64(len(moves)), 10), ':'), moves...)
	sum := sha256.Sum256(b)
	return sum[:16]
}

// Fields of a packed move: the operation, then what it uses.
const (
	hasFrom  = 1 << 5
	hasArg   = 1 << 6
	wasFalse = 1 << 7 // refused
)

// appendMove writes a move in three bytes where a stone is placed, a few more elsewhere;
// head is wasFalse or 0.
func appendMove(b []byte, m game.Move, head byte) []byte {
	head |= byte(m.Op)
	if m.From != game.NoPoint {
		head |= hasFrom
	}
	if m.Arg != 0 {
		head |= hasArg
	}
	b = append(b, head, byte(m.To.X), byte(m.To.Y))
	if head&hasFrom != 0 {
		b = append(b, byte(m.From.X), byte(m.From.Y))
	}
	if head&hasArg != 0 {
		b = binary.BigEndian.AppendUint16(b, uint16(m.Arg))
	}
	return b
}

// readMove reads a move, its head and what stands behind it; false if it is cut off.
func readMove(b []byte) (m game.Move, head byte, rest []byte, ok bool) {
	if len(b) < 3 {
		return m, 0, nil, false
	}
	head = b[0]
	m = game.Move{
		Op: game.Op(head &^ (hasFrom | hasArg | wasFalse)), From: game.NoPoint,
		To: game.Point{X: int8(b[1]), Y: int8(b[2])},
	}
	b = b[3:]
	if head&hasFrom != 0 {
		if len(b) < 2 {
			return m, 0, nil, false
		}
		m.From, b = game.Point{X: int8(b[0]), Y: int8(b[1])}, b[2:]
	}
	if head&hasArg != 0 {
		if len(b) < 2 {
			return m, 0, nil, false
		}
		m.Arg, b = int16(binary.BigEndian.Uint16(b)), b[2:]
	}
	return m, head, b, true
}

// packMoves writes the moves of a game one after the other.
func (g *Game) packMoves() []byte {
	b := make([]byte, 0, 3*len(g.Moves))
	for i, m := range g.Moves {
		head := byte(0)
		if i < len(g.Refused) && g.Refused[i] {
			head = wasFalse
		}
		b = appendMove(b, m, head)
	}
	return b
}

func (g *Game) unpackMoves(data []byte) error {
	for i := 0; len(data) > 0; i++ {
		m, head, rest, ok := readMove(data)
		if !ok {
			return fmt.Errorf("the moves of game %d are cut off", g.ID)
		}
		data = rest
		g.Moves = append(g.Moves, m)
		if head&wasFalse != 0 {
			for len(g.Refused) < i {
				g.Refused = append(g.Refused, false)
			}
			g.Refused = append(g.Refused, true)
		}
	}
	if g.Refused != nil {
		for len(g.Refused) < len(g.Moves) {
			g.Refused = append(g.Refused, false)
		}
	}
	return nil
}

// Visit is one position of a game with the move that was played there.
type Visit struct {
	Key int64
	// Move is the kept form of the move (Place.Canon), 0 where the game ended.
	Move int64
	// Seat is who was on turn, or would have been had the game gone on; results are
	// counted for it. Nobody's are counted for the first seat.
	Seat game.Seat
}

// Entry is a game to add, with its positions in order.
type Entry struct {
	Game   Game
	Visits []Visit
}
