package connect6

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/connect6"
)

// open returns the field of a position.
func open(t testing.TB, spec game.Spec, text string) *field {
	t.Helper()
	r, err := connect6.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	st, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	f := newField(r.Size())
	b := st.(*connect6.State).Board()
	f.follow(&b)
	return f
}

// scatter places random stones, near each other, so that nobody has six.
func scatter(f *field, rng *rand.Rand, stones int) {
	for n := 0; n < stones; {
		x, y := f.size/2+rng.IntN(7)-3, f.size/2+rng.IntN(7)-3
		p := y*f.size + x
		if f.stones[p] != none {
			continue
		}
		c := rng.IntN(2)
		f.put(p, c)
		n++
		if f.made(int16(p), c) {
			f.take(p, c)
			return
		}
	}
}

// fresh builds the field anew from its stones.
func fresh(f *field) *field {
	g := newField(f.size)
	for p, c := range f.stones {
		if c != none {
			g.put(p, int(c))
		}
	}
	return g
}

func sameField(t *testing.T, f, g *field) {
	t.Helper()
	if !slices.Equal(f.stones, g.stones) || f.sum != g.sum || f.hash != g.hash || f.empty != g.empty {
		t.Fatalf("sums %v, hash %x, %d empty; anew %v, %x, %d", f.sum, f.hash, f.empty, g.sum, g.hash, g.empty)
	}
	for c := range 2 {
		if !slices.Equal(f.points[c], g.points[c]) {
			t.Fatalf("points of %d differ", c)
		}
		for k := range 3 {
			a, b := slices.Clone(f.lists[c][k]), slices.Clone(g.lists[c][k])
			slices.Sort(a)
			slices.Sort(b)
			if !slices.Equal(a, b) {
				t.Fatalf("list %d of %d is %v, anew %v", k, c, a, b)
			}
		}
	}
}

// What is kept up stone by stone is what counting from the beginning gives.
func TestFieldIsKeptUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		f := newField(6 + round%14)
		var put []int
		for range 300 {
			if len(put) > 0 && rng.IntN(3) == 0 {
				k := rng.IntN(len(put))
				f.take(put[k], int(f.stones[put[k]]))
				put = slices.Delete(put, k, k+1)
				continue
			}
			p := rng.IntN(len(f.stones))
			if f.stones[p] != none {
				continue
			}
			c := rng.IntN(2)
			f.put(p, c)
			if f.made(int16(p), c) {
				f.take(p, c)
				continue
			}
			put = append(put, p)
		}
		sameField(t, f, fresh(f))
		for c := range 2 {
			n := int32(0)
			for i := range f.windows {
				w := &f.windows[i]
				if w.count[1-c] == 0 {
					n += worth[w.count[c]]
				}
			}
			if n != f.sum[c] {
				t.Fatalf("sum %d of %d, windows say %d", f.sum[c], c, n)
			}
		}
	}
}

// The turns that spoil all threats are those that trying all turns finds.
func TestCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	single, double, lost := 0, 0, 0
	rounds := 3000
	if testing.Short() {
		rounds = 800
	}
	for range rounds {
		f := newField(9)
		scatter(f, rng, 10+rng.IntN(14))
		c := rng.IntN(2)
		if len(f.threats(c)) == 0 {
			continue
		}
		want := map[pair]bool{}
		alone := map[int16]bool{}
		for p := range f.stones {
			if f.stones[p] == none && spoilt(f, c, pair{int16(p), none}) {
				alone[int16(p)] = true
				want[pair{int16(p), none}] = true
			}
		}
		for p := range f.stones {
			for q := range p {
				m := pair{int16(q), int16(p)}
				if f.stones[p] == none && f.stones[q] == none && !alone[m.a] && !alone[m.b] && spoilt(f, c, m) {
					want[m] = true
				}
			}
		}
		got := f.covers(nil, c, 2)
		for _, m := range got {
			if m.b != none && m.a > m.b {
				m.a, m.b = m.b, m.a
			}
			if !want[m] {
				t.Fatalf("%v spoils not all threats, or more than it needs", m)
			}
			delete(want, m)
		}
		if len(want) > 0 {
			t.Fatalf("%v are missing in %v", want, got)
		}
		if one := f.covers(nil, c, 1); len(one) != len(alone) {
			t.Fatalf("%v of %v with one stone", one, alone)
		}
		switch {
		case len(got) == 0:
			lost++
		case got[0].b == none:
			single++
		default:
			double++
		}
	}
	if least := rounds / 60; single < least || double < least || lost < least/3 {
		t.Errorf("%d positions with single answers, %d with pairs, %d without", single, double, lost)
	}
}

