// Command train makes the weights of the Othello evaluation: it plays games
// against itself with the weights it has, solves their ends, and fits new weights
// to the proved scores and, earlier in a game, to what a search sees later in it.
//
//	go run ./bot/othello/internal/train -games 100000 -rounds 2 -o bot/othello/weights.bin
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"time"

	"kibitz/bot/othello/internal/pattern"
)

func main() {
	games := flag.Int("games", 100_000, "games to play in each round")
	rounds := flag.Int("rounds", 2, "how often to play and fit")
	threads := flag.Int("threads", 2, "games played at once")
	epochs := flag.Int("epochs", 20, "passes over the positions")
	seed := flag.Uint64("seed", 1, "seed of all random choices")
	from := flag.String("from", "", "weights to begin with; none: only moves are counted")
	out := flag.String("o", "weights.bin", "where the weights are written")
	flag.Parse()
	if err := run(*games, *rounds, *threads, *epochs, *seed, *from, *out); err != nil {
		log.Fatal(err)
	}
}

func run(games, rounds, threads, epochs int, seed uint64, from, out string) error {
	w := pattern.Mobility() // moves alone, to begin with
	if from != "" {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if w, err = pattern.Read(data); err != nil {
			return err
		}
	}
	for round := range rounds {
		began := time.Now()
		all := play(w, games, threads, seed+uint64(round*threads))
		fmt.Printf("round %d: %d positions in %v\n", round+1, len(all), time.Since(began).Round(time.Second))
		f := fitting{all: all, weights: new(pattern.Weights), canon: pattern.Canonical(), threads: threads}
		f.fit(epochs)
		w = f.weights
		var file bytes.Buffer
		if err := w.Write(&file); err != nil {
			return err
		}
		if err := os.WriteFile(out, file.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Printf("%d bytes written after %v\n", file.Len(), time.Since(began).Round(time.Second))
	}
	return nil
}

// play plays games on so many threads and returns their positions.
func play(w *pattern.Weights, games, threads int, seed uint64) []sample {
	parts := make([][]sample, threads)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			parts[i] = newGenerator(w, seed+uint64(i)).play(games / threads)
		})
	}
	wg.Wait()
	return slices.Concat(parts...)
}
