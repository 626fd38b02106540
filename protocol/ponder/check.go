package ponder

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/protocol"
)

// checks returns what an engine can be tested for.
func checks(board player.Position, old bool) []protocol.Check {
	list := []protocol.Row[*probe]{
		{"start", "/start and /turn are acknowledged", "manual 8.5: init_board, get_turn", false, func(p *probe) error { return p.begin(true) }},
		{"first", "the first player asks for a flip", "manual 8.5: send", false, (*probe).first},
		{"second", "the second player waits for the first ply and then asks for one", "manual 8.5: recv", false, checkSecond},
		{"round", "after its own ply and the opponent's the engine asks again", "manual 8.5: recv", false, checkRound},
		{"resume", "from a board in the middle of a game a possible ply is asked for", "manual 8.5: init_board", false, checkResume},
		{
			"points", "a square is its column and its row, counted from a1, in what is told as on the board of /start",
			"manual 8.5: recv", false, checkPoints,
		},
		{"last", "after the last ply nothing is asked any more", "manual 8.5: isLast", true, checkLast},
		{"exit", "/exit ends the process within two seconds", "client library: /exit", true, checkExit},
	}
	if old {
		list = slices.DeleteFunc(list, func(r protocol.Row[*probe]) bool { return r.ID == "last" || r.ID == "exit" }) // it has neither
	}
	return protocol.Table(list, func(p *protocol.Probe) *probe { return &probe{p, board, old} }, "start", "first")
}

// probe is a conversation with one engine about the game on a board.
type probe struct {
	*protocol.Probe
	board player.Position
	old   bool
}

func (p *probe) acknowledge(word, message string) error {
	if err := p.Send("\n", message); err != nil {
		return err
	}
	_, err := p.Receive(p.Ready(), word, func(line string) bool { return line == word })
	return err
}

// begin starts a fresh game in which the engine is first or second.
func (p *probe) begin(first bool) error {
	return p.start(&start{board: initial()}, game.NoColour, first)
}

// start starts a game from a board, with the colour of who is on turn.
func (p *probe) start(s *start, toMove game.Colour, first bool) error {
	s.ms = 10_000
	text, err := s.board.text(toMove)
	if err != nil {
		return err
	}
	if err := p.board.Reset(p.board.Spec(), text); err != nil {
		return err
	}
	if err := p.acknowledge("/start", string(appendStart(nil, s, p.old))); err != nil {
		return err
	}
	seat, turn := p.board.Turn().Seat, byte('1')
	if !first {
		seat, turn = seat.Other(), '0'
	}
	return p.acknowledge("/turn", "/turn "+string([]byte{turn, ' ', colourDigit(p.board.Colours()[seat])}))
}

// ask waits for the engine to ask for a ply and wants it to be possible.
func (p *probe) ask() (game.Move, error) {
	line, err := p.Receive(p.Thought(), "/move or /flip", func(line string) bool {
		return strings.HasPrefix(line, "/move") || strings.HasPrefix(line, "/flip")
	})
	if err != nil {
		return game.Move{}, err
	}
	m, _, err := parseRequest(line, p.old)
	if err != nil {
		return m, err
	}
	if err := protocol.Try(p.board, false, m); err != nil {
		return m, fmt.Errorf("%s is not possible: %w", written(m), err)
	}
	return m, nil
}

// tell plays a ply and says so.
func (p *probe) tell(last bool, ply ...game.Move) error {
	for _, m := range ply {
		if err := protocol.Play(p.board, m); err != nil {
			return err
		}
	}
	return p.Send("\n", string(appendPly(nil, ply, 9000, last, p.old)))
}

func (p *probe) first() error {
	if err := p.begin(true); err != nil {
		return err
	}
	_, err := p.ask()
	return err
}

func flipped(i int, letter byte) []game.Move {
	return []game.Move{game.FlipAt(at(i)), game.DealAt(at(i), strings.IndexByte(game.DarkChessPieces, letter))}
}

func checkSecond(p *probe) error {
	protocol.Must(p.begin(false))
	early := protocol.Got(p.Quiet(300 * time.Millisecond))
	if len(early) > 0 {
		return fmt.Errorf("%q came before the first ply", early[0])
	}
	protocol.Must(p.tell(false, flipped(0, 'K')...))
	_, err := p.ask()
	return err
}

// round plays the engine's first ply and the opponent's.
func (p *probe) round(last bool) error {
	if err := p.begin(true); err != nil {
		return err
	}
	m, err := p.ask()
	if err != nil {
		return err
	}
	i := number(m.To)
	if err := p.tell(false, flipped(i, 'P')...); err != nil {
		return err
	}
	return p.tell(last, flipped((i+squares/2)%squares, 'p')...)
}

func checkRound(p *probe) error {
	protocol.Must(p.round(false))
	_, err := p.ask()
	return err
}

// checkResume has red on turn with a rook on a1, a black pawn on b1 and another far away:
// it takes the pawn or goes up.
func checkResume(p *probe) error {
	s := start{board: lying(map[int]byte{0: 'R', 1: 'p', 31: 'p'}), history: [][]game.Move{flipped(0, 'R'), flipped(1, 'p')}}
	protocol.Must(p.start(&s, game.Red, true))
	_, err := p.ask()
	return err
}

// lying returns the board on which nothing but these pieces is left.
func lying(pieces map[int]byte) board {
	var b board
	for i := range b.cell {
		b.cell[i] = empty
	}
	for i, letter := range pieces {
		b.cell[i] = letter
		b.alive[strings.IndexByte(game.DarkChessPieces, letter)]++
	}
	return b
}

// checkPoints tells a move of a black pawn from b3 to a3. On each of three boards there is
// a pawn on b3 and where b3 is seen from the other sides of the board, but for one side:
// who reads the move from that side reads one that cannot be.
func checkPoints(p *probe) error {
	sides := grid.Symmetries(grid.DarkWidth, grid.DarkHeight)
	move := game.ShiftTo(at(9), at(8))
	var failed []int
	var first error
	for left := 1; left < len(sides); left++ {
		pieces := map[int]byte{0: 'R'}
		for i, side := range sides {
			if i != left {
				pieces[number(side(move.From))] = 'p'
			}
		}
		if err := p.points(&start{board: lying(pieces)}, move); err != nil {
			failed, first = append(failed, left), cmp.Or(first, err)
		}
		if len(failed) > 1 {
			return protocol.Untested(first) // it is not the points
		}
		protocol.Must(p.Again())
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("%q is not understood where it cannot be with %s, and is where it can: moves are read so: %w",
		appendPly(nil, []game.Move{move}, 9000, false, p.old), grid.Side(failed[0], false), first)
}

// points tells a move of black on a board and wants an answer.
func (p *probe) points(s *start, move game.Move) error {
	if err := p.start(s, game.Black, false); err != nil {
		return err
	}
	if err := p.tell(false, move); err != nil {
		return err
	}
	_, err := p.ask()
	return err
}

func checkLast(p *probe) error {
	protocol.Must(protocol.Untested(p.round(true)))
	more, err := p.Quiet(time.Second)
	if err == nil && len(more) > 0 {
		return fmt.Errorf("%q came after the end of the game", more[0])
	}
	return nil // leaving is as good
}

func checkExit(p *probe) error {
	protocol.Must(protocol.Untested(p.begin(false)))
	protocol.Must(p.Send("\n", "/exit"))
	return p.Ends(2 * time.Second)
}

// written is a ply as the protocol writes it.
func written(m game.Move) string {
	b, err := appendRequest(nil, m, false)
	if err != nil {
		return m.String()
	}
	return string(b)
}
