package tournament

import (
	"cmp"
	"slices"
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
	// times is how often two engines have met; the last row is the bye.
	times [][]uint16
}

// swissPlayer is how an engine stands.
type swissPlayer struct {
	score float64
	byes  int
	met   []encounter
}

// encounter is a match that an engine has played.
type encounter struct {
	opponent         int
	won, drawn, lost int
}

func newSwiss(plan Plan, points Points) *Swiss {
	s := &Swiss{meetings: newMeetings(plan), points: points, players: make([]swissPlayer, plan.Engines)}
	s.times = make([][]uint16, plan.Engines+1)
	for i := range s.times {
		s.times[i] = make([]uint16, plan.Engines+1)
	}
	return s
}

// Len returns the number of games.
func (s *Swiss) Len() int { return s.plan.Rounds * (s.plan.Engines / 2) * s.plan.Games }

// Most is the number of games.
func (s *Swiss) Most() int { return s.Len() }

// Next returns the next game of the round, and pairs a round when the one before
// is over.
func (s *Swiss) Next() (Pairing, State) {
	if p, ok := s.take(); ok {
		return p, Ready
	}
	switch {
	case s.open > 0:
		return Pairing{}, Wait
	case s.round == s.plan.Rounds:
		return Pairing{}, Over
	}
	s.pair()
	return s.Next()
}

// Record takes a result.
func (s *Swiss) Record(f Finished) {
	if !s.record(f) {
		return
	}
	for _, p := range s.pairs {
		s.add(p.first, encounter{p.second, p.won, p.drawn, p.lost})
		s.add(p.second, encounter{p.first, p.lost, p.drawn, p.won})
	}
}

func (s *Swiss) add(engine int, e encounter) {
	p := &s.players[engine]
	p.met = append(p.met, e)
	p.score = exact(p.score + s.value(e))
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
	f := s.field()
	mates := f.choose(s.plan.Rounds - s.round)
	pairs := make([]meeting, 0, s.plan.Engines/2)
	for at, mate := range mates {
		if mate < at {
			continue
		}
		a, b := f.order[at], f.order[mate]
		s.times[a][b]++
		s.times[b][a]++
		if b == s.plan.Engines {
			s.players[a].byes++
			s.players[a].score = exact(s.players[a].score + s.ByeValue())
			continue
		}
		m := s.seats(len(pairs)+1, a, b)
		if s.balance[a] == s.balance[b] && s.last[a] == s.last[b] && len(pairs)%2 == 1 {
			m.first, m.second = m.second, m.first // every other board
		}
		pairs = append(pairs, m)
	}
	s.begin(s.round, s.plan.Games, pairs)
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

func (s *Swiss) field() *field {
	f := &field{s: s}
	n := s.plan.Engines
	for e := range n {
		f.order = append(f.order, e)
	}
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
		f.order = append(f.order, n)
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
	sum := costAgain * int64(min(f.s.times[a][b], mostAgain))
	if b == f.s.plan.Engines {
		below := int64(min(f.groups-1-f.group[i], mostGroups))
		// Worse than an opponent as far away: the bye is for the last.
		return sum + costGroup*below*(below+1) + int64(b-1-i)
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
