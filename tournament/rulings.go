package tournament

// rulings are what orders say of games: who is given them unplayed, and how often one
// was annulled to be played again.
type rulings struct {
	replays map[int]int
	// awards are of single games, beaten of all that one engine plays another.
	awards map[int]Award
	beaten map[[2]int]bool
	gone   []absence // by engine
}

// absence is whether an engine takes part.
type absence uint8

const (
	here absence = iota
	awarded
	annulled
)

func newRulings(engines int) rulings {
	return rulings{replays: map[int]int{}, awards: map[int]Award{}, beaten: map[[2]int]bool{}, gone: make([]absence, engines)}
}

// dress adds to a game what the rulings say of it.
func (r *rulings) dress(p *Pairing) {
	p.Replays = r.replays[p.Index]
	award, one := r.awards[p.Index]
	first, second := r.gone[p.First] != here, r.gone[p.Second] != here
	switch {
	case one:
		p.Award = award
	case first && second, r.annulled(*p):
		p.Award = ToNobody
	case first, r.beaten[[2]int{p.First, p.Second}]:
		p.Award = ToSecond
	case second, r.beaten[[2]int{p.Second, p.First}]:
		p.Award = ToFirst
	default:
		p.Award = Played
	}
}

// annulled reports whether a game counts for nobody because all games of one of its
// engines do.
func (r *rulings) annulled(p Pairing) bool {
	return r.gone[p.First] == annulled || r.gone[p.Second] == annulled
}

// beat lets an engine lose all games against another.
func (r *rulings) beat(loser, winner int) {
	delete(r.beaten, [2]int{winner, loser})
	r.beaten[[2]int{loser, winner}] = true
}
