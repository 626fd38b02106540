package tournament

import "kibitz/game"

// ledger keeps what became of each game, a byte by its number.
type ledger struct {
	status []uint8
	// skipped are games that are not handed out, repeated counts those that counted
	// and are handed out again, ended those that are over, with a verdict or without.
	skipped, repeated, ended int
}

// What is known of a game; results follow from over on.
const (
	unknown uint8 = iota // not handed out
	running
	skipped // not to be handed out
	void    // ended without a verdict
	nobody  // overruled: counts for nobody
	over
)

func (l *ledger) state(index int) uint8 {
	if index < 0 || index >= len(l.status) {
		return unknown
	}
	return l.status[index]
}

func (l *ledger) set(index int, s uint8) {
	for index >= len(l.status) {
		l.status = append(l.status, unknown)
	}
	was := l.status[index]
	l.status[index] = s
	if was < void && s >= void {
		l.ended++
	} else if was >= void && s < void {
		l.ended--
	}
	switch {
	case was == s:
	case s == skipped:
		l.skipped++
	case was == skipped:
		l.skipped--
	case was >= nobody && s == unknown:
		l.repeated++
	}
}

// A result is kept in a byte, over + 10·outcome + fault: what standings need of it.

// outcomes are the points of a game.
var outcomes = [3][2]float64{{1, 0}, {0.5, 0.5}, {0, 1}}

// faults stand for reasons that standings count alike. The last is that of a game
// that was not played.
var faults = [...]game.Reason{"", game.ByCrash, game.ByTime, game.ByIllegal, game.ByStall, game.ByStart, game.ByAdjudication}

const unplayed = len(faults) - 1

// Unplayed reports whether a game was won before its first ply: one that an
// organiser awarded. It counts in the standings, not for ratings.
func (f *Finished) Unplayed() bool {
	return f.Plies == 0 && f.Result.Reason == game.ByAdjudication && f.Result.Winner() != game.Nobody
}

// hasVerdict reports whether a game counts for somebody.
func (f *Finished) hasVerdict() bool { return f.Result.Points[0]+f.Result.Points[1] > 0 }

// fault is the class of a result.
func fault(r game.Result) int {
	switch r.Reason {
	case game.ByCrash, game.ByDisconnect:
		return 1
	case game.ByTime:
		return 2
	case game.ByIllegal:
		return 3
	case game.ByStall, game.ByProtocol, game.ByResource:
		return 4
	case game.ByStart:
		return 5
	}
	return 0
}

func encode(f Finished) uint8 {
	outcome, class := 2, fault(f.Result)
	switch f.Result.Winner() {
	case game.First:
		outcome = 0
	case game.Nobody:
		outcome = 1
	}
	if f.Unplayed() {
		class = unplayed
	}
	return over + uint8(10*outcome+class)
}

// result returns a game that is over with what is kept of its result.
func (l *ledger) result(p Pairing) (Finished, bool) {
	s := l.state(p.Index)
	if s < over {
		return Finished{}, false
	}
	class := int(s-over) % 10
	f := Finished{Pairing: p, Plies: 1, Result: game.Result{Points: outcomes[(s-over)/10], Reason: faults[class]}}
	if class == unplayed {
		f.Plies = 0
	}
	return f, true
}

// Results yields the games that count, in the order of their numbers, with the
// points that they have now. Of a reason it keeps only what standings count.
func (d *Director) Results(yield func(Finished) bool) {
	for i, s := range d.ledger.status {
		if s < over {
			continue
		}
		p, ok := d.Find(i)
		if !ok || d.rulings.annulled(p) {
			continue
		}
		if f, ok := d.ledger.result(p); ok && !yield(f) {
			return
		}
	}
}
