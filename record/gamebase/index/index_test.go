package index_test

import (
	"testing"

	"kibitz/games"
	"kibitz/record/formats"
	"kibitz/record/gamebase/index"
	"kibitz/record/replay"
)

// A game has an entry for each of its positions, and is a record again by its moves.
func TestEntry(t *testing.T) {
	list, err := formats.New(games.OpenSpec).Read("x.moves", []byte("f5d6c3d3c4\n"), "othello", "")
	if err != nil {
		t.Fatal(err)
	}
	g := list[0]
	g.Date = "2026.11.24 10:00:00"
	l, err := replay.Play(g, games.OpenSpec)
	if err != nil {
		t.Fatal(err)
	}
	for plies, want := range map[int]int{0: 6, 3: 3} {
		e, err := index.New(plies).Entry(l, g, "x.moves")
		if err != nil || len(e.Visits) != want || e.Game.Date != "2026-11-24 10:00:00" || e.Game.Source != "x.moves" {
			t.Errorf("%d plies: %d positions, %+v, %v", plies, len(e.Visits), e.Game, err)
		}
		back, err := index.Record(&e.Game, games.OpenSpec)
		if err != nil || len(back.Steps) != 5 || back.Steps[4].Move != l.Steps[4].Move {
			t.Errorf("as a record: %+v, %v", back, err)
		}
	}
	// The four first moves of Othello are images of one.
	var keys []int64
	for _, text := range []string{"f5", "e6", "c4", "d3"} {
		list, err := formats.New(games.OpenSpec).Read("x.moves", []byte(text+"\n"), "othello", "")
		if err != nil {
			t.Fatal(err)
		}
		l, err := replay.Play(list[0], games.OpenSpec)
		if err != nil {
			t.Fatal(err)
		}
		e, err := index.New(0).Entry(l, list[0], "")
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, e.Visits[1].Key)
	}
	for _, k := range keys {
		if k != keys[0] {
			t.Errorf("keys %v", keys)
		}
	}
}

// Of a line that is not the main one the result is not known.
func TestLines(t *testing.T) {
	list, err := formats.New(games.OpenSpec).Read("x.sgf", []byte("(;GM[4]SZ[15]RE[B+R];B[hh](;W[ii];B[jj])(;W[gg]))"), "gomoku", "")
	if err != nil {
		t.Fatal(err)
	}
	lines := index.Lines(list)
	if len(lines) != 2 || len(lines[0].Steps) != 3 || len(lines[1].Steps) != 2 || lines[0].Result == nil || lines[1].Result != nil {
		t.Errorf("%d lines: %+v", len(lines), lines)
	}
}