// spoilt reports whether a turn of the other side leaves side c without a turn
// that makes six.
func spoilt(f *field, c int, m pair) bool {
	f.play(m, 1-c)
	_, ok := f.winning(c, 2)
	f.undo(m, 1-c)
	return !ok
}

// An attack that is said to win does so against every reply, not only those that
// the search looked at.
func TestAttacksWin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var a attacker
	found, longest := 0, 0
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	for range rounds {
		f := newField(8)
		scatter(f, rng, 8+rng.IntN(10))
		c := rng.IntN(2)
		a.failed = nil
		a.reset(f, func() bool { return false })
		m, n := a.find(c, 3, 3000)
		if n < 2 || n > 3 || longest > 0 && n == 2 && rng.IntN(4) > 0 {
			continue
		}
		before := fresh(f)
		if !wins(f, &a, m, c, n) {
			t.Fatalf("%v in %d turns does not win for %d: %v", m, n, c, f.stones)
		}
		sameField(t, f, before)
		found++
		longest = max(longest, n)
	}
	if found < 10 || longest < 3 && !testing.Short() {
		t.Errorf("%d attacks of at most %d turns", found, longest)
	}
}

// wins tries all replies to a turn, and the attack that is found after each.
func wins(f *field, a *attacker, m pair, c, n int) bool {
	f.play(m, c)
	defer f.undo(m, c)
	if f.made(m.a, c) || m.b != none && f.made(m.b, c) {
		return true
	}
	if n <= 1 {
		return false
	}
	if _, ok := f.winning(1-c, 2); ok {
		return false
	}
	for p := range f.stones {
		for q := range p {
			r := pair{int16(p), int16(q)}
			if f.stones[p] != none || f.stones[q] != none {
				continue
			}
			f.play(r, 1-c)
			next, k := a.find(c, n-1, 3000)
			won := k > 0 && k < n && wins(f, a, next, c, n-1)
			f.undo(r, 1-c)
			if !won {
				return false
			}
		}
	}
	return true
}

// Positions in which there is one right thing to do.
func TestObvious(t *testing.T) {
	for _, c := range []struct {
		name, text string
		wins       bool
	}{
		{"four in the middle", "19/19/19/19/19/19/19/19/7bbbb8/7ww10/19/19/19/7ww10/19/19/19/19/19 b", true},
		{"five", "19/19/19/19/19/19/19/19/6wbbbbb7/7ww10/19/19/19/7www9/19/19/19/19/19 b", true},
		{"two open threes", "19/19/19/19/19/6b12/6b12/6b12/8bbb8/19/19/14w4/14w4/14w4/19/w18/19/18w/w17w b", true},
	} {
		f := open(t, "connect6:size=19", c.text)
		var a attacker
		a.reset(f, func() bool { return false })
		if _, n := a.find(0, 8, 20_000); (n > 0) != c.wins {
			t.Errorf("%s: a win in %d turns", c.name, n)
		}
	}
}

// A turn that is the best so far is looked at longer: these games were lost by their
// last turn, and the search along the way did not see it.
func TestCheckSeesAttack(t *testing.T) {
	for _, text := range []string{
		"l10 n12 m14 k10 k12 n10 l14",
		"l12 k12 i11 n14 m11 k13 m13 o13 m15 i13 l13",
	} {
		f := newField(19)
		c := 0
		for i, word := range strings.Fields(text) {
			row, err := strconv.Atoi(word[1:])
			if err != nil {
				t.Fatal(err)
			}
			f.put((row-1)*19+int(word[0]-'a'), c)
			if i%2 == 0 {
				c = 1 - c
			}
		}
		s := position{f: f, c: c, seeks: true, last: pair{1, 2}}
		s.attack.reset(f, func() bool { return false })
		if _, n := s.attacks(c, 3); n != 0 {
			t.Errorf("%s: the short search sees a win in %d turns", text, n)
		}
		if _, n := s.check(); n == 0 || len(s.sound) > 0 {
			t.Errorf("%s: the check sees a win in %d turns, sound %v", text, n, s.sound)
		}
		f.clear()
		if _, n := s.check(); n != 0 || !slices.Contains(s.sound, s.last) {
			t.Errorf("an empty board: a win in %d turns, sound %v", n, s.sound)
		}
	}
}
