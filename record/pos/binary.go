package pos

import (
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
