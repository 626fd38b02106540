package problems

import (
	"testing"

	"kibitz/games"
	"kibitz/record/formats"
)

// FuzzProblems reads positions to solve.
func FuzzProblems(f *testing.F) {
	all := games.All()
	for i, g := range all {
		r, err := games.Open(g.ID)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte("# a list\n"+r.New().Text()+"; score=2 winner=first\n"), uint8(i), uint8(0))
	}
	f.Add([]byte("---------------------------O*------*O--------------------------- *; F5:+0; D3:-2\n"), uint8(0), uint8(1))
	f.Add([]byte("f5d6c3d3"), uint8(0), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, which, from uint8) {
		if len(data) > 1<<13 {
			return
		}
		r, err := games.Open(all[int(which)%len(all)].ID)
		if err != nil {
			t.Fatal(err)
		}
		in := File{
			Name: "-", Game: r.Spec(), From: []string{"positions", "obf", "moves", ""}[from%4],
			Set: formats.New(games.OpenSpec), Open: games.OpenSpec,
		}
		list, err := in.Read(data)
		if err != nil {
			return
		}
		for _, p := range list {
			if p.state == nil || p.rules == nil || !p.state.Turn().Seat.IsPlayer() && from%4 == 2 {
				t.Fatalf("a problem without a position: %+v", p)
			}
		}
	})
}
