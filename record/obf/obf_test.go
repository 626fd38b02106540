package obf_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/record/obf"
)

func TestFiles(t *testing.T) {
	tests := []struct {
		file                     string
		positions, moves, others int
		empties                  int // of all positions together
	}{
		{"fforum-1-19.obf", 19, 145, 0, 285},
		{"fforum-20-39.obf", 20, 182, 0, 388},
		{"fforum-40-59.obf", 20, 211, 0, 522},
		{"hard-20.obf", 276, 2525, 276, 5520},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(shared.Path(t, "data", "othello", "obf", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			list, err := obf.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			moves, others, empties := 0, 0, 0
			var out []byte
			for i := range list {
				p := &list[i]
				moves += len(p.Moves)
				empties += strings.Count(p.Cells, "-")
				if p.HasOthers {
					others++
				}
				if best, _ := p.Best(); best != p.Moves[0].Score {
					t.Errorf("line %d: the best move is not the first", p.Line)
				}
				out = append(appendLine(out, p), '\n')
			}
			if len(list) != tt.positions || moves != tt.moves || others != tt.others || empties != tt.empties {
				t.Errorf("%d positions, %d moves, %d open, %d empties; want %d %d %d %d",
					len(list), moves, others, empties, tt.positions, tt.moves, tt.others, tt.empties)
			}
			if want := strings.ReplaceAll(string(data), "\r", ""); string(out) != want {
				t.Error("written differently:", cmp.Diff(want, string(out)))
			}
		})
	}
}

func TestBest(t *testing.T) {
	p, err := obf.Parse("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; g3:-12; c7:-12; b1:-40 % two ways")
	if err != nil {
		t.Fatal(err)
	}
	score, moves := p.Best()
	want := []game.Move{game.PlaceAt(game.Pt(6, 2)), game.PlaceAt(game.Pt(2, 6))}
	if score != -12 || !cmp.Equal(moves, want) || p.ToMove != game.Second || strings.Count(p.Cells, "-") != 23 || p.Comment != "two ways" {
		t.Errorf("%d %v %+v", score, moves, p)
	}
}

func TestErrors(t *testing.T) {
	cells := strings.Repeat("-", 64)
	tests := []struct{ text, want string }{
		{"\n" + cells + " Q;", "line 2:66: 'Q' is no cell"},
		{cells[:63] + " X", "64 cells and sides"},
		{cells + " -", "side to move"},
		{cells + " X X", "line 1:68: more than 64"},
		{cells + " X; a9:3", "line 1:68: \"a9\" is no move"},
		{cells + " X; a1:3; b2", "line 1:74: \"b2\" is no scored move"},
		{cells + " X; a1:x;", "is no score"},
	}
	for _, tt := range tests {
		if _, err := obf.Read([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("% suite\nO--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; --:-127; % c\n"))
	f.Add([]byte(strings.Repeat(".", 64) + "w"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := obf.Read(data)
		var one, two []byte
		for i := range list {
			one = append(appendLine(one, &list[i]), '\n')
		}
		again, err := obf.Read(one)
		if err != nil || len(again) != len(list) {
			t.Fatalf("%v: %q", err, one)
		}
		for i := range again {
			two = append(appendLine(two, &again[i]), '\n')
		}
		if !bytes.Equal(one, two) {
			t.Fatalf("%q\n%q", one, two)
		}
	})
}

// appendLine appends a position as one line without its end, in the manner of the
// published suites: "cells X; G8:+18; H1:+12;".
func appendLine(dst []byte, p *obf.Position) []byte {
	dst = append(dst, p.Text()...)
	dst = append(dst, ';')
	for _, m := range p.Moves {
		dst = append(dst, ' ')
		if m.Move.Op == game.Place {
			dst = append(dst, 'A'+byte(m.Move.To.X), '1'+byte(m.Move.To.Y))
		} else {
			dst = append(dst, "--"...)
		}
		dst = appendScore(dst, m.Score)
	}
	if p.HasOthers {
		dst = appendScore(append(dst, " --"...), p.Others)
	}
	if p.Comment != "" {
		dst = append(append(dst, " % "...), strings.ReplaceAll(p.Comment, "\n", " ")...)
	}
	return dst
}

func appendScore(dst []byte, n int) []byte { return fmt.Appendf(dst, ":%+d;", n) }
