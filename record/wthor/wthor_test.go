package wthor_test

import (
	"bytes"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/record/wthor"
)

func names(t *testing.T, file string, kind wthor.Kind, want int) *wthor.Names {
	t.Helper()
	data := shared.Read(t, "data", "othello", "wthor", file)
	f, err := wthor.ReadNames(data, kind)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.List) != want {
		t.Errorf("%s: %d names, want %d", file, len(f.List), want)
	}
	out, err := f.Append(nil, kind)
	if err != nil {
		t.Fatal(err)
	}
	// Behind the zero that ends a name the file may hold anything.
	again, err := wthor.ReadNames(out, kind)
	if err != nil || len(out) != len(data) || strings.Join(again.List, "\n") != strings.Join(f.List, "\n") {
		t.Errorf("%s: written differently: %v", file, err)
	}
	return f
}

func TestFiles(t *testing.T) {
	players := names(t, "WTH.JOU", wthor.Players, 4448)
	tournaments := names(t, "WTH.TRN", wthor.Tournaments, 492)
	if players.List[0] != "???" {
		t.Errorf("first player %q", players.List[0])
	}
	latin := 0
	for _, s := range tournaments.List {
		if strings.IndexFunc(s, func(r rune) bool { return r > 127 }) >= 0 {
			latin++
		}
	}
	if latin == 0 {
		t.Error("no tournament has a letter beyond ASCII")
	}
	tests := []struct {
		file         string
		year, games  int
		depth        uint8
		moves, short int // all moves; games of fewer than 60
		discs        int // Black's, of all games together
	}{
		{"WTH_1977.wtb", 1977, 12, 24, 719, 1, 315},
		{"WTH_1978.wtb", 1978, 8, 24, 479, 1, 286},
		{"WTH_1979.wtb", 1979, 11, 24, 659, 1, 401},
		{"WTH_1980.wtb", 1980, 160, 24, 9552, 18, 4742},
		{"WTH_1981.wtb", 1981, 153, 24, 9055, 20, 5056},
		{"WTH_1984.wtb", 1984, 587, 24, 35040, 44, 18608},
		{"WTH_2021.wtb", 2021, 680, 24, 40767, 20, 21630},
		{"test.WTB", 1980, 1, 0, 60, 0, 31},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data := shared.Read(t, "data", "othello", "wthor", tt.file)
			b, err := wthor.ReadGames(data)
			if err != nil {
				t.Fatal(err)
			}
			if int(b.Header.GameYear) != tt.year || len(b.Games) != tt.games || b.Header.Depth != tt.depth {
				t.Errorf("year %d, %d games, depth %d", b.Header.GameYear, len(b.Games), b.Header.Depth)
			}
			if !bytes.Equal(b.Append(nil), data) {
				t.Error("written differently")
			}
			moves, short, discs := count(t, b, players, tournaments)
			if moves != tt.moves || short != tt.short || discs != tt.discs {
				t.Errorf("%d moves, %d short games, %d discs; want %d %d %d", moves, short, discs, tt.moves, tt.short, tt.discs)
			}
		})
	}
}

// count reads every game, stores it again, and returns totals.
func count(t *testing.T, b *wthor.Base, players, tournaments *wthor.Names) (moves, short, discs int) {
	t.Helper()
	for i := range b.Games {
		g, err := b.Record(i, players, tournaments)
		if err != nil || len(g.Warnings) > 0 || len(g.Steps) == 0 {
			t.Fatalf("game %d: %v %q, %d moves", i, err, g.Warnings, len(g.Steps))
		}
		moves += len(g.Steps)
		discs += int(g.Result.Board[0])
		if len(g.Steps) < wthor.MaxMoves {
			short++
		}
		src := b.Games[i]
		back, err := wthor.FromRecord(g, src.Tournament, src.Black, src.White)
		if err != nil || back != src {
			t.Errorf("game %d comes back as %v, %v; was %v", i, back, err, src)
		}
	}
	return moves, short, discs
}

func TestRecord(t *testing.T) {
	players := names(t, "WTH.JOU", wthor.Players, 4448)
	b, err := wthor.ReadGames(shared.Read(t, "data", "othello", "wthor", "WTH_1981.wtb"))
	if err != nil {
		t.Fatal(err)
	}
	// Game 68 (from 0) breaks off after 47 moves with a stored score of 0.
	g, err := b.Record(68, players, nil)
	if err != nil {
		t.Fatal(err)
	}
	if g.Result.Winner() != game.Second || g.Result.Board != [2]float64{0, 64} || len(g.Steps) != 47 || g.Event != "" {
		t.Errorf("%+v with %d moves", g.Result, len(g.Steps))
	}
	if _, err := b.Record(153, nil, nil); err == nil {
		t.Error("a game beyond the last")
	}
}

func TestBad(t *testing.T) {
	b := &wthor.Base{Games: []wthor.Game{{Score: 33}}}
	copy(b.Games[0].Moves[:], []byte{56, 99})
	g, err := b.Record(0, nil, nil)
	if err != nil || len(g.Steps) != 1 || len(g.Warnings) != 1 || g.Steps[0].Move != game.PlaceAt(game.Pt(5, 4)) {
		t.Errorf("%+v %v", g, err)
	}
	copy(b.Games[0].Moves[:], []byte{56, 0, 64})
	if g, _ := b.Record(0, nil, nil); len(g.Steps) != 1 || len(g.Warnings) != 1 {
		t.Errorf("%+v", g)
	}
	data := b.Append(nil)
	for _, bad := range [][]byte{nil, data[:10], data[:len(data)-1], append(data, 0)} {
		if _, err := wthor.ReadGames(bad); err == nil {
			t.Errorf("%d bytes were read", len(bad))
		}
	}
	if _, err := wthor.ReadNames(data, wthor.Players); err == nil {
		t.Error("games were read as names")
	}
	long := wthor.Names{List: []string{strings.Repeat("é", 30), "Ω"}}
	out, err := long.Append(nil, wthor.Players)
	if err != nil || len(out) != 16+2*20 {
		t.Fatal(len(out), err)
	}
	if f, err := wthor.ReadNames(out, wthor.Players); err != nil || f.List[0] != strings.Repeat("é", 19) || f.List[1] != "?" {
		t.Errorf("%v %v", f, err)
	}
}

func FuzzReadGames(f *testing.F) {
	f.Add((&wthor.Base{Games: make([]wthor.Game, 2)}).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := wthor.ReadGames(data)
		if err != nil {
			return
		}
		for i := range b.Games {
			g, err := b.Record(i, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if b.Header.BoardSize() == 8 {
				if _, err := wthor.FromRecord(g, 0, 0, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		if again, err := wthor.ReadGames(b.Append(nil)); err != nil || len(again.Games) != len(b.Games) {
			t.Fatal(err)
		}
	})
}

func FuzzReadNames(f *testing.F) {
	out, _ := (&wthor.Names{List: []string{"a", "é"}}).Append(nil, wthor.Players)
	f.Add(out)
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := wthor.ReadNames(data, wthor.Players)
		if err != nil {
			return
		}
		out, err := n.Append(nil, wthor.Players)
		if err != nil || len(out) != len(data) {
			t.Fatal(err)
		}
	})
}
