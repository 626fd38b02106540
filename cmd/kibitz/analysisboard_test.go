package main

import (
	"strings"
	"testing"
)

// On an analysis board a flip is followed by what may lie there, and hidden stones are
// known.
func TestAnalysisBoard(t *testing.T) {
	h := hallArchive()
	l, err := h.Line(t.Context(), "darkchess", "", []string{"f0,0"}, 1)
	if err != nil || len(l.Views) != 1 || len(l.Steps) != 0 || len(l.Legal) != 0 || len(l.Deals) != 14 {
		t.Fatalf("%+v, %v", l, err)
	}
	sum := 0
	for _, d := range l.Deals {
		if sum += d.Count; d.Piece == "" || d.Piece == "X" {
			t.Errorf("%s deals %q", d.Step, d.Piece)
		}
	}
	if sum != 32 {
		t.Errorf("%d pieces may lie there, want 32", sum)
	}
	if l, err = h.Line(t.Context(), "darkchess", "", []string{"f0,0", l.Deals[0].Step}, 0); err != nil || len(l.Views) != 3 || len(l.Steps) != 2 || len(l.Legal) == 0 {
		t.Fatalf("%+v, %v", l, err)
	}
	if l, err = h.Line(t.Context(), "phantomgo:size=3", "", []string{"p1,1"}, 0); err != nil {
		t.Fatal(err)
	}
	for _, m := range l.Legal {
		if m == "p1,1" {
			t.Error("an attempt on a stone is offered where it is known")
		}
	}
	if _, err = h.Line(t.Context(), "gomoku:size=127", "", make([]string, 100), 0); err == nil || !strings.Contains(err.Error(), "more boards") {
		t.Errorf("a hundred large boards: %v", err)
	}
	if _, err = h.Line(t.Context(), "othello", "", []string{"p0,0"}, 0); err == nil {
		t.Error("an illegal decision was taken")
	}
}
