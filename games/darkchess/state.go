package darkchess

import (
	"fmt"
	"math/bits"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// State is a position with the quiet plies that led to it. What lies where face
// down is not in it. It implements rules.State, rules.Chance, rules.Coloured and
// rules.Perfter.
type State struct {
	r       *ruleSet
	board   Board
	seat    game.Seat // to decide, or whose flip the dealer answers
	first   game.Colour
	pending int8 // square that is being flipped, noSquare if none
	end     game.Reason
	marks   [2]int8 // squares of the latest ply
	quiet   int32   // plies since the last flip or capture
	logged  int32   // those of them that were played here
	// ring holds the latest quiet plies, from<<8 + to, for the cycle rule.
	ring [maxRepetition*maxCycle + maxCycle]uint16
	// seen holds the positions since the last flip or capture, under the position
	// rule.
	seen []uint64
}

const noSquare = -1

func newState(r *ruleSet, b Board) *State {
	s := &State{r: r, board: b, seat: game.First, pending: noSquare, marks: [2]int8{noSquare, noSquare}}
	if r.byPosition && r.repetition > 0 {
		s.seen = make([]uint64, 0, max(r.noEat, 256)+1)
	}
	s.forget()
	return s
}

// forget begins a new quiet time with the present position.
func (s *State) forget() {
	s.quiet, s.logged = 0, 0
	s.seen = s.seen[:0]
	s.remember()
}

func (s *State) remember() {
	if s.r.byPosition && s.r.repetition > 0 {
		s.seen = append(s.seen, s.Hash())
	}
}

// colourOf returns the pieces that a seat plays with; ok is false while that is
// open.
func (s *State) colourOf(seat game.Seat) (colour uint8, ok bool) {
	if s.first == game.NoColour {
		return 0, false
	}
	if (s.first == game.Red) == (seat == game.First) {
		return Red, true
	}
	return Black, true
}

// Board returns a copy of the fast board.
func (s *State) Board() Board { return s.board }

// ToMove returns the colour of the seat to decide; ok is false before the first
// flip has told.
func (s *State) ToMove() (colour uint8, ok bool) { return s.colourOf(s.seat) }

// Quiet returns the number of plies since the last flip or capture.
func (s *State) Quiet() int { return int(s.quiet) }

// NoEat returns the number of plies without flip and capture that make a draw, 0 for
// never.
func (s *State) NoEat() int { return s.r.noEat }

// Colours returns what the seats play with, unknown before the first flip.
func (s *State) Colours() [2]game.Colour {
	switch s.first {
	case game.Red:
		return [2]game.Colour{game.Red, game.Black}
	case game.Black:
		return [2]game.Colour{game.Black, game.Red}
	}
	return [2]game.Colour{}
}

// Turn says who decides: a seat, or the dealer after a flip.
func (s *State) Turn() game.Turn {
	switch {
	case s.end != "":
		return game.Turn{Seat: game.Nobody}
	case s.pending != noSquare:
		return game.Turn{Seat: game.Dealer, Step: 1, Phase: PhaseDeal}
	}
	return game.Turn{Seat: s.seat, Phase: PhaseMove}
}

func point(sq int) game.Point { return game.Pt(sq%Width, sq/Width) }

// Legal appends flips, moves and captures, by square from the top left.
func (s *State) Legal(dst []game.Move) []game.Move {
	if s.end != "" || s.pending != noSquare {
		return dst
	}
	mine := s.board.at[Hidden]
	if colour, ok := s.ToMove(); ok {
		mine |= s.board.Own(colour)
	}
	for ; mine != 0; mine &= mine - 1 {
		sq := bits.TrailingZeros32(mine)
		if s.board.cell[sq] == Hidden {
			dst = append(dst, game.FlipAt(point(sq)))
			continue
		}
		for t := s.board.Targets(sq); t != 0; t &= t - 1 {
			dst = append(dst, game.ShiftTo(point(sq), point(bits.TrailingZeros32(t))))
		}
	}
	return dst
}

// Outcomes appends the pieces that can come to light, weighted by how many of
// each are face down.
func (s *State) Outcomes(dst []rules.Outcome) []rules.Outcome {
	if s.end != "" || s.pending == noSquare {
		return dst
	}
	for p, n := range s.board.down {
		if n > 0 {
			dst = append(dst, rules.Outcome{Move: game.DealAt(point(int(s.pending)), p), Weight: int(n)})
		}
	}
	return dst
}

// Check says why a decision is not possible.
func (s *State) Check(m game.Move) error {
	switch {
	case s.end != "":
		return fmt.Errorf("the game is over: %s cannot be played", formatMove(m))
	case s.pending != noSquare:
		return s.checkDeal(m)
	case !m.To.On(Width, Height):
		return fmt.Errorf("%s is neither a flip nor a move on the board, for example b7-b7 or b5-b6", formatMove(m))
	case m == game.FlipAt(m.To):
		if s.board.cell[m.To.Index(Width)] != Hidden {
			return fmt.Errorf("nothing is face down on %s", names.Format(m.To))
		}
		return nil
	case m != game.ShiftTo(m.From, m.To) || !m.From.On(Width, Height):
		return fmt.Errorf("%s is neither a flip nor a move on the board, for example b7-b7 or b5-b6", formatMove(m))
	}
	return s.checkShift(m)
}

func (s *State) checkDeal(m game.Move) error {
	at := point(int(s.pending))
	if m.Op != game.Deal || m != game.DealAt(at, int(m.Arg)) {
		return fmt.Errorf("%s cannot be played: the piece on %s is being turned over", formatMove(m), names.Format(at))
	}
	if m.Arg < 0 || m.Arg >= Pieces || s.board.down[m.Arg] == 0 {
		return fmt.Errorf("no such piece is face down: %s", formatMove(m))
	}
	return nil
}

func (s *State) checkShift(m game.Move) error {
	from, to := m.From.Index(Width), m.To.Index(Width)
	piece, target := s.board.cell[from], s.board.cell[to]
	colour, known := s.ToMove()
	switch {
	case !known || piece >= Hidden || ColourOf(piece) != colour:
		return fmt.Errorf("there is no own piece face up on %s", names.Format(m.From))
	case s.board.Targets(from)>>to&1 != 0:
		return nil
	case target == Empty:
		return fmt.Errorf("%c on %s cannot go to %s: pieces move one square along a row or column", Letters[piece], names.Format(m.From),
			names.Format(m.To))
	case target == Hidden:
		return fmt.Errorf("the piece on %s is face down and cannot be taken", names.Format(m.To))
	}
	return fmt.Errorf("%c on %s cannot take %c on %s", Letters[piece], names.Format(m.From), Letters[target], names.Format(m.To))
}

// Apply flips, deals, moves or captures.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	to := m.To.Index(Width)
	n := game.Notice{To: game.Public, Kind: game.Played, By: s.seat, Move: m}
	switch m.Op {
	case game.Flip:
		s.pending = int8(to)
	case game.Deal:
		n.By = game.Dealer
		s.deal(to, uint8(m.Arg))
	default:
		s.shift(m.From.Index(Width), to)
	}
	return append(dst, n), nil
}

