package consolelog_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/consolelog"
)

func coders(t testing.TB) (*zstd.Encoder, *zstd.Decoder) {
	t.Helper()
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unpack.Close)
	return pack, unpack
}

// line is the n-th line of a log: fifty for each decision, each unlike the others.
func line(n int) bus.ConsoleLine {
	return bus.ConsoleLine{At: time.Unix(int64(n), 0).UTC(), Mark: "<", Text: fmt.Sprintf("%d %s", n, strings.Repeat(fmt.Sprintf("%x ", n*2654435761), 6)), Ply: n / 50}
}

func made(t testing.TB, pack *zstd.Encoder, lines int) []byte {
	t.Helper()
	w := consolelog.NewWriter(pack)
	for n := range lines {
		l := line(n)
		w.Add(&l)
	}
	data, err := w.Log(bus.Console{Game: "g", Attempt: 2, Seat: game.Second, Next: lines + 1, Over: true})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Of ten megabytes a turn is found by the index: two blocks are opened, whichever turn it is.
func TestLargeLog(t *testing.T) {
	pack, unpack := coders(t)
	const lines = 150_000
	data := made(t, pack, lines)
	for _, ply := range []int{1200, 2000, 2999} {
		begun := time.Now()
		g, err := consolelog.Open(unpack, data)
		if err != nil {
			t.Fatal(err)
		}
		if first := g.First(); g.Game != "g" || g.Attempt != 2 || g.Next != lines+1 || first < 2 || (lines-first)*75 < 7<<20 {
			t.Fatalf("from %d to %d of %+v", first, g.Next, g.Console)
		}
		at, err := g.At(ply)
		if err != nil || at != 50*ply+1 {
			t.Fatalf("ply %d at line %d, %v", ply, at, err)
		}
		list, number, err := g.From(at-25, 200)
		if err != nil || number != at-25 || len(list) != min(200, lines+1-number) || list[25].Text != line(50*ply).Text || list[25].Ply != ply {
			t.Fatalf("ply %d: %d lines from %d, %v", ply, len(list), number, err)
		}
		if g.Opened > 2 {
			t.Errorf("ply %d: %d blocks are opened", ply, g.Opened)
		}
		t.Logf("%d bytes, ply %d after %v", len(data), ply, time.Since(begun))
	}
	if len(data) > 3<<20 {
		t.Errorf("%d bytes are kept", len(data))
	}
}

// All lines of a short one are there; so they are of one that was kept before there was an index.
func TestShortLog(t *testing.T) {
	pack, unpack := coders(t)
	data := made(t, pack, 3000)
	plain, err := unpack.DecodeAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{data, pack.EncodeAll(plain, nil)} {
		g, err := consolelog.Open(unpack, data)
		if err != nil {
			t.Fatal(err)
		}
		list, first, err := g.From(0, 1<<20)
		if err != nil || len(list) != 3000 || first != 1 || list[2999] != line(2999) {
			t.Fatalf("%d lines from %d, %v", len(list), first, err)
		}
		if at, err := g.At(59); at != 2951 || err != nil {
			t.Errorf("line %d, %v", at, err)
		}
		if at, err := g.At(60); at != 3001 || err != nil {
			t.Errorf("line %d, %v", at, err)
		}
	}
	for _, bad := range [][]byte{nil, data[:20], []byte("P*M\x18\xff\xff\xff\xff"), data[:len(data)-100]} {
		if g, err := consolelog.Open(unpack, bad); err == nil {
			if _, _, err = g.From(1, 10_000); err == nil {
				t.Errorf("%.20q is a log", bad)
			}
		}
	}
}

// FuzzOpen opens whatever a worker sends as a log: lines come, or an error.
func FuzzOpen(f *testing.F) {
	pack, unpack := coders(f)
	f.Add(made(f, pack, 3000))
	for _, index := range []string{`[{"lines":-1}]`, `[{"lines":1,"bytes":9223372036854775807},{"bytes":9223372036854775807}]`, `[{"lines":9223372036854775807}]`} {
		f.Add(pack.EncodeAll([]byte("{}\n"), append([]byte{0x50, 0x2a, 0x4d, 0x18, byte(len(index)), 0, 0, 0}, index...)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := consolelog.Open(unpack, data)
		if err != nil {
			return
		}
		if list, first, err := g.From(1, 200); err == nil && (len(list) > 200 || first > g.Next) {
			t.Errorf("%d lines from %d of %d", len(list), first, g.Next)
		}
		_, _ = g.At(20)
	})
}
