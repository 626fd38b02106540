package ponder

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
)

// start is the message with which a game begins.
type start struct {
	board   board
	history [][]game.Move // plies
	ms      int64
}

// The old version counts pieces from 1, black ones from 9: 0 is empty, 8 face down.
func oldCell(c byte) int {
	switch c {
	case empty:
		return 0
	case hidden:
		return 8
	}
	p, _ := grid.DarkPiece(c)
	if p >= 7 {
		return p + 2
	}
	return p + 1
}

// newCell is the reverse.
func newCell(n int) (byte, bool) {
	switch {
	case n == 0:
		return empty, true
	case n == 8:
		return hidden, true
	case n >= 1 && n <= 7:
		return game.DarkChessPieces[n-1], true
	case n >= 9 && n <= 15:
		return game.DarkChessPieces[n-2], true
	}
	return 0, false
}

// appendStart appends the message without a line end.
func appendStart(dst []byte, s *start, old bool) []byte {
	dst = append(dst, "/start "...)
	for _, c := range s.board.cell {
		if old {
			dst = strconv.AppendInt(dst, int64(oldCell(c)), 10)
		} else {
			dst = append(dst, c)
		}
		dst = append(dst, ',')
	}
	for _, n := range s.board.alive {
		dst = append(strconv.AppendInt(dst, int64(n), 10), ',')
	}
	dst = append(strconv.AppendInt(dst, int64(len(s.history)), 10), ',')
	for _, ply := range s.history {
		dst = append(appendHistory(dst, ply, old), ',')
	}
	return strconv.AppendInt(dst, s.ms, 10)
}

// appendHistory appends one ply of the past.
func appendHistory(dst []byte, ply []game.Move, old bool) []byte {
	if !old {
		dst, _ = grid.AppendDarkPly(dst, ply)
		return dst
	}
	m := ply[0]
	if m.Op == game.Shift {
		return fmt.Appendf(dst, "%02d-%02d", number(m.From), number(m.To))
	}
	piece := 0
	if len(ply) > 1 {
		piece = oldCell(game.DarkChessPieces[ply[1].Arg])
	}
	return fmt.Appendf(dst, "%02d(%02d)", number(m.To), piece)
}

// parseStart reads the fields after /start.
func parseStart(text string, old bool) (start, error) {
	var s start
	f := strings.Split(strings.TrimSpace(text), ",")
	const head = squares + 14 + 1
	if len(f) < head+1 {
		return s, fmt.Errorf("/start has %d fields; it needs 32 squares, 14 counts, the number of past plies and the time", len(f))
	}
	for i := range s.board.cell {
		c, err := readCell(f[i], old)
		if err != nil {
			return s, fmt.Errorf("/start: field %d: %w", i+1, err)
		}
		s.board.cell[i] = c
	}
	for i := range s.board.alive {
		n, err := strconv.Atoi(f[squares+i])
		if err != nil || n < 0 || n > fullSet[i] {
			return s, fmt.Errorf("/start: field %d: %q is no count of the piece %c, 0 to %d",
				squares+i+1, f[squares+i], game.DarkChessPieces[i], fullSet[i])
		}
		s.board.alive[i] = n
	}
	n, err := strconv.Atoi(f[head-1])
	if err != nil || n < 0 || n != len(f)-head-1 {
		return s, fmt.Errorf("/start: %q past plies are announced and %d follow", f[head-1], len(f)-head-1)
	}
	for i, text := range f[head : head+n] {
		ply, err := readHistory(text, old)
		if err != nil {
			return s, fmt.Errorf("/start: ply %d: %w", i+1, err)
		}
		s.history = append(s.history, ply)
	}
	if s.ms, err = strconv.ParseInt(f[len(f)-1], 10, 64); err != nil {
		return s, fmt.Errorf("/start: %q is no time in milliseconds", f[len(f)-1])
	}
	return s, nil
}

