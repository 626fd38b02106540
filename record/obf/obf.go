// Package obf reads Othello problem files: one position per line with
// the score of every move, as the endgame suites are published (.obf), and bare
// positions as scripts of Edax hold them (.script, .scr).
package obf

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// squares of the only board that the format knows.
const squares = 64

// Position is one line: a position with what is known of its moves.
type Position struct {
	// Cells are 64 letters row by row from a1: 'X' black, 'O' white, '-' empty.
	Cells string
	// ToMove is First for Black (X), Second for White.
	ToMove game.Seat
	// Moves are scored moves in the order of the file, best first.
	Moves []Scored
	// Others bounds the score of the legal moves that are not listed, if
	// HasOthers; files write it as "--:-127".
	Others    int
	HasOthers bool
	// Comment is what follows a % on the line.
	Comment string
	// Line is where the position stands in its file, from 1.
	Line int
}

// Scored is a move with its score: discs, for the side to move.
type Scored struct {
	Move  game.Move
	Score int
}

// Text returns the position in the text form of Othello: cells, a blank, X or O.
func (p *Position) Text() string {
	if p.ToMove == game.Second {
		return p.Cells + " O"
	}
	return p.Cells + " X"
}

// Best returns the highest score of the listed moves and the moves that have it;
// none if the line lists no moves.
func (p *Position) Best() (score int, moves []game.Move) {
	for i, m := range p.Moves {
		if i == 0 || m.Score > score {
			score, moves = m.Score, moves[:0]
		}
		if m.Score == score {
			moves = append(moves, m.Move)
		}
	}
	return score, moves
}

// Read returns the positions of a file. Lines that cannot be read are left out
// and joined in the error as *record.Error; lines that are empty or begin with %
// hold none.
func Read(data []byte) ([]Position, error) {
	var list []Position
	var errs []error
	n := 0
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		n++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '%' {
			continue
		}
		p, column, err := parseLine(text)
		if err != nil {
			errs = append(errs, record.Errorf(n, column, "%v", err))
			continue
		}
		p.Line = n
		list = append(list, p)
	}
	return list, errors.Join(errs...)
}

// Parse reads one line.
func Parse(line string) (Position, error) {
	p, _, err := parseLine(strings.TrimSpace(line))
	return p, err
}

func parseLine(text string) (p Position, column int, err error) {
	body, comment, _ := strings.Cut(text, "%")
	p.Comment = strings.TrimSpace(comment)
	board, rest, _ := strings.Cut(body, ";")
	if column, err = p.board(board); err != nil {
		return p, column, err
	}
	at := len(board) + 1
	for rest != "" {
		var item string
		item, rest, _ = strings.Cut(rest, ";")
		if err := p.item(strings.TrimSpace(item)); err != nil {
			return p, at + 1, err
		}
		at += len(item) + 1
	}
	return p, 0, nil
}

func (p *Position) board(text string) (column int, err error) {
	cells := make([]byte, 0, squares+1)
	for i := range len(text) {
		var c byte
		switch text[i] {
		case 'X', 'x', '*', 'B', 'b':
			c = 'X'
		case 'O', 'o', '0', 'W', 'w':
			c = 'O'
		case '-', '.', '_':
			c = '-'
		case ' ', '\t':
			continue
		default:
			return i + 1, fmt.Errorf("%q is no cell, write X O - and the side to move", text[i])
		}
		if len(cells) > squares {
			return i + 1, fmt.Errorf("more than %d cells and a side to move", squares)
		}
		cells = append(cells, c)
	}
	if len(cells) != squares+1 {
		return 1, fmt.Errorf("%d cells and sides, a position has %d cells and one side", len(cells), squares)
	}
	switch cells[squares] {
	case 'O':
		p.ToMove = game.Second
	case '-':
		return len(text), errors.New("the side to move is empty, must be X or O")
	}
	p.Cells = string(cells[:squares])
	return 0, nil
}

func (p *Position) item(text string) error {
	if text == "" {
		return nil
	}
	mv, score, ok := strings.Cut(text, ":")
	if !ok {
		return fmt.Errorf("%q is no scored move, write move:score", text)
	}
	n, err := strconv.Atoi(strings.TrimSpace(score))
	if err != nil || n < -127 || n > 127 {
		return fmt.Errorf("%q is no score in discs", score)
	}
	mv = strings.ToLower(strings.TrimSpace(mv))
	if mv == "--" && n < -squares {
		p.Others, p.HasOthers = n, true
		return nil
	}
	m, ok := parseMove(mv)
	if !ok {
		return fmt.Errorf("%q is no move, write a square or --", mv)
	}
	p.Moves = append(p.Moves, Scored{Move: m, Score: n})
	return nil
}

func parseMove(s string) (game.Move, bool) {
	switch s {
	case "--", "pa", "ps", "pass":
		return game.PassMove(), true
	}
	if len(s) != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8' {
		return game.Move{}, false
	}
	return game.PlaceAt(game.Pt(int(s[0]-'a'), int(s[1]-'1'))), true
}
