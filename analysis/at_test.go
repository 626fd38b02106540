package analysis_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/analysis"
	"kibitz/bot"
	"kibitz/bot/amazons"
	"kibitz/bot/othello"
	"kibitz/game"
	"kibitz/player"
)

// One position is asked about, and no other; the lines come as they are heard.
func TestAt(t *testing.T) {
	g := line(t, "othello", "", "f5 d6 c3 d3")
	says := func(depth int, v float64, word string) game.Info {
		m, err := g.Line.Rules.ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		return game.Info{Depth: depth, Eval: game.Eval{Unit: game.Discs, Lo: v, Hi: v}, PV: []game.Move{m}}
	}
	p := &teller{can: player.FromHistory, says: map[int][]game.Info{2: {says(2, 1, "c3"), says(4, 3, "c4")}}}
	var heard []string
	found := 0
	o := analysis.Options{Lines: 2, Name: "teller", Now: time.Now, Found: func(*analysis.Position) { found++ }}
	o.Heard = func(at *analysis.Position, lines []game.Info) {
		text := fmt.Sprint(at.Ply, " ", at.Seat)
		for _, in := range lines {
			text += fmt.Sprintf(" %d %s %g", in.Rank, g.Line.Rules.FormatMove(in.PV[0]), in.Eval.Lo)
		}
		heard = append(heard, text)
	}
	pos, err := analysis.At(t.Context(), g, 2, true, p, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"2 first 1 c3 1", "2 first 1 c4 3 2 c3 1"}; !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
	if got := strings.Join(p.asked, ", "); got != "new 2, 2" || found != 1 || pos.Before.Lo != 3 {
		t.Errorf("asked %s, found %d, %v", got, found, pos.Before)
	}
	for ply, want := range map[int]string{-1: "the game has 0 to 4", 5: "the game has 0 to 4"} {
		if _, err := analysis.At(t.Context(), g, ply, true, p, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ply %d: %v", ply, err)
		}
	}
}

// Within a turn a player that can is asked about the rest of it, and others about all.
func TestAtWithinATurn(t *testing.T) {
	g := line(t, "amazons", "", "d1-d7")
	for whole, want := range map[bool]int{true: 0, false: 1} {
		p := amazons.New(bot.Options{Level: 1, Seed: 1, Now: time.Now})
		pos, err := analysis.At(t.Context(), g, 1, whole, p, analysis.Options{Name: "bot", Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		if pos.Ply != want || len(pos.Lines) == 0 || len(pos.Lines[0].PV) == 0 {
			t.Fatalf("whole %t: position %d, %v", whole, pos.Ply, pos.Lines)
		}
		if op := pos.Lines[0].PV[0].Op; (op == game.Shoot) == whole {
			t.Errorf("whole %t: the line begins with %v", whole, pos.Lines[0].PV[0])
		}
	}
}

// A cap ends an analysis that nothing else does, and is no fault.
func TestCap(t *testing.T) {
	g := line(t, "othello", "", "f5 d6")
	p := othello.New(bot.Options{Level: 9, Seed: 1, Now: time.Now})
	pos, err := analysis.At(context.Background(), g, 2, false, p, analysis.Options{Name: "bot", Now: time.Now, Cap: 50 * time.Millisecond})
	if err != nil || len(pos.Lines) != 1 || len(pos.Best) != 1 {
		t.Fatalf("%+v, %v", pos, err)
	}
}
