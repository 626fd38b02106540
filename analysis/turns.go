package analysis

import (
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

// prepareTurns lists the positions of the line and what the seats play with after
// each decision.
func (r *run) prepareTurns() error {
	s, err := r.Line.State(0)
	if err != nil {
		return err
	}
	r.first = s.Clone()
	r.note(s)
	refused := false
	var told []game.Notice
	var legal []game.Move
	for i := range r.Line.Steps {
		step := &r.Line.Steps[i]
		turn := s.Turn()
		switch {
		case turn.Seat == game.Dealer:
			if n := len(r.list); n > 0 {
				r.list[n-1].Chance = true
			}
		case turn.Step == 0 && !refused:
			legal = s.Legal(legal[:0])
			p := Position{Ply: i, Seat: turn.Seat, Only: len(legal) == 1}
			if f, ok := s.(rules.Forcer); ok {
				_, p.Forced = f.Forced()
			}
			r.list = append(r.list, p)
		}
		if n := len(r.list); n > 0 && turn.Seat != game.Dealer && !step.Refused {
			r.list[n-1].Played = append(r.list[n-1].Played, step.Move)
		}
		refused = step.Refused
		if told, err = s.Apply(step.Move, told[:0]); err != nil {
			return err
		}
		r.note(s)
	}
	r.broken = s.Turn().Step != 0 || s.Turn().Seat == game.Dealer || refused
	if turn := s.Turn(); turn.Seat.IsPlayer() && !r.broken {
		r.list = append(r.list, Position{Ply: len(r.Line.Steps), Seat: turn.Seat})
	}
	r.bound()
	return nil
}

// note keeps whose turn it is and what the seats play with.
func (r *run) note(s rules.State) {
	r.turns = append(r.turns, s.Turn())
	r.colours = append(r.colours, rules.ColoursOf(r.Line.Rules, s))
}

// bound marks the positions that were asked for.
func (r *run) bound() {
	to := r.o.To
	if to < 0 {
		to = len(r.Line.Steps)
	}
	for i := range r.list {
		p := &r.list[i]
		p.Wanted = p.Ply >= r.o.From && p.Ply <= to
	}
}

// only leaves one position to be asked about, and returns its index.
func (r *run) only(ply int, whole bool) (int, error) {
	if ply < 0 || ply >= len(r.turns) {
		return 0, fmt.Errorf("ply %d: the game has 0 to %d", ply, len(r.turns)-1)
	}
	turn := r.turns[ply]
	if !turn.Seat.IsPlayer() {
		return 0, errors.New("nobody is to decide there")
	}
	i := len(r.list) - 1
	for i >= 0 && r.list[i].Ply > ply {
		i--
	}
	if i < 0 || r.list[i].Ply < ply && (!whole || r.list[i].Seat != turn.Seat) {
		i++
		r.list = slices.Insert(r.list, i, Position{Ply: ply, Seat: turn.Seat})
	}
	for j := range r.list {
		r.list[j].Wanted = j == i
	}
	r.list = r.list[:i+1]
	return i, nil
}

// asked reports whether the player is asked about position i: it is wanted, or
// follows one that is, with nothing but forced passes between.
func (r *run) asked(i int) bool {
	if r.list[i].Forced {
		return false
	}
	for ; i >= 0; i-- {
		if r.list[i].Wanted {
			return true
		}
		if i > 0 && !r.list[i-1].Forced {
			return r.list[i-1].Wanted
		}
	}
	return false
}

// history returns what a seat was told of the first n decisions; Nobody is told
// what is public. What chance decided comes with the decision before it.
func (r *run) history(n int, seat game.Seat) []player.Update {
	var list []player.Update
	for i := 0; i < n; i++ {
		u := player.Update{By: r.Line.Steps[i].By, Forced: r.Line.Steps[i].Forced}
		u.AddNotices(seat, r.Line.Notices[i])
		for i+1 < n && r.Line.Steps[i+1].By == game.Dealer && u.By != game.Dealer {
			i++
			u.AddNotices(seat, r.Line.Notices[i])
		}
		if len(u.Steps)+len(u.Notices) == 0 {
			continue // an attempt of the other seat that was refused
		}
		u.Next, u.Colours = r.turns[i+1], r.colours[i+1]
		u.Ended = !r.Line.Steps[i].Refused && (u.Next.Seat != u.By || u.Next.Step == 0)
		list = append(list, u.Clone())
	}
	return list
}

// bestTurn returns the part of a variation that is the first turn of a position.
func (r *run) bestTurn(ply int, pv []game.Move) []game.Move {
	if len(pv) == 0 {
		return nil
	}
	s, err := r.Line.State(ply)
	if err != nil {
		return nil
	}
	seat := s.Turn().Seat
	for i, m := range pv {
		if _, err := s.Apply(m, nil); err != nil {
			return slices.Clone(pv[:i])
		}
		if t := s.Turn(); t.Seat != seat || t.Step == 0 {
			return slices.Clone(pv[:i+1])
		}
	}
	return slices.Clone(pv)
}
