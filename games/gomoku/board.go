package gomoku

import "kibitz/game"

// Rule is what counts as a win, by the names of the command line.
type Rule uint8

// The rules with their codes in Gomocup's INFO rule.
const (
	// Freestyle, code 0: five or more in a line win.
	Freestyle Rule = iota
	// Standard, code 1: exactly five win, a longer line is nothing.
	Standard
	// Renju, code 4: exactly five win for black, who loses by an overline, two
	// fours or two threes at once; five or more win for white.
	Renju
	// Caro, code 9: exactly five win unless an opposing stone stands at both ends.
	Caro
	// Caro6, code 8: like Caro, but six or more win in any case.
	Caro6
)

// Rules are written with these names, in the order of their constants.
var ruleNames = [...]string{"freestyle", "standard", "renju", "caro", "caro6"}

// String returns the name of the rule on the command line.
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return "unknown"
}

// Stone is what stands on a point.
type Stone uint8

// The stones. Dead ones belong to a scored line of a continuous game, or are
// fouls that it left on the board; they count for nobody and close no line.
const (
	Empty Stone = iota
	Black
	White
	DeadBlack
	DeadWhite
	Wall // beyond the edge
)

// Other returns the opposing colour of Black or White.
func (c Stone) Other() Stone { return Black + White - c }

// Live reports whether the stone is black or white and not dead.
func (c Stone) Live() bool { return c == Black || c == White }

// Pad is how many columns and rows of Wall surround a Board: enough that the five
// points on either side of a point can be read without asking for the edge.
const Pad = 5

// MinSize and MaxSize bound the columns and rows of a board.
const (
	MinSize = 5
	MaxSize = 127
)

// Board is a board with the judge of one rule. Points are addressed by their
// index into the padded cells: Index converts.
type Board struct {
	rule          Rule
	width, height int
	stride        int
	dirs          [4]int
	cells         []Stone
}

// NewBoard returns an empty board. Width and height must lie between MinSize and
// MaxSize.
func NewBoard(rule Rule, width, height int) *Board {
	b := makeBoard(rule, width, height)
	return &b
}

func makeBoard(rule Rule, width, height int) Board {
	stride := width + Pad
	b := Board{
		rule: rule, width: width, height: height, stride: stride,
		dirs:  [4]int{1, stride, stride + 1, stride - 1},
		cells: make([]Stone, (height+2*Pad)*stride+Pad),
	}
	for i := range b.cells {
		b.cells[i] = Wall
	}
	for y := range height {
		row := b.Index(game.Pt(0, y))
		clear(b.cells[row : row+width])
	}
	return b
}

// Rule returns the rule by which the board judges.
func (b *Board) Rule() Rule { return b.rule }

// Size returns the number of columns and rows.
func (b *Board) Size() (width, height int) { return b.width, b.height }

// Dirs returns the differences of index along the four directions: to the right,
// down, down to the right, down to the left.
func (b *Board) Dirs() [4]int { return b.dirs }

// Cells returns the padded cells themselves. Callers that change them must keep
// the walls.
func (b *Board) Cells() []Stone { return b.cells }

// Index returns the index of a point, which must be on the board or at most Pad
// beyond it.
func (b *Board) Index(p game.Point) int { return (int(p.Y)+Pad)*b.stride + int(p.X) + Pad }

// Point returns the point of an index on the board.
func (b *Board) Point(i int) game.Point { return game.Pt(i%b.stride-Pad, i/b.stride-Pad) }

// At returns what stands at an index.
func (b *Board) At(i int) Stone { return b.cells[i] }

// Put sets what stands at an index on the board; Empty clears it.
func (b *Board) Put(i int, c Stone) { b.cells[i] = c }

// Copy makes b equal to from, which must have the same size.
func (b *Board) Copy(from *Board) {
	b.rule = from.rule
	copy(b.cells, from.cells)
}

// clone returns a copy that shares nothing.
func (b *Board) clone() Board {
	c := *b
	c.cells = append([]Stone(nil), b.cells...)
	return c
}
