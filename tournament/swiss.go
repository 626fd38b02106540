package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"kibitz/game"
)

// Swiss is a tournament by the Swiss system: in each round those meet who stand
// equal, as nearly as can be, and have not met. If their number is odd one of the
// last has a bye, which counts as a match won; nobody has two as long as there are
// others.
type Swiss struct {
	meetings
	points  Points
	round   int
	players []swissPlayer
	// times is how often two engines have met, by number and one more; row 0 is the bye.
	times [][]uint16
	gone  []bool
	// fixed are the pairs that an organiser has set for the next round.
	fixed [][2]int
}

// bye is the number of who is not there.
const bye = -1

// swissPlayer is how an engine stands.
type swissPlayer struct {
	score float64
	byes  int
	// half is how many byes of half a match it has.
	half int
	met  []encounter
}

// encounter is a match that an engine has played.
type encounter struct {
	opponent, round  int
	won, drawn, lost int
}

func newSwiss(plan Plan, points Points) *Swiss {
	s := &Swiss{meetings: newMeetings(plan), points: points, players: make([]swissPlayer, plan.Engines), gone: make([]bool, plan.Engines)}
	s.times = make([][]uint16, plan.Engines+1)
	for i := range s.times {
		s.times[i] = make([]uint16, plan.Engines+1)
	}
	return s
}

// active is how many engines are to be paired.
func (s *Swiss) active() int {
	n := 0
	for _, gone := range s.gone {
		if !gone {
			n++
		}
	}
	return n
}

// Len returns the number of games, if nobody else comes or goes.
func (s *Swiss) Len() int { return s.total + (s.plan.Rounds-s.round)*(s.active()/2)*s.plan.Games }

// Most is the number of games.
func (s *Swiss) Most() int { return s.Len() }

// Next returns the next game of the round, and pairs a round when the one before
// is over.
func (s *Swiss) Next() (Pairing, State) { return s.follow(s.advance) }

// advance pairs the next round.
func (s *Swiss) advance() bool {
	if s.open > 0 || s.round == s.plan.Rounds || s.active() < 2 {
		return false
	}
	s.pair()
	return true
}

// Record takes a result.
func (s *Swiss) Record(f Finished) {
	s.change(f.Pairing, f.Result, 1)
	s.hold(-1)
}

func (s *Swiss) change(p Pairing, r game.Result, by int) {
	if r.Points[0]+r.Points[1] == 0 {
		return
	}
	engines := [2]int{p.First, p.Second}
	for seat, e := range engines {
		q := &s.players[e]
		for i := len(q.met) - 1; i >= 0; i-- {
			m := &q.met[i]
			if m.round != p.Round {
				continue
			}
			before := s.value(*m)
			switch r.Winner() {
			case game.Seat(seat):
				m.won += by
			case game.Nobody:
				m.drawn += by
			default:
				m.lost += by
			}
			q.score = exact(q.score + s.value(*m) - before)
		}
	}
}

// withdraw takes an engine out of the rounds to come.
func (s *Swiss) withdraw(engine int) { s.gone[engine] = true }

// enter takes an engine into the rounds to come. It has half of a bye's points for
// each of a number of rounds that it has missed.
func (s *Swiss) mayEnter(byes int) error {
	switch {
	case s.round == s.plan.Rounds:
		return errBegun("the last round has been paired")
	case byes < 0 || byes > s.round:
		return refuse(PartByes, game.Because(game.WhyRange, fmt.Sprintf("0 – %d", s.round)),
			"%d byes of half a match: must be from 0 to %d, the rounds that were missed", byes, s.round)
	}
	return nil
}

func (s *Swiss) enter(byes int) *block {
	s.players = append(s.players, swissPlayer{half: byes, score: exact(float64(byes) * s.ByeValue() / 2)})
	s.gone = append(s.gone, false)
	s.grow()
	for i := range s.times {
		s.times[i] = append(s.times[i], 0)
	}
	s.times = append(s.times, make([]uint16, s.plan.Engines+1))
	return nil
}

// meet sets a pair of the next round.
func (s *Swiss) meet(a, b int) { s.fixed = append(s.fixed, [2]int{a, b}) }

func (s *Swiss) mayMeet(a, b int) (ok bool, err error) {
	if s.round == s.plan.Rounds {
		return false, refuse("", game.Because("lastround"), "the last round has been paired already")
	}
	for _, p := range s.fixed {
		for _, e := range p {
			if e == a || e == b {
				about := PartEngine
				if e == b {
					about = PartOpponent
				}
				return false, refuse(about, game.Because("pairedalready"), "%s has an opponent for the next round already, %s",
					place(e), place(p[0]+p[1]-e))
			}
		}
	}
	return true, nil
}

