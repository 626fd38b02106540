package gomoku_test

import (
	"testing"

	"kibitz/game"
)

func FuzzPosition(f *testing.F) {
	for _, seed := range []string{"-", "h8i9g7 swap i8", "h8i9g7 two a1b1 stay", "xX.../O.o../...../...../..... white 2:1 c3", "dw127"} {
		f.Add(uint8(0), seed)
		f.Add(uint8(1), seed)
		f.Add(uint8(2), seed)
	}
	specs := []string{"gomoku:rule=renju", "gomoku:size=5,continuous=true", "gomoku:opening=swap2,size=127"}
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		r := open(t, specs[int(n)%len(specs)])
		s, err := r.Position(text)
		if err != nil {
			return
		}
		canonical := s.Text()
		back, err := r.Position(canonical)
		if err != nil {
			t.Fatalf("%q is read, its text %q is not: %v", text, canonical, err)
		}
		if back.Text() != canonical || back.Hash() != s.Hash() || back.Turn() != s.Turn() {
			t.Fatalf("%q is read as %q, that as %q", text, canonical, back.Text())
		}
	})
}

func FuzzParseMove(f *testing.F) {
	for _, seed := range []string{"h8", "AA127", " swap", "two", "a0", "8h"} {
		f.Add(seed)
	}
	r := open(f, "gomoku")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := r.ParseMove(text)
		if err != nil {
			return
		}
		if m.Op != game.Place && m.Op != game.Choose {
			t.Fatalf("%q is read as %v", text, m)
		}
		if back, err := r.ParseMove(r.FormatMove(m)); err != nil || back != m {
			t.Fatalf("%q is %v, written %q, read as %v, %v", text, m, r.FormatMove(m), back, err)
		}
	})
}
