package sqlstore

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"kibitz/hall/store"
)

// maxBatch is how many rows one statement writes. Lesser numbers are powers of two,
// so that there are few statements for a database to prepare.
const maxBatch = 64

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

// add puts positions into the index. They are written in the order of their
// keys, as all transactions do, so that none waits for another in a circle.
func (x positions) add(n int64, list []store.Position) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b store.Position) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	for batch := range batches(list) {
		args := make([]any, 0, 3*len(batch))
		for _, p := range batch {
			args = append(args, p.Key, n, p.Ply)
		}
		query := "INSERT INTO positions(position_key, n, ply) VALUES " + strings.TrimSuffix(strings.Repeat("(?, ?, ?), ", len(batch)), ", ")
		if _, err := x.exec(query, args...); err != nil {
			return err
		}
	}
	return nil
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

// removeRecord removes the record of a game, its positions and its consoles, if it has
// them.
func (x positions) removeRecord(n int64) error {
	if _, err := x.exec("DELETE FROM consoles WHERE n = ?", n); err != nil {
		return err
	}
	var packed []byte
	ok, err := x.row([]any{&packed}, "SELECT positions FROM records WHERE n = ?", n)
	if err != nil || !ok {
		return err
	}
	list, err := unpackPositions(packed)
	if err != nil {
		return err
	}
	for batch := range batches(list) {
		args := []any{n}
		for _, p := range batch {
			args = append(args, p.Key)
		}
		if _, err := x.exec("DELETE FROM positions WHERE n = ? AND position_key IN ("+marks(len(batch))+")", args...); err != nil {
			return err
		}
	}
	_, err = x.exec("DELETE FROM records WHERE n = ?", n)
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

func unpackPositions(b []byte) (list []store.Position, err error) {
	for len(b) > 0 {
		if len(b) < 9 {
			return nil, errors.New("the positions of a record are cut off")
		}
		ply, n := binary.Varint(b[8:])
		if n <= 0 {
			return nil, errors.New("the positions of a record are cut off")
		}
		list = append(list, store.Position{Key: int64(binary.LittleEndian.Uint64(b)), Ply: int(ply)})
		b = b[8+n:]
	}
	return list, nil
}
