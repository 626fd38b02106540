package rulestest

import (
	"fmt"

	"kibitz/game"
	"kibitz/rules"
)

// checkChance: the dealer's outcomes have weights above zero, differ and are
// acceptable; nothing else is.
func checkChance(s *subject) error {
	var f faults
	dealt := 0
	s.each(func(st rules.State, _ game.Move, _ bool) {
		ch, ok := st.(rules.Chance)
		if st.Turn().Seat != game.Dealer {
			if ok && len(ch.Outcomes(nil)) > 0 {
				f.add("outcomes %v although %v is on turn", ch.Outcomes(nil), st.Turn().Seat)
			}
			return
		}
		dealt++
		if !ok {
			f.add("the dealer is on turn, but the state is not a rules.Chance %s", where(st))
			return
		}
		list := ch.Outcomes(nil)
		if len(list) == 0 {
			f.add("the dealer is on turn and has nothing to deal %s", where(st))
		}
		seen := map[game.Move]bool{}
		for _, o := range list {
			if o.Weight <= 0 || seen[o.Move] || o.Move.Op != game.Deal {
				f.add("outcome %+v of %+v %s", o, list, where(st))
			}
			seen[o.Move] = true
			if err := st.Check(o.Move); err != nil {
				f.add("outcome %+v fails Check: %w", o, err)
			}
		}
	})
	if dealt == 0 && s.rules.Doc().Info == rules.PublicChance && s.gameErr == nil {
		f.add("the dealer was never on turn")
	}
	s.logf("%d times the dealer was on turn", dealt)
	return f.err()
}

// checkShuffle: a seed fixes what chance decides wherever and whenever it is
// asked for, so that two games from one shuffle meet the same pieces.
func checkShuffle(s *subject) error {
	sh, ok := s.rules.(rules.Shuffler)
	if !ok {
		return nil
	}
	var f faults
	different := false
	for i := range s.config.playouts {
		seed := [32]byte{byte(i), 1, 2, byte(i * 7)}
		first, err := s.dealt(sh, seed, uint64(2*i))
		if err != nil {
			return err
		}
		again, err := s.dealt(sh, seed, uint64(2*i+1))
		if err != nil {
			return err
		}
		seed[31]++
		other, err := s.dealt(sh, seed, uint64(2*i))
		if err != nil {
			return err
		}
		common := 0
		for at, n := range first {
			if m, ok := again[at]; ok {
				common++
				if m != n {
					f.add("from one seed %v gets outcome %d in one game and %d in another", at, n, m)
				}
			}
			if m, ok := other[at]; ok && m != n {
				different = true
			}
		}
		if common == 0 && len(first) > 0 {
			f.add("two games from one shuffle have no deal in common")
		}
	}
	if s.rules.Doc().Info == rules.Perfect || s.rules.Doc().Info == rules.Private {
		return f.err()
	}
	if !different {
		f.add("different seeds give the same shuffle")
	}
	return f.err()
}

// dealt plays a random game with the dealer of a seed and returns what was dealt
// where.
func (s *subject) dealt(sh rules.Shuffler, seed [32]byte, stream uint64) (map[game.Point]int16, error) {
	d := sh.Shuffle(seed)
	st := s.rules.New()
	r := s.rng(stream | 1<<40)
	dealt := map[game.Point]int16{}
	for range s.bound() {
		t := st.Turn()
		if t.Seat == game.Nobody {
			break
		}
		var m game.Move
		var err error
		if t.Seat == game.Dealer {
			if m, err = d.Deal(st); err == nil {
				err = possible(st, m)
				dealt[m.To] = m.Arg
			}
		} else {
			m, err = pick(st, r)
		}
		if err != nil {
			return nil, err
		}
		if _, err := st.Apply(m, nil); err != nil {
			return nil, err
		}
	}
	return dealt, nil
}

func possible(st rules.State, m game.Move) error {
	ch, ok := st.(rules.Chance)
	if !ok {
		return fmt.Errorf("the dealer is on turn, but the state is not a rules.Chance")
	}
	for _, o := range ch.Outcomes(nil) {
		if o.Move == m {
			return nil
		}
	}
	return fmt.Errorf("the dealer dealt %v, which is not an outcome %s", m, where(st))
}
