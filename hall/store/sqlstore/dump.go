package sqlstore

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"kibitz/hall/store"
)

// dumpFormat is the number of the form of a dump, which its first row names.
const dumpFormat = 1

// The rows of a dump that are of no table.
const (
	headRow    = "kibitz"  // {"format":1}
	counterRow = "counter" // {"table":"users","last":17}
	endRow     = "end"     // {"rows":12345}, so that a dump that was cut off is known
)

type (
	head struct {
		Format int `json:"format"`
	}
	counter struct {
		Table string `json:"table"`
		Last  int64  `json:"last"`
	}
	end struct {
		Rows int64 `json:"rows"`
	}
)

// Dump implements store.Store.
func (d *DB) Dump(ctx context.Context, w store.Writer) error {
	_, err := d.once(ctx, d.read, &d.d.Read, func(x *tx) error { return x.dump(w) })
	return err
}

func (x *tx) dump(w store.Writer) error {
	if err := writeRow(w, headRow, head{dumpFormat}); err != nil {
		return err
	}
	var total int64
	for _, t := range tables() {
		if t.counter != "" {
			var last int64
			if _, err := x.row([]any{&last}, x.d.Counter(t.name, t.counter)); err != nil {
				return err
			}
			if err := writeRow(w, counterRow, counter{t.name, last}); err != nil {
				return err
			}
		}
		n, err := x.dumpTable(&t, w)
		if err != nil {
			return err
		}
		total += n
	}
	return writeRow(w, endRow, end{total})
}

func writeRow(w store.Writer, table string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.Row(table, b)
}

// dumpTable writes the rows of a table as they are read.
func (x *tx) dumpTable(t *table, w store.Writer) (n int64, err error) {
	r, err := x.t.QueryContext(x.ctx, "SELECT "+t.columns()+" FROM "+t.name+" ORDER BY "+t.key)
	if err != nil {
		return 0, x.fail(err)
	}
	defer r.Close() //nolint:errcheck // Err below tells more
	ints, floats, strs, blobs := make([]int64, len(t.cols)), make([]float64, len(t.cols)), make([]string, len(t.cols)),
		make([][]byte, len(t.cols))
	dest := make([]any, len(t.cols))
	for i, c := range t.cols {
		switch c.kind {
		case 'i':
			dest[i] = &ints[i]
		case 'f':
			dest[i] = &floats[i]
		case 't':
			dest[i] = &strs[i]
		default:
			dest[i] = &blobs[i]
		}
	}
	for r.Next() {
		if err := r.Scan(dest...); err != nil {
			return n, x.fail(err)
		}
		row := make(map[string]any, len(t.cols))
		for i, c := range t.cols {
			switch c.kind {
			case 'i':
				row[c.name] = ints[i]
			case 'f':
				row[c.name] = floats[i]
			case 't':
				row[c.name] = strs[i]
			default:
				row[c.name] = base64.StdEncoding.EncodeToString(blobs[i])
			}
		}
		if err := writeRow(w, t.name, row); err != nil {
			return n, err
		}
		n++
	}
	if err := r.Err(); err != nil {
		return n, x.fail(fmt.Errorf("table %s: %w", t.name, err))
	}
	return n, nil
}
