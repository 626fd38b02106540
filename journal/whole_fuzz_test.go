package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kibitz/journal"
)

// FuzzJournal reads whole journals. All readers agree on what is whole, every byte is
// accounted for, and a writer goes on behind the last whole line so that nothing that
// could be read is lost. The checksums are made to fit if sums is set: what is damaged
// is then what the events say.
func FuzzJournal(f *testing.F) {
	version1, err := os.ReadFile("testdata/version1.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	var lines [][]byte
	for line := range bytes.Lines(version1) {
		lines = append(lines, line)
	}
	for _, cut := range [][][]byte{lines[:min(6, len(lines))], lines[max(0, len(lines)-6):], slices.Concat(lines[:2], lines[:2])} {
		data := slices.Concat(cut...)
		f.Add(data, false)
		f.Add(data, true)
		f.Add(data[:len(data)-5], true)
	}
	move, start, end := sample("g", 1), sample("g", 0), result("g")
	move.Seq, start.Seq, end.Seq = 2, 1, 3
	small := slices.Concat(lineOf(f, &start), []byte("\n"), lineOf(f, &move), []byte("\n"), lineOf(f, &end), []byte("\n"))
	f.Add(small, true)
	name := filepath.Join(f.TempDir(), "journal")
	f.Fuzz(func(t *testing.T, data []byte, sums bool) {
		if len(data) > 1<<15 {
			return
		}
		if sums {
			data = resummed(data)
		}
		events, report, err := journal.ReadAll(data)
		if err != nil {
			if !errors.Is(err, journal.ErrNewer) {
				t.Fatalf("reading from memory fails: %v", err)
			}
			return
		}
		if report.Good+report.Torn != int64(len(data)) || report.Events != len(events) {
			t.Fatalf("%+v of %d bytes and %d events", report, len(data), len(events))
		}
		folded(t, data, events, report)
		goOn(t, name, data, events, report)
	})
}

// resummed gives each line the checksum that fits it.
func resummed(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		whole, ended := bytes.CutSuffix(line, []byte("\n"))
		out = append(out, summed(whole)...)
		if ended {
			out = append(out, '\n')
		}
	}
	return out
}

// folded reads events that are lent, which must be the same, and has games and rulings
// made of them.
func folded(t *testing.T, data []byte, events []journal.Event, want journal.Report) {
	t.Helper()
	var games journal.Folder
	n := 0
	got, err := journal.Read(bytes.NewReader(data), func(ev *journal.Event) error {
		if d := cmp.Diff(events[n], *ev, cmpopts.EquateNaNs()); d != "" {
			t.Fatalf("event %d is lent otherwise: %s", n+1, d)
		}
		n++
		if g := games.Add(ev); g != nil {
			moves := 0
			for i := range g.Steps {
				moves += len(g.Steps[i].Steps)
			}
			if g.ID != ev.Game || len(g.Moves()) > moves {
				t.Fatalf("game %q of %d moves is %q of %d", ev.Game, moves, g.ID, len(g.Moves()))
			}
		}
		return nil
	})
	if err != nil || cmp.Diff(want, got) != "" {
		t.Fatalf("%v, %s", err, cmp.Diff(want, got))
	}
	var rulings journal.Rulings
	if err := journal.ReadRulings(bytes.NewReader(data), &rulings); err != nil {
		t.Fatal(err)
	}
}

// goOn opens the journal as a run does that is taken up.
func goOn(t *testing.T, name string, data []byte, events []journal.Event, want journal.Report) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	w, report, err := journal.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if report.Good != want.Good || report.Torn != want.Torn {
		t.Fatalf("%+v where reading says %+v", report, want)
	}
	ev := sample("next", 1)
	if err := errors.Join(w.Append(&ev), w.Close()); err != nil {
		t.Fatal(err)
	}
	longer, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	again, after, err := journal.ReadAll(longer)
	if err != nil || after.Torn != 0 || len(again) != len(events)+1 || again[len(events)].Decision == nil || again[len(events)].Game != "next" {
		t.Fatalf("%v %+v: %d events become %d", err, after, len(events), len(again))
	}
}
