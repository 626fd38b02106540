package readfile

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
)

// mostMove is how long move.txt may be: some engines leave notes behind their ply.
const mostMove = 4096

// ReadMove reads move.txt: the action, from, to and a reserved number, separated by
// blanks or line ends.
//
//	0 b3 b4 0    move or capture
//	1 b3 b3 0    flip; "1 b3 0 0" and "0 b3 b3" are flips too
//	2 a0 a0 0    resignation
//
// What follows the squares may be missing, and what follows the reserved number is
// not looked at.
func ReadMove(text []byte) (game.Move, error) {
	if len(text) > mostMove {
		return game.Move{}, fmt.Errorf("%s has more than %d bytes", MoveFile, mostMove)
	}
	f := strings.Fields(strings.TrimPrefix(strings.Trim(string(text), "\x00\x1a"), "\ufeff"))
	if len(f) == 0 {
		return game.Move{}, fmt.Errorf("%s is empty: it should say like 0 b3 b4 0", MoveFile)
	}
	switch f[0] {
	case "0":
		from, err := square(f, 1)
		if err != nil {
			return game.Move{}, err
		}
		to, err := square(f, 2)
		if err != nil {
			return game.Move{}, err
		}
		switch {
		case from == grid.DarkResign && to == grid.DarkResign:
			return game.ResignMove(), nil
		case !from.On(grid.DarkWidth, grid.DarkHeight) || !to.On(grid.DarkWidth, grid.DarkHeight):
			return game.Move{}, fmt.Errorf("%s %s: squares go from a1 to d8", f[1], f[2])
		case from == to:
			return game.FlipAt(from), nil
		}
		return game.ShiftTo(from, to), nil
	case "1":
		at, err := square(f, 1)
		switch {
		case err != nil:
			return game.Move{}, err
		case at == grid.DarkResign:
			return game.ResignMove(), nil
		case !at.On(grid.DarkWidth, grid.DarkHeight):
			return game.Move{}, fmt.Errorf("%s: squares go from a1 to d8", f[1])
		}
		return game.FlipAt(at), nil
	case "2":
		return game.ResignMove(), nil
	}
	return game.Move{}, fmt.Errorf("%q is no action: 0 moves, 1 flips, 2 resigns", clip(f[0]))
}

func square(words []string, i int) (game.Point, error) {
	if i >= len(words) {
		return game.NoPoint, fmt.Errorf("%q lacks a square: it should say like 0 b3 b4 0", clip(strings.Join(words, " ")))
	}
	p, rest, ok := grid.ReadDarkSquare([]byte(words[i]))
	if !ok || len(rest) > 0 {
		return game.NoPoint, fmt.Errorf("%q is no square: they go from a1 to d8", clip(words[i]))
	}
	return p, nil
}

// AppendMove writes what ReadMove reads, a word to a line.
func AppendMove(dst []byte, m game.Move) ([]byte, error) {
	action, from, to := byte('0'), m.From, m.To
	switch m.Op {
	case game.Shift:
	case game.Flip:
		action, from = '1', m.To
	case game.Resign:
		return append(dst, "2\na0\na0\n0\n"...), nil
	default:
		return dst, fmt.Errorf("%s has no words for %s", MoveFile, m)
	}
	dst = append(dst, action, '\n')
	dst = append(grid.AppendDarkSquare(dst, from), '\n')
	dst = append(grid.AppendDarkSquare(dst, to), '\n')
	return append(dst, "0\n"...), nil
}

// clip shortens a text for a message that escapes its control characters: they are evidence.
func clip(s string) string {
	if r := []rune(strings.ToValidUTF8(s, "?")); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return strings.ToValidUTF8(s, "?")
}
