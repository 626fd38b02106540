package tournament

import "errors"

// Settle returns an order as Apply would follow it now, with all that Apply fills in:
// what is to be written down, so that it can be given again when the run is resumed.
// It changes nothing. The error is that with which Apply would refuse the order.
func (d *Director) Settle(o Order) (Order, error) {
	o.Waves = d.core.waves()
	if err := d.check(&o); err != nil {
		if of, ok := errors.AsType[*OrderError](err); ok {
			of.Kind = o.Kind
		}
		return o, err
	}
	switch o.Kind {
	case Withdraw:
		if o.Remaining == ByShare {
			o.Remaining = Awarded
			if played, all := d.share(o.Engine); !d.plan.Format.dependent() && 2*played < all {
				o.Remaining = Annulled
			}
		}
	case Enter:
		o.Engine = d.plan.Engines
	case Pair:
		if ok, _ := d.core.mayMeet(o.Engine, o.Opponent); !ok && o.Games == 0 {
			o.Games = d.plan.Games + d.plan.Games%2*repeats(d.plan)
		}
	}
	return o, nil
}

// Apply follows an order and returns it as Settle does. An order that cannot be followed
// changes nothing.
func (d *Director) Apply(o Order) (Order, error) {
	o, err := d.Settle(o)
	if err != nil {
		return o, err
	}
	switch o.Kind {
	case Withdraw:
		d.withdraw(&o)
	case Enter:
		d.enter(&o)
	case Pair:
		d.pair(&o)
	case Forfeit:
		d.forfeit(&o)
	case Replay:
		d.replay(&o)
	case Overrule:
		d.overrule(&o)
	}
	return o, nil
}

// withdraw takes an engine out.
func (d *Director) withdraw(o *Order) {
	d.core.withdraw(o.Engine)
	if o.Remaining == Awarded {
		d.rulings.gone[o.Engine] = awarded
		d.reclaim()
		return
	}
	d.games(o.Engine, func(p Pairing) {
		if d.rulings.annulled(p) {
			return
		}
		if f, ok := d.ledger.result(p); ok {
			d.standings.Remove(f)
		}
	})
	d.rulings.gone[o.Engine] = annulled
	d.games(o.Engine, func(p Pairing) {
		if d.ledger.state(p.Index) == unknown {
			d.ledger.set(p.Index, skipped)
		}
	})
}

// games calls f for all games of an engine that are known.
func (d *Director) games(engine int, f func(Pairing)) {
	end := d.core.reserve(0)
	for i := range end {
		if p, ok := d.Find(i); ok && (p.First == engine || p.Second == engine) {
			f(p)
		}
	}
}

// share returns how many games an engine has played and how many it has in all.
func (d *Director) share(engine int) (played, all int) {
	d.games(engine, func(p Pairing) {
		switch s := d.ledger.state(p.Index); {
		case s == skipped:
			return
		case s >= over:
			played++
		}
		all++
	})
	return played, all
}

// enter takes another engine in.
func (d *Director) enter(o *Order) {
	b := d.core.enter(o.Byes)
	d.plan.Engines++
	d.rulings.gone = append(d.rulings.gone, here)
	d.standings.Grow(d.plan.Engines)
	if b != nil {
		d.extra.add(b, d.core.reserve)
	}
}

// pair lets two engines meet.
func (d *Director) pair(o *Order) {
	if ok, _ := d.core.mayMeet(o.Engine, o.Opponent); ok {
		d.core.meet(o.Engine, o.Opponent)
		return
	}
	d.extra.add(&block{games: o.Games, matches: [][2]int{{o.Engine, o.Opponent}}, opening: o.Opening}, d.core.reserve)
}

// repeats is 1 if openings are played twice.
func repeats(p Plan) int {
	if p.Repeat {
		return 1
	}
	return 0
}

// reclaim hands out again what ended without a verdict and is now to be awarded, but
// for games of rounds after which another was paired that nobody has ordered to be
// played again.
func (d *Director) reclaim() {
	from, to := d.core.missing()
	for i := range d.core.reserve(0) {
		past := d.plan.Format.dependent() && (i < from || i >= to) && !d.extra.has(i)
		if d.ledger.state(i) != void || past && d.rulings.replays[i] == 0 {
			continue
		}
		if p, ok := d.Find(i); ok && (p.Award == ToFirst || p.Award == ToSecond) {
			d.handOutAgain(p)
		}
	}
}

// forfeit awards games that have not begun.
func (d *Director) forfeit(o *Order) {
	if o.Game == 0 {
		d.rulings.beat(o.Engine, o.Opponent)
		d.reclaim()
		return
	}
	p, _ := d.Find(o.Game - 1)
	d.rulings.awards[p.Index] = ToFirst
	if p.First == o.Engine {
		d.rulings.awards[p.Index] = ToSecond
	}
	if d.ledger.state(p.Index) == void {
		d.handOutAgain(p)
	}
}

// replay annuls a game and hands it out again. An award of it is lifted.
func (d *Director) replay(o *Order) {
	p, _ := d.Find(o.Game - 1)
	d.count(p, -1)
	delete(d.rulings.awards, p.Index)
	d.rulings.replays[p.Index]++
	d.handOutAgain(p)
}

// handOutAgain puts a game that is over among those to be played, and lets the wave
// wait for it if that is not over yet.
func (d *Director) handOutAgain(p Pairing) {
	d.ledger.set(p.Index, unknown)
	d.rulings.dress(&p)
	d.again = append(d.again, p)
	d.hold(p, 1)
}

// overrule puts another result in the place of one.
func (d *Director) overrule(o *Order) {
	p, _ := d.Find(o.Game - 1)
	f, ok := d.ledger.result(p)
	d.count(p, -1)
	f.Pairing, f.Result = p, o.overruled()
	if !ok {
		f.Plies = 1
	}
	if o.Points == [2]float64{} {
		d.ledger.set(p.Index, nobody)
		return
	}
	d.ledger.set(p.Index, encode(f))
	d.count(p, 1)
}
