package sgf

import (
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/record"
)

// node reads the set-up and the moves of one node.
func (r *reader) node(n *Node, main, begun bool) ([]record.Step, error) {
	if err := r.setUp(n, main && !begun); err != nil {
		return nil, err
	}
	var steps []record.Step
	if p := n.Get(propChoice); p != nil {
		s, err := r.choice(n, p)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	tried, err := r.attempts(n)
	if err != nil {
		return nil, err
	}
	steps = append(steps, tried...)
	moves := 0
	for i := range n.Props {
		p := &n.Props[i]
		seat := game.First
		switch p.Key {
		case "W":
			seat = game.Second
		case "B":
		default:
			continue
		}
		for k, raw := range p.Values {
			list, err := r.moves(p, Simple(raw))
			if err != nil {
				return nil, err
			}
			if moves++; moves == 2 && r.m.id != "connect6" {
				r.warn(n, "more than one move in a node")
			}
			for j, m := range list {
				s := record.Step{By: seat, Move: m, Line: p.Line, Column: p.Column}
				if r.swap2 { // who placed a stone is known to the rules alone
					s.By = game.Nobody
				}
				if k == 0 && j == 0 {
					r.time(n, seat, &s)
					r.value(n, seat, &s)
				}
				steps = append(steps, s)
			}
		}
	}
	return steps, nil
}

// attempts reads the points that were tried before the move of the node.
func (r *reader) attempts(n *Node) ([]record.Step, error) {
	p := n.Get(propTried)
	if p == nil {
		return nil, nil
	}
	by := game.Nobody
	switch {
	case n.Get("B") != nil && n.Get("W") == nil:
		by = game.First
	case n.Get("W") != nil && n.Get("B") == nil:
		by = game.Second
	}
	var steps []record.Step
	for _, raw := range p.Values {
		at, err := r.point(p, Simple(raw))
		if err != nil {
			return nil, err
		}
		steps = append(steps, record.Step{By: by, Move: game.PlaceAt(at), Refused: true, Line: p.Line, Column: p.Column})
	}
	return steps, nil
}

// setUp takes stones that stand before the first move.
func (r *reader) setUp(n *Node, allowed bool) error {
	for _, key := range []string{"AB", "AW", "AA", "AE", "PL"} {
		p := n.Get(key)
		if p == nil || key == "AA" && !r.m.turns {
			continue
		}
		if !allowed {
			return record.Errorf(p.Line, p.Column, "%s sets the position up after moves, which cannot be replayed", key)
		}
		if key == "PL" {
			r.plays = true
			switch strings.ToLower(n.Simple("PL")) {
			case "b", "black", "1":
				r.toMove = game.First
			case "w", "white", "2":
				r.toMove = game.Second
			default:
				return record.Errorf(p.Line, p.Column, "PL[%s]: B or W is expected", n.Simple("PL"))
			}
			continue
		}
		for _, v := range p.Values {
			if err := r.setPoints(p, Simple(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// setPoints takes one value of AB, AW, AA or AE: a point, or a rectangle "aa:cc".
func (r *reader) setPoints(p *Property, text string) error {
	a, b, area := strings.Cut(text, ":")
	if !area {
		b = a
	}
	from, err := r.point(p, a)
	if err != nil {
		return err
	}
	to, err := r.point(p, b)
	if err != nil {
		return err
	}
	if r.setup == nil {
		r.setup = make([]byte, r.w*r.h)
	}
	for y := min(from.Y, to.Y); y <= max(from.Y, to.Y); y++ {
		for x := min(from.X, to.X); x <= max(from.X, to.X); x++ {
			cell := &r.setup[game.Point{X: x, Y: y}.Index(r.w)]
			switch p.Key {
			case "AB":
				*cell = black
			case "AW":
				*cell = white
			case "AA":
				*cell = burnt
			default:
				*cell = 0
			}
		}
	}
	return nil
}

// stones lists what the set-up has put on the board.
func (r *reader) stones() []stone {
	var list []stone
	for i, c := range r.setup {
		if c != 0 {
			list = append(list, stone{game.Pt(i%r.w, i/r.w), c})
		}
	}
	return list
}

// moves reads the value of a move: a turn of Amazons is two decisions, and some
// write both stones of a turn of Connect6 as one.
func (r *reader) moves(p *Property, text string) ([]game.Move, error) {
	switch {
	case r.m.turns:
		return r.turn(p, text)
	case r.m.id == "connect6":
		if a, b := pair(text); b != "" {
			first, err := r.move(p, a)
			if err != nil {
				return nil, err
			}
			second, err := r.move(p, b)
			return []game.Move{first, second}, err
		}
	}
	m, err := r.move(p, text)
	return []game.Move{m}, err
}

// pair splits two points that are written as one, "j9l11" or "ikll"; b is empty
// for one point.
func pair(text string) (a, b string) {
	if !strings.ContainsAny(text, "0123456789") {
		if len(text) == 4 && !strings.EqualFold(text, "pass") {
			return text[:2], text[2:]
		}
		return text, ""
	}
	for i := 1; i < len(text); i++ {
		if isLetter(text[i]) {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// turn reads from, to and arrow; the arrow may be missing where a game was broken
// off.
func (r *reader) turn(p *Property, text string) ([]game.Move, error) {
	if len(text) != 4 && len(text) != 6 {
		return nil, record.Errorf(p.Line, p.Column, "%s[%s] is no move: it must be three points, as in djddgd", p.Key, text)
	}
	var at [3]game.Point
	for i := range len(text) / 2 {
		var err error
		if at[i], err = r.point(p, text[2*i:2*i+2]); err != nil {
			return nil, err
		}
	}
	list := []game.Move{game.ShiftTo(at[0], at[1])}
	if len(text) == 6 {
		list = append(list, game.ShootAt(at[2]))
	}
	return list, nil
}

// move reads a move: a point or a pass.
func (r *reader) move(p *Property, text string) (game.Move, error) {
	switch word := strings.ToLower(text); word {
	case "", "pa", "pass", "ps", "--", "tt":
		// Two letters are a point of the boards that have it.
		at, ok := Point(text)
		if ok && at.On(r.w, r.h) {
			return game.PlaceAt(at), nil
		}
		if text == "" || r.m.board && word != "tt" || word == "tt" && r.w <= 19 && r.h <= 19 {
			return game.PassMove(), nil
		}
	}
	at, err := r.point(p, text)
	if err != nil {
		return game.Move{}, err
	}
	return game.PlaceAt(at), nil
}

// point reads a point in the notation of the file.
func (r *reader) point(p *Property, text string) (game.Point, error) {
	at, ok := Point(text)
	if r.native {
		at, ok = r.boardPoint(text)
	}
	if !ok {
		return at, record.Errorf(p.Line, p.Column, "%s[%s] is not a point", p.Key, text)
	}
	if !at.On(r.w, r.h) && r.m.id == "connect6" { // its editor writes capitals
		at, _ = Point(strings.ToLower(text))
	}
	if !at.On(r.w, r.h) {
		return at, record.Errorf(p.Line, p.Column, "%s[%s] is not on the %dx%d board", p.Key, text, r.w, r.h)
	}
	return at, nil
}

// boardPoint reads a letter and a number as players of the game write them.
func (r *reader) boardPoint(text string) (game.Point, bool) {
	if len(text) < 2 || len(text) > 3 {
		return game.NoPoint, false
	}
	x := int(text[0]|0x20) - 'a'
	y, err := strconv.Atoi(text[1:])
	if err != nil || x < 0 || x > 25 || y < 1 {
		return game.NoPoint, false
	}
	if r.m.fromTop {
		return game.Pt(x, y-1), true
	}
	if y > r.h {
		return game.NoPoint, false
	}
	return game.Pt(x, r.h-y), true
}

func (r *reader) choice(node *Node, p *Property) (record.Step, error) {
	word := Simple(p.Values[0])
	for n, w := range choices {
		if w == word {
			s := record.Step{By: game.Nobody, Move: game.ChooseArg(n), Line: p.Line, Column: p.Column}
			r.time(node, game.First, &s)
			return s, nil
		}
	}
	return record.Step{}, record.Errorf(p.Line, p.Column, "%s[%s] is no choice: stay, swap or more", propChoice, word)
}

// time finds the time used: as written, or from what is left on the clock.
func (r *reader) time(n *Node, seat game.Seat, s *record.Step) {
	if v := n.Simple(propUsed); v != "" {
		if f, err := strconv.ParseFloat(v, 64); err == nil && f >= 0 && f < 1e8 {
			s.Used, s.Timed = seconds(f), true
		}
		return
	}
	key := [2]string{"BL", "WL"}[seat]
	f, err := strconv.ParseFloat(n.Simple(key), 64)
	if err != nil || !(f >= 0 && f < 1e8) {
		return
	}
	left := seconds(f)
	if r.timed[seat] {
		if used := r.left[seat] + r.increment() - left; used >= 0 {
			s.Used, s.Timed = used, true
		}
	}
	r.left[seat], r.timed[seat] = left, true
}

// increment is what the clock of the record gives back after each move.
func (r *reader) increment() time.Duration {
	_, inc, ok := strings.Cut(r.g.Clocks[0], "+")
	if !ok {
		return 0
	}
	f, err := strconv.ParseFloat(inc, 64)
	if err != nil {
		return 0
	}
	return seconds(f)
}

// value reads V, the value of the position for black.
func (r *reader) value(n *Node, seat game.Seat, s *record.Step) {
	v, err := strconv.ParseFloat(n.Simple("V"), 64)
	if err != nil || v != v {
		return
	}
	if seat == game.Second {
		v = 0 - v
	}
	unit := game.Points
	if r.m.total > 0 {
		unit = game.Discs
	}
	s.Info = &game.Info{Eval: game.Eval{Unit: unit, Lo: v, Hi: v}}
}
