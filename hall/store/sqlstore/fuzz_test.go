package sqlstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"kibitz/hall/store"
)

// FuzzCursor reads cursors, which come back from browsers.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{"", "1", "zz", "-1", "0", "01", "ZZ", "1y2p0ij32e8e7", "1y2p0ij32e8e8", "'; --"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := readCursor(s)
		switch {
		case err != nil:
			if !errors.Is(err, store.ErrInvalid) || n != 0 {
				t.Fatalf("%q: %d %v", s, n, err)
			}
		case s == "" && n != 0, s != "" && (n < 1 || writeCursor(n) != s):
			t.Fatalf("%q is read as %d", s, n)
		}
	})
}

// FuzzRow reads rows of dumps.
func FuzzRow(f *testing.F) {
	list := tables()
	for i, t := range list {
		row := map[string]any{}
		for _, c := range t.cols {
			row[c.name] = map[byte]any{'i': 1 << 60, 'f': -1e-300, 't': "text", 'b': "AAAA"}[c.kind]
		}
		b, err := json.Marshal(row)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, b)
	}
	f.Add(0, []byte("{}"))
	f.Add(1, []byte("[1"))
	f.Fuzz(func(t *testing.T, i int, b []byte) {
		table := &list[uint(i)%uint(len(list))]
		values, err := readRow(table, b)
		if err != nil {
			if !errors.Is(err, store.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		for i, c := range table.cols {
			var ok bool
			switch c.kind {
			case 'i':
				_, ok = values[i].(int64)
			case 'f':
				_, ok = values[i].(float64)
			case 't':
				_, ok = values[i].(string)
			default:
				_, ok = values[i].([]byte)
			}
			if !ok {
				t.Fatalf("column %s is a %T", c.name, values[i])
			}
			if _, err := value(values[i]); err != nil {
				t.Fatalf("column %s cannot be kept: %v", c.name, err)
			}
		}
	})
}

// FuzzPositions reads the positions of a record, which a dump holds too.
func FuzzPositions(f *testing.F) {
	f.Add(packPositions([]store.Position{{Key: -1, Ply: 0}, {Key: 1 << 62, Ply: 300}}))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := unpackPositions(b)
		if err != nil {
			return
		}
		again, err := unpackPositions(packPositions(list))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(list) {
			t.Fatalf("%v becomes %v: %v", list, again, err)
		}
	})
}
