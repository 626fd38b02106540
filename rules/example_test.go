package rules_test

import (
	"fmt"

	"kibitz/game"
	"kibitz/games"
	"kibitz/games/othello"
	"kibitz/rules"
)

// A game is opened by its specification, and played by asking the position who decides and
// what is legal.
func ExampleOpen() {
	r, err := rules.Open([]rules.Game{othello.Game()}, "othello")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := r.New()
	for _, text := range []string{"d3", "c5"} {
		m, err := r.ParseMove(text)
		if err == nil {
			_, err = s.Apply(m, nil)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(s.Turn().Seat, "decides:")
	for _, m := range s.Legal(nil) {
		fmt.Print(" ", r.FormatMove(m))
	}
	// Output:
	// first decides:
	//  b6 c6 d6 e6 f6
}

// A decision that the rules refuse leaves the position as it was.
func ExampleState() {
	r, err := games.Open("gomoku:size=9,rule=freestyle")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := r.New()
	centre := game.PlaceAt(game.Pt(4, 4))
	for range 2 {
		_, err := s.Apply(centre, nil)
		fmt.Println(s.Turn().Seat, err)
	}
	// Output:
	// second <nil>
	// second e5 is occupied
}

// A Board is the position of one game with its history, so that decisions can be taken back.
func ExampleBoard() {
	b := rules.NewBoard(games.OpenSpec)
	if err := b.Reset("breakthrough", ""); err != nil {
		fmt.Println(err)
		return
	}
	m := b.Legal(nil)[0]
	if _, err := b.Apply(m); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.FormatMove(m), b.Len(), b.Turn().Seat)
	if err := b.Undo(1); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.Len(), b.Turn().Seat)
	// Output:
	// a2a3 1 second
	// 0 first
}

// Perft counts are how implementations of the same rules are compared.
func ExampleTree_Divide() {
	r, err := games.Open("othello")
	if err != nil {
		fmt.Println(err)
		return
	}
	t := rules.Tree{Rules: r}
	fmt.Println(t.Count(r.New(), 5))
	for _, b := range t.Divide(r.New(), 3) {
		fmt.Println(b.Text, b.Nodes)
	}
	// Output:
	// 1396
	// c4 14
	// d3 14
	// e6 14
	// f5 14
}
