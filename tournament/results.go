package tournament

import "kibitz/game"

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
func (d *Director) result(p Pairing) (Finished, bool) {
	s := d.state(p.Index)
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
	for i := range d.status {
		if d.status[i] < over {
			continue
		}
		p, ok := d.Find(i)
		if !ok || d.annulled(p) {
			continue
		}
		if f, ok := d.result(p); ok && !yield(f) {
			return
		}
	}
}
