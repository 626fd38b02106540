package gomoku

import (
	"slices"

	"kibitz/game"
	"kibitz/games/gomoku"
)

// fours proves wins by fours: stones after which a five is threatened. Where a five
// is threatened the other side makes one itself, or puts a stone on the point of
// the five, or has lost; in renju it has lost too if that stone is a foul.
//
// In caro a stone at either end of a line can spoil its five, so that there are more
// answers: there nothing but a five that can be made at once is known.
type fours struct {
	b             *gomoku.Board
	empty, end    int // empty points, and with how many the game is over
	caro          bool
	budget, nodes int64
	failed        map[uint64]int // positions with how many fours were not enough
	mark          []bool
	hash          uint64
}

// Fours in a row are looked for in steps, shorter lines first.
const (
	firstFours = 2
	mostFours  = 64
)

// mostFailed bounds the positions that are remembered as not won. Two positions with
// one hash can only hide a win, never invent one.
const mostFailed = 1 << 20

func (f *fours) begin(st *gomoku.State, budget int64) {
	from := st.Board()
	w, h := from.Size()
	f.b = gomoku.NewBoard(from.Rule(), w, h)
	f.b.Copy(from)
	f.empty, f.end = w*h-st.Stones(), st.Rules().DrawEmpty()
	f.caro = from.Rule() == gomoku.Caro || from.Rule() == gomoku.Caro6
	f.budget, f.nodes = budget, 0
	f.failed = map[uint64]int{}
	f.mark = make([]bool, len(from.Cells()))
	f.hash = 0
}

// put places a stone that is neither a win nor a foul, take removes it.
func (f *fours) put(i int, c gomoku.Stone) {
	f.b.Put(i, c)
	f.empty--
	f.hash ^= keyOf(i, c)
}

func (f *fours) take(i int, c gomoku.Stone) {
	f.b.Put(i, gomoku.Empty)
	f.empty++
	f.hash ^= keyOf(i, c)
}

// keyOf mixes a point and a colour (the finisher of SplitMix64).
func keyOf(i int, c gomoku.Stone) uint64 {
	x := uint64(i)<<2 | uint64(c)
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// fives returns the points on which a colour makes a five.
func (f *fours) fives(c gomoku.Stone) (list []int) {
	w, h := f.b.Size()
	for y := range h {
		for x := range w {
			if i := f.b.Index(game.Pt(x, y)); f.b.At(i) == gomoku.Empty && f.b.Judge(i, c) == gomoku.Win {
				list = append(list, i)
			}
		}
	}
	return list
}

// through returns those of them on the lines through a point.
func (f *fours) through(at int, c gomoku.Stone) (list []int) {
	for _, d := range f.b.Dirs() {
		for _, step := range [2]int{-d, d} {
			for i, n := at+step, 1; n < 5 && f.b.At(i) != gomoku.Wall; i, n = i+step, n+1 {
				if f.b.At(i) == gomoku.Empty && f.b.Judge(i, c) == gomoku.Win && !slices.Contains(list, i) {
					list = append(list, i)
				}
			}
		}
	}
	return list
}

func (f *fours) move(i int) game.Move { return game.PlaceAt(f.b.Point(i)) }

// win returns a line that begins with a stone of c, who is to move and wins, nil if
// none is found.
func (f *fours) win(c gomoku.Stone) []game.Move {
	if own := f.fives(c); len(own) > 0 {
		return []game.Move{f.move(own[0])}
	}
	if f.caro {
		return nil
	}
	return f.deepen(c, f.fives(c.Other()))
}

// deepen is attack with more and more fours. There is no five of c.
func (f *fours) deepen(c gomoku.Stone, threats []int) []game.Move {
	for limit := firstFours; limit <= mostFours; limit *= 2 {
		if line := f.attack(c, threats, limit); line != nil || f.nodes > f.budget {
			return line
		}
	}
	return nil
}

// loss returns a line in which c, who is to move, loses whatever it does, nil if
// none is found. c has no five.
func (f *fours) loss(c gomoku.Stone) []game.Move {
	threats := f.fives(c.Other())
	if f.caro || len(threats) == 0 {
		return nil
	}
	return f.answers(c, threats, func(fives, threats []int) []game.Move {
		if len(fives) > 0 {
			return []game.Move{f.move(fives[0])}
		}
		return f.deepen(c.Other(), threats)
	})
}

// attack returns a win of c, who is to move and has no five, by so many fours at
// most; threats are the fives of the other side.
func (f *fours) attack(c gomoku.Stone, threats []int, limit int) []game.Move {
	if limit == 0 || len(threats) > 1 {
		return nil
	}
	if f.nodes++; f.nodes > f.budget {
		return nil
	}
	k := f.hash ^ keyOf(0, c)
	if f.failed[k] >= limit {
		return nil
	}
	for _, i := range f.candidates(c, threats) {
		if f.b.Judge(i, c) != gomoku.Quiet {
			continue
		}
		f.put(i, c)
		line := f.four(i, c, limit)
		f.take(i, c)
		if line != nil {
			return append([]game.Move{f.move(i)}, line...)
		}
	}
	if f.nodes <= f.budget && len(f.failed) < mostFailed {
		f.failed[k] = limit
	}
	return nil
}

// four returns the rest of a win after c has put a stone on i.
func (f *fours) four(i int, c gomoku.Stone, limit int) []game.Move {
	own := f.through(i, c)
	if len(own) == 0 {
		return nil
	}
	return f.answers(c.Other(), own, func(fives, threats []int) []game.Move {
		if len(fives) > 0 {
			return []game.Move{f.move(fives[0])}
		}
		return f.attack(c, threats, limit-1)
	})
}

// answers tries all that o, who is to move and has no five, can do against the fives
// of the other side on the points. then is asked for the rest of the win after each
// answer, told the fives that are left and those that o threatens. The longest line
// is returned.
func (f *fours) answers(o gomoku.Stone, points []int, then func(fives, threats []int) []game.Move) (longest []game.Move) {
	if f.empty-1 <= f.end {
		return nil // the game is over before the five
	}
	c := o.Other()
	for _, r := range points {
		if f.b.Judge(r, o).Foul() {
			if longest == nil {
				longest = []game.Move{f.move(r)}
			}
			continue
		}
		f.put(r, o)
		var left []int
		for _, p := range points {
			if p != r && f.b.Judge(p, c) == gomoku.Win {
				left = append(left, p)
			}
		}
		line := then(left, f.through(r, o))
		f.take(r, o)
		if line == nil {
			return nil
		}
		if len(line) >= len(longest) {
			longest = append([]game.Move{f.move(r)}, line...)
		}
	}
	return longest
}

// candidates returns the points that may make a four of c, or the one on which the
// other side threatens a five.
func (f *fours) candidates(c gomoku.Stone, threats []int) (list []int) {
	if len(threats) == 1 {
		return threats
	}
	w, h := f.b.Size()
	cells := f.b.Cells()
	for y := range h {
		for x := range w {
			at := f.b.Index(game.Pt(x, y))
			for _, d := range f.b.Dirs() {
				stones, free := 0, 0
				for n, i := 0, at; n < 5; n, i = n+1, i+d {
					switch cells[i] {
					case c:
						stones++
					case gomoku.Empty:
						free++
					default:
						free = 9
					}
				}
				if stones != 3 || free != 2 {
					continue
				}
				for n, i := 0, at; n < 5; n, i = n+1, i+d {
					if cells[i] == gomoku.Empty && !f.mark[i] {
						f.mark[i] = true
						list = append(list, i)
					}
				}
			}
		}
	}
	for _, i := range list {
		f.mark[i] = false
	}
	return list
}
