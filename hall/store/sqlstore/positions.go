package sqlstore

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"kibitz/hall/store"
)

// What games are found by that went through a position is kept in runs: lists of visits,
// sorted by position, in blocks of some kilobytes (runs.go). A game that ends is loose at
// first: its record alone holds its positions, and who searches looks through all that are
// loose. When there are many they become a run, and small runs become one. So a game costs
// one row whatever its length, a search reads one block of each run and some hundred loose
// games, and no transaction rewrites more than the small runs.
const (
	looseGames = 256  // that become a run
	smallRun   = 4096 // games of a run that is not put together with others any more
	mergeRuns  = 8    // small runs that become one
)

// maxBatch is how many rows one statement writes. Lesser numbers are powers of two,
// so that there are few statements for a database to prepare.
const maxBatch = 64

// visit is that a game, by its number, went through a position.
type visit struct {
	key, n int64
	ply    int
}

// compare orders visits by position and game.
func (v visit) compare(o visit) int {
	if v.key != o.key { // nearly always
		return cmp.Compare(v.key, o.key)
	}
	return cmp.Compare(v.n, o.n)
}

// firsts returns the positions with each key once, as it came first.
func firsts(list []store.Position) []store.Position {
	seen := make(map[int64]bool, len(list))
	out := make([]store.Position, 0, len(list))
	for _, p := range list {
		if !seen[p.Key] {
			seen[p.Key] = true
			out = append(out, p)
		}
	}
	return out
}

// positions are what games are found by that went through a position.
type positions struct{ *tx }

// add makes games loose whose records are there.
func (x positions) add(list ...int64) error {
	rows := make([][]col, len(list))
	for i, n := range list {
		rows[i] = []col{{"n", n}, {"stays", false}}
	}
	if err := x.insertAll("loose", rows, " ON CONFLICT DO NOTHING"); err != nil {
		return err
	}
	many, err := x.many()
	// Of several that end at the same time one makes the run.
	if err != nil || many < looseGames || list[0]%8 != 0 && many < 4*looseGames {
		return err
	}
	_, err = x.settle()
	return err
}

// indexed is a game, by its number, with its positions.
type indexed struct {
	n    int64
	list []store.Position
}

// addMany makes a run of games whose records are there, or makes them loose if they are few.
func (x positions) addMany(list []indexed) error {
	switch {
	case len(list) == 0:
		return nil
	case len(list) < looseGames:
		numbers := make([]int64, len(list))
		for i := range list {
			numbers[i] = list[i].n
		}
		return x.add(numbers...)
	}
	most := 0
	for _, g := range list {
		most += len(g.list)
	}
	visits := make([]visit, 0, most)
	for _, g := range list {
		for _, p := range g.list {
			visits = append(visits, visit{p.Key, g.n, p.Ply})
		}
	}
	return x.addRun(visits, len(list))
}

// many is how many games are loose that are to become a run.
func (x positions) many() (n int, err error) {
	_, err = x.row([]any{&n}, "SELECT count(*) FROM loose WHERE stays = 0")
	return n, err
}

// settle makes a run of the games that have been loose for longest, and tells whether there
// may be more.
func (x positions) settle() (more bool, err error) {
	const most = 4 * looseGames
	list, err := x.loose("AND l.stays = 0 ORDER BY l.n LIMIT ?", most)
	if err != nil || len(list) == 0 {
		return false, err
	}
	var visits []visit
	for _, l := range list {
		for p, err := range unpacked(l.data) {
			if err != nil {
				return false, err
			}
			visits = append(visits, visit{p.Key, l.n, p.Ply})
		}
	}
	if err := x.addRun(visits, len(list)); err != nil {
		return false, err
	}
	_, err = x.exec("DELETE FROM loose WHERE n >= ? AND n <= ? AND stays = 0", list[0].n, list[len(list)-1].n)
	return len(list) == most, err
}

