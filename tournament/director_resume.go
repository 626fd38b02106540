package tournament

import (
	"fmt"
	"slices"
)

// Event is a result or an order, as a log of a run holds them in sequence.
type Event struct {
	// Order is nil for a result.
	Order    *Order
	Finished Finished
}

// Resume takes over the log of an earlier run of the same plan, in the sequence in
// which it was written; the Director must be new. Each result that is taken over is
// handed to add with its whole Pairing, also one that an order of the log annuls
// later. Afterwards Next hands out what remains, with the numbers that games had.
//
// Of a result the log has to tell Index, First, Second, Round and Pair of its
// Pairing, the points and the reason, and Plies if the reason is adjudication. Games
// without a verdict need not be in it: that a wave has begun tells that those missing
// from the waves before ended without one. The others are handed out again.
//
// It is an error if the log does not fit the plan: a game that is not in the
// schedule or is another one there, a second result of a game that no order has let
// play again, an order that cannot be followed.
func (d *Director) Resume(log []Event, add func(Finished)) error {
	for _, e := range log {
		if e.Order != nil {
			if err := d.reorder(*e.Order); err != nil {
				return err
			}
			continue
		}
		if err := d.takeOver(e.Finished, add); err != nil {
			return err
		}
	}
	return nil
}

// reorder gives an order again.
func (d *Director) reorder(o Order) error {
	for d.core.waves() < o.Waves {
		if !d.force() {
			return fmt.Errorf("%s: it was given when %d rounds had begun, this schedule has no more than %d", o.Kind, o.Waves, d.core.waves())
		}
	}
	if d.core.waves() > o.Waves {
		return fmt.Errorf("%s: it was given when %d rounds had begun, but there are results of round %d before it", o.Kind, o.Waves,
			d.core.waves())
	}
	if i := o.Game - 1; (o.Kind == Replay || o.Kind == Overrule) && d.state(i) == unknown {
		if p, ok := d.Find(i); ok {
			d.giveUp(p) // it was over, so it had no verdict
		}
	}
	_, err := d.Apply(o)
	return err
}

// giveUp takes a game for one that ended without a verdict.
func (d *Director) giveUp(p Pairing) {
	d.unqueue(p.Index)
	d.set(p.Index, void)
	d.hold(p, -1)
}

// takeOver records a result of an earlier run.
func (d *Director) takeOver(f Finished, add func(Finished)) error {
	i := f.Pairing.Index
	p, ok := d.Find(i)
	for !ok {
		if i < d.core.reserve(0) || !d.force() {
			return fmt.Errorf("game %d of the earlier run is not in this schedule, which has %d", i+1, d.core.reserve(0))
		}
		p, ok = d.Find(i)
	}
	if !f.Pairing.same(p) {
		return fmt.Errorf("game %d of the earlier run is %s, in this schedule it is %s", i+1, f.Pairing.text(), p.text())
	}
	s := d.state(i)
	switch {
	case s == void && !d.hadVerdict(f):
		return nil
	case s >= void:
		return fmt.Errorf("game %d has two results", i+1)
	case s == skipped:
		d.leftOut-- // it ran when one of its engines withdrew
	}
	d.unqueue(i)
	f.Pairing = p
	if f.Unplayed() {
		f.Pairing.Award = awardOf(f)
	} else {
		f.Pairing.Award = Played
	}
	d.set(i, running)
	d.Record(f)
	if d.hadVerdict(f) {
		add(f)
	}
	return nil
}

func (d *Director) hadVerdict(f Finished) bool { return f.Result.Points[0]+f.Result.Points[1] > 0 }

// awardOf returns the award that made a result.
func awardOf(f Finished) Award {
	if f.Result.Points[0] > f.Result.Points[1] {
		return ToFirst
	}
	return ToSecond
}

// unqueue takes a game off those to be handed out again.
func (d *Director) unqueue(index int) {
	for k, p := range d.again {
		if p.Index == index {
			d.again = append(d.again[:k:k], d.again[k+1:]...)
			return
		}
	}
}

// force begins the next wave: whatever is missing from the current one, or was to be
// played again, ended without a verdict. It is false if there is no other wave.
func (d *Director) force() bool {
	from, to := d.core.missing()
	for i := from; i < to; i++ {
		if s := d.state(i); s == unknown || s == running {
			p, _ := d.core.find(i)
			d.giveUp(p)
		}
	}
	for _, p := range slices.Clone(d.again) {
		if d.block(p.Index) == nil {
			d.giveUp(p)
		}
	}
	return d.core.advance()
}

// same reports whether two pairings are of the same meeting and seats; of an earlier
// one the pair need not be known.
func (p Pairing) same(q Pairing) bool {
	return p.First == q.First && p.Second == q.Second && p.Round == q.Round && (p.Pair == q.Pair || p.Pair == 0)
}

// text says who meets whom; engines count from 1.
func (p Pairing) text() string {
	return fmt.Sprintf("engine %d against %d, pair %d of round %d", p.First+1, p.Second+1, p.Pair, p.Round)
}
