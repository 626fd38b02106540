package phantomgo

import (
	"math"
	"slices"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/phantomgo"
)

// choice is a candidate with what the random games say about it.
type choice struct {
	at     int // the point, 0 for the pass
	n      float64
	sum    float64
	others float64 // games in which the seat was the first to play there later
	total  float64
}

// search plays random games for the choices of one task.
type search struct {
	task    *bot.Task
	seat    game.Seat
	colour  uint8
	boards  sampler
	game    playout
	known   bool // the board is known: truth
	truth   phantomgo.Board
	choices []choice
	points  []int
	pass    int // index of the pass in choices
	passes  int // just before
	late    bool
	tries   int // refused attempts of this turn
	stones  int // on the board
	limit   int64
	played  int64
	// settled sums up what the boards would be worth if the game ended at once.
	settled float64
	drawn   float64
}

// No more random games are played for one attempt than most; untimed are those
// that are played when nothing else bounds them.
const (
	most    = 300_000
	untimed = 30_000
)

// perBoard is how many games are played on one drawn board.
const perBoard = 4

// patience is the number of refusals after which a turn is passed: referees do
// not allow 200 of them.
const patience = 150

// again is the share of games, one of so many, that an attempt after a refused
// one of the same turn gets.
const again = 3

func (s *search) prepare(e *engine, t *bot.Task, seat game.Seat) {
	s.task, s.seat, s.colour, s.known = t, seat, colourOf(seat), false
	s.passes, s.played, s.settled, s.drawn = e.passes, 0, 0, 0
	s.tries = e.thought
	s.late = e.plies > min(3*e.size*e.size, e.maxPlies*3/4)
	s.game.prepare(e.size, e.komi)
	s.points = e.candidates(t, seat, s.points[:0])
	s.choices = s.choices[:0]
	for _, p := range s.points {
		s.choices = append(s.choices, choice{at: p})
	}
	s.pass = len(s.choices)
	s.choices = append(s.choices, choice{})
	k := &e.know[seat]
	s.stones = k.count
	k.each(func(p int) {
		if k.own[p] {
			s.stones++
		}
	})
	s.limit = most
	if t.Nodes > 0 {
		s.limit = min(s.limit, t.Nodes)
	}
	if t.Hard <= 0 && t.Nodes >= bot.FreeNodes {
		s.limit = untimed
	}
	if e.thought > 0 {
		s.limit = max(s.limit/again, min(s.limit, 80))
		t.Soft /= again
	}
}

// fixed makes the search play on a board that is known.
func (s *search) fixed(b *phantomgo.Board) { s.known, s.truth = true, *b }

// run plays until a limit is reached.
func (s *search) run() {
	var board phantomgo.Board
	for s.played < s.limit {
		if s.known {
			board = s.truth
		} else {
			s.boards.draw(s.task.Rand, &board)
		}
		s.settled += s.score(&board)
		s.drawn++
		for range perBoard {
			s.play(&board)
		}
		s.played += perBoard
		if s.task.Poll(perBoard) || s.played&15 == 0 && s.task.Soft > 0 && s.task.Elapsed() >= s.task.Soft {
			return
		}
	}
}

// play plays one game with the choice that is most worth another.
func (s *search) play(board *phantomgo.Board) {
	c := s.pickChoice(board)
	g := &s.game
	g.board = *board
	g.forget()
	passes := 0
	if c.at == 0 {
		g.board.Pass()
		passes = s.passes + 1
	} else {
		g.board.Place(c.at, s.colour)
	}
	lead := g.run(s.task.Rand, 3-s.colour, passes)
	v := s.worth(lead)
	c.n++
	c.sum += v
	for i := range s.choices {
		if o := &s.choices[i]; g.first[o.at] == s.colour && o.at != 0 {
			o.others++
			o.total += v
		}
	}
}

// worth turns a lead of black into a value for the seat: near 1 for a won game
// and near 0 for a lost one, a little more for a larger lead.
func (s *search) worth(lead float64) float64 {
	if s.seat == game.Second {
		lead = -lead
	}
	v := 0.5 + 0.1*lead/float64(len(s.game.spots))
	switch {
	case lead > 0:
		return v + 0.4
	case lead < 0:
		return v - 0.4
	}
	return v
}

// score is the worth of a board if the game ended on it.
func (s *search) score(b *phantomgo.Board) float64 {
	black, white := b.Area()
	return s.worth(float64(black) - float64(white) - s.game.komi)
}

// value mixes the games that began with the choice with those in which it was
// played later: the more of the former there are, the less the latter count.
func (c *choice) value() float64 {
	const trust = 30
	if c.others == 0 {
		if c.n == 0 {
			return 0.5
		}
		return c.sum / c.n
	}
	w := trust / (trust + c.n)
	if c.n == 0 {
		return c.total / c.others
	}
	return (1-w)*c.sum/c.n + w*c.total/c.others
}

// pickChoice returns a choice that stands on the board.
func (s *search) pickChoice(board *phantomgo.Board) *choice {
	explore := 0.35 * math.Sqrt(math.Log(float64(s.played)+2))
	best, most := &s.choices[s.pass], -1.0
	for i := range s.choices {
		c := &s.choices[i]
		v := c.value() + explore/math.Sqrt(c.n+1)
		if v > most && (c.at == 0 || board.Legal(c.at, s.colour)) {
			best, most = c, v
		}
	}
	return best
}

// safely is the value less its uncertainty, for the final choice.
func (c *choice) safely() float64 {
	if c.n == 0 {
		return -1
	}
	return c.value() - 0.4/math.Sqrt(c.n)
}

// answer decides, and sorts the choices the best first.
func (s *search) answer() game.Move {
	rest := s.choices[:s.pass]
	slices.SortStableFunc(rest, func(a, b choice) int {
		switch x, y := a.safely(), b.safely(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if s.passing(rest) {
		return game.PassMove()
	}
	return game.PlaceAt(pointOf(rest[0].at))
}

// passing decides whether to pass. Whoever passes must be content with the board
// as it is: the other side may pass as well. Without anything else to do, or when
// the game has become too long, there is no choice.
func (s *search) passing(rest []choice) bool {
	if s.task.Moves != nil && !slices.Contains(s.task.Moves, game.PassMove()) {
		return false
	}
	if len(rest) == 0 || rest[0].n == 0 || s.tries >= patience || s.late && s.passes > 0 {
		return true
	}
	const enough, full = 0.9, 0.6
	now, best := s.settled/s.drawn, rest[0].value()
	if s.passes > 0 && now >= max(best, 0.5) {
		return true
	}
	filled := float64(s.stones) >= full*float64(len(s.game.spots))
	return now >= enough && now >= best-0.05 && (filled || s.passes > 0)
}

// info describes a choice.
func (s *search) info(rank int) game.Info {
	c := &s.choices[rank]
	v := c.value()
	m := game.PassMove()
	if c.at != 0 {
		m = game.PlaceAt(pointOf(c.at))
	}
	return game.Info{
		Eval: game.Eval{Unit: game.WinChance, Lo: v, Hi: v}, Nodes: s.task.Count(), Rank: rank + 1, PV: []game.Move{m},
	}
}

// report streams the best lines.
func (s *search) report() {
	for i := range min(s.task.Lines, len(s.choices)) {
		info := s.info(i)
		if s.task.Lines == 1 {
			info.Rank = 0
		}
		s.task.Report(info)
	}
}
