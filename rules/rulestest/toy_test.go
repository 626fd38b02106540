package rulestest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"kibitz/game"
	"kibitz/rules"
)

// The toy is a small game in four kinds. Perfect: the seats fill a board of 4x2,
// one stone in the first turn, then two. Private: the same, but stones are hidden
// from the other seat, and an attempt on one of them is refused. Chance: each
// placed stone becomes one of the kinds that the dealer has left. Who has more
// stones in the upper row wins. Losing: as perfect, but who passes, which is
// possible at any time and never listed, loses at once.
//
// bug names a contract that this toy breaks.
const (
	toyW, toyH = 4, 2
	toyN       = toyW * toyH
)

type toyRules struct {
	kind, bug string
	doc       rules.Doc
	scratch   atomic.Int64 // for bugs: state that games share
	labels    []string
}

type toyState struct {
	r       *toyRules
	cell    [toyN]int8 // 0 empty, 1 + seat, plus 4 * kind of a dealt stone
	tried   [toyN]bool // refused in this turn
	left    [2]int8    // stones of each kind that the dealer has
	placed  int8
	seat    game.Seat
	step    int
	pending int8 // point that the dealer decides, -1 none, lower: see givenUp
	asked   int  // counts calls, for bugs
	shared  []int8
}

func toyGame(kind, bug string) rules.Game {
	return rules.Game{
		ID: "toy", Title: "Toy",
		New: func(game.Spec) (rules.Rules, error) { return newToy(kind, bug), nil },
	}
}

func newToy(kind, bug string) *toyRules {
	info := map[string]rules.InfoKind{"perfect": rules.Perfect, "chance": rules.PublicChance, "private": rules.Private}[kind]
	r := &toyRules{kind: kind, bug: bug, doc: rules.Doc{
		Title: "Toy", Width: toyW, Height: toyH, Info: info, Phases: []string{"place"},
		Reasons: []rules.Code{{Word: "full", Meaning: "the board is full"}},
		Pieces:  []rules.Code{{Word: "a", Meaning: "stone"}, {Word: "b", Meaning: "other stone"}},
		Colours: [2]game.Colour{game.Black, game.White}, MaxPlies: 200, Source: "these tests",
	}}
	if kind == "losing" {
		r.doc.Reasons = append(r.doc.Reasons, rules.Code{Word: "pass", Meaning: "the loser passed"})
	}
	if bug == "reason" {
		r.doc.Reasons[0].Word = "other"
	}
	if bug == "bound" {
		r.doc.MaxPlies = 3
	}
	return r
}

func (r *toyRules) Spec() game.Spec { return "toy" }
func (r *toyRules) Doc() *rules.Doc { return &r.doc }

func (r *toyRules) New() rules.State {
	return &toyState{r: r, left: [2]int8{5, 3}, pending: -1, shared: make([]int8, toyN)}
}

func (r *toyRules) ParseMove(text string) (game.Move, error) {
	text = strings.TrimSpace(text)
	if text == "pass" {
		return game.PassMove(), nil
	}
	if r.bug == "strict text" && len(text) > 2 {
		return game.Move{}, errors.New("too long")
	}
	var p, n int
	if k, err := fmt.Sscanf(text, "%d=%d", &p, &n); err == nil && k == 2 {
		return game.DealAt(toyPoint(p), n), nil
	}
	if _, err := fmt.Sscanf(text, "%d", &p); err != nil || p < 0 || p >= toyN {
		return game.Move{}, fmt.Errorf("bad move %q", text)
	}
	if r.bug == "move text" {
		p = (p + 1) % toyN
	}
	return game.PlaceAt(toyPoint(p)), nil
}

func (r *toyRules) FormatMove(m game.Move) string {
	switch m.Op {
	case game.Deal:
		return fmt.Sprintf("%d=%d", m.To.Index(toyW), m.Arg)
	case game.Pass:
		return "pass"
	}
	if r.bug == "same text" && m.To.Index(toyW) == 1 {
		return "0"
	}
	return fmt.Sprint(m.To.Index(toyW))
}

func toyPoint(i int) game.Point { return game.Pt(i%toyW, i/toyW) }