func (s *State) deal(sq int, piece uint8) {
	s.board.Reveal(sq, piece)
	s.pending = noSquare
	s.marks = [2]int8{int8(sq), noSquare}
	if s.first == game.NoColour {
		s.first = game.Red
		if (ColourOf(piece) == Black) == (s.seat == game.First) {
			s.first = game.Black
		}
	}
	s.seat = s.seat.Other()
	s.forget()
	s.judge()
}

func (s *State) shift(from, to int) {
	taken := s.board.Move(from, to)
	s.marks = [2]int8{int8(from), int8(to)}
	s.seat = s.seat.Other()
	if taken != Empty {
		s.forget()
	} else {
		s.ring[int(s.logged)%len(s.ring)] = uint16(from<<8 | to)
		s.quiet++
		s.logged++
		s.remember()
	}
	s.judge()
}

// judge tests the ends after a ply, in their order.
func (s *State) judge() {
	colour, known := s.ToMove()
	switch {
	case known && s.board.Alive(colour) == 0:
		s.end = ByCaptureAll
	case s.board.at[Hidden] == 0 && (!known || !s.board.CanMove(colour)):
		s.end = ByNoMove
	case s.r.noEat > 0 && int(s.quiet) >= s.r.noEat:
		s.end = ByNoEatFlip
	case s.repeated():
		s.end = ByLongCatch
	}
}

