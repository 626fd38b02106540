package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"kibitz/internal/wholefile"
	"kibitz/player"
)

// bookish is a built-in engine that keeps an opening book.
type bookish interface {
	UseBook(data []byte, keep func([]byte) error) error
	Expand(ctx context.Context, positions int) error
	SelfPlay(ctx context.Context, games int, seed uint64) error
	WithoutBook()
}

// noBook is the value of --book for no book at all.
const noBook = "none"

// book gives the engine its book, and reports whether that was all: the book was to
// grow.
func (c *engineCmd) book(a *app, p player.Player) (done bool, err error) {
	own := c.Book != "" && c.Book != noBook
	switch {
	case c.Games < 0:
		return false, fmt.Errorf("--self-play %d: must be above 0", c.Games)
	case c.Expand < 0:
		return false, fmt.Errorf("--expand %d: must be above 0", c.Expand)
	case !own && c.Games > 0:
		return false, errors.New("--self-play: give the book with --book FILE")
	case !own && c.Expand > 0:
		return false, errors.New("--expand: give the book with --book FILE")
	case c.Book == "":
		return false, nil
	}
	b, ok := p.(bookish)
	if !ok {
		return false, fmt.Errorf("--book: the engine of %s keeps no book", c.Game)
	}
	if !own {
		b.WithoutBook()
		return false, nil
	}
	file := kong.ExpandPath(c.Book)
	data, err := readIfThere(file)
	if err != nil {
		return false, err
	}
	keep := func(data []byte) error { return wholefile.Write(file, data) }
	if err := b.UseBook(data, keep); err != nil {
		return false, fmt.Errorf("%s: %w", file, err)
	}
	if c.Games > 0 {
		err = b.SelfPlay(a.ctx, c.Games, c.Seed)
	}
	if c.Expand > 0 && err == nil {
		err = b.Expand(a.ctx, c.Expand)
	}
	return c.Games > 0 || c.Expand > 0, err
}
