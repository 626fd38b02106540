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
	tb.Clear()
	if tb.EntryBytes() != 24 || tb.Bytes() != 0 {
		t.Errorf("entries of %d bytes in %d", tb.EntryBytes(), tb.Bytes())
	}
	const entries = 1 << 11
	tb.Resize(entries*24 + 24*entries - 1)
	if tb.Bytes() != entries*24 {
		t.Errorf("%d bytes", tb.Bytes())
	}
	for key := range uint64(entries) {
		*tb.At(key) = number{key, int64(key) * 3, true}
	}
	for key := range uint64(entries) {
		if e := *tb.At(key); e != (number{key, int64(key) * 3, true}) || *tb.At(key + entries) != e {
			t.Fatalf("at %d: %+v", key, e)
		}
	}
	tb.Resize(entries * 24)
	if !tb.At(7).used {
		t.Error("everything was forgotten although the size is the same")
	}
	tb.Clear()
	if tb.At(7).used {
		t.Error("not everything was forgotten")
	}
	tb.At(7).used = true
	tb.Resize(entries * 24 * 2)
	if tb.At(7).used || tb.Bytes() != 2*entries*24 {
		t.Errorf("something is left in %d bytes", tb.Bytes())
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