// Settle makes runs of games that are loose, where there are many: of those of a hall that
// had no runs, all.
func (d *DB) Settle(ctx context.Context) error {
	for more := true; more; {
		err := d.Update(ctx, func(t store.Tx) error {
			x := t.(subjects).positions //nolint:forcetypeassert // Update makes it
			many, err := x.many()
			if more = false; err == nil && many >= looseGames {
				more, err = x.settle()
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// packed are the positions of a game, or of a part of a run.
type packed struct {
	n    int64 // of the game, or the least of the run
	data []byte
}

// looseOnes are the records of loose games, which SQLite takes in this order.
const looseOnes = "FROM loose l CROSS JOIN records r WHERE r.n = l.n "

// loose reads the positions of loose games.
func (x positions) loose(rest string, args ...any) ([]packed, error) {
	return rows(x.tx, func(p *packed) []col { return []col{{"l.n", &p.n}, {"r.positions", &p.data}} },
		looseOnes+rest, args...)
}

// find returns the visits of a position, those of the games that were added last first, and how many
// blocks it read: one of each run.
func (x positions) find(key int64) (out []visit, blocks int, err error) {
	stays, err := x.staying()
	if err != nil {
		return nil, 0, err
	}
	const block = "(SELECT b.data FROM position_blocks b WHERE b.run = r.run AND b.first_key <= ? ORDER BY b.first_key DESC LIMIT 1)"
	runs, err := rows(x.tx, func(p *packed) []col { return []col{{"r.least", &p.n}, {block, &p.data}} }, "FROM position_runs r", key)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range runs {
		c := cursor{least: r.n, blocks: [][]byte{r.data}}
		for {
			more, err := c.next()
			if err != nil {
				return nil, 0, err
			}
			if !more || c.at.key > key {
				break
			}
			if c.at.key == key && !stays[c.at.n] {
				out = append(out, c.at)
			}
		}
	}
	loose, err := x.loose("")
	if err != nil {
		return nil, 0, err
	}
	for _, l := range loose {
		for p, err := range unpacked(l.data) {
			if err != nil {
				return nil, 0, err
			}
			if p.Key == key {
				out = append(out, visit{key, l.n, p.Ply})
			}
		}
	}
	slices.SortFunc(out, func(a, b visit) int { return cmp.Compare(b.n, a.n) })
	return out, len(runs), nil
}

// staying are the games that stay loose: they have lost a record whose visits runs may still
// have.
func (x positions) staying() (map[int64]bool, error) {
	list, err := rows(x.tx, func(n *int64) []col { return []col{{"n", n}} }, "FROM loose WHERE stays = 1")
	out := make(map[int64]bool, len(list))
	for _, n := range list {
		out[n] = true
	}
	return out, err
}

// batches cuts a list into parts whose lengths are powers of two.
func batches[T any](list []T) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		for size := maxBatch; size > 0; size /= 2 {
			for len(list) >= size {
				if !yield(list[:size]) {
					return
				}
				list = list[size:]
			}
		}
	}
}

// removeRecord removes the record of a game, its positions, its consoles and its review, if
// it has them.
func (x positions) removeRecord(n int64) error {
	for _, table := range [...]string{"consoles", "reviews"} {
		if _, err := x.exec("DELETE FROM "+table+" WHERE n = ?", n); err != nil {
			return err
		}
	}
	had, err := x.exec("DELETE FROM records WHERE n = ?", n)
	if err != nil || had == 0 {
		return err
	}
	if loose, err := x.exec("DELETE FROM loose WHERE n = ? AND stays = 0", n); err != nil || loose > 0 {
		return err
	}
	_, err = x.insertNew("loose", col{"n", n}, col{"stays", true})
	return err
}

// packPositions writes positions one after the other: eight bytes of the key, then
// the ply as a varint.
func packPositions(list []store.Position) []byte {
	out := make([]byte, 0, 10*len(list))
	for _, p := range list {
		out = binary.LittleEndian.AppendUint64(out, uint64(p.Key))
		out = binary.AppendVarint(out, int64(p.Ply))
	}
	return out
}

// unpacked are positions that packPositions wrote; after an error nothing follows.
func unpacked(b []byte) func(yield func(store.Position, error) bool) {
	return func(yield func(store.Position, error) bool) {
		for len(b) > 0 {
			ply, n := int64(0), 0
			if len(b) > 8 {
				ply, n = binary.Varint(b[8:])
			}
			if n <= 0 {
				yield(store.Position{}, errors.New("the positions of a record are cut off"))
				return
			}
			if !yield(store.Position{Key: int64(binary.LittleEndian.Uint64(b)), Ply: int(ply)}, nil) {
				return
			}
			b = b[8+n:]
		}
	}
}

func unpackPositions(b []byte) (list []store.Position, err error) {
	for p, err := range unpacked(b) {
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}
