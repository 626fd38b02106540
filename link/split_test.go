package link

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// drain feeds text in pieces of the given sizes and returns all lines.
func drain(s *Splitter, text string, sizes ...int) []string {
	var out []string
	for i := 0; text != ""; i++ {
		n := min(len(text), sizes[i%len(sizes)], len(s.Space()))
		copy(s.Space(), text[:n])
		s.Commit(n)
		text = text[n:]
		for {
			line, ok := s.Next()
			if !ok {
				break
			}
			out = append(out, string(line))
		}
	}
	return out
}

func TestSplitterLines(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
		rest string
	}{
		{"a\nb\n", []string{"a", "b"}, ""},
		{"a\r\nb\r\n\r\n\n", []string{"a", "b"}, ""},
		{"a\rb\r", []string{"a", "b"}, ""},
		{"\n\r\n a \n", []string{" a "}, ""},
		{"a\nbc", []string{"a"}, "bc"},
		{"\x00\xff\n", []string{"\x00\xff"}, ""},
	} {
		for _, size := range []int{1, 2, 3, 100} {
			s := NewSplitter(Limits{})
			got := drain(s, c.in, size)
			if fmt.Sprint(got) != fmt.Sprint(c.want) || string(s.Rest()) != c.rest {
				t.Errorf("%q by %d: %q rest %q", c.in, size, got, s.Rest())
			}
		}
	}
}

func TestSplitterCutsLongLines(t *testing.T) {
	text := "short\n" + strings.Repeat("x", 5000) + "\r\nnext\n" + strings.Repeat("y", 100) + "\n"
	for _, size := range []int{1, 7, 99, 100, 101, 3000, 100000} {
		s := NewSplitter(Limits{Line: 100})
		got := drain(s, text, size)
		want := []string{"short", strings.Repeat("x", 100), "next", strings.Repeat("y", 100)}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("by %d: %q", size, got)
		}
		if c := s.Counts(); c.Cut != 1 || c.Dropped < 4900 || c.Dropped > 4902 || c.Bytes != int64(len(text)) {
			t.Errorf("by %d: %+v", size, c)
		}
	}
}

func TestSplitterReturnsTheCutLineBeforeItsEnd(t *testing.T) {
	s := NewSplitter(Limits{Line: 10})
	if got := drain(s, strings.Repeat("z", 11), 11); len(got) != 1 || got[0] != "zzzzzzzzzz" {
		t.Fatalf("got %q", got)
	}
}

func TestSplitterDropsTheOldest(t *testing.T) {
	s := NewSplitter(Limits{Line: 64, Backlog: 1000})
	const n = 10000
	for i := range n {
		_, _ = fmt.Fprintf(s, "line %d\n", i)
	}
	var got []string
	for {
		line, ok := s.Next()
		if !ok {
			break
		}
		got = append(got, string(line))
	}
	for i, line := range got {
		if want := fmt.Sprintf("line %d", n-len(got)+i); line != want {
			t.Fatalf("kept %q at %d, want %q", line, i, want)
		}
	}
	c := s.Counts()
	if int(c.Lost)+len(got) != n || len(got) < 40 {
		t.Errorf("kept %d, lost %d", len(got), c.Lost)
	}
	if len(s.buf) > 1000+2*minRoom {
		t.Errorf("the buffer grew to %d", len(s.buf))
	}
}

func TestSplitterMemoryStaysFlat(t *testing.T) {
	var before, after runtime.MemStats
	s := NewSplitter(Limits{})
	piece := bytes.Repeat([]byte("m"), 32<<10)
	runtime.ReadMemStats(&before)
	for range 64 << 20 / len(piece) {
		_, _ = s.Write(piece)
	}
	for range 300000 {
		_, _ = s.Write([]byte("\nMESSAGE hello"))
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 2<<20 {
		t.Errorf("allocated %d bytes", grown)
	}
	if !s.Flooded() {
		t.Error("64 MB are no flood")
	}
}

func TestSplitterFlood(t *testing.T) {
	s := NewSplitter(Limits{Flood: 100})
	drain(s, strings.Repeat("a\n", 50), 10)
	if s.Flooded() {
		t.Error("flooded at the limit")
	}
	s.NewTurn()
	drain(s, strings.Repeat("a\n", 51), 10)
	if !s.Flooded() || s.Counts().Floods != 1 {
		t.Error("not flooded beyond the limit")
	}
	s.NewTurn()
	if s.Flooded() {
		t.Error("flooded in the next turn")
	}
}

// FuzzSplitter compares with a splitter that holds everything in memory.
func FuzzSplitter(f *testing.F) {
	f.Add([]byte("a\nbb\r\nccc\rd"), int64(1))
	f.Add(bytes.Repeat([]byte("0123456789"), 30), int64(2))
	f.Add([]byte("\r\r\n\n\r"), int64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed int64) {
		const limit = 40
		var want []string
		start := 0
		for i, b := range data {
			if b != '\n' && b != '\r' {
				continue
			}
			if i > start {
				want = append(want, string(data[start:min(i, start+limit)]))
			}
			start = i + 1
		}
		if len(data)-start > limit {
			want = append(want, string(data[start:start+limit]))
		}
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		s := NewSplitter(Limits{Line: limit})
		sizes := make([]int, 1+r.IntN(5))
		for i := range sizes {
			sizes[i] = 1 + r.IntN(200)
		}
		got := drain(s, string(data), sizes...)
		if len(got) != len(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("line %d: %q, want %q", i, got[i], want[i])
			}
		}
		if shown := shown(NewSplitter(Limits{Line: limit}), data, r); !slices.Equal(shown, want) {
			t.Fatalf("shown %q, want %q", shown, want)
		}
	})
}

// shown is what an observer sees of lines that are previewed or taken as chance wants.
func shown(s *Splitter, data []byte, r *rand.Rand) (out []string) {
	for len(data) > 0 {
		n := min(len(data), 1+r.IntN(50))
		_, _ = s.Write(data[:n])
		data = data[n:]
		for range r.IntN(4) {
			if line, ok := s.Preview(); ok {
				out = append(out, string(line))
			}
		}
		for range r.IntN(4) {
			if line, ok := s.Next(); ok && !s.Previewed() {
				out = append(out, string(line))
			}
		}
	}
	for line, ok := s.Next(); ok; line, ok = s.Next() {
		if !s.Previewed() {
			out = append(out, string(line))
		}
	}
	return out
}

func BenchmarkSplitter(b *testing.B) {
	s := NewSplitter(Limits{})
	move := []byte("10,11\r\n")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = s.Write(move)
		if _, ok := s.Next(); !ok {
			b.Fatal("no line")
		}
	}
}

// A byte order mark before the first line is no part of it; anywhere else it is.
func TestByteOrderMark(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	for text, want := range map[string]string{
		mark + "OK\nx\n":             "OK x",
		mark + "\nOK\n":              "OK",
		"OK\n" + mark + "x\n":        "OK " + mark + "x",
		"\xef\xbbOK\n":               "\xef\xbbOK",
		"\n" + mark + "OK\nsecond\n": "OK second",
	} {
		for n := 1; n <= len(text); n++ { // also in pieces
			s := NewSplitter(Limits{})
			var got []string
			for i := 0; i < len(text); i += n {
				_, _ = s.Write([]byte(text[i:min(i+n, len(text))]))
				for line, ok := s.Next(); ok; line, ok = s.Next() {
					got = append(got, string(line))
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, n, got, want)
			}
		}
	}
}
