package othello

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"

	"kibitz/game"
	"kibitz/games/othello"
)

// book is what was learned from finished games: positions with what a search found
// about each. A position is known in all eight ways in which the board can be laid.
type book struct {
	pages map[othello.Board]page
	// base lies below pages: a book that others use too and nobody writes to. What
	// pages says of a position counts.
	base map[othello.Board]page
	// contempt is what a proved draw is worth to Black, in discs.
	contempt int
	// worth remembers values that follow from pages and contempt.
	worth map[bookKey]int
}

// page is what is known about a position by itself.
type page struct {
	value int16 // in parts of a disc, for the side to move
	worth int16 // by all that the book knows, where nothing lies over it and draws have no price
	move  uint8 // the best move, on the board as it is kept
	exact bool  // the value is the proved score
}

type bookKey struct {
	board othello.Board
	seat  game.Seat
}

const (
	// bookEnd is the number of empty squares from which on games are not learned: a
	// search solves them at once.
	bookEnd = 16
	// bookVary is by how much moves of the book may be worse than the best of them
	// and still be drawn by lot, lateVary the same with fewer empty squares than
	// varyFrom.
	bookVary = disc / 2
	lateVary = disc / 8
	// bookTrust is by how much the learned moves may be worse than what the search
	// saw in the position. If they all turned out worse, it is searched again.
	bookTrust = 2 * disc
)

// upright returns the way of laying the board that is kept, and which it is.
func upright(b othello.Board) (kept othello.Board, way int) {
	for w := range 8 {
		c := othello.Board{Own: turn(b.Own, w), Opp: turn(b.Opp, w)}
		if w == 0 || c.Own < kept.Own || c.Own == kept.Own && c.Opp < kept.Opp {
			kept, way = c, w
		}
	}
	return kept, way
}

