package main

import (
	"context"
	"errors"
	"fmt"

	"kibitz/player"
)

// bookish is a built-in engine that keeps an opening book.
type bookish interface {
	UseBook(data []byte, keep func([]byte) error) error
	SelfPlay(ctx context.Context, games int, seed uint64) error
}

// book gives the engine its book, and reports whether that was all: games against
// itself were asked for.
func (c *engineCmd) book(a *app, p player.Player) (done bool, err error) {
	switch {
	case c.Games < 0:
		return false, fmt.Errorf("--self-play %d: must be above 0", c.Games)
	case c.Book == "" && c.Games > 0:
		return false, errors.New("--self-play: give the book with --book FILE")
	case c.Book == "":
		return false, nil
	}
	b, ok := p.(bookish)
	if !ok {
		return false, fmt.Errorf("--book: the engine of %s keeps no book", c.Game)
	}
	data, err := readIfThere(c.Book)
	if err != nil {
		return false, err
	}
	keep := func(data []byte) error { return writeWhole(c.Book, data) }
	if err := b.UseBook(data, keep); err != nil {
		return false, fmt.Errorf("%s: %w", c.Book, err)
	}
	if c.Games == 0 {
		return false, nil
	}
	return true, b.SelfPlay(a.ctx, c.Games, c.Seed)
}
