package player

import (
	"slices"

	"kibitz/game"
)

// Ledger is what one seat of a game with hidden stones knows: its own stones, the
// points that it was refused in this turn, how many stones were taken, and whose
// turn it is. It is for the engine side of protocols that say no more than that
// (Phantom Go by SAU or GTP), where a Position would know more than the engine.
//
// A Ledger knows no rules. Each of its methods that books something returns the
// update to tell the player, valid until the next call; Used and Clocks are left to
// the caller. It is a Legals and a Viewer for the prompts.
type Ledger struct {
	seat          game.Seat
	width, height int
	phase         string
	toMove        game.Seat
	own, tried    []bool
	taken         [2]int     // stones that a seat took
	passes        int        // just before
	last          game.Point // the latest own stone, NoPoint if none
	update        Update
}

// ledgerColours: the first seat of every such game is black.
var ledgerColours = [2]game.Colour{game.Black, game.White}

// Start begins a game on an empty board for the seat; the first seat moves first.
// The phase is the game's word for its turns.
func (l *Ledger) Start(seat game.Seat, width, height int, phase string) {
	*l = Ledger{
		seat: seat, width: width, height: height, phase: phase, toMove: game.First, last: game.NoPoint,
		own: make([]bool, width*height), tried: make([]bool, width*height), update: l.update,
	}
}

// Seat returns the seat whose books these are.
func (l *Ledger) Seat() game.Seat { return l.seat }

// Colours returns what the seats play with.
func (l *Ledger) Colours() [2]game.Colour { return ledgerColours }

// Over reports whether both seats have passed in a row.
func (l *Ledger) Over() bool { return l.passes >= 2 }

// Turn says who attempts next.
func (l *Ledger) Turn() game.Turn {
	if l.Over() {
		return game.Turn{Seat: game.Nobody}
	}
	return game.Turn{Seat: l.toMove, Phase: l.phase}
}

// Legal appends what the seat may attempt as far as it can know: the points
// without a stone of its own that were not refused in this turn, row by row from
// the top, and the pass.
func (l *Ledger) Legal(dst []game.Move) []game.Move {
	if l.Over() {
		return dst
	}
	for y := range l.height {
		for x := range l.width {
			if i := y*l.width + x; !l.own[i] && !l.tried[i] {
				dst = append(dst, game.PlaceAt(game.Pt(x, y)))
			}
		}
	}
	return append(dst, game.PassMove())
}

// View shows what the books hold. It names no columns and rows.
func (l *Ledger) View() game.View {
	v := game.View{
		For: game.To(l.seat), Shape: game.Crossings, Width: l.width, Height: l.height,
		Cells: make([]game.Cell, l.width*l.height), Turn: l.Turn(), Colours: ledgerColours,
	}
	letters := [2]byte{'b', 'w'}
	for i := range v.Cells {
		v.Cells[i].Owner = game.Nobody
		if l.own[i] {
			v.Cells[i] = game.Cell{Piece: letters[l.seat], Owner: l.seat}
		}
		if l.tried[i] {
			v.Attempts = append(v.Attempts, game.Pt(i%l.width, i/l.width))
		}
	}
	for s, n := range l.taken {
		t := game.Tray{Name: "taken", Owner: game.Seat(s)}
		if n > 0 {
			t.Items = []game.TrayItem{{Piece: letters[1-s], Count: n}}
		}
		v.Trays = append(v.Trays, t)
	}
	if l.last.On(l.width, l.height) {
		v.Marks = append(v.Marks, l.last)
	}
	return v
}

// Stood books an own attempt that was accepted, with the stones it took.
func (l *Ledger) Stood(m game.Move, took []game.Point) *Update {
	if m.Op == game.Pass {
		return l.Passed(l.seat)
	}
	u := l.begin(l.seat)
	u.Steps = append(u.Steps, m)
	if i, on := l.index(m.To); on {
		l.own[i], l.last = true, m.To
	}
	if len(took) > 0 {
		l.taken[l.seat] += len(took)
		u.Notices = append(u.Notices, game.Notice{To: game.To(l.seat), Kind: game.Took, By: l.seat, Points: slices.Clone(took), Count: len(took)})
	}
	return l.turn(false)
}

// Refused books an own attempt that was not accepted: the seat stays on turn.
func (l *Ledger) Refused(m game.Move) *Update {
	u := l.begin(l.seat)
	if i, on := l.index(m.To); on {
		l.tried[i] = true
	}
	u.Notices = append(u.Notices, game.Notice{To: game.To(l.seat), Kind: game.Refused, By: l.seat, Move: m})
	u.Next = l.Turn()
	return u
}

// Moved books a stone that the other seat has put somewhere, with the own stones
// that it took.
func (l *Ledger) Moved(lost []game.Point) *Update {
	by := l.seat.Other()
	u := l.begin(by)
	u.Notices = append(u.Notices, game.Notice{To: game.Public, Kind: game.Moved, By: by, Count: len(lost)})
	if len(lost) > 0 {
		l.taken[by] += len(lost)
		for _, p := range lost {
			if i, on := l.index(p); on {
				l.own[i] = false
			}
			if p == l.last {
				l.last = game.NoPoint
			}
		}
		u.Notices = append(u.Notices, game.Notice{To: game.To(l.seat), Kind: game.Lost, By: by, Points: slices.Clone(lost), Count: len(lost)})
	}
	return l.turn(false)
}

// Passed books a pass of either seat.
func (l *Ledger) Passed(by game.Seat) *Update {
	u := l.begin(by)
	u.Steps = append(u.Steps, game.PassMove())
	return l.turn(true)
}

func (l *Ledger) index(p game.Point) (int, bool) {
	return p.Index(l.width), p.On(l.width, l.height)
}

// begin empties the update for a decision of the seat. Who is on turn by the books
// does not matter: the referee knows better.
func (l *Ledger) begin(by game.Seat) *Update {
	l.update.Clear()
	l.update.By, l.update.Colours, l.update.View = by, ledgerColours, l
	return &l.update
}

// turn ends the turn of the update's seat.
func (l *Ledger) turn(pass bool) *Update {
	u := &l.update
	clear(l.tried)
	l.toMove = u.By.Other()
	if pass {
		l.passes++
	} else {
		l.passes = 0
	}
	u.Next, u.Ended = l.Turn(), true
	return u
}

var (
	_ Legals = (*Ledger)(nil)
	_ Viewer = (*Ledger)(nil)
)
