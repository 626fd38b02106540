package pos

import (
	"fmt"

	"kibitz/game"
	"kibitz/record"
)

// The binary .pos file: a count, then one byte for each move on a board of 15 by
// 15, counted in rows from the top left; passByte is a pass.
const (
	binarySize = 15
	passByte   = 240
)

// ReadBinary reads a binary .pos file: the moves in order, black first.
func ReadBinary(data []byte) ([]game.Move, error) {
	if len(data) == 0 {
		return nil, record.Errorf(0, 0, "an empty file is no .pos file")
	}
	if n := int(data[0]); n != len(data)-1 {
		return nil, record.Errorf(0, 0, "the file announces %d moves and holds %d", n, len(data)-1)
	}
	list := make([]game.Move, 0, len(data)-1)
	for i, b := range data[1:] {
		switch {
		case int(b) < binarySize*binarySize:
			list = append(list, game.PlaceAt(game.Pt(int(b)%binarySize, int(b)/binarySize)))
		case b == passByte:
			list = append(list, game.PassMove())
		default:
			return nil, record.Errorf(0, 0, "move %d is %d: points go from 0 to 224, a pass is 240", i+1, b)
		}
	}
	return list, nil
}

// WriteBinary returns a binary .pos file. It holds at most 255 moves, stones on a
// board of 15 by 15 and passes.
func WriteBinary(moves []game.Move) ([]byte, error) {
	if len(moves) > 255 {
		return nil, fmt.Errorf("%d moves: a .pos file holds at most 255", len(moves))
	}
	b := append(make([]byte, 0, len(moves)+1), byte(len(moves)))
	for i, m := range moves {
		switch {
		case m.Op == game.Pass:
			b = append(b, passByte)
		case m.Op == game.Place && m.To.On(binarySize, binarySize):
			b = append(b, byte(m.To.Index(binarySize)))
		default:
			return nil, fmt.Errorf("move %d, %s: a .pos file holds stones on a board of 15 by 15 and passes", i+1, m)
		}
	}
	return b, nil
}
