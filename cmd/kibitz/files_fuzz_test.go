package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/opening"
	"kibitz/opening/files"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/replay"
	"kibitz/rules"
	"kibitz/run/openings"
)

// fuzzedSpecs are games that files are read for: one of each kind.
var fuzzedSpecs = []string{"othello", "gomoku", "nogo", "amazons", "connect6", "dotsandboxes", "surakarta", "darkchess", "phantomgo"}

func fuzzedRules(t testing.TB, which uint8) rules.Rules {
	t.Helper()
	r, err := games.Open(fuzzedSpecs[int(which)%len(fuzzedSpecs)])
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// placedError holds the error of a file to naming it, and a line that it has; the line
// behind the last is where something is missing.
func placedError(t *testing.T, name string, data []byte, err error) {
	t.Helper()
	if !strings.Contains(err.Error(), name) {
		t.Errorf("the error does not name %s: %v", name, err)
	}
	var at *record.Error
	if !errors.As(err, &at) {
		return
	}
	lines := bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")) + 1
	if strings.Contains(at.Msg, "the file ends") {
		lines++
	}
	if at.Line < 0 || at.Line > lines || at.Column < 0 {
		t.Errorf("the error is at line %d, column %d of %d lines: %v", at.Line, at.Column, lines, err)
	}
}

// FuzzOpenings reads files of openings in every format. What is read is written as a
// list, which is read as the same.
func FuzzOpenings(f *testing.F) {
	exts := []string{".txt", ".openings", ".epd", ".xot", ".pos", ".offset", ".sgf", ".ggf", ".obf", ".moves", ".psq", ".pgn", ".json"}
	for i, s := range []string{
		"f5d6c3\nf5f6\n", "h8i9\n", "a1 b2 c3; id \"x\"\nc3 d4\n", "d1-d7 a1; id \"a\"\n", "", "a1 b1\n", "a2-a3\n", "a1(K) b2(p)\n", "",
	} {
		f.Add([]byte(s), uint8(i), uint8(0))
		f.Add([]byte(s), uint8(i), uint8(1))
	}
	f.Add([]byte("---------------------------O*------*O--------------------------- *; F5:+0\n"), uint8(0), uint8(8))
	f.Add([]byte("0,0,1,1,2,-3\n1,1\n"), uint8(1), uint8(5))
	f.Add([]byte("(;GM[1]SZ[15];B[hh];W[ii])"), uint8(1), uint8(6))
	for i := range fuzzedSpecs {
		r := fuzzedRules(f, uint8(i))
		f.Add([]byte(r.New().Text()+"; id \"start\"\n"), uint8(i), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, which, ext uint8) {
		if len(data) > 1<<13 {
			return
		}
		r := fuzzedRules(t, which)
		name := "file" + exts[int(ext)%len(exts)]
		read, err := openings.Files().Reader(name, data, r)
		if err != nil {
			return
		}
		list, err := openings.Files().ReadBy(name, data, read, r, 0)
		if err != nil {
			placedError(t, name, data, err)
			return
		}
		again := rewritten(t, list, r)
		for i := range list {
			if a, b := list[i], again[i]; endOf(t, a, r) != endOf(t, b, r) {
				t.Errorf("opening %d: %+v becomes %+v", i+1, a, b)
			}
		}
	})
}

// rewritten writes openings as a list and reads it.
func rewritten(t *testing.T, list []opening.Opening, r rules.Rules) []opening.Opening {
	t.Helper()
	var b bytes.Buffer
	w, err := opening.NewWriter(&b, r, "fuzz")
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if err := w.Write(&list[i]); err != nil {
			t.Fatal(err)
		}
	}
	again, err := openings.Files().ReadBy("list", b.Bytes(), files.List(r), r, 0)
	if err != nil || len(again) != len(list) {
		t.Fatalf("%d openings were written, %d are read: %v\n%s", len(list), len(again), err, b.Bytes())
	}
	return again
}

// endOf is the position that an opening leads to.
func endOf(t *testing.T, o opening.Opening, r rules.Rules) string {
	t.Helper()
	s := r.New()
	if o.Start != "" {
		var err error
		if s, err = r.Position(o.Start); err != nil {
			t.Fatalf("start %q: %v", o.Start, err)
		}
	}
	for _, m := range o.Steps {
		if _, err := s.Apply(m, nil); err != nil {
			t.Fatalf("opening %+v: %s: %v", o, r.FormatMove(m), err)
		}
	}
	return s.Text()
}

// FuzzRecords reads files of games in every format and replays them. What is a game
// by the rules is written in another format, or refused in words; in the format of our
// own it is read as the same.
func FuzzRecords(f *testing.F) {
	list := records().All()
	at := func(id string) uint8 {
		return uint8(slices.IndexFunc(list, func(f formats.Format) bool { return f.ID == id }))
	}
	for _, s := range []struct {
		from, text string
		game       uint8
	}{
		{"ggf", "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[E6];)", 0},
		{"moves", "f5d6c3d3c4", 0},
		{"obf", "---------------------------O*------*O--------------------------- *; F5:+0", 0},
		{"sgf", "(;GM[1]FF[4]SZ[15];B[hh];W[ii];B[aa])", 1},
		{"psq", "Piskvorky 15x15, 11:11, 0\n8,8,100\n9,9,200\na\nb\n1, freestyle\n", 1},
		{"pos", "h8i9g7", 1},
		{"offset", "0,0,1,1", 1},
		{"pgn", "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n", 2},
		{"ccgc", "{[C6][a][b][first wins][2026][x];B(J,10);W(I,9)(H,8)}", 4},
	} {
		for to := range uint8(len(list)) {
			f.Add([]byte(s.text), at(s.from), to, s.game)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, from, to, which uint8) {
		if len(data) > 1<<13 {
			return
		}
		spec := fuzzedRules(t, which).Spec()
		in, out := list[int(from)%len(list)], list[int(to)%len(list)]
		name := "file" + in.Exts[0]
		read, err := records().Read(name, data, spec, in.ID)
		if err != nil {
			placedError(t, name, data, err)
		}
		for _, g := range read {
			line, err := replay.Play(g, games.OpenSpec)
			if err != nil {
				lineOnly(t, "replaying", err)
				continue
			}
			if _, err := line.State(line.Len()); err != nil {
				t.Errorf("the end of a game that was played: %v", err)
			}
			convert(t, g, out)
		}
	})
}

// convert writes a game that was replayed.
func convert(t *testing.T, g *record.Game, f formats.Format) {
	t.Helper()
	if f.Write == nil {
		return
	}
	if !f.Holds(g.Spec.ID()) {
		return
	}
	var b bytes.Buffer
	if err := f.Write(&b, []*record.Game{g}); err != nil {
		lineOnly(t, "writing "+f.ID, err)
		return
	}
	again, err := records().Read("again"+f.Exts[0], b.Bytes(), g.Spec, f.ID)
	if f.ID != "json" {
		return
	}
	if err != nil || len(again) != 1 {
		t.Fatalf("%+v is written as something that cannot be read: %v\n%s", g, err, b.Bytes())
	}
	moves := func(g *record.Game) (out []game.Move) {
		for i := range g.Steps {
			out = append(out, g.Steps[i].Move)
		}
		return out
	}
	if !slices.Equal(moves(g), moves(again[0])) || again[0].Start != g.Start {
		t.Fatalf("%+v becomes %+v", g, again[0])
	}
}
