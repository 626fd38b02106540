package othello

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"kibitz/games/othello"
)

// A packed book is a tree of positions that begins with the start of the game, as
// numbers of variable length, compressed (RFC 1951). A position is kept the way it is
// laid in a book and has three numbers: its value for the side to move as the
// difference from what the position before it says, in units of bookUnit; twice the
// number of its best move among the legal ones, and one more if the value is proved; a
// set of its legal moves, those after which the book goes on. The positions after them
// follow, each with all that is behind it, but for those that came before.
const (
	bookUnit = disc / 16
	// bookBytes bounds a packed book, bookWide one that is not compressed.
	bookBytes, bookWide = 512 << 10, 4 << 20
)

// PackBook turns the file of a book into the form in which one comes with the program,
// and says how many of its positions that holds: those that the book leads to from the
// start of the game.
func PackBook(file []byte) (packed []byte, positions int, err error) {
	k, err := readBook(file)
	if err != nil {
		return nil, 0, err
	}
	pages, tree := map[othello.Board]page{}, []byte(nil)
	start, _ := upright(othello.Start())
	if _, _, ok := k.find(start); !ok {
		return nil, 0, errors.New("the book does not know the start of the game")
	}
	tree = k.grow(tree, start, 0, pages)
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, 0, err
	}
	if _, err := w.Write(tree); err != nil {
		return nil, 0, err
	}
	if err := w.Close(); err != nil {
		return nil, 0, err
	}
	if out.Len() > bookBytes || len(tree) > bookWide {
		return nil, 0, fmt.Errorf("the book has %d bytes, at most %d are allowed", out.Len(), bookBytes)
	}
	return out.Bytes(), len(pages), nil
}

// grow appends a position of the book and what follows it. Guess is the value, in
// units, that the position before it says; what was appended before stands in done.
func (k *book) grow(tree []byte, b othello.Board, guess int, done map[othello.Board]page) []byte {
	p, square, _ := k.find(b)
	done[b] = p
	value := floorDiv(int(p.value)+bookUnit/2, bookUnit)
	best, n := 0, 0
	known := uint64(0)
	for m := b.Moves(); m != 0; m &= m - 1 {
		sq := bits.TrailingZeros64(m)
		if sq == square {
			best = n
		}
		if next, _, ok := follow(b, sq); ok {
			if _, _, ok = k.find(next); ok {
				known |= 1 << n
			}
		}
		n++
	}
	best *= 2
	if p.exact {
		best++
	}
	tree = binary.AppendVarint(tree, int64(value-guess))
	tree = binary.AppendUvarint(tree, uint64(best))
	tree = binary.AppendUvarint(tree, known)
	for m := b.Moves(); m != 0; m &= m - 1 {
		if known&1 != 0 {
			next, sign, _ := follow(b, bits.TrailingZeros64(m))
			if _, again := done[next]; !again {
				tree = k.grow(tree, next, sign*value, done)
			}
		}
		known >>= 1
	}
	return tree
}

// follow returns the position after a move in which there is something to decide, as
// it is kept, and the rest as moved does.
func follow(b othello.Board, square int) (next othello.Board, sign int, ok bool) {
	next, sign, ok = moved(b, square)
	next, _ = upright(next)
	return next, sign, ok
}

// moved returns the position after a move in which there is something to decide, and
// 1 if the same side moves again, else -1; false if the game is over.
func moved(b othello.Board, square int) (next othello.Board, sign int, ok bool) {
	next, sign = b.Play(square, b.Flips(square)), -1
	if !next.HasMoves() {
		next, sign = next.Swap(), 1
	}
	return next, sign, next.HasMoves()
}

// errBook is what a packed book that is none comes to.
var errBook = errors.New("the packed book of Othello is damaged")

func unpack(packed []byte) (map[othello.Board]page, error) {
	in := flate.NewReader(bytes.NewReader(packed))
	tree, err := io.ReadAll(io.LimitReader(in, bookWide+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBook, err)
	}
	return readTree(tree)
}

// readTree reads a packed book that is not compressed.
func readTree(tree []byte) (map[othello.Board]page, error) {
	if len(tree) > bookWide {
		return nil, fmt.Errorf("%w: it is too long", errBook)
	}
	r := treeReader{data: tree, pages: make(map[othello.Board]page, len(tree)/3)}
	start, _ := upright(othello.Start())
	r.read(start, 0)
	if r.broken || len(r.data) > 0 {
		return nil, fmt.Errorf("%w: %d bytes before its end", errBook, len(r.data))
	}
	return r.pages, nil
}

// treeReader reads the positions of a packed book.
type treeReader struct {
	data   []byte
	pages  map[othello.Board]page
	broken bool
}

// read reads a position and what follows it, and returns what it is worth.
func (r *treeReader) read(b othello.Board, guess int64) (worth int16) {
	value, n := binary.Varint(r.data)
	r.skip(n)
	best, n := binary.Uvarint(r.data)
	r.skip(n)
	known, n := binary.Uvarint(r.data)
	r.skip(n)
	moves := b.Moves()
	count := bits.OnesCount64(moves)
	const most = 64 * disc / bookUnit
	if r.broken || value < -2*most || value > 2*most || best/2 >= uint64(count) || known>>count != 0 {
		r.broken = true
		return 0
	}
	if value += guess; value < -most || value > most {
		r.broken = true
		return 0
	}
	p := page{value: int16(value * bookUnit), exact: best&1 != 0}
	worth = none16
	for i := uint64(0); moves != 0; i++ {
		sq := bits.TrailingZeros64(moves)
		moves &= moves - 1
		if i == best/2 {
			p.move = uint8(sq)
		}
		if known>>i&1 == 0 {
			if i == best/2 {
				worth = max(worth, p.value)
			}
			continue
		}
		next, sign, ok := follow(b, sq)
		if !ok {
			r.broken = true
			return 0
		}
		behind, ok := r.pages[next]
		if !ok {
			behind.worth = r.read(next, int64(sign)*value)
		}
		if r.broken {
			return 0
		}
		worth = max(worth, int16(sign)*behind.worth)
	}
	if p.exact {
		worth = p.value
	}
	p.worth = worth
	r.pages[b] = p
	return worth
}

// none16 is below every worth.
const none16 = -1 << 15

// skip leaves behind a number of n bytes; there was none if that is not above 0.
func (r *treeReader) skip(n int) {
	if n <= 0 {
		r.broken = true
		return
	}
	r.data = r.data[n:]
}
