package rulestest

import (
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/rules"
)

// Opener returns what opens specifications of some games; an error ends the test.
func Opener(list ...rules.Game) func(t testing.TB, spec string) rules.Rules {
	return func(t testing.TB, spec string) rules.Rules {
		t.Helper()
		r, err := rules.Open(list, spec)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// Scene makes decisions from a position, which is the initial one if it is empty, and returns where
// they lead. The last of them may be illegal: then what refuses it is returned. What a seat may
// decide is what stands in the list.
func Scene(t testing.TB, r rules.Rules, position string, decisions []string) (rules.State, error) {
	t.Helper()
	st := r.New()
	if position != "" {
		var err error
		if st, err = r.Position(position); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range decisions {
		m, err := r.ParseMove(text)
		if err == nil {
			listed, chance := slices.Contains(st.Legal(nil), m), !st.Turn().Seat.IsPlayer()
			if _, err = st.Apply(m, nil); listed != (err == nil) && !chance {
				t.Errorf("%s: listed %t, error %v", text, listed, err)
			}
		}
		if err != nil && i < len(decisions)-1 {
			t.Fatalf("decision %d, %s: %v", i+1, text, err)
		}
		if err != nil {
			return nil, err
		}
	}
	return st, nil
}

// FuzzMoves fuzzes the text of decisions: what is read is written and read as the same.
// What else is true of a decision is in check, which may be nil.
func FuzzMoves(f *testing.F, r rules.Rules, seeds []string, check func(t *testing.T, text string, m game.Move)) {
	f.Helper()
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := r.ParseMove(text)
		if err != nil {
			return
		}
		if back, err := r.ParseMove(r.FormatMove(m)); err != nil || back != m {
			t.Errorf("%q is %v, written %q, reads back as %v, %v", text, m, r.FormatMove(m), back, err)
		}
		if check != nil {
			check(t, text, m)
		}
	})
}

// Reread returns the state that the text of another is read as, which must be the same.
func Reread(t testing.TB, r rules.Rules, st rules.State) rules.State {
	t.Helper()
	back, err := r.Position(st.Text())
	if err != nil || back.Text() != st.Text() || back.Hash() != st.Hash() || back.Turn() != st.Turn() {
		t.Fatalf("%q reads back as %v, %v", st.Text(), back, err)
	}
	return back
}
