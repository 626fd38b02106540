// Package actmodel is a small model of what two seats do beside their moves, in a game
// in which they move in turn, one decision each: tests hold the referee and all that
// leads to it to the same random orders of moves and acts.
package actmodel

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"kibitz/player"
)

// Move is the deed of an Op that is a move.
const Move player.Deed = "move"

// Op is what one seat tries. A move of a seat that is not on turn is tried too.
type Op struct {
	Seat int
	player.Act
}

// String shows the op as a failing test prints it.
func (o Op) String() string {
	return fmt.Sprintf("%d:%s ply=%d ask=%d id=%s", o.Seat, o.Do, o.Ply, o.Ask, o.ID)
}

// Model is how the game stands. The zero value is its beginning.
type Model struct {
	// Plies counts the moves that stand, Made all that were accepted, Back those that
	// were taken back.
	Plies, Made, Back int
	// Asks is what each seat asks, nil for nothing; Since, By and Until are set.
	Asks [2]*player.Ask
	// DrawFrom is how many moves of a seat must stand before it may offer a draw again.
	DrawFrom [2]int
	// Over is "" while the game goes on, else the deed that ended it.
	Over player.Deed
	// NoUndo, NoDraw and NoAbort are the rules of the game; Silent is a seat that cannot
	// be asked, -1 for none.
	NoUndo, NoDraw, NoAbort bool
	Silent                  int

	num      int
	declined [2]map[player.Deed]int
	heard    map[string]player.Effect
}

// New returns the beginning of a game.
func New() *Model {
	return &Model{Silent: -1, declined: [2]map[player.Deed]int{{}, {}}, heard: map[string]player.Effect{}}
}

// Turn is the seat on turn.
func (m *Model) Turn() int { return m.Plies % 2 }

// Next draws something that a seat may try, often what has no place at the moment.
func (m *Model) Next(rng *rand.Rand, ends bool) Op {
	o := Op{Seat: rng.IntN(2)}
	if m.Silent >= 0 {
		o.Seat = 1 - m.Silent
	}
	switch n := rng.IntN(100); {
	case n < 40:
		o.Do, o.Seat = Move, m.Turn()
	case n < 45:
		o.Do = Move
	case n < 60:
		o.Do, o.Ply = player.AskUndo, player.LatestTurn
		if rng.IntN(2) == 0 {
			o.Ply = rng.IntN(m.Plies + 2)
		}
	case n < 70:
		o.Do = player.AskDraw
	case n < 76:
		o.Do = player.AskAbort
	case n < 80:
		o.Do = player.Withdraw
	case n < 99 || !ends:
		o.Do = player.Decline
		if rng.IntN(2) == 0 && (ends || m.Asks[1-o.Seat] != nil && m.Asks[1-o.Seat].What == player.AskUndo) {
			o.Do = player.Accept
		}
		if a := m.Asks[1-o.Seat]; a != nil && rng.IntN(3) > 0 {
			o.Ask = a.Num
		} else if rng.IntN(4) == 0 {
			o.Ask = rng.IntN(m.num + 2)
		}
	default:
		o.Do = player.Resign
	}
	if o.Do != Move {
		o.ID = fmt.Sprintf("%016x", rng.Uint64())
	}
	return o
}

// Do does it in the model, and says what should come of it.
func (m *Model) Do(o Op) player.Effect {
	if e, again := m.heard[o.ID]; again && o.ID != "" {
		return e
	}
	e := m.do(o)
	if o.ID != "" {
		m.heard[o.ID] = e
	}
	m.until()
	return e
}

