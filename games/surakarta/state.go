package surakarta

import (
	"fmt"
	"math/bits"

	"kibitz/game"
	"kibitz/rules"
)

// State is a position with what the rules have to remember of the game. It
// implements rules.State and rules.Perfter.
type State struct {
	board Board
	rules *ruleSet
	// quiet is the number of plies since the last capture or, in a position that
	// was set up, what its text said and those since.
	quiet int
	// past are the positions since the last capture, the present one included:
	// none before it can occur again. Empty where repetitions do not count.
	past   []key
	why    game.Reason // why the game is over, empty while it is not
	marks  [2]game.Point
	marked bool
	// way are the points along which the latest move captured, waylen how many.
	way    [ring + 1]uint8
	waylen uint8
	// spoils are the points of captures. Notices refer to them; no entry is ever
	// used again.
	spoils [2 * Pieces]game.Point
	spoilt uint8
}

// key is a board and its side to move, exactly.
type key struct{ black, white uint64 }

func keyOf(b *Board) key { return key{b.pieces[0]<<1 | uint64(b.side), b.pieces[1]} }

func newState(r *ruleSet, b Board, quiet int) *State {
	s := &State{board: b, rules: r, quiet: quiet}
	if r.repetition > 0 {
		s.past = append(make([]key, 0, r.room()), keyOf(&s.board))
	}
	s.why = s.end()
	return s
}

// room is the number of positions for which space is made at once. Without a limit
// of plies, or with a high one, the space grows.
func (r *ruleSet) room() int {
	const most = 256
	if r.noCapture == 0 || r.noCapture >= most {
		return most
	}
	return r.noCapture + 1
}

// end says why the game is over, empty if it is not.
func (s *State) end() game.Reason {
	b := &s.board
	switch {
	case b.pieces[0] == 0 || b.pieces[1] == 0:
		return Taken
	case s.repeated():
		return Repetition
	case s.rules.noCapture > 0 && s.quiet >= s.rules.noCapture:
		return NoCapture
	case !b.CanMove():
		return Blocked
	}
	return ""
}

// repeated reports whether the present position has occurred as often as ends the
// game.
func (s *State) repeated() bool {
	left := s.rules.repetition - 1
	last := len(s.past) - 1
	if left < 0 || last < 0 {
		return false
	}
	// Both sides need two plies at least to come back.
	for i := last - 4; i >= 0; i -= 2 {
		if s.past[i] == s.past[last] {
			if left--; left == 0 {
				return true
			}
		}
	}
	return false
}

// Prolong begins the counts anew if one of them has ended the game.
func (s *State) Prolong() bool {
	if s.why != Repetition && s.why != NoCapture {
		return false
	}
	s.quiet, s.past = 0, s.past[:0]
	if s.rules.repetition > 0 {
		s.past = append(s.past, keyOf(&s.board))
	}
	s.why = s.end()
	return s.why == ""
}

// Board returns a copy of the fast board.
func (s *State) Board() Board { return s.board }

// Quiet returns the number of plies since the last capture.
func (s *State) Quiet() int { return s.quiet }

// Limits returns which occurrence of a position and how many plies without a
// capture end the game, 0 where nothing does.
func (s *State) Limits() (repetition, noCapture int) {
	return s.rules.repetition, s.rules.noCapture
}

// Turn says who moves.
func (s *State) Turn() game.Turn {
	if s.why != "" {
		return game.Turn{Seat: game.Nobody}
	}
	return game.Turn{Seat: s.board.Side(), Phase: PhaseMove}
}

func point(sq uint8) game.Point { return game.Pt(int(sq)%Size, int(sq)/Size) }

// Legal appends the captures and then the quiet moves by their points of
// departure.
func (s *State) Legal(dst []game.Move) []game.Move {
	if s.why != "" {
		return dst
	}
	var buf [MaxMoves]Step
	for _, m := range s.board.Moves(buf[:0]) {
		dst = append(dst, game.ShiftTo(point(m.From), point(m.To)))
	}
	return dst
}

