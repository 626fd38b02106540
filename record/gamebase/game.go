package gamebase

import (
	"bytes"
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
	h := sha256.New()
	for _, s := range []string{string(g.Spec), g.Start, g.Players[0], g.Players[1], g.Date, string(moves)} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(s), s) // writing to a hash cannot fail
	}
	return h.Sum(nil)[:16]
}

// Fields of a packed move: the operation, then what it uses.
const (
	hasFrom  = 1 << 5
	hasArg   = 1 << 6
	wasFalse = 1 << 7 // refused
)

// packMoves writes moves in three bytes where a stone is placed, a few more
// elsewhere.
func (g *Game) packMoves() []byte {
	var b []byte
	for i, m := range g.Moves {
		head := byte(m.Op)
		if m.From != game.NoPoint {
			head |= hasFrom
		}
		if m.Arg != 0 {
			head |= hasArg
		}
		if i < len(g.Refused) && g.Refused[i] {
			head |= wasFalse
		}
		b = append(b, head, byte(m.To.X), byte(m.To.Y))
		if head&hasFrom != 0 {
			b = append(b, byte(m.From.X), byte(m.From.Y))
		}
		if head&hasArg != 0 {
			b = binary.BigEndian.AppendUint16(b, uint16(m.Arg))
		}
	}
	return b
}

func (g *Game) unpackMoves(data []byte) error {
	r := bytes.NewReader(data)
	for i := 0; r.Len() > 0; i++ {
		var head [3]byte
		if _, err := r.Read(head[:]); err != nil {
			return err
		}
		m := game.Move{
			Op: game.Op(head[0] &^ (hasFrom | hasArg | wasFalse)), From: game.NoPoint,
			To: game.Point{X: int8(head[1]), Y: int8(head[2])},
		}
		if head[0]&hasFrom != 0 {
			var p [2]byte
			if n, _ := r.Read(p[:]); n < len(p) {
				return fmt.Errorf("the moves of game %d are cut off", g.ID)
			}
			m.From = game.Point{X: int8(p[0]), Y: int8(p[1])}
		}
		if head[0]&hasArg != 0 {
			var p [2]byte
			if n, _ := r.Read(p[:]); n < len(p) {
				return fmt.Errorf("the moves of game %d are cut off", g.ID)
			}
			m.Arg = int16(binary.BigEndian.Uint16(p[:]))
		}
		g.Moves = append(g.Moves, m)
		if head[0]&wasFalse != 0 {
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
