package tournament

import (
	"slices"

	"kibitz/rating"
)

// Director is a schedule that an organiser can change while it runs. What is played
// and how everyone stands is a function of the plan and of one list, the results
// and orders in the sequence in which they came; neither time nor the number of
// games at a time changes anything. It keeps the standings: a result counts when it
// is recorded, and is taken back or replaced by orders.
//
// It remembers a byte for each game and, in formats that depend on results, some
// for each match. Like any Scheduler it is not safe for use by several goroutines
// at once: orders are given in Runner.Change.
type Director struct {
	plan      Plan // with those who entered late
	core      core
	standings *Standings
	status    []uint8 // by number of the game
	blocks    []*block
	before    int // games of each pair before that of the next block: its openings
	again     []Pairing
	replays   map[int]int
	// awards are of single games, beaten of all that one engine plays another.
	awards map[int]Award
	beaten map[[2]int]bool
	gone   []absence
	// counted are games that another schedule handed out.
	counted duels
	// fitted are the ratings of the field after so many changes of the standings.
	fitted   *rating.Ratings
	fittedAt int
	// left out are games that are not handed out, repeated those handed out again.
	leftOut, repeated int
}

// absence is whether an engine takes part.
type absence uint8

const (
	here absence = iota
	awarded
	annulled
)

// What is known of a game; results follow from over on.
const (
	unknown uint8 = iota // not handed out
	running
	skipped // not to be handed out
	void    // ended without a verdict
	nobody  // overruled: counts for nobody
	over
)

// block is games that were added for pairs of engines.
type block struct {
	start, games, before int
	// number is that of the first match among all that were added.
	number  int
	matches [][2]int
	next    int // how many have been handed out
	// opening is the number, from 1, of the opening of all its games, 0 for those of
	// the plan in turn.
	opening int
	// late ones wait until nothing else is to start.
	late bool
}

func (b *block) len() int { return len(b.matches) * b.games }

// NewDirector returns the schedule of a plan that Check finds in order, and its
// standings before the first game.
func NewDirector(plan Plan, points Points) *Director {
	d := &Director{
		plan: plan, core: newCore(plan, points), standings: NewStandings(plan, points), before: plan.Rounds * plan.Games,
		replays: map[int]int{}, awards: map[int]Award{}, beaten: map[[2]int]bool{}, gone: make([]absence, plan.Engines),
	}
	if f, ok := d.core.(*fixed); ok {
		d.before = plan.turns() * plan.Games
		d.status = make([]uint8, 0, f.Len())
	} else {
		d.core.(interface{ keepPast() }).keepPast()
	}
	return d
}

// Standings returns how everyone stands. Byes are not in it, as for every Swiss.
func (d *Director) Standings() *Standings { return d.standings }

// Format returns the schedule below, for the tables of a *Swiss, *Knockout or
// *Ladder.
func (d *Director) Format() Scheduler { return d.core }

// Engines returns how many engines there are, those that have withdrawn among them.
func (d *Director) Engines() int { return d.plan.Engines }

// Withdrawn reports whether an engine has withdrawn.
func (d *Director) Withdrawn(engine int) bool { return d.gone[engine] != here }

// Len is how many games there are as far as is known; one that is played again
// counts twice.
func (d *Director) Len() int {
	n := d.core.Len() + d.repeated - d.leftOut
	for _, b := range d.blocks {
		n += b.len()
	}
	return n
}

// Most is how many games there can be unless an organiser adds more.
func (d *Director) Most() int { return max(d.Len(), d.Len()+d.core.Most()-d.core.Len()) }

// Next returns the next game: what is to be played again, what was paired by hand,
// what the format has next, and games of those who came late. A game with an Award
// must be recorded like any other, with the result that Pairing.Awarded tells.
func (d *Director) Next() (Pairing, State) {
	for {
		p, state := d.candidate()
		if state != Ready {
			return p, state
		}
		if d.state(p.Index) != unknown {
			continue // recorded before this run, or not to be played
		}
		d.dress(&p)
		if p.Award == ToNobody {
			d.set(p.Index, skipped)
			d.leftOut++
			d.hold(p, -1)
			continue
		}
		d.set(p.Index, running)
		return p, Ready
	}
}