func (m *Model) do(o Op) player.Effect {
	mine, theirs := &m.Asks[o.Seat], &m.Asks[1-o.Seat]
	switch {
	case m.Over != "":
		return player.Refused
	case o.Do == Move && o.Seat == m.Turn():
		m.Plies++
		m.Made++
		*theirs = nil
		return player.Done
	case o.Do == player.Resign:
		m.end(o.Do)
		return player.Done
	case o.Do == player.Withdraw && *mine != nil:
		*mine = nil
		return player.Done
	case (o.Do == player.Accept || o.Do == player.Decline) && *theirs != nil && (o.Ask == 0 || o.Ask == (*theirs).Num):
		q := **theirs
		if o.Do == player.Accept {
			m.agree(q.What, q.Ply)
			return player.Done
		}
		m.declined[1-o.Seat][q.What] = m.Plies
		*theirs = nil
		return player.Done
	case o.Do == player.AskUndo:
		if o.Ply == player.LatestTurn {
			o.Ply = m.Plies - 1
			if (m.Plies-1)%2 != o.Seat {
				o.Ply--
			}
		}
		if m.NoUndo || o.Ply < 0 || o.Ply >= m.Plies {
			return player.Refused
		}
		return m.ask(o)
	case o.Do == player.AskDraw && !m.NoDraw && m.Silent < 0, o.Do == player.AskAbort && !m.NoAbort:
		return m.ask(o)
	}
	return player.Refused
}

func (m *Model) ask(o Op) player.Effect {
	same := func(a *player.Ask) bool { return a != nil && a.What == o.Do && a.Ply == o.Ply }
	if m.Silent == 1-o.Seat || same(m.Asks[1-o.Seat]) {
		m.agree(o.Do, o.Ply)
		return player.Done
	}
	if same(m.Asks[o.Seat]) {
		return player.Asked
	}
	if at, ok := m.declined[o.Seat][o.Do]; ok && at == m.Plies {
		return player.Refused
	}
	if o.Do == player.AskDraw {
		if m.turns(o.Seat) < m.DrawFrom[o.Seat] {
			return player.Refused
		}
		m.DrawFrom[o.Seat] = m.turns(o.Seat) + player.DrawTurns
	}
	m.num++
	m.Asks[o.Seat] = &player.Ask{Num: m.num, What: o.Do, Ply: o.Ply, At: m.Plies}
	return player.Asked
}

func (m *Model) agree(what player.Deed, ply int) {
	m.Asks = [2]*player.Ask{}
	if what != player.AskUndo {
		m.end(what)
		return
	}
	m.Back += m.Plies - ply
	m.Plies = ply
	m.declined = [2]map[player.Deed]int{{}, {}}
	for s, from := range m.DrawFrom {
		m.DrawFrom[s] = min(from, m.turns(s)+player.DrawTurns)
	}
}

// turns is how many moves of a seat stand.
func (m *Model) turns(seat int) int { return (m.Plies + 1 - seat) / 2 }

func (m *Model) end(by player.Deed) { m.Over, m.Asks = by, [2]*player.Ask{} }

// until renews how long what is asked stands: with the moves made so far where the
// opponent is to move, with one more where the asker is.
func (m *Model) until() {
	for s, a := range m.Asks {
		if a != nil {
			c := *a
			c.Until = m.Plies
			if m.Turn() == s {
				c.Until++
			}
			m.Asks[s] = &c
		}
	}
}

// Differs says how what a seat sees differs from the model, "" if it does not.
func (m *Model) Differs(asks []player.Ask) string {
	var got [2]*player.Ask
	for i := range asks {
		a := asks[i]
		if a.Since.IsZero() || !a.By.IsPlayer() || got[a.By] != nil {
			return fmt.Sprintf("it is told %+v", asks)
		}
		got[a.By] = &a
	}
	for s := range got {
		w, g := m.Asks[s], got[s]
		if (w == nil) != (g == nil) {
			return fmt.Sprintf("seat %d: %+v is asked, want %+v", s, g, w)
		}
		if w != nil && !slices.Equal([]any{w.Num, w.What, w.Ply, w.At, w.Until}, []any{g.Num, g.What, g.Ply, g.At, g.Until}) {
			return fmt.Sprintf("seat %d: %+v is asked, want %+v", s, *g, *w)
		}
	}
	return ""
}
