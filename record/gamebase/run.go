package gamebase

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
)

// What was played is kept in runs: lists of tallies, sorted by position and move, in blocks
// of some kilobytes. A batch of games is one run more, written from front to back; runs of
// about the same size are put together when there are mergeRuns of them. So a look-up reads
// a block or two for each of a few runs, and a position is rewritten once for each time that
// the base has become eight times as large.

// tally is what became of the games in which a move was played in a position.
type tally struct {
	key, move int64
	Count
	ids []uint32 // the numbers of the games, rising
}

// compare orders tallies by position and move.
func (t *tally) compare(o *tally) int {
	return cmp.Or(cmp.Compare(t.key, o.key), cmp.Compare(t.move, o.move))
}

// join adds the tally of other games for the same position and move.
func (t *tally) join(o *tally) {
	t.Count.join(o.Count)
	sorted := len(t.ids) == 0 || len(o.ids) == 0 || t.ids[len(t.ids)-1] < o.ids[0]
	if t.ids = append(t.ids, o.ids...); !sorted {
		slices.Sort(t.ids)
	}
}

// The bits of the byte that a tally in a block begins with. Of one game, the most frequent
// tally by far, they say what became of it.
const (
	oneGame    = 1 << 0
	oneWon     = 1 << 1
	oneDrawn   = 1 << 2
	oneLost    = 1 << 3
	hasScore   = 1 << 4 // on the board
	wholeScore = 1 << 5
	samePlace  = 1 << 6 // the position of the tally before
)

// appendTo writes a tally behind that of the position before, which begins with 0 in a block.
func (t *tally) appendTo(b []byte, before int64) []byte {
	at, head := len(b), byte(0)
	b = append(b, 0)
	if t.key == before {
		head |= samePlace
	} else {
		b = binary.AppendUvarint(b, uint64(t.key)-uint64(before))
	}
	if t.move == 0 {
		b = append(b, 0)
	} else {
		b = appendMove(b, unpack(t.move), 0)
	}
	if t.Games == 1 {
		head |= oneGame
		for _, x := range []struct {
			n   int
			bit byte
		}{{t.Wins, oneWon}, {t.Draws, oneDrawn}, {t.Losses, oneLost}} {
			if x.n > 0 {
				head |= x.bit
			}
		}
	} else {
		for _, n := range []int{t.Games, t.Wins, t.Draws, t.Losses, t.Scored} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	if t.Scored > 0 {
		if head |= hasScore; t.Score == math.Trunc(t.Score) && math.Abs(t.Score) < 1<<50 {
			head |= wholeScore
			b = binary.AppendVarint(b, int64(t.Score))
		} else {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(t.Score))
		}
	}
	b = binary.AppendUvarint(b, uint64(t.Last))
	last := uint32(0)
	for _, id := range t.ids {
		b = binary.AppendUvarint(b, uint64(id-last))
		last = id
	}
	b[at] = head
	return b
}

// errBlock is what cannot be read back.
var errBlock = errors.New("a block of positions is damaged")

// block is what is left of one to read.
type block struct {
	data []byte
	key  int64
	bad  bool
}

func (b *block) uvarint() uint64 {
	x, n := binary.Uvarint(b.data)
	if n <= 0 {
		b.bad, b.data = true, nil
		return 0
	}
	b.data = b.data[n:]
	return x
}

