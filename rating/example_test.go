package rating_test

import (
	"fmt"

	"kibitz/rating"
)

// A match of 343 games, and whether it shows that one side is better.
func Example() {
	counts := rating.Trinomial(96, 111, 136)
	e := counts.Estimate()
	fmt.Println("Elo", rating.Text(e.Elo, e.Error, 1))

	test, err := rating.ParseTest("elo0=0 elo1=20")
	if err != nil {
		fmt.Println(err)
		return
	}
	q := test.Start(false)
	q.Set(counts)
	fmt.Println(q.Ratio(), q.Decision())
	// Output:
	// Elo +40.7 ± 30.4
	// LLR 2.57 [-2.94, 2.94] continue
}

// A field of three players, of whom one has a rating that is given.
func ExampleField_Rate() {
	f := rating.BradleyTerry()
	f.Anchors = map[int]float64{0: 2000}
	got, err := f.Rate(3, []rating.Duel{
		{First: 0, Second: 1, Wins: 6, Draws: 2, Losses: 2},
		{First: 1, Second: 2, Wins: 5, Draws: 3, Losses: 2},
		{First: 2, Second: 0, Wins: 2, Draws: 2, Losses: 6},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, elo := range got.Elo {
		fmt.Printf("player %d: %.0f\n", i, elo)
	}
	// Output:
	// player 0: 2000
	// player 1: 1888
	// player 2: 1814
}
