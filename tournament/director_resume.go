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
	r := replayed{d, add}
	for _, e := range log {
		var err error
		if e.Order != nil {
			err = r.order(*e.Order)
		} else {
			err = r.result(e.Finished)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replayed brings an earlier run's log before a Director, and each of its results that
// counts to add.
type replayed struct {
	d   *Director
	add func(Finished)
}

func (r replayed) order(o Order) error {
	for r.d.core.waves() < o.Waves {
		if !r.force() {
			return fmt.Errorf("%s: it was given when %d rounds had begun, this schedule has no more than %d", o.Kind, o.Waves, r.d.core.waves())
		}
	}
	if r.d.core.waves() > o.Waves {
		return fmt.Errorf("%s: it was given when %d rounds had begun, but there are results of round %d before it", o.Kind, o.Waves,
			r.d.core.waves())
	}
	if i := o.Game - 1; (o.Kind == Replay || o.Kind == Overrule) && r.d.ledger.state(i) == unknown {
		if p, ok := r.d.Find(i); ok {
			r.giveUp(p) // it was over, so it had no verdict
		}
	}
	_, err := r.d.Apply(o)
	return err
}

// giveUp takes a game for one that ended without a verdict.
func (r replayed) giveUp(p Pairing) {
	r.unqueue(p.Index)
	r.d.ledger.set(p.Index, void)
	r.d.hold(p, -1)
}

// result records a result of an earlier run.
func (r replayed) result(f Finished) error {
	i := f.Pairing.Index
	p, ok := r.d.Find(i)
	for !ok {
		if i < r.d.core.reserve(0) || !r.force() {
			return fmt.Errorf("game %d of the earlier run is not in this schedule, which has %d", i+1, r.d.core.reserve(0))
		}
		p, ok = r.d.Find(i)
	}
	if !f.Pairing.same(p) {
		return fmt.Errorf("game %d of the earlier run is %s, in this schedule it is %s", i+1, f.Pairing.text(), p.text())
	}
	s := r.d.ledger.state(i)
	switch {
	case s == void && !f.hasVerdict():
		return nil
	case s >= void:
		return fmt.Errorf("game %d has two results", i+1)
	}
	r.unqueue(i)
	f.Pairing = p
	if f.Unplayed() {
		f.Pairing.Award = awardOf(f)
	} else {
		f.Pairing.Award = Played
	}
	r.d.ledger.set(i, running) // also one that was skipped: it ran when one of its engines withdrew
	r.d.Record(f)
	if f.hasVerdict() {
		r.add(f)
	}
	return nil
}

// awardOf returns the award that made a result.
func awardOf(f Finished) Award {
	if f.Result.Points[0] > f.Result.Points[1] {
		return ToFirst
	}
	return ToSecond
}

// unqueue takes a game off those to be handed out again.
func (r replayed) unqueue(index int) {
	r.d.again = slices.DeleteFunc(r.d.again, func(p Pairing) bool { return p.Index == index })
}

// force begins the next wave: whatever is missing from the current one, or was to be
// played again, ended without a verdict. It is false if there is no other wave.
func (r replayed) force() bool {
	from, to := r.d.core.missing()
	for i := from; i < to; i++ {
		if s := r.d.ledger.state(i); s == unknown || s == running {
			p, _ := r.d.core.find(i)
			r.giveUp(p)
		}
	}
	for _, p := range slices.Clone(r.d.again) {
		if !r.d.extra.has(p.Index) {
			r.giveUp(p)
		}
	}
	return r.d.core.advance()
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
