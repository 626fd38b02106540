package othello

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ParsePosition reads a board line: 64 cells row by row from a1, then the side to
// move, then perhaps a semicolon and more, which is passed over. Black is X, *, B
// or #, white O, 0 or W, empty is -, . or _; letters in either case, blanks
// anywhere. It returns the board as the side to move sees it, and that side.
func ParsePosition(text string) (Board, game.Seat, error) {
	line, _, _ := strings.Cut(text, ";")
	var black, white uint64
	seen := 0
	side := game.Nobody
	for i, c := range line {
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		seat := seatOf(c)
		switch {
		case seat == game.Nobody:
			return Board{}, 0, fmt.Errorf("unexpected %q at column %d of position %q: cells are X, O and -", c, i+1, game.Shown(text, 80))
		case seen < Squares:
			switch seat {
			case game.First:
				black |= 1 << uint(seen)
			case game.Second:
				white |= 1 << uint(seen)
			}
			seen++
		case side != game.Nobody:
			return Board{}, 0, fmt.Errorf("unexpected %q after the side to move at column %d of position %q", c, i+1, game.Shown(text, 80))
		case seat == game.Dealer:
			return Board{}, 0, fmt.Errorf("65th cell %q of position %q should be the side to move, X or O", c, game.Shown(text, 80))
		default:
			side = seat
		}
	}
	switch {
	case seen < Squares:
		return Board{}, 0, fmt.Errorf("position %q has %d cells, 64 and the side to move are needed", game.Shown(text, 80), seen)
	case side == game.First:
		return Board{black, white}, side, nil
	case side == game.Second:
		return Board{white, black}, side, nil
	}
	return Board{}, 0, fmt.Errorf("position %q does not say who is to move: X or O should follow the cells", game.Shown(text, 80))
}

// seatOf returns the owner of a cell, Dealer for an empty one and Nobody for what
// is no cell.
func seatOf(c rune) game.Seat {
	switch c {
	case 'X', 'x', '*', 'B', 'b', '#':
		return game.First
	case 'O', 'o', '0', 'W', 'w':
		return game.Second
	case '-', '.', '_':
		return game.Dealer
	}
	return game.Nobody
}

// FormatPosition writes the canonical board line.
func FormatPosition(b Board, seat game.Seat) string {
	own, opp, side := byte('X'), byte('O'), byte('X')
	if seat == game.Second {
		own, opp, side = 'O', 'X', 'O'
	}
	var buf [Squares + 2]byte
	for i := range Squares {
		switch {
		case b.Own>>uint(i)&1 != 0:
			buf[i] = own
		case b.Opp>>uint(i)&1 != 0:
			buf[i] = opp
		default:
			buf[i] = '-'
		}
	}
	buf[Squares], buf[Squares+1] = ' ', side
	return string(buf[:])
}

// ParseMove reads a square, for example "f5" or "F5", or a pass: "pa", "pas",
// "pass", "ps" or "--". Blanks around it and case have no meaning.
func ParseMove(text string) (game.Move, error) {
	s := strings.TrimSpace(text)
	if len(s) == 2 {
		x, y := s[0]|0x20, s[1]
		if x >= 'a' && x <= 'h' && y >= '1' && y <= '8' {
			return game.PlaceAt(game.Pt(int(x-'a'), int(y-'1'))), nil
		}
	}
	switch strings.ToLower(s) {
	case "pa", "pas", "pass", "ps", "--":
		return game.PassMove(), nil
	}
	return game.Move{}, fmt.Errorf("%q is no move: a1 to h8, or pa to pass", game.Shown(text, 80))
}

// FormatMove writes the canonical text of a decision: "f5", or "pa".
func FormatMove(m game.Move) string {
	switch {
	case m.Op == game.Pass:
		return "pa"
	case m.Op == game.Place && m.To.On(Size, Size):
		return squareNames[2*m.To.Index(Size) : 2*m.To.Index(Size)+2]
	}
	return m.String()
}

// squareNames holds the names of all squares behind each other.
const squareNames = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4" +
	"a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8"

// Compose implements rules.Composer.
func (r *Rules) Compose(v *game.View) (string, rules.Doubt) {
	var doubt rules.Doubt
	for _, i := range [...]int{27, 28, 35, 36} { // d4 e4 d5 e5
		if v.Cells[i].Piece == 0 {
			doubt = rules.Doubt{Code: rules.DoubtMissing}
		}
	}
	return strings.ReplaceAll(grid.RowsOf(v, "BW", "XO-"), "/", "") + " " + "XO"[v.Turn.Seat&1:][:1], doubt
}
