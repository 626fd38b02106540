package gomoku

import (
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/rules"
)

// State is one position with its history. Its methods beyond those of rules.State
// serve players; what they return must not be changed.
type State struct {
	rules  *Rules
	board  Board
	log    []int16 // row-major points, choices as choiceBase - number, passes as passed
	base   string  // the diagram that the log starts from, empty for the empty board
	scored []game.Point
	hash   uint64
	empty  int32
	fullAt int32    // empty points at which the board counts as full
	lines  [2]int32 // scored lines of the seats, continuous game only
	last   int32    // index of the latest stone, 0 if there is none or a pass came after it
	colour Stone    // of the next stone
	black  game.Seat
	turn   game.Seat
	step   uint8
	stage  stage
	over   bool
	passes uint8   // in a row before this decision
	end    Verdict // how it ended; Quiet is a full board, or two passes
}

// stage says what kind of decision is due.
type stage uint8

const (
	stagePlay   stage = iota
	stageOpen         // one of the first three stones of swap2
	stageChoose       // a choice, three or five stones lie
	stageMore         // the fourth or fifth stone after "two"
)

// choiceBase is the number of choice 0 in the log; the others follow below.
const choiceBase = -1

// passed is a pass in the log, below all choices.
const passed = choiceBase - int16(len(choiceWords))

// openingStones is how many stones lie when a game that has an opening may see its first
// pass. A game without one knows no such phase.
const openingStones = 6

var (
	_ rules.State    = (*State)(nil)
	_ rules.Coloured = (*State)(nil)
	_ rules.Perfter  = (*State)(nil)
)

// New returns the empty board.
func (r *Rules) New() rules.State { return r.start() }

func (r *Rules) start() *State {
	s := &State{
		rules:  r,
		board:  makeBoard(r.rule, r.width, r.height),
		log:    make([]int16, 0, r.doc.MaxPlies),
		empty:  int32(r.width * r.height),
		fullAt: int32(r.drawEmpty),
		colour: Black,
		black:  game.First,
		turn:   game.First,
	}
	if r.swap2 {
		s.stage = stageOpen
	}
	s.makeRoom()
	return s
}

// begin starts play from a diagram that was read onto the board of a new state: without
// an opening, the first seat with black.
func (s *State) begin(d *diagram) {
	for i, c := range s.board.cells {
		if c != Empty && c != Wall {
			s.hash ^= key(i, c)
			s.empty--
		}
	}
	s.stage, s.colour, s.lines = stagePlay, d.colour, d.lines
	s.turn = s.SeatOf(s.colour)
	s.over = s.empty <= s.fullAt
	s.base = d.text()
}

// makeRoom provides for the points of notices about scored lines: a line shares
// only the stone that closed it with others, so twice the board is enough.
func (s *State) makeRoom() {
	if s.rules.continuous {
		s.scored = make([]game.Point, 0, 2*s.rules.width*s.rules.height)
	}
}

// Turn says who decides now.
func (s *State) Turn() game.Turn {
	if s.over {
		return game.Turn{Seat: game.Nobody}
	}
	t := game.Turn{Seat: s.turn, Step: int(s.step), Phase: PhasePlace}
	switch s.stage {
	case stageOpen, stageMore:
		t.Phase = PhaseOpen
	case stageChoose:
		t.Phase = PhaseChoose
	}
	return t
}

// Legal appends the choices of swap2, or a stone on every empty point in rows
// from the top left, and the pass after them where there is one. Fouls of renju are
// legal, they lose.
func (s *State) Legal(dst []game.Move) []game.Move {
	switch {
	case s.over:
		return dst
	case s.stage == stageChoose:
		dst = append(dst, game.ChooseArg(game.Swap2Stay), game.ChooseArg(game.Swap2Swap))
		if s.Stones() == 3 {
			dst = append(dst, game.ChooseArg(game.Swap2More))
		}
		return dst
	}
	for y := range s.rules.height {
		row := s.board.Index(game.Pt(0, y))
		for x, c := range s.board.cells[row : row+s.rules.width] {
			if c == Empty {
				dst = append(dst, game.PlaceAt(game.Pt(x, y)))
			}
		}
	}
	if s.mayPass() {
		dst = append(dst, game.PassMove())
	}
	return dst
}

// mayPass reports whether the seat on turn may give up its stone.
func (s *State) mayPass() bool {
	return s.rules.passes && !s.over && s.stage == stagePlay &&
		(!s.rules.swap2 || s.base != "" || s.Stones() >= openingStones)
}