// next reads a tally, using the room of its numbers again; false at the end.
func (b *block) next(t *tally) (bool, error) {
	if len(b.data) == 0 {
		return false, nil
	}
	head := b.data[0]
	b.data = b.data[1:]
	if head&samePlace == 0 {
		b.key = int64(uint64(b.key) + b.uvarint())
	}
	*t = tally{key: b.key, ids: t.ids[:0]}
	switch {
	case len(b.data) == 0:
		return false, errBlock
	case b.data[0] == 0:
		b.data = b.data[1:]
	default:
		m, _, rest, ok := readMove(b.data)
		if !ok {
			return false, errBlock
		}
		t.move, b.data = pack(m), rest
	}
	if head&oneGame != 0 {
		bit := func(mask byte) int { return min(1, int(head&mask)) }
		t.Count = Count{Games: 1, Wins: bit(oneWon), Draws: bit(oneDrawn), Losses: bit(oneLost), Scored: bit(hasScore)}
	} else {
		for _, n := range []*int{&t.Games, &t.Wins, &t.Draws, &t.Losses, &t.Scored} {
			*n = int(b.uvarint())
		}
	}
	switch {
	case head&hasScore == 0:
	case head&wholeScore != 0:
		x := b.uvarint()
		t.Score = float64(int64(x>>1) ^ -int64(x&1))
	case len(b.data) < 8:
		return false, errBlock
	default:
		t.Score = math.Float64frombits(binary.LittleEndian.Uint64(b.data))
		b.data = b.data[8:]
	}
	t.Last = int(b.uvarint())
	for id := uint32(0); len(t.ids) < t.Games && !b.bad; {
		id += uint32(b.uvarint())
		t.ids = append(t.ids, id)
	}
	if b.bad {
		return false, errBlock
	}
	return true, nil
}

// blockBytes is how large a block is at least; the tallies of a position are in one.
const blockBytes = 8 << 10

type runWriter struct {
	insert  *sql.Stmt
	run     int64
	tallies int
	first   int64 // the position that the block begins with
	key     int64 // of the tally before
	data    []byte
}

func newRun(ctx context.Context, tx *sql.Tx) (*runWriter, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO run(tallies) VALUES(0)")
	if err != nil {
		return nil, err
	}
	w := &runWriter{}
	if w.run, err = res.LastInsertId(); err != nil {
		return nil, err
	}
	w.insert, err = tx.PrepareContext(ctx, "INSERT INTO block(run, first, data) VALUES(?,?,?)")
	return w, err
}

// add takes the next tally in order.
func (w *runWriter) add(ctx context.Context, t *tally) error {
	if len(w.data) >= blockBytes && t.key != w.key {
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
	before := w.key
	if len(w.data) == 0 {
		w.first, before = t.key, 0
	}
	w.data, w.key = t.appendTo(w.data, before), t.key
	w.tallies++
	return nil
}

func (w *runWriter) flush(ctx context.Context) error {
	if len(w.data) == 0 {
		return nil
	}
	_, err := w.insert.ExecContext(ctx, w.run, w.first, w.data)
	w.data = w.data[:0]
	return err
}

func (w *runWriter) end(ctx context.Context, tx *sql.Tx) error {
	if err := errors.Join(w.flush(ctx), w.insert.Close()); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "UPDATE run SET tallies=? WHERE id=?", w.tallies, w.run)
	return err
}

// cursor reads a run from front to back.
type cursor struct {
	run   int64
	from  int64 // where the next block begins at least
	last  bool
	block block
	at    tally
	open  bool // at is a tally
}

// next goes on to the next tally.
func (c *cursor) next(ctx context.Context, read *sql.Stmt) (err error) {
	for {
		if c.open, err = c.block.next(&c.at); c.open || err != nil || c.last {
			return err
		}
		var first int64
		c.block = block{}
		switch err := read.QueryRowContext(ctx, c.run, c.from).Scan(&first, &c.block.data); {
		case errors.Is(err, sql.ErrNoRows):
			c.last = true
		case err != nil:
			return err
		case first == math.MaxInt64:
			c.last = true
		default:
			c.from = first + 1
		}
	}
}

// preparer is a database or a transaction of it.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// merged calls each with the tallies of some runs in order, those of the same position and
// move as one.
func merged(ctx context.Context, db preparer, runs []int64, each func(*tally) error) error {
	read, err := db.PrepareContext(ctx, "SELECT first, data FROM block WHERE run=? AND first>=? ORDER BY first LIMIT 1")
	if err != nil {
		return err
	}
	defer read.Close() //nolint:errcheck // it was only read
	var list []*cursor
	for _, id := range runs {
		c := &cursor{run: id, from: math.MinInt64}
		if err := c.next(ctx, read); err != nil {
			return err
		}
		list = append(list, c)
	}
	var sum tally
	for {
		list = slices.DeleteFunc(list, func(c *cursor) bool { return !c.open })
		if len(list) == 0 {
			return nil
		}
		least := list[0]
		for _, c := range list[1:] {
			if c.at.compare(&least.at) < 0 {
				least = c
			}
		}
		sum = tally{key: least.at.key, move: least.at.move, ids: sum.ids[:0]}
		for _, c := range list {
			if c.at.compare(&sum) == 0 {
				sum.join(&c.at)
				if err := c.next(ctx, read); err != nil {
					return err
				}
			}
		}
		if err := each(&sum); err != nil {
			return err
		}
	}
}

