package opening

import (
	"encoding/binary"
	"math/rand/v2"
)

// source returns random numbers that the seed and a number determine.
func source(seed [32]byte, n uint64) *rand.Rand {
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(seed[:8])^n, binary.LittleEndian.Uint64(seed[8:16])+n))
}

// Shuffle puts a list in the order that the seed determines.
func Shuffle[T any](list []T, seed [32]byte) {
	source(seed, 0).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// Rotate returns the list that begins with number start, from 1, and goes round.
// Numbers beyond the end count on from the beginning.
func Rotate[T any](list []T, start int) []T {
	if len(list) == 0 {
		return list
	}
	k := (start - 1) % len(list)
	return append(list[k:len(list):len(list)], list[:k]...)
}

// MostPasses bounds how many openings Passes makes beyond those it is given.
const MostPasses = 20_000

// Passes returns the list several times behind itself, each opening turned or
// mirrored in each pass by another of its symmetries, in an order that the seed and
// the opening's number determine. There are as many passes as the board has
// symmetries, or as many as fit into MostPasses; an opening that looks the same
// through some of them comes in fewer forms, again and again.
//
// So two games that are played from the same number of the list are played from the
// same opening turned the same way, and a list that is played through again shows
// something new.
func (t *Turner) Passes(list []Opening, seed [32]byte) ([]Opening, error) {
	if len(t.list) == 1 || len(list) == 0 {
		return list, nil
	}
	passes := 1
	for i := range list {
		passes = max(passes, min(len(t.Of(list[i].Start)), MostPasses/len(list)))
	}
	out := make([]Opening, passes*len(list))
	for i := range list {
		forms, err := t.forms(&list[i], passes)
		if err != nil {
			return nil, err
		}
		rng := source(seed, uint64(i)+1)
		rng.Shuffle(len(forms), func(a, b int) { forms[a], forms[b] = forms[b], forms[a] })
		for p := range passes {
			o, err := t.Turn(list[i], forms[p%len(forms)])
			if err != nil {
				return nil, err
			}
			out[p*len(list)+i] = o
		}
	}
	return out, nil
}

// forms returns the symmetries through which an opening looks different each time,
// or simply all of them if there is a single pass.
func (t *Turner) forms(o *Opening, passes int) ([]int, error) {
	all := t.Of(o.Start)
	forms := make([]int, 0, len(all))
	if passes == 1 {
		return append(forms, all...), nil
	}
	seen := make(map[uint64]bool, len(all))
	for _, n := range all {
		turned, err := t.Turn(*o, n)
		if err != nil {
			return nil, err
		}
		s, err := turned.State(t.rules)
		if err != nil {
			return nil, err
		}
		if h := s.Hash(); !seen[h] {
			seen[h] = true
			forms = append(forms, n)
		}
	}
	return forms, nil
}

// Pair names two openings of a list by their numbers, from 0.
type Pair struct{ First, Second int }

// Duplicates returns, for each opening that leads to the position of an earlier one
// but for a symmetry, the two.
func (t *Turner) Duplicates(list []Opening) ([]Pair, error) {
	var out []Pair
	first := make(map[uint64]int, len(list))
	for i := range list {
		key, err := t.Key(&list[i])
		if err != nil {
			return nil, err
		}
		if k, twice := first[key]; twice {
			out = append(out, Pair{k, i})
			continue
		}
		first[key] = i
	}
	return out, nil
}
