package contest

import (
	"fmt"
	"maps"
	"slices"

	"kibitz/game"
	"kibitz/tournament"
)

// HandedOut are the games of a tournament that were handed out.
type HandedOut struct {
	// Games are all, in that order.
	Games []Played
	// open are the places in Games of those that run, by number; latest of the last
	// time that a number was handed out.
	open   map[int]int
	latest map[int]int
	pairs  map[int]tournament.Pairing // of open games
}

func gameOf(p tournament.Pairing) Game {
	return Game{
		Index: p.Index, Replays: p.Replays, Round: p.Round, Pair: p.Pair, First: p.First, Second: p.Second,
		Opening: p.Opening, Shuffle: p.Shuffle, Awarded: p.Award != tournament.Played,
	}
}

func (h *HandedOut) handOut(p tournament.Pairing) {
	h.open[p.Index], h.latest[p.Index] = len(h.Games), len(h.Games)
	h.pairs[p.Index] = p
	h.Games = append(h.Games, Played{Game: gameOf(p)})
}

// Label names a game: "17", and "17-2" when it is played for the second time.
func (g *Game) Label() string {
	if g.Replays == 0 {
		return fmt.Sprint(g.Index + 1)
	}
	return fmt.Sprintf("%d-%d", g.Index+1, g.Replays+1)
}

// Playing returns the games that were handed out and are not over, in that order.
func (h *HandedOut) Playing() []Game {
	places := slices.Sorted(maps.Values(h.open))
	out := make([]Game, len(places))
	for i, at := range places {
		out[i] = h.Games[at].Game
	}
	return out
}

// Latest returns a game by its number from 0, as it was handed out last.
func (h *HandedOut) Latest(index int) (Played, bool) {
	at, ok := h.latest[index]
	if !ok {
		return Played{}, false
	}
	return h.Games[at], true
}

// Awarded returns the result of a game that HandOut gave and that is not to be played.
func (h *HandedOut) Awarded(index int) (*Over, bool) {
	p, ok := h.pairs[index]
	if !ok {
		return nil, false
	}
	r, ok := p.Awarded()
	if !ok {
		return nil, false
	}
	return &Over{Index: p.Index, Replays: p.Replays, Points: r.Points, Reason: r.Reason, Detail: r.Detail}, true
}

// running returns a game that runs, by its number from 1.
func (h *HandedOut) running(number int) (Game, bool) {
	at, ok := h.open[number-1]
	if !ok {
		return Game{}, false
	}
	return h.Games[at].Game, true
}

// end ends a game that runs, and returns the end as the schedule takes it.
func (h *HandedOut) end(over Over) (tournament.Finished, bool) {
	at, ok := h.open[over.Index]
	if !ok || h.Games[at].Replays != over.Replays {
		return tournament.Finished{}, false
	}
	p := h.pairs[over.Index]
	delete(h.open, over.Index)
	delete(h.pairs, over.Index)
	if !isVerdict(over.Points) {
		over.Points = [2]float64{}
	}
	h.Games[at].Over = &over
	return over.finished(p), true
}

// finished is the end of a game as the schedule takes it.
func (o *Over) finished(p tournament.Pairing) tournament.Finished {
	return tournament.Finished{
		Pairing: p, Plies: o.Plies, Seconds: o.Seconds,
		Result: game.Result{Points: o.Points, Reason: o.Reason, Detail: o.Detail},
	}
}

// isVerdict reports whether points are those of a game that counts.
func isVerdict(p [2]float64) bool {
	return p == [2]float64{1, 0} || p == [2]float64{0, 1} || p == [2]float64{0.5, 0.5}
}

// overrule notes another result of a game.
func (h *HandedOut) overrule(o tournament.Order) {
	at, ok := h.latest[o.Game-1]
	if !ok || h.Games[at].Over == nil {
		return
	}
	g := &h.Games[at]
	over := *g.Over // what was read of it stays as it was
	over.Points, over.Reason, over.Detail = o.Points, game.ByAdjudication, o.Note
	if !isVerdict(o.Points) {
		over.Reason = game.ByAbort
	}
	g.Over, g.Ruled = &over, true
}
