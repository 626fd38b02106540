package native

import (
	"testing"
)

// What is written by hand is byte for byte what the general encoder writes, also
// where a text looks like the place of the steps.
func TestAppendLikeGeneral(t *testing.T) {
	us := int64(17)
	for _, w := range []*wire{
		{Format: Format, Steps: []wireStep{}},
		{Comment: `,"steps":null,`, Game: "gomoku", Steps: []wireStep{{By: 1, Move: "h8", Used: &us}, {Move: "a1"}}},
		{Event: "<&>\n", Result: &wireResult{Reason: `,"steps":null,`}, Steps: []wireStep{
			{By: -1, Move: `"\`, Opening: true},
			{Move: "ä<", Forced: true},
			{Move: "pass", Forced: true, Opening: true},
			{Move: "e5", Used: &us, Error: 9, Refused: true},
			{Move: "c3", Info: &wireInfo{Depth: 3}, Comment: "<ok>"},
			{Move: "d4", Variations: [][]wireStep{{{Move: "e5"}}}, Notices: []wireNotice{{Kind: "x"}}},
		}},
	} {
		want, err := marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.appendAll([]byte("before "))
		if err != nil || string(got) != "before "+string(want)+"\n" {
			t.Errorf("written %s, %v\ninstead of %s", got, err, want)
		}
	}
}

// appendAll appends an object with its steps.
func (w *wire) appendAll(dst []byte) ([]byte, error) {
	head := *w
	head.Steps = nil
	return head.append(dst, len(w.Steps), func(dst []byte, i int) ([]byte, error) { return w.Steps[i].append(dst) })
}

func BenchmarkAppend(b *testing.B) {
	us := int64(17)
	w := &wire{Format: Format, Game: "gomoku", Steps: make([]wireStep, 61)}
	for i := range w.Steps {
		w.Steps[i] = wireStep{By: i & 1, Move: "h8", Used: &us}
	}
	var buf []byte
	var err error
	for b.Loop() {
		if buf, err = w.appendAll(buf[:0]); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(buf)))
}
