package darkchess

import (
	"fmt"
	"strconv"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/player"
	"kibitz/rules"
)

// tableBytes is the size of the table that remembers positions, unless a limit
// asks for less.
const tableBytes = 16 << 20

// engine follows a game and thinks about it.
type engine struct {
	search  *search.Search[*position]
	pos     position // under search
	board   darkchess.Board
	seat    game.Seat // to decide
	known   bool      // the colours are
	first   uint8     // colour of the first seat
	quiet   int
	path    []uint64 // keys of the positions since the last flip or capture
	noEat   int
	repeats bool
	memory  int64
	steps   []game.Move
}

// New returns a player of Chinese dark chess.
func New(o bot.Options) player.Player { return bot.New("darkchess", newEngine(), o) }

func newEngine() *engine {
	e := &engine{}
	o := options()
	o.Describe = e.describe
	e.search = search.New(o)
	return e
}

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.search.Forget() }

// colour returns the colour of the seat to decide, once it is known.
func (e *engine) colour() uint8 {
	if e.seat == game.First {
		return e.first
	}
	return 1 - e.first
}

// option reads a number of the specification.
func option(spec game.Spec, key string) (int, error) {
	g := darkchess.Game()
	n, err := strconv.Atoi(g.OptionOf(spec, key))
	if err != nil {
		return 0, fmt.Errorf("%s of %q: %w", key, spec, err)
	}
	return n, nil
}

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	noEat, err := option(s.Spec, "noeat")
	if err != nil {
		return err
	}
	repetition, err := option(s.Spec, "repetition")
	if err != nil {
		return err
	}
	e.noEat, e.repeats, e.memory = noEat, repetition > 0, s.Limits.Memory
	e.board, e.seat, e.known = darkchess.StartBoard(), game.First, false
	if s.Start != "" {
		if err := e.start(s); err != nil {
			return err
		}
	}
	quiet := e.quiet
	e.settle()
	if s.Start != "" {
		e.quiet = quiet
	}
	return nil
}

// start takes over a position.
func (e *engine) start(s *player.Setup) error {
	own, err := rules.StateOf[*darkchess.State](darkchess.Game(), s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.board, e.quiet = own.Board(), own.Quiet()
	c := own.Colours()
	if e.known = c[game.First] != game.NoColour; !e.known {
		return nil
	}
	if e.first = darkchess.Red; c[game.First] == game.Black {
		e.first = darkchess.Black
	}
	if now, _ := own.ToMove(); now != e.first {
		e.seat = game.Second
	}
	return nil
}

// settle begins a new quiet time with the present position.
func (e *engine) settle() {
	e.quiet = 0
	e.path = append(e.path[:0], e.key())
}

// key is that of the position in the search.
func (e *engine) key() uint64 {
	if !e.known {
		return e.board.Hash()
	}
	return keyOf(&e.board, e.colour())
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	return bot.Follow(u, e.follow)
}

func (e *engine) follow(m game.Move) error {
	if !m.To.On(darkchess.Width, darkchess.Height) {
		return fmt.Errorf("%s is not on the board", m)
	}
	to := m.To.Index(darkchess.Width)
	switch m.Op {
	case game.Flip:
		if e.board.Cell(to) != darkchess.Hidden {
			return fmt.Errorf("%s: nothing is face down there", m)
		}
		return nil
	case game.Deal:
		return e.revealed(m, to)
	case game.Shift:
		return e.shifted(m, to)
	}
	return fmt.Errorf("%s is no decision of dark chess", m)
}

func (e *engine) revealed(m game.Move, sq int) error {
	down := e.board.Down()
	if m.Arg < 0 || m.Arg >= darkchess.Pieces || down[m.Arg] == 0 || e.board.Cell(sq) != darkchess.Hidden {
		return fmt.Errorf("%s: no such piece is face down there", m)
	}
	e.board.Reveal(sq, uint8(m.Arg))
	if !e.known {
		e.known, e.first = true, darkchess.ColourOf(uint8(m.Arg))
		if e.seat == game.Second {
			e.first = 1 - e.first
		}
	}
	e.seat = e.seat.Other()
	e.settle()
	return nil
}

func (e *engine) shifted(m game.Move, to int) error {
	if !m.From.On(darkchess.Width, darkchess.Height) {
		return fmt.Errorf("%s is not on the board", m)
	}
	from := m.From.Index(darkchess.Width)
	piece := e.board.Cell(from)
	if !e.known || piece >= darkchess.Hidden || darkchess.ColourOf(piece) != e.colour() || e.board.Targets(from)>>to&1 == 0 {
		return fmt.Errorf("%s is not possible for %s", m, e.seat)
	}
	taken := e.board.Move(from, to)
	e.seat = e.seat.Other()
	if taken != darkchess.Empty {
		e.settle()
		return nil
	}
	e.quiet++
	e.path = append(e.path, e.key())
	return nil
}

// TurnsLeft guesses from the pieces that are left.
func (e *engine) TurnsLeft() int {
	n := e.board.Alive(darkchess.Red) + e.board.Alive(darkchess.Black)
	return 15 + n
}