func (d *Director) candidate() (Pairing, State) {
	if len(d.again) > 0 {
		p := d.again[0]
		d.again = d.again[1:]
		return p, Ready
	}
	if p, ok := d.added(false); ok {
		return p, Ready
	}
	p, state := d.core.Next()
	if state != Ready {
		if late, ok := d.added(true); ok {
			return late, Ready
		}
	}
	return p, state
}

// added returns the next game of a block.
func (d *Director) added(late bool) (Pairing, bool) {
	for _, b := range d.blocks {
		if b.late == late && b.next < b.len() {
			b.next++
			return d.blockGame(b, b.start+b.next-1), true
		}
	}
	return Pairing{}, false
}

// blockGame returns a game of a block by its number.
func (d *Director) blockGame(b *block, index int) Pairing {
	w := wave{start: b.start, before: b.before, matches: len(b.matches), games: b.games, match: func(k int) (int, int) {
		return b.matches[k][0], b.matches[k][1]
	}}
	p := d.plan.at(&w, index)
	k := p.Pair - 1
	p.Pair += b.number
	if b.opening > 0 {
		p.Opening = b.opening - 1
	}
	if d.plan.Repeat {
		// A couple is two games that follow each other (see Plan.at).
		p.Shuffle = -(b.start + (index-b.start)/(2*len(b.matches))*len(b.matches) + k) - 1
	}
	return p
}

// block returns the block that a game is of, nil for none.
func (d *Director) block(index int) *block {
	i := slices.IndexFunc(d.blocks, func(b *block) bool { return index >= b.start && index < b.start+b.len() })
	if i < 0 {
		return nil
	}
	return d.blocks[i]
}

// Find returns a game by its Index; false if it is not known yet who plays it.
func (d *Director) Find(index int) (Pairing, bool) {
	if b := d.block(index); b != nil {
		p := d.blockGame(b, index)
		d.dress(&p)
		return p, true
	}
	p, ok := d.core.find(index)
	if ok {
		d.dress(&p)
	}
	return p, ok
}

// dress adds to a game what orders say of it.
func (d *Director) dress(p *Pairing) {
	p.Replays = d.replays[p.Index]
	award, one := d.awards[p.Index]
	first, second := d.gone[p.First] != here, d.gone[p.Second] != here
	switch {
	case one:
		p.Award = award
	case first && second, d.annulled(*p):
		p.Award = ToNobody
	case first, d.beaten[[2]int{p.First, p.Second}]:
		p.Award = ToSecond
	case second, d.beaten[[2]int{p.Second, p.First}]:
		p.Award = ToFirst
	default:
		p.Award = Played
	}
}

// annulled reports whether a game counts for nobody because all games of one of its
// engines do.
func (d *Director) annulled(p Pairing) bool {
	return d.gone[p.First] == annulled || d.gone[p.Second] == annulled
}

func (d *Director) state(index int) uint8 {
	if index < 0 || index >= len(d.status) {
		return unknown
	}
	return d.status[index]
}

func (d *Director) set(index int, s uint8) {
	for index >= len(d.status) {
		d.status = append(d.status, unknown)
	}
	d.status[index] = s
}

// Record takes the result of a game that Next gave; a second one is ignored. A game
// that ended without a verdict after one of its engines had withdrawn is handed out
// once more, to be awarded.
func (d *Director) Record(f Finished) {
	p := f.Pairing
	if s := d.state(p.Index); s >= void {
		return
	}
	if f.Result.Points[0]+f.Result.Points[1] == 0 {
		now := p
		d.dress(&now)
		if now.Award == ToFirst || now.Award == ToSecond {
			d.set(p.Index, unknown)
			d.again = append(d.again, now)
			return
		}
		d.set(p.Index, void)
		d.hold(p, -1)
		return
	}
	d.set(p.Index, encode(f))
	d.count(p, 1)
	d.hold(p, -1)
}

// count counts the result of a game that is over, or takes it back.
func (d *Director) count(p Pairing, by int) {
	f, ok := d.result(p)
	if !ok {
		return
	}
	if d.block(p.Index) == nil {
		d.core.change(p, f.Result, by)
	}
	if !d.annulled(p) {
		d.tell(f, by)
	}
}

func (d *Director) tell(f Finished, by int) {
	if by > 0 {
		d.standings.Add(f)
	} else {
		d.standings.Remove(f)
	}
}

func (d *Director) hold(p Pairing, by int) {
	if d.block(p.Index) == nil {
		d.core.hold(by)
	}
}
