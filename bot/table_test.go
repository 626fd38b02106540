package bot_test

import (
	"testing"

	"kibitz/bot"
)

// number is an entry of 24 bytes.
type number struct {
	key  uint64
	is   int64
	used bool
}

// TestTable keeps what it is given until another key needs the place, the size
// changes, or all is to be forgotten.
func TestTable(t *testing.T) {
	var tb bot.Table[number]
	get := func(key uint64) (number, bool) {
		e := *tb.At(key)
		return e, e.used && e.key == key^tb.Mark()
	}
	put := func(key uint64, is int64) { *tb.At(key) = number{key ^ tb.Mark(), is, true} }
	none := func(why string) {
		t.Helper()
		for key := range uint64(tb.Bytes() / 24) {
			if e, ok := get(key); ok {
				t.Fatalf("%s, and %+v is known", why, e)
			}
		}
	}
	tb.Clear()
	if tb.EntryBytes() != 24 || tb.Bytes() != 0 {
		t.Errorf("entries of %d bytes in %d", tb.EntryBytes(), tb.Bytes())
	}
	const entries = 1 << 11
	tb.Resize(entries*24 + 24*entries - 1)
	if tb.Bytes() != entries*24 {
		t.Errorf("%d bytes", tb.Bytes())
	}
	fill := func() {
		for key := range uint64(tb.Bytes() / 24) {
			put(key, int64(key)*3)
		}
	}
	for range 3 { // every time with another mark
		none("nothing is kept")
		fill()
		for key := range uint64(entries) {
			if e, ok := get(key); !ok || e.is != int64(key)*3 {
				t.Fatalf("at %d: %+v", key, e)
			}
			if _, ok := get(key + entries); ok {
				t.Fatalf("a stranger is taken for %d", key)
			}
		}
		tb.Resize(entries * 24)
		if _, ok := get(7); !ok {
			t.Error("everything was forgotten although the size is the same")
		}
		tb.Clear()
	}
	fill()
	tb.Resize(entries * 24 * 2)
	if tb.Bytes() != 2*entries*24 {
		t.Errorf("%d bytes", tb.Bytes())
	}
	none("the size has changed")
	fill()
	for _, size := range []int64{entries / 2, entries, entries * 2, entries * 4} { // first in what is there
		tb.Forget()
		if tb.Bytes() != 0 {
			t.Errorf("%d bytes of a table that is like a new one", tb.Bytes())
		}
		tb.Fit(0, size*24)
		if tb.Bytes() != size*24 {
			t.Errorf("%d bytes, want %d", tb.Bytes(), size*24)
		}
		none("all was forgotten")
		fill()
		tb.Fit(0, 2*size*24)
		none("the table has grown")
	}
}

// To forget what a large table holds costs as much as with a small one.
func BenchmarkForget(b *testing.B) {
	var tb bot.Table[number]
	for b.Loop() {
		tb.Forget()
		tb.Fit(0, 64<<20)
	}
}

// TestTableFit wants the sizes that tasks one after the other lead to.
func TestTableFit(t *testing.T) {
	const kilo = 1 << 10 * 8 // bytes of as many entries
	var tb bot.Table[uint64]
	for i, tt := range []struct{ limit, want, bytes int64 }{
		{0, 0, kilo},
		{0, 4 * kilo, 4 * kilo},
		{0, 2 * kilo, 4 * kilo},          // it only grows
		{12 * kilo, 8 * kilo, 2 * kilo},  // a quarter, and a power of two
		{64 * kilo, 2 * kilo, 2 * kilo},  // no more than is wanted
		{1, 8 * kilo, kilo},              // not below the least
		{0, 16*kilo + 5, 16 * kilo},      //
		{32 * kilo, 16 * kilo, 8 * kilo}, //
	} {
		if tb.Fit(tt.limit, tt.want); tb.Bytes() != tt.bytes {
			t.Errorf("task %d: %d bytes, want %d", i, tb.Bytes(), tt.bytes)
		}
	}
}