func readCell(text string, old bool) (byte, error) {
	if old {
		if n, err := strconv.Atoi(text); err == nil {
			if c, ok := newCell(n); ok {
				return c, nil
			}
		}
		return 0, fmt.Errorf("%q is none of the numbers 0 to 15", text)
	}
	if len(text) == 1 {
		if _, is := grid.DarkPiece(text[0]); is || text[0] == hidden || text[0] == empty {
			return text[0], nil
		}
	}
	return 0, fmt.Errorf("%q is no piece, X or -", text)
}

func readHistory(text string, old bool) ([]game.Move, error) {
	if !old {
		ply, err := grid.ReadDarkPly(text)
		if err == nil && len(ply) == 1 && ply[0].Op != game.Shift {
			err = fmt.Errorf("%q is no ply of the past", text)
		}
		return ply, err
	}
	if len(text) < 5 {
		return nil, fmt.Errorf("%q is no ply: write 08-12, or 06(01) for a flip", text)
	}
	a, err := strconv.Atoi(text[:2])
	b, err2 := strconv.Atoi(text[3:5])
	switch {
	case errors.Join(err, err2) != nil || a < 0 || a >= squares:
		return nil, fmt.Errorf("%q is no ply: write 08-12, or 06(01) for a flip", text)
	case text[2] == '-' && b >= 0 && b < squares:
		return []game.Move{game.ShiftTo(at(a), at(b))}, nil
	}
	piece, ok := newCell(b)
	p, is := grid.DarkPiece(piece)
	if text[2] == '-' || !ok || !is {
		return nil, fmt.Errorf("%q flips no piece", text)
	}
	return []game.Move{game.FlipAt(at(a)), game.DealAt(at(a), p)}, nil
}

// appendPly appends a ply that was accepted, as the client tells it: the time left
// to the reader, and in the current version whether the game is over.
func appendPly(dst []byte, ply []game.Move, ms int64, last, old bool) []byte {
	m := ply[0]
	switch {
	case !old && m.Op == game.Shift:
		dst, _ = grid.AppendDarkPly(append(dst, "/move "...), ply)
	case !old:
		dst, _ = grid.AppendDarkPly(append(dst, "/flip "...), ply)
	case m.Op == game.Shift:
		dst = appendXY(append(appendXY(append(dst, "/move "...), m.From), ' '), m.To)
	default:
		piece := 0
		if len(ply) > 1 {
			piece = oldCell(game.DarkChessPieces[ply[1].Arg])
		}
		dst = strconv.AppendInt(append(appendXY(append(dst, "/flip "...), m.To), ' '), int64(piece), 10)
	}
	dst = strconv.AppendInt(append(dst, ' '), ms, 10)
	switch {
	case old:
	case last:
		dst = append(dst, " 1"...)
	default:
		dst = append(dst, " 0"...)
	}
	return dst
}

// appendXY appends a square as column and row, both from 0 at a1.
func appendXY(dst []byte, p game.Point) []byte {
	return append(dst, '0'+byte(p.X), ' ', '0'+byte(grid.DarkHeight-1-p.Y))
}

// parsePly reads a ply as the client tells it.
func parsePly(text string, old bool) (ply []game.Move, ms int64, last bool, err error) {
	f := strings.Fields(text)
	bad := fmt.Errorf("%q is no ply that was played", text)
	if len(f) < 2 {
		return nil, 0, false, bad
	}
	rest := f[1:]
	if old {
		n := 4
		if ply, err = readOld(f, true); err != nil {
			return nil, 0, false, err
		}
		if ply[0].Op == game.Flip {
			n = 3
		}
		rest = f[min(len(f), n+1):]
	} else {
		if ply, err = grid.ReadDarkPly(f[1]); err != nil {
			return nil, 0, false, err
		}
		rest = rest[1:]
	}
	if ply[0].Op == game.Flip && len(ply) < 2 || ply[0].Op == game.Resign {
		return nil, 0, false, bad
	}
	if len(rest) > 0 {
		if ms, err = strconv.ParseInt(rest[0], 10, 64); err != nil {
			return nil, 0, false, fmt.Errorf("%q: %q is no time in milliseconds", text, rest[0])
		}
	}
	return ply, ms, len(rest) > 1 && rest[1] == "1", nil
}

