package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"kibitz/hall/store"
)

// list keeps the rows of a dump.
type list []struct {
	table string
	row   []byte
}

// Row implements store.Writer.
func (l *list) Row(table string, row []byte) error {
	*l = append(*l, struct {
		table string
		row   []byte
	}{table, append([]byte(nil), row...)})
	return nil
}

type reader struct {
	rows list
	err  error
}

// Row implements store.Reader.
func (r *reader) Row() (string, []byte, error) {
	if len(r.rows) == 0 {
		if r.err != nil {
			return "", nil, r.err
		}
		return "", nil, io.EOF
	}
	next := r.rows[0]
	r.rows = r.rows[1:]
	return next.table, next.row, nil
}

// Copy fills a store, dumps it, loads the dump into another, and wants both to be
// alike and to go on alike. Both are empty before.
func Copy(t *testing.T, from, to store.Store) {
	ids := []string{"a", "b", "gone"}
	do(t, from, func(x store.Tx) error {
		for _, id := range ids {
			if err := change(x, id); err != nil {
				return err
			}
		}
		return x.RemoveGame("gone")
	})
	fill(t, from, many(size(200, 40)))
	ann := addUser(t, from, "Ann")
	do(t, from, func(x store.Tx) error {
		if err := x.AddToken(&store.Token{User: ann, Hash: []byte{0, 255}}); err != nil {
			return err
		}
		return x.AddSaved(&store.Saved{ID: "s", User: ann, Moves: []string{"x'"}})
	})
	guest := user("guest")
	guest.Kind = store.Guest
	do(t, from, func(x store.Tx) error { return x.AddUser(&guest) })
	do(t, from, func(x store.Tx) error { _, err := x.RemoveExpired(noon().Add(2 * store.GuestStay)); return err })

	var dump, again list
	if err := from.Dump(t.Context(), &dump); err != nil {
		t.Fatal(err)
	}
	if err := to.Load(t.Context(), &reader{rows: dump}); err != nil {
		t.Fatal(err)
	}
	if err := to.Dump(t.Context(), &again); err != nil {
		t.Fatal(err)
	}
	text := func(l list) (out []string) {
		for _, r := range l {
			out = append(out, r.table+" "+string(r.row))
		}
		return out
	}
	same(t, text(again), text(dump))
	for name, q := range queries() {
		got, want := find(t, to, q), find(t, from, q)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// A number that was given once is not given again.
	if id := addUser(t, to, "next"); id <= guest.ID {
		t.Errorf("a new user has the number %d, and %d was given before", id, guest.ID)
	}
	do(t, to, func(x store.Tx) error { return change(x, "more") })
	refused(t, to.Load(t.Context(), &reader{rows: dump}), store.ErrConflict)
}

func testLoad(t *testing.T, from store.Store, open func(t *testing.T) store.Store) {
	to := open(t)
	do(t, from, func(x store.Tx) error { return change(x, "a") })
	var dump list
	if err := from.Dump(t.Context(), &dump); err != nil {
		t.Fatal(err)
	}
	edit := func(table, old, with string) list {
		out := append(list(nil), dump...)
		for i, r := range out {
			if r.table == table {
				out[i].row = []byte(strings.Replace(string(r.row), old, with, 1))
				if string(out[i].row) == string(r.row) {
					t.Fatalf("%s has no %q", r.row, old)
				}
				return out
			}
		}
		t.Fatalf("no row of %s", table)
		return nil
	}
	without := func(table string) (out list) {
		for _, r := range dump {
			if r.table != table {
				out = append(out, r)
			}
		}
		return out
	}
	extra := func(table, row string) list {
		out := append(list(nil), dump[:len(dump)-1]...)
		_ = out.Row(table, []byte(row))
		return append(out, dump[len(dump)-1])
	}
	for name, rows := range map[string]list{
		"nothing": nil, "head only": dump[:1], "cut off": dump[:len(dump)-1], "no head": dump[1:],
		"another format": edit("kibitz", "1", "2"), "a row is missing": without("engines"), "no such table": extra("sqlite_schema", "{}"),
		"an injection": extra("users; DROP TABLE users", "{}"), "no JSON": edit("users", "{", ""),
		"a column is missing": edit("users", `"owner"`, `"owners"`),
		"null":                edit("users", `"owner":0`, `"owner":null`), "text for a number": edit("users", `"owner":0`, `"owner":"0"`),
		"a fraction": edit("users", `"owner":0`, `"owner":0.5`), "no bytes": edit("records", `"record":"`, `"record":"!`),
		"cut positions":        edit("records", `"positions":"`, `"positions":"AAAA`),
		"a counter of nothing": extra("counter", `{"table":"rooms","last":1}`),
		"a negative counter":   extra("counter", `{"table":"users","last":-1}`),
	} {
		if err := to.Load(t.Context(), &reader{rows: rows}); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := errors.New("the disk is gone")
	refused(t, to.Load(t.Context(), &reader{rows: dump[:len(dump)-2], err: broken}), broken)
	if err := to.Load(t.Context(), &reader{rows: extra("users", string(find1(dump, "users")))}); err == nil {
		t.Error("the same user twice was loaded")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := to.Load(ctx, &reader{rows: dump}); err == nil {
		t.Error("a cancelled load went on")
	}
	// Nothing of all that is left.
	if err := to.Load(t.Context(), &reader{rows: dump}); err != nil {
		t.Fatal(err)
	}
	refused(t, from.Dump(t.Context(), full1{broken}), broken)
}

// find1 returns the first row of a table.
func find1(l list, table string) []byte {
	for _, r := range l {
		if r.table == table {
			return r.row
		}
	}
	return nil
}

// full1 takes no rows.
type full1 struct{ err error }

// Row implements store.Writer.
func (f full1) Row(string, []byte) error { return f.err }
