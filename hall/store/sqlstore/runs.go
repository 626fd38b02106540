package sqlstore

import (
	"encoding/binary"
	"errors"
	"slices"
)

// blockBytes is how large a block is at least; the visits of a position are in one.
const blockBytes = 4 << 10

// block are the visits of a part of a run: for each the distance to the position before,
// if it is another one; the distance to the game before in the same position, else to the
// least of the run, twice, and one more if the next visit is of the same position; the ply.
// All are varints, so that a visit takes about eleven bytes.
type block struct {
	first int64
	data  []byte
}

// pack writes sorted visits as blocks.
func pack(visits func(yield func(visit) bool), least int64) (list []block) {
	var b block
	var last visit
	more := -1 // where the number of the game before stands
	for v := range visits {
		if same := more >= 0 && v.key == last.key; !same {
			if len(b.data) >= blockBytes {
				list, b = append(list, b), block{}
			}
			if len(b.data) == 0 {
				b.first, last.key = v.key, 0
				b.data = make([]byte, 0, blockBytes+blockBytes/8)
			}
			b.data = binary.AppendUvarint(b.data, uint64(v.key)-uint64(last.key))
			last.n = least
		} else {
			b.data[more] |= 1
		}
		more = len(b.data)
		b.data = binary.AppendUvarint(b.data, uint64(v.n-last.n)<<1)
		b.data = binary.AppendUvarint(b.data, uint64(v.ply))
		last = v
	}
	if len(b.data) > 0 {
		list = append(list, b)
	}
	return list
}

// errBlock is what cannot be read back.
var errBlock = errors.New("a block of positions is damaged")

// cursor reads visits out of blocks.
type cursor struct {
	least  int64
	blocks [][]byte
	data   []byte
	at     visit
	same   bool // the next visit is of the same position
}

// next goes on to the next visit; false at the end.
func (c *cursor) next() (bool, error) {
	for len(c.data) == 0 {
		if c.same {
			return false, errBlock
		}
		if len(c.blocks) == 0 {
			return false, nil
		}
		c.data, c.blocks, c.at = c.blocks[0], c.blocks[1:], visit{}
	}
	if !c.same {
		c.at.key, c.at.n = c.at.key+int64(c.uvarint()), c.least
	}
	n := c.uvarint()
	c.at.n, c.same = c.at.n+int64(n>>1), n&1 != 0
	ply := c.uvarint()
	if c.at.ply = int(ply); c.data == nil {
		return false, errBlock
	}
	return true, nil
}

// uvarint reads a number; what cannot be read ends the block with nil.
func (c *cursor) uvarint() uint64 {
	x, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.data = nil
		return 0
	}
	c.data = c.data[n:]
	return x
}

// addRun adds a run of the visits of so many games, and puts small runs together where there
// are enough.
func (x positions) addRun(visits []visit, games int) error {
	if len(visits) == 0 {
		return nil
	}
	slices.SortFunc(visits, visit.compare)
	least := visits[0].n
	for _, v := range visits {
		least = min(least, v.n)
	}
	if err := x.writeRun(pack(slices.Values(visits), least), least, games); err != nil {
		return err
	}
	return x.mergeSmall()
}

func (x positions) writeRun(list []block, least int64, games int) error {
	var run int64
	if err := x.number(&run, "position_runs", "run", col{"least", least}, col{"games", games}); err != nil {
		return err
	}
	rows := make([][]col, len(list))
	for i, b := range list {
		rows[i] = []col{{"run", run}, {"first_key", b.first}, {"data", b.data}}
	}
	return x.insertAll("position_blocks", rows, "")
}

// mergeSmall makes one run of the small ones, if there are enough.
func (x positions) mergeSmall() error {
	type small struct{ run, least, games int64 }
	list, err := rows(x.tx, func(s *small) []col { return []col{{"run", &s.run}, {"least", &s.least}, {"games", &s.games}} },
		"FROM position_runs WHERE games < ? ORDER BY run", smallRun)
	if err != nil || len(list) < mergeRuns {
		return err
	}
	stays, err := x.staying()
	if err != nil {
		return err
	}
	least, games := list[0].least, int64(0)
	cursors := make([]*cursor, len(list))
	for i, s := range list {
		blocks, err := rows(x.tx, func(b *[]byte) []col { return []col{{"data", b}} },
			"FROM position_blocks WHERE run = ? ORDER BY first_key", s.run)
		if err != nil {
			return err
		}
		cursors[i] = &cursor{least: s.least, blocks: blocks}
		least, games = min(least, s.least), games+s.games
	}
	var fault error
	merged := pack(func(yield func(visit) bool) {
		fault = merge(cursors, func(v visit) bool { return stays[v.n] || yield(v) })
	}, least)
	if fault != nil {
		return fault
	}
	for _, s := range list {
		for _, table := range []string{"position_blocks", "position_runs"} {
			if _, err := x.exec("DELETE FROM "+table+" WHERE run = ?", s.run); err != nil {
				return err
			}
		}
	}
	return x.writeRun(merged, least, int(games))
}

// merge calls each with the visits of some runs in order, until it returns false.
func merge(cursors []*cursor, each func(visit) bool) error {
	open := make([]bool, len(cursors))
	for i, c := range cursors {
		var err error
		if open[i], err = c.next(); err != nil {
			return err
		}
	}
	for {
		least := -1
		for i, c := range cursors {
			if open[i] && (least < 0 || c.at.compare(cursors[least].at) < 0) {
				least = i
			}
		}
		if least < 0 || !each(cursors[least].at) {
			return nil
		}
		var err error
		if open[least], err = cursors[least].next(); err != nil {
			return err
		}
	}
}
