package gomoku_test

import (
	"testing"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
)

// After a pass the player places for its own colour: it makes its five, stops that of
// the other side, and goes on where one side has more stones.
func TestAfterAPass(t *testing.T) {
	r := newRules(t, "gomoku:rule=renju,pass=true")
	for _, c := range []struct{ text, want string }{
		{"a1b3c1d5 pass f7 b1k9 d1l11 pass", "e1"}, // black's five
		{"a1 pass b1 pass c1 pass d1", "e1"},       // white stops it
		{"pass h8 pass i8 pass j8 pass k8 a1 pass", ""},
	} {
		for _, level := range []int{3, 9} {
			p := seat(t, r, c.text, bot.Options{Level: level, Seed: 1})
			st, err := r.Position(c.text)
			if err != nil {
				t.Fatal(err)
			}
			s := st.(*gomoku.State)
			a := ask(t, p, s, player.Prompt{Limits: player.Limits{Nodes: 2000}})
			got := r.FormatMove(a.Steps[0])
			if a.Steps[0].Op != game.Place || c.want != "" && got != c.want {
				t.Errorf("level %d after %s: %s, want %s", level, c.text, got, c.want)
			}
		}
	}
}

// Where every point is a foul and a pass is legal the player passes.
func TestPassInsteadOfAFoul(t *testing.T) {
	const only = "XXX.XX/OOXOXO/XXOXOX/OOXXOO/XOOXOX black"
	for spec, want := range map[string]game.Op{
		"gomoku:rule=renju,width=6,height=5,pass=true": game.Pass,
		"gomoku:rule=renju,width=6,height=5":           game.Place,
	} {
		r := newRules(t, spec)
		for _, level := range []int{1, 9} {
			st, err := r.Position(only)
			if err != nil {
				t.Fatal(err)
			}
			s := st.(*gomoku.State)
			if a := ask(t, seat(t, r, only, bot.Options{Level: level, Seed: 1}), s, player.Prompt{}); a.Steps[0].Op != want {
				t.Errorf("%s, level %d: %v", spec, level, a.Steps)
			}
		}
	}
}
