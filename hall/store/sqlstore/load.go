package sqlstore

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"kibitz/hall/store"
)

// Load implements store.Store.
func (d *DB) Load(ctx context.Context, r store.Reader) error {
	_, err := d.once(ctx, d.write, &d.d.Write, func(x *tx) error {
		if d.d.Patient != "" { // what is loaded may come slowly
			if _, err := x.exec(d.d.Patient); err != nil {
				return err
			}
		}
		l := loader{x: x, tables: map[string]*table{}, counters: map[string]int64{}}
		for _, t := range tables() {
			l.tables[t.name] = &t
		}
		if err := l.empty(); err != nil {
			return err
		}
		return l.load(r)
	})
	return err
}

// loader fills a database. Rows of the same table are collected and written by one
// statement.
type loader struct {
	x        *tx
	tables   map[string]*table
	counters map[string]int64
	into     *table
	batch    [][]any
	total    int64
	// visits are those of games that are no run yet, indexed how many these games are.
	visits  []visit
	indexed int
}

// empty reports ErrConflict unless there is nothing in any table.
func (l *loader) empty() error {
	for name := range l.tables {
		if ok, err := l.x.has("SELECT 1 FROM " + name + " LIMIT 1"); err != nil || ok {
			return or(err, fmt.Errorf("there are %s in the store already: %w", name, store.ErrConflict))
		}
	}
	return nil
}

func (l *loader) load(r store.Reader) error {
	for n := 1; ; n++ {
		name, row, err := r.Row()
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%w: the dump is cut off after row %d", store.ErrInvalid, n-1)
		}
		if err != nil {
			return err
		}
		if (name == headRow) != (n == 1) {
			return fmt.Errorf("%w: row %d of the dump is of %.30q; its first row and no other says %q", store.ErrInvalid, n, name, headRow)
		}
		done, err := l.row(name, row)
		if err != nil {
			return fmt.Errorf("row %d of the dump (%.30s): %w", n, name, err)
		}
		if done {
			return nil
		}
	}
}

// row takes a row and tells whether it was the last.
func (l *loader) row(name string, row []byte) (done bool, err error) {
	switch name {
	case headRow:
		var h head
		if err := strict(row, &h); err != nil {
			return false, err
		}
		if h.Format != dumpFormat {
			return false, fmt.Errorf("%w: the dump has format %d and this program reads %d", store.ErrInvalid, h.Format, dumpFormat)
		}
		return false, nil
	case counterRow:
		var c counter
		if err := strict(row, &c); err != nil {
			return false, err
		}
		if t := l.tables[c.Table]; t == nil || t.counter == "" || c.Last < 0 {
			return false, fmt.Errorf("%w: the counter %d of table %.30q", store.ErrInvalid, c.Last, c.Table)
		}
		l.counters[c.Table] = c.Last
		return false, nil
	case endRow:
		var e end
		if err := strict(row, &e); err != nil {
			return false, err
		}
		if e.Rows != l.total {
			return false, fmt.Errorf("%w: it holds %d rows and says that there are %d", store.ErrInvalid, l.total, e.Rows)
		}
		return true, l.finish()
	}
	t := l.tables[name]
	if t == nil {
		return false, fmt.Errorf("%w: there is no such table", store.ErrInvalid)
	}
	values, err := readRow(t, row)
	if err != nil {
		return false, err
	}
	l.total++
	return false, l.add(t, values)
}

func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: %s", store.ErrInvalid, err.Error())
	}
	return nil
}

// readRow reads the columns of a row: all of the table and no others, each of its
// kind.
func readRow(t *table, row []byte) ([]any, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(row, &m); err != nil {
		return nil, fmt.Errorf("%w: %s", store.ErrInvalid, err.Error())
	}
	out := make([]any, len(t.cols))
	for i, c := range t.cols {
		raw, ok := m[c.name]
		if !ok {
			return nil, fmt.Errorf("%w: the column %s is missing", store.ErrInvalid, c.name)
		}
		v, err := readValue(c.kind, raw)
		if err != nil {
			return nil, fmt.Errorf("%w: column %s: %s", store.ErrInvalid, c.name, err.Error())
		}
		out[i] = v
	}
	if len(m) > len(t.cols) {
		return nil, fmt.Errorf("%w: %d columns where the table has %d", store.ErrInvalid, len(m), len(t.cols))
	}
	return out, nil
}

func readValue(kind byte, raw json.RawMessage) (any, error) {
	if string(raw) == "null" {
		return nil, errors.New("it has no value")
	}
	switch kind {
	case 'i':
		return decode[int64](raw)
	case 'f':
		return decode[float64](raw)
	case 't':
		return decode[string](raw)
	}
	s, err := decode[string](raw)
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(s.(string))
}

func decode[T any](raw json.RawMessage) (any, error) {
	var v T
	err := json.Unmarshal(raw, &v)
	return v, err
}

func (l *loader) add(t *table, values []any) error {
	if l.into != t {
		if err := l.flush(); err != nil {
			return err
		}
		l.into = t
	}
	if l.batch = append(l.batch, values); len(l.batch) < maxBatch {
		return nil
	}
	return l.flush()
}

func (l *loader) flush() error {
	for batch := range batches(l.batch) {
		args := make([]any, 0, len(batch)*len(l.into.cols))
		for _, row := range batch {
			args = append(args, row...)
		}
		one := "(" + marks(len(l.into.cols)) + ")"
		query := "INSERT INTO " + l.into.name + "(" + l.into.columns() + ") VALUES " + one + strings.Repeat(", "+one, len(batch)-1)
		if _, err := l.x.exec(query, args...); err != nil {
			return err
		}
		if l.into.name != "records" {
			continue
		}
		for _, row := range batch {
			if err := l.index(row); err != nil {
				return err
			}
		}
	}
	l.batch = l.batch[:0]
	return nil
}

// index makes the positions of a record that was loaded.
func (l *loader) index(row []any) error {
	packed, _ := row[2].([]byte)
	n, _ := row[0].(int64)
	list, err := unpackPositions(packed)
	if err != nil {
		return fmt.Errorf("%w: %s", store.ErrInvalid, err.Error())
	}
	for _, p := range firsts(list) {
		l.visits = append(l.visits, visit{p.Key, n, p.Ply})
	}
	if l.indexed++; l.indexed < loadedRun {
		return nil
	}
	return l.settle()
}

// loadedRun is how many games that are loaded become a run.
const loadedRun = 2048

// settle makes a run of the games that were loaded.
func (l *loader) settle() error {
	err := positions{l.x}.addRun(l.visits, l.indexed)
	l.visits, l.indexed = l.visits[:0], 0
	return err
}

// finish sets what the tables number their next rows by.
func (l *loader) finish() error {
	if err := errors.Join(l.flush(), l.settle()); err != nil {
		return err
	}
	for _, t := range tables() {
		if last := l.counters[t.name]; last > 0 {
			if err := l.x.d.SetCounter(l.x, t.name, t.counter, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// Exec runs a statement of a dialect within a transaction.
func (x *tx) Exec(query string, args ...any) error {
	_, err := x.exec(query, args...)
	return err
}
