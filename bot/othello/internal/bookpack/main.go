// Command bookpack turns the file of an Othello book into the form in which one comes
// with the program.
//
//	go run ./bot/othello/internal/bookpack -o bot/othello/book.bin FILE
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"kibitz/bot/othello"
)

func main() {
	out := flag.String("o", "book.bin", "where the packed book is written")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("give the file of one book")
	}
	if err := run(flag.Arg(0), *out); err != nil {
		log.Fatal(err)
	}
}

func run(in, out string) error {
	data, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	packed, positions, err := othello.PackBook(data)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	fmt.Printf("%d positions, %d bytes\n", positions, len(packed))
	return os.WriteFile(out, packed, 0o644)
}
