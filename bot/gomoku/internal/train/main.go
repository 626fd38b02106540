// Command train makes the weights of the evaluation of five in a row and of its order of
// moves: it plays games against itself with the weights it has, and fits new ones to what
// became of the positions, what the search said of them, and what it played.
//
//	go run ./bot/gomoku/internal/train -games 15000 -rounds 3 -o bot/gomoku/weights.bin
//
// It begins with weights by hand. Games can be kept in a file and fitted to once more.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"time"

	engine "kibitz/bot/gomoku"
)

// job is what the command was asked to do.
type job struct {
	games   int
	rounds  int
	nodes   int64
	threads int
	seed    uint64
	epochs  int
	from    string   // file of weights
	keep    string   // file to which games are appended
	out     string   // file of weights
	kept    []string // files of games
}

func main() {
	var j job
	flag.IntVar(&j.games, "games", 15_000, "games to play in each round; 0 only fits to games of files")
	flag.IntVar(&j.rounds, "rounds", 3, "how often to play and fit")
	flag.Int64Var(&j.nodes, "nodes", 1500, "positions for each move")
	flag.IntVar(&j.threads, "threads", 2, "games played at once")
	flag.Uint64Var(&j.seed, "seed", 1, "seed of all random choices")
	flag.IntVar(&j.epochs, "epochs", 30, "passes over the positions")
	flag.StringVar(&j.from, "from", "", "weights to begin with; none: those by hand")
	flag.StringVar(&j.keep, "keep", "", "file to which the games are appended")
	flag.StringVar(&j.out, "o", "weights.bin", "where the weights are written")
	flag.Parse()
	j.kept = flag.Args() // games to fit to as well
	if err := j.run(); err != nil {
		log.Fatal(err)
	}
}

func (j *job) run() error {
	w := engine.Plain()
	if j.from != "" {
		data, err := os.ReadFile(j.from)
		if err != nil {
			return err
		}
		if w, err = engine.ReadWeights(data); err != nil {
			return fmt.Errorf("%s: %w", j.from, err)
		}
	}
	kept, err := readAll(j.kept)
	if err != nil {
		return err
	}
	for round := range max(j.rounds, 1) {
		began := time.Now()
		played, err := j.play(w, j.seed+uint64(round))
		if err != nil {
			return err
		}
		if j.keep != "" {
			if err := appendTo(j.keep, played); err != nil {
				return err
			}
		}
		all := slices.Concat(played, kept)
		if len(all) == 0 {
			return errors.New("no games to fit to")
		}
		values, orders, err := samples(all)
		if err != nil {
			return err
		}
		log.Printf("round %d: %d games, %d positions and %d choices after %v",
			round+1, len(all), len(values), len(orders), time.Since(began).Round(time.Second))
		w = new(engine.Weights)
		fitValues(values, j.epochs, w)
		fitOrders(orders, j.epochs, w)
		if err := os.WriteFile(j.out, w.Bytes(), 0o644); err != nil {
			return err
		}
		if j.games == 0 {
			break // another round would find the same
		}
	}
	return nil
}

// play plays games on several threads.
func (j *job) play(w *engine.Weights, seed uint64) ([]record, error) {
	played, errs := make([]record, j.games), make([]error, j.threads)
	var wg sync.WaitGroup
	for t := range j.threads {
		wg.Go(func() {
			g := generator{seed: seed, nodes: j.nodes, weights: w}
			for n := t; n < j.games && errs[t] == nil; n += j.threads {
				played[n], errs[t] = g.play(n)
			}
		})
	}
	wg.Wait()
	return played, errors.Join(errs...)
}

func appendTo(name string, games []record) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := range games {
		fmt.Fprintln(w, &games[i])
	}
	return errors.Join(w.Flush(), f.Close())
}

func readAll(names []string) (all []record, err error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		for n := 1; in.Scan(); n++ {
			r, err := parseRecord(in.Text())
			if err != nil {
				return nil, errors.Join(fmt.Errorf("%s:%d: %w", name, n, err), f.Close())
			}
			all = append(all, r)
		}
		if err := errors.Join(in.Err(), f.Close()); err != nil {
			return nil, err
		}
	}
	return all, nil
}
