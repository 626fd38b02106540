package gomoku_test

import (
	"testing"

	"kibitz/game"
	"kibitz/rules/rulestest"
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
		rulestest.Reread(t, r, s)
	})
}

func FuzzParseMove(f *testing.F) {
	seeds := []string{"h8", "AA127", " swap", "two", "a0", "8h"}
	rulestest.FuzzMoves(f, open(f, "gomoku"), seeds, func(t *testing.T, text string, m game.Move) {
		if m.Op != game.Place && m.Op != game.Choose {
			t.Fatalf("%q is read as %v", text, m)
		}
	})
}
