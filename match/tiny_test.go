package match_test

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/rules"
)

// tiny is a game for tests: two seats fill a row of points. Options make turns of
// two steps, hide the opponent's stones, let chance give each stone a worth, and
// force passes.
type tiny struct {
	size    int
	perTurn int
	hidden  bool
	chance  bool
	passes  bool // after three stones of four the seat on turn must pass
	doc     *rules.Doc
}

func (t *tiny) Spec() game.Spec { return "tiny" }

func (t *tiny) Doc() *rules.Doc {
	if t.doc != nil {
		return t.doc
	}
	d := &rules.Doc{Title: "tiny", Width: t.size, Height: 1, Phases: []string{"place"}, Reasons: []rules.Code{{Word: "full"}}}
	if t.hidden {
		d.Info = rules.Private
	}
	t.doc = d
	return d
}

func (t *tiny) New() rules.State {
	s := &tinyState{t: t, owner: make([]game.Seat, t.size), worth: make([]int, t.size)}
	for i := range s.owner {
		s.owner[i] = game.Nobody
	}
	return s
}

func (t *tiny) Position(text string) (rules.State, error) {
	s := t.New()
	for word := range strings.FieldsSeq(text) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("%q is no position", text)
		}
		if _, err := s.Apply(game.PlaceAt(game.Pt(n, 0)), nil); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (t *tiny) ParseMove(text string) (game.Move, error) {
	n, err := strconv.Atoi(text)
	return game.PlaceAt(game.Pt(n, 0)), err
}

func (t *tiny) FormatMove(m game.Move) string {
	if m.Op != game.Place {
		return m.String()
	}
	return strconv.Itoa(int(m.To.X))
}

type tinyState struct {
	t      *tiny
	owner  []game.Seat
	worth  []int
	count  int
	seat   game.Seat
	step   int
	dealAt int // the point that waits for the dealer, plus 1
	passed bool
	order  []int
}

func (s *tinyState) over() bool { return s.count == s.t.size && s.dealAt == 0 }

func (s *tinyState) Turn() game.Turn {
	switch {
	case s.over():
		return game.Turn{Seat: game.Nobody}
	case s.dealAt > 0:
		return game.Turn{Seat: game.Dealer, Phase: "deal"}
	}
	return game.Turn{Seat: s.seat, Step: s.step, Phase: "place"}
}

func (s *tinyState) Forced() (game.Move, bool) {
	return game.PassMove(), s.t.passes && s.step == 0 && s.count%4 == 3 && !s.passed && !s.over()
}

func (s *tinyState) Legal(dst []game.Move) []game.Move {
	if s.Turn().Seat < 0 {
		return dst
	}
	if m, ok := s.Forced(); ok {
		return append(dst, m)
	}
	for i, o := range s.owner {
		if o == game.Nobody || s.t.hidden && o != s.seat {
			dst = append(dst, game.PlaceAt(game.Pt(i, 0)))
		}
	}
	return dst
}

func (s *tinyState) Check(m game.Move) error {
	turn := s.Turn()
	_, pass := s.Forced()
	switch {
	case turn.Seat == game.Nobody:
		return fmt.Errorf("the game is over")
	case turn.Seat == game.Dealer:
		if m.Op != game.Deal || m.To != game.Pt(s.dealAt-1, 0) || m.Arg < 0 || m.Arg > 2 {
			return fmt.Errorf("%s is no outcome", m)
		}
	case pass != (m.Op == game.Pass):
		return fmt.Errorf("%s when a pass is due: %v", m.Op, pass)
	case m.Op == game.Pass:
	case m.Op != game.Place || !m.To.On(s.t.size, 1):
		return fmt.Errorf("%s is off the row", m)
	case s.owner[m.To.X] != game.Nobody && (!s.t.hidden || s.owner[m.To.X] == s.seat):
		return fmt.Errorf("point %d is taken", m.To.X)
	}
	return nil
}

func (s *tinyState) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	switch m.Op {
	case game.Deal:
		s.worth[s.dealAt-1] = int(m.Arg)
		s.dealAt = 0
		return append(dst, game.Notice{To: game.Public, Kind: game.Played, By: game.Dealer, Move: m}), nil
	case game.Pass:
		by := s.seat
		s.passed, s.seat = true, s.seat.Other()
		return append(dst, game.Notice{To: game.Public, Kind: game.Played, By: by, Move: m}), nil
	}
	at, by := int(m.To.X), s.seat
	if s.owner[at] != game.Nobody {
		return append(dst, game.Notice{To: game.To(by), Kind: game.Refused, By: by, Move: m}), nil
	}
	s.owner[at] = by
	s.count++
	s.order = append(s.order, at)
	s.passed = false
	if s.t.chance {
		s.dealAt = at + 1
	}
	if s.step++; s.step >= s.t.perTurn {
		s.step, s.seat = 0, by.Other()
	}
	if !s.t.hidden {
		return append(dst, game.Notice{To: game.Public, Kind: game.Played, By: by, Move: m}), nil
	}
	return append(dst,
		game.Notice{To: game.To(by), Kind: game.Played, By: by, Move: m},
		game.Notice{To: game.To(by.Other()), Kind: game.Moved, By: by},
		game.Notice{To: game.Arbiter, Kind: game.Played, By: by, Move: m}), nil
}

func (s *tinyState) Result() (game.Result, bool) {
	if !s.over() {
		return game.Result{}, false
	}
	r := game.Result{Reason: "full", HasBoard: true}
	for i, o := range s.owner {
		r.Board[o] += float64(1 + s.worth[i])
	}
	switch {
	case r.Board[0] > r.Board[1]:
		r.Points[0] = 1
	case r.Board[1] > r.Board[0]:
		r.Points[1] = 1
	default:
		r.Points = [2]float64{0.5, 0.5}
	}
	return r, true
}

func (s *tinyState) View(a game.Audience) game.View {
	v := game.View{For: a, Width: s.t.size, Height: 1, Turn: s.Turn(), Cells: make([]game.Cell, s.t.size)}
	for i, o := range s.owner {
		v.Cells[i].Owner = game.Nobody
		if o != game.Nobody && (!s.t.hidden || a == game.Arbiter || a == game.To(o)) {
			v.Cells[i] = game.Cell{Piece: 'o', Owner: o}
		}
	}
	return v
}

func (s *tinyState) Text() string {
	var words []string
	for _, at := range s.order {
		words = append(words, strconv.Itoa(at))
	}
	return strings.Join(words, " ")
}

func (s *tinyState) Clone() rules.State {
	c := *s
	c.owner = append([]game.Seat(nil), s.owner...)
	c.worth = append([]int(nil), s.worth...)
	c.order = append([]int(nil), s.order...)
	return &c
}

func (s *tinyState) Hash() uint64 {
	h := uint64(s.seat+3)*31 + uint64(s.step)*7 + uint64(s.dealAt)*1009
	for i, o := range s.owner {
		h = h*1099511628211 + uint64(o+3) + uint64(s.worth[i])*17
	}
	return h
}

func (s *tinyState) Outcomes(dst []rules.Outcome) []rules.Outcome {
	for n := range 3 {
		dst = append(dst, rules.Outcome{Move: game.DealAt(game.Pt(s.dealAt-1, 0), n), Weight: n + 1})
	}
	return dst
}
