package gtp

import (
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
)

// The commands of Phantom Go. GTP has none for games in which an engine must not be
// told everything: play names the point. Each of these says one thing that the seat
// learns, and nothing else is said.
const (
	phantomSeat     = "kibitz-phantom_seat"     // COLOUR: a game begins, and this is your side
	phantomAccepted = "kibitz-phantom_accepted" // COLOUR POINT [POINT...]: your stone stands, and took those
	phantomRefused  = "kibitz-phantom_refused"  // COLOUR POINT: it does not stand, and it is still your turn
	phantomMoved    = "kibitz-phantom_moved"    // COLOUR [POINT...]: the opponent has a stone somewhere, and took those of yours
	phantomPassed   = "kibitz-phantom_passed"   // COLOUR: either side has passed
)

var phantomCommands = []string{phantomSeat, phantomAccepted, phantomRefused, phantomMoved, phantomPassed}

// books are what the seat of a host has been told of a game with hidden stones.
type books struct {
	seat    game.Seat
	begun   bool // the engine was told its side
	events  []event
	told    int       // events that the engine was told
	attempt game.Move // its latest answer, on which nothing was told yet; NoOp if none
	stale   bool      // what the engine was told is not what happened: begin anew
}

// event is one line of the books.
type event struct {
	command string
	by      game.Seat
	point   game.Point   // of an own attempt, NoPoint otherwise
	stones  []game.Point // taken from either side
	steps   int          // decisions that were told with it
}

func (b *books) begin(s game.Seat) { *b = books{seat: s, events: b.events[:0]} }

func (b *books) tell(u *player.Update) {
	e := event{by: u.By, point: game.NoPoint, steps: len(u.Steps)}
	for i := range u.Notices {
		switch n := &u.Notices[i]; n.Kind {
		case game.Moved:
			e.command = phantomMoved
		case game.Refused:
			e.command, e.point = phantomRefused, n.Move.To
		case game.Took, game.Lost:
			e.stones = slices.Clone(n.Points)
		}
	}
	switch {
	case e.steps > 0 && u.Steps[0].Op == game.Pass:
		e.command = phantomPassed
	case u.By == b.seat && e.steps > 0:
		e.command, e.point = phantomAccepted, u.Steps[0].To
	case e.command == "":
		return // nothing was learned
	}
	if u.By == b.seat {
		b.attempt = game.Move{}
	}
	b.events = append(b.events, e)
}

// rewind takes back n of the decisions that were told, and what was learned in the
// turns that come after them or are to be played again.
func (b *books) rewind(n int, next game.Turn) {
	k := len(b.events)
	for ; k > 0 && n > 0; k-- {
		n -= b.events[k-1].steps
	}
	for k > 0 && b.events[k-1].command == phantomRefused {
		k--
	}
	// A stone of the opponent was no decision that was told. If the opponent is on
	// turn again it is gone as well.
	if k > 0 && next.Seat != b.seat && b.events[k-1].by != b.seat {
		k--
	}
	b.events, b.attempt = b.events[:k], game.Move{}
	b.stale = b.stale || b.told > k
}

// syncHidden appends what the engine has not been told.
func (h *Host) syncHidden() {
	b := &h.hidden
	if b.stale {
		h.batch.word("clear_board")
		h.batch.end(wantDone)
		b.begun, b.told, b.attempt, b.stale = false, 0, game.Move{}, false
	}
	if !b.begun {
		b.begun = true
		h.phantom(&event{command: phantomSeat, by: b.seat, point: game.NoPoint})
	}
	for ; b.told < len(b.events); b.told++ {
		h.phantom(&b.events[b.told])
	}
	if b.attempt.Op == game.Place { // an answer that the run does not accept and allows to repeat
		h.phantom(&event{command: phantomRefused, by: b.seat, point: b.attempt.To})
	}
	b.attempt = game.Move{}
}

func (h *Host) phantom(e *event) {
	h.about(e.command, h.colours.of(e.by))
	if e.point != game.NoPoint {
		h.batch.arg(pointWord(h.points, e.point))
	}
	for _, p := range e.stones {
		h.batch.arg(pointWord(h.points, p))
	}
	h.batch.end(wantDone)
}

// pointWord writes a point; one off the board, which no referee names, in a form that
// engines refuse.
func pointWord(n grid.Names, p game.Point) string {
	if text, ok := appendVertex(nil, n, p); ok {
		return string(text)
	}
	return fmt.Sprintf("?%d,%d", p.X, p.Y)
}
