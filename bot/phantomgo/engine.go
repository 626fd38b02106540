package phantomgo

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/bot"
	"kibitz/bot/search/mcts"
	"kibitz/game"
	"kibitz/games/phantomgo"
	"kibitz/player"
	"kibitz/rules"
)

// engine follows what its seat is told and thinks about it.
type engine struct {
	seat     game.Seat
	size     int
	komi     float64
	maxPlies int

	// open says that every decision so far was visible; board is then the board.
	open   bool
	board  phantomgo.Board
	know   [2]belief
	toMove game.Seat
	passes int
	plies  int
	// thought counts the refused attempts of this turn.
	thought int

	scene  scene
	kept   bool // the tree is that of the turn, or of the next one
	tree   *mcts.Tree[position, *position]
	memory int64
	list   []int
	steps  []game.Move
}

// New returns a player of Phantom Go.
func New(o bot.Options) player.Player { return bot.New("phantomgo", newEngine(), o) }

func newEngine() *engine { return &engine{tree: mcts.New[position](style)} }

// option reads a number of the specification.
func option(spec game.Spec, key string) (float64, error) {
	g := phantomgo.Game()
	v, err := strconv.ParseFloat(g.OptionOf(spec, key), 64)
	if err != nil {
		return 0, fmt.Errorf("%s of %q: %w", key, spec, err)
	}
	return v, nil
}

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	g := phantomgo.Game()
	size, err := option(s.Spec, "size")
	if err != nil {
		return err
	}
	if size < phantomgo.MinSize || size > phantomgo.MaxSize {
		return fmt.Errorf("a board of %g points a side: from %d to %d are possible", size, phantomgo.MinSize, phantomgo.MaxSize)
	}
	if e.komi, err = option(s.Spec, "komi"); err != nil {
		return err
	}
	plies, err := option(s.Spec, "maxplies")
	if err != nil {
		return err
	}
	e.size, e.maxPlies, e.seat = int(size), int(plies), s.Seat
	e.open, e.board = true, phantomgo.NewBoard(e.size)
	if g.OptionOf(s.Spec, "rulings") == "sau" {
		e.board.AllowRetaking()
	}
	e.know[0].clear(e.size)
	e.know[1].clear(e.size)
	e.toMove, e.passes, e.plies, e.thought = game.First, 0, 0, 0
	e.memory, e.kept = s.Limits.Memory, false
	if s.Start == "" {
		return nil
	}
	return e.start(s)
}

// start takes over a position in which all stones are known.
func (e *engine) start(s *player.Setup) error {
	own, err := rules.StateOf[*phantomgo.State](phantomgo.Game(), s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.board, e.toMove = own.Board(), game.Seat(own.Side()-phantomgo.Black)
	for f := range strings.FieldsSeq(own.Text()) {
		key, value, _ := strings.Cut(f, "=")
		if n, err := strconv.Atoi(value); err == nil && key == "passes" {
			e.passes = n
		} else if err == nil && key == "plies" {
			e.plies = n
		}
	}
	for seat := range e.know {
		k := &e.know[seat]
		k.each(func(p int) {
			switch e.board.Cell(p) {
			case colourOf(game.Seat(seat)):
				k.stood(p)
			case phantomgo.Empty:
				k.free[p] = 1
			default:
				k.seen(p)
				k.count++
			}
		})
	}
	return nil
}

func colourOf(s game.Seat) uint8 { return phantomgo.Black + uint8(s) }

func pointOf(p int) game.Point { return game.Pt(phantomgo.XY(p)) }

// Update follows what was told.
func (e *engine) Update(u *player.Update) error {
	if !u.By.IsPlayer() {
		return nil
	}
	if len(u.Steps) == 0 {
		return e.hidden(u)
	}
	for _, m := range u.Steps {
		switch {
		case m.Op == game.Pass:
			e.board.Pass()
			e.advance(u.By, true)
		case m.Op != game.Place || !m.To.On(e.size, e.size):
			return fmt.Errorf("%s is neither a point of the %dx%d board nor a pass", m, e.size, e.size)
		case e.refusedBy(u, m):
			e.know[u.By].refused(at(m.To))
			e.thought++
		default:
			e.placed(u, at(m.To))
		}
	}
	return nil
}

func at(p game.Point) int { return phantomgo.At(int(p.X), int(p.Y)) }

// refusedBy reports whether an attempt was refused: as it was told, or as the
// board shows if all of it is known.
func (e *engine) refusedBy(u *player.Update, m game.Move) bool {
	for i := range u.Notices {
		if u.Notices[i].Kind == game.Refused && u.Notices[i].Move == m {
			return true
		}
	}
	return e.open && !e.board.Legal(at(m.To), colourOf(u.By))
}

// hidden follows an update without visible decisions: a refusal, or a stone that
// the other side has put somewhere.
func (e *engine) hidden(u *player.Update) error {
	moved, count := false, 0
	var lost []game.Point
	for i := range u.Notices {
		n := &u.Notices[i]
		switch n.Kind {
		case game.Refused:
			if !n.Move.To.On(e.size, e.size) {
				return fmt.Errorf("%s was refused: it is not on the board", n.Move)
			}
			e.know[u.By].refused(at(n.Move.To))
			e.thought++
		case game.Moved:
			moved, count = true, n.Count
		case game.Lost:
			moved, lost = true, n.Points
		}
	}
	if !moved {
		return nil
	}
	e.open = false
	me, by := &e.know[u.By.Other()], &e.know[u.By]
	me.moved()
	e.collect(lost)
	me.lost(e.list)
	e.kept = e.kept && len(e.list) == 0
	by.count = max(0, by.count-max(count, len(e.list)))
	e.advance(u.By, false)
	return nil
}

// collect turns the points of a notice into numbers.
func (e *engine) collect(list []game.Point) {
	e.list = e.list[:0]
	for _, p := range list {
		if p.On(e.size, e.size) {
			e.list = append(e.list, at(p))
		}
	}
}

// placed follows a visible stone.
func (e *engine) placed(u *player.Update, p int) {
	by, other := &e.know[u.By], &e.know[u.By.Other()]
	by.stood(p)
	other.moved()
	other.seen(p)
	e.list = e.list[:0]
	if e.open {
		before := e.board
		if e.board.Place(p, colourOf(u.By)) > 0 {
			by.each(func(q int) {
				if before.Cell(q) != phantomgo.Empty && e.board.Cell(q) == phantomgo.Empty {
					e.list = append(e.list, q)
				}
			})
		}
	} else {
		for i := range u.Notices {
			if k := u.Notices[i].Kind; k == game.Took || k == game.Lost {
				e.collect(u.Notices[i].Points)
			}
		}
	}
	by.took(e.list)
	if len(e.list) > 0 {
		other.lost(e.list)
	}
	e.advance(u.By, false)
}

func (e *engine) advance(by game.Seat, pass bool) {
	e.kept = e.kept && !pass && !e.open && e.seat.IsPlayer() && by != e.seat
	e.toMove = by.Other()
	e.thought = 0
	e.plies++
	if pass {
		e.passes++
	} else {
		e.passes = 0
	}
}

// TurnsLeft counts the turns until most of the board is filled, and what refused
// attempts and recaptures take.
func (e *engine) TurnsLeft() int {
	seat := e.toMove
	if e.seat.IsPlayer() {
		seat = e.seat
	}
	k := &e.know[seat]
	own := 0
	k.each(func(p int) {
		if k.own[p] {
			own++
		}
	})
	return 25 + (e.size*e.size-own-k.count)*2/3
}
