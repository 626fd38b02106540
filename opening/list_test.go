package opening_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"kibitz/opening"
	"kibitz/record"
	"kibitz/rules"
)

// read reads the openings of a list.
func read(data []byte, r rules.Rules) ([]opening.Opening, error) {
	var out []opening.Opening
	err := opening.ReadList(data, r, func(g *record.Game) error {
		o, err := opening.From(g, r, 0)
		out = append(out, o)
		return err
	})
	return out, err
}

func moves(o *opening.Opening, r rules.Rules) string {
	list := make([]string, len(o.Steps))
	for i, m := range o.Steps {
		list[i] = r.FormatMove(m)
	}
	return strings.Join(list, " ")
}

// TestReadList reads the lines of testdata/lists.txt. What it reads is written and
// read again.
func TestReadList(t *testing.T) {
	data, err := os.ReadFile("testdata/lists.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for row := range strings.Lines(string(data)) {
		col := strings.Split(strings.TrimSuffix(row, "\n"), "|")
		if row[0] == '#' {
			continue
		}
		n++
		r := open(t, col[0])
		list, err := read([]byte("\n"+col[1]+"\r\n"), r)
		if want, ok := strings.CutPrefix(col[2], "! "); ok {
			if at, ok := errors.AsType[*record.Error](err); !ok || at.Line != 2 || fmt.Sprintf("%d: %s", at.Column, at.Msg) != want {
				t.Errorf("%s: error %v, want line 2, %s", col[1], err, want)
			}
			continue
		}
		if err != nil || (len(list) == 1) == (col[2] == "-") {
			t.Errorf("%s: %d openings, %v", col[1], len(list), err)
			continue
		}
		if len(list) == 0 {
			continue
		}
		o := list[0]
		if o.Start != col[2] || moves(&o, r) != col[3] || o.Name != col[4] {
			t.Errorf("%s: start %q, moves %q, name %q", col[1], o.Start, moves(&o, r), o.Name)
		}
		again(t, list, r)
	}
	if n < 30 {
		t.Errorf("only %d rows", n)
	}
}

// again writes openings and reads them again.
func again(t *testing.T, list []opening.Opening, r rules.Rules) {
	t.Helper()
	var b bytes.Buffer
	w, err := opening.NewWriter(&b, r, "a comment\non one line")
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if err := w.Write(&list[i], "eval 0.5"); err != nil {
			t.Fatal(err)
		}
	}
	back, err := read(b.Bytes(), r)
	if err != nil || len(back) != len(list) {
		t.Fatalf("%d of %d openings came back, %v:\n%s", len(back), len(list), err, b.Bytes())
	}
	for i := range list {
		if back[i].Start != list[i].Start || moves(&back[i], r) != moves(&list[i], r) {
			t.Errorf("%+v came back as %+v", list[i], back[i])
		}
	}
}

// TestPlies cuts openings and tells the mover that a record names from who is on
// turn.
func TestPlies(t *testing.T) {
	r := open(t, "othello")
	err := opening.ReadList([]byte("f5 d6 c3 d3"), r, func(g *record.Game) error {
		for plies, want := range map[int]string{0: "f5 d6 c3 d3", 2: "f5 d6", 9: "f5 d6 c3 d3"} {
			if o, err := opening.From(g, r, plies); err != nil || moves(&o, r) != want {
				t.Errorf("plies %d: %s, %v", plies, moves(&o, r), err)
			}
		}
		g.Steps[1].By = 0
		const want = "line 1:4: opening, move 2, d6: it is second's turn, not first's"
		if _, err := opening.From(g, r, 0); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPass puts in the passes that a list leaves out.
func TestPass(t *testing.T) {
	r := open(t, "othello")
	found := 0
	for seed := range uint64(150) {
		o := opening.Opening{Steps: playout(r, seed, 60)}
		want := moves(&o, r)
		text := strings.ReplaceAll(want, " pa", "")
		if text == want || strings.HasSuffix(want, "pa") {
			continue
		}
		found++
		if list, err := read([]byte(text), r); err != nil || moves(&list[0], r) != want {
			t.Errorf("%s: %v, %v", text, list, err)
		}
	}
	if found < 5 {
		t.Errorf("only %d games with passes", found)
	}
}

// FuzzReadList reads anything without harm: an error has its place, and what was
// read is written and read again.
func FuzzReadList(f *testing.F) {
	data, err := os.ReadFile("testdata/lists.txt")
	if err != nil {
		f.Fatal(err)
	}
	for row := range strings.Lines(string(data)) {
		if col := strings.Split(row, "|"); len(col) > 2 {
			f.Add(col[0], col[1])
		}
	}
	f.Add("othello", "f5\n\n# x\n; id \"a\nd3 c3")
	f.Add("phantomgo:size=5", "...../.b.../...../...w./..... b ko=c3 tried=a1,b2; moves e5")
	f.Fuzz(func(t *testing.T, spec, text string) {
		if specs[spec] == 0 {
			spec = "othello"
		}
		r := open(t, spec)
		list, err := read([]byte(text), r)
		if err != nil {
			if at, ok := errors.AsType[*record.Error](err); !ok || at.Line < 1 || at.Line > strings.Count(text, "\n")+2 {
				t.Fatalf("error %v without its line", err)
			}
			return
		}
		again(t, list, r)
	})
}