// turn lays a set of squares in one of eight ways; 0 leaves it.
func turn(x uint64, way int) uint64 {
	if way&1 != 0 {
		x = bits.ReverseBytes64(bits.Reverse64(x)) // left and right
	}
	if way&2 != 0 {
		x = bits.ReverseBytes64(x) // top and bottom
	}
	if way&4 == 0 {
		return x
	}
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa // rows and columns
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// add learns about a position; what is proved stays.
func (k *book) add(b othello.Board, value, square int, exact bool) {
	if k.pages == nil {
		k.pages = map[othello.Board]page{}
	}
	kept, way := upright(b)
	if k.pages[kept].exact && !exact {
		return
	}
	move := bits.TrailingZeros64(turn(1<<uint(square), way))
	k.pages[kept] = page{value: int16(value), move: uint8(move), exact: exact}
	k.worth = nil
}

// find returns the page of a position and the square of its best move.
func (k *book) find(b othello.Board) (p page, square int, ok bool) {
	kept, way := upright(b)
	if p, ok = k.pages[kept]; !ok {
		if p, ok = k.base[kept]; !ok {
			return p, 0, false
		}
	}
	for m := b.Moves(); m != 0; m &= m - 1 {
		if turn(m&-m, way) == 1<<p.move {
			return p, bits.TrailingZeros64(m), true
		}
	}
	return p, 0, false // the file says nonsense
}

// value returns what a position is worth to the side to move, the seat, by all that
// is known of what follows.
func (k *book) value(b othello.Board, seat game.Seat) (int, bool) {
	if !b.HasMoves() {
		if b.Over() {
			return k.exact(b.Score()*disc, seat), true
		}
		v, ok := k.value(b.Swap(), seat.Other())
		return -v, ok
	}
	kept, _ := upright(b)
	if len(k.pages) == 0 && k.contempt == 0 {
		p, ok := k.base[kept]
		return int(p.worth), ok
	}
	if v, ok := k.worth[bookKey{kept, seat}]; ok {
		return v, true
	}
	p, square, ok := k.find(b)
	if !ok {
		return 0, false
	}
	v := k.exact(int(p.value), seat)
	if !p.exact {
		v = none
		for m := b.Moves(); m != 0; m &= m - 1 {
			sq := bits.TrailingZeros64(m)
			w, known := k.value(b.Play(sq, b.Flips(sq)), seat.Other())
			if known {
				v = max(v, -w)
			} else if sq == square {
				v = max(v, int(p.value))
			}
		}
	}
	if k.worth == nil {
		k.worth = map[bookKey]int{}
	}
	k.worth[bookKey{kept, seat}] = v
	return v, true
}

// exact is a proved score with draws at their price.
func (k *book) exact(value int, seat game.Seat) int {
	switch {
	case value != 0:
		return value
	case seat == game.First:
		return k.contempt * disc
	}
	return -k.contempt * disc
}

// choose returns a good move of the book and its value, false if a search knows
// better or the position is not in it.
func (k *book) choose(b othello.Board, seat game.Seat, rng *rand.Rand) (square, value int, ok bool) {
	p, first, ok := k.find(b)
	if !ok {
		return 0, 0, false
	}
	if p.exact {
		return first, k.exact(int(p.value), seat), true
	}
	var squares, values []int
	best := none
	for m := b.Moves(); m != 0; m &= m - 1 {
		sq := bits.TrailingZeros64(m)
		v, known := k.value(b.Play(sq, b.Flips(sq)), seat.Other())
		if !known && sq == first && int(p.value) > best {
			best = int(p.value) // not played: searching it costs nothing that is known
		}
		if known {
			squares, values = append(squares, sq), append(values, -v)
			best = max(best, -v)
		}
	}
	// A price on draws moves values that the search does not know of.
	if k.contempt == 0 && best < int(p.value)-bookTrust {
		return 0, 0, false
	}
	n := 0
	for i, v := range values {
		if v >= best-vary(b) {
			squares[n], values[n] = squares[i], v
			n++
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	i := rng.IntN(n)
	return squares[i], values[i], true
}

// vary is by how much a move of the book may be worse than the best one.
func vary(b othello.Board) int {
	if b.Empties() >= varyFrom {
		return bookVary
	}
	return lateVary
}

// order sorts boards: those of earlier plies first.
func order(a, b othello.Board) int {
	return cmp.Or(cmp.Compare(b.Empties(), a.Empties()), cmp.Compare(a.Own, b.Own), cmp.Compare(a.Opp, b.Opp))
}

// bookHead is the first line of a book's file. A position is one line: own discs and
// the opponent's as hexadecimal numbers with a1 as the lowest bit, the best move, its
// value in discs, and = if that is proved.
const bookHead = "kibitz book othello 1\n"

func (k *book) write() []byte {
	out := []byte(bookHead)
	for _, b := range slices.SortedFunc(maps.Keys(k.pages), order) {
		p := k.pages[b]
		end := ""
		if p.exact {
			end = " ="
		}
		out = fmt.Appendf(out, "%x %x %s %g%s\n", b.Own, b.Opp, othello.FormatMove(game.PlaceAt(othello.PointOf(int(p.move)))),
			float64(p.value)/disc, end)
	}
	return out
}

// readBook reads a book's file; one without a byte is an empty book.
func readBook(data []byte) (*book, error) {
	k := &book{pages: map[othello.Board]page{}}
	if len(data) == 0 {
		return k, nil
	}
	rest, ok := bytes.CutPrefix(data, []byte(bookHead))
	if !ok {
		return nil, fmt.Errorf("no book of Othello: the first line must be %q", bookHead[:len(bookHead)-1])
	}
	in := bufio.NewScanner(bytes.NewReader(rest))
	for n := 2; in.Scan(); n++ {
		if err := k.line(in.Text()); err != nil {
			return nil, fmt.Errorf("line %d of the book: %w", n, err)
		}
	}
	return k, in.Err()
}

func (k *book) line(text string) error {
	var b othello.Board
	var move, end string
	var value float64
	if n, err := fmt.Sscanf(text, "%x %x %s %g %s", &b.Own, &b.Opp, &move, &value, &end); n < 4 {
		return fmt.Errorf("%q: write OWN OPP MOVE VALUE, perhaps with = behind it: %w", text, err)
	}
	m, err := othello.ParseMove(move)
	if err != nil {
		return err
	}
	sq, ok := othello.SquareOf(m.To)
	if !ok || b.Own&b.Opp != 0 || b.Moves()>>uint(sq)&1 == 0 || !(value >= -64 && value <= 64) { // not a number is neither
		return fmt.Errorf("%q: %s must be a legal move and the value from -64 to 64", text, move)
	}
	k.add(b, int(value*disc), sq, end == "=")
	return nil
}
