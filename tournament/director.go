package tournament

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
	ledger    ledger
	extra     extraGames
	again     []Pairing // to be handed out again, before all others
	rulings   rulings
	fit       fit
}

// NewDirector returns the schedule of a plan that Check finds in order, and its
// standings before the first game.
func NewDirector(plan Plan, points Points) *Director {
	d := &Director{
		plan: plan, core: newCore(plan, points), standings: NewStandings(plan, points), rulings: newRulings(plan.Engines),
	}
	d.extra = extraGames{plan: &d.plan, before: plan.Rounds * plan.Games}
	if f, ok := d.core.(*fixed); ok {
		d.extra.before = plan.turns() * plan.Games
		d.ledger.status = make([]uint8, 0, f.Len())
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
func (d *Director) Withdrawn(engine int) bool { return d.rulings.gone[engine] != here }

// Len is how many games there are as far as is known; one that is played again
// counts twice.
func (d *Director) Len() int {
	return d.core.Len() + d.ledger.repeated - d.ledger.skipped + d.extra.len()
}

// Progress is how many games count, and how many will once those are over that are to come, as
// far as is known: one that ended without a verdict, was annulled or counts for nobody is in neither.
func (d *Director) Progress() (over, all int) {
	over = d.standings.Games()
	return over, over + d.core.Len() + d.extra.len() - d.ledger.skipped - d.ledger.ended
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
		if d.ledger.state(p.Index) != unknown {
			continue // recorded before this run, or not to be played
		}
		d.rulings.dress(&p)
		if p.Award == ToNobody {
			d.ledger.set(p.Index, skipped)
			d.hold(p, -1)
			continue
		}
		d.ledger.set(p.Index, running)
		return p, Ready
	}
}

func (d *Director) candidate() (Pairing, State) {
	if len(d.again) > 0 {
		p := d.again[0]
		d.again = d.again[1:]
		return p, Ready
	}
	if p, ok := d.extra.take(false); ok {
		return p, Ready
	}
	p, state := d.core.Next()
	if state != Ready {
		if late, ok := d.extra.take(true); ok {
			return late, Ready
		}
	}
	return p, state
}

// Playing reports whether a game has been handed out and is not over.
func (d *Director) Playing(index int) bool {
	p, ok := d.Find(index)
	return ok && d.ledger.state(p.Index) == running
}

// Find returns a game by its Index; false if it is not known yet who plays it.
func (d *Director) Find(index int) (Pairing, bool) {
	p, ok := d.extra.find(index)
	if !ok {
		p, ok = d.core.find(index)
	}
	if ok {
		d.rulings.dress(&p)
	}
	return p, ok
}

// Record takes the result of a game that Next gave; a second one is ignored. A game
// that ended without a verdict after one of its engines had withdrawn is handed out
// once more, to be awarded.
func (d *Director) Record(f Finished) {
	p := f.Pairing
	if s := d.ledger.state(p.Index); s >= void {
		return
	}
	if !f.hasVerdict() {
		now := p
		d.rulings.dress(&now)
		if now.Award == ToFirst || now.Award == ToSecond {
			d.ledger.set(p.Index, unknown)
			d.again = append(d.again, now)
			return
		}
		d.ledger.set(p.Index, void)
		d.hold(p, -1)
		return
	}
	d.ledger.set(p.Index, encode(f))
	d.count(p, 1)
	d.hold(p, -1)
}

// count counts the result of a game that is over, or takes it back.
func (d *Director) count(p Pairing, by int) {
	f, ok := d.ledger.result(p)
	if !ok {
		return
	}
	if !d.extra.has(p.Index) {
		d.core.change(p, f.Result, by)
	}
	if !d.rulings.annulled(p) {
		d.standings.count(f, by)
	}
}

// hold lets the wave of a game wait for a game more or less.
func (d *Director) hold(p Pairing, by int) {
	if !d.extra.has(p.Index) {
		d.core.hold(by)
	}
}