func (s *toyState) Text() string {
	var b strings.Builder
	for _, c := range s.cell {
		b.WriteByte('0' + byte(c))
	}
	tried := ""
	for i, t := range s.tried {
		if t {
			tried += fmt.Sprint(i)
		}
	}
	if s.r.bug == "text" && s.placed > 3 {
		tried += "1"
	}
	pending := s.pending
	if s.r.bug == "losing text" {
		pending = max(pending, -1)
	}
	return fmt.Sprintf("%s %d %d %d %d%d t%s", b.String(), s.seat, s.step, pending, s.left[0], s.left[1], tried)
}

func (r *toyRules) Position(text string) (rules.State, error) {
	s := r.New().(*toyState)
	f := strings.Fields(text)
	if len(f) != 6 || len(f[0]) != toyN || len(f[4]) != 2 {
		return nil, fmt.Errorf("bad position %q", text)
	}
	for i := range toyN {
		s.cell[i] = int8(f[0][i] - '0')
		if s.cell[i] != 0 {
			s.placed++
		}
	}
	if _, err := fmt.Sscanf(f[1]+" "+f[2]+" "+f[3], "%d %d %d", &s.seat, &s.step, &s.pending); err != nil {
		return nil, err
	}
	s.left = [2]int8{int8(f[4][0] - '0'), int8(f[4][1] - '0')}
	for _, c := range f[5][1:] {
		s.tried[c-'0'] = true
	}
	if r.bug == "text turn" {
		s.step = 0
	}
	return s, nil
}

// givenUp is pending after the first seat has passed, and one less after the second.
const givenUp = -2

func (s *toyState) over() bool { return s.pending <= givenUp || s.placed == toyN && s.pending < 0 }

func (s *toyState) Turn() game.Turn {
	switch {
	case s.over():
		return game.Turn{Seat: game.Nobody}
	case s.pending >= 0:
		return game.Turn{Seat: game.Dealer, Step: s.step}
	case s.r.bug == "phase":
		return game.Turn{Seat: s.seat, Step: s.step, Phase: "sleep"}
	}
	return game.Turn{Seat: s.seat, Step: s.step, Phase: "place"}
}

// visible reports whether the seat on turn knows the point to be taken.
func (s *toyState) visible(i int) bool {
	if s.cell[i] == 0 {
		return false
	}
	return s.r.kind != "private" || s.cell[i] == 1+int8(s.seat) || s.tried[i]
}

func (s *toyState) Legal(dst []game.Move) []game.Move {
	if s.over() || s.pending >= 0 {
		return dst
	}
	s.asked++
	for i := range toyN {
		j := i
		if s.r.bug == "unstable list" {
			j = (i + s.asked) % toyN
		}
		hide := s.visible(j)
		if s.r.bug == "leaking list" {
			hide = s.cell[j] != 0
		}
		if hide || s.r.bug == "dead end" && s.step == 1 && s.placed > 4 {
			continue
		}
		dst = append(dst, game.PlaceAt(toyPoint(j)))
		if s.r.bug == "duplicate" && s.placed == 5 {
			dst = append(dst, game.PlaceAt(toyPoint(j)))
		}
	}
	if s.r.bug == "allocation" {
		dst = append([]game.Move(nil), dst...)
	}
	return dst
}

func (s *toyState) Check(m game.Move) error {
	if s.pending >= 0 {
		if m.Op != game.Deal || m != game.DealAt(toyPoint(int(s.pending)), int(m.Arg)) || m.Arg < 0 || m.Arg > 1 || s.left[m.Arg] == 0 {
			return fmt.Errorf("%v is not an outcome", m)
		}
		return nil
	}
	if s.r.kind == "losing" && m == game.PassMove() && !s.over() {
		return nil
	}
	if s.over() || m != game.PlaceAt(m.To) || !m.To.On(toyW, toyH) {
		if s.r.bug == "lenient" && m.Op == game.Place && m.To.On(toyW, toyH) && !s.over() && s.cell[m.To.Index(toyW)] == 0 {
			return nil
		}
		return fmt.Errorf("%v cannot be", m)
	}
	i := m.To.Index(toyW)
	if s.r.kind == "private" {
		if s.r.bug == "leaking check" && s.cell[i] != 0 && !s.visible(i) {
			return errors.New("somebody is there")
		}
		return nil
	}
	if s.cell[i] != 0 {
		return fmt.Errorf("point %d is taken", i)
	}
	return nil
}