// Check says why a decision is not possible.
func (s *State) Check(m game.Move) error {
	switch {
	case s.why != "":
		return fmt.Errorf("the game is over: %s cannot be played", formatMove(m))
	case m != game.ShiftTo(m.From, m.To) || !m.From.On(Size, Size) || !m.To.On(Size, Size):
		return fmt.Errorf("%s does not move a piece: write from and to, for example %s", formatMove(m), formatMove(s.Legal(nil)[0]))
	}
	from, to := m.From.Index(Size), m.To.Index(Size)
	own, other := s.board.pieces[s.board.side], s.board.pieces[s.board.side^1]
	switch {
	case own>>from&1 == 0:
		return fmt.Errorf("there is no piece of the side to move on %s", names.Format(m.From))
	case own>>to&1 != 0:
		return fmt.Errorf("%s is not possible: a piece of the same side stands on %s", formatMove(m), names.Format(m.To))
	case other>>to&1 == 0 && near[from]>>to&1 == 0:
		return fmt.Errorf("%s is not possible: %s is empty and not next to %s", formatMove(m), names.Format(m.To), names.Format(m.From))
	case other>>to&1 == 0:
		return nil
	}
	var buf [MaxCaptures]Step
	for _, c := range s.board.Captures(buf[:0]) {
		if int(c.From) == from && int(c.To) == to {
			return nil
		}
	}
	return fmt.Errorf("%s is not possible: no free way from %s along a circuit and over an arc meets %s first", formatMove(m),
		names.Format(m.From), names.Format(m.To))
}

// Apply moves a piece.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	seat := s.board.Side()
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: seat, Move: m})
	s.waylen = uint8(s.board.Way(uint8(m.From.Index(Size)), uint8(m.To.Index(Size)), &s.way))
	took := s.play(Step{uint8(m.From.Index(Size)), uint8(m.To.Index(Size))})
	if took {
		n := s.spoilt
		s.spoils[n] = m.To
		s.spoilt++
		dst = append(dst, game.Notice{To: game.Public, Kind: game.Took, By: seat, Points: s.spoils[n : n+1 : n+1], Count: 1})
	}
	s.marks, s.marked = [2]game.Point{m.From, m.To}, true
	s.why = s.end()
	return dst, nil
}

// play moves on the board and remembers what repetitions and limits need.
func (s *State) play(m Step) (took bool) {
	took = s.board.Move(m)
	s.quiet++
	if took {
		s.quiet, s.past = 0, s.past[:0]
	}
	if s.rules.repetition > 0 {
		s.past = append(s.past, keyOf(&s.board))
	}
	return took
}

// Result returns the outcome once the game is over.
func (s *State) Result() (game.Result, bool) {
	if s.why == "" {
		return game.Result{}, false
	}
	black, white := s.board.Count(game.First), s.board.Count(game.Second)
	score := fmt.Sprintf("%d black and %d white pieces", black, white)
	var r game.Result
	switch {
	case black > white:
		r = game.Win(game.First, s.why, score)
	case white > black:
		r = game.Win(game.Second, s.why, score)
	default:
		r = game.Drawn(s.why, score)
	}
	r.Board, r.HasBoard = [2]float64{float64(black), float64(white)}, true
	return r, true
}

var colours = [2]game.Colour{game.Black, game.White}

// View shows the board; nothing is hidden.
func (s *State) View(a game.Audience) game.View {
	v := names.Labels(a)
	v.Loops = 2
	s.Outline(&v)
	v.Score, v.HasScore = [2]float64{float64(s.board.Count(game.First)), float64(s.board.Count(game.Second))}, true
	if s.marked {
		v.Marks = append(v.Marks, s.marks[:]...)
		for _, sq := range s.way[:s.waylen] {
			v.Path = append(v.Path, game.Pt(int(sq)%Size, int(sq)/Size))
		}
	}
	if limit := s.rules.noCapture; limit > 0 {
		v.Notes = append(v.Notes, game.Notef(game.NoteNoCapture, "no capture %d of %d", s.quiet, limit))
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

// Outline implements rules.Outliner.
func (s *State) Outline(v *game.View) {
	names.Outline(v, game.Crossings, s.Turn(), colours)
	for seat, set := range s.board.pieces {
		for ; set != 0; set &= set - 1 {
			v.Cells[bits.TrailingZeros64(set)] = game.Cell{Piece: "bw"[seat], Owner: game.Seat(seat)}
		}
	}
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	c.past = append(make([]key, 0, cap(s.past)), s.past...)
	return &c
}

// Hash returns the hash of the board and the side to move.
func (s *State) Hash() uint64 { return s.board.hash }

// Perft counts plies, with the ends by repetition and without capture.
func (s *State) Perft(depth int) uint64 {
	c := *s
	c.past = append(make([]key, 0, len(s.past)+max(depth, 0)), s.past...)
	return c.perft(depth)
}

func (s *State) perft(depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case s.why != "":
		return 0
	case depth == 1:
		return uint64(s.board.CountMoves())
	}
	var n uint64
	var buf [MaxMoves]Step
	board, quiet, past := s.board, s.quiet, s.past
	for _, m := range board.Moves(buf[:0]) {
		if board.pieces[board.side^1]>>m.To&1 != 0 {
			s.past = nil // the positions before stay as they are
		}
		s.play(m)
		s.why = s.end()
		n += s.perft(depth - 1)
		s.board, s.quiet, s.past, s.why = board, quiet, past, ""
	}
	return n
}