// value is what a match brings.
func (s *Swiss) value(e encounter) float64 {
	return float64(e.won)*s.points.Win + float64(e.drawn)*s.points.Draw + float64(e.lost)*s.points.Loss
}

// ByeValue is what a bye brings: as much as a match won.
func (s *Swiss) ByeValue() float64 { return float64(s.plan.Games) * s.points.Win }

// pair begins a round.
func (s *Swiss) pair() {
	s.round++
	set := s.fixed
	set = slices.DeleteFunc(set, func(p [2]int) bool { return s.gone[p[0]] || s.gone[p[1]] })
	s.fixed = nil
	f := s.field(set)
	var pairs []meeting
	meet := func(a, b int) {
		s.times[a+1][b+1]++
		s.times[b+1][a+1]++
		if b == bye {
			s.players[a].byes++
			s.players[a].score = exact(s.players[a].score + s.ByeValue())
			return
		}
		m := s.seat(len(pairs)+1, a, b)
		if s.balance[a] == s.balance[b] && s.last[a] == s.last[b] && len(pairs)%2 == 1 {
			m.first, m.second = m.second, m.first // every other board
		}
		pairs = append(pairs, m)
		s.players[a].met = append(s.players[a].met, encounter{opponent: b, round: s.round})
		s.players[b].met = append(s.players[b].met, encounter{opponent: a, round: s.round})
	}
	for _, p := range set {
		meet(p[0], p[1])
	}
	for at, mate := range f.choose(s.plan.Rounds - s.round) {
		if mate > at {
			meet(f.order[at], f.order[mate])
		}
	}
	s.start(s.round, s.plan.Games, pairs)
}

// field is a round to be paired: the engines from the first to the last, then the
// bye if their number is odd.
type field struct {
	s     *Swiss
	order []int
	// group numbers those of equal score from 0; size is how many they are, place
	// is one's place among them.
	group, size, place []int
	groups             int
}

// field returns a round without the pairs that are set already.
func (s *Swiss) field(set [][2]int) *field {
	f := &field{s: s}
	for e := range s.players {
		if !s.gone[e] && !slices.ContainsFunc(set, func(p [2]int) bool { return p[0] == e || p[1] == e }) {
			f.order = append(f.order, e)
		}
	}
	n := len(f.order)
	slices.SortStableFunc(f.order, func(a, b int) int { return cmp.Compare(s.players[b].score, s.players[a].score) })
	f.group, f.size, f.place = make([]int, n), make([]int, n), make([]int, n)
	for i := 0; i < n; f.groups++ {
		end := i + 1
		for end < n && s.players[f.order[end]].score == s.players[f.order[i]].score {
			end++
		}
		for k := i; k < end; k++ {
			f.group[k], f.size[k], f.place[k] = f.groups, end-i, k-i
		}
		i = end
	}
	if n%2 == 1 {
		f.order = append(f.order, bye)
	}
	return f
}

// What is worth avoiding, each more than all that follow it together with up to
// 500 engines: to meet again (or a second bye), to have one seat three times more
// than the other, to meet someone of another score, to have one seat more than the
// other, and not to meet the one half a group away (between groups: the last of the
// higher and the first of the lower meet).
const (
	costAgain = 1 << 54
	costSeats = 1 << 46
	costGroup = 1 << 28
	costSeat  = 1 << 18

	mostAgain  = 7  // meetings that are told apart
	mostGroups = 31 // groups apart
	mostSeat   = 3
)

// cost is what speaks against pairing two places of the order, the higher first.
func (f *field) cost(i, j int) int64 {
	i, j = min(i, j), max(i, j)
	a, b := f.order[i], f.order[j]
	sum := costAgain * int64(min(f.s.times[a+1][b+1], mostAgain))
	if b == bye {
		below := int64(min(f.groups-1-f.group[i], mostGroups))
		// Worse than an opponent as far away: the bye is for the last.
		return sum + costGroup*below*(below+1) + int64(len(f.group)-1-i)
	}
	apart := int64(min(f.group[j]-f.group[i], mostGroups))
	sum += costGroup*apart*apart + f.seats(a, b)
	if apart == 0 {
		d := int64(f.place[j] - f.place[i] - f.size[i]/2)
		return sum + max(d, -d)
	}
	return sum + int64(f.size[i]-1-f.place[i]+f.place[j])
}

// seats is what speaks against two engines that both should begin, or both not.
func (f *field) seats(a, b int) int64 {
	x, y := f.s.balance[a], f.s.balance[b]
	if x*y <= 0 || f.s.plan.FixedSeats {
		return 0
	}
	least := min(max(x, -x), max(y, -y))
	sum := costSeat * int64(min(least, mostSeat))
	if least >= 2 {
		sum += costSeats
	}
	return sum
}

// standing is an engine's points, those of byes among them.
func (s *Swiss) standing(engine int) (float64, bool) { return s.players[engine].score, true }