func (s *toyState) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		switch s.r.bug {
		case "state change on error":
			s.step++
		case "notice on error":
			dst = append(dst, game.Notice{Kind: game.Played})
		case "other error":
			err = errors.New("no")
		}
		return dst, err
	}
	if m.Op == game.Pass {
		return s.giveUp(m, dst), nil
	}
	i := m.To.Index(toyW)
	s.r.scratch.Add(1)
	if s.placed == 0 {
		s.r.scratch.Store(1)
	}
	if s.r.bug == "shared copy" {
		s.shared[i]++
	}
	if m.Op == game.Deal {
		s.left[m.Arg]--
		s.cell[i] += 4 * int8(m.Arg)
		s.pending = -1
		dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: game.Dealer, Move: m})
		s.advance()
		return dst, nil
	}
	if s.cell[i] != 0 {
		s.tried[i] = true
		if s.r.bug == "refused turn" {
			s.advance()
		}
		return append(dst, game.Notice{To: game.To(s.seat), Kind: game.Refused, By: s.seat, Move: m}), nil
	}
	s.cell[i] = 1 + int8(s.seat)
	s.placed++
	dst = s.announce(m, dst)
	if s.r.kind == "chance" {
		s.pending = int8(i)
		return dst, nil
	}
	s.advance()
	return dst, nil
}

// giveUp is a pass, which loses.
func (s *toyState) giveUp(m game.Move, dst []game.Notice) []game.Notice {
	seat := s.seat
	if s.r.bug == "losing goes on" {
		s.advance()
	} else {
		s.pending = givenUp - int8(seat)
	}
	if s.r.bug == "losing silently" {
		return dst
	}
	return append(dst, game.Notice{To: game.Public, Kind: game.Played, By: seat, Move: m})
}

func (s *toyState) announce(m game.Move, dst []game.Notice) []game.Notice {
	switch {
	case s.r.bug == "silent" && s.placed == 4:
		return dst
	case s.r.bug == "counting looks":
		dst = append(dst, game.Notice{To: game.Public, Kind: game.Scored, By: s.seat, Count: s.asked})
	}
	if s.r.kind != "private" || s.r.bug == "open notice" {
		return append(dst, game.Notice{To: game.Public, Kind: game.Played, By: s.seat, Move: m})
	}
	hidden := game.Notice{To: game.To(s.seat.Other()), Kind: game.Moved, By: s.seat}
	public := game.Notice{To: game.Public, Kind: game.Moved, By: s.seat}
	if s.r.bug == "telling notice" {
		hidden.Move = m
	}
	return append(dst, game.Notice{To: game.To(s.seat), Kind: game.Played, By: s.seat, Move: m}, hidden, public)
}

func (s *toyState) advance() {
	s.step++
	if s.step == 2 || s.placed == 1 {
		s.seat, s.step, s.tried = s.seat.Other(), 0, [toyN]bool{}
	}
}

func (s *toyState) Outcomes(dst []rules.Outcome) []rules.Outcome {
	if s.pending < 0 {
		return dst
	}
	for n := range 2 {
		w := int(s.left[n])
		if s.r.bug == "no weight" && n == 1 {
			w = 0
		} else if w == 0 {
			continue
		}
		dst = append(dst, rules.Outcome{Move: game.DealAt(toyPoint(int(s.pending)), n), Weight: w})
	}
	return dst
}

func (s *toyState) Result() (game.Result, bool) {
	if !s.over() {
		return game.Result{}, false
	}
	if s.pending <= givenUp {
		loser := game.Seat(givenUp - s.pending)
		switch s.r.bug {
		case "losing wins":
			return game.Win(loser, "pass", ""), true
		case "losing draws":
			return game.Drawn("pass", ""), true
		case "losing reason":
			return game.Win(loser.Other(), "tired", ""), true
		}
		return game.Win(loser.Other(), "pass", ""), true
	}
	top := [2]int{}
	for i := range toyW {
		top[(s.cell[i]-1)%4&1]++
	}
	r := game.Drawn("full", "")
	if top[0] != top[1] {
		r = game.Win(game.First, "full", "")
		if top[1] > top[0] {
			r = game.Win(game.Second, "full", "")
		}
	}
	if s.r.bug == "points" {
		r.Points[0]++
	}
	if s.r.bug == "one-sided" && s.cell[0] == 1 {
		r = game.Win(game.First, "full", "")
	}
	return r, true
}