var (
	errOver   = errors.New("the game is over")
	errChoice = errors.New("a choice of colour is due: stay, swap, or two if three stones lie")
	errTwo    = errors.New("two more stones are not offered any more: choose stay or swap")
	errStone  = errors.New("a stone is due, not a choice")
	errPass   = errors.New("a pass does not exist in this game (that is the option pass=true): place a stone")
	errEarly  = fmt.Errorf("no pass before the opening is over: %d stones must lie", openingStones)
)

// Check returns nil if Apply would accept m.
func (s *State) Check(m game.Move) error {
	switch {
	case s.over:
		return errOver
	case m.Op == game.Choose && s.stage == stageChoose:
		return s.checkChoice(m)
	case m.Op == game.Choose:
		return errStone
	case m == game.PassMove():
		return s.checkPass()
	case m.Op != game.Place || m.From != game.NoPoint || m.Arg != 0:
		return fmt.Errorf("%q does not exist in five in a row: place a stone", m)
	case s.stage == stageChoose:
		return errChoice
	case !m.To.On(s.rules.width, s.rules.height):
		return fmt.Errorf("the point %d,%d lies outside the board of %dx%d", m.To.X, m.To.Y, s.rules.width, s.rules.height)
	case s.board.At(s.board.Index(m.To)) != Empty:
		return fmt.Errorf("%s is occupied", PointText(m.To))
	}
	return nil
}

func (s *State) checkPass() error {
	switch {
	case !s.rules.passes:
		return errPass
	case s.stage == stageChoose:
		return errChoice
	case !s.mayPass():
		return errEarly
	}
	return nil
}

func (s *State) checkChoice(m game.Move) error {
	switch {
	case m.From != game.NoPoint || m.To != game.NoPoint || m.Arg < game.Swap2Stay || m.Arg > game.Swap2More:
		return errChoice
	case m.Arg == game.Swap2More && s.Stones() != 3:
		return errTwo
	}
	return nil
}

// Apply makes the decision of the seat on turn. Besides the decision itself the
// notices of a continuous game tell each scored line with its points, and a foul
// that dies as a line of no count.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: s.turn, Move: m})
	switch m.Op {
	case game.Choose:
		s.choose(int(m.Arg))
		return dst, nil
	case game.Pass:
		s.pass()
		return dst, nil
	}
	return s.place(m.To, dst), nil
}

func (s *State) place(p game.Point, dst []game.Notice) []game.Notice {
	i := s.board.Index(p)
	c, by := s.colour, s.turn
	v := s.board.Judge(i, c)
	s.put(i, c)
	s.log = append(s.log, int16(p.Index(s.rules.width)))
	if v != Quiet {
		if s.rules.continuous {
			dst = s.settle(i, c, v, dst)
		} else {
			s.over, s.end = true, v
			s.turn = by
			return dst
		}
	}
	if s.empty <= s.fullAt {
		s.over = true
	}
	s.advance()
	return dst
}

// pass hands the turn over without a stone; the second in a row ends the game.
func (s *State) pass() {
	s.log = append(s.log, passed)
	s.colour, s.last = s.colour.Other(), 0
	s.passes++
	s.over = s.passes == 2
	s.advance()
}

// put places a stone and passes the colour on.
func (s *State) put(i int, c Stone) {
	s.board.Put(i, c)
	s.hash ^= key(i, c)
	s.empty--
	s.last, s.passes = int32(i), 0
	s.colour = c.Other()
}

// advance passes the turn on after a stone.
func (s *State) advance() {
	s.step++
	switch s.stage {
	case stageOpen:
		if s.step == 3 {
			s.stage, s.step, s.turn = stageChoose, 0, game.Second
		}
	case stageMore:
		if s.step == 3 {
			// Who must choose is white by name, so black changes hands.
			s.stage, s.step, s.turn, s.black = stageChoose, 0, game.First, game.Second
		}
	default:
		s.step, s.turn = 0, s.SeatOf(s.colour)
	}
}

// choose makes a choice of swap2.
func (s *State) choose(n int) {
	s.log = append(s.log, int16(choiceBase-n))
	switch n {
	case game.Swap2Stay:
		s.stage, s.step = stagePlay, 1
	case game.Swap2Swap:
		s.black = s.turn
		s.stage, s.step, s.turn = stagePlay, 0, s.turn.Other()
	default:
		s.stage, s.step = stageMore, 1
	}
}