// repeated reports whether the repetition rule in force makes a draw now.
func (s *State) repeated() bool {
	switch {
	case s.r.repetition == 0:
		return false
	case s.r.byPosition:
		n, now := 0, s.Hash()
		for _, h := range s.seen {
			if h == now {
				n++
			}
		}
		return n >= s.r.occurs
	}
	for cycle := 4; cycle <= maxCycle; cycle += 4 {
		if s.cycled(cycle) {
			return true
		}
	}
	return false
}

// cycled reports whether the latest plies are one sequence of the length,
// repeated as often as the rule says.
func (s *State) cycled(length int) bool {
	n := int(s.logged)
	if n < s.r.repetition*length {
		return false
	}
	for i := n - 1; i >= n-(s.r.repetition-1)*length; i-- {
		if s.ring[i%len(s.ring)] != s.ring[(i-length)%len(s.ring)] {
			return false
		}
	}
	return true
}

// Prolong begins the counts anew if one of them has ended the game.
func (s *State) Prolong() bool {
	if s.end != ByNoEatFlip && s.end != ByLongCatch {
		return false
	}
	s.end = ""
	s.forget()
	s.judge()
	return s.end == ""
}

// Result returns the outcome after the end.
func (s *State) Result() (game.Result, bool) {
	switch s.end {
	case "":
		return game.Result{}, false
	case ByCaptureAll:
		return game.Win(s.seat.Other(), s.end, fmt.Sprintf("%s has no pieces left", s.Colours()[s.seat])), true
	case ByNoMove:
		return game.Win(s.seat.Other(), s.end, fmt.Sprintf("%s cannot move", s.Colours()[s.seat])), true
	case ByNoEatFlip:
		return game.Drawn(s.end, fmt.Sprintf("%d plies without flip and capture", s.quiet)), true
	}
	return game.Drawn(s.end, fmt.Sprintf("repetition, rule %d", s.r.repetition)), true
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	if s.seen != nil {
		c.seen = append(make([]uint64, 0, cap(s.seen)), s.seen...)
	}
	return &c
}

// Keys of the state hash beside the board.
const (
	seatKey    = 1 << 13
	firstKey   = seatKey + 1
	pendingKey = seatKey + 8
)

// Hash returns the hash of the board, the colours, who decides, and what is being
// turned over. Quiet plies and repetitions are not in it.
func (s *State) Hash() uint64 {
	h := s.board.hash ^ grid.Key(firstKey+uint64(s.first))
	if s.seat == game.Second {
		h ^= grid.Key(seatKey)
	}
	if s.pending != noSquare {
		h ^= grid.Key(pendingKey + uint64(s.pending))
	}
	return h
}

// Perft counts moves and captures, without flips. Draws by count and repetition
// end a line as they end a game.
func (s *State) Perft(depth int) uint64 {
	colour, known := s.ToMove()
	switch {
	case depth <= 0:
		return 1
	case s.end != "" || !known || s.pending != noSquare:
		return 0
	case s.r.noEat > 0 && int(s.quiet)+depth > s.r.noEat, s.r.repetition > 0 && int(s.logged)+depth > s.r.soonest():
		return rules.Counter{NoChance: true}.Count(s, depth) // a draw may come in between
	}
	b := s.board
	return b.Perft(colour, depth)
}

// soonest returns the least number of quiet plies after which the repetition rule
// can make a draw.
func (r *ruleSet) soonest() int {
	if r.byPosition {
		return 4 * (r.occurs - 1)
	}
	return 4 * r.repetition
}