func (s *toyState) View(a game.Audience) game.View {
	labels := []string{"a", "b", "c", "d"}
	if s.r.bug == "shared view" {
		if s.r.labels == nil {
			s.r.labels = labels
		}
		labels = s.r.labels
	}
	v := game.View{For: a, Width: toyW, Height: toyH, Colours: s.r.doc.Colours, Columns: labels, Rows: []string{"2", "1"}, Cells: make([]game.Cell, toyN), Turn: s.Turn()}
	for i, c := range s.cell {
		v.Cells[i].Owner = game.Nobody
		owner := game.Seat((c - 1) % 4)
		knows := s.r.kind != "private" || a == game.Arbiter || a == game.To(owner) || s.r.bug == "leaking view" && i == 3
		if c != 0 && knows {
			v.Cells[i] = game.Cell{Piece: 'a' + byte((c-1)/4), Owner: owner}
		}
	}
	if s.r.bug == "leaking note" {
		for _, t := range s.tried {
			if t {
				v.Notes = append(v.Notes, game.Notef("met", "somebody met a stone"))
			}
		}
	}
	if s.r.bug == "wrong colours" {
		v.Colours = [2]game.Colour{game.White, game.Black}
	}
	if s.r.bug == "odd view" && a == game.ToSecond {
		v.Cells[0] = game.Cell{Piece: 'a'}
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

func (s *toyState) Clone() rules.State {
	c := *s
	if s.r.bug != "shared copy" {
		c.shared = slices.Clone(s.shared)
	}
	return &c
}

func (s *toyState) Hash() uint64 {
	h := uint64(14695981039346656037)
	for _, b := range []byte(s.Text()) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	switch s.r.bug {
	case "unstable hash":
		s.asked++
		h += uint64(s.asked)
	case "shared games":
		h += uint64(s.r.scratch.Load() - int64(s.placed))
	case "shared copy":
		h += uint64(s.shared[0])
	case "same hash":
		h = uint64(s.placed)
	}
	return h
}

// Forced is here for the bug alone: the toy has no passes.
func (s *toyState) Forced() (game.Move, bool) { return game.PassMove(), s.r.bug == "forced" }

func (s *toyState) Permits(m game.Move) bool {
	return s.Check(m) == nil && (m.Op == game.Deal || s.cell[m.To.Index(toyW)] == 0)
}

func (s *toyState) Perft(depth int) uint64 {
	n := rules.Perft(s, depth)
	if s.r.bug == "count" && depth == 2 {
		n++
	}
	return n
}

func (r *toyRules) Symmetries() []func(game.Point) game.Point {
	return []func(game.Point) game.Point{
		func(p game.Point) game.Point { return p },
		func(p game.Point) game.Point { return game.Point{X: toyW - 1 - p.X, Y: p.Y} },
	}
}

func (r *toyRules) Shuffle(seed [32]byte) rules.Dealer { return &toyDealer{r.bug, seed, 0} }

type toyDealer struct {
	bug  string
	seed [32]byte
	n    byte
}

func (d *toyDealer) Deal(st rules.State) (game.Move, error) {
	s := st.(*toyState)
	// The pieces of the shuffle, dealt by place: three of the second kind.
	i := int(s.pending)
	kind := 0
	for k := range 3 {
		if (int(d.seed[31])+int(d.seed[0])+k*3)%toyN == i {
			kind = 1
		}
	}
	if d.bug == "order of deals" {
		d.n++
		kind = int(d.n+d.seed[0]) & 1
		if s.left[kind] == 0 {
			kind = 1 - kind
		}
	}
	return game.DealAt(s.cellPoint(), kind), nil
}

func (s *toyState) cellPoint() game.Point { return toyPoint(int(s.pending)) }