// readOld reads the numbers of the old version: four for a move; for a flip two,
// and a third for what was dealt, if told.
func readOld(f []string, told bool) ([]game.Move, error) {
	var n [4]int
	want := 2
	if f[0] == "/move" {
		want = 4
	} else if told {
		want = 3
	}
	bad := fmt.Errorf("%q: write %d numbers, columns 0 to 3 and rows 0 to 7", strings.Join(f, " "), want)
	if len(f) < want+1 {
		return nil, bad
	}
	for i := range want {
		v, err := strconv.Atoi(f[i+1])
		if err != nil {
			return nil, bad
		}
		n[i] = v
	}
	point := func(x, y int) (game.Point, bool) {
		ok := x >= 0 && x < grid.DarkWidth && y >= 0 && y < grid.DarkHeight
		if !ok {
			return game.NoPoint, false
		}
		return game.Pt(x, grid.DarkHeight-1-y), true
	}
	if n[0] == 0 && n[1] == -1 {
		return []game.Move{game.ResignMove()}, nil
	}
	from, ok := point(n[0], n[1])
	if !ok {
		return nil, bad
	}
	if f[0] == "/move" {
		to, ok := point(n[2], n[3])
		switch {
		case !ok:
			return nil, bad
		case to == from:
			return []game.Move{game.FlipAt(from)}, nil
		}
		return []game.Move{game.ShiftTo(from, to)}, nil
	}
	if !told {
		return []game.Move{game.FlipAt(from)}, nil
	}
	c, ok := newCell(n[2])
	p, is := grid.DarkPiece(c)
	if !ok || !is {
		return nil, fmt.Errorf("%q flips no piece", strings.Join(f, " "))
	}
	return []game.Move{game.FlipAt(from), game.DealAt(from, p)}, nil
}

// appendRequest appends what an engine asks for.
func appendRequest(dst []byte, m game.Move, old bool) ([]byte, error) {
	switch {
	case m.Op == game.Shift && old:
		return appendXY(append(appendXY(append(dst, "/move "...), m.From), ' '), m.To), nil
	case m.Op == game.Shift:
		dst, _ = grid.AppendDarkPly(append(dst, "/move "...), []game.Move{m})
		return dst, nil
	case m.Op == game.Flip && old:
		return appendXY(append(dst, "/flip "...), m.To), nil
	case m.Op == game.Flip:
		return grid.AppendDarkSquare(append(dst, "/flip "...), m.To), nil
	case m.Op == game.Resign && old:
		return append(dst, "/flip 0 -1"...), nil
	case m.Op == game.Resign:
		return append(dst, "/flip a0"...), nil
	}
	return dst, fmt.Errorf("the protocol has no words for %s", m)
}

// parseRequest reads what an engine asks for: "/move a2-a3", "/flip b6", and the
// resignation "/flip a0" or "/move a0-a0"; in the old version numbers. is tells
// whether the line is meant as one at all.
func parseRequest(text string, old bool) (m game.Move, is bool, err error) {
	f := strings.Fields(text)
	if len(f) == 0 || f[0] != "/move" && f[0] != "/flip" {
		return game.Move{}, false, nil
	}
	if old {
		ply, err := readOld(f, false)
		if err != nil {
			return game.Move{}, true, err
		}
		return ply[0], true, nil
	}
	arg := strings.Join(f[1:], "-")
	if f[0] == "/flip" && len(arg) == 2 {
		arg += "-" + arg
	}
	ply, err := grid.ReadDarkPly(arg)
	switch {
	case err != nil:
		return game.Move{}, true, fmt.Errorf("%q: write /move a2-a3 or /flip b6", text)
	case len(ply) > 1:
		return ply[0], true, nil // an engine that names what it flips names nothing that counts
	case f[0] == "/flip" && ply[0].Op == game.Shift:
		return game.Move{}, true, fmt.Errorf("%q: a flip names one square", text)
	}
	return ply[0], true, nil
}
