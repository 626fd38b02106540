package othello

import (
	"fmt"
	"math/bits"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/player"
)

// tableBytes is the size of the tables that remember positions, unless a limit
// asks for less.
const tableBytes = 64<<20 + nearBytes

// engine follows a game and thinks about it.
type engine struct {
	search search
	book   book
	// shipped tells that the book that comes with the program lies below book.
	shipped bool
	board   othello.Board
	seat    game.Seat
	// nodes bounds a turn at the engine's level, 0 if it does not.
	nodes int64
	// forget tells that the table belongs to an earlier game.
	forget bool
	roots  []root
	moves  []game.Move
}

// New returns a player of Othello.
func New(o bot.Options) player.Player {
	e := &engine{shipped: o.Level == 0 || o.Level >= bot.MaxLevel}
	p := bot.New(othello.ID, e, o)
	e.nodes = p.Strength().Nodes
	return &Player{Player: p, engine: e, depth: expandDepth}
}

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.forget = true }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	if e.search.weights == nil {
		if err := e.search.load(); err != nil {
			return err
		}
	}
	if err := e.openBook(); err != nil {
		return err
	}
	e.room(s.Limits)
	e.board, e.seat = othello.Start(), game.First
	if s.Start != "" {
		b, seat, err := othello.ParsePosition(s.Start)
		if err != nil {
			return err
		}
		e.board, e.seat = b, seat
	}
	return nil
}

// openBook brings in the book that comes with the program, if the engine plays by it.
// What positions are worth is found before any clock runs.
func (e *engine) openBook() error {
	if !e.shipped || e.book.base != nil {
		return nil
	}
	base, err := loadBook()
	if err != nil {
		return err
	}
	e.book.base, e.book.worth = base, nil
	e.book.value(othello.Start(), game.First)
	return nil
}

// closeBook leaves the engine with what it has learned itself.
func (e *engine) closeBook() {
	e.shipped, e.book.base, e.book.worth = false, nil, nil
}

// Update follows the game. A pass that was not told is inserted.
func (e *engine) Update(u *player.Update) error {
	for _, m := range u.Steps {
		if m.Op == game.Pass {
			if e.board.HasMoves() {
				return fmt.Errorf("a pass at %s", othello.FormatPosition(e.board, e.seat))
			}
			e.pass()
			continue
		}
		if u.By != e.seat && !e.board.HasMoves() {
			e.pass()
		}
		square, ok := othello.SquareOf(m.To)
		if !ok || m.Op != game.Place || e.board.Moves()>>uint(square)&1 == 0 {
			return fmt.Errorf("%s at %s", othello.FormatMove(m), othello.FormatPosition(e.board, e.seat))
		}
		e.board = e.board.Play(square, e.board.Flips(square))
		e.seat = e.seat.Other()
	}
	return nil
}

func (e *engine) pass() {
	e.board, e.seat = e.board.Swap(), e.seat.Other()
}

// TurnsLeft counts the turns until the end can be solved at once, and a few more.
func (e *engine) TurnsLeft() int { return max(3, (e.board.Empties()-9)/2) }

// Blunder plays a move that a glance at the board does not favour.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	e.prepare(t)
	e.list()
	if len(e.roots) < 2 {
		return player.Answer{}
	}
	for i := range e.roots {
		e.roots[i].value = -e.search.weights.Eval(e.roots[i].next)
	}
	e.sort(0)
	r := &e.roots[1+t.Rand.IntN(len(e.roots)-1)]
	return player.Answer{Steps: e.step(r), Info: game.Info{Eval: discs(r.value), Depth: 1}}
}

// step returns the decision of a first move.
func (e *engine) step(r *root) []game.Move {
	e.moves = append(e.moves[:0], game.PlaceAt(othello.PointOf(r.square)))
	return e.moves
}

// room makes the table as large as the game asks for, and empty for a new game.
// It is done before any clock runs.
func (e *engine) room(l player.Limits) {
	want := int64(tableBytes)
	if nodes := e.nodes; nodes > 0 || l.Nodes > 0 {
		if nodes == 0 || l.Nodes > 0 && l.Nodes < nodes {
			nodes = l.Nodes
		}
		want = min(want, max(nodes*4*entryBytes, 1<<20))
	}
	t := &e.search.tables
	if size := bot.TableBytes(l.Memory, want); e.forget || t.bytes() > size || t.bytes()*4 < size {
		t.resize(size)
	}
	if e.forget {
		t.clear()
	}
	e.forget = false
}

// prepare makes the searcher ready for a task.
func (e *engine) prepare(t *bot.Task) {
	s := &e.search
	s.tables.next()
	s.nodes, s.stopped, s.poll = 0, false, t.Poll
}

// list fills in the first moves.
func (e *engine) list() {
	e.roots = e.roots[:0]
	for m := e.board.Moves(); m != 0; m &= m - 1 {
		sq := bits.TrailingZeros64(m)
		e.roots = append(e.roots, root{square: sq, next: e.board.Play(sq, e.board.Flips(sq))})
	}
}
