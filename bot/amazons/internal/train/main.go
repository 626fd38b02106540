// Command train fits the weights of the evaluation of Amazons: it plays games of the
// engine against itself, takes the positions of them, and prints the weights by which
// their results are explained best.
//
//	go run ./bot/amazons/internal/train -games 2500
//
// The lines that it prints are those of bot/amazons/eval.go.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"kibitz/bot/amazons"
)

func main() {
	games := flag.Int("games", 2500, "games to play")
	nodes := flag.Int64("nodes", 2500, "positions for each turn")
	seed := flag.Uint64("seed", 1, "seed of all random choices")
	flag.Parse()
	var all []sample
	for g := range *games {
		list, err := play(g, *seed, *nodes)
		if err != nil {
			log.Fatal(err)
		}
		all = append(all, list...)
	}
	fmt.Fprintln(os.Stderr, len(all), "positions")
	w, before, after := fit(all)
	for k := range amazons.Terms {
		fmt.Printf("\t%-8s {", amazons.TermNames[k]+":")
		for i, v := range w[k*knots : (k+1)*knots] {
			if i > 0 {
				fmt.Print(", ")
			}
			fmt.Printf("%.4f", v)
		}
		fmt.Println("},")
	}
	fmt.Fprintf(os.Stderr, "loss of the weights in use %.4f, of these %.4f\n", before, after)
}