// mergeRuns is how many runs of about the same size become one.
const mergeRuns = 8

// size puts runs of so many tallies into classes: each is eight times the one before.
func size(tallies int) int { return bits.Len(uint(tallies)>>15) / 3 }

type run struct {
	id      int64
	tallies int
}

// runsOf returns the runs, the oldest first.
func runsOf(ctx context.Context, tx *sql.Tx) (list []run, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, tallies FROM run ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err is looked at
	for rows.Next() {
		var r run
		if err := rows.Scan(&r.id, &r.tallies); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// mergeFull puts runs together where there are enough of one size.
func mergeFull(ctx context.Context, tx *sql.Tx) error {
	for {
		list, err := runsOf(ctx, tx)
		if err != nil {
			return err
		}
		bySize, full := map[int][]int64{}, -1
		for _, r := range list {
			s := size(r.tallies)
			if bySize[s] = append(bySize[s], r.id); len(bySize[s]) == mergeRuns {
				full = s
			}
		}
		if full < 0 {
			return nil
		}
		w, err := newRun(ctx, tx)
		if err != nil {
			return err
		}
		if err := merged(ctx, tx, bySize[full], func(t *tally) error { return w.add(ctx, t) }); err != nil {
			return err
		}
		if err := w.end(ctx, tx); err != nil {
			return err
		}
		for _, id := range bySize[full] {
			for _, q := range []string{"DELETE FROM block WHERE run=?", "DELETE FROM run WHERE id=?"} {
				if _, err := tx.ExecContext(ctx, q, id); err != nil {
					return err
				}
			}
		}
	}
}

// at returns what was played in a position, a tally for each move in order.
func (b *Base) at(ctx context.Context, key int64) ([]tally, error) {
	rows, err := b.db.QueryContext(ctx,
		"SELECT (SELECT data FROM block WHERE run=run.id AND first<=? ORDER BY first DESC LIMIT 1) FROM run ORDER BY id", key)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err is looked at
	var list []tally
	for rows.Next() {
		var x block
		if err := rows.Scan(&x.data); err != nil {
			return nil, err
		}
		for t := (tally{}); ; {
			if more, err := x.next(&t); err != nil {
				return nil, err
			} else if !more || t.key > key {
				break
			}
			if t.key < key {
				continue
			}
			i, found := slices.BinarySearchFunc(list, t.move, func(o tally, move int64) int { return cmp.Compare(o.move, move) })
			if !found {
				list = slices.Insert(list, i, tally{key: key, move: t.move})
			}
			list[i].join(&t)
		}
	}
	return list, rows.Err()
}

// readOld makes a run of the table that bases of version 1 have in its place.
func readOld(ctx context.Context, tx *sql.Tx) error {
	w, err := newRun(ctx, tx)
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "SELECT key, move, games, wins, draws, losses, scored, score, last, list FROM played ORDER BY key, move")
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err is looked at
	for rows.Next() {
		var t tally
		var list sql.RawBytes
		if err := rows.Scan(&t.key, &t.move, &t.Games, &t.Wins, &t.Draws, &t.Losses, &t.Scored, &t.Score, &t.Last, &list); err != nil {
			return err
		}
		for ; len(list) >= 4; list = list[4:] {
			t.ids = append(t.ids, binary.LittleEndian.Uint32(list))
		}
		if err := w.add(ctx, &t); err != nil {
			return err
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	return w.end(ctx, tx)
}