// settle scores the lines that the stone at i completed and buries their stones;
// a foul is buried alone.
func (s *State) settle(i int, c Stone, v Verdict, dst []game.Notice) []game.Notice {
	n := game.Notice{To: game.Public, Kind: game.Scored, By: s.SeatOf(c)}
	if v.Foul() {
		s.bury(i)
		n.Points = s.points(s.board.Point(i), s.board.Point(i), 1)
		return append(dst, n)
	}
	var ends [4][2]int
	for k, d := range s.board.dirs {
		if s.board.wins(i, d, c) {
			_, before, after := s.board.Run(i, d, c)
			ends[k] = [2]int{before + d, after - d}
		}
	}
	for k, d := range s.board.dirs {
		first, last := ends[k][0], ends[k][1]
		if first == 0 {
			continue
		}
		for j := first; ; j += d {
			s.bury(j)
			if j == last {
				break
			}
		}
		s.lines[n.By]++
		n.Count = 1
		n.Points = s.points(s.board.Point(first), s.board.Point(last), (last-first)/d+1)
		dst = append(dst, n)
	}
	return dst
}

// bury turns a live stone into a dead one.
func (s *State) bury(i int) {
	if c := s.board.At(i); c.Live() {
		dead := c + DeadBlack - Black
		s.board.Put(i, dead)
		s.hash ^= key(i, c) ^ key(i, dead)
	}
}

// points lists n points from a to b in the room that the state keeps for them.
func (s *State) points(a, b game.Point, n int) []game.Point {
	from := len(s.scored)
	dx, dy := sign(b.X-a.X), sign(b.Y-a.Y)
	for range n {
		s.scored = append(s.scored, a)
		a.X += dx
		a.Y += dy
	}
	return s.scored[from:len(s.scored):len(s.scored)]
}

func sign(n int8) int8 { return min(max(n, -1), 1) }

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	c.board = s.board.clone()
	c.log = append(make([]int16, 0, cap(s.log)), s.log...)
	c.makeRoom()
	return &c
}

// Hash returns the number of the position. It does not depend on the order of the
// stones.
func (s *State) Hash() uint64 {
	h := s.hash ^ mix(uint64(s.colour)|uint64(s.black)<<4|uint64(s.stage)<<8|uint64(s.step)<<12|uint64(s.turn&1)<<16)
	if s.over {
		h ^= mix(uint64(s.end) | 1<<20)
	}
	if s.passes > 0 {
		h ^= mix(uint64(s.passes) | 1<<21)
	}
	if s.lines != [2]int32{} {
		h ^= mix(uint64(s.lines[0])<<32 | uint64(s.lines[1])<<1 | 1<<63)
	}
	return h
}

// key is the number of a stone at an index.
func key(i int, c Stone) uint64 { return mix(uint64(i)<<8 | uint64(c) | 1<<40) }

// mix spreads the bits of a number over all of its result (the finisher of the
// SplitMix64 generator).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Colours returns what the seats play with. In swap2 the seat that has to choose
// is called white until it takes black.
func (s *State) Colours() [2]game.Colour {
	if s.black == game.First {
		return [2]game.Colour{game.Black, game.White}
	}
	return [2]game.Colour{game.White, game.Black}
}

// SeatOf returns the seat that plays with Black or White.
func (s *State) SeatOf(c Stone) game.Seat {
	if c == Black {
		return s.black
	}
	return s.black.Other()
}

// Board returns the board of the position.
func (s *State) Board() *Board { return &s.board }

// Next returns the colour of the next stone.
func (s *State) Next() Stone { return s.colour }

// Stones returns the number of stones on the board.
func (s *State) Stones() int { return s.rules.width*s.rules.height - int(s.empty) }

// Rules returns the rules in force.
func (s *State) Rules() *Rules { return s.rules }

// Continuous reports whether lines score instead of ending the game.
func (r *Rules) Continuous() bool { return r.continuous }

// Prolong plays on up to the last point if the board only counted as full.
func (s *State) Prolong() bool {
	if !s.over || s.end != Quiet || s.empty == 0 || s.passes == 2 {
		return false
	}
	s.over, s.fullAt = false, 0
	return true
}

// DrawEmpty returns the number of empty points at which the game is over.
func (r *Rules) DrawEmpty() int { return r.drawEmpty }
